"""Of what is no number nothing is known, so that no clause is satisfied by it: every metric, with every aggregate and comparison, held to
observations that are all spoilt, and to responses of which no token counts."""

import struct
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import GCC, PORTABLE, compiled, in_parallel, namespaces  # noqa: E402
from harness import ROOT, Case, main, run, skip, skip_unless  # noqa: E402

try:
    import numpy as np
    from checker_cases import SLICES, all_shapes, ends, is_bounded, shapes_by_response, spelled, written
    from checker_compare import Run
    from checker_data import SOURCES, Data
    from checker_reference import INF
    from checker_tables import RANGES
except ModuleNotFoundError as missing:
    skip(f"{missing}; the reference needs python3-numpy")
skip_unless(GCC, "generated code is compiled with g++")

NAN, VOCABULARY = float("nan"), 64
FACTS = {"pair": True, "vocabulary": VOCABULARY, "temperatures": (0.7, 1, 1.3)}
DRIVER = """#include "{header}"
#include "CheckerDriver.h"
int main(int count, char** arguments) {{ return tikc_test::drive<{space}::plan>(count, arguments); }}
"""
# What is known of a row of NaN is how many there are, and of a request that it failed.
KNOWN = ("nonfinite", "errors")
MANY = 400  # decide any quantile here
PART = 500  # of the checks: more have more findings than are shown


def bounded(shape):
    """The shape with each comparison, and with confidence where one can be had."""
    if shape.predicate:
        shape.predicate = (shape.predicate[0], "1.4" if RANGES[shape.metric][0] == 1 else "0.4")
    low, high = ends(shape)
    if shape.aggregate == "sum":
        low, high = (MANY * end for end in ends(replace(shape, aggregate="mean")))
    usual, least = 0.5 * shape.bound_factor, max(low, 0)
    middle = (low + high) / 2 if low > -INF and high < INF else least + usual
    width = (high - low) / 4 if low > -INF and high < INF else usual / 2
    bounds = [spelled(each / shape.bound_factor) for each in (middle, middle - width, middle + width)]
    for limits in ([("<=", bounds[0])], [("<", bounds[0])], [(">=", bounds[0])], [(">", bounds[0])], [(">=", bounds[1]), ("<=", bounds[2])]):
        for confidence in ("", "90%") if is_bounded(shape) and len(limits) == 1 else ("",):
            yield replace(shape, limits=limits, confidence=confidence)
    if shape.aggregate in ("count", "rate", "sum", "mean", "max", "min") and not shape.predicate and low <= 0:
        yield replace(shape, limits=[("==", "0")])


def unlike(shapes):
    """Each once: those that others draw bounds for are there several times."""
    seen = {}
    for shape in shapes:
        seen.setdefault((shape.subject if not shape.predicate else (shape.aggregate, shape.metric, shape.absolute, shape.predicate[0])), shape)
    return list(seen.values())


def row(spoil):
    out = [np.zeros(VOCABULARY, np.float32) for _ in range(2)]
    spoil(*out)
    return out


def at(side, place, value):
    def spoil(*rows):
        rows[side][place] = value
    return spoil


ROWS = [at(0, 3, NAN), at(1, 3, NAN), at(0, 5, INF), at(1, 5, INF), at(0, slice(None), -INF), at(1, slice(None), -INF)]
TOKENS = [(NAN, -1.0), (-1.0, NAN), (INF, -1.0), (-1.0, INF), (-INF, -INF)]
TIMES = [NAN, INF, -INF, -5.0, -1e-9]
SHARES = [NAN, INF, -INF, -0.25, 1.5]
DRIFTS = [NAN, -INF, -0.25]


def tokens_of(pairs):
    return tuple(np.array(side, np.float32) for side in zip(*pairs)) if pairs else (np.zeros(0, np.float32),) * 2


def add_response(data, tick, pairs, mask=None):
    train, infer = tokens_of(pairs)
    data.events[tick].append(struct.pack("<cBBQB", b"S", 0, 0, data.next_id(), 1) + data.packed_tokens(train, infer, mask))


def spoilt():
    """One kind of spoilt observations between any two evaluations."""
    data = Data(1, SLICES, VOCABULARY, [(0.7, 1.3)], ticks=8)
    data.steps = [1] * len(data.times)
    for tick in range(len(data.times)):
        def kind(of):
            return of[tick % len(of)]

        for _ in range(MANY):
            data.add_row(tick, 0, *row(kind(ROWS)), formats=["fp32", "fp32"])
            data.add_routes(tick, 0, kind(SHARES))
            data.add_request(tick, 0, *[kind(TIMES)] * 4, False)
            for in_batch in (True, False):
                data.add_replay(tick, 0, in_batch, kind(DRIFTS))
            add_response(data, tick, [kind(TOKENS)])
    return data


def silent():
    """Responses of no token, and such as the mask leaves none of."""
    data = Data(2, SLICES, VOCABULARY, [(0.7, 1.3)], ticks=4)
    data.steps = [1] * len(data.times)
    for tick in range(len(data.times)):
        for i in range(MANY):
            add_response(data, tick, [] if i % 2 else [(-1.0, -1.0)] * 3, None if i % 2 else np.zeros(3, np.uint8))
    return data


class Spoilt(Case):
    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.shared_folder()
        parts = []
        for source in SOURCES:
            shapes = unlike(all_shapes([source]) + (shapes_by_response() if source == "sequences" else []))
            checks = [check for shape in shapes for check in bounded(shape)]
            parts += [(f"{source}{i // PART}", checks[i:i + PART]) for i in range(0, len(checks), PART)]
        cls.built = {name: built for (name, _), built in zip(parts, in_parallel(cls.build, parts))}

    @classmethod
    def build(cls, name, checks):
        """The checks in the order of the contract, and what is wrong with its program."""
        folder = cls.scratch / name
        folder.mkdir()
        text, checks = written(f"spoilt.{name}", checks, FACTS)
        (folder / "contract.tikc.yaml").write_text(text)
        emitted = run("emit", "cpp", folder / "contract.tikc.yaml", "-o", folder)
        if emitted.returncode != 0:
            return checks, emitted.out + emitted.err
        header = next(folder.glob("*.h"))
        (folder / "driver.cpp").write_text(DRIVER.format(header=header.name, space=namespaces(header)[0]))
        return checks, compiled(GCC, folder / "driver.cpp", "-O0", PORTABLE, "-o", folder / "driver", include=[folder, ROOT / "tests/tools"])

    def satisfied(self, name, data):
        """What is, and which checks were judged on observations."""
        checks, complaints = self.built[name]
        self.assertEqual(complaints, "")
        out, judged = [], set()
        for (tick, index, place), (verdict, value, *_, n) in Run([self.scratch / name / "driver", "1"], data).findings.items():
            if place == 0 and index < len(checks) and checks[index].metric not in KNOWN:
                judged |= {index} if n else set()
                if verdict.startswith("satisfied"):
                    out.append(f"{checks[index].text} at tick {tick}: {value} of {n}")
        return out, judged

    def test_no_clause_is_satisfied_by_what_is_no_number(self):
        data = spoilt()
        for name, (checks, _) in self.built.items():
            with self.subTest(part=name):
                out, judged = self.satisfied(name, data)
                self.assertEqual(out[:30], [], len(out))
                self.assertEqual({i for i, check in enumerate(checks) if check.metric not in KNOWN} - judged, set())

    def test_responses_of_which_no_token_counts_are_no_evidence(self):
        data = silent()
        for name in self.built:
            if name.startswith("sequences"):
                with self.subTest(part=name):
                    self.assertEqual(self.satisfied(name, data), ([], set()))


if __name__ == "__main__":
    main()
