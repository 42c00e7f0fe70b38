"""`tikc measure --resume`: a run that was stopped at any instant goes on to exactly what it would have said."""

import fcntl
import gzip
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import REPEATS, TIKC, Case, contract, main  # noqa: E402

CLAUSES = """numerical:
  worst: max(abs(logprob_gap)) <= 1 nat
statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat over 500 tokens
  likely: mean(tv) <= 0.1
observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 100%)
claims:
  drift: tv <= 0.05
"""
SLICES = 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math" }\n'


def responses(count, seed, noise=0.02):
    draw = random.Random(seed)
    out = []
    for i in range(count):
        infer = [-draw.expovariate(1.4) for _ in range(draw.randint(3, 30))]
        out.append({"train": [min(x + draw.gauss(0, noise), 0) for x in infer], "infer": infer, "task": ("math", "chat")[i % 2]})
    return out


def lines(records):
    return "".join(json.dumps(each) + "\n" for each in records)


class Resume(Case):
    def setUp(self):
        super().setUp()
        self.where = self.write("c.tikc.yaml", contract("c", SLICES, CLAUSES))
        self.files = [self.write(f"{i}.jsonl", lines(responses(40, i, 0.3 if i == 3 else 0.02))) for i in range(6)]
        self.files.append(self.write("6.jsonl.gz", gzip.compress(lines(responses(40, 6)).encode())))
        self.journal = self.folder / "journal"
        self.words = ("measure", self.where, *self.files, "--format=json")
        self.told = self.tikc(*self.words)
        self.assertEqual(self.told.returncode, 1, self.told.err)

    def stopped(self, *words):
        """The journal of a run that could not tell what it came to."""
        self.expect(2, *(words or self.words), "--resume", self.journal, "--output", self.folder / "there/is/none")
        return self.journal.read_bytes()

    def goes_on(self, *words):
        done = self.tikc(*(words or self.words), "--resume", self.journal)
        self.assertFalse(self.journal.exists())
        return done

    def test_wherever_it_was_stopped(self):
        evidence = self.folder / "whole.tikc-evidence"
        self.tikc(*self.words, "--evidence", evidence)
        whole = self.stopped()
        draw = random.Random(1)
        for cut in [0, 1, 8, 12, 27, 28, 29, len(whole) - 1, len(whole)] + [draw.randrange(len(whole)) for _ in range(40)]:
            self.journal.write_bytes(whole[:cut])
            again = self.folder / "again.tikc-evidence"
            done = self.goes_on(*self.words, "--evidence", again)
            self.assertEqual((done.out, done.returncode), (self.told.out, 1), f"cut at {cut}")
            self.assertEqual(again.read_bytes(), evidence.read_bytes(), f"cut at {cut}")

    def test_what_was_changed_is_not_believed(self):
        whole = self.stopped()
        draw = random.Random(2)
        for _ in range(60):
            changed = bytearray(whole)
            at = draw.randrange(len(changed))
            changed[at] ^= 1 << draw.randrange(8)
            self.journal.write_bytes(changed)
            done = self.tikc(*self.words, "--resume", self.journal)
            if at < 28:  # what it is about
                self.assertEqual(done.returncode, 2)
                self.assertEqual(self.journal.read_bytes(), bytes(changed))
            else:
                self.assertEqual((done.out, done.returncode), (self.told.out, 1), f"flipped in byte {at}")

    def test_data_that_changed_meanwhile_are_read_again(self):
        self.stopped()
        self.files[2].write_text(lines(responses(40, 12)))
        self.files[4].write_text(self.files[1].read_text())
        fresh = self.tikc(*self.words)
        self.assertNotEqual(fresh.out, self.told.out)
        self.assertEqual(self.goes_on().out, fresh.out)

    def test_a_file_that_was_renamed_is_read_again(self):
        """A name can say the step, and places show it."""
        words = ("measure", self.where, self.folder / "*.jsonl", "--format=json")
        self.stopped(*words)
        self.files[3].rename(self.folder / "30.jsonl")
        self.assertEqual(self.goes_on(*words).out, self.tikc(*words).out)

    def test_killed(self):
        big = [self.write(f"big{i}.jsonl", lines(responses(1500, i))) for i in range(12)]
        words = ("measure", self.where, *big, "--format=json", "--jobs=2")
        began = time.monotonic()
        told = self.tikc(*words)
        took = time.monotonic() - began
        draw = random.Random(3)
        for _ in range(REPEATS):
            run = subprocess.Popen([TIKC, *map(str, words), "--resume", str(self.journal)], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(draw.uniform(0, took))
            run.send_signal(signal.SIGKILL)
            run.wait()
        self.assertEqual(self.goes_on(*words).out, told.out)

    def test_every_form_of_data(self):
        import io
        try:
            import numpy
        except ModuleNotFoundError:
            self.skipTest("needs python3-numpy")
        draw = numpy.random.default_rng(1)
        infer = -draw.exponential(1, (50, 20)).astype(numpy.float32)
        packed = io.BytesIO()
        numpy.savez(packed, train_log_probs=infer - numpy.float32(0.01), rollout_log_probs=infer)
        array = self.write("a.npz", packed.getvalue())
        mapped = ("--map=train=train_log_probs,infer=rollout_log_probs",)
        sides = [self.write(f"{side}.jsonl", lines({"id": f"r{i}", side: each[side]} for i, each in enumerate(responses(30, 5)))) for side in ("train", "infer")]
        joined = ("--join=id", "--map=train=train,infer=infer,key=id")
        for words in (("measure", self.where, array, *mapped), ("measure", self.where, *sides, *joined)):
            told = self.tikc(*words)
            self.assertIn(told.returncode, (0, 1, 4), told.err)
            self.assertGreater(len(self.stopped(*words)), 100)
            self.assertEqual(self.goes_on(*words).out, told.out)

    def test_a_broken_record_is_told_again(self):
        self.files[1].write_text(self.files[1].read_text() + '{"train": [1, 2], "infer": [1]}\n')
        words = (*self.words, "--broken=1")
        told = self.tikc(*words)
        self.assertIn("1.jsonl:41", told.err)
        self.stopped(*words)
        done = self.goes_on(*words)
        self.assertEqual((done.out, done.err), (told.out, told.err))

    def test_a_run_that_observed_nothing_leaves_no_file(self):
        broken = self.write("broken.jsonl", '{"train": [1, 2], "infer": [1]}\n')
        self.expect(2, "measure", self.where, broken, "--map=train=train,infer=infer", "--resume", self.journal)
        self.assertFalse(self.journal.exists())

    def test_what_is_of_another_run_is_left_alone(self):
        whole = self.stopped()
        other = self.write("other.tikc.yaml", contract("c", CLAUSES.replace("500", "600")))
        for words in (("measure", other, *self.files), (*self.words, "--shift=1"), (*self.words, "--every=file"), (*self.words, "--map=train=infer,infer=train")):
            done = self.expect(2, *words, "--resume", self.journal)
            self.assertIn("belongs to another run", done.err)
            self.assertEqual(self.journal.read_bytes(), whole)
        for name, text in (("notes", b"something dear to someone, of some length"), ("short", b"dear")):
            dear = self.write(name, text)
            self.assertIn("was not written by --resume", self.expect(2, *self.words, "--resume", dear).err)
            self.assertEqual(dear.read_bytes(), text)
        os.mkfifo(self.folder / "pipe")
        (self.folder / "link").symlink_to(self.write("target", b""))
        for name in (".", "pipe", "none/journal", "link"):
            self.expect(2, *self.words, "--resume", name)
        self.assertTrue((self.folder / "link").is_symlink())

    def test_two_runs_do_not_share_one(self):
        self.stopped()
        with open(self.journal, "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.assertIn("another run is writing", self.expect(2, *self.words, "--resume", self.journal).err)
        self.assertEqual(self.goes_on().out, self.told.out)

    def test_a_full_disk(self):
        def full():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
        done = self.tikc(*self.words, "--resume", self.journal, preexec_fn=full)
        self.assertNotIn(done.returncode, (0, 1, 4))
        self.assertIn("cannot write", done.err)
        self.assertEqual(self.goes_on().out, self.told.out)

    def test_what_a_whole_run_refuses_is_refused_as_well(self):
        """A journal keeps how many responses have a mask, and a step, as the rest of the run has to be like them."""
        where = self.write("s.tikc.yaml", contract("s", SLICES, "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 1 step\nobservability:\n  tokens: sample(logprobs, 100%)\n"))
        for name, value, last in (("step", 1, {}), ("mask", [1], {}), ("step", 1, {"step": 2})):
            with self.subTest(name=name, last=last):
                files = [self.write(f"part-{part}.jsonl", lines([{"train": [-1.0], "infer": [-1.0 - at / 100], name: value}] * 40)) for at, part in enumerate("abc")]
                files.append(self.write("last.jsonl", lines([{"train": [-1.0], "infer": [-1.0 - i / 100], **last} for i in range(40)])))
                words = ("measure", where, *files, "--format=json", "--map", f"train=train,infer=infer,{name}={name}")
                whole = self.tikc(*words)
                self.assertEqual(whole.returncode, 1 if last else 2, whole.err)
                self.assertIn("" if last else "40 of 160 responses have no", whole.err)
                self.tikc(*words, "--resume", self.journal, "--output", self.folder / "there/is/none")
                again = self.tikc(*words, "--resume", self.journal)
                self.assertEqual((again.returncode, again.out, again.err), (whole.returncode, whole.out, whole.err))
                self.journal.unlink(missing_ok=True)

    def test_what_cannot_be_gone_on_from(self):
        self.assertIn("standard input", self.expect(2, "measure", self.where, "-", "--map=train=train,infer=infer", "--resume", self.journal, stdin=self.files[0].read_bytes()).err)
        for option in ("--output", "--evidence"):
            self.assertIn("is given for both", self.expect(2, *self.words, "--resume", "x", option, "x").err)
        evidence = self.folder / "e.tikc-evidence"
        self.tikc(*self.words, "--evidence", evidence)
        self.assertIn("--resume", self.expect(2, "measure", self.where, evidence, "--resume", self.journal).err)


if __name__ == "__main__":
    main()
