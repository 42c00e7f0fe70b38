"""`tikc diff` between files, folders and revisions of a repository: what is compared with what."""

import json
import re
import shutil
import subprocess
import sys
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from changed import OBSERVED, SCHEMA, Diff, jsonschema, text  # noqa: E402
from harness import WARNED, contract, main  # noqa: E402


class Sides(Diff):
    def setUp(self):
        super().setUp()
        self.assertTrue(shutil.which("git"))
        self.write("base.tikc.yaml", "tikc: v1\ncontract: base\nabstract: true\nstatistical:\n  a: max(k3) <= 0.1\n")
        self.write("c/kid.tikc.yaml", contract("kid", OBSERVED).replace("version", "extends: ../base.tikc.yaml\nversion"))
        self.write("c/own.tikc.yaml", text(["a: max(k3) <= 0.1"]))
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")

    def effects(self, *words, status=0):
        done = self.expect(status, "diff", *words, "--format=json", "--fail-on=none")
        written = json.loads(done.out)
        if jsonschema:
            jsonschema.validate(written, SCHEMA)
        return {row["contract"]: (row["in"], row["effect"]) for row in written["contracts"]}

    def test_revisions(self):
        self.assertEqual(self.effects("git:HEAD"), {"kid": ("both", "same"), "x": ("both", "same")})
        self.write("base.tikc.yaml", "tikc: v1\ncontract: base\nabstract: true\nstatistical:\n  a: max(k3) <= 0.2\n")
        # A parent's change is a child's.
        for words in (["git:HEAD"], ["git:HEAD", "base.tikc.yaml"], ["git:HEAD", "c/kid.tikc.yaml"]):
            self.assertEqual(self.effects(*words)["kid"], ("both", "looser"))
        self.assertEqual(self.effects("git:HEAD:c/kid.tikc.yaml", "c/kid.tikc.yaml"), {"kid": ("both", "looser")})
        said = self.expect(0, "diff", "git:HEAD", "c/kid.tikc.yaml", "--fail-on=none").out
        self.assertIn("(git:HEAD:/base.tikc.yaml:5:3 -> base.tikc.yaml:5:3)", said)
        self.git("commit", "-qam", "two")
        self.assertEqual(self.effects("git:HEAD~1", "git:HEAD")["kid"], ("both", "looser"))
        self.assertEqual(self.effects("git:HEAD", "git:HEAD~1")["kid"], ("both", "tighter"))

    def test_before_the_first_commit_all_is_new(self):
        self.git("checkout", "-q", "--orphan", "next")
        self.assertEqual(self.effects("git:HEAD"), {"kid": ("new", "tighter"), "x": ("new", "tighter")})
        self.assertIn("is not a revision", self.expect(2, "diff", "git:HEAD~1").err)

    def test_what_settings_make_errors_keeps_nothing_from_being_compared(self):
        """Whether a baseline passes over it or not: what the contract means is known."""
        self.write("w/a.tikc.yaml", WARNED)
        self.write("tikc.yaml", "profile: strict\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "strict")
        self.expect(1, "check", "w")
        self.write("w/b.tikc.yaml", WARNED.replace("max(tv) <= 1", "max(tv) <= 0.5"))
        for old, new, effect in (("a", "b", "tighter"), ("b", "a", "looser")):
            found = {"rollout": ("both", effect)}
            self.assertEqual(self.effects(f"w/{old}.tikc.yaml", f"w/{new}.tikc.yaml"), found)
        self.tikc("baseline", "--reason=known", "w")
        self.expect(0, "check", "w")
        self.assertEqual(self.effects("w/b.tikc.yaml", "w/a.tikc.yaml"), {"rollout": ("both", "looser")})

    def test_files_that_come_and_go(self):
        self.git("mv", "c/own.tikc.yaml", "c/moved.tikc.yaml")
        self.assertEqual(self.effects("git:HEAD")["x"], ("both", "same"))
        self.write("c/more.tikc.yaml", contract("more", OBSERVED))
        self.assertEqual(self.effects("git:HEAD")["more"], ("new", "tighter"))
        (self.folder / "c/kid.tikc.yaml").unlink()
        self.assertEqual(self.effects("git:HEAD")["kid"], ("old", "looser"))
        # No version says that a contract is gone.
        self.expect(1, "diff", "git:HEAD")
        self.expect(1, "diff", "git:HEAD", "--fail-on=minor")

    def test_a_file_that_moved_is_known_by_its_name(self):
        """Also where a hook names it alone, or only the folder that it left or came to."""
        self.git("mv", "c/own.tikc.yaml", "moved.tikc.yaml")
        self.write("moved.tikc.yaml", text(["a: max(k3) <= 0.2"]))
        for words in (["moved.tikc.yaml"], ["c"], [], ["moved.tikc.yaml", "c"]):
            self.assertEqual(self.effects("git:HEAD", *words)["x"], ("both", "looser"), words)
        self.expect(1, "diff", "git:HEAD", "moved.tikc.yaml")
        said = self.expect(1, "diff", "git:HEAD", "moved.tikc.yaml").out
        self.assertIn("(git:HEAD:/c/own.tikc.yaml:9:3 -> moved.tikc.yaml:9:3)", said)
        self.assertNotIn("kid", said)
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        self.assertEqual(self.effects("git:HEAD~1", "git:HEAD:c")["x"], ("both", "looser"))
        # What is still where it was has not moved.
        self.write("copy.tikc.yaml", text(["a: max(k3) <= 0.5"]))
        self.assertEqual(self.effects("git:HEAD", "copy.tikc.yaml"), {"x": ("new", "tighter")})

    def test_one_that_is_renamed_beside_new_ones(self):
        own = (self.folder / "c/own.tikc.yaml").read_text()
        self.write("c/fresh.tikc.yaml", contract("fresh", OBSERVED))
        renamed = own.replace("contract: x", "contract: y").replace("0.1", "0.2")
        for name in ("c/own.tikc.yaml", "c/else.tikc.yaml", "else.tikc.yaml"):  # in its file; elsewhere, by what it says
            (self.folder / "c/own.tikc.yaml").unlink()
            self.write(name, renamed)
            with self.subTest(name=name):
                for words in ([], [name]):
                    self.assertEqual(self.effects("git:HEAD", *words)["y"], ("both", "looser"))
                self.assertEqual(self.effects("git:HEAD")["fresh"], ("new", "tighter"))
                self.assertNotIn("x", self.effects("git:HEAD"))
                self.assertIn("renamed", self.expect(1, "diff", "git:HEAD", name).out)
            (self.folder / name).unlink()
            self.write("c/own.tikc.yaml", own)
        # What is gone elsewhere is not what is new here.
        (self.folder / "c/own.tikc.yaml").unlink()
        (self.folder / "c/fresh.tikc.yaml").unlink()
        self.write("c/far.tikc.yaml", contract("far", "statistical: { b: mean(k2) <= 0.1 }\n", OBSERVED))
        self.assertEqual(self.effects("git:HEAD", "c/far.tikc.yaml"), {"far": ("new", "tighter")})
        # One of two that are alike would be a guess.
        self.write("c/one.tikc.yaml", own.replace("contract: x", "contract: y"))
        self.write("c/two.tikc.yaml", own.replace("contract: x", "contract: z"))
        found = self.effects("git:HEAD")
        self.assertEqual((found["x"], found["y"], found["z"]), (("old", "looser"), ("new", "tighter"), ("new", "tighter")))

    def test_a_name_goes_before_a_file(self):
        """What a named file has now may be what another one had."""
        self.write("c/other.tikc.yaml", contract("other", OBSERVED))
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        (self.folder / "c/other.tikc.yaml").unlink()
        self.git("mv", "c/own.tikc.yaml", "c/other.tikc.yaml")
        self.assertEqual(self.effects("git:HEAD", "c/other.tikc.yaml"), {"x": ("both", "same"), "other": ("old", "looser")})

    def test_bases_alone(self):
        """Nothing to compare is told, and is wrong use where nobody looked for more."""
        for words in (["git:HEAD", "lone.tikc.yaml"], ["git:HEAD:lone.tikc.yaml", "lone.tikc.yaml"], ["lone.tikc.yaml", "lone.tikc.yaml"]):
            self.write("lone.tikc.yaml", "tikc: v1\ncontract: lone\nabstract: true\nstatistical:\n  a: max(k3) <= 0.1\n")
            self.git("add", "-A")
            self.git("commit", "-q", "--allow-empty", "-m", "lone")
            done = self.expect(0 if words[0] == "git:HEAD" else 2, "diff", *words)
            self.assertIn("`lone` is abstract, and", done.err)
        self.assertIn("`lone` is abstract, and", self.expect(0, "check", "--against=git:HEAD", "lone.tikc.yaml").err)
        self.assertNotIn("abstract", self.expect(0, "diff", "git:HEAD", "base.tikc.yaml").err)  # `kid` extends it

    def test_one_that_is_abstract_now_is_gone(self):
        own = (self.folder / "c/own.tikc.yaml").read_text()
        self.write("c/own.tikc.yaml", own.replace("version: 1.0.0", "version: 1.0.0\nabstract: true"))
        self.assertEqual(self.effects("git:HEAD")["x"], ("old", "looser"))
        self.assertIn("x 1.0.0: removed\n  it is abstract now", self.expect(1, "diff", "git:HEAD").out)

    def test_what_is_shown_of_a_revision_can_be_asked_for(self):
        self.assertEqual(self.effects("git:HEAD:/c/own.tikc.yaml", "c/own.tikc.yaml"), {"x": ("both", "same")})

    def test_what_a_revision_has_and_cannot_be_read_is_not_new(self):
        name = subprocess.run(["git", "rev-parse", "HEAD:c/own.tikc.yaml"], cwd=self.folder, check=True, capture_output=True, text=True).stdout.strip()
        place = self.folder / ".git/objects" / name[:2] / name[2:]
        self.write("c/own.tikc.yaml", text(["a: max(k3) <= 0.2"]))
        whole = place.read_bytes()
        place.chmod(0o644)
        for spoil in (place.unlink, lambda: place.write_bytes(b"no object")):
            spoil()
            for words in (["diff", "git:HEAD"], ["diff", "git:HEAD", "c/own.tikc.yaml"], ["diff", "git:HEAD:c/own.tikc.yaml", "c/own.tikc.yaml"],
                          ["check", "--against=git:HEAD", "c/own.tikc.yaml"]):
                self.assertIn("cannot be read", self.expect(2, *words).err, words)
        place.write_bytes(whole)
        self.expect(1, "diff", "git:HEAD", "c/own.tikc.yaml")

    def test_a_link_of_a_revision_is_not_nothing(self):
        (self.folder / "c/link.tikc.yaml").symlink_to("own.tikc.yaml")
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        (self.folder / "c/link.tikc.yaml").unlink()
        self.write("c/link.tikc.yaml", text(["a: max(k3) <= 0.2"]))
        self.assertIn("is a symbolic link", self.expect(2, "diff", "git:HEAD", "c/link.tikc.yaml").err)

    def test_a_link_of_a_revision_to_one_of_its_contracts_is_followed(self):
        (self.folder / "links").mkdir()
        (self.folder / "links/own.tikc.yaml").symlink_to("../c/own.tikc.yaml")
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        self.assertEqual(self.effects("git:HEAD", "links"), {"x": ("both", "same")})
        self.write("c/own.tikc.yaml", text(["a: max(k3) <= 0.2"]))
        self.assertEqual(self.effects("git:HEAD", "links"), {"x": ("both", "looser")})

    def test_the_last_contract_that_is_deleted_is_gone(self):
        for name in ("c/own.tikc.yaml", "c/kid.tikc.yaml"):
            (self.folder / name).unlink()
        gone = {"x": ("old", "looser"), "kid": ("old", "looser")}
        self.assertEqual(self.effects("git:HEAD", "c"), gone)
        self.assertEqual(self.effects("git:HEAD", "c/own.tikc.yaml"), {"x": ("old", "looser")})
        (self.folder / "c").rmdir()
        self.assertEqual(self.effects("git:HEAD", "c"), gone)
        self.expect(1, "diff", "git:HEAD", "c")
        (self.folder / "base.tikc.yaml").unlink()
        self.assertEqual(self.effects("git:HEAD"), gone)
        self.assertIn("cannot read", self.expect(2, "diff", "git:HEAD", "never.tikc.yaml").err)

    def test_a_child_that_is_deleted_is_told_of_with_its_base(self):
        (self.folder / "c/kid.tikc.yaml").unlink()
        self.assertEqual(self.effects("git:HEAD", "base.tikc.yaml"), {"kid": ("old", "looser")})
        # One that is no child any more is still there.
        self.write("c/kid.tikc.yaml", contract("kid", "statistical: { a: max(k3) <= 0.1 }\n", OBSERVED))
        self.assertEqual(self.effects("git:HEAD", "base.tikc.yaml")["kid"][0], "both")

    def test_settings_of_a_revision(self):
        self.write("tikc.yaml", "exclude: [c/kid.tikc.yaml]\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        self.assertEqual(set(self.effects("git:HEAD")), {"x"})
        for words, names in ((["git:HEAD", "c/kid.tikc.yaml"], {"kid"}), (["--force-exclude", "git:HEAD", "c/kid.tikc.yaml"], set())):
            self.assertEqual(set(self.effects(*words)), names)

    def test_what_cannot_be_read(self):
        for words, why in [
            (["git:nope"], "`nope` is not a revision of"),
            (["git:--help"], "`--help` is not the name of a revision"),
            (["git:"], "missing revision in `git:`"),
            (["git:HEAD:c/nope.tikc.yaml", "c"], "`HEAD` has no contract at `c/nope.tikc.yaml`"),
            (["c", "c", "base.tikc.yaml"], "several new paths"),
            (["-", "-"], "only one side"),
            (["HEAD", "c"], "did you mean git:HEAD?"),
            (["nope.tikc.yaml", "c"], "cannot read `nope.tikc.yaml`"),
        ]:
            self.assertIn(why, self.expect(2, "diff", *words).err)
        self.assertIn("git is required", self.expect(2, "diff", "git:HEAD", env={"PATH": "/nonexistent"}).err)
        with unittest.mock.patch.dict("os.environ", {"GIT_CEILING_DIRECTORIES": str(self.folder.parent)}):
            shutil.rmtree(self.folder / ".git")
            self.assertIn("not in a Git work tree", self.expect(2, "diff", "git:HEAD").err)

    def test_errors_of_a_side(self):
        whole, faulty = text(["a: max(k3) <= 0.1"]), text(["a: max(k4) <= 0.1"])
        for old, new, which in ((faulty, whole, "old"), (whole, faulty, "new")):
            done = self.between(old, new, 2)
            self.assertIn("TK5001", done.err)
            why = f"the {which} contract has errors"
            written = json.loads(done.out)
            self.assertEqual((written["contracts"], written["not_compared"]), ([], [{"contract": "x", "why": why}]))
            if jsonschema:
                jsonschema.validate(written, SCHEMA)
            # Whoever reads a comment on a pull request does not see what went to standard error.
            for form in ("text", "markdown", "github"):
                told = self.expect(2, "diff", "old.tikc.yaml", "new.tikc.yaml", f"--format={form}").out
                self.assertIn(f"x: not compared: {why}", told)
                self.assertNotIn("either side", told)
        # A parent's errors are told once, and each child is not compared.
        for side, metric in (("p", "k3"), ("q", "k4")):
            self.write(f"{side}/base.tikc.yaml", f"tikc: v1\ncontract: base\nabstract: true\nstatistical:\n  a: max({metric}) <= 0.1\n")
            for name in ("one", "two"):
                self.write(f"{side}/{name}.tikc.yaml", contract(name, OBSERVED).replace("version", "extends: base.tikc.yaml\nversion"))
        done = self.expect(2, "diff", "p", "q")
        self.assertEqual((done.err.count("TK5001"), done.out.count("not compared")), (1, 2))
        # What was wrong and is gone is no loss.
        self.write("o/a.tikc.yaml", faulty)
        self.write("o/b.tikc.yaml", contract("kept", OBSERVED))
        self.write("n/b.tikc.yaml", contract("kept", OBSERVED))
        self.assertEqual(self.effects("o", "n"), {"kept": ("both", "same")})

    def test_a_link_in_a_revision_leads_nowhere(self):
        (self.folder / "c/link.tikc.yaml").symlink_to("/etc/passwd")
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        (self.folder / "c/link.tikc.yaml").unlink()
        self.assertEqual(set(self.effects("git:HEAD")), {"kid", "x"})

    def test_standard_input_and_forms(self):
        old = text(["a: max(k3) <= 0.1"])
        new = text(["a: { require: max(k3) <= 0.2, because: '|<b>` ``` @all' }"])
        self.write("new.tikc.yaml", new)
        done = self.expect(1, "diff", "-", "new.tikc.yaml", stdin=old)
        self.assertIn("looser    clause a: max(k3) <= 0.1 -> max(k3) <= 0.2  (<stdin>:9:3 -> new.tikc.yaml:9:3)", done.out)
        said = self.expect(1, "diff", "-", "new.tikc.yaml", "--format=markdown", stdin=old).out
        self.assertIn("````\\|<b>` ``` @all````", said)
        for line in said.splitlines():
            if line.startswith("| "):
                self.assertEqual(len(re.findall(r"(?<!\\)\|", line)), 6, line)
        said = self.expect(1, "diff", "-", "new.tikc.yaml", "--format=github", stdin=old).out
        self.assertRegex(said, r"^::error file=new\.tikc\.yaml,line=9,")


if __name__ == "__main__":
    main()
