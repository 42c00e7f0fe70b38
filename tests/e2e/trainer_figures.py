"""`tikc inspect --figures`: each figure is what the trainer's formula gives, written here a second time in NumPy; and what a figure is said to equal is what
`tikc measure` says of the same data."""

import json
import math
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, contract, main, skip  # noqa: E402

try:
    import numpy as np
except ModuleNotFoundError as missing:
    skip(f"{missing}; the formulas need python3-numpy")

SAFETY = 20.0
CATALOGUE = (ROOT / "compiler/trainers/TrainerFigures.def").read_text(encoding="utf-8")
ROWS = [(trainer, name, relation, "".join(re.findall(r'"([^"]*)"', measure)))
        for trainer, name, relation, measure in re.findall(r'^FIGURE\((\w+), "([^"]+)",\s+\w+,\s+\w+,\s+(\w+),\s+("[^"]*")', CATALOGUE, re.M)]
TEXT = r'((?:"[^"]*"\s*)+)'
ALIASES = [(of, written, instead, "".join(re.findall(r'"([^"]*)"', says)))
           for of, written, instead, says in re.findall(r'^ALIAS\(\s*(Metric|Measure), "(\w+)", "([^"]*)", \w+,\s+' + TEXT + r'\)',
                                                        (ROOT / "compiler/model/Aliases.def").read_text(encoding="utf-8"), re.M)]
TRAINERS = re.compile(r"\b(verl|ms-swift|TRL|NeMo-RL|slime|miles|SkyRL|prime-rl|torchtitan|Tinker)\b")
# What a trainer's documentation or its users alert on, as a clause that holds where the alert is silent.
LIVE_ALERTS = {
    "rollout_is_eff_sample_size": ">= 0.3", "rollout_is_mean": ">= 0.5", "rollout_is_std": "<= 0.5", "rollout_is_seq_mean": ">= 0.5",
    "rollout_is_batch_norm_factor": ">= 0.5", "rollout_is_ratio_fraction_high": "<= 1%", "rollout_is_ratio_fraction_low": "<= 1%", "rollout_is_oob_ratio": "<= 1%",
    "rollout_is_veto_fraction": "<= 1%", "rollout_rs_masked_fraction": "<= 1%", "rollout_rs_seq_masked_fraction": "<= 1%", "rollout_rs_token_k3_max": "<= 1",
    "is_weight_mean": ">= 0.5", "clipped_frac": "<= 1%", "is_oob_ratio": "<= 1%", "train_rollout_kl": "<= 0.01", "kl_sample_train_v2": "<= 0.01",
    "importance_sampling_ratio_mean": ">= 0.5",
}
DEAD_ALERTS = {"rollout_is_mean": "<= 2", "rollout_is_max": "<= 2", "importance_sampling_ratio_max": "<= 3"}
NAMES = dict(re.findall(r'^TRAINER\((\w+), "(\w+)"', CATALOGUE, re.M))
OTHERS = [name for _, name in re.findall(r'^OTHER_FIGURE\(\s*"(\w*)",\s+"([^"]+)"', (ROOT / "compiler/trainers/OtherFigures.def").read_text(encoding="utf-8"), re.M)]


class Batch:
    """A padded batch, as trainers have one: of responses without tokens that count, too."""

    def __init__(self, responses):
        longest = max(len(each["train"]) for each in responses)
        self.p, self.q, self.mask = (np.zeros((len(responses), longest)) for _ in range(3))
        for i, each in enumerate(responses):
            size = len(each["train"])
            self.p[i, :size] = np.float32(each["train"])
            self.q[i, :size] = np.float32(each["infer"])
            self.mask[i, :size] = each.get("mask", [1] * size)
        self.counted = self.mask > 0
        self.x = np.where(self.counted, self.p - self.q, 0)

    def tokens(self, values):
        return values[self.counted]

    def by_response(self, values):
        """Their means, 0 of none."""
        return np.where(self.counted, values, 0).sum(axis=1) / np.maximum(self.mask.sum(axis=1), 1)


def rejections(b):
    """verl's compute_rs_metrics, where no threshold matters: an option is a unit and an estimate."""
    safe, filled = np.clip(b.x, -SAFETY, SAFETY), b.mask.sum(axis=1) > 0
    estimates, out = {"k1": -safe, "k2": 0.5 * safe**2, "k3": np.exp(safe) - 1 - safe}, {}
    units = {"token": b.by_response, "seq_mean": b.by_response, "seq_sum": lambda values: np.where(b.counted, values, 0).sum(axis=1),
             "seq_max": lambda values: np.where(b.counted, values, -np.inf).max(axis=1)}
    for name, values in estimates.items():
        for unit, reduce in units.items():
            if (unit, name) == ("seq_max", "k1"):
                continue
            of_responses = reduce(values)
            per_token = b.tokens(values if unit == "token" else np.broadcast_to(of_responses[:, None], values.shape))
            kept = of_responses[filled]
            extremes = per_token if unit == "token" else kept
            of_option = {"mean": per_token.mean(), "max": extremes.max(), "min": extremes.min(), "seq_mean": kept.mean(), "seq_std": kept.std(ddof=1) if len(kept) > 1 else 0,
                         "seq_max": kept.max(), "seq_min": kept.min(), "seq_max_deviation": abs(kept).max()}
            out |= {f"rollout_rs_{unit}_{name}_{word}": value for word, value in of_option.items()}
    return out


def weights(applied, b):
    """verl's compute_is_metrics, of the weights that are applied to tokens."""
    of_tokens, of_responses = b.tokens(applied), b.by_response(applied)
    return {"mean": of_tokens.mean(), "std": of_tokens.std(), "eff_sample_size": 1 / ((of_tokens / of_tokens.mean()) ** 2).mean(),
            "seq_mean": of_responses.mean(), "seq_std": of_responses.std(ddof=1) if len(of_responses) > 1 else 0,
            "seq_max": of_responses.max(), "seq_min": of_responses.min(), "seq_max_deviation": abs(of_responses - 1).max()}


def verl_sequence(b, cap):
    total, filled = b.x.sum(axis=1), b.mask.sum(axis=1) > 0
    raw = np.broadcast_to(np.exp(np.clip(total, -SAFETY, SAFETY))[:, None], b.x.shape)
    applied, of_raw = np.minimum(raw, cap), b.by_response(raw)
    out = {**weights(applied, b), "max": np.exp(np.minimum(total.max(), SAFETY)), "min": np.exp(total.min()),
           "ratio_fraction_high": (total > math.log(cap)).mean(), "ratio_fraction_low": (total < -math.log(cap)).mean(),
           "seq_fraction_high": (of_raw > cap).mean(), "seq_fraction_low": (of_raw < 1 / cap).mean(), "batch_norm_factor": b.by_response(applied)[filled].mean()}
    return {f"rollout_corr/rollout_is_{name}": value for name, value in out.items()}


def verl_icepop(b, cap):
    raw = np.exp(np.clip(b.x, -SAFETY, SAFETY))
    applied = np.where((raw >= 1 / cap) & (raw <= cap), raw, 0)
    kept = b.tokens(applied)
    out = {**weights(applied, b), "max": kept.max(), "min": kept.min(), "batch_norm_factor": kept.mean()}
    return {f"rollout_corr/rollout_is_{name}": value for name, value in out.items()}


def ms_swift(b, cap):
    log_p, log_q, geometric = b.by_response(b.p), b.by_response(b.q), b.by_response(b.x)
    safe = np.clip(b.tokens(b.x), -SAFETY, SAFETY)
    ratio = np.exp(safe)
    clamped = np.clip(np.minimum(ratio, cap), 1 / cap, cap)
    out = {"kl": -b.tokens(b.x).mean(), "k3_kl": np.clip(ratio - safe - 1, -10, 10).mean(),
           "training_ppl": np.exp(-log_p).mean(), "training_log_ppl": -log_p.mean(), "rollout_ppl": np.exp(-log_q).mean(), "rollout_log_ppl": -log_q.mean(),
           "log_ppl_diff": (log_q - log_p).mean(), "log_ppl_abs_diff": abs(log_q - log_p).mean(),
           "log_ppl_diff_max": (log_q - log_p).max(), "log_ppl_diff_min": (log_q - log_p).min(), "ppl_ratio": np.exp(log_q - log_p).mean(),
           "chi2_token": (ratio**2).mean() - 1, "chi2_seq": (np.exp(np.clip(geometric, -SAFETY, SAFETY)) ** 2).mean() - 1,
           "is_weight_mean": np.minimum(ratio, cap).mean(), "ess": 1 / ((clamped / clamped.mean()) ** 2).mean(), "clipped_frac": (ratio > cap).mean()}
    return {f"rollout_correction/{name}": value for name, value in out.items()}


def corrected(b, cap):
    """What slime and miles log of weights, with --use-tis."""
    ratio = np.exp(b.x)
    return {"tis": b.by_response(ratio).mean(), "tis_abs": b.by_response(abs(ratio - 1)).mean(), "tis_clipfrac": b.by_response((np.clip(ratio, 0, cap) != ratio).astype(float)).mean()}


def miles(b, cap):
    safe = np.clip(b.x, -SAFETY, SAFETY)
    return {"train_rollout_logprob_abs_diff": b.by_response(abs(b.x)).mean(), "train_rollout_kl": b.by_response(np.clip(np.exp(safe) - 1 - safe, -10, 10)).mean(), **corrected(b, cap)}


def skyrl(b, cap):
    apart, ratio = abs(b.tokens(b.x)), np.exp(b.tokens(b.x))
    return {**{f"policy/rollout_train_logprobs_abs_diff_{name}": getattr(apart, name)() for name in ("mean", "max", "min")},
            "policy/rollout_train_logprobs_abs_diff_std": apart.std(ddof=1), "is_ratio_mean": ratio.mean(), "is_ratio_max": ratio.max(), "tis_token_clip_high_ratio": (ratio > cap).mean()}


def prime_rl(b, _):
    x = b.tokens(b.x)
    each = np.exp(x) - x - 1
    return {"mismatch_kl/all/mean": each.mean(), "mismatch_kl/all/std": each.std(ddof=1), "mismatch_kl/all/min": each.min(), "mismatch_kl/all/max": each.max()}


def torchtitan(b, _):
    x = b.tokens(b.x)
    return {"bit_wise/logprob_diff/mean": x.mean(), "bit_wise/logprob_diff/max": abs(x).max(), "bit_wise/ratio_tokens_different/mean": (abs(x) > 1e-6).mean(), "loss/ratio_mean": np.exp(x).mean()}


def tinker(b, _):
    x = b.tokens(b.x)
    return {"optim/kl_sample_train_v1": -x.mean(), "optim/kl_sample_train_v2": 0.5 * (x**2).mean()}


def verl(b, cap):
    x, log_ppl = b.x, b.by_response(b.q) - b.by_response(b.p)
    safe = np.clip(x, -SAFETY, SAFETY)
    raw = np.exp(safe)
    capped, of_raw, of_capped = b.tokens(np.minimum(raw, cap)), b.by_response(raw), b.by_response(np.minimum(raw, cap))
    outside = b.tokens((raw < 1 / cap) | (raw > cap))
    p, q = b.tokens(np.exp(b.p)), b.tokens(np.exp(b.q))
    corr = {
        "kl": b.tokens(-x).mean(), "k3_kl": b.tokens(np.exp(x) - x - 1).mean(),
        "training_ppl": np.exp(-b.by_response(b.p)).mean(), "training_log_ppl": -b.by_response(b.p).mean(),
        "rollout_ppl": np.exp(-b.by_response(b.q)).mean(), "rollout_log_ppl": -b.by_response(b.q).mean(),
        "log_ppl_diff": log_ppl.mean(), "log_ppl_abs_diff": abs(log_ppl).mean(), "log_ppl_diff_max": log_ppl.max(), "log_ppl_diff_min": log_ppl.min(),
        "ppl_ratio": np.exp(log_ppl).mean(), "chi2_token": (b.tokens(raw) ** 2).mean() - 1,
        "chi2_seq": np.exp(2 * np.clip(x.sum(axis=1), -SAFETY, SAFETY)).mean() - 1,
        "rollout_is_mean": capped.mean(), "rollout_is_max": capped.max(), "rollout_is_min": capped.min(), "rollout_is_std": capped.std(),
        "rollout_is_ratio_fraction_high": (b.tokens(raw) > cap).mean(), "rollout_is_ratio_fraction_low": (b.tokens(raw) < 1 / cap).mean(),
        "rollout_is_eff_sample_size": 1 / ((capped / capped.mean()) ** 2).mean(),
        "rollout_is_seq_mean": of_capped.mean(), "rollout_is_seq_std": of_capped.std(ddof=1) if len(of_capped) > 1 else 0,
        "rollout_is_seq_max": of_capped.max(), "rollout_is_seq_min": of_capped.min(), "rollout_is_seq_max_deviation": abs(of_capped - 1).max(),
        "rollout_is_seq_fraction_high": (of_raw > cap).mean(), "rollout_is_seq_fraction_low": (of_raw < 1 / cap).mean(),
        "rollout_is_batch_norm_factor": capped.mean(), "rollout_is_oob_ratio": outside.mean(),
        **rejections(b),
    }
    return {**{f"rollout_corr/{name}": value for name, value in corr.items()},
            "training/rollout_probs_diff_valid": 1, "training/rollout_probs_diff_mean": abs(p - q).mean(), "training/rollout_probs_diff_max": abs(p - q).max(),
            "training/rollout_probs_diff_std": abs(p - q).std(ddof=1) if len(p) > 1 else 0, "training/rollout_actor_probs_pearson_corr": np.corrcoef(p, q)[0, 1]}


def trl(b, cap):
    apart, weights = abs(b.tokens(b.x)), np.exp(b.x.sum(axis=1))
    weights = np.where(weights > cap, 0, weights)
    return {"sampling/sampling_logp_difference/mean": apart.mean(), "sampling/sampling_logp_difference/max": apart.max(),
            **{f"sampling/importance_sampling_ratio/{name}": getattr(weights, name)() for name in ("min", "mean", "max")}}


def slime(b, cap):
    return {"train_rollout_logprob_abs_diff": b.by_response(abs(b.x)).mean(), **corrected(b, cap)}


def nemo_rl(b, _):
    x, p, q = b.tokens(b.x), b.tokens(b.p), b.tokens(b.q)
    mixture = np.log(0.5 * np.exp(p) + 0.5 * np.exp(q))
    return {"token_mult_prob_error": np.exp(abs(x)).mean(), "gen_kl_error": (np.exp(x) - x - 1).mean(), "policy_kl_error": (np.exp(-x) + x - 1).mean(),
            "js_divergence_error": sum(0.5 * (np.exp(side - mixture) - (side - mixture) - 1) for side in (p, q)).mean(), "sampling_importance_ratio": np.exp(x).mean()}


def openrlhf(b, _):
    return {"vllm_kl": b.tokens(-b.x).mean()}


def llama_cpp(base, logits, tokens):
    """What llama-perplexity prints of rows, as shares where it prints percentages; `base` are log-probs."""
    log_q = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    kept = base > -16
    rows, several = np.arange(len(tokens)), len(tokens) - 1
    kld = np.where(kept, np.exp(base) * (base - log_q), 0).sum(axis=1)
    loss, base_loss = -log_q[rows, tokens], -base[rows, tokens]
    rise, same = np.exp(-loss) - np.exp(-base_loss), (log_q.argmax(axis=1) == base.argmax(axis=1)).astype(float)
    error = lambda values: math.sqrt((np.mean(values**2) - values.mean() ** 2) / several)  # noqa: E731
    out = {"Mean PPL(Q)": np.exp(loss.mean()), "Mean PPL(base)": np.exp(base_loss.mean()), "Mean ln(PPL(Q)/PPL(base))": loss.mean() - base_loss.mean(),
           "Mean PPL(Q)/PPL(base)": np.exp(loss.mean() - base_loss.mean()), "RMS Δp": math.sqrt(np.mean(rise**2)), "Same top p": same.mean(), "Same top p ±": error(same)}
    for name, values, levels in (("KLD", kld, (99.9, 99, 95, 90, 10, 5, 1, 0.1)), ("Δp", rise, (99.9, 99, 95, 90, 75, 25, 10, 5, 1, 0.1))):
        out |= {f"Mean {name}": values.mean(), f"Mean {name} ±": error(values), f"Maximum {name}": values.max(), f"Minimum {name}": values.min(), f"Median {name}": np.median(values)}
        out |= {f"{level:.1f}% {name}": np.percentile(values, level) for level in levels}
    return out


FORMULAS = {"verl": (verl, 2), "trl": (trl, 3), "slime": (slime, 2), "nemo_rl": (nemo_rl, 2), "openrlhf": (openrlhf, 2), "verl_sequence": (verl_sequence, 2),
            "verl_icepop": (verl_icepop, 2), "ms_swift": (ms_swift, 2), "miles": (miles, 2), "skyrl": (skyrl, 2), "prime_rl": (prime_rl, 1), "torchtitan": (torchtitan, 1),
            "tinker": (tinker, 1)}


def responses(count, seed, gap=0.05, empty=True, most=math.inf):
    draw = np.random.default_rng(seed)
    out = []
    for i in range(count):
        infer = -draw.exponential(0.7, draw.integers(1, 40))
        mask = (draw.random(len(infer)) < 0.8).astype(int)
        # All are masked in some, which trainers count as a response all the same.
        mask[:] = 0 if empty and i % 7 == 3 else mask
        if not empty:
            mask[0] = 1
        train = np.minimum(infer + np.minimum(draw.normal(0, gap * (20 if i % 11 == 5 else 1), len(infer)), most), 0)
        out.append({"train": train.tolist(), "infer": infer.tolist(), "mask": mask.tolist()})
    return out


class Figures(Case):
    def said(self, records, trainer, *more):
        path = self.write("data.jsonl", "".join(json.dumps(each) + "\n" for each in records))
        return json.loads(self.expect(0, "inspect", path, f"--figures={trainer}", "--format=json", *more).out)["figures"]

    def same(self, said, wanted):
        self.assertEqual(list(said), [name for name in said if name in wanted])
        self.assertEqual(set(said), set(wanted))
        for name, value in wanted.items():
            if math.isfinite(value):
                self.assertIsNotNone(said[name], name)
                self.assertTrue(math.isclose(said[name], value, rel_tol=1e-9, abs_tol=1e-12), (name, said[name], value))
            else:
                self.assertIsNone(said[name], name)

    def test_each_is_the_trainers_formula(self):
        for trainer, (formula, cap) in FORMULAS.items():
            for seed, gap in ((1, 0.01), (2, 0.5), (3, 4.0)):
                with self.subTest(trainer=trainer, gap=gap):
                    records = responses(60, seed, gap)
                    said = self.said(records, trainer)
                    self.assertEqual((said["trainer"], said["cap"]), (trainer, cap))
                    self.same(said["values"], formula(Batch(records), cap))
                    # A response of no token is one, as one is of which none counts.
                    none = {"train": [], "infer": [], "mask": []}
                    self.same(self.said([none, *records, none], trainer)["values"], formula(Batch([none, *records, none]), cap))
        records = responses(30, 4, 1.0)
        self.same(self.said(records, "verl", "--cap=1.25")["values"], verl(Batch(records), 1.25))

    def test_every_figure_of_the_catalogue_is_tried(self):
        self.assertEqual({NAMES[trainer] for trainer, *_ in ROWS}, {*FORMULAS, "llama_cpp"})
        batch = Batch(responses(9, 1))
        for trainer, (formula, cap) in FORMULAS.items():
            self.assertEqual({name for of, name, *_ in ROWS if NAMES[of] == trainer}, set(formula(batch, cap)))

    def rows_of(self, count, seed, noise):
        """The trainer's logs of rows, the server's logits, and the tokens that came, in an archive."""
        draw = np.random.default_rng(seed)
        logits = draw.normal(0, 5, (count, 40))
        base = (logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))).astype(np.float32)
        server, tokens = (logits + draw.normal(0, noise, logits.shape)).astype(np.float32), draw.integers(0, 40, count)
        path = self.folder / "rows.npz"
        np.savez(path, train_rows=base, infer_rows=server, ids=tokens)
        return path, base.astype(float), server.astype(float), tokens

    def test_llama_cpps_table_is_what_it_prints(self):
        for count, noise in ((500, 0.1), (1001, 1.0), (101, 0)):
            path, *data = self.rows_of(count, count, noise)
            said = json.loads(self.expect(0, "inspect", path, "--map=ids=ids", "--figures=llama_cpp", "--format=json").out)["figures"]["values"]
            wanted = llama_cpp(*data)
            self.assertEqual(set(said), set(wanted))
            self.assertEqual(set(said), {name for of, name, *_ in ROWS if of == "LlamaCpp"})
            for name, value in wanted.items():
                self.assertTrue(math.isclose(said[name], value, rel_tol=2e-6, abs_tol=1e-7), (name, said[name], value))
        # And so is what clauses of the text measure.
        path, *data = self.rows_of(20_000, 3, 0.5)
        wanted = llama_cpp(*data)
        related = [(name, relation, measure) for of, name, relation, measure in ROWS if of == "LlamaCpp" and "kl_train_infer" in measure]
        self.assertGreater(len(related), 9)
        clauses = "".join(f'  c{i}: {{ require: "{measure} <= 1000", drawn: text }}\n' for i, (_, _, measure) in enumerate(related))
        where = self.write("rows.tikc.yaml", contract("rows", "model: { vocabulary: 40 }\n", f"numerical:\n{clauses}observability:\n  rows: sample(logits, 1%)\n"))
        done = self.tikc("measure", where, path, "--every=all", "--format=json", "--pair=trainer_to_rollout_drawn_by_text")
        values = {row["clause"]: row["value"] for row in json.loads(done.out)["clauses"]}
        for i, (name, relation, measure) in enumerate(related):
            self.assertEqual(relation, "EqualsAsSet")
            self.assertTrue(math.isclose(values[f"c{i}"], wanted[name], rel_tol=0.1, abs_tol=1e-6), (name, measure, values[f"c{i}"], wanted[name]))

    def test_what_is_no_number_stays_none(self):
        records = responses(5, 6)
        records[1]["train"][0], records[1]["mask"][0] = float("nan"), 1
        for trainer, (formula, cap) in FORMULAS.items():
            with np.errstate(all="ignore"):
                wanted = formula(Batch(records), cap)
            said = self.said(records, trainer)["values"]
            # Where only the server's side is asked for, or a comparison is made of it, theirs hides it; ours tells.
            for name, value in said.items():
                if not name.endswith(("/rollout_ppl", "/rollout_log_ppl", "/rollout_probs_diff_valid")):
                    self.assertIsNone(value, name)
                else:
                    self.assertTrue(math.isclose(value, wanted[name], rel_tol=1e-9), name)
        # Where it does not count it is nobody's.
        records[1]["mask"][0] = 0
        records[1]["train"][0] = records[1]["infer"][0] = float("nan")
        clean = [dict(each) for each in records]
        clean[1] = {**clean[1], "train": [-1.0, *clean[1]["train"][1:]], "infer": [-1.0, *clean[1]["infer"][1:]]}
        self.same(self.said(records, "verl")["values"], verl(Batch(clean), 2))

    def test_other_settings_replace_figures(self):
        bases = dict(re.findall(r'^TRAINER\((\w+), "\w+", \d+, \w+, "(\w*)"', CATALOGUE, re.M))
        self.assertEqual({NAMES[trainer] for trainer, base in bases.items() if base}, {"verl_sequence", "verl_icepop"})
        for trainer, base in bases.items():
            if base:
                self.assertLessEqual({name for of, name, *_ in ROWS if of == trainer}, {name for of, name, *_ in ROWS if NAMES[of] == base})

    def test_each_figure_is_of_one_table(self):
        """What verl compares with thresholds is a figure; what thresholds change is another, which no measure equals."""
        rows, patterns = {name for _, name, *_ in ROWS}, [re.compile(re.escape(name).replace(r"\*", ".*")) for name in OTHERS]
        self.assertGreater(len(OTHERS), 25)
        self.assertEqual(rows & set(OTHERS), set())
        words = ("mean", "max", "min", "std", "fraction_high", "fraction_low", "masked_fraction", "seq_masked_fraction", "seq_mean", "seq_std", "seq_max", "seq_min",
                 "seq_max_deviation", "seq_fraction_high", "seq_fraction_low")
        for option in ("token_k1", "token_k2", "token_k3", "seq_sum_k1", "seq_sum_k2", "seq_sum_k3", "seq_mean_k1", "seq_mean_k2", "seq_mean_k3", "seq_max_k2", "seq_max_k3"):
            for word in words:
                name, is_of_threshold = f"rollout_rs_{option}_{word}", word == "std" or "fraction" in word
                self.assertEqual(f"rollout_corr/{name}" in rows, not is_of_threshold, name)
                if is_of_threshold:
                    self.assertTrue(any(each.fullmatch(name) for each in patterns), name)

    def test_no_tokens_give_no_figures(self):
        said = self.said([{"train": [-1.0], "infer": [-1.0], "mask": [0]}], "verl")["values"]
        self.assertEqual(said.pop("training/rollout_probs_diff_valid"), 0)
        self.assertEqual(set(said.values()), {None})

    def test_the_number_of_threads_and_pieces_changes_nothing_much(self):
        records = responses(300, 8, 0.3)
        half = [self.write(f"half{i}.jsonl", "".join(json.dumps(each) + "\n" for each in part)) for i, part in enumerate((records[:120], records[120:]))]
        for jobs in (1, 2):
            said = json.loads(self.expect(0, "inspect", *half, "--figures=verl", "--format=json", f"--jobs={jobs}").out)["figures"]["values"]
            self.same(said, verl(Batch(records), 2))

    def test_what_it_is_said_to_be_is_what_a_clause_measures(self):
        related = [(trainer, name, relation, measure) for trainer, name, relation, measure in ROWS if relation != "Nothing" and trainer != "LlamaCpp"]
        self.assertEqual({relation for _, _, relation, _ in related}, {"Equals", "EqualsAsSet", "AtMost"})
        measures = sorted({measure for *_, measure in related})
        clauses = "".join(f"  c{i}: {measure} {'in [-1000, 1000]' if measure != 'pearson' else '>= -1'}\n" for i, measure in enumerate(measures))
        where = self.write("all.tikc.yaml", contract("all", f"statistical:\n{clauses}observability:\n  tokens: sample(logprobs, 100%)\n"))
        for seed in range(3):
            records = responses(80, seed, 0.15, empty=False, most=2)  # ms-swift and miles limit k3 to 10
            path = self.write("data.jsonl", "".join(json.dumps(each) + "\n" for each in records))
            done = self.tikc("measure", where, path, "--every=all", "--format=json")
            self.assertIn(done.returncode, (0, 1, 4), done.err)
            values = {row["clause"]: row["value"] for row in json.loads(done.out)["clauses"]}
            figures = {trainer: self.said(records, trainer)["values"] for trainer in FORMULAS}
            for trainer, name, relation, measure in related:
                said, measured = figures[NAMES[trainer]][name], values[f"c{measures.index(measure)}"]
                if relation == "AtMost":
                    self.assertLess(said, measured, (name, measure))
                else:
                    self.assertTrue(math.isclose(said, measured, rel_tol=1e-5, abs_tol=1e-6), (name, measure, said, measured))

    def checked(self, clauses):
        where = self.write("hint.tikc.yaml", contract("hint", f"statistical:\n{clauses}observability:\n  tokens: sample(logprobs, 100%)\n  rows: sample(logits, 1%)\n"))
        return json.loads(self.tikc("check", where, "--format=json").out)["diagnostics"]

    def test_each_hint_at_a_trainers_name_is_accepted(self):
        hints = [(written, instead if of == "Measure" or instead in ("pearson", "ess_sample") else f"mean({instead})")
                 for of, written, instead, says in ALIASES if instead and TRAINERS.search(says)]
        self.assertGreater(len(hints), 30)
        found = self.checked("".join(f"  c{i}: {measure} in [0, 1]\n" for i, (_, measure) in enumerate(hints)))
        self.assertEqual([(each["code"], each["message"]) for each in found if each["severity"] == "error"], [])

    def test_hints_are_live_where_the_alert_can_fire(self):
        """TK4002 says that no value can break a bound: it comes with the hint for a dead alert, and with no other."""
        for alerts, is_dead in ((LIVE_ALERTS, False), (DEAD_ALERTS, True)):
            for name, bound in alerts.items():
                unknown = [each for each in self.checked(f"  c: {name} {bound}\n") if each["severity"] == "error"]
                self.assertEqual([each["code"] for each in unknown], ["TK5001"], name)
                hints = [fix["edits"][0]["text"] for fix in unknown[0]["fixes"]]
                self.assertGreater(len(hints), 0, name)
                for i, hint in enumerate(hints):
                    codes = [each["code"] for each in self.checked(f"  c: {hint} {bound}\n") if each["severity"] == "error" or each["code"] == "TK4002"]
                    if not is_dead:
                        self.assertEqual(codes, [], (name, hint))
                    elif i == 0:
                        self.assertEqual(codes, ["TK4002"], (name, hint))

    def test_what_emitted_code_tells_is_of_the_catalogue(self):
        header = (ROOT / "runtime/include/tikc/trainer_metrics.h").read_text(encoding="utf-8")
        named = re.findall(r'visit\("(?:train/)?([^"]+)"', header)
        self.assertGreater(len(named), 8)
        self.assertLessEqual(set(named), {name for _, name, *_ in ROWS})

    def test_an_estimate_below_what_it_estimates_is_noted(self):
        for gap, noted in ((-0.02, True), (0.0, False)):
            data = self.write("long.jsonl", "".join(json.dumps({"train": [-1.0 + gap] * 900, "infer": [-1.0] * 900}) + "\n" for _ in range(3)))
            text = " ".join(self.expect(0, "inspect", "--figures=verl", data).out.split())
            self.assertEqual("note: rollout_corr/chi2_seq is -1, but what it estimates is never below 0: a negative estimate shows that few responses carry the weight" in text, noted)

    def test_wrong_use(self):
        path = self.write("data.jsonl", '{"train": [-1], "infer": [-1]}\n')
        self.assertIn("verl", self.expect(2, "inspect", path, "--figures=vrl").err)
        for cap in ("0", "-1", "nan", "inf", "two", ""):
            self.assertIn("cap", self.expect(2, "inspect", path, "--figures=verl", f"--cap={cap}").err)
        self.assertIn("--figures", self.expect(2, "inspect", path, "--cap=2").err)

    def test_the_page_says_what_each_equals(self):
        path = self.write("data.jsonl", '{"train": [-1, -2], "infer": [-1, -2.5]}\n')
        out = self.expect(0, "inspect", path, "--figures=slime").out
        self.assertRegex(out, r"train_rollout_logprob_abs_diff +0[.]25 +equals `mean_by_response\(abs\(logprob_gap\)\)`")


if __name__ == "__main__":
    main()
