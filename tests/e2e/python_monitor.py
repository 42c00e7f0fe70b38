"""Monitors of the Python package: what they say of arrays is what NumPy and `tikc measure` say, however the arrays lie, and what is wrong is refused by
name; many are made and dropped, threads share one, and a fork gets none."""

import array
import ctypes
import json
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import LIBRARY, PATIENCE, ROOT, Case, contract, main, run  # noqa: E402
from tikc_python import tikc  # noqa: E402

import numpy  # noqa: E402

OBSERVED = "observability:\n  rows: sample(logits, 1%)\n  tokens: sample(logprobs, 100%)\n  requests: sample(requests, 1%)\n  replays: replay(batch, 1%)\n  rerun: replay(request, 1%)\n"
SLICES = 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math" }\n  code: { when: task == "code" }\n'
RULE = "escalation:\n  r: { when: violated(gap), do: alert(\"us\"), until: satisfied(gap) }\n"
GAP = "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n"
ALL = """statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat
  k3: mean(k3) <= 0.002
  answers: mean(seq_tv) <= 0.9
  whole: mean(abs(logprob_gap)) <= 0.05 nat on all
numerical:
  worst: max(abs(logprob_gap)) <= 1
"""
SLICED = ALL.replace("seq_tv) <= 0.9", "seq_tv) <= 0.9 on all")  # slices by position have no whole responses


def loaded(*sections):
    return tikc.loads(contract("c", *sections, OBSERVED))


def sides(shape, seed=1, noise=0.03):
    random = numpy.random.default_rng(seed)
    infer = -random.exponential(0.7, shape).astype(numpy.float32)
    return numpy.minimum(infer + random.normal(0, noise, shape).astype(numpy.float32), 0), infer


def strict(of, **options):
    return of.monitor(on_fault="raise", **options)


def value(window, clause="gap", place=None):
    return window.of(clause, place).figures[0].value


def mean_gap(train, infer, mask=None):
    kept = slice(None) if mask is None else numpy.asarray(mask) != 0
    return numpy.abs((numpy.float32(train) - numpy.float32(infer)).astype(numpy.float64))[kept].mean()


class Compared(Case):
    def assert_same(self, one, two):
        """Two windows, but for the last bits of sums."""
        self.assertEqual(one.observed, two.observed)
        for mine, others in zip(one.verdicts, two.verdicts):
            self.assertEqual((mine.clause, mine.slice, mine.verdict), (others.clause, others.slice, others.verdict))
            for figure, other in zip(mine.figures, others.figures):
                ids = [(found.observations, [(each.id, each.token) for each in found.worst]) for found in (figure, other)]
                self.assertEqual(*ids)
                for offender, as_much in zip(figure.worst, other.worst):
                    self.assertAlmostEqual(offender.value, as_much.value, delta=1e-6)
                if figure.observations:
                    self.assertAlmostEqual(figure.value, other.value, delta=1e-8)


class Figures(Compared):
    def test_are_those_of_tikc_measure(self):
        random = numpy.random.default_rng(5)
        records = []
        for i in range(240):
            train, infer = sides(int(random.integers(3, 50)), seed=i, noise=0.02 if i < 160 else 0.09)
            records.append({"train": train.tolist(), "infer": infer.tolist(), "mask": [int(each) for each in random.random(train.size) < 0.8],
                            "task": ("math", "code", "chat")[i % 3]})
        sections = ('labels: { task: [math, code] }\nslices:\n  early: { when: position < 8 }\n  long: { when: response_tokens > 20 and task != "math" }\n'
                    '  math: { when: task == "math" }\n', SLICED)
        path, data = self.write("c.tikc.yaml", contract("c", *sections, OBSERVED + "  logs: coherent(logprobs, 99%)\n")), self.write("data.jsonl", "".join(json.dumps(each) + "\n" for each in records))
        held = tikc.load(path)
        for every, size in (("all", 240), ("40 responses", 40)):
            # Rounds of a part each are judged as these are: the last one of each is what `measure` tells where there is one.
            told = json.loads(run("measure", "--format=json", f"--every={every}", path, data).out)
            monitor = strict(held)
            counts, last = {}, None
            for begin in range(0, 240, size):
                part = records[begin:begin + size]
                for each in part if size == 240 else ():
                    monitor.tokens(each["train"], each["infer"], mask=each["mask"], labels={"task": each["task"]})
                if size != 240:
                    monitor.tokens(*([each[name] for each in part] for name in ("train", "infer")), mask=[each["mask"] for each in part],
                                   labels={"task": [each["task"] for each in part]})
                last = monitor.tick(0.0)
                for verdict in last.verdicts:
                    found = counts.setdefault((verdict.clause, verdict.slice), {"satisfied": 0, "violated": 0, "undecided": 0})
                    if verdict.verdict in found and verdict.figures[0].observations:
                        found[verdict.verdict] += 1
            self.assertEqual(monitor.strangers, {("task", "chat"): 80})
            compared = 0
            for row in told["clauses"]:
                key = row["clause"], row["slice"]
                if row["clause"] in ("rows", "tokens", "requests", "replays") or not row["observations"]:
                    continue
                compared += 1
                self.assertEqual({k: v for k, v in row["windows"].items() if k != "undecided"}, {k: v for k, v in counts[key].items() if k != "undecided"}, key)
                if size == 240:
                    figure = last.of(*key).figures[0]
                    self.assertEqual((row["verdict"], row["observations"]), (last.of(*key).verdict, figure.observations), key)
                    self.assertAlmostEqual(row["value"], figure.value, delta=1e-12, msg=key)
                    if row["clause"] == "worst":
                        at = figure.worst[0]
                        self.assertTrue(row["worst"][0]["place"].endswith(f"data.jsonl:{at.id + 1}, token {at.token}"), (row["worst"], at))
            self.assertGreater(compared, 15)

    def test_are_numpys_of_slices(self):
        held = loaded(SLICES, ALL)
        train, infer = sides((60, 40))
        mask = numpy.random.default_rng(2).random((60, 40)) < 0.7
        tasks = numpy.array(["math", "code", "none"] * 20)
        monitor = strict(held)
        monitor.tokens(train, infer, mask=mask, labels={"task": tasks})
        window = monitor.tick(0.0)
        x = (train - infer).astype(numpy.float64)
        for name, rows in (("math", tasks == "math"), ("code", tasks == "code")):
            self.assertAlmostEqual(value(window, "gap", name), mean_gap(train[rows], infer[rows], mask[rows]), delta=1e-7)
            self.assertAlmostEqual(value(window, "k3", name), (numpy.expm1(x) - x)[rows][mask[rows]].mean(), delta=1e-7)
            self.assertEqual(value(window, "worst", name), numpy.abs(train - infer)[rows][mask[rows]].max())
            self.assertEqual(window.observed[name], tikc.Volume(tokens=int(mask[rows].sum()), sequences=20))
        self.assertAlmostEqual(value(window, "whole", "*"), mean_gap(train, infer, mask), delta=1e-7)
        found = window.of("worst", "code").figures[0].worst[0]
        self.assertEqual(found.value, numpy.abs(train - infer)[found.id, found.token])
        sums = numpy.array([x[i][mask[i]].sum() for i in range(60)])
        self.assertAlmostEqual(value(window, "answers", "math"), numpy.maximum(0, -numpy.expm1(sums[tasks == "math"])).mean(), delta=1e-6)

    def test_rows_requests_replays_and_routes(self):
        held = loaded("model: { vocabulary: 64 }\n", SLICES, "numerical:\n  tv: mean(tv) <= 0.5\n  batching: max(batch_drift) <= 0.05\n"
                      "  again: max(replay_drift) <= 0.05\nruntime:\n  slow: max(latency) <= 3 s\n  bad: rate(errors) <= 50%\n")
        random = numpy.random.default_rng(3)
        train = random.normal(0, 2, (30, 64)).astype(numpy.float32)
        infer = train + random.normal(0, 0.1, train.shape).astype(numpy.float32)

        def tv(train, infer):
            law = lambda rows: numpy.exp(rows - rows.max(1, keepdims=True)) / numpy.exp(rows - rows.max(1, keepdims=True)).sum(1, keepdims=True)  # noqa: E731
            return (abs(law(train.astype(float)) - law(infer.astype(float))).sum(1) / 2).mean()
        for convert in (lambda x: x, lambda x: x.astype(numpy.float64), lambda x: x.astype(numpy.float16), lambda x: x.astype(">f4"), lambda x: x[:, ::-1],
                        lambda x: numpy.asfortranarray(x), lambda x: x[::-1], lambda x: numpy.repeat(x, 2, 0)[::2], lambda x: x.tolist()):
            monitor = strict(held)
            monitor.rows(convert(train), convert(infer), labels={"task": "math"})
            monitor.rows(train[0], infer[0], labels={"task": ["code"]}, ids=[77])
            window = monitor.tick(0.0)
            as_they_are = [numpy.asarray(convert(each)).astype(numpy.float32) for each in (train, infer)]
            self.assertAlmostEqual(value(window, "tv", "math"), tv(*as_they_are), delta=1e-5)
            self.assertAlmostEqual(value(window, "tv", "code"), tv(train[:1], infer[:1]), delta=1e-5)
            self.assertEqual(window.of("tv", "code").figures[0].worst[:0], ())
        monitor = strict(held)
        monitor.requests(latency=[1.0, 2.5, None, 4.0], failed=[False, True, False, False], labels={"task": ["math", "code", "code", "math"]}, ids=[5, 6, 7, 8])
        monitor.requests(latency=0.5, labels={"task": "math"})
        monitor.batch_replays([0.01, 0.2], labels={"task": ["math", "code"]})
        monitor.request_replays(0.03, labels={"task": "math"})
        monitor.serve(tokens=100, requests=7, labels={"task": "math"})
        window = monitor.tick(0.0)
        self.assertEqual([value(window, "slow", name) for name in ("math", "code")], [4.0, 2.5])
        self.assertEqual(window.of("slow", "math").figures[0].worst[0], tikc.Offender(4.0, 8, None))
        self.assertEqual([value(window, "batching", name) for name in ("math", "code")], [0.01, 0.2])
        self.assertEqual(value(window, "again", "math"), 0.03)
        self.assertEqual(window.observed["math"], tikc.Volume(requests=3, batch_replays=1, request_replays=1, served_tokens=100, served_requests=7))
        self.assertEqual([value(window, "bad", name) for name in ("math", "code")], [0.0, 0.5])
        monitor.requests(latency=float("nan"), labels={"task": "math"})
        self.assertEqual(monitor.tick(0.0).of("slow", "math").verdict, "violated")

    def test_rows_of_an_output_layer(self):
        held = loaded("model: { vocabulary: 32 }\n", SLICES, "numerical:\n  tv: mean(tv) <= 1\n  worst: max(logit_osc) <= 0.1\n")
        random = numpy.random.default_rng(6)
        hidden = random.normal(0, 1, (2, 5, 8)).astype(numpy.float32)
        weights = [random.normal(0, 1, (32, 8)).astype(numpy.float32) for _ in range(2)]
        mask = numpy.array([[1, 1, 0, 1, 0], [0, 1, 1, 1, 1]])
        named = {"labels": {"task": ["math", "code"]}, "ids": [7, 9], "mask": mask}
        whole = strict(held)
        whole.rows(*(hidden @ each.T for each in weights), **named)
        wanted = whole.tick(0.0)
        for chunk in (None, 1, 3, 100):
            parts = strict(held)
            parts.rows_linear(hidden, weights[0], hidden, weights[1], chunk=chunk, **named)
            found = parts.tick(0.0)
            self.assertEqual(found.observed, wanted.observed)
            for at in (("tv", "math"), ("tv", "code"), ("worst", "math"), ("worst", "code")):
                for one, other in zip(found.of(*at).figures, wanted.of(*at).figures):
                    self.assertAlmostEqual(one.value, other.value, delta=1e-5)
                    self.assertEqual([each.id for each in one.worst], [each.id for each in other.worst])
        none = strict(held)
        none.rows_linear(hidden, weights[0], hidden, weights[1], mask=0 * mask)
        self.assertEqual(none.tick(0.0).observed["math"].rows, 0)
        for wrong, why in (((hidden, weights[0][:, :7], hidden, weights[1]), r"`train`: expected hidden states of shape \[rows, width\]"),
                           ((hidden, weights[0], hidden[:1], weights[1]), "differ in shape"), ((hidden[0], weights[0], hidden[0], weights[1][:31]), "differ in rows"),
                           ((hidden[0], weights[0][:31], hidden[0], weights[1][:31]), "expected rows of 32 logits")):
            with self.assertRaisesRegex(ValueError, why):
                none.rows_linear(*wrong)
        for chunk in (0, -1):
            with self.assertRaisesRegex(ValueError, "`chunk`: expected at least 1"):
                none.rows_linear(hidden, weights[0], hidden, weights[1], chunk=chunk)

    def test_rows_are_left_out_by_masks_and_are_tokens_of_responses(self):
        held = loaded("model: { vocabulary: 32 }\n", SLICES, "numerical:\n  tv: mean(tv) <= 1\n  worst: max(logit_osc) <= 0.1\n")

        def shown(window):
            return window.observed, [(each.clause, each.slice, figure.observations, figure.value) for each in window.satisfied + window.violated for figure in each.figures]

        random = numpy.random.default_rng(5)
        train = random.normal(0, 3, (2, 5, 32)).astype(numpy.float32)
        infer = train + random.normal(0, 0.3, train.shape).astype(numpy.float32)
        mask = numpy.array([[1, 1, 0, 1, 0], [0, 1, 1, 1, 1]])
        flat, several = strict(held), strict(held)
        flat.rows(train[mask != 0], infer[mask != 0], labels={"task": ["math"] * 3 + ["code"] * 4})
        wanted = flat.tick(0.0)
        several.rows(train, infer, mask=mask, labels={"task": ["math", "code"]}, ids=[7, 9])
        said = several.tick(0.0)
        self.assertEqual(shown(said), shown(wanted))
        spread = infer - train
        for i, place in enumerate(("math", "code")):
            worst = ((spread.max(-1) - spread.min(-1)) * mask)[i].argmax()
            self.assertEqual([(each.id, each.token) for each in said.of("worst", place).figures[0].worst][:1], [([7, 9][i], worst)])
        masked, bare = strict(held), strict(held)
        masked.rows(train[0], infer[0], mask=mask[0], labels={"task": "math"})
        bare.rows(train[0][mask[0] != 0], infer[0][mask[0] != 0], labels={"task": "math"})
        self.assertEqual(shown(masked.tick(0.0)), shown(bare.tick(0.0)))
        for wanted, given in ((r"`mask`: expected shape \(2, 5\), found \(5,\)", (train, infer, mask[0])),
                              (r"`train` and `infer` differ in shape: \(2, 5, 32\) and \(10, 32\)", (train, infer.reshape(10, 32), None))):
            with self.assertRaisesRegex(ValueError, wanted):
                strict(held).rows(*given[:2], mask=given[2])
        early = loaded("model: { vocabulary: 32 }\n", "slices:\n  early: { when: position < 2 }\n", "numerical:\n  tv: mean(tv) <= 1\n")
        cut = strict(early)
        cut.rows(train, infer)
        observed = cut.tick().observed
        self.assertEqual([observed[each].rows for each in ("early", "other")], [4, 6])

    def test_responses_in_parts_are_as_in_one(self):
        held = loaded("slices:\n  first: { when: position < 8 }\n", SLICED)
        train, infer = sides((5, 30))
        one, two = strict(held), strict(held)
        one.tokens(train, infer)
        for i in range(5):
            with two.response(labels={}) as response:
                for begin, end in ((0, 3), (3, 3), (3, 11), (11, 30)):
                    response.tokens(train[i, begin:end], infer[i, begin:end])
        self.assert_same(one.tick(0.0), two.tick(0.0))
        with self.assertRaisesRegex(ValueError, "has already ended"):
            response.tokens(train[0], infer[0])
        one.tokens(train, infer, whole=False)
        self.assertEqual(one.tick(0.0).observed["first"], tikc.Volume(tokens=40))
        # What begins elsewhere is told to.
        one.tokens(train, infer, labels={"position": [0, 7, 8, 100, 3]})
        self.assertEqual(one.tick(0.0).observed["first"].tokens, 8 + 1 + 0 + 0 + 5)


class Arrays(Case):
    """However they lie, they are what NumPy says that they are."""

    def setUp(self):
        super().setUp()
        self.held = loaded(GAP)
        self.train, self.infer = sides((12, 17))

    def said(self, train, infer, **options):
        monitor = strict(self.held)
        monitor.tokens(train, infer, **options)
        window = monitor.tick(0.0)
        return value(window), window.observed["other"].tokens

    def test_layouts_and_types(self):
        readonly = lambda x: (x := x.copy(), x.setflags(write=False))[0]  # noqa: E731
        unaligned = lambda x: numpy.frombuffer(b"x" + x.tobytes(), numpy.uint8)[1:].view(numpy.float32).reshape(x.shape)  # noqa: E731
        layouts = {"as it is": lambda x: x, "doubles": lambda x: x.astype(float), "halves": lambda x: x.astype(numpy.float16), "big-endian": lambda x: x.astype(">f4"),
                   "big doubles": lambda x: x.astype(">f8"), "backwards": lambda x: x[:, ::-1], "upside down": lambda x: x[::-1], "columns": numpy.asfortranarray,
                   "every other": lambda x: numpy.repeat(x, 2, 1)[:, ::2], "rows apart": lambda x: numpy.repeat(x, 3, 0)[::3], "read-only": readonly,
                   "unaligned": unaligned, "lists": lambda x: x.tolist(), "ragged": list, "buffers": lambda x: [array.array("f", row) for row in x],
                   "a view": lambda x: memoryview(numpy.ascontiguousarray(x)), "ctypes": lambda x: [(ctypes.c_double * len(row))(*row) for row in x.tolist()],
                   "tuples": lambda x: tuple(map(tuple, x.tolist())), "one for all": lambda x: numpy.broadcast_to(x[:1], x.shape),
                   "long doubles": lambda x: x.astype(numpy.longdouble), "DLPack alone": lambda x: type("Tensor", (), {
                       "__dlpack__": lambda _, **options: x.__dlpack__(**options), "__dlpack_device__": lambda _: x.__dlpack_device__()})()}
        for name, lay in layouts.items():
            with self.subTest(layout=name):
                laid = lay(self.train), lay(self.infer)
                as_numpy = [self.train, self.infer] if name == "DLPack alone" else [numpy.array([*map(numpy.asarray, each)] if isinstance(each, (list, tuple)) else each) for each in laid]
                found, count = self.said(*laid)
                self.assertEqual(count, 12 * 17)
                self.assertAlmostEqual(found, mean_gap(*as_numpy), delta=1e-7)
        self.assertEqual(self.said(self.train.ravel(), self.infer.ravel(), lengths=[17] * 12), self.said(self.train, self.infer))
        self.assertEqual(self.said([*self.train], self.infer), self.said(self.train, self.infer))

    def test_nothing_is_copied_that_is_contiguous(self):
        from tikc import _arrays  # noqa: PLC0415
        for lay in (lambda x: x, lambda x: x[::-1], lambda x: x[:, 3:9], lambda x: x[0]):
            laid = lay(self.train)
            found = _arrays.pieces("train", laid, _arrays.as_float)
            self.assertTrue(numpy.shares_memory(found.kept[0], laid))
            self.assertEqual(found.starts[0], laid.__array_interface__["data"][0])
        mask = self.train > -1
        self.assertTrue(numpy.shares_memory(_arrays.pieces("mask", mask, _arrays.as_mask).kept[0], mask))
        before = self.train.copy(), self.infer.copy()
        self.said(self.train, self.infer)
        self.assertTrue((before[0] == self.train).all() and (before[1] == self.infer).all())

    def test_masks_of_every_type(self):
        mask = numpy.random.default_rng(4).integers(0, 3, self.train.shape)
        wanted = mean_gap(self.train, self.infer, mask)
        for kind in ("?", "u1", "i1", "i2", "<u4", ">i4", "i8", "f2", "f4", ">f8"):
            for lay in (lambda x: x, lambda x: x.tolist(), list, numpy.asfortranarray):
                found, count = self.said(self.train, self.infer, mask=lay(mask.astype(kind)))
                self.assertEqual(count, (mask != 0).sum())
                self.assertAlmostEqual(found, wanted, delta=1e-7)
        # A number that is below 1, and one whose low byte is 0, are not 0.
        self.assertEqual(self.said([-1.0, -2.0], [-1.0, -1.5], mask=numpy.array([0.25, 0.0]))[1], 1)
        self.assertEqual(self.said([-1.0, -2.0], [-1.0, -1.5], mask=numpy.array([256, 0]))[1], 1)

    def test_empty_ones(self):
        for train, sequences in (([], 1), (numpy.zeros((0, 5)), 0), (numpy.zeros((5, 0)), 5), ([[], []], 2), (numpy.zeros(0, ">f4"), 1)):
            monitor = strict(self.held)
            monitor.tokens(train, train)
            observed = monitor.tick(0.0).observed["other"]
            self.assertEqual((observed.tokens, observed.sequences), (0, sequences))
        monitor = strict(self.held)
        monitor.requests(latency=[])
        monitor.tokens(self.train, self.infer, mask=numpy.zeros(self.train.shape))
        self.assertEqual(monitor.tick(0.0).of("gap").verdict, "undecided")

    def test_what_is_no_number_stays_none(self):
        self.train[3, 3] = numpy.nan
        monitor = strict(self.held)
        monitor.tokens(self.train, self.infer)
        window = monitor.tick(0.0)
        self.assertEqual(window.of("gap").verdict, "violated")
        json.dumps(window.to_dict(), allow_nan=False)

    def test_a_label_that_no_slice_asks_for_is_passed_over_and_told_once(self):
        held = loaded(SLICES, GAP)
        monitor, other = strict(held), strict(held)
        with self.assertLogs("tikc", "WARNING") as said:
            for _ in range(2):
                monitor.tokens(self.train, self.infer, labels={"tsak": "x", "task": "math"})
            monitor.requests(latency=1.0, labels={"tsak": "x"})
        self.assertEqual(len(said.output), 1)
        self.assertRegex(said.output[0], r"c: ignored the label `tsak`, which no slice uses; the contract's labels: .*task")
        self.assertEqual((monitor.unasked, monitor.faults), ({"tsak": 3}, {}))
        for _ in range(2):
            other.tokens(self.train, self.infer, labels={"task": "math"})
        other.requests(latency=1.0)
        self.assertEqual(monitor.take(), other.take())

    def test_what_is_wrong_is_named(self):
        train, infer = self.train, self.infer
        masked = numpy.ma.masked_array(train, train < -1)
        for wanted, call in {
            r"`infer` and `train` differ in tokens of response 0: 16 and 17": lambda m: m.tokens(train, infer[:, :16]),
            r"`infer` and `train` differ in responses: 11 and 12": lambda m: m.tokens(train, infer[:11]),
            r"`mask` and `train` differ in responses: 1 and 12": lambda m: m.tokens(train, infer, mask=numpy.ones(17)),
            r"`mask` contains a NaN": lambda m: m.tokens(train, infer, mask=numpy.full(train.shape, numpy.nan)),
            r"`mask`: expected booleans or numbers, found dtype <U1": lambda m: m.tokens(train, infer, mask=numpy.full(train.shape, "x")),
            r"`train`: expected log-probs as floats, found dtype int64": lambda m: m.tokens(numpy.arange(3), [1.0, 2.0, 3.0]),
            r"`infer`: expected log-probs as floats, found dtype complex64": lambda m: m.tokens(train, infer.astype(numpy.complex64)),
            r"`train`: expected log-probs as floats, found dtype object": lambda m: m.tokens([None, 1.0], [1.0, 1.0]),
            r"`train\[0\]`: expected an array, found str": lambda m: m.tokens(["1.5"], [1.0]),
            r"`train`: expected 1 or 2 dimensions, found 3": lambda m: m.tokens(train[None], infer[None]),
            r"`train`: expected 1 or 2 dimensions, found 0": lambda m: m.tokens(numpy.float32(1), infer),
            r"`train`: expected an array, found float": lambda m: m.tokens(1.0, infer),
            r"`infer`: expected an array, found NoneType": lambda m: m.tokens(train, None),
            r"`infer\[1\]`: expected 1 dimension, found 2": lambda m: m.tokens([train[0], train[1]], [infer[0], infer]),
            r"`train` is a masked array": lambda m: m.tokens(masked, infer),
            r"`lengths` adds up to 18, but `train` has size 17": lambda m: m.tokens(train[0], infer[0], lengths=[9, 9]),
            r"`lengths` requires `train` to have one dimension": lambda m: m.tokens(train, infer, lengths=[9, 9]),
            r"`offsets` ends at 18, but `train` has size 17": lambda m: m.tokens(train[0], infer[0], offsets=[0, 9, 18]),
            r"`offsets` requires `train` to have one dimension": lambda m: m.tokens(train, infer, offsets=[0, 9, 18]),
            r"`lengths`: expected numbers of at least 0, found -1": lambda m: m.tokens(train[0], infer[0], lengths=[18, -1]),
            r"`labels\['model_version'\]`: expected 12 values, one per observation, found 3": lambda m: m.tokens(train, infer, labels={"model_version": ["a"] * 3}),
            r"`labels\['prompt_tokens'\]`: expected a number, found 'x'": lambda m: m.tokens(train, infer, labels={"prompt_tokens": "x"}),
            r"`labels`: `response_tokens` cannot be given": lambda m: m.tokens(train, infer, labels={"response_tokens": 3}),
            r"`ids`: expected 12 numbers, one per observation, found 2": lambda m: m.tokens(train, infer, ids=[1, 2]),
            r"`ids`: expected numbers from 0 to": lambda m: m.tokens(train[0], infer[0], ids=1 << 40),
            r"`stream`: expected .*, found 'up'": lambda m: m.tokens(train, infer, stream="up"),
            r"requests: expected at least one of latency": lambda m: m.requests(),
            r"arguments differ in length: `latency` has 2, `throughput` has 3": lambda m: m.requests(latency=[1.0, 2.0], throughput=[1.0, 2.0, 3.0]),
            r"`drift` contains a non-numeric value": lambda m: m.batch_replays(["x"]),
            r"`infer`: expected logits as floats, found dtype int64": lambda m: m.rows(train, numpy.zeros((12, 17), int)),
            r"`train` and `infer` differ in shape: \(12, 17\) and \(12, 16\)": lambda m: m.rows(train, infer[:, :16]),
            r"bytes cannot be read: they are truncated": lambda m: m.merge(b"x"),
        }.items():
            with self.subTest(wanted=wanted):
                loud, quiet = strict(self.held), self.held.monitor()
                with self.assertRaisesRegex((ValueError, TypeError), wanted):
                    call(loud)
                call(quiet)  # which never raises
                call(quiet)
                self.assertRegex(next(iter(quiet.faults)), wanted)
                self.assertEqual(list(quiet.faults.values()), [2])
                blank = self.held.monitor().take()
                self.assertEqual((loud.take(), quiet.take()), (blank, blank))
                self.assertEqual(quiet.tick(0.0).faults, 2)
                self.assertEqual(quiet.tick(1.0).faults, 0)
        of_64 = loaded("model: { vocabulary: 64 }\n", "numerical:\n  tv: mean(tv) <= 0.5\n")
        with self.assertRaisesRegex(ValueError, r"`train`: expected rows of 64 logits \(the contract's vocabulary\), found 17"):
            strict(of_64).rows(train, infer)

    def test_no_log_prob_is_above_0(self):
        """A response with one is observed by nobody and counts as a fault, in the words of `tikc measure`; the others are observed."""
        whys = "token 3: expected a log-prob of at most 0, found {:g}; are these probabilities, negated log-probs, or rows of logits?"
        for sections in ((GAP, "numerical:\n  worst: max(abs(logprob_gap)) <= 1\n"), (SLICES, GAP), ("slices:\n  late: { when: position >= 8 }\n", GAP)):
            path = self.folder / "c.tikc.yaml"
            path.write_text(contract("c", *sections, OBSERVED))
            for side in range(2):
                both = sides((9, 20), 5)
                both[side][4, 3] = 0.7
                (self.folder / "data.jsonl").write_text("".join(json.dumps({"train": p.tolist(), "infer": q.tolist()}) + "\n" for p, q in zip(*both)))
                done = run("measure", "--format=json", "--broken=1", path, self.folder / "data.jsonl")
                row = json.loads(done.out)["clauses"][-1]
                why = f"`{('train', 'infer')[side]}`: {whys.format(0.7)}"
                self.assertIn(why, done.err)
                for options in ({}, {"on_violation": "mask"}, {"metrics": "verl", "diagnoses": True}):
                    monitor = tikc.load(path).monitor(**options)
                    with self.assertLogs("tikc", "ERROR") as logged:
                        kept = monitor.tokens(*both)
                    self.assertEqual((len(logged.output), monitor.faults), (1, {f"tokens: response 4: {why}": 1}))
                    window = monitor.tick(0.0)
                    self.assertEqual((window.faults, sum(volume.sequences for volume in window.observed.values())), (1, 8))
                    self.assertEqual(sum(volume.tokens for volume in window.observed.values()), 160)
                    self.assertAlmostEqual(value(window, "gap", row["slice"]), row["value"], delta=1e-9)
                    if kept is not None:
                        self.assertFalse(kept[4].any())
                        self.assertTrue(kept[:4].all())
                with self.assertRaisesRegex(ValueError, re.escape(f"response 4: {why}")):
                    strict(tikc.load(path)).tokens(*both)
                with self.assertRaisesRegex(ValueError, re.escape(why)), strict(tikc.load(path)).response() as response:
                    response.tokens(*(each[4] for each in both))
                mask = numpy.ones((9, 20))
                mask[4, 3] = 0
                monitor = strict(tikc.load(path))
                monitor.tokens(*both, mask=mask)
                # What rounding leaves is none, and what is infinite is the worst there is.
                both[side][4, 3:5] = 0.0009, numpy.inf
                monitor.tokens(*both)
                self.assertEqual(sum(volume.sequences for volume in monitor.tick(0.0).observed.values()), 18)


class Rounds(Compared):
    def test_what_is_taken_is_merged(self):
        held = loaded(SLICES, ALL)
        whole, leader, workers = strict(held), strict(held), [strict(held) for _ in range(3)]
        for i, worker in enumerate(workers):
            train, infer = sides((20, 30), seed=i)
            for monitor in (whole, worker):
                monitor.tokens(train, infer, labels={"task": ["math", "code"] * 10}, ids=range(i * 20, i * 20 + 20))
        taken = [worker.take() for worker in workers[:2]]
        leader.merge(held.merge(*taken))
        leader.merge(workers[2])
        self.assertEqual([worker.take() for worker in workers], [held.monitor().take()] * 3)
        one, two = whole.tick(0.0), leader.tick(0.0)
        self.assert_same(one, two)
        stranger = loaded(GAP)
        monitor = strict(stranger)
        for data, why in ((taken[0], "for another contract"), (taken[0][:-1], "they are truncated"), (taken[0] + b"x", "trailing bytes"),
                          (taken[0][:-1] + bytes([taken[0][-1] ^ 1]), "checksum mismatch"), (b"z" * 100, "not written by a monitor")):
            with self.assertRaisesRegex(tikc.BytesError, why):
                (strict(held) if data is not taken[0] else monitor).merge(bytearray(data))
        with self.assertRaises(tikc.BytesError):
            held.merge(taken[0], b"")
        # What cannot be merged is not taken.
        strict_one = strict(held)
        strict_one.tokens(*sides((2, 5)))
        with self.assertRaisesRegex(tikc.BytesError, "for another contract"):
            monitor.merge(strict_one)
        self.assertEqual(strict_one.tick(0.0).observed["other"].tokens, 10)

    def test_two_merge_one_another(self):
        held = loaded(GAP)
        pair = [strict(held), strict(held)]
        for monitor in pair:
            monitor.tokens(*sides((2, 50)))
        threads = [threading.Thread(target=lambda i=i: [pair[i].merge(pair[1 - i]) for _ in range(300)], daemon=True) for i in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        self.assertEqual([thread.is_alive() for thread in threads], [False, False])
        self.assertEqual(sum(monitor.tick(0.0).observed["other"].tokens for monitor in pair), 200)

    def test_violations_rules_and_clocks(self):
        held = loaded(GAP, RULE)
        near, far = sides((10, 100)), sides((10, 100), noise=0.3)
        monitor = strict(held)
        seen = []
        for pair in (near, far, far, near):
            monitor.tokens(*pair)
            window = monitor.tick()
            seen.append((window.of("gap").verdict, [each.change for each in window.changes], [(each.kind, each.target, each.rule) for each in window.actions]))
            json.dumps(window.to_dict(), allow_nan=False)
            self.assertIn(window.of("gap").verdict, repr(window))
            self.assertIn("<table>", window._repr_html_())
        us = [("alert", "us", "r")]
        self.assertEqual(seen, [("satisfied", [], []), ("violated", ["activated"], us), ("violated", [], us), ("satisfied", ["released"], [])])
        self.assertEqual((window.decisions["other"].kind, window.decisions["other"].rule), ("as usual", None))
        with self.assertRaisesRegex(ValueError, "`now`: expected at every tick or at none"):
            monitor.tick(1.0)
        loud = strict(held, on_violation="raise")
        loud.tokens(*far)
        with self.assertRaisesRegex(tikc.Violation, r"violated: gap \(other\) is [0-9.]+, expected .*<= ") as caught:
            loud.tick(5.0)
        self.assertEqual(caught.exception.window.of("gap").verdict, "violated")
        for now, why in ((4.0, r"`now`: expected at least 5\.0, the time of the previous tick, found 4\.0"), (float("nan"), "`now`: expected a finite number of seconds, found nan"), (float("-inf"), "finite")):
            with self.assertRaisesRegex(ValueError, why):
                loud.tick(now)
        self.assertEqual(loud.tick(5.0).of("gap").verdict, "undecided")
        for options, why in (({"on_violation": "ignore"}, "`on_violation`: expected"), ({"on_fault": None}, "`on_fault`: expected"), ({"stage": "canary"}, "`stage`: .*, found 'canary'")):
            with self.assertRaisesRegex(ValueError, why):
                held.monitor(**options)
        with self.assertRaisesRegex(KeyError, "no such verdict"):
            window.of("gpa")

    def test_a_missing_numpy_is_no_fault_of_the_data(self):
        code = "import sys; sys.modules['numpy'] = None; import tikc; tikc.load(sys.argv[1]).monitor().tokens([[-1.0]], [[-1.0]])"
        done = subprocess.run([sys.executable, "-c", code, ROOT / "examples/drift/drift.tikc.yaml"], env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "TIKC_LIBRARY": str(LIBRARY)},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ImportError: NumPy is required", done.stderr)

    def test_steps_end_when_they_are_said_to(self):
        held = loaded("load: { steps: 2 per h, tokens: 1000 per s }\n", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 1 step\n")
        monitor = strict(held)
        monitor.tokens(*sides((4, 100), noise=0.3))
        self.assertEqual(monitor.tick(0.0).of("gap").verdict, "undecided")
        monitor.end_step()
        self.assertEqual(monitor.tick(1.0).of("gap").verdict, "violated")
        monitor.tokens(*sides((4, 100)))
        monitor.end_step()
        window = monitor.tick(2.0)
        self.assertEqual((window.of("gap").verdict, window.observed["other"].tokens), ("satisfied", 400))


class Process(Case):
    def test_many_are_made_and_dropped(self):
        held = loaded(GAP, RULE)
        pair = sides((2, 5))

        def resident():
            return int(re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())[1])

        def make(times):
            for i in range(times):
                monitor = strict(held)
                monitor.tokens(*pair)
                monitor.tick(0.0)
        # What is not given back grows in both; a library that comes to life grows once.
        make(1000)
        seen = [resident()]
        for _ in range(2):
            make(5_000)
            seen.append(resident())
        self.assertLess(min(seen[1] - seen[0], seen[2] - seen[1]), 1024)  # KiB

    def test_one_monitor_does_not_grow(self):
        monitor = strict(loaded(SLICES, GAP))
        pair = sides((2, 5))
        for i in range(20_000):
            monitor.tokens(*pair, labels={"prompt_tokens": i, "task": "math"})
        self.assertLessEqual(len(monitor._slicing._found), 4096)

    def test_threads_share_one(self):
        held = loaded(SLICES, ALL)
        monitor, faults, windows = strict(held), [], []
        pairs = [sides((50, 200), seed=i) for i in range(6)]

        def work(i):
            try:
                for _ in range(20):
                    monitor.tokens(*pairs[i], labels={"task": "math" if i % 2 else "code"})
            except BaseException as fault:  # noqa: B902 - it is told by the thread that asks
                faults.append(fault)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            windows.append(monitor.tick())
        windows.append(monitor.tick())
        self.assertEqual(faults, [])
        for name in ("math", "code"):
            self.assertEqual(sum(window.observed[name].tokens for window in windows), 3 * 20 * 50 * 200)
            self.assertEqual(sum(window.observed[name].sequences for window in windows), 3 * 20 * 50)

    def test_a_call_lets_other_threads_run(self):
        monitor = strict(loaded(ALL))
        pair = [numpy.zeros(16_000_000, numpy.float32)] * 2
        done, counted = threading.Event(), [0]

        def count():
            while not done.is_set():
                counted[0] += 1
        thread = threading.Thread(target=count)
        thread.start()
        # Python itself changes threads that seldom; what is counted before was counted since a call let go.
        sys.setswitchinterval(0.25)
        try:
            # Where there is one core, the other thread may not have its turn within one call.
            for _ in range(50):
                before = counted[0]
                monitor.tokens(*pair)
                within = counted[0] - before
                if within > 100:
                    break
        finally:
            sys.setswitchinterval(0.005)
            done.set()
            thread.join()
        self.assertGreater(within, 100)

    def test_a_fork_gets_none(self):
        held = loaded(GAP)
        loud, quiet = strict(held), held.monitor()
        for monitor in (loud, quiet):
            monitor.tokens(*sides((2, 50)))
        lock = threading.Thread(target=lambda: (loud._lock.acquire(), time.sleep(0.3), loud._lock.release()))
        lock.start()  # which the child has, and nobody who gives it back
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            said = []
            for call in (lambda: loud.tokens([-1.0], [-1.0]), loud.take, loud.tick, loud.end_step, quiet.tick):
                try:
                    call()
                    said.append("nothing")
                except tikc.ForkError as why:
                    said.append(str(why)[:28])
            quiet.tokens([-1.0], [-1.0])
            said += [*quiet.faults]
            own = strict(held)
            own.tokens([-1.5], [-1.0])
            said.append(value(own.tick(0.0)))
            os.write(writer, json.dumps(said).encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            said = json.loads(pipe.read())
        os.waitpid(child, 0)
        lock.join()
        self.assertEqual(said[:5], ["monitor belongs to process " + str(os.getpid())[0]] * 5)
        self.assertRegex(said[5], "^tokens: ForkError: ")
        self.assertEqual(said[6], 0.5)
        self.assertEqual(loud.tick(0.0).observed["other"].tokens, 100)


if __name__ == "__main__":
    main()
