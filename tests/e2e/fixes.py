"""Every fix that tikc offers does what it says: applied alone, the finding is gone and nothing new has come.

The findings are those of every failing example and of the same faults in other styles of YAML, read as JSON and applied here by byte
offsets, without tikc's help.
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import CLEAN, ROOT, Case, main, run  # noqa: E402

OBSERVED = """observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 100%)
  requests: sample(requests, 100%)
"""

# One fault each, where the fix has to mind the scalar that it lies in.
STYLES = [
    OBSERVED + "escalation: { r: { when: undecided(any), do: alert(oncall) } }\n",
    OBSERVED + "escalation: { r: { when: undecided(any), do: 'alert(oncall)' } }\n",
    OBSERVED + 'escalation: { r: { when: undecided(any), do: "alert(oncall)" } }\n',
    OBSERVED + "escalation:\n  r:\n    when: undecided(any)\n    do: >\n      alert(oncall)\n",
    OBSERVED + "labels: { task: [math, code] }\nslices: { m: { when: task == math } }\n",
    OBSERVED + "labels: { task: [math, code] }\nslices: { m: { when: 'task == math' } }\n",
    OBSERVED + 'labels: { task: [math, code] }\nslices: { m: { when: "task == math" } }\n',
    OBSERVED + "numerical: { a: p98(tv) <= 0.1 }\n",
    OBSERVED + "numerical: { a: 'p98(tv) <= 0.1' }\n",
    OBSERVED + "numerical:\n  a: |-\n    p98(tv)\n    <= 0.1\n",
    OBSERVED + "numerical: { a: tv <= 0.1 }\n",
    "model: { name: 8 }\n",
]


# Findings that have a fix in some cases, of which their example is none.
SOMETIMES = [
    CLEAN + CLEAN,  # TK1002
    CLEAN + "slices:\n  true: { when: prompt_tokens >= 8192 }\n",  # TK1010
    CLEAN + "numerical:\na: p99(tv) <= 0.1\n",  # TK1017
    CLEAN + "runtime: { a: p99(latency) <= 45 }\n",  # TK4001
    CLEAN + "statistical: { a: 'mean(ratio) in [1.1, 0.9]' }\n",  # TK4014
    CLEAN + "escalation: { r: { when: undecided(any), do: alrt(oncall) } }\n",  # TK5009
]


def findings(text, folder, name="a.tikc.yaml"):
    (folder / name).write_bytes(text)
    done = run("check", "--format=json", name, cwd=folder)
    return json.loads(done.out)["diagnostics"]


def apply(text, edits):
    for edit in sorted(edits, key=lambda e: e["range"]["start"]["offset"], reverse=True):
        start, end = (edit["range"][side]["offset"] for side in ("start", "end"))
        text = text[:start] + edit["text"].encode() + text[end:]
    return text


class Fixes(Case):
    def hold(self, text, what):
        before = findings(text, self.folder)
        count = 0
        for found in before:
            for fix in found["fixes"]:
                count += 1
                after = findings(apply(text, fix["edits"]), self.folder)
                left = [d for d in after if d["code"] == found["code"]]
                same = [d for d in before if d["code"] == found["code"]]
                new = [d["message"] for d in after if d["code"] not in {b["code"] for b in before}]
                context = f"{what}: {found['code']} {found['message']}: {fix['title']}\n{apply(text, fix['edits']).decode(errors='replace')}"
                self.assertLess(len(left), len(same), context)
                if fix["safe"]:
                    self.assertEqual(new, [], context)
                self.assertFalse([d for d in after if d["code"] < "TK4000" and d["message"] in new], context)
        return count

    def test_examples(self):
        fixes = 0
        for path in sorted((ROOT / "tests/diag").glob("TK*/avoid.tikc.yaml")):
            if path.parent.joinpath("options").exists():
                continue
            fixes += self.hold(path.read_bytes(), path.parent.name)
        self.assertGreater(fixes, 40)

    def test_styles(self):
        for tail in STYLES:
            with self.subTest(tail):
                self.assertGreater(self.hold((CLEAN + tail).encode(), "style"), 0)

    def test_the_table_of_what_has_fixes(self):
        """`tikc rules` says which codes have fixes: those that some example is offered one for, and no other."""
        offered = set()
        for golden in (ROOT / "tests/diag").glob("TK*/avoid.golden"):
            for block in re.split(r"(?m)^(?=\w+\[TK\d{4}\])", golden.read_text()):
                if " = help: " in block:
                    offered.add(re.match(r"\w+\[(TK\d{4})\]", block)[1])
        for tail in SOMETIMES:
            with self.subTest(tail):
                fresh = {found["code"] for found in findings(tail.encode(), self.folder) if found["fixes"]}
                self.assertTrue(fresh - offered)
                offered |= fresh
        rules = json.loads(self.expect(0, "rules", "--format=json").out)["rules"]
        self.assertEqual([rule["code"] for rule in rules if rule["fixable"]], sorted(offered))

    def test_rdjson_suggestions(self):
        """As reviewdog applies them: lines, and columns in bytes."""
        tail = OBSERVED + (
            "owners: [\"名前 é\", réseau]\nmodle: { horizon: 4096 }\nlabels: { task: [math, code] }\n"
            "slices: { m: { when: task == math } }\nnumerical:\n  a: 'p99(logit_ocs) <= 1' # é\n"
            "escalation:\n  r: { when: violated(any), do: route(safe, probe=1%) }\n")
        text = (CLEAN + tail).replace("pair:", "  safe: { engine: vllm }\npair:").replace("\n", "\r\n").encode()
        (self.folder / "a.tikc.yaml").write_bytes(text)
        for _ in range(3):  # a fix can bring to light what the fault hid
            report = json.loads(self.tikc("check", "--format=rdjson", "a.tikc.yaml").out)
            starts = [0]
            for line in text.split(b"\n"):
                starts.append(starts[-1] + len(line) + 1)
            place = lambda at: starts[at["line"] - 1] + at["column"] - 1  # noqa: E731
            edits = [(place(s["range"]["start"]), place(s["range"]["end"]), s["text"].encode())
                     for d in report["diagnostics"] for s in d["suggestions"][:1]]
            for start, end, new in sorted(edits, reverse=True):
                text = text[:start] + new + text[end:]
            (self.folder / "a.tikc.yaml").write_bytes(text)
        self.expect(0, "check", "--fail-on=warning", "a.tikc.yaml")


main()
