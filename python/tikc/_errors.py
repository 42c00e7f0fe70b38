"""The exceptions of tikc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._document import Report
    from ._window import Window


class TikcError(Exception):
    """Base class of tikc's exceptions."""


class ReadError(TikcError, OSError):
    """A file cannot be read."""


class ContractError(TikcError, ValueError):
    """A contract must not run. `report` has all findings."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report


class BytesError(TikcError, ValueError):
    """Bytes were not written by a monitor of this contract."""


class EvidenceError(TikcError, ValueError):
    """Data is not evidence, or evidence cannot be merged or judged as requested."""


class ForkError(TikcError, RuntimeError):
    """A monitor was used in a fork of its process."""


class Violation(TikcError):
    """A clause is violated, and the monitor has `on_violation="raise"`. `window` is the window in which it is."""

    def __init__(self, window: Window) -> None:
        super().__init__(f"violated: {window._violations()}")
        self.window = window
