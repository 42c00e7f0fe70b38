"""What generated code promises an engine: once it is constructed it allocates nothing, takes no lock and makes no system call; it needs no
exceptions and no RTTI; and Valgrind and the sanitizers find nothing in it."""

import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import CLANG, GCC, SANITIZED, in_parallel  # noqa: E402
from engine_loop import TOOLS, built, lender_object, loop_object, ran  # noqa: E402
from harness import ROOT, UNLIMITED, Case, main, skip, skip_unless  # noqa: E402

try:
    import every_metric
except ModuleNotFoundError as missing:
    skip(f"{missing}; the contract of every metric needs python3-numpy")
NM, VALGRIND = shutil.which("nm"), shutil.which("valgrind")
skip_unless(GCC and CLANG and NM, "g++, clang++ and nm are needed")

# The C library's functions of numbers and of bytes, std::to_chars, and which instructions there are.
HARMLESS = re.compile(r"""(mem(cpy|move|set|cmp|chr)|bcmp|strlen
    |(exp|expm1|log|log1p|ldexp|nextafter|sqrt|floor|ceil|fmin|fmax)f?
    |std::to_chars\(char\*,\ char\*,\ double\)
    |__cpu_model|__cpu_indicator_init|_GLOBAL_OFFSET_TABLE_)$""", re.X)
CONTROLS = {"allocations": "malloc calloc realloc free aligned new delete", "locks": "mutex rwlock semaphore futex"}
# The one has several streams.
EXAMPLE, EVERY = "three-kernel-chain", "every"
# Contract, compiler, whether it stands alone: each two of them meet.
BUILDS = [(EXAMPLE, GCC, True), (EXAMPLE, CLANG, False), (EVERY, GCC, False), (EVERY, CLANG, True)]


class Promises(Case):
    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.shared_folder()
        (cls.scratch / "every.tikc.yaml").write_text(every_metric.contract())
        lender = lender_object(cls.scratch)
        built(GCC, "-std=c++17", "-O1", "-c", TOOLS / "CountingHooks.cpp", "-o", cls.scratch / "hooks.o")
        jobs = [(str(i), *build, ["-O1"]) for i, build in enumerate(BUILDS)]
        *cls.objects, sanitized = in_parallel(cls.loop, [*jobs, ("sanitized", EXAMPLE, CLANG, False, ["-O1", *SANITIZED[1:]])])
        built(CLANG, *SANITIZED, sanitized, lender_object(cls.scratch / "sanitized", CLANG, SANITIZED), "-o", cls.scratch / "sanitized/program")
        for i, loop in enumerate(cls.objects):
            built(GCC, loop, lender, "-o", cls.scratch / f"plain{i}")
            built(GCC, loop, lender, cls.scratch / "hooks.o", "-o", cls.scratch / f"hooked{i}")

    @classmethod
    def loop(cls, name, contract, compiler, alone, flags):
        source = cls.scratch / "every.tikc.yaml" if contract == EVERY else ROOT / f"examples/{contract}.tikc.yaml"
        return loop_object(source, cls.scratch / name, compiler, alone, flags)

    def test_an_object_needs_nothing_that_allocates_locks_or_throws(self):
        for build, loop in zip(BUILDS, self.objects):
            names = [line.split(None, 1)[1] for line in ran(NM, "-C", "--undefined-only", loop).stdout.splitlines()]
            with self.subTest(build=build):
                self.assertIn("memcpy", names)
                self.assertEqual([name for name in names if not HARMLESS.match(name)], [])
        others = ran(NM, "-C", "--undefined-only", self.scratch / "lender.o").stdout
        self.assertTrue([name for name in others.split() if name in ("malloc", "pthread_mutex_lock")])

    def test_the_whole_loop_calls_nothing_that_allocates_or_locks(self):
        for i, build in enumerate(BUILDS):
            done = ran(self.scratch / f"hooked{i}", "loop")
            with self.subTest(build=build):
                self.assertEqual((done.returncode, done.stdout), (0, "line 0 allocations 0 locks 0\n"), done.stderr)

    def test_the_hooks_see_what_they_are_for(self):
        for what, controls in CONTROLS.items():
            for control in controls.split():
                said = ran(self.scratch / "hooked0", control).stdout
                self.assertRegex(said, f" {what} [1-9]", control)

    def test_the_whole_loop_makes_no_system_call(self):
        for i, build in enumerate(BUILDS):
            with self.subTest(build=build):
                status = ran(self.scratch / f"plain{i}", "sealed").returncode
                if status == 77:
                    self.skipTest("no seccomp here")
                self.assertEqual(status, 0)
        for control in ("futex", "pages"):
            self.assertEqual(ran(self.scratch / "plain0", "sealed", control).returncode, -9, control)

    def test_the_loop_saw_every_input(self):
        """Else the tests above would show little."""
        text = ran(self.scratch / "plain2", "print").stdout
        shown = json.loads(re.search(r'^\{"contract".*$', text, re.M)[0])
        required = [check for clause in shown["clauses"] if re.fullmatch(r"c\d+", clause["clause"]) for check in clause["checks"]]
        self.assertEqual(len(required), len(every_metric.checks()))
        for check in required:
            self.assertGreater(max(found["observations"] for found in check["findings"]), 0, check["check"])
        self.assertEqual({"satisfied", "violated", "undecided"}, {found["verdict"] for clause in shown["clauses"] for found in clause["verdicts"]})
        self.assertTrue(text.endswith("# EOF\n"))

    def test_valgrind_finds_nothing(self):
        if not VALGRIND:
            self.skipTest("no valgrind here")
        # It also warns of what it does not know of a machine, to a file that nobody reads.
        command = (VALGRIND, "--error-exitcode=9", "-q", "--track-origins=yes", f"--log-file={self.scratch}/valgrind.%p")
        (done, control) = in_parallel(ran, [(*command, self.scratch / "plain2", "loop"), (*command, self.scratch / "plain2", "stray")])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(control.returncode, 9)

    def test_sanitizers_find_nothing(self):
        done = ran(*UNLIMITED, self.scratch / "sanitized/program", "loop")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotEqual(ran(*UNLIMITED, self.scratch / "sanitized/program", "stray").returncode, 0)


if __name__ == "__main__":
    main()
