"""A contract held against data that a Dask cluster has."""

from __future__ import annotations

import secrets
from typing import Any, Iterable, List, Optional

import dask

from . import _partitions
from ._contract import Contract
from ._evidence import Evidence


def measure(contract: Contract, partitions: Any, *, observe: Optional[_partitions.Observe] = None, run: Optional[str] = None,
            stage: Optional[str] = None) -> Evidence:
    """What a contract asks of the partitions of a bag, a table or an array, of delayed values, or of values, as evidence, which `contract.measure` judges.

    A partition is a mapping of what `Monitor.tokens` takes, with labels beside it, or several of these; `observe(monitor, partition)` shows a monitor
    anything else. Each is observed where the cluster likes, and again where a worker was lost; it is known by its number in `run`, and counts once. Name
    a run, and the same data make the same bytes, which merge with those of other runs.
    """
    graph = delayed(contract, partitions, observe=observe, run=run, stage=stage)
    return _partitions.evidence(graph.compute())


def delayed(contract: Contract, partitions: Any, *, observe: Optional[_partitions.Observe] = None, run: Optional[str] = None,
            stage: Optional[str] = None) -> Any:
    """The same as a delayed value, of bytes, to be a part of another graph. Its tasks are `tikc-observe` and `tikc-merge` in the dashboard."""
    job = _partitions.job(contract, observe, run, stage)
    observed = dask.delayed(_partitions.observed, pure=False)
    merged = dask.delayed(_partitions.merged, pure=False)
    # Dask takes tasks of one name for one task, so no two calls share any: of another contract, or of data that changed, theirs are others.
    call = secrets.token_hex(16)
    parts = [observed(job, i, each, dask_key_name=f"tikc-observe-{call}-{i}") for i, each in enumerate(_parts(partitions))]
    names = iter(range(len(parts)))
    return _partitions.tree(parts, lambda *several: merged(*several, dask_key_name=f"tikc-merge-{call}-{next(names)}"))


def _parts(partitions: Any) -> List[Any]:
    if not hasattr(partitions, "to_delayed"):
        given: Iterable[Any] = partitions
        return list(given)
    parts = partitions.to_delayed()
    return list(parts.ravel() if hasattr(parts, "ravel") else parts)
