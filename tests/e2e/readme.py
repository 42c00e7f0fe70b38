"""What a stranger sees first is true: the README's contract and what tikc says of it, its badges, and the story of `make demo`."""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, TIKC, main, run  # noqa: E402

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
    REAL = ["violated on tales; starts drift at 4", "violated on sums; starts wrong at 3", "violated   rollout", "violated   safe for sums",
            "satisfied  safe for sums, safe for tales"]

    def test_tells_its_story_in_80_columns(self):
        done = subprocess.run([ROOT / ".ci/demo"], env={**os.environ, "TIKC": TIKC}, capture_output=True, text=True, encoding="utf-8", timeout=300)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertEqual([line for line in done.stdout.splitlines() if len(line) > 80], [])
        self.assertLess(done.stdout.count("\n"), 150)
        told = done.stdout
        has_torch = subprocess.run(["/usr/bin/python3", "-c", "import numpy, torch"], capture_output=True).returncode == 0
        for word in self.STORY + (self.REAL if has_torch else ["skipped: it takes python3-torch"]):
            self.assertIn(word, told)
            told = told.split(word, 1)[1]


if __name__ == "__main__":
    main()
