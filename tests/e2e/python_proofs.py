"""What the Python package tells of proofs is what the program tells, and certificates of it are accepted."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import TIKC, Case, contract, main  # noqa: E402
from tikc_python import tikc  # noqa: E402

VERIFY = Path(TIKC).with_name("tikc-verify")
TEXT = """statistical:
  answers: mean(seq_tv) <= 0.05
observability:
  tokens: sample(logprobs, 100%)
claims:
  reward: reward_drift <= 0.1
assumptions: { support: full, reward: [0, 1] }
"""


class Proofs(Case):
    def setUp(self):
        super().setUp()
        self.path = self.write("c.tikc.yaml", contract("c", TEXT))
        self.tight = self.write("tight.tikc.yaml", contract("c", TEXT.replace("0.1", "0.01")))
        patch = mock.patch.dict(os.environ, {"TIKC_PROGRAM": str(TIKC)})
        patch.start()
        self.addCleanup(patch.stop)

    def test_derivations(self):
        said = tikc.explain(self.path)
        self.assertEqual(said.told, json.loads(self.expect(0, "explain", "--format=json", self.path).out))
        [claim] = said.claims
        self.assertEqual((claim.claim, claim.verdict, claim.slices, Fraction(claim.budget.exact)), ("reward", "proved", (), Fraction(1, 10)))
        self.assertEqual((Fraction(claim.follows.exact), claim.follows.decimal), (Fraction(1, 20), 0.05))  # a range of 1 times the total variation
        self.assertTrue(said.is_proved)
        self.assertRegex(repr(said), r"proved +reward +reward_drift <= 0.1 +0.05")
        self.assertFalse(tikc.explain(self.tight).is_proved)
        bare = tikc.explain(self.write("bare.tikc.yaml", contract("c", TEXT.replace("claims:\n  reward: reward_drift <= 0.1\n", ""))))
        self.assertEqual((bare.claims, bare.is_proved), ((), False))

    def test_tolerances(self):
        said = tikc.solve(self.path, claim="reward", clause="answers")
        self.assertEqual(said.told, json.loads(self.expect(0, "solve", "--format=json", "--claim=reward", "--for=answers", self.path).out))
        self.assertEqual([(each.name, each.declared.decimal, Fraction(each.largest.exact), each.any) for each in said.largest], [("answers", 0.05, Fraction(1, 10), False)])
        self.assertTrue(said.follows)
        self.assertFalse(tikc.solve(self.tight).follows)
        self.assertIn("answers", repr(said))

    def test_certificates(self):
        made = tikc.prove(self.path)
        self.assertTrue(made.is_proved)
        made.save(self.folder / "c.json")
        self.expect(0, "prove", "-o", self.folder / "same.json", self.path)
        self.assertEqual(made.content, (self.folder / "same.json").read_bytes())
        self.assertEqual(made.told["contract"], "c")
        done = subprocess.run([str(VERIFY), self.folder / "c.json", self.path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertFalse(tikc.prove(self.tight).is_proved)

    def test_what_is_wrong_is_raised(self):
        for call, why in ((lambda: tikc.explain(self.folder / "none.tikc.yaml"), "none.tikc.yaml"), (lambda: tikc.solve(self.path, claim="nosuch"), "nosuch"),
                          (lambda: tikc.explain("--help"), "--help"), (lambda: tikc.explain("TK2001"), "TK2001"),
                          (lambda: tikc.prove(self.write("broken.tikc.yaml", "tikc: v1\n")), "broken|contract")):
            with self.assertRaisesRegex(tikc.TikcError, why):
                call()
        with mock.patch.dict(os.environ, {"TIKC_PROGRAM": str(self.folder / "none")}):
            with self.assertRaisesRegex(tikc.TikcError, r"program .*none not found: this installation has only the library"):
                tikc.prove(self.path)


if __name__ == "__main__":
    main()
