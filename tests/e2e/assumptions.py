"""What a contract takes as given is held against what recorded data say of it: told in every form, with what no longer rests on anything."""

import csv
import io
import json
import math
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, contract, main, skip  # noqa: E402

try:
    import numpy
except ModuleNotFoundError as missing:
    skip(f"{missing}; the data are made with python3-numpy")
try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((ROOT / "schemas/measurement.v1.schema.json").read_text())
TEXT = contract("given", "model: { horizon: 64 tokens }\n", """assumptions:
  support: full
  reward: [0, 1]
  advantage: 0.1
  score_norm: 8
  ratio_cap: 1.5
  estimator: step
  correction: none
statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat
  answers: mean(seq_tv) <= 40%
observability:
  tokens: sample(logprobs, 100%)
claims:
  reward: reward_drift <= 0.4
  gradient: pg_bias <= 0.08
escalation:
  r: { when: violated(any), do: alert("us") }
  s: { when: undecided(any) for 6 windows, do: alert("us") }
""")
CONTRADICTED = "reward: [0, 1]"


def records(count=60, seed=1, **fields):
    random = numpy.random.default_rng(seed)
    out = []
    for i in range(count):
        infer = -random.exponential(0.7, int(random.integers(5, 60)))
        train = numpy.minimum(infer + random.normal(0, 0.005, infer.size), 0)
        out.append({"train": [float(numpy.float32(x)) for x in train], "infer": [float(numpy.float32(x)) for x in infer],
                    **{name: value(i) for name, value in fields.items()}})
    return out


def lines(each):
    return "".join(json.dumps(one) + "\n" for one in each)


class Assumptions(Case):
    def setUp(self):
        super().setUp()
        self.contract = self.write("given.tikc.yaml", TEXT)

    def measured(self, status, data, *more, name="rank0.jsonl"):
        self.write(name, data if isinstance(data, str) else lines(data))
        out = json.loads(self.expect(status, "measure", "--format=json", *more, self.contract, name).out)
        if jsonschema is not None:
            jsonschema.validate(out, SCHEMA)
        return out

    @staticmethod
    def by_name(out):
        return {each["assumption"]: each for each in out["assumptions"]}, {each["claim"]: each for each in out["claims"]}

    def test_what_is_broken_is_where_it_is_said_to_be_and_suspends_what_rests_on_it(self):
        data = records(reward=lambda i: 1.25 if i == 2 else i % 2)
        out = self.measured(1, data)
        given, claims = self.by_name(out)
        self.assertEqual({each["verdict"] for each in out["clauses"]}, {"satisfied"})
        self.assertEqual(out["verdict"], "suspended")
        self.assertEqual(given["reward"]["state"], "broken")
        self.assertEqual([(each["value"], each["place"]) for each in given["reward"]["worst"]], [(1.25, "rank0.jsonl:3")])
        self.assertEqual((given["reward"]["claims"], given["reward"]["observations"]), (["reward"], 60))
        self.assertEqual((claims["reward"]["state"], claims["reward"]["broken"]), ("suspended", [CONTRADICTED]))
        self.assertEqual(claims["gradient"]["state"], "shown")

    def test_every_form_tells_it(self):
        self.write("rank0.jsonl", lines(records(reward=lambda i: -0.5 if i == 2 else 1)))
        path = "rank0.jsonl"
        text = self.expect(1, "measure", self.contract, path).out
        self.assertIn("-0.5 at rank0.jsonl:3", text)
        self.assertIn("2 satisfied, 0 violated, 0 undecided; claims: 1 shown, 1 suspended", text)
        quiet = self.expect(1, "measure", "-q", self.contract, path).out
        self.assertRegex(quiet, r"suspended +reward +reward_drift <= 0.4 +reward: \[0, 1\] is broken")
        self.assertNotIn("unwatched", quiet)
        table = list(csv.DictReader(io.StringIO(self.expect(1, "measure", "--format=csv", self.contract, path).out)))
        found = {(each["kind"], each["clause"]): each for each in table}
        self.assertEqual((found["assumption", "reward"]["verdict"], found["assumption", "reward"]["value"]), ("broken", "-0.5"))
        self.assertEqual(found["claim", "reward"]["verdict"], "suspended")
        self.assertEqual(found["clause", "gap"]["verdict"], "satisfied")
        suite = xml.fromstring(self.expect(1, "measure", "--format=junit", self.contract, path).out)
        cases = {each.get("name"): each for each in suite.findall(".//testcase")}
        self.assertEqual(cases["claim reward"].find("failure").get("type"), "suspended")
        self.assertIsNone(cases["claim gradient"].find("failure"))
        self.assertEqual((suite.get("failures"), suite.get("tests")), ("1", str(len(cases))))
        markdown = self.expect(1, "measure", "--format=markdown", self.contract, path).out
        self.assertIn("| **broken** | `reward: [0, 1]` |", markdown)
        self.assertIn("| **suspended** | reward |", markdown)

    def test_nothing_handed_in_is_unwatched_and_never_held(self):
        given, claims = self.by_name(self.measured(0, records()))
        for key in ("reward", "advantage", "score_norm", "support", "estimator"):
            self.assertEqual((given[key]["state"], given[key]["observations"], given[key]["greatest"]), ("unwatched", 0, None), key)
        # What log-probs themselves say.
        self.assertEqual((given["horizon"]["state"], given["ratio_cap"]["state"]), ("held", "held"))
        self.assertEqual({each["state"] for each in claims.values()}, {"shown"})

    def test_what_held_is_what_numpy_says(self):
        data = records(reward=lambda i: (i * 37 % 100) / 100, advantage=lambda i: 0.1 * math.sin(i), norms=lambda i: [0.5] * 3 + [i / 10])
        for each in data:
            each["norms"] += [0.25] * (len(each["train"]) - 4)
        given, _ = self.by_name(self.measured(0, data, "--map=train=train,infer=infer,reward=reward,advantage=advantage,score_norm=norms"))
        wanted = {"reward": [each["reward"] for each in data], "advantage": [each["advantage"] for each in data], "score_norm": [max(each["norms"]) for each in data],
                  "horizon": [len(each["train"]) for each in data]}
        for key, values in wanted.items():
            row = given[key]
            least = min(min(each["norms"]) for each in data) if key == "score_norm" else min(values)
            self.assertEqual((row["state"], row["observations"], row["least"], row["greatest"]), ("held", len(values), least, max(values)), key)
            self.assertAlmostEqual(row["outside"], 1 - 0.05 ** (1 / len(values)), delta=1e-12)
        ratios = numpy.concatenate([numpy.exp((numpy.float32(each["train"]) - numpy.float32(each["infer"])).astype(float)) for each in data])
        self.assertEqual(given["ratio_cap"]["observations"], ratios.size)
        self.assertAlmostEqual(given["ratio_cap"]["greatest"], ratios.max(), delta=1e-12)

    def test_a_bound_that_is_met_is_not_broken_by_rounding(self):
        for value, state in ((0.1, "held"), (-0.1, "held"), (float(numpy.float32(0.1)), "held"), (math.nextafter(0.1, 1), "broken"), (-0.1 - 2e-17, "broken")):
            given, claims = self.by_name(self.measured(0 if state == "held" else 1, records(8, advantage=lambda i, value=value: value if i == 5 else 0)))
            self.assertEqual((given["advantage"]["state"], claims["gradient"]["state"]), (state, "shown" if state == "held" else "suspended"), value)

    def test_by_token_the_furthest_that_counts_is_looked_at(self):
        data = records(6)
        for each in data:
            each["advantage"] = [0.01] * len(each["train"])
            each["mask"] = [1] * len(each["train"])
        data[3]["advantage"][2] = -7.5
        self.assertEqual(self.by_name(self.measured(1, data))[0]["advantage"]["worst"][0], {"value": -7.5, "place": "rank0.jsonl:4"})
        data[3]["mask"][2] = 0
        self.assertEqual(self.by_name(self.measured(0, data))[0]["advantage"]["state"], "held")

    def test_what_is_not_known_is_not_handed_in_and_what_is_infinite_is_out_of_range(self):
        data = records(6, reward=lambda i: None if i == 2 else 1)
        given, _ = self.by_name(self.measured(0, data))
        self.assertEqual((given["reward"]["state"], given["reward"]["observations"]), ("held", 5))
        self.assertIn("1 of 6 responses has no number for `reward: [0, 1]`", self.expect(0, "measure", self.contract, "rank0.jsonl").out)
        text = lines(data).replace("null", "Infinity")
        given, _ = self.by_name(self.measured(1, text))
        self.assertEqual(given["reward"]["worst"], [{"value": "Infinity", "place": "rank0.jsonl:3"}])

    def test_a_response_longer_than_the_horizon_and_a_ratio_above_its_cap_are_found(self):
        data = records(9)
        data[4]["train"] = data[4]["infer"] = [-1.0] * 65
        data[6]["train"][1] = data[6]["infer"][1] + 0.5
        given, claims = self.by_name(self.measured(1, data, "--undecided=pass"))
        self.assertEqual(given["horizon"]["worst"], [{"value": 65, "place": "rank0.jsonl:5"}])
        self.assertEqual([each["place"] for each in given["ratio_cap"]["worst"]], ["rank0.jsonl:7, token 1"])
        broken = {row["says"] for row in given.values() if row["state"] == "broken"}
        for claim in claims.values():
            self.assertEqual(claim["state"], "suspended" if broken & set(claim["broken"]) else "shown")

    def test_evidence_carries_it_whatever_is_merged_how_often(self):
        parts = []
        for rank in range(3):
            data = records(20, seed=rank, reward=lambda i, rank=rank: 3 + rank if i == 7 and rank else 0.5)
            self.measured(1 if rank else 0, data, f"--evidence=rank{rank}.tikc-evidence", name=f"rank{rank}.jsonl")
            parts.append(f"rank{rank}.tikc-evidence")
        whole = self.by_name(json.loads(self.expect(1, "measure", "--format=json", self.contract, *(f"rank{rank}.jsonl" for rank in range(3))).out))[0]
        self.assertEqual([each["place"] for each in whole["reward"]["worst"]], ["rank2.jsonl:8", "rank1.jsonl:8"])
        self.expect(0, "merge", parts[2], parts[0], "-o", "two.tikc-evidence")
        self.expect(0, "merge", "two.tikc-evidence", parts[1], parts[2], "-o", "all.tikc-evidence")
        again = json.loads(self.expect(1, "measure", "--format=json", self.contract, "all.tikc-evidence").out)
        self.assertEqual(self.by_name(again)[0], whole)

    def test_a_violated_clause_goes_before_what_is_suspended(self):
        data = records(20, reward=lambda i: 2)
        for each in data:
            each["train"] = [x - 0.2 for x in each["infer"]]
        self.assertEqual(self.measured(1, data)["verdict"], "violated")

    def test_figures_that_a_trainer_logged_watch_nothing(self):
        path = self.write("log.jsonl", '{"step": 1, "sampling/sampling_logp_difference/max": 0.01}\n')
        out = json.loads(self.expect(4, "measure", "--format=json", "--scalars", self.contract, path).out)
        self.assertEqual({each["state"] for each in out["assumptions"]}, {"unwatched"})


if __name__ == "__main__":
    main()
