"""Every metric of the catalogue from its meaning, in the widest floats that NumPy has. NaN stands for an observation that is none:
what it counts as is the judge's to say."""

import numpy as np

# Infinities and NaN are among what is observed, and are meant.
np.seterr(all="ignore")
Wide = np.longdouble
INF = float("inf")
# Of a row that holds a NaN, +inf or no token at all nothing is known.
SPOILT = dict.fromkeys("logit_linf logit_osc logit_l2 logit_rel logprob_linf tv hellinger kl_train_infer kl_infer_train js chi2 top1_flip top1_margin "
                       "entropy_gap missing_mass".split(), np.nan)


RAW = ("logit_linf", "logit_osc", "logit_l2", "logit_rel", "top1_flip", "top1_margin")


def softmax_log(logits, temperature):
    if temperature == 0:
        return np.where(logits == logits.max(), Wide(0), Wide(-INF))
    scaled = logits / Wide(temperature)
    shifted = scaled - scaled.max()
    return shifted - np.log(np.exp(shifted).sum())


def row_figures(train, infer, train_temperature, infer_temperature, allows_missing=False, cut=None):
    """All figures of one context's pair of rows of raw logits. `allows_missing`: what the server alone masks is no fault. `cut`: what the
    inference cuts, by the names of its settings."""
    train, infer = train.astype(Wide), infer.astype(Wide)
    wrong = int(np.isnan(train).sum() + np.isnan(infer).sum() + np.isposinf(train).sum() + np.isposinf(infer).sum())
    masks = np.isneginf(train), np.isneginf(infer)
    missing = int((~masks[0] & masks[1]).sum()) if allows_missing else 0
    one_sided = int((masks[0] != masks[1]).sum()) - missing
    if wrong or masks[0].all() or masks[1].all():
        return {**SPOILT, "nonfinite": max(1, wrong + one_sided)}
    out = {"nonfinite": one_sided}
    out["top1_flip"] = int(np.argmax(train) != np.argmax(infer))
    out["top1_margin"] = min(margin(train), margin(infer))
    both = ~masks[0] & ~masks[1]
    drift = train[both] - infer[both]
    out["logit_linf"] = np.abs(drift).max() if both.any() else 0
    out["logit_osc"] = drift.max() - drift.min() if both.any() else 0
    out["logit_l2"] = np.sqrt((drift**2).sum())
    out["logit_rel"] = (np.abs(drift) / np.maximum(np.abs(train[both]), 1)).max() if both.any() else 0
    if one_sided:
        out.update({name: SPOILT[name] for name in ("logit_linf", "logit_osc", "logit_l2", "logit_rel", "top1_margin")})
    out.update(laws(train, infer, masks, (train_temperature, infer_temperature)))
    if one_sided and not np.isnan(out["logprob_linf"]):
        out["logprob_linf"] = INF
    if cut and infer_temperature and not is_tied(train, train_temperature):
        out["missing_mass"] = missing_mass(np.exp(softmax_log(train, train_temperature)), infer, np.exp(softmax_log(infer, infer_temperature)), **cut)
    out.update(slacks(out))
    return out


def laws(train, infer, masks, temperatures):
    """What knows the temperatures: at 0 the law is one token, and which of two that tie is not known."""
    if 0 not in temperatures:
        return divergences(train, infer, masks, *temperatures)
    if any(map(is_tied, (train, infer), temperatures)):
        return {name: value for name, value in SPOILT.items() if name not in RAW}
    logs = [softmax_log(row, t) for row, t in zip((train, infer), temperatures)]
    out = divergences(train, infer, [np.isneginf(log) for log in logs], *temperatures)
    if (np.isneginf(logs[0]) != np.isneginf(logs[1])).any():
        out["logprob_linf"] = INF
    return out


def is_tied(row, temperature):
    return temperature == 0 and (row == row.max()).sum() > 1


def missing_mass(p, infer, q, top_p=1, top_k=None, min_p=0):
    """The trainer's mass on what the inference masks or cuts: top_k and min_p, then top_p of what they leave. What rounding decides counts as cut,
    and of tokens that share the last logit, each that is kept counts as the one with the least mass."""
    slack = Wide(2) ** -20
    order = np.argsort(-infer, kind="stable")
    ranked = q[order]
    fits = np.isfinite(infer[order]) & ((ranked >= ranked[0] * min_p * (1 + slack)) | (infer[order] == infer.max()))
    kept = min(int(fits.sum()), top_k or len(q))
    if top_p < 1:
        before = np.concatenate([[Wide(0)], np.cumsum(ranked[: kept - 1])])
        kept = max(1, int((before < (top_p - slack) * ranked[:kept].sum()).sum()))
    last = infer[order[kept - 1]]
    tied, left = p[infer == last], kept - int((infer > last).sum())
    return p[infer < last].sum() + (tied.sum() - left * tied.min() if left < len(tied) else 0)


def slacks(figures):
    """By how much a figure may be off beside its relative error: below a total variation of 1e-6 fp32 has nothing left to say, and
    what is a difference of others is as exact as they are."""
    tv, osc = (np.nan_to_num(figures[name]) for name in ("tv", "logit_osc"))
    tiny = 1e-9 if tv < 1e-6 else 0
    out = {"~tv": tiny, "~missing_mass": 1e-9, "~entropy_gap": 1e-6 * tv + tiny, "~logit_osc": 3e-8, "~logprob_linf": 1e-6 * osc + 3e-8}
    return {**out, **{"~" + name: tiny**2 for name in ("hellinger", "kl_train_infer", "kl_infer_train", "js", "chi2")}}


def margin(logits):
    first, second = np.sort(logits)[-1:-3:-1]
    return first - second


def divergences(train, infer, masks, train_temperature, infer_temperature):
    log_p, log_q = softmax_log(train, train_temperature), softmax_log(infer, infer_temperature)
    p, q = np.exp(log_p), np.exp(log_q)
    both = ~masks[0] & ~masks[1]
    only_train, only_infer = ~masks[0] & masks[1], masks[0] & ~masks[1]
    left, right = p[only_train].sum(), q[only_infer].sum()
    y, weight = log_q[both] - log_p[both], p[both]
    excess = np.expm1(y)  # of q over p: differences of near numbers lose what a small drift is
    remainder = np.where(np.abs(y) < 1e-3, y * y * (0.5 + y * (1 / Wide(6) + y * (1 / Wide(24) + y / 120))), excess - y)
    backward = np.where(np.abs(y) < 1e-3, y * y * (0.5 - y * (1 / Wide(6) - y * (1 / Wide(24) - y / 120))), np.expm1(-y) + y)
    middle = np.log1p(excess / 2)
    entropies = [-(np.where(of > 0, of, 0) * np.where(of > 0, log, 0)).sum() for of, log in ((p, log_p), (q, log_q))]
    # Σ p (log p − log q) and the excess of q over p, which sums to what only one side has.
    kl = (weight * remainder).sum() + right - left
    return {
        "logprob_linf": np.abs(y).max() if len(y) else INF,
        "tv": ((weight * np.abs(excess)).sum() + left + right) / 2,
        "hellinger": ((weight * np.expm1(y / 2) ** 2).sum() + left + right) / 2,
        "kl_train_infer": INF if only_train.any() else kl,
        "kl_infer_train": INF if only_infer.any() else (q[both] * backward).sum() + left - right,
        "js": max(Wide(0), (weight * (np.exp(y) * (y - middle) - middle)).sum() / 2) + (left + right) * np.log(Wide(2)) / 2,
        "chi2": INF if only_train.any() else (weight * excess * np.expm1(y) / np.exp(y)).sum() + right,
        "entropy_gap": abs(entropies[0] - entropies[1]),
        "missing_mass": left,
    }


def is_impossible(train, infer):
    """Above 0 by more than rounding leaves, or a drawn token of probability 0 or with what masks are filled with."""
    return (np.maximum(train, infer) > np.float32(1e-3)) | (infer <= np.float32(-1e38))


def token_figure(name, parameters, train, infer):
    """A figure of many sampled tokens; NaN of those with a NaN or an impossible log-prob."""
    train, infer = train.astype(Wide), infer.astype(Wide)
    x = train - infer
    bad = np.isnan(x) | is_impossible(train, infer)
    excess = np.expm1(x)
    if name == "capped_ratio":
        out = np.clip(np.exp(x), *(Wide(parameter) for parameter in parameters))
    elif name in ("clipped", "veto"):
        low = np.log(Wide(parameters[0]))
        high = np.log(Wide(parameters[1])) if name == "clipped" else INF
        out = ((x < low) | (x > high)).astype(Wide)
    elif name == "binary_kl":
        p, q = np.minimum(train, -(2.0**-25)), np.minimum(infer, -(2.0**-25))
        others = [-np.expm1(log) for log in (p, q)]
        out = np.maximum(0, np.where(np.isneginf(q), 0, np.exp(q) * (q - p)) + np.where(others[1] > 0, others[1] * (np.log(others[1]) - np.log(others[0])), 0))
    elif name == "k3":
        out = np.where(np.abs(x) < 1e-3, x * x * (0.5 + x * (1 / Wide(6) + x * (1 / Wide(24) + x / 120))), np.where(np.isinf(x), INF, excess - x))
    else:
        out = {
            "logprob_gap": lambda: x, "k1": lambda: -x, "k2": lambda: x * x / 2, "ratio": lambda: np.exp(x), "mult_prob_error": lambda: np.exp(np.abs(x)),
            "tv_sampled": lambda: np.maximum(0, -excess), "prob_gap": lambda: np.abs(np.exp(train) - np.exp(infer)),
        }[name]()
    return np.where(bad, np.nan, out)


def window_figure(name, train, infer):
    """ess_sample, ppl_ratio or pearson of a window's tokens."""
    train, infer = train.astype(Wide), infer.astype(Wide)
    x = train - infer
    bad = (np.isnan(x) | is_impossible(train, infer)).any()
    if bad:
        return np.nan
    if name == "ess_sample":
        ratio = np.exp(x)
        squares = (ratio**2).sum()
        # Of weights that are this small a checker knows nothing.
        return np.nan if np.isinf(ratio).any() or squares < 1e-28 * len(x) else ratio.sum() ** 2 / (len(x) * squares)
    if name == "ppl_ratio":
        return np.exp(infer.mean() - train.mean())
    p, q = np.exp(train), np.exp(infer)
    apart, squares = ((p - q) ** 2).sum(), ((p**2).sum(), (q**2).sum())
    p, q = p - p.mean(), q - q.mean()
    of_p, of_q = (p**2).sum(), (q**2).sum()
    # A side that varies no more than by what rounding leaves does not.
    varies = of_p > 1e-12 * squares[0] and of_q > 1e-12 * squares[1] and of_p > 12e-6 * (of_q + apart)
    return (p * q).sum() / np.sqrt(of_p * of_q) if varies else np.nan


def response_mean(name, absolute, train, infer):
    """A response's mean of a figure of its tokens; NaN with a token that is none, and nothing of no token."""
    values = token_figure(name, (), train, infer)
    return (np.abs(values) if absolute else values).mean() if len(values) else None


def sequence_figure(name, parameters, train, infer):
    """A figure of one response's tokens; NaN where its ratio is not known, and nothing of no token."""
    if len(train) == 0:
        return None
    train, infer = train.astype(Wide), infer.astype(Wide)
    x = train - infer
    total = x.sum()
    if np.isnan(total) or is_impossible(train, infer).any():
        return np.nan
    if name == "seq_veto":
        return int((x < np.log(Wide(parameters[0]))).any())
    if name == "seq_log_ratio":
        return total
    if name in ("seq_clipped", "seq_geo_clipped"):
        measured = total / len(x) if name == "seq_geo_clipped" else total
        low, high = (np.log(Wide(parameter)) for parameter in parameters)
        return int(not low <= measured <= high)
    if name == "seq_ratio":
        return np.exp(total)
    if name == "seq_capped_ratio":
        return np.clip(np.exp(total), *(Wide(parameter) for parameter in parameters))
    return np.exp(total / len(x)) if name == "seq_geo_ratio" else max(0, -np.expm1(total))


def measured(value, most):
    """What cannot be was not measured, and is no number."""
    return value if 0 <= value <= most else np.nan
