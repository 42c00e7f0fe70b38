"""`tikc inspect` over recorded data as their writers leave them behind, held to the same figures by NumPy."""

import gzip
import json
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main, skip  # noqa: E402

try:
    import numpy

    import recorded_data as writers
except ImportError:
    skip("NumPy is not installed")
try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((ROOT / "schemas/inspection.v1.schema.json").read_text())
DATA = writers.pairs()
WIDTH = max(len(ids) for ids, *_ in DATA)
TRAIN = writers.padded([train for _, train, _ in DATA], WIDTH)
INFER = writers.padded([infer for *_, infer in DATA], WIDTH)
MASK = writers.padded([[1] * len(ids) for ids, *_ in DATA], WIDTH, dtype=numpy.int64)
IDS = writers.padded([ids for ids, *_ in DATA], WIDTH, dtype=numpy.int64)


class Recorded(Case):
    def inspect(self, status, *words, **options):
        told = json.loads(self.expect(status, "inspect", "--format=json", *words, **options).out)
        if jsonschema:
            jsonschema.Draft7Validator.check_schema(SCHEMA)
            jsonschema.validate(told, SCHEMA)
        return told

    def put(self, name, content):
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def hold(self, told, data=DATA, places=6):
        """To what NumPy makes of the same numbers, as floats are rounded."""
        train = numpy.concatenate([train for _, train, _ in data]).astype(float)
        infer = numpy.concatenate([infer for *_, infer in data]).astype(float)
        x = train - infer
        self.assertEqual((told["responses"], told["counted"], told["broken"]), (len(data), len(x), 0))
        self.assertEqual(told["faults"], [])
        wanted = {"mean_abs": abs(x).mean(), "largest": abs(x).max(), "mean_weight": numpy.exp(x).mean(), "k1": -x.mean(),
                  "k3": (numpy.expm1(x) - x).mean()}
        for name, value in wanted.items():
            self.assertAlmostEqual(told["drift"][name], value, places, name)
        self.assertAlmostEqual(told["drift"]["k3"] - told["drift"]["k1"], told["drift"]["mean_weight"] - 1, 12)
        self.assertAlmostEqual(told["train"]["mean"], train.mean(), places)
        self.assertAlmostEqual(told["infer"]["smallest"], infer.min(), places)
        self.assertFalse(told["coherence"]["disproved"])
        self.assertEqual(sum(each["tokens"] for each in told["positions"]), len(x))
        self.assertNotIn(0, [each["tokens"] for each in told["positions"]])

    def test_what_is_no_data_has_no_figures(self):
        for name, content in (("a.txt", "hello\n"), ("b.bin", bytes(range(256)))):
            for form in ("text", "json"):
                with self.subTest(name, form=form):
                    done = self.expect(2, "inspect", f"--format={form}", self.put(name, content))
                    self.assertEqual(done.out, "")
                    self.assertIn("expected records that are JSON objects with fields", done.err)

    def test_what_is_empty_is_called_so(self):
        for name, content, said in (("a.npz", b"PK\5\6" + bytes(18), "the zip archive is empty"), ("a.json", "[]", "expected records, found none"),
                                    ("b.json", "{}", "expected records that are JSON objects with fields"), ("c.jsonl", "", "is empty")):
            for command in ("inspect", "diagnose"):
                with self.subTest(name, command=command):
                    done = self.expect(2, command, self.put(name, content))
                    self.assertEqual(done.out, "")
                    self.assertIn(said, done.err)

    def test_each_writer_is_known_and_read(self):
        paired = {
            "nemo-rl": ("a.jsonl", writers.nemo_rl(DATA)),
            "slime": ("a.json", writers.slime(DATA)),
            "plain": ("b.jsonl", writers.plain(DATA)),
        }
        for preset, (name, text) in paired.items():
            with self.subTest(preset):
                told = self.inspect(0, self.put(name, text))
                self.assertEqual((told["preset"], told["recognised"]), (preset, True))
                self.hold(told)
                self.assertEqual(told, {**self.inspect(0, "--preset", preset, self.folder / name), "recognised": True})

    def test_one_side_alone_is_told_as_such(self):
        for preset, text in {"vllm": writers.vllm(DATA), "vllm-chat": writers.vllm_chat(DATA), "sglang": writers.sglang(DATA)}.items():
            told = self.inspect(0, self.put("server.jsonl", text))
            self.assertEqual((told["preset"], told["responses"], told["counted"]), (preset, len(DATA), sum(len(ids) for ids, *_ in DATA)))
            self.assertAlmostEqual(told["infer"]["mean"], float(numpy.concatenate([infer for *_, infer in DATA]).mean()), 5)
            self.assertEqual(told["drift"]["tokens"], 0)
            self.assertIn("--join", self.expect(0, "inspect", self.folder / "server.jsonl").out)
        told = self.inspect(0, self.put("harness.jsonl", writers.lm_eval([[-4.53, -2.0], [-1.0, -3.25]])))
        self.assertEqual((told["preset"], told["responses"]), ("lm-eval", 4))
        self.assertAlmostEqual(told["infer"]["smallest"], -4.53, 6)

    def test_packed_text_is_the_same_text(self):
        text = writers.plain(DATA).encode()
        half = text.index(b"\n", len(text) // 2) + 1
        plain = self.inspect(0, self.put("a.jsonl", text))
        forms = {"gzip": gzip.compress(text), "gzip of two members": gzip.compress(text[:half]) + gzip.compress(text[half:]) + b"\0" * 512}
        if shutil.which("zstd"):
            pack = lambda part: subprocess.run(["zstd", "-q"], input=part, stdout=subprocess.PIPE, check=True).stdout  # noqa: E731
            forms |= {"zstd": pack(text), "zstd of two frames": pack(text[:half]) + pack(text[half:])}
        for form, packed in forms.items():
            with self.subTest(form):
                told = self.inspect(0, self.put("packed", packed))
                self.assertEqual({**told, "inputs": None, "largest": None}, {**plain, "inputs": None, "largest": None})
                self.hold(self.inspect(0, "-", stdin=packed))
        self.hold(self.inspect(0, "-", stdin=text))

    def test_layouts_of_json(self):
        rows = [json.loads(line) for line in writers.plain(DATA).splitlines()]
        for text in (json.dumps(rows), json.dumps(rows, indent=1), "\n\n".join(json.dumps(row, indent=2) for row in rows),
                     "\ufeff" + "\r\n".join(json.dumps(row) for row in rows)):
            self.hold(self.inspect(0, self.put("a.json", text)))
        tokens = "".join(json.dumps({"train": float(t), "infer": float(i)}) + "\n" for _, train, infer in DATA for t, i in zip(train, infer))
        told = self.inspect(0, self.put("tokens.jsonl", tokens))
        self.assertEqual(told["responses"], told["tokens"])

    def test_fields_of_ones_own(self):
        text = "".join(json.dumps({"a": {"b": [{"t": float(t), "s": [0, float(s)]} for t, s in zip(train, infer)]}, "w": i % 3, "k.": 1}) + "\n"
                       for i, (_, train, infer) in enumerate(DATA))
        path = self.put("a.jsonl", text)
        done = self.expect(2, "inspect", path)
        self.assertIn("a.b[].t", done.out)
        self.assertIn("--map", done.err)
        told = self.inspect(0, "--map", "train=a.b[].t,infer=a.b[].s[1],version=w|nothing", path)
        self.hold(told)
        self.assertEqual([each["version"] for each in told["versions"]], [0, 1, 2])
        self.assertEqual(sum(each["tokens"] for each in told["versions"]), told["counted"])

    def test_arrays(self):
        numpy.savez(self.folder / "a.npz", old_log_probs=TRAIN, rollout_log_probs=INFER, response_mask=MASK, responses=IDS)
        numpy.savez_compressed(self.folder / "b.npz", old_log_probs=TRAIN, rollout_log_probs=INFER.astype(float), response_mask=MASK.astype(bool))
        numpy.save(self.folder / "train.npy", TRAIN)
        numpy.save(self.folder / "infer.npy", INFER)
        numpy.save(self.folder / "mask.npy", MASK.astype(numpy.uint8))
        self.put("a.safetensors", writers.safetensors({"old_log_probs": ("F32", TRAIN), "rollout_log_probs": ("F32", INFER), "response_mask": ("I64", MASK)}))
        TRAIN.tofile(self.folder / "train_flat.f32")
        for names in (["a.npz"], ["b.npz"], ["a.safetensors"], ["train.npy", "infer.npy", "mask.npy"], ["*.npy"]):
            with self.subTest(names):
                told = self.inspect(0, *names, cwd=self.folder)
                self.hold(told)
                self.assertEqual(told["padding"], TRAIN.size - told["counted"])

    def test_formats_of_numbers(self):
        lost = [(ids, writers.bfloat16(train), infer.astype(numpy.float16)) for ids, train, infer in DATA]
        exact = [(ids, (train.astype(numpy.uint32) << 16).view(numpy.float32), infer.astype(numpy.float32)) for ids, train, infer in lost]
        width = WIDTH
        told = self.inspect(0, self.put("a.safetensors", writers.safetensors({
            "train": ("BF16", writers.padded([train for _, train, _ in lost], width, dtype=numpy.uint16)),
            "infer": ("F16", writers.padded([infer for *_, infer in lost], width, dtype=numpy.float16)), "mask": ("BOOL", MASK.astype(bool))})))
        told["coherence"]["disproved"] = False
        self.hold(told, exact)

    def test_rows(self):
        random = numpy.random.default_rng(5)
        logits = random.normal(0, 3, (50, 101)).astype(numpy.float32)
        other = logits + random.normal(0, 0.05, logits.shape).astype(numpy.float32)
        p, q = numpy.exp(writers.log_softmax(logits.astype(float))), numpy.exp(writers.log_softmax(other.astype(float)))
        apart = abs(p - q).sum(axis=1) / 2
        logits.tofile(self.folder / "train_rows.f32")
        other.astype(numpy.float64).tofile(self.folder / "infer_rows.f64")
        numpy.savez(self.folder / "rows.npz", train_logits=logits.reshape(5, 10, 101), infer_logits=other.reshape(5, 10, 101))
        for words in (["--vocabulary=101", "train_rows.f32", "infer_rows.f64"], ["rows.npz"]):
            told = self.inspect(0, *words, cwd=self.folder)["rows"]
            self.assertEqual((told["rows"], told["vocabulary"], told["non_finite"]), (50, 101, 0))
            self.assertAlmostEqual(told["mean_tv"], apart.mean(), 6)
            self.assertAlmostEqual(told["largest_tv"], apart.max(), 6)
            self.assertAlmostEqual(told["mean_kl"], (p * numpy.log(p / q)).sum(axis=1).mean(), 6)

    def test_llama_files_come_in_pairs(self):
        random = numpy.random.default_rng(6)
        context, chunks, vocabulary = 16, 3, 101
        logits = random.normal(0, 2, (chunks, context - 1 - context // 2, vocabulary))
        other = logits + random.normal(0, 0.05, logits.shape)
        tokens = random.integers(0, vocabulary, (chunks, context))
        first, second = self.put("a.kld", writers.llama(logits, context, tokens)), self.put("b.kld", writers.llama(other, context, tokens))
        told = self.inspect(0, first, second)["rows"]
        p, q = writers.log_softmax(logits), writers.log_softmax(other)
        self.assertEqual(told["rows"], 21)
        self.assertAlmostEqual(told["mean_kl"], (numpy.exp(p) * (p - q)).sum(axis=-1).mean(), 5)
        self.assertIn("require two files", self.expect(2, "inspect", first).err)
        other_text = self.put("c.kld", writers.llama(other, context, (tokens + 1) % vocabulary))
        self.assertIn("differ in text or vocabulary", self.expect(2, "inspect", first, other_text).err)

    def test_what_is_no_number_is_counted_and_none(self):
        text = '{"train": [NaN, -1, null, -9999.0, "NaN", -1], "infer": [-1, Infinity, -1, -1, -1, -0.5], "mask": [1, 1, 0, 1, 1, 1]}\n'
        told = self.inspect(0, self.put("a.jsonl", text))
        self.assertEqual(told["train"]["values"], {"finite": 2, "nan": 2, "infinity": 0, "minus_infinity": 0, "null": 1, "sentinel": 1})
        self.assertEqual(told["infer"]["values"]["infinity"], 1)
        self.assertEqual((told["drift"]["tokens"], told["drift"]["largest"]), (1, 0.5))
        self.assertEqual((told["train"]["non_finite_counted"], told["infer"]["non_finite_counted"]), (3, 1))
        numpy.savez(self.folder / "a.npz", train=numpy.array([[numpy.nan, -9999, -1, numpy.inf]], numpy.float32), infer=numpy.full((1, 4), -1.0))
        told = self.inspect(0, "a.npz", cwd=self.folder)
        self.assertEqual(told["train"]["values"], {"finite": 1, "nan": 1, "infinity": 1, "minus_infinity": 0, "null": 0, "sentinel": 1})

    def test_a_law_that_drew_nothing_is_disproved(self):
        """Greedy log-probs on one side: a temperature that was not applied."""
        cold = [(ids, train, 1.3 * infer) for ids, train, infer in DATA]
        told = self.inspect(0, self.put("a.jsonl", writers.plain(cold)))
        self.assertTrue(told["coherence"]["disproved"])
        self.assertGreater(told["coherence"]["log_evidence"], math.log(100))
        self.assertIn("disproved at 99%", self.expect(0, "inspect", self.folder / "a.jsonl").out)

    def test_tokens_that_are_shifted_are_told_and_mended(self):
        moved = [(ids[1:], train[:-1], infer[1:]) for ids, train, infer in DATA]
        path = self.put("a.jsonl", writers.plain(moved))
        self.assertIn("--shift=1", self.expect(0, "inspect", path).out)
        told = self.inspect(0, "--shift=1", path)
        self.hold(told, [(ids[1:-1], train[1:-1], infer[1:-1]) for ids, train, infer in DATA])
        self.assertEqual(told["skipped"], len(DATA))
        self.assertNotIn("--shift=-1", self.expect(0, "inspect", "--shift=1", path).out)

    def test_the_result_is_that_of_one_thread(self):
        line = writers.plain(DATA)
        with (self.folder / "big.jsonl").open("w") as file:
            for i in range(400):
                file.write(line.replace('"r', f'"{i}-r'))
            file.write('{"train": [0], "infer": "a"}\n')
        one = self.expect(2, "inspect", "--format=json", "-j1", "big.jsonl", cwd=self.folder)
        many = self.expect(2, "inspect", "--format=json", "-j4", "big.jsonl", cwd=self.folder)
        self.assertEqual((one.out, one.err), (many.out, many.err))
        told = json.loads(one.out)
        self.assertEqual((told["responses"], told["broken"]), (400 * len(DATA), 1))
        self.assertEqual(told["faults"][0]["line"], 400 * len(DATA) + 1)
        self.assertGreater((self.folder / "big.jsonl").stat().st_size, 2 * 32 << 20)

    def test_nothing_is_counted_twice(self):
        path = self.put("a.jsonl", writers.plain(DATA))
        self.put("copy.jsonl", path.read_bytes())
        told = self.inspect(0, "a.jsonl", "./a.jsonl", "copy.jsonl", "*.jsonl", cwd=self.folder)
        self.hold(told)
        self.assertEqual((told["repeated_pieces"], sorted(told["repeated"])), (1, ["./a.jsonl", "a.jsonl", "copy.jsonl"]))

    def test_two_files_are_joined_on_a_key(self):
        trainer = "".join(json.dumps({"uid": f"r{i}", "old_log_probs": writers.numbers(train), "response_mask": [1] * len(ids), "weights": i % 2}) + "\n"
                          for i, (ids, train, _) in reversed(list(enumerate(DATA))))
        self.put("trainer.jsonl", trainer)
        self.put("server.jsonl", writers.vllm(DATA))
        words = ["--map", "train=old_log_probs,mask=response_mask,infer=choices[].logprobs.token_logprobs,version=weights", "--join=uid|id"]
        told = self.inspect(0, *words, "trainer.jsonl", "server.jsonl", cwd=self.folder)
        self.hold(told)
        self.assertEqual((told["records"], told["unpaired"], len(told["versions"])), (2 * len(DATA), 0, 2))
        self.put("slime.json", writers.slime(DATA))
        self.put("sglang.jsonl", writers.sglang(DATA))
        presets = ["--preset=slime", "--preset=sglang"]
        self.hold(self.inspect(0, "--join=ids", *presets, "slime.json", "sglang.jsonl", cwd=self.folder))
        numpy.savez(self.folder / "batch.npz", old_log_probs=TRAIN, response_mask=MASK, uid=numpy.arange(len(DATA)))
        self.put("plain.jsonl", writers.plain(DATA).replace('"id": "r', '"id": "'))
        told = self.inspect(0, "--join=key", "--preset=verl", "--preset=plain", "batch.npz", "plain.jsonl", cwd=self.folder)
        self.hold(told)
        for uids in ([f"r{i}" for i in range(len(DATA))], [f"r{i}".encode() for i in range(len(DATA))], numpy.array([f"r{i}" for i in range(len(DATA))], ">U5")):
            numpy.savez(self.folder / "batch.npz", old_log_probs=TRAIN, response_mask=MASK, uid=uids)
            self.hold(self.inspect(0, "--join=key", "--preset=verl", "--preset=vllm", "batch.npz", "server.jsonl", cwd=self.folder))
        numpy.savez(self.folder / "batch.npz", old_log_probs=TRAIN, response_mask=MASK, uid=numpy.arange(len(DATA)) + 0.5)
        done = self.expect(2, "inspect", "--join=key", "--preset=verl", "--preset=vllm", "batch.npz", "server.jsonl", cwd=self.folder)
        self.assertIn("`uid`: row 0: expected text or a whole number that its type represents exactly as key, found `0.5`", done.err)

    def test_files_of_one_side_with_plain_names(self):
        lines = [json.loads(line) for line in writers.plain(DATA).splitlines()]
        for name, other in (("train", "infer"), ("infer", "train")):
            self.put(f"{name}.jsonl", "".join(json.dumps({key: value for key, value in line.items() if key != other}) + "\n" for line in lines))
        told = self.inspect(0, "--join=id", "train.jsonl", "infer.jsonl", cwd=self.folder)
        self.hold(told)
        self.assertEqual((told["preset"], told["recognised"]), ("plain", True))
        self.hold(self.inspect(0, "--join=id", "--preset=plain", "--preset=vllm", "train.jsonl", self.put("server.jsonl", writers.vllm(DATA)), cwd=self.folder))
        numpy.savez(self.folder / "infer.npz", infer=INFER, id=[f"r{i}" for i in range(len(DATA))])
        self.hold(self.inspect(0, "--join=id", "train.jsonl", "infer.npz", cwd=self.folder))

    def test_texts_of_arrays(self):
        count = len(DATA)
        for texts in (numpy.array(["step-1", "step-22"] * (count // 2)), numpy.array([b"step-1", b"step-22"] * (count // 2)), numpy.arange(count) + 2**60):
            numpy.savez(self.folder / "a.npz", old_log_probs=TRAIN, rollout_log_probs=INFER, response_mask=MASK, version=texts)
            self.hold(self.inspect(0, "a.npz", cwd=self.folder))
            self.assertIn("text versions", self.expect(0, "inspect", "a.npz", cwd=self.folder).out)

    def test_a_key_that_nothing_has_joins_nothing(self):
        for name, side in (("trainer", "train"), ("server", "infer")):
            self.put(f"{name}.jsonl", "".join(json.dumps({"uid": i, side: [-1.0], "ids": [i]}) + "\n" for i in range(5)))
        words = ["--map=train=train,infer=infer,ids=ids", "trainer.jsonl", "server.jsonl"]
        self.inspect(0, "--join=uid", *words, cwd=self.folder)
        told = self.expect(2, "inspect", "--join=uidd", *words, cwd=self.folder)
        self.assertIn("--join names the field `uidd`, which no record of the trainer's file has", told.err)
        self.put("server.jsonl", (self.folder / "server.jsonl").read_text().replace('"uid": 3, ', ""))
        self.assertIn("the record has none", self.expect(2, "inspect", "--join=uid", *words, cwd=self.folder).err)

    def test_masks_of_slime_and_prompts_of_nemo_rl(self):
        samples = [{"log_probs": [-1.0] * 4, "rollout_log_probs": [-1.0] * 4, "loss_mask": [1, 1, 0, 0]}] * 3
        columns = {name: [each[name] for each in samples] for name in ("log_probs", "rollout_log_probs")} | {"loss_masks": [each["loss_mask"] for each in samples]}
        for record in ({"samples": samples}, {"rollout_id": 3, "rank": 0, "rollout_data": columns}):
            told = self.inspect(0, self.put("slime.json", json.dumps(record)))
            self.assertEqual((told["preset"], told["tokens"], told["counted"]), ("slime", 12, 6))
        # A dummy, a prompt of three, a response of two, and two that pad.
        nemo = {"prev_logprobs": [[0, -1, -1, -1, -2, -2, 0, 0]], "generation_logprobs": [[0, -1, -1, -1, -2, -2, 0, 0]], "token_loss_mask": [[0, 0, 0, 0, 1, 1, 0, 0]], "input_lengths": [6]}
        told = self.inspect(0, self.put("nemo.jsonl", json.dumps(nemo) + "\n"))
        self.assertEqual((told["preset"], told["tokens"], told["counted"]), ("nemo-rl", 2, 2))

    def test_choices_that_share_a_key_are_paired_in_their_order(self):
        sums = [[-4.5, -2.0], [-1.0, -3.25]]
        first = self.put("a.jsonl", writers.lm_eval(sums))
        second = self.put("b.jsonl", writers.lm_eval([[value + 0.25 for value in choices] for choices in sums]))
        told = self.inspect(0, "--join=key", first, second)
        self.assertEqual((told["preset"], told["responses"], told["drift"]["mean_abs"]), ("lm-eval", 4, 0.25))

    def test_what_has_no_partner_is_told_and_counted(self):
        lines = writers.vllm(DATA).splitlines(True)
        trainer = self.put("a.jsonl", writers.plain(DATA))
        words = ["--join=key", "--preset=plain", "--preset=vllm", trainer]
        done = self.expect(2, "inspect", *words, self.put("b.jsonl", "".join(lines[2:] + [lines[5].replace('"r5"', '"who"')])))
        self.assertIn("3 responses have no partner", done.err)
        self.assertIn("`key`: no record of the trainer that could be read has `who`", done.err)
        self.assertIn("a.jsonl:1: ", done.err)
        told = self.inspect(0, "--unpaired=3", *words, self.folder / "b.jsonl")
        self.assertEqual((told["unpaired"], told["responses"]), (3, len(DATA) - 2))
        done = self.expect(2, "inspect", *words, self.put("b.jsonl", "".join([*lines, lines[7]])))
        self.assertRegex(done.err, r"b\.jsonl:41: .*`key`: `r7` is a duplicate of .*b\.jsonl:(?!41\b)\d+")
        done = self.expect(2, "inspect", *words, self.put("b.jsonl", "".join(lines).replace('"r9"', '"r8"')))
        self.assertIn("1 of 80 records is broken", self.expect(2, "inspect", "--unpaired=1", *words, self.folder / "b.jsonl").err)
        short = json.loads(lines[3])
        short["choices"][0]["logprobs"]["token_logprobs"].pop()
        lines[3] = json.dumps(short) + "\n"
        done = self.expect(2, "inspect", *words, self.put("b.jsonl", "".join(lines)))
        self.assertRegex(done.err, r"b\.jsonl:4: .*the trainer and the server differ in tokens: \d+ and \d+")
        other = writers.sglang(DATA).replace(f"{DATA[0][0][0]}, null]", "63, null]", 1)
        self.put("slime.json", writers.slime(DATA))
        self.put("sglang.jsonl", other)
        done = self.expect(2, "inspect", "--join=samples[].sample_index|meta_info.id", "--preset=slime", "--preset=sglang", "slime.json", "sglang.jsonl",
                           cwd=self.folder)
        self.assertIn("no partner", done.err)
        self.assertIn("requires two files", self.expect(2, "inspect", "--join=id", trainer).err)

    def test_what_the_tables_know_is_told(self):
        shown = self.expect(0, "inspect", "--help").out
        guide = (ROOT / "docs/how-to/recorded-data.md").read_text(encoding="utf-8")
        fields = re.search(r"`--map` knows these fields:\n\n((?:\|.*\n)+)", guide)[1]
        for table, entry, told in (("Presets", "PRESET", shown), ("Roles", "ROLE", fields)):
            rows = re.findall(rf'^{entry}\((?:\w+, )?"([\w-]+)"', (ROOT / f"data/pairing/{table}.def").read_text(), re.M)
            self.assertGreater(len(rows), 5)
            for name in rows:
                self.assertRegex(told, rf"\b{name}\b", table)

    def test_the_page(self):
        told = self.expect(0, "inspect", self.put("a.jsonl", writers.nemo_rl(DATA)))
        self.assertEqual(told.err, "")
        for wanted in ("looks like nemo-rl", r"(?m)^responses +40, of", r"(?m)^padding ", r"(?m)^trainer +-1\.8", r"(?m)^2 to 3 +80 ",
                       r"(?m)^  tikc measure CONTRACT --preset=nemo-rl \S+/a\.jsonl$"):
            self.assertRegex(told.out, wanted)
        self.assertTrue(all(len(line) <= 92 or "/" in line for line in told.out.splitlines()), told.out)


if __name__ == "__main__":
    main()
