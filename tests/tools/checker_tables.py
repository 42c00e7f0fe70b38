"""What the compiler's own tables say there is, for those who draw from it."""

import re
from collections import namedtuple

from harness import ROOT

Metric = namedtuple("Metric", "symbol level dimension parameters")
Field = namedtuple("Field", "symbol dimension whole")


def rows(path, pattern):
    found = re.findall(pattern, (ROOT / path).read_text(), re.M)
    assert found, path
    return found


METRICS = [Metric(*row) for row in rows("compiler/metrics/Metrics.def", r'^METRIC\(\w+, "(\w+)", (\w+), (\w+), "[^"]*",\s+"[^"]*",\s+\w+,\s+\w+,\s+"([^"]*)"')]
# Of tokens, those that can be averaged by response.
AVERAGED = [metric.symbol for metric in METRICS if metric.level == "Token" and not metric.parameters]
# Names, and the level of one that is a quantile.
AGGREGATES = rows("compiler/metrics/Metrics.cpp", r'^ *\{Aggregate::\w+, "(\w+)", "([\d.]*)"')
UNITS = {}
for symbol, dimension in rows("compiler/model/Units.def", r'^UNIT\(\w+, "([^"]*)", (\w+)'):
    UNITS.setdefault(dimension, []).append(symbol if symbol in ("", "%") else f" {symbol}")
UNITS["TokenRate"] = [" tokens per s"]
# A bare number of information is nats.
UNITS["Information"].append("")
FIELDS = [Field(symbol, dimension, whole == "true") for symbol, dimension, whole in rows(
    "compiler/metrics/Fields.def", r'^FIELD\("(\w+)", (\w+), "[^"]*", "[^"]*", (\w+)')]


class Deck:
    """Cards that are all drawn before one is drawn again."""

    def __init__(self, random, cards):
        self.random, self.cards, self.left = random, list(cards), []

    def draw(self):
        if not self.left:
            self.left = list(self.cards)
            self.random.shuffle(self.left)
        return self.left.pop()
