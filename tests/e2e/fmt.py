"""tikc fmt: canonical style, idempotent, and what a contract says never changes."""

import os
import random
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import CLEAN, FAULTY, ROOT, TIKC, Case, main, run  # noqa: E402

EXAMPLES = sorted((ROOT / "examples").glob("**/*.tikc.yaml"))
CASES = sorted((ROOT / "tests/diag").glob("TK*/*.tikc.yaml"))
CORPUS = sorted(p for p in (ROOT / "tests/fuzz/corpus").glob("**/*") if p.is_file())

# Each text and what it becomes.
STYLES = {
    "flow": ("pair: {train:  a ,infer: [ b,c ],  e: { },f: [ ]}\n", "pair: { train: a, infer: [b, c], e: {}, f: [] }\n"),
    "flow over lines": ("a: {b: 1,\n        c: [\n  1,\n      # one\n 2\n ]}\nd: 1\n",
                        "a: { b: 1,\n  c: [\n    1,\n    # one\n    2\n  ] }\nd: 1\n"),
    "blocks": ("a:\n     b:\n        c: 1\n     d:\n     - 1\n     -   e: 1\n         f: 2\n", "a:\n  b:\n    c: 1\n  d:\n    - 1\n    - e: 1\n      f: 2\n"),
    "lists in lists": ("a:\n- - 1\n  -  2\n-    - 3\n", "a:\n  - - 1\n    - 2\n  - - 3\n"),
    "empty lines": ("\n\n\na: 1\n\n\n\nb: 2   \n\n\n", "a: 1\n\nb: 2\n"),
    "final line feed": ("a: 1\nb: 2", "a: 1\nb: 2\n"),
    "documents": ("a:  1\n\n\n---\n\n\nb:  1\n...\n", "a: 1\n\n---\n\nb: 1\n...\n"),
    "comments": ("#  top   \na:\n    # of b\n    b: 1    # beside\n    # of a\n  # of a's block\n# of c\nc: 1\n# end\n",
                 "#  top\na:\n  # of b\n  b: 1    # beside\n  # of a\n# of a's block\n# of c\nc: 1\n# end\n"),
    "comment where a value may be": ("a:\n      # nothing yet\nb: 1\n", "a:\n  # nothing yet\nb: 1\n"),
    "aligned comments": ("numerical:\n  a: max(tv)<=1     # one\n  bcd: max(tv) <= 1  # two\n  e: max(tv)<=1 # three\n",
                         "numerical:\n  a: max(tv) <= 1     # one\n  bcd: max(tv) <= 1  # two\n  e: max(tv) <= 1 # three\n"),
    "comments in one column": ("numerical:\n  a: max(tv)<=1     # one\n  b: max(tv) <= 1   # two\n", "numerical:\n  a: max(tv) <= 1   # one\n  b: max(tv) <= 1   # two\n"),
    "comment under a comment": ("a:  1    # one\n         # more\nb: 1\n", "a: 1     # one\n         # more\nb: 1\n"),
    "quotes": ("a: 'b'\nc: \"d\"\n'e' : f\n", "a: 'b'\nc: \"d\"\n'e': f\n"),
    "aliases": ("a: &x   1\nb: *x\nc: { d: *x , e: 1 }\n", "a: &x 1\nb: *x\nc: { d: *x, e: 1 }\n"),
    "anchored block": ("a:  &x\n    b: 1\nc:   *x\n", "a: &x\n  b: 1\nc: *x\n"),
    "value on its own line": ("a:\n      b\nc:\n    [1,2]\n", "a:\n  b\nc:\n  [1, 2]\n"),
    "literal": ("a:\n    b: |  # why\n         x\n           y   \n\n         z\n    c: 1\n", "a:\n  b: |  # why\n    x\n      y   \n\n    z\n  c: 1\n"),
    "literal with an indicator": ("a:\n    b: |2\n        x\n         y\n", "a:\n  b: |2\n      x\n       y\n"),
    "kept line feeds": ("a: |+\n    x\n\n\n\nb: 1\n", "a: |+\n  x\n\n\n\nb: 1\n"),
    "literal at the end": ("a: |\n    x", "a: |\n  x"),
    "folded plain": ("a: one\n     two\n\n      three\nb: 1\n", "a: one\n  two\n\n  three\nb: 1\n"),
    "folded quoted": ("a: \"one   \n     two\\\n     \\ three\\ \n four\"\n", "a: \"one\n  two\\\n  \\ three\\ \n  four\"\n"),
    "a text by itself": ("&a\n\n    c\n # end\n", "&a\n\n  c\n# end\n"),
    "an anchor by itself": ("a:\n   # c\n      &x\nb:\n   &y\n   c: 1\n&z d: 1\n", "a:\n  # c\n  &x\nb:\n  &y\n  c: 1\n&z d: 1\n"),
    "a mark where none leads": ("  \n \ufeffa:\n      b: 1\n", "  \n \ufeffa:\n      b: 1\n"),
    "a mark that leads": ("\ufeff  \n a:\n      b: 1\n", "\ufeffa:\n  b: 1\n"),
    "lone values": ("a: { b: , c:, d }\n", "a: { b: , c: , d }\n"),
}

# Plain expressions, by the key that holds them.
EXPRESSIONS = [
    ("numerical:\n  a: ", "p99( abs(logprob_gap) )<=0.1nat   over 50_000tokens with  confidence 99 %", "p99(abs(logprob_gap)) <= 0.1 nat over 50_000 tokens with confidence 99%"),
    ("numerical:\n  a: ", "median( k3 )<=1", "median(k3) <= 1"),
    ("numerical:\n  a: ", "mean(ratio)in[0.99 ,1.01]", "mean(ratio) in [0.99, 1.01]"),
    ("numerical:\n  a: { require: ", "max(tv)<=1 and max(tv)>-1", "max(tv) <= 1 and max(tv) > -1"),
    ("slices:\n  a: { when: ", "not(prompt_tokens>=8192)or task==\"a  b\"", "not (prompt_tokens >= 8192) or task == \"a  b\""),
    ("slices:\n  a:\n    when: ", "task in{\"a\",\"b\"}", "task in {\"a\", \"b\"}"),
    ("escalation:\n  r:\n    when: ", "violated( any )for 2windows", "violated(any) for 2 windows"),
    ("escalation:\n  r:\n    do:\n      - ", "route( safe ,probe = 1 % )", "route(safe, probe=1%)"),
    ("load: { tokens: ", "200_000   per  s", "200_000 per s"),
    ("assumptions:\n  correction: ", "tis( 2 )", "tis(2)"),
    ("observability:\n  rows: ", "sample(logits,1 %)", "sample(logits, 1%)"),
    ("observability:\n  rows:\n    require: ", "sample(logits,1 %)", "sample(logits, 1%)"),
    ("summary: ", "p99(tv)<=0.1", "p99(tv)<=0.1"),
    ("numerical:\n  a: ", "'p99(tv)<=0.1'", "'p99(tv)<=0.1'"),
    ("numerical:\n  a: ", "p99(tv)<==0.1", "p99(tv)<==0.1"),
]


class Fmt(Case):
    def fmt(self, text, status=0):
        return self.expect(status, "fmt", "-", stdin=text).stdout

    def test_the_examples_are_the_style(self):
        self.assertGreater(len(EXAMPLES), 9)
        for path in EXAMPLES + CASES:
            with self.subTest(path):
                done = run("fmt", "-", stdin=path.read_bytes())
                self.assertIn(done.returncode, (0, 1))
                self.assertEqual(done.stdout, path.read_bytes())

    def test_styles(self):
        for name, (text, wanted) in STYLES.items():
            for end in ("\n", "\r\n"):
                with self.subTest(name, end=end):
                    self.assertEqual(self.fmt(text.replace("\n", end)).decode(), wanted.replace("\n", end))
                    self.assertEqual(self.fmt(wanted.replace("\n", end)).decode(), wanted.replace("\n", end))

    def test_expressions(self):
        for head, text, wanted in EXPRESSIONS:
            with self.subTest(text):
                tail = " }\n" if "{" in head else "\n"
                self.assertEqual(self.fmt(head + text + tail).decode(), head + wanted + tail)

    def test_line_endings_become_one(self):
        self.assertEqual(self.fmt(b"a:  1\r\nb: 2\nc: 3\r\n"), b"a: 1\r\nb: 2\nc: 3\r\n".replace(b"2\n", b"2\r\n"))
        self.assertEqual(self.fmt(b"\xef\xbb\xbfa:  1\n"), b"\xef\xbb\xbfa: 1\n")

    def mutated(self, text, chance):
        """Blanks added and indentation changed where that changes nothing."""
        lines = []
        factor = chance.choice([1, 2, 3])
        for line in text.splitlines():
            body = line.lstrip(" ")
            indent = " " * ((len(line) - len(body)) * factor)
            if not any(c in body for c in "#'\"") and not body.startswith(("because", "summary")):
                body = body.replace(": ", ":" + " " * chance.randint(1, 3))
                body = body.replace(", ", chance.choice([",", " ,  ", ", "]) if "{" not in body and "[" in body else chance.choice([" ,  ", ", "]))
                body = body.replace("{ ", chance.choice(["{", "{ ", "{   "])).replace(" }", chance.choice(["}", "   }"]))
                body += " " * chance.randint(0, 2)
            lines.append(indent + body)
            if body == "" and chance.random() < 0.5:
                lines.append("")
        return "\n".join(lines) + "\n" * chance.randint(0, 3)

    def test_mutated_examples_come_back(self):
        chance = random.Random(3)
        for path in EXAMPLES:
            text = path.read_text()
            if run("fmt", "--check", path).returncode:
                continue  # examples/broken
            for _ in range(6):
                with self.subTest(path.name):
                    mutated = self.mutated(text, chance)
                    self.assertEqual(self.fmt(mutated).decode(), text, mutated)

    def test_random_blanks_change_nothing_that_is_said(self):
        chance = random.Random(11)
        wholes = [p.read_bytes() for p in EXAMPLES + CASES + CORPUS if p.stat().st_size < 20000]
        formatted = 0
        for _ in range(700):
            text = chance.choice(wholes)
            for _ in range(chance.choice([1, 2, 5])):
                places = [i for i in range(len(text)) if text[i:i + 1] in b" ,:{}[]()<=\n#\"'-|>&*"]
                at = chance.choice(places) if places else 0
                put = chance.choice([b" ", b"   ", b"\n", b"\t", b"\n\n\n", b" # c", b"\n# c\n", b"\n      ", b" \n"])
                text = text[:at] + put + text[at:]
            if chance.random() < 0.2:
                text = text.replace(b"\n", b"\r\n")
            done = run("fmt", "-", stdin=text)
            self.assertIn(done.returncode, (0, 1), (text, done.err))
            if done.returncode == 1:
                self.assertEqual(done.stdout, text, "a file with faults is left alone")
                self.assertIn("error[TK", done.err)
                continue
            formatted += 1
            self.assertEqual(b"".join(done.stdout.split()), b"".join(text.split()))
            self.assertEqual(run("fmt", "-", stdin=done.stdout).stdout, done.stdout, text)
            before, after = (run("dump", "-", stdin=t) for t in (text, done.stdout))
            self.assertEqual((before.returncode, before.stdout), (after.returncode, after.stdout), text)
        self.assertGreater(formatted, 100)

    def test_files_are_written(self):
        loose = CLEAN.replace("pair: {", "pair:   {")
        a, b = self.write("a.tikc.yaml", loose), self.write("b.tikc.yaml", CLEAN)
        a.chmod(0o640)
        before = b.stat().st_mtime_ns, b.stat().st_ino
        self.assertEqual(self.expect(0, "fmt").out, "formatted a.tikc.yaml\n")
        self.assertEqual((a.read_text(), a.stat().st_mode & 0o777), (CLEAN, 0o640))
        self.assertEqual((b.stat().st_mtime_ns, b.stat().st_ino), before, "what is formatted is not written")
        self.assertEqual(self.expect(0, "fmt").out, "")

    def test_check_and_diff_write_nothing(self):
        loose = CLEAN.replace("pair: {", "pair:   {")
        file = self.write("a.tikc.yaml", loose)
        self.assertEqual(self.expect(1, "fmt", "--check").out, "a.tikc.yaml\n")
        out = self.expect(1, "fmt", "--diff").out
        self.assertTrue(out.startswith("--- a.tikc.yaml\n+++ a.tikc.yaml\n@@ -4,4 +4,4 @@\n"), out)
        self.assertIn("-pair:   {", out)
        self.assertEqual(file.read_text(), loose)
        self.expect(0, "fmt")
        self.assertEqual(self.expect(0, "fmt", "--check").out, "")
        self.assertEqual(self.expect(0, "fmt", "--diff").out, "")

    def test_a_file_with_syntax_errors_is_left_alone(self):
        broken = self.write("a.tikc.yaml", "a:   [1,\n")
        self.write("b.tikc.yaml", "a:   1\n")
        done = self.expect(1, "fmt")
        self.assertIn("error[TK1006]", done.err)
        self.assertIn("a.tikc.yaml:1:6", done.err)
        self.assertEqual(done.out, "formatted b.tikc.yaml\n")
        self.assertEqual(broken.read_text(), "a:   [1,\n")
        self.assertEqual(self.fmt("a:   [1,\n", status=1), b"a:   [1,\n")

    def test_other_errors_do_not_matter(self):
        self.assertEqual(self.fmt("modle:   {a: 1}\nnumerical: {a: p98 (tv)<=2}\n"), b"modle: { a: 1 }\nnumerical: { a: p98(tv) <= 2 }\n")

    def test_directives_stay(self):
        self.assertEqual(self.fmt("%YAML 1.2 # why  \n\n\n# c\n---   \na:   1\n...\n%YAML 1.2\n---\nb:   1\n"),
                         b"%YAML 1.2 # why\n\n# c\n---\na: 1\n...\n%YAML 1.2\n---\nb: 1\n")
        self.assertEqual(self.fmt("\ufeff%YAML 1.2\r\n---\r\na:   1\r\n"), "\ufeff%YAML 1.2\r\n---\r\na: 1\r\n".encode())
        self.assertEqual(self.fmt("%YAML 1.2\na:   1\n", status=1), b"%YAML 1.2\na:   1\n", "which is no YAML")

    def test_suppressions_still_hold(self):
        text = CLEAN + "owners:\n      # tikc: allow TK1013 -- a name\n      - on\nlabels: { a: [yes] }    # tikc: allow TK1013 -- a label\n"
        self.write("a.tikc.yaml", text)
        self.expect(0, "check", "--fail-on=note", "a.tikc.yaml")
        self.expect(0, "fmt", "a.tikc.yaml")
        self.expect(0, "check", "--fail-on=note", "a.tikc.yaml")

    def test_links(self):
        outside = self.write("outside.tikc.yaml", "a:   1\n")
        (self.folder / "in").mkdir()
        (self.folder / "in/b.tikc.yaml").symlink_to("../outside.tikc.yaml")
        self.assertEqual(self.expect(0, "fmt", "in").out, "")
        self.assertEqual(outside.read_text(), "a:   1\n")
        self.expect(0, "fmt", "in/b.tikc.yaml")
        self.assertEqual(outside.read_text(), "a: 1\n")
        self.assertTrue((self.folder / "in/b.tikc.yaml").is_symlink())

    def test_several_names_of_a_file_stay_one(self):
        for words, text, said in [(["fmt"], "a:   1\n", "a: 1\n"), (["check", "--fix"], FAULTY.replace("{}", "{ horizon: 4096 tokens }"), "model: {")]:
            with self.subTest(words=words):
                file = self.write("a.tikc.yaml", text)
                other = self.folder / "b.tikc.yaml"
                other.unlink(missing_ok=True)
                os.link(file, other)
                self.expect(0, *words)
                self.assertIn(said, other.read_text())
                self.assertTrue(os.path.samefile(file, other))

    def test_a_full_disk_leaves_the_file_whole(self):
        text = "a:   1 # " + "x" * 9000 + "\n"
        file = self.write("a.tikc.yaml", text)
        done = self.tikc("fmt", "a.tikc.yaml", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual((done.returncode, done.out), (3, ""))
        self.assertIn("cannot write", done.err)
        self.assertEqual(file.read_text(), text)
        self.assertEqual(os.listdir(self.folder), ["a.tikc.yaml"])
        with open("/dev/full", "wb") as full:
            done = subprocess.run([TIKC, "fmt", "-"], input=b"a: 1\n", stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)

    def test_wrong_use(self):
        self.expect(2, "fmt", "missing.tikc.yaml")
        self.expect(2, "fmt", ".")
        self.write("a.tikc.yaml")
        self.expect(2, "fmt", "-", "a.tikc.yaml", stdin=CLEAN)
        self.expect(2, "fmt", "-", stdin=b"# " + b"x" * (17 << 20))

    def test_long_files_take_no_time(self):
        deep = b"".join(b" " * (i % 3) + b"# c\n" for i in range(100_000))
        self.fmt(b"a:   1\n" + deep)
        self.fmt(b"a: [" + b"1 ,2," * 50_000 + b"3]\n")
        self.fmt(b"a:\n" + b"".join(b"     k%d: { a: 1,b: 2}   # c\n" % i for i in range(20_000)))


main()
