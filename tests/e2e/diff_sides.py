"""`tikc diff` between files, folders and revisions of a repository: what is compared with what."""

import json
import re
import shutil
import subprocess
import sys
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from changed import OBSERVED, Diff, text  # noqa: E402
from harness import contract, main  # noqa: E402


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
        return {row["contract"]: (row["in"], row["effect"]) for row in json.loads(done.out)["contracts"]}

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
        self.assertIn("is a link", self.expect(2, "diff", "git:HEAD", "c/link.tikc.yaml").err)

    def test_settings_of_a_revision(self):
        self.write("tikc.yaml", "exclude: [c/kid.tikc.yaml]\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        self.assertEqual(set(self.effects("git:HEAD")), {"x"})
        for words, names in ((["git:HEAD", "c/kid.tikc.yaml"], {"kid"}), (["--force-exclude", "git:HEAD", "c/kid.tikc.yaml"], set())):
            self.assertEqual(set(self.effects(*words)), names)

    def test_what_cannot_be_read(self):
        for words, why in [
            (["git:nope"], "`nope` is no revision of"),
            (["git:--help"], "`--help` names no revision"),
            (["git:"], "names no revision"),
            (["git:HEAD:c/nope.tikc.yaml", "c"], "`HEAD` has no contract at `c/nope.tikc.yaml`"),
            (["c", "c", "base.tikc.yaml"], "several new paths"),
            (["nope.tikc.yaml", "c"], "cannot read `nope.tikc.yaml`"),
        ]:
            self.assertIn(why, self.expect(2, "diff", *words).err)
        self.assertIn("git is needed", self.expect(2, "diff", "git:HEAD", env={"PATH": "/nonexistent"}).err)
        with unittest.mock.patch.dict("os.environ", {"GIT_CEILING_DIRECTORIES": str(self.folder.parent)}):
            shutil.rmtree(self.folder / ".git")
            self.assertIn("in no work tree of Git", self.expect(2, "diff", "git:HEAD").err)

    def test_errors_of_a_side(self):
        whole, faulty = text(["a: max(k3) <= 0.1"]), text(["a: max(k4) <= 0.1"])
        for old, new, which in ((faulty, whole, "old"), (whole, faulty, "new")):
            done = self.between(old, new, 2)
            self.assertIn("TK5001", done.err)
            self.assertIn(f"the {which} contract has errors", done.err)
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
