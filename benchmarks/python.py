#!/usr/bin/python3
"""What watching costs a training step: `monitor.tokens` of a batch of responses beside the same calls of libtikc in a loop of C++, in the same run, then a
whole step of a hook, and what a call costs that observes nothing. NumPy arrays and Torch tensors of the CPU; each in turn, and the best of some rounds.
Prints a table in Markdown. Nothing here passes or fails: it measures.

  benchmarks/python.py [--responses 64] [--tokens 4096] [--rounds 50] [--library build/release/lib/libtikc.so]
"""

import argparse
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parents[1]
CONTRACT = """tikc: v1
contract: measured
version: 1.0.0
kernels:
  trainer: { engine: fsdp2, weights: bf16 }
  rollout: { engine: vllm, weights: bf16 }
pair: { train: trainer, infer: rollout }
statistical:
  gap: mean(abs(logprob_gap)) <= 0.5 nat
  k3: mean(k3) <= 0.5 nat
numerical:
  far: p99(abs(logprob_gap)) <= 1 nat
observability:
  tokens: sample(logprobs, 100%)
"""
LOOP = r"""
#include <tikc.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void must(tikc_status status) { if (status != TIKC_OK) std::exit(static_cast<int>(status) + 10); }

static std::vector<char> bytesOf(const char* path) {
  std::FILE* in = std::fopen(path, "rb");
  std::fseek(in, 0, SEEK_END);
  std::vector<char> out(static_cast<std::size_t>(std::ftell(in)));
  std::rewind(in);
  if (std::fread(out.data(), 1, out.size(), in) != out.size()) std::exit(1);
  std::fclose(in);
  return out;
}

int main(int, char** words) {
  const std::size_t responses = std::strtoull(words[3], nullptr, 10), tokens = std::strtoull(words[4], nullptr, 10);
  tikc_document* document = nullptr;
  tikc_contract* contract = nullptr;
  tikc_tally* tally = nullptr;
  must(tikc_open(words[1], &document));
  must(tikc_document_contract(document, 0, &contract));
  must(tikc_tally_create(contract, &tally));
  const std::vector<char> data = bytesOf(words[2]);
  const auto* train = reinterpret_cast<const float*>(data.data());
  const float* infer = train + responses * tokens;
  const auto* mask = reinterpret_cast<const uint8_t*>(infer + responses * tokens);
  double best = 1e9;
  for (long round = std::atol(words[5]); round != 0; --round) {
    const auto began = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < responses; ++i) {
      const tikc_tokens each{train + i * tokens, infer + i * tokens, mask + i * tokens, tokens, (i << 24) + 1};
      tikc_sequence response{};
      must(tikc_tally_observe_response(tally, 0, 0, &each, &response));
      must(tikc_tally_end_response(tally, 0, 0, &response, i << 24));
    }
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    best = took < best ? took : best;
  }
  std::printf("%.9f\n", best);
  return 0;
}
"""


def best(rounds, call):
    out = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        out = min(out, time.perf_counter() - began)
    return out


def loop(folder, library, arrays, shape, rounds):
    """The same data, shown by C++."""
    (folder / "loop.cpp").write_text(LOOP)
    (folder / "c.tikc.yaml").write_text(CONTRACT)
    (folder / "data").write_bytes(b"".join(each.tobytes() for each in arrays))
    subprocess.run(["g++", "-std=c++17", "-O2", f"-I{ROOT}/library/include", f"-I{ROOT}/runtime/include", str(folder / "loop.cpp"), str(library),
                    f"-Wl,-rpath,{library.parent}", "-o", str(folder / "loop")], check=True)
    return lambda: float(subprocess.run([folder / "loop", folder / "c.tikc.yaml", folder / "data", *map(str, shape), str(rounds)], check=True,
                                        capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--responses", type=int, default=64)
    parser.add_argument("--tokens", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--library", type=Path, default=ROOT / "build/release/lib/libtikc.so")
    asked = parser.parse_args()
    os.environ["TIKC_LIBRARY"] = str(asked.library.resolve())
    sys.path.insert(0, str(ROOT / "python"))
    import tikc
    import tikc.hooks.loop

    shape = asked.responses, asked.tokens
    draw = numpy.random.default_rng(1)
    infer = -draw.exponential(0.7, shape).astype(numpy.float32)
    train = numpy.minimum(infer + draw.normal(0, 0.02, shape), 0).astype(numpy.float32)
    mask = (draw.random(shape) < 0.9).astype(numpy.uint8)
    contract = tikc.loads(CONTRACT)
    monitor = contract.monitor(on_fault="raise")
    masking = contract.monitor(on_fault="raise", on_violation="mask")
    with contextlib.redirect_stderr(io.StringIO()):
        watch = tikc.hooks.loop.watch(contract)
    rows = [("`monitor.tokens`, NumPy", lambda: monitor.tokens(train, infer, mask=mask))]
    try:
        import torch

        tensors = [torch.from_numpy(each) for each in (train, infer, mask)]
        longs = tensors[2].long()
        rows += [("`monitor.tokens`, Torch", lambda: monitor.tokens(*tensors[:2], mask=tensors[2])),
                 ("the same, with a mask of int64, as trainers have it", lambda: monitor.tokens(*tensors[:2], mask=longs)),
                 ("the same in bf16", lambda half=[each.bfloat16() for each in tensors[:2]]: monitor.tokens(*half, mask=tensors[2])),
                 ("a hook's step, which observes, judges and gives numbers", lambda: watch.step(*tensors[:2], mask=tensors[2]))]
    except ImportError:
        rows += [("a hook's step, which observes, judges and gives numbers", lambda: watch.step(train, infer, mask=mask))]
    rows += [("with `on_violation=\"mask\"`", lambda: masking.tokens(train, infer, mask=mask)),
             ("a call that observes one token", lambda: monitor.tokens(train[0, :1], infer[0, :1])),
             ("`tick()`", monitor.tick)]
    with tempfile.TemporaryDirectory() as folder:
        in_cpp = loop(Path(folder), asked.library.resolve(), (train, infer, mask), shape, asked.rounds)
        of_cpp = min(in_cpp() for _ in range(3))
        times = {name: best(asked.rounds, call) for name, call in rows}
        of_cpp = min(of_cpp, in_cpp())
    count = asked.responses * asked.tokens
    print(f"{asked.responses} responses of {asked.tokens:,} tokens\n\n| | ms | ns a token | of the loop's throughput |\n|---|---|---|---|")
    print(f"| a loop of C++ over libtikc | {of_cpp * 1e3:.3f} | {of_cpp / count * 1e9:.2f} | 100% |")
    for name, took in times.items():
        is_whole = "token`" not in name and name not in ("a call that observes one token", "`tick()`")
        print(f"| {name} | {took * 1e3:.3f} | " + (f"{took / count * 1e9:.2f} | {of_cpp / took:.0%} |" if is_whole else " | |"))


if __name__ == "__main__":
    main()
