"""What the language server says of names and of a text's shape: renamed contracts check as before, ranges nest, tokens do not
overlap, formatting is that of `tikc fmt`."""

import json
import os
import random
import re
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main  # noqa: E402
from lsp_client import Client  # noqa: E402

CAPABILITIES = json.loads((ROOT / "tests/lsp/capabilities.json").read_text())
PROPERTY, NAMESPACE, MODULE = 7, 3, 2

# One name of each kind, said in every way that YAML and the expressions have.
WAYS = """\ufefftikc: v1
contract: "ways"
version: 1.0.0
kernels:
  "trainer": { engine: fsdp2 }
  rollout: &k { engine: vllm }
  safe: *k
  spare: { engine: vllm }
chain: [ trainer, 'rollout' , "sa\\x66e" ]
labels: { task: [math, 'code'] }
slices:
  'math': { when: 'task == "math"', weight: 40% }
  code: { when: "task in {'code', \\"math\\"} and position > 1", weight: 40% }
numerical:
  drift: { require: "max(logit_osc) <= 1", slices: [math, 'code'], link: &l [trainer, rollout] }
  tail:
    require: |
      max(logit_l2) <= 2
        on math,
        code
    link: *l
statistical:
  "gap":
    require: >-
      mean(k3) <= 1

      on code
    link: [rollout, safe]
observability: { rows: "sample(logits, 1%)", tokens: 'sample(logprobs, 1%)' }
escalation:
  # tikc: allow TK7013 -- names are all that matters here
  rest:
    when: violated(drift) or
      violated(tail)
      or violated(gap)
    do: [alert("us"), 'route(kernel=spare,
      probe=1%)']
    until: "satisfied(\\
      drift)"
  stale: { when: undecided(gap) or undecided(drift) or undecided(tail), do: hold, until: not undecided(any) }
---
contract: child
tikc: v1
version: 1.0.0
extends: '#ways'
slices: { math: null }
numerical: { drift: { require: "max(logit_osc) <= 2 on code", link: [trainer, rollout] }, tail: null }
statistical: { gap: null }
escalation: { stale: { when: undecided(drift), do: hold, until: not undecided(drift) }, rest: { when: violated(drift), do: hold, until: satisfied(drift) } }
"""

# It completes examples/fleet/base.tikc.yaml.
CHILD = """tikc: v1
contract: child
version: 1.0.0
extends: ../../base.tikc.yaml
kernels: { rollout: { engine: vllm } }
load: { tokens: 200_000 per s, requests: 200 per s }
numerical: { drift: max(logit_osc) <= 1 on math }
"""


class Editor:
    """A client with texts of its own, which takes the edits that it is given."""

    def __init__(self, folder, capabilities=CAPABILITIES):
        self.client = Client()
        self.client.start(capabilities, rootUri=f"file://{folder}")
        self.texts, self.versions = {}, {}

    def open(self, path):
        uri = f"file://{path}"
        if uri in self.texts:
            return uri
        self.texts[uri] = Path(path).read_bytes().decode()
        self.versions[uri] = 1
        self.client.open(uri, self.texts[uri])
        return uri

    def ask(self, method, uri, **more):
        return self.client.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, **more})

    def take(self, edit):
        for change in edit["documentChanges"]:
            uri = change["textDocument"]["uri"]
            if uri not in self.texts:
                self.open(uri.removeprefix("file://"))
            self.texts[uri] = applied(self.texts[uri], change["edits"])
            self.versions[uri] += 1
            document = {"uri": uri, "version": self.versions[uri]}
            changes = [{"text": self.texts[uri]}]
            self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


def offset_in(text, place):
    """Of a text without lone carriage returns."""
    at = 0
    for _ in range(place["line"]):
        at = text.index("\n", at) + 1
    line = text[at:].split("\n", 1)[0].encode("utf-16-le")
    return at + len(line[: 2 * place["character"]].decode("utf-16-le"))


def applied(text, edits):
    places = [(offset_in(text, e["range"]["start"]), offset_in(text, e["range"]["end"]), e["newText"]) for e in edits]
    for begin, end, new in sorted(places, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def place_of(text, offset):
    before = text[:offset]
    return {"line": before.count("\n"), "character": len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2}


def is_within(outer, inner):
    def place(of, side):
        return of[side]["line"], of[side]["character"]

    return place(outer, "start") <= place(inner, "start") and place(inner, "end") <= place(outer, "end")


def names_in(symbols):
    """(place, name) of what a contract names."""
    for symbol in symbols:
        if symbol["kind"] not in (PROPERTY, NAMESPACE, MODULE):
            yield symbol["selectionRange"], symbol["name"]
        yield from names_in(symbol.get("children", []))


class Navigation(Case):
    def codes(self):
        found = json.loads(self.tikc("check", "--format=json", ".").stdout)
        return sorted((Path(each["file"]).name, each["code"]) for each in found["diagnostics"])

    def write_back(self, editor):
        for uri, text in editor.texts.items():
            Path(uri.removeprefix("file://")).write_bytes(text.encode())

    def rename_all(self, files):
        """Puts `x_` before every name that the files define; how many there were."""
        before, texts = self.codes(), {path: path.read_bytes().decode() for path in files}
        editor = Editor(self.folder)
        count = 0
        for path in files:
            uri = editor.open(path)
            names = list(names_in(editor.ask("documentSymbol", uri)))
            for i in range(len(names)):
                place, name = names[i]
                if name.startswith("x_"):
                    continue
                at = {"line": place["start"]["line"], "character": place["end"]["character"] - 1}
                ready = editor.ask("prepareRename", uri, position=at)
                self.assertEqual(ready["placeholder"], name)
                self.assertTrue(is_within(place, ready["range"]), (path, place, ready))
                editor.take(editor.ask("rename", uri, position=at, newName="x_" + name))
                count += 1
                names = list(names_in(editor.ask("documentSymbol", uri)))
        for uri, text in editor.texts.items():
            path = Path(uri.removeprefix("file://"))
            path.write_bytes(text.encode())
            self.assertNotEqual(text, texts[path])
            self.assertEqual(re.sub(r"\bx_", "", text), texts[path].replace(r"\x66", "f"), path)
        self.assertEqual(self.codes(), before)
        self.assertEqual(editor.client.stop(), 0)
        return count

    def test_every_name_of_every_example(self):
        shutil.copytree(ROOT / "examples", self.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("embed", "broken"))
        count = self.rename_all(sorted(self.folder.rglob("*.tikc.yaml")))
        self.assertGreater(count, 200)

    def test_every_way_to_say_a_name(self):
        for end in "\n", "\r\n":
            path = self.write("ways.tikc.yaml", WAYS.replace("\n", end))
            self.assertEqual(self.codes(), [], end)
            self.assertEqual(self.rename_all([path]), 14)
            self.assertEqual(len([1 for _ in path.read_bytes().splitlines()]), WAYS.count("\n"))

    def test_a_contract_and_a_label_s_value(self):
        path = self.write("ways.tikc.yaml", WAYS)
        editor = Editor(self.folder)
        uri = editor.open(path)
        for old, new, count in (("ways", "roads", 2), ("code'", "coding", 2)):
            at = place_of(editor.texts[uri], editor.texts[uri].index(old))
            edit = editor.ask("rename", uri, position=at, newName=new)
            self.assertEqual(len(edit["documentChanges"][0]["edits"]), count)
            editor.take(edit)
        self.write_back(editor)
        self.assertEqual(self.codes(), [])
        self.assertIn("extends: '#roads'", path.read_text())
        self.assertIn("in {'coding', ", path.read_text())
        editor.client.stop()

    def test_children_that_are_not_open_are_renamed_too(self):
        base = self.write("base.tikc.yaml", (ROOT / "examples/fleet/base.tikc.yaml").read_text())
        child = self.write("deep/er/child.tikc.yaml", CHILD)
        other = self.write("other.tikc.yaml", CHILD.replace("../../base", "base").replace(" on math", "").replace("name: child", "name: other"))
        before = self.codes()
        editor = Editor(self.folder)
        uri = editor.open(base)
        at = place_of(editor.texts[uri], editor.texts[uri].index("math: {"))
        editor.take(editor.ask("rename", uri, position=at, newName="sums"))
        self.write_back(editor)
        self.assertIn(" on sums", child.read_text())
        self.assertNotIn("sums", other.read_text())
        self.assertEqual(self.codes(), before)
        found = editor.client.request("workspace/symbol", {"query": "SMS"})
        self.assertEqual([each["name"] for each in found], ["sums"])
        editor.client.stop()

    def test_a_name_of_another_contract_is_another_name(self):
        self.write("base.tikc.yaml", (ROOT / "examples/fleet/base.tikc.yaml").read_text())
        slices = "slices: { night: { when: position > 8, weight: 1% } }\n"
        one = self.write("one.tikc.yaml", CHILD.replace("../../base", "base") + slices)
        two = self.write("two.tikc.yaml", CHILD.replace("../../base", "base").replace("contract: child", "contract: two") + slices)
        editor = Editor(self.folder)
        uri = editor.open(one)
        at = place_of(editor.texts[uri], editor.texts[uri].index("night"))
        editor.take(editor.ask("rename", uri, position=at, newName="dark"))
        self.write_back(editor)
        self.assertIn("night", two.read_text())
        editor.client.stop()

    def test_what_would_change_the_meaning_is_refused(self):
        self.write("base.tikc.yaml", (ROOT / "examples/fleet/base.tikc.yaml").read_text())
        path = self.write("child.tikc.yaml", CHILD.replace("../../base", "base"))
        editor = Editor(self.folder)
        uri = editor.open(path)
        at = place_of(editor.texts[uri], editor.texts[uri].index("math"))
        for name, why in (("code", "taken"), ("other", "reserved"), ("over", "reserved"), ("Math", "snake case"), ("", "snake case"), ("off", "TK1013"), ("a: b", "snake case")):
            with self.assertRaisesRegex(RuntimeError, why):
                editor.ask("rename", uri, position=at, newName=name)
        self.write("late.tikc.yaml", CHILD.replace("../../base", "base").replace("contract: child", "contract: late") + 'summary: "\n')
        with self.assertRaisesRegex(RuntimeError, "base.tikc.yaml|late.tikc.yaml cannot be fully read"):
            editor.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": f"file://{self.folder}/late.tikc.yaml", "type": 1}]})
            editor.ask("rename", uri, position=at, newName="sums")
        editor.client.stop()

    def test_shapes_nest(self):
        editor = Editor(self.folder)
        dice = random.Random(7)
        for path in sorted((ROOT / "examples").rglob("*.tikc.yaml")):
            uri = editor.open(path)
            text = editor.texts[uri]
            lines = text.split("\n")
            self.nest(editor.ask("documentSymbol", uri))
            for fold in editor.ask("foldingRange", uri):
                self.assertTrue(0 <= fold["startLine"] < fold["endLine"] < len(lines))
            places = [place_of(text, dice.randrange(len(text))) for _ in range(20)]
            for place, selection in zip(places, editor.ask("selectionRange", uri, positions=places)):
                inner = {"start": place, "end": place}
                while selection:
                    self.assertTrue(is_within(selection["range"], inner) and selection["range"] != inner, path)
                    inner, selection = selection["range"], selection.get("parent")
                self.assertEqual(offset_in(text, inner["end"]), len(text))
        editor.client.stop()

    def nest(self, symbols, outer=None):
        for symbol in symbols:
            self.assertTrue(is_within(symbol["range"], symbol["selectionRange"]))
            self.assertTrue(outer is None or is_within(outer, symbol["range"]))
            self.nest(symbol.get("children", []), symbol["range"])

    def test_only_lines_fold_where_a_client_can_no_more(self):
        capabilities = json.loads(json.dumps(CAPABILITIES))
        capabilities["textDocument"]["foldingRange"]["lineFoldingOnly"] = True
        editor = Editor(self.folder, capabilities)
        uri = editor.open(self.write("a.tikc.yaml", "kernels: {\n  t: { engine: a },\n  s: { engine: b }\n}\nowners: [\n  a ]\n"))
        self.assertEqual(editor.ask("foldingRange", uri), [{"startLine": 0, "endLine": 2}])
        editor.client.stop()

    def test_tokens(self):
        """In order, within their lines, and what a client makes of the differences is the whole again."""
        editor = Editor(self.folder)
        dice = random.Random(3)
        for path in sorted((ROOT / "examples").rglob("*.tikc.yaml")):
            uri = editor.open(path)
            answer = editor.ask("semanticTokens/full", uri)
            for _ in range(3):
                self.lie_in_lines(answer["data"], editor.texts[uri])
                self.lie_within(editor, uri, answer["data"], dice)
                at = dice.randrange(len(editor.texts[uri]))
                place = place_of(editor.texts[uri], at)
                change = {"range": {"start": place, "end": place}, "newText": dice.choice(["0", " ", "x", "'", "{", "\n", "𝕏"])}
                editor.take({"documentChanges": [{"textDocument": {"uri": uri}, "edits": [change]}]})
                delta = editor.ask("semanticTokens/full/delta", uri, previousResultId=answer["resultId"])
                data = list(answer["data"])
                for edit in delta["edits"]:
                    data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
                answer = editor.ask("semanticTokens/full/delta", uri, previousResultId="another")
                self.assertEqual(answer["data"], data)
        editor.client.stop()

    def test_tokens_of_a_range_are_those_of_its_lines(self):
        """Of a text that begins before it, or ends behind it, too."""
        editor = Editor(self.folder)
        text = "tikc: v1\ncontract: a\nsummary: 'one\n  two\n\n  three'\nnumerical:\n  a: >\n    max(tv) <=\n    0.5\n  b: max(tv) <= 1 # end\n"
        uri = editor.open(self.write("a.tikc.yaml", text))
        data = editor.ask("semanticTokens/full", uri)["data"]
        for first in range(text.count("\n")):
            for last in range(first, text.count("\n")):
                self.hold_range(editor, uri, data, first, last)
        editor.client.stop()

    def lie_in_lines(self, data, text):
        sizes = [len(line.rstrip("\r").encode("utf-16-le")) // 2 for line in text.split("\n")]
        line = at = end = 0
        for lines, characters, size, *_ in zip(*[iter(data)] * 5):
            if lines:
                line, at, end = line + lines, 0, 0
            at += characters
            self.assertTrue(end <= at < at + size <= sizes[line])
            end = at + size

    def lie_within(self, editor, uri, data, dice):
        lines = editor.texts[uri].count("\n")
        first = dice.randrange(lines)
        self.hold_range(editor, uri, data, first, dice.randrange(first, lines))

    def hold_range(self, editor, uri, data, first, last):
        wanted = {"start": {"line": first, "character": 0}, "end": {"line": last + 1, "character": 0}}
        part = editor.ask("semanticTokens/range", uri, range=wanted)["data"]
        whole, line = [], 0
        for token in zip(*[iter(data)] * 5):
            line += token[0]
            if first <= line <= last:
                whole.append(token[2:])
        self.assertEqual([token[2:] for token in zip(*[iter(part)] * 5)], whole)

    def test_formatting_is_that_of_fmt(self):
        editor = Editor(self.folder)
        options = {"tabSize": 8, "insertSpaces": False}
        for example in sorted((ROOT / "examples").glob("*.tikc.yaml"))[:6]:
            text = example.read_text().replace("  ", "    ").replace(" <= ", "<=")
            path = self.write(example.name, text)
            uri = editor.open(path)
            edits = editor.ask("formatting", uri, options=options)
            lines = text.split("\n")
            for first in range(0, len(lines), 9):
                last = min(first + 8, len(lines) - 1)
                part = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": len(lines[last])}}
                some = editor.ask("rangeFormatting", uri, range=part, options=options)
                if some is None:
                    continue
                path.write_text(applied(text, some))
                self.assertEqual("".join(path.read_text().split()), "".join(text.split()))
                self.expect(0, "fmt", path)
                self.assertEqual(path.read_text(), applied(text, edits), (path, part))
            path.write_text(text)
            self.expect(0, "fmt", path)
            self.assertEqual(path.read_text(), applied(text, edits))
        editor.client.stop()


if __name__ == "__main__":
    main()
