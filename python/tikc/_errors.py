"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._document import Report
    from ._window import Window


class TikcError(Exception):
    """Of all of them."""


class ReadError(TikcError, OSError):
    """A file that cannot be read."""


class ContractError(TikcError, ValueError):
    """A contract that must not be run; `report` has all that was found."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report


class BytesError(TikcError, ValueError):
    """Bytes that are not what a monitor of this contract wrote."""


class EvidenceError(TikcError, ValueError):
    """Evidence that is none, or that cannot be joined or judged so."""


class ForkError(TikcError, RuntimeError):
    """A monitor of another process."""


class Violation(TikcError):
    """A window in which a clause is violated, of a monitor that was told to raise."""

    def __init__(self, window: Window) -> None:
        super().__init__("violated: " + ", ".join(f"{each.clause} ({each.slice})" for each in window.violated))
        self.window = window
