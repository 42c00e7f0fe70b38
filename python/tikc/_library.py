"""libtikc, loaded, with calls that raise on a bad status."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_void_p
from pathlib import Path
from typing import Any, Callable, Iterable, List, NoReturn, Optional, Tuple

from . import _c
from ._errors import BytesError, TikcError

# The bundled libraries, each after its dependencies.
BUNDLED = ("libgmp.so.10", "libmpfr.so.6", "libmpfi.so.0", "libyaml-cpp.so.0.7", "libantlr4-runtime.so.4.9")
NAME = f"libtikc.so.{_c.ABI}"

WRONG_BYTES = {
    _c.TRUNCATED: "they are truncated",
    _c.FOREIGN: "they were not written by a monitor",
    _c.VERSION: "unknown format version; another version of tikc wrote them",
    _c.FINGERPRINT: "they are for another contract or another version of it",
    _c.TRAILING: "trailing bytes",
    _c.CHECKSUM: "corrupt data: checksum mismatch",
    _c.PAYLOAD: "the checksum matches, but the contents are invalid",
}


def _load() -> ctypes.CDLL:
    named = os.environ.get("TIKC_LIBRARY")
    if named:
        return ctypes.CDLL(named)
    folder = Path(__file__).resolve().parent / "lib"
    if not (folder / NAME).exists():
        return ctypes.CDLL(NAME)  # the system's
    # The loader reuses a library of the same name that the process already has.
    for each in BUNDLED:
        if (folder / each).exists():
            ctypes.CDLL(str(folder / each))
    return ctypes.CDLL(str(folder / NAME))


def _prepare() -> ctypes.CDLL:
    try:
        out = _load()
    except OSError as why:
        raise ImportError(f"cannot load {NAME}: {why}; set TIKC_LIBRARY to its path") from why
    abi = out.tikc_abi() if hasattr(out, "tikc_abi") else None
    if abi != _c.ABI:
        raise ImportError(f"libtikc has the wrong ABI: expected {_c.ABI}, found {abi}")
    for name, (returns, takes) in _c.FUNCTIONS.items():
        if not hasattr(out, name):
            raise ImportError(f"libtikc is older than the Python package: {name} is missing")
        function = getattr(out, name)
        function.restype, function.argtypes = returns, takes
    return out


tikc = _prepare()


def fail(status: int, of: str) -> NoReturn:
    if status == _c.MEMORY:
        raise MemoryError(of)
    if status in WRONG_BYTES:
        raise BytesError(f"bytes cannot be read: {WRONG_BYTES[status]}")
    name = _c.STATUSES[status] if status < len(_c.STATUSES) else str(status)
    raise TikcError(f"{of}: {name}")


def must(status: int, of: str) -> None:
    if status != _c.OK:
        fail(status, of)


def text(of: Optional[bytes]) -> str:
    return "" if of is None else of.decode("utf-8", "replace")


def argument(name: str, value: bytes) -> bytes:
    """Return a text for C. Raises ValueError if it contains a zero byte, which would end it."""
    if b"\0" in value:
        raise ValueError(f"`{name}` contains a zero byte")
    return value


class Handle:
    """An object of the library, which is destroyed with its handle."""

    __slots__ = ("_as_parameter_", "_kind", "__weakref__")

    def __init__(self, kind: str, address: Optional[int]) -> None:
        self._kind = kind
        self._as_parameter_ = address

    def __del__(self) -> None:
        # An interrupt may come before __init__ is done.
        kind, address = getattr(self, "_kind", None), getattr(self, "_as_parameter_", None)
        destroy: Any = getattr(tikc, f"tikc_{kind}_destroy", None) if tikc is not None and kind is not None else None
        if destroy is not None and address is not None:
            destroy(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {self._kind} cannot be copied or pickled")


def created(kind: str, of: Any) -> Handle:
    out = c_void_p()
    name = f"tikc_{kind}_create"
    must(getattr(tikc, name)(of, byref(out)), name)
    return Handle(kind, out.value)


class Taken:
    """Collects what C passes to a callback. An exception cannot leave a callback, so `all` raises it afterwards."""

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
    """Return the status, and the bytes written to a sink."""
    taken = Taken(_c.SINK, lambda at, size, _: ctypes.string_at(at, size))
    status: int = function(*arguments, taken.callback, None)
    return status, b"".join(taken.all())


def pieces(function: Any, *arguments: Any) -> str:
    """Return the text written to a sink."""
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
    """Read a tally from bytes or a buffer."""
    view = memoryview(data)
    content = data if isinstance(data, bytes) else view.tobytes()
    must(tikc.tikc_tally_parse(into, content, len(content)), "tikc_tally_parse")


def merged(contract: Any, parts: Iterable[Any]) -> Handle:
    """Return one tally of all parts."""
    into, part = created("tally", contract), created("tally", contract)
    for each in parts:
        parse(part, each)
        must(tikc.tikc_tally_merge(into, part), "tikc_tally_merge")
    return into
