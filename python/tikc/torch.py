"""Monitors of the ranks of a process group, joined over it."""

from __future__ import annotations

from typing import Any, List, Optional

import torch
import torch.distributed as distributed

from ._errors import BytesError
from ._monitor import Monitor


def all_merge(monitor: Monitor, group: Optional[Any] = None) -> None:
    """All ranks call it, each with a monitor of its own, before they tick: what any of them observed since its last tick, each then has, and a tick says the
    same on all. The bytes are gathered over the group that is there already.

    Where ranks name one `source` and give `tick` the time, their evidence is the same, too, and counts once. Once a tick: what was gathered would be gathered
    again from each. That is refused, and so are ranks of different contracts, on all ranks, and nothing is taken.
    """
    device = torch.device("cuda", torch.cuda.current_device()) if distributed.get_backend(group) == "nccl" else torch.device("cpu")
    contract = monitor.contract
    known = _gathered(torch.tensor([_signed(contract.fingerprint), int(monitor._is_gathered)], dtype=torch.int64), group, device)
    if len({int(each[0]) for each in known}) > 1:
        others = [str(rank) for rank, each in enumerate(known) if int(each[0]) != _signed(contract.fingerprint)]
        raise BytesError(f"ranks {', '.join(others)} have another contract than this of {contract.name} {contract.version}: give all the same file")
    again = [str(rank) for rank, each in enumerate(known) if int(each[1])]
    if again:
        raise ValueError(f"ranks {', '.join(again)} have what all observed already: tick() or end_step() comes between two of all_merge()")
    mine, faults = monitor.take(), monitor._new_faults - monitor._trail.told
    sizes = _gathered(torch.tensor([len(mine), faults], dtype=torch.int64), group, device)
    padded = torch.zeros(max(int(size[0]) for size in sizes), dtype=torch.uint8)
    padded[: len(mine)] = torch.frombuffer(bytearray(mine), dtype=torch.uint8)
    parts = [each[: int(size[0])].numpy().tobytes() for each, size in zip(_gathered(padded, group, device), sizes)]
    # In the order of ranks, so that the last bits of sums are those of all.
    monitor.merge(contract.merge(*parts))
    monitor._new_faults = monitor._trail.told + sum(int(size[1]) for size in sizes)
    monitor._is_gathered = True


def _signed(fingerprint: int) -> int:
    return fingerprint - (1 << 64) if fingerprint >> 63 else fingerprint


def _gathered(mine: Any, group: Optional[Any], device: Any) -> List[Any]:
    out = [torch.empty_like(mine, device=device) for _ in range(distributed.get_world_size(group))]
    distributed.all_gather(out, mine.to(device), group=group)
    return [each.cpu() for each in out]
