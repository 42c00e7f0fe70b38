"""The compilers that generated code is held against, a few runs at a time."""

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import PATIENCE, ROOT

RUNTIME = os.environ.get("TIKC_RUNTIME") or str(Path(os.environ.get("TIKC_SOURCE_DIR") or ROOT) / "runtime/include")
GCC = shutil.which("g++")
CLANG = shutil.which("clang++-14") or shutil.which("clang++")
STRICT = ["-std=c++17", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wsign-conversion", "-Werror", "-fno-exceptions", "-fno-rtti"]
# Without what is compiled for some machines more: less than half of the time, where a test is not about what those compute.
PORTABLE = "-DTIKC_PORTABLE_ONLY"
SANITIZED = ["-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def compiled(compiler, source, *flags, include=(), runtime=True):
    """What the compiler says of a source; nothing if it is content."""
    command = [compiler, *STRICT, *flags, str(source), *(f"-I{folder}" for folder in (*include, *([RUNTIME] if runtime else [])))]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=PATIENCE)
    return done.stderr[:4000] if done.returncode or done.stderr else ""


def in_parallel(work, cases):
    """[work(*case)], in order, on as many cores as this process may use."""
    cores = max(1, len(os.sched_getaffinity(0)))
    with ThreadPoolExecutor(cores) as pool:
        return list(pool.map(lambda case: work(*case), cases))


def namespaces(header):
    """The contracts' namespaces in a generated header, in order."""
    return re.findall(r"^namespace (\w+) \{\n\nenum class slice ", header.read_text(), re.M)
