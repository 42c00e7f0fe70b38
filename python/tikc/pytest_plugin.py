"""A pytest fixture that checks a test's data against a contract. Violations fail the test and show a table, for all data and for each window.

    def test_rollout(tikc_contract):
        monitor = tikc_contract("rollout.tikc.yaml")
        monitor.tokens(old_log_probs, rollout_log_probs, mask=mask)
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Dict, FrozenSet, Iterator, List, Optional, Union

import pytest

from ._contract import Contract, load
from ._errors import Violation
from ._files import Named
from ._monitor import Monitor
from ._window import Window

ATTRIBUTE = "_tikc_held"
MOST_WINDOWS = 3  # failed windows of a monitor that are shown


class Held(Monitor):
    """A monitor that remembers which windows fail a test. The contract may be violated in one window, but not by all data together."""

    def __init__(self, contract: Contract, undecided: str, **options: Any) -> None:
        super().__init__(contract, **options)
        self._undecided = undecided
        self._windows, self._more = 0, 0
        self._failed: List[str] = []

    def tick(self, now: Optional[float] = None) -> Window:
        known = self._suspended
        try:
            window = super().tick(now)
        except Violation as violated:
            self._look(violated.window, known)
            raise
        self._look(window, known)
        return window

    def _look(self, window: Window, known: FrozenSet[str]) -> None:
        self._windows += 1
        # Kept violations and earlier suspensions were reported in the window in which they arose.
        if all(each.kept for each in window.violated) and all(each.claim in known for each in window.suspended):
            return
        if len(self._failed) < MOST_WINDOWS:
            self._failed.append(f"{self.contract.name} {self.contract.version}, window {self._windows}: {window!r}")
        else:
            self._more += 1

    def failures(self) -> Iterator[str]:
        """Yield the reasons why the test fails: by all data, and by windows."""
        if self._is_new or self._trail.is_open or not self._windows:
            with contextlib.suppress(Violation):
                self.tick(self._last if self._reads_clock is False else None)
        told = self.contract.measure(self.evidence)
        is_kept = told.verdict == "satisfied" or (told.verdict, self._undecided) == ("undecided", "pass")
        if not is_kept:
            yield repr(told)
        if is_kept or self._windows > 1:
            yield from self._failed
            if self._more:
                yield f"and {self._more} more window{'' if self._more == 1 else 's'}"


class Contracts:
    """Creates monitors, which are judged after the test has passed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: List[Held] = []

    def __call__(self, contract: Union[Contract, Named], *, undecided: str = "fail", **options: Any) -> Monitor:
        """Return a monitor for a contract or its file, which is looked up next to the test first.

        Clauses without data are undecided, which fails the test unless `undecided="pass"`.
        """
        if undecided not in ("fail", "pass"):
            raise ValueError(f"`undecided`: expected 'fail' or 'pass', found {undecided!r}")
        if not isinstance(contract, Contract):
            beside = self._folder / contract
            contract = load(beside if beside.exists() else contract)
        # A test should fail on an invalid observation.
        asked: Dict[str, Any] = {"on_fault": "raise", **options, "keeps_evidence": True}
        self._made.append(Held(contract, undecided, **asked))
        return self._made[-1]

    def failures(self) -> Iterator[str]:
        for monitor in self._made:
            yield from monitor.failures()


@pytest.fixture  # type: ignore[misc]
def tikc_contract(request: Any) -> Contracts:
    """Return a function that creates monitors. At the end, a violated or undecided contract fails the test."""
    out = Contracts(Path(str(request.node.fspath)).parent)
    setattr(request.node, ATTRIBUTE, out)
    return out


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(item: Any, call: Any) -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    held = getattr(item, ATTRIBUTE, None)
    if held is None or report.when != "call" or not report.passed or hasattr(report, "wasxfail"):
        return
    try:
        said = list(held.failures())
    except Exception as fault:
        said = [f"{type(fault).__name__}: {fault}"]
    if said:
        report.outcome = "failed"
        report.longrepr = "\n\n".join(said)
