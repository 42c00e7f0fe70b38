"""Partitioned data that several machines observe. Every engine runs `observed` on each part, and `merged` on several results.

Both are functions from plain values to bytes, so that an engine may run them anywhere and repeat them. A source identifies a part, which counts once.
"""

from __future__ import annotations

import dataclasses
import functools
import secrets
from typing import Any, Callable, Iterator, List, Mapping, Optional, Sequence, TypeVar

from ._contract import Contract, Recipe, load, loads
from ._errors import TikcError
from ._evidence import Evidence, merge
from ._monitor import Monitor

Observe = Callable[[Monitor, Any], None]
ARGUMENTS = ("train", "infer", "mask", "lengths", "ids", "stream", "whole")
WIDTH = 8  # parts merged by one task
Part = TypeVar("Part")


@dataclasses.dataclass(frozen=True)
class Job:
    """What a machine needs to observe a part: how to load the contract, and the run that the part belongs to."""

    recipe: Recipe
    fingerprint: int
    stage: Optional[str]
    run: str
    observe: Observe


def job(contract: Contract, observe: Optional[Observe], run: Optional[str], stage: Optional[str]) -> Job:
    if stage is not None and stage not in contract.stages:
        raise ValueError(f"`stage`: {'expected one of ' + ', '.join(contract.stages) if contract.stages else 'the contract has none'}, found {stage!r}")
    return Job(contract.recipe, contract.fingerprint, stage, run or f"run {secrets.token_hex(8)}", observe or responses)


def observed(of: Job, number: int, part: Any) -> bytes:
    """Return the evidence of one part, as bytes. An invalid observation fails the part, so that no data is left out silently."""
    monitor = _contract_of(of.recipe, of.fingerprint).monitor(of.stage, on_fault="raise", source=f"{of.run}: part {number}")
    of.observe(monitor, part)
    return bytes(monitor.take_evidence())


def merged(*parts: bytes) -> bytes:
    return merge(*parts)


def responses(monitor: Monitor, part: Any) -> None:
    """Observe a part that is a mapping of `Monitor.tokens` arguments, or a list or table of them. Other fields are labels."""
    if hasattr(part, "to_dict") and hasattr(part, "columns"):
        part = part.to_dict("records")
    elif hasattr(part, "asDict"):
        part = part.asDict()
    if not isinstance(part, Mapping):
        for each in _several(part):
            responses(monitor, each)
        return
    lacks = [name for name in ("train", "infer") if name not in part]
    if lacks:
        raise ValueError(f"response: expected field `{lacks[0]}`, found {', '.join(map(str, part)) or 'none'}; pass `observe=` to read other forms")
    arguments = {name: part[name] for name in ARGUMENTS if part.get(name) is not None}
    labels = {str(name): value for name, value in part.items() if name not in ARGUMENTS and value is not None}
    if "labels" in labels:
        labels.update(labels.pop("labels"))
    train, infer = arguments.pop("train"), arguments.pop("infer")
    monitor.tokens(*(_numbers(each) for each in (train, infer)), labels={name: value for name, value in labels.items() if _is_asked(monitor, name)}, **arguments)


def tree(parts: Sequence[Part], join: Callable[..., Part]) -> Part:
    """Return the parts joined, WIDTH at a time."""
    level: List[Part] = list(parts)
    if not level:
        raise ValueError("no partitions: expected at least one")
    while len(level) > 1:
        level = [join(*level[at : at + WIDTH]) if at + 1 < len(level) else level[at] for at in range(0, len(level), WIDTH)]
    return level[0]


def evidence(data: bytes) -> Evidence:
    return Evidence.loads(data)


def _several(part: Any) -> Iterator[Any]:
    if isinstance(part, (str, bytes)) or not hasattr(part, "__iter__"):
        raise ValueError(f"partition: expected a mapping or several, found {type(part).__name__}; pass `observe=` to read other forms")
    out: Iterator[Any] = iter(part)
    return out


def _is_asked(monitor: Monitor, name: str) -> bool:
    """Return whether a slice uses the field. Records have others, too."""
    return name == "position" or any(field.name == name for field in monitor.contract.fields)


def _numbers(value: Any) -> Any:
    """Return a list of numbers, as from JSON, as an array. Lists of arrays, which are several responses, stay."""
    if isinstance(value, (list, tuple)) and (not value or isinstance(value[0], (int, float))):
        import numpy

        return numpy.asarray(value, numpy.float64)
    return value


@functools.lru_cache(maxsize=8)
def _contract_of(recipe: Recipe, fingerprint: int) -> Contract:
    if recipe.content is not None:
        out = loads(recipe.content, recipe.path, recipe.contract)
    else:
        out = load(str(recipe.path), recipe.contract)
    if out.fingerprint != fingerprint:
        raise TikcError(f"{recipe.path}: the contract differs on this machine: expected {fingerprint:#018x}, found {out.fingerprint:#018x}; "
                        "load it with `tikc.loads` to send its text along")
    return out
