"""Runs the checks of a change in parts, alone or all as CI does. The last lines contain everything that a reader of a truncated log needs.

  gate      what must pass before a change lands: sources, the shipped build and its tests, generated files, and
            clang-tidy where files changed (the default)
  sanitize  the tests under AddressSanitizer and UndefinedBehaviorSanitizer
  emitted   the tests of generated code that spend minutes in compilers
  packages  the .deb, the wheel and a release, each built and installed, and the documentation site
  torch     the tests that need Torch or Dask, or measure the real pair
  memory    the memory that measuring 2 GB takes, in every form; and a thousand kills of each command that keeps a file
  knockout  whether the falsifier notices each lemma that is taken away
  tidy      clang-tidy on every room
  alone     each source by itself, as the preset `dev` compiles it
  fuzz      a fixed walk of each fuzz target
  more      all of these but the gate
  all       the gate, then more

The gate always runs to its end. What comes after it stops when TIKC_DEADLINE seconds (4500 by default) have passed since
the start: what was cut is listed and does not fail; what failed does. Each step writes build/report/NAME.log.
"""

import argparse
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "build/report"
PASSED = ROOT / "build/passed"
PARTS = ("gate", "emitted", "packages", "torch", "sanitize", "fuzz", "memory", "knockout", "tidy", "alone")
GROUPS = {"more": PARTS[1:], "all": PARTS}
DEADLINE = int(os.environ.get("TIKC_DEADLINE", 4500))
# Ends a step of the gate that hangs, early enough to print the report.
LAST_MOMENT = max(DEADLINE, 5100)
# The memory limit of one process. A sanitizer reserves far more than it uses, and has its own limit.
MEMORY = 6 << 30
MAY_RETRY = 10
LINES_AT_THE_END = 88
# Labels of tests that have their own part.
APART = ("emitted", "packages", "torch", "memory", "knockout")

EXPLAINS = (
    re.compile(r"ERROR: \w+Sanitizer|ERROR: libFuzzer|runtime error:|^SUMMARY: "),
    re.compile(r"^\S+:\d+: Failure|^\[  FAILED  \]"),
    re.compile(r"^(\w+\.)*\w*(Error|Exception|Failure|Expired)\b(:|$)"),
    re.compile(r"\b(fatal )?error: |^E: |undefined reference|No space left|Cannot allocate|std::bad_alloc"),
    re.compile(r"\bwarning: .*\[[\w.,-]+\]|^FAILED: |\bis not\b|FAIL|rror"),
)


@dataclass
class Failure:
    what: str
    reason: list = field(default_factory=list)


def explained(text, most=9):
    """The line of an output that says what went wrong, and those after it; where none does, the last ones."""
    lines = [line.rstrip()[:200] for line in text.splitlines() if line.strip()]
    for pattern in EXPLAINS:
        for at, line in enumerate(lines):
            if pattern.search(line):
                return lines[at : at + most]
    return lines[-most:]


def available_memory():
    found = re.search(r"MemAvailable:\s+(\d+)", Path("/proc/meminfo").read_text())
    return f"{int(found[1]) / (1 << 20):.1f} GiB free" if found else ""


class Checks:
    def __init__(self):
        self.start = time.monotonic()
        self.times, self.notes, self.flaky, self.failures = [], [], [], []
        self.passed = self.failed = self.skipped = 0
        self.is_sanitizing = False

    def left(self, must):
        return self.start + (LAST_MOMENT if must else DEADLINE) - time.monotonic()

    # --- steps ---------------------------------------------------------------------------------------------------------

    def run(self, name, command, must):
        """The exit status, None where the clock ended or prevented it, which is noted; the output goes to build/report/NAME.log."""
        left = self.left(must)
        if left < 30:
            self.notes.append(f"not started, no time left: {name}")
            return None
        began = time.monotonic()
        done = threading.Event()

        def beat():
            while not done.wait(60):
                print(f"... {name}: {time.monotonic() - began:.0f} s, {available_memory()}", flush=True)

        threading.Thread(target=beat, daemon=True).start()
        with open(REPORT / f"{name}.log", "wb") as log:
            process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                       start_new_session=True, preexec_fn=self.confine)
            try:
                status = process.wait(left)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                for ending in (signal.SIGTERM, signal.SIGKILL):
                    if process.poll() is None:
                        os.killpg(process.pid, ending)
                        try:
                            process.wait(20)
                        except subprocess.TimeoutExpired:
                            pass
                done.set()
        seconds = time.monotonic() - began
        self.times.append((name, seconds))
        if status is None:
            self.notes.append(f"cut by the clock: {name}")
        print(f"--- {name}: {'ended by the clock' if status is None else f'exit {status}'}, {seconds:.0f} s", flush=True)
        return status

    def confine(self):
        """In a child: a process that eats memory ends by itself, and before what watches it."""
        if not self.is_sanitizing:
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
        try:
            Path("/proc/self/oom_score_adj").write_text("500")
        except OSError:
            pass

    def step(self, name, *command, must=True):
        """Whether it passed."""
        status = self.run(name, command, must)
        if status is None and not must:
            return False
        text = self.log(name)
        self.notes += [line[6:] for line in text.splitlines() if line.startswith("note: ")]
        if status == 0:
            self.passed += 1
            return True
        self.failed += 1
        ending = "did not end" if status is None else f"exit {status}"
        self.failures.append(Failure(f"step {name}: {ending}, build/report/{name}.log", explained(text)))
        return False

    def log(self, name):
        path = REPORT / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    # --- tests ---------------------------------------------------------------------------------------------------------

    def tests(self, name, preset, *arguments, must=True):
        """Runs tests; those that fail are tried once more, alone."""
        results = REPORT / f"{name}.xml"
        status = self.run(name, self.ctest(preset, results, must, "--parallel", str(len(os.sched_getaffinity(0))), *arguments), must)
        if status is None and must:
            self.failures.append(Failure(f"step {name}: did not end"))
            self.failed += 1
        cases = read_results(results)
        stopped = "The stop time has been passed" in self.log(name)
        cut = self.cut_tests(name) if stopped else set()
        failed = []
        for case in cases:
            if stopped and case.get("name") in cut:
                self.notes.append(f"cut by the clock: {case.get('name')}")
            elif case.get("status") == "fail" or is_missing(case):
                failed.append(case)
            elif case.get("status") == "run":
                self.passed += 1
            else:
                self.skipped += 1
                self.notes.append(f"skipped: {case.get('name')}: {(output_of(case).strip().splitlines() or ['no reason'])[-1].removeprefix('skipped: ')}"[:160])
        if stopped:
            self.notes.append(f"cut by the clock: {name}, after {len(cases)} tests")
        elif status is not None and (not cases or (status and not failed)):
            self.failed += 1
            self.failures.append(Failure(f"step {name}: exit {status}, build/report/{name}.log", explained(self.log(name))))
        if failed:
            self.retry(name, preset, failed, must)

    def cut_tests(self, name):
        """The tests that were ended though their own limit, of tests/CMakeLists.txt, had not passed."""
        found = re.findall(r"Test\s+#\d+: (\S+) .*\*\*\*Timeout\s+([\d.]+) sec", self.log(name))
        return {test for test, seconds in found if float(seconds) < 890}

    def retry(self, name, preset, failed, must):
        again, results = {}, REPORT / f"{name}-again.xml"
        names = [case.get("name") for case in failed[:MAY_RETRY]]
        pattern = "^(" + "|".join(map(re.escape, names)) + ")$"
        if self.run(f"{name}-again", self.ctest(preset, results, must, "--parallel", "1", "-R", pattern), must) is not None:
            again = {case.get("name"): case for case in read_results(results)}
        for case in failed:
            test, second = case.get("name"), again.get(case.get("name"))
            reason = explained(output_of(case)) or [self.ending(name, test)]
            if second is not None and second.get("status") == "run":
                self.passed += 1
                self.flaky.append(f"flaky: {test} ({place_of(test)}): passed alone, first: {reason[0].strip()}"[:200])
            else:
                self.failed += 1
                self.failures.append(Failure(f"FAILED {test} ({place_of(test)}, {float(case.get('time')):.1f} s): {self.ending(name, test)}", reason))

    def ending(self, name, test):
        found = re.search(rf"Test\s+#\d+: {re.escape(test)} .*\*\*\*(.+?)\s+[\d.]+ sec", self.log(name))
        return found[1] if found else "Failed"

    def ctest(self, preset, results, must, *arguments):
        results.unlink(missing_ok=True)
        stop = time.strftime("%H:%M:%S", time.localtime(time.time() + max(1, self.left(must) - 30)))
        command = ["ctest", "--preset", preset, "--output-junit", str(results), "--test-output-size-failed", "20000", *arguments]
        return command if must else [*command, "--stop-time", stop]

    # --- parts ---------------------------------------------------------------------------------------------------------

    def gate(self):
        self.step("setup", ".ci/setup")
        self.step("layers", ".ci/layers")
        self.step("format", ".ci/format")
        self.step("prose", ".ci/prose")
        if self.step("build-release", ".ci/build", "release", "gate"):
            # Suites with their own part are not built here; CTest lists each as one test that cannot run.
            self.tests("tests-release", "release", "-LE", f"^({'|'.join(APART)})$", "-E", "_NOT_BUILT$")
            self.step("gen", ".ci/gen", "check")
        self.step("tidy-changed", ".ci/tidy", "--changed", f"--passed={REPORT / 'tidied'}", "--seconds=40")

    def of_release(self, name, target, *arguments):
        if self.step(f"build-{name}", ".ci/build", "release", *target, must=False):
            self.tests(f"tests-{name}", "release", "-L", f"^{name}$", *arguments, must=False)

    def emitted(self):
        self.of_release("emitted", ["gate"])

    def packages(self):
        self.of_release("packages", ["gate"])

    def torch(self):
        if self.step("setup-torch", ".ci/setup", "torch", must=False):
            self.of_release("torch", ["gate"])

    def memory(self):
        self.of_release("memory", ["gate"], "--test-output-size-passed", "20000")
        for case in read_results(REPORT / "tests-memory.xml"):
            print(output_of(case).strip())  # a table

    def knockout(self):
        self.of_release("knockout", ["tikc_knockout_suite"])

    def sanitize(self):
        if self.step("build-sanitize", ".ci/build", "sanitize", "sanitized", must=False):
            self.is_sanitizing = True
            self.tests("tests-sanitize", "sanitize", "-LE", "^(e2e|fuzz)$", "-E", "_NOT_BUILT$", must=False)
            self.is_sanitizing = False

    def fuzz(self):
        self.is_sanitizing = True
        self.step("fuzz", ".ci/fuzz", must=False)
        self.is_sanitizing = False

    def tidy(self):
        self.step("tidy", ".ci/tidy", f"--passed={REPORT / 'tidied'}", must=False)

    def alone(self):
        self.step("alone", ".ci/alone", must=False)

    # --- the end -------------------------------------------------------------------------------------------------------

    def report(self):
        """Whether all passed, after the last lines, which logs that are cut still have."""
        end = [f"{seconds:7.0f} s  {name}" for name, seconds in self.times]
        end.append(f"{time.monotonic() - self.start:7.0f} s  in all")
        self.notes.sort(key=lambda note: note.startswith("skipped"))
        end += shortened([f"note: {note}" for note in self.notes], 16, "notes")
        end += shortened(self.flaky, 8, "flaky tests")
        room = LINES_AT_THE_END - len(end) - 2
        for at, failure in enumerate(self.failures):
            lines = [failure.what[:240], *(f"    {line}" for line in failure.reason)]
            if at >= 5 or len(lines) >= room:
                lines = lines[:1]
            if room <= 1:
                end.append(f"and {len(self.failures) - at} more failures: build/report")
                break
            end += lines
            room -= len(lines)
        print("\n".join(end))
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return not self.failures


def shortened(lines, most, what):
    return lines if len(lines) <= most else [*lines[: most - 1], f"and {len(lines) - most + 1} more {what}: build/report"]


def read_results(path):
    try:
        return list(xml.parse(path).getroot().iter("testcase"))
    except (OSError, xml.ParseError):
        return []


def output_of(case):
    return (case.findtext("system-out") or "") + (case.findtext("system-err") or "")


def is_missing(case):
    """A test whose program is not there: CTest calls it skipped."""
    skipped = case.find("skipped")
    return skipped is not None and "Unable to find" in (skipped.get("message") or "")


def place_of(test):
    """The file of a test."""
    kind, _, rest = test.partition(".")
    if kind == "e2e":
        return next((str(path.relative_to(ROOT)) for path in (ROOT / "tests/e2e").glob(f"{rest}.*")), "tests/e2e")
    if kind == "fuzz":
        return f"tests/fuzz/{rest}.cpp"
    suite = re.escape(kind.split("/")[-1] if "/" in kind else kind)
    pattern = re.compile(rf"\b(TEST|TEST_F|TEST_P|TYPED_TEST|INSTANTIATE_TEST_SUITE_P)\(\s*{suite}\b")
    for path in sorted((ROOT / "tests").rglob("*.cpp")):
        if pattern.search(path.read_text(errors="replace")):
            return str(path.relative_to(ROOT))
    return "tests"


def tree_of_head():
    """The hash of HEAD's tree where the checkout is exactly that; None otherwise."""
    def git(*words):
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    return git("rev-parse", "HEAD^{tree}") if git("status", "--porcelain") == "" else None


def main():
    parser = argparse.ArgumentParser(prog=".ci/test", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="*", default=["gate"], metavar="PART", help="any of the parts above")
    wanted = []
    for part in parser.parse_args().part:
        if part not in PARTS and part not in GROUPS:
            parser.error(f"unknown part `{part}`; expected {', '.join((*PARTS, *GROUPS))}")
        wanted += [each for each in GROUPS.get(part, (part,)) if each not in wanted]

    REPORT.mkdir(parents=True, exist_ok=True)
    for old in REPORT.iterdir():
        old.unlink()
    tree = tree_of_head()
    checks = Checks()
    for part in wanted:
        getattr(checks, part)()
    good = checks.report()
    if "gate" in wanted:
        PASSED.unlink(missing_ok=True)
        if good and tree and tree == tree_of_head():
            PASSED.write_text(tree + "\n")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
