"""Diagnoses: the faults that observed numbers are consistent with."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterator, List, Tuple

from . import _tables


@dataclasses.dataclass(frozen=True)
class Sign:
    """A number that a diagnosis rests on. `error` is its standard error over responses, or 0 if none is known."""

    value: float
    error: float
    says: str


@dataclasses.dataclass(frozen=True)
class Cause:
    """A known fault, and the state of its sign in the numbers.

    `state` is `named`; `echoed` if a cause named earlier has the same sign; `undecided`; `unseen`; or `unasked` if the data lack what would show it.
    """

    cause: str
    name: str
    state: str
    figures: Dict[str, Sign]
    sign: str
    contrast: str
    next: str
    why: str


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """A diagnosis. `state` is `named`, `none` or `undecided`; `says` is the same in words. Iteration yields the named causes, the first to check first."""

    state: str
    says: str
    responses: int
    tokens: int
    causes: Tuple[Cause, ...]
    notes: Tuple[str, ...]

    @classmethod
    def of(cls, told: Dict[str, Any]) -> Diagnosis:
        return cls(told["state"], told["says"], told["responses"], told["tokens"], tuple(_cause(each) for each in told["causes"]), tuple(told["notes"]))

    @property
    def named(self) -> Tuple[Cause, ...]:
        return tuple(each for each in self.causes if each.state == "named")

    def __iter__(self) -> Iterator[Cause]:
        return iter(self.named)

    def __len__(self) -> int:
        return len(self.named)

    def to_dict(self) -> Dict[str, Any]:
        """Return plain values."""
        return dataclasses.asdict(self)

    def _rows(self) -> List[Tuple[str, ...]]:
        return [(each.cause, each.state, each.why or next((f"{sign.says}: {sign.value:.3g}" for sign in each.figures.values()), "")) for each in self.causes]

    def __repr__(self) -> str:
        return "\n".join([self.says, *self.notes]) + "\n" + _tables.plain(HEAD, self._rows())

    def _repr_html_(self) -> str:
        return _tables.in_html("; ".join([self.says, *self.notes]), HEAD, self._rows())


HEAD = ("cause", "state", "reason")


def _number(told: Any) -> float:
    return float("nan") if told is None else float(told)


def _cause(told: Dict[str, Any]) -> Cause:
    figures = {each["figure"]: Sign(_number(each["value"]), _number(each["error"]), each["says"]) for each in told["figures"]}
    return Cause(told["cause"], told["name"], told["state"], figures, told["sign"], told["contrast"], told["next"], told["why"])
