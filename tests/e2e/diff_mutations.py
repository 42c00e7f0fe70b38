"""`tikc diff` of every example and what people do to it: each mutation is what it is."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from changed import Diff  # noqa: E402
from harness import ROOT, main  # noqa: E402

EXAMPLES = sorted(path for path in (ROOT / "examples").rglob("*.tikc.yaml") if "broken" not in path.parts)


class Mutations(Diff):
    def documents(self):
        for path in EXAMPLES:
            body = path.read_text()
            if body.count("\ncontract: ") == 1 and "\nextends:" not in body:
                yield path.name, body

    def verdict(self, old, new):
        done = self.between(old, new, None, "--fail-on=none")
        if done.returncode == 2:  # the change made it wrong
            return None
        found = json.loads(done.out)["contracts"]
        return found[0] if found else None  # a base alone

    def test_limits(self):
        seen = set()
        for name, body in self.documents():
            clauses = body[: body.find("\nclaims:")]
            for found in re.finditer(r"(<=|>=) ([0-9.e-]+)(?= |%|\n)(?! })", clauses):
                line = clauses[clauses.rfind("\n", 0, found.start()) : found.start()]
                if "when:" in line or "#" in line:
                    continue
                for factor, outward in ((10, found[1] == "<="), (0.1, found[1] == ">=")):
                    number = float(found[2]) * factor
                    new = body[: found.start(2)] + f"{number:.9f}" + body[found.end(2) :]
                    verdict = self.verdict(body, new)
                    if number == float(found[2]) or verdict is None:
                        continue
                    with self.subTest(name=name, at=body.count("\n", 0, found.start()) + 1, factor=factor):
                        self.assertIn(verdict["effect"], ("looser",) if outward else ("tighter", "looser"))
                        kinds = {row["kind"] for row in verdict["changes"]}
                        # Beyond what another clause leaves, it is not shown by how much.
                        self.assertLessEqual(kinds, {"looser", "may be looser"} if outward else {"tighter"})
                    seen.add((name, outward))
        self.assertGreater(len(seen), 12)

    def test_texts_that_say_the_same(self):
        for name, body in self.documents():
            for old, new in [(r"(\d+) min\b", lambda m: f"{int(m[1]) * 60} s"), (r"(\d+) s\b(?! over| per)", lambda m: f"{int(m[1]) * 1000} ms"),
                             (r" (\d+)%", lambda m: f" {int(m[1]) / 100}"), (r" #.*", ""), (r"<= (0\.\d+)\b(?!%)", r"<= \g<1>00")]:
                changed = re.sub(old, new, body)
                verdict = self.verdict(body, changed) if changed != body else None
                if verdict:
                    with self.subTest(name=name, new=new):
                        self.assertEqual((verdict["effect"], verdict["changes"]), ("same", []))
            with self.subTest(name=name):
                self.assertFalse((self.verdict(body, body) or {}).get("changes"))

    def entries(self, body):
        """The clauses that are measured: their places in the text and their ids."""
        for section in re.finditer(r"(?m)^(?:numerical|statistical|runtime):\n((?:  .*\n|\n)+)", body):
            for found in re.finditer(r"(?m)^  (\w+):.*\n(?:    .*\n)*", section[1]):
                yield section.start(1) + found.start(), section.start(1) + found.end(), found[1]

    def test_clauses_dropped_renamed_and_moved(self):
        dropped = renamed = moved = 0
        for name, body in self.documents():
            entries = list(self.entries(body))
            for begin, end, clause in entries:
                with self.subTest(name=name, clause=clause):
                    if verdict := self.verdict(body, body[:begin] + body[end:]):
                        kinds = {row["kind"] for row in verdict["changes"] if row["part"] == "clause"}
                        self.assertTrue(kinds <= {"removed", "removed, implied"} and kinds, kinds)
                        if "removed" in kinds:
                            self.assertEqual(verdict["effect"], "looser")
                        dropped += 1
                    new = body[:begin] + body[begin:].replace(f"  {clause}:", f"  {clause}_now:", 1)
                    new = re.sub(rf"(violated|undecided|satisfied)\({clause}\)", rf"\1({clause}_now)", new)
                    if verdict := self.verdict(body, new):
                        self.assertEqual([(row["kind"], row["name"]) for row in verdict["changes"]], [("renamed", f"{clause}_now")])
                        renamed += 1
            for (begin, middle, first), (other, end, _) in zip(entries, entries[1:]):
                if middle == other and (verdict := self.verdict(body, body[:begin] + body[other:end] + body[begin:middle] + body[end:])):
                    self.assertEqual(verdict["changes"], [], (name, first))
                    moved += 1
        self.assertGreater(min(dropped, renamed, moved), 15)

    def test_other_statistics(self):
        seen = {"max": 0, "p99": 0}
        for name, body in self.documents():
            for begin, end, clause in self.entries(body):
                for old, new, effect in (("max", "p99", "looser"), ("p99", "max", "tighter")):
                    if f"{old}(" in body[begin:end] and "nonfinite" not in body[begin:end]:
                        verdict = self.verdict(body, body[:begin] + body[begin:end].replace(f"{old}(", f"{new}(") + body[end:])
                        if verdict:
                            self.assertEqual(verdict["effect"], effect, (name, clause))
                            seen[old] += 1
        self.assertGreater(min(seen.values()), 3)

    def test_the_comparator_turned(self):
        turned = 0
        for name, body in self.documents():
            found = re.search(r"\n  (\w+): (max|mean|p99)\([a-z_0-9()]+\) (<=)", body)
            verdict = self.verdict(body, body[: found.start(3)] + ">=" + body[found.end(3) :]) if found else None
            if verdict:
                turned += 1
                self.assertEqual(verdict["effect"], "looser", name)
        self.assertGreater(turned, 3)


if __name__ == "__main__":
    main()
