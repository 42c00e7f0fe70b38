#!/usr/bin/python3
"""Times `tikc measure` on the same tokens in each form that it reads, next to Python's json with NumPy, NumPy alone and jq, which do the same
sums of the same file, and to what bounds it: simdjson, reading the bytes, and zlib (`measure.cpp`). Each runs in turn, and the best of some rounds
counts. Arrays have 20 times as many tokens, because they are read 20 times as fast. Files are in the system's cache, except where the table says
"from disk": there it is emptied of the file before each run. Prints tables in Markdown, and how fast tikc is as a share of each bound. Nothing here passes or fails: it measures.

Then the time and the memory that merging evidence of that many runs takes, of a contract with 20 slices.

  benchmarks/measure.py [--tikc build/release/bin/tikc] [--rounds 3] [--tokens 4_000_000] [--runs 10_000]
"""

import argparse
import concurrent.futures
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/tools"))
from recorded_data import safetensors  # noqa: E402

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
observability:
  tokens: sample(logprobs, 100%)
"""
LENGTH = 400  # tokens of a response
FORMS = {"jsonl": 1, "jsonl.gz": 1, "npz": 20, "safetensors": 20}  # with how many times the tokens
FROM_DISK = "safetensors from disk"
BY_JSON = """
import json, sys, numpy
total = count = drift = 0
for line in open(sys.argv[1]):
    record = json.loads(line)
    x = numpy.float32(record["train"]) - numpy.float32(record["infer"])
    total += abs(x).sum(dtype=float); drift += (numpy.exp(x) - 1 - x).sum(dtype=float); count += x.size
print(total / count, drift / count)
"""
BY_NUMPY = """
import sys, numpy
data = numpy.load(sys.argv[1])
x = data["train"] - data["infer"]
print(abs(x).mean(dtype=float), (numpy.exp(x) - 1 - x).mean(dtype=float))
"""
JQ = 'reduce inputs as $r ([0, 0]; . as $s | [$r.train, $r.infer] | transpose | reduce .[] as $t ($s; [.[0] + (($t[0] - $t[1]) | fabs), .[1] + 1])) | .[0] / .[1]'


def written(folder, tokens):
    """The files by form."""
    random = numpy.random.default_rng(1)
    infer = -random.exponential(0.7, (tokens["npz"] // LENGTH, LENGTH)).astype(numpy.float32)
    train = numpy.minimum(infer + random.normal(0, 0.02, infer.shape), 0).astype(numpy.float32)
    out = {form: folder / f"data.{form}" for form in tokens}
    texts = tokens["jsonl"] // LENGTH
    with open(out["jsonl"], "w") as file:
        for one, other in zip(train[:texts].tolist(), infer[:texts].tolist()):
            file.write(json.dumps({"train": [round(x, 6) for x in one], "infer": [round(x, 6) for x in other]}) + "\n")
    with open(out["jsonl"], "rb") as plain, gzip.open(out["jsonl.gz"], "wb", compresslevel=1) as packed:
        shutil.copyfileobj(plain, packed)
    numpy.savez(out["npz"], train=train, infer=infer)
    out["safetensors"].write_bytes(safetensors({"train": ("F32", train), "infer": ("F32", infer)}))
    return out


def forget(file):
    """Empties the system's cache of a file."""
    descriptor = os.open(file, os.O_RDONLY)
    os.fsync(descriptor)  # what is not written stays
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def seconds(command):
    began = time.perf_counter()
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(f"{command}: {done.stderr}")
    return time.perf_counter() - began


def best_of(rounds, commands):
    """In turn, so that what else the machine does is everybody's."""
    out = {name: float("inf") for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            if name[1] == FROM_DISK:
                forget(command[-1])
            out[name] = min(out[name], seconds(command))
    return out


def bounds(folder, files):
    """The commands of `measure.cpp` by what they do; says why where there are none."""
    program = folder / "measure"
    words = ["c++", "-std=c++20", "-O3", "-march=native", ROOT / "benchmarks/measure.cpp", "-o", program, "-lz"]
    for more in (["-lsimdjson"], []):
        built = subprocess.run([*words, *more], capture_output=True, text=True, check=False)
        if built.returncode == 0:
            break
    else:
        print(f"no bounds, as benchmarks/measure.cpp does not compile: {built.stderr.strip().splitlines()[-1:]}\n")
        return {}
    out = {("simdjson", "jsonl"): "parse", **{("reading", form): "read" for form in ("jsonl", "npz", "safetensors", FROM_DISK)}, ("zlib", "jsonl.gz"): "inflate"}
    out = {(name, form): [program, word, files[form]] for (name, form), word in out.items()}
    tried = subprocess.run(out["simdjson", "jsonl"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        print(f"no simdjson: {(tried.stdout + tried.stderr).strip()}\n")
        del out["simdjson", "jsonl"]
    return out


def shares(times):
    """How fast tikc is, as a share of each bound on the same file."""
    goals = {("simdjson", "jsonl"): 50, ("reading", "npz"): 70, ("reading", "safetensors"): 70, ("reading", FROM_DISK): 70, ("zlib", "jsonl.gz"): 80}
    print("\n| tikc measure as a share of | form | threads | share | goal |\n|---|---|---|---|---|")
    for bound, goal in goals.items():
        for name, form, jobs in times:
            if name == "tikc measure" and form == bound[1] and (*bound, 1) in times:
                print(f"| {bound[0]} | {form} | {jobs} | {times[*bound, 1] / times[name, form, jobs]:.0%} | {goal}% |")


def merging(tikc, folder, runs):
    """(seconds, the most of memory in MiB, bytes) of merging what as many runs observed."""
    names = [f"t{i}" for i in range(20)]
    slices = "".join(f"  {name}: {{ when: task == \"{name}\" }}\n" for name in names[:19])
    contract = folder / "sliced.tikc.yaml"
    contract.write_text(CONTRACT.replace("statistical:", f"labels: {{ task: [{', '.join(names)}] }}\nslices:\n{slices}statistical:"))

    def observe(i):
        random = numpy.random.default_rng(i)
        data = folder / f"run{i}.jsonl"
        data.write_text("".join(json.dumps({"train": random.normal(-1, 0.1, 8).tolist(), "infer": [-1.0] * 8, "task": name}) + "\n" for name in names))
        subprocess.run([tikc, "measure", "-j1", contract, data, "--evidence", folder / f"run{i}.tikc-evidence"], capture_output=True, check=False)
        data.unlink()

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(observe, range(runs)))
    began = time.perf_counter()
    # A child of Python counts the memory that Python had before the child began, so `time` starts the program.
    done = subprocess.run(["/usr/bin/time", "-f", "%M", tikc, "merge", str(folder / "run*.tikc-evidence"), "-o", folder / "all"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return time.perf_counter() - began, int(done.stderr) / 1024, (folder / "all").stat().st_size


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tikc", default=str(ROOT / "build/release/bin/tikc"))
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--tokens", type=int, default=4_000_000, help="of JSON lines; arrays have 20 times as many")
    arguments.add_argument("--runs", type=int, default=10_000)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="tikc-bench-") as scratch:
        folder = Path(scratch)
        contract = folder / "measured.tikc.yaml"
        contract.write_text(CONTRACT)
        tokens = {form: times * given.tokens for form, times in FORMS.items()}
        files = written(folder, tokens)
        tokens[FROM_DISK] = tokens["safetensors"]
        files[FROM_DISK] = folder / "cold.safetensors"
        shutil.copyfile(files["safetensors"], files[FROM_DISK])
        commands = {}
        for form, file in files.items():
            for jobs in (1, os.cpu_count()):
                commands["tikc measure", form, jobs] = [given.tikc, "measure", f"-j{jobs}", "--every=all", contract, file]
            commands["tikc inspect", form, 1] = [given.tikc, "inspect", "-j1", file]
        commands["json and NumPy", "jsonl", 1] = ["/usr/bin/python3", "-c", BY_JSON, files["jsonl"]]
        commands["NumPy", "npz", 1] = ["/usr/bin/python3", "-c", BY_NUMPY, files["npz"]]
        if shutil.which("jq"):
            commands["jq, one of the two sums", "jsonl", 1] = ["jq", "-n", JQ, files["jsonl"]]
        for (name, form), command in bounds(folder, files).items():
            commands[name, form, 1] = command
        times = best_of(given.rounds, commands)
        print(f"Responses of {LENGTH} tokens, {os.cpu_count()} processors\n")
        print("| | form | size | threads | s | tokens a second | bytes a second |\n|---|---|---|---|---|---|---|")
        for (name, form, jobs), spent in times.items():
            size = files[form].stat().st_size
            print(f"| {name} | {form} | {size / 2**20:.0f} MiB | {jobs} | {spent:.2f} | {tokens[form] / spent / 1e6:.1f} M | {size / spent / 2**20:.0f} MiB |")
        shares(times)
        spent, memory, size = merging(given.tikc, folder, given.runs)
        print(f"\nmerging the evidence of {given.runs:,} runs: {spent:.2f} s, {memory:.0f} MiB of memory for {size / 2**20:.0f} MiB of evidence")


if __name__ == "__main__":
    main()
