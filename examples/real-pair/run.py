#!/usr/bin/env python3
"""A trainer and its servers for real: a small transformer is trained, served with one fault after another, measured by its contract as it runs and from
what it leaves behind, and trained on. It takes python3-torch and python3-numpy; two minutes, or half a minute with --short. Status 1: something that was
planted was not caught in its slice, or something that was not there was."""

import argparse
import logging
import os
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONTRACT = HERE / "real-pair.tikc.yaml"
sys.path.insert(0, str(HERE))
try:
    import tikc
except ImportError:  # not installed: that of this tree
    sys.path.insert(0, str(ROOT / "python"))
    os.environ.setdefault("TIKC_LIBRARY", str(ROOT / "build/release/lib/libtikc.so"))
try:
    import tikc
    import torch
except ImportError as missing:
    print(f"skipped: {missing}; this example takes python3-torch, python3-numpy, and the package tikc, installed or built in this tree")
    sys.exit(77)
import dumps  # noqa: E402
import loop  # noqa: E402
import model  # noqa: E402
import pictures  # noqa: E402
import servers  # noqa: E402
import story  # noqa: E402
from pair import Pair  # noqa: E402

NOT_OF_FILES = {"rows", "tokens", "replays", "batching"}  # what is sampled of what is served, and run again
HARMLESS = {"int8"}  # it satisfies the contract, and the verdict is satisfied


def table(head, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]) + "\n"


def listed(found):
    return ", ".join(f"`{each}`" for each in found) or "–"


def fault_row(contract, fault, chapters):
    """What became of one fault, and what was wrong about that."""
    task = story.WHERE[fault]
    seen = story.caught(chapters)
    changes = [(at + 1, each) for at, chapter in enumerate(chapters) for each in chapter.window.changes]
    starts = [f"`{each.rule}` at {at}" for at, each in changes if each.change == "activated"]
    ends = [f"`{each.rule}` at {at}" for at, each in changes if each.change == "released"]
    row = [f"`{fault}`: {story.SAYS[fault]}", task, listed(name for name in contract.clauses if any(clause == name for clause, _ in seen)),
           ", ".join(sorted({place for _, place in seen})) or "–", ", ".join(starts) or "–", ", ".join(ends) or "–"]
    wrong = [] if fault in HARMLESS or seen else [f"{fault} was not caught"]
    wrong += [f"{fault} in {task}: {clause} is violated on {place}" for clause, place in sorted(seen) if place != task or fault in HARMLESS]
    wrong += [f"{fault}: {each.clause} is violated on {each.slice} in window {at + 1}, where nothing is broken" for at, chapter in enumerate(chapters)
              if chapter.fault == "usual" for each in chapter.window.violated]
    wrong += [f"{fault}: rule {each.rule} starts on {each.slice}" for _, each in changes if each.slice != task]
    return row, wrong + ([f"{fault}: no rule started"] if not starts and fault not in HARMLESS else [])


def dump_rows(contract, chapter, pair, folder):
    """Each form of the data, and whether `tikc measure` reports the verdicts of the monitor."""
    live = {(each.clause, each.slice): each.verdict for each in chapter.window.verdicts}
    paths = dumps.write(folder, "window", chapter.drawn, {task: pair.scored(served) for task, served in chapter.drawn.items()})
    rows, wrong = [], []
    for form, path in paths.items():
        found = dumps.verdicts(CONTRACT, path)
        others = [f"{path.name}: {clause} on {place} is {verdict}, and was {live[clause, place]}" for (clause, place), verdict in found.items()
                  if live[clause, place] != verdict]
        rows.append([f"`{path.name}`", "rows of logits" if form == "npz" else "log-probs", str(len(found)), str(len(found) - len(others))])
        wrong += others
    decided = {key for path in paths.values() for key in dumps.verdicts(CONTRACT, path)}
    wrong += [f"no file decides {clause} on {place}" for (clause, place), verdict in live.items()
              if verdict in ("satisfied", "violated") and clause not in NOT_OF_FILES and (clause, place) not in decided]
    return rows, wrong, dumps.measured(CONTRACT, paths["npz"], "text").stdout


def loop_rows(steps):
    for at, each in enumerate(steps):
        of = each.window
        yield [str(at + 1), str(each.lag), f"{each.reward:.2f}", *(f"{of.of('gap', task).figures[0].value:.4f}" for task in each.decisions),
               listed(dict.fromkeys(found.clause for found in of.violated)),
               ", ".join(f"{task}: {does}" for task, does in each.decisions.items() if does != "as usual") or "–"]


def given_rows(window):
    return [[f"`{each.says}`", each.state, *(("", "") if each.state == "unwatched" else (f"{max(each.greatest, -each.least):.3g}", f"{each.observations:,}"))]
            for each in window.assumptions]


def brief(days, steps):
    """Each fault and the training in a line of a terminal."""
    for fault, chapters in days.items():
        seen = story.caught(chapters)
        starts = [f"{each.rule} at {at + 1}" for at, chapter in enumerate(chapters) for each in chapter.window.changes if each.change == "activated"]
        places = ", ".join(sorted({place for _, place in seen})) or "nothing"
        print(f"{fault + ' on ' + story.WHERE[fault]:18} {len(seen)} clauses violated on {places}; starts {', '.join(starts) or 'none'}")
    print("\nstep  behind  gap of sums  of tales  verdict    learned from")
    for at, each in enumerate(steps):
        sums, tales = (each.window.of("gap", task).figures[0].value for task in ("sums", "tales"))
        others = ", ".join(f"safe for {task}" for task, does in each.decisions.items() if does == "route")
        print(f"{at + 1:4}  {each.lag:6}  {sums:11.4f}  {tales:8.4f}  {each.window.verdict:9}  {others or 'rollout'}")


def run(is_short, is_brief, seed, out):
    torch.set_num_threads(1)
    logging.getLogger("tikc").setLevel(logging.ERROR)  # what it would warn of is printed here
    contract = tikc.load(CONTRACT)
    wrong, texts = [], {}

    def say(name, title, content):
        texts[name] = content
        is_brief or print(f"\n# {title}\n\n{content}", flush=True)

    began = time.monotonic()
    trained, older = model.trained(150 if is_short else 400, seed)
    count = sum(each.numel() for each in trained.parameters())
    say("claims", f"{count:,} weights, trained in {time.monotonic() - began:.0f} s. What their contract claims",
        table(["claim", "verdict", "what follows", "budget"], [[f"`{each.name}`", each.verdict, each.proved, each.asked] for each in contract.report.claims]))
    pair = Pair(trained, servers.of(trained.state_dict(), older))
    faults = ["stale", "mislogged"] if is_short else list(story.WHERE)
    days = {fault: list(story.chapters(pair, contract, fault, seed, 10 if is_short else story.WINDOWS)) for fault in faults}
    rows = [fault_row(contract, fault, chapters) for fault, chapters in days.items()]
    wrong += [each for _, found in rows for each in found]
    say("faults", f"Faults, one at a time, from window {story.BREAKS + 1} to {story.MENDED}",
        table(["fault", "planted in", "violated", "on", "rules start", "and end"], [row for row, _ in rows]))
    given = days[faults[0]][-1].window
    dumped = "stale" if is_short else "cache"  # of one training in little time a cache in fp8 shows too little
    rows, others, measured = dump_rows(contract, days[dumped][story.BREAKS], pair, out)
    wrong += others
    say("dumps", f"The first window with `{dumped}`, from files", table(["file", "has", "verdicts decided", "as the monitor's"], rows))
    say("measure", "tikc measure real-pair.tikc.yaml window.npz --every=all", measured)
    steps = list(loop.run(trained, contract, 8 if is_short else 14, seed))
    # One step's quantile over few prompts may be out of its limit by chance; a rule asks for two.
    wrong += [f"training step {at + 1}: rule {each.rule} starts on {each.slice} with weights of now" for at, step in enumerate(steps) if not step.lag
              for each in step.window.changes if each.change == "activated"]
    wrong += [] if any(step.lag and step.window.violated for step in steps) else ["stale weights of the training were not caught"]
    say("loop", "A training whose server misses some weights",
        table(["step", "steps behind", "reward", "gap of sums", "gap of tales", "violated", "learned otherwise"], loop_rows(steps)))
    is_brief or print(f"the monitor took {100 * sum(step.watching for step in steps) / len(steps):.1f}% of its steps' time")
    say("given", "What is taken as given, after the training", table(["assumption", "state", "largest", "of"], given_rows(steps[-1].window)))
    wrong += [f"{each.says} is broken" for each in (*given.assumptions, *steps[-1].window.assumptions) if each.state == "broken"]
    texts["faults.svg"] = pictures.stories(days)
    texts["loop.svg"] = pictures.training(steps, bound=0.012)
    if is_brief:
        brief(days, steps)
    for name, content in texts.items():
        Path(out, name if name.endswith(".svg") else f"{name}.txt").write_text(content, "utf-8")
    return wrong


def main():
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--short", action="store_true", help="train less, and plant two faults rather than seven")
    ask.add_argument("--brief", action="store_true", help="print a line for each fault and step")
    ask.add_argument("--seed", type=int, default=1, help="another training, other text and other answers")
    ask.add_argument("--out", metavar="FOLDER", help="keep what is printed, pictures and recorded data there")
    of = ask.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = of.out or scratch
        Path(out).mkdir(parents=True, exist_ok=True)
        wrong = run(of.short, of.brief, of.seed, out)
    print("\n".join(f"WRONG: {each}" for each in wrong), file=sys.stderr, end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
