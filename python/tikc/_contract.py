"""A contract that may run."""

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
    """What slices may ask of a request: a number or a text, which of a label is one of `values`."""

    name: str
    is_text: bool
    values: Tuple[str, ...]
    bounds: Tuple[float, ...] = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How a contract was come by, for another process to come by the same: a path, or a text and its name."""

    path: Optional[str]
    content: Optional[bytes]
    contract: Optional[str]


class Contract:
    """One contract, ready to run. It never changes, and any number of threads may use one."""

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
        """What observes, and judges by windows. One a worker: `take` and `merge` join them.

        `stage` is that of the promotion, by name or number. With `on_violation="raise"` a tick whose window has a violated clause raises Violation.
        An observation that is wrong never raises unless `on_fault="raise"`: it is logged, nothing of it is observed, and windows count it.
        `metrics` are trainers whose figures `Window.metrics` is to have, as "verl", or with their cap on importance weights, as {"verl": 5.0}.
        `source` is what evidence tells places under, and knows pieces by: another one in each run, as "run 7, rank 0". With `keeps_evidence`,
        `Monitor.evidence` has that of all windows, and not of the last alone. With `diagnoses`, `Window.diagnosis` and `Evidence.diagnosis` say what
        faults the whole responses that came here are consistent with.
        """
        from ._monitor import Monitor

        return Monitor(self, stage, on_violation=on_violation, on_fault=on_fault, metrics=metrics, source=source, keeps_evidence=keeps_evidence,
                       diagnoses=diagnoses)

    def merge(self, *parts: Any) -> bytes:
        """What several monitors observed, each as `Monitor.take` gave it, in one. The order changes nothing but the last bits of sums."""
        return wire(merged(self.handle, parts))

    def measure(self, *evidence: Evidence, allow_other: bool = False) -> Measurement:
        """Holds evidence against the contract, as `tikc measure` does; of several all of it, each piece once."""
        from ._evidence import joined, measure

        return measure(self.handle, evidence[0] if len(evidence) == 1 else joined(evidence, allow_other), allow_other)

    def page(self, path: Named, *evidence: Evidence, allow_other: bool = False) -> None:
        """The same as a page that people look at, as `tikc measure --report` writes it, whole or not at all: of a window,
        `contract.page("window.html", window.evidence)`. It has no derivations of claims."""
        from ._evidence import joined, report
        from ._files import write_whole

        write_whole(path, report(self.handle, evidence[0] if len(evidence) == 1 else joined(evidence, allow_other), allow_other))

    def _find_on_mixture(self) -> Tuple[bool, ...]:
        """Whether clauses are about all slices together: a finding of theirs has no slice."""
        checker, tally = (created(kind, self.handle) for kind in ("checker", "tally"))
        said = json.loads(pieces(tikc.tikc_checker_write_json, checker, tally))
        return tuple(any("slice" not in finding for check in clause["checks"] for finding in check["findings"]) for clause in said["clauses"])

    def _checks_of(self, clause: int) -> range:
        first, count = c_uint32(), c_uint32()
        must(tikc.tikc_contract_clause_checks(self.handle, clause, byref(first), byref(count)), "tikc_contract_clause_checks")
        return range(first.value, first.value + count.value)

    def _given(self) -> Iterator[Tuple[str, str]]:
        """What claims take as given: the key, and what it says."""
        of = _c.Assumption()
        for i in itertools.count():
            if tikc.tikc_contract_assumption(self.handle, i, byref(of)) != _c.OK:
                return
            yield text(of.key), text(of.says)

    def _claims(self) -> Iterator[Tuple[str, str, Tuple[int, ...], Tuple[Tuple[int, int], ...]]]:
        """The name, what it says, and the assumptions and (check, slice) pairs that its proof rests on."""
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
        why = str(report.errors[0]) if report.errors else "there is no contract"
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
    raise ContractError(f"there is no contract `{name}` that may run, but {known}" if name else f"there are several: name one of {known}", report)


def load(path: Named, contract: Optional[str] = None) -> Contract:
    """The contract of a file, or of a folder that has one; of several that whose name is given. ContractError where it must not be run."""
    out = _contract(opened(path), contract)
    out.recipe = Recipe(os.path.abspath(os.fspath(path)), None, contract)
    return out


def loads(content: Union[str, bytes], name: Optional[Named] = None, contract: Optional[str] = None) -> Contract:
    """The same of a text. Where it has a name, it is called so, and what it extends is sought beside it."""
    out = _contract(read(content, name), contract)
    out.recipe = Recipe(None if name is None else os.path.abspath(os.fspath(name)), content.encode() if isinstance(content, str) else bytes(content), contract)
    return out
