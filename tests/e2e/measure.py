"""`tikc measure`: what a contract says of recorded data, held against the same data in NumPy."""

import csv
import gzip
import io
import json
import os
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, contract, main, skip  # noqa: E402

try:
    import checker_coherence
    import numpy
except ModuleNotFoundError as missing:
    skip(f"{missing}; the reference needs python3-numpy")
try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((ROOT / "schemas/measurement.v1.schema.json").read_text())
OBSERVED = "observability:\n  rows: sample(logits, 1%)\n  tokens: sample(logprobs, 100%)\n  requests: sample(requests, 1%)\n"
SLICES = 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math" }\n  code: { when: task == "code" }\n'
GAP = "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 2_000 tokens\n"


def responses(count=200, seed=1, noise=0.02, **more):
    """Responses as objects, of which each field is a list a token, or one value."""
    random = numpy.random.default_rng(seed)
    out = []
    for i in range(count):
        infer = -random.exponential(0.7, int(random.integers(5, 60)))
        train = numpy.minimum(infer + random.normal(0, noise, infer.size), 0)
        out.append({"train": [float(numpy.float32(x)) for x in train], "infer": [float(numpy.float32(x)) for x in infer],
                    "task": ("math", "code", "chat")[i % 3], **{name: value(i) for name, value in more.items()}})
    return out


def lines(records):
    return "".join(json.dumps(each) + "\n" for each in records)


def gaps(record):
    mask = numpy.array(record.get("mask", [1] * len(record["train"])), dtype=bool)
    return (numpy.float32(record["train"]) - numpy.float32(record["infer"]))[mask].astype(numpy.float64)


def windows(records, slice_of, wanted, size):
    """Means of |x| in a slice's windows, and what is left in the last one: an evaluation comes after `size` tokens of all, in whole parts of it."""
    out, open_, since, came, part = [], [], 0, 0, 0
    for record in records:
        if came * 8 // size != part:
            part = came * 8 // size
            if since >= size:
                since = 0
                if len(open_) >= size:
                    out.append(numpy.mean(open_))
                    open_ = []
        since += len(gaps(record))
        came += len(gaps(record))
        if slice_of(record) == wanted:
            open_ += list(numpy.abs(gaps(record)))
    if len(open_) >= size:
        out.append(numpy.mean(open_))
        open_ = []
    return out, len(open_)


class Measure(Case):
    def contract(self, *sections, name="measured", observed=OBSERVED):
        path = self.folder / f"{name}.tikc.yaml"
        path.write_text(contract(name, *sections, observed))
        return path

    def test_whether_logs_are_of_the_law_that_drew(self):
        random = numpy.random.default_rng(11)

        def drawn(count, shift=0):
            """Responses of coherent tokens, whose server's log-probs may be those of tokens beside them."""
            out = []
            for _ in range(count):
                infer = -random.exponential(0.7, 50)
                train = numpy.minimum(infer + random.normal(-0.05**2 / 2, 0.05, 50), 0)
                out.append({"train": train.tolist(), "infer": numpy.roll(infer, shift).tolist()})
            return out

        path = self.contract(observed=OBSERVED + "  logs: coherent(logprobs, 99%)\n")
        nowhere = [{**each, "infer": [*each["infer"][:-1], None]} for each in drawn(40)]
        for records, verdict, status in ((drawn(40), "satisfied", 0), (drawn(2), "undecided", 4), (drawn(40, 1), "violated", 1), (nowhere, "violated", 1)):
            (row,) = json.loads(self.expect(status, "measure", "--format=json", path, self.data(records)).out)["clauses"]
            self.assertEqual(row["verdict"], verdict, row)
            if records is nowhere:
                self.assertEqual((row["value"], row["low"]), ("Infinity", 0))
                continue
            train, infer = (numpy.concatenate([numpy.float32(each[side]) for each in records]) for side in ("train", "infer"))
            reference = checker_coherence.coherence(train, infer, 0.01)
            self.assertAlmostEqual(row["value"], reference.value, delta=1e-6 * reference.value)
            self.assertAlmostEqual(row["low"], reference.low, delta=1e-6 * reference.value)
            self.assertEqual((row["observations"], reference.verdict), (len(train), verdict))
            if verdict == "undecided":
                self.assertIn("a drift of 3% would not have been detected", row["why"])

    def data(self, records, name="data.jsonl"):
        path = self.folder / name
        path.write_text(records if isinstance(records, str) else lines(records))
        return path

    def told(self, status, *words, **options):
        out = json.loads(self.expect(status, "measure", "--format=json", *words, **options).out)
        if jsonschema:
            jsonschema.Draft7Validator.check_schema(SCHEMA)
            jsonschema.validate(out, SCHEMA)
        return out

    def rows(self, status, *words, **options):
        return {(row["clause"], row["slice"]): row for row in self.told(status, *words, **options)["clauses"]}

    def test_values_and_windows_are_numpys(self):
        records = responses(400) + responses(500, seed=2, noise=0.12)
        found = self.rows(1, self.contract(SLICES, GAP), self.data(records))
        for name in ("math", "code", "other"):
            row = found["gap", name]
            means, left = windows(records, lambda each: {"chat": "other"}.get(each["task"], each["task"]), name, 2000)
            self.assertAlmostEqual(row["value"], max(means), delta=1e-6)
            self.assertEqual(row["windows"], {"satisfied": sum(m <= 0.05 for m in means), "violated": sum(m > 0.05 for m in means), "undecided": 0})
            self.assertEqual(row["open"], left)
            self.assertEqual(row["verdict"], "violated")

    def test_what_stands_out_is_where_it_is_said_to_be(self):
        records = responses(120)
        records[77]["train"][3] = records[77]["infer"][3] - 3
        found = self.rows(1, self.contract("numerical:\n  worst: max(abs(logprob_gap)) <= 1\n"), self.data(records))["worst", "other"]
        self.assertEqual(found["worst"][0]["place"].replace(str(self.folder) + "/", ""), "data.jsonl:78, token 3")
        self.assertAlmostEqual(found["worst"][0]["value"], 3, delta=1e-5)

    def test_masks_leave_tokens_out_and_what_is_no_number_satisfies_nothing(self):
        records = responses(100)
        for record in records:
            record["mask"] = [int(i % 3 != 0) for i in range(len(record["train"]))]
            record["train"][0] = 5.0  # masked
        found = self.rows(0, self.contract(GAP.replace("2_000", "1_000")), self.data(records))["gap", "other"]
        means, _ = windows(records, lambda each: "other", "other", 1000)
        self.assertAlmostEqual(found["value"], max(means), delta=1e-6)
        records[5]["train"][1] = float("nan")
        found = self.rows(1, self.contract(GAP.replace("2_000", "1_000")), self.data(records))["gap", "other"]
        self.assertEqual((found["verdict"], found["value"]), ("violated", "Infinity"))

    def test_nothing_depends_on_threads_files_or_packing(self):
        records = responses(300)
        where = self.contract(SLICES, GAP)
        parts = [self.data(records[i * 60:(i + 1) * 60], f"part{i}.jsonl") for i in range(5)]
        whole = self.told(0, where, self.data(records))
        self.assertEqual(self.told(0, "-j1", where, *parts)["clauses"], self.told(0, "-j4", where, *parts)["clauses"])
        packed = self.folder / "data.jsonl.gz"
        packed.write_bytes(gzip.compress(lines(records).encode()))
        without_places = lambda told: [{**row, "worst": []} for row in told["clauses"]]  # noqa: E731
        for other in (self.told(0, where, packed), self.told(0, where, "-", stdin=lines(records))):
            self.assertEqual(without_places(other), without_places(whole))
        whole, split = (without_places(self.told(0, where, "--every=all", *data)) for data in ((packed,), parts))
        for one, other in zip(whole, split):
            self.assertAlmostEqual(one.pop("value"), other.pop("value"), delta=1e-9)
            self.assertEqual([one[name] for name in ("observations", "windows", "open")], [other[name] for name in ("observations", "windows", "open")])

    def test_a_window_that_is_violated_before_its_end_is_one_window(self):
        """A clause with a confidence is, where chance does not explain what came; what comes afterwards is of the same window."""
        where = self.contract("statistical:\n  tail: p99(abs(logprob_gap)) <= 0.2 nat with confidence 99% over 4_000 tokens\n")
        good, bad = ({"train": [-1.0] * size, "infer": [q] * size} for size, q in ((50, -1.0), (30, -2.0)))
        for records, satisfied, violated, left in (([bad] + [good] * 99, 0, 1, 900), ([good] * 80 + [bad], 1, 1, 0), ([bad], 0, 1, 0), ([good] * 90, 1, 0, 500)):
            found = self.rows(1 if violated else 0, where, self.data(records), "--every=2 responses")["tail", "other"]
            self.assertEqual((found["windows"], found["open"]), ({"satisfied": satisfied, "violated": violated, "undecided": 0}, left))

    def test_a_whole_window_is_shown_rather_than_a_part(self):
        where = self.contract("statistical:\n  drift: mean(tv_sampled) <= 10% with confidence 99% over 1_000 tokens\n")
        bad = {"train": [-2.0] * 50, "infer": [-1.0] * 50}
        for count, violated, shown in ((50, 3, 1000), (10, 1, 100)):
            found = self.rows(1, where, self.data([bad] * count), "--every=2 responses")["drift", "other"]
            self.assertEqual((found["windows"]["violated"], found["observations"]), (violated, shown))

    def test_a_copy_counts_once_however_short_windows_are(self):
        """Long before all of a file is read, its first windows are judged."""
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 1 nat over 1 tokens\n")
        records = responses(3000)
        data, copy = self.data(records), self.data(records, "copy.jsonl")
        alone, both = self.told(0, where, data), self.told(0, where, data, copy)
        self.assertEqual(both["clauses"], alone["clauses"])
        self.assertEqual((alone["data"]["repeated"], both["data"]["repeated"]), (0, 1))
        self.assertIn("give only one of them", self.expect(2, "measure", where, data, "-", stdin=lines(records)).err)

    def test_steps_are_windows_of_their_own(self):
        records = responses(160, step=lambda i: i // 32)
        for record in records[64:96]:
            record["train"] = [x - 0.1 for x in record["infer"]]
        found = self.rows(1, self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 1 step\n"), self.data(records))["gap", "other"]
        self.assertEqual(found["windows"], {"satisfied": 4, "violated": 1, "undecided": 0})
        self.assertAlmostEqual(found["value"], 0.1, delta=1e-6)

    def test_files_and_responses_are_judged_as_told(self):
        records = responses(100)
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        files = [self.data(records[:50], "a.jsonl"), self.data(records[50:], "b.jsonl")]
        for every, count in (("all", 1), ("file", 2), ("10 responses", 10)):
            told = self.told(0, where, *files, f"--every={every}")
            self.assertEqual(told["data"]["evaluations"], count, every)
            self.assertEqual(told["clauses"][0]["windows"]["satisfied"], count, every)

    def test_slices_take_fields_of_their_names_and_what_is_mapped(self):
        records = responses(60, prompt_tokens=lambda i: i, kind=lambda i: ("a", "b")[i % 2], source=lambda i: ("math", "code")[i // 30])
        where = self.contract("labels: { kind: [a, b], task: [math, code] }\n", "slices:\n  long: { when: prompt_tokens >= 40 and kind == \"a\" }\n"
                              "  code: { when: task == \"code\" }\n", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        path = self.data([{name: value for name, value in each.items() if name != "task"} for each in records])
        count = lambda wanted: sum(len(each["train"]) for each in records if wanted(each))  # noqa: E731
        is_long = lambda each: each["prompt_tokens"] >= 40 and each["kind"] == "a"  # noqa: E731
        told = self.told(0, where, path, "--map=task=source")
        self.assertEqual(told["data"]["missing"], {})
        self.assertEqual({row["slice"]: row["observations"] for row in told["clauses"]},
                         {"long": count(is_long), "code": count(lambda each: each["source"] == "code" and not is_long(each)), "other": count(lambda each: each["source"] == "math")})
        told = self.told(4, where, path)
        self.assertEqual(told["data"]["missing"], {"task": 60})

    def test_values_that_a_label_does_not_have_are_told(self):
        where = self.contract(SLICES, "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        tasks = ("math", "Math", " math", 1, None, "code", "Math")
        path = self.data(responses(70, task=lambda i: tasks[i % 7]))
        told = self.told(0, where, path, "--every=all")
        self.assertEqual({(each["label"], each["value"]): each["records"] for each in told["data"]["strangers"]},
                         {("task", "Math"): 20, ("task", " math"): 10, ("task", "1"): 10})
        self.assertEqual(told["data"]["missing"], {"task": 10})
        text = self.expect(0, "measure", where, path, "--every=all").out
        self.assertIn("20 records with `Math` for `task`, which the contract does not declare", text)
        self.assertIn("10 records without the field `task`", text)
        told = self.told(4, where, self.data(responses(60, task=lambda i: f"t{i}"), "many.jsonl"), "--every=all")
        self.assertEqual((len(told["data"]["strangers"]), sum(each["records"] for each in told["data"]["strangers"])), (17, 60))
        kept = self.folder / "kept.tikc-evidence"
        self.expect(0, "measure", where, path, "--every=all", "--evidence", kept)
        self.assertEqual(self.told(0, where, kept)["data"]["strangers"], self.told(0, where, path, "--every=all")["data"]["strangers"])

    def test_versions_may_be_texts(self):
        where = self.contract('slices:\n  new: { when: model_version == "step-2" }\n  seventh: { when: model_version == "7" }\n',
                              "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        path = self.data(responses(40, version=lambda i: ("step-1", "step-2", 7, "7")[i % 4]))
        found = self.rows(0, where, path, "--every=all")
        records = [json.loads(line) for line in path.read_text().splitlines()]
        for name, part in (("new", records[1::4]), ("seventh", records[2::4] + records[3::4]), ("other", records[::4])):
            self.assertEqual(found["gap", name]["observations"], sum(len(each["train"]) for each in part), name)
        self.assertIn("text versions (75", self.expect(0, "inspect", path).out)
        self.assertIn("`version`", self.expect(2, "measure", where, self.data([{**records[0], "version": {"a": 1}}], "b.jsonl")).err)

    def test_a_slice_may_begin_within_a_response(self):
        records = responses(200)
        where = self.contract("slices:\n  first: { when: position < 8 }\n", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        found = self.rows(0, where, self.data(records), "--every=all")
        first = numpy.concatenate([numpy.abs(gaps(each))[:8] for each in records])
        rest = numpy.concatenate([numpy.abs(gaps(each))[8:] for each in records])
        for name, values in (("first", first), ("other", rest)):
            self.assertEqual(found["gap", name]["observations"], values.size)
            self.assertAlmostEqual(found["gap", name]["value"], values.mean(), delta=1e-6)

    def test_an_array_is_cut_into_windows_and_its_tokens_are_found(self):
        random = numpy.random.default_rng(7)
        infer = (-random.exponential(0.7, 20_300)).astype(numpy.float32)
        train = numpy.minimum(infer + random.normal(0, 0.02, infer.size).astype(numpy.float32), 0)
        infer[12_345] = train[12_345] - 3
        numpy.savez(self.folder / "flat.npz", train=train, infer=infer)
        where = self.contract(GAP, "numerical:\n  worst: max(abs(logprob_gap)) <= 1 over 2_000 tokens\n")
        found = self.rows(1, where, self.folder / "flat.npz")
        self.assertEqual(found["gap", "other"]["windows"], {"satisfied": 10, "violated": 0, "undecided": 0})
        self.assertEqual(found["gap", "other"]["open"], 300)
        self.assertEqual(found["worst", "other"]["windows"], {"satisfied": 9, "violated": 1, "undecided": 0})
        self.assertRegex(found["worst", "other"]["worst"][0]["place"], "flat[.]npz.*, token 12345$")
        self.assertEqual(self.rows(1, where, self.folder / "flat.npz", "--evidence", self.folder / "kept"), found)
        self.assertEqual(self.rows(1, where, self.folder / "kept"), found)

    def test_rows_of_logits(self):
        random = numpy.random.default_rng(3)
        train = random.normal(0, 2, (50, 64)).astype(numpy.float32)
        infer = train + random.normal(0, 0.1, train.shape).astype(numpy.float32)
        numpy.savez(self.folder / "rows.npz", train_logits=train, infer_logits=infer)
        where = self.contract("model: { vocabulary: 64 }\n", "numerical:\n  tv: mean(tv) <= 0.5\n")
        found = self.rows(0, where, self.folder / "rows.npz", "--map=train_rows=train_logits,infer_rows=infer_logits")["tv", "other"]
        law = lambda rows: numpy.exp(rows - rows.max(1, keepdims=True)) / numpy.exp(rows - rows.max(1, keepdims=True)).sum(1, keepdims=True)  # noqa: E731
        self.assertAlmostEqual(found["value"], (abs(law(train.astype(float)) - law(infer.astype(float))).sum(1) / 2).mean(), delta=1e-5)
        self.assertEqual(self.rows(0, where, self.folder / "rows.npz")["tv", "other"]["value"], found["value"])  # as it is recognised
        wide = self.contract("model: { vocabulary: 64 }\n", "numerical:\n  tv: max(tv) <= 1e-6\n", name="wide")
        worst = abs(law(train.astype(float)) - law(infer.astype(float))).sum(1).argmax()
        self.assertRegex(self.rows(1, wide, self.folder / "rows.npz")["tv", "other"]["worst"][0]["place"], f"rows[.]npz, row {worst + 1}$")
        for vocabulary, says in (("model: { vocabulary: 65 }\n", "50 rows are of 64 logits, but the contract has a vocabulary of 65"), ("", "does not state `model")):
            other = self.contract(vocabulary, "numerical:\n  tv: mean(tv) <= 0.5\n", name="other")
            self.assertIn(says, self.expect(2, "measure", other, self.folder / "rows.npz").err)

    def test_rows_and_tokens_in_one_run(self):
        rows = self.folder / "rows.npz"
        logits = numpy.random.default_rng(4).normal(0, 2, (50, 64)).astype(numpy.float32)
        numpy.savez(rows, train_rows=logits, infer_rows=logits + 0.1 * logits[::-1])
        tokens = self.data(responses(100))
        where = self.contract("model: { vocabulary: 64 }\n", GAP, "numerical:\n  tv: mean(tv) <= 0.5\n")
        alone = [self.rows(4, where, each, "--every=all")[name, "other"] for each, name in ((tokens, "gap"), (rows, "tv"))]
        maps = "--map=train=train,infer=infer,train_rows=train_rows,infer_rows=infer_rows"
        for data in ((tokens, rows), (rows, tokens), (tokens, rows, maps), (rows, tokens, maps)):
            told = self.told(0, where, *data, "--every=all")
            self.assertEqual(told["data"]["broken"], 0)
            found = {each["clause"]: each for each in told["clauses"]}
            for each, name in zip(alone, ("gap", "tv")):
                self.assertEqual((found[name]["verdict"], found[name]["value"]), ("satisfied", each["value"]), data)
        told = json.loads(self.expect(0, "inspect", tokens, rows, "--format=json").out)
        self.assertEqual([each["preset"] for each in told["inputs"]], ["plain", "rows"])
        self.assertEqual((told["responses"], told["rows"]["rows"]), (100, 50))

    def test_too_little_is_undecided_and_says_what_is_missing(self):
        where = self.contract(GAP, "runtime:\n  slow: p99(latency) <= 45 s\n", "numerical:\n  tv: max(tv) <= 0.5\n")
        few = self.data(responses(10))
        found = self.rows(4, where, few)
        self.assertRegex(found["gap", "other"]["why"], r"^its window has \d+ of 2000 tokens$")
        self.assertEqual(found["slow", "other"]["why"], "the data have no times of requests")
        self.assertEqual(found["tv", "other"]["why"], "the data have no rows of logits")
        self.expect(0, "measure", where, few, "--undecided=pass")
        self.expect(1, "measure", where, few, "--undecided=fail")
        self.rows(0, where, self.data(responses(200)), "--clause=gap")

    def test_rounds_are_as_long_as_they_say(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        tens = [{"train": [-1.0] * 10, "infer": [-1.0 - (0.01 if i < 56 else 0.5)] * 10} for i in range(100)]
        for every, evaluations in (("50 responses", 2), ("20 responses", 5), ("9 responses", 11), ("500 tokens", 2), ("30 tokens", 33)):
            told = self.told(1, where, self.data(tens), f"--every={every}")
            self.assertEqual(told["data"]["evaluations"], evaluations, every)
            self.assertEqual(told["data"]["rest"], 1000 - evaluations * int(every.split()[0]) * (10 if "resp" in every else 1))
        self.assertAlmostEqual(self.told(1, where, self.data(tens), "--every=50 responses")["clauses"][0]["value"], (6 * 0.01 + 44 * 0.5) / 50, 6)

    def test_windows_that_are_too_wide_are_named(self):
        """Windows end at evaluations: a breach can be averaged away that the clause's own window shows."""
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.1 nat over 100 tokens\n  each: mean(seq_tv) <= 99% over 5 sequences\n"
                              "  worst: max(abs(logprob_gap)) <= 9 nat over 100 tokens\npromotion: { full: { traffic: 100%, window: 500 tokens } }\n")
        records = self.data([{"train": [-1.0] * 20, "infer": [-1.0 - (0.2 if 40 <= i < 45 else 0)] * 20} for i in range(100)])
        told = self.told(1, where, records)
        self.assertEqual(told["others"], [])
        wide = 'gap on other: judged over 500 tokens, but its window is 100 tokens; an average over more can hide a breach: also measure with --every="100 tokens"'
        told = self.told(0, where, records, "--stage=full")
        self.assertEqual(told["others"], [wide, wide.replace("gap", "each").replace("500 tokens", "25 responses").replace("100 tokens", "5 responses")])
        self.assertIn(wide, " ".join(self.expect(0, "measure", where, records, "--stage=full").out.split()))
        self.assertEqual(self.told(0, where, records, "--every=200 tokens", "--clause=worst")["others"], [])

    def test_what_nothing_can_take_back_counts_in_a_round_that_did_not_end(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 1_000 tokens\n  cap: max(abs(logprob_gap)) <= 1 nat\n")
        good, bad = {"train": [-1.0] * 10, "infer": [-1.01] * 10}, {"train": [-1.0] * 10, "infer": [-4.0] * 10}
        found = self.rows(1, where, self.data([good] * 150 + [bad] * 40))
        self.assertEqual((found["cap", "other"]["verdict"], found["cap", "other"]["value"]), ("violated", 3))
        self.assertEqual(self.rows(0, where, self.data([good] * 190))["cap", "other"]["verdict"], "satisfied")

    def test_who_has_no_step_is_in_no_step(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 1 step\n")
        good, bad = {"train": [-1.0] * 10, "infer": [-1.0] * 10, "step": 1}, {"train": [-2.0] * 10, "infer": [-1.0] * 10}
        for data in ([good] * 5 + [bad] * 90, [good, {**bad, "step": None}]):
            lacking = len([each for each in data if each.get("step") is None])
            self.assertRegex(self.expect(2, "measure", where, self.data(data)).err, rf"{lacking} of {len(data)} responses ha(ve|s) no step, but others do")
        self.expect(0, "measure", self.contract(GAP, name="steps-matter-not"), self.data([good] * 200 + [{**good, "step": None}]))

    def test_plain_names_of_what_is_left_out(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        good, bad = {"train": [-1.0] * 10, "infer": [-1.0] * 10}, {"train": [-2.0] * 10, "infer": [-1.0] * 10}
        for out, keep in (({"kept": 0}, {"kept": 1}), ({"response_mask": [0] * 10}, {"response_mask": [1] * 10})):
            self.assertEqual(self.rows(0, where, self.data([{**bad, **out}] * 50 + [{**good, **keep}]))["gap", "other"]["observations"], 10)

    def test_places_in_a_list_name_the_response(self):
        where = self.contract("statistical:\n  gap: max(abs(logprob_gap)) <= 0.05 nat\n")
        records = [{"train": [-1.0] * 3, "infer": [-1.0] * 3} for _ in range(9)]
        records[6]["train"][1] = -9.0
        for text in (json.dumps(records), json.dumps(records, indent=1)):
            (place,) = self.rows(1, where, self.data(text, "list.json"))["gap", "other"]["worst"]
            self.assertRegex(place["place"], r"list[.]json, response 7, token 1$")

    def test_who_has_no_mask_does_not_count_whole(self):
        """Where the others say which of their tokens count."""
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        record = {"train": [-1.0] * 10, "infer": [-1.0] * 8 + [-1.06] * 2}
        for mark in ({"mask": [0] * 8 + [1] * 2}, {"length": 8}):
            told = self.expect(2, "measure", where, self.data([{**record, **mark}, record]), "--map=train=train,infer=infer," + "".join(f"{name}={name}" for name in mark))
            self.assertIn(f"1 of 2 responses has no `{next(iter(mark))}`, but others do", told.err)
        self.assertEqual(self.rows(1, where, self.data([{**record, "mask": [0] * 8 + [1] * 2}] * 2))["gap", "other"]["observations"], 4)

    def test_rows_that_fill_an_array_up_are_none(self):
        where = self.contract("numerical:\n  tv: mean(tv) <= 0.3\n", observed=OBSERVED, name="filled")
        random = numpy.random.default_rng(3)
        train = random.normal(0, 3, (3, 30, 64)).astype(numpy.float32)
        infer = random.normal(0, 3, (3, 30, 64)).astype(numpy.float32)
        train[:, 10:], infer[:, 10:] = 0, 0
        numpy.savez(self.folder / "filled.npz", train_rows=train, infer_rows=infer)
        text = where.read_text().replace("pair:", "model: { vocabulary: 64 }\npair:", 1)
        where.write_text(text if "vocabulary: 64" in text else text + "model: { vocabulary: 64 }\n")
        found = self.rows(1, where, self.folder / "filled.npz")["tv", "other"]
        self.assertEqual(found["observations"], 30)

    def test_a_round_that_did_not_end_is_judged_by_nobody(self):
        """As a window of a clause's own: told, and neither a pass nor a violation."""
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        good, bad = responses(200), responses(20, seed=2, noise=0.5)
        tokens = sum(len(each["train"]) for each in good + bad)
        for every in (f"{tokens + 1} tokens", "221 responses"):
            for records in (good, bad + good):
                found = self.told(4, where, self.data(records), f"--every={every}")
                row = found["clauses"][0]
                self.assertEqual((row["windows"], row["verdict"]), ({"satisfied": 0, "violated": 0, "undecided": 0}, "undecided"))
                self.assertEqual((found["data"]["rest"], found["data"]["evaluations"]), (sum(len(each["train"]) for each in records), 0))
                self.assertIn("no window ended", row["why"])
        # The tail is bad, and no round of its own.
        found = self.told(0, where, self.data(good + bad), "--every=200 responses")
        self.assertEqual((found["clauses"][0]["windows"]["satisfied"], found["data"]["evaluations"]), (1, 1))
        self.assertEqual((found["data"]["rest"], found["clauses"][0]["open"]), (sum(len(each["train"]) for each in bad),) * 2)
        self.assertIn("after the last evaluation: ", self.expect(0, "measure", where, self.folder / "data.jsonl", "--every=200 responses").out)
        self.told(1, where, self.data(good + bad), "--every=10 responses")
        timed = self.data([{**each, "time": 1000 + i} for i, each in enumerate(good + bad)])
        self.assertEqual(self.told(4, where, timed, "--every=1000 s")["data"]["evaluations"], 0)
        self.assertEqual(self.told(0, where, timed, "--every=200 s")["data"]["evaluations"], 1)
        self.told(1, where, self.data(bad), "--every=all")
        stage = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n", "promotion:\n  full: { traffic: 100%, window: 10 min }\n", name="staged")
        self.told(4, stage, self.data([{**each, "time": 1000 + i} for i, each in enumerate(good + bad)]), "--stage=full")

    def test_an_interval_says_what_it_takes(self):
        where = self.contract("statistical:\n  gap: mean(prob_gap) <= 0.02 with confidence 99%\n")
        found = self.rows(4, where, self.data(responses(40, noise=0.03)))["gap", "other"]
        self.assertLess(found["low"], 0.02)
        self.assertGreater(found["high"], 0.02)
        self.assertRegex(found["why"], "^the bound is within its interval; about [0-9]+ more observations")

    def test_rules_are_told(self):
        records = responses(200) + responses(200, seed=2, noise=0.12) + responses(200, seed=3)
        rule = 'escalation:\n  drift: { when: violated(gap), do: alert("us"), until: satisfied(gap) }\n'
        told = self.told(1, self.contract(GAP, rule), self.data(records))
        self.assertEqual([(each["rule"], each["change"]) for each in told["rules"]], [("drift", "starts"), ("drift", "ends")])

    def test_a_rule_that_comes_and_goes_is_told_first_and_last(self):
        good, bad = {"train": [-1.0], "infer": [-1.0]}, {"train": [-1.5], "infer": [-1.0]}
        rule = 'escalation:\n  drift: { when: violated(gap), do: alert("us"), until: satisfied(gap) }\n'
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 1 tokens\n", rule)
        evidence = self.folder / "e.tikc-evidence"
        for count, more in ((64, 0), (65, 2), (300, 472)):
            told = self.told(1, where, self.data([bad, good] * count), "--evidence", evidence)
            changes = [("starts", "ends")[i % 2] for i in range(2 * count)]
            numbered = list(enumerate(changes, 1))
            shown = numbered if more == 0 else numbered[:64] + numbered[-64:]
            self.assertEqual([(each["evaluation"], each["change"]) for each in told["rules"]], shown)
            self.assertEqual(told["rules_left_out"], more)
            words = ("measure", where, self.folder / "data.jsonl")
            self.assertIn(f"and {2 * count - 8} more rule changes\n", self.expect(1, *words).out)
            self.assertEqual(f"{more} changes between the first 64 and the last 64 are only counted" in self.expect(1, *words, "--format=markdown").out, more != 0)
            # What is done is told as it comes, and all of it.
            routed = self.expect(0, "route", where, evidence, "--format=json").out.splitlines()
            self.assertEqual([(each["tick"], each["change"]) for each in map(json.loads, routed)], numbered)

    def test_broken_records_are_located_and_none_is_passed_over_in_silence(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        text = lines(responses(5)) + '{"train": [1, "x"], "infer": [1, 2]}\n' + lines(responses(5, seed=4))
        path = self.data(text)
        done = self.expect(2, "measure", where, path)
        self.assertRegex(done.err, r"data\.jsonl:6\b")
        self.assertEqual(done.out, "")
        told = self.told(0, where, path, "--broken=1")
        self.assertEqual((told["data"]["broken"], told["data"]["responses"]), (1, 10))

    def test_no_log_prob_is_above_0(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n  even: effective_share(ratio) >= 50%\n")
        good = responses(9)
        for side in ("train", "infer"):
            for number in (0.7, 0.002, 3e38):
                odd = json.loads(json.dumps(good))
                odd[4][side][3] = number
                path = self.data(odd)
                done = self.expect(2, "measure", where, path)
                self.assertRegex(done.err, rf"data\.jsonl:5: .*`{side}`: token 3: expected a log-prob of at most 0, found ")
                self.assertIn("1 of 9 records is broken", done.err)
                self.assertEqual(done.out, "")
                told = self.told(0, where, path, "--broken=1")
                self.assertEqual(told["data"]["broken"], 1)
                left = self.told(0, where, self.data(good[:4] + good[5:]))
                self.assertEqual([row["observations"] for row in told["clauses"]], [row["observations"] for row in left["clauses"]])
        # As evidence, which whoever judges it has to allow.
        self.expect(0, "measure", where, path := self.data(odd), "--broken=1", "--evidence", self.folder / "odd.evidence")
        self.assertIn("1 broken record was skipped when the evidence was made", self.expect(2, "measure", where, self.folder / "odd.evidence").err)
        for form in ("text", "markdown", "csv", "junit"):
            self.assertIn("1 broken record was skipped", self.expect(0, "measure", where, path, "--broken=1", f"--format={form}").out, form)
        # What rounding leaves of a sure token is told of nobody, nor is what the mask takes out.
        good[2]["train"][0] = 0.0005
        for each in good:
            each["mask"] = [1] * len(each["train"])
        good[3]["train"][1], good[3]["mask"][1] = 0.7, 0
        self.assertEqual(self.told(0, where, self.data(good))["data"]["broken"], 0)
        # Probabilities are no log-probs, however well they agree.
        odds = [{side: [min(1.0, 0.5 + i / 60 + at / 90) for at in range(9)] for side in ("train", "infer")} for i in range(20)]
        self.assertIn("20 of 20 records are broken", self.expect(2, "measure", where, self.data(odds)).err)

    def test_numbers_of_double_precision_are_subtracted_before_they_are_rounded(self):
        """Gaps of 1e-9 around a log-prob of -10, which single precision has not: each figure is that of NumPy, from whatever form the data came."""
        random = numpy.random.default_rng(5)
        infer = -10 - random.random((40, 30))
        gap = random.normal(0, 1e-9, infer.shape)
        gap[7, 3] = -5e-9
        train = infer + gap
        x = train - infer
        where = self.contract("statistical:\n  size: mean(abs(logprob_gap)) <= 1e-6 nat\n  drift: mean(logprob_gap) <= 1e-6 nat\n  kl: mean(k2) <= 1e-6\n"
                              "  odds: mean(prob_gap) <= 1e-6\n  most: p99(prob_gap) <= 1e-6\n  clipped: rate(abs(logprob_gap) > 2e-9) <= 50%\n"
                              "  far: p99(abs(logprob_gap)) <= 1e-6 nat\n  whole: mean(abs(seq_log_ratio)) <= 1e-6 nat\n"
                              "numerical:\n  worst: max(abs(logprob_gap)) <= 1e-6\n")
        expected = {"size": abs(x).mean(), "drift": x.mean(), "kl": (x**2).mean() / 2, "odds": abs(numpy.exp(train) - numpy.exp(infer)).mean(),
                    "clipped": 100 * (abs(x) > 2e-9).mean(), "whole": abs(x.sum(axis=1)).mean(), "worst": abs(x).max()}
        records = [{"id": i, "train": list(p), "infer": list(q)} for i, (p, q) in enumerate(zip(train, infer))]
        numpy.savez(self.folder / "all.npz", train=train, infer=infer)
        sides = [self.data([{"id": each["id"], side: each[side]} for each in order], f"{side}.jsonl") for side, order in (("train", records), ("infer", records[::-1]))]
        shifted = self.data([{"train": [0.0, *each["train"]], "infer": [*each["infer"], 0.0]} for each in records], "shifted.jsonl")
        for data in ((self.data(records),), (self.folder / "all.npz",), (*sides, "--join=id", "--map=train=train,infer=infer,key=id"),
                     (shifted, "--shift=1", "--map=train=train,infer=infer")):
            rows = self.rows(0, where, *data)
            for clause, value in expected.items():
                self.assertAlmostEqual(rows[clause, "other"]["value"] / value, 1, delta=2e-6, msg=(clause, data))
            self.assertAlmostEqual(rows["far", "other"]["value"] / numpy.quantile(abs(x), 0.99), 1, delta=0.05)
            told = json.loads(self.expect(0, "inspect", *data, "--format=json").out)
            self.assertAlmostEqual(told["drift"]["mean_abs"] / abs(x).mean(), 1, delta=1e-6)
        self.assertEqual(self.rows(0, where, self.data(records))["worst", "other"]["worst"][0]["place"].rpartition("/")[2], "data.jsonl:8, token 3")
        # What floats hold is as it was, beside numbers that they do not hold, and wherever it is written.
        floats = responses(60)
        alone, among = (self.rows(1, self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 1e-3 nat\n  odd: mean(k3) <= 1e-9 nat\n"), self.data(each))
                        for each in (floats, [{**each, "train": [*each["train"], -10.0 - 1e-9], "infer": [*each["infer"], -10.0 - 1e-9]} for each in floats]))
        for clause in ("gap", "odd"):
            total = [rows[clause, "other"]["value"] * rows[clause, "other"]["observations"] for rows in (alone, among)]
            self.assertAlmostEqual(total[0] / total[1], 1, delta=1e-12)

    def test_weights_that_are_nearly_nothing_are_no_even_share(self):
        where = self.contract("statistical:\n  even: effective_share(ratio) >= 50%\n  whole: effective_share(seq_ratio) >= 50%\n")
        for first, is_known in ((-1.0, True), (-50.0, False), (-90.0, False), (-400.0, False), (-2000.0, False)):
            rows = self.rows(1, where, self.data([{"train": [first - i - 0.5], "infer": [-0.5]} for i in range(64)]))
            found = rows["even", "other"]
            self.assertEqual((found["verdict"], found["low"], found["high"]), ("violated", *((found["value"],) * 2 if is_known else (0, 100))), first)
            self.assertEqual(rows["whole", "other"]["verdict"], "violated", first)
        self.assertEqual({row["verdict"] for row in self.rows(0, where, self.data([{"train": [-1.5], "infer": [-0.5]}] * 64)).values()}, {"satisfied"})

    def test_every_form_tells_what_is_judged_by_nobody(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.5 nat\n")
        broken = self.data([*responses(9), {"train": [1], "infer": [1, 2]}])
        sides = [self.data([{"id": i, side: [-1.0]} for i in range(count)], f"{side}.jsonl") for side, count in (("train", 5), ("infer", 4))]
        for words, expected in (((broken, "--broken=1"), "1 broken record was skipped"),
                                ((*sides, "--join=id", "--map=train=train,infer=infer,key=id", "--unpaired=1"), "1 response with only one side was skipped")):
            for form in ("text", "markdown", "csv", "junit"):
                self.assertIn(expected, self.expect(0, "measure", where, *words, f"--format={form}").out, form)
            self.assertIn(expected, self.expect(0, "measure", where, *words, "--quiet").out)

    def test_what_is_handed_in_is_found_by_its_own_name(self):
        where = self.contract("assumptions: { reward: [0, 1], advantage: 5, score_norm: 2 }\nstatistical:\n  gap: mean(abs(logprob_gap)) <= 0.5 nat\n", name="given")
        plain = {"lp": [-1.0, -2.0], "lq": [-1.0, -2.0]}
        states = lambda record, *words: {row["assumption"]: row["state"] for row in self.told(0, where, self.data([record] * 9), "--map=train=lp,infer=lq", *words)["assumptions"]}  # noqa: E731
        self.assertEqual(states({**plain, "reward": 1.25, "advantage": -9, "score_norm": 1}), {"reward": "broken", "advantage": "broken", "score_norm": "held"})
        # Of a list each end counts, and no norm is below 0, nor is a reward of -9999 none.
        self.assertEqual(states({**plain, "reward": [-0.5, 0.9], "advantage": [-6, 6], "score_norm": [-0.5, 1]}), {"reward": "broken", "advantage": "broken", "score_norm": "broken"})
        self.assertEqual(states({**plain, "reward": -9999})["reward"], "broken")
        self.assertIn("reward has 3 tokens", self.expect(2, "measure", where, self.data([{**plain, "reward": [0, 0, 0]}]), "--map=train=lp,infer=lq").err)

    def test_what_no_window_disproves_all_may(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.5 nat over 400 tokens\n", observed=OBSERVED + "  logs: coherent(logprobs, 99%)\n", name="whole")
        data = self.data([{"train": [-1 + 0.015] * 50, "infer": [-1.0] * 50}] * 400)
        rows = {row["clause"]: row for row in self.told(1, where, data)["clauses"]}
        self.assertEqual((rows["logs"]["verdict"], rows["logs"]["windows"]["violated"], rows["logs"]["observations"]), ("violated", 1, 20_000))
        self.assertGreater(rows["gap"]["windows"]["satisfied"], 40)

    def test_what_is_not_known_is_of_no_slice_that_asks_for_it(self):
        where = self.contract("slices:\n  short: { when: prompt_tokens <= 4 }\n", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.5 nat\n", name="prompts")
        told = self.told(0, where, self.data([{"train": [-1.0], "infer": [-1.0], **({"prompt_tokens": 3} if i < 4 else {})} for i in range(10)]))
        self.assertEqual({row["slice"]: row["observations"] for row in told["clauses"]}, {"short": 4, "other": 6})

    def test_a_percentage_has_its_sign(self):
        where = self.contract("statistical:\n  tv: mean(tv_sampled) <= 50%\n", name="percent")
        self.assertIn("9.516%", self.expect(0, "measure", where, self.data([{"train": [-1.1], "infer": [-1.0]}] * 9)).out)

    def test_wrong_use(self):
        where, path = self.contract(GAP), self.data(responses(5))
        for words, says in ((("--clause=gpa",), "invalid value `gpa` for --clause; expected one of gap"), (("--clause=tokens",), "invalid value `tokens` for --clause"),
                            (("--every=step",), "requires data with a step"), (("--every=30 s",), "requires data with a time"), (("--pair=x",), "expected one of trainer_to_rollout"),
                            (("--every=often",), "step, file, all"), (("--every=1.5 tokens",), "step, file, all"), (("--every=0.5 responses",), "step, file, all"),
                            ((f"--every={'9' * 30} tokens",), "step, file, all"), (("--stage=full",), "unknown stage `full`")):
            self.assertIn(says, self.expect(2, "measure", where, path, *words).err)
        for name in ("x", "./x"):
            self.assertIn("is given for both --output and --evidence", self.expect(2, "measure", where, path, "-o", "x", "--evidence", name, cwd=self.folder).err)
        self.assertFalse((self.folder / "x").exists())
        self.assertIn("nowhere.jsonl", self.expect(2, "measure", where, self.folder / "nowhere.jsonl").err)
        self.assertIn("missing argument DATA", self.expect(2, "measure", where).err)
        self.expect(2, "measure", where, self.data("", "empty.jsonl"))
        faulty = self.contract("statistical:\n  gap: mean(gpa) <= 1\n", name="faulty")
        self.assertIn("cannot be measured", self.expect(2, "measure", faulty, path).err)

    def test_what_is_asked_of_nothing_is_no_pass(self):
        sampled = self.contract(name="sampled")
        self.assertIn("all check live sampling rates", self.expect(2, "measure", sampled, self.data(responses(5))).err)

    def test_responses_of_one_side_are_no_data(self):
        one = [{"id": str(i), "choices": [{"logprobs": {"token_logprobs": each["infer"]}}]} for i, each in enumerate(responses(5))]
        self.assertIn("5 responses have log-probs of only one side", self.expect(2, "measure", self.contract(GAP), self.data(one)).err)

    def test_a_copy_of_a_file_counts_once(self):
        records = responses(60)
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        files = [self.data(records, "a.jsonl"), self.data(responses(60, seed=2), "b.jsonl"), self.data(records, "copy.jsonl")]
        once, twice = (self.told(0, where, "--every=all", *files[:count]) for count in (2, 3))
        self.assertEqual((once["data"].pop("repeated"), twice["data"].pop("repeated")), (0, 1))
        self.assertEqual(once, twice)
        (self.folder / "packed.jsonl.gz").write_bytes(gzip.compress(files[0].read_bytes()))
        self.assertEqual(self.told(0, where, "--every=all", *files[:2], self.folder / "packed.jsonl.gz")["data"]["repeated"], 1)
        self.assertIn("1 piece with the bytes of another one", self.expect(0, "measure", where, "--every=all", *files).out)

    def test_windows_of_time(self):
        """Ten responses a second; each window is what came in two seconds of the data's own."""
        records = responses(200, time=lambda i: 1000 + i / 10)
        for record in records[60:80]:
            record["train"] = [x - 0.1 for x in record["infer"]]
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 2 s\n")
        found = self.rows(1, where, self.data(records))["gap", "other"]
        self.assertEqual(found["windows"], {"satisfied": 8, "violated": 1, "undecided": 0})
        self.assertAlmostEqual(found["value"], 0.1, delta=1e-6)
        self.assertEqual(found["observations"], sum(len(each["train"]) for each in records[60:80]))
        self.assertEqual(found["open"], sum(len(each["train"]) for each in records[180:]))

    def test_names_of_files_do_not_break_junit(self):
        where = self.contract(GAP)
        lines = "".join(json.dumps(each) + "\n" for each in responses(400, noise=0.5))
        for name in ("a\x1b[31m.jsonl", "a\n::error::x\n.jsonl", "a\u202e.jsonl", b"a\xff\xfe.jsonl"):
            with self.subTest(name=name):
                path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
                with open(path, "w") as file:
                    file.write(lines)
                out = self.expect(1, "measure", "--format=junit", where, os.fsdecode(path)).out
                self.assertEqual(len(xml.fromstring(out).findall(".//failure")), 1)
                self.assertFalse(any(line.startswith("::") for line in out.splitlines()))
                self.assertNotIn("\u202e", out)

    def test_every_form_has_every_row(self):
        where, path = self.contract(SLICES, GAP), self.data(responses(400) + responses(500, seed=2, noise=0.12))
        table = list(csv.DictReader(io.StringIO(self.expect(1, "measure", "--format=csv", where, path).out)))
        self.assertEqual([(row["clause"], row["slice"], row["verdict"]) for row in table],
                         [("gap", name, "violated") for name in ("math", "code", "other")])
        cases = xml.fromstring(self.expect(1, "measure", "--format=junit", where, path).out).findall(".//testcase")
        self.assertEqual([case.find("failure") is not None for case in cases], [True] * 3)
        self.assertEqual(self.expect(1, "measure", "--format=markdown", where, path).out.count("**violated**"), 3)
        text = self.expect(1, "measure", where, path).out
        self.assertIn("0 satisfied, 3 violated, 0 undecided", text)
        self.assertNotIn("\x1b", text)
        self.assertIn("\x1b[31mviolated", self.expect(1, "measure", "--color=always", where, path).out)
        quiet = self.contract(GAP.replace("0.05", "0.5"), name="quiet")
        self.assertEqual(len(self.expect(0, "measure", "-q", quiet, path).out.splitlines()), 1)


if __name__ == "__main__":
    main()
