"""`tikc audit` on what decides rollouts: analyses of Argo Rollouts, configurations of Kayenta, and statistics of llama-perplexity. Verdicts are compared with what the
controllers do, written from their documentation."""

import json
import math
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, main  # noqa: E402

TEMPLATE = """apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {{ name: gap }}
spec:
  args: [{{ name: service }}]
  metrics:
    - name: gap
{settings}
      provider:
        prometheus:
          address: http://prometheus.monitoring:9090
          query: |
            {query}
"""
ONE = 'max(rollout_corr_k3_kl{service="{{args.service}}"})'
LOG = """\
====== Perplexity statistics ======
Mean PPL(Q)                   :   5.886524 ±   0.398426
Cor(ln(PPL(Q)), ln(PPL(base))):  99.31%

====== KL divergence statistics ======
Mean    KLD:   0.030165 ±   0.002043
Maximum KLD:   0.885166
99.9%   KLD:   0.821833
{tail}
Minimum KLD:  -0.000002

====== Token probability statistics ======
RMS Δp    :  5.243 ± 0.394 %
Same top p: 91.529 ± 0.780 %
"""
NOW = "99.0%   KLD:   0.388019\n95.0%   KLD:   0.114668\n90.0%   KLD:   0.079900\nMedian  KLD:   0.010790\n10.0%   KLD:   0.000776\n 5.0%   KLD:   0.000124\n 1.0%   KLD:   0.000005\n 0.1%   KLD:   0.000000"
ONCE = "99.0%   KLD:   0.388019\n99.0%   KLD:   0.388019\nMedian  KLD:   0.010790\n10.0%   KLD:   0.000776\n 5.0%   KLD:   0.000124\n 1.0%   KLD:   0.000005"


def argo(success, failure, results, *, limit=0, inconclusive_limit=0):
    """The phase of an analysis: each measurement is a list of values, and conditions are functions of it."""
    failed = inconclusive = 0
    for values in results:
        try:
            good = success(values) if success else not failure(values) if failure else True
            bad = failure(values) if failure else not good
        except IndexError:
            return "Error"
        failed += bad
        inconclusive += not bad and not good
        if limit >= 0 and failed > limit:
            return "Failed"
        if inconclusive_limit >= 0 and inconclusive > inconclusive_limit:
            return "Inconclusive"
    return "Successful"


def score(groups, weights, failing):
    """NetflixACAJudge's: groups of metrics, some weights, and the names that fail."""
    left = [group for group in groups if group not in weights]
    weights = {**{group: (100 - sum(weights.values())) / len(left) for group in left}, **weights}
    return sum(weights[group] * sum(name not in failing for name in names) / len(names) for group, names in groups.items())


def rank_test(control, canary, tolerance=0.25, z=2.326):
    """Whether Kayenta's test calls the canary higher: the interval of the shift, by the normal approximation of its ranks."""
    shifts = sorted(b - a for a in control for b in canary)
    n, m = len(control), len(canary)
    rank = max(0, int(n * m / 2 - z * math.sqrt(n * m * (n + m + 1) / 12)))
    return shifts[rank] > tolerance * abs(shifts[len(shifts) // 2])


class AuditRollouts(Case):
    def found(self, text, name="analysis.yaml"):
        self.write(name, text)
        done = self.tikc("audit", name, "--format=json")
        self.assertIn(done.returncode, (0, 1), done.err)
        return json.loads(done.out)

    def analysis(self, settings, query=ONE):
        report = self.found(TEMPLATE.format(settings="\n".join("      " + line for line in settings.splitlines()), query=query))
        return [each["verdict"] for each in report["gates"]], [each["code"] for each in report["diagnostics"]]

    def test_what_never_fails_never_fails(self):
        draw = random.Random(5)
        dead = (["never fires"], ["TK8501"])
        good = "successCondition: result[0] < 0.002"
        for settings, limit, most in (("interval: 1m\ncount: 3\nfailureLimit: 3\n" + good, 3, 3), ("failureLimit: 1\n" + good, 1, 1), ("interval: 1m\nfailureLimit: -1\n" + good, -1, 9)):
            self.assertEqual(self.analysis(settings), dead, settings)
            for _ in range(50):
                results = [[draw.expovariate(1)] for _ in range(most)]
                self.assertEqual(argo(lambda r: r[0] < 0.002, None, results, limit=limit), "Successful")
        self.assertEqual(self.analysis("interval: 1m"), dead)
        self.assertEqual(argo(None, None, [[9.0]]), "Successful")
        self.assertEqual(self.analysis(good + "\ninterval: 1m\ncount: 5\nfailureLimit: 2"), (["bounds all but up to 2 of 5 measurements"], ["TK8503"]))
        self.assertEqual(argo(lambda r: r[0] < 0.002, None, [[9.0], [9.0], [0.0], [0.0], [0.0]], limit=2), "Successful")
        # A count that an argument gives is open.
        self.assertEqual(self.analysis(good + '\ncount: "{{args.count}}"\nfailureLimit: 2')[1], ["TK8503"])
        dry = TEMPLATE.format(settings="      " + good, query=ONE) + "  dryRun: [{ metricName: gap }]\n"
        self.assertEqual([each["code"] for each in self.found(dry)["diagnostics"]], ["TK8501"])

    def test_nan_and_empty_results(self):
        nan = float("nan")
        for condition, rule, passes_nan, passes_nothing in (
            ("successCondition: result[0] < 0.002", {"success": lambda r: r[0] < 0.002}, False, False),
            ("failureCondition: result[0] > 0.002", {"failure": lambda r: r[0] > 0.002}, True, False),
            ("failureCondition: isNaN(result[0]) || result[0] > 0.002", {"failure": lambda r: math.isnan(r[0]) or r[0] > 0.002}, False, False),
            ("failureCondition: '!isNaN(result[0]) && result[0] > 0.002'", {"failure": lambda r: not math.isnan(r[0]) and r[0] > 0.002}, True, False),
            ("successCondition: isNaN(result[0]) || result[0] < 0.002", {"success": lambda r: math.isnan(r[0]) or r[0] < 0.002}, True, False),
            ("successCondition: len(result) == 0 || result[0] < 0.002", {"success": lambda r: len(r) == 0 or r[0] < 0.002}, False, True),
            ("successCondition: len(result) > 0 && result[0] < 0.002", {"success": lambda r: len(r) > 0 and r[0] < 0.002}, False, False),
            ("failureCondition: len(result) > 0 && result[0] > 0.002", {"failure": lambda r: len(r) > 0 and r[0] > 0.002}, True, True),
            ("successCondition: 'all(result, {# < 0.002})'", {"success": lambda r: all(x < 0.002 for x in r)}, False, True),
            ("failureCondition: 'any(result, # > 0.002)'", {"failure": lambda r: any(x > 0.002 for x in r)}, True, True),
            ("successCondition: default(result[0], 0) < 0.002", {"success": lambda r: (r[0] if r else 0) < 0.002}, False, True),
            ("successCondition: result[0] < 0.002\nfailureCondition: result[0] > 0.01", {"success": lambda r: r[0] < 0.002, "failure": lambda r: r[0] > 0.01}, False, False),
        ):
            with self.subTest(condition=condition):
                rule = {"success": None, "failure": None, **rule}
                self.assertEqual(argo(results=[[nan]], **rule) == "Successful", passes_nan)
                self.assertEqual(argo(results=[[]], **rule) == "Successful", passes_nothing)
                codes = set(self.analysis(condition)[1])
                self.assertEqual("TK8504" in codes, passes_nan, codes)
                self.assertEqual("TK8505" in codes, passes_nothing, codes)
                self.assertLessEqual(codes, {"TK8504", "TK8505"})
        # Where inconclusive measurements are tolerated, only the failure condition decides.
        both = "successCondition: result[0] < 0.002\nfailureCondition: result[0] > 0.01\ninterval: 1m\ninconclusiveLimit: -1"
        self.assertEqual(argo(lambda r: r[0] < 0.002, lambda r: r[0] > 0.01, [[0.005]], inconclusive_limit=-1), "Successful")
        self.assertEqual(self.found(TEMPLATE.format(settings="\n".join("      " + line for line in both.splitlines()), query=ONE))["gates"][0]["gate"], "gap: result[0] > 0.01")

    def test_what_a_query_takes_away(self):
        condition = "successCondition: result[0] < 0.002"
        for query, verdict, codes in (
            (ONE, "bounds each measurement", []),
            ("max by (pod) (rollout_corr_k3_kl)", "bounds the first series", ["TK8503"]),
            ("max without (pod) (rollout_corr_k3_kl)", "bounds the first series", ["TK8503"]),
            ("rollout_corr_k3_kl", "bounds the first series", ["TK8503"]),
            ("avg(rollout_corr_k3_kl)", "bounds the average of values", ["TK8503"]),
            ("max(avg_over_time(trainer_rollout_corr_k3_kl[5m]))", "bounds the average of values", ["TK8503"]),
            ("max(max_over_time(trainer:rollout_corr_k3_kl[5m]))", "bounds each measurement", []),
            ("quantile(0.9, rollout_corr_k3_kl)", "bounds a quantile of values", ["TK8503"]),
            ("min(rollout_corr_k3_kl)", "bounds the smallest value", ["TK8503"]),
            (ONE + " or vector(0)", "bounds each measurement", ["TK8505"]),
            (ONE + " or vector(1)", "bounds each measurement", []),
            ("max(cache_hit_ratio_mean)", "not judged", ["TK8508"]),
            ("max(trainer_loss_ratio_mean)", "bounds each measurement", ["TK8505"]),
            # What is taken of what is taken; quantiles of a summary; ranges where none may be.
            *((query, "not judged", ["TK8507"]) for query in (
                "max(min_over_time(rollout_corr_k3_kl[5m]))", "avg(max_over_time(rollout_corr_k3_kl[5m]))", "abs(max(rollout_corr_kl))", "scalar(rollout_corr_k3_kl)",
                'max(rollout_corr_k3_kl{quantile="0.5"})', "max(rollout_corr_k3_kl[5m])", "max_over_time(rollout_corr_k3_kl)", "max(rollout_corr_k3_kl offset 1d)")),
            ("sum(rate(rollout_corr_k3_kl[5m]))", "not judged", ["TK8507"]),
            ("max(rollout_corr_k3_kl) / max(rollout_corr_k3_kl offset 1d)", "not judged", ["TK8507"]),
            ('sum(rate(http_requests_total{code!~"5.*", x="}[rollout_corr_k3_kl"}[5m]))', "not judged", ["TK8508"]),
        ):
            with self.subTest(query=query):
                self.assertEqual(self.analysis(condition, query), ([verdict], codes))
        self.assertEqual(self.analysis("successCondition: result[0] < {{args.limit}}")[1], ["TK8507"])
        self.assertEqual(self.analysis("successCondition: result[0] < 0.002 || result[0] > 1")[1], ["TK8507"])
        self.assertEqual(self.analysis("successCondition: result[0] < 0.9", "max(token_mult_prob_error)"), (["always fires"], ["TK8502"]))
        self.assertEqual(self.analysis("successCondition: result[0] >= 0.9", "max(token_mult_prob_error)"), (["never fires"], ["TK8501"]))
        # A signed figure, held from both sides.
        self.assertEqual(self.analysis("successCondition: result[0] < 0.002", "max(rollout_corr_kl)")[1], ["TK8506"])
        self.assertEqual(self.analysis("successCondition: result[0] < 0.002", "max(abs(rollout_corr_kl))")[1], [])
        self.assertEqual(self.analysis("successCondition: abs(result[0]) < 0.002", "max(rollout_corr_kl)"), (["bounds the largest value"], ["TK8503"]))

    def test_conditions_that_only_look_like_guards(self):
        for condition in ("successCondition: len(result) > 0 || result[0] < 0.002", "successCondition: result != nil || result[0] < 0.002", "successCondition: '!isNaN(result[0]) || result[0] < 0.002'",
                          "failureCondition: isNaN(result[0]) && result[0] > 0.002", "failureCondition: len(result) == 0 && result[0] > 0.002", "failureCondition: isInf(result[0]) && result[0] > 0.002",
                          "successCondition: isInf(result[0]) || result[0] < 0.002", "successCondition: result[0] < 0.002 && len(result) > 5", "failureCondition: 0.1 < result[0] < 0.2",
                          "successCondition: 'all(result, {result[0] < 0.002})'", "successCondition: result[1] < 0.002", "successCondition: result[0] in [0.001, 0.002]",
                          "successCondition: 'not (result[0] > 0.002)'", "successCondition: 'len(result) == 0 || isNaN(result[0])'"):
            with self.subTest(condition=condition):
                gates, codes = self.analysis(condition)
                self.assertIn("TK8507", codes)
                self.assertEqual(self.tikc("audit", "analysis.yaml").out.count("tv at most 0.03"), condition.count("&& len"))

    def test_limits_that_are_read_as_the_controller_does(self):
        both = "successCondition: result[0] < 0.002\nfailureCondition: result[0] > 5\ninterval: 1m\ncount: 5\ninconclusiveLimit: 4"
        self.assertEqual(self.analysis(both), (["bounds all but up to 4 of 5 measurements"], ["TK8503"]))
        self.assertEqual(argo(lambda r: r[0] < 0.002, lambda r: r[0] > 5, [[4.9]] * 4 + [[0.0]], inconclusive_limit=4), "Successful")
        # A count of 0 is none.
        self.assertEqual(self.analysis("successCondition: result[0] < 0.002\ninterval: 1m\ncount: 0\nfailureLimit: 2")[0], ["bounds all but up to 2 measurements"])
        self.assertEqual(self.analysis("successCondition: result[0] < 0.002\ninterval: 1m\nfailureLimit: -1\nconsecutiveSuccessLimit: 4"), (["not judged"], ["TK8507"]))
        pattern = TEMPLATE.format(settings="      successCondition: result[0] < 0.002", query=ONE) + "  dryRun: [{ metricName: g.* }]\n"
        self.assertEqual([each["code"] for each in self.found(pattern)["diagnostics"]], ["TK8507"])

    def test_what_passes_follows_and_can_be_emitted(self):
        self.write("analysis.yaml", TEMPLATE.format(settings="      successCondition: result[0] < 0.3", query=ONE))
        done = self.expect(0, "audit", "analysis.yaml", "--emit=gates.tikc.yaml")
        self.assertIn("allows a total variation of 0.3807", done.out)
        self.assertIn("mean(k3) < 0.3", (self.folder / "gates.tikc.yaml").read_text())
        self.expect(0, "check", "--fail-on=note", "gates.tikc.yaml")

    def test_a_list_of_templates(self):
        one = TEMPLATE.format(settings="      successCondition: result[0] < 0.3", query=ONE)
        alone = self.found(one, "analysis.yaml")
        items = "".join("  - " + "    ".join(one.splitlines(True)) for _ in range(2))
        listed = self.found(f"apiVersion: v1\nkind: List\nitems:\n{items}", "list.yaml")
        self.assertEqual([each["verdict"] for each in listed["gates"]], 2 * [each["verdict"] for each in alone["gates"]])
        self.assertEqual(len(listed["diagnostics"]), 2 * len(alone["diagnostics"]))
        other = "  - kind: ConfigMap\n    data:\n      run.sh: |\n        python check_metrics.py m.json 'max(data[\"token_mult_prob_error\"]) < 1'\n"
        mixed = self.found(f"apiVersion: v1\nkind: List\nitems:\n{items}{other}", "list.yaml")
        self.assertCountEqual([each["verdict"] for each in mixed["gates"]], [*(each["verdict"] for each in listed["gates"]), "always fires"])

    def canary(self, canary, *, groups="[policy]", weights="policy: 100", threshold=75, more="", query="PromQL:max(rollout_corr_k3_kl{${scope}})"):
        text = (f"metrics:\n  - name: gap\n    query: {{ type: prometheus, customInlineTemplate: '{query}' }}\n    groups: {groups}\n    analysisConfigurations: {{ canary: {{ {canary} }} }}\n"
                f"{more}classifier:\n  groupWeights: {{ {weights} }}\n  scoreThresholds: {{ pass: {threshold}, marginal: 50 }}\n")
        report = self.found(text, "canary.yaml")
        return [each["verdict"] for each in report["gates"]][0], {each["code"] for each in report["diagnostics"]} - {"TK8508"}

    def test_kayenta(self):
        base = {"TK8504", "TK8513"}
        verdict = "compares servers with each other"
        self.assertEqual(self.canary("direction: increase, critical: true, mustHaveData: true"), (verdict, base))
        self.assertEqual(self.canary("direction: increase, critical: true"), (verdict, base | {"TK8505"}))
        self.assertEqual(self.canary("direction: decrease, critical: true, mustHaveData: true"), (verdict, base | {"TK8506"}))
        self.assertEqual(self.canary("critical: true, mustHaveData: true, outliers: { strategy: remove }"), (verdict, base | {"TK8503"}))
        self.assertEqual(self.canary("muted: true, mustHaveData: true"), ("never fires", base | {"TK8501"}))
        self.assertEqual(self.canary("mustHaveData: true", groups="[]"), ("never fires", base | {"TK8501"}))
        self.assertEqual(self.canary("mustHaveData: true", query="sum(rate(http_requests_total[1m]))")[0], "not judged")
        # A score that no canary reaches, and one that every canary has.
        self.assertEqual(self.canary("critical: true, mustHaveData: true", weights="policy: 60"), ("always fires", base | {"TK8502"}))
        self.assertEqual(self.canary("mustHaveData: true", threshold=0), ("never fires", base | {"TK8501"}))
        self.assertEqual(self.canary("critical: true, mustHaveData: true", threshold=0), ("never fires", base | {"TK8501"}))
        # The text form, as its service stores it.
        self.write("canary.json", json.dumps({"canaryConfig": {"metrics": [{"name": "gap", "query": {"metricName": "rollout_corr_k3_kl"}, "groups": ["policy"], "analysisConfigurations": {"canary": {}}}],
                                                                 "classifier": {"groupWeights": {"policy": 100}, "scoreThresholds": {"pass": 95, "marginal": 75}}}}))
        self.assertIn("TK8513", self.expect(0, "audit", "canary.json").out)

    def test_a_score_hides_one_metric(self):
        other = "  - name: latency\n    query: { metricName: latency }\n    groups: [serving]\n    analysisConfigurations: { canary: {} }\n"
        for weights, threshold, groups in (({"policy": 20, "serving": 80}, 75, {"policy": ["gap"], "serving": ["latency"]}), ({"policy": 30}, 75, {"policy": ["gap"], "serving": ["latency"]}),
                                           ({"serving": 70}, 70, {"policy": ["gap"], "serving": ["latency"]}), ({}, 51, {"policy": ["gap"], "serving": ["latency"]})):
            with self.subTest(weights=weights):
                passes = score(groups, weights, {"gap"}) >= threshold
                muted = other.replace("latency", "muted").replace("canary: {}", "canary: { muted: true }").replace("[serving]", "[policy]")
                self.assertEqual(self.canary("mustHaveData: true", weights="policy: 100", threshold=50, more=muted)[1], {"TK8504", "TK8513"})
                found = self.canary("mustHaveData: true", weights=", ".join(f"{k}: {v}" for k, v in weights.items()), threshold=threshold, more=other)
                self.assertEqual("TK8514" in found[1], passes)

    def test_a_rank_test_limits_no_difference(self):
        """As TK8513 explains: the test fails on a tiny difference with many observations, and passes a large difference with few."""
        draw = random.Random(7)
        many = [[shift + draw.gauss(0, 1e-4) for _ in range(200)] for shift in (1e-3, 1.1e-3)]
        self.assertTrue(rank_test(*many))
        few = [[shift + draw.gauss(0, 0.4) for _ in range(4)] for shift in (0, 0.4)]
        self.assertFalse(rank_test(*few))
        same = [[0.5 + draw.gauss(0, 1e-3) for _ in range(200)] for _ in range(2)]
        self.assertFalse(rank_test(*same))

    def test_printed_statistics(self):
        for tail in (NOW, ONCE):
            report = self.found(LOG.format(tail=tail), "kld.log")
            self.assertEqual(report["diagnostics"], [])
            rows = {each["gate"]: each for each in report["gates"]}
            self.assertEqual(len(rows), 5 + len(set(tail.splitlines())))
            self.assertAlmostEqual(float(rows["Mean KLD: 0.030165"]["tv"]), math.sqrt(0.0301655 / 2), delta=2e-4)  # Pinsker's
            self.assertEqual({each["verdict"] for each in rows.values()}, {"as a limit for such text"})
        # A script that reads them is a script.
        prefixed = "".join(f"0.01.234.{i:03} I {line}\n" for i, line in enumerate(LOG.format(tail=NOW).replace("    ", "\t ").splitlines()))
        self.assertEqual([each["gate"] for each in self.found(prefixed, "kld.log")["gates"]], [each["gate"] for each in self.found(LOG.format(tail=NOW), "kld.log")["gates"]])
        script = "#!/bin/sh\nkld=$(sed -n 's/^Mean    KLD: *\\([0-9.]*\\).*/\\1/p' log)\ncheck_metrics.py m.json 'max(data[\"token_mult_prob_error\"]) < 1'\n"
        self.assertEqual([each["verdict"] for each in self.found(script, "kld.sh")["gates"]], ["always fires"])
        self.assertEqual([each["gate"] for each in self.found("x  Mean KLD: 1\n" + LOG.format(tail=NOW), "kld.txt")["gates"]][0], "Mean KLD: 0.030165")
        # Rounding may have made a value too small.
        self.assertAlmostEqual(float(self.found("Mean    KLD:   0.000000\n", "kld.log")["gates"][0]["tv"]), math.sqrt(5e-7 / 2), delta=1e-5)
        self.assertEqual([each["code"] for each in self.found(LOG.format(tail="98.0%   KLD:   0.2\n99.9%   KLD:   0.9"), "kld.log")["diagnostics"]], ["TK8507", "TK8507"])

    def test_hostile_files(self):
        for name, content in (
            ("deep.yaml", TEMPLATE.format(settings="      successCondition: " + "(" * 4000, query="max(" * 4000)),
            ("names.yaml", TEMPLATE.format(settings="      successCondition: result[0] < 1", query="_a" * 200_000)),
            ("many.yaml", TEMPLATE.format(settings="      successCondition: result[0] < 1", query="rollout_corr_x " * 20_000)),
            ("open.yaml", TEMPLATE.format(settings="      successCondition: 'all(result, {# < ''}'", query='max(rollout_corr_k3_kl{a="')),
            ("odd.yaml", "kind: AnalysisTemplate\nspec: { metrics: [1, [], { name: [x], provider: { prometheus: 3 }, count: 1e9999, failureLimit: 99999999999999999999 }] }\n"),
            ("canary.yaml", "classifier: { groupWeights: { [a]: 1, b: x, c: 1e400000 }, scoreThresholds: [] }\nmetrics: [1, { groups: { a: b } }, { groups: [[a], b, b], query: [] }]\n"),
            ("kld.log", "Mean KLD:\nMean KLD: 1e999999\nMean KLD: \x1b[31m\n   KLD: 3\nMean KLD: -1\n" + "1% KLD: " * 100_000),
        ):
            with self.subTest(name=name):
                self.write(name, content)
                done = self.tikc("audit", name)
                self.assertIn(done.returncode, (0, 1), done.err)
                self.assertNotIn("\x1b", done.out)


if __name__ == "__main__":
    main()
