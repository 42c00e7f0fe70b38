"""What random contracts take as given, numbers that are handed in, and what is to be said of them."""

import math
import struct
from dataclasses import dataclass, field

import numpy as np
from checker_figures import is_impossible

INF = math.inf
KEPT = 4  # of what stands out
HANDED = ("reward", "step_reward", "advantage", "score_norm")
# The order in which a plan has them, and what is handed in or seen by which number.
ORDER = ("reward", "step_reward", "advantage", "score_norm", "horizon", "ratio_cap")
QUANTITY = {name: number for number, name in enumerate(("reward", "step_reward", "advantage", "score_norm", "horizon", "ratio_cap"))}


@dataclass
class Seen:
    """What is said of an assumption."""

    state: str
    count: int
    unknown: int
    least: float
    greatest: float
    outside: float
    worst: list = field(default_factory=list)

    @staticmethod
    def printed(words):
        state, count, unknown, least, greatest, outside, *worst = words
        return Seen(state, int(count), int(unknown), *map(float.fromhex, (least, greatest, outside)),
                    [(float.fromhex(value), int(id_)) for value, id_ in zip(worst[::2], worst[1::2])])

    def is_like(self, other, tolerance=0.0):
        def same(a, b):
            return a == b or math.isnan(a) and math.isnan(b) or abs(a - b) <= tolerance * abs(b)

        return ((self.state, self.count, self.unknown) == (other.state, other.count, other.unknown) and same(self.least, other.least)
                and same(self.greatest, other.greatest)
                and (same(self.outside, other.outside) or abs(self.outside - other.outside) < 1e-12)
                and [id_ for _, id_ in self.worst] == [id_ for _, id_ in other.worst] and all(same(a, b) for (a, _), (b, _) in zip(self.worst, other.worst)))


def judged(values, low, high, most=KEPT):
    """Of (number, id) pairs. Straight from what the guide says, one number after the other."""
    if not values:
        return Seen("unwatched", 0, 0, math.nan, math.nan, math.nan)
    snapped = [(settled(value, low, high), id_) for value, id_ in values]
    unknown = sum(math.isnan(value) for value, _ in snapped)
    least = min(-INF if math.isnan(value) else value for value, _ in snapped)
    greatest = max(INF if math.isnan(value) else value for value, _ in snapped)
    above = sorted(((INF if math.isnan(value) else value, id_) for value, id_ in snapped), key=lambda each: (-each[0], each[1]))[:KEPT]
    below = sorted(((-INF if math.isnan(value) else value, id_) for value, id_ in snapped), key=lambda each: (each[0], each[1]))[:KEPT]
    sides = [[each for each in above if each[0] > high], [each for each in below if each[0] < low]]
    if low - least > greatest - high:
        sides.reverse()
    worst = (sides[0] or sides[1])[:most]
    if worst or unknown:
        return Seen("broken", len(values), unknown, least, greatest, math.nan, worst)
    return Seen("held", len(values), 0, least, greatest, 1 - 0.05 ** (1 / len(values)))


def settled(value, low, high):
    for end in (low, high):
        if abs(end) < 3e38 and value == float(np.float32(end)):
            return end
    return value


class Assumptions:
    """Some of a random contract, and what is observed of them."""

    def __init__(self, random, data):
        self.random, self.data, self.limits = random, data, {}
        for name in ORDER:
            if random.random() < 0.5:
                self.limits[name] = self.drawn(name)
        self.handed = []  # tick, name, number, id
        self.lies = {name: random.random() < 0.5 for name in ORDER}

    def drawn(self, name):
        if name in ("reward", "step_reward"):
            return self.random.choice([("0", "1"), ("-0.1", "0.1"), ("-1e-3", "2.7")])
        if name == "horizon":
            return (None, self.random.choice(["20", "60", "400"]))
        if name == "ratio_cap":
            return (None, self.random.choice(["1.5", "20", "1e6"]))
        return ("0" if name == "score_norm" else "-", self.random.choice(["0.1", "4", "2.5"]))

    @property
    def text(self):
        words = []
        for name, (low, high) in self.limits.items():
            if name in ("reward", "step_reward"):
                words.append(f"{name}: [{low}, {high}]")
            elif name != "horizon":
                words.append(f"{name}: {high}")
        return f"assumptions: {{ {', '.join(words)} }}" if words else ""

    @property
    def horizon(self):
        return f", horizon: {self.limits['horizon'][1]} tokens" if "horizon" in self.limits else ""

    def ends(self, name):
        low, high = self.limits[name]
        return (-float(high) if low == "-" else -INF if low is None else float(low), float(high))

    def hand_in(self, tick):
        for name in HANDED:
            for _ in range(self.random.randrange(6)):
                value, id_ = self.number(name), self.data.next_id()
                self.data.events[tick].append(struct.pack("<cBdQ", b"A", QUANTITY[name], value, id_))
                self.handed.append((tick, name, value, id_))

    def number(self, name):
        low, high = self.ends(name) if name in self.limits else (-1.0, 1.0)
        usual = [low, high, (low + high) / 2, float(np.float32(high)), self.random.uniform(low, high)]
        if self.random.random() < 0.9 or not self.lies[name]:
            return min(self.random.choice(usual), max(high, float(np.float32(high))))
        return self.random.choice([math.nextafter(high, INF), math.nextafter(low, -INF), math.nan, INF, -INF, 3 * high])

    def seen(self, name, tick):
        """What was seen of it up to an evaluation."""
        if name in HANDED:
            return [(value, id_) for at, of, value, id_ in self.handed if of == name and at <= tick]
        if name == "horizon":
            column = self.data.column("sequences", 0)
            return [(float(len(row[0])), id_) for at, row, id_ in zip(column.ticks, column.rows, column.ids) if at <= tick and len(row[0])]
        ticks, _, train, infer = self.data.all_tokens(0)
        with np.errstate(all="ignore"):
            gaps = train - infer
            bad = np.isnan(gaps) | is_impossible(train, infer)
            ratios = np.exp(np.where(bad, np.nan, gaps.astype(float)))
        return [(float(value), 0) for value in ratios[ticks <= tick]]

    def wrong(self, found):
        """Where a run says something else, of ratios by more than their rounding."""
        out = []
        for index, name in enumerate(each for each in ORDER if each in self.limits):
            for tick in range(len(self.data.times)):
                ratios = name == "ratio_cap"
                wanted = judged(self.seen(name, tick), *self.ends(name), most=1 if ratios else KEPT)
                said = found[tick, index]
                if ratios:  # where tokens are is not kept here
                    said = Seen(*[getattr(said, each) for each in ("state", "count", "unknown", "least", "greatest", "outside")],
                                [(value, 0) for value, _ in said.worst])
                if not said.is_like(wanted, 1e-12 if ratios else 0.0):
                    out.append(f"{name} at tick {tick}: {said}, expected {wanted}")
        return out
