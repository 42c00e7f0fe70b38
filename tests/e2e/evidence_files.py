"""Evidence files and `tikc merge`: joined in any order and grouping, judged as the data are, and refused where anything is wrong."""

import fcntl
import json
import os
import random
import resource
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, REPEATS, TIKC, Case, contract, main, wait_until  # noqa: E402

OBSERVED = "observability:\n  rows: sample(logits, 1%)\n  tokens: sample(logprobs, 100%)\n"
SLICES = 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math" }\n'
CLAUSES = """numerical:
  far: p99(abs(logprob_gap)) <= 1 nat
  worst: max(abs(logprob_gap)) <= 1 nat
statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat over 500 tokens
  each: mean_by_response(abs(k1)) <= 0.05
"""
RULE = 'escalation:\n  drift: { when: violated(gap), do: alert("us"), until: satisfied(gap) }\n'
STEPS = "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 1 step\n"


def responses(count, seed, noise=0.02, **more):
    draw = random.Random(seed)
    out = []
    for i in range(count):
        infer = [-draw.expovariate(1.4) for _ in range(draw.randint(3, 30))]
        out.append({"train": [min(x + draw.gauss(0, noise), 0) for x in infer], "infer": infer, "task": ("math", "chat")[i % 2],
                    **{name: value(i) for name, value in more.items()}})
    return out


def waits_for_lock(process, folder):
    """Whether a process has opened a folder and sleeps, as it does only where another one has locked it."""
    about = Path(f"/proc/{process}")
    links = [os.path.realpath(each) for each in (about / "fd").iterdir()]
    return str(folder) in links and (about / "stat").read_text().rpartition(")")[2].split()[0] == "S"


class Evidence(Case):
    def contract(self, *sections, name="kept", file=None):
        return self.write(f"{file or name}.tikc.yaml", contract(name, *sections, OBSERVED))

    def data(self, name, records):
        return self.write(name, "".join(json.dumps(each) + "\n" for each in records))

    def measured(self, *words, statuses=(0, 1, 4)):
        done = self.tikc("measure", "--format=json", *words)
        self.assertIn(done.returncode, statuses, done.err)
        return json.loads(done.out)

    def kept(self, where, name, *data):
        """Evidence of data, and what measuring them says."""
        path = self.folder / f"{name}.tikc-evidence"
        return path, self.measured(where, *data, "--evidence", path)

    def merged(self, name, *parts):
        path = self.folder / f"{name}.tikc-evidence"
        self.expect(0, "merge", *parts, "-o", path)
        return path

    def refused(self, *words):
        done = self.expect(2, *words)
        self.assertEqual(done.out, "")
        return done.err

    def test_merges_into_one_file_at_once_lose_nothing(self):
        where = self.contract(CLAUSES)
        run, *parts = (self.kept(where, f"part{i}", self.data(f"{i}.jsonl", responses(20, i)))[0] for i in range(13))
        first, whole = run.read_bytes(), self.merged("whole", run, *parts).read_bytes()
        for _ in range(0, REPEATS, len(parts)):
            run.write_bytes(first)
            started = [subprocess.Popen([TIKC, "merge", run, part, "-o", run], stdout=subprocess.DEVNULL) for part in parts]
            self.assertEqual([each.wait(PATIENCE) for each in started], [0] * len(parts))
            self.assertEqual(run.read_bytes(), whole)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.suffix in (".tmp", ".lock")], [])

    def test_of_two_that_keep_evidence_in_one_file_one_is_refused(self):
        where, run = self.contract(CLAUSES), self.folder / "run.tikc-evidence"
        data = [self.data(f"{i}.jsonl", responses(2000, i)) for i in range(3)]
        started = [subprocess.Popen([TIKC, "measure", where, each, "--evidence", run], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for each in data]
        told = [(each.communicate(timeout=PATIENCE)[1], each.returncode) for each in started]
        # They may also run one after another.
        for error, status in told:
            self.assertTrue(status != 2 or "was changed by another process meanwhile" in error, error)
        self.assertIn(run.read_bytes(), [self.kept(where, f"alone{i}", each)[0].read_bytes() for i, each in enumerate(data)])

    def test_of_merges_that_only_write_a_file_one_at_a_time_does(self):
        where, run = self.contract(CLAUSES), self.folder / "run.tikc-evidence"
        parts = [self.kept(where, f"part{i}", self.data(f"{i}.jsonl", responses(20, i)))[0] for i in range(4)]
        for _ in range(5):
            run.unlink(missing_ok=True)
            started = [subprocess.Popen([TIKC, "merge", part, "-o", run], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for part in parts]
            told = [(each.communicate(timeout=PATIENCE)[1], each.returncode) for each in started]
            for error, status in told:  # they may also run one after another
                self.assertTrue(status == 0 or "was changed by another process meanwhile" in error, error)
            self.assertIn(run.read_bytes(), [self.merged("alone", part).read_bytes() for part in parts])

    def test_a_merge_that_only_writes_a_file_replaces_nothing_new(self):
        where, run = self.contract(CLAUSES), self.folder / "run.tikc-evidence"
        parts = [self.kept(where, f"part{i}", self.data(f"{i}.jsonl", responses(20, i)))[0] for i in range(2)]
        folder = os.open(self.folder, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        waiting = subprocess.Popen([TIKC, "merge", parts[0], "-o", run], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: waits_for_lock(waiting.pid, self.folder))
        run.write_bytes(parts[1].read_bytes())
        os.close(folder)
        error = waiting.communicate(timeout=PATIENCE)[1]
        self.assertEqual((waiting.returncode, "was changed by another process meanwhile" in error), (2, True), error)
        self.assertEqual(run.read_bytes(), parts[1].read_bytes())

    def test_evidence_that_another_process_adds_is_not_replaced(self):
        where = self.contract(CLAUSES)
        run, part = (self.kept(where, f"part{i}", self.data(f"{i}.jsonl", responses(20, i)))[0] for i in range(2))
        waiting = subprocess.Popen([TIKC, "measure", where, "-", "--evidence", run], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # More than a pipe holds: it has begun to read when all is written.
        waiting.stdin.write(self.data("long.jsonl", responses(2000, 5)).read_text())
        waiting.stdin.flush()
        self.expect(0, "merge", run, part, "-o", run)
        merged = run.read_bytes()
        error = waiting.communicate(timeout=PATIENCE)[1]
        self.assertEqual((waiting.returncode, "was changed by another process meanwhile" in error), (2, True), error)
        self.assertEqual(run.read_bytes(), merged)

    def test_a_file_of_two_names_is_refused(self):
        where = self.contract(CLAUSES)
        run, part = (self.kept(where, f"part{i}", self.data(f"{i}.jsonl", responses(5, i)))[0] for i in range(2))
        before = run.read_bytes()
        twin = self.folder / "twin"
        twin.hardlink_to(run)
        for words in (("merge", run, part, "-o", twin), ("measure", where, self.folder / "0.jsonl", "--evidence", twin), ("measure", where, part, "--evidence", twin)):
            said = self.expect(2, *words)
            self.assertEqual((said.out, "the file has several hard links" in said.err), ("", True), said.err)
        self.assertEqual(twin.read_bytes(), before)
        # A link to a name is followed.
        twin.unlink()
        twin.symlink_to(run)
        self.expect(0, "merge", run, part, "-o", twin)
        self.assertNotEqual(run.read_bytes(), before)
        self.assertTrue(twin.is_symlink())

    def test_evidence_says_what_its_data_do(self):
        where = self.contract(SLICES, CLAUSES, RULE)
        drifting = responses(60, 2, noise=0.2)
        drifting[7]["train"][1] = drifting[7]["infer"][1] - 9
        # Named in an order that is not that of their names.
        files = [self.data(name, records) for name, records in (("b.jsonl", responses(90, 1)), ("a.jsonl", drifting), ("c.jsonl", responses(90, 3)))]
        for every in ((), ("--every=file",), ("--every=all",), ("--every=7 responses",)):
            path, told = self.kept(where, "all", *files, *every)
            self.assertEqual(self.measured(where, path), told, every)
            self.assertEqual(told["verdict"], "violated")
        self.assertIn("a.jsonl:8, token 1", [row for row in told["clauses"] if row["clause"] == "worst" and row["slice"] == "other"][0]["worst"][0]["place"])
        self.assertTrue(told["rules"])
        # And each form does.
        for form in ("text", "markdown", "csv", "junit"):
            self.assertEqual(self.expect(1, "measure", where, path, f"--format={form}").out,
                             self.expect(1, "measure", where, *files, "--every=7 responses", f"--format={form}").out)
        # What was missed by records, by clauses, and what passes are the same, too.
        self.assertEqual(self.measured(where, path, "--clause=each"), self.measured(where, *files, "--every=7 responses", "--clause=each"))

    def test_merging_keeps_no_order_and_no_grouping(self):
        where = self.contract(SLICES, CLAUSES)
        parts = [self.kept(where, f"part{i}", self.data(f"part{i}.jsonl", responses(8, i)))[0] for i in range(100)]
        whole = self.merged("whole", *parts)
        self.assertEqual(self.measured(where, whole), self.measured(where, *sorted(self.folder.glob("part*.jsonl"))))
        draw = random.Random(5)
        for attempt in range(4):
            # As a tree: any two of what there is, some of it twice.
            left = parts + draw.sample(parts, 10)
            draw.shuffle(left)
            made = 0
            while len(left) > 1:
                some = [left.pop() for _ in range(min(len(left), draw.randint(2, 40)))]
                left.insert(draw.randrange(len(left) + 1), self.merged(f"tree{attempt}.{made}", *some))
                made += 1
            self.assertEqual(left[0].read_bytes(), whole.read_bytes())
        # Twice the same changes nothing, also in place.
        self.expect(0, "merge", whole, parts[3], whole, "-o", whole)
        self.assertEqual(left[0].read_bytes(), whole.read_bytes())
        self.assertEqual(self.merged("alone", parts[0]).read_bytes(), parts[0].read_bytes())

    def test_what_overlaps_counts_once(self):
        where = self.contract(SLICES, CLAUSES)
        a, b, c = (self.data(f"{name}.jsonl", responses(30, i)) for i, name in enumerate("abc"))
        ab, bc = self.kept(where, "ab", a, b)[0], self.kept(where, "bc", b, c)[0]
        both = self.merged("both", ab, bc)
        self.assertEqual(both.read_bytes(), self.merged("turned", bc, ab).read_bytes())
        told, all_ = self.measured(where, both, statuses=(0, 1, 4)), self.measured(where, a, b, c)
        self.assertEqual(told["data"], all_["data"])
        # Several are joined by measuring them, and what was copied is the same data.
        self.assertEqual(self.measured(where, bc, ab), told)
        copied = self.write("copy/of-b.jsonl", b.read_bytes())
        with_copy = self.measured(where, self.merged("copied", ab, bc, self.kept(where, "copy", copied)[0]), "--clause=worst")
        self.assertEqual([with_copy["data"][key] for key in ("tokens", "responses", "records")], [told["data"][key] for key in ("tokens", "responses", "records")])
        path, twice = self.kept(where, "twice", b, copied)
        self.assertEqual(twice["data"]["repeated"], 1)
        of_one = self.measured(where, b)
        self.assertEqual(twice, {**of_one, "data": {**of_one["data"], "repeated": 1}})
        self.assertEqual(self.measured(where, path), of_one)

    def test_ranks_are_judged_step_by_step(self):
        where = self.contract(STEPS)
        ranks = [responses(60, rank, step=lambda i: i // 20) for rank in range(3)]
        for record in ranks[1][20:40]:
            record["train"] = [x - 0.4 for x in record["infer"]]
        parts = [self.kept(where, f"rank{i}", self.data(f"rank{i}.jsonl", each))[0] for i, each in enumerate(ranks)]
        told = self.measured(where, self.merged("all", *parts))
        by_step = self.data("by-step.jsonl", [each for step in range(3) for rank in ranks for each in rank[step * 20:step * 20 + 20]])
        row, other = (each["clauses"][0] for each in (told, self.measured(where, by_step)))
        self.assertEqual(row["windows"], {"satisfied": 2, "violated": 1, "undecided": 0})
        self.assertEqual([row[key] for key in ("windows", "observations", "open", "verdict")], [other[key] for key in ("windows", "observations", "open", "verdict")])
        self.assertAlmostEqual(row["value"], other["value"], delta=1e-9)

    def test_times_put_runs_in_their_order(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        early, late = (self.kept(where, name, self.data(f"{name}.jsonl", responses(40, seed, noise, time=lambda i, at=start: at + i)), "--every=10 s")[0]
                       for seed, name, start, noise in ((1, "z", 100, 0.02), (2, "a", 140, 0.2)))
        told = self.measured(where, self.merged("both", early, late))
        self.assertEqual(told["clauses"][0]["windows"]["satisfied"], 4)
        self.assertEqual(told["clauses"], self.measured(where, self.folder / "z.jsonl", self.folder / "a.jsonl", "--every=10 s")["clauses"])
        self.assertIn("the time goes back from 179 to 100 s in `", self.expect(2, "measure", where, self.folder / "a.jsonl", self.folder / "z.jsonl", "--every=10 s").err)
        self.assertIn("seconds 100 to 179", self.expect(0, "merge", late, early, "-o", "both.tikc-evidence").out)

    def test_a_time_in_the_far_future_does_not_end_the_judging(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        times = [100, 105, 1e12, 110, 115, 120]
        data = self.data("far.jsonl", responses(len(times), 1, 0.02, time=lambda i: times[i]))
        self.assertIn("goes back from 1000000000000 to 110 s", self.expect(2, "measure", where, data, "--every=10 s").err)
        self.measured(where, data, "--every=all")
        # Nor do data without a time, which would be judged only if others with one came behind them.
        records = responses(20, 1, 0.02, time=lambda i: 100 + 2 * i)
        for bad in ({"time": None}, {"time": float("nan")}, {"time": [1, 2]}):
            undated = [{**each, "train": [x - 5 for x in each["train"]], **bad} for each in records]
            for name, both in (("last", records + undated), ("first", undated + records)):
                data = self.data(f"{name}.jsonl", both)
                self.assertIn("time, but earlier data have", self.expect(2, "measure", where, data, "--every=10 s").err)
                self.assertEqual(self.measured(where, data, "--every=all")["clauses"][0]["verdict"], "violated")
        # Workers overlap a little.
        close = [100, 105, 103, 111, 109, 121, 118, 135]
        self.measured(where, self.data("close.jsonl", responses(len(close), 1, 0.02, time=lambda i: close[i])), "--every=10 s")

    def test_windows_of_time_among_windows_of_steps(self):
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 1 min\n  far: mean(abs(logprob_gap)) <= 1 nat over 1 step\n")
        records = [record for step in range(3) for record in responses(60, step, 0.02, time=lambda i, step=step: 600 * step + 10 * i, step=lambda i, step=step: step)]
        for each in records[70:76]:  # a minute of a step
            each["train"] = [x - 0.2 for x in each["train"]]
        for words in ((), ("--every=step",)):
            gap, far = self.measured(where, self.data("steps.jsonl", records), *words)["clauses"]
            self.assertEqual((gap["verdict"], sum(far["windows"].values())), ("violated", 3))
            self.assertGreater(sum(gap["windows"].values()), 20)
        # Nor do windows of tokens or responses make those of time longer, whichever comes first.
        for window in ("over 100_000 tokens", "over 10_000 sequences"):
            clauses = [f"  {name}: mean(abs(logprob_gap)) <= {says}\n" for name, says in (("gap", "0.05 nat over 1 min"), ("far", f"1 nat {window}"))]
            for order in (clauses, clauses[::-1]):
                where = self.contract("statistical:\n" + "".join(order))
                rows = {each["clause"]: each for each in self.measured(where, self.folder / "steps.jsonl")["clauses"]}
                self.assertEqual(rows["gap"]["verdict"], "violated", (window, order))
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 1 min\n  far: mean(abs(logprob_gap)) <= 1 nat over 1 step\n")
        # A response that goes back within a step is found, too.
        records[80]["time"] = 0
        self.assertIn("the time goes back from 790 to 0 s", self.expect(2, "measure", where, self.data("back.jsonl", records)).err)

    def test_size_goes_with_pieces_and_not_with_tokens(self):
        where = self.contract(CLAUSES.replace(" over 500 tokens", ""))
        few, many = (self.kept(where, f"of{count}", self.data(f"of{count}.jsonl", responses(count, 1)))[0].stat().st_size for count in (200, 4000))
        self.assertLess(many, 2 * few)

    def test_rows_are_kept_as_well(self):
        where = self.contract("model: { vocabulary: 8 }\n", "numerical:\n  tv: mean(tv) <= 0.5\n")
        draw = random.Random(2)
        train = [[draw.gauss(0, 1) for _ in range(8)] for _ in range(20)]
        infer = [[x + draw.gauss(0, 0.1) for x in row] for row in train]
        header = json.dumps({name: {"dtype": "F64", "shape": [20, 8], "data_offsets": [i * 1280, (i + 1) * 1280]} for i, name in enumerate(("t", "i"))}).encode()
        data = self.write("rows.safetensors", struct.pack("<Q", len(header)) + header + b"".join(struct.pack("<8d", *row) for row in train + infer))
        path, told = self.kept(where, "rows", data, "--map=train_rows=t,infer_rows=i")
        self.assertEqual(told["data"]["rows"], 20)
        self.assertEqual(self.measured(where, path), told)

    def test_what_is_of_something_else_is_refused_unless_told(self):
        where = self.contract(CLAUSES)
        data, more = self.data("a.jsonl", responses(60, 1)), self.data("b.jsonl", responses(60, 2))
        path, told = self.kept(where, "this", data)
        # A bound on a mean is no part of what a tally holds.
        looser = self.contract(CLAUSES.replace("<= 0.05 nat over", "<= 0.5 nat over"), file="looser")
        self.assertIn("the contract's fingerprint is", self.refused("measure", looser, path))
        allowed = self.measured(looser, path, "--allow-other")
        self.assertEqual(allowed["clauses"], self.measured(looser, data)["clauses"])
        self.assertEqual(told["others"], [])
        self.assertRegex(allowed["others"][0], "^1 of 1 pieces of the evidence has a different origin: the contract's fingerprint is 0x")
        for form in ("text", "markdown", "csv", "junit"):
            done = self.tikc("measure", looser, path, "--allow-other", f"--format={form}")
            self.assertIn("a different origin", done.out, form)
        self.assertIn("a different origin", self.tikc("measure", looser, path, "--allow-other", "-q").out)
        # Another build.
        built = self.write("built.tikc.yaml", where.read_text().replace("engine: vllm,", "engine: vllm, build: b7,"))
        newer, _ = self.kept(built, "newer", more)
        self.assertIn("the build is `b7` instead of not stated", self.refused("merge", path, newer, "-o", "out.tikc-evidence"))
        self.assertFalse((self.folder / "out.tikc-evidence").exists())
        self.assertIn("1 of 2 pieces", self.expect(0, "merge", path, newer, "-o", "out.tikc-evidence", "--allow-other").out)
        self.expect(0, "merge", newer, path, "-o", "turned.tikc-evidence", "--allow-other")
        self.assertEqual((self.folder / "out.tikc-evidence").read_bytes(), (self.folder / "turned.tikc-evidence").read_bytes())
        self.assertIn("has different origins", self.refused("merge", "out.tikc-evidence", "-o", "again.tikc-evidence"))
        self.refused("measure", where, "out.tikc-evidence")
        self.assertIn("1 of 2 pieces", self.measured(where, "out.tikc-evidence", "--allow-other")["others"][0])
        # The same piece, of two builds.
        self.assertIn("only one of them can count", self.refused("merge", path, self.kept(built, "same", data)[0], "-o", "x.tikc-evidence", "--allow-other"))
        # What holds other numbers is no evidence of this contract, whatever is allowed.
        other = self.contract("numerical:\n  far: p99(abs(logprob_gap)) <= 2 nat\n", file="other")
        self.assertIn("belongs to a contract with other clauses", self.refused("measure", other, path, "--allow-other"))
        self.assertIn("cannot be joined", self.refused("merge", path, self.kept(other, "others", more)[0], "-o", "x.tikc-evidence", "--allow-other"))

    def test_what_was_read_or_cut_otherwise_is_refused(self):
        where = self.contract(CLAUSES)
        data = self.data("a.jsonl", [{**each, "also": [x - 0.1 for x in each["infer"]]} for each in responses(60, 1)])
        path, _ = self.kept(where, "this", data)
        shifted, _ = self.kept(where, "shifted", data, "--map=train=train,infer=also")
        self.assertIn("read in two ways", self.refused("merge", path, shifted, "-o", "x.tikc-evidence"))
        by_file, _ = self.kept(where, "by-file", data, "--every=file")
        self.assertIn("judged file by file", self.refused("merge", path, by_file, "-o", "x.tikc-evidence"))
        self.assertIn("was made to be judged every 500 tokens", self.refused("measure", where, path, "--every=file"))
        self.assertIn("cannot be combined with evidence files", self.refused("measure", where, path, "--shift=1"))
        self.assertIn("evidence and data cannot be combined", self.refused("measure", where, path, data))
        self.assertIn("refusing to overwrite", self.refused("measure", where, data, "--evidence", data))
        self.assertIn("is not evidence", self.refused("merge", path, data, "-o", "x.tikc-evidence"))
        self.assertIn("option --output FILE", self.refused("merge", path))
        self.assertIn("nowhere", self.refused("merge", "nowhere", "-o", "x.tikc-evidence"))

    def test_no_evidence_is_written_of_data_that_are_refused(self):
        where = self.contract(CLAUSES)
        data = self.write("a.jsonl", '{"train": [1, "x"], "infer": [1, 2]}\n' + json.dumps(responses(1, 1)[0]) + "\n")
        self.refused("measure", where, data, "--evidence=a.tikc-evidence")
        self.assertFalse((self.folder / "a.tikc-evidence").exists())
        path, told = self.kept(where, "a", data, "--broken=1")
        self.assertEqual((told["data"]["broken"], self.measured(where, path, "--broken=1")), (1, told))
        self.assertIn("1 broken record was skipped when the evidence was made", self.refused("measure", where, path))

    def test_responses_of_two_kinds_are_refused_as_their_data_are(self):
        """Some responses with a mask, a length, a flag or a step, and some without: by run each is whole, and together they are not."""
        marks = {"mask": lambda i: [1, 1, 0], "length": lambda i: 3, "kept": lambda i: 1, "step": lambda i: i // 10}
        for name, value in marks.items():
            with self.subTest(name=name):
                where = self.contract(STEPS if name == "step" else CLAUSES.split("statistical")[0], file=name)
                plain = [{"train": [-1.0, -1.5, -2.0], "infer": [-1.0, -1.5, -2.0 - i % 7 / 100]} for i in range(40)]
                marked = [{**each, name: value(i)} for i, each in enumerate(plain)]
                for each in marked:
                    each["train"] = [-1.25, -1.5, -2.0]
                parts = [self.data(f"part-{name}-{'ab'[i]}.jsonl", records) for i, records in enumerate((marked, plain))]
                wanted = "no step, but others do" if name == "step" else f"no `{name}`, but others do"
                words = ("--map", f"train=train,infer=infer,{name}={name}")
                self.assertIn(wanted, self.refused("measure", where, *parts, *words))
                kept = [self.folder / f"{name}{i}.tikc-evidence" for i in range(2)]
                for part, path, map_ in zip(parts, kept, (words, ())):
                    self.assertIn(self.tikc("measure", where, part, *map_, "--evidence", path).returncode, (0, 1, 4))
                whole = self.merged(name, *kept)
                self.assertIn(wanted, self.refused("measure", where, whole))
                self.assertIn(wanted, self.refused("measure", where, *kept))

    def test_bytes_that_are_cut_off_or_flipped_are_refused(self):
        where = self.contract(STEPS)
        path, _ = self.kept(where, "this", self.data("a.jsonl", responses(3, 1)))
        whole = path.read_bytes()
        draw = random.Random(1)
        bad = self.folder / "bad.tikc-evidence"
        # In one process each: every cut near the ends, and some in between; the unit tests take all of them.
        cuts = {*range(8, 60), *range(len(whole) - 40, len(whole)), *(draw.randrange(8, len(whole)) for _ in range(20))}
        for cut in sorted(cuts):
            bad.write_bytes(whole[:cut])
            self.assertIn("is truncated", self.refused("merge", bad, "-o", "out.tikc-evidence"), cut)
        for at in (8, *(draw.randrange(8, len(whole)) for _ in range(60))):
            bad.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << draw.randrange(8)]) + whole[at + 1:])
            self.refused("merge", bad, "-o", "out.tikc-evidence")
            self.refused("measure", where, bad)
        bad.write_bytes(whole + b"\0")
        self.assertIn("has trailing bytes", self.refused("merge", bad, "-o", "out.tikc-evidence"))
        bad.write_bytes(whole[:8] + bytes([whole[8] + 1]) + whole[9:])
        self.assertIn(f"of version {whole[8] + 1}", self.refused("merge", bad, "-o", "out.tikc-evidence"))
        self.assertFalse((self.folder / "out.tikc-evidence").exists())

    def test_a_disk_that_fills_leaves_what_was_there(self):
        where = self.contract(CLAUSES)
        parts = [self.kept(where, name, self.data(f"{name}.jsonl", responses(40, i)))[0] for i, name in enumerate("ab")]
        before = parts[0].read_bytes()

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2,) * 2)

        for words in (("merge", *parts, "-o", parts[0]), ("measure", where, "c.jsonl", "--evidence", parts[0])):
            self.data("c.jsonl", responses(40, 7))
            done = self.tikc(*words, preexec_fn=limit)
            self.assertEqual((done.returncode, done.out), (3, ""), done.err)
            self.assertEqual(parts[0].read_bytes(), before)
        self.assertEqual(sorted(each.name for each in self.folder.iterdir() if "evidence" in each.name), ["a.tikc-evidence", "b.tikc-evidence"])

    def test_a_disk_that_fills_before_evidence_is_written_leaves_nothing(self):
        """Evidence that memory does not keep waits in a file without a name, beside the file that it is written to."""
        where = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 1 tokens\n")
        data = self.data("long.jsonl", responses(4_000, 3))
        folder = self.folder / "full"
        folder.mkdir()

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20,) * 2)

        for name, text in ((data, ""), ("-", data.read_text())):
            done = self.tikc("measure", where, name, "--evidence", folder / "run", preexec_fn=limit, stdin=text)
            self.assertEqual((done.returncode, done.out), (3, ""), done.err)
            self.assertIn("cannot write a temporary file in", done.err)
            self.assertEqual(list(folder.iterdir()), [])


if __name__ == "__main__":
    main()
