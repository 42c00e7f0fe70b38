"""Atomic file writes."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Union


Named = Union[str, "os.PathLike[str]"]


def write_whole(path: Named, data: bytes) -> None:
    """Write a file atomically. Concurrent readers see the old contents. Creates the folder if needed."""
    target = Path(path)
    if "\0" in str(target):
        raise ValueError("`path` contains a zero byte")
    target.parent.mkdir(parents=True, exist_ok=True)
    # Keep a symbolic link, and replace its target.
    target = target.resolve()
    beside = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    try:
        with open(beside, "xb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
