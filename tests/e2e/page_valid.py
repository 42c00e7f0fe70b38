"""The page of `tikc measure --report` in the eyes of html-validate."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, ROOT, Case, contract, main, skip, skip_unless  # noqa: E402

PEERS = Path(os.environ.get("TIKC_PEERS") or ROOT / "build/peers")
VALIDATOR = PEERS / "node_modules/html-validate/bin/html-validate.js"
skip_unless(shutil.which("node"), "no Node.js")
skip_unless(VALIDATOR.is_file(), f"no html-validate in {PEERS}; .ci/setup installs it")
try:
    from page_data import CONTRACT, responses
except ModuleNotFoundError as missing:
    skip(f"{missing}; the data need python3-numpy")

# Its recommendations, but for matters of style and what a page that needs no other file cannot do; and what is scrolled by itself is no section.
RULES = {"extends": ["html-validate:recommended", "html-validate:document"], "root": True,
         "rules": {"prefer-native-element": ["error", {"exclude": ["region"]}], "no-inline-style": "off", "long-title": "off", "no-trailing-whitespace": "off", "void-style": "off"}}


class Valid(Case):
    def test_pages_have_no_fault(self):
        (self.folder / ".htmlvalidate.json").write_text(json.dumps(RULES))
        (self.folder / "run.tikc.yaml").write_text(CONTRACT)
        (self.folder / "data.jsonl").write_text("".join(json.dumps(each) + "\n" for each in responses(steps=8)))
        (self.folder / "none.tikc.yaml").write_text(contract("none", "numerical:\n  far: max(logit_osc) <= 1\n", "observability:\n  rows: sample(logits, 1%)\n"))
        self.tikc("measure", "run.tikc.yaml", "data.jsonl", "--report=full.html")
        self.tikc("measure", "none.tikc.yaml", "data.jsonl", "--report=empty.html")
        (self.folder / "staged.tikc.yaml").write_text(CONTRACT + "promotion:\n  shadow: { sequences: 10 sequences }\n")
        self.tikc("measure", "staged.tikc.yaml", "data.jsonl", "--stage=shadow", "--evidence=shadow.evidence")
        self.tikc("gate", "staged.tikc.yaml", "shadow.evidence", "--stage=shadow", "--dry-run", "--report=gate.html")
        done = subprocess.run(["node", str(VALIDATOR), "full.html", "empty.html", "gate.html"], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    main()
