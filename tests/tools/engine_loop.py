"""Builds the loop of EngineLoop.h around a contract's checker."""

import subprocess

from compilers import GCC, RUNTIME, STRICT, namespaces
from harness import PATIENCE, ROOT, must

TOOLS = ROOT / "tests/tools"
UNIT = '#include "{header}"\n#include "EngineLoop.h"\nTIKC_ENGINE_LOOP({space})\n'


def built(*command):
    done = ran(*command)
    if done.returncode or done.stderr:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stderr[:4000]}")


def ran(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", timeout=PATIENCE)


def loop_object(contract, folder, compiler=GCC, alone=False, flags=("-O1",)):
    """The object of the loop alone, of the last contract in a file."""
    must("emit", "cpp", contract, "-o", folder, *(["--standalone"] if alone else []))
    header = next(folder.glob("*.tikc.h"))
    (folder / "loop.cpp").write_text(UNIT.format(header=header.name, space=namespaces(header)[-1]))
    runtime = [] if alone else [f"-I{RUNTIME}"]
    built(compiler, *STRICT, *flags, "-c", folder / "loop.cpp", f"-I{folder}", f"-I{TOOLS}", *runtime, "-o", folder / "loop.o")
    return folder / "loop.o"


def lender_object(folder, compiler=GCC, flags=("-O1",)):
    """The program that lends memory to a loop, but for the loop."""
    built(compiler, "-std=c++17", *flags, "-c", TOOLS / "EngineLender.cpp", f"-I{RUNTIME}", "-o", folder / "lender.o")
    return folder / "lender.o"
