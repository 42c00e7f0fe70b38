"""Results of whole responses that do not depend on a contract: trainer metrics, and signs of faults."""

from __future__ import annotations

import itertools
import math
from ctypes import byref, c_char_p, c_double, c_uint32, c_void_p
from typing import Dict, Iterable, List, Mapping, Optional, Union

from . import _c
from ._library import Handle, must, text, tikc

Metrics = Union[str, Iterable[str], Mapping[str, Optional[float]]]
Logged = Dict[str, Dict[str, float]]


def trainers() -> List[str]:
    """Return the trainers whose metrics are available."""
    each = (tikc.tikc_trainer_name(i) for i in itertools.count())
    return [text(name) for name in itertools.takewhile(lambda name: name is not None, each)]


def _created(trainer: int, cap: float) -> Handle:
    out = c_void_p()
    must(tikc.tikc_batch_create(trainer, cap, byref(out)), "tikc_batch_create")
    return Handle("batch", out.value)


def _signs() -> Handle:
    out = c_void_p()
    must(tikc.tikc_signs_create(byref(out)), "tikc_signs_create")
    return Handle("signs", out.value)


class Batches:
    """One batch per requested trainer, and signs for a diagnosis. A mapping gives each trainer's cap on importance weights, or None."""

    def __init__(self, asked: Metrics, diagnoses: bool = False) -> None:
        named: Dict[str, Optional[float]] = {}
        named.update(asked if isinstance(asked, Mapping) else dict.fromkeys([asked] if isinstance(asked, str) else asked))
        known = trainers()
        for name, cap in named.items():
            if name not in known:
                raise ValueError(f"`metrics`: expected a trainer of {', '.join(known)}, found {name!r}")
            if cap is not None and not 0 < cap < float("inf"):
                raise ValueError(f"`metrics`: expected a cap for {name} above 0, found {cap!r}")
        self._each = {name: _created(known.index(name), cap or 0.0) for name, cap in named.items()}
        self.signs = _signs() if diagnoses else None
        self.is_partial = False  # whether something other than whole responses was observed

    def __bool__(self) -> bool:
        return bool(self._each) or self.signs is not None

    def add(self, response: _c.Tokens, step: int) -> None:
        if self.signs is not None:
            must(tikc.tikc_signs_add(self.signs, byref(response), step, math.nan), "tikc_signs_add")
        for batch in self._each.values():
            must(tikc.tikc_batch_add(batch, byref(response)), "tikc_batch_add")

    def take(self) -> Optional[Logged]:
        """Return the metrics of the window and clear them, or None if some responses were not observed whole."""
        out = {name: self._figures(batch) for name, batch in self._each.items()}
        for batch in self._each.values():
            must(tikc.tikc_batch_clear(batch), "tikc_batch_clear")
        if self.signs is not None:
            must(tikc.tikc_signs_clear(self.signs), "tikc_signs_clear")
        was_partial, self.is_partial = self.is_partial, False
        return None if was_partial else out

    @staticmethod
    def _figures(batch: Handle) -> Dict[str, float]:
        count, name, value = c_uint32(), c_char_p(), c_double()
        must(tikc.tikc_batch_figures(batch, byref(count)), "tikc_batch_figures")
        out = {}
        for i in range(count.value):
            must(tikc.tikc_batch_figure(batch, i, byref(name), byref(value)), "tikc_batch_figure")
            out[text(name.value)] = value.value
        return out
