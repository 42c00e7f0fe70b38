"""What observes, and judges by windows."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import logging
import math
import os
import threading
import time
from ctypes import byref, create_string_buffer
from typing import Any, Callable, ContextManager, Dict, FrozenSet, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union, cast

from . import _c
from ._arrays import Logits, as_double, as_float, as_mask, parts, pieces, same_shape, whole_numbers
from ._batches import Batches, Metrics
from ._contract import Contract
from ._errors import BytesError, ForkError, Violation
from ._library import created, must, parse, tikc, wire
from ._observed import Paired, numbers, size_of
from ._slicing import Columns, Slicing
from ._window import MOST_ID, MOST_TOKENS, Reading, Volume, Window, packed

LOG = logging.getLogger("tikc")
MOST_FAULTS = 100  # that differ, and are remembered
TIMES = ("latency", "first_token_latency", "inter_token_latency", "throughput")
Labels = Optional[Mapping[str, Any]]
Method = TypeVar("Method", bound=Callable[..., None])


def chosen(what: str, which: Union[str, int, None], names: Sequence[str]) -> int:
    """By name or number; what is not named is the only one."""
    if which is None:
        if len(names) > 1:
            raise ValueError(f"`{what}` is to be one of {', '.join(names)}")
        return 0
    if isinstance(which, str):
        if which not in names:
            raise ValueError(f"there is no {what} `{which}`, but {', '.join(names) or 'none'}")
        return names.index(which)
    if not 0 <= which < len(names):
        raise ValueError(f"there is no {what} {which}, but {len(names)}")
    return which


def observation(method: Method) -> Method:
    """An observation, which one thread makes at a time, and whose fault is no matter of the training step."""

    @functools.wraps(method)
    def observe(self: Any, *arguments: Any, **options: Any) -> None:
        monitor: Monitor = getattr(self, "monitor", self)
        try:
            monitor._belong()
            with monitor._lock:
                method(self, *arguments, **options)
        except Exception as fault:
            if monitor.on_fault == "raise":
                raise
            monitor._tell(f"{method.__name__.lstrip('_')}: {type(fault).__name__}: {fault}")

    return cast(Method, observe)


class Monitor:
    """A tally, a checker and a router of a contract. Any threads may use it, one after the other; a process that was forked makes its own.

    `faults` has what was wrong with observations, and how often; `strangers` the texts that a label does not have, which count as none.
    """

    def __init__(self, contract: Contract, stage: Union[str, int, None] = None, *, on_violation: str = "log", on_fault: str = "log",
                 metrics: Metrics = ()) -> None:
        for name, value in (("on_violation", on_violation), ("on_fault", on_fault)):
            if value not in ("log", "raise"):
                raise ValueError(f"`{name}` is `log` or `raise`, and not {value!r}")
        self.contract = contract
        self.on_violation, self.on_fault = on_violation, on_fault
        self.faults: Dict[str, int] = {}
        self._stage = 0 if stage is None else chosen("stage", stage, contract.stages)
        self._tally, self._checker, self._router = (created(kind, contract.handle) for kind in ("tally", "checker", "router"))
        self._reading = Reading(contract, self._checker, self._router)
        self._batches = Batches(metrics)
        self._slicing = Slicing(contract)
        self._scratch: Any = None
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._observed = [Volume() for _ in contract.slices]
        self._next = 0
        self._handed: Dict[int, int] = {}  # how many numbers of each quantity were not named
        self._suspended: FrozenSet[str] = frozenset()
        self._new_faults = 0
        self._began = time.monotonic()
        self._last: Optional[float] = None
        self._reads_clock: Optional[bool] = None

    @property
    def strangers(self) -> Dict[Tuple[str, str], int]:
        return dict(self._slicing.strangers)

    @observation
    def tokens(self, train: Any, infer: Any, *, mask: Any = None, labels: Labels = None, ids: Any = None, lengths: Any = None,
               stream: Union[str, int, None] = None, whole: bool = True) -> None:
        """Log-probs of sampled tokens by both kernels.

        Of one dimension they are a response; of two, or as a list of arrays, one a row, and `lengths` cuts responses from what has one dimension. Where
        `mask` is 0 a token is left out. Labels have a value for all, or one a response, and `position` says at which token a response begins here. `ids`
        name responses, which otherwise are counted from 0. Without `whole`, tokens are of responses that are not there in one piece: what is asked of
        responses does not see them.
        """
        which = chosen("stream", stream, self.contract.streams)
        sides = {"train": pieces("train", train, as_float), "infer": pieces("infer", infer, as_float)}
        if mask is not None:
            sides["mask"] = pieces("mask", mask, as_mask)
        if lengths is not None:
            counts = whole_numbers("lengths", lengths)
            sides = {name: side.cut(name, counts, 1 if name == "mask" else 4) for name, side in sides.items()}
        batch = Paired(sides)
        columns = self._slicing.columns(labels, len(batch.sizes), of_tokens=True)
        runs = [self._slicing.runs_of(columns, i, size) for i, size in enumerate(batch.sizes)]
        for i, number in enumerate(self._ids(ids, len(batch.sizes))):
            response = _c.Sequence() if whole else None
            batch.observe(self._tally, which, i, number, 0, runs[i], response)
            if response is not None:
                must(tikc.tikc_tally_end_response(self._tally, which, runs[i][-1].slice, byref(response), packed(number)), "tikc_tally_end_response")
                self._batches.add(batch.part(i, 0, batch.sizes[i], 0))
            else:
                self._batches.is_partial = True

    def response(self, *, labels: Labels = None, id: Optional[int] = None, stream: Union[str, int, None] = None) -> Response:
        """A response whose tokens come in several calls. It ends with `end()`, or with a `with` statement."""
        return Response(self, labels, id, stream)

    @observation
    def rows(self, train: Any, infer: Any, *, labels: Labels = None, ids: Any = None, stream: Union[str, int, None] = None) -> None:
        """Logits of whole contexts by both kernels, before any temperature: a row, or several."""
        which = chosen("stream", stream, self.contract.streams)
        sides = [Logits(name, value, self.contract.vocabulary) for name, value in (("train", train), ("infer", infer))]
        if sides[0].count != sides[1].count or sides[0].size != sides[1].size:
            raise ValueError(f"`train` has shape {(sides[0].count, sides[0].size)}, and `infer` {(sides[1].count, sides[1].size)}")
        slices = self._slices(labels, sides[0].count)
        if self._scratch is None:
            self._scratch = create_string_buffer(self.contract.scratch_bytes)
        one, two = (_c.Row(None, side.size, side.format) for side in sides)
        for i, number in enumerate(self._ids(ids, sides[0].count)):
            one.data, two.data = sides[0].starts[i], sides[1].starts[i]
            must(tikc.tikc_tally_observe_row(self._tally, which, slices[i], byref(one), byref(two), self._scratch, len(self._scratch), packed(number)),
                 "tikc_tally_observe_row")

    @observation
    def requests(self, *, latency: Any = None, first_token_latency: Any = None, inter_token_latency: Any = None, throughput: Any = None,
                 failed: Any = None, labels: Labels = None, ids: Any = None) -> None:
        """What is known of requests when they are done, in seconds and tokens per second: a number each, or one of one request. None was not measured."""
        given = {name: value for name, value in zip(TIMES, (latency, first_token_latency, inter_token_latency, throughput)) if value is not None}
        if failed is not None:
            given["failed"] = failed
        if not given:
            raise ValueError("a request has at least one of " + ", ".join((*TIMES, "failed")))
        count = self._count(given)
        columns = {name: numbers(name, value, count, _c.ABSENT if name != "failed" else 0.0) for name, value in given.items()}
        slices = self._slices(labels, count)
        for i, number in enumerate(self._ids(ids, count)):
            times = _c.RequestTimes(*(columns[name][i] if name in columns else _c.ABSENT for name in TIMES), int("failed" in columns and columns["failed"][i] != 0))
            must(tikc.tikc_tally_observe_request(self._tally, slices[i], byref(times), packed(number)), "tikc_tally_observe_request")

    @observation
    def batch_replays(self, drift: Any, *, labels: Labels = None, ids: Any = None) -> None:
        """The largest change of a log-prob among a request's tokens in another batch: a number a request, or one."""
        self._each("tikc_tally_observe_batch_replay", "drift", drift, labels, ids)

    @observation
    def request_replays(self, drift: Any, *, labels: Labels = None, ids: Any = None) -> None:
        """The same when a request is run again."""
        self._each("tikc_tally_observe_request_replay", "drift", drift, labels, ids)

    @observation
    def routes(self, share: Any, *, labels: Labels = None, ids: Any = None, stream: Union[str, int, None] = None) -> None:
        """The share of layers whose set of experts differs: a number a token, or one."""
        self._each("tikc_tally_observe_routes", "share", share, labels, ids, chosen("stream", stream, self.contract.streams))

    @observation
    def rewards(self, rewards: Any, *, mask: Any = None, ids: Any = None) -> None:
        """Rewards of responses, which an assumption may be about: a number each, or one. Those whose `mask` is 0 are left out. Without `ids` they are
        counted from 0, apart from tokens."""
        self._hand_in(_c.REWARD, "rewards", rewards, mask, ids)

    @observation
    def step_rewards(self, rewards: Any, *, mask: Any = None, ids: Any = None) -> None:
        """The same of responses' steps: a row each."""
        self._hand_in(_c.STEP_REWARD, "rewards", rewards, mask, ids)

    @observation
    def advantages(self, advantages: Any, *, mask: Any = None, ids: Any = None) -> None:
        """Advantages, a number a response, or a row of its tokens' each."""
        self._hand_in(_c.ADVANTAGE, "advantages", advantages, mask, ids)

    @observation
    def score_norms(self, norms: Any, *, mask: Any = None, ids: Any = None) -> None:
        """2-norms of tokens' scores, grad log pi: a row a response, or of some tokens a number each."""
        self._hand_in(_c.SCORE_NORM, "norms", norms, mask, ids)

    @observation
    def lengths(self, lengths: Any, *, ids: Any = None) -> None:
        """How many tokens responses have whose tokens do not come here."""
        self._hand_in(_c.LENGTH, "lengths", lengths, None, ids)

    def _hand_in(self, quantity: int, name: str, value: Any, mask: Any, ids: Any) -> None:
        given = pieces(name, value, as_double)
        masks = None if mask is None else pieces("mask", mask, as_mask)
        if masks is not None:
            same_shape("mask", masks, name, given)
        is_flat = parts(value) is None and given.kept[0].ndim == 1
        count = given.sizes[0] if is_flat else len(given.sizes)
        numbered = self._handed_ids(quantity, ids, count)
        for i, number in enumerate(numbered):
            # Numbers of one dimension are responses', each under its own id.
            which, at, size = (0, i, 1) if is_flat else (i, 0, given.sizes[i])
            out = _c.Numbers(given.starts[which] + 8 * at, masks and masks.starts[which] + at, size, packed(number, None if is_flat else 0), 1)
            must(tikc.tikc_tally_hand_in(self._tally, quantity, byref(out)), "tikc_tally_hand_in")

    def _handed_ids(self, quantity: int, ids: Any, count: int) -> Sequence[int]:
        if ids is not None:
            return self._ids(ids, count)
        first = self._handed.get(quantity, 0)
        self._handed[quantity] = first + count
        return range(first, first + count)

    @observation
    def serve(self, *, tokens: int = 0, requests: int = 0, labels: Labels = None) -> None:
        """What was served, observed or not: what a sampling clause wants a share of."""
        for name, value in (("tokens", tokens), ("requests", requests)):
            if not 0 <= value < 1 << 64:
                raise ValueError(f"`{name}` is {value}, and counts something")
        must(tikc.tikc_tally_serve(self._tally, self._slices(labels, 1)[0], tokens, requests), "tikc_tally_serve")

    def merge(self, other: Any) -> None:
        """What another monitor of the contract observed: what its `take` gave, or it itself, which then has nothing left."""
        # Outside of this one's lock: two that merge one another would wait for ever.
        goes_along = isinstance(other, Monitor) and other.contract.fingerprint == self.contract.fingerprint and os.getpid() == other._process == self._process
        self._merge(other.take() if goes_along else other)

    @observation
    def _merge(self, data: Any) -> None:
        if isinstance(data, Monitor):
            data._belong()
            raise BytesError("that monitor is of another contract, or of another version of this one")
        part = created("tally", self.contract.handle)
        parse(part, data)
        must(tikc.tikc_tally_merge(self._tally, part), "tikc_tally_merge")
        self._batches.is_partial = True

    def take(self) -> bytes:
        """What was observed since the last tick, step's end or take, for a monitor elsewhere to merge. It is gone from here."""
        self._belong()
        with self._lock:
            out = wire(self._tally)
            must(tikc.tikc_tally_clear(self._tally), "tikc_tally_clear")
            self._batches.take()
            return out

    def end_step(self) -> None:
        """The trainer's step ends here, with what was observed before: windows of steps end by this alone."""
        self._belong()
        with self._lock:
            self._flush()
            must(tikc.tikc_checker_end_step(self._checker), "tikc_checker_end_step")

    def tick(self, now: Optional[float] = None) -> Window:
        """Judges what came in. `now` is in seconds from any start and never goes back; without it the clock is asked, which started with the monitor."""
        self._belong()
        with self._lock:
            at = self._time(now)
            self._flush()
            must(tikc.tikc_checker_evaluate(self._checker, at), "tikc_checker_evaluate")
            must(tikc.tikc_router_tick(self._router, self._checker, self._stage), "tikc_router_tick")
            window = self._reading.window(at, dict(zip(self.contract.slices, self._observed)), self._new_faults, self._batches.take())
            self._observed = [Volume() for _ in self.contract.slices]
            self._new_faults = 0
        self._tell_suspended(window)
        if window.violated:
            if self.on_violation == "raise":
                raise Violation(window)
            LOG.warning("%s: violated: %s", self.contract.name, ", ".join(f"{each.clause} ({each.slice})" for each in window.violated))
        return window

    def reset(self, rule: str, slice: Optional[str] = None) -> None:
        """Ends a rule, on a slice where there are several: the only way out of one that nothing else ends."""
        self._belong()
        with self._lock:
            must(tikc.tikc_router_reset(self._router, chosen("rule", rule, self.contract.rules), chosen("slice", slice, self.contract.slices)),
                 "tikc_router_reset")

    def __repr__(self) -> str:
        return f"<tikc.Monitor of {self.contract.name} {self.contract.version}>"

    def __reduce__(self) -> Any:
        raise TypeError("a monitor lies in the memory of its process: take() gives what it observed as bytes")

    def _belong(self) -> None:
        if os.getpid() != self._process:
            raise ForkError(f"this monitor is of process {self._process}, of which this one is a fork: make one here, and merge what it takes")

    def _tell(self, fault: str) -> None:
        # In a fork nobody might give the lock back.
        nobody: ContextManager[Any] = contextlib.nullcontext()
        with self._lock if os.getpid() == self._process else nobody:
            self._new_faults += 1
            is_new = fault not in self.faults
            if not is_new or len(self.faults) < MOST_FAULTS:
                self.faults[fault] = self.faults.get(fault, 0) + 1
        if is_new:
            LOG.error("%s: nothing was observed: %s", self.contract.name, fault)

    def _tell_suspended(self, window: Window) -> None:
        """Once of each claim."""
        for each in window.suspended:
            if each.claim not in self._suspended:
                LOG.warning("%s: the claim %s is suspended: %s broken", self.contract.name, each.claim, ", ".join(each.broken))
        self._suspended |= {each.claim for each in window.suspended}

    def _time(self, now: Optional[float]) -> float:
        reads_clock = now is None
        if self._reads_clock not in (None, reads_clock):
            raise ValueError("`now` is given at each tick, or at none")
        at = time.monotonic() if now is None else float(now)
        if not math.isfinite(at) or (self._last is not None and at < self._last):
            raise ValueError(f"`now` is {at}, and the tick before was at {self._last}")
        if self._reads_clock is None and reads_clock:
            must(tikc.tikc_checker_start(self._checker, self._began), "tikc_checker_start")
        self._reads_clock, self._last = reads_clock, at
        return at

    def _flush(self) -> None:
        volume = _c.Volume()
        for i in range(len(self._observed)):
            must(tikc.tikc_tally_volume(self._tally, i, byref(volume)), "tikc_tally_volume")
            self._observed[i] += Volume(*(getattr(volume, name) for name, *_ in volume._fields_))
        must(tikc.tikc_checker_merge(self._checker, self._tally), "tikc_checker_merge")
        must(tikc.tikc_tally_clear(self._tally), "tikc_tally_clear")

    def _ids(self, ids: Any, count: int) -> Sequence[int]:
        if ids is None:
            first, self._next = self._next, self._next + count
            return range(first, first + count)
        out = [ids] if isinstance(ids, int) else whole_numbers("ids", ids)
        if len(out) != count:
            raise ValueError(f"`ids` has {len(out)} numbers, and there are {count} observations")
        if any(not 0 <= each <= MOST_ID for each in out):
            raise ValueError(f"`ids` are from 0 to {MOST_ID}")
        return out

    def _slices(self, labels: Labels, count: int) -> List[int]:
        columns = self._slicing.columns(labels, count)
        return [self._slicing.slice_of(columns, i) for i in range(count)]

    @staticmethod
    def _count(given: Mapping[str, Any]) -> int:
        sizes = {name: size_of(value) for name, value in given.items()}
        several = {name: size for name, size in sizes.items() if size is not None}
        if len(set(several.values())) > 1:
            raise ValueError("; ".join(f"`{name}` has {size} numbers" for name, size in several.items()))
        return next(iter(several.values()), 1)

    def _each(self, function: str, name: str, value: Any, labels: Labels, ids: Any, *stream: int) -> None:
        count = self._count({name: value})
        column = numbers(name, value, count, math.nan)
        slices = self._slices(labels, count)
        for i, number in enumerate(self._ids(ids, count)):
            must(getattr(tikc, function)(self._tally, *stream, slices[i], column[i], packed(number)), function)


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
        """The tokens that come next, in one dimension."""
        sides = {"train": pieces("train", train, as_float), "infer": pieces("infer", infer, as_float)}
        if mask is not None:
            sides["mask"] = pieces("mask", mask, as_mask)
        batch = Paired(sides)
        if len(batch.sizes) != 1:
            raise ValueError("`train` has several responses, and these are tokens of one")
        which, columns, number = self._prepare()
        if self._tokens + batch.sizes[0] > MOST_TOKENS:
            raise ValueError(f"a response has {MOST_TOKENS} tokens at most")
        runs = self.monitor._slicing.runs_of(columns, 0, batch.sizes[0], self._tokens)
        batch.observe(self.monitor._tally, which, 0, number, self._tokens, runs, self._sequence)
        if self.monitor._batches:
            self._parts = [kept + more for kept, more in zip(self._parts, batch.copies())]
        self._tokens += batch.sizes[0]
        self._slice = runs[-1].slice

    @observation
    def end(self) -> None:
        """What is asked of responses is known now."""
        which, columns, number = self._prepare()
        if not self._tokens:
            self._slice = self.monitor._slicing.runs_of(columns, 0, 0)[-1].slice
        must(tikc.tikc_tally_end_response(self.monitor._tally, which, self._slice, byref(self._sequence), packed(number)), "tikc_tally_end_response")
        if self.monitor._batches:
            kept = [ctypes.create_string_buffer(each, len(each)) for each in self._parts]
            self.monitor._batches.add(_c.Tokens(*map(ctypes.addressof, kept), self._tokens, 0))
        self._ended = True

    def _prepare(self) -> Tuple[int, Columns, int]:
        if self._ended:
            raise ValueError("this response has ended")
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
        raise TypeError("a response is of a monitor, which lies in the memory of its process")
