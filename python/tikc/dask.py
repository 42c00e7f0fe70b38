"""Check data on a Dask cluster against a contract."""

from __future__ import annotations

import secrets
from typing import Any, Iterable, List, Optional

import dask

from . import _partitions
from ._contract import Contract
from ._evidence import Evidence


def measure(contract: Contract, partitions: Any, *, observe: Optional[_partitions.Observe] = None, run: Optional[str] = None,
            stage: Optional[str] = None) -> Evidence:
    """Observe partitions and return their evidence, for `contract.measure` to judge.

    partitions: a bag, a table or an array, or a list of delayed values or values. A partition is a mapping of `Monitor.tokens` arguments and labels, or
        several of these.
    observe: `observe(monitor, partition)`, to read partitions of another form.
    run: a name for the run. The same data under the same name give the same bytes, which merge with those of other runs.
    stage: the stage of the promotion.

    The cluster may observe a partition anywhere, and again if a worker is lost. Its number in the run identifies it, so that it counts once.
    """
    graph = delayed(contract, partitions, observe=observe, run=run, stage=stage)
    return _partitions.evidence(graph.compute())


def delayed(contract: Contract, partitions: Any, *, observe: Optional[_partitions.Observe] = None, run: Optional[str] = None,
            stage: Optional[str] = None) -> Any:
    """Return the evidence as a delayed value of bytes, for use in another graph. Takes the arguments of `measure`.

    The dashboard shows its tasks as `tikc-observe` and `tikc-merge`.
    """
    job = _partitions.job(contract, observe, run, stage)
    observed = dask.delayed(_partitions.observed, pure=False)
    merged = dask.delayed(_partitions.merged, pure=False)
    # Dask treats tasks of the same name as one. Names are unique per call, because the contract or the data may change between calls.
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
