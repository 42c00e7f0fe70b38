"""Random editing against a model: whatever is typed, the server's text is the client's, and it says of it what tikc says of a file.

Parents and children are open at once and edited by random changes: characters of one to four bytes, all ends of lines, deletes across them,
several changes in a notification, places past the end, whole texts, in each encoding; files are closed, changed on disk and opened again.
After some edits the findings of the server are those of `tikc check --format=json` on the same texts on disk, and now and then all its
answers are those of a server that was never told anything else.

TIKC_LSP_EDITS is how many edits (300), TIKC_SEED what they are drawn from (1); with 10,000 or more, memory is printed as it goes.
"""

import copy
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, ROOT, TIKC  # noqa: E402
from lsp_client import Client  # noqa: E402
from lsp_text import UNITS, Lines, changed  # noqa: E402

EDITS = int(os.environ.get("TIKC_LSP_EDITS", "300"))
SEED = int(os.environ.get("TIKC_SEED", "1"))
IS_LONG = EDITS >= 10_000
CHECK_EVERY, FRESH_EVERY, WORLD_EVERY = (40, 2000, 5000) if IS_LONG else (3, 50, 60)
# Twice what one run differs from the next; a leak of one analysis an edit is far beyond.
ALLOWED_GROWTH_MIB = 24

BITS = ["é", "漢字", "💡", "𝒳", "ḿ", "\u2028", "\ufeff", "\r", "\n", "\r\n", "\n\n", "  ", "\t", " ", ":", ": ", "- ", "# ", "{", "}", "[", "]", ", ",
        "'", '"', "\\", "|", ">-", "&a ", "*a", "!t ", "%", "0.5", "1_000", "1e-3", "on ", "over 10 min", "with confidence 99%", "max(", "p99(", ")",
        "tv", "k3", "logit_osc", "<=", ">=", "==", "null", "true", "other", "violated(any)", "extends: base.tikc.yaml", "summary: ä💡", "---\n", "...\n",
        "claims:\n", "  c: tv <= 0.5\n", "# tikc: allow TK4002 -- x\n"]
SEVERITIES = {"error": 1, "warning": 2, "note": 3}


def worlds():
    """Texts by name, of files that belong together."""
    out = [{path.name: path.read_bytes().decode() for path in sorted((ROOT / "examples/fleet").glob("*.tikc.yaml"))}] * 3
    out += [{path.name: path.read_bytes().decode()} for path in sorted((ROOT / "examples").glob("*.tikc.yaml"))]
    for folder in sorted((ROOT / "tests/diag").iterdir()):
        if (folder / "options").exists():
            continue
        for kind in ("avoid", "prefer"):
            files = list((folder / kind).glob("*.tikc.yaml")) or [folder / f"{kind}.tikc.yaml"]
            try:
                out.append({path.name: path.read_bytes().decode() for path in sorted(files) if path.exists()})
            except UnicodeDecodeError:
                pass  # no client can have it open
    return [world for world in out if world]


class Editor:
    """One client, its files on disk, and what it has open: the model."""

    def __init__(self, rng, texts, folder):
        self.rng, self.original, self.folder = rng, texts, folder
        self.encoding = rng.choice(list(UNITS))
        self.pulls = rng.random() < 0.6
        self.disk, self.open, self.versions = dict(texts), {}, {}
        (folder / "tikc.yaml").write_text("")
        for name, text in texts.items():
            self.write(name, text)
        self.client = self.connect()
        self.published = {}
        for name in texts:
            if rng.random() < 0.9:
                self.open_file(name)

    def connect(self):
        client = Client(cwd=self.folder)
        capabilities = {"general": {"positionEncodings": [self.encoding]}, "textDocument": {
            "publishDiagnostics": {"relatedInformation": True}, "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}, "hover": {"contentFormat": ["markdown"]}}}
        if self.pulls:
            capabilities["textDocument"]["diagnostic"] = {"relatedInformation": True}
        result = client.start(capabilities, rootUri=self.folder.as_uri())
        assert result["capabilities"]["positionEncoding"] == self.encoding
        self.offered = result["capabilities"]
        return client

    def uri(self, name):
        return (self.folder / name).as_uri()

    def write(self, name, text):
        (self.folder / name).write_bytes(text.encode())
        self.disk[name] = text

    def texts(self):
        return self.disk | self.open

    # ---- What is done to it ----

    def open_file(self, name, client=None):
        text = self.open.setdefault(name, self.disk[name])
        self.versions[name] = self.versions.get(name, 0) + 1
        (client or self.client).open(self.uri(name), text, self.versions[name])

    def close_file(self, name):
        if self.rng.random() < 0.5:
            self.write(name, self.open[name])
            self.client.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(name)}})
        del self.open[name]
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def change_on_disk(self, name):
        self.write(name, self.drawn(self.disk[name])[1])
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": self.uri(name), "type": 2}]})

    def drawn_place(self, text):
        lines = Lines(text)
        line = self.rng.randrange(len(lines.spans))
        if self.rng.random() < 0.06:
            return {"line": line + self.rng.choice([1, 5, 100_000]), "character": self.rng.choice([0, 3])}
        start, end = lines.spans[line]
        units = sum(map(UNITS[self.encoding], text[start:end]))
        # Sometimes past the end of the line, sometimes within a character.
        return {"line": line, "character": self.rng.choice([0, units, units + self.rng.choice([1, 50]), self.rng.randint(0, units), self.rng.randint(0, units)])}

    def drawn_range(self, text):
        lines = Lines(text)
        a = self.drawn_place(text)
        if self.rng.random() < 0.45:
            return {"start": a, "end": dict(a)}
        begin = lines.offset(a, self.encoding)
        if self.rng.random() < 0.8:
            b = lines.place(min(len(text), begin + self.rng.choice([1, 1, 2, 5, 30])), self.encoding)
        else:
            b = self.drawn_place(text)
        first, second = sorted((a, b), key=lambda place: (place["line"], place["character"]))
        return {"start": first, "end": second}

    def drawn_number(self, text):
        """A number is another, and the contract as well-formed as before."""
        lines = Lines(text)
        digits = [i for i, character in enumerate(text) if character in "0123456789"]
        if not digits:
            return None
        at = self.rng.choice(digits)
        places = [lines.place(offset, self.encoding) for offset in (at, at + 1)]
        return {"range": {"start": places[0], "end": places[1]}, "text": self.rng.choice("0123456789")}

    def drawn(self, text, count=1):
        """Changes, each of the text that the one before left, and the text after the last."""
        changes = []
        for _ in range(count):
            change = self.drawn_number(text) if self.rng.random() < 0.4 else None
            if not change:
                new = "" if self.rng.random() < 0.3 else "".join(self.rng.choices(BITS, k=self.rng.choice([1, 1, 1, 2, 4])))
                change = {"range": self.drawn_range(text), "text": new}
            changes.append(change)
            text = changed(text, change, self.encoding)
        return changes, text

    def edit(self):
        roll = self.rng.random()
        closed = [name for name in self.disk if name not in self.open]
        if roll < 0.03 and self.open:
            return self.close_file(self.rng.choice(list(self.open)))
        if closed and roll < 0.10:
            name = self.rng.choice(closed)
            return self.change_on_disk(name) if self.rng.random() < 0.4 else self.open_file(name)
        if not self.open:
            return self.open_file(self.rng.choice(closed))
        name = self.rng.choice(list(self.open))
        text = self.open[name]
        # Back to what makes sense, before nothing does.
        if roll > 0.90 or len(text) > 3 * len(self.original[name]) + 2000:
            changes = [{"text": self.original[name]}]
            if self.rng.random() < 0.3:
                changes = [{"text": self.original[name].replace("\n", self.rng.choice(["\r\n", "\r", "\n"]))}]
            text = changes[0]["text"]
        else:
            changes, text = self.drawn(text, self.rng.choice([1, 1, 1, 1, 2, 3, 6]))
        self.open[name] = text
        self.versions[name] += 1
        document = {"uri": self.uri(name), "version": self.versions[name]}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    # ---- What is seen ----

    def heard(self, message):
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        if message.get("method") == "window/logMessage":
            raise AssertionError(f"the server complains: {message['params']['message']}")

    def said(self):
        """The findings by file, as the server tells them: pulled, or published until it has nothing to do."""
        result = self.client.request("workspace/diagnostic", {"previousResultIds": []}, self.heard)
        if not self.pulls:
            return {uri: items for uri, items in self.published.items() if items}
        return {item["uri"]: item["items"] for item in result["items"] if item["items"]}

    def expected(self, mirror):
        """The same of `tikc check`, in the protocol's words."""
        (mirror / "tikc.yaml").write_text("")
        for name, text in self.texts().items():
            (mirror / name).write_bytes(text.encode())
        done = subprocess.run([TIKC, "check", "--format=json", "--jobs=1", "."], cwd=mirror, capture_output=True, timeout=PATIENCE)
        assert done.returncode in (0, 1), (done.returncode, done.stderr)
        texts = {name: text.encode() for name, text in self.texts().items()}
        lines = {name: Lines(text) for name, text in self.texts().items()}

        def place(name, offset):
            return lines[name].place(len(texts[name][:offset].decode(errors="ignore")), self.encoding)

        def reach(name, given):
            return {key: place(name, given[key]["offset"]) for key in ("start", "end")}

        def plain(path):
            return path.removeprefix("./")

        out = {}
        for each in json.loads(done.stdout)["diagnostics"]:
            message = "\n".join([each["message"], *([each["label"]] if each["label"] else []), *(f"note: {note}" for note in each["notes"])])
            finding = {"code": each["code"], "severity": SEVERITIES[each["severity"]], "source": "tikc", "message": message,
                       "range": reach(plain(each["file"]), each["range"])}
            if each["related"]:
                finding["relatedInformation"] = [
                    {"location": {"uri": self.uri(plain(one["file"])), "range": reach(plain(one["file"]), one["range"])}, "message": one["message"]}
                    for one in each["related"]]
            out.setdefault(self.uri(plain(each["file"])), []).append(finding)
        return out

    def compare(self, mirror):
        # A path in a message is from where each of them stands.
        plain = lambda each: json.dumps(each, sort_keys=True, ensure_ascii=False).replace(f"{self.folder}/", "")  # noqa: E731
        normal = lambda found: {uri: sorted(set(map(plain, items))) for uri, items in found.items()}  # noqa: E731
        said, expected = normal(self.said()), normal(self.expected(mirror))
        for uri in sorted(said.keys() | expected.keys()):
            extra = set(said.get(uri, [])) - set(expected.get(uri, []))
            lacking = set(expected.get(uri, [])) - set(said.get(uri, []))
            assert not extra and not lacking, f"{uri}\n  only the server says:\n    " + "\n    ".join(extra) + "\n  only tikc check says:\n    " + "\n    ".join(lacking)

    def questions(self):
        """Requests that are offered, of each open text as a whole and at random places."""
        for name, text in self.open.items():
            document = {"textDocument": {"uri": self.uri(name)}}
            lines = Lines(text)
            whole = {"start": {"line": 0, "character": 0}, "end": lines.place(len(text), self.encoding)}
            options = {"tabSize": 2, "insertSpaces": True}
            for key, method, more in [
                ("documentSymbol", "documentSymbol", {}), ("foldingRange", "foldingRange", {}), ("documentLink", "documentLink", {}),
                ("semanticTokens", "semanticTokens/full", {}), ("documentFormatting", "formatting", {"options": options}),
                ("inlayHint", "inlayHint", {"range": whole}), ("codeLens", "codeLens", {}),
                ("codeAction", "codeAction", {"range": whole, "context": {"diagnostics": []}})]:
                if self.offered.get(key + "Provider"):
                    yield "textDocument/" + method, {**document, **more}
            for _ in range(4):
                position = lines.place(self.rng.randint(0, len(text)), self.encoding)
                for key in ("hover", "completion", "definition", "documentHighlight"):
                    if self.offered.get(key + "Provider"):
                        yield "textDocument/" + key, {**document, "position": position}
                if self.offered.get("referencesProvider"):
                    yield "textDocument/references", {**document, "position": position, "context": {"includeDeclaration": True}}
                if self.offered.get("selectionRangeProvider"):
                    yield "textDocument/selectionRange", {**document, "positions": [position]}

    def compare_with_fresh(self):
        fresh = self.connect()
        versions = copy.copy(self.versions)
        for name in self.open:
            self.open_file(name, fresh)
        self.versions = versions
        for client in (fresh, self.client):
            client.request("workspace/diagnostic", {"previousResultIds": []}, self.heard if client is self.client else None)
        count = 0
        for method, params in list(self.questions()):
            answers = []
            for client in (self.client, fresh):
                try:
                    answer = client.request(method, params, self.heard if client is self.client else None)
                except RuntimeError as error:
                    answer = str(error)
                answers.append(json.dumps(without_ids(answer), sort_keys=True))
            count += 1
            assert answers[0] == answers[1], f"{method} {params}\n  {answers[0][:1500]}\n  a fresh server says\n  {answers[1][:1500]}"
        assert fresh.stop() == 0
        return count

    def memory_mib(self):
        for line in Path(f"/proc/{self.client.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024


def without_ids(value):
    """What is told may have names of its own in each connection, and versions of the texts."""
    if isinstance(value, list):
        return [without_ids(each) for each in value]
    if isinstance(value, dict):
        return {key: without_ids(each) for key, each in value.items() if key not in ("resultId", "version")}
    return value


def keep(editor, folder):
    """The texts that a run failed on, for whoever looks."""
    kept = Path(tempfile.mkdtemp(prefix="tikc-lsp-model-"))
    for name, text in editor.texts().items():
        (kept / name).write_bytes(text.encode())
    (kept / "messages.json").write_text(json.dumps(editor.client.messages[-400:], ensure_ascii=False, indent=1))
    return kept


def grows(rng, folder):
    """Memory over edits of one file: flat, once the allocator has what it needs. The figures."""
    texts = {"a.tikc.yaml": (ROOT / "examples/qwen3-8b-rl.tikc.yaml").read_text()}
    editor = Editor(rng, texts, folder)
    if not editor.open:
        editor.open_file("a.tikc.yaml")
    count, figures = max(200, EDITS), []
    for number in range(count):
        changes, text = editor.drawn(editor.open["a.tikc.yaml"]) if number % 20 else ([{"text": texts["a.tikc.yaml"]}], texts["a.tikc.yaml"])
        editor.open["a.tikc.yaml"] = text
        editor.versions["a.tikc.yaml"] += 1
        document = {"uri": editor.uri("a.tikc.yaml"), "version": editor.versions["a.tikc.yaml"]}
        editor.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        editor.client.request("textDocument/diagnostic", {"textDocument": {"uri": editor.uri("a.tikc.yaml")}}, editor.heard)
        editor.client.messages.clear()
        if number % (count // 20) == count // 20 - 1:
            figures.append(editor.memory_mib())
    editor.client.stop()
    return figures


def main():
    rng = random.Random(SEED)
    all_worlds = worlds()
    checks = questions = 0
    began = time.monotonic()
    done = 0
    while done < EDITS:
        with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as mirror:
            folder = Path(os.path.realpath(name), "w ä")
            folder.mkdir()
            editor = Editor(rng, rng.choice(all_worlds), folder)
            try:
                for _ in range(min(WORLD_EVERY, EDITS - done)):
                    editor.edit()
                    done += 1
                    if done % CHECK_EVERY == 0:
                        editor.compare(Path(mirror))
                        checks += 1
                    if done % FRESH_EVERY == 0:
                        questions += editor.compare_with_fresh()
                    if IS_LONG:
                        del editor.client.messages[:-400]
                assert editor.client.stop() == 0 if not IS_LONG else editor.client.process.poll() is None
            except BaseException:
                print(f"seed {SEED}, edit {done}, {editor.encoding}, {'pull' if editor.pulls else 'push'}; texts in {keep(editor, folder)}")
                raise
            finally:
                editor.client.process.kill()
                editor.client.process.wait()
            if IS_LONG:
                print(f"{done} edits, {checks} checks, {time.monotonic() - began:.0f} s", flush=True)
    with tempfile.TemporaryDirectory() as name:
        figures = grows(rng, Path(os.path.realpath(name)))
    print(f"{done} edits, {checks} comparisons with tikc check, {questions} answers with a fresh server's")
    print("resident MiB over time:", " ".join(f"{each:.1f}" for each in figures))
    growth = figures[-1] - figures[len(figures) // 4]
    if growth > ALLOWED_GROWTH_MIB:
        sys.exit(f"memory grew by {growth:.1f} MiB")


if __name__ == "__main__":
    main()
