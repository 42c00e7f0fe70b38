"""Every code of the catalogue has an example that fails, with its output held by a golden, and one that is clean.

tests/diag/TKnnnn holds avoid*.tikc.yaml, prefer*.tikc.yaml, or folders avoid/ and prefer/ where it takes several files, or avoid.py
that prints a file too large to keep. `options` holds further words of the command line, and `command` a command other than check.
--update rewrites the goldens. Without codes as arguments, all have their turn.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, run  # noqa: E402

EXAMPLES = ROOT / "tests/diag"


def stage(code, scratch):
    """Copies a code's examples to where no tikc.yaml and no repository is above them."""
    folder = Path(scratch) / code
    shutil.copytree(EXAMPLES / code, folder, symlinks=True)
    for script in folder.glob("*.py"):
        text = subprocess.run([sys.executable, script.name], cwd=folder, check=True, capture_output=True).stdout
        (folder / f"{script.stem}.tikc.yaml").write_bytes(text)
    return folder


def check(folder, kind, *options):
    inputs = sorted(p.name for p in folder.glob(f"{kind}*") if p.is_dir() or p.name.endswith(".tikc.yaml"))
    words = [file.read_text().split() if file.exists() else [] for file in (folder / "command", folder / "options")]
    command, extra = words[0] or ["check", *options], words[1]
    return inputs, run(*command, "--color=never", *extra, *inputs, cwd=folder)


def faults_of(code, folder, update):
    inputs, avoid = check(folder, "avoid")
    if not inputs:
        return ["has no example that fails"]
    faults = []
    if f"[{code}]" not in avoid.out:
        faults.append(f"the failing example does not have it:\n{avoid.out}{avoid.err}")
    if avoid.err:
        faults.append(f"the failing example writes to standard error: {avoid.err}")
    golden = EXAMPLES / code / "avoid.golden"
    if update:
        golden.write_text(avoid.out, encoding="utf-8")
    elif not golden.exists():
        faults.append("has no golden; --update makes it")
    elif golden.read_text(encoding="utf-8") != avoid.out:
        faults.append(f"the output is not the golden's; --update accepts it:\n{avoid.out}")
    inputs, prefer = check(folder, "prefer", "--fail-on=note")
    if not inputs:
        faults.append("has no example that passes")
    elif prefer.returncode != 0:
        faults.append(f"the passing example fails:\n{prefer.out}{prefer.err}")
    return faults


def main():
    update, asked = "--update" in sys.argv[1:], {word for word in sys.argv[1:] if word != "--update"}
    known = [page["code"] for page in json.loads(run("explain", "--format=json").out)]
    codes = [code for code in known if code in asked or not asked]
    if asked - set(known):
        sys.exit(f"not a code: {', '.join(sorted(asked - set(known)))}; `tikc explain` lists the codes")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="tikc-diag-") as scratch:
        for code in codes:
            faults = faults_of(code, stage(code, scratch), update) if (EXAMPLES / code).is_dir() else ["has no examples"]
            for fault in faults:
                print(f"{code} {fault}")
            failed += bool(faults)
    for stranger in sorted({p.name for p in EXAMPLES.iterdir() if p.is_dir()} - set(known)):
        print(f"tests/diag/{stranger} is the example of no code")
        failed += 1
    print(f"{len(codes)} codes, {failed} with faults")
    sys.exit(1 if failed or not codes else 0)


main()
