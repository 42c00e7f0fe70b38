"""A hook for prime-rl: its own loss, watched. Set TIKC_CONTRACT.

    [trainer.loss]
    type = "custom"
    import_path = "tikc.hooks.prime_rl.loss"
    kwargs = { inner = "default", kl_tau = 1e-3 }

`inner` is prime-rl's loss `default` or `ipo`, or the path of a function such as `my_losses.mine`; the other arguments are its settings.

prime-rl calls a loss once per sequence and does not pass the step, so the hook judges every SECONDS and when the process ends. Clauses `over 1 step` stay
undecided; for these, measure prime-rl's token export.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import time
from typing import Any, Callable, Dict, Optional

from ._watch import Watch, attempted, harmless, is_asked_for

SECONDS = 10.0
OWN = {"default": "DefaultLossConfig", "ipo": "IPOLossConfig"}


class Paced:
    """A watch that judges now and then. Numbers for prime-rl's logger would have to be the same on all ranks at each step, so it gets none."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self._judged = time.monotonic()
        atexit.register(self.judge)

    @harmless(lambda: None)
    def see(self, inputs: Any) -> None:
        monitor = self.watch.monitor
        monitor.advantages([inputs.advantages], mask=[inputs.loss_mask])
        monitor.tokens(inputs.trainer_logprobs, inputs.inference_logprobs, mask=inputs.loss_mask)
        if time.monotonic() - self._judged >= SECONDS:
            self.judge()

    def judge(self) -> None:
        self._judged = time.monotonic()
        self.watch.tick()


@functools.lru_cache(maxsize=None)
def watch() -> Optional[Paced]:
    """Return the watch of this process, or None without a contract or if it could not be created, which was logged."""
    made = attempted("prime-rl") if is_asked_for() else None
    return None if made is None else Paced(made)


def loss(inputs: Any, inner: str = "default", **settings: Any) -> Any:
    """Observe a sequence, and return what the inner loss returns. prime-rl calls this."""
    out = _function(inner, settings)(inputs)
    watching = watch()
    if watching is not None:
        watching.see(inputs)
    return out


_made: Dict[str, Callable[[Any], Any]] = {}


def _function(inner: str, settings: Dict[str, Any]) -> Callable[[Any], Any]:
    """Return the inner loss with its settings, which are the same at each call."""
    key = repr((inner, sorted(settings.items())))
    if key not in _made:
        _made[key] = _own(inner, settings) if inner in OWN else _others(inner, settings)
    return _made[key]


def _own(inner: str, settings: Dict[str, Any]) -> Callable[[Any], Any]:
    configs = importlib.import_module("prime_rl.configs.trainer")
    made: Callable[[Any], Any] = importlib.import_module("prime_rl.trainer.rl.loss").setup_rl_loss_fn(getattr(configs, OWN[inner])(**settings))
    return made


def _others(inner: str, settings: Dict[str, Any]) -> Callable[[Any], Any]:
    module, _, name = inner.rpartition(".")
    if not module:
        raise ValueError(f"invalid `inner` {inner!r} for tikc.hooks.prime_rl.loss; expected default, ipo, or a path such as my_losses.mine")
    return functools.partial(getattr(importlib.import_module(module), name), **settings)
