"""Arguments of calls, in the form that the library takes."""

from __future__ import annotations

import ctypes
import itertools
from ctypes import Structure, byref, c_uint32
from typing import Any, List, Mapping, Optional, Sequence, Tuple

from . import _c
from ._arrays import Pieces, address, is_torch, numpy, parts, same_shape, starts_of
from ._library import Handle, must, tikc
from ._library import pieces as written
from ._slicing import Run, listed
from ._window import MOST_TOKENS, TOKEN_BITS, packed


def size_of(value: Any) -> Optional[int]:
    """Return the size, or None for a single number."""
    if isinstance(value, (int, float)) or getattr(value, "ndim", None) == 0:
        return None
    return len(value)


def numbers(name: str, value: Any, count: int, absent: float) -> List[float]:
    out = [absent if each is None else each for each in listed(name, value, count)]
    if any(isinstance(each, (str, bytes)) or not isinstance(each, (int, float)) for each in out):
        raise TypeError(f"`{name}` contains a non-numeric value")
    return [float(each) for each in out]


def unsigned(of: Sequence[int]) -> Any:
    np = numpy()
    return np.arange(of.start, of.stop, of.step, np.uint64) if isinstance(of, range) and of.step > 0 else np.array(of, np.uint64)


def unpadded(train: Pieces, infer: Pieces) -> Optional[Tuple[Pieces, int]]:
    """Return a mask that drops zeros on both sides at either end of rows (prompts and padding), and their number, or None if there are none.

    Only responses of equal length are rows; others have no padding.
    """
    np = numpy()
    if not train.sizes or train.sizes != infer.sizes or not train.sizes[0] or any(size != train.sizes[0] for size in train.sizes):
        return None

    def ends(side: Pieces) -> Any:
        rows = side.kept
        return rows[0][:, [0, -1]] if rows[0].ndim == 2 else np.array([(row[0], row[-1]) for row in rows])

    suspect = ((ends(train) == 0) & (ends(infer) == 0)).any(axis=1)
    if not suspect.any():
        return None
    p, q = (side.kept[0] if side.kept[0].ndim == 2 else np.stack(side.kept) for side in (train, infer))
    blank = (p[suspect] == 0) & (q[suspect] == 0)
    front, back = (np.logical_and.accumulate(each, axis=1) for each in (blank, blank[:, ::-1]))
    out = front | back[:, ::-1]
    mask = np.ones(p.shape, np.uint8)
    mask[suspect] = ~out
    return Pieces([mask], starts_of(mask), list(train.sizes)), int(out.sum())


class Paired:
    """Both sides of some responses, with their masks."""

    def __init__(self, sides: Mapping[str, Pieces]) -> None:
        self._train, self._infer, self._mask = sides["train"], sides["infer"], sides.get("mask")
        for name in ("infer", "mask"):
            if name in sides:
                same_shape(name, sides[name], "train", self._train)
        self.sizes = self._train.sizes
        longest = max(self.sizes, default=0)
        if longest > MOST_TOKENS:
            raise ValueError(f"`train`: expected at most {MOST_TOKENS} tokens per response, found {longest}")

    def part(self, i: int, begin: int, end: int, first: int) -> _c.Tokens:
        mask = self._mask.starts[i] + begin if self._mask else None
        return _c.Tokens(self._train.starts[i] + 4 * begin, self._infer.starts[i] + 4 * begin, mask, end - begin, first)

    def copies(self) -> List[bytes]:
        """Return copies of both sides and the mask of a single response."""
        mask = ctypes.string_at(self._mask.starts[0], self.sizes[0]) if self._mask else bytes([1]) * self.sizes[0]
        return [ctypes.string_at(self._train.starts[0], 4 * self.sizes[0]), ctypes.string_at(self._infer.starts[0], 4 * self.sizes[0]), mask]

    def refused(self, i: int) -> str:
        """Return which value of a response is not a log-prob, or an empty text if all are valid."""
        return written(tikc.tikc_tokens_refused, byref(self.part(i, 0, self.sizes[i], 0)))

    def observe_whole(self, tally: Handle, stream: int, slices: Sequence[int], ids: Sequence[int], which: Optional[Sequence[int]] = None) -> bool:
        """Observe all responses, or those in `which`, in one call. Return False, having observed nothing, if a log-prob is invalid."""
        count = len(self.sizes)
        if not count:
            return True
        np = numpy()
        rows = np.zeros((5, count), np.uint64)
        rows[0], rows[1], rows[3] = unsigned(self._train.starts), unsigned(self._infer.starts), self.sizes
        if self._mask:
            rows[2] = unsigned(self._mask.starts)
        named = unsigned(ids) << np.uint64(TOKEN_BITS)
        np.add(named, 1, out=rows[4])
        rows = np.ascontiguousarray(rows.T)
        places = np.zeros(count, np.uint32) if isinstance(slices, bytes) else np.array(slices, np.uint32)
        if which is not None:
            places, rows, named, count = places[which], rows[which], named[which], len(which)
        status = tikc.tikc_observe_responses(tally, stream, address(places), address(rows), address(named), count)
        if status == _c.VALUE:
            return False
        must(status, "tikc_observe_responses")
        return True

    def observe(self, tally: Handle, stream: int, i: int, id: int, before: int, runs: Sequence[Run], response: Optional[Structure]) -> None:
        for run in runs:
            part = self.part(i, run.begin, run.end, packed(id, before + run.begin))
            if response is None:
                must(tikc.tikc_tally_observe_tokens(tally, stream, run.slice, byref(part)), "tikc_tally_observe_tokens")
            else:
                must(tikc.tikc_tally_observe_response(tally, stream, run.slice, byref(part), byref(response)), "tikc_tally_observe_response")


class Kept:
    """A mask of the tokens that count and meet every bound on single tokens and single responses."""

    def __init__(self, contract: Handle, stream: int, batch: Paired) -> None:
        self._contract, self._stream, self._batch = contract, stream, batch
        self._starts = [0, *itertools.accumulate(batch.sizes)]
        self._marks = numpy().ones(self._starts[-1], numpy().uint8)

    def refuse(self, i: int) -> None:
        self._marks[self._starts[i] : self._starts[i + 1]] = 0

    def mark(self, i: int, runs: Sequence[Run], response: Optional[Structure]) -> None:
        """Mark the tokens of a response. Call it before the response is ended, which resets it."""
        at = address(self._marks) + self._starts[i]
        for run in runs:
            part = self._batch.part(i, run.begin, run.end, 0)
            must(tikc.tikc_contract_within(self._contract, self._stream, run.slice, byref(part), at + run.begin), "tikc_contract_within")
        if response is None:
            return
        is_within = c_uint32()
        must(tikc.tikc_contract_within_response(self._contract, self._stream, runs[-1].slice, byref(response), byref(is_within)), "tikc_contract_within_response")
        if not is_within.value:
            self.refuse(i)

    def like(self, train: Any) -> Any:
        """Return the mask in the shape of `train`."""
        marks = self._marks.view(numpy().bool_)
        each = parts(train)
        if each is not None:
            return [beside(one, marks[begin:end]) for one, begin, end in zip(each, self._starts, self._starts[1:])]
        return beside(train, marks.reshape(train.shape) if hasattr(train, "shape") else marks)


def beside(value: Any, marks: Any) -> Any:
    """Return the marks as a Torch tensor on the device of `value` if that is a tensor, else unchanged."""
    if not is_torch(value):
        return marks
    import torch

    return torch.from_numpy(marks).to(value.device)
