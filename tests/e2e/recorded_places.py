"""What is said beside log-probs and rows, of a response or of a place in it, is applied to all that it is of, or refused."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, main, skip  # noqa: E402

try:
    import numpy
except ImportError:
    skip("NumPy is not installed")

HEAD = """tikc: v1
contract: placed
version: 1.0.0
kernels:
  trainer: { engine: fsdp2, weights: bf16, logits: fp32 }
  rollout: { engine: vllm, weights: bf16, logits: fp32 }
pair: { train: trainer, infer: rollout }
"""
ROWS = "model: { vocabulary: 32 }\nnumerical:\n  tv: mean(tv) <= 0.5\nobservability:\n  rows: sample(logits, 100%)\n"
TOKENS = "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.5 nat\nobservability:\n  tokens: sample(logprobs, 100%)\n"

RANDOM = numpy.random.default_rng(5)
TRAIN = RANDOM.normal(0, 2, (4, 10, 32)).astype("f4")
INFER = (TRAIN + RANDOM.normal(0, 0.3, TRAIN.shape)).astype("f4")
LENGTHS = numpy.array([10, 5, 3, 0])
PLACE = numpy.tile(numpy.arange(10), (4, 1))


def law(logits):
    out = numpy.exp(logits.astype(float) - logits.max(-1, keepdims=True))
    return out / out.sum(-1, keepdims=True)


TV = abs(law(TRAIN) - law(INFER)).sum(-1) / 2


class Places(Case):
    def setUp(self):
        super().setUp()
        self.contracts = 0

    def contract(self, *sections):
        self.contracts += 1
        path = self.folder / f"{self.contracts}.tikc.yaml"
        path.write_text(HEAD + "".join(sections))
        return path

    def arrays(self, **arrays):
        numpy.savez(self.folder / "a.npz", **arrays)
        return self.folder / "a.npz"

    def of_rows(self, **more):
        return self.arrays(train_rows=TRAIN, infer_rows=INFER, **more)

    def measured(self, where, *words):
        told = json.loads(self.tikc("measure", "--every=all", "--format=json", where, *words).stdout)
        return told, {(each["clause"], each["slice"]): each for each in told["clauses"]}

    def test_one_field_in_two_roles(self):
        """In either order, in JSON as in arrays: a mask that is also a label is a mask."""
        records = [{"train": [-1, -1, -9], "infer": [-1, -1, -1], "m": [1, 1, 0], "n": 2, "step": 1} for _ in range(5)]
        lines = self.folder / "a.jsonl"
        lines.write_text("".join(json.dumps(each) + "\n" for each in records))
        for roles in ("mask=m,task=m", "task=m,mask=m", "length=n,task=n", "task=n,length=n", "version=step,step=step,mask=m", "step=step,version=step,mask=m"):
            with self.subTest(roles=roles):
                done = self.expect(0, "measure", self.contract(TOKENS), "--every=all", "--format=json", f"--map=train=train,infer=infer,{roles}", lines)
                told = json.loads(done.out)
                self.assertEqual(told["data"]["tokens"], 10)
                self.assertEqual(told["clauses"][0]["value"], 0)

    def refused(self, wanted, where, *words):
        for command in (("measure", where), ("inspect",)):
            done = self.expect(2, *command, *words)
            self.assertRegex(done.err, wanted)
            self.assertIn("a.", done.err)

    def hold_rows(self, where, path, counted):
        _, found = self.measured(where, path)
        self.assertEqual(found["tv", "other"]["observations"], counted.sum())
        self.assertAlmostEqual(found["tv", "other"]["value"], TV[counted].mean(), delta=1e-5)
        told = json.loads(self.expect(0, "inspect", "--format=json", path).out)
        self.assertEqual(told["rows"]["rows"], counted.sum())
        self.assertAlmostEqual(told["rows"]["mean_tv"], TV[counted].mean(), delta=1e-5)
        return told

    def test_masks_and_lengths_of_rows(self):
        where = self.contract(ROWS)
        masked = PLACE < 7
        told = self.hold_rows(where, self.of_rows(mask=masked.astype(int)), masked)
        self.assertEqual(told["rows"]["masked"], 12)
        self.hold_rows(where, self.of_rows(mask=masked), masked)
        within = PLACE < LENGTHS[:, None]
        told = self.hold_rows(where, self.of_rows(length=LENGTHS), within)
        self.assertEqual((told["rows"]["masked"], told["padding"]), (0, 22))
        self.hold_rows(where, self.of_rows(length=LENGTHS, mask=masked), within & masked)
        flat = self.arrays(train_rows=TRAIN.reshape(40, 32), infer_rows=INFER.reshape(40, 32), mask=masked.reshape(40))
        self.hold_rows(where, flat, masked)
        text = self.expect(0, "inspect", self.of_rows(length=LENGTHS, mask=masked)).out
        self.assertRegex(text, r"(?m)^masked +3 rows")
        self.assertRegex(text, r"(?m)^padding +22 rows")
        kept = self.of_rows(kept=numpy.array([1, 0, 1, 0]))
        _, found = self.measured(where, kept, "--preset=rows", "--map=kept=kept")
        self.assertAlmostEqual(found["tv", "other"]["value"], TV[[0, 2]].mean(), delta=1e-5)

    def test_what_cannot_be_applied_to_rows_is_refused(self):
        where = self.contract(ROWS)
        flat = {"train_rows": TRAIN.reshape(40, 32), "infer_rows": INFER.reshape(40, 32)}
        for wanted, more in {
            r"`length` is \[4\].*rows of one response cannot be distinguished": {**flat, "length": LENGTHS},
            r"`length` is \[3\].*4 responses": {"length": LENGTHS[:3]},
            r"`mask` is \[10, 4\]": {"mask": numpy.ones((10, 4))},
            r"`mask` is \[4\]": {"mask": numpy.ones(4)},
            r"`position` is \[7\]": {"position": numpy.arange(7)},
            r"`ids` is \[4, 10, 1\]": {"ids": numpy.ones((4, 10, 1), int)},
            r"row 0: .*0 or 1, found 0\.5 at entry 0": {"mask": numpy.full((4, 10), 0.5)},
            r"row 20: expected a whole number of at most 10 tokens, found 11": {"length": [1, 2, 11, 4]},
        }.items():
            with self.subTest(wanted):
                self.refused(wanted, where, self.arrays(**{"train_rows": TRAIN, "infer_rows": INFER, **more}))
        self.refused("--shift cannot be combined with whole rows", where, self.of_rows(), "--shift=1")

    def test_rows_are_of_the_slices_of_their_positions(self):
        where = self.contract("slices:\n  early: { when: position < 4 }\n", ROWS)
        _, found = self.measured(where, self.of_rows(length=LENGTHS))
        within = PLACE < LENGTHS[:, None]
        for name, part in (("early", within & (PLACE < 4)), ("other", within & (PLACE >= 4))):
            self.assertEqual(found["tv", name]["observations"], part.sum())
            self.assertAlmostEqual(found["tv", name]["value"], TV[part].mean(), delta=1e-5)
        _, found = self.measured(where, self.of_rows(position=numpy.array([0, 2, 3, 100])))
        self.assertEqual(found["tv", "early"]["observations"], 4 + 2 + 1)
        flat = {"train_rows": TRAIN.reshape(40, 32), "infer_rows": INFER.reshape(40, 32)}
        told, found = self.measured(where, self.arrays(**flat))
        self.assertEqual(found["tv", "other"]["observations"], 40)
        self.assertEqual(found["tv", "early"]["observations"] if ("tv", "early") in found else 0, 0)
        self.assertIn("40 records without the field `position`", self.expect(4, "measure", "--every=all", where, self.folder / "a.npz").out)
        _, found = self.measured(where, self.arrays(**flat, position=numpy.arange(40)))
        self.assertEqual(found["tv", "early"]["observations"], 4)
        long = self.contract("slices:\n  long: { when: response_tokens > 4 }\n", ROWS)
        _, found = self.measured(long, self.of_rows())
        self.assertEqual(found["tv", "long"]["observations"], 24)

    def test_lengths_of_tokens(self):
        where = self.contract(TOKENS)
        train = -RANDOM.exponential(1, (4, 10))
        gap = abs(RANDOM.normal(0, 0.1, train.shape))
        sides = {"train": train, "infer": train - gap}
        _, found = self.measured(where, self.arrays(**sides, length=LENGTHS))
        self.assertAlmostEqual(found["gap", "other"]["value"], abs(gap)[PLACE < LENGTHS[:, None]].mean(), delta=1e-6)
        for wanted, length in {
            r"`length` is \[3\].*4 responses": LENGTHS[:3], r"`length` is \[1\].*4 responses": LENGTHS[:1],
            r"`length` is \[4, 10\].*4 responses": PLACE, r"`length`: row 1: .*found nan": [1, numpy.nan, 2, 3],
            r"`length`: row 1: .*found 2\.5": [1, 2.5, 2, 3], r"`length`: row 3: .*found -1": [1, 2, 2, -1],
            r"`length`: row 0: .*found 11": [11, 2, 2, 1],
        }.items():
            with self.subTest(wanted):
                self.refused(wanted, where, self.arrays(**sides, length=length))
        for wanted, ids in {r"`ids` is \[4, 10, 1\]": numpy.ones((4, 10, 1), int), r"`ids` is \[40\]": numpy.ones(40, int),
                            r"`ids`: expected whole numbers, found f64": numpy.ones((4, 10)), r"`ids`.* 9 tokens": numpy.ones((4, 9), int)}.items():
            with self.subTest(wanted):
                self.refused(wanted, where, self.arrays(**sides, ids=ids))
        self.refused(r"`mask` is \[10, 4\]", where, self.arrays(**sides, mask=numpy.ones((10, 4))))
        self.refused(r"`step` is \[3\]", where, self.arrays(**sides, step=numpy.ones(3)))

    def test_zeros_are_padding_only_where_nothing_says_that_they_are_data(self):
        where = self.contract(TOKENS)
        train = -RANDOM.exponential(1, (4, 10))
        train[:, 6:] = 0
        sides = {"train": train, "infer": train - numpy.where(PLACE < 6, 0.1, 0)}
        for more, tokens, padding in (({}, 24, 16), ({"length": [10, 10, 10, 10]}, 40, 0), ({"length": [10, 8, 6, 4]}, 28, 12),
                                      ({"mask": numpy.ones((4, 10))}, 40, 0), ({"mask": PLACE < 8}, 32, 8)):
            path = self.arrays(**sides, **more)
            told, found = self.measured(where, path)
            self.assertEqual((told["data"]["tokens"], told["data"]["padding"]), (tokens, padding))
            said = "taken for padding" in self.expect(0, "measure", "--every=all", where, path).out
            self.assertEqual(said, padding != 0)

    def test_zeros_in_front_are_a_prompt(self):
        where = self.contract(TOKENS)
        train = -RANDOM.exponential(1, (4, 10))
        train[:, :3] = 0
        sides = {"train": train, "infer": train - numpy.where(PLACE >= 3, 0.1, 0)}
        for more, tokens, padding in (({}, 28, 12), ({"mask": numpy.ones((4, 10))}, 40, 0), ({"length": [10, 10, 10, 10]}, 40, 0)):
            told, found = self.measured(where, self.arrays(**sides, **more))
            self.assertEqual((told["data"]["tokens"], told["data"]["padding"]), (tokens, padding))

    def test_rows_are_not_read_as_tokens(self):
        where = self.contract(TOKENS.replace("statistical", "model: { vocabulary: 256 }\nstatistical"))
        logits = RANDOM.normal(0, 2, (6, 256)).astype("f4")
        rows = self.arrays(train=logits, infer=logits)
        self.assertRegex(self.expect(2, "measure", where, rows).err, "rows of logits.*Use --preset=rows for rows")
        self.assertIn("read rows of logits with --preset=rows", self.expect(0, "inspect", rows).out.replace("\n      ", " "))
        laws = numpy.log(law(logits))
        self.assertRegex(self.expect(2, "measure", where, self.arrays(train=laws, infer=laws)).err, "as many as the vocabulary has tokens; use --preset=rows")
        self.expect(0, "measure", "--every=all", where, self.arrays(train=laws, infer=laws, mask=numpy.ones(laws.shape, int)))

    def test_numbers_that_are_passed_over_are_told(self):
        train = -RANDOM.exponential(1, (4, 10))
        both = self.of_rows(train=train, infer=train)
        _, found = self.measured(self.contract(TOKENS), both)
        self.assertEqual(found["gap", "other"]["observations"], 40)
        for command in (("measure", "--every=all", self.contract(TOKENS)), ("inspect",)):
            said = self.expect(0, *command, both).out
            for name in ("train_rows", "infer_rows"):
                self.assertIn(f"`{name}` is skipped", said)
            self.assertIn("`train` is skipped", self.expect(0, "inspect", both, "--preset=rows").out)
        self.assertNotIn("is skipped", self.expect(0, "inspect", self.of_rows()).out)

    def test_lengths_of_records(self):
        where = self.contract(TOKENS)
        path = self.folder / "a.jsonl"
        record = {"train": [-1.0, -2.0, -3.0], "infer": [-1.0, -2.1, -3.3]}
        for length, mean in ((0, None), (1, 0), (2, 0.05), (3, 0.4 / 3)):
            path.write_text(json.dumps({**record, "length": length}) + "\n")
            _, found = self.measured(where, path)
            self.assertAlmostEqual(found["gap", "other"]["value"] or 0, mean or 0, delta=1e-6)
        for length in (4, -1, 1.5, float("nan"), [1, 2], []):
            path.write_text(json.dumps(record) + "\n" + json.dumps({**record, "length": length}) + "\n")
            self.refused(r"a\.jsonl:2: byte \d+: `length`: expected (a whole number of at most 3 tokens|one length per response|one number), found", where, path)
            self.expect(0, "inspect", "--broken=1", path)
        # Null is no length, which is not one of a response whose neighbour has one.
        path.write_text((json.dumps({**record, "length": None, "mask": None, "kept": None, "ids": None}) + "\n") * 2)
        self.assertAlmostEqual(self.measured(where, path)[1]["gap", "other"]["value"], 0.4 / 3, delta=1e-6)
        path.write_text("".join(json.dumps({**record, "length": length}) + "\n" for length in (2, None)))
        self.assertIn("1 of 2 responses has no `length`", self.expect(2, "measure", where, path).err)
        path.write_text(json.dumps({"train": [[-1.0], [-2.0]], "infer": [[-1.0], [-2.0]], "length": [1, 1, 1]}) + "\n")
        self.refused("`length`: it has 3 values, but the record has 2 responses", where, path)


if __name__ == "__main__":
    main()
