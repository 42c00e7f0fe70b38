"""What all calls of a monitor share."""

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
    """By name or number; what is not named is the only one."""
    if which is None:
        if len(names) > 1:
            raise ValueError(f"`{what}` is to be one of {', '.join(names)}")
        return 0
    if isinstance(which, str):
        if which not in names:
            raise ValueError(f"there is no {what} `{which}`, but {', '.join(names) or 'none'}")
        return names.index(which)
    if not 0 <= which < len(names):
        raise ValueError(f"there is no {what} {which}, but {len(names)}")
    return which


def observation(method: Method) -> Method:
    """An observation, which one thread makes at a time, and whose fault is no matter of the training step."""

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
            if monitor.on_fault == "raise":
                raise
            monitor._tell(f"{what}: {type(fault).__name__}: {fault}")
        except BaseException:
            monitor._lose(what, before)
            raise

    return cast(Method, observe)


def answer(method: Answering) -> Answering:
    """What gives something back, which who is interrupted has not seen."""

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
    """What calls of a monitor took, of the threads that made them: waiting for one another is in it."""

    calls: int = 0
    seconds: float = 0.0
