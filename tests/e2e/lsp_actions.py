#!/usr/bin/python3
"""Every code action does what its title says: it is applied to each file of tests/diag and examples, with LF and with CRLF, and the
server is asked again. What a fix mends is gone, a suppression suppresses and no more, the safe fixes at once give the text of
`tikc check --fix`, a number that proves a claim proves it, and what goes to a base leaves the contract as it was."""
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from harness import ROOT, TIKC  # noqa: E402
from lsp_client import Client  # noqa: E402

CAPABILITIES = copy.deepcopy(json.loads((ROOT / "tests/lsp/capabilities.json").read_text()))
CAPABILITIES["general"]["positionEncodings"] = ["utf-32"]
MOST = int(os.environ.get("TIKC_ACTIONS", "5"))  # of one place
WITH_CRLF = 60  # files


class Server:
    def __init__(self):
        self.client = Client()
        self.client.start(CAPABILITIES)
        self.version = 0

    def open(self, path, text):
        self.uri = f"file://{path}"
        self.version = 1
        self.client.open(self.uri, text)

    def change(self, text):
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def close(self):
        self.client.notify("textDocument/didClose", self.about())

    def about(self, **more):
        return {"textDocument": {"uri": self.uri}, **more}

    def findings(self):
        return self.client.request("textDocument/diagnostic", self.about())["items"]

    def actions(self, span, diagnostics, only=None):
        context = {"diagnostics": diagnostics, **({"only": only} if only else {})}
        offered = self.client.request("textDocument/codeAction", self.about(range=span, context=context)) or []
        for action in offered[:MOST]:  # of this version
            if "disabled" not in action:
                action["edit"] = self.edit_of(action)
        return [action for action in offered[:MOST] if action.get("edit")]

    def edit_of(self, action):
        """Nothing where the server says why there is none."""
        if "edit" in action:
            return action["edit"]
        try:
            return self.client.request("codeAction/resolve", action)["edit"]
        except RuntimeError as refused:
            assert "follows" in str(refused), refused
            return None

    def outcomes(self):
        lenses = self.client.request("textDocument/codeLens", self.about()) or []
        of_claims = [each["command"] for each in lenses if each["command"]["command"] != "tikc.diff"]
        return {command["arguments"][0]["claim"]: command["title"] for command in of_claims[::3]}


def offset(lines, at):
    return lines[at["line"]] + at["character"] if at["line"] < len(lines) else None


def applied(text, edits):
    """The text with the edits; None where one lies outside of it."""
    lines = [0] + [match.end() for match in re.finditer(r"\r\n|\n|\r", text)]
    spans = [(offset(lines, e["range"]["start"]), offset(lines, e["range"]["end"]), e["newText"]) for e in edits]
    if any(a is None or b is None for a, b, _ in spans):
        return None
    spans.sort(key=lambda span: span[:2])
    out, at = "", 0
    for begin, end, new in spans:
        assert begin >= at, "edits overlap"
        out, at = out + text[at:begin] + new, end
    return out + text[at:]


def change_of(edit, uri):
    changes = edit["documentChanges"]
    return [e for c in changes if c.get("textDocument", {}).get("uri") == uri for e in c["edits"]], len(changes)


def names(findings):
    return Counter((found["code"], found["message"].split("\n")[0]) for found in findings)


class Trial:
    def __init__(self, server, text):
        self.server, self.text = server, text
        self.before = server.findings()
        self.tried = Counter()

    def after(self, action):
        """The text and the findings once it is applied; the old text stands again afterwards."""
        edits, files = change_of(action["edit"], self.server.uri)
        if files != 1 or not edits:
            return None  # the parent's text
        text = applied(self.text, edits)
        self.server.change(text)
        seen = text, self.server.findings(), self.server.outcomes()
        self.server.change(self.text)
        crlf = "\r\n" in self.text
        assert not crlf or not re.search(r"(?<!\r)\n", text), f"{action['title']}: a bare line feed among CRLF"
        return seen

    def check(self, action, found):
        title = action["title"]
        seen = self.after(action)
        if seen is None:
            return
        _, findings, outcomes = seen
        name = (found["code"], found["message"].split("\n")[0])
        gone = names(self.before)[name] - names(findings)[name]
        if title.startswith("suppress "):
            self.tried["suppress"] += 1
            lost = names(self.before) - names(findings)
            assert gone >= 1 and {code for code, _ in lost} == {name[0]}, f"{title}: {lost}"
            assert not names(findings) - names(self.before), f"{title}: {names(findings) - names(self.before)}"
        elif title.startswith("add ") and title.endswith("true"):
            self.tried["add"] += 1
            assert gone >= 1, f"{title}: {name} is still there"
        elif "diagnostics" in action:
            self.tried["fix"] += 1
            assert gone >= 1, f"{title}: {name} is still there"
        elif (claim := re.search(r"with which `(\w+)` follows|(?:weaken|tighten) `(\w+)`", title)) is not None:
            self.tried["number"] += 1
            claim = claim[1] or claim[2]
            assert outcomes.get(claim, "").startswith("proved"), f"{title}: {outcomes.get(claim)}"


def whole(text):
    return {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}


def try_fix_all(trial, path):
    server = trial.server
    for action in server.actions(whole(trial.text), [], ["source.fixAll"]):
        seen = trial.after(action)
        if seen is None:
            continue
        trial.tried["fix all"] += 1
        with tempfile.TemporaryDirectory() as temporary:
            copied = Path(shutil.copytree(path.parent, Path(temporary, "t"))) / path.name
            copied.write_bytes(trial.text.encode())
            subprocess.run([TIKC, "check", "--fix", "--quiet", copied], capture_output=True, check=False)
            assert copied.read_bytes().decode() == seen[0], "not the text of `tikc check --fix`"


def try_extraction(trial, path):
    """A section that has a clause, from its first."""
    sections = list(re.finditer(r"^(numerical|statistical|runtime):\s*$", trial.text, re.MULTILINE))
    for section in sections:
        line = trial.text[: section.start()].count("\n")
        for last in (line + 2, line + 20):
            span = {"start": {"line": line, "character": 0}, "end": {"line": last, "character": 0}}
            for action in trial.server.actions(span, [], ["refactor.extract"]):
                changes = action["edit"]["documentChanges"]
                texts = {trial.server.uri: trial.text}
                with tempfile.TemporaryDirectory() as temporary:
                    target = Path(shutil.copytree(path.parent, Path(temporary, "t")))
                    for change in changes[1:]:
                        uri = change["textDocument"]["uri"]
                        new = applied(texts.get(uri, ""), change["edits"])
                        (target / Path(uri).name).write_bytes(new.encode())
                    dump = [TIKC, "dump", "--stage=model"]
                    moved = subprocess.run([*dump, target / path.name], capture_output=True, check=False)
                    (target / path.name).write_bytes(trial.text.encode())
                    first = subprocess.run([*dump, target / path.name], capture_output=True, check=False)
                    assert first.stdout == moved.stdout, f"{action['title']}: another model"
                trial.tried["extract"] += 1


def try_missing(trial):
    """Without each line of `assumptions` and `model`, and without either."""
    text = trial.text
    wanted = re.finditer(r"^(?:assumptions|model):.*\n(?:  .*\n)+|^  (?:support|reward|advantage|score_norm|estimator):.*\n|^model:.*\n", text, re.MULTILINE)
    for part in list(wanted):
        trial.text = text[: part.start()] + text[part.end() :]
        trial.server.change(trial.text)
        trial.before = trial.server.findings()
        for found in trial.before:
            if found["code"] == "TK6103":
                for action in trial.server.actions(found["range"], [found]):
                    if action["title"].startswith("add "):
                        trial.check(action, found)
    trial.text = text
    trial.server.change(text)


def try_file(server, path, text):
    server.open(path, text)
    try:
        trial = Trial(server, text)
        for found in trial.before:
            for action in server.actions(found["range"], [found]):
                if action["kind"] != "source.fixAll.tikc":
                    trial.check(action, found)
        if path.parent.parent == ROOT and "\r" not in text:
            for action in server.actions(whole(text), [], ["refactor.rewrite"]):
                trial.check(action, {"code": "", "message": ""})
        if path.parent.name == "examples" and "\r" not in text:
            try_missing(trial)
        try_fix_all(trial, path)
        try_extraction(trial, path)
        return trial.tried
    finally:
        server.close()


def main():
    files = sorted(path for folder in ("tests/diag", "examples") for path in (ROOT / folder).rglob("*.tikc.yaml"))
    only = sys.argv[1:]
    server = Server()
    tried, bad, crlf = Counter(), 0, 0
    for path in files:
        if only and not any(word in str(path) for word in only):
            continue
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        forms = [text]
        if "\r" not in text and len(text) < 20_000 and crlf < WITH_CRLF and sum(path.name.encode()) % 2 == 0:
            forms.append(text.replace("\n", "\r\n"))
            crlf += 1
        for form in forms:
            if len(form) > 200_000:
                continue
            try:
                tried += try_file(server, path, form)
            except AssertionError as fault:
                bad += 1
                print(f"{path.relative_to(ROOT)}{' with CRLF' if form != text else ''}: {fault}")
    status = server.client.stop()
    print(f"{dict(tried)}; {bad} at fault")
    enough = all(tried[kind] > 0 for kind in ("fix", "suppress", "add", "number", "fix all", "extract"))
    return 0 if not bad and status == 0 and (enough or only) else 1


if __name__ == "__main__":
    sys.exit(main())
