"""`tikc audit`: gates as projects have them, each verdict argued by what runs would pass. Nothing of them is run: what Python makes of the same gates is
asked here, of figures that are computed."""

import json
import math
import random
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, contract, main  # noqa: E402

SUITE = r"""#!/bin/bash
set -eou pipefail
uv run tests/json_dump_tb_logs.py $LOG_DIR --output_path $JSON_METRICS
if [[ $(jq 'to_entries | .[] | select(.key == "train/loss") | .value | keys | map(tonumber) | max' $JSON_METRICS) -ge $MAX_STEPS ]]; then
    uv run tests/check_metrics.py $JSON_METRICS \
        'median(data["train/token_mult_prob_error"]) < 1.1' \
        "data['train/token_mult_prob_error']['$MAX_STEPS'] < 1.1" \
        'median(data["train/gen_kl_error"]) < 1.3' \
        'min(data["train/token_mult_prob_error"]) < 1.05' \
        "data[\"train/reward\"][\"$MAX_STEPS\"] > 0.1"
fi
"""


# What check_metrics.py hands to an expression, written from what it documents.
def over(fold):
    return lambda steps, *rest, **named: fold([float(v) for v in steps.values()], *rest, **named)


def ratio_above(values, threshold):
    return sum(v >= threshold for v in values) / len(values) if values else 0.0


FOLDS = {"max": over(max), "min": over(min), "mean": over(statistics.mean), "median": over(statistics.median), "ratio_above": over(ratio_above),
         "all_finite": over(lambda values: all(map(math.isfinite, values)))}


def passes(gate, figure, values):
    """Whether a run with these values of a figure passes a gate of this file's own."""
    steps = {str(i + 1): v for i, v in enumerate(values)}
    try:
        return bool(eval(gate, {"__builtins__": {}}, {**FOLDS, "data": {figure: steps}}))
    except (ValueError, KeyError, statistics.StatisticsError):
        return False


class Audit(Case):
    def found(self, text, *options, name="suite.sh", status=None):
        self.write(name, text)
        done = self.tikc("audit", name, "--format=json", *options)
        self.assertIn(done.returncode, (0, 1) if status is None else (status,), done.err)
        return json.loads(done.out)

    def codes(self, *gates):
        quoted = " ".join("'" + gate + "'" for gate in gates)
        return [each["code"] for each in self.found(f"python check_metrics.py m.json {quoted}\n")["diagnostics"]]

    def test_a_suite_as_it_is_found(self):
        report = self.found(SUITE, status=0)
        by_line = {}
        for each in report["diagnostics"]:
            by_line.setdefault(each["range"]["start"]["line"], []).append(each["code"])
        self.assertEqual(by_line, {6: ["TK8503", "TK8504", "TK8505"], 7: ["TK8503"], 8: ["TK8503", "TK8504", "TK8509"], 9: ["TK8503", "TK8504"], 10: ["TK8508"]})
        self.assertEqual([gate["verdict"] for gate in report["gates"]], ["bounds half of the steps", "bounds one step", "bounds half of the steps", "bounds one step", "not judged"])
        self.assertEqual(self.tikc("audit", "suite.sh", "--fail-on=warning").returncode, 1)

    def test_what_passes_is_what_lemmas_say(self):
        """Pinsker: a mean of k3 below c lets sqrt(c / 2) through."""
        for limit in (0.001, 0.01, 0.05):
            gate = self.found(f"x 'mean(data[\"train/gen_kl_error\"]) < {limit}'\n")["gates"][0]
            self.assertLessEqual(float(gate["tv"]), math.sqrt(limit / 2) * 1.001)
            self.assertGreater(float(gate["tv"]), math.sqrt(limit / 2) * 0.9)
            self.assertAlmostEqual(float(gate["bias"]), 2 * float(gate["tv"]), delta=1e-3 * float(gate["bias"]))

    def test_dead_gates_are_dead_in_python(self):
        """Each number that a figure can be is tried: what never fires passes all of them, what always does none."""
        draw = random.Random(5)
        cases = [("token_mult_prob_error", lambda: 1 + draw.expovariate(3)), ("gen_kl_error", lambda: draw.expovariate(3)),
                 ("rollout_corr/rollout_is_max", lambda: draw.uniform(0, 2)), ("rollout_corr/rollout_is_std", lambda: draw.uniform(0, 1)),
                 ("rollout_corr/kl", lambda: draw.gauss(0, 1))]
        seen = set()
        for figure, value in cases:
            for fold in ("max", "min", "mean", "median"):
                for comparison in ("<", "<=", ">", ">="):
                    for limit in (-1, 0, 0.5, 1, 2, 2.5):
                        gate = f'{fold}(data["{figure}"]) {comparison} {limit}'
                        codes = self.codes(gate) if draw.random() < 0.12 else None
                        if codes is None:
                            continue
                        runs = [passes(gate, figure, [value() for _ in range(draw.randint(1, 6))]) for _ in range(200)]
                        if "TK8501" in codes:
                            self.assertTrue(all(runs), gate)
                        if "TK8502" in codes:
                            self.assertFalse(any(runs), gate)
                        seen.update(codes)
        self.assertLessEqual({"TK8501", "TK8502"}, seen)

    def test_blind_gates_pass_broken_runs(self):
        good, broken = 0.0005, 9.0
        for gate, run, blind in [
            ('median(data["gen_kl_error"]) < 0.001', [good] * 6 + [broken] * 5, True),
            ('min(data["gen_kl_error"]) < 0.001', [broken] * 10 + [good], True),
            ('data["gen_kl_error"]["1"] < 0.001', [good] + [broken] * 10, True),
            ('ratio_above(data["gen_kl_error"], 0.001) < 0.3', [good] * 8 + [broken] * 3, True),
            ('max(data["gen_kl_error"]) < 0.001', [good] * 10 + [broken], False),
            ('mean(data["gen_kl_error"]) < 0.001', [good] * 10 + [broken], False),
        ]:
            self.assertEqual(passes(gate, "gen_kl_error", run), blind, gate)
            self.assertEqual("TK8503" in self.codes(gate), blind, gate)
        both = self.codes('median(data["gen_kl_error"]) < 0.001', 'max(data["gen_kl_error"]) < 0.01')
        self.assertNotIn("TK8503", both)

    def test_nan_passes_where_it_is_said_to(self):
        for gate, run, does in [
            ('max(data["gen_kl_error"]) < 0.01', [0.001, math.nan], True),
            ('min(data["gen_kl_error"]) < 0.01', [0.001, math.nan], True),
            ('median(data["gen_kl_error"]) < 0.01', [math.nan, 0.001, 0.002], True),
            ('ratio_above(data["gen_kl_error"], 0.01) < 0.01', [math.nan] * 4, True),
            ('mean(data["gen_kl_error"]) < 0.01', [0.001, math.nan], False),
            ('data["gen_kl_error"]["2"] < 0.01', [0.001, math.nan], False),
        ]:
            self.assertEqual(passes(gate, "gen_kl_error", run), does, gate)
            self.assertEqual("TK8504" in self.codes(gate), does, gate)
        self.assertNotIn("TK8504", self.codes('max(data["gen_kl_error"]) < 0.01', 'all_finite(data["gen_kl_error"])'))

    def test_no_data_is_no_pass(self):
        gate = 'ratio_above(data["gen_kl_error"], 0.01) < 0.05'
        self.assertTrue(passes(gate, "gen_kl_error", []))
        self.assertFalse(passes('max(data["gen_kl_error"]) < 1', "gen_kl_error", []))
        self.assertIn("TK8505", self.codes(gate))
        # A mean over no tokens is logged as 0, which some limits pass and some do not.
        self.assertIn("TK8505", self.codes('mean(data["gen_kl_error"]) < 0.01'))
        self.assertNotIn("TK8505", self.codes('mean(data["gen_kl_error"]) < 0.01', 'min(data["train/num_valid_samples"]) > 0'))
        self.assertNotIn("TK8505", self.codes('mean(data["gen_kl_error"]) > 0.01'))

    def test_tolerances_of_log_probs(self):
        """|a - b| <= atol + rtol |b|, which is asked here of a log-prob of -20."""
        for call, codes, tv in [
            ("torch.testing.assert_close(a.log_probs, b.log_probs, atol=1e-1, rtol=1e-2)", ["TK8512"], ""),
            ("torch.testing.assert_close(a.log_probs, b.log_probs, atol=1e-2, rtol=0)", [], "0.005"),
            ("torch.testing.assert_close(logps, ref, atol=1, rtol=0.0)", ["TK8509"], ""),
            ("np.testing.assert_allclose(logprobs, ref, 0, 1e-2)", ["TK8504"], "0.005"),
            ("np.testing.assert_allclose(logprobs, ref, rtol=0, atol=1e-2, equal_nan=False)", [], "0.005"),
            ("np.testing.assert_allclose(logprobs, ref, rtol=1e-2, equal_nan=False)", ["TK8512"], ""),
            ("torch.allclose(logprobs, ref)", [], ""), ("torch.allclose(logprobs, ref, atol=TOLERANCE)", ["TK8507"], None), ("torch.allclose(values, ref, rtol=1)", [], None),
        ]:
            report = self.found(f"def test():\n    assert {call}\n", name="a.py", status=0)
            self.assertEqual([each["code"] for each in report["diagnostics"]], codes, call)
            self.assertEqual(len(report["gates"]), tv is not None, call)
            if tv:
                self.assertAlmostEqual(float(report["gates"][0]["tv"]), float(tv), delta=1e-4)

    def test_an_alarm_within_two_ends_bounds_nothing(self):
        found = self.found("if 0.1 < m[\"rollout_corr/k3_kl\"] < 0.2:\n    raise ValueError\n", name="a.py", status=0)
        self.assertEqual(([each["code"] for each in found["diagnostics"]], found["gates"]), (["TK8507"], []))

    def test_lists_that_are_no_ranges(self):
        self.assertNotIn("at 2 3", str(self.found("rollout_rs: token_k1\nrollout_rs_threshold: [2, 3]\n", name="a.yaml")["gates"]))
        self.assertEqual(self.found("x --tis_clip 2 3\n", name="a.sh")["gates"][0]["gate"], "slime or miles token at 2")
        # A value that is not understood is not its default.
        self.assertEqual(self.found("args.is_correction_enable = True\nargs.is_correction_threshold = [0.99, 1.01]\n", name="a.py")["gates"], [])

    def test_alarms_are_read_the_other_way(self):
        """`if std > 1` is dead where the deviation is at most 1, and NaN silences every alarm."""
        source = 'def f(m):\n    if m["rollout_corr/rollout_is_std"] > {}:\n        warn()\n'
        self.assertIn("TK8501", [each["code"] for each in self.found(source.format("1.0"), name="a.py")["diagnostics"]])
        live = [each["code"] for each in self.found(source.format("0.5"), name="a.py", status=0)["diagnostics"]]
        self.assertNotIn("TK8501", live)
        self.assertIn("TK8504", live)

    def test_a_cap_that_is_set_counts(self):
        """With a cap of 5 a limit of 1 is one; with no cap said, that it is dead is a warning, and with a cap of 2 an error."""
        gate = "x 'mean(data[\"rollout_corr/rollout_is_std\"]) <= 1'\n"
        for settings, said in [("rollout_is=token\nrollout_is_threshold=5.0\n", []), ("rollout_is=token\nrollout_is_threshold=2.0\n", [("TK8501", "error")]), ("", [("TK8501", "warning")])]:
            found = self.found(settings + gate)["diagnostics"]
            self.assertEqual([(each["code"], each["severity"]) for each in found if each["code"] == "TK8501"], said)
        # A measure of another cap bounds nothing of the figure.
        gate = "x 'min(data[\"rollout_corr/rollout_is_mean\"]) >= 0.9'\n"
        self.tikc("audit", self.write("two.sh", gate), "--emit=two.tikc.yaml")
        self.assertIn("rollout_is_mean: mean(capped_ratio(0, 2)) >= 0.9\n", (self.folder / "two.tikc.yaml").read_text())
        self.expect(2, "audit", self.write("five.sh", "rollout_is=token\nrollout_is_threshold=5.0\n" + gate), "--emit=five.tikc.yaml")

    def test_settings_that_change_a_figure_count(self):
        """verl's largest weight is capped with rollout_is=token, and not with rollout_is=sequence; what rollout_rs masks by is no cap."""
        gate, at = "x 'max(data[\"rollout_corr/rollout_is_max\"]) <= 3'\n", "rollout_is_threshold=2.0\n"
        for settings, said in [("rollout_is=token\n" + at, ["error"]), ("rollout_is=sequence\n" + at, []), ("rollout_is=token\nrollout_is_threshold=0.5_2.0\n", ["error"]),
                               ("rollout_is=token\n" + at + "rollout_rs=token_k1\nrollout_rs_threshold=5.0\n", ["error"])]:
            self.assertEqual([each["severity"] for each in self.found(settings + gate)["diagnostics"] if each["code"] == "TK8501"], said, settings)
        gate = "x 'min(data[\"rollout_corr/rollout_is_seq_mean\"]) >= 0.9'\n"
        self.tikc("audit", self.write("seq.sh", "rollout_is=sequence\n" + at + gate), "--emit=seq.tikc.yaml")
        self.assertIn("rollout_is_seq_mean: mean(seq_capped_ratio(0, 2)) >= 0.9\n", (self.folder / "seq.tikc.yaml").read_text())
        for settings in ("rollout_is=sequence\nrollout_is_threshold=0.5_2.0\n", "rollout_is=token\nrollout_is_threshold=0.5_2.0\n"):
            self.expect(2, "audit", self.write("none.sh", settings + gate), "--emit=none.tikc.yaml")

        # What does not depend on the threshold stays; what counts by it does not.
        ends = "rollout_is=token\nrollout_is_threshold=0.5_5.0\n"
        self.tikc("audit", self.write("kl.sh", ends + "x 'max(data[\"rollout_corr/k3_kl\"]) <= 0.01'\n"), "--emit=kl.tikc.yaml")
        self.assertIn("mean(k3) <= 0.01", (self.folder / "kl.tikc.yaml").read_text())
        self.expect(2, "audit", self.write("share.sh", ends + "x 'max(data[\"rollout_corr/rollout_is_ratio_fraction_high\"]) <= 0.01'\n"), "--emit=share.tikc.yaml")

    def test_ms_swifts_share_of_samples_has_a_floor(self):
        gate = "x 'min(data[\"rollout_correction/ess\"]) >= {}'\n"
        for limit, said in (("0.3", ["TK8501"]), ("0.7", [])):
            self.assertEqual([each["code"] for each in self.found(gate.format(limit), status=None)["diagnostics"] if each["code"] == "TK8501"], said)

    def shares(self, text, *options):
        verdict = self.found(text, *options, name="a.yaml")["gates"][0]["verdict"]
        return verdict, [0.0 if part.startswith("less") else float(part.split("%")[0].split()[-1]) / 100 for part in verdict.split(", ")]

    def test_what_corrections_take_is_what_is_drawn(self):
        """Log-ratios are drawn that the settings are then applied to, as the trainers' code does."""
        draw, noise = random.Random(3), 0.02
        sigma = noise * math.sqrt(math.pi / 2)
        for text, tokens, low, high, masks in [
            ("vllm_importance_sampling_mode: sequence_mask\nvllm_importance_sampling_cap: 3.0\n", 4096, 0, 3, True),
            ("vllm_importance_sampling_mode: sequence_truncate\nvllm_importance_sampling_clip_max: 3.0\n", 1024, 0, 3, False),
            ("rollout_is: sequence\nrollout_is_threshold: 2.0\n", 4096, 0, 2, False),
            ("rollout_is: sequence\nrollout_is_threshold: 0.5_2.0\n", 1024, 0.5, 2, True),
            ("rollout_is: null\nrollout_rs: seq_sum_k1\nrollout_rs_threshold: 0.6_1.6\n", 256, 1 / 1.6, 1 / 0.6, True),
            ("rollout_is: null\nrollout_rs: sequence\nrollout_rs_threshold: 0.6_1.6\n", 256, 0.6, 1.6, True),
            ("is_correction_type: icepop\nis_correction_threshold: [0.98, 1.02]\n", 1, 0.98, 1.02, True),
            ("truncated_importance_sampling_ratio: 1.02\n", 1, 0, 1.02, False),
        ]:
            deviation = sigma * math.sqrt(tokens)
            weights = [math.exp(draw.gauss(-deviation**2 / 2, deviation)) for _ in range(40_000)]
            outside = [w for w in weights if not low <= w <= high]
            taken = sum(outside) if masks else sum(w - high for w in outside)
            verdict, (units, weight) = self.shares(text, f"--noise={noise}", f"--horizon={tokens}")
            self.assertIn("masks" if masks else "caps", verdict)
            self.assertAlmostEqual(units, len(outside) / len(weights), delta=0.01 + 0.05 * units, msg=text)
            self.assertAlmostEqual(weight, taken / sum(weights), delta=0.08, msg=text)

    def test_masks_of_probabilities_take_at_most_what_is_said(self):
        """prime-rl's: of tokens of any probability, whatever the signs of advantages are."""
        draw, sigma = random.Random(4), 0.02 * math.sqrt(math.pi / 2)
        verdict, (units, _) = self.shares("dppo_mask_high: 0.02\ndppo_mask_low: 0.03\n", "--noise=0.02")
        self.assertIn("at most", verdict)
        for least in (0.0, 0.9):
            masked = 0
            for _ in range(40_000):
                q, ratio = draw.uniform(least, 1), math.exp(draw.gauss(0, sigma))
                masked += q * ratio - q > 0.02 or q - q * ratio > 0.03
            self.assertLessEqual(masked / 40_000, units + 0.005)
        self.assertGreater(masked / 40_000, units / 2)
        self.assertEqual([each["code"] for each in self.found("dppo_mask_high: 1.5\n", name="a.yaml", status=0)["diagnostics"]], ["TK8507"])

    def test_settings_of_each_trainer(self):
        for name, text, said in [
            ("a.yaml", "use_vllm: true\n", "TRL sequence_mask at 3"),
            ("a.py", "GRPOConfig(use_vllm=True, vllm_importance_sampling_correction=False)\n", None),
            ("a.py", "GRPOConfig(use_vllm=False)\n", None),
            ("a.sh", "x --use-tis --tis-clip-low 0.5\n", "slime or miles token at 2"),
            ("a.sh", "x ++algorithm.rollout_correction.rollout_is=${IS:-token}\n", "verl token at 2"),
            ("a.yaml", "rollout_is: null\nrollout_is_threshold: 2\n", None),
            ("a.yaml", "rollout_rs: geometric\nrollout_rs_threshold: 1.001\n", "verl geometric at 1.001"),
            ("a.yaml", "rollout_token_veto_threshold: 1e-4\n", "verl a veto at 1e-4"),
            ("a.sh", "x --algo.advantage.is_correction_enable\n", "OpenRLHF tis at 0.5 5"),
            ("a.sh", "x --algo.advantage.is_correction_type icepop --algo.advantage.is_correction_threshold 0.9 1.1\n", "OpenRLHF icepop at 0.9 1.1"),
            ("a.yaml", "is_correction_type: seq-mask-tis\nis_correction_threshold: [0.9, 1.1]\n", "OpenRLHF seq-mask-tis at 0.9 1.1"),
            ("a.yaml", "is_correction_enable: false\nis_correction_type: tis\n", None),
            ("a.yaml", "loss_fn: { truncated_importance_sampling_ratio: 2, truncated_importance_sampling_type: icepop, truncated_importance_sampling_ratio_min: 0.5 }\n", "NeMo-RL icepop at 2"),
            ("a.yaml", "loss_fn: { use_importance_sampling_correction: false, truncated_importance_sampling_ratio: 2 }\n", None),
            ("a.yaml", "loss_fn: { truncated_importance_sampling_ratio: null }\n", None),
            ("a.yaml", "trainer: { loss: { dppo_mask_high: 0.2 } }\n", "prime-rl dppo_mask_high at 0.2"),
            ("a.yaml", "loss: { ipo_threshold: 0.1 }\n", "prime-rl ipo_threshold at 0.1"),
        ]:
            gates = self.found(text, name=name, status=0)["gates"]
            self.assertEqual([each["gate"] for each in gates], [said] if said else [], text)
        for text in ("rollout_is: turn\n", "rollout_rs: token_k1\nrollout_rs_threshold: ''\n", "rollout_rs: token\nrollout_rs_threshold: 0.5\n", "rollout_is: token\nrollout_is_threshold: 3_2\n",
                     "vllm_importance_sampling_cap: 2\nvllm_importance_sampling_clip_min: 3\n", "rollout_is: token\nrollout_is_threshold: two\n", "rollout_rs: seq_max_k3\n", "x: 1\nrollout_is: ${oc.env:IS}\n"):
            self.assertEqual([each["code"] for each in self.found(text, name="a.yaml", status=0)["diagnostics"]], ["TK8507"], text)
        # The longest response that a file allows is the horizon, unless one is given.
        text = "rollout_is: sequence\ndata: {{ max_response_length: {} }}\n"
        self.assertNotEqual(self.shares(text.format(64)), self.shares(text.format(65536)))
        self.assertEqual(self.shares(text.format(64), "--horizon=4096"), self.shares(text.format(65536), "--horizon=4096"))
        for option in ("--noise=0", "--noise=-1", "--noise=x", "--horizon=nan", "--horizon=", "--noise=1e300"):
            self.expect(2, "audit", "a.yaml", option)

    def verdicts(self, text, name):
        found = self.found(text, name=name)
        return [each["verdict"] for each in found["gates"]], [each["code"] for each in found["diagnostics"]]

    def test_checks_that_are_the_other_way_round_or_of_something_else_are_not_judged(self):
        for line, judged in (("assert torch.allclose(logprobs, ref, rtol=0, atol=0.01)", True),
                             ("if not torch.allclose(logprobs[mask].float().cpu(), ref[mask], rtol=0, atol=0.01): raise X", True),
                             ("torch.testing.assert_close(model.token_logprobs(x), ref, rtol=0, atol=0.01)", True),
                             ("assert not torch.allclose(logprobs, ref, rtol=0, atol=0.01)", False),
                             ("assert not (torch.allclose(logprobs, ref, rtol=0, atol=0.01))", False),
                             ("assert torch.allclose(logprobs, ref, rtol=0, atol=0.01) == False", False),
                             ("if mask[1:].any() and torch.allclose(logprobs, ref, rtol=0, atol=0.01): raise X", False),
                             ("if not (torch.allclose(logprobs, ref, rtol=0, atol=0.01)): raise X", True),
                             ("if a[1:].ok and not torch.allclose(logprobs, ref, rtol=0, atol=0.01): raise X", True),
                             ("if torch.allclose(logprobs, ref, rtol=0, atol=0.01): print('ok')\n    else: raise X", True),
                             ("torch.testing.assert_close(logprobs * mask, torch.stack(ref_logprobs), rtol=0, atol=0.01)", True),
                             ("if torch.allclose(logprobs, ref, rtol=0, atol=0.01): raise X", False),
                             ("assert_close(logprobs.mean(), ref.mean(), rtol=0, atol=0.01)", False),
                             ("assert_close(logprobs.sum(-1), ref.sum(-1), rtol=0, atol=0.01)", False),
                             ("assert_close(logprobs.exp(), ref.exp(), rtol=0, atol=0.01)", False),
                             ("assert_close(logprobs.shape, ref.shape, rtol=0, atol=0.01)", False)):
            with self.subTest(line):
                verdicts, codes = self.verdicts(f"def test():\n    {line}\n", "a.py")
                self.assertEqual((len(verdicts), "TK8507" in codes), (judged, not judged))

    def test_a_relative_tolerance_does_not_hide_an_absolute_one(self):
        for rtol in ("rtol=0, ", "rtol=1e-5, ", ""):
            verdicts, codes = self.verdicts(f"np.testing.assert_allclose(logprobs, ref, {rtol}atol=1.0, equal_nan=False)\n", "a.py")
            self.assertEqual((verdicts, "TK8509" in codes), (["bounds each token"], True), rtol)

    def test_an_else_that_fails_asks_for_what_is_good(self):
        good, bad = "        ok()\n", "        raise ValueError(1)\n"
        for condition, then, otherwise, nan in (("<", good, bad, False), (">", bad, good, True), (">", bad, bad, True)):
            text = f'def f(m):\n    if m["train/gen_kl_error"] {condition} 0.001:\n{then}    else:\n{otherwise}    return m\n'
            found = self.found(text, name="a.py")
            self.assertEqual("TK8504" in {each["code"] for each in found["diagnostics"]}, nan, text)
            self.assertAlmostEqual(float(found["gates"][0]["tv"]), 0.02236, places=4)

    def test_an_else_that_fails_for_another_reason_asks_for_nothing(self):
        for otherwise in ("        try:\n            save()\n        except OSError:\n            raise\n", "        if other:\n            raise X\n",
                          "        def fail(): pass\n", "        exit = 1\n", "        sys.exit(0)\n", '        d["exit"].exit\n'):
            text = f'def f(m):\n    if m["train/gen_kl_error"] > 0.001:\n        stop = True\n    else:\n{otherwise}'
            self.assertIn("TK8504", [each["code"] for each in self.found(text, name="a.py")["diagnostics"]], otherwise)
        for otherwise in ("        assert False\n", "        sys.exit(1)\n", "        pytest.fail('x')\n"):
            text = f'def f(m):\n    if m["train/gen_kl_error"] < 0.001:\n        if x:\n            raise Y\n    else:\n{otherwise}'
            self.assertNotIn("TK8504", [each["code"] for each in self.found(text, name="a.py")["diagnostics"]], otherwise)

    def test_long_lines_take_linear_time(self):
        calls = ", ".join(["allclose(logprobs, b)"] * 20_000)
        self.found(f"x = [{calls}]\n", name="a.py")
        self.found('if m["kl"]: ' * 20_000 + "pass\n", name="b.py")

    def test_only_a_positive_count_at_each_step_asks_for_tokens(self):
        gate = 'max(data["train/gen_kl_error"]) < 0.001', 'all_finite(data["train/gen_kl_error"])'
        for count, asks in (('min(data["train/num_valid_samples"]) > 0', True), ('min(data["train/num_valid_samples"]) >= 1', True),
                            ('min(data["train/num_valid_samples"]) >= 0', False), ('max(data["train/num_valid_samples"]) > 0', False)):
            self.assertEqual("TK8505" not in self.codes(*gate, count), asks, count)

    def test_a_trimmed_mean_bounds_what_is_left(self):
        gates = self.found("x 'mean(data[\"train/gen_kl_error\"], ignore_top_p=0.5) < 0.001'\n")["gates"]
        self.assertEqual(gates[0]["verdict"], "bounds the average of steps without the worst 50% of the steps")

    def test_what_is_off_takes_nothing_and_each_trainer_is_its_own(self):
        for text, verdicts, codes in (
                ("use_vllm: false\nvllm_importance_sampling_cap: 1.01\n", [], []),
                ("use_tis: false\ntis_clip: 1.0\n", [], []),
                ("rollout_is: token\nrollout_is_threshold: 0.9\n", ["verl token at 0.9: caps all of the tokens, 10% of their weight"], ["TK8510"]),
                ("rlhf_type: grpo\nuse_vllm: true\nrollout_importance_sampling_mode: token_truncate\nrollout_importance_sampling_threshold: 2.0\n",
                 ["ms-swift token_truncate at 2.0: caps 0% of the tokens, 0% of their weight"], []),
                ("use_tis: true\ntis_imp_ratio_cap: 2.0\n", [], ["TK8507"]),
                ("tis_ratio_type: sequence\n", [], ["TK8507"]),
                ("a: { tis_ratio_type: sequence, sequence_tis_ratio_clip_high: 5.0, token_tis_ratio_clip_high: 2.0 }\n",
                 ["SkyRL sequence at 5.0: caps 1.6% of the responses, 3.9% of their weight"], []),
                ("actor:\n  rejection_sampling: { level: sequence, action: mask, upper: 2.0 }\n", [], ["TK8507"]),
                ("actor:\n  rejection_sampling: { level: token, action: mask, metric: ratio, upper: 1.02, lower: 0.98 }\n",
                 ["AReaL token mask at 1.02: masks 18% of the tokens, 18% of their weight"], ["TK8510"]),
                ("actor:\n  rejection_sampling: { level: sequence, action: mask, metric: ratio, upper: 2.0 }\n",
                 ["AReaL sequence mask at 2.0: masks 0% of the responses, 0% of their weight"], []),
                ("actor: { rejection_sampling: null }\n", [], []),
                ("rejection_sampling: { enabled: false, threshold: 2 }\n", [], []),
                ("actor:\n  enable_vllm_is_correction: true\n", ["OpenRLHF tis at 0.5 5: caps 0% of the tokens, 0% of their weight"], [])):
            with self.subTest(text):
                found = self.found(text, name="a.yaml")
                self.assertEqual([f"{each['gate']}: {each['verdict']}" for each in found["gates"]], verdicts)
                self.assertEqual([each["code"] for each in found["diagnostics"]], codes)

    def test_toml_is_read_as_its_own_parser_reads_it(self):
        import tomllib

        text = """# prime-rl
max_steps = 200  # not a response
started = 2026-08-01 07:32:00
[orchestrator.sampling]
max_tokens = 4096
temperature = 1.0

[trainer.loss]
type = "default"
dppo_mask_high = 0.3
dppo_mask_low = 0.2
names = ["a # b", 'c, d', \"\"\"e
f\"\"\", [1, 2], { x = 1, "y.z" = '''q''' }]
inline = { dppo_mask_high = 0.9, nested = { on = true } }

[[env]]
id = "math\\t\u00e9"
[[env]]
id = 'code'
"""
        tomllib.loads(text)
        found = self.found(text, name="rl.toml", status=0)
        self.assertEqual([each["gate"] for each in found["gates"]], ["prime-rl dppo_mask_high at 0.3", "prime-rl dppo_mask_high at 0.9"])
        alone = self.found(text.replace("inline", "# inline"), name="rl.toml", status=0)
        self.assertEqual([each["gate"] for each in alone["gates"]], ["prime-rl dppo_mask_high at 0.3"])
        self.assertEqual(text.splitlines()[alone["gates"][0]["range"]["start"]["line"] - 1], "dppo_mask_high = 0.3")
        for number in ("16_384", "0x4000", "0o40000", "+16384"):
            text = f'quoted = """a "quote\"""""\nuse_vllm = true\nmax_completion_length = {number}\n'
            tomllib.loads(text)
            self.assertIn("65% of their weight", json.dumps(self.found(text, name="rl.toml", status=0)), number)
        self.assertIn("65% of their weight", json.dumps(self.found("GRPOConfig(use_vllm=True, max_completion_length=16_384)\n", name="a.py", status=0)))
        self.assertIn("keys of at most", json.dumps(self.found("[" + "a." * 5000 + "a]\n", name="b.toml", status=0)["diagnostics"]))
        for broken, expected in (("a = \n", "expected a value"), ("a 1\n", "expected `=`"), ("[a\nb = 1\n", "expected `]`"), ("a = 'b\n", "expected a closing '"), ("a = [1 2]\n", "expected"),
                                 ("a = '1' b\n", "expected the end of the line"), ("= 1\n", "expected a key"), ("a = {b = 1\n", "expected"), ("a = " + 100 * "[" + "\n", "at most 64 nested")):
            with self.assertRaises(tomllib.TOMLDecodeError):
                tomllib.loads(broken)
            told = self.found("dppo_mask_high = 0.3\n" + broken, name="b.toml", status=0)
            self.assertEqual([each["code"] for each in told["diagnostics"]], ["TK8507"], broken)
            self.assertIn(expected, told["diagnostics"][0]["message"] + json.dumps(told["diagnostics"], ensure_ascii=False))
            self.assertEqual(len(told["gates"]), 1, broken)

    def test_a_file_without_anything_to_judge_is_told(self):
        self.write("plain.yaml", "judge: { configId: x }\n")
        self.assertIn("`plain.yaml`: found no gate or correction that tikc knows", self.expect(0, "audit", "plain.yaml").err)
        self.assertEqual(self.expect(0, "audit", ".").err, "")

    def test_what_is_emitted_checks_clean(self):
        self.write("suite.sh", SUITE + "x 'max(data[\"train/gen_kl_error\"]) < 0.003' 'max(data[\"train/gen_kl_error\"]) < 0.01' '-1e-2 < mean(data[\"rollout_corr/kl\"]) < 0.01'\n")
        self.tikc("audit", "suite.sh", "--emit=gates.tikc.yaml")
        self.expect(0, "check", "--fail-on=note", "gates.tikc.yaml")
        self.expect(0, "fmt", "--check", "gates.tikc.yaml")
        text = (self.folder / "gates.tikc.yaml").read_text()
        self.assertRegex(text, r"  # suite\.sh:\d+:\d+, of each step\n  gen_kl_error: mean\(k3\) < 0\.003\n")
        self.assertNotIn("1.3", text)
        # A share of the steps may be above, and each token may differ by as much.
        self.write("share.sh", "python check_metrics.py m.json 'ratio_above(data[\"train/gen_kl_error\"], 0.004) < 0.05'\n")
        self.write("test_close.py", "assert_close(logprobs, other_logprobs, rtol=0, atol=0.05)\nassert_close(old_logp, logp, rtol=0.1, atol=0.01)\n")
        self.tikc("audit", "share.sh", "test_close.py", "--emit=more.tikc.yaml")
        self.expect(0, "check", "--fail-on=note", "more.tikc.yaml")
        text = (self.folder / "more.tikc.yaml").read_text()
        self.assertIn(", of all but a share of steps\n  gen_kl_error: mean(k3) < 0.004\n", text)
        self.assertIn("  # test_close.py:1:1, of each token\n  tolerance: max(abs(logprob_gap)) <= 0.05\n", text)
        self.assertNotIn("0.01", text)
        for call in ("assert_close(logprobs * 0.1, other_logprobs * 0.1, rtol=0, atol=0.01)", "assert_close(logprobs.grad, other_logprobs.grad, rtol=0, atol=0.01)",
                     "assert torch.allclose(logprobs, other_logprobs, rtol=0, atol=0.01) or True", "assert_close(logprobs, logprobs, rtol=0, atol=0.01)"):
            self.expect(2, "audit", self.write("test_close.py", call + "\n"), "--emit=other.tikc.yaml")
            self.assertIn("TK8507", self.tikc("audit", "test_close.py").out)
        self.expect(0, "audit", self.write("test_close.py", "assert_close(logprobs * mask, other_logprobs * mask.float(), rtol=0, atol=0.01)\n"), "--emit=other.tikc.yaml")
        self.expect(2, "audit", self.write("none.sh", "x 'max(data[\"train/loss\"]) < 1'\n"), "--emit=none.tikc.yaml")
        self.assertFalse((self.folder / "none.tikc.yaml").exists())
        self.expect(2, "audit", "suite.sh", "--emit=suite.sh")
        self.assertTrue((self.folder / "suite.sh").read_text().startswith("#!"))

    def test_a_contract_that_no_longer_agrees(self):
        kernel = "rollout: { engine: vllm, weights: bf16"
        text = contract("rollout", "model: { horizon: 4096 tokens }\nassumptions: { correction: tis(2), estimator: token }\n")
        where = self.write("rollout.tikc.yaml", text.replace(kernel, kernel + ", kv_cache: bf16, logprobs: processed, deterministic: true, sampling: { temperature: 0.7 }"))
        for name, text, count in [
            ("a.sh", "vllm serve m --kv-cache-dtype fp8\n", 1), ("a.sh", "vllm serve m --kv-cache-dtype bfloat16\n", 0), ("a.sh", "vllm serve m --kv-cache-dtype auto\n", 0),
            ("a.sh", "vllm serve m --logprobs-mode raw_logprobs\n", 1), ("a.sh", "vllm serve m --logprobs-mode processed_logprobs\n", 0),
            ("a.sh", "SGLANG_RETURN_ORIGINAL_LOGPROB=1 sglang m\n", 1), ("a.sh", "SGLANG_RETURN_ORIGINAL_LOGPROB=0 sglang m\n", 0),
            ("a.sh", "python train.py --vllm-kv-cache-dtype fp8_e5m2\n", 1), ("a.sh", "sglang m --enable-deterministic-inference\n", 0), ("a.py", "A(enable_deterministic_inference=False)\n", 1),
            ("a.yaml", "rollout: { temperature: 0.7, top_p: 1.0, top_k: -1, val_kwargs: { temperature: 0 } }\n", 0), ("a.yaml", "rollout: { temperature: 1.0, top_p: 0.95, top_k: 50 }\n", 3),
            ("a.yaml", "rollout_is: token\nrollout_is_threshold: 2.0\n", 0), ("a.yaml", "rollout_is: token\nrollout_is_threshold: 5.0\n", 1),
            ("a.yaml", "rollout_is: sequence\nrollout_is_threshold: 2.0\n", 1), ("a.yaml", "max_response_length: 4096\n", 0), ("a.yaml", "max_response_length: 8192\n", 1),
        ]:
            report = self.found(text, f"--contract={where}", name=name, status=1 if count else 0)
            self.assertEqual([each["code"] for each in report["diagnostics"] if each["severity"] == "error"], ["TK8511"] * count, text)
        self.write("b.yaml", "lr: 1\n")
        self.assertIn("nothing was compared", self.expect(2, "audit", "b.yaml", f"--contract={where}").err)
        self.expect(2, "audit", "b.yaml", "--contract=missing.tikc.yaml")

    def test_what_is_not_understood_is_told_and_not_passed(self):
        report = self.found("x 'sum(data[\"gen_kl_error\"].values()) < 3'\n", "--fail-on=warning", status=1)
        self.assertEqual([(each["code"], each["range"]["start"]["column"]) for each in report["diagnostics"]], [("TK8507", 4)])
        self.assertEqual(report["gates"], [])

    def test_nothing_is_run(self):
        mark = self.folder / "ran"
        self.found(f"x '__import__(\"os\").system(\"touch {mark}\") or data[\"a\"][\"1\"] < 1' \"$(touch {mark})\"\n")
        self.found(f"open({str(mark)!r}, 'w')\nassert open({str(mark)!r}, 'w') and x[\"gen_kl_error\"] < 1\n", name="a.py")
        self.assertFalse(mark.exists())

    def test_forms_statuses_and_folders(self):
        self.write("tests/a.sh", "x 'mean(data[\"token_mult_prob_error\"]) < 1'\n")
        self.write("tests/b.txt", "x 'mean(data[\"token_mult_prob_error\"]) < 1'\n")
        for form, part in [("text", "error[TK8502]"), ("sarif", '"ruleId": "TK8502"'), ("github", "::error file=tests/a.sh,line=1"), ("gitlab", "TK8502"),
                           ("rdjson", "TK8502"), ("junit", "TK8502"), ("json", '"always fires"')]:
            self.assertIn(part, self.expect(1, "audit", "tests", f"--format={form}").out)
        self.expect(1, "audit", "tests/b.txt")
        self.assertIn("no .sh", self.expect(2, "audit", self.write("empty/x.txt", "").parent).err)
        self.expect(2, "audit", "missing.sh")
        self.write("tikc.yaml", "severities: { TK8502: note }\n")
        self.expect(0, "audit", "tests")
        self.assertIn("1 gate in 1 file: no findings", self.expect(0, "audit", self.write("ok.sh", "x 'mean(data[\"rollout_corr/chi2_token\"]) < 0.01' 'min(data[\"num_valid\"]) > 0'\n")).out)

    def test_hostile_files(self):
        for name, content in [
            ("nul.sh", b"x\0y"), ("latin.sh", b"x 'data[\"\xe9\"] < 1'"), ("deep.sh", b"x 'data[\"a\"] < " + b"(" * 100_000 + b"'"),
            ("line.sh", b"x 'max(data[\"gen_kl_error\"]) < " + b"1" * 3_000_000 + b"'"), ("open.sh", b"$(" * 200_000), ("deep.py", b"[" * 300_000),
            ("many.py", b"a:" * 500_000), ("deep.yaml", b"[" * 5000), ("random.sh", random.Random(1).randbytes(1 << 16)),
            ("many.sh", b"x 'max(data[\"gen_kl_error\"]) < 1'\n" * 20_000),
        ]:
            with self.subTest(name=name):
                (self.folder / name).write_bytes(content)
                done = self.tikc("audit", name)
                self.assertIn(done.returncode, (0, 1), done.err)
                self.assertIn("[TK" if name != "many.py" else "no findings", done.out)
        self.assertIn("TK0009", self.tikc("audit", "many.sh").out)


if __name__ == "__main__":
    main()
