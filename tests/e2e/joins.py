"""`--join` over random files of a trainer and a server, against what NumPy makes of the same responses."""

import json
import random
import struct
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, main  # noqa: E402

ROUNDS = 60
EXACT = 1 << 53  # From here on, a double may stand for several whole numbers.
NUMBERS = {"<f8": "d", "<f4": "f", "<f2": "e", "<i8": "q", "<u8": "Q", "|u1": "B", "|b1": "?"}
# Keys that are one number as doubles, and those at the ends of 64 bits.
WHOLE = {
    "i64": [*range(-(1 << 63), -(1 << 63) + 4), *range((1 << 60) - 2, (1 << 60) + 3), 10**16, 10**16 + 1, (1 << 63) - 1, 0, 1],
    "u64": [*range((1 << 64) - 4, 1 << 64), *range(1 << 63, (1 << 63) + 4), *range(EXACT - 1, EXACT + 3), 0],
    "small": [*range(-3, 5), EXACT - 2, EXACT - 1, 1 - EXACT],
}


class Random(random.Random):
    def likely(self, share=0.5):
        return self.random() < share


def array(kind, shape, values):
    """An array as NumPy saves it; of texts the kind is `<U`, `>U` or `|S`."""
    if kind in NUMBERS:
        data = struct.pack(f"<{len(values)}{NUMBERS[kind]}", *values)
    else:
        code = {"<U": "utf-32-le", ">U": "utf-32-be", "|S": "utf-8"}[kind]
        words = [value.encode(code) for value in values]
        size = max(map(len, words))
        data = b"".join(word.ljust(size, b"\0") for word in words)
        kind += str(size if kind == "|S" else size // 4)
    header = repr({"descr": kind, "fortran_order": False, "shape": tuple(shape)}).encode() + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + data


class Side:
    """What one side writes: its log-probs by key, and whatever else it states of them."""

    def __init__(self, chance, name, responses):
        self.chance, self.name, self.responses = chance, name, responses
        self.is_packed = chance.likely()
        self.states = {field: chance.likely(0.4) for field in ("mask", "length", "kept", "step")}
        for each in responses:
            each["mask"] = [int(chance.likely(0.7)) for _ in each["values"]] if self.states["mask"] else [1] * len(each["values"])
            each["kept"] = int(not self.states["kept"] or chance.likely(0.8))

    def counts(self, each):
        return [bool(mask and each["kept"]) for mask in each["mask"]]

    def filled(self, each, name, filler, width):
        return each[name] + [filler() for _ in range(width - len(each[name]))]

    def write(self, folder, keys):
        return self.arrays(folder, keys) if self.is_packed else self.lines(folder, keys)

    def lines(self, folder, keys):
        chance, path = self.chance, folder / f"{self.name}.jsonl"
        out = []
        for each in self.responses:
            size = len(each["values"])
            width = size + (chance.randrange(3) if self.states["length"] else 0)
            record = {self.name: self.filled(each, "values", lambda: -chance.random(), width), "id": each["key"], "task": None}
            record |= {"mask": self.filled(each, "mask", lambda: chance.randrange(2), width), "length": size, "kept": each["kept"], "step": each["step"]}
            for field, is_stated in self.states.items():
                if not is_stated:
                    record[field] = None
                    if chance.likely():
                        del record[field]
            if keys != "text" and chance.likely(0.3):
                record["id"] = str(record["id"])
            elif keys == "small" and chance.likely():
                record["id"] = float(record["id"])
            out.append(json.dumps(record, ensure_ascii=chance.likely()) + "\n")
        path.write_text("".join(out), encoding="utf-8")
        return path

    def arrays(self, folder, keys):
        chance, path, count = self.chance, folder / f"{self.name}.npz", len(self.responses)
        width = max(len(each["values"]) for each in self.responses) + chance.randrange(3)
        filler = (lambda: -chance.random()) if self.states["length"] else lambda: 0
        flat = lambda name, filler: [value for each in self.responses for value in self.filled(each, name, filler, width)]  # noqa: E731
        members = {self.name: array(chance.choice(("<f4", "<f8")), (count, width), flat("values", filler))}
        of_key = [each["key"] for each in self.responses]
        kind = {"i64": "<i8", "u64": "<u8", "small": chance.choice(("<i8", "<f8")), "text": chance.choice(("<U", ">U", "|S"))}[keys]
        if keys != "text" and chance.likely(0.3):
            kind, of_key = "<U", list(map(str, of_key))
        members["id"] = array(kind, (count,), of_key)
        if self.states["mask"]:
            members["mask"] = array(chance.choice(("|b1", "|u1", "<i8", "<f4")), (count, width), flat("mask", lambda: 0))
        for name, value in (("length", lambda each: len(each["values"])), ("kept", lambda each: each["kept"]), ("step", lambda each: each["step"])):
            if self.states[name]:
                members[name] = array(chance.choice(("<i8", "<f8")), (count,), [value(each) for each in self.responses])
        with zipfile.ZipFile(path, "w", chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
            for name, content in members.items():
                archive.writestr(f"{name}.npy", content)
        return path


class Joins(Case):
    def test_keys_that_a_float_may_have_rounded_are_refused(self):
        for kind, exact in (("<f4", 1 << 24), ("<f2", 1 << 11), ("<f8", EXACT)):
            for key, status in ((exact - 1, 0), (exact, 2)):
                with self.subTest(kind=kind, key=key):
                    with zipfile.ZipFile(self.folder / "a.npz", "w") as archive:
                        for name, content in (("train", array("<f4", (1, 1), [-1.0])), ("key", array(kind, (1,), [key]))):
                            archive.writestr(f"{name}.npy", content)
                    self.write("b.jsonl", json.dumps({"infer": [-1.0], "key": key}) + "\n")
                    done = self.expect(status, "inspect", self.folder / "a.npz", self.folder / "b.jsonl", "--join=key")
                    self.assertIn("represents exactly" if status else "", done.err)

    def test_ids_beyond_63_bits_are_refused(self):
        for each, status in (((1 << 63) - 1, 0), (1 << 63, 2)):
            with zipfile.ZipFile(self.folder / "a.npz", "w") as archive:
                for name, content in (("train", array("<f4", (1, 1), [-1.0])), ("ids", array("<u8", (1, 1), [each]))):
                    archive.writestr(f"{name}.npy", content)
            self.write("b.jsonl", json.dumps({"infer": [-1.0], "ids": [(1 << 63) - 1]}) + "\n")
            done = self.expect(status, "inspect", self.folder / "a.npz", self.folder / "b.jsonl", "--join=ids")
            self.assertIn(f"expected ids below 2^63, found {each}" if status else "", done.err)

    def test_two_positions_are_refused(self):
        for other, status in ((3, 0), (4, 2)):
            ours = self.write("a.jsonl", json.dumps({"train": [-1.0], "key": 1, "position": 3}) + "\n")
            theirs = self.write("b.jsonl", json.dumps({"infer": [-1.0], "key": 1, "position": other}) + "\n")
            done = self.expect(status, "inspect", ours, theirs, "--join=key", "--preset=plain")
            self.assertIn("its position is 3 for the trainer and 4 for the server" if status else "", done.err)

    def test_a_field_is_not_compared_with_itself(self):
        both = self.write("a.jsonl", json.dumps({"logprobs": [-1.0], "other": [-1.5], "key": 1}) + "\n")
        (self.folder / "link.jsonl").symlink_to("a.jsonl")
        for side in ("a.jsonl", "link.jsonl"):
            done = self.expect(2, "inspect", both, self.folder / side, "--join=key", "--map=train=logprobs,infer=logprobs")
            self.assertIn("would compare `logprobs` of", done.err)
        for words in (("--map=train=logprobs,infer=logprobs",), ("--map=train=none|logprobs,infer=logprobs",)):
            self.assertIn("both sides are the field `logprobs`", self.expect(2, "inspect", both, *words).err)
        done = self.expect(0, "inspect", both, both, "--join=key", "--map=train=logprobs,infer=other")
        self.assertIn("0.5", done.out)

    def test_faults_of_any_file_are_told(self):
        for name, keys, side in (("t0", "a", "train"), ("t1", "bb", "train"), ("s0", "a", "infer"), ("s1", "c", "infer")):
            self.write(f"{name}.jsonl", "".join(json.dumps({"key": key, side: [-1]}) + "\n" for key in keys))
        done = self.expect(2, "inspect", "--join=key", "t?.jsonl", "s?.jsonl")
        for wanted in (r"t1\.jsonl:2: .*`b` is a duplicate of \S*t1\.jsonl:1", r"t1\.jsonl:1: .*no record of the server that could be read has its key", r"s1\.jsonl:1: .*no record of the trainer that could be read has `c`"):
            self.assertRegex(done.err, wanted)
        self.expect(0, "inspect", "--join=key", "--broken=1", "--unpaired=2", "t?.jsonl", "s?.jsonl")

    def test_a_file_behind_a_pattern_is_not_compared_with_itself(self):
        self.write("t0.jsonl", '{"key": "a", "train": [-1]}\n')
        done = self.expect(2, "inspect", "--join=key", "--map=key=key,train=train,infer=train", "t[0].jsonl", "t0.jsonl")
        self.assertRegex(done.err, r"--join would compare `train` of `\S*t0\.jsonl` with itself")

    def test_steps_that_doubles_confuse_are_refused(self):
        for ours, theirs, status in ((EXACT - 2, EXACT - 1, 2), (EXACT - 1, EXACT - 1, 0), (EXACT + 1, EXACT, 2), ((1 << 60) + 1, (1 << 60) + 2, 2)):
            lines = [self.write(f"{name}.jsonl", json.dumps({name: [-1.0], "key": 1, "step": step}) + "\n") for name, step in (("train", ours), ("infer", theirs))]
            packed = []
            for name, step in (("train", ours), ("infer", theirs)):
                packed.append(self.folder / f"{name}.npz")
                with zipfile.ZipFile(packed[-1], "w") as archive:
                    for member, content in ((name, array("<f4", (1, 1), [-1.0])), ("key", array("<i8", (1,), [1])), ("step", array("<i8", (1,), [step]))):
                        archive.writestr(f"{member}.npy", content)
            for files in (lines, packed):
                with self.subTest(steps=(ours, theirs), files=files):
                    self.assertIn(" step" if status else "", self.expect(status, "inspect", *files, "--join=key", "--preset=plain").err)

    def test_a_step_that_doubles_confuse_is_refused_in_one_file_too(self):
        for step in (EXACT, (1 << 60) + 1, -EXACT):
            path = self.write("data.jsonl", "".join(json.dumps({"train": [-1.0], "infer": [-1.5], "step": each}) + "\n" for each in (1, step)))
            self.assertIn("data.jsonl:2: byte", self.expect(2, "inspect", path).err)
            self.assertIn("`step`: expected a step that its type represents exactly, and below 2^53", self.expect(2, "inspect", path).err)
        self.assertIn("responses   2", self.expect(0, "inspect", self.write("data.jsonl", "".join(json.dumps({"train": [-1.0], "infer": [-1.5], "step": each}) + "\n" for each in (1, EXACT - 1)))).out)

    def test_numbers_of_responses_that_doubles_confuse_are_refused(self):
        for name in ("reward", "advantage", "score_norm"):
            for ours, theirs, status in ((EXACT - 1, EXACT - 1, 0), (EXACT - 2, EXACT - 1, 2), (EXACT + 1, EXACT, 2), (1e300, 1e300, 2), (0.1, 0.1, 0)):
                lines = [self.write(f"{side}.jsonl", json.dumps({side: [-1.0], "key": 1, name: value}) + "\n") for side, value in (("train", ours), ("infer", theirs))]
                self.assertIn(f"its {name} " if status else "", self.expect(status, "inspect", *lines, "--join=key", "--preset=plain").err)
        for ours, theirs, status in ((EXACT - 1, EXACT - 1, 0), (EXACT + 1, EXACT, 2)):
            lines = [self.write(f"{side}.jsonl", json.dumps({side: [-1.0], "key": 1, "position": value}) + "\n") for side, value in (("train", ours), ("infer", theirs))]
            self.assertIn("below 2^53 as position" if status else "", self.expect(status, "inspect", *lines, "--join=key", "--preset=plain").err)
        lines = [self.write(f"{side}.jsonl", json.dumps({side: [-1.0], "key": [1, 2]}) + "\n") for side in ("train", "infer")]
        self.assertIn("`key`: the record has none, an empty one, or several", self.expect(2, "inspect", *lines, "--join=key", "--preset=plain").err)

    def test_random_files(self):
        try:
            import numpy  # noqa: F401
        except ModuleNotFoundError:
            self.skipTest("needs python3-numpy")
        for seed in range(ROUNDS):
            with self.subTest(seed=seed):
                self.round(Random(seed))

    def round(self, chance):
        keys = chance.choice(("i64", "u64", "small", "text"))
        texts = ["".join(chance.choice("ab-é\N{GRINNING FACE}") for _ in range(chance.randint(1, 6))) for _ in range(30)]
        pool = chance.sample(sorted(set(texts)), 9) if keys == "text" else chance.sample(WHOLE[keys], 9)
        value = lambda: -chance.randint(1, 500) / 64  # noqa: E731  as exact in single precision
        sizes = {key: chance.randint(1, 6) for key in pool}
        both = [{"key": key, "step": chance.choice((0, 1, 2, EXACT - 1, EXACT, (1 << 60) + 1)), "values": [value() for _ in range(sizes[key])]} for key in pool]
        others = [{**each, "values": [value() for _ in each["values"]]} for each in both]
        both[0]["step"] = others[0]["step"] = 1
        # The first is never broken; of the others some are of other lengths or steps, and some are of one side.
        for each in others[1:4]:
            if chance.likely(0.3):
                each["values"].append(value())
            if chance.likely(0.3):
                each["step"] += 1
        trainer = Side(chance, "train", both[:1] + [each for each in both[1:] if chance.likely(0.9)])
        server = Side(chance, "infer", others[:1] + [each for each in others[1:] if chance.likely(0.9)])
        chance.shuffle(server.responses)

        gaps, pairs, apart, refused = self.expected(keys, trainer, server)
        broken = apart + refused
        unpaired = len(trainer.responses) + len(server.responses) - refused - 2 * pairs

        files = trainer.write(self.folder, keys), server.write(self.folder, keys)
        words = ["--join=id", f"--unpaired={unpaired}", f"--broken={broken}", "--format=json"]
        words += ["--preset=plain"] if chance.likely() else []
        words += ["--map=kept=kept"] if trainer.states["kept"] or server.states["kept"] else []
        told = json.loads(self.expect(0, "inspect", *words, *files).out)
        self.assertEqual((told["responses"], told["broken"], told["unpaired"], told["counted"]), (pairs - apart, broken, unpaired, gaps.size), told["faults"])
        self.assertEqual(told["drift"]["tokens"], gaps.size)
        if gaps.size:
            self.assertAlmostEqual(told["drift"]["mean_abs"], gaps.mean(), 9)
            self.assertAlmostEqual(told["drift"]["largest"], gaps.max(), 9)

    @staticmethod
    def expected(keys, trainer, server):
        """The gaps of tokens that count, how many pairs there are, how many of them differ, and how many records are refused, by NumPy's exact integers and texts."""
        import numpy

        kind = {"i64": numpy.int64, "u64": numpy.uint64, "small": numpy.int64, "text": numpy.str_}[keys]
        # A step that doubles may confuse is refused.
        sides = [[each for each in side.responses if not side.states["step"] or abs(each["step"]) < EXACT] for side in (trainer, server)]
        ours, theirs = (numpy.array([each["key"] for each in side], kind) for side in sides)
        both, at, there = numpy.intersect1d(ours, theirs, return_indices=True)
        gaps, apart = [numpy.zeros(0)], 0
        for i, k in zip(at, there):
            mine, yours = sides[0][i], sides[1][k]
            p, q = (numpy.array(each["values"], numpy.float64) for each in (mine, yours))
            steps = numpy.array([mine["step"], yours["step"]], numpy.int64)
            states_both = trainer.states["step"] and server.states["step"]
            if p.size != q.size or (states_both and steps[0] != steps[1]):
                apart += 1
                continue
            counts = numpy.logical_and(trainer.counts(mine), server.counts(yours))
            gaps.append(numpy.abs(p - q)[counts])
        return numpy.concatenate(gaps), both.size, apart, len(trainer.responses) + len(server.responses) - ours.size - theirs.size


if __name__ == "__main__":
    main()
