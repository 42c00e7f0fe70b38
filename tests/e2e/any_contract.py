"""An engine that is written once, and calls all that there is, compiles with every contract: what one does not ask for does nothing."""

import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from c_library import declared  # noqa: E402
from compilers import CLANG, GCC, PORTABLE, compiled, in_parallel, namespaces  # noqa: E402
from harness import PATIENCE, ROOT, UNLIMITED, Case, contract, main, must, skip_unless  # noqa: E402

C_COMPILER = shutil.which("gcc")
skip_unless(GCC and CLANG and C_COMPILER, "generated code is compiled with g++, gcc and clang++")

# One clause of each kind of thing that can be asked: input, and what is kept of it.
KINDS = {
    "rows": ("max(tv) <= 0.5", "rows: sample(logits, 1%)", "model: { vocabulary: 64 }"),
    "inner.rows": ("{ require: mean(tv) <= 0.5, link: [trainer, middle] }", "rows: sample(logits, 1%)", "model: { vocabulary: 64 }"),
    "routes": ("max(route_flip) <= 0.5", "routes: sample(routes, 1%)"),
    "token.sums": ("mean(k3) <= 0.5", "tokens: sample(logprobs, 1%)"),
    "token.counts": ("rate(ratio < 0.5) <= 1%", "tokens: sample(logprobs, 1%)"),
    "token.extremes": ("max(ratio) <= 2", "tokens: sample(logprobs, 1%)"),
    "token.sketches": ("p99(abs(logprob_gap)) <= 1 nat", "tokens: sample(logprobs, 1%)"),
    "token.values": ("p99(prob_gap) <= 0.5", "tokens: sample(logprobs, 1%)"),
    "window.figures": ("ess_sample >= 0.5", "tokens: sample(logprobs, 1%)"),
    "slopes": ("drift_slope <= 0.5", "tokens: sample(logprobs, 1%)"),
    "responses": ("mean(seq_tv) <= 40%", "tokens: sample(logprobs, 1%)"),
    "by.response": ("mean_by_response(k3) <= 0.5", "tokens: sample(logprobs, 1%)"),
    "windows.of.sequences": ("mean(k3) <= 0.5 over 10 sequences", "tokens: sample(logprobs, 1%)"),
    "requests": ("p90(latency) <= 1 s", "requests: sample(requests, 1%)"),
    "replays": ("max(batch_drift) <= 0.5", "replays: replay(batch, 1%)"),
    "nothing.but.sampling": (None, "requests: sample(requests, 1%)"),
    "policy": ("p90(latency) <= 1 s", "requests: sample(requests, 1%)", "escalation: { r: { when: violated(any), do: hold } }"),
    "stages": ("p90(latency) <= 1 s", "requests: sample(requests, 1%)", "promotion: { full: { traffic: 100%, window: 10 min } }"),
    "slices": ("p90(latency) <= 1 s", "requests: sample(requests, 1%)", "labels: { task: [a] }", 'slices: { s: { when: task == "a" } }'),
}


LOOP = "template class tikc_test::EngineLoop<{space}::plan, {space}::policy>;\n"
CALLS = "TIKC_ANY_CONTRACT({space}, any_{i})\n"


def small(name, requirement, observed, *more):
    """A contract with one clause, or none, and what it observes."""
    clause = f"statistical:\n  c: {requirement}\n" if requirement else ""
    return contract(name, clause, f"observability:\n  {observed}\n", *(f"{line}\n" for line in more), chained="link" in (requirement or ""))


class AnyContract(Case):
    @classmethod
    def setUpClass(cls):
        """Headers in C++ and in C, and the sources of the latter."""
        cls.out = cls.shared_folder()
        kinds = cls.out / "kinds.tikc.yaml"
        kinds.write_text("---\n".join(small(name, *parts) for name, parts in KINDS.items()))
        examples = [path for path in sorted((ROOT / "examples").rglob("*.tikc.yaml"))
                    if "broken" not in path.parts and "abstract: true" not in path.read_text()]
        for path in [kinds, *examples]:
            must("emit", "cpp", path, "-o", cls.out, "--c-abi")
        cls.headers, cls.c_headers, cls.c_sources = (sorted(cls.out.glob(f"*.{ending}")) for ending in ("tikc.h", "tikc_c.h", "tikc_c.cpp"))

    def unit(self, header, line, first="", each="", last=""):
        """A source with a line for each of a header's contracts."""
        def lines(form):
            return "".join(form.format(i=i, space=space) for i, space in enumerate(namespaces(header)))
        text = f'#include "{header}"\n#include "AnyContract.h"\n{lines(line)}{first}{lines(each)}{last}'
        return self.write(header.name.split(".")[0] + ".cpp", text)

    def test_one_engine_compiles_with_each(self):
        units = [self.unit(header, LOOP + CALLS) for header in self.headers]
        kinds = [self.out / "kinds.tikc_c.cpp", next(unit for unit in units if unit.name.startswith("kinds"))]
        jobs = [(GCC, unit) for unit in units] + [(GCC, kinds[0]), (CLANG, kinds[1])]
        more = {unit: [PORTABLE] for unit in units if unit not in kinds}  # the kinds have it all
        said = in_parallel(lambda compiler, unit: compiled(compiler, unit, "-fsyntax-only", *more.get(unit, []), include=[ROOT / "tests/tools"]), jobs)
        for (compiler, unit), each in zip(jobs, said):
            with self.subTest(compiler=compiler, unit=unit.name):
                self.assertEqual(each, "")

    def test_nothing_is_what_it_does_without_being_asked(self):
        header = self.out / "kinds.tikc.h"
        source = self.unit(header, CALLS, "int main() {\n", "  any_{i}::run_new();\n", "}\n")
        flags = ["-O0", PORTABLE, "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        self.assertEqual(compiled(CLANG, source, *flags, "-o", self.folder / "run", include=[ROOT / "tests/tools"]), "")
        done = subprocess.run([*UNLIMITED, self.folder / "run"], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_thousands_of_clauses_compile(self):
        """Thresholds and figures of their own, to the largest number that is not refused."""
        clauses = [f"p99(abs(logprob_gap)) <= {i + 1}e-4 nat" for i in range(3_000)] + [f"max(clipped(0.{i + 1:05}, 2)) <= 0" for i in range(500)]
        clauses += [f"mean(k3) <= {i + 1}e-5" for i in range(9_999 - len(clauses))]
        text = small("large", None, "tokens: sample(logprobs, 1%)", "escalation: { r: { when: violated(any), do: hold } }") + "statistical:\n" + "".join(f"  c{i}: {each}\n" for i, each in enumerate(clauses))
        self.expect(0, "emit", "cpp", self.write("large.tikc.yaml", text), "-o", self.folder)
        unit = self.unit(self.folder / "large.tikc.h", LOOP + CALLS)
        for said in in_parallel(lambda each: compiled(each, unit, "-fsyntax-only", PORTABLE, include=[ROOT / "tests/tools"]), [(GCC,), (CLANG,)]):
            self.assertEqual(said, "")

    def test_each_has_the_same_functions_in_c(self):
        functions, fields = {}, {}
        for header in self.c_headers:
            text = header.read_text()
            for prefix in [line.split()[2].removesuffix("_tally") for line in text.splitlines() if line.startswith("typedef struct") and "_tally;" in line]:
                functions[prefix] = sorted(name[len(prefix):] for name in declared(header) if name.startswith(prefix + "_"))
                body = text.split(f"typedef struct {prefix}_request {{")[1].split("}")[0]
                fields[prefix] = [line.split(";")[0].split()[-1] for line in body.strip().splitlines()][:7]
        self.assertGreater(len(functions), len(KINDS))
        self.assertEqual({tuple(each) for each in functions.values()}, {tuple(functions["rows"])})
        self.assertEqual({tuple(each) for each in fields.values()}, {tuple(fields["rows"])})


if __name__ == "__main__":
    main()
