"""Contracts that use every metric with every aggregate, with bounds set near what the observations show, so that verdicts differ
from window to window and no rounding decides one."""

import random
import re

import numpy as np

from checker_data import SOURCES
from checker_reference import INF, Check, Reference
from checker_tables import AVERAGED, CAPPED, EVENTS, PARAMETERS, RANGES, RATIOS, SIGNED, USUAL_UNITS, WINDOW_FIGURES
from harness import run

FAMILY = {"rows": "numerical", "routes": "numerical", "requests": "runtime", "replays": "runtime"}
UNITS = {**USUAL_UNITS, "first_token_latency": " ms", "k3": " bit", "kl_infer_train": " bit", "logprob_gap": " nat"}
LEVELS = [(1, 2), (9, 10), (95, 100), (99, 100), (75, 100)]
WINDOWS = [("stage", 1), ("stage", 1), ("ticks", 3), ("seconds", 200), ("seconds", 180), ("tokens", 3000), ("sequences", 30), ("requests", 60), ("steps", 1), ("steps", 3)]
HEAD = """tikc: v1
contract: {name}
version: 1.0.0
kernels:
  trainer: {{ engine: fsdp2, weights: bf16, sampling: {{ temperature: {temperatures[0]} }} }}
  middle: {{ engine: transformers, weights: bf16, sampling: {{ temperature: {temperatures[1]} }} }}
  rollout: {{ engine: vllm, weights: bf16, sampling: {{ temperature: {temperatures[2]}{cut} }} }}
  safe: {{ engine: hf, weights: bf16 }}
{parties}
model: {{ vocabulary: {vocabulary}{horizon} }}
{assumptions}
{slices}
"""
USUAL_SLICES = """labels: { task: [a, b, c] }
slices:
  a: { when: task == "a", weight: 40% }
  b: { when: task == "b", weight: 30% }
  idle: { when: task == "c", weight: 10% }"""
TAIL = """observability:
  rows: sample(logits, 100%)
  tokens: sample(logprobs, 100%)
  requests: sample(requests, 100%)
  routes: sample(routes, 100%)
  batches: replay(batch, 100%)
  again: replay(request, 100%)
escalation:
  broken: { when: violated(any), do: hold }
  silent: { when: undecided(any) for 6 windows, do: hold }
"""
SLICES = ["a", "b", "idle", "other"]
LINKS = ["[trainer, rollout]", "[trainer, middle]", "[middle, rollout]"]


def shapes(metric):
    """Every way to ask for a metric, but for its bounds."""
    parameters = PARAMETERS.get(metric, ())
    if metric in WINDOW_FIGURES or metric == "drift_slope":
        return [Check("", metric), *([Check("", metric, absolute=True)] if metric in SIGNED else [])]
    out = []
    for absolute in (False, True) if metric in SIGNED else (False,):
        common = {"metric": metric, "parameters": parameters, "absolute": absolute, "unit": UNITS[metric]}
        out += [Check(aggregate, **common) for aggregate in ("max", "min", "mean", "mean", "rms", "std", "sum", "count", "slope")]
        out += [Check("effective_share", **common)] if metric in RATIOS else []
        out += [Check("quantile", level=level, **common) for level in LEVELS]
        out += [Check("rate", predicate=(how, ""), **common) for how in ("<=", "<", ">=", ">", "==", "!=")]
        if metric in EVENTS:
            out.append(Check("rate", **common))
    return out


class Chooser:
    """Gives checks their bounds."""

    def __init__(self, seed, data):
        self.random, self.data = random.Random(seed), data

    def complete(self, check):
        """The check with a window, a scope and bounds that are in its range and far from all values."""
        for _ in range(120):
            if check.metric != "drift_slope" and check.aggregate != "slope":
                check.window = self.random.choice(WINDOWS)
            check.scope = self.random.choice(["", "", "all", "a, other"])
            bounded = is_bounded(check)
            check.confidence = self.random.choice(["90%", "99%"]) if bounded and self.random.random() < 0.35 else ""
            if check.predicate and not self.set_predicate(check):
                continue
            if self.set_limits(check) and all(found.tight for place in self.places(check) for found in Reference(check, self.data, place).findings()):
                return check
        raise ValueError(f"no bounds found for {check.subject}")

    def places(self, check):
        return [None] if check.scope == "all" else [i for i, name in enumerate(self.data.slices) if not check.scope or name in check.scope.split(", ")]

    def set_predicate(self, check):
        metric = "k3" if check.metric == "drift_slope" else check.metric
        values = np.asarray(self.data.figures(metric, check.parameters, check.link)[2], float)
        values = np.abs(values) if check.absolute else values
        threshold = self.between(values / check.factor)
        check.predicate = (check.predicate[0], threshold)
        return threshold is not None

    def between(self, values):
        """A number in the widest gap around a value drawn: no rounding puts a value on its other side."""
        values = np.unique(values[np.isfinite(values)])
        if len(values) == 0:
            return None
        if len(values) < 3:
            return spelled(self.random.choice([float(values[0]), 0.5]))
        at = self.random.randrange(1, len(values) - 1)
        window = values[max(0, at - 20): at + 21]
        size = np.maximum(np.abs(window[:-1]), np.abs(window[1:]))
        gap = int(np.argmax(np.diff(window) / np.where(size > 0, size, 1)))
        return spelled((window[gap] + window[gap + 1]) / 2)

    def set_limits(self, check):
        check.limits = [("<=", "1")]
        shown = [found for place in self.places(check) for found in Reference(check, self.data, place).findings()]
        values = [found.value / check.bound_factor for found in shown if np.isfinite(found.value)]
        if not values:
            return False
        how = self.random.choice(["<=", "<=", "<", ">=", ">=", ">", "in"])
        value = float(self.random.choice(values))
        if check.aggregate == "quantile":
            drawn = [self.between(np.asarray(values, float)) for _ in range(2)]
        elif check.confidence:
            away = [self.random.choice([-1, 1]) * self.random.choice([0.02, 0.1, 0.3]) / check.bound_factor for _ in range(2)]
            drawn = [spelled(value + each) for each in away]
        else:
            drawn = [spelled(value * self.random.choice([0.5, 0.97, 1.02, 1.5]) if value else self.random.choice([0.1, 0.5])) for _ in range(2)]
        if None in drawn:
            return False
        if how == "in":
            drawn.sort(key=float)
            check.limits = [(">=", drawn[0]), ("<=", drawn[1])]
        else:
            exact = check.aggregate in ("count", "max", "min") and check.metric not in SIGNED and ends(check)[0] <= 0 and self.random.random() < 0.1
            check.limits = [("==", "0")] if exact else [(how, drawn[0])]
        return self.is_in_range(check)

    @staticmethod
    def is_in_range(check):
        """Sema refuses a bound that every value meets, or none."""
        low, high = ends(check)
        bounds = [float(bound) * check.bound_factor for _, bound in check.limits]
        if check.limits == [("==", "0")]:
            return True
        return all(low < bound < high for bound in bounds) and (len(bounds) == 1 or bounds[0] < bounds[1])


def ends(check):
    """What a check's figure can be."""
    signed = check.metric in SIGNED and not check.absolute
    shown = check.aggregate in ("max", "min", "mean", "mean_by_response", "quantile", "")
    if check.aggregate == "slope" or check.metric == "drift_slope" and not check.absolute:
        return -INF, INF
    if check.metric in CAPPED and check.aggregate == "effective_share":
        low, high = (float(end) for end in check.parameters)
        return 4 * low * high / (low + high) ** 2, 1
    if check.aggregate in ("rate", "effective_share"):
        return 0, 1
    if check.metric in CAPPED and (shown or check.aggregate in ("rms", "std")):
        low, high = (float(end) for end in check.parameters)
        return (low, high) if shown or check.aggregate == "rms" else (0, 0.7071 * (high - low))
    is_sized = shown or check.aggregate in ("rms", "std")
    low = float(check.parameters[0]) if check.metric in CAPPED else RANGES[check.metric][0]
    if not signed or check.aggregate in ("count", "rms", "std"):
        low = max(0, low) if shown or check.aggregate in ("rms", "sum") else 0
    return low, RANGES[check.metric][1] if is_sized else INF


def is_bounded(check):
    """Whether a confidence can be had in it."""
    has_range = check.metric in CAPPED or RANGES[check.metric][0] == 0 and RANGES[check.metric][1] < INF
    return check.aggregate in ("rate", "quantile") or check.aggregate in ("mean", "mean_by_response", "rms") and has_range


def spelled(value):
    return f"{value:.6g}"


def written(name, checks, data_of):
    """The contract's text, and its checks in the order of the plan."""
    parties = "pair: { train: trainer, infer: rollout }" if data_of["pair"] else "chain: [trainer, middle, rollout]"
    clause, group = data_of.get("clause", usual_clause), data_of.get("group", lambda members: [[check] for check in members])
    lines, order, clauses = [], [], 0
    for family in ("numerical", "statistical", "runtime"):
        members = [check for check in checks if FAMILY.get(check.source, "statistical") == family]
        if members:
            lines.append(f"{family}:")
        for together in group(members):
            link = "" if data_of["pair"] else f", link: {LINKS[together[0].link]}"
            lines.append(f"  c{clauses}: {{ {clause(together)}{link} }}")
            order += together
            clauses += 1
    cut = "".join(f", {key}: {value}" for key, value in data_of.get("cut", {}).items())
    head = HEAD.format(name=name, parties=parties, vocabulary=data_of["vocabulary"], temperatures=data_of["temperatures"], cut=cut,
                       horizon=data_of.get("horizon", ""), assumptions=data_of.get("assumptions", ""), slices=data_of.get("slices", USUAL_SLICES))
    tail = data_of["tail"](clauses) if "tail" in data_of else TAIL
    return allowed(head + "\n".join(lines) + "\n" + tail), order


def allowed(text):
    """The contract with leave to ask for what no kernels keep together: a checker is held to each clause by itself."""
    found = run("check", "--color=never", "-", stdin=text)
    places = sorted({int(line) for line in re.findall(r"error\[TK6105\].*\n +--> .*?:(\d+):", found.out + found.err)}, reverse=True)
    lines = text.split("\n")
    for line in places:
        lines.insert(line - 1, "  # tikc: allow TK6105 -- each clause is judged by itself here")
    return "\n".join(lines)


def usual_clause(checks):
    return f"require: {quoted(' and '.join(check.text for check in checks))}"


def quoted(text):
    return '"' + text.replace('"', '\\"') + '"'


def shapes_by_response():
    """Each figure of tokens that is averaged by response, twice."""
    return [Check("mean_by_response", metric, absolute=absolute, unit=UNITS[metric]) for _ in range(2) for metric in AVERAGED for absolute in ((False, True) if metric in SIGNED else (False,))]


def all_shapes(sources):
    return [shape for source in sources for metric in SOURCES[source].split() for shape in shapes(metric)]
