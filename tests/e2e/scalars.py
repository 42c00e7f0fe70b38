"""`tikc measure --scalars`: figures that a trainer logged are held to the clauses that they equal, and to no others."""

import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, contract, main  # noqa: E402

OBSERVED = "observability:\n  tokens: sample(logprobs, 100%)\n"
CLAUSES = """statistical:
  kl: mean(k1) in [-0.01 nat, 0.01 nat]
  low: mean(k3) <= 0.001 nat over 1 step
  far: mean_by_response(abs(logprob_gap)) <= 0.01 nat
  worst: max(abs(logprob_gap)) <= 1 nat
  tail: p99(abs(logprob_gap)) <= 1 nat
  weight: mean(capped_ratio(0, 2)) >= 0.99
  sure: mean(prob_gap) <= 0.1 with confidence 99%
"""
KL, K3, ABS, WEIGHT, PROBS = ("rollout_corr/kl", "rollout_corr/k3_kl", "rollout_corr/log_ppl_abs_diff", "rollout_corr/rollout_is_mean",
                              "training/rollout_probs_diff_mean")


class Scalars(Case):
    def contract(self, clauses=CLAUSES, more=""):
        return self.write("c.tikc.yaml", contract("logged", more, clauses, OBSERVED))

    def rows(self, where, *words, status=None):
        done = self.tikc("measure", where, "--scalars", "--format=json", *words)
        self.assertIn(done.returncode, (0, 1, 4) if status is None else (status,), done.err)
        self.said = json.loads(done.out)
        return {row["clause"]: row for row in self.said["clauses"]}

    def log(self, *steps, name="metrics.jsonl"):
        return self.write(name, "".join(json.dumps({"step": i + 1, "data": data}) + "\n" for i, data in enumerate(steps)))

    def why(self, rows):
        return {name: row.get("why", "") for name, row in rows.items()}

    def test_a_figure_is_held_to_the_clause_that_it_equals(self):
        log = self.log({KL: 0.0005, K3: 0.0004, "actor/lr": 1e-6}, {KL: -0.002, K3: 0.0014})
        rows = self.rows(self.contract(), log, status=1)
        self.assertEqual({name: row["verdict"] for name, row in rows.items()},
                         {"kl": "satisfied", "low": "violated", **dict.fromkeys(("far", "worst", "tail", "weight", "sure"), "undecided")})
        self.assertEqual((rows["kl"]["value"], rows["kl"]["windows"]["satisfied"]), (-0.002, 2))
        self.assertEqual(rows["low"]["worst"], [{"value": 0.0014, "place": f"{log}:2, step 2"}])
        self.assertEqual([rows["low"][end] for end in ("low", "high")], [None, None])
        self.assertEqual(self.said["data"]["records"], 2)
        self.assertTrue(any(KL in line for line in self.said["others"]))
        why = self.why(rows)
        self.assertEqual(why["tail"], "no trainer logs a metric that equals it")
        self.assertIn("sampling/sampling_logp_difference/max", why["worst"])
        # In each form.
        for form in ("text", "markdown", "csv", "junit"):
            self.assertIn("0.0014", self.expect(1, "measure", self.contract(), "--scalars", log, f"--format={form}").out)

    def test_all_satisfied_and_nothing_known(self):
        where = self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n")
        self.rows(where, self.log({KL: 0.001}, {KL: 0.01}), status=0)
        self.rows(where, self.log({"loss": 0.001}), status=4)
        self.assertEqual(self.tikc("measure", where, "--scalars", self.log({"loss": 1.0}), "--undecided=fail").returncode, 1)

    def test_what_is_no_number_is_no_pass(self):
        where = self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n")
        log = lambda value: self.write("nan.jsonl", f'{{"step": 1, "{KL}": 0.001}}\n{{"step": 2, "{KL}": {value}}}\n')  # noqa: E731
        self.assertEqual(self.rows(where, log("null"), status=4)["kl"]["why"], "no number was logged at 1 of 2 steps")
        # NaN and infinity are the worst values, as they are of tokens.
        for worst in ("NaN", '"NaN"', "Infinity", "-Infinity"):
            row = self.rows(where, log(worst), status=1)["kl"]
            self.assertEqual((row["windows"]["violated"], [each["place"].rsplit("/", 1)[-1] for each in row["worst"]]), (1, ["nan.jsonl:2, step 2"]), worst)
            self.assertEqual(self.tikc("measure", where, "--scalars", log(worst), "--undecided=pass").returncode, 1)
        self.rows(where, self.log({KL: float("nan")}, {KL: 0.5}), status=1)

    def test_a_figure_that_is_no_bare_number(self):
        where = self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n")
        log = lambda value: self.write("a.jsonl", f'{{"step": 1, "note": "x", "{KL}": 0.001}}\n{{"step": 2, "{KL}": {value}}}\n')  # noqa: E731
        self.assertEqual(self.rows(where, log('"0.5"'), status=1)["kl"]["value"], 0.5)
        self.rows(where, log('"0.005"'), status=0)
        for worst in ('"inf"', '"-inf"', '"nan"', '"Infinity"', "-Infinity", "nan"):
            self.assertEqual(self.rows(where, log(worst), status=1)["kl"]["windows"]["violated"], 1, worst)
        self.assertEqual(self.rows(where, log('"null"'), status=4)["kl"]["why"], "no number was logged at 1 of 2 steps")
        for wrong in ('"abc"', '""', '"0x10"', '"0,5"', "[0.5]", "[]", '{"value": 0.5}', '{"3": "abc"}', '{"3": [0.5]}', "true", '{"note": "x"}'):
            done = self.expect(2, "measure", where, "--scalars", log(wrong))
            self.assertRegex(done.err, r"a\.jsonl.*line 2: byte \d+: ", wrong)
            self.assertEqual(done.out, "")
        twice = self.write("twice.jsonl", f'{{"step": 1, "{KL}": 0.001, "{KL}": 0.5}}\n')
        self.assertIn(f"duplicate `{KL}`", self.expect(2, "measure", where, "--scalars", twice).err)
        pair, number = "[[1, 0.5]]", f'"{KL}": 0.001'
        for key, text in (("metric", f'"metric": "m", "metric": "{KL}", "series": {pair}'), ("series", f'"metric": "{KL}", "series": [[1, 0.001]], "series": {pair}'), ("step", f'"step": 1, {number}, "step": 2')):
            twice = self.write("twice.jsonl", f"{{{text}}}\n")
            self.assertIn(f"duplicate `{key}`", self.expect(2, "measure", where, "--scalars", twice).err)
        # Weights & Biases counts its own steps; verl repeats the step in `data`.
        self.rows(where, self.write("steps.jsonl", f'{{"_step": 12, "train/global_step": 4, {number}, "step": 4, "data": {{"step": 4}}}}\n'), status=0)
        self.rows(where, log('{"3": "0.5"}'), status=1)
        self.rows(where, self.write("b.jsonl", f'{{"step": "7", "{KL}": 0.5}}\n'), status=1)
        self.assertIn("step 7", self.expect(1, "measure", where, "--scalars", self.folder / "b.jsonl").out)

    def test_the_worst_steps_are_shown(self):
        log = self.log(*({KL: value} for value in (0.2, 0.3, 0.4, 0.5, 9.0)))
        worst = self.rows(self.contract(), log, status=1)["kl"]["worst"]
        self.assertEqual([each["value"] for each in worst], [9.0, 0.5, 0.4])
        self.assertIn(":5", worst[0]["place"])

    def test_a_list_may_quote_what_llama_prints(self):
        log = self.write("list.json", json.dumps([{"step": 1, KL: 0.001, "note": "====== KL divergence statistics ======\n"}]))
        self.rows(self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n"), log, status=0)
        self.assertIn("standard input", self.expect(2, "measure", self.contract(), "--scalars", "-").err)

    def test_what_tables_have_beside_a_figure_is_told(self):
        where = self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n")
        table = f'\ufeff"Step","r - {KL}","r - {KL}__MIN","r - {KL}__MAX","r - other__MAX"\n"1","0.001","0","9","9"\n'
        self.rows(where, self.write("a.csv", table), status=0)
        for end in ("MIN", "MAX"):
            self.assertIn(f"r - {KL}__{end} is an extreme within a step, and is skipped", self.said["others"])
        self.assertEqual(sum("an extreme" in each for each in self.said["others"]), 2)

    def test_what_it_is_never_above_can_only_break_it(self):
        where = self.contract("statistical:\n  far: mean_by_response(abs(logprob_gap)) <= 0.01 nat\n")
        self.assertIn("not satisfy it", self.rows(where, self.log({ABS: 0.009}), status=4)["far"]["why"])
        self.assertEqual(self.rows(where, self.log({ABS: 0.009}, {ABS: 0.011}), status=1)["far"]["value"], 0.011)
        # It is no reason to break what has to be above something.
        where = self.contract("statistical:\n  far: mean_by_response(abs(logprob_gap)) in [0.001 nat, 0.01 nat]\n")
        self.rows(where, self.log({ABS: 0.0}), status=4)

    def test_settings_are_asked_for(self):
        where = self.contract("statistical:\n  weight: mean(capped_ratio(0, 2)) >= 0.99\n")
        log = self.log({WEIGHT: 0.999})
        self.assertIn("--as-set=verl", self.rows(where, log, status=4)["weight"]["why"])
        self.rows(where, log, "--as-set=trl", status=4)
        self.rows(where, log, "--as-set=verl", status=0)
        self.assertTrue(any("rollout_is_threshold = 2" in line for line in self.said["others"]))

    def test_a_log_of_llama_perplexity_that_ends_early(self):
        header = "chunk             PPL               ln(PPL(Q)/PPL(base))          KL Divergence              Δp RMS            Same top p\n"
        for rest in ("", "   1       5.5 ± 0.1       0.001 ±    0.00072       0.00146 ±    0.00009     1.2 ±  0.1 %    97.6 ±  0.9 %\n",
                     "\n====== Perplexity statistics ======\nMean PPL(Q)                   :   5.961463 ±   0.038543\n"):
            done = self.expect(2, "measure", self.contract("statistical:\n  k: mean(k3) <= 1\n"), "--scalars", self.write("cut.log", header + rest))
            self.assertIn("cut.log`: the log ends before its KL divergence statistics", done.err)

    def test_what_llama_perplexity_printed(self):
        printed = """perplexity: calculating
chunk             PPL               ln(PPL(Q)/PPL(base))          KL Divergence              Δp RMS            Same top p
   1       5.5 ± 0.1       0.001 ±    0.00072       0.00146 ±    0.00009     1.2 ±  0.1 %    97.6 ±  0.9 %
Mean    KLD:   9.0 ±   0.000013

====== Perplexity statistics ======
Mean PPL(Q)                   :   5.961463 ±   0.038543
Mean ln(PPL(Q)/PPL(base))     :   0.000893 ±   0.000205

====== KL divergence statistics ======
Mean    KLD:   0.001393 ±   0.000013
Maximum KLD:   0.516000
99.9%   KLD:   0.031416
Median  KLD:   0.000900
 5.0%   KLD:        nan

====== Token probability statistics ======
Maximum Δp: 23.600%
RMS Δp    :  1.198 ± 0.010 %
Same top p: 97.674 ± 0.040 %
"""
        drawn = lambda **clauses: "".join(f'  {name}: {{ require: "{says}", drawn: text }}\n' for name, says in clauses.items())  # noqa: E731
        where = self.contract("numerical:\n" + drawn(kld="mean(kl_train_infer) <= 0.002 nat", tail="quantile(kl_train_infer, 0.9990) <= 0.03 nat", edge="max(kl_train_infer) <= 0.516 nat",
                                                     half="median(kl_train_infer) <= 0.001 nat", low="quantile(kl_train_infer, 0.05) <= 0.001 nat")
                              + "  served: mean(kl_train_infer) <= 0.003 nat\n" + "statistical:\n" + drawn(moved="rms(prob_gap) <= 1.5%", far="max(prob_gap) <= 20%"))
        where.write_text(where.read_text().replace(OBSERVED, OBSERVED + "  rows: sample(logits, 1%)\n"))
        log = self.write("kld.txt", printed)
        asked = (log, "--pair=trainer_to_rollout_drawn_by_text", "--as-set=llama_cpp")
        # A divergence below 0 is another number. A little less than 0 may be, as unlikely tokens are left out.
        for value, outcome in (("-0.010000", "satisfied"), ("-0.500000", "undecided"), ("-5.000000", "undecided")):
            below = self.write("below.txt", log.read_text().replace("KLD:   0.001393", f"KLD:   {value}"))
            self.assertEqual(self.rows(where, below, *asked[1:])["kld"]["verdict"], outcome)
        rows = self.rows(where, *asked, status=1)
        self.assertEqual({name: row["verdict"] for name, row in rows.items()},
                         {"kld": "satisfied", "tail": "violated", "edge": "undecided", "half": "satisfied", "low": "violated", "served": "undecided", "moved": "satisfied", "far": "violated"})
        self.assertEqual(rows["tail"]["worst"], [{"value": 0.031416, "place": f"{log}:13"}])
        self.assertEqual((rows["kld"]["value"], rows["moved"]["value"]), (0.001393, 1.198))
        why = self.why(rows)
        self.assertIn("few digits", why["edge"])
        self.assertEqual(rows["low"]["worst"], [{"value": None, "place": f"{log}:15"}])
        # Rows after a text's prefixes say nothing of those that are served, nor do tokens that trainers log of a text.
        self.assertIn("it is about trainer_to_rollout,", why["served"])
        self.assertIn("--as-set=llama_cpp", self.why(self.rows(where, *asked[:2]))["kld"])
        self.assertEqual({row["verdict"] for row in self.rows(where, log, status=4).values()}, {"undecided"})
        said = self.rows(self.contract("statistical:\n" + drawn(kl="mean(k1) <= 0.01 nat")), self.log({KL: 0.5}), "--pair=trainer_to_rollout_drawn_by_text", status=4)["kl"]
        self.assertEqual((said["verdict"], said["why"]), ("undecided", "verl's rollout_corr/kl, verl's rollout_corr/rollout_rs_token_k1_mean, verl's rollout_corr/rollout_rs_seq_mean_k1_mean, openrlhf's vllm_kl, ms_swift's rollout_correction/kl, tinker's optim/kl_sample_train_v1 is about tokens that the server sampled, but `drawn: text` requires others"))
        where = self.contract("numerical:\n  kld: mean(kl_train_infer) <= 0.002 nat\n")
        where.write_text(where.read_text().replace(OBSERVED, OBSERVED + "  rows: sample(logits, 1%)\n"))
        self.assertRegex(self.rows(where, log, "--as-set=llama_cpp", status=4)["kld"]["why"], "^llama_cpp's .* is about a given text, which requires `drawn: text`$")

    def test_no_confidence_and_no_slice_follows(self):
        rows = self.rows(self.contract(), self.log({PROBS: 0.001}), status=4)
        self.assertIn("99%", rows["sure"]["why"])
        rows = self.rows(self.contract(), self.log({PROBS: 0.9}), status=4)
        self.assertEqual(rows["sure"]["verdict"], "undecided")
        where = self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n", 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math" }\n')
        done = self.expect(4, "measure", where, "--scalars", self.log({KL: 0.5}))
        self.assertEqual(done.out.count("a scalar covers all traffic"), 2)

    def test_what_the_figure_cannot_be_is_no_pass(self):
        where = self.contract("statistical:\n  low: mean(k3) <= 0.001 nat\n")
        rows = self.rows(where, self.log({K3: 0.0001}, {K3: -5}), status=4)
        self.assertIn("1 of 2 steps is outside the range of the metric: -5 at ", rows["low"]["why"])
        self.assertTrue(rows["low"]["why"].endswith("metrics.jsonl:2, step 2"), rows["low"]["why"])
        self.rows(where, self.log({K3: -5}, {K3: 0.5}), status=1)
        # What rounding leaves of 0 is 0.
        self.rows(where, self.log({K3: -1e-9}), status=0)

    def odd(self, *steps, words=()):
        """The lines of what was logged that is no such figure, of a contract about none of them."""
        self.rows(self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n"), self.log(*steps), *words)
        return [line[line.index("metrics.jsonl:"):] for line in self.said["others"] if "metrics.jsonl:" in line]

    def test_what_no_figure_can_be_is_reported_with_its_place(self):
        for name, value, end in (("rollout_corr/k3_kl", -0.5, "below 0"), ("rollout_corr/rollout_is_ratio_fraction_high", 1.5, "above 1"), ("rollout_corr/rollout_is_eff_sample_size", -0.1, "below 0"),
                                 ("training/rollout_probs_diff_mean", 1.2, "above 1"), ("rollout_corr/chi2_seq", -1.5, "below -1"), ("rollout_corr/rollout_rs_masked_fraction", 2, "above 1"),
                                 ("rollout_correction/ess", 7, "above 1"), ("rollout_corr/rollout_rs_seq_sum_k3_min", -1, "below 0"), ("masked_mismatch_kl/all/mean", -1, "below 0")):
            lines = self.odd({name: 0.5}, {name: value}, {name: value})
            self.assertEqual(len(lines), 1, (name, lines))
            self.assertTrue(lines[0].startswith(f"metrics.jsonl:2, step 2: {name} is {value:g} (the first of 2 such steps), but this metric is never {end}"), lines)
        # Of either sign, or of a cap that the log does not show.
        for name, value in ((KL, -3), ("rollout_corr/log_ppl_diff", -3), (WEIGHT, 4.5), (K3, 0), (K3, -1e-9), (K3, float("nan"))):
            self.assertEqual(self.odd({name: value}), [], name)
        # It shows where the settings are said to be those of the row.
        self.assertEqual(len(self.odd({WEIGHT: 4.5}, words=["--as-set=verl"])), 1)
        self.assertEqual(self.odd({"rollout_corr/rollout_is_max": 4.5}, words=["--as-set=verl_sequence"]), [])

    def test_a_negative_estimate_of_a_divergence_is_reported(self):
        lines = self.odd({"rollout_corr/chi2_seq": 0.2, KL: 0.005}, {"rollout_corr/chi2_seq": -0.881, KL: 0.005})
        self.assertEqual(len(lines), 1)
        self.assertIn("metrics.jsonl:2, step 2: rollout_corr/chi2_seq is -0.881, but what it estimates is never below 0: a negative estimate shows that few responses carry the weight", lines[0])
        self.assertEqual(len(self.odd({"rollout_corr/chi2_token": -0.1})), 1)
        # ms-swift's is of geometric means: below 0 as often as not.
        self.assertEqual(self.odd({"rollout_correction/chi2_seq": -0.1}), [])

    def test_settings_that_replace_figures(self):
        where = self.contract("statistical:\n  kl: mean_by_response(k1) in [-1 nat, 1 nat]\n  weight: mean(capped_ratio(0, 2)) >= 0.99\n  far: rate(seq_ratio < 0.5) <= 10%\n  whole: mean(seq_capped_ratio(0, 2)) >= 0.9\n")
        log = self.log({"rollout_corr/log_ppl_diff": 0.1, WEIGHT: 0.995, "rollout_corr/rollout_is_ratio_fraction_low": 0.5, "rollout_corr/rollout_is_seq_mean": 0.95})
        verdicts = lambda *words: {name: row["verdict"] for name, row in self.rows(where, log, *words).items()}  # noqa: E731
        self.assertEqual(verdicts("--as-set=verl"), {"kl": "satisfied", "weight": "satisfied", "far": "undecided", "whole": "undecided"})
        self.assertEqual(verdicts("--as-set=verl_sequence"), {"kl": "satisfied", "weight": "undecided", "far": "violated", "whole": "satisfied"})
        self.assertEqual(verdicts("--as-set=verl_icepop"), {"kl": "satisfied", "weight": "undecided", "far": "undecided", "whole": "undecided"})

    def test_figures_that_no_clause_is_about_are_listed(self):
        self.rows(self.contract(), self.log({KL: 0.001, "rollout_corr/rollout_rs_token_k1_std": 0.1, "rollout_corr/rollout_rs_seq_sum_k1_std": 0.1, "is_ratio_min": 0.0}))
        self.assertIn("rollout_corr/rollout_rs_token_k1_std, rollout_corr/rollout_rs_seq_sum_k1_std: no clause is about it: uses values clamped to rollout_rs_threshold, which the log does not show", self.said["others"])
        self.assertTrue(any(line.startswith("is_ratio_min: no clause is about it: counts padding as 0") for line in self.said["others"]))
        self.assertTrue(self.said["others"][0].startswith("logged numbers that clauses may be about: 1 of 4"))

    def test_a_cell_that_is_no_number_is_refused_with_its_place(self):
        where = self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n")
        table = lambda cell: self.write("t.csv", f'Step,{KL},note\n1,0.001,a\n2,{cell},b\n')  # noqa: E731
        for cell in ("abc", '"1,5"', "1e", "0x1", "0x1p3", "0.05\0", "1_000"):
            self.assertIn(f"line 3: `{KL}`: expected a number", self.expect(2, "measure", where, "--scalars", table(cell)).err)
        for cell in ("NaN", "Infinity", "-inf"):
            self.assertEqual(self.rows(where, table(cell), status=1)["kl"]["windows"]["violated"], 1)
        twice = self.write("t.csv", f"Step,{KL},{KL}\n1,0.001,0.5\n")
        self.assertIn(f"line 1: `{KL}` has two columns", self.expect(2, "measure", where, "--scalars", twice).err)

    def test_each_writer(self):
        where = self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n")
        records = [{"_step": 3, KL: 0.001}, {"_step": 4, KL: 0.5, "note": "x", "nested": {"a": [1, {"b": 2}]}}]
        written = {
            "flat.jsonl": "".join(json.dumps(each) + "\n" for each in records),
            "list.json": json.dumps(records, indent=1),
            "state.json": json.dumps({"best": None, "log_history": records}, indent=2),
            "nested.jsonl": "".join(json.dumps({"step": each["_step"], "rollout_corr": {"kl": each[KL]}}) + "\n" for each in records),
            "nemo.json": json.dumps({f"train/{KL}": {"3": 0.001, "4": 0.5}, "train/loss": {"3": 1.0}}, indent=1),
            "miles.jsonl": json.dumps({"metric": KL, "series": [[3, 0.001], [4, 0.5]]}) + "\n",
            "series.jsonl": json.dumps({"series": [[3, 0.001], [4, 0.5]], "metric": KL}) + "\n",
            "wandb.csv": f'"Step","run 1 - {KL}","run 1 - {KL}__MIN","run 1 - {KL}__MAX"\n"3","0.001","-1","9"\n"4","0.5","-1","9"\n',
            "quoted.csv": f'"Step","note\n, of two ""lines""","{KL}"\r\n"3","a\r\nb","0.001"\r\n"4","","0.5"\r\n',
            "run-.-tag-rollout_corr_kl.json": "[[1.5, 3, 0.001], [2.5, 4, 0.5]]",
            "run-.-tag-rollout_corr_kl.csv": "Wall time,Step,Value\r\n1.5,3,0.001\r\n2.5,4,0.5\r\n",
        }
        for name, text in written.items():
            for packed in (False, True):
                path = self.write(name + ".gz" if packed else name, gzip.compress(text.encode()) if packed else text)
                with self.subTest(path=path.name):
                    row = self.rows(where, path, status=1)["kl"]
                    self.assertEqual((row["value"], row["windows"]), (0.5, {"satisfied": 1, "violated": 1, "undecided": 0}))
                    self.assertTrue(row["worst"][0]["place"].endswith("step 4"), row["worst"])
        # Sums over files, and a name behind another.
        both = [self.write(f"part{i}.jsonl", json.dumps({"step": i, f"actor/{KL}": 0.001}) + "\n") for i in range(3)]
        self.assertEqual(self.rows(where, *both, status=0)["kl"]["windows"]["satisfied"], 3)
        # A name that only ends alike is another.
        self.rows(where, self.log({"my_rollout_corr/kl": 5.0, "rollout_corr/kl_old": 5.0}), status=4)

    def test_a_quote_within_a_cell_is_text(self):
        where = self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n")
        row = self.rows(where, self.write("pipes.csv", f'Step,{KL},note\n1,0.001,5" pipe\n2,9.0,6" pipe\n3,0.002,"a ""b"", c"\n'), status=1)["kl"]
        self.assertEqual((row["value"], row["windows"]), (9.0, {"satisfied": 2, "violated": 1, "undecided": 0}))

    def test_a_table_that_may_be_cut_is_named(self):
        where = self.contract("statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n")
        for end, is_named in (("", True), ("\n", False)):
            self.rows(where, self.write("cut.csv", f"Step,{KL}\n1,0.001\n2,0.0" + end), status=0)
            self.assertEqual(any("the last line does not end" in each for each in self.said["others"]), is_named)

    def test_what_cannot_be_read(self):
        where = self.contract()
        for name, text, wanted in (("a.jsonl", '{"step": 1, "x": 1}\n{"step": 2, "x": \n', "line 2"), ("b.jsonl", "[" * 10**6, ""), ("c.csv", "Step,x\n1\n", "line 2: expected 2 cells, found 1"),
                                   ("d.csv", 'Step,x\n1,"2\n', "quote"), ("e.csv", "x,y\n1,2\n", "no step column"), ("f.csv", "Step,x\none,2\n", "step is not a number"),
                                   ("m.csv", "Step,x,Step\n1,2,3\n", "line 1: `Step` has two columns"), ("n.csv", "Step,x\r1,2\r", "line 1: a carriage return without a line feed"),
                                   ("q.csv", 'Step,x\n1,"2" 3\n', "line 2: text after a closing quote"), ("r.csv", "Step,x\n1,2\n" + "," * 10**6, "line 3: expected at most 2 cells"), ("s.csv", "," * 10**6, "line 1: expected at most 65536 cells"),
                                   ("o.csv", 'Step,x\n1,"2\n' + "3,4\n" * 10**6, "line 2: unterminated quote"), ("p.log", "====== KL divergence statistics ======\nMean    KLD:   0.001393 ±   0.000013\nMaximum KLD:   0.5", "line 3: the line does not end"),
                                   ("g.jsonl", "", "no logged metrics found"), ("h.csv", "", "it is empty"), ("i.json", '{"metric": "m", "series": [[1, 2, 3]]}', "pairs"),
                                   ("tag-a.json", "[[1, 2]]", "a time, a step and a number"), ("tag-b.json", "[[1, 2, [3]]]", ""), ("j.json", '{"metric": "m", "series": [1]}', ""), ("k.jsonl", "hello\n", ""), ("l.jsonl.gz", gzip.compress(b'{"step": 1}')[:-9], "")):
            with self.subTest(name=name):
                done = self.expect(2, "measure", where, "--scalars", self.write(name, text))
                self.assertEqual(done.out, "")
                self.assertIn(wanted, done.err)
        self.assertIn("No such file", self.expect(2, "measure", where, "--scalars", self.folder / "none.jsonl").err)
        log = self.log({KL: 0.001})
        for option in ("--every=step", "--map=train=x", "--evidence=e"):
            self.assertIn("--scalars", self.expect(2, "measure", where, "--scalars", log, option).err)
        self.assertIn("--scalars", self.expect(2, "measure", where, log, "--as-set=verl").err)


if __name__ == "__main__":
    main()
