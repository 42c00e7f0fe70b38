"""`tikc check --against`: what changed, as findings."""

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


if __name__ == "__main__":
    main()
