"""The contracts that `benchmarks/run.py` times have no findings: a benchmark of findings would measure something else, and it stops at the first.
The other benchmarks in Python run to their end on little data."""

import importlib.util
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import LIBRARY, PATIENCE, ROOT, TIKC, Case, main  # noqa: E402

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("run", ROOT / "benchmarks/run.py")
benchmark = importlib.util.module_from_spec(spec)
spec.loader.exec_module(benchmark)


class Benchmarks(Case):
    def test_contracts_are_clean(self):
        for name, text in (("one", benchmark.contract(0)), ("large", benchmark.large_contract(300_000)), ("proved", benchmark.proved_contract(5)),
                           ("unclaimed", benchmark.proved_contract(5, claims=False))):
            with self.subTest(name):
                self.expect(0, "check", "--quiet", self.write(f"{name}.tikc.yaml", text))

    def test_each_runs(self):
        for words in (["lsp.py", "--tikc", TIKC, "--quick"], ["family.py", "--tikc", TIKC, "--children", "20"],
                      ["measure.py", "--tikc", TIKC, "--rounds", "1", "--tokens", "4000", "--runs", "3"],
                      ["python.py", "--library", LIBRARY, "--responses", "2", "--tokens", "64", "--rounds", "1"]):
            with self.subTest(words[0]):
                done = subprocess.run(["/usr/bin/python3", ROOT / "benchmarks" / words[0], *map(str, words[1:])], capture_output=True, text=True,
                                      timeout=PATIENCE)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, r"(?m)^\|(---\|)+$")


if __name__ == "__main__":
    main()
