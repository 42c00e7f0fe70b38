"""What all hooks share: a monitor that says aloud that it is there, and never stops the host."""

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
MOST_FAULTS = 100  # that differ, and are told
SECONDS_OF_A_FILE = 60.0
Method = TypeVar("Method", bound=Callable[..., Any])


def is_asked_for() -> bool:
    """Whether a host that starts a hook by itself is to be watched."""
    return bool(os.environ.get("TIKC_CONTRACT"))


def harmless(otherwise: Callable[[], Any]) -> Callable[[Method], Method]:
    """Of what has a watch first: what goes wrong is told once and is no matter of the host; a violation that was asked to be raised is."""

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
    """A watch in what a host runs; where there can be none, that is told, and the host goes on without."""
    try:
        return Watch(host, *arguments, **options)
    except Exception as fault:
        LOG.error("%s: not watched: %s: %s", host, type(fault).__name__, fault)
        return None


class Watch:
    """A contract's monitor in a host. It is made when it is first asked for, and anew in a fork."""

    def __init__(self, host: str, contract: Union[Contract, Named, None] = None, *, stage: Optional[str] = None, evidence: Optional[Named] = None,
                 on_violation: str = "log", metrics: Optional[Metrics] = None) -> None:
        named = contract if contract is not None else os.environ.get("TIKC_CONTRACT")
        if not named:
            raise ValueError(f"{host} is to be watched, and no contract is named: give one, or set TIKC_CONTRACT to its file")
        self.host = host
        self.contract = named if isinstance(named, Contract) else load(named)
        self.window: Optional[Window] = None
        self.faults: Set[str] = set()
        self._stage = stage or os.environ.get("TIKC_STAGE") or None
        folder = evidence or os.environ.get("TIKC_EVIDENCE")
        # Wherever the process goes.
        self._folder = Path(folder).absolute() if folder else None
        self._on_violation = on_violation
        self._metrics = metrics if metrics is not None else [each for each in os.environ.get("TIKC_METRICS", "").split(",") if each]
        self._monitor: Optional[Monitor] = None
        self._process = 0
        # What is named wrongly is told now, and not at the first step.
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
        print(f"tikc: {self.host} is watched by {of.name} {of.version} ({of.fingerprint:#018x})", file=sys.stderr, flush=True)
        return self._monitor

    @property
    def monitor(self) -> Monitor:
        if self._monitor is None or self._process != os.getpid():
            return self._begin()
        return self._monitor

    def tell(self, fault: str) -> None:
        """Once of each. What was to be observed was not, which windows and evidence count."""
        if self._monitor is not None and self._process == os.getpid():
            self._monitor.lose(fault)
        if fault not in self.faults and len(self.faults) < MOST_FAULTS:
            self.faults.add(fault)
            LOG.error("%s: not watched: %s", self.host, fault)

    @harmless(dict)
    def step(self, train: Any, infer: Any, *, mask: Any = None, labels: Optional[Mapping[str, Any]] = None, step: Optional[int] = None,
             advantages: Any = None, rewards: Any = None, **more: Any) -> Dict[str, float]:
        """The trainer's step: observes log-probs of both sides, and what assumptions may be about, ends the step and judges. Gives numbers for a logger."""
        if advantages is not None:
            self.monitor.advantages(advantages)
        if rewards is not None:
            self.monitor.rewards(rewards)
        self.kept = self.monitor.tokens(train, infer, mask=mask, labels=labels, **more)
        # A run that went back counts on.
        self.monitor.end_step(step if step is not None and step > self._last_step else None)
        self._last_step = self._last_step + 1 if step is None else max(step, self._last_step + 1)
        return self._judged()

    @harmless(dict)
    def tick(self) -> Dict[str, float]:
        """Judges what came in. Gives numbers for a logger."""
        return self._judged()

    kept: Any = None
    """The mask of the last step, of a watch with `on_violation="mask"`."""

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
        # Under names of their own: the trainer logs some of these itself.
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
        """What is not in a file yet, into one more of the folder. It also happens each minute, and at the end of the process."""
        if self._folder is None or not self._waiting or self._process != os.getpid():
            return
        path = self._folder / f"{self.host}-{self._run}-{self._files:06}.tikc-evidence"
        try:
            joined(self._waiting).save(path)
        except (OSError, EvidenceError) as why:
            LOG.error("%s: %s was not written, and is tried again: %s", self.host, path, why)
            return
        self._waiting, self._files, self._saved = [], self._files + 1, time.monotonic()


def _save_last(of: "weakref.ref[Watch]") -> None:
    watch = of()
    if watch is not None:
        watch.save()
