"""A response whose tokens come in several calls."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from . import _c
from ._arrays import as_float, as_mask, pieces
from ._calls import Labels, chosen, observation
from ._library import must, tikc
from ._observed import Paired
from ._slicing import Columns
from ._window import MOST_TOKENS, packed

if TYPE_CHECKING:
    from ._monitor import Monitor


class Response:
    """A response whose tokens come in several calls."""

    def __init__(self, monitor: Monitor, labels: Labels, id: Optional[int], stream: Union[str, int, None]) -> None:
        self.monitor = monitor
        self._labels = dict(labels or {})
        self._id = id
        self._stream = stream
        self._sequence = _c.Sequence()
        self._tokens = 0
        self._slice = 0
        self._parts = [b"", b"", b""]
        self._known: Optional[Tuple[int, Columns, int]] = None
        self._ended = False

    @observation
    def tokens(self, train: Any, infer: Any, *, mask: Any = None) -> None:
        """Observe the next tokens of the response, in one dimension."""
        sides = {"train": pieces("train", train, as_float), "infer": pieces("infer", infer, as_float)}
        if mask is not None:
            sides["mask"] = pieces("mask", mask, as_mask)
        batch = Paired(sides)
        if len(batch.sizes) != 1:
            raise ValueError(f"`train`: expected the tokens of one response, found {len(batch.sizes)} responses")
        refused = batch.refused(0)
        if refused:
            raise ValueError(refused)
        which, columns, number = self._prepare()
        if self._tokens + batch.sizes[0] > MOST_TOKENS:
            raise ValueError(f"expected at most {MOST_TOKENS} tokens per response, found {self._tokens + batch.sizes[0]}")
        runs = self.monitor._slicing.runs_of(columns, 0, batch.sizes[0], self._tokens)
        batch.observe(self.monitor._tally, which, 0, number, self._tokens, runs, self._sequence)
        if self.monitor._batches:
            self._parts = [kept + more for kept, more in zip(self._parts, batch.copies())]
        self._tokens += batch.sizes[0]
        self._slice = runs[-1].slice

    @observation
    def end(self) -> None:
        """End the response, so that clauses about whole responses can judge it."""
        which, columns, number = self._prepare()
        if not self._tokens:
            self._slice = self.monitor._slicing.runs_of(columns, 0, 0)[-1].slice
        must(tikc.tikc_tally_end_response(self.monitor._tally, which, self._slice, byref(self._sequence), packed(number)), "tikc_tally_end_response")
        if self.monitor._batches:
            kept = [ctypes.create_string_buffer(each, len(each)) for each in self._parts]
            self.monitor._batches.add(_c.Tokens(*map(ctypes.addressof, kept), self._tokens, 0), self.monitor._trail.step)
        self._ended = True

    def _prepare(self) -> Tuple[int, Columns, int]:
        if self._ended:
            raise ValueError("the response has already ended")
        if self._known is None:
            which = chosen("stream", self._stream, self.monitor.contract.streams)
            columns = self.monitor._slicing.columns(self._labels, 1, of_tokens=True)
            self._known = which, columns, self.monitor._ids(self._id, 1)[0]
        return self._known

    def __enter__(self) -> Response:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None and not self._ended:
            self.end()

    def __reduce__(self) -> Any:
        raise TypeError("a response cannot be copied or pickled")
