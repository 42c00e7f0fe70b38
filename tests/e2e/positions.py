"""Slices by position cut a response: an emitted checker, a loaded one and `tikc measure` put each of its tokens into the same slice, and say
the same of it, which is what NumPy says."""

import json
import math
import sys
from collections import namedtuple
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import GCC, PORTABLE  # noqa: E402
from harness import LOADED, Case, contract, main, skip, skip_unless  # noqa: E402

try:
    import numpy

    from checker_compare import Run
    from checker_data import Data
    from checker_figures import token_figure
    from checker_programs import Program
except ModuleNotFoundError as missing:
    skip(f"{missing}; the reference needs python3-numpy")
skip_unless(GCC, "generated code is compiled with g++")

SLICES = ["first", "early", "late", "other"]
# The first that takes a token has it, wherever its response began: position 3 is of no other slice than the first.
TEXT = """slices:
  first: { when: position < 4 }
  early: { when: 'position in {4, 5, 7} or position < 16' }
  late: { when: position >= 40 }
statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat
  far: max(abs(logprob_gap)) <= 0.5 nat
  k3: mean(k3) <= 1e-3
  beyond: rate(ratio > 1.05) <= 0.1
  apart: max(prob_gap) <= 0.05
observability:
  tokens: sample(logprobs, 100%)
escalation:
  r: { when: violated(any), do: hold, until: satisfied(any) }
"""
FIGURES = {
    "gap": lambda train, infer: numpy.abs(token_figure("logprob_gap", (), train, infer)).mean(),
    "far": lambda train, infer: numpy.abs(token_figure("logprob_gap", (), train, infer)).max(),
    "k3": lambda train, infer: token_figure("k3", (), train, infer).mean(),
    "beyond": lambda train, infer: (token_figure("ratio", (), train, infer) > 1.05).mean(),
    "apart": lambda train, infer: token_figure("prob_gap", (), train, infer).max(),
}
# Violated on some slices and kept on others, so that a token in a wrong one is seen.
NOISE = {"first": 0.3, "early": 0.01, "late": 0.08, "other": 0.02}
Text = namedtuple("Text", "text")


def slice_at(position):
    return "first" if position < 4 else "early" if position < 16 else "late" if position >= 40 else "other"


def drawn(seed, count=150):
    """Responses, the first of whose tokens may be of a later position than 0."""
    random = numpy.random.default_rng(seed)
    out = []
    for i in range(count):
        begin, length = int(random.integers(0, 3) * (i % 2)), int(random.integers(1, 90))
        infer = -random.exponential(0.7, length).astype(numpy.float32)
        noise = [NOISE[slice_at(begin + at)] for at in range(length)]
        out.append((begin, numpy.minimum(infer + random.normal(0, noise), 0).astype(numpy.float32), infer))
    return out


class Positions(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.responses, cls.text = drawn(11), contract("positions", TEXT)

    def fed(self):
        """The responses, with the slice of each token, and who asks which slice each position is of."""
        data = Data(1, SLICES, 64, ticks=1)
        for position in range(100):
            data.ask(0, {"position": position}, {})
        for begin, train, infer in self.responses:
            data.add_placed(0, [SLICES.index(slice_at(begin + at)) for at in range(len(train))], train, infer)
        return data

    def wanted(self):
        slices = numpy.concatenate([[slice_at(begin + at) for at in range(len(train))] for begin, train, _ in self.responses])
        train, infer = (numpy.concatenate([each[side] for each in self.responses]) for side in (1, 2))
        return {(clause, name): (int((slices == name).sum()), float(of(train[slices == name], infer[slices == name])))
                for clause, of in FIGURES.items() for name in SLICES}

    def measured(self):
        where, recorded = self.folder / "positions.tikc.yaml", self.folder / "data.jsonl"
        where.write_text(self.text)
        recorded.write_text("".join(json.dumps({"train": train.tolist(), "infer": infer.tolist(), "position": begin}) + "\n" for begin, train, infer in self.responses))
        rows = json.loads(self.expect(1, "measure", "--format=json", "--every=all", where, recorded).out)["clauses"]
        return {(row["clause"], row["slice"]): (row["verdict"], row["observations"], row["value"]) for row in rows if row["clause"] in FIGURES}

    def test_all_three_cut_a_response_alike(self):
        data, folder = self.fed(), self.folder / "emitted"
        program = Program(folder, [Text(self.text)], (GCC, ["-O1", PORTABLE], False))
        self.assertEqual(program.made(), "")
        emitted = Run(program.command(0, 1, "portable"), data)
        loaded = Run([LOADED, folder / "0/contract0.tikc.yaml", *program.arguments(1, "portable")], data)
        self.assertEqual(emitted.text, loaded.text)
        self.assertEqual(emitted.places, [SLICES.index(slice_at(position)) for position in range(100)])
        measured = self.measured()
        verdicts = set()
        for (clause, name), (count, value) in self.wanted().items():
            with self.subTest(clause=clause, slice=name):
                verdict, shown, _, _, n = emitted.findings[0, list(FIGURES).index(clause), SLICES.index(name)]
                self.assertEqual((verdict, n), measured[clause, name][:2])
                self.assertEqual(n, count)
                for each in (shown, measured[clause, name][2]):
                    self.assertTrue(math.isclose(each, value, rel_tol=1e-5, abs_tol=1e-12), (each, value))
                verdicts.add((name, verdict))
        self.assertGreaterEqual(verdicts, {("first", "violated"), ("early", "satisfied"), ("late", "violated"), ("other", "satisfied")})


if __name__ == "__main__":
    main()
