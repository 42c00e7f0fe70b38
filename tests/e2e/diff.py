"""`tikc diff`: what a change to a contract means."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from changed import LABELS, MATH, MATH_AND_CODE, SCHEMA, Diff, text  # noqa: E402
from harness import ROOT, main  # noqa: E402



def without_rules(contract):
    """Rules hear when and how surely clauses are decided, which is told of them."""
    return contract[: contract.index("escalation:")]


class Meaning(Diff):
    """Decided by what is said, whatever the words."""

    def test_of_one_clause(self):
        for old, new, kind, effect in [
            ("max(k3) <= 0.1", "max(k3) <= 0.2", "looser", "looser"),
            ("max(k3) <= 0.2", "max(k3) <= 0.1", "tighter", "tighter"),
            ("max(k3) <= 0.1", "max(k3) < 0.1", "tighter", "tighter"),
            ("mean(ratio) in [0.9, 1.1]", "mean(ratio) in [0.8, 1.2]", "looser", "looser"),
            ("mean(ratio) in [0.9, 1.1]", "mean(ratio) in [1, 1.2]", "looser", "looser"),
            ("max(k3) <= 0.1", "p99(k3) <= 0.1", "looser", "looser"),
            ("p99(k3) <= 0.1", "mean(k3) <= 0.1", "may be looser", "looser"),
            ("p99(k3) <= 0.1", "max(k3) <= 0.1", "tighter", "tighter"),
            ("p99(k3) <= 0.1", "rate(k3 > 0.1) <= 1%", "restated", "same"),
            ("max(abs(k1)) <= 0.1", "max(abs(logprob_gap)) <= 0.1", "restated", "same"),
            ("max(k1) <= 0.1", "min(logprob_gap) >= -0.1", "restated", "same"),
            ("ess_sample >= 80%", "effective_share(ratio) >= 80%", "restated", "same"),
            ("ess_sample >= 80%", "effective_share(ratio) >= 70%", "looser", "looser"),
            ("max(abs(logprob_gap)) <= 1 bit", "max(abs(logprob_gap)) <= 0.7 nat", "looser", "looser"),
            ("max(abs(logprob_gap)) <= 0.7", "max(abs(logprob_gap)) <= 1 bit", "tighter", "tighter"),
            ("max(k3) <= 0.1", "max(k2) <= 0.1", "may be looser", "looser"),
            ("mean(k3) <= 0.1 over 10 min", "mean(k3) <= 0.1 over 600 s", None, "same"),
            # Over a longer window the rest hides a bad part; of each value nothing is hidden.
            ("mean(k3) <= 0.1 over 10 min", "mean(k3) <= 0.1 over 1 h", "looser", "looser"),
            ("mean(k3) <= 0.1 over 1 h", "mean(k3) <= 0.1 over 10 min", "tighter", "tighter"),
            ("mean(k3) <= 0.1 over 10 min", "mean(k3) <= 0.05 over 1 h", "looser", "looser"),
            ("p99(k3) <= 0.1 over 1 step", "p99(k3) <= 0.1 over 50 steps", "looser", "looser"),
            ("rate(ratio > 2) <= 1% over 50 steps", "rate(ratio > 2) <= 1% over 1 step", "tighter", "tighter"),
            ("mean(k3) <= 0.1 over 3 steps", "mean(k3) <= 0.1 over 2 steps", "may be looser", "looser"),
            ("mean(k3) <= 0.1 over 1 step", "mean(k3) <= 0.1 over 1_000 tokens", "may be looser", "looser"),
            ("mean(k3) <= 0.1 over 1 step", "mean(k3) <= 0.1", "may be looser", "looser"),
            ("mean(k3) <= 0.1", "mean(k3) <= 0.1 over 2 windows", "looser", "looser"),
            ("max(k3) <= 0.1 over 10 min", "max(k3) <= 0.1 over 1 h", "evidence", "changed"),
            ("count(nonfinite) == 0 over 1 h", "count(nonfinite) == 0 over 10 min", "evidence", "changed"),
            ("rate(ratio > 2) == 0 over 1 step", "rate(ratio > 2) == 0 over 50 steps", "evidence", "changed"),
            ("mean(veto(0.5)) <= 0 over 1 step", "mean(veto(0.5)) <= 0 over 50 steps", "evidence", "changed"),
            ("count(veto(0.5)) <= 3 over 50_000 tokens", "count(veto(0.5)) <= 3 over 100_000 tokens", "tighter", "tighter"),
            ("count(veto(0.5)) <= 3 over 50_000 tokens", "count(veto(0.5)) <= 3 over 75_000 tokens", "may be looser", "looser"),
            # One meaning in two forms.
            ("mean(k1) in [-0.1, 0.2]", "mean(k1) >= -0.1 and mean(k1) <= 0.2", "restated", "same"),
            ("mean(k1) >= -0.1 and mean(k1) <= 0.2", "mean(k1) in [-0.1, 0.2]", "restated", "same"),
            ("max(abs(k1)) <= 2", "max(k1) <= 2 and min(k1) >= -2", "restated", "same"),
            ("max(abs(k1)) <= 2", "max(k1) <= 2 and min(k1) >= -3", "may be looser", "looser"),
            ("count(nonfinite) == 0", "count(nonfinite) < 1", "restated", "same"),
            ("count(nonfinite) == 0", "count(nonfinite) < 2", "looser", "looser"),
            ("count(nonfinite) == 0", "rate(nonfinite > 0) == 0", "restated", "same"),
            ("rate(ratio > 2) <= 1%", "mean(clipped(0, 2)) <= 1%", "restated", "same"),
            ("rate(ratio > 2) <= 1%", "mean(clipped(0.1, 2)) <= 1%", "may be looser", "looser"),
            ("mean(veto(0.5)) <= 1%", "rate(ratio < 0.5) <= 1%", "restated", "same"),
            # From one half on what satisfies a clause meets it; below, the figure may be beyond.
            ("p99(k3) <= 0.1 with confidence 99%", "p99(k3) <= 0.1 with confidence 60%", "evidence", "changed"),
            ("p99(k3) <= 0.1", "p99(k3) <= 0.1 with confidence 99%", "evidence", "changed"),
            ("p99(k3) <= 0.1 with confidence 99%", "p99(k3) <= 0.1 with confidence 1%", "looser", "looser"),
            ("p99(k3) <= 0.1", "p99(k3) <= 0.1 with confidence 40%", "looser", "looser"),
            ("p99(k3) <= 0.1 with confidence 40%", "p99(k3) <= 0.1 with confidence 30%", "looser", "looser"),
            ("p99(k3) <= 0.1 with confidence 40%", "p99(k3) <= 0.05 with confidence 30%", "looser", "looser"),
            ("p99(k3) <= 0.1 with confidence 40%", "p99(k3) <= 0.1 with confidence 99%", "tighter", "tighter"),
            # What every kernel keeps is as much as any of it.
            ("max(tv) <= 1", "max(tv) <= 2", "restated", "same"),
            ("max(tv) <= 2", "max(tv) <= 1", "restated", "same"),
            ("max(tv) < 2", "max(tv) <= 1", "restated", "same"),
            ("max(tv) <= 1", "max(tv) < 1", "tighter", "tighter"),
            ("max(tv) <= 0.9", "max(tv) <= 2", "looser", "looser"),
            ("max(js) <= 1 bit", "max(js) <= 2 bit", "restated", "same"),
            ("max(js) <= 0.7 nat", "max(js) <= 2 nat", "restated", "same"),
            ("max(js) <= 1 bit", "max(js) <= 0.9 bit", "tighter", "tighter"),
            ("rate(k3 > 0.1) <= 100%", "rate(k3 > 0.1) <= 1", None, "same"),
            ("p50(k3) <= 0.1", "median(k3) <= 0.1", None, "same"),
            ("median(k3) <= 0.1", "quantile(k3, 0.5) <= 0.1", "restated", "same"),
            ("median(k3) <= 0.1", "p50(k3) <= 0.2", "looser", "looser"),
        ]:
            with self.subTest(old=old, new=new):
                rows, verdict = self.kinds(*(without_rules(text([f"a: '{each}'"])) for each in (old, new)))
                self.assertEqual(rows, [("clause", "a", kind)] if kind else [])
                self.assertEqual(verdict, effect)

    def test_what_shows_that_it_is_looser(self):
        """Numbers that meet the new clause and break the old one, where there are such."""
        for old, new, expected in [
            ("p99(latency) <= 45 s", "p99(latency) <= 60 s", ["p99(latency) of 50 s"]),
            ("p99(latency) <= 45 s", "p99(latency) <= 1 min", ["p99(latency) of 0.8 min"]),
            ("max(k3) <= 0.1", "p99(k3) <= 0.1", ["p99(k3) of 0.05", "max(k3) of 0.15"]),
            ("mean(ratio) in [0.9, 1.1]", "mean(ratio) in [0.5, 1.2]", ["mean(ratio) of 0.7"]),
            ("mean(ratio) in [0.9, 1.1]", "mean(ratio) in [1, 1.2]", []),  # no population has more than 1
            ("count(nonfinite) <= 0 over 10 min", "count(nonfinite) <= 1 over 10 min", ["count(nonfinite) of 1"]),
            ("count(nonfinite) <= 0 over 10 min", "count(nonfinite) <= 1 over 20 min", []),
            ("max(k3) <= 0.1", "max(k2) <= 0.1", []),
            ("max(k3) <= 0.1 and mean(k3) <= 0.01", "max(k3) <= 0.1 and mean(k3) <= 0.02", []),
            ("p99(k3) <= 0.2", "p99(k3) <= 0.1", []),
        ]:
            with self.subTest(old=old, new=new):
                was, now = (without_rules(text([f"a: '{each}'"])) for each in (old, new))
                (row,) = self.changes(was, now)["changes"]
                self.assertEqual([f"{each['figure']} of {each['value']}" for each in row.get("witness", [])], expected)
                told = self.tikc("diff", "old.tikc.yaml", "new.tikc.yaml").out
                self.assertEqual(f"{' with '.join(expected)} meets the new one and breaks the old one" in told, bool(expected))
        # Not where the two are about other laws, or other requests.
        loose = text(["a: mean(k3) <= 0.2"])
        for old in (loose.replace("0.2", "0.1").replace("weights: bf16 }\npair", "weights: bf16, sampling: { temperature: 0.9 } }\npair"), text(["a: mean(k3) <= 0.1"], MATH)):
            rows = self.changes(old, loose)["changes"]
            self.assertEqual([row.get("witness") for row in rows if row["part"] == "clause"], [None])
        claim = "claims: { drift: tv <= 0.5 }\n"
        (row,) = [row for row in self.changes(text(["a: mean(tv) <= 0.1"], claim), text(["a: mean(tv) <= 0.1"], claim.replace("0.5", "0.9")))["changes"]]
        self.assertEqual(row["witness"], [{"figure": "tv", "value": "0.7"}])

    def test_clauses_that_come_and_go(self):
        one, other = "a: max(k3) <= 0.1", "b: mean(k2) <= 0.1"
        self.assertEqual(self.kinds(text([one, other]), text([other, one])), ([], "same"))
        self.assertEqual(self.kinds(text([one, other]), text([one])), ([("clause", "b", "removed")], "looser"))
        self.assertEqual(self.kinds(text([one]), text([one, other])), ([("clause", "b", "added")], "tighter"))
        self.assertEqual(self.kinds(text([one]), text(["c: max(k3) <= 0.1"])), ([("clause", "c", "renamed")], "same"))
        self.assertEqual(self.kinds(text([one, "b: max(tv) <= 2"]), text([one])), ([("clause", "b", "removed")], "looser"))
        self.assertEqual(self.kinds(text(["a: mean(tv) <= 0.1", "b: max(tv) <= 2"]), text(["a: mean(tv) <= 0.1"])), ([("clause", "b", "removed, implied")], "same"))
        # A clause that is satisfied although it is broken implies none.
        sure = ["a: p99(k3) <= 0.1 with confidence 99%", "b: p90(k3) <= 0.1"]
        calm = lambda clauses: text(clauses).replace("(any)", "(a)")  # noqa: E731
        self.assertEqual(self.kinds(calm(sure), calm(sure[:1]))[0], [("clause", "b", "removed, implied")])
        unsure = [each.replace("99%", "40%") for each in sure]
        self.assertEqual(self.kinds(text(unsure), text(unsure[:1]))[0], [("clause", "b", "removed")])
        # What another clause implies is no loss, but that its id is gone.
        implied = self.changes(text([one, "b: p99(k3) <= 0.2"]), text([one]))
        self.assertEqual([row["kind"] for row in implied["changes"]], ["removed, implied"])
        self.assertIn("`a`", implied["changes"][0]["why"])
        self.assertEqual((implied["effect"], implied["version"]["needed"]), ("same", "minor"))

    def test_what_rules_hear_of_is_no_less_for_being_implied(self):
        """The promise is kept, and a rule that was told at once is told later, or of something else."""
        rule = lambda clauses, when: text(clauses).replace("violated(any), do: hold", f"{when}, do: hold")  # noqa: E731
        long, short = "a: p99(k3) <= 0.1 over 1 min", "b: p99(k3) <= 0.1 over 20 s"
        self.assertEqual(self.kinds(rule([long, short], "violated(any)"), rule([short], "violated(any)")), ([("clause", "a", "may be looser")], "looser"))
        tight, loose = ["a: mean(k3) <= 0.1", "b: max(k3) <= 0.05"], ["a: mean(k3) <= 9", "b: max(k3) <= 0.05"]
        self.assertEqual(self.kinds(rule(tight, "violated(any)"), rule(loose, "violated(any)"))[1], "same")
        self.assertEqual(self.kinds(rule(tight, "violated(a)"), rule(loose, "violated(a)"))[1], "looser")
        swapped = ["a: max(k3) <= 0.05", "b: mean(k3) <= 0.1"]
        self.assertEqual(self.kinds(rule(tight, "violated(b)"), rule(swapped, "violated(b)"))[1], "looser")
        self.assertIn("reacts to it", self.changes(rule([long, short], "violated(any)"), rule([short], "violated(any)"))["changes"][0]["why"])

    def test_other_words_for_the_same(self):
        """What is decided by what is said has no step of the version."""
        sliced = LABELS + "slices:\n  long: { when: WHEN, weight: 20% }\n"
        base = text(["a: max(k3) <= 0.1 on long", "b: mean(k2) <= 0.1 on all"], sliced)
        for one, other in [
            ("prompt_tokens >= 5", "not (prompt_tokens < 5)"),
            ("prompt_tokens >= 6", "prompt_tokens > 5"),
            ("prompt_tokens >= 6 and task == \"math\"", "task == \"math\" and prompt_tokens >= 6"),
            ("task in {\"math\"}", "task == \"math\""),
            ("task != \"math\"", "not task in {\"math\"}"),
            ("not (task == \"math\" or prompt_tokens < 6)", "task != \"math\" and prompt_tokens > 5"),
        ]:
            was, now = (base.replace("WHEN", f"'{each}'") for each in (one, other))
            with self.subTest(one=one):
                self.assertEqual(self.kinds(was, now), ([], "same"))
                self.assertEqual(self.kinds(was, now.replace("20%", "30%"))[0][-1], ("slice", "long.weight", "described anew"))
        self.assertNotEqual(self.kinds(base.replace("WHEN", "prompt_tokens >= 5"), base.replace("WHEN", "prompt_tokens > 5"))[0], [])
        whole = text(["a: { require: max(k3) <= 0.1 }", "b: mean(k2) <= 0.1"], LABELS)
        for old, new in [
            ("statistical:\n", "numerical:\n"),
            ("pair: { train: trainer, infer: rollout }", "chain: [trainer, rollout]"),
            ("<= 0.1 }", "<= 0.1, severity: error }"),
            ("<= 0.1 }", "<= 0.1, link: [trainer, rollout] }"),
            ("[math, code, chat]", "[chat, code, math]"),
        ]:
            with self.subTest(new=new):
                self.assertIn(old, whole)
                self.assertEqual(self.kinds(whole, whole.replace(old, new)), ([], "same"))

    def test_slices(self):
        mean, most = ["a: mean(k3) <= 0.1"], ["a: max(k3) <= 0.1"]
        for old, new, of_mean, of_most in [
            (MATH, MATH_AND_CODE, "tighter", []),  # a mean of each part is one of the whole
            (MATH_AND_CODE, MATH, "may be looser", []),
            ("", MATH, "tighter", []),
            (MATH, MATH.replace("task == \"math\"", "'not (task != \"math\")'"), [], []),
            # A request may have none of a label's values.
            (MATH, MATH.replace("task == \"math\"", "'not (task in {\"code\", \"chat\"})'"), "may be looser", []),
            (MATH, MATH.replace("math:", "maths:"), [], []),
            # The remainder is bound as any slice.
            (MATH_AND_CODE, MATH_AND_CODE.replace("== \"code\"", "== \"chat\""), "may be looser", []),
            (MATH_AND_CODE, MATH_AND_CODE.replace("== \"code\"", "!= \"chat\"").replace("== \"math\"", "== \"chat\""), "may be looser", []),
        ]:
            for clauses, expected in ((mean, of_mean), (most, of_most)):
                with self.subTest(old=old, new=new, clauses=clauses):
                    rows, _ = self.kinds(text(clauses, old), text(clauses, new))
                    self.assertEqual([kind for part, _, kind in rows if part == "clause"], [expected] if expected else [])
        rows, _ = self.kinds(text(mean, MATH), text(mean, MATH.replace("math:", "maths:")))
        self.assertEqual(rows, [("slice", "maths", "renamed")])
        claimed = text(["a: max(abs(logprob_gap)) <= 0.1"], MATH, "assumptions: { support: full }\nclaims:\n  far: tv <= 0.2\n")
        self.assertEqual(self.changes(claimed, claimed.replace("math:", "maths:"))["claims"], [])
        # What a part is claimed to keep was claimed of the whole, and is neither lost nor gained.
        split = claimed.replace(MATH, MATH.replace("math:", "short:").replace('"math"', '"math" and prompt_tokens < 100') + MATH.split("slices:\n")[1].replace("math:", "long:"))
        for old, new in ((claimed, split), (split, claimed)):
            told = self.changes(old, new)
            self.assertEqual(told["claims"], [])
            self.assertNotIn("\n  claim far:", self.tikc("diff", "old.tikc.yaml", "new.tikc.yaml").out)
        # Where a part has less to spare, that is told of it.
        nearer = self.changes(claimed, split.replace("logprob_gap)) <= 0.1", "logprob_gap)) <= 0.1 on short, other").replace("statistical:\n", "statistical:\n  b: max(abs(logprob_gap)) <= 0.15 on long\n"))["claims"]
        self.assertEqual([(row["slices"], row["lost"], row["gained"], row["nearer"]) for row in nearer], [("long", False, False, True)])
        rows, _ = self.kinds(text(mean, MATH_AND_CODE), text(mean, LABELS + "slices:\n  both: { when: 'task in {\"math\", \"code\"}' }\n"))
        self.assertIn(("slice", "math", "merged"), rows)

    def test_the_mixture(self):
        weighted = MATH.replace("\" }\n", "\", weight: 20% }\n")
        each, mixed = ["a: mean(k3) <= 0.1"], ["a: mean(k3) <= 0.1 on all"]
        self.assertEqual(self.kinds(text(mixed, MATH), text(each, MATH))[1], "tighter")
        self.assertEqual(self.kinds(text(each, MATH), text(mixed, MATH))[1], "looser")
        rows, _ = self.kinds(text(mixed, weighted), text(mixed, weighted.replace("20%", "30%")))
        self.assertEqual(rows, [("clause", "a", "may be looser"), ("slice", "math.weight", "described anew")])

    def test_facts_and_assumptions(self):
        given = "assumptions: { step_reward: [0, 1], advantage: 4, score_norm: 8, support: full, estimator: step, correction: none }\n"
        claims = "claims: { drift: step_reward_drift <= 5, bias: pg_bias <= 500 }\n"
        base = text(["a: max(abs(logprob_gap)) <= 0.1"], given, claims)
        for old, new, expected in [
            ("{ step", "{ ratio_cap: 9, step", [("assumption", "ratio_cap", "described anew")]),  # no claim rests on it
            ("[0, 1]", "[0, 2]", [("assumption", "step_reward", "assumes less")]),
            ("[0, 1]", "[0, 0.5]", [("assumption", "step_reward", "assumes more")]),
            ("advantage: 4", "advantage: 3", [("assumption", "advantage", "assumes more")]),
            ("correction: none", "correction: is", [("assumption", "correction", "changed")]),
            ("engine: vllm", "engine: sglang", [("kernel", "rollout.engine", "described anew")]),
            ("weights: bf16 }\npair", "weights: bf16, sampling: { temperature: 0.9 } }\npair", [("kernel", "rollout.sampling.temperature", "changed")]),
            ("rollout", "server", [("kernel", "server", "renamed")]),
        ]:
            with self.subTest(new=new):
                self.assertIn(old, base)
                self.assertEqual(self.kinds(base, base.replace(old, new))[0], expected)

    def test_kernels_are_renamed_only_where_the_names_are_free(self):
        base = text(["a: max(k3) <= 0.1"]).replace("pair:", "  spare: { engine: vllm, weights: fp8_e4m3 }\npair:")
        self.assertIn("spare", base)
        self.assertEqual(self.kinds(base, base.replace("spare", "other_one")), ([("kernel", "other_one", "renamed")], "same"))
        two = base.replace("  spare:", "  spare_too: { engine: vllm, weights: fp8_e4m3 }\n  spare:")
        one = base.replace("spare", "other_one")
        self.assertNotIn("renamed", [kind for _, _, kind in self.kinds(two, one)[0]])  # which of two would be a guess
        for name in ("train", "infer"):
            swapped = base.replace(f"{name}: trainer" if name == "train" else f"{name}: rollout", f"{name}: spare")
            self.assertNotEqual(swapped, base)
            self.assertIn(("kernel", "pair", "changed"), self.kinds(base, swapped)[0])

    def test_claims_of_slices_that_nothing_comes_to_are_lost(self):
        slices = "labels: { task: [math, code] }\nslices:\n  math: { when: task == \"math\", weight: 50% }\n  code: { when: task == \"code\", weight: 40% }\n"
        base = text(["a: max(abs(logprob_gap)) <= 0.1"], slices, "assumptions: { support: full }\nclaims:\n  far: tv <= 0.2\n")
        found = self.changes(base, base.replace("40%", "50%"))
        self.assertEqual([(row["slices"], row["lost"]) for row in found["claims"]], [("other", True)])
        self.assertEqual(found["effect"], "looser")
        # Of one slice a contract says what it says of each.
        found = self.changes(base.replace(slices, ""), base)
        self.assertEqual(found["claims"], [])

    def test_what_is_too_much_is_told(self):
        def sliced(shift):
            rows = "".join(f"  s{i}: {{ when: prompt_tokens == {2 * i + shift} }}\n" for i in range(80))
            return text(["a: mean(k3) <= 0.1"], "slices:\n" + rows)

        rows, verdict = self.kinds(sliced(0), sliced(1))
        self.assertIn(("clause", "a", "may be looser"), rows)
        self.assertEqual(verdict, "looser")
        many = [[f"{name}{i}: max(k3) <= 0.{i + 1000}" for i in range(900)] for name in "ab"]
        rows, verdict = self.kinds(text([f"{row}1" for row in many[0]]), text([f"{row}2" for row in many[1]]))
        self.assertIn(("clause", "all", "may be looser"), rows)

    def test_no_form_steers_a_terminal(self):
        old = text(["a: max(k3) <= 0.1"]).replace("version:", "owners: [plain]\nversion:")
        self.write("old.tikc.yaml", old)
        self.write("new.tikc.yaml", old.replace("plain", '"\\e[31mred"'))
        for form in ("text", "json", "markdown", "github"):
            self.assertNotIn("\x1b", self.tikc("diff", "old.tikc.yaml", "new.tikc.yaml", f"--format={form}").out, form)

    def test_what_is_said_of_a_slice_is_assumed(self):
        """As what the assumptions say of all of them: a claim that was there may rest on it."""
        slices = MATH.replace("\" }\n", "\", weight: 20%, mean_length: 12 tokens, least_mean_length: 2 tokens }\n")
        given = "assumptions: { reward: [0, 1], support: full, mean_length: 12 tokens }\nmodel: { horizon: 64 tokens }\n"
        claims = "claims: { r: reward_drift <= 1 }\n"
        base = text(["a: max(abs(logprob_gap)) <= 1e-4"], slices, given, claims)
        for old, new, expected in [
            ("weight: 20%, mean_length: 12", "weight: 20%, mean_length: 5", "assumes more"),
            ("weight: 20%, mean_length: 12", "weight: 20%, mean_length: 15", "assumes less"),
            ("weight: 20%, mean_length: 12 tokens", "weight: 20%", "assumes less"),
            ("least_mean_length: 2", "least_mean_length: 3", "described anew"),  # no claim rests on it
        ]:
            with self.subTest(new=new):
                self.assertIn(old, base)
                rows = [kind for part, _, kind in self.kinds(base, base.replace(old, new))[0] if part == "slice"]
                self.assertEqual(rows, [expected])
        mixed = base.replace("reward_drift <= 1 }", "'reward_drift <= 1 on all' }")
        self.assertIn(("slice", "math.weight", "changed"), self.kinds(mixed, mixed.replace("weight: 20%", "weight: 30%"))[0])

    def test_what_is_so_without_it(self):
        base = text(["a: mean(k3) <= 0.1"])
        for stated in (
            base.replace("engine: vllm", "engine: vllm, logprobs: processed"),
            base.replace("engine: vllm", "engine: vllm, sampling: { temperature: 1, top_p: 100%, min_p: 0% }"),
            base + "model: { temperature: 1.0 }\n",
            base + "assumptions: { loss: seq_mean_token_sum }\n",
        ):
            self.assertEqual(self.kinds(base, stated), ([], "same"), stated)
        cold = base + "model: { temperature: 0.7 }\n"
        self.assertNotEqual(self.kinds(cold, cold.replace("engine: vllm", "engine: vllm, sampling: { temperature: 1 }"))[1], "same")

    def test_a_version_that_says_so_is_no_error_of_a_review(self):
        old = text(["a: mean(k3) <= 0.1"])
        for version, level in (("2.0.0", "::warning"), ("1.1.0", "::error")):
            done = self.between(old, text(["a: mean(k3) <= 0.2"], version=version))
            said = self.tikc("diff", "old.tikc.yaml", "new.tikc.yaml", "--format=github").out
            self.assertEqual({line.split(" ")[0] for line in said.splitlines()}, {level}, said)
            self.assertEqual(done.returncode, 1 if level == "::error" else 0)

    def test_claims(self):
        clauses, claims = ["a: max(abs(logprob_gap)) <= 0.1"], "claims:\n  far: tv <= 0.2\n"
        given = "assumptions: { support: full }\n"
        base = text(clauses, given, claims)
        found = self.changes(base, base.replace("<= 0.1", "<= 0.9"))
        (row,) = found["claims"]
        self.assertTrue(row["lost"])
        found = self.changes(base, base.replace("<= 0.1\n", "<= 0.05\n"))
        (row,) = found["claims"]
        self.assertFalse(row["lost"] or row["nearer"])
        self.assertEqual(self.kinds(base, base.replace(claims, ""))[0], [("claim", "far", "removed")])

    def test_what_was_observed_before(self):
        for old, new, decides in [
            ("mean(k3) <= 0.1", "mean(k3) <= 0.2", True),
            ("max(k3) <= 0.1", "max(k3) <= 0.05", True),
            ("p99(k3) <= 0.1", "p99(k3) <= 0.2", False),
            ("rate(k3 > 0.1) <= 1%", "rate(k3 > 0.1) <= 2%", True),
            ("rate(k3 > 0.1) <= 1%", "rate(k3 > 0.2) <= 1%", False),
            ("mean(k3) <= 0.1", "max(k3) <= 0.1", False),
        ]:
            with self.subTest(new=new):
                (row,) = self.changes(text([f"a: {old}"]), text([f"a: {new}"]))["changes"]
                self.assertEqual(row["observed"]["decides"], decides)


class Versions(Diff):
    def test_which_step_is_enough(self):
        loose, tight = ["a: max(k3) <= 0.2"], ["a: max(k3) <= 0.1"]
        for old, new, after, enough in [
            (tight, loose, "1.0.1", False), (tight, loose, "1.1.0", False), (tight, loose, "2.0.0", True),
            (loose, tight, "1.0.1", False), (loose, tight, "1.1.0", True), (loose, loose, "1.0.0", True),
        ]:
            with self.subTest(after=after):
                found = self.changes(text(old), text(new, version=after))
                self.assertEqual(found["version"]["enough"], enough)
        for after, enough in [("0.3.1", False), ("0.4.0", True), ("1.0.0", True)]:
            found = self.changes(text(tight, version="0.3.0"), text(loose, version=after))
            self.assertEqual(found["version"]["enough"], enough)
        self.assertEqual(self.changes(text(tight), text(loose))["version"]["next"], "2.0.0")

    def test_one_that_goes_back(self):
        same = ["a: max(k3) <= 0.2"]
        for old, new in [("2.0.0", "1.0.0"), ("1.0.0", "1.0.0-rc.1"), ("1.0.0-rc.10", "1.0.0-rc.9"), ("1.0.1", "1.0.0")]:
            with self.subTest(new=new):
                for on in ("looser", "changed", "major", "minor", "any"):
                    found = json.loads(self.between(text(same, version=old), text(same, version=new), 1, f"--fail-on={on}").out)
                self.assertFalse(found["contracts"][0]["version"]["enough"])
                self.assertIn(f"version: {new} is before {old}", self.tikc("diff", "old.tikc.yaml", "new.tikc.yaml").out)
                self.assertIn("is before", self.tikc("diff", "old.tikc.yaml", "new.tikc.yaml", "--format=markdown").out)
                self.assertIn("::error", self.tikc("diff", "old.tikc.yaml", "new.tikc.yaml", "--format=github").out)
                self.between(text(same, version=new), text(same, version=old), 0)

    def test_what_fails(self):
        loose, tight = text(["a: max(k3) <= 0.2"], version="2.0.0"), text(["a: max(k3) <= 0.1"])
        for on, status in [("looser", 1), ("changed", 1), ("major", 0), ("minor", 0), ("any", 1), ("none", 0)]:
            self.between(tight, loose, status, f"--fail-on={on}")
        self.between(tight, loose.replace("2.0.0", "1.5.0"), 1)
        self.between(tight, tight, 0, "--fail-on=any")


class Schema(Diff):
    def test_its_words_are_those_of_the_tables(self):
        words = SCHEMA["definitions"]["change"]["properties"]
        for key, table in (("kind", "Kinds"), ("part", "Parts")):
            rows = re.findall(r'^[A-Z]+\(\w+, "([^"]+)"', (ROOT / f"compiler/changes/{table}.def").read_text(), re.M)
            self.assertEqual(sorted(words[key]["enum"]), sorted(rows))


if __name__ == "__main__":
    main()
