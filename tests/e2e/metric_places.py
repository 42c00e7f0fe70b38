"""A metric is known in places that share no code on purpose, so that no compiler can say which of them was forgotten: this does."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main  # noqa: E402

METRICS = re.findall(r'^METRIC\((\w+), "(\w+)"', (ROOT / "compiler/metrics/Metrics.def").read_text(), re.M)
# What the interpreter computes where it is none of the others, and the slope of another figure.
UNNAMED = {"Pearson", "DriftSlope"}


def text(*patterns):
    return "\n".join(path.read_text() for pattern in patterns for path in sorted(ROOT.glob(pattern)))


class MetricPlaces(Case):
    def holds(self, name, place, *patterns):
        with self.subTest(metric=name, place=place):
            self.assertTrue(re.search(rf"\b{name}\b", text(*patterns)), f"{place}, {' '.join(patterns)}, lacks {name}")

    def test_each_has_its_references_and_its_page(self):
        self.assertGreater(len(METRICS), 40)
        for metric, symbol in METRICS:
            self.holds(symbol, "what scripts draw", "tests/tools/checker_data.py")
            self.holds(symbol, "the reference", "docs/reference/language.md")
            if metric not in UNNAMED:
                self.holds(f"Figure::{metric}", "the interpreter of plans", "tests/interpreter/*.cpp")

    def test_what_a_proof_reads_is_verified_and_attacked(self):
        read = set(re.findall(r"\bMetricId::(\w+)", text("compiler/bounds/prove/Readings.cpp")))
        self.assertGreater(len(read), 20)
        for metric, symbol in METRICS:
            if metric in read:
                self.holds(symbol, "the verifier", "verifier/Text.cpp")
                self.holds(f"MetricId::{metric}", "the falsifier", "compiler/bounds/refute/PopulationMeasures.h")
                self.holds(symbol, "what attacks draw", "tests/property/RandomContract.h")


if __name__ == "__main__":
    main()
