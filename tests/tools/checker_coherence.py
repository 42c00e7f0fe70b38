"""What a clause `coherent(logprobs, …)` has to find of sampled tokens, from what the guide says that it means."""

import math
from dataclasses import dataclass

import numpy as np
from checker_figures import is_impossible

BETS = 2.0 ** np.arange(-12, 4)
DRIFT = 1.03
FAR = 700.0


@dataclass
class Coherence:
    verdict: str
    value: float
    low: float
    n: int
    tight: bool  # no rounding decides the verdict


def buckets(gaps):
    """The ends of where each log-ratio is known to be: a thirty-second of its octave, from 2^-40 to 2^16."""
    size = np.abs(gaps)
    step = 2.0 ** (np.floor(np.log2(np.maximum(size, 2.0**-40))) - 5)
    low = np.floor(size / step) * step
    high = low + step
    low, high = np.where(size >= 2.0**16, 2.0**16, low), np.where(size >= 2.0**16, np.inf, high)
    low, high = np.where(gaps < 0, -high, low), np.where(gaps < 0, -low, high)
    tiny = size < 2.0**-40
    return np.where(tiny, -(2.0**-40), low), np.where(tiny, 2.0**-40, high)


def evidence(excess, counts, mean):
    """The logarithm of the mean over bets λ of Π (1 + λ(w/m − 1)), λ = rm/(1 + rm), of which each bet is r."""
    shares = BETS * mean / (1 + BETS * mean)
    with np.errstate(over="ignore"):
        ratios = (excess + (1 - mean)) / mean  # w/m − 1
    logs = (np.log1p(np.outer(shares, ratios)) * counts).sum(axis=1)
    top = logs.max()
    return top + math.log(np.exp(logs - top).mean())


def lower_limit(excess, counts, inside, needed):
    outside = 0.0
    for _ in range(50):
        middle = (inside + outside) / 2
        if middle > 0 and evidence(excess, counts, middle) >= needed:
            outside = middle
        else:
            inside = middle
    return outside


def coherence(train, infer, alpha):
    """What tokens of one window show at a confidence of 1 − alpha."""
    n = len(train)
    if n == 0:
        return Coherence("undecided", math.nan, math.nan, 0, True)
    with np.errstate(invalid="ignore"):
        gaps = (np.asarray(train, np.float32) - np.asarray(infer, np.float32)).astype(float)
    if np.isnan(gaps).any() or is_impossible(train, infer).any():
        return Coherence("violated", math.inf, 0.0, n, True)
    low, high = buckets(gaps)
    with np.errstate(over="ignore"):
        value, most = float(np.exp((low + high) / 2).mean()), float(np.exp(high).mean())
    edges, counts = np.unique(np.minimum(low, FAR), return_counts=True)
    excess, needed = np.expm1(edges), -math.log(alpha)
    against, limit = evidence(excess, counts, 1.0), 0.0
    if (least := float((np.exp(edges) * counts).sum() / n)) > 0:
        limit = lower_limit(excess, counts, least, needed)
    verdict = "violated" if against >= needed else "satisfied" if limit * DRIFT >= most else "undecided"
    tight = abs(against - needed) > 1e-6 and abs(limit * DRIFT - most) > 1e-6 * abs(most)
    return Coherence(verdict, value, limit, n, tight or math.isinf(most))


def disagreements(contract, found):
    """Of a contract whose windows are single ticks."""
    out = []
    for tick in range(len(contract.data.times)):
        for place, name in enumerate(contract.names):
            verdict, value, low, high, n = found[tick, contract.coherence_at, place]
            wanted = coherence(*contract.data.tokens(0, tick, tick, place), contract.alpha)
            where = f"coherence at {contract.alpha:g} on {name} at tick {tick}"
            if n != wanted.n or verdict != wanted.verdict and wanted.tight:
                out.append(f"{where}: {verdict} of {n} ({value:.9g} from {low:.9g} on), expected {wanted}")
            elif n and not (is_near(value, wanted.value) and (is_near(low, wanted.low) or verdict == "violated" and low == max(1.0, low)) and high == math.inf):
                out.append(f"{where}: {value:.9g} in [{low:.9g}, {high:.9g}], expected {wanted}")
    return out


def is_near(a, b):
    return a == b or abs(a - b) <= 1e-5 * max(abs(a), abs(b), 1e-3)
