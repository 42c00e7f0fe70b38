"""Verdicts with a confidence are wrong no more often than it says, however often somebody looks: simulated, with a truth that is known."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import GCC, PORTABLE, compiled, in_parallel, namespaces  # noqa: E402
from harness import PATIENCE, ROOT, Case, main, must, skip_unless  # noqa: E402

skip_unless(GCC, "no g++ here")

CONTRACT = """tikc: v1
contract: coverage
version: 1.0.0
kernels:
  trainer: { engine: fsdp2, weights: bf16 }
  rollout: { engine: vllm, weights: bf16 }
pair: { train: trainer, infer: rollout }
model: { vocabulary: 64 }
numerical:
  mean: mean(route_flip) <= 10% over 400 requests with confidence 90%
runtime:
  rate: rate(errors) <= 10% over 400 requests with confidence 90%
  high: p90(latency) <= 2 s over 400 requests with confidence 90%
  low: quantile(throughput, 0.1) >= 5 tokens per s over 400 requests with confidence 90%
observability:
  routes: sample(routes, 100%)
  requests: sample(requests, 100%)
escalation:
  broken: { when: violated(any), do: hold }
  silent: { when: undecided(any) for 6 windows, do: hold }
"""
DRIVER = '#include "{header}"\n#include "CoverageDriver.h"\nint main(int, char** arguments) {{ return tikc_test::cover<{space}::plan>(arguments); }}\n'
CLAUSES = {"mean", "rate", "high", "low"}
# Of the edge, where each run counts, and elsewhere.
RUNS, FEW, ALPHA = 2000, 400, 0.1
# Three standard deviations above what is allowed.
ALLOWED = ALPHA * RUNS + 3 * (RUNS * ALPHA * (1 - ALPHA)) ** 0.5


class Coverage(Case):
    @classmethod
    def setUpClass(cls):
        folder = cls.shared_folder()
        (folder / "coverage.tikc.yaml").write_text(CONTRACT)
        must("emit", "cpp", folder / "coverage.tikc.yaml", "-o", folder)
        header = next(folder.glob("*.h"))
        (folder / "driver.cpp").write_text(DRIVER.format(header=header.name, space=namespaces(header)[0]))
        complaints = compiled(GCC, folder / "driver.cpp", "-O2", PORTABLE, "-o", folder / "driver", include=[folder, ROOT / "tests/tools"])
        assert complaints == "", complaints
        names, truths, runs = ["edge", "good", "bad"], [0.1, 0.02, 0.25], [RUNS, FEW, FEW]
        cls.counts = dict(zip(names, in_parallel(cls.counted, [(folder / "driver", count, truth) for count, truth in zip(runs, truths)])))

    @staticmethod
    def counted(driver, runs, truth):
        """{clause: runs in which it was violated, satisfied, either}."""
        done = subprocess.run([driver, str(runs), str(truth)], capture_output=True, text=True, check=True, timeout=PATIENCE)
        rows = [line.split() for line in done.stdout.splitlines()]
        return {name: tuple(map(int, numbers)) for name, *numbers in rows if name in CLAUSES}

    def test_at_the_bound_itself_a_verdict_is_as_rare_as_promised(self):
        """There, either verdict is wrong, or would be with a truth that is next to it."""
        self.assertEqual(set(self.counts["edge"]), CLAUSES)
        for clause, (violated, satisfied, either) in self.counts["edge"].items():
            with self.subTest(clause=clause):
                self.assertLessEqual(either, ALLOWED)
                self.assertLessEqual(max(violated, satisfied), ALLOWED)

    def test_what_is_well_within_is_satisfied_and_hardly_ever_violated(self):
        for clause, (violated, satisfied, _) in self.counts["good"].items():
            with self.subTest(clause=clause):
                self.assertGreater(satisfied, 0.95 * FEW)
                self.assertLessEqual(violated, ALPHA * FEW)

    def test_what_is_well_beyond_is_violated_and_hardly_ever_satisfied(self):
        for clause, (violated, satisfied, _) in self.counts["bad"].items():
            with self.subTest(clause=clause):
                self.assertGreater(violated, 0.95 * FEW)
                self.assertLessEqual(satisfied, ALPHA * FEW)


if __name__ == "__main__":
    main()
