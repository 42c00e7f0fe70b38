"""A hook for slime and miles: `--get-mismatch-metrics --custom-tis-function-path tikc.hooks.slime.mismatch`, with TIKC_CONTRACT.

They call the function for each micro-batch on each rank. It returns the loss and the masks unchanged. With `--use-tis`, set TIKC_TIS to the function that
computes the weights; the hook calls it and returns its result.
"""

from __future__ import annotations

import functools
import importlib
import os
from typing import Any, Dict, List, Optional, Tuple

from ._watch import Watch, attempted

@functools.lru_cache(maxsize=None)
def watch() -> Optional[Watch]:
    """Return the watch of this process, or None if it could not be created, which was logged."""
    return attempted("slime")


def mismatch(args: Any, *, pg_loss: Any, train_log_probs: List[Any], rollout_log_probs: List[Any], loss_masks: List[Any], total_lengths: List[int],
             response_lengths: List[int], **more: Any) -> Tuple[Any, List[Any], Dict[str, Any]]:
    """Observe a micro-batch. slime calls this; each list has one tensor per response."""
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
        raise ValueError("--use-tis requires weights, which tikc.hooks.slime.mismatch does not compute: set TIKC_TIS to a function that does, such as "
                         "slime.backends.megatron_utils.loss.vanilla_tis_function, or remove --use-tis")
    return pg_loss, loss_masks, {}
