"""`tikc check --against`: what changed, as findings."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from changed import OBSERVED, Diff, text  # noqa: E402
from harness import contract, main  # noqa: E402


class Against(Diff):
    def test_new_files_are_read_once(self):
        """A pipe has a text once."""
        self.write("old.tikc.yaml", text(["a: max(k3) <= 0.1"]))
        done = self.tikc("check", "--against", "old.tikc.yaml", "/dev/stdin", "--format=json", stdin=text(["a: max(k3) <= 0.2"], version="1.0.1"))
        self.assertEqual(re.findall(r'"code": "(TK65\d\d)"', done.out), ["TK6501", "TK6503"], done.out + done.err)

    def test_the_root_is_that_of_both_sides(self):
        base = "tikc: v1\ncontract: base\nabstract: true\nstatistical:\n  a: max(k3) <= 0.1\n"
        self.write("base.tikc.yaml", base)
        self.write("c/tikc.yaml", "root: .\n")
        self.write("c/kid.tikc.yaml", contract("kid", OBSERVED).replace("version", "extends: ../base.tikc.yaml\nversion"))
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")
        self.write("base.tikc.yaml", base.replace("0.1", "0.2"))
        for words in (["c"], ["c/kid.tikc.yaml"], ["base.tikc.yaml"]):
            for root in (".", "..") if words == ["c"] else (".",):
                done = self.tikc("check", "--root", root, "--against=git:HEAD", *words, "--format=json")
                self.assertIn("TK6501", done.out, done.err)
                self.assertEqual(done.err, "")
        done = self.expect(2, "check", "--against=git:HEAD", "c")
        self.assertIn("TK5020", done.err)
        self.assertIn("TK5020", done.out)

    def commit(self, words="all"):
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", words)

    def told(self, status, *words):
        done = self.expect(status, "check", *words, "--format=json")
        return [(row["code"], row["message"]) for row in json.loads(done.out)["diagnostics"] if row["code"].startswith("TK65")]

    def test_contracts_that_are_gone(self):
        own = text(["a: max(k3) <= 0.1"])
        self.write("c/own.tikc.yaml", own)
        self.write("c/kept.tikc.yaml", contract("kept", OBSERVED))
        self.commit()
        gone = [("TK6504", "`x` is gone")]
        (self.folder / "c/own.tikc.yaml").unlink()
        self.assertEqual(self.told(1, "--against=git:HEAD"), gone)
        self.assertEqual(self.told(1, "--against=git:HEAD", "c"), gone)
        self.assertEqual(self.told(0, "--against=git:HEAD", "c/kept.tikc.yaml"), [])
        for form in ("text", "sarif", "github", "gitlab", "rdjson", "junit"):
            self.assertIn("TK6504", self.expect(1, "check", "--against=git:HEAD", f"--format={form}").out)
        # It is there under another name, beside one that is new.
        self.write("c/fresh.tikc.yaml", contract("fresh", OBSERVED))
        self.write("other.tikc.yaml", own.replace("contract: x", "contract: y"))
        self.assertEqual([code for code, _ in self.told(0, "--against=git:HEAD")], ["TK6502"])
        # It is a base alone.
        (self.folder / "other.tikc.yaml").unlink()
        self.write("c/own.tikc.yaml", own.replace("version: 1.0.0", "version: 2.0.0\nabstract: true"))
        self.assertEqual(self.told(1, "--against=git:HEAD"), gone)
        self.assertIn("--> c/own.tikc.yaml:2", self.expect(1, "check", "--against=git:HEAD").out)

    def test_the_last_contract_that_is_gone(self):
        self.write("c/own.tikc.yaml", text(["a: max(k3) <= 0.1"]))
        self.commit()
        gone = [("TK6504", "`x` is gone")]
        (self.folder / "c/own.tikc.yaml").unlink()
        for words in ([], ["."], ["c"], ["c/own.tikc.yaml"]):
            self.assertEqual(self.told(1, "--against=git:HEAD", *words), gone)
        (self.folder / "c").rmdir()
        self.assertEqual(self.told(1, "--against=git:HEAD", "c"), gone)
        # What never was is a wrong name, also beside one that was.
        for command in (["check", "--against=git:HEAD"], ["diff", "git:HEAD"]):
            for words in (["d"], ["c", "d"], ["d", "c"]):
                self.assertIn("cannot read `d`", self.expect(2, *command, *words).err)
        self.assertIn("cannot read `c`", self.expect(2, "check", "--against=git:HEAD:c/own.tikc.yaml", "c").err)

    def test_a_version_goes_back(self):
        self.write("old.tikc.yaml", text(["a: max(k3) <= 0.1"], version="2.0.0"))
        self.write("new.tikc.yaml", text(["a: max(k3) <= 0.1"], version="1.9.0"))
        self.assertEqual(self.told(1, "--against", "old.tikc.yaml", "new.tikc.yaml"), [("TK6505", "the version of `x` goes back: expected at least 2.0.0, found 1.9.0")])

    def test_findings_of_a_check(self):
        self.write("old.tikc.yaml", text(["a: max(k3) <= 0.1"]))
        new = text(["a: max(k3) <= 0.2"])
        for version, status, codes in [("1.0.1", 1, ["TK6501", "TK6503"]), ("2.0.0", 0, ["TK6503"])]:
            self.write("new.tikc.yaml", new.replace("1.0.0", version))
            done = self.expect(status, "check", "--against", "old.tikc.yaml", "new.tikc.yaml", "--format=json")
            self.assertEqual(re.findall(r'"code": "(TK65\d\d)"', done.out), codes)
        # One file, whichever run read it.
        self.write("new.tikc.yaml", new.replace("1.0.0", "1.0.1").replace("max(k3) <= 0.2", "max(tv) <= 1").replace("a:", "a: # of rows\n   "))
        self.assertIn(" in 1 file (1 checked)", self.expect(1, "check", "--against", "old.tikc.yaml", "new.tikc.yaml").out)
        self.expect(2, "check", "--against", "old.tikc.yaml", "-", stdin=new)
        self.expect(2, "check", "--against", "old.tikc.yaml", "--fix", "new.tikc.yaml")
        self.expect(2, "check", "--against", "nowhere.tikc.yaml", "new.tikc.yaml")
        self.commit()
        self.assertIn("did you mean git:HEAD?", self.expect(2, "check", "--against=HEAD", "new.tikc.yaml").err)


if __name__ == "__main__":
    main()
