"""The stages between a contract and its checker, as goldens: what changes there is seen in a review."""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main, run  # noqa: E402

CONTRACT = ROOT / "examples/qwen3-8b-rl.tikc.yaml"


class Stages(Case):
    def is_golden(self, name, text):
        golden = ROOT / "tests/e2e" / name
        if os.environ.get("TIKC_UPDATE"):
            golden.write_text(text)
        self.assertEqual(golden.read_text(), text, f"TIKC_UPDATE=1 writes {golden} anew")

    def test_the_plan(self):
        dumped = run("dump", "--stage=plan", CONTRACT)
        self.assertEqual(dumped.returncode, 0, dumped.err)
        self.is_golden("plan.golden", dumped.out)

    def test_the_header(self):
        with tempfile.TemporaryDirectory(prefix="tikc-stages-") as folder:
            emitted = run("emit", "cpp", CONTRACT, "-o", folder, "--stats")
            self.assertEqual(emitted.returncode, 0, emitted.err)
            header = next(Path(folder).iterdir()).read_text()
        self.is_golden("header.golden", header)
        self.is_golden("stats.golden", emitted.out)


HEAD = """tikc: v1
contract: small
version: 1.0.0
kernels:
  trainer: { engine: fsdp2, weights: bf16 }
  rollout: { engine: vllm, weights: bf16 }
pair: { train: trainer, infer: rollout }
"""
OBSERVED = "observability: { rows: 'sample(logits, 1%)', tokens: 'sample(logprobs, 100%)' }\n"


class Levels(Case):
    def test_a_level_of_too_many_digits_asks_for_more(self):
        for limit, part in (("<= 0.5", 1_000_000_000), (">= 0.001", 999_999_999)):
            text = HEAD + OBSERVED + f"statistical: {{ a: 'quantile(k3, 0.99999999991) {limit}' }}\n"
            dumped = self.expect(0, "dump", "--stage=plan", self.write("small.tikc.yaml", text))
            self.assertIn(f" at {part}/1000000000 ", dumped.out)


class Refusals(Case):
    """What cannot be enforced is not emitted, and nothing is left behind."""

    def refused(self, text, why):
        target = self.folder / "generated"
        done = self.expect(2, "emit", "cpp", self.write("small.tikc.yaml", HEAD + text), "-o", target)
        self.assertIn(why, done.err)
        self.assertFalse(target.exists())

    def test_a_contract_without_clauses(self):
        self.refused("", "`small` has no clauses")

    def test_more_than_a_checker_can_number(self):
        clauses = "".join(f"  c{i}: mean(k3) <= 0.{i + 1:06}\n" for i in range(10_000))
        rule = "escalation: { r: { when: violated(any), do: hold } }\n"
        self.refused(OBSERVED + rule + "statistical:\n" + clauses, "has 10002 requirements in its clauses: a checker takes 10000 at most")
        actions = ", ".join(f'alert("a{i}")' for i in range(10_000))
        self.refused(OBSERVED + f"statistical: {{ a: mean(k3) <= 0.5 }}\nescalation:\n  r: {{ when: violated(a), do: [{actions}] }}\n", "has 10002 conditions and actions in its rules")

    def test_rows_of_no_known_length(self):
        self.refused(OBSERVED + "numerical: { a: max(tv) <= 0.5 }\n", "add `model: { vocabulary: N }`")

    def test_a_contract_that_is_only_extended(self):
        self.refused("abstract: true\n" + OBSERVED + "numerical: { a: max(tv) <= 0.5 }\n", "every contract of the file is abstract")

    def test_tokens_need_no_vocabulary(self):
        text = HEAD + OBSERVED + "statistical: { a: mean(k3) <= 0.5 }\n"
        self.expect(0, "emit", "cpp", self.write("small.tikc.yaml", text), "-o", self.folder)
        self.assertTrue((self.folder / "small.tikc.h").exists())


if __name__ == "__main__":
    main()
