"""The results of checking a file or a text, as `tikc check` reports them."""

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
    """A range of a file: the bytes from `begin` to `end`. Lines and columns count from 1; a column is a character."""

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
    """A replacement of the text at `place` by `text`."""

    text: str
    place: Place


@dataclasses.dataclass(frozen=True)
class Fix:
    """One way to resolve a finding. Apply all of its edits or none. A safe fix keeps or restores what the author plainly meant."""

    title: str
    is_safe: bool
    edits: Tuple[Edit, ...]


@dataclasses.dataclass(frozen=True)
class Related:
    """Another place that helps to explain a finding."""

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
    """A claim, with the slices that share this verdict; `*` is the mixture of slices. Unknown texts are empty."""

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
    """The findings and the verdicts on claims. `contracts` is the number of contracts in the file."""

    findings: Tuple[Finding, ...]
    claims: Tuple[Claim, ...]
    contracts: int
    json: str = dataclasses.field(repr=False)

    @property
    def errors(self) -> Tuple[Finding, ...]:
        return tuple(each for each in self.findings if each.severity == "error")

    @property
    def ok(self) -> bool:
        """Return whether the file has no errors."""
        return not self.errors

    def to_dict(self) -> Dict[str, Any]:
        """Return the report as `tikc check --format=json` writes it."""
        out: Dict[str, Any] = json.loads(self.json)
        return out

    def _rows(self) -> List[Tuple[str, ...]]:
        out: List[Tuple[str, ...]] = [(each.severity, each.code, str(each.place), each.message) for each in self.findings]
        return out + [(each.verdict, each.name, ", ".join(each.slices), f"{each.asked}; proved: {each.proved or 'nothing'}") for each in self.claims]

    def __repr__(self) -> str:
        return _tables.plain(("what", "whose", "where", "says"), self._rows()) if self._rows() else "nothing found"

    def _repr_html_(self) -> str:
        return _tables.in_html(f"{len(self.errors)} error{'' if len(self.errors) == 1 else 's'}", ("what", "whose", "where", "says"), self._rows())


class Document:
    """A file or text that was read and checked."""

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
        """Return why a contract must not run, or an empty text if it may."""
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
    """Check a file, as `tikc check --alone` does. Raises ReadError if it cannot be read."""
    return opened(path).report


def checks(content: Union[str, bytes], name: Optional[Named] = None) -> Report:
    """Check a text. `name` is used in findings, and files that the text extends are looked up next to it."""
    return read(content, name).report
