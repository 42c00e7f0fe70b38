"""A metric is known in places that share no code on purpose, so that no compiler can say which of them was forgotten: this does."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main  # noqa: E402

METRICS = re.findall(r'^METRIC\((\w+), "(\w+)"', (ROOT / "compiler/model/Metrics.def").read_text(), re.M)
# What NumPy computes where it is none of the others, and the slope of another figure.
UNNAMED = {"SeqTv", "DriftSlope"}


def text(*patterns):
    return "\n".join(path.read_text() for pattern in patterns for path in sorted(ROOT.glob(pattern)))


# Which there are says nothing of how each is computed.
DRAWN = re.search(r"(?ms)^SOURCES = \{.*?^}", text("tests/tools/checker_data.py"))[0]
COMPUTED = text("tests/tools/checker_data.py", "tests/tools/checker_figures.py").replace(DRAWN, "")


class MetricPlaces(Case):
    def holds(self, name, place, *patterns):
        self.said(name, text(*patterns), f"{place}, {' '.join(patterns)}")

    def said(self, name, where, place):
        with self.subTest(metric=name, place=place):
            self.assertTrue(re.search(rf"\b{name}\b", where), f"{place}, lacks {name}")

    def test_each_has_its_references_and_its_page(self):
        self.assertGreater(len(METRICS), 40)
        for metric, symbol in METRICS:
            self.said(symbol, DRAWN, "what scripts draw, SOURCES of tests/tools/checker_data.py")
            if metric not in UNNAMED:
                self.said(symbol, COMPUTED, "what NumPy computes, tests/tools/checker_data.py and checker_figures.py")
            self.holds(symbol, "the reference", "docs/reference/language.md")

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
