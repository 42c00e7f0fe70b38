#!/usr/bin/python3
"""Conversations with the language server, one file a method: tests/lsp/*.txt.

A file is blocks, each begun by a line of its own:

  === NAME          a file of the workspace, its text below. `⟦x⟧` in it marks a place, and is not part of the text.
  === NAME (CRLF)   the same with lines that end so.
  --> open NAME     the client opens the file.
  --> change NAME   the client replaces the whole text, by the one below.
  -->               the client sends the JSON message below. `"⟦x⟧"` in it is the place of the mark, `"⟦x⟧..⟦y⟧"` a range.
  --> wrong         the same for a message that is not as the protocol has it; all others are, of both sides, as tests/tools/lsp_metamodel.py sees.
  <--               the server's next message is the JSON below, with places as "line:character" and ranges as two of them.
  # …               a comment.

The workspace is file:///w. Without an `initialize` of its own, a conversation starts with one of a client that can do what
tests/lsp/capabilities.json says, and asks for diagnostics itself. It ends with shutdown and exit, and nothing may come that is not expected. TIKC_UPDATE=1 writes what the server says.
"""
import difflib
import json
import os
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from harness import ROOT  # noqa: E402
from lsp_client import Client  # noqa: E402

HOME = "file:///w"
CRLF = " (CRLF)"
MARK = re.compile("⟦([^⟧]*)⟧")
CAPABILITIES = json.loads((ROOT / "tests/lsp/capabilities.json").read_text())


def blocks_of(text):
    """(head, body) pairs; what comes before the first head has none."""
    head, body = "", []
    for line in text.splitlines(keepends=True):
        if re.match(r"(===|-->|<--)( |$)|# ", line):
            yield head, "".join(body)
            head, body = line.rstrip("\n"), []
        else:
            body.append(line)
    yield head, "".join(body)


def place(text, offset):
    before = text[:offset]
    line = before.rsplit("\n", 1)[-1]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def short(value):
    """Places as line:character, and ranges as two of them, both as the protocol counts."""
    if isinstance(value, list):
        return [short(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"line", "character"}:
        return f"{value['line']}:{value['character']}"
    if value.keys() == {"start", "end"}:
        return f"{short(value['start'])}-{short(value['end'])}"
    return {key: short(each) for key, each in value.items()}


def written(value, indent=""):
    """JSON, on one line where that is not too long."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= 140 or not isinstance(value, (list, dict)) or not value:
        return line
    inner = indent + "  "
    if isinstance(value, list):
        parts, ends = [written(each, inner) for each in value], "[]"
    else:
        parts, ends = [f"{json.dumps(key)}: {written(each, inner)}" for key, each in value.items()], "{}"
    return ends[0] + "\n" + ",\n".join(inner + part for part in parts) + "\n" + indent + ends[1]


class Conversation:
    def __init__(self, folder, tells_abilities):
        self.tells_abilities = tells_abilities
        self.folder = folder
        self.marks = {}
        self.client = Client(cwd=folder)
        self.versions = {}
        self.said = []

    def local(self, value):
        """With the marks' places, and the temporary folder as the workspace."""
        if isinstance(value, str):
            marks = MARK.findall(value)
            if marks and MARK.sub("", value) == "":
                return self.marks[marks[0]]
            if marks and MARK.sub("", value) == "..":
                return {"start": self.marks[marks[0]], "end": self.marks[marks[1]]}
            return value.replace(HOME, "file://" + self.folder)
        if isinstance(value, list):
            return [self.local(each) for each in value]
        if isinstance(value, dict):
            return {self.local(key): self.local(each) for key, each in value.items()}
        return value

    def without_marks(self, text):
        plain = MARK.sub("", text)
        grown = 0
        for found in MARK.finditer(text):
            self.marks[found[1]] = place(plain, found.start() - grown)
            grown += len(found[0])
        return plain

    def act(self, head, body):
        kind, _, rest = head.partition(" ")
        if kind == "===":
            path = Path(self.folder, rest.removesuffix(CRLF))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.without_marks(body), newline="\r\n" if rest.endswith(CRLF) else "\n")
        elif rest.startswith("open "):
            name = rest[5:]
            self.versions[name] = 1
            self.client.open(f"file://{self.folder}/{name}", Path(self.folder, name).read_bytes().decode())
        elif rest.startswith("change "):
            name = rest[7:]
            self.versions[name] += 1
            document = {"uri": f"file://{self.folder}/{name}", "version": self.versions[name]}
            changes = [{"text": self.without_marks(body)}]
            self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        else:
            message = self.local(json.loads(body))
            self.client.send(message, wrong=rest == "wrong")
            if rest != "wrong" and "method" in message:
                return message.get("id")
        return None

    def hear(self):
        message = self.client.receive()
        if message is None:
            return None
        message = {key: value for key, value in message.items() if key != "jsonrpc"}
        result = message.get("result")
        if not self.tells_abilities and isinstance(result, dict) and "capabilities" in result:
            message["result"] = {**result, "capabilities": "as in Initialize.txt"}
        return json.loads(json.dumps(message).replace("file://" + self.folder, HOME).replace(self.folder, "/w"))

    def settle(self, asked=None):
        """All that the server says until nothing waits any more, and what was asked is answered."""
        self.client.send({"id": "settled", "method": "workspace/diagnostic", "params": {"previousResultIds": []}})
        awaited = {"settled", asked} - {None}
        heard = []
        while awaited and (message := self.hear()) is not None:
            if "method" not in message:
                awaited.discard(message.get("id"))
            if message.get("id") != "settled":
                heard.append(message)
        return heard

    def begin(self):
        parameters = {"processId": None, "rootUri": None, "capabilities": CAPABILITIES}
        self.client.send({"id": "initialize", "method": "initialize", "params": parameters})
        self.client.notify("initialized", {})
        for message in self.settle():
            if "method" in message and "id" in message:
                self.client.answer(message)


def run(path):
    """The text of the conversation with what the server says now."""
    blocks = [block for block in blocks_of(path.read_text()) if block[0] != "<--"]
    first = next((i for i, (head, body) in enumerate(blocks) if head.startswith("-->")), len(blocks))
    has_own = any('"initialize"' in body for head, body in blocks if head == "-->")
    out = []
    with tempfile.TemporaryDirectory() as temporary:
        conversation = Conversation(os.path.realpath(temporary), path.stem == "Initialize")
        for head, body in blocks[:first]:
            if head.startswith("==="):
                conversation.act(head, body)
        if not has_own:
            conversation.begin()
        for i, (head, body) in enumerate(blocks):
            out.append((head + "\n" if head else "") + body)
            if i < first or head.startswith("#"):
                continue
            asked = conversation.act(head, body)
            if head.startswith("==="):
                continue
            for message in conversation.settle(asked):
                out.append("<--\n" + written(short(message)) + "\n")
        status = conversation.client.stop()
        assert status == 0, f"{path.name}: exit status {status}"
    return "".join(out)


def main():
    update = os.environ.get("TIKC_UPDATE") == "1"
    files = sorted((ROOT / "tests/lsp").glob("*.txt"))
    wanted = sys.argv[1:]
    bad = 0
    for path in files:
        if wanted and path.stem not in wanted:
            continue
        text = run(path)
        if text == path.read_text():
            continue
        bad += 1
        if update:
            path.write_text(text)
            print(f"written: {path.name}")
            continue
        sys.stdout.writelines(
            difflib.unified_diff(path.read_text().splitlines(True), text.splitlines(True), path.name, "the server")
        )
    print(f"{len(files)} conversations, {bad} differ")
    return 1 if (bad and not update) or not files else 0


if __name__ == "__main__":
    sys.exit(main())
