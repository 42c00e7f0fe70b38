"""A hook for verl: `trainer.v1.trainer_mode=tikc_sync`, with TIKC_CONTRACT and `actor_rollout_ref.rollout.calculate_log_probs=True`.

The wheel registers it as an entry point of `verl.plugins`, so that `import verl` loads it. The trainer is verl's own. After it computes the old log-probs,
the hook checks them and the rollout's against the contract. TIKC_LABELS maps labels to fields of a batch, such as `task=data_source`.

In bypass mode the old log-probs are the rollout's, so the trainer observes nothing. Use the policy loss `tikc_vanilla` instead, which compares the actor's
log-probs with the rollout's.
"""

from __future__ import annotations

import copy
import functools
import logging
import os
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._watch import Watch, attempted, harmless, is_asked_for

LOG = logging.getLogger("tikc")
MODE, LOSS = "tikc_sync", "tikc_vanilla"
FIELDS = ("old_log_probs", "rollout_log_probs", "response_mask")


@functools.lru_cache(maxsize=None)
def watch(host: str = "verl") -> Optional[Watch]:
    """Return the watch of this process, or None if it could not be created, which was logged."""
    return attempted(host)


def bypasses(config: Any) -> bool:
    """Return whether the old log-probs are the rollout's own."""
    correction = config.algorithm.get("rollout_correction", None)
    return bool(correction and correction.get("bypass_mode", False))


def counting(masks: Any, tags: Any) -> Any:
    """Return the masks, with zeros for responses that only pad the batch."""
    fills = [bool(tag.get("is_padding", False)) for tag in tags] if tags is not None else []
    if not any(fills):
        return masks
    each: List[Any] = list(masks.unbind()) if getattr(masks, "is_nested", False) else list(masks)
    return [mask * 0 if fill else mask for mask, fill in zip(each, fills)]


def watched(base: Any, fetch: Callable[..., Any]) -> Any:
    """Return a watched subclass of a verl trainer. `fetch` reads fields of a batch, as kv_batch_get of the transfer queue does."""

    class Watched(base):  # type: ignore[misc]
        def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
            # verl checks for its own modes by name.
            config = copy.deepcopy(config)
            config.trainer.v1.trainer_mode = "sync"
            super().__init__(config, *arguments, **options)
            self._tikc_sees = bool(config.actor_rollout_ref.rollout.calculate_log_probs) and not bypasses(config)
            if not self._tikc_sees:
                LOG.error("verl: not watched: %s", f"in bypass mode the old log-probs are the rollout's: set the policy loss to {LOSS}" if bypasses(config)
                          else "set actor_rollout_ref.rollout.calculate_log_probs")
            self._tikc_sees = watch() is not None and self._tikc_sees

        def _compute_old_log_prob(self, batch: Any, metrics: Any) -> Any:
            out = super()._compute_old_log_prob(batch, metrics)
            watching = watch()
            if self._tikc_sees and watching is not None:
                metrics.update(look(watching, fetch, out, getattr(self, "global_steps", None)))
            return out

    return Watched


@harmless(dict)
def look(of: Watch, fetch: Callable[..., Any], batch: Any, step: Optional[int]) -> Dict[str, float]:
    """Observe a batch, and return numbers for a logger."""
    named = dict(each.split("=", 1) for each in os.environ.get("TIKC_LABELS", "").split(",") if "=" in each)
    data = fetch(keys=batch.keys, partition_id=batch.partition_id, select_fields=[*FIELDS, *named.values()])
    train, infer, mask = (data[name] for name in FIELDS)
    labels = {label: data[field].tolist() if hasattr(data[field], "tolist") else list(data[field]) for label, field in named.items()}
    return of.step(train, infer, mask=counting(mask, getattr(batch, "tags", None)), labels=labels, step=step)


def policy_loss(inner: Callable[..., Tuple[Any, Dict[str, Any]]]) -> Callable[..., Tuple[Any, Dict[str, Any]]]:
    """Wrap a policy loss of verl to observe the actor's log-probs and the old ones, which in bypass mode are the rollout's."""

    @functools.wraps(inner)
    def loss(old_log_prob: Any, log_prob: Any, advantages: Any, response_mask: Any, *arguments: Any, **options: Any) -> Tuple[Any, Dict[str, Any]]:
        out, metrics = inner(old_log_prob, log_prob, advantages, response_mask, *arguments, **options)
        watching = watch("verl-actor")
        return out, metrics if watching is None else {**metrics, **watching.step(log_prob, old_log_prob, mask=response_mask)}

    return loss


def register() -> None:
    """Register the trainer mode and the policy loss with verl."""
    import transfer_queue
    from verl.trainer.ppo import core_algos
    from verl.trainer.ppo.v1.trainer_base import register_trainer
    from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

    register_trainer(MODE)(watched(PPOTrainerSync, transfer_queue.kv_batch_get))
    core_algos.register_policy_loss(LOSS)(policy_loss(core_algos.get_policy_loss_fn("vanilla")))


def _enter() -> None:
    """Register, and print failures, because verl logs a failed plugin only at DEBUG."""
    if not is_asked_for() or "verl" not in sys.modules:
        return
    try:
        register()
        print(f"tikc: registered the verl trainer mode {MODE} and policy loss {LOSS}", file=sys.stderr, flush=True)
    except Exception as fault:
        print(f"tikc: verl is not watched: {type(fault).__name__}: {fault}", file=sys.stderr, flush=True)


_enter()
