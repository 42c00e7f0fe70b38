"""Monitors, which observe data and judge it in windows."""

from __future__ import annotations

import contextlib
import logging
import math
import os
import threading
import time
from ctypes import byref, create_string_buffer
from typing import Any, Callable, ContextManager, Dict, FrozenSet, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _c
from ._arrays import (Logits, OutputLayer, are_on_a_device, as_double, as_float, as_mask, as_rows, copied_at_a_time, equal_counts, in_chunks, lengths_of,
                      paired, parts, pieces, rows_kept, rows_of, same_shape, whole_numbers)
from ._batches import Batches, Metrics
from ._calls import Cost, Labels, answer, chosen, observation
from ._contract import Contract
from ._device_rows import Reduction
from ._errors import BytesError, ForkError, Violation
from ._evidence import Evidence
from ._library import Handle, created, must, parse, tikc, wire
from ._library import pieces as written
from ._observed import Kept, Paired, numbers, size_of, unpadded
from ._response import Response
from ._slicing import Columns, Slicing
from ._trail import Trail
from ._window import MOST_ID, Reading, Volume, Window, packed

LOG = logging.getLogger("tikc")
MOST_FAULTS = 100  # distinct faults that are remembered
TIMES = ("latency", "first_token_latency", "inter_token_latency", "throughput")


class Monitor:
    """Observes data for a contract, judges it in windows, and applies the escalation policy. Create one with `Contract.monitor`.

    Any thread may use it; calls run one at a time. A forked process must create its own.

    faults: the faults of observations, and how often each occurred.
    strangers: values that a label does not declare, which count as missing.
    unasked: labels that no slice uses.
    padding: the number of array elements taken for padding.

    An interrupt, such as Ctrl-C, passes through and may leave a call half done. It counts as a fault, so that its window is not reported as satisfied.
    """

    def __init__(self, contract: Contract, stage: Union[str, int, None] = None, *, on_violation: str = "log", on_fault: str = "log",
                 metrics: Metrics = (), source: Optional[str] = None, keeps_evidence: bool = False, diagnoses: bool = False) -> None:
        if on_violation not in ("log", "raise", "mask"):
            raise ValueError(f"`on_violation`: expected 'log', 'raise' or 'mask', found {on_violation!r}")
        if on_fault not in ("log", "raise"):
            raise ValueError(f"`on_fault`: expected 'log' or 'raise', found {on_fault!r}")
        self.contract = contract
        self.on_violation, self.on_fault = on_violation, on_fault
        self.faults: Dict[str, int] = {}
        self.cost = Cost()
        self.padding = 0
        self._stage = 0 if stage is None else chosen("stage", stage, contract.stages)
        self._tally, self._checker, self._router = (created(kind, contract.handle) for kind in ("tally", "checker", "router"))
        self._reading = Reading(contract, self._checker, self._router)
        self._batches = Batches(metrics, diagnoses)
        self._slicing = Slicing(contract)
        self._scratch: Any = None
        self._counted: Optional[Handle] = None
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._observed = [Volume() for _ in contract.slices]
        self._next = 0
        self._trail = Trail(source, b"" if stage is None else contract.stages[self._stage].encode(), keeps_evidence, self._batches.signs)
        self._handed: Dict[int, int] = {}  # how many numbers of each quantity came without ids
        self._suspended: FrozenSet[str] = frozenset()
        self._new_faults = 0
        self._is_new = False  # whether something was observed or failed since the last piece
        self._inside = ""  # the call in progress
        self._lost = 0  # how many calls were interrupted
        self._is_gathered = False  # whether the observations of all ranks were merged in, as on each rank
        self._began = time.monotonic()
        self._last: Optional[float] = None
        self._reads_clock: Optional[bool] = None

    @property
    def unasked(self) -> Dict[str, int]:
        return dict(self._slicing.unasked)

    @property
    def strangers(self) -> Dict[Tuple[str, str], int]:
        return dict(self._slicing.strangers)

    @answer
    def tokens(self, train: Any, infer: Any, *, mask: Any = None, labels: Labels = None, ids: Any = None, lengths: Any = None, offsets: Any = None,
               stream: Union[str, int, None] = None, whole: bool = True) -> Any:
        """Observe log-probs of sampled tokens by both kernels.

        train, infer: one response in one dimension, or one response per row in two dimensions or in a list of arrays.
        mask: tokens whose mask is 0 are left out. Without `mask`, `lengths` and `offsets`, zeros on both sides at either end of whole rows of equal
            length are taken for padding.
        labels: one value for all responses, or one per response. `position` is where in its response the first token here is.
        ids: the ids of responses, which by default count from 0.
        lengths, offsets: cut responses from one-dimensional arrays; give one of them.
        whole: pass False if responses are not complete. Clauses about whole responses then ignore them.

        With `on_violation="mask"`, returns which tokens count and violate no bound on single tokens or responses, such as a clause on a largest value.
        It has the shape of `train`, and is a Torch tensor if `train` is. If the observation fails, returns `mask` unchanged.
        """
        out: List[Any] = []
        self._tokens(out, train, infer, mask, labels, ids, lengths, offsets, stream, whole)
        return out[0] if out else mask if self.on_violation == "mask" else None

    @observation
    def _tokens(self, out: List[Any], train: Any, infer: Any, mask: Any, labels: Labels, ids: Any, lengths: Any, offsets: Any,
                stream: Union[str, int, None], whole: bool) -> None:
        which = chosen("stream", stream, self.contract.streams)
        sides = {"train": pieces("train", train, as_float), "infer": pieces("infer", infer, as_float)}
        if mask is not None:
            sides["mask"] = pieces("mask", mask, as_mask)
        if lengths is not None and offsets is not None:
            raise ValueError("`lengths` cannot be combined with `offsets`")
        counts = whole_numbers("lengths", lengths) if lengths is not None else lengths_of("offsets", offsets) if offsets is not None else None
        if counts is not None:
            sides = {name: side.cut(name, counts, 1 if name == "mask" else 4, "lengths" if lengths is not None else "offsets") for name, side in sides.items()}
        batch = Paired(sides)
        padding = unpadded(sides["train"], sides["infer"]) if whole and mask is None and counts is None else None
        if padding is not None:
            batch = Paired({**sides, "mask": padding[0]})
            self._tell_padding(padding[1])
        columns = self._slicing.columns(labels, len(batch.sizes), of_tokens=True)
        if whole and self._slicing.cuts_nothing and self.on_violation != "mask":
            slices, numbered = self._slicing.slices_of(columns), self._ids(ids, len(batch.sizes))
            right: Sequence[int] = range(len(batch.sizes))
            if not batch.observe_whole(self._tally, which, slices, numbered):
                right = self._right(batch, numbered)
                batch.observe_whole(self._tally, which, slices, numbered, right)
            self._log(batch, right)
        else:
            self._cut(out, batch, which, columns, self._ids(ids, len(batch.sizes)), train, whole)

    def _cut(self, out: List[Any], batch: Paired, which: int, columns: Columns, numbered: Sequence[int], train: Any, whole: bool) -> None:
        """Observe responses that span several slices, are not whole, or need a mask."""
        runs = [self._slicing.runs_of(columns, i, size) for i, size in enumerate(batch.sizes)]
        right = self._right(batch, numbered)
        kept = Kept(self.contract.handle, which, batch) if self.on_violation == "mask" else None
        for i, number in enumerate(numbered):
            if i not in right:
                if kept is not None:
                    kept.refuse(i)
                continue
            response = _c.Sequence() if whole else None
            batch.observe(self._tally, which, i, number, 0, runs[i], response)
            if kept is not None:
                kept.mark(i, runs[i], response)
            if response is not None:
                must(tikc.tikc_tally_end_response(self._tally, which, runs[i][-1].slice, byref(response), packed(number)), "tikc_tally_end_response")
        if whole:
            self._log(batch, right)
        else:
            self._batches.is_partial = True
        if kept is not None:
            out.append(kept.like(train))

    def _right(self, batch: Paired, numbered: Sequence[int]) -> Sequence[int]:
        """Return the responses with valid log-probs only. Each other response counts as a fault; the first is reported."""
        refused = {i: why for i, why in ((i, batch.refused(i)) for i in range(len(batch.sizes))) if why}
        if not refused:
            return range(len(batch.sizes))
        first, why = next(iter(refused.items()))
        if self.on_fault == "raise":
            raise ValueError(f"response {numbered[first]}: {why}")
        self._tell(f"tokens: response {numbered[first]}: {why}", len(refused))
        return [i for i in range(len(batch.sizes)) if i not in refused]

    def _log(self, batch: Paired, which: Sequence[int]) -> None:
        for i in which if self._batches else ():
            self._batches.add(batch.part(i, 0, batch.sizes[i], 0), self._trail.step)

    def response(self, *, labels: Labels = None, id: Optional[int] = None, stream: Union[str, int, None] = None) -> Response:
        """Return a response whose tokens come in several calls. End it with `end()` or with a `with` statement."""
        return Response(self, labels, id, stream)

    @observation
    def rows(self, train: Any, infer: Any, *, mask: Any = None, labels: Labels = None, ids: Any = None, stream: Union[str, int, None] = None) -> None:
        """Observe logits of whole contexts by both kernels, before any temperature: one row or several.

        Rows whose `mask` is 0 are left out. Labels and `ids` are per row. Arrays of three dimensions have one row per token of each response; labels
        and `ids` are then per response. Tensors on a GPU are reduced there, in parts, and only figures are copied.
        """
        which = chosen("stream", stream, self.contract.streams)
        train, infer, responses = as_rows(train, infer)
        if are_on_a_device(train, infer):
            count, size = map(int, train.shape)
            self._observe_in_chunks(which, count, size, lambda some: (rows_of(train, some), rows_of(infer, some)), None, rows_kept(mask, count, responses),
                                    self._named_rows(labels, ids, count, responses))
            return
        sides = paired(train, infer, self.contract.vocabulary)
        kept = rows_kept(mask, sides[0].count, responses)
        named = zip(kept, *self._named_rows(labels, ids, sides[0].count, responses))
        self._observe_rows(which, sides, [place_and_id if counts else None for counts, *place_and_id in named])

    @observation
    def rows_linear(self, train_hidden: Any, train_weights: Any, infer_hidden: Any, infer_weights: Any, *, chunk: Optional[int] = None, mask: Any = None,
                    labels: Labels = None, ids: Any = None, stream: Union[str, int, None] = None) -> None:
        """Observe logits of whole contexts as the products of hidden states and weights of the output layers: `hidden @ weights.T`.

        For trainers that never hold all logits: only `chunk` rows exist at a time, by default 64 MiB of them, and rows whose `mask` is 0 are not computed.
        `weights` has one row per token of the vocabulary, like the weight of `torch.nn.Linear`. The other arguments are those of `rows`.
        """
        which = chosen("stream", stream, self.contract.streams)
        train_hidden, infer_hidden, responses = as_rows(train_hidden, infer_hidden)
        sides = [OutputLayer("train", train_hidden, train_weights), OutputLayer("infer", infer_hidden, infer_weights)]
        count = equal_counts(sides)
        self._observe_in_chunks(which, count, sides[0].size, lambda some: tuple(side.logits(some) for side in sides), chunk, rows_kept(mask, count, responses),
                                self._named_rows(labels, ids, count, responses))

    def _observe_in_chunks(self, which: int, count: int, vocabulary: int, both: Callable[[List[int]], Sequence[Any]], chunk: Optional[int],
                           kept: Sequence[int], named: Tuple[Sequence[int], Sequence[int]]) -> None:
        """Observe rows chunk by chunk, on the host or on a device. `both` returns some rows of both sides."""
        reduction, declared = Reduction(self.contract.handle, which), self.contract.vocabulary
        (places, numbered), rows = named, [i for i in range(count) if kept[i]]
        for some in in_chunks(rows, copied_at_a_time(vocabulary) if chunk is None else chunk):
            train, infer = both(some)
            here = [(places[i], numbered[i]) for i in some]
            if reduction.applies_to(train, infer, declared):
                left = reduction.observe(self._tally, which, train, infer, here)
                train, infer, here = train[left], infer[left], [here[i] for i in left]
            if here:
                self._observe_rows(which, paired(train, infer, declared), here)

    def _observe_rows(self, which: int, sides: Sequence[Logits], named: Sequence[Any]) -> None:
        """Observe rows with their slices and ids; rows with None are left out."""
        if self._scratch is None:
            self._scratch = create_string_buffer(self.contract.scratch_bytes)
        one, two = (_c.Row(None, side.size, side.format) for side in sides)
        for one.data, two.data, place_and_id in zip(sides[0].starts, sides[1].starts, named):
            if place_and_id is not None:
                must(tikc.tikc_tally_observe_row(self._tally, which, place_and_id[0], byref(one), byref(two), self._scratch, len(self._scratch), place_and_id[1]),
                     "tikc_tally_observe_row")

    def _named_rows(self, labels: Labels, ids: Any, count: int, responses: Optional[Tuple[int, int]]) -> Tuple[List[int], List[int]]:
        """Return the slices and the ids of the rows."""
        if responses is None:
            return self._slices(labels, count), [packed(number) for number in self._ids(ids, count)]
        several, size = responses
        columns = self._slicing.columns(labels, several, of_tokens=True)
        runs = [run for i in range(several) for run in self._slicing.runs_of(columns, i, size)]
        return ([run.slice for run in runs for _ in range(run.begin, run.end)],
                [packed(number, token) for number in self._ids(ids, several) for token in range(size)])

    @observation
    def requests(self, *, latency: Any = None, first_token_latency: Any = None, inter_token_latency: Any = None, throughput: Any = None,
                 failed: Any = None, labels: Labels = None, ids: Any = None) -> None:
        """Observe finished requests, in seconds and tokens per second: one number per request, or a single number for one request.

        None means not measured. At least one argument is required.
        """
        given = {name: value for name, value in zip(TIMES, (latency, first_token_latency, inter_token_latency, throughput)) if value is not None}
        if failed is not None:
            given["failed"] = failed
        if not given:
            raise ValueError("requests: expected at least one of " + ", ".join((*TIMES, "failed")))
        count = self._count(given)
        columns = {name: numbers(name, value, count, _c.ABSENT if name != "failed" else 0.0) for name, value in given.items()}
        slices = self._slices(labels, count)
        for i, number in enumerate(self._ids(ids, count)):
            times = _c.RequestTimes(*(columns[name][i] if name in columns else _c.ABSENT for name in TIMES), int("failed" in columns and columns["failed"][i] != 0))
            must(tikc.tikc_tally_observe_request(self._tally, slices[i], byref(times), packed(number)), "tikc_tally_observe_request")

    @observation
    def batch_replays(self, drift: Any, *, labels: Labels = None, ids: Any = None) -> None:
        """Observe the largest log-prob change among a request's tokens when run in another batch: one number per request, or a single number."""
        self._each("tikc_tally_observe_batch_replay", "drift", drift, labels, ids)

    @observation
    def request_replays(self, drift: Any, *, labels: Labels = None, ids: Any = None) -> None:
        """Observe the largest log-prob change among a request's tokens when run again: one number per request, or a single number."""
        self._each("tikc_tally_observe_request_replay", "drift", drift, labels, ids)

    @observation
    def routes(self, share: Any, *, labels: Labels = None, ids: Any = None, stream: Union[str, int, None] = None) -> None:
        """Observe the share of layers whose set of experts differs: one number per token, or a single number."""
        self._each("tikc_tally_observe_routes", "share", share, labels, ids, chosen("stream", stream, self.contract.streams))

    @observation
    def rewards(self, rewards: Any, *, mask: Any = None, ids: Any = None) -> None:
        """Record rewards of responses, for assumptions: one number per response, or a single number.

        Numbers whose `mask` is 0 are left out. By default `ids` count from 0, separately from those of tokens.
        """
        self._hand_in(_c.REWARD, "rewards", rewards, mask, ids)

    @observation
    def step_rewards(self, rewards: Any, *, mask: Any = None, ids: Any = None) -> None:
        """Record rewards of steps, for assumptions: one row per response."""
        self._hand_in(_c.STEP_REWARD, "rewards", rewards, mask, ids)

    @observation
    def advantages(self, advantages: Any, *, mask: Any = None, ids: Any = None) -> None:
        """Record advantages, for assumptions: one number per response, or one row of its tokens' advantages."""
        self._hand_in(_c.ADVANTAGE, "advantages", advantages, mask, ids)

    @observation
    def score_norms(self, norms: Any, *, mask: Any = None, ids: Any = None) -> None:
        """Record 2-norms of token scores (grad log pi), for assumptions: one row per response, or one number per token."""
        self._hand_in(_c.SCORE_NORM, "norms", norms, mask, ids)

    @observation
    def lengths(self, lengths: Any, *, ids: Any = None) -> None:
        """Record lengths in tokens of responses whose tokens are not observed here."""
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
            # In one dimension, each number belongs to one response and gets its id.
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
        """Count what was served, observed or not. Sampling clauses require that a share of it is observed."""
        for name, value in (("tokens", tokens), ("requests", requests)):
            if not 0 <= value < 1 << 64:
                raise ValueError(f"`{name}`: expected a count from 0 to 2**64 - 1, found {value}")
        must(tikc.tikc_tally_serve(self._tally, self._slices(labels, 1)[0], tokens, requests), "tikc_tally_serve")

    def merge(self, other: Any) -> None:
        """Merge the observations of another monitor of the contract: the bytes of its `take`, or the monitor itself, which is emptied."""
        # Take outside of this monitor's lock: two monitors that merge each other would deadlock.
        goes_along = isinstance(other, Monitor) and other.contract.fingerprint == self.contract.fingerprint and os.getpid() == other._process == self._process
        self._merge(other.take() if goes_along else other)
        if goes_along:
            failed = other._hand_over()
            with self._lock:
                self._new_faults += failed

    def _hand_over(self) -> int:
        """Return how many observations failed since the last piece, and hand them over to another monitor's window."""
        with self._lock:
            failed, self._new_faults = self._new_faults - self._trail.told, self._trail.told
            return failed

    @observation
    def _merge(self, data: Any) -> None:
        if isinstance(data, Monitor):
            data._belong()
            raise BytesError("the monitor is for another contract or another version of it")
        part = created("tally", self.contract.handle)
        parse(part, data)
        must(tikc.tikc_tally_merge(self._tally, part), "tikc_tally_merge")
        self._batches.is_partial = True

    @answer
    def take(self) -> bytes:
        """Return the observations since the last tick, end of step or take, as bytes for another monitor to merge, and remove them.

        Failed observations are not included; `faults` and `take_evidence` count them.
        """
        self._belong()
        with self._alone("take"):
            out = wire(self._tally)
            must(tikc.tikc_tally_clear(self._tally), "tikc_tally_clear")
            self._batches.take()
            return out

    @answer
    def take_evidence(self) -> Evidence:
        """Return the observations since the last tick, end of step or take, as evidence, and remove them.

        The monitor's source identifies the evidence: data that is observed again under the same source counts once.
        """
        self._belong()
        with self._alone("take_evidence"):
            out = self._trail.piece(self._tally, None, self._new_faults)
            must(tikc.tikc_tally_clear(self._tally), "tikc_tally_clear")
            self._batches.take()
            return out

    @property
    def source(self) -> str:
        return self._trail.source

    @property
    def evidence(self) -> Evidence:
        """The evidence of all windows so far. Requires `keeps_evidence`."""
        self._belong()
        with self._lock:
            return self._trail.whole()

    @answer
    def end_step(self, step: Optional[int] = None) -> None:
        """End the trainer's step, which covers what was observed before. Step windows end only with this call.

        step: the number of the step, for a run that is resumed. By default steps count from 0.
        """
        self._belong()
        with self._timed("end_step"):
            # The first tick decides which clock is used.
            self._flush(self._trail.seconds(None, self._began) if self._reads_clock else None, step)
            must(tikc.tikc_checker_end_step(self._checker), "tikc_checker_end_step")
            self._trail.step += 1

    @answer
    def tick(self, now: Optional[float] = None) -> Window:
        """Judge what was observed since the previous tick, and return the window.

        now: seconds from any origin, which must not decrease. By default the monitor reads the clock. Raises Violation if a clause is violated and
        `on_violation` is "raise".
        """
        self._belong()
        with self._timed("tick"):
            at = self._time(now)
            self._flush(self._trail.seconds(now, self._began))
            must(tikc.tikc_checker_evaluate(self._checker, at), "tikc_checker_evaluate")
            must(tikc.tikc_router_tick(self._router, self._checker, self._stage), "tikc_router_tick")
            window = self._reading.window(at, dict(zip(self.contract.slices, self._observed)), self._new_faults, self._batches.take(),
                                          self._trail.end_window())
            self._observed = [Volume() for _ in self.contract.slices]
            self._new_faults = 0
        self._tell_suspended(window)
        if window.violated:
            if self.on_violation == "raise":
                raise Violation(window)
            LOG.warning("%s: violated: %s", self.contract.name, window._violations())
        return window

    def start_counting(self) -> None:
        """Start cumulative counts of what is observed, for exporters, whose counters must not decrease."""
        self._belong()
        with self._lock:
            if self._counted is None:
                self._counted = created("tally", self.contract.handle)

    def prometheus(self) -> str:
        """Return the verdicts and cumulative counts of the last tick, in the Prometheus text format."""
        self._belong()
        with self._lock:
            counted = self._counted if self._counted is not None else created("tally", self.contract.handle)
            return written(tikc.tikc_checker_write_prometheus, self._checker, counted)

    def reset(self, rule: str, slice: Optional[str] = None) -> None:
        """End a rule on a slice. A latched rule ends no other way. `slice` is required if the contract has several."""
        self._belong()
        with self._lock:
            must(tikc.tikc_router_reset(self._router, chosen("rule", rule, self.contract.rules), chosen("slice", slice, self.contract.slices)),
                 "tikc_router_reset")

    def __repr__(self) -> str:
        return f"<tikc.Monitor of {self.contract.name} {self.contract.version}>"

    def __reduce__(self) -> Any:
        raise TypeError("a monitor cannot be copied or pickled: use take() to get its observations as bytes")

    @contextlib.contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        """Run one call at a time, and add its duration to `cost`."""
        began = time.perf_counter()
        with self._alone(what):
            try:
                yield
            finally:
                self.cost = Cost(self.cost.calls + 1, self.cost.seconds + time.perf_counter() - began)

    @contextlib.contextmanager
    def _alone(self, what: str) -> Iterator[None]:
        """Let one thread in at a time.

        An interrupt may come between any two lines, and so before the line that would report it. The call in progress is noted first, so that a later
        call that finds the note can report the interrupt.
        """
        with self._lock:
            if self._inside:
                self._lose(self._inside, self._lost)
            self._inside = what
            try:
                yield
            except Exception:
                self._inside = ""
                raise
            except BaseException:
                self._lose(what, self._lost)
                raise
            self._inside = ""

    def _lose(self, what: str, before: int) -> None:
        """Count an interrupted call as a fault, because it is unknown how much of it was done. Two places detect one interrupt; it counts once."""
        with self._lock_here():
            if self._lost == before:
                self._is_new = True
                self._count_fault(f"{what}: interrupted: its data may be judged twice, in part, or not at all")
                self._lost += 1
            self._inside = ""

    def _belong(self) -> None:
        if os.getpid() != self._process:
            raise ForkError(f"monitor belongs to process {self._process}, and this is a fork of it: create a monitor here, and merge its take() there")

    def _tell(self, fault: str, times: int = 1) -> None:
        with self._lock_here():
            is_new = self._count_fault(fault, times)
        if is_new:
            LOG.error("%s: observation failed: %s", self.contract.name, fault)

    def _tell_padding(self, places: int) -> None:
        if not self.padding:
            LOG.warning("%s: zeros on both sides at the ends of rows are taken for padding; pass `mask` or `lengths` to avoid this", self.contract.name)
        self.padding += places

    def _lock_here(self) -> ContextManager[Any]:
        """Return the lock, or a null context in a fork, where the lock might never be released."""
        nobody: ContextManager[Any] = contextlib.nullcontext()
        return self._lock if os.getpid() == self._process else nobody

    def lose(self, fault: str) -> None:
        """Count an observation that the caller could not make as a fault, in windows and evidence."""
        with self._lock:
            self._is_new = True
            self._count_fault(fault)

    def _count_fault(self, fault: str, times: int = 1) -> bool:
        """Count a fault. Return whether it is new."""
        self._new_faults += times
        is_new = fault not in self.faults
        if not is_new or len(self.faults) < MOST_FAULTS:
            self.faults[fault] = self.faults.get(fault, 0) + times
        return is_new

    def _tell_suspended(self, window: Window) -> None:
        """Warn of suspended claims, once per claim."""
        for each in window.suspended:
            if each.claim not in self._suspended:
                LOG.warning("%s: claim %s is suspended: %s broken", self.contract.name, each.claim, ", ".join(each.broken))
        self._suspended |= {each.claim for each in window.suspended}

    def _time(self, now: Optional[float]) -> float:
        reads_clock = now is None
        if self._reads_clock not in (None, reads_clock):
            raise ValueError("`now`: expected at every tick or at none")
        at = time.monotonic() if now is None else float(now)
        if not math.isfinite(at):
            raise ValueError(f"`now`: expected a finite number of seconds, found {at}")
        if self._last is not None and at < self._last:
            raise ValueError(f"`now`: expected at least {self._last}, the time of the previous tick, found {at}")
        if self._reads_clock is None and reads_clock:
            must(tikc.tikc_checker_start(self._checker, self._began), "tikc_checker_start")
        self._reads_clock, self._last = reads_clock, at
        return at

    def _flush(self, seconds: Optional[float], step: Optional[int] = None) -> None:
        self._trail.keep(self._tally, seconds, self._new_faults, step, is_empty=not self._is_new)
        self._is_new = False
        volume, observed = _c.Volume(), list(self._observed)
        for i in range(len(observed)):
            must(tikc.tikc_tally_volume(self._tally, i, byref(volume)), "tikc_tally_volume")
            observed[i] += Volume(*(getattr(volume, name) for name, *_ in volume._fields_))
        must(tikc.tikc_checker_merge(self._checker, self._tally), "tikc_checker_merge")
        self._observed = observed
        if self._counted is not None:
            must(tikc.tikc_tally_merge(self._counted, self._tally), "tikc_tally_merge")
        must(tikc.tikc_tally_clear(self._tally), "tikc_tally_clear")
        self._is_gathered = False

    def _ids(self, ids: Any, count: int) -> Sequence[int]:
        if ids is None:
            first, self._next = self._next, self._next + count
            return range(first, first + count)
        out = [ids] if isinstance(ids, int) else whole_numbers("ids", ids)
        if len(out) != count:
            raise ValueError(f"`ids`: expected {count} number{'' if count == 1 else 's'}, one per observation, found {len(out)}")
        if any(not 0 <= each <= MOST_ID for each in out):
            raise ValueError(f"`ids`: expected numbers from 0 to {MOST_ID}")
        return out

    def _slices(self, labels: Labels, count: int) -> List[int]:
        columns = self._slicing.columns(labels, count)
        return [self._slicing.slice_of(columns, i) for i in range(count)]

    @staticmethod
    def _count(given: Mapping[str, Any]) -> int:
        sizes = {name: size_of(value) for name, value in given.items()}
        several = {name: size for name, size in sizes.items() if size is not None}
        if len(set(several.values())) > 1:
            raise ValueError("arguments differ in length: " + ", ".join(f"`{name}` has {size}" for name, size in several.items()))
        return next(iter(several.values()), 1)

    def _each(self, function: str, name: str, value: Any, labels: Labels, ids: Any, *stream: int) -> None:
        count = self._count({name: value})
        column = numbers(name, value, count, math.nan)
        slices = self._slices(labels, count)
        for i, number in enumerate(self._ids(ids, count)):
            must(getattr(tikc, function)(self._tally, *stream, slices[i], column[i], packed(number)), function)
