"""The Python package: it says what `tikc check` says, is what tikc.h declares, installs without a network, and mypy has nothing to say."""

import importlib.util
import json
import os
import pickle
import re
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import FAULTY, LIBRARY, PATIENCE, ROOT, Case, contract, main, run  # noqa: E402
from tikc_python import PACKAGE, tikc  # noqa: E402
from tikc_library import HEADER  # noqa: E402

PYTHON = sys.executable
LATENCY = "runtime:\n  latency: max(latency) <= 3 s\nobservability:\n  requests: sample(requests, 100%)\n"
ABSTRACT = "tikc: v1\ncontract: base\nversion: 1.0.0\nabstract: true\n"


ENTRY_POINTS = """
import sys, types
from importlib.metadata import entry_points
# Whose plugin it is, is not installed here.
sys.modules["pytest"] = types.SimpleNamespace(fixture=lambda f: f, hookimpl=lambda **_: lambda f: f)
of = {each.group: each.load() for each in entry_points(name="tikc") if each.group != "console_scripts"} if sys.version_info >= (3, 10) else {}
print(of["pytest11"].Contracts.__name__, of["sglang.srt.plugins"].__name__, of["verl.plugins"].__name__, of["vllm.stat_logger_plugins"].__name__)
"""


class Reading(Case):
    """Against `tikc check`."""

    @staticmethod
    def in_json(place):
        start = {"line": place.line, "column": place.column, "offset": place.begin}
        return {"file": place.file, "range": {"start": start, "end": {"line": place.end_line, "column": place.end_column, "offset": place.end}}}

    def finding(self, of):
        out = {name: getattr(of, name) for name in ("code", "name", "message", "label", "severity")} | self.in_json(of.place)
        out["notes"] = list(of.notes)
        out["related"] = [{"message": each.message, **self.in_json(each.place)} for each in of.related]
        out["fixes"] = [{"title": fix.title, "safe": fix.is_safe, "edits": [{"text": each.text, **self.in_json(each.place)} for each in fix.edits]}
                        for fix in of.fixes]
        return out

    def test_says_what_check_says(self):
        examples = ROOT / "examples"
        broken = self.write("broken.tikc.yaml", contract("a", "runtime:\n  latency: max(latency) <= 45\n") + "---\n" + contract("a", "modle: {}\n"))
        for path in (examples / "broken/readme.tikc.yaml", examples / "qwen3-8b-rl.tikc.yaml", broken, self.write("none.tikc.yaml", "")):
            wanted = json.loads(run("check", "--alone", "--format=json", path).out)
            for report in (tikc.check(path), tikc.check(str(path)), tikc.checks(path.read_bytes(), path)):
                self.assertEqual([self.finding(each) for each in report.findings], wanted["diagnostics"])
                said = [{"claim": each.name, "verdict": each.verdict, "slices": list(each.slices), "budget": each.asked, "bound": each.proved,
                         "slack": each.slack, "contract": each.contract, "draft": each.is_draft} for each in report.claims]
                self.assertEqual(said, [{k: v for k, v in each.items() if k != "file"} for each in wanted["claims"]])
                self.assertEqual((report.contracts, report.to_dict()), (wanted["summary"]["contracts"], wanted))
                self.assertEqual(report.ok, not any(each["severity"] == "error" for each in wanted["diagnostics"]))
                for found in report.findings:
                    self.assertIn(found.code, repr(report))
                    self.assertEqual(json.loads(json.dumps(found.to_dict()))["place"]["line"], found.place.line)

    def test_what_must_not_run_is_refused_with_what_was_found(self):
        path = self.write("faulty.tikc.yaml", FAULTY)
        with self.assertRaisesRegex(tikc.ContractError, r"TK2001: unknown key `modle`") as caught:
            tikc.load(path)
        self.assertEqual([each.code for each in caught.exception.report.errors], ["TK2001"])
        self.assertEqual(str(caught.exception.report.errors[0])[: len(str(path))], str(path))
        for text, why in ((ABSTRACT, "abstract"), (contract("empty"), "no clauses"), ("", "no contract|TK")):
            with self.assertRaisesRegex(tikc.ContractError, why):
                tikc.loads(text)
        with self.assertRaisesRegex(tikc.ReadError, "No such file"):
            tikc.load(self.folder / "none.yaml")
        for call in (tikc.load, tikc.check):
            with self.assertRaisesRegex(ValueError, "zero byte"):
                call("a\0b")
        with self.assertRaisesRegex(ValueError, "zero byte"):
            tikc.loads(FAULTY, "a\0b")

    def test_one_of_several_is_named(self):
        text = contract("a", LATENCY) + "---\n" + ABSTRACT + "---\n" + contract("b", LATENCY)
        self.assertEqual(tikc.loads(text, contract="b").name, "b")
        for name, why in ((None, "several contracts found; name one of: a, b"), ("c", "contract `c` not found; expected one of: a, b"), ("base", "expected one of: a, b")):
            with self.assertRaisesRegex(tikc.ContractError, why):
                tikc.loads(text, contract=name)

    def test_is_its_contract(self):
        loaded = tikc.load(ROOT / "examples/qwen3-8b-rl.tikc.yaml")
        listed = json.loads(run("list", "--format=json", ROOT / "examples/qwen3-8b-rl.tikc.yaml").out)["contracts"][0]
        self.assertEqual((loaded.name, loaded.version, f"{loaded.fingerprint:016x}"), (listed["contract"], listed["version"], listed["fingerprint"].removeprefix("0x")))
        self.assertEqual(loaded.slices[-1], "other")
        self.assertEqual(loaded.stages, ("offline", "shadow", "canary", "full"))
        self.assertEqual(next(each for each in loaded.fields if each.name == "task").values, ("math", "code", "chat"))
        self.assertIn("p99(logit_osc) <= 0.25", repr(loaded))
        self.assertIn("p99(logit_osc) &lt;= 0.25", loaded._repr_html_())

    def test_what_lies_in_memory_is_not_pickled(self):
        loaded = tikc.loads(contract("a", LATENCY))
        for each in (loaded, loaded.monitor(), loaded.monitor().response()):
            with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                pickle.dumps(each)


class Package(Case):
    def run_python(self, python, *words, status=0, **options):
        environment = {k: v for k, v in os.environ.items() if k not in ("TIKC_LIBRARY", "PYTHONPATH", "LD_LIBRARY_PATH")} | options.pop("env", {})
        done = subprocess.run([str(python), *map(str, words)], capture_output=True, text=True, cwd=self.folder, env=environment, timeout=PATIENCE, **options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_prototypes_are_those_of_the_header(self):
        self.run_python(PYTHON, PACKAGE / "prototypes.py", "check")
        from tikc import _c  # noqa: PLC0415
        declared = re.findall(r"^TIKC_C_API .*?(\w+)\(", HEADER.read_text(), re.M)
        self.assertEqual(list(_c.FUNCTIONS), declared)
        # Another compiler says how large they are, and where their parts lie.
        lines = []
        for name, of in vars(_c).items():
            if isinstance(of, type) and hasattr(of, "_fields_"):
                c_name = "tikc_" + re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()
                lines.append(f'printf("{name} %zu", sizeof({c_name}));')
                lines += [f'printf(" %zu", offsetof({c_name}, {field}));' for field, *_ in of._fields_] + ['printf("\\n");']
        self.write("sizes.c", "#include <stddef.h>\n#include <stdio.h>\n#include <tikc.h>\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0; }\n")
        subprocess.run(["gcc", "-std=c99", f"-I{HEADER.parent}", f"-I{ROOT / 'runtime/include'}", str(self.folder / "sizes.c"), "-o", str(self.folder / "sizes")], check=True)
        said = subprocess.run([str(self.folder / "sizes")], capture_output=True, text=True, check=True).stdout.splitlines()
        import ctypes  # noqa: PLC0415
        self.assertGreater(len(said), 14)
        for line in said:
            name, *numbers = line.split()
            of = getattr(_c, name)
            self.assertEqual(list(map(int, numbers)), [ctypes.sizeof(of), *(getattr(of, field).offset for field, *_ in of._fields_)], name)

    def test_mypy_has_nothing_to_say(self):
        if not importlib.util.find_spec("mypy"):
            self.skipTest("python3-mypy is not installed")
        said = self.run_python(PYTHON, "-m", "mypy", f"--config-file={PACKAGE / 'pyproject.toml'}", "--python-version=3.9", f"--cache-dir={self.folder}",
                               PACKAGE / "tikc")
        self.assertIn("Success", said)

    def test_needs_no_newer_python_than_it_says(self):
        import ast  # noqa: PLC0415
        for path in sorted((PACKAGE / "tikc").rglob("*.py")):
            ast.parse(path.read_text(), feature_version=(3, 9))

    def test_says_which_library_is_missing(self):
        for library, why in (("/nowhere/libtikc.so", "set TIKC_LIBRARY to its path"), ("libc.so.6", "expected .*, found None")):
            said = self.run_python(PYTHON, "-c", "import tikc", status=1, env={"PYTHONPATH": str(PACKAGE), "TIKC_LIBRARY": library})
            self.assertRegex(said, f"ImportError: .*{why}")

    def test_installs_from_the_wheel_and_from_the_tree(self):
        build = self.folder / "build"
        (build / "lib").mkdir(parents=True)
        (build / "lib/libtikc.so").symlink_to(Path(LIBRARY).resolve())
        made = [self.run_python(PYTHON, PACKAGE / "wheels.py", build, self.folder / name).strip() for name in ("one", "two")]
        self.assertEqual(*(Path(each).read_bytes() for each in made))
        with zipfile.ZipFile(made[0]) as archive:
            names = archive.namelist()
            libraries = {Path(name).name for name in names if name.startswith("tikc/lib/")}
            needed = subprocess.run(["ldd", LIBRARY], capture_output=True, text=True, check=True).stdout
            system = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6"}
            self.assertEqual(libraries - {Path(LIBRARY).resolve().name}, set(re.findall(r"^\s*(\S+) =>", needed, re.M)) - system)
            self.assertIn("tikc/py.typed", names)
            self.assertEqual({name for name in names if name.endswith(".py")}, {path.relative_to(PACKAGE).as_posix() for path in (PACKAGE / "tikc").rglob("*.py")})
            self.assertIn("libmpfr-dev", archive.read(next(name for name in names if name.endswith("/copyright"))).decode())
        if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
            self.skipTest("python3-venv is not installed")
        self.run_python(PYTHON, "-m", "venv", self.folder / "venv")
        python = self.folder / "venv/bin/python"
        pip = (python, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir")
        path = self.write("a.tikc.yaml", contract("a", LATENCY))
        program = ("import tikc, sys; m = tikc.load(sys.argv[1]).monitor(); m.requests(latency=[1.0, 9.0]); w = m.tick(0.0); "
                   "print(tikc.__version__, w.verdict, w.of('latency').figures[0].value); print(open('/proc/self/maps').read())")
        program_of_sdist = f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); import wheels; print(wheels.build_sdist({str(self.folder)!r}))"
        packed = self.folder / self.run_python(PYTHON, "-B", "-c", program_of_sdist).strip()
        before = packed.read_bytes()
        self.run_python(PYTHON, "-B", "-c", program_of_sdist)
        self.assertEqual(packed.read_bytes(), before)
        self.assertIn("which an sdist does not include", self.run_python(*pip, "install", "--no-index", packed, status=1))
        for source, environment in ((made[0], {}), (PACKAGE, {"TIKC_LIBRARY": LIBRARY}), (packed, {"TIKC_LIBRARY": LIBRARY})):
            self.run_python(*pip, "install", "--no-index", source, env=environment)
            said = self.run_python(python, "-c", program, path)
            self.assertIn("0.1.0 violated 9.0\n", said)
            for library in libraries:
                self.assertIn(f"{self.folder}/venv/lib/python3.{sys.version_info[1]}/site-packages/tikc/lib/{library}", said)
            # The program, and what others find by entry points.
            self.assertIn("tikc 0.1.0", self.run_python(self.folder / "venv/bin/tikc", "--version"))
            self.run_python(self.folder / "venv/bin/tikc", "check", "nowhere", status=2)
            said = self.run_python(python, "-c", ENTRY_POINTS)
            self.assertEqual(said.split(), ["Contracts", "register", "tikc.hooks.verl", "StatLogger"])
            self.assertIn("No broken requirements", self.run_python(*pip, "check"))
            self.run_python(*pip, "uninstall", "-y", "tikc")
            self.run_python(python, "-c", "import tikc", status=1)
        self.assertFalse((PACKAGE / "build").exists())


if __name__ == "__main__":
    main()
