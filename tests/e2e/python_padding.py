"""Rows of arrays without a mask: zeros of both sides at either end are padding, as they are to `tikc measure`, and nothing is judged by them."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, contract, main, skip  # noqa: E402
from tikc_python import tikc  # noqa: E402

try:
    import numpy
except ImportError:
    skip("NumPy is not installed")

TEXT = contract("c", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.1 nat\n  k3: mean(k3) <= 1\n", "observability:\n  tokens: sample(logprobs, 100%)\n")
RANDOM = numpy.random.default_rng(2)


def batch(rows=8, width=30):
    """Prompts in front and padding behind, as zeros: a gap of 0.15 on average."""
    infer = -RANDOM.exponential(1, (rows, width)) - 0.1
    train = infer - RANDOM.uniform(0.1, 0.2, infer.shape)
    place = numpy.arange(width)
    counts = (place >= RANDOM.integers(0, 9, rows)[:, None]) & (place < RANDOM.integers(12, width + 1, rows)[:, None])
    return tuple(numpy.where(counts, side, 0).astype(numpy.float32) for side in (train, infer)) + (counts,)


class Padding(Case):
    def setUp(self):
        super().setUp()
        self.path = self.write("c.tikc.yaml", TEXT)
        self.contract = tikc.load(self.path)

    def window(self, *sides, **more):
        monitor = self.contract.monitor(on_fault="raise")
        monitor.tokens(*sides, **more)
        return monitor, monitor.tick(0.0)

    def figures(self, window):
        return {each.clause: each for each in window.verdicts}

    def test_zeros_at_the_ends_of_rows(self):
        train, infer, counts = batch()
        masked, with_mask = self.window(train, infer, mask=counts)
        monitor, without = self.window(train, infer)
        self.assertEqual((masked.padding, monitor.padding), (0, int((~counts).sum())))
        for clause, one in self.figures(without).items():
            same = self.figures(with_mask)[clause]
            self.assertEqual(repr(one), repr(same))
        self.assertEqual(without.verdict, "violated")
        numpy.savez(self.folder / "a.npz", train=train, infer=infer)
        told = json.loads(self.expect(1, "measure", "--every=all", "--format=json", self.path, self.folder / "a.npz").out)
        self.assertEqual((told["data"]["tokens"], told["data"]["padding"]), (int(counts.sum()), monitor.padding))

    def test_it_is_said_once(self):
        train, infer, _ = batch()
        monitor = self.contract.monitor(on_fault="raise")
        with self.assertLogs("tikc", "WARNING") as said:
            monitor.tokens(train, infer)
            monitor.tokens(train, infer)
        self.assertEqual(len(said.output), 1)
        self.assertIn("pass `mask` or `lengths`", said.output[0])

    def test_what_says_how_long_rows_are_is_taken_at_its_word(self):
        train, infer, counts = batch()
        monitor, window = self.window(train, infer, mask=numpy.ones_like(counts))
        self.assertEqual((monitor.padding, self.figures(window)["gap"].figures[0].observations), (0, counts.size))
        # Lists of one length are rows, and others are as long as they are.
        monitor, window = self.window(list(train), list(infer))
        self.assertEqual((monitor.padding, self.figures(window)["gap"].figures[0].observations), (int((~counts).sum()), int(counts.sum())))
        ragged = [numpy.append(side[0], side[0][:1]) for side in (train, infer)]
        monitor, window = self.window([ragged[0], *train[1:]], [ragged[1], *infer[1:]])
        self.assertEqual((monitor.padding, self.figures(window)["gap"].figures[0].observations), (0, counts.size + 1))

    def test_parts_of_responses_have_no_padding(self):
        """A token that both sides are sure of may be all that a part brings."""
        sure = numpy.zeros((4, 1), numpy.float32)
        monitor, window = self.window(sure, sure, whole=False)
        self.assertEqual((monitor.padding, self.figures(window)["gap"].figures[0].observations), (0, 4))

    def test_a_row_of_zeros_alone_and_none(self):
        blank = numpy.zeros((3, 5), numpy.float32)
        monitor, window = self.window(blank, blank)
        self.assertEqual((monitor.padding, self.figures(window)["gap"].verdict), (15, "undecided"))
        for shape in ((0, 5), (3, 0)):
            monitor, _ = self.window(numpy.zeros(shape, numpy.float32), numpy.zeros(shape, numpy.float32))
            self.assertEqual(monitor.padding, 0)
        # A zero of one side alone is a number.
        monitor, _ = self.window(blank, blank - 1)
        self.assertEqual(monitor.padding, 0)


if __name__ == "__main__":
    main()
