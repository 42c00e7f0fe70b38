"""What `make demo` shows."""

import os
import subprocess

from harness import PATIENCE, ROOT, TIKC


def shown(case, python="/usr/bin/python3"):
    """The demo's output in 80 columns, by an interpreter that may have Torch."""
    environment = {**os.environ, "TIKC": TIKC, "TIKC_PYTHON": python}
    done = subprocess.run([ROOT / ".ci/demo"], env=environment, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE)
    case.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
    case.assertEqual([line for line in done.stdout.splitlines() if len(line) > 80], [])
    return done.stdout


def expect_in_order(case, words, text):
    for word in words:
        case.assertIn(word, text)
        text = text.split(word, 1)[1]
