"""Whether the report of `.ci/test` names what failed, and why: planted faults in a small project, each found in the last lines."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main  # noqa: E402

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(planted NONE)
enable_testing()
add_test(NAME e2e.good COMMAND true)
add_test(NAME e2e.wrong COMMAND sh -c "echo one; echo 'AssertionError: 1 != 2'; exit 1")
add_test(NAME e2e.sanitized COMMAND sh -c "echo x; echo '==1==ERROR: AddressSanitizer: heap-buffer-overflow'; exit 1")
add_test(NAME Suite.Unit COMMAND sh -c "echo 'a.cpp:3: Failure'; echo 'Value of: x'; exit 1")
add_test(NAME e2e.flaky COMMAND sh -c "test -e mark || { touch mark; echo 'RuntimeError: once'; exit 1; }")
add_test(NAME e2e.skipped COMMAND sh -c "echo 'skipped: no Node.js'; exit 77")
add_test(NAME e2e.hangs COMMAND sleep 600)
add_test(NAME e2e.eats COMMAND /usr/bin/python3 -c "bytearray(1 << 30)")
add_test(NAME e2e.gone COMMAND ./no-such-program)
add_test(NAME e2e.slow COMMAND sleep 600)
set_tests_properties(e2e.skipped PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(e2e.hangs PROPERTIES TIMEOUT 2)
"""
PRESETS = {"version": 6, "configurePresets": [{"name": "planted", "generator": "Ninja", "binaryDir": "${sourceDir}/build/planted"}],
           "testPresets": [{"name": "planted", "configurePreset": "planted", "output": {"outputOnFailure": True}}]}


class Report(Case):
    def setUp(self):
        super().setUp()
        spec = importlib.util.spec_from_file_location("checks", ROOT / ".ci/checks.py")
        self.module = importlib.util.module_from_spec(spec)
        sys.modules["checks"] = self.module  # where its dataclasses look for themselves
        self.addCleanup(sys.modules.pop, "checks")
        sys.dont_write_bytecode = True
        spec.loader.exec_module(self.module)
        self.module.ROOT, self.module.REPORT, self.module.MEMORY = self.folder, self.folder / "report", 512 << 20
        self.module.REPORT.mkdir()
        self.write("CMakeLists.txt", PROJECT)
        self.write("CMakePresets.json", json.dumps(PRESETS))
        subprocess.run(["cmake", "--preset", "planted"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def reported(self, run):
        """Whether all passed, and the last lines."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            checks = self.module.Checks()
            run(checks)
            good = checks.report()
        lines = out.getvalue().splitlines()[-90:]
        self.assertRegex(lines[-1], r"^\d+ passed, \d+ failed, \d+ skipped$")
        return good, "\n".join(lines)

    def test_each_failure_has_its_file_and_its_reason(self):
        good, text = self.reported(lambda checks: checks.tests("planted", "planted", "-E", "slow"))
        self.assertFalse(good)
        for expected in ("FAILED e2e.wrong (tests/e2e, ", "    AssertionError: 1 != 2", "FAILED e2e.sanitized", "    ==1==ERROR: AddressSanitizer: heap-buffer-overflow",
                         "FAILED Suite.Unit", "    a.cpp:3: Failure\n    Value of: x", "FAILED e2e.eats", "FAILED e2e.gone",
                         "flaky: e2e.flaky (tests/e2e): passed alone, first: RuntimeError: once", "note: skipped: e2e.skipped: no Node.js", "2 passed, 6 failed, 1 skipped"):
            self.assertIn(expected, text)
        self.assertRegex(text, r"FAILED e2e\.hangs \(tests/e2e, [\d.]+ s\): Timeout")

    def test_what_the_clock_cuts_does_not_fail(self):
        self.module.DEADLINE = 34
        good, text = self.reported(lambda checks: checks.tests("planted", "planted", "-R", "good|slow", must=False))
        self.assertTrue(good, text)
        self.assertIn("note: cut by the clock: ", text)
        self.module.DEADLINE = 0
        good, text = self.reported(lambda checks: checks.step("late", "true", must=False))
        self.assertIn("note: not started, no time left: late", text)
        self.assertTrue(good)

    def test_a_step_that_fails_has_the_line_that_says_why(self):
        def run(checks):
            checks.step("setup", "sh", "-c", "echo 'note: npm could not be installed'; true")
            checks.step("build", "sh", "-c", "echo '[1/2] Building'; echo \"x.cpp:7:1: error: expected ';'\"; echo '  7 | int x'; exit 2")
        good, text = self.reported(run)
        self.assertFalse(good)
        self.assertIn("step build: exit 2, build/report/build.log\n    x.cpp:7:1: error: expected ';'\n      7 | int x", text)
        self.assertIn("note: npm could not be installed", text)
        self.assertTrue(text.endswith("1 passed, 1 failed, 0 skipped"))

    def test_a_hundred_failures_fit(self):
        def run(checks):
            checks.notes += [f"note {i}" for i in range(100)]
            checks.flaky += [f"flaky: {i}" for i in range(100)]
            checks.failures += [self.module.Failure(f"FAILED test {i}", ["why"] * 9) for i in range(100)]
        _, text = self.reported(run)
        self.assertRegex(text, r"(?m)^and \d+ more failures: build/report$")
        self.assertRegex(text, r"(?m)^and 85 more notes: build/report$")
        self.assertIn("    why", text)


class Tidy(unittest.TestCase):
    def test_sources_and_what_they_are_joined_in_are_of_a_room(self):
        loader = importlib.machinery.SourceFileLoader("tidy", str(ROOT / ".ci/tidy"))
        tidy = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", loader))
        loader.exec_module(tidy)
        for path, room in (("compiler/bounds/prove/Prover.cpp", "compiler/bounds"), ("compiler/CMakeFiles/tikc_bounds.dir/Unity/unity_0_cxx.cxx", "compiler/bounds"),
                           ("data/text/Json.cpp", "data"), ("data/CMakeFiles/tikc_data.dir/Unity/unity_0_cxx.cxx", "data"), ("compiler/driver/Main.cpp", "compiler/driver"),
                           ("tests/unit/data/JsonTest.cpp", None), ("library/Contracts.cpp", None)):
            self.assertEqual(tidy.room_of(path), room, path)


if __name__ == "__main__":
    main()
