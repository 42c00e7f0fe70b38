"""Run the `tikc` program, which is in the wheel next to the library."""

from __future__ import annotations

import os
import sys

from ._errors import TikcError
from ._proofs import program


def main() -> None:
    try:
        os.execv(program(), ["tikc", *sys.argv[1:]])
    except TikcError as why:
        sys.exit(f"tikc: {why}")


if __name__ == "__main__":
    main()
