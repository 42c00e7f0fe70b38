#!/usr/bin/python3
"""What the runtime's two hot paths cost, beside NumPy, PyTorch, a loop written by hand and what the machine can read, one after another in one run;
prints tables in Markdown.

  benchmarks/runtime.py [--millions 16.8] [--seconds 5]
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def built(name, folder):
    program = Path(folder) / name
    subprocess.run(["g++", "-std=c++17", "-O2", "-pthread", "-I", HERE.parent / "runtime/include", HERE / f"{name}.cpp", "-o", program], check=True)
    return program


def show(*command):
    print(flush=True)
    subprocess.run([str(word) for word in command], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--millions", type=float, default=16.8, help="sampled tokens")
    parser.add_argument("--seconds", type=float, default=5, help="for each of the rows' peers")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tikc-bench-") as folder:
        print("\n### Rows of a whole vocabulary")
        show(built("rows", folder))
        for threads in (1, 2):
            show(sys.executable, HERE / "rows.py", f"--threads={threads}", f"--seconds={options.seconds}")
        print("\n### Sampled tokens")
        show(built("tokens", folder), options.millions)
        show(sys.executable, HERE / "tokens.py", options.millions)
        print("\n### Intervals of a mean")
        show(built("intervals", folder))
        print("\n### Off the fast paths (the goal: at most 8 times as long)")
        show(built("offpath", folder))


if __name__ == "__main__":
    main()
