"""vLLM: a stat logger, which the wheel's entry point of the group `vllm.stat_logger_plugins` brings, with TIKC_CONTRACT.

It holds requests' times against the contract, and counts requests. There are no log-probs in what vLLM gives it.
"""

from __future__ import annotations

from typing import Any, Iterable, Optional

from ._serving import Served
from ._watch import attempted, harmless, is_asked_for

try:
    from vllm.v1.metrics.loggers import StatLoggerBase as _Base
except ImportError:
    _Base = object


@harmless(lambda: None)
def finished(served: Served, requests: Iterable[Any]) -> None:
    for each in requests:
        # Aborted is who asked; an error is the server's.
        failed = str(each.finish_reason).lower().endswith("error")
        served.done(each.e2e_latency, None, getattr(each, "mean_time_per_output_token", None), failed)


class StatLogger(_Base):  # type: ignore[misc]
    """One an engine. Without TIKC_CONTRACT it does nothing, nor with one that cannot be had."""

    def __init__(self, vllm_config: Any, engine_index: int = 0) -> None:
        watch = attempted("vllm") if is_asked_for() else None
        self.served: Optional[Served] = None if watch is None else Served(watch)

    def record(self, scheduler_stats: Any = None, iteration_stats: Any = None, engine_idx: int = 0, **more: Any) -> None:
        """Requests that this iteration finished."""
        if self.served is not None and iteration_stats is not None:
            finished(self.served, getattr(iteration_stats, "finished_requests", ()))

    def log_engine_initialized(self) -> None:
        """The line that says who watches is printed before."""

    def log(self) -> None:
        """At vLLM's interval, and so the window."""
        if self.served is not None:
            self.served.watch.tick()
