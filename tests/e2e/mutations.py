"""Each line of each example, lost, moved, or robbed of a sign: one cause brings one finding, and what a safe fix makes of it means
what the example means."""

import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main, run  # noqa: E402


def mutants(text):
    """Each with what was done to which line."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if not line.strip() or line.strip().startswith("#"):
            continue

        def spoilt(new, i=i):
            return "\n".join(lines[:i] + new + lines[i + 1:])

        yield "lost", i + 1, spoilt([])
        yield "indented", i + 1, spoilt(["  " + line])
        if line.startswith("  "):
            yield "dedented", i + 1, spoilt([line[2:]])
        if key := re.match(r"( *)([a-z_]+):", line):
            yield "renamed", i + 1, spoilt([f"{key[1]}qqq{key[2]}{line[key.end(2):]}"])
        for sign in "\"')]}:,":
            if sign in line:
                yield f"without {sign}", i + 1, spoilt([line.replace(sign, "", 1)])


class Mutations(Case):
    @classmethod
    def setUpClass(cls):
        cls.examples = {path.name: path.read_text() for path in sorted((ROOT / "examples").glob("*.tikc.yaml"))
                        if "extends:" not in path.read_text()}

    def written(self):
        """The name of each file, and of what it was made."""
        made = {}
        (self.folder / "m").mkdir()
        for example, text in self.examples.items():
            for what, line, mutant in mutants(text):
                name = f"m/{len(made)}.tikc.yaml"
                (self.folder / name).write_text(mutant)
                made[name] = (example, what, line)
        return made

    def check(self, *options):
        done = run("check", "--alone", "--format=json", *options, "m", cwd=self.folder)
        self.assertIn(done.returncode, (0, 1), done.err)
        return json.loads(done.out)["diagnostics"]

    def test_one_cause_brings_one_finding(self):
        made = self.written()
        errors = Counter(found["file"] for found in self.check() if found["severity"] == "error")
        several = [(errors[name], *made[name]) for name in made if errors[name] > 1]
        # What declares several things, or what several things need, is missed by each.
        self.assertLess(len(several), len(made) // 100, several)

    def test_what_cannot_be_read_is_told(self):
        made = self.written()
        faulty = {found["file"] for found in self.check() if found["severity"] == "error"}
        done = run("fmt", "--check", "m", cwd=self.folder)
        unread = set(re.findall(r"^error\[.*\n *--> (\S+?):", done.out + done.err, re.M))
        self.assertGreater(len(unread), 300)
        self.assertEqual({name: made[name] for name in unread - faulty}, {})

    def test_a_safe_fix_restores_what_was_meant(self):
        made = self.written()
        models = {}
        for example, text in self.examples.items():
            (self.folder / example).write_text(text)
            models[example] = run("dump", example, cwd=self.folder).out
        faulty = {found["file"] for found in self.check() if found["severity"] == "error"}
        left = {found["file"] for found in self.check("--fix") if found["severity"] == "error"}
        mended = sorted(faulty - left)
        self.assertGreater(len(mended), 100)
        for name in mended:
            example, what, line = made[name]
            with self.subTest(example, what=what, line=line):
                self.assertEqual(run("dump", name, cwd=self.folder).out, models[example], (self.folder / name).read_text())


main()
