"""Random YAML documents, read by tikc and by ruamel.yaml: structure, values, types' text and places must agree.

ruamel.yaml shares no code with tikc's reader. It composes nodes, so nothing depends on how it would build values.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, TIKC  # noqa: E402

try:
    import ruamel.yaml
except ImportError:
    print("skipped: python3-ruamel.yaml is missing")
    sys.exit(77)

warnings.simplefilter("ignore")

SEED = int(os.environ.get("TIKC_SEED", "20240607"))
BATCHES = int(os.environ.get("TIKC_BATCHES", "25"))
WORDS = ["alpha", "beta", "größe", "λ", "日本", "x1", "p99", "50%", "a-b", "it's", 'say "hi"', "1e-4", "3.5", "-7",
         "true", "nul", "<=", "f(x)", "a:b", "c#d", "🙂", "0.5_2", "~x", "back\\slash"]


class Writer:
    """Writes a random document and nothing that the two readers are known to differ on."""

    def __init__(self, rng):
        self.rng = rng
        self.anchors = []
        self.count = 0

    def words(self, flow=False, first=True):
        chosen = [self.rng.choice(WORDS) for _ in range(self.rng.randint(1, 4))]
        text = " ".join(chosen)
        if text[0] in "~<'\"-" and first:
            text = "w" + text
        return text

    def pad(self):
        return " " * self.rng.randint(1, 2)

    def comment(self):
        return self.rng.choice(["", "", "", "  # " + self.words(), " #"])

    def folds(self, pieces, indent):
        """Joins pieces with a blank, a line break or several."""
        out = pieces[0]
        for piece in pieces[1:]:
            breaks = self.rng.choice([0, 0, 1, 1, 2, 3])
            if breaks == 0:
                out += " " + piece
            else:
                trail = self.rng.choice(["", " ", "  "])
                empty = "".join(self.rng.choice(["", "  "]) + "\n" for _ in range(breaks - 1))
                out += trail + "\n" + empty + indent + piece
        return out

    def plain(self, indent, multiline):
        pieces = [self.words(first=i == 0) for i in range(self.rng.randint(1, 3) if multiline else 1)]
        return self.folds(pieces, indent) if multiline else pieces[0]

    def single(self, indent, multiline):
        pieces = [self.words().replace("'", "''") for _ in range(self.rng.randint(1, 3) if multiline else 1)]
        return "'" + (self.folds(pieces, indent) if multiline else pieces[0]) + "'"

    def double(self, indent, multiline):
        def piece():
            text = self.words().replace("\\", "\\\\").replace('"', '\\"')
            return text + self.rng.choice(["", "\\n", "\\t", "\\x41", "\\u00e9", "\\U0001F600", "\\_", "\\ ", "\\/", "\\0", "\\e"])
        pieces = [piece() for _ in range(self.rng.randint(1, 3) if multiline else 1)]
        text = self.folds(pieces, indent) if multiline else pieces[0]
        if multiline and self.rng.random() < 0.3:
            text += self.rng.choice(["", " "]) + "\\\n" + indent + piece()
        return '"' + text + '"'

    def block(self, indent):
        width = self.rng.randint(1, 4)
        lines = []
        for i in range(self.rng.randint(1, 5)):
            extra = self.rng.choice(["", "", "", "  ", "\t"]) if i else ""
            lines.append(indent + " " * width + extra + self.words(first=False))
            for _ in range(self.rng.choice([0, 0, 0, 1, 2])):
                lines.append(self.rng.choice(["", indent]))
        lead = [""] * self.rng.choice([0, 0, 0, 1])
        header = self.rng.choice("|>") + self.rng.choice(["", "", "-", "+"])
        if self.rng.random() < 0.2:
            header += str(width)
        return header + self.rng.choice(["", "", "  # c"]) + "\n" + "\n".join(lead + lines)

    def flow(self, depth, indent):
        kind = self.rng.random()
        if depth <= 0 or kind < 0.5:
            return self.rng.choice([
                lambda: self.rng.choice(["a", "b c", "größe", "1.5", "true", "null", "~", "p99(x) <= 1"]),
                lambda: self.single(indent, False), lambda: self.double(indent, False)])()
        gap = lambda: self.rng.choice(["", " ", "\n" + indent, " # c\n" + indent])
        if kind < 0.75:
            items = [self.flow(depth - 1, indent) for _ in range(self.rng.randint(0, 3))]
            tail = "," if items and self.rng.random() < 0.2 else ""
            return "[" + gap() + ("," + self.rng.choice([" ", "\n" + indent])).join(items) + tail + gap() + "]"
        entries = []
        closing = gap()
        for _ in range(self.rng.randint(0, 3)):
            self.count += 1
            key = f"k{self.count}"
            form = self.rng.random()
            if form < 0.1 and "\n" not in closing:  # yaml-cpp 0.7 wants the bracket on the same line
                entries.append(key)
            elif form < 0.2:
                entries.append(f'"{key}":' + self.flow(depth - 1, indent))
            else:
                entries.append(key + ": " + self.flow(depth - 1, indent))
        return "{" + gap() + ", ".join(entries) + closing + "}"

    def value(self, depth, indent, after):
        """What follows `key:` or `-`, from its blank to its line's end."""
        prefix = ""
        anchor = None
        if self.rng.random() < 0.1:
            self.count += 1
            anchor = f"n{self.count}"
            prefix = f" &{anchor}"
        deeper = indent + " " * self.rng.randint(1, 3)
        pick = self.rng.random()
        if pick < 0.05 and self.anchors and not anchor:
            out = " *" + self.rng.choice(self.anchors) + self.comment() + "\n"
        elif pick < 0.1:
            out = prefix + self.comment() + "\n"
        elif pick < 0.3:
            out = prefix + self.pad() + self.plain(deeper, self.rng.random() < 0.5) + self.comment() + "\n"
        elif pick < 0.4:
            out = prefix + self.pad() + self.single(deeper, self.rng.random() < 0.5) + self.comment() + "\n"
        elif pick < 0.5:
            out = prefix + self.pad() + self.double(deeper, self.rng.random() < 0.5) + self.comment() + "\n"
        elif pick < 0.6:
            out = prefix + " " + self.block(indent) + "\n"
        elif pick < 0.75:
            out = prefix + " " + self.flow(3, deeper) + self.comment() + "\n"
        elif depth > 0:
            inner = self.mapping if self.rng.random() < 0.6 else self.sequence
            if after == "-" and not prefix and self.rng.random() < 0.5:
                gap = self.rng.randint(1, 2)
                body = inner(depth - 1, indent + " " * (gap + 1))
                out = " " * gap + body.lstrip(" ")
            else:
                out = prefix + self.comment() + "\n" + inner(depth - 1, deeper)
        else:
            out = prefix + " " + self.words() + "\n"
        if anchor:
            self.anchors.append(anchor)
        return out

    def mapping(self, depth, indent):
        out = ""
        for _ in range(self.rng.randint(1, 4)):
            if out and self.rng.random() < 0.15:
                out += self.rng.choice(["\n", indent + "# note\n", "   # elsewhere\n"])
            self.count += 1
            key = self.rng.choice([f"key{self.count}", f"größe {self.count}", f'"q{self.count}"', f"'s{self.count}'"])
            out += indent + key + ":" + self.value(depth, indent, ":")
        return out

    def sequence(self, depth, indent):
        return "".join(indent + "-" + self.value(depth, indent, "-") for _ in range(self.rng.randint(1, 4)))


def document(rng):
    writer = Writer(rng)
    return writer.mapping(3, "") if rng.random() < 0.8 else writer.sequence(3, "")


STYLES = {None: "plain", "": "plain", "'": "single", '"': "double", "|": "literal", ">": "folded"}


def compare(ours, theirs, path, faults):
    def fault(what, a, b):
        faults.append(f"{path}: {what}: tikc {a!r}, ruamel {b!r}")

    kind = {"ScalarNode": "scalar", "SequenceNode": "sequence", "MappingNode": "mapping"}[type(theirs).__name__]
    if ours["kind"] != kind:
        return fault("kind", ours["kind"], kind)
    if "alias" not in ours:
        empty = kind == "scalar" and ours["style"] == "empty"
        start = [theirs.start_mark.line + 1, theirs.start_mark.column + 1]
        if not empty and ours["span"][:2] != start and not theirs.anchor:
            fault("start", ours["span"], start)
        end = [theirs.end_mark.line + 1, theirs.end_mark.column + 1]
        exact = ours.get("flow") or (kind == "scalar" and ours["style"] in ("plain", "single", "double"))
        if exact and ours["span"][2:] != end:
            fault("end", ours["span"], end)
    if kind == "scalar":
        if ours["value"] != theirs.value:
            fault("value", ours["value"], theirs.value)
        style = STYLES[theirs.style]
        if ours["style"] != style and not (ours["style"] == "empty" and theirs.value == ""):
            fault("style", ours["style"], style)
    elif kind == "sequence":
        if len(ours["items"]) != len(theirs.value):
            return fault("length", len(ours["items"]), len(theirs.value))
        for i, (a, b) in enumerate(zip(ours["items"], theirs.value)):
            compare(a, b, f"{path}[{i}]", faults)
    else:
        if len(ours["entries"]) != len(theirs.value):
            return fault("length", len(ours["entries"]), len(theirs.value))
        for entry, (key, value) in zip(ours["entries"], theirs.value):
            compare(entry["key"], key, path + "/key", faults)
            compare(entry["value"], value, f"{path}/{key.value}", faults)


def main():
    rng = random.Random(SEED)
    compared = 0
    for batch in range(BATCHES):
        documents = [document(rng) for _ in range(40)]
        text = "---\n" + "---\n".join(documents)
        if batch % 3 == 1:
            text = text.replace("\n", "\r\n")
        theirs = list(ruamel.yaml.compose_all(text, Loader=ruamel.yaml.SafeLoader))
        data = (b"\xef\xbb\xbf" if batch % 4 == 2 else b"") + text.encode()
        with tempfile.NamedTemporaryFile(suffix=".tikc.yaml") as file:
            file.write(data)
            file.flush()
            run = subprocess.run([TIKC, "dump", "--stage=tree", file.name], capture_output=True, timeout=PATIENCE)
        if run.returncode > 1:
            print(run.stderr.decode(errors="replace"))
            return 1
        ours = json.loads(run.stdout)["documents"]
        if len(ours) != len(theirs):
            print(f"seed {SEED} batch {batch}: {len(ours)} documents, ruamel has {len(theirs)}")
            return 1
        for i, (a, b) in enumerate(zip(ours, theirs)):
            faults = [] if a["complete"] else ["incomplete"]
            compare(a["root"], b, "", faults)
            if faults:
                print(f"seed {SEED} batch {batch} document {i}:")
                print(documents[i])
                print("\n".join(faults[:10]))
                print(run.stderr.decode(errors="replace"))
                return 1
            compared += 1
    print(f"{compared} documents agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
