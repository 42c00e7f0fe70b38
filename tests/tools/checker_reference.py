"""What a generated checker has to find, from what the language says a requirement means."""

import math
import re
import sys
from dataclasses import dataclass, field, replace

import numpy as np

from checker_data import SOURCE_OF
from checker_figures import window_figure
from checker_tables import CAPPED, EVENTS, RANGES, SIGNED, WINDOW_FIGURES
from harness import ROOT

INF = float("inf")
# Within which no verdict is compared: sums of rows and of responses are taken in fp32.
TOLERANCES = {"rows": 3e-4, "sequences": 3e-5}
HOLDS = {"<=": lambda a, b: a <= b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b, ">": lambda a, b: a > b, "==": lambda a, b: a == b,
         "!=": lambda a, b: (a < b) | (a > b)}
OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
LEAST_SLOPE, USUAL_HISTORY = 3, 16
NO_SPREADS = {-1: None, 1: None}
STEPS = [2.0**-power for power in range(14, 0, -1)] + [0.75, 0.875]
UNIT = re.compile(r'^UNIT\(\w+, "(\S+)", \w+, (\d+), (\d+)', re.M)
SCALES = {symbol: int(part) / int(whole) for symbol, part, whole in UNIT.findall((ROOT / "compiler/model/Units.def").read_text())}
SCALES["bit"] = math.log(2)


@dataclass
class Check:
    """One requirement, with the words that write it."""
    aggregate: str  # max min mean mean_by_response rms std effective_share quantile sum count rate slope, or "" of a window's own figure
    metric: str
    parameters: tuple = ()
    absolute: bool = False
    level: tuple = ()  # part, whole
    predicate: tuple = ()  # comparator, threshold
    limits: list = field(default_factory=list)  # (comparator, bound), one or two
    window: tuple = ("stage", 1)
    scope: str = ""  # "", "all" or slices by name
    confidence: str = ""
    link: int = 0  # a stream
    unit: str = ""
    share_unit: str = ""  # of the bounds of a rate
    exact: bool = False  # nothing of it is rounded, so that a value may be at a bound

    @property
    def source(self):
        return "sequences" if self.aggregate == "mean_by_response" else SOURCE_OF[self.metric]

    @property
    def factor(self):
        """What one of its unit is in the base unit."""
        return SCALES.get(self.unit.strip(), 1)

    @property
    def bound_unit(self):
        return self.share_unit if self.aggregate == "rate" else "" if self.aggregate == "count" else self.unit

    @property
    def bound_factor(self):
        return SCALES.get(self.bound_unit.strip(), 1)

    @property
    def written_window(self):
        unit, amount = self.window
        if unit == "seconds":
            return f"{amount // 60} min" if amount % 60 == 0 else f"{amount} s"
        return f"{amount} {'windows' if unit == 'ticks' else 'step' if self.window == ('steps', 1) else unit}"

    @property
    def subject(self):
        measured = self.metric + (f"({', '.join(self.parameters)})" if self.parameters else "")
        measured = f"abs({measured})" if self.absolute else measured
        if self.predicate:
            measured += f" {self.predicate[0]} {self.predicate[1]}{self.unit}"
        if self.aggregate == "quantile":
            part, whole = self.level
            named = {(1, 2): "p50", (99, 100): "p99", (9, 10): "p90", (95, 100): "p95", (999, 1000): "p999"}.get(self.level)
            return f"{named}({measured})" if named else f"quantile({measured}, {part / whole})"
        return f"{self.aggregate}({measured})" if self.aggregate else measured

    def binds(self, name):
        """Returns whether it is about a slice, or about all together."""
        return self.scope in ("", "all") or name in self.scope.split(", ")

    @property
    def bounded(self):
        """Without what a clause can say in keys of its own."""
        values = [value + self.bound_unit for _, value in self.limits]
        return f"{self.subject} in [{values[0]}, {values[1]}]" if len(values) == 2 else f"{self.subject} {self.limits[0][0]} {values[0]}"

    @property
    def text(self):
        words = [self.bounded]
        if self.scope:
            words.append(f"on {self.scope}")
        if self.window[0] != "stage":
            words.append(f"over {self.written_window}")
        if self.confidence:
            words.append(f"with confidence {self.confidence}")
        return " ".join(words)


@dataclass
class Finding:
    verdict: str
    value: float
    n: int
    scale: float = 0  # of what was added up, for sums that cancel
    off: float = 0  # by how much it may be off, whatever its size
    tight: bool = True  # far enough from each bound that no rounding decides
    is_kept: bool = False  # of a window before, while the one after it is not over
    interval: object = None  # returns the ends of its confidence interval, where it has one

    @property
    def told(self):
        return self.verdict + "-kept" * self.is_kept


def is_upper(comparator):
    return comparator in ("<=", "<")


def near(values, bound, tolerance, off=0.0):
    """Whether rounding might decide for a value; infinities and whole numbers do not round."""
    values = np.asarray(values, float)
    values = values[np.isfinite(values)]
    is_close = np.abs(values - bound) <= tolerance * np.maximum(np.abs(values), abs(bound)) + 3 * off
    return bool((is_close & ~((values == bound) & (values == np.round(values)))).any())


class Reference:
    """Findings of one check at each evaluation, on one place."""

    def __init__(self, check, data, place):
        self.check, self.data, self.place = check, data, place
        self.limits = [(how, float(bound) * check.bound_factor) for how, bound in check.limits]
        self.predicate = (check.predicate[0], float(check.predicate[1]) * check.factor) if check.predicate else ("!=", 0.0)
        self.tolerance = TOLERANCES.get(check.source, 3e-6)
        self.off = 0.0

    # Windows.

    def findings(self):
        """The finding after each evaluation."""
        check, out = self.check, []
        shown, since, opened, past = Finding("undecided", math.nan, 0), 0, 0.0, []
        unit, amount = check.window
        history, steps = USUAL_HISTORY, 0
        seen, is_told, doubt = 0, False, False  # of the open window: observations, an early violation, and whether that is sure
        if self.is_slope and unit == "ticks":
            unit, amount, history = "stage", 1, int(amount)
        for tick, now in enumerate(self.data.times):
            ended = []
            for _ in range(self.data.steps[tick] if unit == "steps" else 0):
                steps += 1
                if steps == amount:
                    ended.append(self.kept(self.found(since, tick, past, history, True), is_told, doubt))
                    since, steps = tick + 1, 0  # what a tick brings comes before its steps end
                    seen, is_told, doubt = 0, False, False
            # Of windows that ended between two evaluations one that is violated is told, else the last.
            if ended:
                shown = next((each for each in reversed(ended) if each.verdict == "violated"), ended[-1])
                shown.tight = all(each.tight for each in ended)
            full = unit == "stage" or unit != "steps" and self.length(unit, since, tick, opened, now) >= amount
            found = self.kept(self.found(since, tick, past, history, full), is_told, doubt)
            if full:
                shown = found
                since, opened, seen, is_told, doubt = tick + 1, now, 0, False, False
            else:
                if found.n == seen and not ended:  # nothing came of what it is about
                    shown = replace(found, verdict="undecided", is_kept=False)
                elif found.verdict == "violated":
                    shown, is_told = found, True
                elif not ended:
                    shown = replace(shown, is_kept=shown.verdict != "undecided")
                seen, doubt = found.n, doubt or not found.tight
            shown = replace(shown, tight=shown.tight or check.exact)
            out.append(shown)
        return out

    @staticmethod
    def kept(found, is_told, doubt):
        """A window that is violated before its end is told then; where rounding may have decided that, so it may what is new."""
        is_violated = found.verdict == "violated"
        return replace(found, is_kept=is_violated and is_told, tight=found.tight and not (is_violated and doubt))

    @property
    def is_slope(self):
        return self.check.aggregate == "slope" or self.check.metric == "drift_slope"

    def found(self, since, tick, past, history, full):
        if not self.is_slope:
            return self.judge(self.values(since, tick), full)
        return self.slope(since, tick, past, history) if full else Finding("undecided", math.nan, len(self.values(since, tick)))

    def length(self, unit, since, tick, opened, now):
        if unit == "ticks":
            return tick - since + 1
        if unit == "seconds":
            return now - opened
        return self.data.volume(unit, since, tick, self.place)

    def values(self, since, tick):
        check = self.check
        if check.metric in WINDOW_FIGURES:
            return self.data.tokens(check.link, since, tick, self.place)
        if check.aggregate == "mean_by_response":
            return self.data.response_means(check.metric, check.absolute, check.link, since, tick, self.place)
        metric = "k3" if check.metric == "drift_slope" else check.metric
        values = self.data.values(metric, check.parameters, check.link, since, tick, self.place)
        off = self.data.values("~" + metric, (), check.link, since, tick, self.place) if check.source == "rows" else ()
        self.off = float(max(off, default=0))
        return np.abs(values) if check.absolute and check.metric != "drift_slope" else values

    # Verdicts.

    def judge(self, values, full):
        check = self.check
        if check.metric in WINDOW_FIGURES:
            return self.figure_of_window(values, full)
        n = len(values)
        if n == 0:
            return Finding("undecided", math.nan, 0)
        if check.aggregate in ("max", "min"):
            return self.extreme(values, full)
        if check.aggregate == "count":
            out = self.moving(self.sums(np.where(np.isnan(values), np.nan, values != 0), (0, 1)), n, full, True)
            out.tight = out.tight and not near(values, 0, self.tolerance, self.off)
            return out
        if check.aggregate == "rate":
            out = self.mean(self.hits(values), full, (0, 1))
            out.tight = out.tight and not near(values, self.predicate[1], self.tolerance, self.off)
            return out
        if check.aggregate == "quantile":
            return self.quantile(values, full)
        if check.aggregate == "rms":
            return self.root_mean_square(values, full)
        if check.aggregate == "std":
            deviation = float(np.sqrt(((values - values.mean()) ** 2).sum() / (n - 1))) if n > 1 else math.nan
            return self.point((deviation,) * 2, n, full and n > 1, self.scale(values) / n)
        if check.aggregate == "effective_share":
            # Of weights that are this small a checker knows nothing.
            squares, least = (values**2).sum(), 1e-28 if check.metric == "ratio" else sys.float_info.min
            share = float(values.sum() ** 2 / (n * squares)) if squares >= n * least else math.nan
            return self.point((share,) * 2 if np.isfinite(values).all() and math.isfinite(share) else (0, 1), n, full)
        if check.aggregate in ("mean", "mean_by_response"):
            return self.mean(values, full, self.extent)
        return self.point(self.sums(values, self.extent), n, full, self.scale(values), n * self.off)

    def root_mean_square(self, values, full):
        """The limits of a mean of squares, as those of its root."""
        n, (low, high) = len(values), self.extent
        squares = self.sums(values**2, (max(low, 0) ** 2, high**2))
        ends = tuple(math.sqrt(each / n) for each in squares)
        if not self.check.confidence:
            return self.point(ends, n, full)
        whole = self.range[1] ** 2
        shares = tuple(each / whole for each in squares)
        return self.confident(ends, shares, lambda bound: bound**2 / whole, lambda share: math.sqrt(whole * share), n, full)

    @property
    def range(self):
        """What the metric can be, where both ends are known and neither is below zero."""
        check = self.check
        if check.metric in CAPPED:
            return float(check.parameters[0]), float(check.parameters[1])
        return RANGES[check.metric] if RANGES[check.metric][1] < INF and check.metric not in (*SIGNED, *WINDOW_FIGURES) else None

    @property
    def extent(self):
        """What an observation that is no number may be."""
        signed = self.check.metric in SIGNED and not self.check.absolute and self.check.metric != "drift_slope"
        return self.range or (-INF if signed else max(0, RANGES.get(self.check.metric, (0,))[0]), INF)

    @staticmethod
    def sums(values, extent):
        """Between what they add up to, whatever those are that are no numbers; of what has no end, nothing is said of the others either."""
        unknown, known = int(np.isnan(values).sum()), values[~np.isnan(values)].sum()
        low, high = (float(known + unknown * end) if unknown else float(known) for end in extent)
        return (float(len(values) * extent[0]), INF) if unknown and extent[1] == INF else (low, high)

    def against(self, ends):
        """Of two ends the one that the last limit is against, which is shown."""
        how = self.limits[-1][0]
        return ends[1] if is_upper(how) or how == "==" else ends[0]

    def scale(self, values):
        """What rounding is relative to: a ratio is summed as its distance from 1."""
        return float(np.nansum(np.abs(values) if self.check.metric != "ratio" else np.maximum(np.abs(values), 1)))

    def holds(self, ends):
        return all(bool(HOLDS[how](value, bound)) for how, bound in self.limits for value in ends)

    def point(self, ends, n, decides, scale=0.0, off=None):
        value = self.against(ends)
        off = self.off if off is None else off
        slack = max(abs(value), scale if math.isfinite(scale) else 0)
        tight = all(not near(ends, bound, self.tolerance * (slack / abs(value) if value and math.isfinite(value) else 1), off)
                    for _, bound in self.limits)
        verdict = ("satisfied" if self.holds(ends) else "violated") if decides else "undecided"
        return Finding(verdict, value, n, scale, off, tight)

    def extreme(self, values, full):
        """Anything, where one may be anything."""
        largest = self.check.aggregate == "max"
        ends = self.extent if np.isnan(values).any() else (float(values.max() if largest else values.min()),) * 2
        return self.moving(ends, len(values), full, largest)

    def moving(self, ends, n, full, rises):
        """A value beyond the side that the aggregate moves towards stays beyond."""
        out = self.point(ends, n, full)
        if not full and self.is_beyond(ends[1] if rises else ends[0], rises):
            out.verdict = "violated"
        return out

    def is_beyond(self, value, rises):
        """Whether no later observation can take a figure back within its limits, if it only rises, or only falls."""
        for how, bound in self.limits:
            if how == "==" and (value > bound if rises else value < bound):
                return True
            if how != "==" and is_upper(how) == rises and not HOLDS[how](value, bound):
                return True
        return False

    def hits(self, values):
        """Which observations a rate counts; of what is no number that is not known."""
        how, threshold = self.predicate
        return np.where(np.isnan(values), np.nan, HOLDS[how](values, threshold).astype(float))

    def mean(self, values, full, extent):
        n, scale, (low, high) = len(values), self.scale(values) / len(values), extent
        sums = self.sums(values, extent)
        ends = tuple(each / n for each in sums)
        if not self.check.confidence:
            return self.point(ends, n, full, scale)
        if high == INF:
            return Finding("undecided", self.against(ends), n, scale)  # what has no range has no interval
        shares = tuple((each - n * low) / (high - low) for each in sums)
        bounds = [bound for _, bound in self.limits]
        spreads = {sign: self.spread(values, sums, extent, pick(bounds)) for sign, pick in ((-1, max), (1, min))}
        return self.confident(ends, shares, lambda bound: (bound - low) / (high - low), lambda share: low + (high - low) * share, n, full, scale, spreads)

    def spread(self, values, sums, extent, centre):
        """A centre, and the sum of squared distances from it, of values as shares of their range; None of flags, whose squares are their sum."""
        if self.check.aggregate not in ("mean", "mean_by_response") or (self.check.metric in EVENTS and self.check.aggregate == "mean"):
            return None
        low, high = extent
        squares = float(np.nansum(values**2)) + int(np.isnan(values).sum()) * max(low * low, high * high)
        about = squares - 2 * centre * sums[0 if centre > 0 else 1] + len(values) * centre * centre
        return (centre - low) / (high - low), max(0, about) / (high - low) ** 2

    def confident(self, ends, shares, share_of, figure_of, n, full, scale=0.0, spreads=NO_SPREADS):
        """By the limits of means in [0, 1], from the sum that is best for a bound and from that which is worst."""
        verdicts, tight = [], True
        for how, bound in self.limits:
            said = [self.with_confidence(share, n, share_of(bound), how, spreads) for share in shares]
            (best, _), (worst, _) = said if is_upper(how) else said[::-1]
            verdicts.append("violated" if best == "violated" else "satisfied" if worst == "satisfied" else "undecided")
            tight = tight and all(sure for _, sure in said)
        verdict = "violated" if "violated" in verdicts else "undecided" if "undecided" in verdicts else "satisfied"
        interval = lambda: [figure_of(limit(total, n, self.alpha, sign, spreads[sign])) for total, sign in zip(shares, (1, -1))]  # noqa: E731
        return Finding(verdict if full or verdict == "violated" else "undecided", self.against(ends), n, scale, self.off, tight, interval=interval)

    @property
    def alpha(self):
        return 1 - float(self.check.confidence.rstrip("%")) / 100

    def with_confidence(self, total, n, bound, how, spreads=NO_SPREADS):
        """Whether the limits of a mean in [0, 1] at any time (each at half of what may be missed) meet a bound."""
        low_side, high_side = (log_evidence(total, n, bound, sign, spreads[sign]) - math.log(2 / self.alpha) for sign in (-1, 1))
        # A negative λ rules out that the mean is the bound or more; a positive one that it is the bound or less.
        tight = min(abs(low_side), abs(high_side)) > 1e-3
        within, beyond = (low_side, high_side) if is_upper(how) else (high_side, low_side)
        return ("satisfied" if within > 0 else "violated" if beyond > 0 else "undecided"), tight

    def quantile(self, values, full):
        """The ⌈level·n⌉-th smallest, once so many observations say something of the population's."""
        n, (part, whole) = len(values), self.check.level
        upper = is_upper(self.limits[0][0])
        ranked = np.sort(np.where(np.isnan(values), INF if upper else -INF, values))
        rank = max(1, -(-n * part // whole))
        value = float(ranked[rank - 1])
        verdicts, tight = [], not any(near(values, bound, self.tolerance, self.off) for _, bound in self.limits)
        for how, bound in self.limits:
            beyond = float((HOLDS[OPPOSITE[how]](values, bound) | np.isnan(values)).sum())
            if self.check.confidence:
                allowed = (whole - part if is_upper(how) else part) / whole
                verdict, sure = self.with_confidence(beyond, n, allowed, "<=")
                tight = tight and sure
            else:
                needed = math.ceil(math.log(0.05) / math.log((part if is_upper(how) else whole - part) / whole))
                least = max(1, needed)
                sided = np.sort(np.where(np.isnan(values), INF if is_upper(how) else -INF, values))[rank - 1]
                verdict = ("satisfied" if HOLDS[how](sided, bound) else "violated") if n >= least else "undecided"
            verdicts.append(verdict)
        if not self.check.confidence and "undecided" in verdicts:  # all of its observations or none
            verdicts = ["undecided"]
        verdict = "violated" if "violated" in verdicts else "undecided" if "undecided" in verdicts else "satisfied"
        keeps = full or (bool(self.check.confidence) and verdict == "violated")
        return Finding(verdict if keeps else "undecided", value, n, 0, self.off, tight)

    def figure_of_window(self, tokens, full):
        train, infer = tokens
        if len(train) == 0:
            return Finding("undecided", math.nan, 0)
        value = float(window_figure(self.check.metric, train, infer))
        off = 1e-6 if self.check.metric == "pearson" else 0  # near 0 it is what is left of sums
        is_any = self.check.metric == "ess_sample" and math.isnan(value)
        return self.point((0, 1) if is_any else (abs(value) if self.check.absolute else value,) * 2, len(train), full and not self.check.confidence, off=off)

    def slope(self, since, tick, past, history):
        values = self.values(since, tick)
        n = len(values)
        if n == 0:
            return Finding("undecided", math.nan, 0)
        past.append(float(values.mean()))
        means = past[-history:]
        if len(means) < min(LEAST_SLOPE, history):
            return Finding("undecided", math.nan, n)
        x = np.arange(len(means)) - (len(means) - 1) / 2
        # No line goes through a mean that is not finite.
        value = float((x * means).sum() / (x * x).sum()) if np.isfinite(means).all() else math.nan
        value = abs(value) if self.check.absolute and self.check.metric == "drift_slope" else value
        scale = max(float(np.abs(means).mean()), self.check.metric == "ratio")
        return self.point((value,) * 2, n, not self.check.confidence, scale)


def log_evidence(total, n, mean, sign, spread=None):
    """The logarithm of the mixture, over λ = ±2^-12 … 2^3, of exp(λ·ΣX)/(1 + (e^λ − 1)·mean)^n: what speaks against that mean. With a centre c and
    V = Σ(X − c)², also of exp(±λ·Σ(X − c)/r + (log(1 − λ) + λ)·V/r²)/(1 ± λ·(mean − c)/r)^n, where r is c or 1 − c."""
    if mean <= 0 or mean >= 1:
        # Only an impossible sum speaks against an end, and a sum that is certain does not.
        return -INF if (sign < 0) == (mean >= 1) else (-INF if total == n * mean else INF)
    terms = [sign * 2.0**i * total - n * math.log1p(math.expm1(sign * 2.0**i) * mean) for i in range(-12, 4)]
    room = 0 if spread is None else spread[0] if sign > 0 else 1 - spread[0]
    if room > 0:
        centre, squares = spread
        for step in STEPS:
            cost = -math.log1p(-step) - step
            terms.append(sign * step * (total - n * centre) / room - cost * squares / room**2 - n * math.log1p(sign * step * (mean - centre) / room))
    top = max(terms)
    return top + math.log(sum(math.exp(term - top) for term in terms) / len(terms))


def limit(total, n, alpha, sign, spread=None):
    """Returns the lower limit of a mean in [0, 1], with a negative sign the upper one: the nearest value to what was seen that is ruled out."""
    inside, outside = min(max(total / n, 0), 1), 0.0 if sign > 0 else 1.0
    for _ in range(60):
        middle = (inside + outside) / 2
        if log_evidence(total, n, middle, sign, spread) >= math.log(2 / alpha):
            outside = middle
        else:
            inside = middle
    return outside
