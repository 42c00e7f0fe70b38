"""`tikc baseline`: what is recorded is passed over, stays so when lines move, and is told of when it is gone."""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import CLEAN, FAULTY, ROOT, WARNED, Case, main  # noqa: E402

BASELINE = "tikc-baseline.yaml"
MENDED = WARNED.replace("<= 1\n", "<= 0.1\n")
# Another TK4002 at another node.
TWICE = WARNED.replace("  a: max(tv) <= 1\n", "  a: max(tv) <= 1\n  b: mean(js) <= 1\n")


class Baseline(Case):
    def setUp(self):
        super().setUp()
        self.write("tikc.yaml", "profile: default\n")

    def entries(self):
        return [line for line in (self.folder / BASELINE).read_text().splitlines() if line.startswith("  - ")]

    def codes(self, *words):
        """The codes that check tells, and how many it passes over."""
        told = json.loads(self.tikc("check", "--format=json", *words).out)
        return [found["code"] for found in told["diagnostics"]], told["summary"]["recorded"]

    def test_what_is_recorded_is_passed_over_and_what_is_new_is_told(self):
        self.write("sub/a.tikc.yaml", WARNED)
        done = self.expect(0, "baseline", "--reason", "before tikc")
        self.assertEqual(done.out, f"{BASELINE}: 1 finding recorded in 1 entry (1 new)\n")
        self.assertEqual(self.entries(), ['  - { code: TK4002, file: "sub/a.tikc.yaml", at: "numerical.a", about: "max(tv)", reason: "before tikc" }'])
        done = self.expect(0, "check", "--fail-on=note")
        self.assertEqual(done.out, "1 contract in 1 file: no new findings (1 in the baseline)\n")
        self.expect(0, "check", "--fail-on=note", cwd=self.folder / "sub")
        self.assertEqual(self.codes("--no-baseline"), (["TK4002"], 0))
        self.write("sub/a.tikc.yaml", TWICE)
        self.assertEqual(self.codes(), (["TK4002"], 1))
        self.assertIn("sub/a.tikc.yaml:10:18", self.expect(1, "check", "--fail-on=warning").out)

    def test_lines_that_move_and_keys_that_change_places_change_nothing(self):
        self.write("a.tikc.yaml", WARNED)
        self.expect(0, "baseline", "--reason=r")
        head, clauses = WARNED.split("numerical:\n")
        moved = head + "# said\n\nnumerical:\n  b: p99(logit_osc) <= 0.5\n\n" + clauses
        self.write("a.tikc.yaml", moved)
        self.assertEqual(self.codes(), ([], 1))
        self.expect(0, "fmt")
        self.assertEqual(self.codes(), ([], 1))

    def test_what_is_gone_is_told_with_its_fix_and_dropped(self):
        self.write("a.tikc.yaml", WARNED)
        self.expect(0, "baseline", "--reason=r")
        self.write("a.tikc.yaml", MENDED)
        found = json.loads(self.expect(0, "check", "--format=json").out)["diagnostics"]
        self.assertEqual([(each["code"], each["file"]) for each in found], [("TK9009", BASELINE)])
        self.mend(found[0])
        self.assertEqual(self.entries(), [])
        self.expect(0, "check", "--fail-on=note")
        self.write("a.tikc.yaml", WARNED)
        self.expect(0, "baseline", "--reason=r")
        self.write("a.tikc.yaml", MENDED)
        self.assertIn("dropped TK4002 for `numerical.a` of `a.tikc.yaml` about `max(tv)`: no longer found\n", self.expect(0, "baseline").out)
        self.assertEqual(self.entries(), [])

    def test_what_is_no_contract_is_never_checked_or_mended_as_one(self):
        for name, says in (("tikc-baseline.yaml", "is a baseline, not a contract"), ("tikc.yaml", "is a settings file, not a contract")):
            self.write(name, "version: 1\n")
            self.assertIn(says, self.expect(2, "check", "--fix", name).err)
            self.assertEqual((self.folder / name).read_text(), "version: 1\n")

    def test_pruning_drops_what_is_gone_and_records_nothing_new(self):
        self.write("a.tikc.yaml", WARNED)
        self.assertEqual(self.expect(0, "baseline", "--prune").out, "nothing to prune\n")
        self.assertFalse((self.folder / BASELINE).exists())
        both = WARNED.replace("max(tv) <= 1\n", "max(tv) <= 1 over 10 min and max(tv) <= 1 over 20 min\n")
        for name in ("a", "b", "c"):
            self.write(f"{name}.tikc.yaml", both)
        self.expect(0, "baseline", "--reason=r")
        self.write("a.tikc.yaml", MENDED)
        self.write("b.tikc.yaml", WARNED.replace("  a: max(tv) <= 1\n", "  a: max(tv) <= 1\n  z: mean(js) <= 1\n"))
        self.write("c.tikc.yaml", both.replace("over 20 min\n", "over 20 min and max(tv) <= 1 over 30 min\n"))
        done = self.expect(0, "baseline", "--prune")
        self.assertIn("dropped TK4002 for `numerical.a` of `a.tikc.yaml` about `max(tv)`: no longer found\n", done.out)
        self.assertIn("3 findings recorded in 2 entries (0 new)\n", done.out)
        self.assertEqual([("b.tikc.yaml" in each, "count: 2" in each) for each in self.entries()], [(True, False), (False, True)])
        # The new one of `b`, and all three of `c`, of which nothing tells which is new.
        self.assertEqual(self.codes(), (["TK4002"] * 4, 1))
        before = (self.folder / BASELINE).read_bytes()
        self.expect(0, "baseline", "--prune")
        self.assertEqual((self.folder / BASELINE).read_bytes(), before)
        self.expect(0, "check", "--fix")
        self.assertEqual((self.folder / BASELINE).read_bytes(), before)

    def mend(self, found):
        """Applies the only fix of a finding to the baseline."""
        [fix] = found["fixes"]
        self.assertTrue(fix["safe"])
        text = (self.folder / BASELINE).read_bytes()
        for edit in fix["edits"]:
            begin, end = (edit["range"][side]["offset"] for side in ("start", "end"))
            text = text[:begin] + edit["text"].encode() + text[end:]
        (self.folder / BASELINE).write_bytes(text)

    def test_another_fault_of_the_code_at_the_node_is_told(self):
        self.write("a.tikc.yaml", WARNED)
        self.expect(0, "baseline", "--reason=r")
        self.write("a.tikc.yaml", WARNED.replace("max(tv) <= 1\n", "mean(js) <= 1\n"))
        self.assertEqual(self.codes(), (["TK4002", "TK9009"], 0))
        self.write("a.tikc.yaml", WARNED.replace("max(tv) <= 1\n", "max(tv) <= 1 and mean(tv) <= 1\n"))
        self.assertEqual(self.codes(), (["TK4002"], 1))
        # The same fault in other words, or with another number.
        for same in ("'max( tv )  <=  1'", "max(tv) <= 3"):
            self.write("a.tikc.yaml", WARNED.replace("max(tv) <= 1\n", same + "\n"))
            self.assertEqual(self.codes(), ([], 1), same)

    def test_what_a_finding_says_of_other_nodes_is_not_recorded(self):
        implied = MENDED.replace("  a: max(tv) <= 0.1\n", "  a: max(tv) <= 0.1\n  ab: p99(tv) <= 0.2\n")
        self.write("a.tikc.yaml", implied)
        self.assertEqual(self.codes()[0], ["TK6201"])
        self.expect(0, "baseline", "--reason=r")
        self.assertEqual(self.entries(), ['  - { code: TK6201, file: "a.tikc.yaml", at: "numerical.ab", reason: "r" }'])
        self.write("a.tikc.yaml", implied.replace("  a:", "  other:"))
        self.assertEqual(self.codes(), ([], 1))

    def test_an_entry_of_a_node_alone_stands_for_whatever_the_code_finds_there(self):
        entry = '  - { code: TK4002, file: "a.tikc.yaml", at: "numerical.a", reason: "mine" }\n'
        self.write(BASELINE, "findings:\n" + entry)
        for clause in ("max(tv) <= 1", "mean(js) <= 1"):
            self.write("a.tikc.yaml", WARNED.replace("max(tv) <= 1", clause))
            self.assertEqual(self.codes(), ([], 1))
        both = WARNED.replace("max(tv) <= 1\n", "max(tv) <= 1 and mean(tv) <= 1\n")
        self.write("a.tikc.yaml", both)
        self.assertEqual(self.codes(), (["TK4002", "TK4002"], 0))
        self.expect(0, "baseline", "--prune")
        self.assertEqual(self.entries(), [entry.rstrip()])
        self.assertNotIn("dropped", self.expect(0, "baseline").out)
        self.assertEqual([each[each.index("about"):] for each in self.entries()], ['about: "max(tv)", reason: "mine" }', 'about: "mean(tv)", reason: "mine" }'])
        self.assertEqual(self.codes(), ([], 2))

    def test_what_is_between_two_nodes_is_about_the_other_one(self):
        folder = ROOT / "tests/diag"
        for code, place, was, now in [
            ("TK6002", "slices.proofs", 'math: { when: task == "math" }', 'maths: { when: task == "math" }'),
            ("TK7009", "escalation.away", "  stop: {", "  halt: {"),
        ]:
            body = (folder / code / "avoid.tikc.yaml").read_text()
            self.assertIn(was, body)
            self.hold_record(code, place, body, body.replace(was, now))
        # What never acts does so for what its trigger says.
        body = (folder / "TK7011/avoid.tikc.yaml").read_text()
        self.hold_record("TK7011", "escalation.odd.until", body, body.replace("satisfied(finite) for 3", "satisfied(finite) for 4"))

    def hold_record(self, code, place, body, other):
        with self.subTest(code=code):
            self.write("a.tikc.yaml", body)
            (self.folder / BASELINE).unlink(missing_ok=True)
            self.expect(0, "baseline", "--reason=r")
            (entry,) = [each for each in self.entries() if code in each]
            self.assertIn(f'at: "{place}", about: ', entry)
            self.assertNotIn(code, self.codes()[0])
            self.write("a.tikc.yaml", other)
            self.assertIn(code, self.codes()[0])

    def test_more_than_are_recorded_are_all_told_and_fewer_as_well(self):
        # Two findings of one code at one node about one thing.
        both = WARNED.replace("max(tv) <= 1\n", "max(tv) <= 1 over 10 min and max(tv) <= 1 over 20 min\n")
        self.write("a.tikc.yaml", both)
        self.expect(0, "baseline", "--reason=r")
        self.assertIn("count: 2", self.entries()[0])
        self.assertEqual(self.codes(), ([], 2))
        self.write("a.tikc.yaml", WARNED)
        found = json.loads(self.tikc("check", "--format=json").out)["diagnostics"]
        self.assertEqual([each["code"] for each in found], ["TK9009"])
        self.mend(found[0])
        self.assertIn("count: 1", self.entries()[0])
        self.assertEqual(self.codes(), ([], 1))
        self.write("a.tikc.yaml", both)
        self.assertEqual(self.codes(), (["TK4002", "TK4002"], 0))
        self.assertIn("records 1, without saying which", self.tikc("check").out)

    def test_what_may_not_be_suppressed_is_told_and_not_recorded(self):
        self.write("a.tikc.yaml", FAULTY)
        done = self.expect(1, "baseline")
        self.assertIn("error[TK2001]", done.err)
        self.assertIn("cannot be recorded", done.err)
        self.assertFalse((self.folder / BASELINE).exists())
        # What a fault may hide is not held for gone.
        self.write("a.tikc.yaml", WARNED)
        self.expect(0, "baseline", "--reason=kept")
        self.write("a.tikc.yaml", MENDED + "modle: {}\n")
        self.assertEqual(self.codes()[0], ["TK2001"])
        self.expect(1, "baseline")
        self.assertIn("kept", self.entries()[0])

    def test_reasons_are_asked_for_and_kept(self):
        self.write("a.tikc.yaml", WARNED)
        self.assertIn("1 entry lacks a reason", self.expect(0, "baseline").out)
        self.assertEqual(self.codes(), (["TK9010"], 1))
        self.expect(0, "baseline", "--reason=a \"good\" one")
        self.write("b.tikc.yaml", WARNED)
        self.expect(0, "baseline", "--reason=another")
        self.assertIn('reason: "a \\"good\\" one"', self.entries()[0])
        self.assertIn('reason: "another"', self.entries()[1])
        again = (self.folder / BASELINE).read_bytes()
        self.expect(0, "baseline", "--reason=another")
        self.assertEqual((self.folder / BASELINE).read_bytes(), again)

    def test_files_that_are_not_checked_are_left_alone_unless_they_are_gone(self):
        self.write("a.tikc.yaml", WARNED)
        self.write("b.tikc.yaml", WARNED)
        self.expect(0, "baseline", "--reason=r")
        self.write("b.tikc.yaml", MENDED)
        self.expect(0, "baseline", "a.tikc.yaml")
        self.assertEqual(len(self.entries()), 2)
        self.assertEqual(self.codes("a.tikc.yaml"), ([], 1))
        self.assertEqual(self.codes("b.tikc.yaml"), (["TK9009"], 0))
        (self.folder / "b.tikc.yaml").unlink()
        self.assertIn("the file does not exist", self.tikc("check").out)
        self.expect(0, "baseline", "a.tikc.yaml")
        self.assertEqual(len(self.entries()), 1)

    def test_a_parents_findings_are_recorded_once(self):
        self.write("base.tikc.yaml", WARNED)
        for name in ("one", "two"):
            self.write(f"{name}.tikc.yaml", f"tikc: v1\ncontract: {name}\nextends: base.tikc.yaml\nversion: 1.0.0\n")
        self.expect(0, "baseline", "--reason=r")
        self.assertEqual(self.entries(), ['  - { code: TK4002, file: "base.tikc.yaml", at: "numerical.a", about: "max(tv)", reason: "r" }'])
        for words in ([], ["one.tikc.yaml"], ["base.tikc.yaml"], ["base.tikc.yaml", "--alone"]):
            self.assertEqual(self.codes(*words), ([], 1), words)
        (self.folder / BASELINE).unlink()
        self.expect(0, "baseline", "one.tikc.yaml", "--reason=r")
        self.assertIn('file: "base.tikc.yaml", at: "numerical.a", about: "max(tv)", through: "one.tikc.yaml"', self.entries()[0])
        self.assertEqual(self.codes("one.tikc.yaml"), ([], 1))
        self.assertEqual(self.codes("two.tikc.yaml"), (["TK4002"], 0))
        self.write("base.tikc.yaml", MENDED)
        self.assertIn("`numerical.a` of `base.tikc.yaml` (through `one.tikc.yaml`) about `max(tv)`: it no longer occurs", self.tikc("check").out)

    def test_contracts_of_one_file_are_told_apart(self):
        other = WARNED.replace("contract: rollout", "contract: other")
        self.write("a.tikc.yaml", WARNED + "---\n" + other)
        self.expect(0, "baseline", "--reason=r")
        self.assertEqual(['contract: "other"' in entry for entry in self.entries()], [False, True])
        self.write("a.tikc.yaml", WARNED + "---\n" + other.replace("<= 1\n", "<= 0.1\n"))
        self.assertEqual(self.codes(), (["TK9009"], 1))

    def test_every_rendering_and_fix_has_the_same_list(self):
        self.write("a.tikc.yaml", WARNED)
        self.expect(0, "baseline", "--reason=r")
        for form in ("sarif", "github", "gitlab", "rdjson", "junit"):
            self.assertNotIn("TK4002", self.expect(0, "check", f"--format={form}", "--fail-on=note").out, form)
        self.assertEqual(self.expect(0, "check", "--diff").out, "")
        self.assertIn("no new findings", self.expect(0, "check", "--fix").out)
        self.assertNotIn("TK4002", self.expect(0, "check", "-", "--stdin-filename=a.tikc.yaml", stdin=WARNED).out)

    def test_a_baseline_that_cannot_be_read_is_never_written_over(self):
        self.write("a.tikc.yaml", WARNED)
        for text in ("findings: {\n", "findings: [soon]\n", "- a\n", b"\xff\n"):
            path = self.write(BASELINE, text)
            before = path.read_bytes()
            self.expect(1, "check")
            self.assertIn("error[", self.expect(1, "baseline").err)
            self.assertEqual(path.read_bytes(), before)
            self.expect(0, "check", "--no-baseline")
            self.expect(0, "fmt", "--check")

    def test_it_is_written_whole_or_not_at_all(self):
        self.write("a.tikc.yaml", WARNED)
        if os.geteuid() != 0:
            os.chmod(self.folder, 0o500)
            self.addCleanup(os.chmod, self.folder, 0o700)
            self.expect(3, "baseline")
        self.assertIn("TK4002", self.expect(0, "baseline", "-o", "-").out)
        self.assertFalse((self.folder / BASELINE).exists())

    def test_nothing_is_written_through_a_link_to_nothing(self):
        self.write("a.tikc.yaml", WARNED)
        (self.folder / BASELINE).symlink_to("elsewhere.yaml")
        self.assertIn("is a broken symbolic link", self.expect(2, "baseline").err)
        self.assertFalse((self.folder / "elsewhere.yaml").exists())

    def test_clean_contracts_need_none(self):
        self.write("a.tikc.yaml", CLEAN.replace("rollout: {", "rollout: {"))
        self.expect(0, "baseline", "--reason=r")
        if (self.folder / BASELINE).exists():
            self.assertEqual(len(self.entries()), 1)  # it has no clause yet
        self.write("a.tikc.yaml", MENDED)
        (self.folder / BASELINE).unlink(missing_ok=True)
        self.assertEqual(self.expect(0, "baseline").out, "nothing to record\n")
        self.assertFalse((self.folder / BASELINE).exists())

    def test_without_settings_it_lies_where_the_run_is(self):
        (self.folder / "tikc.yaml").unlink()
        self.write("sub/a.tikc.yaml", WARNED)
        self.expect(0, "baseline", "--reason=r")
        self.assertIn('file: "sub/a.tikc.yaml"', self.entries()[0])
        self.assertEqual(self.codes(), ([], 1))

    def test_names_of_strangers(self):
        name = 'a "b" # {c}: \'d\',\t[e].tikc.yaml'
        self.write(name, WARNED)
        self.write("ü\n.tikc.yaml", WARNED)
        self.expect(0, "baseline", "--reason=r\n- { code: TK4002 }")
        self.assertEqual(len(self.entries()), 2)
        self.assertEqual(self.codes(), ([], 2))
        bytes_ = os.fsencode(self.folder) + b"/\xff.tikc.yaml"
        Path(os.fsdecode(bytes_)).write_text(WARNED)
        self.expect(0, "baseline", "--reason=r")
        self.assertEqual(len(self.entries()), 2)  # no YAML can name that one
        self.assertEqual(self.codes(), (["TK4002"], 2))

    def test_large_ones_are_soon_read(self):
        clauses = "".join(f"  c{i}: max(tv) <= 1\n" for i in range(450))
        self.write("a.tikc.yaml", WARNED.replace("  a: max(tv) <= 1\n", clauses))
        self.expect(0, "baseline", "--reason=r")
        told, recorded = self.codes()
        self.assertEqual((told, recorded), ([], len(self.entries())))
        self.assertGreaterEqual(recorded, 450)
        lines = "".join(f'  - {{ code: TK4002, file: "a.tikc.yaml", at: "n.x{i}", reason: r }}\n' for i in range(50_000))
        self.write(BASELINE, "findings:\n" + lines)
        self.assertIn("TK9009", self.tikc("check").out)


if __name__ == "__main__":
    main()
