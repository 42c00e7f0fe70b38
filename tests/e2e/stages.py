"""The stages between a contract and its checker, as goldens: what changes there is seen in a review."""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main, run  # noqa: E402

CONTRACT = ROOT / "examples/qwen3-8b-rl.tikc.yaml"


class Stages(Case):
    def is_golden(self, name, text):
        golden = ROOT / "tests/e2e" / name
        if os.environ.get("TIKC_UPDATE"):
            golden.write_text(text)
        self.assertEqual(golden.read_text(), text, f"TIKC_UPDATE=1 writes {golden} anew")

    def test_the_plan(self):
        dumped = run("dump", "--stage=plan", CONTRACT)
        self.assertEqual(dumped.returncode, 0, dumped.err)
        self.is_golden("plan.golden", dumped.out)

    def test_the_header(self):
        with tempfile.TemporaryDirectory(prefix="tikc-stages-") as folder:
            emitted = run("emit", "cpp", CONTRACT, "-o", folder, "--stats")
            self.assertEqual(emitted.returncode, 0, emitted.err)
            header = next(Path(folder).iterdir()).read_text()
        self.is_golden("header.golden", header)
        self.is_golden("stats.golden", emitted.out)


if __name__ == "__main__":
    main()
