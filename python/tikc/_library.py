"""libtikc, loaded: calls that raise what they say."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_void_p
from pathlib import Path
from typing import Any, Callable, Iterable, List, NoReturn, Optional, Tuple

from . import _c
from ._errors import BytesError, TikcError

# Of the libraries that come along, each after those that it needs itself.
BUNDLED = ("libgmp.so.10", "libmpfr.so.6", "libmpfi.so.0", "libyaml-cpp.so.0.7", "libantlr4-runtime.so.4.9")
NAME = f"libtikc.so.{_c.ABI}"

WRONG_BYTES = {
    _c.TRUNCATED: "they end too early",
    _c.FOREIGN: "they are not a monitor's",
    _c.VERSION: "another version of tikc wrote them, in a form that this one does not know",
    _c.FINGERPRINT: "they are of another contract, or of another version of this one",
    _c.TRAILING: "something follows them",
    _c.CHECKSUM: "they changed on their way",
    _c.PAYLOAD: "their checksum is right, and what they say cannot be",
}


def _load() -> ctypes.CDLL:
    named = os.environ.get("TIKC_LIBRARY")
    if named:
        return ctypes.CDLL(named)
    folder = Path(__file__).resolve().parent / "lib"
    if not (folder / NAME).exists():
        return ctypes.CDLL(NAME)  # the system's
    # A library that a process has already is the one that is taken, by its name.
    for each in BUNDLED:
        if (folder / each).exists():
            ctypes.CDLL(str(folder / each))
    return ctypes.CDLL(str(folder / NAME))


def _prepare() -> ctypes.CDLL:
    try:
        out = _load()
    except OSError as why:
        raise ImportError(f"tikc needs {NAME}: {why}. TIKC_LIBRARY names one that lies elsewhere") from why
    abi = out.tikc_abi() if hasattr(out, "tikc_abi") else None
    if abi != _c.ABI:
        raise ImportError(f"tikc needs a libtikc of ABI {_c.ABI}, and this one has {abi}")
    for name, (returns, takes) in _c.FUNCTIONS.items():
        if not hasattr(out, name):
            raise ImportError(f"this libtikc is older than the package: it has no {name}")
        function = getattr(out, name)
        function.restype, function.argtypes = returns, takes
    return out


tikc = _prepare()


def fail(status: int, of: str) -> NoReturn:
    if status == _c.MEMORY:
        raise MemoryError(of)
    if status in WRONG_BYTES:
        raise BytesError(f"these bytes cannot be read: {WRONG_BYTES[status]}")
    name = _c.STATUSES[status] if status < len(_c.STATUSES) else str(status)
    raise TikcError(f"{of}: {name}")


def must(status: int, of: str) -> None:
    if status != _c.OK:
        fail(status, of)


def text(of: Optional[bytes]) -> str:
    return "" if of is None else of.decode("utf-8", "replace")


def argument(name: str, value: bytes) -> bytes:
    """A text for C, which would end it at a zero."""
    if b"\0" in value:
        raise ValueError(f"`{name}` has a zero byte")
    return value


class Handle:
    """An object of the library, which goes with it."""

    __slots__ = ("_as_parameter_", "_kind", "__weakref__")

    def __init__(self, kind: str, address: Optional[int]) -> None:
        self._kind = kind
        self._as_parameter_ = address

    def __del__(self) -> None:
        # An interrupt may come before it is anything.
        kind, address = getattr(self, "_kind", None), getattr(self, "_as_parameter_", None)
        destroy: Any = getattr(tikc, f"tikc_{kind}_destroy", None) if tikc is not None and kind is not None else None
        if destroy is not None and address is not None:
            destroy(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {self._kind} lies in the memory of its process, and can be neither copied nor pickled")


def created(kind: str, of: Any) -> Handle:
    out = c_void_p()
    name = f"tikc_{kind}_create"
    must(getattr(tikc, name)(of, byref(out)), name)
    return Handle(kind, out.value)


class Taken:
    """What a callback of C is given, one after the other. Nothing may be raised there, where it would be lost with what it was raised for."""

    def __init__(self, kind: Any, made: Callable[..., Any]) -> None:
        self._made = made
        self._raised: List[BaseException] = []
        self._all: List[Any] = []
        self.callback = kind(self._take)

    def _take(self, *given: Any) -> None:
        try:
            self._all.append(self._made(*given))
        except BaseException as fault:
            self._raised.append(fault)

    def all(self) -> List[Any]:
        if self._raised:
            raise self._raised[0]
        return self._all


def gathered(function: Any, *arguments: Any) -> Tuple[int, bytes]:
    """The status, and what is written to a sink."""
    taken = Taken(_c.SINK, lambda at, size, _: ctypes.string_at(at, size))
    status: int = function(*arguments, taken.callback, None)
    return status, b"".join(taken.all())


def pieces(function: Any, *arguments: Any) -> str:
    """What is written to a sink."""
    status, out = gathered(function, *arguments)
    must(status, function.__name__)
    return out.decode("utf-8", "replace")


def names(function: Any, of: Any, count: int) -> List[str]:
    return [text(function(of, i)) for i in range(count)]


def wire(tally: Handle) -> bytes:
    size = ctypes.c_size_t()
    must(tikc.tikc_tally_wire_size(tally, byref(size)), "tikc_tally_wire_size")
    out = ctypes.create_string_buffer(max(size.value, 1))
    must(tikc.tikc_tally_serialise(tally, out, len(out), byref(size)), "tikc_tally_serialise")
    return out.raw[: size.value]


def parse(into: Handle, data: Any) -> None:
    """Of bytes, or of what has the buffer of some."""
    view = memoryview(data)
    content = data if isinstance(data, bytes) else view.tobytes()
    must(tikc.tikc_tally_parse(into, content, len(content)), "tikc_tally_parse")


def merged(contract: Any, parts: Iterable[Any]) -> Handle:
    """All that several wrote, in one tally."""
    into, part = created("tally", contract), created("tally", contract)
    for each in parts:
        parse(part, each)
        must(tikc.tikc_tally_merge(into, part), "tikc_tally_merge")
    return into
