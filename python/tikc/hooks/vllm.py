"""A stat logger for vLLM, and a writer of its log-probs.

The wheel registers the stat logger as an entry point of `vllm.stat_logger_plugins`; set TIKC_CONTRACT. It checks request times against the contract, and
counts requests. vLLM does not pass log-probs to it; `dump` writes those of outputs that you have.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterable, Optional, Union

from ._serving import Served
from ._watch import attempted, harmless, is_asked_for

try:
    from vllm.v1.metrics.loggers import StatLoggerBase as _Base
except ImportError:
    _Base = object


@harmless(lambda: None)
def finished(served: Served, requests: Iterable[Any]) -> None:
    for each in requests:
        # An abort comes from the client; an error is the server's.
        failed = str(each.finish_reason).lower().endswith("error")
        served.done(each.e2e_latency, None, getattr(each, "mean_time_per_output_token", None), failed)


class StatLogger(_Base):  # type: ignore[misc]
    """The stat logger of one engine. It does nothing if TIKC_CONTRACT is not set or cannot be loaded."""

    def __init__(self, vllm_config: Any, engine_index: int = 0) -> None:
        watch = attempted("vllm") if is_asked_for() else None
        self.served: Optional[Served] = None if watch is None else Served(watch)

    def record(self, scheduler_stats: Any = None, iteration_stats: Any = None, engine_idx: int = 0, **more: Any) -> None:
        """Observe the requests that this iteration finished."""
        if self.served is not None and iteration_stats is not None:
            finished(self.served, getattr(iteration_stats, "finished_requests", ()))

    def log_engine_initialized(self) -> None:
        """Do nothing: the watch was announced earlier."""

    def log(self) -> None:
        """Judge what was observed. vLLM's logging interval is the window."""
        if self.served is not None:
            self.served.watch.tick()


def dump(outputs: Iterable[Any], params: Any, path: Union[str, "os.PathLike[str]"], *, step: Optional[int] = None, version: Union[int, str, None] = None,
         **labels: Any) -> int:
    """Append the log-probs of outputs of `LLM.generate` to a file of JSON lines, with the settings that sampled them, and return how many responses they have.

    `params` are their SamplingParams, with `logprobs=0` or more. `tikc measure --join=key --preset=plain trainer.jsonl FILE` pairs the file with the
    trainer's, whose `id` is a request's with `-0` for its first completion, `-1` for its second, and so on. `labels` have one value for all outputs.
    """
    told = {"step": step, "version": version, **settings_of(params), **labels}
    about = {name: value for name, value in told.items() if value is not None}
    lines = [json.dumps({"id": f"{each.request_id}-{one.index}", "ids": list(one.token_ids), "infer": logprobs_of(one), **about}) + "\n"
             for each in outputs for one in each.outputs]
    with open(path, "a", encoding="utf-8") as file:
        file.write("".join(lines))
    return len(lines)


def settings_of(params: Any) -> Dict[str, Any]:
    """Return the settings that change a distribution. vLLM writes 0 or -1 for no top-k."""
    top_k = getattr(params, "top_k", 0)
    return {"temperature": params.temperature, "top_p": params.top_p, "top_k": top_k if top_k > 0 else None, "min_p": getattr(params, "min_p", 0) or None}


def logprobs_of(completion: Any) -> Any:
    """Return the log-probs of a completion's tokens. vLLM returns those of alternatives, too."""
    if completion.logprobs is None:
        raise ValueError("vLLM returned no log-probs: expected SamplingParams with logprobs=0 or more")
    return [tokens[token].logprob for token, tokens in zip(completion.token_ids, completion.logprobs)]
