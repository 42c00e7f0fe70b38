"""Helpers that all calls of a monitor share."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, TypeVar, Union, cast

if TYPE_CHECKING:
    from ._monitor import Monitor

Labels = Optional[Mapping[str, Any]]
Method = TypeVar("Method", bound=Callable[..., None])
Answering = TypeVar("Answering", bound=Callable[..., Any])


def chosen(what: str, which: Union[str, int, None], names: Sequence[str]) -> int:
    """Return the index of a name or number in `names`. None selects the only one."""
    if which is None:
        if len(names) > 1:
            raise ValueError(f"`{what}` is required: expected one of {', '.join(names)}")
        return 0
    if isinstance(which, str):
        if which not in names:
            raise ValueError(f"`{what}`: {'expected one of ' + ', '.join(names) if names else 'the contract has none'}, found {which!r}")
        return names.index(which)
    if not 0 <= which < len(names):
        raise ValueError(f"`{what}`: {f'expected a number from 0 to {len(names) - 1}' if names else 'the contract has none'}, found {which}")
    return which


def observation(method: Method) -> Method:
    """Decorate an observation: one thread runs it at a time, and its faults do not stop the training step."""

    @functools.wraps(method)
    def observe(self: Any, *arguments: Any, **options: Any) -> None:
        monitor: Monitor = getattr(self, "monitor", self)
        what, before = method.__name__.lstrip("_"), monitor._lost
        try:
            monitor._belong()
            with monitor._timed(what):
                monitor._is_new = True
                method(self, *arguments, **options)
        except Exception as fault:
            # The data are not at fault if a package is missing, and no later observation would succeed.
            if monitor.on_fault == "raise" or isinstance(fault, ImportError):
                raise
            monitor._tell(f"{what}: {type(fault).__name__}: {fault}")
        except BaseException:
            monitor._lose(what, before)
            raise

    return cast(Method, observe)


def answer(method: Answering) -> Answering:
    """Decorate a call with a result. If it is interrupted, the caller has not seen the result, so it counts as a fault."""

    @functools.wraps(method)
    def give(self: Any, *arguments: Any, **options: Any) -> Any:
        what, before = method.__name__, self._lost
        try:
            return method(self, *arguments, **options)
        except Exception:
            raise
        except BaseException:
            self._lose(what, before)
            raise

    return cast(Answering, give)


@dataclasses.dataclass(frozen=True)
class Cost:
    """The number and total duration of a monitor's calls, as seen by the calling threads, including waits for each other."""

    calls: int = 0
    seconds: float = 0.0
