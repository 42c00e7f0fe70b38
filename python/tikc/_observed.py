"""What calls are given, as the library takes it."""

from __future__ import annotations

import ctypes
from ctypes import Structure, byref
from typing import Any, List, Mapping, Optional, Sequence

from . import _c
from ._arrays import Pieces, same_shape
from ._library import Handle, must, tikc
from ._slicing import Run, listed
from ._window import MOST_TOKENS, packed


def size_of(value: Any) -> Optional[int]:
    """None of one number."""
    if isinstance(value, (int, float)) or getattr(value, "ndim", None) == 0:
        return None
    return len(value)


def numbers(name: str, value: Any, count: int, absent: float) -> List[float]:
    out = [absent if each is None else each for each in listed(name, value, count)]
    if any(isinstance(each, (str, bytes)) or not isinstance(each, (int, float)) for each in out):
        raise TypeError(f"`{name}` has what is no number")
    return [float(each) for each in out]


class Paired:
    """Both sides of some responses, and their masks."""

    def __init__(self, sides: Mapping[str, Pieces]) -> None:
        self._train, self._infer, self._mask = sides["train"], sides["infer"], sides.get("mask")
        for name in ("infer", "mask"):
            if name in sides:
                same_shape(name, sides[name], "train", self._train)
        self.sizes = self._train.sizes
        longest = max(self.sizes, default=0)
        if longest > MOST_TOKENS:
            raise ValueError(f"`train` has a response of {longest} tokens, and {MOST_TOKENS} are the most")

    def part(self, i: int, begin: int, end: int, first: int) -> _c.Tokens:
        mask = self._mask.starts[i] + begin if self._mask else None
        return _c.Tokens(self._train.starts[i] + 4 * begin, self._infer.starts[i] + 4 * begin, mask, end - begin, first)

    def copies(self) -> List[bytes]:
        """Of the one response: both sides, and what counts."""
        mask = ctypes.string_at(self._mask.starts[0], self.sizes[0]) if self._mask else bytes([1]) * self.sizes[0]
        return [ctypes.string_at(self._train.starts[0], 4 * self.sizes[0]), ctypes.string_at(self._infer.starts[0], 4 * self.sizes[0]), mask]

    def observe(self, tally: Handle, stream: int, i: int, id: int, before: int, runs: Sequence[Run], response: Optional[Structure]) -> None:
        for run in runs:
            part = self.part(i, run.begin, run.end, packed(id, before + run.begin))
            if response is None:
                must(tikc.tikc_tally_observe_tokens(tally, stream, run.slice, byref(part)), "tikc_tally_observe_tokens")
            else:
                must(tikc.tikc_tally_observe_response(tally, stream, run.slice, byref(part), byref(response)), "tikc_tally_observe_response")
