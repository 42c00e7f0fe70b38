"""`tikc gate`, `tikc accept` and `tikc route`: what is decided of data whose truth is known, and what of each thing that may be missing; the same sums and
products written once more; and a state that survives what happens to files."""

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import REPEATS, ROOT, TIKC, Case, contract, main  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((ROOT / "schemas/gate.v1.schema.json").read_text())

SLICES = 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math" }\n'
CLAUSES = """numerical:
  worst: max(abs(logprob_gap)) <= 4 nat
statistical:
  far: p90(abs(logprob_gap)) <= 0.1 nat
"""
OBSERVED = "observability:\n  tokens: sample(logprobs, 100%)\n"
RULES = """escalation:
  drift: { when: violated(far) for 2 windows, do: 'correct(tis, 2)', until: satisfied(far) for 2 windows }
  worst_of_all: { when: violated(worst), do: [alert("us"), rollback] }
  silent: { when: undecided(any) for 6 windows, do: hold, until: satisfied(any) }
"""
STAGES = """promotion:
  shadow: { sequences: 100 sequences, confidence: 99% }
  canary: { sequences: 100 sequences, corridor: 50% }
"""


def responses(count, seed, far=0.02, start=1000.0, spread=0.01):
    """So many tokens are further than 0.1 nat; half of the responses are math."""
    draw = random.Random(seed)
    out = []
    for i in range(count):
        infer = [-0.55 - draw.expovariate(1.4) for _ in range(draw.randint(3, 20))]
        train = [x + (0.5 if draw.random() < far else draw.uniform(-spread, spread)) for x in infer]
        out.append({"train": train, "infer": infer, "task": ("math", "chat")[i % 2], "time": start + i})
    return out


class Gate(Case):
    def contract(self, *sections, stages=STAGES, name="gated"):
        return self.write(f"{name}.tikc.yaml", contract("gated", *(sections or (SLICES, CLAUSES)), OBSERVED, RULES, stages))

    def evidence(self, where, name, records, stage="shadow", **more):
        data = self.write(f"{name}.jsonl", "".join(json.dumps(each) + "\n" for each in records))
        path = self.folder / f"{name}.tikc-evidence"
        done = self.tikc("measure", where, data, f"--stage={stage}", "--evidence", path, "-q", *more.get("words", ()))
        self.assertIn(done.returncode, (0, 1, 4), done.err)
        return path

    def gate(self, where, *evidence, stage="shadow", state="gate.state", now=2000, words=()):
        done = self.tikc("gate", where, *evidence, f"--stage={stage}", "--state", self.folder / state, "--new", f"--now={now}", "--format=json", *words)
        self.assertIn(done.returncode, (0, 1, 4), done.err)
        told = json.loads(done.out)
        if jsonschema:
            jsonschema.validate(told, SCHEMA)
        self.assertEqual(done.returncode, {"promote": 0, "roll back": 1, "hold": 4}[told["decision"]], told)
        return told

    def reasons(self, told, effect=None):
        return {each["reason"] for each in told["reasons"] if each["effect"] != "note" or effect == "note"}

    def test_what_is_kept_goes_on_and_what_is_broken_goes_back(self):
        where = self.contract()
        good = self.evidence(where, "good", responses(400, 1))
        told = self.gate(where, good)
        self.assertEqual((told["decision"], told["stage_after"]), ("promote", "canary"), told["reasons"])
        # Asked again of the same, it says the same, and keeps no second decision.
        before = (self.folder / "gate.state").read_bytes()
        self.assertEqual(self.gate(where, good)["decided_before"], 2000)
        self.assertEqual((self.folder / "gate.state").read_bytes(), before)
        bad = self.evidence(where, "bad", responses(400, 2, far=0.5), stage="canary")
        told = self.gate(where, bad, stage="canary")
        self.assertEqual((told["decision"], told["stage_after"]), ("roll back", "shadow"))
        self.assertIn("violated", self.reasons(told))
        # What it was judged by is not used again, and its next attempt has less of the error.
        told = self.gate(where, good)
        self.assertEqual((told["decision"], told["attempt"]), ("hold", 2))
        self.assertIn("no-evidence", self.reasons(told))
        told = self.gate(where, self.evidence(where, "new", responses(400, 3)))
        self.assertEqual(told["decision"], "promote", told["reasons"])
        self.assertAlmostEqual(1 - told["row_confidence"], 0.01 / 6 / 4)

    def test_each_stage_is_passed_by_data_of_its_own(self):
        where = self.contract(stages="promotion:\n  shadow: {}\n  canary: {}\n")
        records = responses(400, 1)
        self.assertEqual(self.gate(where, self.evidence(where, "same", records))["decision"], "promote")
        again = self.evidence(where, "same", records, stage="canary")
        told = self.gate(where, again, stage="canary")
        self.assertEqual(told["decision"], "hold", told["reasons"])
        self.assertLessEqual({"left-out", "no-evidence"}, self.reasons(told) | self.reasons(told, "note"))
        told = self.gate(where, again, self.evidence(where, "more", responses(400, 2), stage="canary"), stage="canary")
        self.assertEqual((told["decision"], told["clauses"][0]["responses"]), ("promote", 200), told["reasons"])

    def test_evidence_of_marked_and_unmarked_responses_is_refused(self):
        """Each run is judged by itself; together it is unknown whether all tokens of the second one count."""
        marked = [{**each, "mask": [1] * len(each["infer"])} for each in responses(400, 1)]
        words = ("--map", "train=train,infer=infer,mask=mask,task=task,time=time")
        where = self.contract()
        for rules in (where, self.write("ruleless.tikc.yaml", where.read_text().replace(RULES, ""))):
            with self.subTest(rules=rules.name):
                parts = [self.evidence(rules, "marked", marked, words=words), self.evidence(rules, "plain", responses(400, 2))]
                for part in parts:
                    self.assertEqual(self.gate(rules, part, state=f"{rules.stem}-{part.stem}")["decision"], "promote")
                state, page, both = (self.folder / f"{rules.stem}.{name}" for name in ("state", "html", "both"))
                wanted = "400 of 800 responses have no `mask`"
                self.assertIn(wanted, self.expect(2, "gate", rules, *parts, "--stage=shadow", "--state", state, "--new", "--now=2000").err)
                self.assertIn(wanted, self.expect(2, "merge", *parts, "-o", both, "--contract", rules, "--report", page).err)
                self.assertFalse(state.exists() or page.exists() or both.exists())

    def test_who_is_sent_back_is_told_so_again(self):
        where = self.contract()
        bad = self.evidence(where, "bad", responses(400, 2, far=0.5))
        first = self.gate(where, bad)
        self.assertEqual(first["decision"], "roll back")
        state = (self.folder / "gate.state").read_bytes()
        again = self.gate(where, bad)
        self.assertEqual((again["decision"], again["decided_before"], again["attempt"], again["reasons"]), ("roll back", 2000, 1, first["reasons"]))
        self.assertEqual((self.folder / "gate.state").read_bytes(), state)
        # A retry of what could not be told answers as it would have.
        self.expect(2, "gate", where, bad, "--stage=shadow", "--state", self.folder / "other.state", "--new", "--now=2000", "-o", self.folder / "none/x")
        self.expect(1, "gate", where, bad, "--stage=shadow", "--state", self.folder / "other.state", "--now=2000", "--undecided=pass")
        # With more it is the next attempt, of which the old data are no part.
        told = self.gate(where, bad, self.evidence(where, "new", responses(400, 3)))
        self.assertEqual((told["decision"], told["attempt"]), ("promote", 2), told["reasons"])
        self.assertNotEqual(self.gate(where, bad)["decision"], "promote")

    def test_long_responses_that_are_worse(self):
        draw = random.Random(4)
        records = []
        for i in range(800):
            size, far = (60, 0.9) if i % 12 == 0 else (3, 0.0)
            infer = [-draw.expovariate(1.4) - 1 for _ in range(size)]
            records.append({"train": [x + (0.5 if draw.random() < far else 0.0) for x in infer], "infer": infer, "task": ("math", "chat")[(i // 12) % 2], "time": 1000.0 + i})
        clauses = CLAUSES.replace("p90(abs(logprob_gap)) <= 0.1 nat", "rate(abs(logprob_gap) > 0.1 nat) <= 30%")
        where = self.contract(SLICES, clauses, stages="promotion:\n  shadow: {}\n")
        told = self.gate(where, self.evidence(where, "some", records))
        self.assertEqual(told["decision"], "hold", told["reasons"])
        self.assertTrue(any("long ones are worse" in each["text"] for each in told["reasons"]), told["reasons"])
        where = self.contract("model: { horizon: 60 tokens }\n", SLICES, clauses, stages="promotion:\n  shadow: {}\n", name="known")
        told = self.gate(where, self.evidence(where, "other", records), state="known.state")
        # There tokens count alike, and the interval says so itself.
        self.assertTrue(all(row["value"] > 0.3 for row in told["clauses"] if row["clause"] == "far"), told["clauses"])
        self.assertNotEqual(told["decision"], "promote")

    def test_each_thing_that_is_missing_holds(self):
        where = self.contract()
        good = self.evidence(where, "good", responses(400, 1))
        few = self.evidence(where, "few", responses(60, 5))
        one = 0

        def held(reason, *evidence, **more):
            nonlocal one
            one += 1
            told = self.gate(where, *evidence, **{"state": f"{one}.state", **more})
            self.assertEqual(told["decision"], "hold", told["reasons"])
            self.assertIn(reason, self.reasons(told))
            return told

        held("skipped", self.evidence(where, "canary", responses(400, 1), stage="canary"), stage="canary")
        held("foreign", self.evidence(where, "unstaged", responses(400, 1), stage="canary"))
        held("too-few", few)
        # What is passed over is not of the population's best.
        held("passed-over", self.evidence(where, "broken", [*responses(400, 1), {"train": "none", "infer": [0.0]}], words=["--broken=1"]))
        told = held("undecided", few)
        self.assertTrue(any("responses of math for far" in each["what"] and each["seconds"] > 0 for each in told["missing"]), told["missing"])
        held("stale", good, words=["--max-age=1 min"])
        held("ahead", good, now=100)
        undated = [{k: v for k, v in each.items() if k != "time"} for each in responses(400, 1)]
        held("undated", self.evidence(where, "undated", undated), words=["--max-age=1 min"])
        # A look may not leave out what an earlier one had.
        self.gate(where, few, state="w.state")
        held("withheld", good, state="w.state")
        self.assertEqual(self.gate(where, good, few, state="w.state")["decision"], "promote")
        # Another kernel, by its build, has passed nothing, and evidence of it is none of this one.
        text = where.read_text().replace("engine: vllm", "engine: vllm, build: b2")
        where.write_text(text)
        held("foreign", good)
        where.write_text(text.replace("version: 1.0.0", "version: 1.0.0\ndraft: true"))
        drafted = self.evidence(where, "drafted", responses(400, 8))
        held("draft", drafted)

    def test_how_long_a_stage_lasts_and_clocks_that_go_back(self):
        where = self.contract(stages="promotion:\n  shadow: { lasts: 1 h }\n")
        undated = [{k: v for k, v in each.items() if k != "time"} for each in responses(400, 1)]
        path = self.evidence(where, "undated", undated)
        told = self.gate(where, path, now=10_000)
        self.assertEqual(self.reasons(told), {"too-short"})
        told = self.gate(where, path, now=5_000)  # the clock went back: that is told, and shortens nothing
        self.assertEqual(self.reasons(told), {"too-short"})
        self.assertIn("clock-went-back", self.reasons(told, "note"))
        self.assertEqual(self.gate(where, path, now=10_000 - 5_000 + 3_599)["decision"], "hold")
        self.assertEqual(self.gate(where, path, now=13_601)["decision"], "promote")

    def test_a_clock_that_goes_back_shortens_nothing(self):
        where = self.contract(stages="promotion:\n  shadow: { lasts: 1 h }\n")
        records = [{name: value for name, value in each.items() if name != "time"} for each in responses(800, 1)]
        good, more = self.evidence(where, "good", records[:400]), self.evidence(where, "more", records[400:])
        bad = self.evidence(where, "bad", [{**each, "time": None} for each in responses(400, 2, far=0.5)])
        self.assertEqual(self.gate(where, bad, now=10000)["decision"], "roll back")
        for now, decision in ((1000, "hold"), (10002, "hold"), (13599, "hold"), (13600, "promote")):
            told = self.gate(where, good, more, now=now)
            self.assertEqual(told["decision"], decision, (now, told["reasons"]))

    def test_data_of_which_some_have_times_are_undated(self):
        where = self.contract(stages="promotion:\n  shadow: { lasts: 1 h }\n")
        records = responses(400, 1)
        for at, each in enumerate(records):
            each["time"] = None if at % 50 else 1000 + 20 * at
        told = self.gate(where, self.evidence(where, "some", records), now=9000, words=["--max-age=3 h"])
        self.assertEqual(told["decision"], "hold", told["reasons"])
        self.assertLessEqual({"undated", "too-short"}, self.reasons(told))
        self.assertIn("only some data have times", str(told["reasons"]))
        # Nor does one of them make the clock count.
        records = responses(400, 1)
        del records[200]["time"]
        path = self.evidence(where, "one", records)
        for now in (1500, 6000):
            self.assertEqual(self.gate(where, path, now=now, state="one.state")["decision"], "hold")

    def test_shares_of_slices_are_those_that_are_declared(self):
        for weight, decision in (("48%", "promote"), ("50%", "promote"), ("90%", "hold"), ("5%", "hold")):
            with self.subTest(weight=weight):
                where = self.contract(SLICES.replace('"math" }', f'"math", weight: {weight} }}'), CLAUSES, name=f"weights{weight[:-1]}")
                told = self.gate(where, self.evidence(where, f"data{weight[:-1]}", responses(400, 1)), state=f"{weight}.state")
                self.assertEqual((told["decision"], "other-shares" in self.reasons(told)), (decision, decision == "hold"), told["reasons"])

    def halves(self, count, far, tasks=("math", "chat")):
        """In every other response of a task, so many of 31 tokens are further than 0.1 nat."""
        return [{"train": [-1 + (0.5 if at < far * (i // 2 % 2) else 0.01) - 0.5 for at in range(31)], "infer": [-1.5] * 31, "task": tasks[i % 2], "time": 1000.0 + i}
                for i in range(count)]

    def test_what_would_need_many_times_as_much_goes_back(self):
        many, none = STAGES.replace("100 sequences", "1000 sequences"), "promotion:\n  shadow: {}\n"
        never = CLAUSES + "  never: rate(abs(logprob_gap) > 3 nat) <= 0\n"
        rare = [each for at, each in enumerate(self.halves(800, 3)) if each["task"] == "chat" or at % 64 == 0]
        for name, clauses, records, stages, words, decision in (
                ("near", CLAUSES, self.halves(800, 6), STAGES, (), "roll back"),  # 9.7% on average, against 10%
                ("beyond", CLAUSES, self.halves(800, 7), STAGES, (), "roll back"),
                ("good", CLAUSES, self.halves(800, 3), STAGES, (), "promote"),
                ("early", CLAUSES, self.halves(800, 6), many, (), "hold"),
                ("endless", CLAUSES, self.halves(800, 6), none, (), "hold"),
                ("rare", CLAUSES, rare, STAGES, (), "hold"),  # good data would not have sufficed
                ("grouped", CLAUSES, self.halves(200, 0), STAGES, ("--per-prompt=16",), "hold"),
                ("never", never, self.halves(800, 0), STAGES, (), "hold")):  # no number of responses shows a share of 0
            with self.subTest(name):
                where = self.contract(SLICES, clauses, stages=stages, name=name)
                told = self.gate(where, self.evidence(where, f"data-{name}", records), state=f"{name}.state", words=words)
                self.assertEqual((told["decision"], "futile" in self.reasons(told)), (decision, decision == "roll back"), told["reasons"])

    def test_nothing_is_given_up_while_something_is_missing(self):
        where = self.contract()
        half, rest = self.halves(800, 6)[:400], self.halves(800, 6)[400:]
        first = self.evidence(where, "first", half)
        self.assertEqual(self.gate(where, first, stage="canary")["decision"], "hold")  # not before shadow
        self.gate(where, first, self.evidence(where, "rest", rest), state="other.state")
        self.gate(where, self.evidence(where, "good", self.halves(90, 3)))
        told = self.gate(where, first)
        self.assertEqual((told["decision"], "withheld" in self.reasons(told)), ("hold", True), told["reasons"])

    def test_prompts_have_one_task_each(self):
        where = self.contract(SLICES.replace('"math" }', '"math", weight: 50% }'), "numerical:\n  worst: max(abs(logprob_gap)) <= 4 nat\n  far: max(abs(logprob_gap)) <= 5 nat\n")
        records = [{**each, "task": "math" if i // 64 < 3 else "chat"} for i, each in enumerate(responses(640, 1))]
        told = self.gate(where, self.evidence(where, "grouped", records), words=("--per-prompt=64",))
        self.assertNotIn("other-shares", self.reasons(told), told["reasons"])
        self.assertIn("other-shares", self.reasons(self.gate(where, self.folder / "grouped.tikc-evidence", state="alone.state")))
        for shared in (600, 5000):  # one prompt, and not even that
            told = self.gate(where, self.folder / "grouped.tikc-evidence", state=f"{shared}.state", words=(f"--per-prompt={shared}",))
            self.assertNotIn("other-shares", self.reasons(told), told["reasons"])

    def test_a_corridor_and_who_accepts(self):
        where = self.contract(stages="promotion:\n  shadow: { corridor: 20% }\n")
        first, second = (self.evidence(where, f"run{i}", responses(900, i)) for i in (1, 2))
        worse = self.evidence(where, "worse", responses(900, 3, far=0.06))
        better = self.evidence(where, "better", responses(900, 4, far=0.0))
        told = self.gate(where, second)
        self.assertEqual(self.reasons(told), {"no-history"})
        accept = ["accept", first, "--contract", where, "--state", self.folder / "gate.state", "--now=3000"]
        self.assertIn("missing option --by", self.expect(2, *accept, "--because=x").err)
        self.assertIn("ana accepted 1 piece of evidence", self.expect(0, *accept, "--by=ana", "--because=the rewards were as before").out)
        self.assertIn("already accepted data of this evidence", self.expect(2, *accept, "--by=bob", "--because=once more").err)
        whole = (self.folder / "gate.state").read_bytes()
        (self.folder / "w.state").write_bytes(whole)
        (self.folder / "b.state").write_bytes(whole)
        # The first look was at other evidence, which has to be there.
        self.assertEqual(self.gate(where, second, state="gate.state")["decision"], "promote")
        told = self.gate(where, second, worse, self.evidence(where, "worse2", responses(4000, 9, far=0.07)), state="w.state", now=9000)
        self.assertIn("outside-corridor", self.reasons(told), told["clauses"])
        self.assertEqual(told["decision"], "hold")
        (self.folder / "b.state").write_bytes(whole)
        told = self.gate(where, second, better, self.evidence(where, "better2", responses(4000, 9, far=0.0)), state="b.state", now=9000)
        self.assertEqual(told["decision"], "promote", told["reasons"])

    def test_a_corridor_about_too_small_a_run_is_undecided(self):
        where = self.contract(stages="promotion:\n  shadow: { corridor: 20% }\n")
        tiny = self.evidence(where, "tiny", responses(10, 1))
        self.expect(0, "accept", tiny, "--contract", where, "--state", self.folder / "gate.state", "--new", "--now=3000", "--by=ana", "--because=x")
        told = self.gate(where, self.evidence(where, "large", responses(4000, 2, far=0.06)), now=9000)
        self.assertEqual((told["decision"], self.reasons(told)), ("hold", {"no-history"}))
        # Each row tells which reference it lacks, and how small that is.
        said = {each["slice"]: each["text"] for each in told["reasons"] if each["reason"] == "no-history"}
        self.assertEqual(set(said), {"math", "other"})
        for text in said.values():
            self.assertIn("from 5 responses, too few", text)

    def products(self, records, slice_, bound=0.1, share=0.1, alpha=0.01 / 2 / 4):
        """Of far on a slice, by its definition: the mean over responses of the share of tokens beyond, and the logarithm of the mean of products."""
        import numpy
        means = []
        for each in records:
            if (each["task"] == "math") == (slice_ == "math"):
                gap = numpy.abs(numpy.float32(each["train"]) - numpy.float32(each["infer"]))
                means.append(float(numpy.mean(gap > numpy.float32(bound))))
        means = numpy.array(means)

        def log_mean(mean, sign, room):
            stakes = [0.98, 0.93, 0.85, 0.7] + [2.0 ** -(i + 1) for i in range(20)]
            each = [numpy.sum(numpy.log1p(stake * sign * (means - mean) / room)) for stake in stakes]
            top = max(each)
            return top + math.log(sum(math.exp(x - top) for x in each) / len(each))

        return float(means.mean()), lambda mean: log_mean(mean, -1, 1.0), lambda mean: log_mean(mean, 1, share), -math.log(alpha)

    def test_rows_are_what_products_over_responses_say(self):
        where = self.contract()
        for seed, far in enumerate((0.0, 0.02, 0.05, 0.08, 0.2, 0.5)):
            records = responses(300, seed, far=far)
            told = self.gate(where, self.evidence(where, f"e{seed}", records), state=f"{seed}.state")
            for row in told["clauses"]:
                if row["clause"] != "far":
                    continue
                value, below, above, needed = self.products(records, row["slice"])
                self.assertAlmostEqual(row["value"], value, 9)
                # Sums are never above the products that they stand for, and not far below.
                if row["verdict"] == "satisfied":
                    self.assertGreaterEqual(below(0.1), needed)
                elif row["verdict"] == "violated":
                    self.assertGreaterEqual(above(0.1), needed)
                else:
                    self.assertLess(max(below(0.1), above(0.1)), needed * 1.5)
                if row["high"] < 1:
                    self.assertGreaterEqual(below(row["high"]), needed - 1e-6)
                self.assertLessEqual(row["low"], value)

    def test_no_end_no_limit(self):
        where = self.contract(SLICES, "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.5 nat\n  k: mean(k3) <= 1\n", stages="promotion:\n  shadow: {}\n")
        where.write_text(where.read_text().replace("violated(far)", "violated(gap)").replace("satisfied(far)", "satisfied(gap)")
                         .replace("violated(worst)", "violated(k)"))
        path = self.evidence(where, "some", responses(600, 1))
        told = self.gate(where, path)
        self.assertEqual(self.reasons(told), {"undecided"})
        self.assertTrue(all("no known range" in each["text"] for each in told["reasons"] if each["effect"] == "hold"), told["reasons"])
        told = self.gate(where, path, words=["--range=gap=2", "--range=k=2"])
        self.assertEqual(told["decision"], "promote", told["reasons"])
        self.assertIn("given", self.reasons(told, "note"))
        told = self.gate(where, path, state="x.state", words=["--range=gap=0.4"])
        self.assertTrue(any("but it is assumed that" in each["text"] for each in told["reasons"]), told["reasons"])

    def test_what_is_alike_counts_once_and_no_response_is_longer_than_the_horizon(self):
        where = self.contract("model: { horizon: 20 tokens }\n", SLICES, CLAUSES)
        records = responses(700, 1)
        path = self.evidence(where, "some", records)
        one = self.gate(where, path)
        self.assertEqual(one["decision"], "promote", one["reasons"])
        far = {row["slice"]: row for row in one["clauses"] if row["clause"] == "far"}
        self.assertIn("in responses of at most 20", far["math"]["of"])
        # Tokens count alike, whatever the response: the value is that of all tokens together.
        gaps = [abs(t - i) > 0.1 for each in records if each["task"] == "math" for t, i in zip(each["train"], each["infer"])]
        self.assertAlmostEqual(far["math"]["value"], sum(gaps) / len(gaps), 9)
        grouped = self.contract("model: { horizon: 20 tokens }\nassumptions: { group: 8 }\n", SLICES, CLAUSES, name="grouped")
        done = self.expect(2, "gate", grouped, path, "--stage=shadow", "--dry-run", "--per-prompt=1")
        self.assertIn("below the contract's group of 8", done.err)
        four = self.gate(where, path, state="4.state", words=["--per-prompt=4"])
        self.assertEqual(four["responses_of_a_prompt"], 4)
        self.assertLess(far["math"]["high"], [row for row in four["clauses"] if row["clause"] == "far" and row["slice"] == "math"][0]["high"])
        where.write_text(where.read_text().replace("horizon: 20", "horizon: 12"))
        told = self.gate(where, self.evidence(where, "long", records), state="12.state")
        self.assertLessEqual({"undecided", "broken"}, self.reasons(told))
        self.assertTrue(any("a response has 20 tokens, but the contract's horizon is 12" in each["text"] for each in told["reasons"]), told["reasons"])

    def test_rows_are_of_responses_that_somebody_counts(self):
        import numpy
        draw = numpy.random.default_rng(1)
        rows = draw.normal(size=(3000, 16)).astype("f4")
        numpy.savez(self.folder / "rows.npz", train_rows=rows, infer_rows=rows + draw.normal(scale=0.01, size=rows.shape).astype("f4"))
        where = self.write("rows.tikc.yaml", contract(
            "gated", "model: { vocabulary: 16 }\nnumerical:\n  far: p90(logit_osc) <= 0.1\n  tvs: mean(tv) <= 0.05\n",
            "observability:\n  rows: sample(logits, 1%)\nescalation:\n  r: { when: violated(any), do: hold, until: satisfied(any) }\n",
            "promotion:\n  shadow: {}\n"))
        path = self.folder / "rows.tikc-evidence"
        self.expect(0, "measure", where, self.folder / "rows.npz", "--stage=shadow", "--evidence", path)
        told = self.gate(where, path)
        self.assertEqual(self.reasons(told), {"undecided"})
        self.assertTrue(all("--rows-per-response" in each["text"] for each in told["reasons"] if each["effect"] == "hold"), told["reasons"])
        self.assertEqual(self.gate(where, path, words=["--rows-per-response=4"])["decision"], "promote")

    def test_a_dry_run_keeps_nothing(self):
        where = self.contract()
        done = self.expect(4, "gate", where, "--stage=shadow", "--dry-run", "--format=json")
        told = json.loads(done.out)
        needs = {row["slice"]: row["needed"] for row in told["clauses"] if row["clause"] == "far"}
        self.assertTrue(all(20 < each < 400 for each in needs.values()), needs)
        path = self.evidence(where, "few", responses(60, 5))
        text = self.expect(4, "gate", where, path, "--stage=shadow", "--dry-run", "--now=2000").out
        self.assertIn("at the observed rate", text)
        for status, undecided in ((0, "pass"), (1, "fail"), (4, "4")):
            self.expect(status, "gate", where, path, "--stage=shadow", "--dry-run", "--now=2000", f"--undecided={undecided}")
        self.assertFalse(list(self.folder.glob("*.state*")))
        self.assertIn("missing option --state", self.expect(2, "gate", where, path, "--stage=shadow").err)
        self.assertIn("use --new to create it", self.expect(2, "gate", where, path, "--stage=shadow", "--state", self.folder / "no.state").err)
        self.assertFalse(list(self.folder.glob("*.state*")))

    def test_states_that_are_not_this_one(self):
        where = self.contract()
        path = self.evidence(where, "few", responses(60, 5))
        self.gate(where, path)
        state = self.folder / "gate.state"
        whole = state.read_bytes()
        words = ["gate", where, path, "--stage=shadow", "--state", state]
        for bytes_, why in ((whole[:-1], "is truncated"), (whole[:30], "is truncated"), (b"", "is not a gate state"),
                            (whole[:8] + b"\2" + whole[9:], "version 2"), (whole[:40] + b"!" + whole[41:], "is corrupt"),
                            (path.read_bytes(), "is not")):
            state.write_bytes(bytes_)
            done = self.expect(2, *words)
            self.assertIn(why, done.err)
            self.assertEqual(state.read_bytes(), bytes_)
        state.write_bytes(whole)
        other = self.write("other.tikc.yaml", where.read_text().replace("contract: gated", "contract: other"))
        self.assertIn("belongs to the contract `gated`", self.expect(2, "gate", other, path, "--stage=shadow", "--state", state).err)

    def test_what_is_no_regular_file_keeps_no_state_and_gets_no_lock(self):
        where = self.contract()
        path = self.evidence(where, "few", responses(60, 5))
        pipe, folder = self.folder / "pipe.state", self.folder / "folder.state"
        os.mkfifo(pipe)
        folder.mkdir()
        for state in (pipe, folder):
            for new in ([], ["--new"]):
                self.assertIn("expected a regular file", self.expect(2, "gate", where, path, "--stage=shadow", "--state", state, *new).err)
        self.assertEqual(list(self.folder.glob("*.lock")), [])

    def test_gates_at_once_decide_one_after_the_other(self):
        where = self.contract()
        path = self.evidence(where, "few", responses(60, 5))
        state = self.folder / "gate.state"
        words = [TIKC, "gate", str(where), str(path), "--stage=shadow", "--state", str(state), "--new", "--now=2000", "--format=json"]
        running = [subprocess.Popen(words, stdout=subprocess.PIPE) for _ in range(20)]
        self.assertEqual({each.wait() for each in running if each.communicate()}, {4})
        # Each is kept: as many as when they come one by one.
        alone = self.folder / "alone.state"
        for _ in range(20):
            self.expect(4, "gate", where, path, "--stage=shadow", "--state", alone, "--new", "--now=2000")
        self.assertEqual(state.read_bytes(), alone.read_bytes())

    def test_who_is_killed_leaves_what_was_or_what_is(self):
        where = self.contract()
        path = self.evidence(where, "few", responses(60, 5))
        state = self.folder / "gate.state"
        self.gate(where, path)
        words = [TIKC, "gate", str(where), str(path), "--stage=shadow", "--state", str(state), "--now=2000"]
        began = time.monotonic()
        subprocess.run(words, capture_output=True)
        takes = time.monotonic() - began
        draw = random.Random(1)
        for _ in range(REPEATS):
            before = state.read_bytes()
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
            time.sleep(draw.uniform(0, takes * 1.2))
            process.send_signal(signal.SIGKILL)
            process.wait()
            after = state.read_bytes()
            self.assertTrue(after == before or len(after) > len(before))
            self.expect(4, "gate", where, path, "--stage=shadow", "--state", state, "--dry-run")

    def test_markdown_and_text_steer_nothing(self):
        where = self.contract()
        path = self.evidence(where, "few", responses(60, 5))
        for form in ("text", "markdown"):
            out = self.expect(4, "gate", where, path, "--stage=shadow", "--dry-run", f"--format={form}", "--now=2000").out
            self.assertIn("hold at shadow", out)
            self.assertIn("p90(abs(logprob", out.replace("\\", ""))

    def test_a_page_begins_with_the_decision(self):
        where = self.contract()
        good = self.evidence(where, "good", responses(400, 1))
        page = self.folder / "gate.html"
        told = self.gate(where, good, words=("--report", page, "--figures", self.folder / "figures"))
        shown = page.read_text()
        lead = shown[shown.index('id="lead-1"'):]
        lead = lead[:lead.index("</section>")]
        for row in told["clauses"]:
            self.assertIn(f"{100 * row['value']:.4g}% beyond" if row["clause"] == "far" else f"{row['value']:.4g}", lead)
        self.assertNotRegex(shown, r"<script(?! type=\"application/json\")")
        self.assertTrue(list((self.folder / "figures").glob("*.svg")))
        # Of what the contract cannot judge the decision is all there is to show.
        other = self.contract(SLICES, CLAUSES.replace("p90", "p99"), name="tighter")
        told = self.gate(other, good, state="tighter.state", words=("--report", page))
        self.assertIn("foreign", self.reasons(told))
        header = page.read_text()
        self.assertIn("hold at shadow", header[:header.index("</header>")])
        self.assertNotIn("✓", header[header.index("<header>") : header.index("</header>")])
        # Nothing is decided where the page could not be written.
        words = ["gate", where, good, "--stage=shadow", "--now=2000", "--new"]
        state = self.folder / "gate.state"
        before = state.read_bytes()
        for wrong, why in ((["--state", state, "--report", state], "is given for both"), (["--state", state, "--report=-"], "--report requires a file name"),
                           (["--state", state, "--report", self.folder], "found a folder"), (["--state", state, "--figures", good], "expected a folder"),
                           (["--state", state, "--report", good], "good.tikc-evidence")):
            self.assertIn(why, self.expect(2, *words, *wrong).err)
            self.assertEqual(state.read_bytes(), before)
        self.assertIn("require EVIDENCE", self.expect(2, "gate", where, "--stage=shadow", "--dry-run", "--report", page).err)

    def test_rules_run_over_verdicts(self):
        where = self.contract()
        lines = [{"verdicts": {"far": {"math": "violated", "other": "satisfied"}, "worst": "satisfied"}}] * 2 + \
            [{"verdicts": {"far": "satisfied", "worst": {"math": "satisfied", "other": "violated"}}}] * 2
        stream = "".join(json.dumps(each) + "\n" for each in lines) + "\n"
        events = [json.loads(line) for line in self.expect(1, "route", where, "--format=json", "-", stdin=stream).out.splitlines()]
        self.assertEqual([(e["tick"], e["slice"], e["rule"], e["change"], e.get("cause", {}).get("clause"), e["traffic"]) for e in events], [
            (2, "math", "drift", "starts", "far", "correct(tis, 2)"),
            (3, "other", "worst_of_all", "starts", "worst", "rollback"),
            (4, "math", "drift", "ends", "far", "usual"),
        ])
        self.assertEqual(events[1]["actions"], ["alert(us)", "rollback"])
        more = stream + '{"reset": "worst_of_all"}\n'
        self.assertIn("worst_of_all is reset", self.expect(0, "route", where, "-", stdin=more).out)
        # Nothing is routed by nothing.
        self.assertIn("no verdicts found", self.expect(2, "route", where, "-", stdin="\n \n").err)
        # Silence is no pass: what is not told is undecided.
        told = self.expect(1, "route", where, "-", stdin='{"verdicts": {}}\n' * 6).out
        self.assertIn("tick 6, math: silent starts, as", told)
        self.expect(0, "route", where, "-", stdin='{"verdicts": {}, "by": "a: \\": b"}\n')
        for bad, why in (("{", "is not JSON"), ("[]", "expected either"), ('{"verdicts": {"far": "violated", "far": "satisfied"}}', "has a key twice"),
                         ('{"verdicts": {"far": "violated"}, "verdicts": {}}', "has a key twice"), ('{"verdicts": {"fra": "violated"}}', "no clause `fra`"),
                         ('{"verdicts": {"far": "good"}}', "is not a verdict"), ('{"verdicts": {"far": {"maths": "violated"}}}', "no slice"),
                         ('{"reset": "drfit"}', "no rule"), ('{"verdicts":' + "[" * 100000, "nested too deep"), ("x" * 2_000_000, "longer than")):
            done = self.expect(2, "route", where, "-", stdin="\n" + bad + "\n")
            self.assertIn(why, done.err)
            self.assertIn("<stdin>:2", done.err)

    def test_rules_run_over_evidence_as_measure_has_it(self):
        where = self.contract(stages="promotion:\n  shadow: {}\n")
        records = responses(40, 1, far=0.5) + responses(40, 2, far=0.0, start=2000)
        data = self.write("data.jsonl", "".join(json.dumps(each) + "\n" for each in records))
        path = self.folder / "data.tikc-evidence"
        done = self.tikc("measure", where, data, "--every=10 responses", "--evidence", path, "--format=json")
        told = json.loads(done.out)["rules"]
        events = [json.loads(line) for line in self.tikc("route", where, path, "--format=json").out.splitlines()]
        self.assertEqual([(e["rule"], e["slice"], e["change"], e["tick"]) for e in events if e["change"] != "steps"],
                         [(e["rule"], e["slice"], e["change"], e["evaluation"]) for e in told])
        self.assertTrue(events)


if __name__ == "__main__":
    main()
