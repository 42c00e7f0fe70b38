"""Two kernels whose laws are known: a server that draws from softmax(z), and a trainer whose logits are z and noise. One fault at a time."""

import json

import numpy


def log_softmax(logits):
    logits = logits - logits.max(axis=-1, keepdims=True)
    return logits - numpy.log(numpy.exp(logits).sum(axis=-1, keepdims=True))


def simulate(seed, responses=240, noise=0.02, vocabulary=32, length=(20, 160), times=None, late=1.0, temperature=1.0, shift=0, levels=0, **fields):
    """Responses as objects, and the mean total variation of their contexts. `times` is by task, `late` from position 64 on; the server logs at a
    `temperature`, or tokens beside the right ones, or rounds its logits to so many `levels` a nat."""
    random = numpy.random.default_rng(seed)
    out, variation = [], []
    for i in range(responses):
        size = int(random.integers(*length))
        task = ("math", "code", "chat")[i % 3]
        logits = random.normal(0, 2, (size, vocabulary))
        scale = noise * (times or {}).get(task, 1) * numpy.where(numpy.arange(size) < 64, 1, late)[:, None]
        trainer = log_softmax(logits + random.normal(0, 1, logits.shape) * scale)
        if levels:
            logits = numpy.round(logits * levels) / levels
        server = log_softmax(logits)
        ids = (numpy.exp(server).cumsum(axis=1) < random.random((size, 1))).sum(axis=1).clip(0, vocabulary - 1)
        at = numpy.arange(size)
        variation += list(numpy.abs(numpy.exp(trainer) - numpy.exp(server)).sum(axis=1) / 2)
        logged = numpy.roll(log_softmax(logits / temperature)[at, ids], shift)
        out.append({"id": f"{seed}-{i}", "train": numpy.float32(trainer[at, ids]).astype(float).tolist(), "infer": numpy.float32(logged).astype(float).tolist(),
                    "task": task, "finish_reason": ("stop", "length")[i % 2], **{name: value(i) for name, value in fields.items()}})
    return out, float(numpy.mean(variation))


def lines(records):
    return "".join(json.dumps(each) + "\n" for each in records)


def gaps(record):
    return (numpy.float32(record["train"]) - numpy.float32(record["infer"])).astype(numpy.float64)
