"""libtikc in a process: it exports what it declares and no more, serves threads, keeps nothing of what was destroyed, says where memory ends, and
is linked by a program in C."""

import re
import shutil
import subprocess
import sys
import threading
from ctypes import c_void_p
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from c_library import declared  # noqa: E402
from c_world import CONTRACT, World  # noqa: E402
from compilers import GCC, RUNTIME  # noqa: E402
from harness import LIBRARY, PATIENCE, ROOT, Case, main, skip_unless  # noqa: E402
from tikc_library import BROKEN, HEADER, SMALL, Contract  # noqa: E402

skip_unless(Path(LIBRARY).exists(), f"there is no {LIBRARY}: a sanitizer's runtime has to be the first that a process loads")
skip_unless(GCC and shutil.which("gcc") and shutil.which("nm"), "programs are compiled with GCC, and the library is looked at with nm")

# A process whose memory ends, and then is there again.
STARVED = """import resource, sys
from ctypes import byref, c_void_p
sys.path.insert(0, "{tools}")
from c_world import CONTRACT
from tikc_library import Contract
c = Contract(CONTRACT)
out = c_void_p()
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + (16 << 20), resource.RLIM_INFINITY))
said = []
for kind in ("checker", "tally"):
    status = "OK"
    while status == "OK":
        status = c.call(kind + "_create", c.contract_, byref(out))
    said.append(status)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
said.append(c.call("checker_create", c.contract_, byref(out)))
print(*said)
"""


class Process(Case):
    def test_exports_what_it_declares(self):
        done = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True)
        exported = [line.split()[-1] for line in done.stdout.splitlines()]
        self.assertEqual(sorted(exported), sorted(declared(HEADER)))
        self.assertEqual(len(re.findall(r"\bTIKC_C_API\b", HEADER.read_text())), len(exported))

    def test_threads_with_handles_of_their_own(self):
        c = Contract(CONTRACT)
        shared, wires, faults = c.contract_, {}, []

        def findings(text):
            document = c.read(text)[1]
            said = c.json(document)
            c.must("document_destroy", document)
            return said

        def work(seed):
            try:
                for _ in range(3):
                    said = findings(texts[seed % 2])
                    if said != wanted[seed % 2]:
                        raise AssertionError(f"{seed}: {said}")
                tally = c.out(c_void_p, "tally_create", shared).value
                for call, _ in World(seed % 3, c.shape.slices, c.shape.streams, c.shape.vocabulary).ticks[0]:
                    call(each[seed], tally)
                wires[seed] = c.wire("tally", tally)
                c.must("tally_destroy", tally)
            except BaseException as fault:  # noqa: B902 - it is told by the thread that asks
                faults.append(fault)
        texts = (BROKEN, CONTRACT)
        wanted = [findings(text) for text in texts]
        each = [Contract(CONTRACT) for _ in range(6)]  # whose scratch is a thread's
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])
        self.assertEqual([wires[seed] == wires[seed % 3] for seed in range(6)], [True] * 6)
        self.assertNotEqual(wires[0], wires[1])

    def test_memory_does_not_grow(self):
        c = Contract(SMALL)

        def resident():
            return int(re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())[1])

        def make(times, documents):
            for i in range(times):
                for kind in ("tally", "checker", "router", "request"):
                    c.must(f"{kind}_destroy", c.create(kind))
                if i < documents:
                    _, document = c.read(SMALL)
                    c.must("document_destroy", document)
        # What is not given back grows in both; what is made once grows once.
        make(500, 100)
        seen = [resident()]
        for _ in range(2):
            make(5_000, 200)
            seen.append(resident())
        self.assertLess(min(seen[1] - seen[0], seen[2] - seen[1]), 1024)  # KiB

    def test_memory_that_ends_is_a_status(self):
        done = subprocess.run([sys.executable, "-c", STARVED.format(tools=ROOT / "tests/tools")], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.stdout, done.stderr), ("MEMORY MEMORY OK\n", ""))

    def test_a_program_in_c(self):
        folder = Path(LIBRARY).parent
        program = self.folder / "any_contract"
        subprocess.run(["gcc", "-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", f"-I{HEADER.parent}", f"-I{RUNTIME}",
                        str(ROOT / "examples/embed/any_contract.c"), "-o", str(program), f"-L{folder}", "-ltikc", f"-Wl,-rpath,{folder}"], check=True)

        def said(path):
            done = subprocess.run([program, path], capture_output=True, text=True, timeout=PATIENCE)
            return done.returncode, done.stdout, done.stderr
        status, out, _ = said(ROOT / "examples/demo/rollout.tikc.yaml")
        self.assertEqual(status, 0, out)
        self.assertIn("token_tv: proved, asked <= 0.05, follows 0.04878\n", out)
        self.assertIn("\ngap: violated\n", out)
        self.assertIn("\nrule drift is active\n", out)
        self.assertEqual(said(ROOT / "examples/broken/readme.tikc.yaml")[0], 1)
        self.assertIn(":13:20: TK5001: unknown metric `logit_ocs`\n", said(ROOT / "examples/broken/readme.tikc.yaml")[1])
        self.assertEqual(said("none.yaml"), (2, "", "cannot read `none.yaml`: No such file or directory\n"))


if __name__ == "__main__":
    main()
