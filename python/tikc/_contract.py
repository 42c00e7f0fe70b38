"""Contracts that are ready to run."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
from ctypes import byref, c_double, c_size_t, c_uint32
from typing import TYPE_CHECKING, Any, Iterator, List, Optional, Tuple, Union

from . import _c, _tables
from ._document import Document, Report, opened, read
from ._errors import ContractError
from ._files import Named
from ._library import Handle, created, merged, must, names, pieces, text, tikc, wire

if TYPE_CHECKING:
    from ._batches import Metrics
    from ._evidence import Evidence, Measurement
    from ._monitor import Monitor


@dataclasses.dataclass(frozen=True)
class Field:
    """A field of a request that slices may depend on: a number or a text. If `values` is not empty, it lists the texts that are allowed."""

    name: str
    is_text: bool
    values: Tuple[str, ...]
    bounds: Tuple[float, ...] = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How a contract was loaded, so that another process can load it too: from a path, or from a text with a name."""

    path: Optional[str]
    content: Optional[bytes]
    contract: Optional[str]


class Contract:
    """A contract that is ready to run. It is immutable, and any number of threads may use it."""

    recipe: Recipe

    def __init__(self, handle: Handle, report: Report) -> None:
        self.handle = handle
        self.report = report
        self.name = text(tikc.tikc_contract_name(handle))
        self.version = text(tikc.tikc_contract_version(handle))
        self.is_draft = bool(tikc.tikc_contract_is_draft(handle))
        self.build = text(tikc.tikc_contract_build(handle))
        self.digest = text(tikc.tikc_contract_digest(handle))
        self.fingerprint: int = tikc.tikc_contract_fingerprint(handle)
        shape = _c.Shape()
        must(tikc.tikc_contract_shape(handle, byref(shape)), "tikc_contract_shape")
        self.vocabulary = shape.vocabulary
        self.scratch_bytes = shape.scratch_bytes
        self.slices = tuple(names(tikc.tikc_contract_slice_name, handle, shape.slices))
        self.streams = tuple(names(tikc.tikc_contract_stream_name, handle, shape.streams))
        self.stages = tuple(names(tikc.tikc_contract_stage_name, handle, shape.stages))
        self.clauses = tuple(names(tikc.tikc_contract_clause_name, handle, shape.clauses))
        self.checks = tuple(names(tikc.tikc_contract_check_text, handle, shape.checks))
        self.rules = tuple(names(tikc.tikc_router_rule_name, handle, shape.rules))
        self.clause_checks = tuple(map(self._checks_of, range(shape.clauses)))
        self.on_mixture = self._find_on_mixture()
        self.assumptions = tuple(self._given())
        self.claims = tuple(self._claims())
        count = c_uint32()
        must(tikc.tikc_contract_fields(handle, byref(count)), "tikc_contract_fields")
        self.fields = tuple(map(self._field, range(count.value)))

    def monitor(self, stage: Union[str, int, None] = None, *, on_violation: str = "log", on_fault: str = "log",
                metrics: Metrics = (), source: Optional[str] = None, keeps_evidence: bool = False, diagnoses: bool = False) -> Monitor:
        """Return a new monitor, which observes data and judges it in windows. Use one per worker, and join them with `take` and `merge`.

        stage: the stage of the promotion, by name or number.
        on_violation: with "raise", a tick whose window has a violated clause raises Violation. With "mask", `Monitor.tokens` returns a mask.
        on_fault: with "raise", an invalid observation raises. By default it is logged and counted in the window, and none of it is observed.
        metrics: trainers whose metrics `Window.metrics` returns, such as "verl", or with their cap on importance weights: {"verl": 5.0}.
        source: identifies the evidence of this monitor, such as "run 7, rank 0". Use a different one in each run.
        keeps_evidence: makes `Monitor.evidence` hold the evidence of all windows. Each window has its own in any case.
        diagnoses: enables `Window.diagnosis` and `Evidence.diagnosis`, which name the faults that the observed whole responses are consistent with.
        """
        from ._monitor import Monitor

        return Monitor(self, stage, on_violation=on_violation, on_fault=on_fault, metrics=metrics, source=source, keeps_evidence=keeps_evidence,
                       diagnoses=diagnoses)

    def merge(self, *parts: Any) -> bytes:
        """Return the merged observations of several monitors, each as returned by `Monitor.take`. The order affects only the last bits of sums."""
        return wire(merged(self.handle, parts))

    def measure(self, *evidence: Evidence, allow_other: bool = False) -> Measurement:
        """Check evidence against the contract, as `tikc measure` does. Several arguments are merged first; each piece counts once."""
        from ._evidence import joined, measure

        return measure(self.handle, evidence[0] if len(evidence) == 1 else joined(evidence, allow_other), allow_other)

    def page(self, path: Named, *evidence: Evidence, allow_other: bool = False) -> None:
        """Check evidence against the contract and write a report page, as `tikc measure --report` does, but without derivations of claims.

        For one window: `contract.page("window.html", window.evidence)`. The write is atomic.
        """
        from ._evidence import joined, report
        from ._files import write_whole

        write_whole(path, report(self.handle, evidence[0] if len(evidence) == 1 else joined(evidence, allow_other), allow_other))

    def _find_on_mixture(self) -> Tuple[bool, ...]:
        """Return for each clause whether it is about all slices together. Findings of such a clause have no slice."""
        checker, tally = (created(kind, self.handle) for kind in ("checker", "tally"))
        said = json.loads(pieces(tikc.tikc_checker_write_json, checker, tally))
        return tuple(any("slice" not in finding for check in clause["checks"] for finding in check["findings"]) for clause in said["clauses"])

    def _checks_of(self, clause: int) -> range:
        first, count = c_uint32(), c_uint32()
        must(tikc.tikc_contract_clause_checks(self.handle, clause, byref(first), byref(count)), "tikc_contract_clause_checks")
        return range(first.value, first.value + count.value)

    def _given(self) -> Iterator[Tuple[str, str]]:
        """Yield the key and the text of each assumption."""
        of = _c.Assumption()
        for i in itertools.count():
            if tikc.tikc_contract_assumption(self.handle, i, byref(of)) != _c.OK:
                return
            yield text(of.key), text(of.says)

    def _claims(self) -> Iterator[Tuple[str, str, Tuple[int, ...], Tuple[Tuple[int, int], ...]]]:
        """Yield the name and text of each claim, with the assumptions and (check, slice) pairs that its proof rests on."""
        for i in itertools.count():
            name = tikc.tikc_contract_claim_name(self.handle, i)
            if name is None:
                return
            yield text(name), text(tikc.tikc_contract_claim_text(self.handle, i)), tuple(self._rests_on(i)), tuple(self._grounds(i))

    def _rests_on(self, claim: int) -> Iterator[int]:
        out = c_uint32()
        for i in range(len(self.assumptions)):
            must(tikc.tikc_contract_claim_rests_on(self.handle, claim, i, byref(out)), "tikc_contract_claim_rests_on")
            if out.value:
                yield i

    def _grounds(self, claim: int) -> Iterator[Tuple[int, int]]:
        check, slice = c_uint32(), c_uint32()
        for place in itertools.count():
            if tikc.tikc_contract_claim_ground(self.handle, claim, place, byref(check), byref(slice)) != _c.OK:
                return
            yield check.value, slice.value

    def _field(self, i: int) -> Field:
        of = _c.Field()
        must(tikc.tikc_contract_field(self.handle, i, byref(of)), "tikc_contract_field")
        values = tuple(text(of.values[j]) for j in range(of.value_count))
        count = c_size_t()
        tikc.tikc_contract_bounds(self.handle, i, None, 0, byref(count))
        bounds = (c_double * count.value)()
        must(tikc.tikc_contract_bounds(self.handle, i, bounds, count.value, byref(count)), "tikc_contract_bounds")
        return Field(text(of.name), bool(of.is_text), values, tuple(bounds))

    def _rows(self) -> List[Tuple[str, str]]:
        return [(clause, "; ".join(self.checks[i] for i in checks)) for clause, checks in zip(self.clauses, self.clause_checks)]

    def __repr__(self) -> str:
        return f"{self.name} {self.version}\n{_tables.plain(('clause', 'says'), self._rows())}"

    def _repr_html_(self) -> str:
        return _tables.in_html(f"{self.name} {self.version}", ("clause", "says"), self._rows())


def _contract(document: Document, name: Optional[str]) -> Contract:
    report = document.report
    if report.contracts == 0:
        why = str(report.errors[0]) if report.errors else "no contract found"
        raise ContractError(why, report)
    refusals = [document.refusal(i) for i in range(report.contracts)]
    if report.contracts == 1 and refusals[0]:
        raise ContractError(refusals[0], report)
    able = [Contract(document.contract(i), report) for i, refusal in enumerate(refusals) if not refusal]
    chosen = [each for each in able if name in (None, each.name)]
    if len(chosen) == 1:
        return chosen[0]
    if not able:
        raise ContractError(refusals[0], report)
    known = ", ".join(each.name for each in able)
    raise ContractError(f"contract `{name}` not found; expected one of: {known}" if name else f"several contracts found; name one of: {known}", report)


def load(path: Named, contract: Optional[str] = None) -> Contract:
    """Load a contract from a file. If the file has several, `contract` names one.

    Raises ReadError if the file cannot be read, and ContractError if the contract must not run.
    """
    out = _contract(opened(path), contract)
    out.recipe = Recipe(os.path.abspath(os.fspath(path)), None, contract)
    return out


def loads(content: Union[str, bytes], name: Optional[Named] = None, contract: Optional[str] = None) -> Contract:
    """Load a contract from a text.

    `name` is used in findings, and files that the text extends are looked up next to it. Raises as `load` does.
    """
    out = _contract(read(content, name), contract)
    out.recipe = Recipe(None if name is None else os.path.abspath(os.fspath(name)), content.encode() if isinstance(content, str) else bytes(content), contract)
    return out
