"""slime, and miles: `--get-mismatch-metrics --custom-tis-function-path tikc.hooks.slime.mismatch`, with TIKC_CONTRACT.

The function is called for each micro-batch on each rank. It gives the loss and the masks back as they are. Where `--use-tis` wants weights, too, TIKC_TIS
names the function that makes them, which is called, and whose answer counts.
"""

from __future__ import annotations

import functools
import importlib
import os
from typing import Any, Dict, List, Optional, Tuple

from ._watch import Watch, attempted

@functools.lru_cache(maxsize=None)
def watch() -> Optional[Watch]:
    """That of this process; None where there can be none, which was told."""
    return attempted("slime")


def mismatch(args: Any, *, pg_loss: Any, train_log_probs: List[Any], rollout_log_probs: List[Any], loss_masks: List[Any], total_lengths: List[int],
             response_lengths: List[int], **more: Any) -> Tuple[Any, List[Any], Dict[str, Any]]:
    """What slime calls: each list has a tensor a response."""
    watching = watch()
    if watching is not None:
        watching.step(train_log_probs, rollout_log_probs, mask=loss_masks)
    inner = os.environ.get("TIKC_TIS")
    if inner:
        module, _, name = inner.rpartition(".")
        out: Tuple[Any, List[Any], Dict[str, Any]] = getattr(importlib.import_module(module), name)(
            args, pg_loss=pg_loss, train_log_probs=train_log_probs, rollout_log_probs=rollout_log_probs, loss_masks=loss_masks,
            total_lengths=total_lengths, response_lengths=response_lengths, **more)
        return out
    if getattr(args, "use_tis", False):
        raise ValueError("--use-tis wants weights, and tikc.hooks.slime.mismatch makes none: set TIKC_TIS to the function that does, as to "
                         "slime.backends.megatron_utils.loss.vanilla_tis_function, or leave --use-tis out")
    return pg_loss, loss_masks, {}
