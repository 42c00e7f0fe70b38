"""The end of `make demo`: Torch trains a small transformer, and servers that break are caught. tests/e2e/readme.py has the rest of it."""

import importlib.util
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from demo import expect_in_order, shown  # noqa: E402
from harness import main, skip_unless  # noqa: E402

skip_unless(importlib.util.find_spec("torch") and importlib.util.find_spec("numpy"), "the example takes python3-torch and python3-numpy")


class DemoPair(unittest.TestCase):
    STORY = ["violated on tales; starts drift at 4", "violated on sums; starts wrong at 3", "violated   rollout", "violated   safe for sums",
             "satisfied  safe for sums, safe for tales"]

    def test_tells_its_story_in_80_columns(self):
        text = shown(self)
        self.assertLess(text.count("\n"), 150)
        expect_in_order(self, self.STORY, text)


if __name__ == "__main__":
    main()
