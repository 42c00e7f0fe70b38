#!/usr/bin/python3
"""Times a family: one base and 10,000 contracts that extend it, in four shapes. `tikc check` of all, with its peak memory; then what an editor
waits for while `tikc lsp` checks them: a hover, a cancelled workspace/diagnostic, the diagnostics of the workspace, a rename in the base.
Prints tables in Markdown. Nothing here passes or fails: it measures.

  benchmarks/family.py [--tikc build/release/bin/tikc] [--children 10000] [--jobs 1,2] [--shapes star,mix,same,large] [--only check|lsp]
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/tools"))
sys.path.insert(0, str(ROOT / "benchmarks"))
from lsp_client import Client  # noqa: E402
from run import proved_contract  # noqa: E402

BASE = (ROOT / "examples/fleet/base.tikc.yaml").read_text()
CHILD = (ROOT / "examples/fleet/h100-bf16.tikc.yaml").read_text()
SHAPES = {
    "star": "a base and its children, each with tolerances of its own",
    "mix": "the same, a hundred children below each of a hundred bases of their own",
    "same": "the children differ in their names alone",
    "large": "a base of 50 clauses and 20 claims on ten slices; each child adds a clause",
}


def child(n, parent, rng, differs=True):
    text = CHILD.replace("fleet.h100-bf16", f"fleet.c{n}").replace("extends: base.tikc.yaml", f"extends: {parent}")
    if differs:
        text = text.replace("<= 0.6", f"<= 0.{rng.randint(40000, 59999)}").replace("<= 0.15", f"<= 0.{rng.randint(10000, 14999)}")
        text = text.replace("<= 0.015 nat", f"<= 0.0{rng.randint(10000, 14999)} nat")
    return text


def write_family(folder, shape, children):
    rng = random.Random(1)
    (folder / "tikc.yaml").write_text("")
    base = BASE if shape != "large" else proved_contract(10).replace("contract: bench.prover", "contract: fleet.base\nabstract: true")
    (folder / "base.tikc.yaml").write_text(base)
    for n in range(children):
        path, text = folder / f"c{n:05}.tikc.yaml", ""
        if shape == "large":
            text = (f"tikc: v1\ncontract: fleet.c{n}\nversion: 1.0.0\nextends: base.tikc.yaml\nkernels:\n  rollout: {{ hardware: h{n} }}\n"
                    f"numerical:\n  mine: max(logit_osc) <= 0.{50000 + n}\n")
        elif shape == "mix" and n % 100 == 0:
            text = f"tikc: v1\ncontract: fleet.c{n}\nversion: 1.0.0\nabstract: true\nextends: base.tikc.yaml\nload: {{ tokens: {100_000 + n} per s }}\n"
        else:
            parent = f"c{n // 100 * 100:05}.tikc.yaml" if shape == "mix" else "base.tikc.yaml"
            text = child(n, parent, rng, shape != "same")
        path.write_text(text)


def measured(command):
    """Wall seconds, seconds of processors, peak MiB."""
    with tempfile.NamedTemporaryFile("r") as report:
        subprocess.run(["/usr/bin/time", "-f", "%e %U %S %M", "-o", report.name, *command], stdout=subprocess.DEVNULL, check=False)
        wall, user, system, memory = map(float, report.read().split()[-4:])
        return wall, user + system, memory / 1024


class Editor(Client):
    """Notes when each answer came; keeps no copies."""

    def __init__(self, tikc, folder):
        self.answers, self.news = {}, threading.Condition()
        super().__init__([tikc, "lsp"], cwd=folder)

    def _read(self):
        while (message := self._next()) is not None:
            with self.news:
                if "method" not in message:
                    self.answers[message["id"]] = (time.perf_counter(), message)
                self.news.notify_all()
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})

    def ask(self, method, params):
        self.messages.clear()
        self.last_id += 1
        began = time.perf_counter()
        self.send({"id": self.last_id, "method": method, "params": params})
        return self.last_id, began

    def wait(self, asked, most=900):
        """Seconds until the answer, and the answer."""
        number, began = asked
        with self.news:
            if not self.news.wait_for(lambda: number in self.answers, most):
                return float("inf"), {}
            at, message = self.answers.pop(number)
        return at - began, message

    def memory_mib(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024


def serve(tikc, folder):
    editor = Editor(tikc, folder)
    capabilities = {"textDocument": {"diagnostic": {}}, "workspace": {"workspaceEdit": {"documentChanges": True}}}
    editor.wait(editor.ask("initialize", {"processId": os.getpid(), "rootUri": folder.as_uri(), "capabilities": capabilities}))
    editor.notify("initialized", {})
    uri = (folder / "base.tikc.yaml").as_uri()
    text = (folder / "base.tikc.yaml").read_text()
    editor.open(uri, text)
    line = next(i for i, each in enumerate(text.splitlines()) if each.startswith("  finite:") or each.startswith("  numerical_0:"))
    at = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 4}}
    rows = []

    began = time.perf_counter()
    taken_back = editor.ask("workspace/diagnostic", {"previousResultIds": []})
    all_of_it = editor.ask("workspace/diagnostic", {"previousResultIds": []})
    time.sleep(0.5)
    cancelled = time.perf_counter()
    editor.notify("$/cancelRequest", {"id": taken_back[0]})
    seconds, message = editor.wait(taken_back)
    rows.append(("cancel of workspace/diagnostic", seconds - (cancelled - began), str(message.get("error", {}).get("code"))))
    hovers = []
    while all_of_it[0] not in editor.answers and len(hovers) < 2000:
        hovers.append(editor.wait(editor.ask("textDocument/hover", at))[0])
        time.sleep(0.02)
    if hovers:  # a small family is checked at once
        rows.append((f"hover meanwhile, median of {len(hovers):,}", statistics.median(hovers), ""))
        rows.append(("hover meanwhile, worst", max(hovers), ""))
    seconds, message = editor.wait(all_of_it)
    rows.append(("workspace/diagnostic", seconds, f"{len(message['result']['items']):,} files"))

    renamed = editor.ask("textDocument/rename", {**at, "newName": "renamed_clause"})
    hovers = []
    while renamed[0] not in editor.answers:
        hovers.append(editor.wait(editor.ask("textDocument/hover", at))[0])
        time.sleep(0.02)
    seconds, message = editor.wait(renamed)
    result = message.get("result") or {}
    rows.append(("rename in the base", seconds, f"{len(result.get('documentChanges', []))} files" if result else message["error"]["message"]))
    rows.append(("hover meanwhile, worst", max(hovers or [0]), ""))
    rows.append(("references", editor.wait(editor.ask("textDocument/references", {**at, "context": {"includeDeclaration": True}}))[0], ""))
    memory = editor.memory_mib()
    editor.process.kill()
    editor.process.wait()
    return rows, memory


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tikc", default=str(ROOT / "build/release/bin/tikc"))
    arguments.add_argument("--children", type=int, default=10_000)
    arguments.add_argument("--jobs", default="1,2")
    arguments.add_argument("--shapes", default=",".join(SHAPES))
    arguments.add_argument("--only", choices=["check", "lsp"])
    options = arguments.parse_args()
    tikc = str(Path(options.tikc).resolve())
    for shape in options.shapes.split(","):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_family(folder, shape, options.children)
            print(f"\n### {options.children + 1:,} contracts: {SHAPES[shape]}\n")
            if options.only != "lsp":
                print("| | wall | processors | peak memory |\n|---|---|---|---|")
                for jobs in options.jobs.split(","):
                    wall, busy, memory = measured([tikc, "check", f"-j{jobs}", "--quiet", name])
                    print(f"| tikc check -j{jobs} | {wall:.1f} s | {busy:.1f} s | {memory:.0f} MiB |", flush=True)
            if options.only != "check":
                rows, memory = serve(tikc, folder)
                print("\n| tikc lsp | answered after | |\n|---|---|---|")
                for row, seconds, remark in rows:
                    print(f"| {row} | {seconds * 1e3:,.1f} ms | {remark} |")
                print(f"\nIts peak memory: {memory:.0f} MiB.", flush=True)


if __name__ == "__main__":
    main()
