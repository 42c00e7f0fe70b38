"""Parts of data that many machines observe, each by itself: what all engines of that kind run is `observed` on each part, and `merged` on pairs.

Both are functions of plain values to bytes, so that an engine may run them wherever and as often as it likes: a part is known by its source, and counts once.
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
WIDTH = 8  # parts that one task merges
Part = TypeVar("Part")


@dataclasses.dataclass(frozen=True)
class Job:
    """What a machine has to know to observe a part: how to come by the contract, and whose it is."""

    recipe: Recipe
    fingerprint: int
    stage: Optional[str]
    run: str
    observe: Observe


def job(contract: Contract, observe: Optional[Observe], run: Optional[str], stage: Optional[str]) -> Job:
    if stage is not None and stage not in contract.stages:
        raise ValueError(f"there is no stage `{stage}`, but {', '.join(contract.stages) or 'none'}")
    return Job(contract.recipe, contract.fingerprint, stage, run or f"run {secrets.token_hex(8)}", observe or responses)


def observed(of: Job, number: int, part: Any) -> bytes:
    """What a contract asks of one part, as evidence. What is wrong with an observation fails the part: nothing is left out."""
    monitor = _contract_of(of.recipe, of.fingerprint).monitor(of.stage, on_fault="raise", source=f"{of.run}: part {number}")
    of.observe(monitor, part)
    return bytes(monitor.take_evidence())


def merged(*parts: bytes) -> bytes:
    return merge(*parts)


def responses(monitor: Monitor, part: Any) -> None:
    """A part that is what `Monitor.tokens` takes, by name; what it does not take are labels. A list of such, or a table, is several."""
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
        raise ValueError(f"a response has no `{lacks[0]}`, but {', '.join(map(str, part))}: `observe=` is a function that shows a monitor what is in a part")
    arguments = {name: part[name] for name in ARGUMENTS if part.get(name) is not None}
    labels = {str(name): value for name, value in part.items() if name not in ARGUMENTS and value is not None}
    if "labels" in labels:
        labels.update(labels.pop("labels"))
    train, infer = arguments.pop("train"), arguments.pop("infer")
    monitor.tokens(*(_numbers(each) for each in (train, infer)), labels={name: value for name, value in labels.items() if _is_asked(monitor, name)}, **arguments)


def tree(parts: Sequence[Part], join: Callable[..., Part]) -> Part:
    """The parts joined, WIDTH at a time."""
    level: List[Part] = list(parts)
    if not level:
        raise ValueError("there are no parts")
    while len(level) > 1:
        level = [join(*level[at : at + WIDTH]) if at + 1 < len(level) else level[at] for at in range(0, len(level), WIDTH)]
    return level[0]


def evidence(data: bytes) -> Evidence:
    return Evidence.loads(data)


def _several(part: Any) -> Iterator[Any]:
    if isinstance(part, (str, bytes)) or not hasattr(part, "__iter__"):
        raise ValueError(f"a part is a mapping or several, and not a {type(part).__name__}: `observe=` is a function that shows a monitor what is in it")
    out: Iterator[Any] = iter(part)
    return out


def _is_asked(monitor: Monitor, name: str) -> bool:
    """Records have fields that no slice asks for."""
    return name == "position" or any(field.name == name for field in monitor.contract.fields)


def _numbers(value: Any) -> Any:
    """JSON has lists, which NumPy makes arrays of; lists of arrays are several responses."""
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
        raise TikcError(f"{recipe.path}: here it is another contract, {out.fingerprint:#018x} and not {fingerprint:#018x}; "
                        "`tikc.loads` of its text takes the text along")
    return out
