"""Generated checkers on another machine: built for a baseline aarch64, where the vectors are NEON's, and run by qemu."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import emit  # noqa: E402
from checker_cases import SLICES  # noqa: E402
from checker_compare import Run, disagreements  # noqa: E402
from checker_worlds import world  # noqa: E402
from compilers import GCC, PORTABLE, compiled, namespaces  # noqa: E402
from engine_loop import built, lender_object, loop_object  # noqa: E402
from harness import PATIENCE, ROOT, Case, main, must, skip_unless  # noqa: E402

CROSS, QEMU = shutil.which("aarch64-linux-gnu-g++"), shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
OBJDUMP = shutil.which("aarch64-linux-gnu-objdump")
skip_unless(CROSS and QEMU and OBJDUMP, "this needs g++ for aarch64 and qemu-aarch64")

FLAGS = ["-O2", "-march=armv8-a", "-static"]
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?")
VECTORS = re.compile(r"\sfmla\s+v\d+\.4s")


class Neon(Case):
    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.shared_folder()
        cls.data, text, cls.checks = world("promises", emit.Differential.is_refused)
        (cls.scratch / "promises.tikc.yaml").write_text(text)
        must("emit", "cpp", cls.scratch / "promises.tikc.yaml", "-o", cls.scratch)
        header = next(cls.scratch.glob("*.h"))
        (cls.scratch / "driver.cpp").write_text(emit.DRIVER.format(header=header.name, space=namespaces(header)[0]))
        cls.complaints = compiled(CROSS, cls.scratch / "driver.cpp", *FLAGS, "-o", cls.scratch / "driver", include=[cls.scratch, ROOT / "tests/tools"])

    def test_findings_are_what_the_contract_means(self):
        self.assertEqual(self.complaints, "")
        found = Run([QEMU, self.scratch / "driver", 3], self.data).findings
        wrong = disagreements(self.checks, self.data, found, SLICES)
        self.assertFalse(wrong, f"{len(wrong)} disagreements:\n" + "\n".join(wrong[:40]))

    def test_texts_and_bytes_are_those_of_this_machine(self):
        """There, a char has no sign."""
        source = self.write("hostile.tikc.yaml", emit.Injection("contract").contract())
        texts = []
        for compiler, flags, runner in ((CROSS, FLAGS, [QEMU]), (GCC, ["-O0", PORTABLE], [])):
            folder = self.folder / Path(compiler).name
            loop = loop_object(source, folder, compiler, flags=flags)
            built(compiler, *flags, loop, lender_object(folder, compiler, flags), "-o", folder / "program")
            texts.append(NUMBER.sub("#", subprocess.run([*runner, folder / "program", "print"], capture_output=True, check=True, timeout=PATIENCE).stdout.decode()))
        self.assertGreater(len(texts[0]), 10000)
        self.assertEqual(texts[0], texts[1])

    def test_the_loops_are_of_vectors(self):
        code = subprocess.run([OBJDUMP, "-d", self.scratch / "driver"], capture_output=True, text=True, check=True).stdout
        self.assertGreater(len(VECTORS.findall(code)), 200)


if __name__ == "__main__":
    main()
