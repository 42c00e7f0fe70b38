#!/usr/bin/python3
"""Prints what `tikc diagnose` names of runs with one known fault, with two, and with none: `benchmarks/diagnose.py [RUNS [FIRST SEED [PROCESSES]]]`. The runs are those of
tests/tools/fault_data.py; the seeds are none that its limits were chosen on."""

import collections
import itertools
import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/tools"))
import fault_data  # noqa: E402

TIKC = os.environ.get("TIKC", str(ROOT / "build/release/bin/tikc"))
KEYS = ["probabilities", "shift", "mask", "edited", "support", "temperature", "cache", "weights", "length", "minority", "routing", "quantisation", "none", "undecided"]
HEADS = ["prob", "shift", "mask", "edit", "supp", "temp", "cache", "wght", "len", "few", "rout", "quant", "none", "und."]


def named(seed, faults):
    done = subprocess.run([TIKC, "diagnose", "--format=json", "-j1", "-"], input=fault_data.lines(fault_data.run(seed, faults)), capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1, 4):
        raise SystemExit(done.stderr)
    told = json.loads(done.stdout)
    return [each["cause"] for each in told["causes"] if each["state"] == "named"] or [told["state"]]


def main(runs=20, first=100_000, processes=os.cpu_count()):
    single = [(each, 10 * runs if each[0] == "none" else runs) for each in fault_data.SINGLE]
    counts = [*(count for _, count in single), *[runs] * len(fault_data.PAIRS)]
    made = [made_of for (*_, made_of), _ in single] + [made_of for _, made_of in fault_data.PAIRS]
    with multiprocessing.Pool(processes) as pool:
        told = pool.imap(named_of, enumerate(itertools.chain.from_iterable(itertools.repeat(*each) for each in zip(made, counts)), first))
        tell(runs, single, told)


def named_of(numbered):
    return named(*numbered)


def tell(runs, single, told):
    """As it becomes known."""
    public = rights = 0
    print(f"{'the fault, ' + str(runs) + ' runs of each':56}" + "".join(f"{each:>6}" for each in HEADS))
    for (fault, name, is_public, _), count in single:
        firsts = collections.Counter(each[0] for each in itertools.islice(told, count))
        print(f"{'' if is_public else '('}{fault}: {name}{'' if is_public else ')'}".ljust(56) + "".join(f"{firsts[each] or '.':>6}" for each in KEYS), flush=True)
        if is_public and fault != "none":
            public, rights = public + count, rights + firsts[fault]
    print(f"\nof {public} runs with a fault that is not in brackets {rights} have it first: {100 * rights / public:.1f}%\n")
    print(f"{'two faults, ' + str(runs) + ' runs of each':56}{'both':>6}{'one':>6}{'none':>6}  and beside them")
    for faults, _ in fault_data.PAIRS:
        each = [set(one) for one in itertools.islice(told, runs)]
        wanted = set(faults.split())
        found = collections.Counter(len(one & wanted) for one in each)
        beside = collections.Counter(cause for one in each for cause in sorted(one - wanted) if cause not in ("none", "undecided"))
        line = f"{' and '.join(faults.split()):56}" + "".join(f"{found[i] or '.':>6}" for i in (2, 1, 0)) + "  "
        print((line + ", ".join(f"{cause} {count}" for cause, count in beside.items())).rstrip(), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
