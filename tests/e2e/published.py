"""What examples/published-bounds.tikc.yaml says is published, put in the place of what is true: none of it passes."""

import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main  # noqa: E402

EXAMPLE = (ROOT / "examples/published-bounds.tikc.yaml").read_text()

REFUTED, UNPROVED = "TK6101", "TK6102"

# A line of the example, what is published instead, and what each claim that then fails comes to.
PUBLISHED = [
    ("ratios: max(ratio) <= 1.2215", "ratios: max(ratio) <= 1.1053", {"ratios": REFUTED}),
    ("reward: reward_drift <= 0.2", "reward: reward_drift <= 0.1", {"reward": REFUTED}),
    ("drift: max(logit_osc) <= 0.01", "drift: max(tv) <= 0.0025", {"answers": REFUTED, "reward": REFUTED}),
    ("gradient: pg_bias <= 1.6", "gradient: pg_bias <= 0.001", {"gradient": UNPROVED}),
    ("gradient: pg_bias <= 0.8", "gradient: pg_bias <= 0.01", {"gradient": UNPROVED}),
    ("token_tv: max(tv) <= 0.031", "token_tv: max(tv) <= 0.025", {"token_tv": UNPROVED}),
    ("gradient: pg_bias <= 0.089", "gradient: pg_bias <= 0.001", {"gradient": UNPROVED}),
]


class Published(Case):
    def failures(self, text):
        """Of each claim that fails, what it comes to."""
        done = self.tikc("check", "-", "--format=json", stdin=text)
        found = json.loads(done.out)["diagnostics"]
        self.assertEqual(done.returncode, 1 if found else 0, done.out)
        return {each["message"].split("`")[1]: each["code"] for each in found}

    def test_what_is_true_passes(self):
        self.assertEqual(self.failures(EXAMPLE), {})

    def test_what_is_published_fails(self):
        for true, published, failures in PUBLISHED:
            with self.subTest(published=published):
                self.assertEqual(EXAMPLE.count(true + "\n"), 1)
                self.assertEqual(self.failures(EXAMPLE.replace(true + "\n", published + "\n")), failures)

    def test_a_longer_horizon_breaks_the_root(self):
        longer = EXAMPLE.replace("horizon: 4096 tokens", "horizon: 8192 tokens")
        self.assertEqual(set(self.failures(longer)), {"answers", "reward"})


if __name__ == "__main__":
    main()
