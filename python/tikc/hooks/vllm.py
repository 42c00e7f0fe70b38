"""A stat logger for vLLM. The wheel registers it as an entry point of `vllm.stat_logger_plugins`; set TIKC_CONTRACT.

It checks request times against the contract, and counts requests. vLLM does not pass log-probs to it.
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
