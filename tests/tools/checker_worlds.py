"""What is observed of each contract of the differential test."""

from checker_cases import SLICES, Chooser, Check, all_shapes, shapes_by_response, written
from checker_data import Data

A, B, IDLE, OTHER = range(4)
EDGES = [float("nan"), float("inf"), -1]


def rows_world():
    data = Data(11, SLICES, 203, [(0.7, 1.3)])
    for tick in range(len(data.times)):
        data.add_rows(tick, A, 150)
        data.add_rows(tick, B, 25, hazards=tick in (3, 6))
        data.add_rows(tick, OTHER, 1 if tick % 2 else 8)
        data.add_tokens(tick, A, 1500)
        add_requests(data, tick)
    return data, all_shapes(["rows"]), {"pair": True, "vocabulary": 203, "temperatures": (0.7, 1, 1.3)}


def few_shapes(metrics):
    """Means and extremes of figures that take many values."""
    return [shape for shape in all_shapes(["rows"]) if shape.metric in metrics.split() and shape.aggregate in ("max", "min", "mean")]


def mean_shapes(metrics):
    return [shape for shape in few_shapes(metrics) if shape.aggregate == "mean"]


def filled_with_rows(data):
    for tick in range(len(data.times)):
        data.add_rows(tick, A, 60)
        data.add_rows(tick, B, 25, hazards=True)
        data.add_rows(tick, OTHER, 1 if tick % 2 else 8)
        data.add_tokens(tick, A, 100)
        add_requests(data, tick)
    return data


def greedy_world():
    data = filled_with_rows(Data(16, SLICES, 203, [(0, 0)]))
    return data, mean_shapes("tv hellinger js missing_mass logit_osc"), {"pair": True, "vocabulary": 203, "temperatures": (0, 1, 0)}


def served_greedily_world():
    data = filled_with_rows(Data(17, SLICES, 203, [(0.7, 0)]))
    shapes = mean_shapes("tv hellinger js missing_mass kl_infer_train entropy_gap logit_osc")
    return data, shapes, {"pair": True, "vocabulary": 203, "temperatures": (0.7, 1, 0)}


def missing_world():
    """What the server alone masks is declared."""
    data = filled_with_rows(Data(18, SLICES, 203, [(1, 1)], allows_missing=True))
    facts = {"pair": True, "vocabulary": 203, "temperatures": (1, 1, 1), "assumptions": "assumptions: { support: { missing_mass: 0.5 } }"}
    return data, few_shapes("logit_linf logit_osc logit_l2 logprob_linf tv hellinger js missing_mass entropy_gap"), facts


def cut_world(seed, infer_temperature, **cut):
    """What the server's settings cut is missing, and nothing else knows of them."""
    data = filled_with_rows(Data(seed, SLICES, 203, [(1.3, infer_temperature)], cut=cut))
    facts = {"pair": True, "vocabulary": 203, "temperatures": (1.3, 1, infer_temperature), "cut": cut}
    return data, few_shapes("missing_mass tv kl_infer_train"), facts


def nucleus_world():
    return cut_world(19, 0.7, top_p=0.9)


def cut_thrice_world():
    return cut_world(20, 1, top_p=0.8, top_k=40, min_p=0.001)


def tokens_world():
    data = Data(12, SLICES, 64, [(1, 1)])
    for tick in range(len(data.times)):
        for _ in range(4):
            data.add_tokens(tick, A, int(data.random.integers(1, 900)), masked=bool(tick % 2))
        data.add_tokens(tick, B, 200, hazards=tick in (3, 6))
        data.add_tokens(tick, OTHER, 1 if tick % 3 == 0 else 65, masked=False)
        if tick in (2, 5):
            data.add_mixed(tick, 400)
        for length in (30, 1, 0):
            data.add_sequence(tick, A, [length])
        add_requests(data, tick)
    return data, all_shapes(["tokens"]), {"pair": True, "vocabulary": 64, "temperatures": (1, 1, 1)}


def requests_world():
    data = Data(13, SLICES, 64, [(1, 1)])
    # Sums over responses: drifts that leave something of W.
    data.scales = 10 ** data.random.uniform(-5, -0.2, data.scales.shape)
    for tick in range(len(data.times)):
        for place, count in ((A, 45), (B, 12), (OTHER, 1)):
            for i in range(count):
                lengths = data.random.integers(0, 40, data.random.integers(1, 4))
                data.add_sequence(tick, place, lengths.tolist(), hazards=place == B and tick in (3, 6) and i == 0)
        add_requests(data, tick)
        for place, count in ((A, 40), (B, 9), (OTHER, 1)):
            for i in range(count):
                odd = place == B and tick == 4 and i == 0
                data.add_routes(tick, place, float(data.random.integers(0, 5)) / 48)
                for in_batch in (True, False):
                    data.add_replay(tick, place, in_batch, float("nan") if odd else float(data.random.exponential(0.01)))
    return data, all_shapes(["sequences", "requests", "replays", "routes"]) + shapes_by_response(), {"pair": True, "vocabulary": 64, "temperatures": (1, 1, 1)}


def add_requests(data, tick):
    draw = data.random
    for place, count in ((A, 40), (B, 10), (OTHER, 1)):
        for i in range(count):
            latency, first, between, rate = (float(x) for x in draw.lognormal([1, -1, -4, 4], 0.6))
            if place == B and tick == 4 and i == 0:
                latency, first, between, rate = EDGES[0], EDGES[1], EDGES[2], EDGES[0]
            data.add_request(tick, place, latency, first if i % 5 else -1, between if i % 7 else -1, rate, draw.random() < 0.08)


def promises():
    """Requirements that are easy to get wrong, one for each way."""
    late, noughts = ("ticks", 3), [("==", "0")]
    return [
        Check("max", "top1_flip", limits=noughts, window=late), Check("max", "tv", limits=[(">=", "0.001"), ("<=", "0.5")], window=late),
        Check("min", "tv", limits=noughts, window=late), Check("min", "top1_margin", limits=[(">=", "0.5"), ("<=", "9")], window=late),
        Check("count", "nonfinite", limits=noughts, window=late), Check("count", "top1_flip", limits=[(">=", "1"), ("<=", "3")], window=late),
        Check("rate", "veto", ("0.5",), limits=[(">=", "0.9")]), Check("rate", "clipped", ("0.8", "1.25"), limits=[(">", "0.9")]),
        Check("max", "k3", limits=[(">=", "1")]), Check("quantile", "k3", level=(99, 100), limits=[(">=", "0.01")], confidence="90%"),
        Check("quantile", "k1", level=(95, 100), limits=[("<=", "0.5")]), Check("quantile", "tv_sampled", level=(9, 10), limits=[("<=", "0.5")]),
        Check("", "drift_slope", absolute=True, limits=[("<=", "1e-9")]), Check("", "drift_slope", limits=[("<=", "0.001")]),
        Check("", "pearson", absolute=True, limits=[(">=", "0.5")]), Check("", "pearson", limits=[("<=", "-0.5")]),
        Check("", "drift_slope", limits=[("<=", "100")], window=("ticks", 2)), Check("slope", "ratio", limits=[("<=", "100")], window=("ticks", 3)),
        Check("mean", "k3", limits=[("<=", "100")], confidence="95%"), Check("mean", "logit_osc", limits=[("<=", "100")], confidence="95%"),
        Check("mean", "latency", limits=[("<=", "100")], unit=" s", confidence="95%"),
        *[Check("rate", metric, predicate=(how, "1"), limits=[("<=", "0.2")], absolute=absolute, exact=True)
          for metric in ("logprob_gap", "k1") for absolute in (False, True) for how in ("<=", "<", ">=", ">", "==", "!=")],
        *[Check("max", "latency", limits=[(how, "64")], unit=" s", exact=True) for how in ("<=", "<")],
        *[Check("quantile", "latency", level=(9, 10), limits=[(how, "64")], unit=" s", exact=True) for how in ("<=", "<", ">=", ">")],
        *[Check("quantile", "logprob_gap", level=(1, 2), limits=[(how, "1")], exact=True) for how in ("<=", "<", ">=", ">")],
        Check("", "ess_sample", limits=[(">=", "0.0001")], confidence="95%"), Check("", "drift_slope", limits=[("<=", "100")], confidence="95%"),
    ]


def promises_world():
    data = Data(15, SLICES, 64, [(1, 1)], ticks=8)
    for tick in range(len(data.times)):
        data.scales[tick] = [0.5 / (tick + 1), 0.3, 1, 1]
        data.add_rows(tick, A, 20)
        data.add_rows(tick, B, 3, hazards=False)
        data.add_tokens(tick, A, 160, masked=False)
        data.add_tokens(tick, B, 40, masked=False, hazards=tick == 2)
        data.add_tokens(tick, OTHER, 20, masked=False)
        data.add_opposed(tick, IDLE, 30)
        data.add_exact(tick, OTHER, [1, 1, -1, 0, 2, 0.5, 1 + 2**-22, 1 - 2**-22, -1 - 2**-22][: 2 + tick] * 30)
        for latency in [63.0] * 30 + [64.0] * (1 + tick):
            data.add_request(tick, IDLE, latency, -1, -1, -1, False)
        add_requests(data, tick)
    # The least drift of all comes last.
    data.add_row(2, A, *[data.random.normal(0, 1, 64).astype("float32")] * 2)
    return data, promises(), {"pair": True, "vocabulary": 64, "temperatures": (1, 1, 1)}


def thresholds_world():
    data = Data(21, SLICES, 64, [(1, 1)], ticks=2)
    for tick in range(len(data.times)):
        data.scales[tick] = 0.5
        for place in (A, B):
            data.add_tokens(tick, place, 2000, hazards=place == B)
    starts = (("logprob_gap", True, "0."), ("logprob_gap", False, "-0."), ("ratio", False, "1."), ("k2", False, "0."), ("tv_sampled", False, "0."))
    checks = [Check("rate", metric, absolute=absolute, predicate=("<>"[i % 2], f"{start}{60 * i + 7:04}"), limits=[("<=", "0.5")])
              for metric, absolute, start in starts for i in range(30)]
    return data, checks, {"pair": True, "vocabulary": 64, "temperatures": (1, 1, 1)}


WORLDS = {"rows": rows_world, "greedy": greedy_world, "served_greedily": served_greedily_world, "missing": missing_world, "nucleus": nucleus_world, "cut_thrice": cut_thrice_world,
          "tokens": tokens_world, "requests": requests_world, "promises": promises_world, "thresholds": thresholds_world}


def world(name, is_refused):
    """Observations, a contract about them, and its checks; without what the compiler refuses, as it may."""
    data, wanted, facts = WORLDS[name]()
    chooser = Chooser(name, data)
    chosen = [check if check.limits else chooser.complete(check) for check in wanted]
    if name == "promises":
        chosen = [check for check in chosen if not is_refused(written("alone", [check], facts)[0])]
    text, checks = written(f"differential.{name}", chosen, facts)
    return data, text, checks
