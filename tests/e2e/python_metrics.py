"""`Window.metrics`: what a trainer would log of what a monitor observed, held to the trainer's formulas, and each clause's number under a name."""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, contract, main  # noqa: E402
from tikc_python import tikc  # noqa: E402

import numpy  # noqa: E402
from trainer_figures import FORMULAS, Batch, responses  # noqa: E402

OBSERVED = "observability:\n  tokens: sample(logprobs, 100%)\n"
CLAUSES = """labels: { task: [math, code] }
slices:
  math: { when: task == "math" }
statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat
  whole: mean(k3) <= 0.05 on all
"""


class Metrics(Case):
    def setUp(self):
        super().setUp()
        self.held = tikc.loads(contract("c", CLAUSES, OBSERVED))

    def monitor(self, metrics):
        return self.held.monitor(on_fault="raise", metrics=metrics)

    def observe(self, monitor, records, **options):
        for each in records:
            monitor.tokens(numpy.float32(each["train"]), numpy.float32(each["infer"]), mask=numpy.array(each["mask"]), **options)

    def same(self, said, wanted):
        self.assertEqual(set(said), set(wanted))
        for name, value in wanted.items():
            self.assertTrue(math.isclose(said[name], value, rel_tol=1e-9, abs_tol=1e-12), (name, said[name], value))

    def test_are_the_trainers_formulas(self):
        records = responses(50, 3, 0.4)
        monitor = self.monitor(list(FORMULAS))
        self.observe(monitor, records)
        window = monitor.tick(0.0)
        for trainer, (formula, cap) in FORMULAS.items():
            self.same(window.metrics(trainer), formula(Batch(records), cap))
        # The next window begins anew.
        self.assertTrue(all(math.isnan(value) for value in monitor.tick(1.0).metrics("trl").values()))
        self.observe(monitor, records[:7])
        self.same(monitor.tick(2.0).metrics("nemo_rl"), FORMULAS["nemo_rl"][0](Batch(records[:7]), 2))
        self.assertEqual(list(window.to_dict()["logged"]), list(FORMULAS))

    def test_batches_parts_and_caps(self):
        records = responses(20, 5, 1.0)
        for each in records:
            for name in ("train", "infer"):
                each[name] = numpy.float32(each[name])
        one, two, three = self.monitor({"verl": 1.5}), self.monitor({"verl": 1.5}), self.monitor("verl")
        longest = max(len(each["train"]) for each in records)
        train, infer, mask = (numpy.stack([numpy.pad(each[name], (0, longest - len(each[name]))) for each in records]) for name in ("train", "infer", "mask"))
        one.tokens(train.astype(numpy.float32), infer.astype(numpy.float32), mask=mask, labels={"task": ["math", "code"] * 10})
        for each in records:
            with two.response() as response:
                for begin in range(0, len(each["train"]), 7):
                    at = slice(begin, begin + 7)
                    response.tokens(each["train"][at], each["infer"][at], mask=numpy.array(each["mask"])[at])
        three.tokens([each["train"] for each in records], [each["infer"] for each in records], mask=[numpy.array(each["mask"]) for each in records])
        for monitor, cap in ((one, 1.5), (two, 1.5), (three, 2.0)):
            self.same(monitor.tick(0.0).metrics("verl"), FORMULAS["verl"][0](Batch(records), cap))

    def test_figures_of_less_than_came_in_are_refused(self):
        records = responses(4, 6)
        monitor, other = self.monitor("slime"), self.monitor(())
        self.observe(monitor, records)
        self.observe(monitor, records, whole=False)
        with self.assertRaisesRegex(ValueError, "slime metrics are not available: some responses"):
            monitor.tick(0.0).metrics("slime")
        self.observe(monitor, records)
        self.observe(other, records)
        monitor.merge(other)
        with self.assertRaises(ValueError):
            monitor.tick(1.0).metrics("slime")
        # What was taken is no more of this one.
        self.observe(monitor, records)
        monitor.take()
        self.observe(monitor, records[:2])
        self.same(monitor.tick(2.0).metrics("slime"), FORMULAS["slime"][0](Batch(records[:2]), 2))

    def test_clauses_have_names(self):
        monitor = self.monitor(())
        self.observe(monitor, responses(10, 7, empty=False), labels={"task": "math"})
        window = monitor.tick(0.0)
        metrics = window.metrics()
        self.assertEqual(set(metrics), {"tikc/gap/math", "tikc/gap/other", "tikc/whole/*", "tikc/tokens/math", "tikc/tokens/other"})
        self.assertEqual(metrics["tikc/gap/math"], window.of("gap", "math").figures[0].value)
        with self.assertRaisesRegex(KeyError, "which has none"):
            window.metrics("verl")

    def test_wrong_names_and_caps(self):
        for wrong, why in (("vrl", "verl, trl, slime, nemo_rl, openrlhf"), ({"verl": 0.0}, "above 0"), ({"verl": math.nan}, "above 0"), ({"verl": math.inf}, "above 0"), ({"verl": -1}, "above 0")):
            with self.assertRaisesRegex(ValueError, why):
                self.held.monitor(metrics=wrong)


if __name__ == "__main__":
    main()
