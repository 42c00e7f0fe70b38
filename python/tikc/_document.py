"""What `tikc check` says of a file or a text."""

from __future__ import annotations

import dataclasses
import json
import os
from ctypes import byref, c_char_p, c_uint32, c_void_p
from typing import Any, Dict, List, Optional, Tuple, Type, TypeVar, Union

from . import _c, _tables
from ._errors import ReadError
from ._files import Named
from ._library import Handle, argument, fail, must, pieces, text, tikc

SEVERITIES = ("off", "note", "warning", "error")
VERDICTS = ("proved", "refuted", "unproved")
Struct = TypeVar("Struct")


@dataclasses.dataclass(frozen=True)
class Place:
    """From `begin` to `end`, in bytes of the file. Lines and columns begin at 1; a column is a character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    begin: int
    end: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclasses.dataclass(frozen=True)
class Edit:
    """The text takes the place's."""

    text: str
    place: Place


@dataclasses.dataclass(frozen=True)
class Fix:
    """One way out, to be applied whole. A safe one keeps or restores what the author plainly meant."""

    title: str
    is_safe: bool
    edits: Tuple[Edit, ...]


@dataclasses.dataclass(frozen=True)
class Related:
    """Another place that explains a finding."""

    message: str
    place: Place


@dataclasses.dataclass(frozen=True)
class Finding:
    code: str
    name: str
    severity: str
    message: str
    label: str
    place: Place
    notes: Tuple[str, ...]
    related: Tuple[Related, ...]
    fixes: Tuple[Fix, ...]

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}[{self.code}]: {self.message}"

    def to_dict(self) -> Dict[str, Any]:
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True)
class Claim:
    """A claim, on the slices that have this outcome; `*` is the mixture. What is not known is empty."""

    contract: str
    name: str
    verdict: str
    asked: str
    proved: str
    slack: str
    slices: Tuple[str, ...]
    is_draft: bool

    def to_dict(self) -> Dict[str, Any]:
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True)
class Report:
    """What was found, and what became of the claims. `contracts` is how many the file has."""

    findings: Tuple[Finding, ...]
    claims: Tuple[Claim, ...]
    contracts: int
    json: str = dataclasses.field(repr=False)

    @property
    def errors(self) -> Tuple[Finding, ...]:
        return tuple(each for each in self.findings if each.severity == "error")

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return not self.errors

    def to_dict(self) -> Dict[str, Any]:
        """As `tikc check --format=json` has it."""
        out: Dict[str, Any] = json.loads(self.json)
        return out

    def _rows(self) -> List[Tuple[str, ...]]:
        out: List[Tuple[str, ...]] = [(each.severity, each.code, str(each.place), each.message) for each in self.findings]
        return out + [(each.verdict, each.name, ", ".join(each.slices), f"{each.asked}, follows {each.proved or 'nothing'}") for each in self.claims]

    def __repr__(self) -> str:
        return _tables.plain(("what", "whose", "where", "says"), self._rows()) if self._rows() else "nothing found"

    def _repr_html_(self) -> str:
        return _tables.in_html(f"{len(self.errors)} errors", ("what", "whose", "where", "says"), self._rows())


class Document:
    """A text that was read and checked."""

    def __init__(self, status: int, address: Optional[int]) -> None:
        if address is None:
            fail(status, "tikc_open")
        self.handle = Handle("document", address)
        if status == _c.FILE:
            raise ReadError(text(tikc.tikc_document_message(self.handle)))
        if status != _c.OK:
            fail(status, text(tikc.tikc_document_message(self.handle)))
        counts = [c_uint32() for _ in range(3)]
        must(tikc.tikc_document_counts(self.handle, *map(byref, counts)), "tikc_document_counts")
        found, claims, contracts = (each.value for each in counts)
        self.report = Report(tuple(map(self._finding, range(found))), tuple(map(self._claim, range(claims))), contracts,
                             pieces(tikc.tikc_document_write_json, self.handle))

    def refusal(self, contract: int) -> str:
        """Why a contract must not be run; empty where it may."""
        out = c_char_p()
        must(tikc.tikc_document_refusal(self.handle, contract, byref(out)), "tikc_document_refusal")
        return text(out.value)

    def contract(self, number: int) -> Handle:
        out = c_void_p()
        must(tikc.tikc_document_contract(self.handle, number, byref(out)), "tikc_document_contract")
        return Handle("contract", out.value)

    def _part(self, kind: Type[Struct], name: str, *at: int) -> Struct:
        out = kind()
        must(getattr(tikc, name)(self.handle, *at, byref(out)), name)  # type: ignore[arg-type]
        return out

    @staticmethod
    def _place(of: _c.Place) -> Place:
        return Place(os.fsdecode(of.file), of.line, of.column, of.end_line, of.end_column, of.begin, of.end)

    def _finding(self, i: int) -> Finding:
        of = self._part(_c.Diagnostic, "tikc_document_diagnostic", i)
        notes = [text(self._part(c_char_p, "tikc_document_note", i, j).value) for j in range(of.notes)]
        related = [self._part(_c.Related, "tikc_document_related", i, j) for j in range(of.related)]
        return Finding(text(of.code), text(of.name), SEVERITIES[of.severity], text(of.message), text(of.label), self._place(of.place), tuple(notes),
                       tuple(Related(text(each.message), self._place(each.place)) for each in related), tuple(self._fix(i, j) for j in range(of.fixes)))

    def _fix(self, i: int, j: int) -> Fix:
        of = self._part(_c.Fix, "tikc_document_fix", i, j)
        edits = [self._part(_c.Edit, "tikc_document_edit", i, j, k) for k in range(of.edits)]
        return Fix(text(of.title), bool(of.is_safe), tuple(Edit(text(each.text), self._place(each.place)) for each in edits))

    def _claim(self, i: int) -> Claim:
        of = self._part(_c.Claim, "tikc_document_claim", i)
        slices = tuple(text(of.slices[j]) for j in range(of.slice_count))
        return Claim(text(of.contract), text(of.name), VERDICTS[of.verdict], text(of.asked), text(of.proved), text(of.slack), slices, bool(of.is_draft))


def opened(path: Named) -> Document:
    out = c_void_p()
    return Document(tikc.tikc_open(argument("path", os.fsencode(path)), byref(out)), out.value)


def read(content: Union[str, bytes], name: Optional[Named]) -> Document:
    data = content.encode() if isinstance(content, str) else bytes(content)
    called = None if name is None else argument("name", os.fsencode(name))
    out = c_void_p()
    return Document(tikc.tikc_read(data, len(data), called, byref(out)), out.value)


def check(path: Named) -> Report:
    """What `tikc check --alone` says of a file, or of a folder that has one. ReadError where it cannot be read."""
    return opened(path).report


def checks(content: Union[str, bytes], name: Optional[Named] = None) -> Report:
    """The same of a text. Where it has a name, it is called so, and what it extends is sought beside it."""
    return read(content, name).report
