"""Responses of a trainer and a server that differ by rounding, and by one known fault or two: laws over a small vocabulary that are written down whole, so that
support, temperature and the like are what they are and not an approximation. A run is a list of responses, each the fields of a line of JSON."""

import dataclasses
import json

import numpy

VOCABULARY = 48
STEPS = 8


@dataclasses.dataclass
class World:
    """What a run is like beside its fault."""

    flat: bool  # most tokens open, or most of them sure
    noise: float  # of logits, by rounding
    longest: int
    responses: int
    names: str  # which of step and version the data name


def world(random):
    flat = bool(random.random() < 0.5)
    return World(flat, float(random.uniform(0.008, 0.02)) * (0.8 if flat else 2.0), int(random.choice([60, 150, 400])), int(random.integers(120, 260)),
                 str(random.choice(["", "step", "step version"])))


def log_softmax(logits):
    top = logits.max(axis=-1, keepdims=True)
    return logits - top - numpy.log(numpy.exp(logits - top).sum(axis=-1, keepdims=True))


def cut(law, top_p, top_k, min_p):
    """The law over what top-p, top-k or min-p leaves of it."""
    order = numpy.argsort(-law, axis=-1)
    ranked = numpy.take_along_axis(numpy.exp(law), order, axis=-1)
    keep = (ranked.cumsum(axis=-1) - ranked < top_p) & (numpy.arange(law.shape[-1]) < top_k) & (ranked >= min_p * ranked[..., :1])
    kept = numpy.zeros_like(keep)
    numpy.put_along_axis(kept, order, keep, axis=-1)
    return log_softmax(numpy.where(kept, law, -numpy.inf))


def draw(random, law):
    return (numpy.exp(law).cumsum(axis=-1) < random.random((len(law), 1))).sum(axis=-1).clip(0, law.shape[-1] - 1)


def response(random, of, step, scale, faults):
    """One response, as (train, infer, mask, version)."""
    size = int(random.integers(5, of.longest + 1))
    # How open a token is goes on for a while, as it does in texts; noise is more at some responses, and a little more further on.
    mood = numpy.empty(size)
    mood[0] = random.normal()
    for i in range(1, size):
        mood[i] = 0.6 * mood[i - 1] + 0.8 * random.normal()
    sharpness = numpy.exp((0.9 if of.flat else 2.2) + 0.5 * mood)[:, None]
    logits = sharpness * random.normal(0, 1, (size, VOCABULARY))
    place = numpy.arange(size)
    noise = of.noise * scale * (1 + 0.2 * place / max(of.longest, 1))[:, None]
    if "length" in faults and size > faults["length"]["above"]:
        noise = noise * faults["length"]["times"]
    trainer = logits + noise * random.standard_t(6, logits.shape) / 1.22
    version = step
    server = logits
    if "weights" in faults:
        version = step - int(random.integers(0, 5)) if "lags" in faults["weights"] else 0
        trainer = trainer + faults["weights"]["strength"] * (step - version) * random.normal(0, 1, logits.shape)
    if "cache" in faults:
        refits = 1 + step % 4  # since the engine was restarted
        trainer = trainer + faults["cache"]["strength"] * refits * (place / 50)[:, None] * random.normal(0, 1, logits.shape)
    if "quantisation" in faults:
        trainer = trainer + faults["quantisation"]["strength"] * random.normal(0, 1, logits.shape)
    if "routing" in faults:
        rare = random.random((size, 1)) < faults["routing"]["share"]
        trainer = trainer + rare * faults["routing"]["strength"] * random.normal(0, 1, logits.shape)
    p, q = log_softmax(trainer), log_softmax(server)
    sampled = logged = q
    if "temperature" in faults:
        at = faults["temperature"]["at"]
        if faults["temperature"].get("raw"):
            sampled, p = log_softmax(server / at), log_softmax(trainer / at)
        elif faults["temperature"].get("trainer"):
            p = log_softmax(trainer / at)
        else:
            sampled = logged = log_softmax(server / at)
    if "support" in faults:
        to = faults["support"].get("top_p", 1), faults["support"].get("top_k", VOCABULARY), faults["support"].get("min_p", 0)
        sampled = cut(sampled, *to)
        if faults["support"].get("trainer"):
            p = cut(p, *to)
        else:
            logged = sampled
    ids = draw(random, sampled)
    train, infer, mask = p[place, ids], logged[place, ids], numpy.ones(size, int)
    if "shift" in faults:
        train = numpy.roll(train, faults["shift"]["by"])
    if "edited" in faults and random.random() < faults["edited"]["share"]:
        train = edited(random, faults["edited"], train)
    if "mask" in faults:
        train, infer, mask = unmasked(random, faults["mask"], train, infer, mask)
    return train, infer, mask, version


def edited(random, fault, train):
    """What the trainer says of a text that was changed after it was sampled: some tokens have gone, so the rest moved, or some were replaced."""
    out, size = train.copy(), len(train)
    at = int(random.integers(0, max(size // 2, 1)))
    if fault["of"] == "gone":
        out[at:] = numpy.roll(train[at:], -int(random.integers(2, 16)))
    else:
        count = max(1, int(size * fault["tokens"]))
        out[at : at + count] = -random.exponential(3, len(out[at : at + count]))
    return out


def unmasked(random, fault, train, infer, mask):
    """A mask that lets something in that the server did not draw, for which it logged 0, or the log-prob of another token."""
    prompt = -random.exponential(3, 1)
    if fault["of"] == "prompt":
        return numpy.append(prompt, train), numpy.append(0.0, infer), numpy.append(1, mask)
    if fault["of"] == "other":
        return numpy.append(prompt, train), numpy.append(-random.exponential(1, 1), infer), numpy.append(1, mask)
    said = -random.exponential(2.5, max(1, int(len(train) * fault["share"])))
    at = int(random.integers(0, len(train)))
    return numpy.insert(train, at, said), numpy.insert(infer, at, said * 0), numpy.insert(mask, at, [1] * len(said))


def run(seed, faults):
    """A run of so many steps. Where a fault shows by steps or versions alone, the data name them."""
    if "minority" in faults:
        return some(seed, faults["minority"], 8)
    random = numpy.random.default_rng(seed)
    of = world(random)
    if "weights" in faults:
        of.names = faults["weights"].get("names", "step version")
    if "cache" in faults or "length" in faults:
        of.longest = max(of.longest, 150)
    out = []
    for i in range(of.responses):
        step = i * STEPS // of.responses
        train, infer, mask, version = response(random, of, step, float(numpy.exp(random.normal(0, 0.2))), faults)
        line = {"train": [float(numpy.float32(each)) for each in train], "infer": [float(numpy.float32(min(each, 0))) for each in infer], "mask": [int(each) for each in mask]}
        for name, side in (("train", "trainer"), ("infer", "server")):
            if side in faults.get("probabilities", {}):
                line[name] = numpy.exp(line[name]).tolist()
        if "step" in of.names:
            line["step"] = step
        if "version" in of.names:
            line["version"] = version
        out.append(line)
    return out


def some(seed, faults, one_of):
    """A run in which one of so many responses has the faults."""
    return [each if i % one_of == 0 else clean for i, (each, clean) in enumerate(zip(run(seed, faults), run(seed, {})))]


def lines(responses):
    return "".join(json.dumps(each) + "\n" for each in responses)


# Each fault at several strengths: (its key, a name, whether threads in public tell of as much, what it is made of).
SINGLE = [
    ("none", "rounding alone", True, {}),
    ("probabilities", "at the trainer", True, {"probabilities": {"trainer": True}}),
    ("probabilities", "at both", True, {"probabilities": {"trainer": True, "server": True}}),
    ("shift", "one token on", True, {"shift": {"by": 1}}),
    ("shift", "one token back", True, {"shift": {"by": -1}}),
    ("mask", "the prompt's last token counts", True, {"mask": {"of": "prompt"}}),
    ("mask", "the same, with a log-prob of another token", True, {"mask": {"of": "other"}}),
    ("mask", "tools' answers count, 2% of tokens", True, {"mask": {"of": "tools", "share": 0.02}}),
    ("mask", "tools' answers count, 10%", True, {"mask": {"of": "tools", "share": 0.1}}),
    ("edited", "a tenth of responses, from some place on", True, {"edited": {"of": "gone", "share": 0.1}}),
    ("edited", "a quarter of responses", True, {"edited": {"of": "gone", "share": 0.25}}),
    ("edited", "a fifth of the tokens of a tenth", True, {"edited": {"of": "replaced", "share": 0.1, "tokens": 0.2}}),
    ("edited", "from some place on in 4% of responses", False, {"edited": {"of": "gone", "share": 0.04}}),
    ("support", "top-p 0.9 at the server", True, {"support": {"top_p": 0.9}}),
    ("support", "top-p 0.95", True, {"support": {"top_p": 0.95}}),
    ("support", "top-p 0.99", False, {"support": {"top_p": 0.99}}),
    ("support", "top-k 5 of 48", True, {"support": {"top_k": 5}}),
    ("support", "top-k 20 of 48", False, {"support": {"top_k": 20}}),
    ("support", "min-p 0.05", True, {"support": {"min_p": 0.05}}),
    ("support", "top-p 0.9, logged before the cut", True, {"support": {"top_p": 0.9, "trainer": True}}),
    ("temperature", "0.6 at the server", True, {"temperature": {"at": 0.6}}),
    ("temperature", "0.9", True, {"temperature": {"at": 0.9}}),
    ("temperature", "1.2", True, {"temperature": {"at": 1.2}}),
    ("temperature", "1.02", False, {"temperature": {"at": 1.02}}),
    ("temperature", "0.7 at the trainer", True, {"temperature": {"at": 0.7, "trainer": True}}),
    ("temperature", "0.8, and the server logs raw", True, {"temperature": {"at": 0.8, "raw": True}}),
    ("cache", "a little a refit", True, {"cache": {"strength": 0.03}}),
    ("cache", "a lot", True, {"cache": {"strength": 0.3}}),
    ("cache", "hardly anything", False, {"cache": {"strength": 0.005}}),
    ("weights", "lags of 0 to 4", True, {"weights": {"strength": 0.05, "lags": True}}),
    ("weights", "the same, only versions are recorded", False, {"weights": {"strength": 0.05, "lags": True, "names": "version"}}),
    ("weights", "never arrived", True, {"weights": {"strength": 0.05}}),
    ("weights", "never arrived, by step alone", True, {"weights": {"strength": 0.05, "names": "step"}}),
    ("weights", "small updates", False, {"weights": {"strength": 0.01, "lags": True}}),
    ("length", "four times the rounding above 64 tokens", True, {"length": {"above": 64, "times": 4}}),
    ("length", "ten times above 128", True, {"length": {"above": 128, "times": 10}}),
    ("length", "twice above 64", False, {"length": {"above": 64, "times": 2}}),
    ("minority", "int4 in an eighth of responses", True, {"minority": {"quantisation": {"strength": 0.8}}}),
    ("minority", "FP8 in an eighth", False, {"minority": {"quantisation": {"strength": 0.3}}}),
    ("minority", "temperature 0.6 in an eighth", True, {"minority": {"temperature": {"at": 0.6}}}),
    ("minority", "top-k 5 in an eighth", False, {"minority": {"support": {"top_k": 5}}}),
    ("routing", "0.3% of tokens", True, {"routing": {"share": 0.003, "strength": 1.0}}),
    ("routing", "1%", True, {"routing": {"share": 0.01, "strength": 1.0}}),
    ("routing", "3%, far", True, {"routing": {"share": 0.03, "strength": 2.0}}),
    ("routing", "0.3%, near", False, {"routing": {"share": 0.003, "strength": 0.3}}),
    ("quantisation", "int8", True, {"quantisation": {"strength": 0.12}}),
    ("quantisation", "FP8", True, {"quantisation": {"strength": 0.3}}),
    ("quantisation", "int4", True, {"quantisation": {"strength": 0.8}}),
    ("quantisation", "near to rounding", False, {"quantisation": {"strength": 0.03}}),
]
PAIRS = [
    ("support temperature", {"support": {"top_p": 0.9}, "temperature": {"at": 0.9}}),
    ("edited temperature", {"edited": {"of": "gone", "share": 0.15}, "temperature": {"at": 0.9}}),
    ("edited quantisation", {"edited": {"of": "gone", "share": 0.15}, "quantisation": {"strength": 0.12}}),
    ("support weights", {"support": {"top_p": 0.9}, "weights": {"strength": 0.2, "lags": True}}),
    ("mask temperature", {"mask": {"of": "tools", "share": 0.05}, "temperature": {"at": 0.9}}),
    ("mask quantisation", {"mask": {"of": "tools", "share": 0.05}, "quantisation": {"strength": 0.3}}),
    ("temperature weights", {"temperature": {"at": 1.2}, "weights": {"strength": 0.3, "lags": True}}),
    ("cache quantisation", {"cache": {"strength": 0.3}, "quantisation": {"strength": 0.2}}),
    ("weights quantisation", {"weights": {"strength": 0.2, "lags": True}, "quantisation": {"strength": 0.2}}),
    ("routing quantisation", {"routing": {"share": 0.01, "strength": 3.0}, "quantisation": {"strength": 0.12}}),
    ("cache weights", {"cache": {"strength": 0.1}, "weights": {"strength": 0.1, "lags": True}}),
]
