"""The contracts that `benchmarks/run.py` times have no findings: a benchmark of findings would measure something else, and it stops at the first."""

import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main  # noqa: E402

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


if __name__ == "__main__":
    main()
