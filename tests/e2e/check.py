"""`tikc check` from outside: paths, folders, settings, forms, statuses."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from changed import OBSERVED  # noqa: E402
from harness import CLEAN, FAULTY, PATIENCE, ROOT, TIKC, WARNED, Case, contract, main  # noqa: E402

FORMS = ["text", "json", "sarif", "github", "gitlab", "rdjson", "junit"]


def files_of(done):
    return [suite.get("name") for suite in ElementTree.fromstring(done.out).iter("testsuite")]


class Paths(Case):
    def test_statuses(self):
        self.write("clean.tikc.yaml")
        self.write("faulty.tikc.yaml", FAULTY)
        self.expect(0, "check", "clean.tikc.yaml")
        self.expect(1, "check", "faulty.tikc.yaml")
        self.expect(1, "check", "clean.tikc.yaml", "faulty.tikc.yaml")

    def test_claims_that_rest_on_a_contradiction_are_never_silent(self):
        clauses = "statistical:\n  # tikc: allow TK6105 -- known\n  a: mean(k3) >= 0.5\n  b: mean(k3) <= 0.1\n"
        rows = "numerical:\n  d: max(tv) <= 0.5\nassumptions: { support: full }\nclaims: { t: tv <= 0.6 }\n"
        self.write("claims.tikc.yaml", contract("x", clauses, rows, OBSERVED))
        self.write("none.tikc.yaml", contract("x", clauses, OBSERVED))
        self.write("tikc.yaml", "severities: { TK6105: ignore }\n")
        self.assertIn("error[TK6105]", self.expect(1, "check", "claims.tikc.yaml").out)
        self.assertNotIn("TK6105", self.expect(0, "check", "none.tikc.yaml").out)
        self.assertIn("cannot be recorded", self.expect(1, "baseline").err)

    def test_fail_on(self):
        self.write("a.tikc.yaml", WARNED)
        report = json.loads(self.expect(0, "check", "--format=json").out)
        self.assertEqual({found["severity"] for found in report["diagnostics"]}, {"warning"})
        self.expect(1, "check", "--fail-on=warning")
        self.expect(1, "check", "--fail-on=note")

    def test_default_is_the_current_folder(self):
        self.write("a/b/faulty.tikc.yaml", FAULTY)
        self.assertIn("--> a/b/faulty.tikc.yaml:8:1", self.expect(1, "check").out)

    def test_paths_are_shown_as_given(self):
        self.write("a/faulty.tikc.yaml", FAULTY)
        for given, shown in [("a", "a/faulty"), ("./a", "./a/faulty"), ("a/", "a/faulty"), (".", "a/faulty"), (self.folder, self.folder / "a/faulty"),
                             ("a/faulty.tikc.yaml", "a/faulty"), ("a/../a", "a/../a/faulty")]:
            with self.subTest(given=given):
                self.assertIn(f"--> {shown}.tikc.yaml:8:1", self.expect(1, "check", given).out)

    def test_folders_are_sorted_and_named_files_are_not(self):
        for name in ["b/2.tikc.yaml", "b/10.tikc.yaml", "a/z.tikc.yaml", "c.tikc.yaml", "not-a-contract.yaml", "a/other.txt"]:
            self.write(name, CLEAN if "tikc" in name else "x: [")
        self.assertEqual(files_of(self.expect(0, "check", "--format=junit")), ["a/z.tikc.yaml", "b/10.tikc.yaml", "b/2.tikc.yaml", "c.tikc.yaml"])
        self.assertEqual(files_of(self.expect(0, "check", "--format=junit", "c.tikc.yaml", "a")), ["c.tikc.yaml", "a/z.tikc.yaml"])

    def test_a_file_counts_once(self):
        self.write("a.tikc.yaml")
        (self.folder / "link.tikc.yaml").symlink_to("a.tikc.yaml")
        self.assertEqual(files_of(self.expect(0, "check", "--format=junit", "a.tikc.yaml", ".", "./a.tikc.yaml")), ["a.tikc.yaml"])

    def test_any_name_may_be_named(self):
        self.write("odd name [1,2].yml", FAULTY)
        self.write("-x", FAULTY)
        self.write("größe 🙂.tikc.yaml", FAULTY)
        self.expect(1, "check", "odd name [1,2].yml")
        self.expect(1, "check", "--", "-x")
        self.assertIn("größe 🙂.tikc.yaml:8:1", self.expect(1, "check", "größe 🙂.tikc.yaml").out)
        (self.folder / "[a,b]").mkdir()
        self.write("[a,b]/x.tikc.yaml")
        self.expect(0, "check", "[a,b]")

    def test_bytes_in_a_name(self):
        path = os.fsencode(self.folder) + b"/\xff\n.tikc.yaml"
        Path(os.fsdecode(path)).write_text(FAULTY)
        for form in FORMS:
            with self.subTest(form=form):
                done = self.expect(1, "check", f"--format={form}")
                if form != "github":
                    done.stdout.decode("utf-8")

    def test_link_loops_end(self):
        self.write("a/x.tikc.yaml")
        (self.folder / "a/up").symlink_to("..")
        (self.folder / "self").symlink_to("self")
        self.assertEqual(files_of(self.expect(0, "check", "--format=junit")), ["a/x.tikc.yaml"])
        # A link that is named is followed.
        (self.folder / "to-a").symlink_to("a")
        self.assertEqual(files_of(self.expect(0, "check", "--format=junit", "to-a")), ["to-a/x.tikc.yaml"])

    def test_folders_of_tools_are_passed_over_unless_they_are_named(self):
        self.write("tikc.yaml", "")
        base = self.write("base.tikc.yaml", CLEAN.replace("contract: rollout", "contract: base\nabstract: true"))
        own = {"target/CACHEDIR.TAG": "target", "env/pyvenv.cfg": "env", "build/CMakeCache.txt": "build", "node_modules/x": "node_modules/left-pad", ".hg/x": ".hg"}
        for mark, folder in own.items():
            self.write(mark, "")
            self.write(f"{folder}/x.tikc.yaml", "tikc: v1\ncontract: x\nversion: 1.0.0\nextends: " + "../" * len(Path(folder).parts) + "base.tikc.yaml\nmodle: {}\n")
        # CMake may build where its sources are; and hidden folders are some author's.
        for name in ("CMakeCache.txt", "CMakeLists.txt", "y.tikc.yaml", ".hidden/z.tikc.yaml"):
            self.write(f"src/{name}")
        self.assertIn("3 contracts in 3 files: no findings", self.expect(0, "check", ".").out)
        self.assertIn("1 contract in 1 file: no findings", self.expect(0, "check", base).out)
        for folder in own.values():
            self.assertIn("`modle`", self.expect(1, "check", folder).out)
            self.assertIn("`modle`", self.expect(1, "check", f"{folder}/x.tikc.yaml").out)

    def test_git_folders_are_passed_over(self):
        self.write(".git/x.tikc.yaml", FAULTY)
        self.write("x.tikc.yaml")
        self.expect(0, "check")

    def test_missing_paths_are_all_reported_and_nothing_is_checked(self):
        self.write("faulty.tikc.yaml", FAULTY)
        (self.folder / "empty").mkdir()
        done = self.expect(2, "check", "nope", "faulty.tikc.yaml", "empty", "no/such")
        self.assertEqual(done.out, "")
        lines = done.err.splitlines()
        self.assertEqual(len(lines), 3, done.err)
        for line, name in zip(lines, ["`nope`", "`empty`", "`no/such`"]):
            self.assertTrue(line.startswith("tikc: ") and name in line, line)
        self.expect(2, "check", "")

    def test_links_show_no_secrets(self):
        """Whoever may put links into a folder does not choose what is quoted from elsewhere."""
        secret, other = self.write("secret.txt", "token: hunter2\n"), self.write("elsewhere/b.tikc.yaml")
        self.write("root/tikc.yaml", "")
        self.write("root/a.tikc.yaml")
        (self.folder / "root/s.tikc.yaml").symlink_to(secret)
        (self.folder / "root/b.tikc.yaml").symlink_to(other)
        note = "tikc: skipped `root/{}.tikc.yaml`: its link leads out of the root\n"
        done = self.expect(0, "check", "root")
        self.assertEqual(done.err, note.format("s"))
        self.assertNotIn("hunter2", done.out)
        done = self.expect(0, "check", "--root", "root", "root")
        self.assertEqual(done.err, note.format("b") + note.format("s"))
        (self.folder / "root/tikc.yaml").unlink()
        for name, target in (("tikc.yaml", secret), ("tikc.yaml", "tikc.yaml"), ("tikc-baseline.yaml", secret)):
            with self.subTest(name=name, target=target):
                (self.folder / "root" / name).symlink_to(target)
                if name != "tikc.yaml":  # beside which it lies
                    self.write("root/tikc.yaml", "")
                done = self.expect(2, "check", "root/a.tikc.yaml")
                self.assertIn(name, done.err)
                self.assertNotIn("hunter2", done.out + done.err)
                (self.folder / "root" / name).unlink()

    def test_what_is_no_file_is_passed_over_in_a_folder_and_refused_by_name(self):
        self.write("x.tikc.yaml")
        (self.folder / "gone.tikc.yaml").symlink_to("nowhere")
        (self.folder / "loop.tikc.yaml").symlink_to("loop.tikc.yaml")
        (self.folder / "null.tikc.yaml").symlink_to("/dev/null")
        os.mkfifo(self.folder / "pipe.tikc.yaml")
        with socket.socket(socket.AF_UNIX) as listener, contextlib.chdir(self.folder):
            listener.bind("socket.tikc.yaml")  # its address has no room for a long path
        # As Emacs locks a file.
        (self.folder / ".#x.tikc.yaml").symlink_to("me@host.123:1")
        notes = [f"tikc: skipped `{name}.tikc.yaml`: {why}\n" for name, why in [
            ("gone", "its link leads nowhere"), ("loop", "its link leads in a circle"), ("null", "it is not a regular file"),
            ("pipe", "it is not a regular file"), ("socket", "it is not a regular file")]]
        done = self.expect(0, "check", "--format=junit")
        self.assertEqual(files_of(done), ["x.tikc.yaml"])
        self.assertEqual(done.err, "".join(notes))
        self.assertEqual(self.expect(0, "check", "--quiet").err, "")
        self.assertEqual(self.expect(0, "fmt", "--check").err, "".join(notes))
        for name in ["gone", "loop", "null", "pipe", "socket", ".#x"]:
            self.expect(2, "check", f"{name}.tikc.yaml", "x.tikc.yaml")
        self.assertIn("not a regular file", self.expect(2, "check", "/dev/zero").err)

    def test_a_pipe_is_read_by_its_path(self):
        self.write("a.tikc.yaml", FAULTY)
        shell = lambda line: subprocess.run(["bash", "-c", line, TIKC], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        done = shell('"$0" check <(cat a.tikc.yaml)')
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"--> /dev/fd/\d+:8:1")
        for line in ['cat a.tikc.yaml | "$0" check /dev/stdin', '"$0" check /dev/stdin <a.tikc.yaml', '"$0" explain <(cat a.tikc.yaml)']:
            self.assertEqual(shell(line).returncode, 1, line)
        for line in ['"$0" check --fix <(cat a.tikc.yaml)', '"$0" check --diff <(cat a.tikc.yaml)', '"$0" fmt --check <(cat a.tikc.yaml)']:
            done = shell(line)
            self.assertEqual((done.returncode, done.stdout), (2, ""), line)
            self.assertIn("is a pipe", done.stderr)

    def test_unreadable(self):
        # Root reads everything, so it becomes nobody for this, who may not even reach the binary.
        who = {"user": 65534} if os.geteuid() == 0 else {}
        self.folder.chmod(0o755)
        if who and not all(folder.stat().st_mode & 0o001 for folder in self.folder.parents):
            self.skipTest(f"nobody does not reach {self.folder}")
        who["executable"] = shutil.copy(TIKC, self.folder / "tikc")
        self.write("a.tikc.yaml").chmod(0)
        self.assertIn("Permission denied", self.expect(2, "check", **who).err)
        self.write("sub/b.tikc.yaml")
        (self.folder / "sub").chmod(0)
        self.addCleanup((self.folder / "sub").chmod, 0o755)
        self.write("c.tikc.yaml", FAULTY)
        # The rest is checked, and that something was not shows in the status.
        for words in [["check"], ["check", "--diff"], ["fmt", "--check"]]:
            done = self.expect(2, *words, **who)
            self.assertEqual(done.err.count("tikc: cannot read"), 2, done.err)
            self.assertIn("`sub`", done.err)
            self.assertIn("a.tikc.yaml`: Permission denied", done.err)
            self.assertEqual("c.tikc.yaml" in done.out, words[0] == "check")
        done = self.expect(2, "check", "c.tikc.yaml", "a.tikc.yaml", **who)
        self.assertEqual(done.out, "", "what is named and cannot be read is wrong use")

    def test_paths_longer_than_the_system_takes(self):
        self.write("a.tikc.yaml", FAULTY)
        self.assertIn("File name too long", self.expect(2, "check", "a" * 300).err)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)
        for _ in range(25):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        Path("deep.tikc.yaml").write_text(CLEAN)
        os.chdir(here)
        done = self.expect(2, "check")
        self.assertIn("a.tikc.yaml:8:1", done.out)
        self.assertIn("File name too long", done.err)

    def test_too_large(self):
        self.write("a.tikc.yaml", CLEAN + "# " + "x" * (17 << 20) + "\n")
        done = self.expect(1, "check")
        self.assertIn("TK0001", done.out)
        self.assertNotIn("TK2", done.out)
        self.assertIn("TK0001", self.expect(1, "check", "-", stdin="#" * (17 << 20)).out)

    def test_what_is_not_shown_for_a_limit_is_mended_all_the_same(self):
        text = (ROOT / "examples/qwen3-8b-rl.tikc.yaml").read_text()
        names = [f"  c{i}: avg(k3) <= {i + 1}\n" for i in range(5)]
        (self.folder / "many.tikc.yaml").write_text(text.replace("statistical:\n", "statistical:\n" + "".join(names), 1))
        self.tikc("check", "--fix", "--limit=findings=2", "many.tikc.yaml")
        self.assertEqual((self.folder / "many.tikc.yaml").read_text().count("  c") - text.count("  c"), 5)
        self.assertNotIn("avg(", (self.folder / "many.tikc.yaml").read_text())

    def test_limits_can_be_lowered_only(self):
        self.write("a.tikc.yaml")
        self.assertIn("TK0001", self.expect(1, "check", "--limit=file-bytes=20").out)
        self.expect(0, "check", "--limit", "file-bytes=2000", "--limit", "nodes=50")
        self.expect(1, "check", "--limit", "file-bytes=2000", "--limit", "nodes=5")
        self.write("b.tikc.yaml", CLEAN + "statistical: { a: mean(k3) <= 1e-5 }\n")
        self.assertIn("TK3007", self.expect(1, "check", "--limit", "number-exponent=4", "b.tikc.yaml").out)
        self.assertNotIn("TK3007", self.tikc("check", "--limit", "number-exponent=5", "b.tikc.yaml").out)
        for wrong in ["file-bytes=99999999999", "file-bytes=100000000", "file-bytes", "file-bytes=", "file-bytes=x", "file-bytes=-1", "bytes=1", ""]:
            self.expect(2, "check", "--limit", wrong)


class StandardInput(Case):
    def test_names(self):
        self.assertIn("--> <stdin>:8:1", self.expect(1, "check", "-", stdin=FAULTY).out)
        self.assertIn("--> a/b.tikc.yaml:8:1", self.expect(1, "check", "-", "--stdin-filename=a/b.tikc.yaml", stdin=FAULTY).out)
        self.expect(0, "check", "-", stdin=CLEAN)
        self.expect(1, "check", "-", stdin=b"\xff\xfe\x00")
        self.expect(1, "check", "-", stdin="")
        self.expect(2, "check", "--stdin-filename=a.tikc.yaml", stdin=CLEAN)

    def test_parents_are_found_from_the_given_name(self):
        self.write("bases/base.tikc.yaml", CLEAN.replace("contract: rollout", "contract: base"))
        child = "tikc: v1\ncontract: child\nextends: base.tikc.yaml\n"
        self.expect(0, "check", "-", "--stdin-filename=bases/child.tikc.yaml", stdin=child)
        self.assertIn("TK5019", self.expect(1, "check", "-", "--stdin-filename=child.tikc.yaml", stdin=child).out)


class Heirs(Case):
    """What extends a named file is checked with it."""

    BASE = WARNED.replace("contract: rollout", "contract: base\nabstract: true").replace("max(tv) <= 1", "max(tv) <= 0.1")
    BASE += "assumptions: { support: full }\n"
    LEAF = "tikc: v1\ncontract: leaf\nextends: ../mid.tikc.yaml\nclaims: { near: tv <= 0.2 }\n"

    def setUp(self):
        super().setUp()
        self.write("tikc.yaml", "")
        self.write("base.tikc.yaml", self.BASE)
        self.write("sub/mid.tikc.yaml", "tikc: v1\ncontract: mid\nextends: ../base.tikc.yaml\n")
        self.write("sub/deep/leaf.tikc.yaml", self.LEAF)
        self.write("other.tikc.yaml", FAULTY)

    def loosen(self):
        self.write("base.tikc.yaml", self.BASE.replace("<= 0.1", "<= 0.3"))

    def test_a_base_that_breaks_its_children_does_not_pass(self):
        self.assertIn("3 contracts in 3 files: no findings (2 extend the given files)", self.expect(0, "check", "base.tikc.yaml").out)
        self.loosen()
        done = self.expect(1, "check", "base.tikc.yaml")
        self.assertIn("TK6101", done.out)
        self.assertIn("--> sub/deep/leaf.tikc.yaml:4", done.out)
        self.assertIn("checked because it extends `base.tikc.yaml`", done.out)
        self.assertNotIn("other.tikc.yaml", done.out)
        self.expect(0, "check", "--alone", "base.tikc.yaml")
        report = json.loads(self.expect(1, "check", "--format=json", "base.tikc.yaml").out)
        self.assertIn("checked because it extends `base.tikc.yaml`", report["diagnostics"][0]["notes"])

    def test_a_fault_in_the_bases_text_names_the_child_that_brings_it(self):
        self.write("base.tikc.yaml", self.BASE + "claims: { near: tv <= 0.2 }\n")
        self.write("sub/deep/leaf.tikc.yaml", "tikc: v1\ncontract: leaf\nextends: ../mid.tikc.yaml\nnumerical: null\n")
        done = self.expect(1, "check", "base.tikc.yaml")
        self.assertIn("--> base.tikc.yaml:", done.out)
        self.assertIn("::: sub/deep/leaf.tikc.yaml:3:10", done.out)
        self.assertIn("found in `leaf`, which extends it", done.out)
        self.assertNotIn("checked because", done.out)

    def test_children_are_named_as_the_user_would(self):
        self.loosen()
        self.assertIn("--> deep/leaf.tikc.yaml:4", self.expect(1, "check", "../base.tikc.yaml", cwd=self.folder / "sub").out)

    def test_what_is_named_needs_no_reason(self):
        self.loosen()
        for also in ("sub", "sub/deep/leaf.tikc.yaml"):
            done = self.expect(1, "check", "base.tikc.yaml", also)
            self.assertIn("--> sub/deep/leaf.tikc.yaml:4", done.out)
            self.assertNotIn("because it extends", done.out)

    def test_warnings_of_a_child_are_its_own_business(self):
        self.write("sub/mid.tikc.yaml", "tikc: v1\ncontract: mid\nextends: ../base.tikc.yaml\nnumerical: { b: max(tv) <= 1 }\n")
        self.assertNotIn("TK4002", self.expect(0, "check", "base.tikc.yaml").out)
        self.assertIn("TK4002", self.expect(1, "check", "--fail-on=warning", "base.tikc.yaml").out)

    def test_only_named_files_are_fixed(self):
        text = "tikc: v1\ncontract: mid\nextends: ../base.tikc.yaml\nsumary: x\n"
        child = self.write("sub/mid.tikc.yaml", text)
        done = self.expect(1, "check", "--fix", "base.tikc.yaml")
        self.assertIn("TK2001", done.out)
        self.assertEqual(child.read_text(), text)
        self.expect(0, "check", "--fix", "sub/mid.tikc.yaml")
        self.assertIn("summary: x", child.read_text())

    def test_excluded_heirs_and_other_projects_are_left_out(self):
        self.loosen()
        self.write("tikc.yaml", "exclude: [sub]\n")
        self.expect(0, "check", "base.tikc.yaml")
        # Nothing says where a project without a mark ends.
        (self.folder / "tikc.yaml").unlink()
        self.expect(0, "check", "base.tikc.yaml")
        self.write(".git/HEAD", "")
        self.expect(1, "check", "base.tikc.yaml")

    def test_families_that_go_in_circles_end(self):
        self.write("base.tikc.yaml", self.BASE + "extends: sub/deep/leaf.tikc.yaml\n")
        self.assertIn("TK5021", self.expect(1, "check", "base.tikc.yaml").out)


class Caps(Case):
    def test_what_a_report_cannot_hold_is_told(self):
        many = CLEAN + "".join(f"zz{i}: 1\n" for i in range(1100))
        for i in range(26):
            self.write(f"{i:02}.tikc.yaml", many)
        done = self.expect(1, "check", "--format=sarif")
        self.assertRegex(done.err, r"^the report lists the 25000 most severe of 260\d\d findings\n$")
        (run,) = json.loads(done.out)["runs"]
        self.assertEqual(len(run["results"]), 25000)
        self.assertIn("25000 most severe", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])
        self.assertEqual(self.expect(1, "check", "--format=json").err, "")


class Settings(Case):
    def test_excludes_are_for_named_files_where_that_is_forced(self):
        self.write("old/x.tikc.yaml", FAULTY)
        self.write("y.tikc.yaml")
        self.write("tikc.yaml", "exclude: [old]\n")
        both = ("old/x.tikc.yaml", "y.tikc.yaml")
        self.expect(1, "check", *both)
        self.assertEqual(files_of(self.expect(0, "check", "--format=junit", "--force-exclude", *both)), ["y.tikc.yaml"])
        self.assertIn("0 contracts in 0 files", self.expect(0, "check", "--force-exclude", "old/x.tikc.yaml").out)
        self.expect(0, "check", "--force-exclude", "old")
        # What extends an excluded base is not excluded.
        self.write("old/base.tikc.yaml", CLEAN.replace("contract: rollout", "contract: base"))
        self.write("child.tikc.yaml", "tikc: v1\ncontract: child\nextends: old/base.tikc.yaml\nsumary: x\n")
        done = self.expect(1, "check", "--force-exclude", "old/base.tikc.yaml")
        self.assertIn("--> child.tikc.yaml:4:1", done.out)
        self.assertIn("checked because it extends `old/base.tikc.yaml`", done.out)
        (self.folder / "child.tikc.yaml").unlink()
        self.expect(0, "fmt", "--check", "--force-exclude", "old/x.tikc.yaml")
        self.write("tikc.yaml", "exclude: [old]\nforce-exclude: true\n")
        self.expect(0, "check", *both)
        self.write("tikc.yaml", "exclude: [old]\nforce-exclude: maybe\n")
        self.assertIn("TK9008", self.expect(1, "check", *both).out)

    def test_settings_that_are_too_large_are_a_finding(self):
        self.write("tikc.yaml", "exclude: [old]\n#" + "x" * (17 << 20) + "\n")
        self.write("y.tikc.yaml")
        self.assertIn("TK0001", self.expect(1, "check", "y.tikc.yaml").out)

    def test_excludes_apply_to_folders_alone(self):
        self.write("tikc.yaml", "exclude: [old, '*/gen/*.tikc.yaml']\n")
        self.write("old/x.tikc.yaml", FAULTY)
        self.write("a/gen/y.tikc.yaml", FAULTY)
        self.write("a/z.tikc.yaml")
        self.assertEqual(files_of(self.expect(0, "check", "--format=junit")), ["a/z.tikc.yaml"])
        self.assertEqual(files_of(self.expect(0, "check", "--format=junit", "a")), ["a/z.tikc.yaml"])
        self.expect(1, "check", "old/x.tikc.yaml")
        self.assertIn("excludes", self.expect(2, "check", "old").err)

    def test_the_nearest_settings_hold(self):
        self.write("tikc.yaml", "severities: { TK4002: error }\n")
        self.write("x.tikc.yaml", WARNED)
        self.write("sub/tikc.yaml", "severities: { TK4002: ignore }\n")
        self.write("sub/deep/y.tikc.yaml", WARNED)
        report = json.loads(self.expect(1, "check", "--format=json").out)
        found = {(d["severity"]) for d in report["diagnostics"] if d["code"] == "TK4002"}
        self.assertEqual(found, {"error"})
        self.assertNotIn("TK4002", self.expect(0, "check", "sub").out)

    def test_faulty_settings_are_findings_once(self):
        self.write("tikc.yaml", "exlude: []\n")
        self.write("a/x.tikc.yaml")
        self.write("b/y.tikc.yaml")
        done = self.expect(1, "check")
        self.assertEqual(done.out.count("TK2001"), 1, done.out)
        self.assertIn("tikc.yaml:1:1", done.out)

    def test_the_root_bounds_extends(self):
        self.write("base.tikc.yaml", CLEAN.replace("contract: rollout", "contract: base"))
        self.write("sub/.git/HEAD", "")
        self.write("sub/child.tikc.yaml", "tikc: v1\ncontract: child\nextends: ../base.tikc.yaml\n")
        self.assertIn("TK5020", self.expect(1, "check", "sub").out)
        self.expect(0, "check", "sub", "--root=.")
        self.expect(2, "check", "sub", "--root=nowhere")
        self.expect(2, "check", "sub", "--root=base.tikc.yaml")
        # Without tikc.yaml and repository the current folder is the project.
        (self.folder / "sub/.git/HEAD").unlink()
        (self.folder / "sub/.git").rmdir()
        self.expect(0, "check", "sub")
        self.expect(0, "check", "sub/child.tikc.yaml")
        self.assertIn("TK5020", self.expect(1, "check", ".", cwd=self.folder / "sub").out)


class Findings(Case):
    def shared(self):
        self.write("base.tikc.yaml", CLEAN.replace("contract: rollout", "contract: base") + "numerical: { worst: max(tv) <= 5 }\n")
        for number in range(40):
            self.write(f"{number % 7}/child{number}.tikc.yaml", f"tikc: v1\ncontract: child{number}\nextends: ../base.tikc.yaml\n")

    def test_what_children_share_is_printed_once(self):
        self.shared()
        for paths in [["."], ["0", "base.tikc.yaml"], ["0", "1", "2"]]:
            report = json.loads(self.tikc("check", "--format=json", *paths).out)
            found = [d for d in report["diagnostics"] if d["code"] == "TK4002"]
            self.assertEqual(len(found), 1, (paths, found))

    def test_output_does_not_depend_on_jobs(self):
        self.shared()
        for number in range(30):
            self.write(f"x/f{number}.tikc.yaml", FAULTY + f"unknown{number}: 1\n")
        for form in FORMS:
            outputs = {self.tikc("check", f"--format={form}", f"--jobs={jobs}", env={"SOURCE_DATE_EPOCH": "1"}).stdout for jobs in (1, 2, 3, 8, 64)}
            self.assertEqual(len(outputs), 1, form)

    def test_a_small_stack_does_not_matter_to_threads(self):
        nested = CLEAN + "summary: " + "[" * 60 + "]" * 60 + "\n"
        for number in range(40):
            self.write(f"f{number}.tikc.yaml", nested)
        self.expect(1, "check", "--jobs=4", preexec_fn=lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_STACK, (256 << 10, 256 << 10)))

    def test_quiet(self):
        self.write("warned.tikc.yaml", WARNED)
        self.assertEqual(self.expect(0, "check", "-q").out, "")
        self.write("faulty.tikc.yaml", FAULTY)
        done = self.expect(1, "check", "--quiet")
        self.assertIn("TK2001", done.out)
        self.assertNotIn("warning", done.out)

    def test_color(self):
        self.write("faulty.tikc.yaml", FAULTY)
        self.assertNotIn("\x1b", self.expect(1, "check").out)
        self.assertIn("\x1b", self.expect(1, "check", "--color=always").out)
        self.assertNotIn("\x1b", self.expect(1, "check", "--color=never").out)
        self.assertIn("\x1b", self.expect(1, "check", "--color=always", env={"NO_COLOR": "1"}).out)

    def test_color_on_a_terminal(self):
        self.write("faulty.tikc.yaml", FAULTY)
        for env, colored in [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)]:
            with self.subTest(env=env):
                self.assertEqual("\x1b[" in self.on_terminal(env), colored)

    def on_terminal(self, env):
        import pty
        import subprocess

        try:
            main, end = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had here: {error}")
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | env
        subprocess.run([TIKC, "check"], cwd=self.folder, stdout=end, env=environment, check=False)
        os.close(end)
        text = b""
        try:
            while part := os.read(main, 65536):
                text += part
        except OSError:
            pass
        os.close(main)
        return text.decode()

    def test_every_form_is_written(self):
        self.write("faulty.tikc.yaml", FAULTY)
        for form in FORMS:
            with self.subTest(form=form):
                self.assertIn("TK2001", self.expect(1, "check", f"--format={form}").out)

    def test_the_last_of_repeated_options_holds(self):
        self.write("clean.tikc.yaml")
        self.expect(0, "check", "--format=text", "--format", "json", "-f", "json")
        json.loads(self.expect(0, "check", "--format=text", "-fjson").out)


if __name__ == "__main__":
    main()
