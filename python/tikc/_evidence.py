"""Recorded observations, in pieces, which can be saved, merged and judged without the data."""

from __future__ import annotations

import dataclasses
import json
import math
from ctypes import byref, c_size_t, c_void_p, create_string_buffer
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Tuple, overload

from . import _c, _tables
from ._diagnosis import Diagnosis
from ._errors import BytesError, EvidenceError, ReadError
from ._files import Named, write_whole
from ._library import Handle, argument, gathered, must, text, tikc


@dataclasses.dataclass(frozen=True)
class Origin:
    """The contract, build, digest and stage under which some pieces were observed. Unknown texts are empty."""

    contract: str
    version: str
    build: str
    digest: str
    stage: str
    fingerprint: int
    pieces: int


class Evidence:
    """The recorded observations of one or more monitors. It is immutable, and merging counts each piece once.

    `tikc merge` and `tikc measure` read saved evidence. `first` and `last` are seconds since 1970, or None if no piece has a time.
    `failed` counts invalid observations, which are not part of it.
    """

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        of = _c.Summary()
        must(tikc.tikc_evidence_summary(handle, byref(of)), "tikc_evidence_summary")
        self.pieces, self.sources = of.pieces, of.sources
        self.tokens, self.responses, self.rows, self.failed = of.tokens, of.responses, of.rows, of.failed
        self.first, self.last = (None if math.isnan(each) else float(each) for each in (of.first, of.last))
        self.origins = tuple(_origin(handle, i) for i in range(of.origins))

    @classmethod
    def loads(cls, data: Any, name: str = "the evidence") -> Evidence:
        """Read evidence from bytes. Error messages call it `name`. Raises EvidenceError if the bytes are not evidence."""
        return cls(_read(data if isinstance(data, bytes) else memoryview(data).tobytes(), name))

    @classmethod
    def load(cls, path: Named) -> Evidence:
        """Read evidence from a file. Raises ReadError if it cannot be read, and EvidenceError if it is not evidence."""
        try:
            data = Path(path).read_bytes()
        except OSError as why:
            raise ReadError(f"{path}: {why.strerror}") from why
        return cls.loads(data, str(path))

    def save(self, path: Named) -> None:
        """Save the evidence to a file. The write is atomic."""
        write_whole(path, bytes(self))

    def __bytes__(self) -> bytes:
        size = c_size_t()
        tikc.tikc_evidence_serialise(self.handle, None, 0, byref(size))
        out = create_string_buffer(max(size.value, 1))
        must(tikc.tikc_evidence_serialise(self.handle, out, len(out), byref(size)), "tikc_evidence_serialise")
        return out.raw[: size.value]

    @property
    def diagnosis(self) -> Diagnosis:
        """The faults that the observed responses are consistent with, as `tikc diagnose` reports them.

        It is undecided if there are too few responses, or if the monitor was created without `diagnoses`.
        """
        return Diagnosis.of(json.loads(_written(tikc.tikc_evidence_diagnose, self.handle)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Evidence) and bytes(self) == bytes(other)

    def __hash__(self) -> int:
        return hash(bytes(self))

    def __reduce__(self) -> Any:
        return Evidence.loads, (bytes(self),)

    def _rows(self) -> List[Tuple[str, ...]]:
        return [(each.contract, each.version, each.stage, each.build, f"{each.fingerprint:#018x}", str(each.pieces)) for each in self.origins]

    def _caption(self) -> str:
        counts = [(self.responses, "responses"), (self.tokens, "tokens"), (self.rows, "rows"), (self.failed, "failed")]
        came = ", ".join(f"{count:,} {what}" for count, what in counts if count)
        return f"evidence of {self.pieces} piece{'' if self.pieces == 1 else 's'}" + (f": {came}" if came else "")

    def __repr__(self) -> str:
        return self._caption() + "\n" + _tables.plain(HEAD, self._rows())

    def _repr_html_(self) -> str:
        return _tables.in_html(self._caption(), HEAD, self._rows())


HEAD = ("contract", "version", "stage", "build", "fingerprint", "pieces")


@dataclasses.dataclass(frozen=True)
class Measurement:
    """The result of checking evidence against a contract. `told` holds the output of `tikc measure --format=json`, as plain values."""

    told: Dict[str, Any]

    @property
    def failed(self) -> int:
        """The number of invalid observations, which were not judged."""
        out: int = self.told["data"]["broken"]
        return out

    @property
    def verdict(self) -> str:
        """The overall verdict. It is undecided, not satisfied, if some observations failed."""
        return of_all(self.told["verdict"], self.failed)

    @property
    def clauses(self) -> Tuple[Dict[str, Any], ...]:
        return tuple(self.told["clauses"])

    @property
    def claims(self) -> Tuple[Dict[str, Any], ...]:
        """The state of each claim and what decides it. `observed` is the bound at the measured point, with its confidence."""
        why = "; ".join(failures(self.failed))
        return tuple({**each, "state": "not shown", "why": why} if why and each["state"] == "shown" else each for each in self.told["claims"])

    @property
    def violated(self) -> Tuple[Dict[str, Any], ...]:
        return tuple(each for each in self.clauses if each["verdict"] == "violated")

    def to_dict(self) -> Dict[str, Any]:
        return {**self.told, "verdict": self.verdict, "failed": self.failed, "claims": list(self.claims)}

    def _caption(self) -> str:
        claims = [f"{each['claim']} is {each['state']}: {each['why']}" for each in self.claims if each["state"] != "shown"]
        return "; ".join([f"{self.told['contract']} {self.told['version']}: {self.verdict}", *claims, *failures(self.failed)])

    def _rows(self) -> List[Tuple[str, ...]]:
        return [(each["verdict"], each["clause"], each["slice"], _shown(each), each["says"], str(each["observations"])) for each in self.clauses]

    def __repr__(self) -> str:
        return self._caption() + "\n" + _tables.plain(MEASURED_HEAD, self._rows())

    def _repr_html_(self) -> str:
        return _tables.in_html(self._caption(), MEASURED_HEAD, self._rows())


MEASURED_HEAD = ("verdict", "clause", "slice", "value", "says", "n")


def of_all(verdict: str, failed: int) -> str:
    """Return the verdict, or undecided if it is satisfied but some observations failed."""
    return "undecided" if failed and verdict == "satisfied" else verdict


def failures(count: int) -> List[str]:
    """Return the count of failed observations as a list of at most one text, for captions."""
    return [f"{count:,} observation{'' if count == 1 else 's'} failed and {'was' if count == 1 else 'were'} not judged"] if count else []


def _shown(row: Dict[str, Any]) -> str:
    value = row["value"]
    return "" if value is None else f"{value:.4g} {row['unit']}".rstrip() if isinstance(value, float) else str(value)


def _origin(handle: Handle, i: int) -> Origin:
    of = _c.Origin()
    must(tikc.tikc_evidence_origin(handle, i, byref(of)), "tikc_evidence_origin")
    return Origin(text(of.contract), text(of.version), text(of.build), text(of.digest), text(of.stage), of.fingerprint, of.pieces)


def _refusable(function: Any, *arguments: Any) -> bytes:
    """Return what the function writes to its sink. Raises EvidenceError with that text if the function refuses."""
    status, said = gathered(function, *arguments)
    if status == _c.REFUSED:
        raise EvidenceError(said.decode("utf-8", "replace"))
    must(status, function.__name__)
    return said


def _written(function: Any, *arguments: Any) -> bytes:
    status, said = gathered(function, *arguments)
    must(status, function.__name__)
    return said


def _read(data: bytes, name: str) -> Handle:
    out = c_void_p()
    _refusable(tikc.tikc_evidence_read, data, len(data), argument("name", name.encode("utf-8", "replace")), byref(out))
    return Handle("evidence", out.value)


def piece(tally: Handle, of: _c.Piece, signs: Optional[Handle] = None) -> Evidence:
    """Return the observations of one tally as evidence, with the signs of its responses."""
    out = c_void_p()
    if signs is None:
        must(tikc.tikc_evidence_create(tally, byref(of), byref(out)), "tikc_evidence_create")
    else:
        must(tikc.tikc_evidence_create_with(tally, signs, byref(of), byref(out)), "tikc_evidence_create_with")
    return Evidence(Handle("evidence", out.value))


def joined(parts: Iterable[Evidence], allow_other: bool = False) -> Evidence:
    """Return the parts merged pairwise, so that each is read few times, however many there are."""
    level = [_read(bytes(each), "the evidence") for each in parts]
    if not level:
        raise ValueError("nothing to merge: expected at least one part")
    while len(level) > 1:
        for one, other in zip(level[::2], level[1::2]):
            _refusable(tikc.tikc_evidence_merge, one, other, int(allow_other))
        level = level[::2]
    return Evidence(level[0])


@overload
def merge(*parts: bytes, allow_other: bool = False) -> bytes: ...


@overload
def merge(*parts: Evidence, allow_other: bool = False) -> Evidence: ...


def merge(*parts: Any, allow_other: bool = False) -> Any:
    """Return the evidence of all parts as one, in any order. Each piece counts once. If all parts are bytes, so is the result.

    Raises EvidenceError if the parts differ in contract, build, digest or stage, unless `allow_other`.
    """
    are_bytes = [not isinstance(each, Evidence) for each in parts]
    if any(are_bytes) and not all(are_bytes):
        raise TypeError("merge: expected Evidence or bytes for all parts, found both")
    out = joined((Evidence.loads(each, f"part {i}") if is_bytes else each for i, (each, is_bytes) in enumerate(zip(parts, are_bytes))), allow_other)
    return bytes(out) if all(are_bytes) else out


def measure(contract: Handle, evidence: Evidence, allow_other: bool) -> Measurement:
    return Measurement(json.loads(_refusable(tikc.tikc_evidence_measure, evidence.handle, contract, int(allow_other))))


def report(contract: Handle, evidence: Evidence, allow_other: bool) -> bytes:
    return _refusable(tikc.tikc_evidence_report, evidence.handle, contract, int(allow_other))
