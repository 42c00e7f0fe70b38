"""What was observed, by pieces: it is saved, merged and judged without the data."""

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
    """Under what numbers of some pieces were observed; empty is what nobody said."""

    contract: str
    version: str
    build: str
    digest: str
    stage: str
    fingerprint: int
    pieces: int


class Evidence:
    """What one or several observed. It never changes, and merging counts each piece once. `tikc merge` and `tikc measure` read what is saved.

    `first` and `last` are seconds since 1970, and None where no piece has a time. `failed` observations are not in it, as something was wrong.
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
        """Of bytes, which a reason calls by the name; EvidenceError where they are none."""
        return cls(_read(data if isinstance(data, bytes) else memoryview(data).tobytes(), name))

    @classmethod
    def load(cls, path: Named) -> Evidence:
        try:
            data = Path(path).read_bytes()
        except OSError as why:
            raise ReadError(f"{path}: {why.strerror}") from why
        return cls.loads(data, str(path))

    def save(self, path: Named) -> None:
        """Into a file, whole or not at all."""
        write_whole(path, bytes(self))

    def __bytes__(self) -> bytes:
        size = c_size_t()
        tikc.tikc_evidence_serialise(self.handle, None, 0, byref(size))
        out = create_string_buffer(max(size.value, 1))
        must(tikc.tikc_evidence_serialise(self.handle, out, len(out), byref(size)), "tikc_evidence_serialise")
        return out.raw[: size.value]

    @property
    def diagnosis(self) -> Diagnosis:
        """What faults the responses in it are consistent with, as `tikc diagnose` says it; undecided where there are too few, or where nobody asked for
        their signs."""
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
        counts = [(self.responses, "responses"), (self.tokens, "tokens"), (self.rows, "rows"), (self.failed, "that failed")]
        came = ", ".join(f"{count:,} {what}" for count, what in counts if count)
        return f"evidence of {self.pieces} piece{'' if self.pieces == 1 else 's'}" + (f": {came}" if came else "")

    def __repr__(self) -> str:
        return self._caption() + "\n" + _tables.plain(HEAD, self._rows())

    def _repr_html_(self) -> str:
        return _tables.in_html(self._caption(), HEAD, self._rows())


HEAD = ("contract", "version", "stage", "build", "fingerprint", "pieces")


@dataclasses.dataclass(frozen=True)
class Measurement:
    """Evidence held against a contract: what `tikc measure --format=json` tells, as plain values in `told`."""

    told: Dict[str, Any]

    @property
    def failed(self) -> int:
        """Observations in which something was wrong, and which nobody judged."""
        out: int = self.told["data"]["broken"]
        return out

    @property
    def verdict(self) -> str:
        """Of all: satisfied only of all that was shown, and undecided where some of it failed."""
        return of_all(self.told["verdict"], self.failed)

    @property
    def clauses(self) -> Tuple[Dict[str, Any], ...]:
        return tuple(self.told["clauses"])

    @property
    def claims(self) -> Tuple[Dict[str, Any], ...]:
        """The state of each claim, what decides it, and in `observed` the bound at the measured point with its confidence."""
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
        return [(each["verdict"], each["clause"], each["slice"], _shown(each), str(each["observations"]), each["says"]) for each in self.clauses]

    def __repr__(self) -> str:
        return self._caption() + "\n" + _tables.plain(MEASURED_HEAD, self._rows())

    def _repr_html_(self) -> str:
        return _tables.in_html(self._caption(), MEASURED_HEAD, self._rows())


MEASURED_HEAD = ("verdict", "clause", "slice", "value", "of", "check")


def of_all(verdict: str, failed: int) -> str:
    """A verdict on less than was shown is none on what was shown, unless it is bad already."""
    return "undecided" if failed and verdict == "satisfied" else verdict


def failures(count: int) -> List[str]:
    """As captions tell them."""
    return [f"{count:,} observation{'' if count == 1 else 's'} failed, and nobody judged {'it' if count == 1 else 'them'}"] if count else []


def _shown(row: Dict[str, Any]) -> str:
    value = row["value"]
    return "" if value is None else f"{value:.4g} {row['unit']}".rstrip() if isinstance(value, float) else str(value)


def _origin(handle: Handle, i: int) -> Origin:
    of = _c.Origin()
    must(tikc.tikc_evidence_origin(handle, i, byref(of)), "tikc_evidence_origin")
    return Origin(text(of.contract), text(of.version), text(of.build), text(of.digest), text(of.stage), of.fingerprint, of.pieces)


def _refusable(function: Any, *arguments: Any) -> bytes:
    """What is written to a sink; where it is why nothing was done, EvidenceError."""
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
    """What one tally observed, with the signs of its responses."""
    out = c_void_p()
    if signs is None:
        must(tikc.tikc_evidence_create(tally, byref(of), byref(out)), "tikc_evidence_create")
    else:
        must(tikc.tikc_evidence_create_with(tally, signs, byref(of), byref(out)), "tikc_evidence_create_with")
    return Evidence(Handle("evidence", out.value))


def joined(parts: Iterable[Evidence], allow_other: bool = False) -> Evidence:
    """Pairs, and pairs of these: so that each is looked at a few times, however many they are."""
    level = [_read(bytes(each), "the evidence") for each in parts]
    if not level:
        raise ValueError("there is nothing to merge")
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
    """Evidence of several in one, each piece once, in any order: of bytes, as pickles and files have it, bytes. What is of another contract, build,
    digest or stage raises EvidenceError unless `allow_other`."""
    are_bytes = [not isinstance(each, Evidence) for each in parts]
    if any(are_bytes) and not all(are_bytes):
        raise TypeError("merge takes evidence, or bytes of evidence, and not both")
    out = joined((Evidence.loads(each, f"part {i}") if is_bytes else each for i, (each, is_bytes) in enumerate(zip(parts, are_bytes))), allow_other)
    return bytes(out) if all(are_bytes) else out


def measure(contract: Handle, evidence: Evidence, allow_other: bool) -> Measurement:
    return Measurement(json.loads(_refusable(tikc.tikc_evidence_measure, evidence.handle, contract, int(allow_other))))


def report(contract: Handle, evidence: Evidence, allow_other: bool) -> bytes:
    return _refusable(tikc.tikc_evidence_report, evidence.handle, contract, int(allow_other))
