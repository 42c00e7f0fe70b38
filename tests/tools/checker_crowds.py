"""Random observations: of slices that see nothing, one thing or many; of rows of every shape and format; of drifts from nothing to 20
nats; with masks, NaN and infinities among them."""

import random as plain
from collections import Counter
from itertools import product

import numpy as np

from checker_formats import FORMATS
from checker_tables import Deck

SHAPES = ["flat", "usual", "peaked", "two peaks", "ties"]
HAZARDS = ["nan", "inf", "train mask", "infer mask", "all masked"]
DRIFTS = [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.03, 0.5, 3.0, 20.0]
CROWDS = {"none": (0, 1), "one": (1, 2), "few": (2, 10), "many": (60, 400)}
# So that a run takes seconds: of a vocabulary as long as that, only a few rows.
MOST_LOGITS = 800_000


class Decks:
    """What a round of contracts is to meet, all of it."""

    def __init__(self, seed):
        draw = plain.Random(seed)
        self.random = draw
        self.formats = Deck(draw, product(FORMATS, repeat=2))
        self.shapes, self.hazards, self.drifts = Deck(draw, SHAPES), Deck(draw, HAZARDS), Deck(draw, DRIFTS)
        self.crowds = Deck(draw, ["none", "one", "few", "few", "many", "many"])
        self.met = Counter()


class Crowds:
    def __init__(self, decks, data, sources, is_calm):
        self.decks, self.data, self.sources, self.is_calm = decks, data, sources, is_calm
        self.random = data.random
        self.rows_left = max(6, min(400, MOST_LOGITS // data.vocabulary))
        self.streams = len(data.temperatures)

    def observe(self):
        always_empty = self.random.integers(0, len(self.data.slices)) if len(self.data.slices) > 2 else -1
        for tick in range(len(self.data.times)):
            for place in range(len(self.data.slices)):
                crowd = "none" if place == always_empty else self.decks.crowds.draw()
                self.decks.met[f"crowd {crowd}"] += 1
                self.data.scales[tick][place] = self.drift()
                count = int(self.random.integers(*CROWDS[crowd]))
                for stream in range(self.streams):
                    self.observe_pair(tick, place, count, stream)
                self.observe_server(tick, place, count)
            if "tokens" in self.sources and tick % 3:  # these come to all slices, also to those that are said to be empty
                self.data.add_mixed(tick, int(self.random.integers(1, 500)))
            for place in range(len(self.data.slices)):
                self.serve(tick, place)

    def drift(self):
        out = float(self.random.choice(DRIFTS[:4])) if self.is_calm else self.decks.drifts.draw()
        self.decks.met[f"drift {out:g}"] += 1
        return out

    def observe_pair(self, tick, place, count, stream):
        data, draw = self.data, self.random
        if "rows" in self.sources:
            # Only between rows of fp32 is a drift of 1e-7 more than nothing.
            formats = ("fp32", "fp32") if self.is_calm or not count else self.decks.formats.draw()
            for _ in range(min(count, 1 + self.rows_left // 12)):
                self.row(tick, place, stream, formats)
        if "tokens" in self.sources and count:
            data.add_tokens(tick, place, count * int(draw.integers(1, 5)), stream, masked=draw.random() < 0.5, hazards=draw.random() < 0.1)
        if "sequences" in self.sources:
            for _ in range(count // 4 + (count > 0)):
                data.add_sequence(tick, place, draw.integers(0, 30, draw.integers(0, 4)).tolist(), stream, hazards=draw.random() < 0.02)
        for _ in range(count if "routes" in self.sources else 0):
            data.add_routes(tick, place, float(draw.integers(0, 9)) / 48 if draw.random() < 0.995 else 1.5, stream)

    def observe_server(self, tick, place, count):
        data, draw = self.data, self.random
        for _ in range(count if "requests" in self.sources else 0):
            times = [float(x) for x in draw.lognormal([1, -1, -4, 4], 0.6)]
            odd = draw.random(4)
            times = [-1.0 if o < 0.1 and i else float("nan") if o > 0.998 else float("inf") if o > 0.996 else -5.0 if o > 0.994 else x for i, (x, o) in enumerate(zip(times, odd))]
            data.add_request(tick, place, *times, draw.random() < 0.08)
        for in_batch in (True, False):
            for _ in range(count if "replays" in self.sources else 0):
                data.add_replay(tick, place, in_batch, float("nan") if draw.random() < 0.003 else float(draw.exponential(0.01)))

    def row(self, tick, place, stream, formats):
        if self.rows_left == 0:
            return
        self.rows_left -= 1
        shape, size = self.decks.shapes.draw(), self.data.vocabulary
        train = self.random.normal(0, {"flat": 0.01, "usual": 4}.get(shape, 1.5), size)
        for peak in self.random.integers(0, size, {"peaked": 1, "two peaks": 2}.get(shape, 0)):
            train[peak] += 20
        if shape == "ties":
            train = np.round(train)
        infer = train + self.random.normal(0, float(self.data.scales[tick][place]), size)
        train, infer = train.astype(np.float32), infer.astype(np.float32)
        hazard = "none" if self.is_calm or self.random.random() < 0.9 else self.decks.hazards.draw()
        if self.random.random() < 0.2 and size > 2:
            hidden = self.random.random(size) < 0.3
            hidden[:2] = False
            train[hidden] = infer[hidden] = -np.inf
            self.decks.met["shared masks"] += 1
        self.spoil(hazard, train, infer)
        if (np.isinf(train) | np.isinf(infer)).any():
            formats = tuple("fp8_e5m2" if name == "fp8_e4m3" else name for name in formats)  # which has none
        self.data.add_row(tick, place, train, infer, stream, list(formats))
        self.decks.met.update([f"shape {shape}", f"hazard {hazard}", "formats " + "/".join(formats), f"vocabulary {size}"])

    def spoil(self, hazard, train, infer):
        at = self.random.integers(0, len(train), 2)
        if hazard == "nan":
            infer[at[0]] = np.nan
        elif hazard == "inf":
            train[at[0]] = np.inf
        elif hazard == "train mask":
            train[at] = -np.inf
        elif hazard == "infer mask":
            infer[at] = -np.inf
        elif hazard == "all masked":
            infer[:] = -np.inf

    def serve(self, tick, place):
        """About as much as was observed, or as samples of 10% are of."""
        tokens, requests = (self.data.volume(unit, tick, tick, place) for unit in ("tokens", "requests"))
        factor = float(self.random.choice([0.9, 1, 1.05, 1.9, 2.2, 10, 11]))
        if tokens + requests:
            self.data.add_served(tick, place, round(tokens * factor), round(requests * factor))
