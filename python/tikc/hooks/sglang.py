"""A plugin for SGLang. The wheel registers it as an entry point of `sglang.srt.plugins`; set TIKC_CONTRACT and pass `--enable-metrics`.

It checks request times against the contract, where SGLang collects its own request metrics. It judges at most every ten seconds, when a request finishes.
"""

from __future__ import annotations

import time
from typing import Any

from ._serving import Served
from ._watch import Watch, attempted, harmless, is_asked_for

TARGET = "sglang.srt.managers.tokenizer_manager.TokenizerManager.collect_metrics"
SECONDS = 10.0


class Collector:
    """A hook that runs after SGLang's own metrics collection."""

    def __init__(self, watch: Watch) -> None:
        self.served, self.watch = Served(watch), watch
        self._judged = time.monotonic()

    @harmless(lambda: None)
    def __call__(self, result: Any, manager: Any, state: Any, recv_obj: Any, i: int) -> None:
        if not getattr(state, "finished", False):
            return
        tokens = int(recv_obj.completion_tokens[i]) if getattr(recv_obj, "completion_tokens", None) else 0
        began, first, ended = (float(getattr(state, name, 0.0) or 0.0) for name in ("created_time", "first_token_time", "finished_time"))
        ended = ended or time.time()
        between = (ended - first) / (tokens - 1) if first and tokens > 1 else None
        self.served.done(ended - began, first - began if first else None, between, False)
        if time.monotonic() - self._judged >= SECONDS:
            self._judged = time.monotonic()
            self.watch.tick()


def register() -> None:
    """Register the plugin. SGLang calls this."""
    watch = attempted("sglang") if is_asked_for() else None
    if watch is None:
        return
    from sglang.srt.plugins.hook_registry import HookRegistry, HookType

    HookRegistry.register(TARGET, Collector(watch), HookType.AFTER)
