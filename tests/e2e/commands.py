"""The other commands, the command line's own faults, and a world that fails."""

import json
import os
import pty
import re
import resource
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import CLEAN, FAULTY, PATIENCE, ROOT, TIKC, Case, main  # noqa: E402

EXAMPLE = ROOT / "examples/qwen3-8b-rl.tikc.yaml"

COMMANDS = ["check", "baseline", "fmt", "list", "inspect", "diagnose", "measure", "audit", "suggest", "merge", "gate", "accept", "route", "rules", "explain", "graph", "solve", "diff", "bound", "prove", "test", "init", "emit", "doctor", "lsp", "dump", "schema", "help"]
GEN = Path(TIKC).parent / "tikc-gen"


# A driver with devices of compute capability 9.0, 8.9 and one that fails.
DRIVER = r"""
#include <stdio.h>
#ifndef INIT
#define INIT 0
#endif
int cuInit(unsigned flags) { return flags ? -7 : INIT; }
int cuDeviceGetCount(int* count) { *count = COUNT; return 0; }
int cuDeviceGet(int* device, int index) { *device = 10 + index; return index == 2 ? 7 : 0; }
int cuDeviceGetName(char* name, int size, int device) { snprintf(name, size, device == 11 ? "Card\033 1" : "Card 0"); return 0; }
int cuDeviceGetAttribute(int* value, int which, int device) { *value = which == 75 ? (device == 11 ? 8 : 9) : (device == 11 ? 9 : 0); return 0; }
int cuGetErrorString(int code, const char** text) { *text = "no\ndevice"; return 0; }
"""


def in_a_terminal(words, folder):
    """What a terminal gets."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(words, cwd=folder, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, close_fds=True):
        os.close(theirs)
        out = b""
        try:
            while part := os.read(ours, 1 << 16):
                out += part
        except OSError:  # how a terminal says that nobody writes any more
            pass
    os.close(ours)
    return out.decode()


def limit_memory(mebibytes):
    """In a child: so much beside the program itself."""
    resource.setrlimit(resource.RLIMIT_AS, (os.stat(TIKC).st_size + (mebibytes << 20),) * 2)


class CommandLine(Case):
    def test_help(self):
        whole = self.expect(0, "--help").out
        for command in COMMANDS:
            self.assertRegex(whole, rf"(?m)^  {command} ")
            done = self.expect(0, command, "--help")
            self.assertIn(f"Usage: tikc {command}", done.out)
            self.assertEqual(done.out, self.expect(0, "help", command).out)
        self.assertEqual(whole, self.expect(0, "help").out)
        self.assertEqual(whole, self.expect(0, "-h").out)
        self.assertTrue(all(len(line) <= 92 for line in whole.splitlines()))

    def test_version(self):
        version = re.search(r"VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text().split("project(tikc")[1])[1]
        self.assertEqual(self.expect(0, "--version").out, f"tikc {version}\n")

    def test_the_verifier_tells_of_itself(self):
        verify = os.environ.get("TIKC_VERIFY") or str(Path(TIKC).with_name("tikc-verify"))
        said = lambda *words: subprocess.run([verify, *words], capture_output=True, text=True)
        self.assertEqual(said("--version").stdout, "tikc-verify " + self.expect(0, "--version").out.split()[1] + "\n")
        self.assertIn("usage: tikc-verify", said("--help").stdout)
        for words in [[], ["one"]]:
            done = said(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("usage:", done.stderr)

    @unittest.skipUnless(shutil.which("gcc"), "a driver's stand-in is compiled with gcc")
    def test_doctor_asks_the_driver_for_gpus(self):
        source = self.write("driver.c", DRIVER)

        def rows(*defines):
            subprocess.run(["gcc", "-shared", "-fPIC", *defines, source, "-o", self.folder / "libcuda.so.1"], check=True, timeout=PATIENCE)
            out = self.expect(0, "doctor", env={**os.environ, "LD_LIBRARY_PATH": str(self.folder), "PATH": str(self.folder)}).out
            return [re.split("  +", line) for line in out.splitlines()]

        found = rows("-DCOUNT=2")
        self.assertEqual(found[0], ["what", "here", "how, or why not"])
        self.assertEqual(found[1][:2], ["rows and tokens", "yes"])
        self.assertEqual(found[2:4], [["rows on a GPU", "yes", "Card 0, compute capability 9.0"], ["rows on a GPU", "no", "Card\\u{1B} 1, compute capability 8.9; it needs 9.0"]])
        self.assertEqual(rows("-DCOUNT=0")[2], ["rows on a GPU", "no", "the NVIDIA driver has no devices"])
        self.assertEqual(rows("-DCOUNT=1", "-DINIT=100")[2], ["rows on a GPU", "no", "the NVIDIA driver does not start: no\\u{A}device (error 100)"])
        self.assertEqual(rows("-DCOUNT=1", "-DcuDeviceGetName=other")[2], ["rows on a GPU", "no", "the NVIDIA driver does not describe device 0: no\\u{A}device (error -1)"])
        self.assertEqual(rows("-DCOUNT=3")[4], ["rows on a GPU", "no", "the NVIDIA driver does not describe device 2: no\\u{A}device (error 7)"])

    def test_wrong_use_is_one_line_and_status_2(self):
        for words, said in [
            ([], "missing command"),
            (["chek"], "did you mean `check`?"),
            (["zzz"], "expected one of check, "),
            (["--bogus"], "unknown option `--bogus`"),
            (["check", "--fromat=json"], "did you mean `--format`?"),
            (["check", "--format=jsn"], "text, json, sarif"),
            (["check", "--format"], "--format"),
            (["check", "--jobs=0"], "from 1 to 1024"),
            (["check", "--jobs=1025"], "from 1 to 1024"),
            (["check", "--jobs=two"], "from 1 to 1024"),
            (["check", "--quiet=maybe"], "--quiet"),
            (["check", "--fail-on=fatal"], "error, warning or note"),
            (["explain", "TK1001", "TK1002"], "unexpected argument `TK1002`"),
            (["explain", "TK201"], "did you mean `TK2001`"),
            (["explain", "UnknwonKey"], "did you mean `TK2001`"),
            (["explain", "qqqqqqqqqq"], "lists the codes"),
            (["explain", "k33"], "did you mean `k3`?"),
            (["explain", "rolback"], "did you mean `rollback`?"),
            (["dump"], "missing argument FILE"),
            (["dump", "--stage=proof", "x"], "tree, model or plan"),
            (["help", "chek"], "did you mean `check`?"),
            (["init", "x.yaml"], "tikc init x.tikc.yaml"),
            (["init", ".tikc.yaml"], "ending in"),
            (["init", "sub/x"], "tikc init sub/x.tikc.yaml"),
            (["init", "/"], "tikc init /contract.tikc.yaml"),
            (["check", "-o", ""], "empty FILE"),
            (["check", "--output=", "x"], "empty FILE"),
            (["emit", "cpp", "--output=", "x"], "empty DIR"),
            (["gate", "x", "--state=", "--new"], "empty FILE for --state"),
            (["check", "--format=", "text"], "empty FORM for --format"),
            (["measure", "x", "y", "--stage="], "empty STAGE for --stage"),
            (["emit", "cpp", "x", "-o", ""], "empty DIR"),
            (["check", "--root", ""], "empty DIR"),
            (["schema", "-o", "no/such/file"], "folder `no/such` does not exist"),
            (["schema", "-o", "/"], "it is a folder"),
            (["schema", "x"], "unexpected argument `x`"),
            (["check", "\x1b[31m"], "`\\u{1B}[31m`"),
        ]:
            with self.subTest(words=words):
                done = self.expect(2, *words)
                self.assertEqual(done.out, "")
                self.assertEqual(len(done.err.splitlines()), 1, done.err)
                self.assertTrue(done.err.startswith("tikc: "), done.err)
                self.assertIn(said, done.err)
                self.assertNotIn("\x1b", done.err)


class EmptyValues(Case):
    def test_the_next_word_is_not_the_value(self):
        """As in --report=$UNSET FILE, which wrote to FILE."""
        contract = self.write("c.tikc.yaml", (ROOT / "examples/demo/rollout.tikc.yaml").read_text())
        data = self.write("data.jsonl", '{"train": [-1], "infer": [-1]}\n')
        before = data.read_bytes()
        for words in (["measure", contract, data, "--report=", data], ["measure", contract, data, "--evidence=", data], ["suggest", data, "--output=", data],
                      ["merge", data, "--output=", data], ["audit", contract, "--emit=", data]):
            with self.subTest(words=words):
                self.assertIn("empty ", self.expect(2, *words).err)
                self.assertEqual(data.read_bytes(), before)


class Explain(Case):
    def test_pages(self):
        page = self.expect(0, "explain", "TK2001").out
        for part in ["UnknownKey", "Avoid:", "Prefer:", "error[TK2001]"]:
            self.assertIn(part, page)
        for name in ["tk2001", "2001", "UnknownKey", "unknownkey"]:
            self.assertEqual(page, self.expect(0, "explain", name).out)
        self.assertIn("# TK2001 UnknownKey", self.expect(0, "explain", "--format=markdown", "TK2001").out)
        self.assertEqual(json.loads(self.expect(0, "explain", "--format=json", "TK2001").out)["code"], "TK2001")

    def test_every_name_of_the_tables_has_a_page(self):
        tables = {"model/Metrics.def": "METRIC", "model/Claims.def": "CLAIM", "model/Fields.def": "FIELD", "model/Words.def": "WORD",
                  "model/Calls.def": "CALL", "model/Keys.def": "KEY", "model/Units.def": "UNIT"}
        named = set()
        for table, macro in tables.items():
            rows = re.findall(rf"^{macro}\((.*)", (ROOT / "compiler" / table).read_text(), re.M)
            for row in rows:
                if (quoted := re.search(r'"([^"]*)"', row)) and quoted[1]:
                    named.add(quoted[1])
        self.assertGreater(len(named), 150)
        for name in [*named, "p99", "mean"]:
            with self.subTest(name=name):
                page = self.expect(0, "explain", name).out
                self.assertTrue(page.startswith(f"`{name}"), page)
                self.assertTrue(all(len(line) <= 92 for line in page.splitlines()))
        for name, instead in (("kl", "kl_train_infer"), ("ttft", "first_token_latency"), ("med", "median"), ("median", "p50"), ("rollout_probs_diff", "prob_gap"), ("TPOT", "inter_token_latency"),
                              ("tensor_parallel_size", "parallel.tp"), ("dtype", "weights")):
            self.assertIn(f"`{instead}`", self.expect(0, "explain", name).out)
        for name in ("abs", "any", "other", "per", "probe", "force-exclude", "exclude"):
            self.expect(0, "explain", name)
        self.assertIn("seq_log_ratio", self.expect(0, "explain", "metrics").out)
        self.assertIn("a metric of a row", self.expect(0, "explain", "tv").out)
        self.assertIn("a claim about a token", self.expect(0, "explain", "tv").out)
        self.assertIn("**`k3`**", self.expect(0, "explain", "--format=markdown", "k3").out)
        self.assertEqual(json.loads(self.expect(0, "explain", "--format=json", "tv").out)["name"], "tv")
        self.expect(2, "explain", "--format=svg", "k3")

    def test_every_code_has_a_page_with_the_output_of_its_example(self):
        pages = json.loads(self.expect(0, "explain", "--format=json").out)
        listed = self.expect(0, "explain").out.splitlines()
        self.assertEqual(len(pages), len(listed))
        rows = re.findall(r"^DIAG\(\s*(\d+),", (ROOT / "compiler/diag/Diagnostics.def").read_text(), re.M)
        self.assertEqual([page["code"] for page in pages], [f"TK{row}" for row in rows])
        for page in pages:
            golden = (ROOT / "tests/diag" / page["code"] / "avoid.golden").read_text(encoding="utf-8")
            self.assertEqual(page["output"], golden, page["code"])
            self.assertTrue(page["avoid"] and page["prefer"], page["code"])


class Init(Case):
    def test_the_starter_is_clean_and_named_after_its_file(self):
        for name, contract in [("my-rollout", "my-rollout"), ("2024", "2024"), ("true", "true"), ("a b,c", "a-b-c"), ("größe", "gr-e"), ("..", "contract"),
                               ("x.y_z", "x.y_z"), ("0x10", "0x10"), ("~", "contract")]:
            with self.subTest(name=name):
                self.expect(0, "init", f"{name}.tikc.yaml")
                report = json.loads(self.expect(0, "check", "--fail-on=note", "--format=json", f"{name}.tikc.yaml").out)
                self.assertEqual(report["diagnostics"], [])
                self.assertRegex((self.folder / f"{name}.tikc.yaml").read_text(), rf'(?m)^contract: "?{re.escape(contract)}"?$')

    def test_nothing_is_overwritten(self):
        self.expect(0, "init")
        path = self.write("contract.tikc.yaml", "mine")
        self.assertIn("--force", self.expect(2, "init").err)
        self.assertEqual(path.read_text(), "mine")
        (self.folder / "link.tikc.yaml").symlink_to("nowhere")
        self.expect(2, "init", "link.tikc.yaml")
        self.expect(0, "init", "--force")
        os.mkfifo(self.folder / "pipe.tikc.yaml")
        self.assertIn("is not a regular file", self.expect(2, "init", "--force", "pipe.tikc.yaml").err)
        self.expect(0, "check", "contract.tikc.yaml")
        self.expect(0, "init", "a/new/folder/x.tikc.yaml")
        self.expect(0, "check", "a")
        self.expect(3, "init", "contract.tikc.yaml/x.tikc.yaml")


    def test_what_is_read_is_not_written_over(self):
        path = self.write("k.tikc.yaml", EXAMPLE.read_text())
        for words in (["prove", path, "-o", path], ["explain", path, "-o", path], ["solve", path, "--claim", "reward", "-o", path],
                      ["emit", "cpp", path, "-o", "gen", "--depfile", path]):
            with self.subTest(words=words[0]):
                self.assertIn("refusing to overwrite", self.expect(2, *words).err)
                self.assertEqual(path.read_text(), EXAMPLE.read_text())
        self.assertFalse((self.folder / "gen").exists())

    def test_data_are_not_written_over_whatever_names_them(self):
        """By device and inode: a pattern, standard input, a parent of the contract, another output under a second name."""
        record = '{"train": [-1.0, -2.0], "infer": [-1.0, -2.0]}\n'
        where = self.write("child.tikc.yaml", "tikc: v1\nextends: base.tikc.yaml\ncontract: child\nversion: 1.0.0\n")
        base = self.write("base.tikc.yaml", EXAMPLE.read_text())
        data = self.write("s2.jsonl", record)
        cases = [(["inspect", "s2.js*", "-o", data], None), (["measure", base, "s?.jsonl", "-o", data], None), (["measure", base, "s2.js*", "--evidence", data], None),
                 (["measure", base, "s2.js*", "--report", data], None), (["inspect", "-", "-o", data], data), (["measure", base, "-", "--evidence", data], data),
                 (["measure", where, "s2.js*", "--evidence", base], None)]
        for words, stdin in cases:
            with self.subTest(words=" ".join(map(str, words))):
                with open(stdin or os.devnull, "rb") as given:
                    done = subprocess.run([TIKC, *map(str, words)], cwd=self.folder, stdin=given, capture_output=True, text=True, timeout=PATIENCE)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("refusing to overwrite", done.stderr)
                self.assertEqual((data.read_text(), base.read_text()), (record, EXAMPLE.read_text()))
        figures = self.folder / "fig"
        figures.mkdir()
        self.expect(1, "measure", base, "s2.jsonl", "--undecided=fail", "--figures", "made")
        for picture in (self.folder / "made").iterdir():
            os.link(data, figures / picture.name)
        self.assertIn("refusing to overwrite", self.expect(2, "measure", base, "s2.jsonl", "--figures", "fig").err)
        self.assertEqual(data.read_text(), record)
        for picture in figures.iterdir():
            picture.unlink()
        first = self.write("first", "old\n")
        os.link(first, self.folder / "second")
        self.assertIn("several hard links", self.expect(2, "measure", base, "s2.jsonl", "--evidence", "first", "-o", "second").err)
        self.assertEqual(first.read_text(), "old\n")

    def test_merging_does_not_write_over_the_contract_of_its_page(self):
        where = self.write("child.tikc.yaml", "tikc: v1\nextends: base.tikc.yaml\ncontract: child\nversion: 1.0.0\n")
        base = self.write("base.tikc.yaml", EXAMPLE.read_text())
        data = self.write("s2.jsonl", '{"train": [-1.0, -2.0], "infer": [-1.0, -2.0]}\n')
        self.tikc("measure", where, data, "--evidence", "kept")
        link = self.folder / "link"
        os.link(base, link)
        before = where.read_bytes(), base.read_bytes()
        for out in (where, base, link):
            with self.subTest(out=out.name):
                self.assertIn("refusing to overwrite", self.expect(2, "merge", "kept", "-o", out, "--contract", where, "--report", "page.html").err)
                self.assertEqual((where.read_bytes(), base.read_bytes()), before)

    def test_a_closed_standard_stream_is_an_error(self):
        where = self.write("k.tikc.yaml", EXAMPLE.read_text())
        data = self.write("s2.jsonl", '{"train": [-1.0, -2.0], "infer": [-1.0, -2.0]}\n')
        for more in ("", "--resume journal", "--evidence kept", "--report page.html"):
            with self.subTest(more=more):
                done = subprocess.run(["sh", "-c", f'"$0" measure "$1" "$2" {more} >&-', TIKC, where, data], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("standard output", done.stderr)

    def test_a_terminal_is_not_steered(self):
        """What authors wrote is shown there; a pipe gets it as it is."""
        faulty = EXAMPLE.read_text().replace("max(logit_osc)", "max(logit_ocs)", 1)
        for words, text, steering in ((["check", "--diff", "--unsafe"], faulty, "\x9b31m\u202e"), (["fmt", "--diff"], EXAMPLE.read_text(), "\u202e")):
            with self.subTest(words=words):
                self.write("a.tikc.yaml", text.replace("\nnumerical:\n", f"\nx-note:   1 # {steering}\nnumerical:\n"))
                shown = in_a_terminal([TIKC, *words, "a.tikc.yaml"], self.folder)
                for character in steering[0] + steering[-1]:
                    self.assertNotIn(character, shown)
                self.assertTrue(any(line.startswith("+") for line in shown.splitlines()), shown)
                self.assertIn("\u202e", self.tikc(*words, "a.tikc.yaml").out)


class Dump(Case):
    def contracts(self):
        return [path for path in sorted((ROOT / "examples").rglob("*.tikc.yaml")) if "broken" not in path.parts]

    def test_the_model_reads_back_as_itself(self):
        contracts = self.contracts()
        self.assertGreaterEqual(len(contracts), 8)
        for path in contracts:
            with self.subTest(path=path.name):
                printed = self.expect(0, "dump", "--stage=model", path, cwd=ROOT).out
                self.expect(0, "check", "-", stdin=printed)
                self.assertEqual(self.expect(0, "dump", "-", stdin=printed).out, printed)

    def test_the_tree_is_json_with_places(self):
        path = self.write("a.tikc.yaml")
        tree = json.loads(self.expect(0, "dump", "--stage=tree", path).out)
        self.assertIn("rollout", json.dumps(tree))

    def test_a_faulty_contract_is_reported_not_dumped(self):
        self.write("a.tikc.yaml", FAULTY)
        done = self.expect(1, "dump", "a.tikc.yaml")
        self.assertEqual(done.out, "")
        self.assertIn("TK2001", done.err)
        self.expect(2, "dump", "nope.tikc.yaml")


class Emit(Case):
    def test_what_is_no_news_is_not_written(self):
        contract = self.write("c.tikc.yaml", (ROOT / "examples/demo/rollout.tikc.yaml").read_text())
        self.expect(0, "emit", "cpp", contract, "-o", self.folder)
        header = self.folder / "c.tikc.h"
        os.utime(header, (1, 1))
        self.expect(0, "emit", "cpp", contract, "-o", self.folder)
        self.assertEqual(header.stat().st_mtime, 1)
        contract.write_text(contract.read_text().replace("<= 0.25", "<= 0.24"))
        self.expect(0, "emit", "cpp", contract, "-o", self.folder)
        self.assertGreater(header.stat().st_mtime, 1)
        # Another text of the same length is news.
        text = header.read_text()
        header.write_text(text.replace("0.24", "0.25"))
        self.expect(0, "emit", "cpp", contract, "-o", self.folder)
        self.assertEqual(header.read_text(), text)


class Gen(Case):
    def setUp(self):
        super().setUp()
        self.generated(0, "build", self.folder)

    def generated(self, status, *words):
        done = subprocess.run([GEN, *words], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def test_modes(self):
        tree = self.folder / "tree"
        names = re.findall(r"out of date: (\S+);", self.generated(1, "check", tree).stderr)
        self.assertIn("schemas/kernel-contract.v1.schema.json", names)
        self.generated(0, "write", tree)
        self.assertEqual(self.generated(0, "check", tree).stderr, "")
        self.assertEqual(self.generated(0, "write", tree).stdout, "")
        for name in names:
            self.assertEqual((tree / name).read_bytes(), (ROOT / name).read_bytes(), name)
        (tree / names[1]).write_text("edited")
        self.assertEqual(self.generated(1, "check", tree).stderr, f"out of date: {names[1]}; run `make gen`\n")
        (tree / "schemas").rename(tree / "moved")
        (tree / "schemas").write_text("a file")
        self.assertIn("schemas", self.generated(2, "write", tree).stderr)
        for words in ([], ["check"], ["other", tree]):
            self.assertIn("usage: tikc-gen", self.generated(2, *words).stderr)

    def test_completions_parse(self):
        for shell, name in [("bash", "tikc.bash"), ("zsh", "_tikc"), ("fish", "tikc.fish")]:
            if shutil.which(shell):
                subprocess.run([shell, "-n", self.folder / "docs/completions" / name], check=True)

    def complete(self, *words):
        script = f"source {self.folder}/docs/completions/tikc.bash; COMP_WORDS=({' '.join(repr(w) for w in words)}); COMP_CWORD={len(words) - 1}; " \
                 "compopt() { :; }; _tikc; printf '%s\\n' \"${COMPREPLY[@]}\""
        return subprocess.run(["bash", "-c", script], cwd=self.folder, check=True, capture_output=True, text=True).stdout.split()

    def test_bash_completes(self):
        self.write("sub/x.tikc.yaml")
        self.write("a.tikc.yaml")
        self.write("b.txt")
        self.assertEqual(sorted(self.complete("tikc", "")), sorted(COMMANDS))
        self.assertEqual(self.complete("tikc", "ch"), ["check"])
        self.assertIn("--fail-on", self.complete("tikc", "check", "--"))
        self.assertEqual(self.complete("tikc", "check", "--format", "js"), ["json"])
        self.assertEqual(self.complete("tikc", "check", "--format", "=", "sa"), ["sarif"])
        self.assertEqual(self.complete("tikc", "explain", "TK2001"), ["TK2001"])
        found = self.complete("tikc", "check", "")
        self.assertIn("a.tikc.yaml", found)
        self.assertIn("sub", found)
        self.assertNotIn("b.txt", found)

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_the_man_pages_have_no_warnings(self):
        for page in (self.folder / "docs/man/tikc.1", ROOT / "docs/man/tikc-verify.1"):
            done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, env={**os.environ, "MANWIDTH": "90"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), page)
            self.assertIn("EXIT STATUS", done.stdout)


class World(Case):
    def many(self):
        for number in range(300):
            self.write(f"f{number}.tikc.yaml", FAULTY)

    def test_a_reader_that_goes_away_is_no_crash(self):
        self.many()
        process = subprocess.Popen([TIKC, "check", "--format=json"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        self.assertEqual((process.wait(), errors), (3, b""))

    @unittest.skipUnless(Path("/dev/full").exists(), "no /dev/full")
    def test_a_full_disk(self):
        self.write("a.tikc.yaml")
        for words in [["check"], ["check", "--format=sarif"], ["explain"], ["schema"], ["--help"], ["dump", "a.tikc.yaml"]]:
            with open("/dev/full", "wb") as full:
                done = subprocess.run([TIKC, *words], cwd=self.folder, stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 3, words)
            self.assertRegex(done.stderr, rb"^tikc: cannot write standard output: No space left on device\n$")

    def test_output_is_whole_or_not_at_all(self):
        self.write("a.tikc.yaml", FAULTY)
        done = self.expect(1, "check", "-o", "report.sarif", "--format=sarif")
        self.assertEqual(done.out, "")
        before = (self.folder / "report.sarif").read_bytes()
        json.loads(before)
        self.many()
        # No file may grow past 4 KiB: the write fails, and the old report stands.
        done = self.tikc("check", "-o", "report.sarif", "--format=sarif", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual(done.returncode, 3, done.err)
        self.assertEqual((self.folder / "report.sarif").read_bytes(), before)
        self.expect(2, "check", "-o", "no/such/report", "a.tikc.yaml")
        self.expect(2, "schema", "-o", self.folder)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir() if not p.name.endswith(".tikc.yaml")), ["report.sarif"])

    def test_output_to_what_is_no_file(self):
        self.write("a.tikc.yaml", FAULTY)
        done = self.expect(3, "check", "-o", "/dev/full", "a.tikc.yaml")
        self.assertIn("No space left on device", done.err)
        self.expect(1, "check", "-o", "/dev/null", "a.tikc.yaml")
        shell = lambda line: subprocess.run(["bash", "-c", line, TIKC], cwd=self.folder, check=True, timeout=PATIENCE)
        # What stands in the file already is kept, as with a redirection.
        shell('{ echo first; "$0" check -o /dev/stdout a.tikc.yaml; echo last; } >log; "$0" check -o >(cat >pipe; mv pipe piped) a.tikc.yaml; [ $? = 1 ]; '
              'while [ ! -e piped ]; do sleep 0.01; done')
        log = (self.folder / "log").read_text().splitlines()
        self.assertEqual((log[0], log[-1]), ("first", "last"))
        self.assertEqual("\n".join(log[1:-1]) + "\n", (self.folder / "piped").read_text())
        (self.folder / "real").write_text("old")
        (self.folder / "link").symlink_to("real")
        self.expect(1, "check", "-o", "link", "a.tikc.yaml")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertIn("TK2001", (self.folder / "real").read_text())

    def test_memory_runs_out(self):
        self.write("a.tikc.yaml", CLEAN + "x: [" + "a, " * 500_000 + "]\n")
        done = self.tikc("check", "a.tikc.yaml", preexec_fn=lambda: limit_memory(33))
        self.assertEqual((done.returncode, done.out), (3, ""), done.err)
        self.assertEqual(done.err, "tikc: out of memory\n")

    def test_memory_for_numbers_runs_out(self):
        count = 120
        slices = "".join(f"  s{i}: {{ when: prompt_tokens >= {count - i} }}\n" for i in range(count))
        clauses = "".join(f"  c{i}: mean(k3) <= 0.{i + 1}\n" for i in range(count))
        claims = "".join(f"  g{i}: tv <= 0.{i + 1}\n" for i in range(count))
        self.write("a.tikc.yaml", CLEAN + f"assumptions: {{ support: full }}\nslices:\n{slices}statistical:\n{clauses}claims:\n{claims}")
        done = self.tikc("check", "a.tikc.yaml", preexec_fn=lambda: limit_memory(81))
        self.assertEqual((done.returncode, done.out), (3, ""), done.err)
        self.assertEqual(done.err, "tikc: out of memory\n")

    def test_closed_descriptors(self):
        self.write("a.tikc.yaml")
        done = subprocess.run(["bash", "-c", f"'{TIKC}' check >&-"], cwd=self.folder, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        done = subprocess.run(["bash", "-c", f"'{TIKC}' check - <&-"], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    main()
