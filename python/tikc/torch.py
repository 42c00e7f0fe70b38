"""Merge the monitors of the ranks of a process group."""

from __future__ import annotations

from typing import Any, List, Optional

import torch
import torch.distributed as distributed

from ._errors import BytesError
from ._monitor import Monitor


def all_merge(monitor: Monitor, group: Optional[Any] = None) -> None:
    """Merge the observations of all ranks into the monitor of each, so that a tick gives the same result on all.

    Every rank calls it with its own monitor, once before each tick. The bytes are gathered over the existing group. If ranks share one `source` and pass
    the time to `tick`, their evidence is the same, too, and counts once.

    Raises BytesError if ranks have different contracts, and ValueError if some have gathered since their last tick. Then nothing is merged on any rank.
    """
    device = torch.device("cuda", torch.cuda.current_device()) if distributed.get_backend(group) == "nccl" else torch.device("cpu")
    contract = monitor.contract
    known = _gathered(torch.tensor([_signed(contract.fingerprint), int(monitor._is_gathered)], dtype=torch.int64), group, device)
    if len({int(each[0]) for each in known}) > 1:
        others = [str(rank) for rank, each in enumerate(known) if int(each[0]) != _signed(contract.fingerprint)]
        raise BytesError(f"ranks differ in contract: expected {contract.name} {contract.version}, found another on {_ranks(others)}")
    again = [str(rank) for rank, each in enumerate(known) if int(each[1])]
    if again:
        raise ValueError(f"all_merge() was already called on {_ranks(again)}: call tick() or end_step() between two calls")
    mine, faults = monitor.take(), monitor._new_faults - monitor._trail.told
    sizes = _gathered(torch.tensor([len(mine), faults], dtype=torch.int64), group, device)
    padded = torch.zeros(max(int(size[0]) for size in sizes), dtype=torch.uint8)
    padded[: len(mine)] = torch.frombuffer(bytearray(mine), dtype=torch.uint8)
    parts = [each[: int(size[0])].numpy().tobytes() for each, size in zip(_gathered(padded, group, device), sizes)]
    # In the order of ranks, so that the last bits of sums agree on all.
    monitor.merge(contract.merge(*parts))
    monitor._new_faults = monitor._trail.told + sum(int(size[1]) for size in sizes)
    monitor._is_gathered = True


def _ranks(which: List[str]) -> str:
    return f"rank{'' if len(which) == 1 else 's'} {', '.join(which)}"


def _signed(fingerprint: int) -> int:
    return fingerprint - (1 << 64) if fingerprint >> 63 else fingerprint


def _gathered(mine: Any, group: Optional[Any], device: Any) -> List[Any]:
    out = [torch.empty_like(mine, device=device) for _ in range(distributed.get_world_size(group))]
    distributed.all_gather(out, mine.to(device), group=group)
    return [each.cpu() for each in out]
