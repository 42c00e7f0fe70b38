"""CMake configures the tree where only the packages of a build are installed: without Node.js, which some tests need."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main  # noqa: E402


class Configure(Case):
    def test_node_is_optional(self):
        build = self.folder / "build"
        configured = subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DTIKC_NODE="], capture_output=True, text=True, check=False)
        self.assertEqual(configured.returncode, 0, configured.stdout + configured.stderr)
        tests = subprocess.run(["ctest", "--test-dir", build, "-N"], capture_output=True, text=True, check=True).stdout
        self.assertIn("e2e.configure", tests)
        self.assertNotIn("e2e.schema_agrees_yls", tests)


if __name__ == "__main__":
    main()
