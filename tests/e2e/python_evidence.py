"""Evidence in Python: what monitors keep is judged as the same data are by `tikc measure`, merges as `tikc merge` does, bit by bit, and what is wrong with
it is refused by name."""

import json
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, contract, main  # noqa: E402
from page_reader import Reader  # noqa: E402
from tikc_python import PACKAGE, tikc  # noqa: E402

import numpy  # noqa: E402

OBSERVED = "observability:\n  rows: sample(logits, 1%)\n  tokens: sample(logprobs, 100%)\n"
SLICES = 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math" }\n'
CLAUSES = """numerical:
  far: p99(abs(logprob_gap)) <= 1 nat
  worst: max(abs(logprob_gap)) <= 1 nat
statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat
  each: mean_by_response(abs(k1)) <= 0.05
"""
LINKS = """statistical:
  near: { require: mean(abs(logprob_gap)) <= 0.05 nat, link: [trainer, middle] }
  far: { require: mean(abs(logprob_gap)) <= 0.05 nat, link: [middle, rollout] }
"""
STEPS = "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 2 steps\n"
TIMES = "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 30 s\n"
STAGES = "promotion:\n  shadow: { traffic: 1%, window: 10 min }\n  full: { traffic: 100%, window: 10 min }\n"


def responses(count, seed, noise=0.02):
    draw = numpy.random.default_rng(seed)
    out = []
    for _ in range(count):
        infer = -draw.exponential(0.7, draw.integers(3, 30)).astype(numpy.float32)
        out.append((numpy.minimum(infer + draw.normal(0, noise, infer.shape).astype(numpy.float32), 0), infer))
    return out


def show(monitor, data, **options):
    monitor.tokens([train for train, _ in data], [infer for _, infer in data], **options)


class Evidence(Case):
    def contract(self, *sections, name="kept"):
        path = self.write(f"{name}.tikc.yaml", contract(name, *sections, OBSERVED))
        return path, tikc.load(path)

    def lines(self, name, data, **more):
        return self.write(name, "".join(json.dumps({"train": train.tolist(), "infer": infer.tolist(), "task": "math", **more}) + "\n" for train, infer in data))

    def measured(self, *words):
        done = self.tikc("measure", "--format=json", *words)
        self.assertIn(done.returncode, (0, 1, 4), done.err)
        return json.loads(done.out)

    def strict(self, of, **options):
        return of.monitor(on_fault="raise", **options)

    def test_is_judged_as_the_data_are(self):
        path, loaded = self.contract(SLICES, CLAUSES)
        monitor = self.strict(loaded, source="rank0", keeps_evidence=True)
        data = responses(60, 1)
        data[7][0][2] = data[7][1][2] - 3  # which stands out
        show(monitor, data, labels={"task": "math"})
        window = monitor.tick(0.0)
        window.evidence.save(self.folder / "deep/er/rank0.tikc-evidence")
        wanted = self.measured(path, self.lines("data.jsonl", data))
        for said in (self.measured(path, self.folder / "deep/er/rank0.tikc-evidence"), loaded.measure(window.evidence).told, loaded.measure(monitor.evidence).told):
            self.assertEqual({(each["clause"], each["slice"]): each["verdict"] for each in said["clauses"]},
                             {(each["clause"], each["slice"]): each["verdict"] for each in wanted["clauses"]})
            for one, other in zip(said["clauses"], wanted["clauses"]):
                self.assertEqual({k: v for k, v in one.items() if k != "worst"}, {k: v for k, v in other.items() if k != "worst"})
                self.assertEqual([each["value"] for each in one["worst"]], [each["value"] for each in other["worst"]])
            self.assertEqual({k: said["data"][k] for k in ("responses", "tokens", "records", "broken")},
                             {k: wanted["data"][k] for k in ("responses", "tokens", "records", "broken")})
            worst = next(each for each in said["clauses"] if each["clause"] == "worst" and each["slice"] == "math")["worst"][0]
            self.assertEqual(worst["place"], "rank0, response 7, token 2")
        measured = loaded.measure(window.evidence)
        self.assertEqual(measured.verdict, "violated")
        self.assertEqual({each["clause"] for each in measured.violated}, {"worst"})
        self.assertIn("violated", repr(measured))
        self.assertIn("&lt;=", measured._repr_html_())
        self.assertEqual((window.evidence.responses, window.evidence.tokens, window.evidence.pieces), (60, sum(len(one) for one, _ in data), 1))

    def test_a_page_is_that_of_measure(self):
        path, kept = self.contract(SLICES, CLAUSES)
        monitor = self.strict(kept, source="run")
        show(monitor, responses(60, 5), labels={"task": "math"})
        window = monitor.tick(0.0)
        window.evidence.save(self.folder / "run.tikc-evidence")
        kept.page(self.folder / "new/here.html", window.evidence)
        self.tikc("measure", path, "run.tikc-evidence", "--report=there.html")
        here, there = (Reader((self.folder / name).read_text()) for name in ("new/here.html", "there.html"))
        self.assertEqual((here.faults, here.tables[:2]), ([], there.tables[:2]))
        self.assertIn(f"0x{kept.fingerprint:016x}", here.text)
        _, other = self.contract(CLAUSES.replace("0.05", "0.06"), name="other")
        with self.assertRaises(tikc.EvidenceError):
            other.page(self.folder / "none.html", window.evidence)
        self.assertFalse((self.folder / "none.html").exists())

    def test_files_are_one_with_those_of_measure_and_merge(self):
        path, loaded = self.contract(SLICES, CLAUSES)
        kept = self.folder / "cli.tikc-evidence"
        self.measured(path, self.lines("data.jsonl", responses(40, 2)), "--evidence", kept)
        theirs = tikc.Evidence.load(kept)
        self.assertEqual(bytes(theirs), kept.read_bytes())
        monitor = self.strict(loaded, source="rank0")
        show(monitor, responses(30, 3), labels={"task": "math"})
        ours = monitor.tick().evidence
        ours.save(self.folder / "ours.tikc-evidence")
        self.expect(0, "merge", kept, "ours.tikc-evidence", "-o", "both.tikc-evidence")
        both = (self.folder / "both.tikc-evidence").read_bytes()
        self.assertEqual(bytes(tikc.merge(ours, theirs)), both)
        self.assertEqual(tikc.merge(bytes(theirs), bytes(ours), bytes(theirs)), both)
        self.assertEqual(loaded.measure(ours, theirs).told, self.measured(path, "both.tikc-evidence"))
        self.assertEqual((tikc.merge(ours, theirs).sources, tikc.merge(ours, theirs).responses), (2, 70))

    def test_order_grouping_and_repetition_change_nothing(self):
        _, loaded = self.contract(CLAUSES)
        parts = []
        for rank in range(5):
            monitor = self.strict(loaded, source=f"rank{rank}", keeps_evidence=True)
            for window in range(3):
                show(monitor, responses(5, 10 * rank + window))
                parts.append(monitor.tick().evidence)
            self.assertEqual(monitor.evidence, tikc.merge(*parts[-3:]))
        whole = tikc.merge(*parts)
        self.assertEqual((whole.pieces, whole.sources, whole.responses), (15, 5, 75))
        draw = random.Random(1)
        for _ in range(20):
            shuffled = draw.choices(parts, k=9) + draw.sample(parts, len(parts))
            cut = draw.randrange(1, len(shuffled))
            self.assertEqual(tikc.merge(tikc.merge(*shuffled[:cut]), tikc.merge(*shuffled[cut:])), whole)
        self.assertEqual(hash(tikc.merge(whole, whole)), hash(whole))
        self.assertNotEqual(parts[0], parts[1])

    def test_a_worker_that_is_run_twice_counts_once(self):
        _, loaded = self.contract(CLAUSES)

        def partition(number, seed):
            monitor = self.strict(loaded, source=f"partition {number}")
            show(monitor, responses(8, seed))
            return bytes(monitor.take_evidence())

        first, again = partition(3, 3), partition(3, 3)
        self.assertEqual(first, again)
        self.assertEqual(tikc.merge(first, partition(4, 4), again), tikc.merge(partition(4, 4), first))
        with self.assertRaisesRegex(tikc.EvidenceError, "`partition 3`, read in two ways; only one of them can count"):
            tikc.merge(first, partition(3, 5))
        # What nobody named is never the same.
        one, other = (self.strict(loaded) for _ in range(2))
        for monitor in (one, other):
            show(monitor, responses(8, 3))
        self.assertEqual(tikc.merge(one.take_evidence(), other.take_evidence()).responses, 16)
        show(one, responses(2, 3))
        self.assertEqual([one.take_evidence().responses, one.take_evidence().responses, one.tick().evidence.responses], [2, 0, 0])

    def test_ranks_are_judged_step_by_step(self):
        path, loaded = self.contract(STEPS)
        parts, files = [], []
        for rank in range(2):
            monitor = self.strict(loaded, source=f"rank{rank}", keeps_evidence=True)
            lines = []
            for step in range(6):
                data = responses(10, 100 * rank + step, noise=0.02 if step < 4 else 0.3)
                show(monitor, data)
                monitor.end_step()
                lines += [{"train": train.tolist(), "infer": infer.tolist(), "step": step} for train, infer in data]
                if step % 3 == 2:
                    monitor.tick()
            files.append(self.write(f"rank{rank}.jsonl", "".join(json.dumps(each) + "\n" for each in lines)))
            parts.append(monitor.evidence)
        kept = [self.folder / f"rank{rank}.tikc-evidence" for rank in range(2)]
        for file, into in zip(files, kept):
            self.measured(path, file, "--map=step=step,train=train,infer=infer", "--evidence", into)
        wanted, said = self.measured(path, *kept), loaded.measure(*parts).told
        self.assertEqual([wanted["clauses"][0][k] for k in ("verdict", "value", "observations", "windows")],
                         [said["clauses"][0][k] for k in ("verdict", "value", "observations", "windows")])
        self.assertEqual(said["clauses"][0]["windows"], {"satisfied": 2, "violated": 1, "undecided": 0})

    def test_a_chain_has_all_of_its_links(self):
        path = self.write("chain.tikc.yaml", contract("chain", LINKS, "observability:\n  tokens: sample(logprobs, 100%)\n", chained=True))
        monitor = self.strict(tikc.load(path), source="rank0")
        for gap, stream in ((-0.01, "trainer_to_middle"), (-0.2, "middle_to_rollout")):
            monitor.tokens(numpy.zeros((4, 10), numpy.float32), numpy.full((4, 10), gap, numpy.float32), stream=stream)
        evidence = monitor.tick().evidence
        evidence.save(self.folder / "chain.tikc-evidence")
        said = self.measured(path, "chain.tikc-evidence")
        self.assertEqual({each["clause"]: each["verdict"] for each in said["clauses"]}, {"near": "satisfied", "far": "violated"})
        self.assertEqual((evidence.tokens, evidence.responses), (40, 4))  # the same tokens, twice

    def test_a_step_that_ends_before_the_tick_is_one_piece(self):
        _, loaded = self.contract(STEPS)
        monitor = self.strict(loaded)
        pieces = []
        for i in range(3):
            show(monitor, responses(2, i))
            monitor.end_step()
            pieces.append(monitor.tick())
        # The first has the time of the tick, which says by whose clock it is.
        self.assertEqual([each.evidence.pieces for each in pieces], [2, 1, 1])
        self.assertTrue(all(each.evidence.first is not None and each.evidence.responses == 2 for each in pieces))
        self.assertEqual((monitor.tick().evidence.pieces, monitor.tick().evidence.responses), (1, 0))

    def test_steps_of_a_run_that_goes_on_keep_their_numbers(self):
        _, loaded = self.contract(STEPS)
        monitor = self.strict(loaded)
        show(monitor, responses(2, 1))
        monitor.end_step(40)
        monitor.end_step()
        with self.assertRaisesRegex(ValueError, "`step`: expected at least 42, found 41"):
            monitor.end_step(41)

    def test_windows_of_time_are_judged_by_their_times(self):
        _, loaded = self.contract(TIMES)
        monitor = self.strict(loaded, keeps_evidence=True)
        monitor.tick(1000.0)
        for window in range(1, 5):
            show(monitor, responses(10, window))
            monitor.tick(1000.0 + 30 * window)
        evidence = monitor.evidence
        self.assertEqual((evidence.first, evidence.last), (1000.0, 1120.0))
        self.assertEqual(loaded.measure(evidence).clauses[0]["windows"], {"satisfied": 4, "violated": 0, "undecided": 0})
        clock = self.strict(loaded)
        show(clock, responses(1, 1))
        told = clock.tick().evidence
        self.assertGreater(told.first, 1.7e9)  # since 1970, and not since the machine began
        self.assertLessEqual(told.first, told.last)

    def test_what_failed_is_told_and_the_rest_is_not_satisfied(self):
        _, held = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        monitor = held.monitor(keeps_evidence=True)
        monitor.tokens([-1.0], [-1.0])
        for _ in range(999):
            monitor.tokens([-1.0], [-1.0, -2.0])
        window = monitor.tick()
        for said in (window, held.measure(monitor.evidence), held.measure(tikc.Evidence.loads(bytes(monitor.evidence)))):
            self.assertIn("undecided", repr(said).splitlines()[0])
            self.assertIn("999 observations failed and were not judged", repr(said))
            self.assertIn("999 observations failed", said._repr_html_())
            self.assertEqual((said.verdict, said.to_dict()["verdict"]), ("undecided", "undecided"))
        self.assertEqual((window.to_dict()["faults"], held.measure(monitor.evidence).failed, held.measure(monitor.evidence).to_dict()["failed"]), (999,) * 3)
        monitor.tokens([-1.0], [-9.0])
        monitor.tick()
        self.assertEqual(held.measure(monitor.evidence).verdict, "violated")  # more could not mend it
        clean = held.monitor(keeps_evidence=True)
        clean.tokens([-1.0], [-1.0])
        self.assertEqual(held.measure(clean.tick().evidence).verdict, "satisfied")

    def test_what_failed_goes_along_with_what_is_merged(self):
        _, held = self.contract("statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n")
        worker, leader = held.monitor(), held.monitor()
        worker.tokens([-1.0], ["x"])
        worker.tokens([-1.0], [-1.0])
        leader.merge(worker)
        self.assertEqual((leader.tick().faults, worker.tick().faults), (1, 0))

    def test_says_what_it_is_of(self):
        _, loaded = self.contract(STAGES, CLAUSES)
        monitor = loaded.monitor("full", source="<rank>")
        show(monitor, responses(3, 1))
        monitor.tokens([[0.5]], ["no"])
        window = monitor.tick()
        of = window.evidence.origins[0]
        self.assertEqual((of.contract, of.version, of.stage, of.fingerprint, of.pieces), ("kept", "1.0.0", "full", loaded.fingerprint, 1))
        self.assertEqual((window.evidence.failed, window.faults), (1, 1))
        self.assertEqual(monitor.tick().evidence.failed, 0)
        self.assertIn("evidence of 1 piece: 3 responses, ", repr(window.evidence))
        self.assertIn("1 failed", window.evidence._repr_html_())
        self.assertNotIn("evidence", json.dumps(window.to_dict()))
        shadow = loaded.monitor("shadow")
        with self.assertRaisesRegex(tikc.EvidenceError, "the stage is `full` instead of `shadow`|the stage is `shadow` instead of `full`"):
            tikc.merge(window.evidence, shadow.tick().evidence)

    def test_what_is_of_something_else_is_refused_unless_that_is_allowed(self):
        _, loaded = self.contract(CLAUSES)
        _, moved = self.contract(CLAUSES.replace("0.05 nat", "0.06 nat"))
        _, other = self.contract(CLAUSES.replace("far: p99(abs(logprob_gap)) <= 1", "far: p99(abs(logprob_gap)) <= 2"), name="other")
        mine, theirs, strange = (each.monitor().tick().evidence for each in (loaded, moved, other))
        with self.assertRaisesRegex(tikc.EvidenceError, "the contract's fingerprint is 0x"):
            tikc.merge(mine, theirs)
        both = tikc.merge(mine, theirs, allow_other=True)
        self.assertEqual(len(both.origins), 2)
        with self.assertRaisesRegex(tikc.EvidenceError, "pieces of the evidence ha(s|ve) a different origin"):
            loaded.measure(both)
        self.assertEqual(len(loaded.measure(both, allow_other=True).told["others"]), 1)
        with self.assertRaisesRegex(tikc.EvidenceError, "cannot be joined"):
            tikc.merge(mine, strange, allow_other=True)
        with self.assertRaisesRegex(tikc.EvidenceError, "belongs to a contract with other clauses"):
            loaded.measure(strange)
        with self.assertRaisesRegex(TypeError, "found both"):
            tikc.merge(mine, bytes(mine))
        with self.assertRaisesRegex(ValueError, "nothing to merge"):
            tikc.merge()

    def test_bytes_that_are_none_are_refused_by_name(self):
        _, loaded = self.contract(CLAUSES)
        monitor = self.strict(loaded)
        show(monitor, responses(3, 1))
        data = bytes(monitor.tick().evidence)
        path = self.folder / "a.tikc-evidence"
        for content, why in ((b"", "is not evidence"), (data[:-1], "is truncated"), (data + b"x", "has trailing bytes"), (monitor.take(), "is not evidence"),
                             (data[:40] + bytes([data[40] ^ 1]) + data[41:], "is corrupt: digest mismatch")):
            path.write_bytes(content)
            with self.assertRaisesRegex(tikc.EvidenceError, rf"`{path}` {why}"):
                tikc.Evidence.load(path)
        draw = random.Random(2)
        for _ in range(200):
            at = draw.randrange(len(data))
            with self.assertRaises(tikc.EvidenceError):
                tikc.Evidence.loads(data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1:])
        with self.assertRaisesRegex(tikc.ReadError, "No such file"):
            tikc.Evidence.load(self.folder / "none")
        for name in ("a\0b", "\ud800"):
            with self.assertRaises(ValueError):
                loaded.monitor(source=name)

    def test_a_file_is_whole_or_as_it_was(self):
        _, loaded = self.contract(CLAUSES)
        evidence = loaded.monitor().tick().evidence
        path = self.folder / "kept/a.tikc-evidence"
        evidence.save(path)
        (self.folder / "link").symlink_to(path)
        other = tikc.merge(evidence, loaded.monitor().tick().evidence)
        other.save(self.folder / "link")
        self.assertEqual((path.read_bytes(), (self.folder / "link").is_symlink()), (bytes(other), True))
        (self.folder / "kept/folder").mkdir()
        with self.assertRaises(OSError):
            evidence.save(self.folder / "kept/folder")
        self.assertEqual(sorted(each.name for each in path.parent.iterdir()), ["a.tikc-evidence", "folder"])

    def test_travels_between_processes(self):
        _, loaded = self.contract(CLAUSES)
        monitor = self.strict(loaded, source="here")
        show(monitor, responses(4, 1))
        window = monitor.tick()
        program = ("import pickle, sys; import tikc; window, evidence = pickle.load(sys.stdin.buffer); assert window.evidence == evidence; "
                   "sys.stdout.buffer.write(pickle.dumps(tikc.merge(evidence, window.evidence)))")
        done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps((window, window.evidence)), capture_output=True, check=True,
                              env=os.environ | {"PYTHONPATH": str(PACKAGE)})
        self.assertEqual(pickle.loads(done.stdout), window.evidence)
        self.assertEqual(pickle.loads(pickle.dumps(window)).verdict, window.verdict)

    def test_what_was_not_kept_is_not_had(self):
        _, loaded = self.contract(CLAUSES)
        with self.assertRaisesRegex(ValueError, "was created without `keeps_evidence`"):
            loaded.monitor().evidence
        with self.assertRaisesRegex(ValueError, "no window has ended"):
            loaded.monitor(keeps_evidence=True).evidence


if __name__ == "__main__":
    main()
