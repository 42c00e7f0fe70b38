"""What the C interface is tried on: a contract with all there is, observations of it, and the program in C++ that sees the same."""

import random
import struct
from ctypes import byref

from c_library import Times

CONTRACT = """tikc: v1
contract: c.loop
version: 2.1.0
kernels:
  trainer: { engine: megatron, weights: bf16, sampling: { temperature: 0.8 } }
  recompute: { engine: transformers, weights: bf16 }
  server: { engine: tensorrt-llm, weights: bf16, build: trt-7, sampling: { temperature: 1.25 } }
chain: [trainer, recompute, server]
model: { vocabulary: 130, digest: "sha256:cafe" }
labels: { task: [math, code] }
assumptions: { reward: [0, 1], advantage: 4 }
slices:
  math: { when: task == "math", weight: 40% }
  old: { when: model_version == "v1", weight: 20% }
  long: { when: prompt_tokens >= 1000, weight: 20% }
numerical:
  near: { require: max(logit_osc) <= 0.4, link: [trainer, recompute] }
  far: { require: mean(tv) <= 0.05, link: [recompute, server], over: 3 windows }
  finite: { require: count(nonfinite) == 0, link: [trainer, server] }
  experts: { require: max(route_flip) <= 0.5, link: [trainer, server], slices: [math, long] }
statistical:
  gap: { require: p99(abs(logprob_gap)) <= 0.2 nat, link: [trainer, server] }
  worst: { require: max(ratio) <= 1.5, link: [trainer, recompute] }
  k3: { require: mean(k3) <= 0.002 on all, link: [trainer, server], over: 1000 tokens }
  alike: { require: mean_by_response(tv_sampled) <= 5% with confidence 99%, link: [trainer, server] }
  step: { require: max(k3) <= 0.05, link: [trainer, server], over: 2 steps }
  sizes: { require: mean_by_response(abs(k1)) <= 0.1, link: [trainer, recompute] }
  answers: { require: mean(seq_tv) <= 40% with confidence 99%, link: [trainer, server] }
runtime:
  latency: p90(latency) <= 5 s over 5 min
  batching: max(batch_drift) <= 0.05
  again: max(replay_drift) <= 0.05
observability:
  rows: sample(logits, 100%)
  tokens: sample(logprobs, 100%)
  requests: sample(requests, 100%)
  routes: sample(routes, 100%)
  batches: replay(batch, 100%)
  replays: replay(request, 100%)
claims:
  reward: reward_drift <= 1
escalation:
  poison: { when: violated(finite), do: [rollback, alert("on-call")] }
  server: { when: violated(gap) or violated(near), do: ['route(recompute, probe=1%)', alert("serving")], until: satisfied(gap) for 2 windows }
  stale: { when: undecided(any) for 3 windows, do: hold }
promotion:
  offline: { tokens: 1_000_000 tokens, data: evals/rl.jsonl }
  canary: { traffic: 5%, window: 10 min, tokens: 5_000_000 tokens, lasts: 12 h }
  full: { traffic: 100%, window: 10 min }
"""

# Findings of raw observations by CheckerDriver.h; or, of tallies as bytes, all that comes after.
DRIVER = """#include "{header}"
#include "CheckerDriver.h"
#include "tikc/json.h"
#include "tikc/openmetrics.h"
#include "tikc/wire.h"
using namespace {space};
static void put(const char* piece, std::size_t size) {{ std::fwrite(piece, 1, size, stdout); }}
static void show(std::size_t rule, const tikc::action& of) {{
  std::printf(" %d %zu %s %.17g %.17g", static_cast<int>(of.kind) + 1, rule, of.text, of.first, of.second);
}}
static int snapshot() {{
  tikc_test::Input input;
  auto judged = std::make_unique<checker>();
  auto total = std::make_unique<tally>();
  auto routed = std::make_unique<router>();
  judged->start(0);
  while (input.kind() == 'W') {{
    auto bytes = input.take<unsigned char>(input.take<std::uint32_t>());
    auto observed = std::make_unique<tally>();
    if (tikc::parse(bytes.data(), bytes.size(), *observed) != tikc::wire_error::none)
      return 5;
    std::vector<unsigned char> again(bytes.size());
    if (tikc::serialise(*observed, again.data(), again.size()) != bytes.size() || again != bytes)
      return 6;
    total->merge(*observed);
    judged->merge(*observed);
    judged->end_step();
    judged->evaluate(input.take<double>());
    router::verdicts verdicts;
    judged->verdicts(verdicts);
    for (auto& row : verdicts)
      for (auto each : row)
        std::printf("%d", static_cast<int>(each.is) | (each.is_kept ? 4 : 0));
    routed->tick(verdicts, input.take<std::uint8_t>());
    std::printf("\\n");
    for (const auto& each : *routed)
      std::printf("changed %d %d %d %d %d %d %d %llu\\n", each.rule, each.slice, static_cast<int>(each.what), each.step, each.clause,
                  static_cast<int>(each.seen), each.stage, static_cast<unsigned long long>(each.tick));
    for (std::size_t slice = 0; slice < router::slices; ++slice) {{
      std::printf("does");
      routed->visit(slice, [](std::size_t rule, const tikc::action& of) {{ show(rule, of); }});
      std::printf("\\ndecides");
      if (auto chosen = routed->decide(slice); chosen.traffic)
        show(chosen.rule, *chosen.traffic);
      std::printf("\\n");
    }}
  }}
  tikc::write_json(*judged, *total, put);
  tikc::write_prometheus(*judged, *total, put);
  tikc::write_openmetrics(*judged, *total, put);
  tikc::serialise(*routed, put);
  return 0;
}}
int main(int count, char** arguments) {{ return count > 1 ? snapshot() : tikc_test::drive<plan>(count, arguments); }}
"""


def floats(draw, count, centre, spread):
    """As many as single precision keeps."""
    values = [draw.gauss(centre, spread) for _ in range(count)]
    return list(struct.unpack(f"<{count}f", struct.pack(f"<{count}f", *values)))


class World:
    """Observations, as calls of the library and as the bytes that CheckerDriver.h reads."""

    def __init__(self, seed, slices, streams, vocabulary):
        self.draw, self.slices, self.streams, self.vocabulary, self.id = random.Random(seed), slices, streams, vocabulary, 0
        self.own = random.Random(seed + 1)  # apart, so that what is drawn of all else stays
        self.ticks = [[*(self.event(tick, kind) for kind in "RTSMOQP" for _ in range(12 if kind in "RTSM" else 30)), *(self.handed(tick) for _ in range(9))]
                      for tick in range(7)]

    def next(self):
        self.id += 1
        return self.id

    def batch(self, scale):
        size = self.draw.choice([0, 1, 17, 140])
        infer = [min(x, 0.0) for x in floats(self.draw, size, -2, 1)]
        train = struct.unpack(f"<{size}f", struct.pack(f"<{size}f", *(min(x + self.draw.gauss(0, scale), 0.0) for x in infer)))
        mask = [self.draw.randrange(4) > 0 for _ in infer] if self.draw.randrange(2) else None
        if size == 140 and scale > 1:
            infer[3], infer[5] = float("nan"), float("-inf")
        return self.next() * 1000, train, infer, mask

    @staticmethod
    def bytes_of(batch):
        first, train, infer, mask = batch
        return struct.pack(f"<IBQ{2 * len(train)}f", len(train), mask is not None, first, *train, *infer) + bytes(mask or [])

    def handed(self, tick):
        """A number that assumptions may be about; late ones break them."""
        quantity, id_ = self.own.randrange(5), self.next()
        value = self.own.choice([0.0, 0.5, 1.0, *([1.5, -4.5, float("nan")] if tick > 4 else [])])
        return lambda c, t: c.hand_in(t, quantity, [value], id_), b"A" + struct.pack("<BdQ", quantity, value, id_)

    def event(self, tick, kind):
        draw, place, stream, scale = self.draw, self.draw.randrange(self.slices), self.draw.randrange(self.streams), [0.001, 0.02, 0.3, 2.0][tick % 4]
        head = kind.encode()
        if kind == "R":
            sides = []
            row = floats(draw, self.vocabulary, 0, 3)
            if draw.randrange(8) == 0 and tick % 2:
                row[7] = draw.choice([float("nan"), float("-inf")])
            for _ in range(2):
                form = draw.choice([0, 1])
                moved = struct.pack(f"<{len(row)}f", *(x + draw.gauss(0, scale) for x in row))
                sides.append((form, moved if form == 0 else b"".join(moved[i + 2: i + 4] for i in range(0, len(moved), 4))))
            id_ = self.next()
            return (lambda c, t: c.row(t, stream, place, id_, *sides),
                    head + struct.pack("<BBBBQ", stream, place, sides[0][0], sides[1][0], id_) + sides[0][1] + sides[1][1])
        if kind == "T":
            batch = self.batch(scale)
            return lambda c, t: c.tokens(t, stream, place, batch), head + struct.pack("<BB", stream, place) + self.bytes_of(batch)
        if kind == "S":
            id_, batches = self.next(), [self.batch(scale / 20) for _ in range(draw.randrange(4))]
            return (lambda c, t: c.response(t, stream, place, id_, batches),
                    head + struct.pack("<BBQB", stream, place, id_, len(batches)) + b"".join(map(self.bytes_of, batches)))
        if kind == "M":
            batch = self.batch(scale)
            places = [draw.randrange(self.slices + 1) for _ in batch[1]]
            return lambda c, t: c.mixed(t, stream, places, batch), head + struct.pack("<B", stream) + self.bytes_of(batch) + bytes(places)
        id_ = self.next()
        if kind == "O":
            share = draw.randrange(9) / 8
            return (lambda c, t: c.must("tally_observe_routes", t, stream, place, share, id_), head + struct.pack("<BBdQ", stream, place, share, id_))
        if kind == "Q":
            times = [draw.lognormvariate(1, 0.5) if draw.randrange(5) else -1.0 for _ in range(4)]
            failed = draw.randrange(9) == 0
            return (lambda c, t: c.must("tally_observe_request", t, place, byref(Times(*times, failed)), id_),
                    head + struct.pack("<B4dBQ", place, *times, failed, id_))
        name, drift = draw.choice(["batch", "request"]), draw.expovariate(50)
        return (lambda c, t: c.must(f"tally_observe_{name}_replay", t, place, drift, id_), head + struct.pack("<BBdQ", name == "batch", place, drift, id_))
