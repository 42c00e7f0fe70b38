"""What faults numbers are consistent with."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterator, List, Tuple

from . import _tables


@dataclasses.dataclass(frozen=True)
class Sign:
    """A number that says so; its standard error is over responses, and 0 where none is told."""

    value: float
    error: float
    says: str


@dataclasses.dataclass(frozen=True)
class Cause:
    """A fault that there is a name for, and what the numbers say of it: its sign is `named`, `echoed` where a cause named before it has it as well,
    `undecided`, `unseen`, or `unasked` where the data lack what would show it."""

    cause: str
    name: str
    state: str
    figures: Dict[str, Sign]
    sign: str
    apart: str
    next: str
    why: str


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """`named`, `none` or `undecided`, and the same in words. Going through it gives the causes that are named, in the order to look into them."""

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
        """Plain values."""
        return dataclasses.asdict(self)

    def _rows(self) -> List[Tuple[str, ...]]:
        return [(each.cause, each.state, each.why or next((f"{sign.value:.3g} {sign.says}" for sign in each.figures.values()), "")) for each in self.causes]

    def __repr__(self) -> str:
        return "\n".join([self.says, *self.notes]) + "\n" + _tables.plain(HEAD, self._rows())

    def _repr_html_(self) -> str:
        return _tables.in_html("; ".join([self.says, *self.notes]), HEAD, self._rows())


HEAD = ("cause", "its sign is", "what says so")


def _number(told: Any) -> float:
    return float("nan") if told is None else float(told)


def _cause(told: Dict[str, Any]) -> Cause:
    figures = {each["figure"]: Sign(_number(each["value"]), _number(each["error"]), each["says"]) for each in told["figures"]}
    return Cause(told["cause"], told["name"], told["state"], figures, told["sign"], told["apart"], told["next"], told["why"])
