"""Random contracts, drawn from the compiler's tables, with observations of theirs. A round of them meets every metric, aggregate, kind of
window and number format."""

from fractions import Fraction
from random import Random

import numpy as np

from checker_assumptions import Assumptions
from checker_cases import Chooser, ends, is_bounded, quoted, spelled, written
from checker_compare import expected
from checker_crowds import Crowds, Decks
from checker_data import Data
from checker_policies import INPUTS, coherence, request, rules, sampling, slices
from checker_reference import INF, Check, Reference
from checker_tables import AGGREGATES, AVERAGED, EVENTS, METRICS, RATIOS, SIGNED, UNITS, Deck

CHECKS = 14
TEMPERATURES = [0.25, 0.7, 1, 1, 1, 1.3, 2]
CUTS = {"top_p": [0.5, 0.9, 0.999], "top_k": [1, 20, 1000], "min_p": [0.001, 0.1]}
VOCABULARIES = [2, 3, 17, 64, 203, 1000, 1027, 4096, 4101, 9000, 32000, 262144]
THRESHOLDS = {"low|high": [("0.8", "1.25"), ("0.5", "2"), ("0.99", "1.01")], "low": [("0.5",), ("0.9",), ("0.05",)]}
FIRST = [Check("count", "nonfinite", limits=[("<=", "3")], link=link) for link in (1, 2)]
# Of these vocabularies all drifts are small, and asked for is what cancels there in naive sums.
CALM = (203, 4101)
CANCELLING = ["tv", "hellinger", "kl_train_infer", "kl_infer_train", "js"]


class Round:
    """Contracts of one seed: one for each vocabulary."""

    def __init__(self, seed):
        self.seed, self.decks = seed, Decks(seed)
        random = self.random = self.decks.random
        self.metrics, self.aggregates = Deck(random, METRICS), Deck(random, AGGREGATES)
        self.windows = Deck(random, ["stage", "stage", "ticks", "seconds", "tokens", "sequences", "requests", "steps"])
        self.predicates = Deck(random, ["<=", "<", ">=", ">", "==", "!=", ""])
        self.units = {dimension: Deck(random, units) for dimension, units in UNITS.items()}
        self.pairs = Deck(random, [True, True, True, False])
        self.vocabularies = Deck(random, VOCABULARIES)

    def contracts(self):
        return [Contract(self, i) for i in range(len(VOCABULARIES))]

    def check(self, names, is_pair):
        """One requirement, but for its bounds."""
        random, metric = self.random, self.metrics.draw()
        check = Check("", metric.symbol)
        self.set_metric(check, metric)
        if metric.level != "Window":
            self.set_aggregate(check, metric)
        check.window = self.window(check)
        check.scope = random.choice(["", "", "all", ", ".join(name for name in names if random.random() < 0.6) or "other"])
        check.confidence = random.choice(["90%", "99%"]) if is_bounded(check) and random.random() < 0.4 else ""
        check.link = 0 if is_pair else random.randrange(3)
        return check

    def set_metric(self, check, metric):
        check.metric, check.unit = metric.symbol, self.units[metric.dimension].draw()
        check.absolute = metric.symbol in SIGNED and self.random.random() < 0.5
        check.parameters = self.random.choice(THRESHOLDS[metric.parameters]) if metric.parameters else ()

    def set_aggregate(self, check, metric):
        random, (name, level) = self.random, self.aggregates.draw()
        # What takes few metrics takes another where this is none of them.
        if name == "mean_by_response" and metric.symbol not in AVERAGED:
            self.set_metric(check, random.choice([each for each in METRICS if each.symbol in AVERAGED]))
        if name == "effective_share" and metric.symbol not in RATIOS:
            self.set_metric(check, random.choice([each for each in METRICS if each.symbol in RATIOS]))
        check.aggregate = "quantile" if level else name
        if name == "quantile":
            level = random.choice(["0.25", "0.75", "0.001", "0.9995", "0.333"])
        if check.aggregate == "quantile":
            check.level = Fraction(level).as_integer_ratio()
        elif name == "rate":
            how = self.predicates.draw() or (">" if metric.symbol not in EVENTS else "")
            check.predicate = (how, "0.5") if how else ()
            check.share_unit = random.choice(["", "%"])
        elif name == "count":
            check.unit = ""

    def window(self, check):
        unit, random = self.windows.draw(), self.random
        amounts = {"stage": [1], "ticks": [2, 3], "seconds": [60, 100, 180], "tokens": [100, 900], "sequences": [5, 30], "requests": [20, 100], "steps": [1, 2, 4]}
        return unit, random.choice(amounts[unit])


class Contract(Chooser):
    """A contract of a round, what is observed of it, and what it means of that."""

    def __init__(self, of, index):
        self.round, self.random = of, of.random
        self.name = f"differential.round{of.seed}.n{index}"
        self.names, self.slices_text, self.slice_of, self.is_empty = slices(self.random)
        self.clauses = []  # of requirements, in order
        self.is_pair = of.pairs.draw()
        temperatures, vocabulary = [self.random.choice(TEMPERATURES) for _ in range(3)], of.vocabularies.draw()
        is_calm = vocabulary in CALM
        if is_calm:
            temperatures[2] = temperatures[0]  # others are laws apart, whatever the drift
        first, middle, last = temperatures
        links = [(first, last)] if self.is_pair else [(first, last), (first, middle), (middle, last)]
        own = Random(self.name)  # apart, so that what is drawn of all else stays
        cut = {key: own.choice(values) for key, values in CUTS.items() if own.random() < 0.25}
        self.data = Data(1000 * of.seed + index, self.names, vocabulary, links, ticks=7, cut=cut)
        wanted = [of.check(self.names, self.is_pair) for _ in range(CHECKS)]
        if is_calm:
            wanted += [Check(self.random.choice(["mean", "max"]), metric) for metric in CANCELLING]
        wanted.sort(key=lambda check: check.link)
        sources = {check.source for check in wanted} | {check.window[0] for check in wanted}
        Crowds(of.decks, self.data, sources | ({"rows"} if not self.is_pair else set()), is_calm).observe()
        self.given = Assumptions(own, self.data)
        for tick in range(len(self.data.times)):
            self.given.hand_in(tick)
        self.places_asked = [self.ask(tick) for tick in range(len(self.data.times)) for _ in range(6)]
        facts = {"pair": self.is_pair, "vocabulary": self.data.vocabulary, "temperatures": temperatures, "cut": cut, "slices": self.slices_text,
                 "clause": self.clause, "group": self.group, "tail": self.tail, "assumptions": self.given.text, "horizon": self.given.horizon}
        checks = [self.complete(check) for check in wanted]
        self.coherence_text, self.alpha = coherence(own)
        self.text, self.checks = written(self.name, checks if self.is_pair else [*FIRST, *checks], facts)
        self.wanted = expected(self.checks, self.data, self.names)
        self.coherence_at = len(self.checks) + len(self.rates)

    def ask(self, tick):
        """The slice that a request is of."""
        numbers, texts = request(self.random)
        self.data.ask(tick, numbers, texts)
        return self.slice_of({**numbers, **texts})

    def complete(self, check):
        """Bounds near what the observations show, or far from it; where there is nothing to be shown, any."""
        if check.predicate:
            threshold = self.random.random() < 0.8 and self.threshold(check)
            check.predicate = (check.predicate[0], threshold or "0.5")
        for _ in range(6):
            if self.set_limits(check):
                return check
        low, high = ends(check)
        value = (low + high) / 2 if high < INF else max(low, 0) + 2
        check.limits = [("<=", spelled(value / check.bound_factor))]
        return check

    def set_limits(self, check):
        """As others do, but for what one observation more or less decides."""
        if not super().set_limits(check):
            return False
        if check.aggregate not in ("quantile", "count", "rate") or self.random.random() < 0.3:
            return True
        before, check.limits = check.limits, [(how, self.beside(check, bound)) for how, bound in check.limits]
        if not self.is_in_range(check):
            check.limits = before
        return True

    def beside(self, check, bound):
        """Between what a window shows and the next of its observations, of a quantile; else what it shows."""
        shown = [found.value / check.bound_factor for place in self.places(check) for found in Reference(check, self.data, place).findings()]
        shown = [value for value in shown if np.isfinite(value)]
        if not shown:
            return bound
        value = self.random.choice(shown)
        if check.aggregate != "quantile":
            return f"{value:.17g}"
        near = np.unique(self.values_of(check)) / check.factor
        at = int(np.searchsorted(near, value)) + self.random.choice([-1, 1])
        return f"{(value + float(near[at])) / 2:.12g}" if 0 <= at < len(near) else bound

    def values_of(self, check):
        metric = "k3" if check.metric == "drift_slope" else check.metric
        values = np.asarray(self.data.figures(metric, check.parameters, check.link)[2], float)
        values = values[np.isfinite(values)]
        return np.abs(values) if check.absolute else values

    def threshold(self, check):
        values = self.values_of(check)
        return len(values) > 0 and spelled(float(self.random.choice(values)) / check.factor * 1.01)

    # Writing.

    def clause(self, checks):
        """With what can be said in keys of its own said there, or not."""
        random, check = self.random, checks[0]
        words = []
        if len(checks) == 1 and random.random() < 0.5:
            words.append(f"require: {quoted(check.bounded + (' on all' if check.scope == 'all' else ''))}")
            if check.scope not in ("", "all"):
                words.append(f"slices: [{check.scope}]")
            if check.window[0] != "stage":
                words.append(f"over: {check.written_window}")
            if check.confidence:
                words.append(f"confidence: {check.confidence}")
        else:
            words.append(f"require: {quoted(' and '.join(each.text for each in checks))}")
        if random.random() < 0.3:
            words.append(f"severity: {random.choice(['error', 'warning', 'note'])}")
        return ", ".join(words)

    def group(self, members):
        """Some clauses have two requirements, of which the last says nothing behind its bound that the first does not say."""
        def tails(check):
            return {bool(check.scope) and "on", check.window[0] != "stage" and "over", bool(check.confidence) and "with"} - {False}

        out = []
        for check in members:
            one = out[-1][0] if out and len(out[-1]) == 1 and out[-1][0].link == check.link else None
            if one and (tails(one) >= tails(check) or tails(check) >= tails(one)) and self.random.random() < 0.5:
                out[-1].insert(1 if tails(one) >= tails(check) else 0, check)
            else:
                out.append([check])
        self.clauses += out
        return out

    def checks_of(self, name):
        """Returns by each clause that binds a slice and that rules may name the numbers of its checks."""
        out, first = {}, 0
        for number, clause in enumerate(self.clauses):
            bound = [index for index, check in enumerate(clause, first) if check.binds(name)]
            out.update({f"c{number}": bound} if bound else {})
            first += len(clause)
        return {**out, "coherent": [self.coherence_at]}

    def tail(self, clauses):
        self.rates = sampling(self.random)
        self.rules = rules(self.random, clauses, self.names)
        directives = "".join(f"  {name}: {INPUTS[name]}, {rate}%)\n" for name, rate in self.rates.items())
        written_rules = "".join(f"  r{i}: {rule.text}\n" for i, rule in enumerate(self.rules))
        return f"observability:\n{directives}{self.coherence_text}escalation:\n{written_rules}"
