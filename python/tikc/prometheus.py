"""A collector for `prometheus_client`: `REGISTRY.register(tikc.prometheus.Collector(monitor))`."""

from __future__ import annotations

from typing import Any, Iterator

from ._monitor import Monitor


class Collector:
    """Exports the metrics that emitted checkers export: the verdicts of the last tick, and what was observed since the collector was created."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor
        self._monitor.start_counting()

    def collect(self) -> Iterator[Any]:
        from prometheus_client.parser import text_string_to_metric_families

        return iter(list(text_string_to_metric_families(self._monitor.prometheus())))

    def describe(self) -> Iterator[Any]:
        """Return the metric families, for the registry."""
        return self.collect()
