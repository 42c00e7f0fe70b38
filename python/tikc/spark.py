"""Check data on a Spark cluster against a contract. Uses only methods of an RDD; tested with a stand-in for one, not with a cluster."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Optional

from . import _partitions
from ._contract import Contract
from ._evidence import Evidence


def measure(contract: Contract, data: Any, *, observe: Optional[_partitions.Observe] = None, run: Optional[str] = None, stage: Optional[str] = None) -> Evidence:
    """Observe partitions and return their evidence, as `tikc.dask.measure` does.

    data: an RDD or a data frame whose rows are responses. `observe` receives the list of a partition's rows.
    """
    job = _partitions.job(contract, observe, run, stage)

    def observed(number: int, rows: Iterable[Any]) -> Iterator[bytes]:
        yield _partitions.observed(job, number, list(rows))

    return _partitions.evidence(getattr(data, "rdd", data).mapPartitionsWithIndex(observed).treeReduce(_partitions.merged))
