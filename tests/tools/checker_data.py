"""Observations that are drawn with a fixed seed: as the bytes that CheckerDriver.h reads, and as the figures that a reference needs."""

import struct
import sys
from collections import Counter

import numpy as np

from checker_figures import measured, response_mean, row_figures, sequence_figure, token_figure
from checker_formats import FORMATS, stored

SOURCES = {
    "rows": "logit_linf logit_osc logit_l2 logit_rel logprob_linf tv hellinger kl_train_infer kl_infer_train js chi2 top1_flip top1_margin entropy_gap "
            "missing_mass nonfinite",
    "routes": "route_flip",
    "tokens": "logprob_gap ratio capped_ratio tv_sampled k1 k2 k3 mult_prob_error prob_gap binary_kl clipped veto ess_sample ppl_ratio pearson drift_slope",
    "sequences": "seq_log_ratio seq_geo_ratio seq_ratio seq_capped_ratio seq_tv seq_clipped seq_geo_clipped seq_veto",
    "requests": "latency first_token_latency inter_token_latency throughput errors",
    "replays": "batch_drift replay_drift",
}
SOURCE_OF = {metric: source for source, metrics in SOURCES.items() for metric in metrics.split()}


def source_of(metric):
    """Of a figure, or of how far off it may be."""
    return SOURCE_OF[metric.lstrip("~")]


class Column:
    """Values of one kind in the order of evaluations."""

    def __init__(self):
        self.ticks, self.slices, self.rows, self.ids = [], [], [], []

    def add(self, tick, place, row, id_=0):
        self.ticks.append(tick)
        self.slices.append(place)
        self.rows.append(row)
        self.ids.append(id_)


class Data:
    """What is observed between evaluations. `events[tick]` may be fed in any order; `times[tick]` is when its evaluation is."""

    def __init__(self, seed, slices, vocabulary, temperatures=((1.0, 1.0),), ticks=9, allows_missing=False, cut=None):
        self.random = np.random.default_rng(seed)
        self.slices, self.vocabulary, self.temperatures = slices, vocabulary, temperatures
        self.allows_missing = allows_missing  # of the ends
        self.cut = cut or {}  # of the last kernel
        self.times = [float(t) for t in np.cumsum(self.random.choice([30.0, 60.0, 90.5], ticks))]
        self.events = [[] for _ in range(ticks)]
        self.strays = [0] * ticks
        # Ends of steps between what is observed and the evaluation.
        self.steps = np.random.default_rng((seed, ticks)).choice([0, 1, 1, 1, 2, 3], ticks).tolist()
        self.columns, self.cache, self.ids = {}, {}, 0
        self.served = Counter()  # by unit, tick and slice
        # Drifts of a slice go from nothing to far apart from one window to the next.
        self.scales = 10 ** self.random.uniform(-7, 1.3, (ticks, len(slices)))

    def column(self, kind, stream=0):
        return self.columns.setdefault((kind, stream), Column())

    def next_id(self):
        self.ids += 1
        return self.ids

    # Drawing.

    def add_rows(self, tick, place, count, stream=0, hazards=False):
        for i in range(count):
            scale = float(self.scales[tick][place]) * (0.5 + self.random.random())
            train = (self.random.normal(0, 4, self.vocabulary)).astype(np.float32)
            infer = (train + self.random.normal(0, scale, self.vocabulary)).astype(np.float32)
            if self.random.random() < 0.2:
                shared = self.random.random(self.vocabulary) < 0.3
                train[shared] = infer[shared] = -np.inf
            if hazards and i % 10 == 9:
                self.spoil(train, infer)
            self.add_row(tick, place, train, infer, stream)

    def spoil(self, train, infer):
        at = self.random.integers(0, self.vocabulary, 2)
        kind = self.random.integers(0, 4)
        if kind == 0:
            train[at] = -np.inf
        elif kind == 1:
            infer[at] = -np.inf
        elif kind == 2:
            infer[at[0]] = np.nan
        else:
            train[at[0]] = np.inf

    def add_row(self, tick, place, train, infer, stream=0, formats=None):
        formats = formats or [str(name) for name in self.random.choice(["fp32", "bf16"], 2, p=[0.7, 0.3])]
        (train, train_bytes), (infer, infer_bytes) = (stored(row, name) for row, name in zip((train, infer), formats))
        places = [FORMATS.index(name) for name in formats]
        self.events[tick].append(struct.pack("<cBBBBQ", b"R", stream, place, *places, self.next_id()) + train_bytes + infer_bytes)
        self.column("rows", stream).add(tick, place, row_figures(train, infer, *self.temperatures[stream], self.allows_missing and stream == 0, self.cut if stream != 1 else None))

    def logprobs(self, tick, place, count, hazards=False):
        """Log-probs of both kernels, a few of them none at all, and a mask."""
        scale = float(self.scales[tick][place])
        infer = -self.random.exponential(1.5, count)
        train = np.minimum(infer + self.random.normal(0, scale, count), 0)
        if hazards and count > 8:
            train[1], infer[2], train[4] = -np.inf, -np.inf, np.nan
            train[5] = infer[5] = -np.inf
        return train.astype(np.float32), infer.astype(np.float32), (self.random.random(count) < 0.8).astype(np.uint8)

    def packed_tokens(self, train, infer, mask):
        first = self.ids
        self.ids += len(train)
        return struct.pack("<IBQ", len(train), mask is not None, first) + train.tobytes() + infer.tobytes() + (b"" if mask is None else mask.tobytes())

    def keep_tokens(self, tick, place, train, infer, mask, stream):
        self.cache.clear()
        kept = slice(None) if mask is None else mask.astype(bool)
        train, infer = train[kept], infer[kept]
        places = np.full(len(train), place) if np.isscalar(place) else place[kept]
        inside = places < len(self.slices)
        self.column("tokens", stream).add(np.full(inside.sum(), tick), places[inside], np.stack([train[inside], infer[inside]]))
        return int((~inside).sum())

    def add_tokens(self, tick, place, count, stream=0, masked=True, hazards=False):
        train, infer, mask = self.logprobs(tick, place, count, hazards)
        mask = mask if masked else None
        self.events[tick].append(struct.pack("<cBB", b"T", stream, place) + self.packed_tokens(train, infer, mask))
        self.keep_tokens(tick, place, train, infer, mask, stream)

    def add_mixed(self, tick, count, stream=0):
        """Tokens whose slices change at every one; some name none that there is."""
        train, infer, mask = self.logprobs(tick, 0, count)
        places = self.random.integers(0, len(self.slices) + 1, count).astype(np.uint8)
        self.events[tick].append(struct.pack("<cB", b"M", stream) + self.packed_tokens(train, infer, mask) + places.tobytes())
        self.strays[tick] += self.keep_tokens(tick, places.astype(int), train, infer, mask, stream)

    def add_placed(self, tick, places, train, infer, stream=0):
        """Tokens of these slices, one after the other."""
        places = np.array(places, np.uint8)
        self.events[tick].append(struct.pack("<cB", b"M", stream) + self.packed_tokens(train, infer, None) + places.tobytes())
        self.keep_tokens(tick, places.astype(int), train, infer, None, stream)

    def add_opposed(self, tick, place, count):
        """Tokens of which one kernel thinks what the other does not."""
        infer = -self.random.exponential(1.0, count).astype(np.float32)
        train = np.log(np.maximum(1 - np.exp(infer), 1e-3)).astype(np.float32)
        self.events[tick].append(struct.pack("<cBB", b"T", 0, place) + self.packed_tokens(train, infer, None))
        self.keep_tokens(tick, place, train, infer, None, 0)

    def add_exact(self, tick, place, gaps):
        """Tokens whose gaps are just these."""
        infer = np.full(len(gaps), -3, np.float32)
        train = infer + np.array(gaps, np.float32)
        self.events[tick].append(struct.pack("<cBB", b"T", 0, place) + self.packed_tokens(train, infer, None))
        self.keep_tokens(tick, place, train, infer, None, 0)

    def add_sequence(self, tick, place, batches, stream=0, hazards=False):
        """A response in batches of so many tokens."""
        id_ = self.next_id()
        event, parts = struct.pack("<cBBQB", b"S", stream, place, id_, len(batches)), []
        for count in batches:
            train, infer, mask = self.logprobs(tick, place, count, hazards)
            event += self.packed_tokens(train, infer, mask)
            self.keep_tokens(tick, place, train, infer, mask, stream)
            parts.append((train[mask.astype(bool)], infer[mask.astype(bool)]))
        self.events[tick].append(event)
        whole = [np.concatenate([part[side] for part in parts]) if parts else np.zeros(0, np.float32) for side in (0, 1)]
        self.column("sequences", stream).add(tick, place, whole, id_)

    def add_routes(self, tick, place, share, stream=0):
        self.events[tick].append(struct.pack("<cBBdQ", b"O", stream, place, share, self.next_id()))
        self.column("routes", stream).add(tick, place, {"route_flip": measured(share, 1)})

    def add_request(self, tick, place, latency, first, between, throughput, failed):
        """-1 is what was not measured."""
        self.events[tick].append(struct.pack("<cBddddBQ", b"Q", place, latency, first, between, throughput, failed, self.next_id()))
        row = {"latency": latency, "first_token_latency": first, "inter_token_latency": between, "throughput": throughput, "errors": float(failed)}
        kept = {name: measured(value, sys.float_info.max) for name, value in row.items() if value != -1}
        self.column("requests").add(tick, place, kept)

    def add_replay(self, tick, place, in_batch, drift):
        self.events[tick].append(struct.pack("<cBBdQ", b"P", in_batch, place, drift, self.next_id()))
        self.column("replays").add(tick, place, {"batch_drift" if in_batch else "replay_drift": measured(drift, np.inf)})

    def add_served(self, tick, place, tokens, requests):
        """What was served in all, observed or not."""
        self.events[tick].append(struct.pack("<cBQQ", b"V", place, tokens, requests))
        self.served.update({("tokens", tick, place): tokens, ("requests", tick, place): requests})

    def ask(self, tick, numbers, texts):
        """Which slice a request is of."""
        event = b"W" + struct.pack("<B", len(numbers))
        for name, number in numbers.items():
            event += struct.pack("<B", len(name)) + name.encode() + struct.pack("<d", number)
        event += struct.pack("<B", len(texts))
        for name, text in texts.items():
            event += struct.pack("<B", len(name)) + name.encode() + struct.pack("<B", len(text)) + text.encode()
        self.events[tick].append(event)

    # Reading.

    def stream_of_bytes(self, shuffled=None):
        out = []
        for tick, now in enumerate(self.times):
            events = list(self.events[tick])
            if shuffled is not None:
                np.random.default_rng(shuffled + tick).shuffle(events)
            out += events + [b"N"] * self.steps[tick] + [struct.pack("<cd", b"E", now)]
        return b"".join(out)

    def figures(self, metric, parameters, stream):
        """Ticks, slices and values of every observation."""
        # A request is served by one kernel, whichever two a clause compares.
        key = (metric, parameters, stream if source_of(metric) not in ("requests", "replays") else 0)
        if key not in self.cache:
            self.cache[key] = self.computed(metric, tuple(map(float, parameters)), key[2])
        return self.cache[key]

    def computed(self, metric, parameters, stream):
        kind = source_of(metric)
        column = self.column(kind, stream)
        if kind == "tokens":
            ticks, places, train, infer = self.all_tokens(stream)
            return ticks, places, token_figure(metric, parameters, train, infer)
        if kind == "sequences":
            rows = [{metric: sequence_figure(metric, parameters, *row)} for row in column.rows]
        else:
            rows = column.rows
        kept = [(tick, place, row[metric]) for tick, place, row in zip(column.ticks, column.slices, rows) if row.get(metric) is not None]
        return np.array([k[0] for k in kept]), np.array([k[1] for k in kept]), np.array([k[2] for k in kept], np.longdouble)

    def response_means(self, metric, absolute, stream, since, tick, place):
        """Of each response that had a token."""
        key = ("by response", metric, absolute, stream)
        if key not in self.cache:
            column = self.column("sequences", stream)
            means = [(at, of, response_mean(metric, absolute, *row)) for at, of, row in zip(column.ticks, column.slices, column.rows)]
            kept = [each for each in means if each[2] is not None]
            self.cache[key] = [np.array([each[i] for each in kept], np.longdouble if i == 2 else int) for i in range(3)]
        ticks, places, values = self.cache[key]
        return values[self.chosen(ticks, places, since, tick, place)]

    def all_tokens(self, stream):
        key = ("tokens", stream)
        if key not in self.cache:
            column = self.column("tokens", stream)
            both = np.concatenate(column.rows, axis=1) if column.rows else np.zeros((2, 0), np.float32)
            empty = np.zeros(0, int)
            self.cache[key] = (np.concatenate([empty, *column.ticks]), np.concatenate([empty, *column.slices]), both[0], both[1])
        return self.cache[key]

    @staticmethod
    def chosen(ticks, places, since, tick, place):
        chosen = (ticks >= since) & (ticks <= tick)
        return chosen if place is None else chosen & (places == place)

    def values(self, metric, parameters, stream, since, tick, place):
        ticks, places, values = self.figures(metric, parameters, stream)
        return values[self.chosen(ticks, places, since, tick, place)] if len(values) else values

    def tokens(self, stream, since, tick, place):
        ticks, places, train, infer = self.all_tokens(stream)
        chosen = self.chosen(ticks, places, since, tick, place)
        return train[chosen], infer[chosen]

    def volume(self, unit, since, tick, place):
        """What a window has seen of the traffic: the same passes every link, and one of them was shown the most."""
        kinds = ("tokens", "rows") if unit == "tokens" else (unit,)
        return max((self.count(*column, since, tick, place) for column in self.columns if column[0] in kinds), default=0)

    def count(self, kind, stream, since, tick, place):
        """Returns how many were observed."""
        if kind == "tokens":
            return len(self.tokens(stream, since, tick, place)[0])
        column = self.column(kind, stream)
        return sum(since <= at <= tick and place in (None, of) for at, of in zip(column.ticks, column.slices))

    def is_busy(self, tick, place):
        """Returns whether anything was observed or served."""
        counts = [self.count(*column, tick, tick, place) for column in self.columns]
        return any(counts) or any(self.served[unit, tick, place] for unit in ("tokens", "requests"))
