#!/usr/bin/python3
"""Times `tikc check` beside promtool and yamllint on files of like size, in turn in one run, and what claims cost; prints tables in Markdown.

Each figure is the median of whole-process wall times; peers alternate with tikc so that a noisy machine disturbs both. A peer that is
not installed is left out, and said so. Nothing here passes or fails: it measures.

  benchmarks/run.py --tikc build/release/bin/tikc [--runs 20] [--quick]
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CONTRACT = """\
tikc: v1
contract: bench.{n}
version: 1.0.0
summary: Rollouts with an FP8 KV cache against a BF16 trainer.
kernels:
  trainer: {{ engine: fsdp2, weights: bf16, compute: bf16 }}
  rollout: {{ engine: vllm, weights: bf16, kv_cache: fp8_e4m3 }}
pair: {{ train: trainer, infer: rollout }}
model: {{ vocabulary: 151936, horizon: 4096 tokens }}
assumptions: {{ support: full }}
numerical:
  worst_drift: max(logit_osc) <= 1
  usual_drift: p99(logit_osc) <= 0.25
statistical:
  gap: p99(abs(logprob_gap)) <= 0.1 nat over 50_000 tokens with confidence 99%
  k3: mean(k3) <= 2e-3
observability:
  rows: sample(logits, 0.2%)
  tokens: sample(logprobs, 100%)
claims:
  token_tv: mean(tv) <= 0.065
escalation:
  drift: {{ when: violated(any) for 2 windows, do: alert("rl-oncall") }}
  stale: {{ when: undecided(any) for 6 windows, do: hold }}
promotion:
  shadow: {{ traffic: 1%, window: 10 min, tokens: 2_000_000 tokens }}
"""

PROVED_HEAD = """\
tikc: v1
contract: bench.prover
version: 1.0.0
kernels:
  trainer: {{ engine: fsdp2, weights: bf16, compute: bf16 }}
  rollout: {{ engine: vllm, weights: bf16, kv_cache: fp8_e4m3 }}
pair: {{ train: trainer, infer: rollout }}
model: {{ vocabulary: 151936, horizon: 4096 tokens, temperature: 1 }}
labels: {{ task: [{tasks}] }}
assumptions:
  {{ support: full, reward: [0, 1], step_reward: [0, 1], discount: 0.99, advantage: 4, score_norm: 8, estimator: token, correction: tis(2) }}
"""

PROVED_TAIL = """\
escalation:
  drift: { when: violated(any) for 2 windows, do: alert("rl-oncall") }
  stale: { when: undecided(any) for 6 windows, do: hold }
observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 100%)
"""

ROWS = ["max(logit_osc) <= {:.3f}", "p99(logit_osc) <= {:.3f}", "p90(logit_osc) <= {:.3f}", "mean(logit_osc) <= {:.3f}",
        "max(logprob_linf) <= {:.3f}", "max(logit_linf) <= {:.3f}", "mean(tv) <= {:.4f}", "max(tv) <= {:.4f}",
        "mean(kl_infer_train) <= {:.5f}", "max(chi2) <= {:.4f}"]
SAMPLES = ["mean(k3) <= {:.5f}", "mean(abs(logprob_gap)) <= {:.4f}", "p99(abs(logprob_gap)) <= {:.4f}", "mean(tv_sampled) <= {:.4f}",
           "mean(seq_tv) <= {:.3f}"]
CLAIMS = ["tv <= 0.5", "max(tv) <= 0.5", "ess >= 1%", "kl_infer_train <= 1 nat", "kl_train_infer <= 1 nat", "max(ratio) <= 3", "chi2 <= 1",
          "p99(tv) <= 0.5", "hellinger <= 0.5", "seq_tv <= 99.9%", "seq_kl <= 1000 nat", "reward_drift <= 1",
          "discounted_reward_drift <= 100", "pg_bias <= 1e6", "entropy_gap <= 11 nat", "step_reward_drift <= 0.5", "js <= 0.5 nat",
          "p95(ratio) <= 3", "min(ratio) >= 0.1", "tv <= 0.5 on all"]

RULES_HEAD = "groups:\n  - name: bench{n}\n    interval: 30s\n    rules:\n"
RULE = """\
      - record: kernel:logprob_gap:p99_{i}
        expr: histogram_quantile(0.99, sum by (le) (rate(kernel_logprob_gap_bucket[10m])))
      - alert: KernelDrift{i}
        expr: kernel:logprob_gap:p99_{i} > 0.1
        for: 20m
        labels: {{ severity: page }}
"""


def contract(n):
    return CONTRACT.format(n=n)


def rules(n, size):
    text = RULES_HEAD.format(n=n)
    i = 0
    while len(text) < size:
        text += RULE.format(i=i)
        i += 1
    return text


def large_contract(size):
    """One contract of about the size: half its clauses as strings, half as maps, as hand-written ones are; no clause follows from another."""
    head = contract(0).split("observability:")
    parts, length, i = [head[0]], len(head[0]), 0
    while length < size:
        part = (f"  gap_{i}: rate(abs(logprob_gap) > 0.{100_000 + i}) <= 1% over 50_000 tokens with confidence 99%\n"
                f"  ratio_{i}:\n    require: rate(ratio > 2.{100_000 + i}) <= 1%\n    because: Clause number {i} of many.\n")
        parts.append(part)
        length += len(part)
        i += 1
    return "".join(parts) + "observability:" + head[1]


def proved_contract(slices, claims=True):
    """50 clauses and 20 claims that hold; half of the clauses bind a quarter of the slices each, so that no two slices promise the same."""
    rng = random.Random(slices)
    names = [f"s{i}" for i in range(slices)]
    share = f"{10000 // (slices + 1) / 100}%"
    text = PROVED_HEAD.format(tasks=", ".join(f"t{i}" for i in range(slices))) + "slices:\n"
    for i, name in enumerate(names):
        text += f"  {name}: {{ when: task == \"t{i}\", weight: {share}, token_weight: {share} }}\n"
    for family, measures, count in (("numerical", ROWS, 30), ("statistical", SAMPLES, 20)):
        text += f"{family}:\n"
        for i in range(count):
            where = " on " + ", ".join(sorted(rng.sample(names, max(1, slices // 4)))) if i % 2 else ""
            text += f"  {family}_{i}: {measures[i % len(measures)].format(0.05 + 0.4 * rng.random())}{where}\n"
    if claims:
        text += "claims:\n" + "".join(f"  claim_{i}: {claim}\n" for i, claim in enumerate(CLAIMS))
    return text + PROVED_TAIL


def timed(command):
    """Wall seconds of one process."""
    start = time.perf_counter()
    status = subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(command[:4])} … ended with status {status}: the files of this benchmark are clean")
    return seconds


def peak_memory(command):
    """Peak resident MiB of one process. GNU time asks for it: a child of Python's starts out with Python's own peak."""
    with tempfile.NamedTemporaryFile("r") as report:
        subprocess.check_call(["/usr/bin/time", "-f", "%M", "-o", report.name, *command], stdout=subprocess.DEVNULL)
        return int(report.read()) / 1024


def compare(commands, runs):
    """Median seconds and peak MiB of each command, taken in turn after one run to warm the caches of the disk."""
    seconds = {name: [] for name in commands}
    for run in range(runs + 1):
        for name, command in commands.items():
            took = timed(command)
            if run > 0:
                seconds[name].append(took)
    return {name: (statistics.median(seconds[name]), peak_memory(command)) for name, command in commands.items()}


def peers(folder, tikc, target_contract, target_rules):
    commands = {"tikc check": [tikc, "check", "--color", "never", *target_contract]}
    if shutil.which("promtool"):
        commands["promtool check rules"] = ["promtool", "check", "rules", *target_rules]
    if shutil.which("yamllint"):
        config = folder / "yamllint.yaml"
        config.write_text("extends: default\nrules: { line-length: disable, document-start: disable, braces: disable }\n")
        commands["yamllint"] = ["yamllint", "-c", str(config), *target_contract]
    return commands


def table(title, figures):
    print(f"\n### {title}\n\n| | median | of tikc | peak memory |\n|---|---|---|---|")
    base = figures["tikc check"][0]
    for name, (seconds, memory) in figures.items():
        print(f"| {name} | {seconds * 1e3:,.2f} ms | {seconds / base:.1f}× | {memory:.1f} MiB |")


def proofs(folder, tikc, runs):
    """What the claims cost: the check with them, and what it takes beyond the check of the same contract without them."""
    print("\n### Claims: 50 clauses, 20 claims, by slices\n\n| slices | goals | median | of it proofs | peak memory |\n|---|---|---|---|---|")
    for slices in (5, 10, 20, 40, 80):
        commands = {}
        for name, claims in (("with", True), ("without", False)):
            path = folder / f"{name}.tikc.yaml"
            path.write_text(proved_contract(slices, claims))
            commands[name] = [tikc, "check", "--quiet", str(path)]
        figures = compare(commands, runs)
        seconds, memory = figures["with"]
        goals = 19 * (slices + 1) + 1
        print(f"| {slices} | {goals:,} | {seconds * 1e3:.1f} ms | {(seconds - figures['without'][0]) * 1e3:.1f} ms | {memory:.1f} MiB |")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tikc", default="build/release/bin/tikc")
    arguments.add_argument("--runs", type=int, default=20)
    arguments.add_argument("--quick", action="store_true", help="three runs each: to see that it works")
    options = arguments.parse_args()
    runs = 3 if options.quick else options.runs
    tikc = str(Path(options.tikc).resolve())
    for peer in ("promtool", "yamllint"):
        if not shutil.which(peer):
            print(f"{peer} is not installed and left out", file=sys.stderr)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "many").mkdir()
        one = contract(0)
        (folder / "one.tikc.yaml").write_text(one)
        (folder / "one.rules.yaml").write_text(rules(0, len(one)))
        print(f"{os.cpu_count()} cores; medians of {runs} runs, taken in turn")
        table(f"One file of {len(one)} bytes, cold", compare(
            peers(folder, tikc, [str(folder / "one.tikc.yaml")], [str(folder / "one.rules.yaml")]), runs))

        contracts, rule_files = [], []
        for n in range(1000):
            contracts.append(str(folder / "many" / f"{n}.tikc.yaml"))
            rule_files.append(str(folder / "many" / f"{n}.rules.yaml"))
            Path(contracts[-1]).write_text(contract(n))
            Path(rule_files[-1]).write_text(rules(n, len(one)))
        table("1,000 such files", compare(peers(folder, tikc, contracts, rule_files), max(3, runs // 4)))

        print("\n### One document, by size\n\n| size | median | a MB | peak memory |\n|---|---|---|---|")
        for size in (10_000, 100_000, 1_000_000, 5_000_000):
            path = folder / "large.tikc.yaml"
            path.write_text(large_contract(size))
            figures = compare({"tikc check": [tikc, "check", "--quiet", str(path)]}, max(3, runs // 4))
            seconds, memory = figures["tikc check"]
            print(f"| {path.stat().st_size / 1e6:.2f} MB | {seconds * 1e3:,.1f} ms | {seconds / (path.stat().st_size / 1e6) * 1e3:,.0f} ms | {memory:.1f} MiB |")

        proofs(folder, tikc, runs)


if __name__ == "__main__":
    main()
