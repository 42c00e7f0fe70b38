"""tikc explain --evidence: what claims are worth after so many observations. Its numbers are computed here again, in other ways."""

import json
import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import CLEAN, ROOT, Case  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

CONTRACT = CLEAN + """model: { horizon: 100 tokens, temperature: 1 }
assumptions: { support: full, reward: [0, 1] }
numerical:
  worst: max(logit_osc) <= 1
  usual: p99(logit_osc) <= 0.25
statistical:
  answers: mean(seq_tv) <= 20%
observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 50%)
claims:
  token: mean(tv) <= 0.1
  every: max(tv) <= 0.3
  reward: reward_drift <= 0.25
escalation:
  rest: { when: violated(any), do: hold, until: satisfied(any) }
  stale: { when: undecided(any) for 6 windows, do: hold, until: satisfied(any) }
"""


def tail(k, n, p):
    """P(Bin(n, p) <= k), by summing in logarithms."""
    return sum(math.exp(math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * math.log(p) + (n - i) * math.log1p(-p)) for i in range(k + 1))


def rate(k, n, alpha):
    low, high = k / n, 1 - 1e-15
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(k, n, middle) > alpha else (low, middle)
    return high


def kept_rate(k, n, alpha):
    """The largest rate that the Beta(1/2, 1/2) mixture does not reject."""
    def beta(a, b):
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)

    low, high = max(k / n, 1e-12), 1 - 1e-12
    for _ in range(80):
        middle = (low + high) / 2
        evidence = beta(k + 0.5, n - k + 0.5) - beta(0.5, 0.5) - k * math.log(middle) - (n - k) * math.log1p(-middle)
        low, high = (middle, high) if evidence < math.log(1 / alpha) else (low, middle)
    return high


def kept_mean(mean, n, alpha):
    """The largest mean in [0, 1] that Chernoff's bound does not rule out."""
    low, high = mean, 1 - 1e-15
    for _ in range(80):
        middle = (low + high) / 2
        kl = (mean * math.log(mean / middle) if mean else 0) + (1 - mean) * math.log((1 - mean) / (1 - middle))
        low, high = (middle, high) if n * kl < math.log(1 / alpha) else (low, middle)
    return high


class Evidence(Case):
    def told(self, evidence, text=CONTRACT):
        path = self.write("a.tikc.yaml", text)
        done = self.tikc("explain", path, "--evidence=" + evidence, "--format=json", cwd=self.folder)
        self.assertEqual(done.err, "")
        contract = json.loads(done.out)["contracts"][0]
        return {claim["claim"]: {way["way"]: way for way in claim["on_evidence"]} for claim in contract["claims"]}

    def near(self, amount, value):
        """Not below the true value, and hardly above it."""
        self.assertGreaterEqual(float(amount["decimal"]), value * (1 - 1e-9))
        self.assertLessEqual(float(amount["decimal"]), value * (1 + 1e-6))

    def values(self, way):
        return {row["clause"]: row for row in way["statements"]}

    def test_a_maximum_becomes_a_quantile(self):
        token = self.told("tokens=40_000,violations=0")["token"]
        # 400 rows; 5% over two statements
        worst, usual = 1 - 0.025 ** (1 / 400), rate(4, 400, 0.025)
        fixed = self.values(token["fixed"])
        self.assertEqual(fixed["worst"]["observations"]["exact"], "400")
        self.near(fixed["worst"]["value"], worst)
        self.near(fixed["usual"]["value"], usual)
        self.near(token["fixed"]["bound"], (1 - usual) * math.tanh(1 / 16) + (usual - worst) * math.tanh(1 / 4) + worst)
        self.assertTrue(token["fixed"]["shown"])
        anytime = self.values(token["anytime"])
        self.near(anytime["worst"]["value"], kept_rate(0, 400, 0.025))
        self.near(anytime["usual"]["value"], kept_rate(4, 400, 0.025))

    def test_violations_and_confidence_count(self):
        token = self.told("tokens=40_000,violations=9,confidence=99%")["token"]
        self.near(self.values(token["fixed"])["worst"]["value"], rate(9, 400, 0.005))
        # more break `worst` than `usual`, so only the quantile is left
        usual = rate(4, 400, 0.005)
        self.near(token["fixed"]["bound"], (1 - usual) * math.tanh(1 / 16) + usual)

    def test_no_evidence_is_about_every_context(self):
        every = self.told("tokens=1_000_000_000,violations=0")["every"]
        for way in ("fixed", "anytime"):
            self.assertNotIn("bound", every[way])
            self.assertFalse(every[way]["shown"])
            self.assertEqual(every[way]["statements"], [])

    def test_a_mean_gets_a_radius(self):
        reward = self.told("tokens=1_000_000,violations=0,sequences=10_000,windows=4")["reward"]
        # half of 10,000 responses; look 4 has 5%/20
        self.near(reward["fixed"]["bound"], 0.2 + math.sqrt(math.log(1 / 0.05) / 10_000))
        self.near(reward["anytime"]["bound"], 0.2 + math.sqrt(math.log(20 / 0.05) / 10_000))
        self.assertTrue(reward["fixed"]["shown"])

    def test_responses_are_at_least_what_the_horizon_leaves(self):
        reward = self.told("tokens=1_000_000,violations=0")["reward"]
        self.assertEqual(self.values(reward["fixed"])["answers"]["observations"]["exact"], "5000")

    def test_one_context_of_a_response_counts(self):
        token = self.told("tokens=40_000,violations=0,sequences=150")["token"]
        self.assertEqual(self.values(token["fixed"])["worst"]["observations"]["exact"], "150")

    def test_responses_are_averages(self):
        token = self.told("tokens=400_000,violations=9,sequences=150")["token"]
        fixed, anytime = self.values(token["fixed"]), self.values(token["anytime"])
        self.assertEqual((fixed["worst"]["unit"], fixed["worst"]["about"], token["fixed"]["about"]), ("response", "population", "population"))
        # A response fails in part, so that no coin is tossed; each violation spoils one response at most.
        self.near(fixed["worst"]["value"], kept_mean(9 / 150, 150, 0.025))
        self.near(fixed["usual"]["value"], kept_mean(2 / 150, 150, 0.025))
        self.near(anytime["usual"]["value"], kept_rate(2, 150, 0.025))

    def test_responses_to_one_prompt_are_one_observation(self):
        every = self.told("tokens=400_000,violations=0,sequences=1_600,prompts=100,windows=4")
        self.assertEqual(self.values(every["token"]["fixed"])["worst"]["observations"]["exact"], "100")
        answers = self.values(every["reward"]["fixed"])["answers"]
        self.assertEqual((answers["observations"]["exact"], answers["unit"], answers["about"]), ("100", "prompt", "population"))
        self.near(every["reward"]["fixed"]["bound"], 0.2 + math.sqrt(math.log(1 / 0.05) / 200))
        alone = self.told("tokens=400_000,violations=0,prompts=100")["token"]["fixed"]
        self.assertEqual(self.values(alone)["worst"]["unit"], "prompt")

    def test_contexts_tell_of_those_that_were_served(self):
        token = self.told("tokens=40_000,violations=0")["token"]["fixed"]
        self.assertEqual({row["about"] for row in token["statements"]} | {token["about"]}, {"contexts served"})
        path = self.write("a.tikc.yaml", CONTRACT)
        for evidence, served in (("tokens=40_000,violations=0", True), ("tokens=40_000,violations=0,sequences=400", False)):
            out = self.tikc("explain", path, "--claim=token", "--evidence=" + evidence, cwd=self.folder).out
            self.assertEqual("over the contexts served, " in out, served, out)
            self.assertEqual("not for the population" in " ".join(out.split()), served, out)

    def test_the_confidence_of_a_clause_is_not_the_populations(self):
        """It is about the contexts that a window served, of which a response's are not independent."""
        text = CONTRACT.replace("p99(logit_osc) <= 0.25", "p99(logit_osc) <= 0.25 with confidence 99%")
        served = self.values(self.told("tokens=1_000_000,violations=0", text)["token"]["fixed"])["usual"]
        self.assertEqual((served["by"], served["about"]), ("its own confidence", "contexts served"))
        for units in ("sequences=10_000", "prompts=10_000", "sequences=20_000,prompts=10_000"):
            usual = self.values(self.told("tokens=1_000_000,violations=0," + units, text)["token"]["fixed"])["usual"]
            self.assertEqual((usual["by"], usual["about"]), ("S-CHERN", "population"))
            self.near(usual["value"], kept_mean(0.01, 10_000, 0.025))
        answers = CONTRACT.replace("<= 20%", "<= 20% with confidence 99%")
        for units, by in (("sequences=10_000", "its own confidence"), ("sequences=10_000,prompts=1_000", "S-HOEFF")):
            reward = self.told("tokens=1_000_000,violations=0," + units, answers)["reward"]["fixed"]
            self.assertEqual(self.values(reward)["answers"]["by"], by)

    def test_a_clause_with_a_confidence_of_its_own_stands(self):
        text = CONTRACT.replace("<= 20%", "<= 20% with confidence 99%")
        reward = self.told("tokens=1_000_000,violations=0", text)["reward"]
        self.assertEqual(reward["fixed"]["bound"]["exact"], "1/5")
        self.assertEqual(reward["anytime"]["bound"]["exact"], "1/5")
        # too many looks for its 1%, and too few responses for any verdict
        self.assertNotEqual(self.told("tokens=1_000_000,violations=0,windows=3", text)["reward"]["anytime"]["bound"]["exact"], "1/5")
        self.assertNotEqual(self.told("tokens=1_000_000,violations=0,sequences=20", text)["reward"]["fixed"]["bound"]["exact"], "1/5")

    def test_nothing_observed_shows_nothing(self):
        for claim in self.told("tokens=10,violations=0").values():
            for way in claim.values():
                self.assertFalse(way["shown"])

    def test_promise_and_evidence_are_told_apart(self):
        path = self.write("a.tikc.yaml", CONTRACT)
        for form in ("text", "markdown"):
            done = self.tikc("explain", path, "--evidence=tokens=40_000,violations=0", "--format=" + form, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.err)
            self.assertIn("n fixed beforehand", done.out)
            self.assertIn("nothing follows", done.out)
        plain = self.tikc("explain", path, cwd=self.folder)
        self.assertNotIn("evidence", plain.out)

    def test_json_keeps_its_schema(self):
        if not jsonschema:
            self.skipTest("no jsonschema")
        path = self.write("a.tikc.yaml", CONTRACT)
        done = self.tikc("explain", path, "--evidence=tokens=40_000,violations=0,sequences=9", "--format=json", cwd=self.folder)
        jsonschema.validate(json.loads(done.out), json.loads((ROOT / "schemas/explanation.v1.schema.json").read_text()))

    def test_wrong_use(self):
        path = self.write("a.tikc.yaml", CONTRACT)
        for evidence, why in (
            ("tokens=1", "requires violations=N"),
            ("violations=1", "requires tokens=N"),
            ("token=1,violations=0", "did you mean `tokens`?"),
            ("tokens=1.5,violations=0", "must be a whole number"),
            ("tokens=1,violations=0,confidence=1", "above 0 and below 1"),
            ("tokens=1,violations=0,tokens=2", "tokens twice"),
            ("tokens=1,violations=0,windows=0", "at least 1"),
            ("tokens=9,violations=0,sequences=10", "at most as many sequences as tokens"),
            ("tokens=9,violations=0,sequences=3,prompts=4", "at most as many prompts as sequences"),
        ):
            done = self.tikc("explain", path, "--evidence=" + evidence)
            self.assertEqual((done.returncode, done.out), (2, ""), evidence)
            self.assertIn(why, done.err)
        self.assertEqual(self.tikc("explain", path, "--evidence=tokens=1,violations=0", "--format=svg").returncode, 2)
        self.assertEqual(self.tikc("explain", "TK1001", "--evidence=tokens=1,violations=0").returncode, 2)


if __name__ == "__main__":
    unittest.main()
