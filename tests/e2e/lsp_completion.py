#!/usr/bin/python3
"""Completion gives back what was cut away, and offers nothing that the language does not know.

Every word of the examples that is the language's, or a name that something declares, is cut at a random place: in the
midst of the file, and with the file cut there. Among what is offered must be an item whose edit restores the text. Then other
items are put in instead, gaps filled with what stands in them, and the checker must know the names that they bring.

TIKC_COMPLETION_SHARE is the share of the words that are tried, 0.25 by default; TIKC_SEED another choice of them.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from harness import ROOT, TIKC  # noqa: E402
from lsp_client import Client  # noqa: E402

CAPABILITIES = json.loads((ROOT / "tests/lsp/capabilities.json").read_text())
SHARE = float(os.environ.get("TIKC_COMPLETION_SHARE", "0.25"))
SEED = int(os.environ.get("TIKC_SEED", "1"))

WORD = re.compile(r"""(?P<string>"[^"\n]*")|(?P<number>[0-9][0-9_.]*(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[<>=!]=|[<>])""")
FREE = set("summary because contract version engine build hardware attention name digest data owners vocabulary".split())
FORMATS = set("weights compute accumulate kv_cache logits".split())
NAMED = set("kernels labels slices numerical statistical runtime observability claims escalation".split())
UNKNOWN = set("UnknownKey UnknownMetric UnknownAggregate UnknownCall UnknownArgument UnknownClause UnknownSlice UnknownKernel "
              "UnknownField UnknownLabelValue UnknownUnit UnknownClaimQuantity NotMeasured NotClaimed AggregateMissing "
              "AggregateNotAllowed MetricInOtherFamily UnitMismatch FlowComma WrongValue UnknownWord MissingSpace".split())


def codes():
    """The ids of those codes, as the catalogue has them."""
    rows = re.findall(r"^DIAG\(\s*(\d+),\s*(\w+),", (ROOT / "compiler/diag/Diagnostics.def").read_text(), re.M)
    return {f"TK{number}": name for number, name in rows if name in UNKNOWN}


def words_of(text):
    """(begin, end, node) of each word that completion knows; the node is the value that it is in, if it is in one."""
    for root in yaml.compose_all(text):
        yield from in_map(root, (), text)


def in_map(node, path, text):
    for key, value in node.value:
        chosen = len(path) == 1 and path[0] in NAMED
        if not chosen and key.start_mark.index < key.end_mark.index:
            yield key.start_mark.index, key.end_mark.index, None
        yield from in_value(value, path + (key.value,), text)


def in_value(node, path, text):
    if isinstance(node, yaml.MappingNode):
        yield from in_map(node, path, text)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            if path[0] != "labels":
                yield from in_value(item, path, text)
    elif path[-1] not in FREE and path != ("observability", "prefix"):
        begin, end = node.start_mark.index, node.end_mark.index
        if path[-1] in FORMATS and text[begin] in "'\"":
            return
        if path[-1] == "extends":
            quoted = text[begin] in "'\""
            yield begin + quoted, end - quoted, None
            return
        for found in WORD.finditer(text, begin, end):
            if found["name"] or found["sign"] or (found["string"] and "==" in text[begin:end] and begin != found.start()):
                yield *found.span(), node


def restyled(text, node, style):
    """The text with a plain value in another style, and where each of its characters is then; nothing where that cannot be."""
    begin, end = node.start_mark.index, node.end_mark.index
    value = text[begin:end]
    line = text[text.rfind("\n", 0, begin) + 1 : begin]
    in_block = not re.search(r"[\[{]", line)
    # A literal scalar ends with a line break, which an expression does not mind but a word does.
    literal = style == "|" and re.fullmatch(r"\w+", value)
    if node.style or "\n" in value or value == "null" or literal or (style in "|>" and not in_block):
        return None
    escape = {"'": {"'": "''"}, '"': {'"': '\\"', "\\": "\\\\"}}.get(style, {})
    inner = " " * (len(line) - len(line.lstrip(" -")) + 4)
    out, places, broken = {"|": "|\n" + inner, ">": ">-\n" + inner}.get(style, style), {}, style != ">"
    for i, c in enumerate(value):
        places[begin + i] = begin + len(out)
        if c == " " and not broken and i > len(value) // 2:
            out, broken = out + "\n" + inner, True
        else:
            out += escape.get(c, c)
    places[end] = begin + len(out)
    return text[:begin] + out + ("" if style in "|>" else style) + text[end:], places


def place(text, offset):
    line = text[:offset].rsplit("\n", 1)[-1]
    return {"line": text.count("\n", 0, offset), "character": len(line.encode("utf-16-le")) // 2}


def offset(text, place):
    at = 0
    for _ in range(place["line"]):
        at = text.index("\n", at) + 1
    units = 0
    while units < place["character"]:
        units += 1 if ord(text[at]) < 0x10000 else 2
        at += 1
    return at


def filled(snippet):
    """What a client puts in of a snippet before anything is typed."""
    out = re.sub(r"\$\{\d+\|((?:\\.|[^,|\\])*)(?:\\.|[^|\\])*\|\}", r"\1", snippet)
    out = re.sub(r"\$\{\d+:((?:\\.|[^}\\])*)\}", r"\1", out)
    out = re.sub(r"(?<!\\)\$\d+", "", out)
    return re.sub(r"\\([\\$},|])", r"\1", out)


def applied(text, item):
    """The text with the item put in, and where the new words are."""
    edit = item["textEdit"]
    new = edit["newText"]
    where = edit.get("range") or edit["insert"]
    if item.get("insertTextFormat") == 2:
        new = filled(new)
    begin, end = offset(text, where["start"]), offset(text, where["end"])
    line = text[text.rfind("\n", 0, begin) + 1 : begin]
    new = new.replace("\n", "\n" + line[: len(line) - len(line.lstrip(" "))])
    out = text[:begin] + new + text[end:]
    for more in item.get("additionalTextEdits", []):
        at = offset(text, more["range"]["start"])
        assert at <= begin and more["range"]["start"] == more["range"]["end"]
        out = out[:at] + more["newText"] + out[at:]
        begin += len(more["newText"])
    return out, begin, begin + len(new)


class Editor:
    def __init__(self, defaults):
        self.client = Client()
        CAPABILITIES["textDocument"]["completion"]["completionList"] = {"itemDefaults": defaults}
        self.client.start(CAPABILITIES, rootUri=f"file://{ROOT}/examples")
        self.client.request("workspace/diagnostic", {"previousResultIds": []})
        self.versions = {}
        self.asked = 0

    def show(self, uri, text):
        if uri not in self.versions:
            self.versions[uri] = 1
            return self.client.open(uri, text)
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def complete(self, uri, text, cursor):
        self.asked += 1
        self.show(uri, text)
        params = {"textDocument": {"uri": uri}, "position": place(text, cursor), "context": {"triggerKind": 1}}
        answer = self.client.request("textDocument/completion", params)
        if not answer:
            return []
        for item in answer["items"]:
            if "textEditText" in item:
                where = answer["itemDefaults"]["editRange"]
                where = where if "insert" in where else {"range": where}
                item["textEdit"] = {**where, "newText": item["textEditText"]}
        return answer["items"]

    def findings(self, uri, text):
        self.show(uri, text)
        return self.client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]


def shown(text, cursor):
    line = text.rfind("\n", 0, cursor) + 1
    return text[line:cursor] + "⟦⟧" + text[cursor:].split("\n", 1)[0]


def unknown_in(editor, uri, text, item, wanted):
    """Findings of unknown names in what the item brought."""
    out, begin, end = applied(text, item)
    for found in editor.findings(uri, out):
        where = found["range"]
        if found["code"] in wanted and offset(out, where["start"]) < end and offset(out, where["end"]) > begin:
            yield f"{found['code']}: {found['message'].splitlines()[0]}: {shown(out, end)}"


def check_starter(editor):
    """An empty file is offered what `tikc init` writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "first.tikc.yaml")
        subprocess.run([TIKC, "init", path], check=True, stdout=subprocess.DEVNULL)
        items = editor.complete(f"file://{path}", "", 0)
        assert path.read_text() in [applied("", item)[0] for item in items]
        assert not any(item["label"] == "contract …" for item in editor.complete(f"file://{path}", "tikc: v1\n", 9))


def main():
    chance = random.Random(SEED)
    editor = Editor(chance.choice([[], ["editRange"]]))
    wanted = codes()
    assert len(wanted) >= 12, wanted
    faults, tried, styled, others = [], 0, 0, 0
    for path in sorted((ROOT / "examples").glob("**/*.tikc.yaml")):
        if "broken" in path.parts:
            continue
        text = path.read_text()
        uri = f"file://{path}"
        for begin, end, node in words_of(text):
            if chance.random() >= SHARE:
                continue
            tried += 1
            cut = chance.randrange(begin, end)
            whole, style = text, chance.choice("    '\"|>")
            other = restyled(text, node, style) if node and style != " " else None
            if other:
                styled += 1
                whole, places = other
                begin, cut, end = places[begin], places[cut], places[end]
            kept = whole[:cut] + whole[end:]
            items = editor.complete(uri, kept, cut)
            if not any(applied(kept, item)[0] == whole for item in items):
                faults.append(f"{path.name}: not offered: {whole[begin:end]}: {shown(kept, cut)}")
            last = editor.complete(uri, whole[:cut], cut)
            if not any(applied(whole[:cut], item)[0].startswith(whole[:end]) for item in last):
                faults.append(f"{path.name}: not offered at the end: {whole[begin:end]}: {shown(whole[:cut], cut)}")
            for item in chance.sample(items, min(len(items), 1)):
                # Children say of their parent what is wrong in what they make of it.
                if path.name == "base.tikc.yaml" or f"{item['label']}: null" in text:
                    continue
                others += 1
                faults.extend(f"{path.name}: {item['label']}: {each}" for each in unknown_in(editor, uri, kept, item, wanted))
    check_starter(editor)
    assert editor.client.stop() == 0
    for fault in faults[:60]:
        print(fault)
    print(f"{tried} words, {styled} of them quoted or folded, {editor.asked} answers, {others} other items, {len(faults)} faults")
    return 1 if faults or tried < 100 or styled < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
