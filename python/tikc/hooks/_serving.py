"""Code that server hooks share: finished requests in, numbers out.

Servers do not know the trainer's log-probs. They do not report served tokens, because clauses that require a share of them would fail in each window.
"""

from __future__ import annotations

from typing import Optional

from ._watch import Watch


class Served:
    """Passes a server's finished requests to a watch."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def done(self, latency: float, first_token_latency: Optional[float], inter_token_latency: Optional[float], failed: bool) -> None:
        """Observe a finished request, in seconds. None or 0 means not measured."""
        self.watch.monitor.requests(latency=latency or None, first_token_latency=first_token_latency or None, inter_token_latency=inter_token_latency or None,
                                    failed=failed)
        self.watch.monitor.serve(requests=1)
