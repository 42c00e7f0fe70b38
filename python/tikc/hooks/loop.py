"""A hook for your own training loop.

    watch = tikc.hooks.loop.watch("rollout.tikc.yaml", evidence="evidence")
    for step, batch in enumerate(batches):
        logger.log(watch.step(batch.old_log_probs, batch.rollout_log_probs, mask=batch.mask, labels={"task": batch.tasks}, step=step))
"""

from __future__ import annotations

from typing import Any

from ._watch import Watch


def watch(contract: Any = None, **options: Any) -> Watch:
    """Return a watch for a loop. Takes the arguments of `Watch`. TIKC_CONTRACT names the contract if none is given."""
    return Watch("loop", contract, **options)
