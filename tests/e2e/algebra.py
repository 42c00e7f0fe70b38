"""One worker or many, in whatever order they observe and are merged, through bytes or not: a checker finds the same. What counts and
compares is the same to the last bit; sums are the same to 1e-12 of themselves, since they round in an order."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import GCC, PORTABLE, compiled, namespaces  # noqa: E402
from harness import PATIENCE, ROOT, Case, main, skip, skip_unless  # noqa: E402

try:
    import every_metric
except ModuleNotFoundError as missing:
    skip(f"{missing}; the contract of every metric needs python3-numpy")
skip_unless(GCC, "no g++ here")

DRIVER = """#include "{header}"
#include "AlgebraDriver.h"
int main() {{ return tikc_test::Algebra<{space}::plan>().differences(12) == 0 ? 0 : 1; }}
"""


class Algebra(Case):
    def found(self):
        folder = self.folder / "checker"
        source = self.write("every.tikc.yaml", every_metric.contract())
        self.expect(0, "emit", "cpp", source, "-o", folder)
        header = next(folder.glob("*.h"))
        (folder / "driver.cpp").write_text(DRIVER.format(header=header.name, space=namespaces(header)[0]))
        self.assertEqual(compiled(GCC, folder / "driver.cpp", "-O1", PORTABLE, "-o", folder / "driver", include=[folder, ROOT / "tests/tools"]), "")
        return subprocess.run([folder / "driver"], capture_output=True, text=True, timeout=PATIENCE)

    def test_workers_find_what_one_finds(self):
        done = self.found()
        self.assertEqual((done.returncode, done.stdout[:4000]), (0, ""))


if __name__ == "__main__":
    main()
