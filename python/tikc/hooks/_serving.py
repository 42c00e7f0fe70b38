"""What hooks of servers share: requests that are done, and numbers out. Servers do not know the trainer's log-probs: how many tokens they served is not told,
or clauses that want a share of them observed would be violated in each window."""

from __future__ import annotations

from typing import Optional

from ._watch import Watch


class Served:
    """A watch of what a server tells of its requests, judged when it is asked to."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def done(self, latency: float, first_token_latency: Optional[float], inter_token_latency: Optional[float], failed: bool) -> None:
        """A request, in seconds. What is not known, or was not measured, is None or 0."""
        self.watch.monitor.requests(latency=latency or None, first_token_latency=first_token_latency or None, inter_token_latency=inter_token_latency or None,
                                    failed=failed)
        self.watch.monitor.serve(requests=1)
