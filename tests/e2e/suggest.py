"""`tikc suggest`: contracts from data of two kernels whose laws are known, held to NumPy, to other data of the same kernels, and to faults."""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, TIKC, Case, main, run, skip  # noqa: E402

try:
    import numpy
except ModuleNotFoundError as missing:
    skip(f"{missing}; the simulator needs python3-numpy")
from drift_simulator import gaps, lines, simulate  # noqa: E402

VERIFY = os.environ.get("TIKC_VERIFY") or str(Path(TIKC).with_name("tikc-verify"))
LIMIT = re.compile(r"^  (\w+): (.+?) <= ([0-9.e-]+)", re.M)

BASE = """# Mine, and kept.
tikc: v1
contract: mine
version: 1.0.0
kernels:
  trainer: { engine: fsdp2 } # so is this
  rollout: { engine: vllm }
pair: { train: trainer, infer: rollout }
statistical:
  gap: p99(abs(logprob_gap)) <= 0.5 nat over 5_000 tokens with confidence 99% # old
  k3: mean(k3) <= 2e-3
  narrow: p90(abs(logprob_gap)) <= 0.001 nat
observability:
  tokens: sample(logprobs, 100%)
  coherent: coherent(logprobs, 99%)
claims:
  token_tv: tv <= 50%
escalation:
  stale: { when: undecided(any) for 6 windows, do: hold, until: satisfied(any) }
  rest: { when: violated(any) or violated(coherent), do: alert("me") }
"""


def limits(text):
    """By clause and claim."""
    return {name: float(limit) for name, _, limit in LIMIT.findall(text)}


def variation_seen(records):
    return 100 * numpy.concatenate([numpy.maximum(0, 1 - numpy.exp(gaps(each))) for each in records]).mean()


class Suggest(Case):
    def data(self, records, name="data.jsonl"):
        return self.write(name, lines(records))

    def suggested(self, records, *options, name="suggested.tikc.yaml"):
        self.data(records)
        self.expect(0, "suggest", "data.jsonl", *options, "-o", name)
        text = (self.folder / name).read_text()
        checked = self.expect(0, "check", name)
        self.assertIn("no findings", checked.out)
        self.assertNotIn("unproved", checked.out)
        self.expect(0, "fmt", "--check", name)
        self.expect(0, "measure", name, "data.jsonl")
        return text

    def choices(self, *options):
        """The listed clauses: the clause, the bound, and whether it has an interval."""
        listed = self.expect(0, "suggest", "data.jsonl", *options).out
        rows = re.findall(r"^(\S.+? [<>]= \S+(?: nat)?(?: with \S+ <= \S+)?) {2,}(\S+)(?: nat)? {2,}(\S+)× {2,}(yes|no)$", listed, re.M)
        self.assertTrue(rows, listed)
        return {clause: (float(bound.rstrip("%")), float(times), interval) for clause, bound, times, interval in rows}

    def test_clauses_for_a_claim(self):
        records, _ = simulate(1)
        self.data(records)
        all_gaps = numpy.concatenate([gaps(each) for each in records])
        found = self.choices("--claim", "tv")
        first = next(iter(found))
        self.assertRegex(first, r"^mean\(tv_sampled\) <= ")
        self.assertAlmostEqual(found[first][0], variation_seen(records), delta=1e-3)
        self.assertEqual(found[first][1:], (1, "yes"))
        bounds = [bound for bound, _, _ in found.values()]
        self.assertEqual(bounds, sorted(bounds))
        # Each clause states what the data show, rounded outward, and the prover agrees with a contract that states it.
        size = next(clause for clause in found if clause.startswith("mean(abs(logprob_gap))"))
        stated = float(size.split()[2])
        self.assertTrue(0 <= stated - abs(all_gaps).mean() < 1e-3 * stated, size)
        self.assertEqual(found[size][2], "no")
        base = BASE.replace("  k3: mean(k3) <= 2e-3\n", "").replace("gap: p99(abs(logprob_gap)) <= 0.5 nat over 5_000 tokens with confidence 99%", f"gap: {size}")
        self.write("one.tikc.yaml", base.replace("  narrow: p90(abs(logprob_gap)) <= 0.001 nat\n", ""))
        proved = json.loads(self.expect(0, "check", "--format=json", "one.tikc.yaml").out)["claims"][0]
        self.assertAlmostEqual(float(proved["bound"].rstrip("%")), found[size][0], delta=1e-3)

    def test_clauses_for_other_claims(self):
        self.data(simulate(2)[0])
        self.assertIn("mean(seq_tv)", next(iter(self.choices("--claim", "seq_tv"))))
        self.assertIn("mean(tv_sampled)", next(iter(self.choices("--claim=pg_bias", "--advantage=1", "--score-norm=2"))))
        self.assertTrue(all(clause.startswith(("max", "min")) for clause in self.choices("--claim=max(tv)")))
        higher = [bound for bound, _, _ in self.choices("--claim=ess", "--full-support").values()]
        self.assertEqual(higher, sorted(higher, reverse=True))
        found = self.choices("--claim=chi2", "--full-support")
        pair = next(clause for clause in found if clause.startswith("mean(k3) <= "))
        k3, cap = map(float, re.fullmatch(r"mean\(k3\) <= (\S+)(?: nat)? with max\(ratio\) <= (\S+)", pair).groups())
        factor = (cap - 1) ** 2 / (cap - 1 - math.log(cap))
        self.assertAlmostEqual(found[pair][0], k3 * factor, delta=1e-3 * k3 * factor)
        self.assertEqual(found[pair][2], "no")  # nothing is known of the largest ratio beyond the data
        for quantity, why in (("reward_drift", "need --reward"), ("ess", "some bounds need --full-support")):
            self.assertIn(why, self.expect(1, "suggest", "data.jsonl", "--claim", quantity).err)

    def test_claims_that_are_none(self):
        self.data(simulate(2, responses=40)[0])
        for quantity in ("nothing", "tv) <= 1", "max(tv) <= 1\nclaims:", "most(tv)", ""):
            self.assertIn("--claim", self.expect(2, "suggest", "data.jsonl", "--claim", quantity).err)
        self.assertIn("cannot be combined", self.expect(2, "suggest", "data.jsonl", "--claim=tv", "--against=data.jsonl").err)

    def test_what_it_is_worth(self):
        first, truth = simulate(1)
        text = self.suggested(first)
        at = limits(text)
        # What is seen, by NumPy: windows of half of the responses.
        halves = [variation_seen(first[:120]), variation_seen(first[120:])]
        shown = re.search(r"total variation of a token: ([0-9.]+)% in \[([0-9.]+)%, ([0-9.]+)%\]", text.replace("\n  # ", " "))
        value, low, high = map(float, shown.groups())
        self.assertAlmostEqual(value, max(halves), delta=1e-3 * value)
        self.assertTrue(low < 100 * truth < high)
        # No claim is below the truth, and this one is not three times that; the best there is would be the truth.
        self.assertTrue(truth < at["token_tv"] / 100 < 3 * truth, at)
        self.assertEqual(at["drift"], at["token_tv"])
        # Other data of the same kernels, and faults.
        other, _ = simulate(2)
        self.data(other, "other.jsonl")
        self.expect(0, "measure", "suggested.tikc.yaml", "other.jsonl")
        for fault in ({"noise": 0.06}, {"temperature": 0.9}, {"shift": 1}, {"late": 4}, {"levels": 8}):
            self.data(simulate(3, **fault)[0], "fault.jsonl")
            self.expect(1, "measure", "suggested.tikc.yaml", "fault.jsonl")
        # Twice the data move no limit by more than its interval and the room around it.
        twice = limits(self.suggested(first + other, name="twice.tikc.yaml"))
        self.assertLessEqual(abs(twice["drift"] - at["drift"]), 1.25 * (high - low))
        self.assertLessEqual(twice["answers"], at["answers"])
        self.assertAlmostEqual(twice["usual_gap"], at["usual_gap"], delta=0.2 * at["usual_gap"])

    def test_claims_are_proved_and_verified(self):
        text = self.suggested(simulate(1)[0], "--reward=0,1", "--advantage=3", "--score-norm=8", "--load=50000", "--engines=fsdp2,vllm", "--name=mine")
        self.assertEqual(set(re.findall(r"^  (\w+): (?:tv|seq_tv|reward_drift|pg_bias) <=", text, re.M)), {"token_tv", "answer_tv", "reward", "gradient"})
        self.expect(0, "prove", "suggested.tikc.yaml", "-o", "certificate.json")
        done = subprocess.run([VERIFY, "certificate.json", "suggested.tikc.yaml"], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("accepted"), 4)
        # What nobody said is not assumed.
        self.assertNotIn("assumptions", self.suggested(simulate(1, reward=lambda i: i % 2)[0]))

    def test_slices(self):
        text = self.suggested(simulate(4, times={"math": 2})[0])
        self.assertIn('math: { when: task == "math", weight: 33% }', text)
        at = limits(text)
        self.assertGreater(at["usual_gap_math"], 1.5 * at["usual_gap_other"])
        self.assertNotIn("finish_reason", text)
        self.data(simulate(5, times={"math": 2})[0], "other.jsonl")
        self.expect(0, "measure", "suggested.tikc.yaml", "other.jsonl")
        text = self.suggested(simulate(6, late=4)[0])
        self.assertIn("late: { when: position >= 64 }", text)
        self.assertIn("cuts responses", text)
        long, truth = simulate(6, late=4, length=(100, 160))  # all responses are of both slices
        at = limits(self.suggested(long))
        self.assertTrue(truth > 0 and at["usual_gap_other"] < 0.1 < at["usual_gap_late"] < 0.4, at)
        short = simulate(4, responses=180, length=(15, 25), times={"math": 3})[0]  # what differs is too little
        text = self.suggested(short)
        self.assertNotIn("\nslices:", text)
        self.assertIn("makes a difference, but", text)
        long = simulate(7, prompt_tokens=lambda i: 2 ** (i % 12))[0]
        for each in long:
            if each["prompt_tokens"] >= 512:
                each["train"] = (numpy.float64(each["infer"]) + 2 * gaps(each)).tolist()
        self.assertIn("long_prompts: { when: prompt_tokens >= 512, weight: 25% }", self.suggested(long))

    def test_labels_in_lists_of_one(self):
        records = simulate(4, times={"math": 2})[0]
        text = self.suggested(records)
        self.assertIn("slices:", text)
        self.assertEqual(self.suggested([{**each, "task": [each["task"]]} for each in records]), text)

    def test_a_fault_in_the_data_is_named(self):
        self.assertNotIn("allow this fault", self.suggested(simulate(1)[0]).replace("\n# ", " "))
        self.assertIn("The data are consistent with quantised weights", self.suggested(simulate(1, noise=0.06)[0]).replace("\n# ", " "))

    def test_guesses_are_marked(self):
        text = self.suggested(simulate(1)[0], "--advantage=1", "--score-norm=1")
        self.assertIn("`estimator` and `correction` are guesses", text)
        self.assertIn("Assumes `estimator: step`", self.expect(0, "suggest", "data.jsonl", "--advantage=1", "--score-norm=1", "--claim=pg_bias").out)

    def test_nothing_is_sliced_by_chance(self):
        for seed in range(10, 20):
            records = simulate(seed, responses=160, length=(15, 40))[0]
            self.data(records)
            self.assertNotIn("\nslices:", self.expect(0, "suggest", "data.jsonl").out)

    def test_hostile_labels(self):
        evil = ['a "b" #c', "x: y", "\n", "é – ü", "true", "- [z]", "{{}}", "*a", "\u202e\u0000", "other"]
        for worst in ("m: #th 'é", "on", "1e3", "other", "or", "not", 'co"de # \\ : ', "a\n- b"):
            records = simulate(8, times={"math": 2})[0]
            for i, each in enumerate(records):
                each["task"] = worst if each["task"] == "math" else evil[i % len(evil)]
            text = self.suggested(records)
            self.assertEqual(any(c in worst for c in '"\n'), "\nslices:" not in text, worst)
            for control in ("\u202e", "\u0000"):
                self.assertNotIn(control, text)

    def test_no_contract_of_what_is_wrong(self):
        nowhere = simulate(1)[0]
        nowhere[7]["train"][3] = None
        for records, why in ((nowhere, "not numbers"), (simulate(1, temperature=0.9)[0], "at most 1"), (simulate(1, shift=1)[0], "at most 1"),
                             (simulate(1)[0][:6], "too few")):
            self.data(records)
            done = self.expect(1, "suggest", "data.jsonl", "-o", "none.tikc.yaml")
            self.assertIn(why, done.err)
            self.assertFalse((self.folder / "none.tikc.yaml").exists())
        self.data(simulate(1)[0])
        for words in (["-"], ["data.jsonl", "--headroom=-1"], ["data.jsonl", "--confidence=1"], ["data.jsonl", "--reward=1,0"], ["data.jsonl", "--advantage=3"],
                      ["data.jsonl", "--name=a b"], ["data.jsonl", "--by=a b"], ["data.jsonl", "--by=nowhere"], ["data.jsonl", "--format=yaml"], ["data.jsonl", "--engines=one"], ["gone.jsonl"], []):
            done = self.expect(2, "suggest", *words, stdin="")
            self.assertEqual(done.out, "")
            self.assertTrue(done.err)

    def test_no_log_prob_is_above_0(self):
        records = simulate(1)[0]
        without = self.suggested(records[:7] + records[8:])
        records[7]["train"][3] = 0.7
        self.data(records)
        done = self.expect(2, "suggest", "data.jsonl", "-o", "none.tikc.yaml")
        self.assertIn("data.jsonl:8: ", done.err)
        self.assertIn("`train`: token 3: expected a log-prob of at most 0, found 0.7", done.err)
        self.assertIn(f"1 of {len(records)} records is broken", done.err)
        self.expect(0, "suggest", "data.jsonl", "--broken=1", "-o", "some.tikc.yaml")
        self.assertEqual(limits((self.folder / "some.tikc.yaml").read_text()), limits(without))

    def test_equal_kernels_and_coarse_numbers(self):
        records = simulate(1)[0]
        for each in records:
            each["train"] = each["infer"] = (numpy.float32(each["infer"]).view(numpy.uint32) & 0xFFFF0000).view(numpy.float32).astype(float).tolist()
        text = self.suggested(records).replace("\n  # ", " ")
        self.assertIn("bf16 numbers", text)
        self.assertIn("raised to what storing bf16 does", text)
        largest = max(-min(each["infer"]) for each in records)
        self.assertGreaterEqual(limits(text)["usual_gap"], 2.0 ** (int(numpy.floor(numpy.log2(largest))) - 7))

    def test_rows(self):
        random = numpy.random.default_rng(5)
        for name, noise in (("one", 0.02), ("two", 0.02), ("worse", 0.06)):
            logits = random.normal(0, 2, (4000, 32)).astype(numpy.float32)
            numpy.savez(self.folder / f"{name}.npz", train_rows=(logits + random.normal(0, noise, logits.shape)).astype(numpy.float32), infer_rows=logits)
        self.assertNotIn("claims:", self.expect(0, "suggest", "one.npz").out)  # nobody said what the server can sample
        self.expect(0, "suggest", "one.npz", "--full-support", "-o", "rows.tikc.yaml")
        self.assertIn("token_tv: tv <=", (self.folder / "rows.tikc.yaml").read_text())
        self.assertIn("no findings", self.expect(0, "check", "rows.tikc.yaml").out)
        self.expect(0, "measure", "rows.tikc.yaml", "one.npz")
        self.expect(0, "measure", "rows.tikc.yaml", "two.npz")
        self.expect(1, "measure", "rows.tikc.yaml", "worse.npz")
        logits[5, 3] = numpy.nan
        numpy.savez(self.folder / "broken.npz", train_rows=logits, infer_rows=logits)
        self.assertIn("not numbers", self.expect(1, "suggest", "broken.npz").err)

    def test_a_contract_that_is_there(self):
        self.data(simulate(1)[0])
        self.write("base.tikc.yaml", BASE)
        self.expect(0, "check", "base.tikc.yaml")
        done = self.expect(0, "suggest", "data.jsonl", "--base", "base.tikc.yaml")
        self.assertIn("`narrow` is violated", done.err)
        self.write("mended.tikc.yaml", BASE)
        subprocess.run(["patch", "-s", "-p0", "mended.tikc.yaml"], input=done.out, cwd=self.folder, text=True, check=True)
        mended = (self.folder / "mended.tikc.yaml").read_text()
        self.assertEqual(self.expect(0, "suggest", "data.jsonl", "--base=base.tikc.yaml", "--format=yaml").out, mended)
        kept = [line for line in BASE.splitlines() if "gap:" not in line and "k3:" not in line]
        self.assertEqual([line for line in mended.splitlines() if line in kept], kept)
        self.assertIn("# old", mended)
        at = limits(mended)
        self.assertLess(at["gap"], 0.1)
        self.assertEqual(at["narrow"], 0.001)
        k3 = numpy.concatenate([numpy.expm1(gaps(each)) - gaps(each) for each in simulate(1)[0]]).mean()
        self.assertTrue(k3 < at["k3"] < 2 * k3)
        for added in (r"drift: mean\(tv_sampled\)", r"answers: mean\(seq_tv\)"):
            self.assertRegex(mended, rf"  # Seen: at most .*\n  {added} <= [0-9.]+% with confidence 99%\n")
        self.assertIn("no findings", self.expect(0, "check", "mended.tikc.yaml").out)
        self.data(simulate(2)[0], "other.jsonl")
        rows = json.loads(self.expect(1, "measure", "--format=json", "mended.tikc.yaml", "other.jsonl").out)["clauses"]
        self.assertEqual([row["clause"] for row in rows if row["verdict"] != "satisfied"], ["narrow"])
        self.write("faulty.tikc.yaml", BASE.replace("k3: mean", "k3: maen"))
        self.assertIn("errors", self.expect(2, "suggest", "data.jsonl", "--base=faulty.tikc.yaml").err)

    def test_two_servers(self):
        ours, near, far, late = (simulate(seed, **more)[0] for seed, more in ((1, {}), (2, {}), (3, {"noise": 0.06, "responses": 800}), (4, {"late": 4})))
        self.data(ours)
        told = {}
        for name, records in (("near", near), ("far", far), ("late", late)):
            self.data(records, f"{name}.jsonl")
            told[name] = self.expect(0, "suggest", "data.jsonl", "--against", f"{name}.jsonl").out
        self.assertIn("none beyond chance", told["near"])
        whole = told["far"].split("task ==")[0]
        self.assertIn("B is farther from the trainer", whole)
        self.assertIn("constant along a response", whole)
        self.assertIn("grows along a response", told["late"].split("task ==")[0])
        a, b = ([numpy.abs(gaps(each)).mean() for each in records] for records in (ours, far))
        value, low, high = map(float, re.search(r"difference ([0-9.e-]+) in \[([0-9.e-]+), ([0-9.e-]+)\]", whole).groups())
        reach = 2.5758 * numpy.sqrt(numpy.var(a, ddof=1) / len(a) + numpy.var(b, ddof=1) / len(b))
        self.assertAlmostEqual(value, numpy.mean(b) - numpy.mean(a), delta=1e-3 * value)
        self.assertAlmostEqual((high - low) / 2, reach, delta=2e-3 * value)
        slopes = [numpy.polyfit(numpy.arange(len(each["train"])), numpy.abs(gaps(each)), 1)[0] for each in late]
        shown = float(re.search(r"growth +A [0-9.e-]+, B ([0-9.e-]+)", told["late"])[1])
        self.assertAlmostEqual(shown, 1000 * numpy.mean(slopes), delta=1e-3 * shown)
        self.expect(2, "suggest", "data.jsonl", "--against=near.jsonl", "--base=x.tikc.yaml")

    def test_threads_change_nothing(self):
        first, _ = simulate(1)
        for i in range(4):
            self.data(first[i * 60:(i + 1) * 60], f"part{i}.jsonl")
        outputs = {run("suggest", *(f"part{i}.jsonl" for i in range(4)), f"--jobs={jobs}", cwd=self.folder).out for jobs in (1, 2, 7)}
        self.assertEqual(len(outputs), 1)
        self.assertIn("token_tv", outputs.pop())


if __name__ == "__main__":
    main()
