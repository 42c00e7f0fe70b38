"""Find the slices that responses belong to."""

from __future__ import annotations

import logging
import math
from ctypes import byref, c_uint32
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _c
from ._contract import Contract
from ._library import created, must, tikc

LOG = logging.getLogger("tikc")
POSITION, LENGTH = "position", "response_tokens"
MOST_REMEMBERED = 4096
Values = Tuple[Any, ...]


class Run:
    """A range of a response's tokens that belongs to one slice."""

    __slots__ = ("slice", "begin", "end")

    def __init__(self, slice: int, begin: int, end: int) -> None:
        self.slice, self.begin, self.end = slice, begin, end


class Columns:
    """The labels of some observations, by field."""

    def __init__(self, fields: Tuple[int, ...], columns: List[List[Any]], count: int) -> None:
        self.fields, self.count = fields, count
        self._columns = columns

    def of(self, i: int) -> Values:
        return tuple(column[i] for column in self._columns)


class Slicing:
    """Finds the slices of one monitor's observations, and caches them."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract.name
        self._fields = contract.fields
        self._numbers = {field.name: i for i, field in enumerate(contract.fields)}
        self._request = created("request", contract.handle)
        self._found: Dict[Tuple[Any, ...], int] = {}
        self._position, self._length = (self._numbers.get(name) for name in (POSITION, LENGTH))
        self._cuts = sorted({cut for name, less in ((POSITION, 0), (LENGTH, 1)) for cut in self._cuts_of(name, less)})
        self.is_one = len(contract.slices) == 1
        self.cuts_nothing = not self._cuts
        self.strangers: Dict[Tuple[str, str], int] = {}
        self.unasked: Dict[str, int] = {}

    def _cuts_of(self, name: str, less: int) -> List[int]:
        """Return the tokens at which a slice may begin or end. The comparison decides on which side a bound is, so both sides are cuts."""
        at = self._numbers.get(name)
        bounds = () if at is None else self._fields[at].bounds
        return [math.floor(bound) + more - less for bound in bounds if math.isfinite(bound) for more in (0, 1)]

    def columns(self, labels: Optional[Mapping[str, Any]], count: int, of_tokens: bool = False) -> Columns:
        fields, columns = [], []
        for name, value in (labels or {}).items():
            if name not in self._numbers:
                self._pass_over(str(name))
                continue
            if of_tokens and name == LENGTH:
                raise ValueError(f"`labels`: `{name}` cannot be given, because it is counted from the tokens")
            field = self._numbers[name]
            fields.append(field)
            columns.append([self._value(name, field, each) for each in listed(name, value, count)])
        return Columns(tuple(fields), columns, count)

    def _pass_over(self, name: str) -> None:
        """Ignore a label that no slice uses, and warn once, as it may be misspelt."""
        if name not in self.unasked and len(self.unasked) >= MOST_REMEMBERED:
            return
        self.unasked[name] = self.unasked.get(name, 0) + 1
        if self.unasked[name] == 1:
            known = ", ".join(each.name for each in self._fields)
            LOG.warning("%s: ignored the label `%s`, which no slice uses; the contract's labels: %s", self._contract, name, known or "none")

    def slice_of(self, columns: Columns, i: int) -> int:
        """Return the slice of observation i, which has no tokens."""
        return 0 if self.is_one else self._find(columns.fields, columns.of(i), None)

    def slices_of(self, columns: Columns) -> Sequence[int]:
        """Return the slice of each observation, if slices do not cut responses."""
        return bytes(columns.count) if self.is_one else [self._find(columns.fields, columns.of(i), None) for i in range(columns.count)]

    def runs_of(self, columns: Columns, i: int, size: int, before: int = 0) -> List[Run]:
        """Return the runs of a response's next tokens. `before` counts the tokens that came earlier."""
        if self.is_one:
            return [Run(0, 0, size)]
        values = columns.of(i)
        if not self._cuts:
            return [Run(self._find(columns.fields, values, None), 0, size)]
        first = before + self._first(columns.fields, values)
        cuts = [0, *(cut - first for cut in self._cuts if 0 < cut - first < size)]
        runs: List[Run] = []
        for cut, end in zip(cuts, [*cuts[1:], size]):
            at = self._find(columns.fields, values, first + cut)
            if runs and runs[-1].slice == at:
                runs[-1].end = end
            else:
                runs.append(Run(at, cut, end))
        return runs

    def _first(self, fields: Sequence[int], values: Values) -> int:
        for field, value in zip(fields, values):
            if field == self._position:
                return int(value)
        return 0

    def _find(self, fields: Tuple[int, ...], values: Values, position: Optional[int]) -> int:
        key = (fields, values, position)
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= MOST_REMEMBERED:
                self._found.clear()
            found = self._found[key] = self._ask(fields, values, position)
        return found

    def _ask(self, fields: Sequence[int], values: Values, position: Optional[int]) -> int:
        must(tikc.tikc_request_clear(self._request), "tikc_request_clear")
        for field, value in zip(fields, values):
            if self._fields[field].is_text:
                data = value.encode()
                must(tikc.tikc_request_set_text(self._request, field, data, len(data)), "tikc_request_set_text")
            else:
                must(tikc.tikc_request_set_number(self._request, field, value), "tikc_request_set_number")
        for at, number in ((self._position, position), (self._length, None if position is None else position + 1)):
            if at is not None and number is not None:
                must(tikc.tikc_request_set_number(self._request, at, float(number)), "tikc_request_set_number")
        out = c_uint32()
        must(tikc.tikc_slice_of(self._request, byref(out)), "tikc_slice_of")
        return out.value

    def _value(self, name: str, at: int, value: Any) -> Any:
        """Return a label as a request takes it. A text that the label does not declare counts as missing, and is recorded."""
        field = self._fields[at]
        if not field.is_text:
            number = 0.0 if value is None else value
            if isinstance(number, (bool, str)) or not isinstance(number, (int, float)):
                raise TypeError(f"`labels[{name!r}]`: expected a number, found {value!r}")
            return float(number)
        if value is None:
            return ""
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise TypeError(f"`labels[{name!r}]`: expected a text, found {value!r}")
        if not field.values or value in field.values or not value:
            return value
        known = (name, value)
        if known in self.strangers or len(self.strangers) < MOST_REMEMBERED:
            self.strangers[known] = self.strangers.get(known, 0) + 1
        return ""


def listed(name: str, value: Any, count: int) -> List[Any]:
    """Return one value per observation. A single value is repeated."""
    if value is None or isinstance(value, (str, int, float)):
        return [value] * count
    if isinstance(value, bytes):
        raise TypeError(f"`labels[{name!r}]`: expected texts or numbers, found bytes")
    out = value.tolist() if hasattr(value, "tolist") else list(value)
    if not isinstance(out, list):
        return [out] * count
    out = [each.item() if hasattr(each, "item") else each for each in out]
    if len(out) != count:
        raise ValueError(f"`labels[{name!r}]`: expected {count} value{'' if count == 1 else 's'}, one per observation, found {len(out)}")
    return out
