"""What a stranger sees first is true: the README's contract and what tikc says of it, its badges, and the story of `make demo`."""

import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from demo import expect_in_order, shown  # noqa: E402
from harness import ROOT, main, run  # noqa: E402

README = (ROOT / "README.md").read_text(encoding="utf-8")
FAULTY = "examples/broken/readme.tikc.yaml"


class Readme(unittest.TestCase):
    def test_opens_with_a_contract_and_what_is_said_of_it(self):
        contract, said = re.findall(r"(?ms)^```\w+\n(.*?)^```$", README)[:2]
        self.assertEqual(contract, (ROOT / FAULTY).read_text(encoding="utf-8"))
        self.assertEqual(said, f"$ tikc check {FAULTY}\n" + run("check", FAULTY, cwd=ROOT).out)

    def test_badges(self):
        version = re.search(r"[\d.]+", run("--version").out)[0]
        badges = re.findall(r"(?m)^\[!\[(.*?)\]\((\S+)\)\]\((\S+)\)$", README.split("```")[0])
        self.assertEqual([name for name, _, _ in badges], ["CI", "Apache-2.0", version])
        self.assertTrue((ROOT / ".github/workflows" / re.search(r"workflows/(.*)/badge", badges[0][1])[1]).exists())
        self.assertIn(f"-{version}-", badges[2][1])


class Demo(unittest.TestCase):
    STORY = ["TK5001", "TK4001", "1 finding fixed", "proved", "token_tv` does not follow", "it breaks `<= 0.05`", "by L-TV-MALP", "accepted, tv <= 0.05",
             "1  0.020 satisfied   0.008 satisfied        rollout", "5  0.188 satisfied   0.074 violated         rollout",
             "6  0.328 violated    0.126 violated         safe, all but 1%"]

    def test_tells_its_story_in_80_columns(self):
        text = shown(self, python="/bin/false")  # tests/e2e/demo_pair.py has what follows with Torch
        self.assertLess(text.count("\n"), 150)
        expect_in_order(self, [*self.STORY, "skipped: it takes python3-torch"], text)


if __name__ == "__main__":
    main()
