"""The README is true: its contract, its commands and their output, its picture, its Python, its badges; and the story of `make demo`."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from demo import expect_in_order, shown  # noqa: E402
from harness import LIBRARY, ROOT, TIKC, main, run  # noqa: E402

README = (ROOT / "README.md").read_text(encoding="utf-8")
DRIFT = ROOT / "examples/drift"


def blocks(language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", README)


class Readme(unittest.TestCase):
    def test_opens_with_a_contract_that_is_clean(self):
        self.assertEqual(blocks("yaml"), [(DRIFT / "drift.tikc.yaml").read_text(encoding="utf-8")])
        self.assertIn("no findings", run("check", DRIFT / "drift.tikc.yaml").out)

    def test_commands_print_what_is_shown(self):
        """Line by line; a line of three dots is any number of lines, and only such a line leaves some out."""
        shown = [block for block in blocks("console") if block.startswith("$ tikc ")]
        self.assertEqual([block.split()[2] for block in shown], ["measure", "explain"])
        for block in shown:
            command, _, wanted = block.partition("\n")
            with self.subTest(command=command):
                pattern = "".join("(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in wanted.splitlines())
                self.assertRegex(run(*command.split()[2:], cwd=ROOT).out, rf"\A{pattern}\Z")

    def test_the_picture_is_of_the_data(self):
        done = subprocess.run([sys.executable, DRIFT / "picture.py"], env={**os.environ, "TIKC": TIKC}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @unittest.skipUnless(Path(LIBRARY).exists() and importlib.util.find_spec("numpy"), "libtikc or NumPy is missing")
    def test_python_raises_at_the_step_that_the_picture_shows(self):
        from tikc_python import tikc
        import numpy
        batches = {}
        for line in (DRIFT / "rollouts.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            batches.setdefault(record["step"], []).append((record["train"], record["infer"]))
        seen = []

        def steps():
            for step, batch in sorted(batches.items()):
                seen.append(step)
                longest = max(len(train) for train, _ in batch)
                train, infer = (numpy.array([each[side] + [0.0] * (longest - len(each[side])) for each in batch], numpy.float32) for side in (0, 1))
                yield train, infer, numpy.array([[i < len(each[0]) for i in range(longest)] for each in batch])

        [block] = blocks("python")
        before = os.getcwd()
        os.chdir(ROOT)
        self.addCleanup(os.chdir, before)
        with self.assertRaises(tikc.Violation):
            exec(compile(block, "README", "exec"), {"steps": steps()})
        self.assertEqual(seen, [1, 2, 3, 4, 5])

    def test_badges(self):
        version = re.search(r"[\d.]+", run("--version").out)[0]
        badges = re.findall(r"\[!\[(.*?)\]\((\S+?)\)\]\((\S+?)\)", README.split("```")[0])
        self.assertEqual([name for name, _, _ in badges[:3]], ["CI", "Apache-2.0", version])
        self.assertTrue((ROOT / ".github/workflows" / re.search(r"workflows/(.*)/badge", badges[0][1])[1]).exists())
        self.assertIn(f"-{version}-", badges[2][1])


class Demo(unittest.TestCase):
    STORY = ["TK5001", "TK4001", "1 finding fixed", "proved", "token_tv` does not follow", "it violates `<= 0.05`", "by L-TV-MALP", "accepted, tv <= 0.05",
             "1  0.020 satisfied   0.008 satisfied        rollout", "5  0.188 satisfied   0.074 violated         rollout",
             "6  0.328 violated    0.126 violated         safe, all but 1%"]

    def test_tells_its_story_in_80_columns(self):
        text = shown(self, python="/bin/false")  # tests/e2e/demo_pair.py has what follows with Torch
        self.assertLess(text.count("\n"), 150)
        expect_in_order(self, [*self.STORY, "sudo apt install python3-torch"], text)


if __name__ == "__main__":
    main()
