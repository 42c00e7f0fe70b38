"""A contract that asks for every metric, and in every way, with bounds that say little."""

from checker_cases import written
from checker_data import SOURCES
from checker_reference import Check
from checker_tables import AVERAGED, PARAMETERS, RANGES, RATIOS, SIGNED, USUAL_UNITS, WINDOW_FIGURES

FACTS = {"pair": True, "vocabulary": 1100, "temperatures": (0.7, 1, 1.3)}


def within(metric):
    """A limit that is in the metric's range."""
    return [("<=", "1.5" if RANGES[metric][0] == 1 else "0.5")]


def shapes(common):
    return [Check("max", **common), Check("quantile", level=(9, 10), **common), Check("mean", **common), Check("rate", predicate=("<", "0.25"), **common),
            Check("min", **common), Check("slope", **common), Check("count", **common), Check("rms", **common), Check("std", **common)]


def checks():
    out = []
    for i, metric in enumerate(" ".join(SOURCES.values()).split()):
        common = {"metric": metric, "parameters": PARAMETERS.get(metric, ()), "unit": USUAL_UNITS[metric], "limits": within(metric)}
        if metric in (*WINDOW_FIGURES, "drift_slope"):
            out.append(Check("", **common))
            continue
        chosen = shapes(common)
        out += chosen if metric == "latency" else [chosen[i % len(chosen)], chosen[(i + 1) % len(chosen)]]
        if metric in SIGNED:
            out.append(Check("quantile", level=(1, 2), absolute=True, **common))
    out += [Check("mean_by_response", metric, limits=within(metric)) for metric in AVERAGED if metric != "logprob_gap"]
    out += [Check("effective_share", metric, PARAMETERS.get(metric, ()), limits=[(">=", "0.9")]) for metric in RATIOS]
    out.append(Check("mean_by_response", "logprob_gap", absolute=True, limits=[("<=", "0.5")]))
    out.append(Check("mean", "tv", limits=[("<=", "0.5")], confidence="99%", window=("ticks", 2)))
    out.append(Check("rate", "errors", limits=[("<=", "0.5")], confidence="95%", scope="all", window=("seconds", 60)))
    return out


def contract(name="every.metric"):
    return written(name, checks(), FACTS)[0]
