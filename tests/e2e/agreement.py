"""`tikc inspect` and `tikc measure` say the same of the same data: coherence of tokens, statistics of whole rows, and numbers that are not finite."""

import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, contract, main, skip  # noqa: E402

try:
    import numpy

    from recorded_data import log_softmax
except ImportError:
    skip("NumPy is not installed")
try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((ROOT / "schemas/inspection.v1.schema.json").read_text())
COHERENT = contract("c", "observability:\n  tokens: sample(logprobs, 100%)\n  logs: coherent(logprobs, 99%)\n")
VOCABULARY = 64
ROWS = contract("r", f"model: {{ vocabulary: {VOCABULARY} }}\nnumerical:\n  tv: mean(tv) <= 0.5\n  largest: max(tv) <= 0.5\n  kl: mean(kl_train_infer) <= 9 nat\n"
                     "  flips: mean(top1_flip) <= 1\nobservability:\n  rows: sample(logits, 100%)\n")
LENGTH = 50  # of a response


def stream(seed, logged, count=2000, vocabulary=32):
    """Log-probs of tokens that are drawn at temperature 1, and that the server logs at another."""
    random = numpy.random.default_rng(seed)
    logits = random.normal(0, 2, (count, vocabulary))
    ids = (numpy.exp(log_softmax(logits)).cumsum(axis=1) < random.random((count, 1))).sum(axis=1).clip(0, vocabulary - 1)
    at = numpy.arange(count)
    train = log_softmax(logits + random.normal(0, 0.05, logits.shape))[at, ids]
    return train, log_softmax(logits / logged)[at, ids]


def records(train, infer):
    return [{"train": list(map(float, train[i : i + LENGTH])), "infer": list(map(float, infer[i : i + LENGTH]))} for i in range(0, len(train), LENGTH)]


class Agreement(Case):
    def inspected(self, *words):
        told = json.loads(self.expect(0, "inspect", "--format=json", "--broken=9", *words).out)
        if jsonschema:
            jsonschema.validate(told, SCHEMA)
        return told

    def clauses(self, text, *words):
        where = self.write("c.tikc.yaml", text)
        done = self.tikc("measure", "--every=all", "--format=json", "--broken=9", where, *words)
        self.assertIn(done.returncode, (0, 1, 4), done.err)
        return {each["clause"]: each for each in json.loads(done.out)["clauses"]}

    def data(self, rows, name="data.jsonl"):
        return self.write(name, "".join(json.dumps(each) + "\n" for each in rows))

    def agree(self, *paths):
        """The verdict on coherence that both have."""
        found, measured = self.inspected(*paths)["coherence"], self.clauses(COHERENT, *paths)["logs"]
        self.assertEqual(found["verdict"], measured["verdict"], (found, measured))
        self.assertEqual(found["disproved"], measured["verdict"] == "violated")
        if found["log_evidence"] is not None:
            self.assertEqual(found["disproved"], found["log_evidence"] >= math.log(100), found)
        return found["verdict"]

    def test_coherence_of_every_prefix(self):
        prefixes = numpy.unique(numpy.geomspace(60, 2000, 8).astype(int))
        seen = {}
        for logged in (1.0, 0.9, 1.1, 0.8):
            for seed in range(3):
                train, infer = stream(seed, logged)
                if seed % 2 == 0:  # as floats hold them
                    train, infer = (side.astype(numpy.float32) for side in (train, infer))
                for size in prefixes:
                    with self.subTest(logged=logged, seed=seed, size=int(size)):
                        verdict = self.agree(self.data(records(train[:size], infer[:size])))
                        seen.setdefault(verdict, set()).add(logged)
        self.assertEqual(seen["violated"], {0.9, 1.1, 0.8})
        self.assertIn(1.0, seen["satisfied"])
        self.assertIn(1.0, seen["undecided"])

    def test_coherence_of_parts(self):
        train, infer = stream(2, 0.9)
        rows = records(train, infer)
        whole = self.inspected(self.data(rows))["coherence"]
        parts = [self.data(rows[i::3], f"part{i}.jsonl") for i in range(3)]
        self.assertEqual(self.inspected(*parts)["coherence"], whole)
        self.assertEqual(self.inspected(*parts[::-1], "-j3")["coherence"], whole)
        self.assertEqual(self.agree(*parts), whole["verdict"])

    def test_coherence_of_what_is_no_log_prob(self):
        train, infer = stream(0, 1.0)
        for said, wanted, change in (
            ("nothing", "satisfied", {}),
            ("NaN", "violated", {"train": math.nan}),
            ("null", "violated", {"infer": None}),
            ("infinity", "violated", {"train": math.inf}),
            ("-inf of the trainer", "satisfied", {"train": -math.inf}),
            ("-inf of the server", "violated", {"infer": -math.inf}),
            ("-inf of both", "violated", {"train": -math.inf, "infer": -math.inf}),
            ("a number of the trainer beyond floats", "satisfied", {"train": -1e39}),
            ("a number of the server beyond floats", "violated", {"infer": -1e39}),
            ("a log-prob above 0", "satisfied", {"infer": 1.0}),
        ):
            with self.subTest(said):
                rows = records(train, infer)
                for side, value in change.items():
                    rows[3][side][7] = value
                self.assertEqual(self.agree(self.data(rows)), wanted)
                rows[3]["mask"] = [int(i != 7) for i in range(LENGTH)]
                for row in rows:
                    row.setdefault("mask", [1] * LENGTH)
                self.assertEqual(self.agree(self.data(rows)), "satisfied")
        rows = records(train, infer)
        rows[3]["infer"][7] = None
        told = self.expect(0, "inspect", self.data(rows)).out
        self.assertRegex(told, r"(?m)^coherence +disproved at 99%: 1 token without a log-prob")
        self.assertRegex(told, r"without\s+1\s+token\s+whose\s+log-prob\s+is\s+not\s+finite\s+on\s+one\s+side")
        rows[3]["infer"][7] = 1.0
        self.assertRegex(self.expect(0, "inspect", self.data(rows)).out, r"Left out: 1\s+response\s+with\s+a\s+log-prob\s+above\s+0")

    def test_a_number_beyond_single_precision_is_told(self):
        self.data([{"train": [-1e39, -2], "infer": [-1, -2]}])
        numpy.savez(self.folder / "data.npz", train=numpy.array([[-1e39, -2]]), infer=numpy.array([[-1.0, -2]]))
        for name in ("data.jsonl", "data.npz"):
            with self.subTest(name):
                told = self.inspected(name)
                self.assertEqual((told["train"]["non_finite_counted"], told["train"]["tokens"], told["drift"]["tokens"]), (1, 1, 1))
                text = self.expect(0, "inspect", name).out
                self.assertRegex(text, r"(?m)^not finite +trainer: 1 .*; 1 of them count")
                self.assertRegex(text, r"without\s+1\s+token\s+whose\s+log-prob\s+is\s+not\s+finite\s+on\s+one\s+side")

    def rows(self, count=400, seed=3):
        random = numpy.random.default_rng(seed)
        train = random.normal(0, 3, (count, VOCABULARY)).astype(numpy.float32)
        return train, train + random.normal(0, 0.05, train.shape).astype(numpy.float32)

    def agree_on_rows(self, train, infer):
        numpy.savez(self.folder / "rows.npz", train_rows=train, infer_rows=infer)
        rows = self.inspected("rows.npz")["rows"]
        found = self.clauses(ROWS, "rows.npz")
        self.assertEqual({each["observations"] for each in found.values()}, {len(train)})
        return rows, found

    def agree_on_values(self, rows, found):
        for key, clause in (("mean_tv", "tv"), ("largest_tv", "largest"), ("mean_kl", "kl")):
            self.assertTrue(math.isclose(rows[key], found[clause]["value"], rel_tol=1e-9), (key, rows, found[clause]))
        self.assertAlmostEqual(rows["same_top"], 1 - found["flips"]["value"], 9)

    def test_rows_of_a_padded_vocabulary(self):
        train, infer = self.rows()
        p, q = (numpy.exp(log_softmax(side[:, :-1].astype(float))) for side in (train, infer))
        train[:, -1] = infer[:, -1] = -numpy.inf
        rows, found = self.agree_on_rows(train, infer)
        self.assertEqual((rows["rows"], rows["non_finite"], rows["left_out"], rows["masked_by_one_side"]), (400, 0, 0, 0))
        self.agree_on_values(rows, found)
        self.assertTrue(math.isclose(rows["mean_tv"], abs(p - q).sum(axis=1).mean() / 2, rel_tol=1e-4))
        self.assertTrue(math.isclose(rows["mean_kl"], (p * numpy.log(p / q)).sum(axis=1).mean(), rel_tol=1e-4))
        self.assertEqual({each["verdict"] for each in found.values()}, {"satisfied"})
        text = self.expect(0, "inspect", "rows.npz").out
        self.assertRegex(text, r"(?m)^apart +KL\(trainer, server\) 0\.00")
        self.assertNotIn("not finite", text)

    def test_rows_that_one_side_masks(self):
        train, infer = self.rows()
        train[7, 3] = -numpy.inf
        rows, found = self.agree_on_rows(train, infer)
        self.assertEqual((rows["non_finite"], rows["masked_by_one_side"]), (0, 1))
        self.agree_on_values(rows, found)
        infer[8, 3] = -numpy.inf
        rows, found = self.agree_on_rows(train, infer)
        self.assertEqual((rows["non_finite"], rows["masked_by_one_side"], rows["mean_kl"], found["kl"]["value"]), (0, 2, None, "Infinity"))
        self.assertTrue(math.isclose(rows["mean_tv"], found["tv"]["value"], rel_tol=1e-9))
        self.assertRegex(self.expect(0, "inspect", "rows.npz").out, r"(?m)^one side +2 rows")

    def test_rows_that_are_no_numbers(self):
        train, infer = self.rows()
        expected = self.agree_on_rows(train[3:], infer[3:])[0]
        train[0, 5], infer[1, 6], train[2] = numpy.nan, numpy.inf, -numpy.inf
        rows, found = self.agree_on_rows(train, infer)
        self.assertEqual((rows["rows"], rows["non_finite"]), (400, 3))
        self.assertEqual({key: rows[key] for key in ("mean_tv", "mean_kl")}, {key: expected[key] for key in ("mean_tv", "mean_kl")})
        self.assertEqual(found["largest"]["verdict"], "violated")
        self.assertRegex(self.expect(0, "inspect", "rows.npz").out, r"(?m)^not finite +3 rows")

    def test_rows_of_a_vocabulary_that_is_not_compared(self):
        for size in (1, 262_145):
            numpy.savez(self.folder / "rows.npz", train_rows=numpy.ones((2, size), numpy.float32), infer_rows=numpy.full((2, size), 2, numpy.float32))
            rows = self.inspected("rows.npz")["rows"]
            self.assertEqual((rows["rows"], rows["left_out"], "mean_tv" in rows), (2, 2, False))
            self.assertRegex(self.expect(0, "inspect", "rows.npz").out, r"(?m)^left out +2 rows; tikc compares")


if __name__ == "__main__":
    main()
