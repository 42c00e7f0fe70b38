"""Claims at what was observed: what a contract with the observed numbers in the place of its own would promise, and no more sure than its clauses are."""

import json
import math
import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, contract, main  # noqa: E402

MODEL = "model: { horizon: 64 tokens }\nassumptions: { support: full, reward: [0, 1], advantage: 1, score_norm: 2, estimator: token_mc, correction: none }\n"
SLICES = """labels: { task: [math, code, chat] }
slices:
  math: { weight: 50%, when: task == "math" }
  code: { weight: 30%, when: task == "code" }
"""
OBSERVED = "observability:\n  rows: sample(logits, 1%)\n  tokens: sample(logprobs, 100%)\n"
ESCALATION = 'escalation:\n  r: { when: violated(any), do: alert("us") }\n  s: { when: undecided(any) for 6 windows, do: alert("us") }\n'
# Of each clause its family and how it is written around its limit, which is of the base unit, or a share.
CLAUSES = {
    "gap": ("mean(abs(logprob_gap)) <= ", 0.5, " nat"),
    "seen": ("mean(tv_sampled) <= ", 0.4, " with confidence 99%"),
    "worst": ("max(abs(logprob_gap)) <= ", 3, " nat"),
    "far": ("rate(abs(logprob_gap) > 0.2 nat) <= ", 0.1, " on code with confidence 95%"),
    "mixed": ("mean(k3) <= ", 0.2, " on all"),
    "kl": ("mean(k3) <= ", 0.3, ""),
    "usual": ("p99(abs(logprob_gap)) <= ", 2, " nat"),
}
CLAIMS = {"one": "tv <= 90%", "each": "mean(tv) <= 0.9 on math", "grad": "pg_bias <= 400", "kls": "mean(kl_train_infer) <= 10 bit", "mix": "mean(tv) <= 0.9 on all"}


def text(limits, claims=CLAIMS, clauses=CLAUSES):
    """The contract; `limits` says of a clause its own number, or one for each slice."""
    def lines(name):
        begin, usual, end = clauses[name]
        limit = limits.get(name, usual)
        if not isinstance(limit, dict):
            return begin + repr(limit) + end
        confidence = re.search(r" with confidence.*", end)
        rest = end[:confidence.start()] if confidence else end
        rest = re.sub(r" on \w+", "", rest)
        return " and ".join(f"{begin}{value!r}{rest} on {slice}{confidence.group() if confidence else ''}" for slice, value in limit.items())
    return contract("c", MODEL, SLICES, "statistical:\n", *(f"  {name}: {lines(name)}\n" for name in clauses if limits.get(name, 0) is not None),
                    OBSERVED, "claims:\n", *(f"  {name}: {says}\n" for name, says in claims.items()), ESCALATION)


def records(count=600, noise=(0.02, 0.05, 0.01)):
    draw = random.Random(7)
    out = []
    for i in range(count):
        infer = [-draw.expovariate(1) for _ in range(draw.randint(5, 60))]
        out.append({"train": [min(x + draw.gauss(0, noise[i % 3]), 0) for x in infer], "infer": infer, "task": ("math", "code", "chat")[i % 3]})
    return out


class ObservedClaims(Case):
    def measured(self, where, *words):
        done = self.tikc("measure", where, "--format=json", *words)
        self.assertIn(done.returncode, (0, 1, 4), done.err)
        return json.loads(done.out)

    def data(self, some):
        return self.write("data.jsonl", "".join(json.dumps(each) + "\n" for each in some))

    def promised(self, limits):
        """What `tikc check` says of the claims of a contract with these limits, in base units, where data tell how traffic falls into slices."""
        where = self.write("promised.tikc.yaml", re.sub(r"weight: \d+%, ", "", text(limits)))
        done = self.tikc("check", where, "--format=json")
        out = {}
        for claim in json.loads(done.out)["claims"]:
            number = re.match(r"([\d.e+-]+)", claim["bound"])
            if number:
                out[claim["claim"]] = max(out.get(claim["claim"], 0), float(number.group(1)))
        return out

    def limits(self, told, wants):
        """The upper ends of what was observed, a little rounded up as people would write them."""
        out = {name: None for name in CLAUSES}
        for row in told["clauses"]:
            if not wants(row):
                continue
            unit = 0.01 if row["unit"] == "%" else 1
            high = float(f"{row['high'] * unit * (1 + 1e-9):.12g}")
            if row["slice"] == "*":
                out[row["clause"]] = high
            else:
                out[row["clause"]] = {**(out[row["clause"]] or {}), row["slice"]: high}
        return out

    def test_what_the_same_contract_with_observed_limits_promises(self):
        told = self.measured(self.write("c.tikc.yaml", text({})), self.data(records()))
        claims = {claim["claim"]: claim["observed"] for claim in told["claims"]}
        # The largest of the tokens that were drawn is none of those that could have been.
        everything = self.promised(self.limits(told, lambda row: row["clause"] != "worst"))
        sure = self.promised(self.limits(told, lambda row: "confidence" in row["says"]))
        seen = set()
        for name, observed in claims.items():
            for one in observed:
                if one["bound"] is None:
                    self.assertNotIn(name, everything)
                    continue
                expected = (everything if one["confidence"] is None else sure)[name]
                self.assertAlmostEqual(one["bound"] / expected, 1, delta=2e-3, msg=f"{name}: {one}")
                self.assertEqual(one["basis"], "estimate" if one["confidence"] is None else "confidence")
                seen.add((name, one["confidence"] is None))
        self.assertLessEqual({("one", True), ("one", False), ("each", True), ("each", False), ("mix", True), ("mix", False)}, seen)
        # Of all that could have bounded it: `seen` on three slices, and `far` on one of them.
        self.assertEqual([round(one["confidence"], 12) for one in claims["one"] if one["confidence"]], [0.92])
        self.assertEqual([round(one["confidence"], 12) for one in claims["each"] if one["confidence"]], [0.99])

    def gap(self, *more):
        """A claim that rests on a mean alone, without slices."""
        return self.write("c.tikc.yaml", text({}, {"one": "tv <= 90%"}, {"gap": CLAUSES["gap"], **dict(more)}).replace(SLICES, ""))

    def draft(self, *of):
        return self.write("c.tikc.yaml", text({}, *of).replace("version: 1.0.0\n", "version: 1.0.0\ndraft: true\n"))

    def test_by_hand(self):
        told = self.measured(self.gap(), self.data([{"train": [-1.25, -2], "infer": [-1, -2.0625]}] * 50))
        bound = told["claims"][0]["observed"][0]
        # The pair (1 - e^-g, ...) has a mean gap of g.
        self.assertAlmostEqual(bound["bound"], 100 * -math.expm1(-(0.25 + 0.0625) / 2), delta=1e-9)
        self.assertEqual((bound["side"], bound["unit"], bound["confidence"], bound["basis"], bound["from"], bound["beyond"]), ("at most", "%", None, "estimate", ["gap"], False))

    def test_it_may_be_more_than_is_promised(self):
        told = self.measured(self.gap(), self.data([{"train": [-4.0], "infer": [-1.0]}] * 9))
        self.assertEqual(told["verdict"], "violated")
        bound = told["claims"][0]["observed"][0]
        self.assertAlmostEqual(bound["bound"], 100 * -math.expm1(-3), delta=1e-9)
        self.assertTrue(bound["beyond"])

    def test_the_worst_window_counts(self):
        files, means = [], []
        for i, noise in enumerate((0.02, 0.3, 0.05)):
            some = records(30, (noise,) * 3)
            files.append(self.write(f"{i}.jsonl", "".join(json.dumps(each) + "\n" for each in some)))
            gaps = [abs(a - b) for each in some for a, b in zip(each["train"], each["infer"])]
            means.append(sum(gaps) / len(gaps))
        told = self.measured(self.gap(), *files, "--every=file")
        self.assertEqual(told["clauses"][0]["windows"]["satisfied"], 3)
        self.assertAlmostEqual(told["claims"][0]["observed"][0]["bound"] / (100 * -math.expm1(-max(means))), 1, delta=1e-5)

    def test_what_no_window_judged_is_counted(self):
        told = self.measured(self.gap(), self.data([{"train": [-1.0] * 10, "infer": [-1.0] * 10}] * 13), "--every=100 tokens")
        bound = told["claims"][0]["observed"][0]
        self.assertEqual((bound["bound"], bound["unjudged"]), (0, told["data"]["rest"]))
        self.assertGreater(bound["unjudged"], 0)

    def test_weights_are_the_datas_own(self):
        # All that is bad came in a slice that is declared to be empty, and in what no slice takes.
        sections = SLICES.replace("50%", "100%").replace("30%", "0%")
        where = self.write("c.tikc.yaml", text({}, {"one": "mean(tv) <= 0.9 on all"}, {"seen": CLAUSES["seen"]}).replace(SLICES, sections))
        for bad in ("code", "chat"):
            data = [{"train": [-1.0 - (1 if task == bad else 0)] * 50, "infer": [-1.0] * 50, "task": task} for task in ("math", "code", "chat")] * 60
            bound = self.measured(where, self.data(data))["claims"][0]["observed"][0]
            self.assertGreater(bound["bound"], -math.expm1(-1), bad)
        # And nothing follows for a part from what holds of the whole.
        where = self.draft({"one": "mean(tv) <= 0.9 on math"}, {"mixed": ("mean(tv_sampled) <= ", 0.3, " on all with confidence 95%")})
        self.assertIsNone(self.measured(where, self.data(records()))["claims"][0]["observed"][0]["bound"])

    def test_rows_and_tokens_are_apart(self):
        try:
            import numpy
        except ModuleNotFoundError:
            self.skipTest("needs python3-numpy")
        where = self.write("c.tikc.yaml", contract("c", "model: { vocabulary: 4 }\nassumptions: { support: full }\nnumerical:\n  rw: mean(tv) <= 60% with confidence 99%\n  far: max(tv) <= 90%\n"
                                                   "statistical:\n  tk: mean(tv_sampled) <= 60% with confidence 99%\n", OBSERVED, "claims:\n  one: mean(tv) <= 0.9\n  every: max(tv) <= 0.9\n", ESCALATION))
        logits = numpy.zeros((2000, 4), dtype=numpy.float32)
        rows = self.folder / "rows.npz"
        numpy.savez(rows, train_rows=logits, infer_rows=logits)
        tokens = self.data([{"train": [-2.0] * 20, "infer": [-1.0] * 20}] * 100)
        evidence = [self.folder / f"{name}.tikc-evidence" for name in ("rows", "tokens")]
        for path, of in zip(evidence, (rows, tokens)):
            self.tikc("measure", where, of, "--evidence", path)
        one, every = (claim["observed"] for claim in self.measured(where, *evidence)["claims"])
        self.assertGreater(one[0]["bound"], -math.expm1(-1))
        self.assertEqual((round(one[0]["confidence"], 12), sorted(one[0]["from"])), (0.98, ["rw", "tk"]))
        self.assertEqual([(each["bound"], each["basis"]) for each in every], [(0, "of the rows")])

    def test_nothing_follows_from_logs_that_are_disproved(self):
        where = self.gap(("seen", CLAUSES["seen"]))
        where.write_text(where.read_text().replace(OBSERVED, OBSERVED + "  logs: coherent(logprobs, 99%)\n"))
        data = self.data([{"train": [-1.0] * 20, "infer": [-3.0] * 20}] * 50)
        for words in ((), ("--clause=seen",)):
            (one,) = self.measured(where, data, *words)["claims"][0]["observed"]
            self.assertEqual((one["bound"], "law that drew" in one["why"]), (None, True))

    def test_what_was_not_observed_bounds_nothing(self):
        where = self.write("c.tikc.yaml", text({}))
        # Of a slice of which nothing came nothing is asked.
        told = self.measured(where, self.data(each for each in records() if each["task"] != "code"))
        for claim in told["claims"]:
            if claim["claim"] in ("one", "each", "mix"):
                self.assertTrue(all(one["bound"] is not None for one in claim["observed"]), claim)
        # A number that is none counts as bad as can be, where there is a worst.
        data = records()
        data[0]["train"][0] = math.nan
        told = self.measured(where, self.data(data))
        observed = {claim["claim"]: claim["observed"] for claim in told["claims"]}
        self.assertEqual([one["from"] for one in observed["each"]], [["seen"]])
        self.assertIsNone(observed["kls"][0]["bound"])
        # What is not asked for was not judged.
        told = self.measured(where, self.data(records()), "--clause=far")
        self.assertEqual({claim["claim"] for claim in told["claims"] if claim["observed"][0]["bound"] is not None}, set())

    def test_nothing_rests_on_what_is_broken(self):
        where = self.write("c.tikc.yaml", contract("c", "assumptions: { support: full, ratio_cap: 1.05 }\nstatistical:\n  sampled: mean(tv_sampled) <= 3%\n", OBSERVED, "claims:\n  one: mean(tv) <= 0.045\n", ESCALATION))
        told = self.measured(where, self.data([{"train": [-2.0, -0.5], "infer": [-1.0, -1.0]}] * 50))
        self.assertEqual([row["state"] for row in told["assumptions"] if row["assumption"] == "ratio_cap"], ["broken"])
        for claim in told["claims"]:
            for one in claim["observed"]:
                self.assertTrue(one["bound"] is None or one["bound"] > 0.3, one)

    def test_a_suspended_claim_has_none(self):
        data = [{**each, "advantage": 2} for each in records()]
        where = self.write("c.tikc.yaml", text({}, {"grad": "pg_bias <= 400", "one": "tv <= 90%"}))
        told = self.measured(where, self.data(data))
        self.assertEqual([(claim["state"], bool(claim["observed"])) for claim in told["claims"]], [("suspended", False), ("shown", True)])

    def test_every_form_tells_it(self):
        where, data = self.gap(), self.data([{"train": [-1.25], "infer": [-1.0]}] * 9)
        for form in ("text", "markdown", "csv"):
            self.assertIn("22.12%", self.tikc("measure", where, data, f"--format={form}").out.replace("22.1199", "22.12%"), form)


if __name__ == "__main__":
    main()
