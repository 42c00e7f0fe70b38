#!/usr/bin/env python3
"""page.py [write|check]: docs/real-pair.md and its pictures, by what the example and its experiment print. `check` runs the experiment alone, which has the
same digits on every machine; what a training gives depends on the processor."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"
PAGE = DOCS / "real-pair.md"
BLOCK = re.compile(r"(<!-- (\S+) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)


def ran(script, folder):
    subprocess.run([sys.executable, str(script), "--out", folder], check=True, stdout=subprocess.DEVNULL)


def blocks(folder):
    """What each block of the page is to have, as far as it was run."""
    out = {}
    for path in Path(folder).iterdir():
        if path.suffix in (".txt", ".md"):
            content = path.read_text("utf-8").rstrip("\n")
            out[path.stem] = f"\n{content}\n\n" if path.stem != "measure" else f"\n```text\n{content}\n```\n\n"
    contract = (HERE / "real-pair.tikc.yaml").read_text("utf-8")
    out["contract"] = f"\n```yaml\n{contract[contract.index('assumptions:'):].rstrip()}\n```\n\n"
    return out


def main(mode):
    with tempfile.TemporaryDirectory() as folder:
        if mode == "write":
            ran(HERE / "run.py", folder)
        ran(HERE / "bias/run.py", folder)
        found = blocks(folder)
        pictures = {DOCS / "pictures" / f"real-pair-{path.stem}.svg": path.read_text("utf-8") for path in Path(folder).glob("*.svg")}
    old = PAGE.read_text("utf-8")
    new = BLOCK.sub(lambda block: block[1] + found.get(block[2], block[3]) + block[4], old)
    files = {PAGE: new, **pictures}
    stale = [path for path, content in files.items() if not path.exists() or path.read_text("utf-8") != content]
    for path in stale:
        if mode == "write":
            path.write_text(files[path], "utf-8")
        else:
            print(f"{path.relative_to(DOCS.parent)} is not what is printed: examples/real-pair/page.py write", file=sys.stderr)
    return int(bool(stale) and mode != "write")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "check"))
