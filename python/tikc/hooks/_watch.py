"""Code that all hooks share: a monitor that announces itself and never stops the host."""

from __future__ import annotations

import atexit
import functools
import logging
import math
import os
import secrets
import sys
import time
import weakref
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Set, TypeVar, Union, cast

from .._batches import Metrics
from .._contract import Contract, load
from .._errors import EvidenceError, Violation
from .._evidence import Evidence, joined
from .._files import Named
from .._monitor import Monitor
from .._window import Window

LOG = logging.getLogger("tikc")
MOST_FAULTS = 100  # distinct faults that are reported
SECONDS_OF_A_FILE = 60.0
Method = TypeVar("Method", bound=Callable[..., Any])


def is_asked_for() -> bool:
    """Return whether the environment names a contract, so that hooks that a host starts should run."""
    return bool(os.environ.get("TIKC_CONTRACT"))


def harmless(otherwise: Callable[[], Any]) -> Callable[[Method], Method]:
    """Decorate a method whose first argument has a watch. Its exceptions are reported once and do not reach the host; a Violation does.

    After an exception the method returns `otherwise()`.
    """

    def wrap(method: Method) -> Method:
        @functools.wraps(method)
        def run(of: Any, *arguments: Any, **options: Any) -> Any:
            try:
                return method(of, *arguments, **options)
            except Violation:
                raise
            except Exception as fault:
                watch: Watch = of if isinstance(of, Watch) else of.watch
                watch.tell(f"{method.__name__.strip('_')}: {type(fault).__name__}: {fault}")
                return otherwise()

        return cast(Method, run)

    return wrap


def attempted(host: str, *arguments: Any, **options: Any) -> Optional[Watch]:
    """Return a watch for a host. If it cannot be created, log the reason and return None."""
    try:
        return Watch(host, *arguments, **options)
    except Exception as fault:
        LOG.error("%s: not watched: %s: %s", host, type(fault).__name__, fault)
        return None


class Watch:
    """A contract's monitor in a host. A fork gets a new monitor."""

    def __init__(self, host: str, contract: Union[Contract, Named, None] = None, *, stage: Optional[str] = None, evidence: Optional[Named] = None,
                 on_violation: str = "log", metrics: Optional[Metrics] = None) -> None:
        named = contract if contract is not None else os.environ.get("TIKC_CONTRACT")
        if not named:
            raise ValueError(f"{host}: no contract given: pass one, or set TIKC_CONTRACT to its file")
        self.host = host
        self.contract = named if isinstance(named, Contract) else load(named)
        self.window: Optional[Window] = None
        self.faults: Set[str] = set()
        self._stage = stage or os.environ.get("TIKC_STAGE") or None
        folder = evidence or os.environ.get("TIKC_EVIDENCE")
        # The process may change its working directory.
        self._folder = Path(folder).absolute() if folder else None
        self._on_violation = on_violation
        self._metrics = metrics if metrics is not None else [each for each in os.environ.get("TIKC_METRICS", "").split(",") if each]
        self._monitor: Optional[Monitor] = None
        self._process = 0
        # Report wrong names now, not at the first step.
        self._begin()

    def _begin(self) -> Monitor:
        self._process, self._run = os.getpid(), secrets.token_hex(6)
        rank = os.environ.get("RANK")
        source = f"{self.host}{f', rank {rank}' if rank else ''}, {self._run}"
        self._monitor = self.contract.monitor(self._stage, on_violation=self._on_violation, metrics=self._metrics, source=source)
        self._names = [self._metrics] if isinstance(self._metrics, str) else list(self._metrics)
        self._last_step = -1
        self._spent = 0.0
        self._waiting: List[Evidence] = []
        self._files, self._saved = 0, time.monotonic()
        if self._folder is not None:
            atexit.register(_save_last, weakref.ref(self))
        of = self.contract
        print(f"tikc: watching {self.host} with {of.name} {of.version} ({of.fingerprint:#018x})", file=sys.stderr, flush=True)
        return self._monitor

    @property
    def monitor(self) -> Monitor:
        if self._monitor is None or self._process != os.getpid():
            return self._begin()
        return self._monitor

    def tell(self, fault: str) -> None:
        """Report a fault, once per fault. Windows and evidence count the missed observation."""
        if self._monitor is not None and self._process == os.getpid():
            self._monitor.lose(fault)
        if fault not in self.faults and len(self.faults) < MOST_FAULTS:
            self.faults.add(fault)
            LOG.error("%s: not watched: %s", self.host, fault)

    @harmless(dict)
    def step(self, train: Any, infer: Any, *, mask: Any = None, labels: Optional[Mapping[str, Any]] = None, step: Optional[int] = None,
             advantages: Any = None, rewards: Any = None, **more: Any) -> Dict[str, float]:
        """Observe a trainer's step, end the step and judge it. Return numbers for a logger.

        Takes the log-probs of both sides as `Monitor.tokens` does, and advantages and rewards for assumptions.
        """
        if advantages is not None:
            self.monitor.advantages(advantages)
        if rewards is not None:
            self.monitor.rewards(rewards)
        self.kept = self.monitor.tokens(train, infer, mask=mask, labels=labels, **more)
        # If the host's steps went back, keep counting.
        self.monitor.end_step(step if step is not None and step > self._last_step else None)
        self._last_step = self._last_step + 1 if step is None else max(step, self._last_step + 1)
        return self._judged()

    @harmless(dict)
    def tick(self) -> Dict[str, float]:
        """Judge what was observed. Return numbers for a logger."""
        return self._judged()

    kept: Any = None
    """The mask of the last step, if the watch has `on_violation="mask"`."""

    def _judged(self) -> Dict[str, float]:
        try:
            window = self.monitor.tick()
        except Violation as violated:
            self._keep(violated.window)
            raise
        self._keep(window)
        out = {name: value for name, value in window.metrics().items() if math.isfinite(value)}
        out["tikc/violated"], out["tikc/undecided"] = float(len(window.violated)), float(len(window.undecided))
        out["tikc/faults"] = float(window.faults)
        out["tikc/seconds"], self._spent = self.monitor.cost.seconds - self._spent, self.monitor.cost.seconds
        # With a prefix, because the trainer logs some of these itself.
        for trainer in self._names if window.logged is not None else ():
            out.update({f"tikc/{trainer}/{name}": value for name, value in window.metrics(trainer).items() if math.isfinite(value)})
        return out

    def _keep(self, window: Window) -> None:
        self.window = window
        if self._folder is None:
            return
        self._waiting.append(window.evidence)
        if time.monotonic() - self._saved >= SECONDS_OF_A_FILE:
            self.save()

    @harmless(lambda: None)
    def save(self) -> None:
        """Save new evidence to another file in the folder. This also happens every minute and when the process ends."""
        if self._folder is None or not self._waiting or self._process != os.getpid():
            return
        path = self._folder / f"{self.host}-{self._run}-{self._files:06}.tikc-evidence"
        try:
            joined(self._waiting).save(path)
        except (OSError, EvidenceError) as why:
            LOG.error("%s: cannot write %s, will retry: %s", self.host, path, why)
            return
        self._waiting, self._files, self._saved = [], self._files + 1, time.monotonic()


def _save_last(of: "weakref.ref[Watch]") -> None:
    watch = of()
    if watch is not None:
        watch.save()
