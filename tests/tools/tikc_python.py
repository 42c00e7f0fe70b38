"""The Python package of this tree over the library of this build."""

import logging
import os
import sys
from pathlib import Path

from harness import LIBRARY, ROOT, skip, skip_unless

skip_unless(Path(LIBRARY).exists(), f"there is no {LIBRARY}: a sanitizer's runtime has to be the first that a process loads")
PACKAGE = ROOT / "python"
os.environ["TIKC_LIBRARY"] = str(LIBRARY)
sys.dont_write_bytecode = True
sys.path.insert(0, str(PACKAGE))
import tikc  # noqa: E402, F401

try:
    import numpy  # noqa: F401
except ModuleNotFoundError as missing:
    skip(f"{missing}; arrays need python3-numpy")
logging.getLogger("tikc").addHandler(logging.NullHandler())
logging.getLogger("tikc").propagate = False
