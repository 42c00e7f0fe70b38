"""The evidence of a monitor, piece by piece."""

from __future__ import annotations

import math
import secrets
import time
from typing import List, Optional

from . import _c
from ._evidence import Evidence, joined, piece
from ._library import Handle, argument, must, tikc
from ._window import TOKEN_BITS


class Trail:
    """The evidence of one monitor. Numbers its pieces and the trainer's steps."""

    def __init__(self, source: Optional[str], stage: bytes, keeps_all: bool, signs: Optional[Handle] = None) -> None:
        self.source = source or f"monitor {secrets.token_hex(8)}"
        self.step = 0
        self._source, self._stage = argument("source", self.source.encode()), stage
        self._signs = signs
        self._place = 0
        self.told = 0  # faults of this window that are already in a piece
        self._began: Optional[float] = None  # of the window
        self._ended: Optional[float] = None
        self._window: List[Evidence] = []
        self._all: Optional[List[Evidence]] = [] if keeps_all else None

    def seconds(self, now: Optional[float], began: float) -> float:
        """Return the time in seconds since 1970, or `now`. `began` is when the monitor was created, by its own clock."""
        at = time.time() if now is None else float(now)
        if self._began is None:
            self._began = at - (time.monotonic() - began) if now is None else at
        return at

    def piece(self, tally: Handle, now: Optional[float], faults: int) -> Evidence:
        """Return the tally and the signs as a piece of evidence, and clear the signs. Without `now`, the piece has no time."""
        times = (math.nan, math.nan) if now is None or self._began is None else (self._began, now)
        out = piece(tally, _c.Piece(self._source, self._stage, self._place, faults - self.told, self.step, *times, TOKEN_BITS), self._signs)
        if self._signs is not None:
            must(tikc.tikc_signs_clear(self._signs), "tikc_signs_clear")
        self._place += 1
        self.told = faults
        return out

    def keep(self, tally: Handle, now: Optional[float], faults: int, step: Optional[int], is_empty: bool) -> None:
        """Keep a piece for the window. `step` is the step that ends with it. An empty piece is kept only if no other has the window's time."""
        if step is not None and step < self.step:
            raise ValueError(f"`step`: expected at least {self.step}, found {step}")
        self.step = self.step if step is None else step
        if not (is_empty and self._window and self._ended is not None):
            self._window.append(self.piece(tally, now, faults))
        self._ended = now

    @property
    def is_open(self) -> bool:
        """Return whether pieces are kept for a window that has not ended."""
        return bool(self._window)

    def end_window(self) -> Evidence:
        out = self._window[0] if len(self._window) == 1 else joined(self._window)
        self._window, self._began, self._ended, self.told = [], self._ended, None, 0
        if self._all is not None:
            self._all.append(out)
        return out

    def whole(self) -> Evidence:
        if self._all is None:
            raise ValueError("the monitor was created without `keeps_evidence`; each window has its own evidence")
        if not self._all:
            raise ValueError("no window has ended: call tick() first, or take_evidence() for what was observed so far")
        return joined(self._all)
