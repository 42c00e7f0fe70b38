"""tikc check --fix: what it applies, in which order, what it leaves alone, and how it ends."""

import json
import os
import random
import re
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import CLEAN, FAULTY, ROOT, TIKC, WARNED, Case, main  # noqa: E402

# What a hand gets wrong, and what it meant: each has one safe fix that restores the text.
SLIPS = [
    ("kernels:", "kernel:"),
    ("pair: {", "pairs: {"),
    ("model: {", "modle: {"),
    ("labels: {", "lables: {"),
    ("vocabulary:", "vocabularly:"),
    ("horizon: 4096 tokens", "horzon: 4096 tokens"),
    ("45 s over", "45 sec over"),
    ("p99(abs(logprob_gap))", "p99(abs(LogprobGap))"),
    ("p99(latency)", "p99(e2e_latency)"),
    ("mean(k3)", "average(k3)"),
    ("max(logit_osc) <=", "max(logit_osc) =<"),
    ("mean(k3)", "mean(K3)"),
    ('task == "math"', 'task = "math"'),
    ("'route(safe, probe=1%)'", "route(safe, probe=1%)"),
    ("violated(worst_drift) for 2 windows", "violated(Worst_Drift) for 2 windows"),
    ("satisfied(worst_drift)", "Satisfied(worst_drift)"),
    ("sample(logits, 0.2%)", "Sample(logits, 0.2%)"),
    ("over 50_000 tokens", "over 50_000 tok"),
    ("engine: fsdp2", "engnie: fsdp2"),
]


def apply_edits(text, edits):
    for edit in sorted(edits, key=lambda e: e["range"]["start"]["offset"], reverse=True):
        start, end = (edit["range"][side]["offset"] for side in ("start", "end"))
        text = text[:start] + edit["text"].encode() + text[end:]
    return text


def patch(text, diff):
    """Applies a unified diff, strictly: every line that it names must be there."""
    lines, out, at = text.splitlines(keepends=True), [], 0
    body = diff.splitlines(keepends=True)[2:]
    for i, line in enumerate(body):
        if head := re.match(rb"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@", line):
            first, count = int(head[1]), head[2]
            first -= count != b"0"
            out += lines[at:first]
            at = first
        elif line[:1] in b" -+":
            content = line[1:]
            if i + 1 < len(body) and body[i + 1].startswith(b"\\"):
                content = content[:-1]
            if line[:1] != b"+":
                assert lines[at] == content, (lines[at], content)
                at += 1
            if line[:1] != b"-":
                out.append(content)
    return b"".join(out + lines[at:])


class Fix(Case):
    def findings(self, *arguments, **options):
        return json.loads(self.tikc("check", "--format=json", *arguments, **options).out)

    def test_every_example_is_mended_as_its_fix_says(self):
        mended = 0
        for path in sorted((ROOT / "tests/diag").glob("TK*/avoid.tikc.yaml")):
            if path.parent.joinpath("options").exists():
                continue
            with self.subTest(path.parent.name):
                text = path.read_bytes()
                file = self.write("a.tikc.yaml", text)
                before = self.findings("a.tikc.yaml")["diagnostics"]
                fixes = [next((f for f in d["fixes"] if f["safe"]), None) for d in before]
                done = self.findings("--fix", "a.tikc.yaml")
                if len([f for f in fixes if f]) == 1:
                    mended += 1
                    edits = next(f for f in fixes if f)["edits"]
                    self.assertEqual(file.read_bytes(), apply_edits(text, edits))
                    self.assertEqual(len(done["fixed"]), 1)
                self.assertFalse([d for d in done["diagnostics"] for f in d["fixes"] if f["safe"]])
                again = file.read_bytes()
                self.tikc("check", "--fix", "a.tikc.yaml")
                self.assertEqual(file.read_bytes(), again, "a second run has nothing left to do")
        self.assertGreater(mended, 20)

    def test_unsafe_fixes_end_every_finding_that_has_one(self):
        mended = 0
        for path in sorted((ROOT / "tests/diag").glob("TK*/avoid.tikc.yaml")):
            if path.parent.joinpath("options").exists():
                continue
            with self.subTest(path.parent.name):
                self.write("a.tikc.yaml", path.read_bytes())
                done = self.findings("--fix", "--unsafe", "a.tikc.yaml")
                mended += any(not f["safe"] for f in done["fixed"])
                for found in done["diagnostics"]:
                    # A fix with a gap is for the author to fill, and one of several for the author to choose.
                    whole = [f for f in found["fixes"] if not any("…" in e["text"] for e in f["edits"])]
                    self.assertNotEqual(len(whole), 1, found)
                    self.assertFalse([f for f in whole if f["safe"]])
        self.assertGreater(mended, 8)

    def test_random_slips_are_all_mended(self):
        chance = random.Random(7)
        whole = (ROOT / "examples/qwen3-8b-rl.tikc.yaml").read_text()
        whole = whole.replace("../schemas", "schemas")
        for good, _ in SLIPS:
            self.assertIn(good, whole)
        for _ in range(25):
            text = whole
            for good, bad in chance.sample(SLIPS, chance.randint(1, 9)):
                text = text.replace(good, bad, 1)
            style = chance.choice(["\n", "\r\n"])
            mark = chance.choice(["", "\ufeff"])
            slip = (mark + text.replace("\n", style)).encode()
            file = self.write("a.tikc.yaml", slip)
            diff = self.expect(1, "check", "--diff", "a.tikc.yaml").stdout
            self.assertEqual(file.read_bytes(), slip, "--diff writes nothing")
            self.expect(0, "check", "--fix", "a.tikc.yaml")
            fixed = file.read_bytes()
            self.assertEqual(fixed, (mark + whole.replace("\n", style)).encode())
            self.assertEqual(patch(slip, diff), fixed)
            piped = self.expect(0, "check", "--fix", "-", stdin=slip)
            self.assertEqual(piped.stdout, fixed)

    def test_what_is_printed(self):
        self.write("a.tikc.yaml", FAULTY + "model: { horzon: 4096 tokens }\n")
        out = self.expect(1, "check", "--fix", "a.tikc.yaml").out
        self.assertIn("fixed[TK2001] a.tikc.yaml:9:10: write horizon\n", out)
        self.assertIn("1 finding fixed in 1 file\n", out)
        self.assertIn("error[TK2001]: unknown key `modle`", out)
        report = json.loads(self.tikc("check", "--fix", "--format=json", "a.tikc.yaml").out)
        self.assertEqual(report["fixed"], [])
        self.assertNotIn("fixed", self.findings("a.tikc.yaml"))
        self.write("a.tikc.yaml", FAULTY.replace("{}", "{ horizon: 4096 tokens }"))
        self.assertEqual(self.expect(0, "check", "--fix", "-q", "a.tikc.yaml").out, "")

    def test_places_are_those_of_the_text_as_it_was(self):
        self.write("a.tikc.yaml", CLEAN + "modle:\n  vocabularly: 8\n  horzon: 4096 tokens\n")
        fixed = self.findings("--fix", "a.tikc.yaml")["fixed"]
        self.assertEqual([f["range"]["start"]["line"] for f in fixed], [8, 9, 10])
        self.assertEqual([f["range"]["start"]["column"] for f in fixed], [1, 3, 3])

    def test_an_unsafe_fix_waits_to_be_asked_for(self):
        unsafe = CLEAN + "numerical: { a: max(tvv) <= 0.1 }\nobservability: { rows: 'sample(logits, 1%)' }\n"
        file = self.write("a.tikc.yaml", unsafe)
        out = self.expect(1, "check", "--fix", "a.tikc.yaml").out
        self.assertIn("1 more finding could be fixed with --unsafe\n", out)
        self.assertEqual(file.read_bytes(), unsafe.encode())
        out = self.tikc("check", "--fix", "--unsafe", "a.tikc.yaml").out
        self.assertIn("(unsafe)", out)
        self.assertIn(b"a: max(tv) <= 0.1", file.read_bytes())

    def test_what_was_meant_is_nobodys_guess(self):
        """Of several fixes each gives another meaning, and an action that is none may be anything."""
        observed = "observability: { rows: 'sample(logits, 1%)', requests: 'sample(requests, 1%)' }\n"
        for text in ("numerical: { a: tv <= 0.1 }\n", "runtime: { a: p99(latency) <= 45 }\n", "escalation: { r: { when: violated(any), do: stop } }\n"):
            file = self.write("a.tikc.yaml", CLEAN + observed + text)
            out = self.tikc("check", "--fix", "--unsafe", "a.tikc.yaml").out
            self.assertIn("1 more finding could be fixed in several ways with different meanings; choose one\n", out)
            self.assertEqual(file.read_text(), CLEAN + observed + text)
        for action in ("restart", "page-oncall", "shutdown"):
            file = self.write("a.tikc.yaml", CLEAN + observed + f"escalation: {{ r: {{ when: violated(any), do: {action} }} }}\n")
            out = self.tikc("check", "--fix", "--unsafe", "a.tikc.yaml").out
            self.assertIn(f'= note: to alert a receiver of that name, write alert("{action}")', out)
            self.assertIn(f"do: {action} ", file.read_text())

    def test_a_fix_that_makes_it_worse_is_taken_back(self):
        text = CLEAN + "model: { horizon: 4096 tokens }\nmodle: { vocabulary: 8 }\nload: { toknes: 20 per s }\n"
        file = self.write("a.tikc.yaml", text)
        done = self.findings("--fix", "a.tikc.yaml")
        self.assertEqual([d["code"] for d in done["diagnostics"]], ["TK2001"])
        self.assertEqual(file.read_text(), text.replace("toknes", "tokens"), "the other one is applied")
        (held,) = done["notFixed"]
        self.assertEqual((held["code"], held["title"]), ("TK2001", "write model"))
        self.assertEqual(held["why"], "the fix would introduce TK1002: duplicate key `model`")
        self.assertIn("not fixed[TK2001] a.tikc.yaml:9:1: write model: the fix would introduce TK1002", self.tikc("check", "--fix", "a.tikc.yaml").out)
        self.assertFalse(done["fixingStopped"])

    def test_errors_that_a_fault_hid_are_told(self):
        self.write("a.tikc.yaml", CLEAN + "numerical:\n\ta: max(tv) <= 1\n  b: mean(zz) <= 1\n")
        out = self.expect(1, "check", "--fix", "--unsafe", "a.tikc.yaml").out
        self.assertIn("fixed[TK1004]", out)
        self.assertIn("2 errors appeared, hidden before by what was fixed\n", out)
        self.assertIn("error[TK5001]: unknown metric `zz`", out)
        self.assertNotIn("appeared, hidden", self.tikc("check", "--fix", "a.tikc.yaml").out)

    def test_a_limit_of_attempts_is_told(self):
        # None of these fixes helps: each brings a key that is there.
        slices = "".join(f"  s{i}: {{ when: prompt_tokens >= {i + 1}, wehn: prompt_tokens >= 1 }}\n" for i in range(260))
        self.write("a.tikc.yaml", CLEAN + "slices:\n" + slices)
        self.assertIn("stopped at the limit of attempts", self.expect(1, "check", "--fix", "a.tikc.yaml").out)

    def test_what_is_only_shown_is_not_called_fixed(self):
        self.write("a.tikc.yaml", FAULTY.replace("{}", "{ horizon: 4096 tokens }") + "numerical: { a: tv <= 0.1 }\n")
        done = self.expect(1, "check", "--diff", "a.tikc.yaml")
        self.assertEqual(done.err.splitlines()[:2], ["would fix[TK2001] a.tikc.yaml:8:1: write model", "1 finding would be fixed in 1 file"])
        self.assertNotIn(" fixed[", done.err)

    def family(self, bound):
        base = CLEAN.replace("contract: rollout", "contract: base") + f"assumptions: {{ support: full }}\nnumerical: {{ worst: max(logit_osc) <= {bound} }}\n"
        self.write("base.tikc.yaml", base + "observability: { rows: 'sample(logits, 100%)' }\nescalation: { r: { when: violated(any), do: hold, until: satisfied(any) } }\n")
        for name in ("one", "two"):
            self.write(f"{name}.tikc.yaml", f"tikc: v1\ncontract: {name}\nversion: 1.0.0\nextends: base.tikc.yaml\nclaims: {{ small: max(tv) <= 0.2 }}\n")

    def test_the_file_that_changes_is_named(self):
        """A child's claim asks for less than its base's clause gives: the edit is in the base."""
        self.family(1)
        done = self.expect(0, "check", "--root=.", "--fix", "--unsafe", "base.tikc.yaml", "one.tikc.yaml", "two.tikc.yaml")
        (fixed,) = [line for line in done.out.splitlines() if line.startswith("fixed[")]
        self.assertRegex(fixed, r"^fixed\[TK610\d\] one.tikc.yaml:5:\d+: set `worst` .*, in base.tikc.yaml \(unsafe\)$")
        self.assertIn("1 finding fixed in 1 file\n", done.out)
        self.family(1)
        (fixed,) = self.findings("--root=.", "--fix", "--unsafe", "base.tikc.yaml", "one.tikc.yaml")["fixed"]
        self.assertEqual((fixed["file"], fixed["changed"]), ("one.tikc.yaml", ["base.tikc.yaml"]))

    def test_what_a_diff_leaves_is_told(self):
        self.family("1 ms")
        done = self.expect(1, "check", "--root=.", "--diff", "--unsafe", "one.tikc.yaml")
        self.assertEqual(done.out, "")
        self.assertRegex(done.err, r"^would stay\[TK4001\] base.tikc.yaml:9:\d+: ")
        self.family(1)
        done = self.expect(1, "check", "--root=.", "--diff", "--unsafe", "one.tikc.yaml")
        self.assertIn("1 more finding could be fixed in base.tikc.yaml; pass it as well\n", done.err)
        self.assertIn("1 more finding could be fixed in base", self.expect(1, "check", "--root=.", "--fix", "one.tikc.yaml").out)

    def test_fixes_that_meet_wait_for_the_next_round(self):
        # Both want the same place.
        text = CLEAN + "escalation: { r: { when: undecided(any), do: [alert(a), alert(b)] } }\n"
        file = self.write("a.tikc.yaml", text)
        self.tikc("check", "--fix", "a.tikc.yaml")
        self.assertIn(b'alert("a"), alert("b")', file.read_bytes())

    def test_only_what_is_named_is_changed(self):
        parent = FAULTY.replace("{}", "{ horizon: 4096 tokens }")
        base = self.write("lib/base.tikc.yaml", parent)
        child = self.write("child.tikc.yaml", "tikc: v1\ncontract: child\nversion: 1.0.0\nextends: lib/base.tikc.yaml\nlables: { task: [a] }\n")
        out = self.expect(1, "check", "--root", ".", "--fix", "child.tikc.yaml").out
        self.assertIn("lib/base.tikc.yaml:8:1", out)
        self.assertEqual(base.read_text(), parent)
        self.assertIn("labels:", child.read_text())
        self.expect(0, "check", "--root", ".", "--fix", "child.tikc.yaml", "lib")
        self.assertIn("model:", base.read_text())

    def test_a_child_sees_its_fixed_parent(self):
        """The parent's own slip is found in the parent; the child is checked against the mended text."""
        self.write("base.tikc.yaml", CLEAN + "kernles: { safe: { engine: vllm } }\n")
        self.write("p.tikc.yaml", CLEAN.replace("contract: rollout", "contract: p") + "lables: { task: [math] }\n")
        self.write("c.tikc.yaml", "tikc: v1\ncontract: c\nversion: 1.0.0\nextends: p.tikc.yaml\nslices: { m: { when: task == \"math\" } }\n")
        self.expect(0, "check", "--root", ".", "--fix", "c.tikc.yaml", "p.tikc.yaml")

    def test_suppressions_and_severities_hold(self):
        text = CLEAN + "owners: [on] # tikc: allow TK1013 -- a name\n"
        file = self.write("a.tikc.yaml", text)
        self.expect(0, "check", "--fix", "a.tikc.yaml")
        self.assertEqual(file.read_text(), text)
        self.write("tikc.yaml", "severities: { TK1013: ignore }\n")
        file = self.write("a.tikc.yaml", CLEAN + "owners: [on]\n")
        self.expect(0, "check", "--fix", "a.tikc.yaml")
        self.assertIn("[on]", file.read_text())
        self.write("tikc.yaml", "severities: { TK1013: error }\n")
        self.expect(0, "check", "--fix", "a.tikc.yaml")
        self.assertIn("['on']", file.read_text())

    def test_the_comment_of_a_block_scalars_header_stays(self):
        text = CLEAN.replace("tikc: v1", "tikc: >  # the language\n  v1")
        file = self.write("a.tikc.yaml", text + "assumptions:\n  support: |  # tikc: allow TK4002 -- a reason\n    full\n")
        done = self.tikc("check", "--fix", "a.tikc.yaml")
        self.assertIn("fixed[TK2004] a.tikc.yaml", done.out)
        self.assertTrue(file.read_text().endswith("  support: full  # tikc: allow TK4002 -- a reason\n"), file.read_text())
        self.assertIn("# the language", file.read_text())

    def test_links(self):
        slip = FAULTY.replace("{}", "{ horizon: 4096 tokens }")
        outside = self.write("outside.tikc.yaml", slip)
        inside = self.write("in/real.yaml", slip)
        (self.folder / "in/a.tikc.yaml").symlink_to("real.yaml")
        (self.folder / "in/b.tikc.yaml").symlink_to("../outside.tikc.yaml")
        self.expect(1, "check", "--fix", "in")
        self.assertEqual(outside.read_text(), slip, "a link that leads out of the folder is not followed")
        self.assertIn("model:", inside.read_text())
        self.assertTrue((self.folder / "in/a.tikc.yaml").is_symlink())
        self.expect(0, "check", "--fix", "in", "in/b.tikc.yaml")
        self.assertIn("model:", outside.read_text(), "a link that is named is")
        self.assertTrue((self.folder / "in/b.tikc.yaml").is_symlink())

    def test_modes_are_kept_and_read_only_files_left(self):
        file = self.write("a.tikc.yaml", FAULTY.replace("{}", "{ horizon: 4096 tokens }"))
        file.chmod(0o640)
        self.expect(0, "check", "--fix", "a.tikc.yaml")
        self.assertEqual(file.stat().st_mode & 0o777, 0o640)
        if os.geteuid() == 0:
            return
        file.write_text(FAULTY)
        file.chmod(0o440)
        self.expect(3, "check", "--fix", "a.tikc.yaml")
        self.assertEqual(file.read_text(), FAULTY)

    def test_a_full_disk_leaves_the_file_whole(self):
        slip = FAULTY.replace("{}", "{ horizon: 4096 tokens }") + "# " + "x" * 9000 + "\n"
        file = self.write("a.tikc.yaml", slip)
        done = self.tikc("check", "--fix", "a.tikc.yaml", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot write", done.err)
        self.assertIn("error[TK2001]", done.out, "it is not fixed, so it is still found")
        self.assertNotIn("fixed[", done.out)
        self.assertEqual(file.read_text(), slip)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["a.tikc.yaml"], "no temporary is left")

    def test_standard_output_that_is_full(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([TIKC, "check", "--fix", "-"], input=FAULTY.encode(), stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)

    def test_standard_input(self):
        named = self.write("a.tikc.yaml", FAULTY)
        slip = FAULTY.replace("{}", "{ horizon: 4096 tokens }")
        done = self.expect(0, "check", "--fix", "-", "--stdin-filename=a.tikc.yaml", stdin=slip)
        self.assertEqual(done.out, slip.replace("modle", "model"))
        self.assertIn("fixed[TK2001] a.tikc.yaml:8:1", done.err)
        self.assertEqual(named.read_text(), FAULTY, "the name is only a name")
        self.assertEqual(self.expect(0, "check", "--fix", "-", stdin=CLEAN).out, CLEAN, "what has no fault comes out as it is")
        broken = b"a: [\xff\n"
        self.assertEqual(self.expect(1, "check", "--fix", "-", stdin=broken).stdout, broken)
        self.expect(2, "check", "--fix", "-", "--limit=file-bytes=10", stdin=CLEAN)
        self.expect(0, "check", "--fix", "-", "-o", "report", stdin=slip)
        self.assertIn("fixed[TK2001]", (self.folder / "report").read_text())

    def test_exit_statuses(self):
        self.write("a.tikc.yaml", WARNED)
        self.expect(0, "check", "--fix", "a.tikc.yaml")
        self.expect(1, "check", "--fix", "--fail-on=warning", "a.tikc.yaml")
        self.expect(0, "check", "--diff", "a.tikc.yaml")
        self.expect(1, "check", "--diff", "--fail-on=warning", "a.tikc.yaml")
        self.expect(2, "check", "--unsafe", "a.tikc.yaml")
        self.expect(2, "check", "--diff", "--format=json", "a.tikc.yaml")

    def test_only_what_has_a_fix_is_written(self):
        self.write("a.tikc.yaml", CLEAN)
        before = (self.folder / "a.tikc.yaml").stat()
        self.expect(0, "check", "--fix", "a.tikc.yaml")
        after = (self.folder / "a.tikc.yaml").stat()
        self.assertEqual((before.st_mtime_ns, before.st_ino), (after.st_mtime_ns, after.st_ino))

    def test_other_formats_tell_what_is_left(self):
        self.write("a.tikc.yaml", FAULTY + "model: { horzon: 4096 tokens }\n")
        done = self.expect(1, "check", "--fix", "--format=github", "a.tikc.yaml")
        self.assertIn("modle", done.out)
        self.assertNotIn("horizon", done.out)
        self.assertIn("fixed[TK2001] a.tikc.yaml:9:10", done.err)

    def test_many_files_and_threads(self):
        slip = FAULTY.replace("{}", "{ horizon: 4096 tokens }")
        for i in range(40):
            self.write(f"{i:02}.tikc.yaml", slip)
        one = self.expect(1, "check", "--diff", "-j1").stdout
        self.assertEqual(one, self.expect(1, "check", "--diff", "-j4").stdout)
        self.assertIn("40 findings fixed in 40 files", self.expect(0, "check", "--fix", "-j4").out)


main()
