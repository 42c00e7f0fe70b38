"""A contract, and responses of a run whose server falls behind, that make every part of a page: for the tests of pages and for who looks at one."""

import numpy

from harness import HEAD

CONTRACT = HEAD.format(name="rollout.page", middle="", parties="pair: { train: trainer, infer: rollout }") + """labels: { task: [math, code, chat] }
assumptions: { support: full, reward: [0, 1] }
slices:
  math: { when: task == "math" }
  code: { when: task == "code" }
statistical:
  worst: max(abs(logprob_gap)) <= 1 nat
  usual: p99(abs(logprob_gap)) <= 0.1 nat
  gap: mean(abs(logprob_gap)) <= 0.02 nat over 2_000 tokens
  spread: quantile(abs(logprob_gap), 0.999) <= 0.2 nat
  answers: mean(seq_tv) <= 40% over 50 sequences with confidence 90%
observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 100%)
  logs: coherent(logprobs, 99%)
claims:
  token_tv: tv <= 0.05
  reward: reward_drift <= 0.9
escalation:
  drift: { when: violated(gap) for 2 windows, do: alert("rl"), until: satisfied(gap) for 4 windows }
  rest: { when: violated(any) or violated(logs) or undecided(any) for 6 windows, do: hold, until: satisfied(any) }
"""


def responses(steps=40, each=20, seed=1, noise=0.008, growth=1.5):
    """Steps of responses, of which those on code drift apart while the server's version stays behind."""
    random = numpy.random.default_rng(seed)
    out = []
    for step in range(1, steps + 1):
        for i in range(each):
            task = ("math", "code", "chat")[i % 3]
            infer = numpy.float32(-random.exponential(0.7, int(random.integers(10, 120))))
            size = noise * (1 + growth * step / steps * 4 * (task == "code"))
            train = numpy.minimum(infer + numpy.float32(random.normal(-size**2 / 2, size, infer.size) * (1 - numpy.exp(infer) * 0.5)), 0)
            out.append({"train": train.tolist(), "infer": infer.tolist(), "task": task, "step": step, "version": step - step % 8,
                        "reward": float(random.integers(0, 2))})
    return out
