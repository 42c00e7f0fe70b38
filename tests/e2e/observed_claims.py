"""The bound at the measured point: what a contract whose limits are the far ends of intervals promises, at the confidence of those intervals and never without one."""

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
    "seen": ("mean(tv_sampled) <= ", 0.2, " with confidence 99%"),
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

    def ends(self, data, share):
        """By slice, the upper ends of `seen` but for a chance of `share`: its interval has half of the error on either side."""
        confidence = f" with confidence {100 * (1 - 2 * share):.12g}%"
        where = self.write("ends.tikc.yaml", text({}, {"one": CLAIMS["one"]}, {"seen": ("mean(tv_sampled) <= ", 0.2, confidence)}))
        return {row["slice"]: float(f"{row['high']:.12g}") for row in self.measured(where, data)["clauses"] if row["high"] is not None}

    def test_what_the_same_contract_with_far_ends_promises(self):
        data = self.data(records())
        told = self.measured(self.write("c.tikc.yaml", text({})), data)
        claims = {claim["claim"]: claim for claim in told["claims"]}
        for name in ("one", "each", "mix"):
            rests = {(ground["clause"], ground["slice"]) for ground in claims[name]["clauses"]}
            self.assertEqual({clause for clause, _ in rests}, {"seen"}, name)
            ends = self.ends(data, 0.01 / len(rests))
            expected = self.promised({**dict.fromkeys(CLAUSES), "seen": {place: end for place, end in ends.items() if ("seen", place) in rests}})[name]
            (one,) = claims[name]["observed"]
            self.assertAlmostEqual(one["bound"] / expected, 1, delta=2e-3, msg=f"{name}: {one}")
            self.assertEqual((one["confidence"], one["from"]), (0.99, ["seen"]), name)
        # A maximum, or the mean of a figure without a range, has no interval, and an estimate is not a bound.
        for name in ("kls", "grad"):
            (one,) = claims[name]["observed"]
            rests = sorted({ground["clause"] for ground in claims[name]["clauses"]} - {"seen"}, key=list(CLAUSES).index)
            why = "holds of what was observed; unseen observations may break" if rests == ["worst"] else "no interval for"
            self.assertEqual((one["bound"], one["confidence"], one["why"]), (None, None, f"{why} {', '.join(rests)}"))

    def seen(self, confidence="", sections=SLICES, claim="mean(tv) <= 0.9 on other", **more):
        """A claim that rests on the sampled total variation alone."""
        clauses = {"seen": ("mean(tv_sampled) <= ", 0.2, confidence), **more}
        return self.write("c.tikc.yaml", text({}, {"one": claim}, clauses).replace(SLICES, sections))

    def test_the_confidence_of_the_stage_and_of_none(self):
        data = self.data(records())
        for confidence, stage, expected in (("", "", 0.95), (" with confidence 98%", "", 0.98), (" with confidence 98%", ", confidence: 99.9%", 0.999)):
            where = self.seen(confidence)
            where.write_text(where.read_text() + f"promotion:\n  canary: {{ traffic: 5%, window: 10 min{stage} }}\n  full: {{ traffic: 100%, window: 10 min }}\n")
            told = self.measured(where, data, *(["--stage=canary", "--every=all"] if stage else []))
            (one,) = told["claims"][0]["observed"]
            self.assertEqual(one["confidence"], expected)
            self.assertAlmostEqual(one["bound"] / self.ends(data, 1 - expected)["other"], 1, delta=1e-4)

    def test_it_may_be_more_than_is_promised(self):
        told = self.measured(self.seen(), self.data([{"train": [-4.0], "infer": [-1.0]}] * 99))
        (one,) = told["claims"][0]["observed"]
        self.assertEqual((told["verdict"], told["claims"][0]["state"], one["beyond"]), ("violated", "withdrawn", True))
        self.assertGreater(one["bound"], -math.expm1(-3))

    def test_the_worst_window_counts(self):
        files, means = [], []
        for i, noise in enumerate((0.02, 0.3, 0.05)):
            some = [{**each, "task": "chat"} for each in records(30, (noise,) * 3)]
            files.append(self.write(f"{i}.jsonl", "".join(json.dumps(each) + "\n" for each in some)))
            means.append(self.ends(files[-1], 0.05)["other"])
        (one,) = self.measured(self.seen(), *files, "--every=file")["claims"][0]["observed"]
        self.assertAlmostEqual(one["bound"] / max(means), 1, delta=1e-4)

    def test_what_no_window_judged_is_counted(self):
        told = self.measured(self.seen(), self.data([{"train": [-1.0] * 10, "infer": [-1.0] * 10}] * 13), "--every=100 tokens")
        (one,) = told["claims"][0]["observed"]
        self.assertLess(one["bound"], 0.1)
        self.assertEqual(one["unjudged"], told["data"]["rest"])
        self.assertGreater(one["unjudged"], 0)

    def test_it_covers_the_truth(self):
        """Pairs of distributions whose total variation is known: at 80%, more than one in five bounds below it is a fault."""
        draw = random.Random(11)
        below = 0
        for _ in range(40):
            train, infer = 0.5 + draw.uniform(-0.1, 0.1), 0.5
            data = []
            for _ in range(60):
                heads = [draw.random() < infer for _ in range(10)]
                data.append({"train": [math.log(train if each else 1 - train) for each in heads], "infer": [math.log(infer)] * 10})
            (one,) = self.measured(self.seen(" with confidence 80%"), self.data(data))["claims"][0]["observed"]
            below += one["bound"] < abs(train - infer)
        self.assertLessEqual(below, 8)

    def draft(self, *of):
        return self.write("c.tikc.yaml", text({}, *of).replace("version: 1.0.0\n", "version: 1.0.0\ndraft: true\n"))

    def test_weights_are_the_datas_own(self):
        # All that is bad came in a slice that is declared to be empty, and in what no slice takes.
        sections = SLICES.replace("50%", "100%").replace("30%", "0%")
        where = self.seen(" with confidence 99%", sections, "mean(tv) <= 0.9 on all")
        for bad in ("code", "chat"):
            data = [{"train": [-1.0 - (1 if task == bad else 0)] * 50, "infer": [-1.0] * 50, "task": task} for task in ("math", "code", "chat")] * 60
            bound = self.measured(where, self.data(data))["claims"][0]["observed"][0]
            self.assertTrue(bound["bound"] is None or bound["bound"] > -math.expm1(-1), bad)
        # And nothing follows for a part from what holds of the whole.
        where = self.draft({"one": "mean(tv) <= 0.9 on math"}, {"mixed": ("mean(tv_sampled) <= ", 0.3, " on all with confidence 95%")})
        self.assertIsNone(self.measured(where, self.data(records()))["claims"][0]["observed"][0]["bound"])

    def test_rows_and_tokens_are_apart(self):
        try:
            import numpy
        except ModuleNotFoundError:
            self.skipTest("needs python3-numpy")
        where = self.write("c.tikc.yaml", contract("c", "model: { vocabulary: 4 }\nassumptions: { support: full }\nlabels: { task: [math] }\nslices:\n  math: { when: task == \"math\" }\nnumerical:\n  rw: mean(tv) <= 50% on math with confidence 99%\n  far: max(tv) <= 90%\n"
                                                   "statistical:\n  tk: mean(tv_sampled) <= 60% on other with confidence 99%\n", OBSERVED, "claims:\n  one: mean(tv) <= 0.9\n  every: max(tv) <= 0.9\n", ESCALATION))
        logits = numpy.zeros((2000, 4), dtype=numpy.float32)
        rows = self.folder / "rows.npz"
        numpy.savez(rows, train_rows=logits, infer_rows=logits, task=numpy.zeros(2000, dtype=numpy.int64))
        tokens = self.data([{"train": [-2.0] * 20, "infer": [-1.0] * 20}] * 100)
        where.write_text(where.read_text().replace("[math]", '["0"]').replace('"math"', '"0"'))
        evidence = [self.folder / f"{name}.tikc-evidence" for name in ("rows", "tokens")]
        for path, of in zip(evidence, (rows, tokens)):
            self.tikc("measure", where, of, "--evidence", path)
        one, every = (claim["observed"] for claim in self.measured(where, *evidence)["claims"])
        # Each slice has what it was measured by, and the worst of them counts.
        self.assertGreater(one[0]["bound"], -math.expm1(-1))
        self.assertEqual((one[0]["confidence"], sorted(one[0]["from"])), (0.99, ["rw", "tk"]))
        # The largest of the rows that came is not the largest of all.
        self.assertEqual([(each["bound"], each["why"]) for each in every], [(None, "holds of what was observed; unseen observations may break far")])

    def test_nothing_follows_from_logs_that_are_disproved(self):
        where = self.seen(" with confidence 99%")
        where.write_text(where.read_text().replace(OBSERVED, OBSERVED + "  logs: coherent(logprobs, 99%)\n"))
        data = self.data([{"train": [-1.0] * 20, "infer": [-3.0] * 20}] * 50)
        for words in ((), ("--clause=seen",)):
            claim = self.measured(where, data, *words)["claims"][0]
            self.assertEqual((claim["state"], claim["why"]), ("not shown", "the log-probs are not those of the distribution that the tokens were sampled from"))
            (one,) = claim["observed"]
            self.assertEqual((one["bound"], "distribution that the tokens" in one["why"]), (None, True))

    def test_what_was_not_observed_bounds_nothing(self):
        where = self.write("c.tikc.yaml", text({}))
        # Of a slice of which nothing came nothing is asked.
        told = self.measured(where, self.data(each for each in records() if each["task"] != "code"))
        for claim in told["claims"]:
            if claim["claim"] in ("one", "each", "mix"):
                self.assertTrue(all(one["bound"] is not None for one in claim["observed"]), claim)
        # A NaN counts as the worst value of the range.
        data = records()
        clean = self.measured(where, self.data(data))["claims"][1]["observed"][0]["bound"]
        data[0]["train"][0] = math.nan
        told = self.measured(where, self.data(data))
        observed = {claim["claim"]: claim["observed"] for claim in told["claims"]}
        self.assertGreater(observed["each"][0]["bound"], clean)
        self.assertIsNone(observed["kls"][0]["bound"])
        # A clause that was left out was not judged.
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
        where, data = self.seen(), self.data([{"train": [-1.25], "infer": [-1.0]}] * 900)
        for form in ("text", "markdown", "csv"):
            self.assertRegex(self.tikc("measure", where, data, f"--format={form}").out, r"<= 0.2\d+ at 95% \(seen\)", form)


if __name__ == "__main__":
    main()
