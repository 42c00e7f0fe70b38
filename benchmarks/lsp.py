#!/usr/bin/python3
"""Times what an editor waits for: from a keystroke to the findings of the new text, in a contract of 1,000 lines with 50 claims, of `tikc lsp`
beside yaml-language-server with our JSON Schema on the same text; then each answer that tikc gives on it. Prints tables in Markdown.

A keystroke is one of random edits: a digit becomes another, a character is typed into a line or deleted, and taken back. Each waits for the
findings of the one before, as it is typing that is measured, not a queue. The peer waits 200 ms after each keystroke by design. Nothing here
passes or fails: it measures.

  benchmarks/lsp.py [--tikc build/release/bin/tikc] [--peers build/peers] [--edits 1000] [--peer-edits 200] [--quick]
"""

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/tools"))
from lsp_client import Client  # noqa: E402

LINES, SLICES = 1000, 25
ASKED_A_METHOD = 100


def contract():
    """1,000 lines: 25 slices, 177 clauses, 50 claims that hold, and comments to the end."""
    each = lambda *lines: [line.format(i=i, t=10 + i, u=20 + i) for i in range(SLICES) for line in lines]  # noqa: E731
    out = ["tikc: v1", "contract: large.fleet", "version: 1.0.0", "kernels:",
           "  trainer: { engine: fsdp2, weights: bf16, compute: bf16, accumulate: fp32, logits: fp32 }",
           "  rollout: { engine: vllm, weights: fp8_e4m3, compute: fp8_e4m3, accumulate: fp32, logits: fp32 }",
           "pair: { train: trainer, infer: rollout }",
           "model: { name: q, vocabulary: 152064, horizon: 512 tokens, temperature: 1.0 }",
           "labels: { domain: [" + ", ".join(f'"d{i}"' for i in range(SLICES)) + "] }",
           "assumptions: { support: full, reward: [0, 1], discount: 1 }", "slices:"]
    out += each('  s{i}:', '    when: domain == "d{i}"', "    weight: 2%", "    summary: Requests of domain number {i}.")
    out += ["numerical:"] + each("  osc{i}:", "    require: max(logit_osc) <= 0.{t} on s{i}", "    because: The worst row of domain {i}.",
                                 "  tv{i}: p99(tv) <= 0.0{t} on s{i}")
    out += ["statistical:"] + each("  kl{i}:", "    require: mean(k3) <= 0.00{t} nat on s{i} over 1_000_000 tokens", "    severity: warning",
                                   "    because: Drift of domain {i}.", "  gap{i}: mean(abs(logprob_gap)) <= 0.0{t} nat on s{i}",
                                   "  ess{i}: ess_sample >= 60% on s{i} over 100_000 tokens")
    out += ["runtime:", "  speed: p50(throughput) >= 60 tokens per s"] + each("  fail{i}: rate(errors > 0) <= 0.{t}% on s{i}")
    out += ["observability:", "  rows: sample(logits, 2%)", "  tokens: sample(logprobs, 100%)", "  requests: sample(requests, 100%)"]
    out += ["claims:"] + each("  claim_tv{i}:", "    require: tv <= 0.{u} on s{i}", "    because: Half of the oscillation bounds it.",
                              "  claim_kl{i}:", "    require: kl_infer_train <= 0.{u} nat on s{i}", "    because: As the clause says.")
    out += ["escalation:"] + each("  r{i}:", "    when: violated(kl{i}) for 2 windows or violated(gap{i}) for 3 windows",
                                  "    until: satisfied(kl{i}) for 12 windows", '    do: [alert("oncall-{i}")]', "    because: Somebody has to look.")
    out += [f"# line {number}: what a file of this size has of comments" for number in range(len(out) + 1, LINES + 1)]
    return out


def keystrokes(lines, rng):
    """Without end: the change of one line as the protocol has it, and the lines after it. The text is ASCII, so that all encodings agree."""
    def change(line, at, length, new):
        lines[line] = lines[line][:at] + new + lines[line][at + length:]
        return {"range": {"start": {"line": line, "character": at}, "end": {"line": line, "character": at + length}}, "text": new}

    while True:
        line = rng.randrange(10, len(lines))
        if not lines[line].strip() or lines[line].startswith("#"):
            continue
        before, roll = lines[line], rng.random()
        digits = [i for i, character in enumerate(before) if character.isdigit()]
        if roll < 0.5 and digits:
            yield change(line, rng.choice(digits), 1, rng.choice("123456789"))
        elif roll < 0.8:
            yield change(line, rng.randrange(2, len(before) + 1), 0, rng.choice("abs ():<=%."))
        else:
            yield change(line, rng.randrange(2, len(before)), 1, "")
        # A slip is seen and taken back.
        yield change(line, 0, len(lines[line]), before)


class Listener(Client):
    """Keeps no copies of what it receives: of a long answer they take longer than the answer."""

    def _read(self):
        while (message := self._next()) is not None:
            self.arrived.put(message)
        self.arrived.put(None)


class Server:
    def __init__(self, command, folder, settings=None):
        self.client = Listener(command, cwd=folder)
        self.settings = settings
        self.uri = (Path(folder) / "large.tikc.yaml").as_uri()
        self.version = 1

    def hear(self, message):
        """Requests of the server are answered, else it may wait for ever."""
        if "id" in message and "method" in message:
            items = message.get("params", {}).get("items", []) if message["method"] == "workspace/configuration" else None
            self.client.send({"id": message["id"], "result": None if items is None else [self.settings] * len(items)})

    def published(self):
        while (message := self.client.receive(120)) is not None:
            self.hear(message)
            params = message.get("params") or {}
            if message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == self.uri and params.get("version", self.version) == self.version:
                return params["diagnostics"]
        sys.exit("the server went away")

    def ask(self, method, params):
        self.client.last_id += 1
        number = self.client.last_id
        self.client.send({"id": number, "method": method, "params": params})
        while (message := self.client.receive(120)) is not None:
            if "method" not in message and message.get("id") == number:
                return message.get("result")
            self.hear(message)
        sys.exit("the server went away")

    def start(self, text):
        capabilities = {"textDocument": {"publishDiagnostics": {"versionSupport": True}, "hover": {"contentFormat": ["markdown"]},
                                         "completion": {"completionItem": {"snippetSupport": True}}},
                        "workspace": {"configuration": self.settings is not None}}
        result = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self.client.notify("initialized", {})
        if self.settings is not None:
            self.client.notify("workspace/didChangeConfiguration", {"settings": {"yaml": self.settings}})
        began = time.perf_counter()
        item = {"uri": self.uri, "languageId": "tikc" if self.settings is None else "yaml", "version": 1, "text": text}
        self.client.notify("textDocument/didOpen", {"textDocument": item})
        self.published()
        return result["capabilities"], time.perf_counter() - began

    def type(self, change):
        """Seconds from the keystroke to the findings."""
        self.version += 1
        self.client.messages.clear()
        began = time.perf_counter()
        document = {"uri": self.uri, "version": self.version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        self.published()
        return time.perf_counter() - began

    def memory_mib(self):
        status = Path(f"/proc/{self.client.process.pid}/status").read_text()
        return {key: int(status.split(key + ":")[1].split()[0]) / 1024 for key in ("VmRSS", "VmHWM")}

    def kill(self):
        self.client.process.kill()
        self.client.process.wait()


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def row(name, first, seconds, memory):
    figures = (first, statistics.median(seconds), percentile(seconds, 0.99), max(seconds))
    return f"| {name} | {len(seconds):,} | " + " | ".join(f"{each * 1e3:,.1f} ms" for each in figures) + \
        f" | {memory['VmRSS']:.1f} MiB | {memory['VmHWM']:.1f} MiB |"


def typing(command, folder, edits, settings=None):
    server = Server(command, folder, settings)
    lines = contract()
    _, first = server.start("\n".join(lines) + "\n")
    strokes = keystrokes(lines, random.Random(1))
    seconds = [server.type(next(strokes)) for _ in range(edits)]
    memory = server.memory_mib()
    server.kill()
    return first, seconds, memory


def answers(command, folder, count):
    """What each answer costs after an edit, so that nothing of the text is known: the first of its kind, and one more."""
    server = Server(command, folder)
    lines = contract()
    offered, _ = server.start("\n".join(lines) + "\n")
    rng = random.Random(2)
    document = {"textDocument": {"uri": server.uri}}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
    methods = {"hover": {}, "completion": {}, "definition": {}, "references": {"context": {"includeDeclaration": True}}, "documentHighlight": {},
               "documentSymbol": None, "foldingRange": None, "semanticTokens/full": None, "documentLink": None, "codeLens": None,
               "inlayHint": {"range": whole}, "codeAction": {"range": whole, "context": {"diagnostics": []}},
               "formatting": {"options": {"tabSize": 2, "insertSpaces": True}}}
    strokes = keystrokes(lines, rng)
    for method, more in methods.items():
        key = {"formatting": "documentFormatting", "semanticTokens/full": "semanticTokens"}.get(method, method) + "Provider"
        if not offered.get(key):
            continue
        seconds = []
        for _ in range(count):
            server.type(next(strokes))
            line = rng.randrange(10, len(lines))
            position = {"line": line, "character": rng.randint(0, len(lines[line]))}
            at_place = more is not None and "range" not in more and "options" not in more
            params = {**document, **(more or {}), **({"position": position} if at_place else {})}
            began = time.perf_counter()
            server.ask("textDocument/" + method, params)
            seconds.append(time.perf_counter() - began)
        yield method, seconds
    server.kill()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tikc", default=str(ROOT / "build/release/bin/tikc"))
    arguments.add_argument("--peers", default=str(ROOT / "build/peers"))
    arguments.add_argument("--edits", type=int, default=1000)
    arguments.add_argument("--peer-edits", type=int, default=200)
    arguments.add_argument("--quick", action="store_true", help="a few edits: to see that it works")
    options = arguments.parse_args()
    edits, peer_edits, asked = (20, 4, 4) if options.quick else (options.edits, options.peer_edits, ASKED_A_METHOD)
    command = [str(Path(options.tikc).resolve()), "lsp"]
    node = shutil.which("node")
    peer = Path(options.peers, "node_modules/yaml-language-server/bin/yaml-language-server").resolve()
    with tempfile.TemporaryDirectory() as folder:
        print(f"\n### From a keystroke to the findings: {LINES:,} lines, 50 claims\n\n| | edits | opened | median | p99 | worst | memory | peak |")
        print("|---|---|---|---|---|---|---|---|")
        print(row("tikc lsp", *typing(command, folder, edits)), flush=True)
        if node and peer.exists():
            schema = (ROOT / "schemas/kernel-contract.v1.schema.json").as_uri()
            settings = {"validate": True, "yamlVersion": "1.2", "schemaStore": {"enable": False}, "schemas": {schema: "*.tikc.yaml"}}
            print(row("yaml-language-server", *typing([node, str(peer), "--stdio"], folder, peer_edits, settings)))
        else:
            print("yaml-language-server is not installed and left out", file=sys.stderr)
        print(f"\n### Answers after a keystroke, medians of {asked}\n\n| request | median | p99 |\n|---|---|---|")
        for method, seconds in answers(command, folder, asked):
            print(f"| {method} | {statistics.median(seconds) * 1e3:,.2f} ms | {percentile(seconds, 0.99) * 1e3:,.2f} ms |", flush=True)


if __name__ == "__main__":
    main()
