"""The state of a claim follows the data, in every form of a report and in Python: shown, not shown, suspended, or withdrawn."""

import csv
import io
import json
import random
import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, contract, main  # noqa: E402
from tikc_python import tikc  # noqa: E402

import numpy  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((ROOT / "schemas/measurement.v1.schema.json").read_text())
TEXT = contract("states", "model: { horizon: 64 tokens }\n", """labels: { task: [math, code] }
slices:
  math: { when: task == "math" }
  code: { when: task == "code" }
assumptions: { support: full, reward: [0, 1] }
statistical:
  tvs: mean(tv_sampled) <= 0.03
  gap: mean(abs(logprob_gap)) <= 1 nat
claims:
  token_tv: tv <= 0.03
  reward: reward_drift <= 1
observability:
  tokens: sample(logprobs, 100%)
escalation:
  r: { when: violated(any), do: alert("us") }
  s: { when: undecided(any) for 6 windows, do: alert("us") }
""")
# The data of each state of `reward`, the exit status, and what decides it.
STATES = {
    "shown": ({}, 0, ""),
    "not shown": ({"tasks": ["math", "other"]}, 4, "tvs is undecided on code"),
    "suspended": ({"reward": 7}, 1, "reward: [0, 1] is broken"),
    "withdrawn": ({"noise": {"code": 0.5}}, 1, "tvs is violated on code"),
}


def records(tasks=("math", "code", "other"), reward=0.5, noise=None):
    draw = random.Random(3)
    out = []
    for i in range(60):
        task = tasks[i % len(tasks)]
        infer = [-draw.expovariate(1) - 0.1 for _ in range(40)]
        train = [min(x + draw.gauss(0, (noise or {}).get(task, 0.01)), 0) for x in infer]
        out.append({"train": train, "infer": infer, "reward": reward, **({"task": task} if task != "other" else {})})
    return out


class ClaimStates(Case):
    def setUp(self):
        super().setUp()
        self.contract = self.write("states.tikc.yaml", TEXT)

    def measured(self, state, form, *words):
        data, status, _ = STATES[state]
        self.write("data.jsonl", "".join(json.dumps(each) + "\n" for each in records(**data)))
        return self.expect(status, "measure", f"--format={form}", "--map=reward=reward", *words, self.contract, "data.jsonl").out

    def test_text(self):
        for state, (_, _, why) in STATES.items():
            with self.subTest(state=state):
                text = self.measured(state, "text")
                self.assertRegex(text, rf"(?m)^{state} +reward +reward_drift <= 1 .*{re.escape(why)}$")
                self.assertRegex(text.splitlines()[-1], rf"claims: .*\b{state}")

    def test_json(self):
        for state, (_, _, why) in STATES.items():
            with self.subTest(state=state):
                told = json.loads(self.measured(state, "json"))
                if jsonschema is not None:
                    jsonschema.validate(told, SCHEMA)
                claim = next(each for each in told["claims"] if each["claim"] == "reward")
                self.assertEqual((claim["state"], claim["why"]), (state, why))
                self.assertEqual({(each["clause"], each["slice"]) for each in claim["clauses"]}, {("tvs", each) for each in ("math", "code", "other")})
                self.assertEqual(told["verdict"], {"shown": "satisfied", "not shown": "undecided", "suspended": "suspended", "withdrawn": "violated"}[state])

    def test_tables(self):
        for state, (_, _, why) in STATES.items():
            with self.subTest(state=state):
                self.assertIn(f"**{state}**" if state in ("suspended", "withdrawn") else f"| {state} |", self.measured(state, "markdown"))
                rows = csv.DictReader(io.StringIO(self.measured(state, "csv")))
                row = next(each for each in rows if each["kind"] == "claim" and each["clause"] == "reward")
                self.assertEqual(row["verdict"], state)
                self.assertTrue(row["why"].startswith(why), row["why"])

    def test_junit(self):
        inner = {"shown": [], "not shown": ["skipped"], "suspended": ["failure"], "withdrawn": ["failure"]}
        for state, (_, _, why) in STATES.items():
            with self.subTest(state=state):
                case = next(each for each in xml.fromstring(self.measured(state, "junit")).iter("testcase") if each.get("name") == "claim reward")
                self.assertEqual([each.tag for each in case if each.tag != "system-out"], inner[state])
                for each in case.findall("skipped") + case.findall("failure"):
                    self.assertEqual(each.get("message"), why)

    def test_settings_and_numbers_that_come_late_count(self):
        """Behind what is looked at to know the form, or behind many other fields."""
        data = records(**STATES["shown"][0]) * 2
        self.assertGreater(len(data), 100)
        for late, state in (({"temperature": 0.5}, "not shown"), ({"sampling_params": {"top_p": 0.5}}, "not shown"), ({"meta": {f"k{i}": i for i in range(300)}, "temperature": 0.5}, "not shown"),
                            ({"reward": 7}, "suspended")):
            told = self.claims(TEXT, [{**each, **(late if i >= 80 else {})} for i, each in enumerate(data)], 1 if state == "suspended" else 4)
            self.assertEqual(told["reward"]["state"], state, late.keys())

    def test_junit_has_a_case_for_other_settings(self):
        data, _, _ = STATES["shown"]
        self.write("data.jsonl", "".join(json.dumps({**each, "temperature": 0.5}) + "\n" for each in records(**data)))
        suite = xml.fromstring(self.expect(4, "measure", "--format=junit", self.contract, "data.jsonl").out)
        (case,) = (each for each in suite.iter("testcase") if each.get("name") == "settings of the data")
        self.assertIn("temperature 0.5; the contract says 1", case.find("skipped").get("message"))
        self.assertEqual(int(suite.find("testsuite").get("tests")), len(list(suite.iter("testcase"))))

    def test_evidence(self):
        for state, (_, status, why) in STATES.items():
            with self.subTest(state=state):
                self.measured(state, "text", "--evidence=kept.tikc-evidence")
                told = json.loads(self.expect(status, "measure", "--format=json", self.contract, "kept.tikc-evidence").out)
                claim = next(each for each in told["claims"] if each["claim"] == "reward")
                self.assertEqual((claim["state"], claim["why"]), (state, why))
                (self.folder / "kept.tikc-evidence").unlink()

    def test_python(self):
        held = tikc.load(self.contract)
        for state, (data, _, why) in STATES.items():
            with self.subTest(state=state):
                monitor = held.monitor(on_fault="raise")
                for each in records(**data):
                    labels = {"task": [each["task"]]} if "task" in each else None
                    monitor.tokens(numpy.float32([each["train"]]), numpy.float32([each["infer"]]), labels=labels)
                    monitor.rewards([each["reward"]])
                window = monitor.tick(0.0)
                claim = next(each for each in window.claims if each.claim == "reward")
                self.assertEqual(claim.state, state)
                if state != "shown":
                    self.assertEqual(claim.why, why)
                    self.assertIn(f"reward is {state}: {why}", repr(window))
                told = held.measure(window.evidence).to_dict()
                self.assertEqual(next(each["state"] for each in told["claims"] if each["claim"] == "reward"), state)

    def test_the_bound_at_the_measured_point(self):
        self.write("data.jsonl", "".join(json.dumps(each) + "\n" for each in records()))
        forms = {form: self.expect(0, "measure", f"--format={form}", "--map=reward=reward", self.contract, "data.jsonl", "--evidence=kept.tikc-evidence").out
                 for form in ("text", "json", "markdown", "csv", "junit")}
        told = json.loads(forms["json"])
        for claim in told["claims"]:
            (bound,) = claim["observed"]
            self.assertEqual((bound["confidence"], bound["from"]), (0.95, ["tvs"]))
            says = f"<= {bound['bound']:.4g} at 95% (tvs)"
            for form in ("text", "markdown", "csv", "junit"):
                self.assertIn(says, forms[form].replace("&lt;", "<"), form)
        kept = tikc.Evidence.load(self.folder / "kept.tikc-evidence")
        self.assertEqual(list(tikc.load(self.contract).measure(kept).claims), told["claims"])

    def test_what_nothing_watches_is_taken_on_trust(self):
        self.write("data.jsonl", "".join(json.dumps({**each, "reward": None}) + "\n" for each in records()))
        told = json.loads(self.expect(0, "measure", "--format=json", self.contract, "data.jsonl").out)
        claim = next(each for each in told["claims"] if each["claim"] == "reward")
        self.assertEqual((claim["state"], claim["trusted"], claim["why"]), ("shown", ["reward: [0, 1]"], "taken on trust: reward: [0, 1]"))

    def claims(self, text, data, status, *words):
        self.write("data.jsonl", "".join(json.dumps(each) + "\n" for each in data))
        where = self.write("c.tikc.yaml", text)
        return {each["claim"]: each for each in json.loads(self.expect(status, "measure", "--format=json", *words, where, "data.jsonl").out)["claims"]}

    def test_the_weights_of_slices_are_taken_on_trust(self):
        text = TEXT.replace("math: { when", "math: { weight: 99%, token_weight: 99%, when").replace("code: { when", "code: { weight: 1%, token_weight: 1%, when").replace(
            "claims:\n", "claims:\n  whole: mean(tv) <= 0.03 on all\n")
        claims = self.claims(text, records(tasks=("math", "code")), 0)
        self.assertEqual((claims["whole"]["state"], claims["whole"]["trusted"][-1]), ("shown", "the weights of the slices"))
        self.assertNotIn("the weights of the slices", claims["token_tv"]["trusted"])

    def test_a_slice_that_was_to_be_empty(self):
        text = TEXT.replace("code: { when", "code: { weight: 0%, when").replace("math: { when", "math: { weight: 60%, when")
        bad = records(tasks=("code",), noise={"code": 0.5})
        # As the contract says: nothing came there.
        self.assertEqual(self.claims(text, records(tasks=("math", "other")), 0)["token_tv"]["state"], "shown")
        # What no window judged, and what was not asked, shows nothing.
        open_window = self.claims(text, records(tasks=("math", "other")) + bad[:10], 4, "--every=2400 tokens")
        self.assertEqual((open_window["token_tv"]["state"], open_window["token_tv"]["why"]), ("not shown", "tvs is undecided on code"))
        unasked = self.claims(text, records(tasks=("math", "other")) + bad, 0, "--clause=gap")
        self.assertEqual(unasked["token_tv"]["state"], "not shown")
        self.assertIn("tvs was left out on code", unasked["token_tv"]["why"])

    def test_nothing_is_shown_by_logs_that_are_disproved(self):
        held = tikc.load(self.write("c.tikc.yaml", TEXT.replace("mean(tv_sampled) <= 0.03", "mean(tv_sampled) <= 90%").replace("tv <= 0.03", "tv <= 90%").replace(
            "mean(abs(logprob_gap)) <= 1 nat", "mean(abs(logprob_gap)) <= 9 nat").replace("sample(logprobs, 100%)\n", "sample(logprobs, 100%)\n  logs: coherent(logprobs, 99%)\n")))
        for gap, verdict, state, why in ((0, "satisfied", "shown", ""), (2, "violated", "not shown", "the log-probs are not those of the distribution that the tokens were sampled from")):
            monitor = held.monitor(on_fault="raise")
            for task in ("math", "code", "other"):
                tokens = numpy.full((200, 40), -1, numpy.float32)
                monitor.tokens(tokens, tokens - gap, labels={"task": [task] * 200} if task != "other" else None)
            window = monitor.tick(0.0)
            self.assertEqual({each.verdict for each in window.verdicts if each.clause == "logs"}, {verdict})
            told = held.measure(window.evidence)
            self.assertEqual({(each.state, each.why) for each in window.claims}, {(state, why)})
            self.assertEqual({each["state"] for each in told.claims}, {state})

    def test_nothing_is_shown_where_observations_failed(self):
        held = tikc.load(self.contract)
        monitor = held.monitor()
        for each in records():
            labels = {"task": [each["task"]]} if "task" in each else None
            monitor.tokens(numpy.float32([each["train"]]), numpy.float32([each["infer"]]), labels=labels)
            monitor.rewards([each["reward"]])
        monitor.tokens(numpy.float32([[5.0]]), numpy.float32([[5.0]]))
        window = monitor.tick(0.0)
        told = held.measure(window.evidence)
        for claims in ([(each.state, each.why) for each in window.claims], *([(each["state"], each["why"]) for each in some] for some in (told.claims, told.to_dict()["claims"]))):
            self.assertEqual({state for state, _ in claims}, {"not shown"})
            self.assertTrue(all("1 observation failed" in why for _, why in claims), claims)

    def test_a_clause_that_was_left_out_shows_nothing(self):
        self.write("data.jsonl", "".join(json.dumps(each) + "\n" for each in records()))
        told = json.loads(self.expect(0, "measure", "--format=json", "--clause=gap", self.contract, "data.jsonl").out)
        claim = next(each for each in told["claims"] if each["claim"] == "token_tv")
        self.assertEqual((claim["state"], claim["why"]), ("not shown", "tvs was left out on math, tvs was left out on code, tvs was left out on other"))


if __name__ == "__main__":
    main()
