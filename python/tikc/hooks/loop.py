"""A loop of your own.

    watch = tikc.hooks.loop.watch("rollout.tikc.yaml", evidence="evidence")
    for step, batch in enumerate(batches):
        logger.log(watch.step(batch.old_log_probs, batch.rollout_log_probs, mask=batch.mask, labels={"task": batch.tasks}, step=step))
"""

from __future__ import annotations

from typing import Any

from ._watch import Watch


def watch(contract: Any = None, **options: Any) -> Watch:
    """Watches a loop: `Watch` has what it takes, and TIKC_CONTRACT the contract where none is given."""
    return Watch("loop", contract, **options)
