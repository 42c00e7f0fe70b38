"""Each number, unit, comparison, aggregate and entry of each example, changed as a slip would: nothing crashes, what means the same is found the same,
and a table says which slips are told, by which codes, and which are not: a contract that says less is as good as any, unless it is compared with what it
was."""

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main, run  # noqa: E402

FLIPPED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "!="}
AGGREGATES = {"max": "mean", "mean": "max", "p99": "p50", "p999": "p90", "p95": "p50", "count": "sum", "rate": "mean", "rms": "mean"}
UNITS = {"nat": "bit", "bit": "nat", "s": "ms", "ms": "s", "min": "h", "h": "min", "tokens": "requests", "requests": "tokens"}
NUMBER = r"(?<![\w.-])(\d[\d_]*(?:\.\d+)?(?:e-?\d+)?)(?![\w.])"
# What another order, another name or nothing but words changes.
SAME = {"reordered", "renamed", "said otherwise"}


def scaled(number, by):
    value = float(number.replace("_", "")) * by
    return str(int(value)) if value == int(value) else repr(value)


def slips(text):
    """What was done, and the text with it."""
    lines = text.split("\n")

    def spoilt(i, *new):
        return "\n".join(lines[:i] + list(new) + lines[i + 1:])

    section = None
    for i, line in enumerate(lines):
        code = line.split(" #")[0]
        if head := re.match(r"([a-z]+):", code):
            section = head[1]
        entry = re.match(r"  ([a-z]\w*): \S", code)
        if section in {"tikc", "contract", "version", "summary", "owners"} or not code.strip() or code.lstrip().startswith("#"):
            continue
        if entry:
            yield f"dropped of {section}", spoilt(i)
            following = lines[i + 1] if i + 1 < len(lines) else ""
            # Of slices and rules the order means something, and so does that of stages.
            if re.match(r"  ([a-z]\w*): \S", following) and section in {"numerical", "statistical", "runtime", "claims", "labels", "load"}:
                yield "reordered", "\n".join(lines[:i] + [following, line] + lines[i + 2:])
            if section in {"numerical", "statistical", "runtime", "claims"} and not re.search(rf"\({entry[1]}\)", text):
                yield "renamed", spoilt(i, line.replace(entry[1], entry[1] + "_2", 1))
        for match in re.finditer(NUMBER, code):
            for what, by in (("times ten", 10), ("by ten", 0.1)):
                yield f"{what} in {section}", spoilt(i, line[:match.start()] + scaled(match[1], by) + line[match.end():])
        for match in re.finditer(r"(?<=\d )([a-z]+)\b", code):
            if match[1] in UNITS:
                yield f"another unit in {section}", spoilt(i, line[:match.start()] + UNITS[match[1]] + line[match.end():])
        for match in re.finditer(r"\d%", code):
            yield f"no percent in {section}", spoilt(i, line[:match.end() - 1] + line[match.end():])
        for match in re.finditer(r" (<=|>=|<|>|==) ", code):
            yield f"flipped in {section}", spoilt(i, line[:match.start(1)] + FLIPPED[match[1]] + line[match.end(1):])
        if section in {"numerical", "statistical", "runtime"}:
            for match in re.finditer(r"\b([a-z0-9]+)(?=\()", code):
                if match[1] in AGGREGATES:
                    yield f"another aggregate in {section}", spoilt(i, line[:match.start()] + AGGREGATES[match[1]] + line[match.end():])


class Meanings(Case):
    def test_slips(self):
        made, kept = {}, {}
        (self.folder / "m").mkdir()
        for path in sorted((ROOT / "examples").glob("*.tikc.yaml")):
            text = path.read_text()
            if "extends:" in text:
                continue
            for what, mutant in slips(text):
                if mutant == text:
                    continue
                name = f"m/{len(made)}.tikc.yaml"
                (self.folder / name).write_text(mutant)
                made[name] = what
                kept[name] = path.name
        done = run("check", "--alone", "--format=json", "m", cwd=self.folder)
        self.assertIn(done.returncode, (0, 1), done.err)
        told = defaultdict(set)
        for found in json.loads(done.out)["diagnostics"]:
            told[found["file"]].add(found["code"])
        slipped, caught, codes = Counter(), Counter(), defaultdict(Counter)
        for name, what in made.items():
            slipped[what] += 1
            caught[what] += name in told
            codes[what].update(told[name])
            if what in SAME:
                self.assertEqual(told[name], set(), f"{kept[name]}: {what}: {(self.folder / name).read_text()}")
        for what in sorted(slipped):
            most = ", ".join(f"{code} {count}" for code, count in codes[what].most_common(4))
            print(f"{what:32} {caught[what]:4} of {slipped[what]:4} told  {most}")
        print(f"{'all':32} {sum(caught.values()):4} of {sum(slipped.values()):4} told")
        for what in ("flipped in numerical", "flipped in statistical", "flipped in runtime", "flipped in claims", "no percent in slices"):
            self.assertGreater(caught[what], 0.6 * slipped[what], what)


main()
