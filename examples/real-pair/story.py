"""A day of serving: two pools of servers, one for each task. One breaks and is repaired, while a monitor routes requests."""

import dataclasses

import text
from pair import observe

WHERE = {  # what is broken in which pool
    "int8": "tales", "int4": "sums", "cache": "tales", "top_p": "tales", "temperature": "sums", "stale": "tales", "mislogged": "sums",
}
SAYS = {
    "int8": "weights and what they are multiplied with in int8, by Torch's dynamic quantisation",
    "int4": "weights in 4 bits",
    "cache": "keys and values in fp8_e4m3",
    "top_p": "top-p of 0.8, renormalised on the server's side alone",
    "temperature": "a temperature of 0.8",
    "stale": "weights of a fifth of the training ago",
    "mislogged": "log-probs at a temperature of 0.6, of tokens that were drawn at 1",
}
ANSWERS = {"sums": 320, "tales": 48}  # a window; a hundredth of their rows has to be more than a few
REPLAYS = 2  # of a task's answers in a window, to see whether what else is in a batch matters
BREAKS, MENDED, WINDOWS = 2, 6, 12
PROBE = 4  # a quarter of a routed slice's answers still comes from the server that is judged, as the contract says


@dataclasses.dataclass(frozen=True)
class Chapter:
    """One window of it."""

    fault: str  # of the pool that has one now
    window: object
    drawn: dict  # by task: what was served by whom


def chapters(pair, contract, fault, seed, windows=WINDOWS):
    """Window by window, from a monitor of its own."""
    monitor = contract.monitor(on_fault="raise")
    routed = {task: False for task in text.TASKS}
    for at in range(windows):
        broken = fault if BREAKS <= at < MENDED else "usual"
        drawn = {}
        for task in text.TASKS:
            server = pair.servers[broken if task == WHERE[fault] else "usual"]
            count = ANSWERS[task] // (PROBE if routed[task] else 1)
            drawn[task] = server.serve(task, text.prompts(task, count, f"{seed} {at}"), seed + at)
            drifts = [server.batch_drift(drawn[task], i) for i in range(REPLAYS)]
            observe(monitor, drawn[task], pair.scored(drawn[task]), pair.score_norms(drawn[task], 4), drifts)
        window = monitor.tick(float(at))
        routed = {task: window.decisions[task].kind == "route" for task in text.TASKS}
        yield Chapter(broken, window, drawn)


def caught(chapters):
    """What was violated while something was broken: {(clause, slice)}."""
    return {(each.clause, each.slice) for chapter in chapters if chapter.fault != "usual" for each in chapter.window.violated}
