"""What the compiler's own tables say there is, for those who draw from it."""

import re
from collections import namedtuple

from harness import ROOT

Metric = namedtuple("Metric", "symbol level dimension low high better parameters gives")
Field = namedtuple("Field", "symbol dimension whole")


def rows(path, pattern):
    """Of a .def each row, however it is laid out."""
    text = (ROOT / path).read_text()
    found, macro = re.findall(pattern, text, re.M), re.match(r"\^(\w+)", pattern)
    assert found and (not macro or len(found) == len(re.findall(rf"^{macro[1]}\(", text, re.M))), f"{path}: rows that {pattern} does not read"
    return found


METRICS = [Metric(*row) for row in rows(
    "compiler/model/Metrics.def", r'^METRIC\(\w+,\s+"(\w+)",\s+(\w+),\s+(\w+),\s+"([^"]*)",\s+"([^"]*)",\s+(\w+),\s+\w+,\s+"([^"]*)",\s+(\w+)')]


def those(holds):
    return [metric.symbol for metric in METRICS if holds(metric)]


# Of tokens, those that can be averaged by response.
AVERAGED = those(lambda metric: metric.level == "Token" and not metric.parameters)
WINDOW_FIGURES = those(lambda metric: metric.level == "Window" and metric.symbol != "drift_slope")  # which is not of one window
# What effective_share takes.
RATIOS = those(lambda metric: metric.better == "One" and metric.level != "Window")
CAPPED = those(lambda metric: metric.gives == "Weight")
SIGNED = those(lambda metric: metric.low not in ("0", "1"))
# What can be counted without a condition.
EVENTS = those(lambda metric: metric.gives == "Event")
# What each can be; of a weight, its parameters say.
RANGES = {metric.symbol: tuple(float(end or sign + "inf") for end, sign in ((metric.low, "-"), (metric.high, "+"))) for metric in METRICS}
# Of those that have any, ones that are drawn where nothing else is said.
PARAMETERS = {metric.symbol: {"low": ("0.5",), "low|high": ("0.5", "2")}[metric.parameters] for metric in METRICS if metric.parameters}
PARAMETERS |= {"clipped": ("0.8", "1.25"), "seq_veto": ("0.25",), "seq_capped_ratio": ("0", "2"), "seq_geo_clipped": ("0.95", "1.05")}
# What a number of each has to be written with.
USUAL_UNITS = {metric.symbol: {"Time": " s", "TokenRate": " tokens per s"}.get(metric.dimension, "") for metric in METRICS}
# Names, and the level of one that is a quantile.
AGGREGATES = rows("compiler/model/Metrics.cpp", r'^ *\{Aggregate::\w+, "(\w+)", "([\d.]*)"')
UNITS = {}
for symbol, dimension in rows("compiler/model/Units.def", r'^UNIT\(\w+, "([^"]*)", (\w+)'):
    UNITS.setdefault(dimension, []).append(symbol if symbol in ("", "%") else f" {symbol}")
UNITS["TokenRate"] = [" tokens per s"]
# A bare number of information is nats.
UNITS["Information"].append("")
FIELDS = [Field(symbol, dimension, whole == "true") for symbol, dimension, whole in rows(
    "compiler/model/Fields.def", r'^FIELD\("(\w+)", (\w+), "[^"]*", "[^"]*", (\w+)')]


class Deck:
    """Cards that are all drawn before one is drawn again."""

    def __init__(self, random, cards):
        self.random, self.cards, self.left = random, list(cards), []

    def draw(self):
        if not self.left:
            self.left = list(self.cards)
            self.random.shuffle(self.left)
        return self.left.pop()
