"""Files that are written whole, or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Union


Named = Union[str, "os.PathLike[str]"]


def write_whole(path: Named, data: bytes) -> None:
    """Whoever reads meanwhile has what was there before; its folder is made where there is none."""
    target = Path(path)
    if "\0" in str(target):
        raise ValueError("`path` has a zero byte")
    target.parent.mkdir(parents=True, exist_ok=True)
    # A link stays one.
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
