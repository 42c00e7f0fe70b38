"""Check data on a Ray cluster against a contract. Tested with stand-ins for `ray.remote`, `ray.put` and `ray.get`, not with a cluster."""

from __future__ import annotations

from typing import Any, Iterable, Optional

import ray

from . import _partitions
from ._contract import Contract
from ._evidence import Evidence


def measure(contract: Contract, partitions: Iterable[Any], *, observe: Optional[_partitions.Observe] = None, run: Optional[str] = None,
            stage: Optional[str] = None) -> Evidence:
    """Observe partitions and return their evidence, as `tikc.dask.measure` does. Partitions are values or references to them."""
    job = ray.put(_partitions.job(contract, observe, run, stage))
    observed, merged = ray.remote(_partitions.observed), ray.remote(_partitions.merged)
    parts = [observed.remote(job, i, each) for i, each in enumerate(partitions)]
    return _partitions.evidence(ray.get(_partitions.tree(parts, merged.remote)))
