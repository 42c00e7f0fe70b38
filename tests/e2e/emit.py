"""`tikc emit cpp`: what it writes compiles alone and without a warning, says what the contract says whatever its texts are, and
judges as a reference does that was written from the meaning of the language."""

import platform
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import CLANG, GCC, PORTABLE, SANITIZED, compiled, in_parallel, namespaces  # noqa: E402
from harness import CLEAN, PATIENCE, ROOT, UNLIMITED, Case, main, run, skip, skip_unless  # noqa: E402

try:
    from checker_cases import SLICES
    from checker_compare import Run, differences, disagreements, observed
    from checker_tables import AVERAGED, METRICS, RATIOS, WINDOW_FIGURES
    from checker_worlds import WORLDS, world
except ModuleNotFoundError as missing:
    skip(f"{missing}; the reference needs python3-numpy")
skip_unless(GCC and CLANG, "generated code is compiled with g++ and clang++")

# The world whose program is as users have it.
AS_SHIPPED = "promises"
HOSTILE = [
    '"; int x; char* s = "',
    "*/ #error out of the comment /*",
    "??/",
    "what??'??(??<??=",
    "a\nb\r\n#error",
    "ends in \\",
    "\\\n// \\",
    "\\u0041 \\x41 \\101 \\N{DIGIT ONE}",
    "\u202eevil\u2066",
    "\u00e9\u4e2d\U0001f600\ufeff7",
    "\x01\x1b[31m7f\x7f0\t9",
    'R"(raw)" L"x" %s {} $(id) `id`',
]


def scalar(text):
    """A YAML scalar of any text."""
    return '"' + "".join(c if " " <= c <= "~" and c not in '"\\' else f"\\U{ord(c):08x}" for c in text) + '"'


def literal(text):
    """A text of the expression grammar."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


INJECTED = """tikc: v1
contract: injected
version: 1.0.0
summary: {all}
owners: [{all}]
kernels:
  trainer: {{ engine: fsdp2, weights: bf16 }}
  rollout: {{ engine: vllm, weights: bf16, build: {all} }}
pair: {{ train: trainer, infer: rollout }}
model: {{ vocabulary: 64, digest: {all} }}
labels: {{ task: [{labels}] }}
slices:
{slices}
numerical:
{clauses}
observability:
  rows: sample(logits, 1%)
escalation:
{rules}
  stale: {{ when: undecided(any) for 6 windows, do: hold }}
"""
DRIVER = """#include "{header}"
#include "CheckerDriver.h"
int main(int count, char** arguments) {{ return tikc_test::drive<{space}::plan>(count, arguments); }}
"""
PRINTER = """#include <climits>
#include <cmath>
#include "{header}"
#include <cstdio>
void print(const char* text) {{
  for (; *text != 0; ++text)
    std::printf("%02x", static_cast<unsigned>(static_cast<unsigned char>(*text)));
  std::printf("\\n");
}}
int main() {{
  print({space}::plan::build);
  print({space}::plan::digest);
  for (const auto& clause : {space}::plan::clauses)
    print(clause.because);
  for (const auto& action : {space}::policy::actions)
    if (action.kind == tikc::action_kind::alert)
      print(action.text);
  {space}::request of;
{checks}}}
"""


class Header(Case):
    def emitted(self, contract, *options):
        folder = self.folder / "generated" / (contract.name.split(".")[0] + "".join(options))
        self.expect(0, "emit", "cpp", contract, "-o", folder, *options)
        headers = sorted(folder.glob("*.h"))
        self.assertTrue(headers)
        return headers

    def unit_for(self, headers, name="alone.cpp"):
        """A source that includes headers and makes every table and class of theirs complete."""
        lines = [f'#include "{header}"' for header in headers]
        for header in headers:
            for space in namespaces(header):
                lines.append(f"static_assert(sizeof({space}::tally) < sizeof({space}::checker));")
        return self.write(name, "\n".join(lines) + "\n")

    def test_every_example_compiles_alone_with_clang(self):
        """As any_contract.py has GCC compile it, and an engine around it."""
        headers = [header for contract in sorted((ROOT / "examples").glob("*.tikc.yaml")) for header in self.emitted(contract)]
        units = [self.unit_for([header], f"{i}.cpp") for i, header in enumerate(headers)]
        jobs = [(CLANG, unit, "-fsyntax-only") for unit in units]
        for (_, unit, _), said in zip(jobs, in_parallel(compiled, jobs)):
            with self.subTest(unit=unit.read_text()):
                self.assertEqual(said, "")

    def test_conditions_that_contradict_one_another_compile(self):
        """A compiler would warn of these, were they its own author's."""
        conditions = ['task == "a" and task == "b"', 'task != "a" or task != "b"', 'task != "a" or tier != "x" or task != "b"',
                      'task == "a" and not (task in {"a", "b"})', "prompt_tokens < 1 and prompt_tokens > 7", "prompt_tokens == 1 and prompt_tokens == 7"]
        slices = "\n".join(f"  s{i}: {{ when: '{condition}' }}" for i, condition in enumerate(conditions))
        contract = self.write("odd.tikc.yaml", f"{CLEAN}labels: {{ task: [a, b], tier: [x, y] }}\nslices:\n{slices}\nruntime:\n  c: p90(latency) <= 1 s\n"
                              "observability:\n  requests: sample(requests, 100%)\nescalation:\n  r: { when: violated(c), do: hold }\n")
        for compiler in (GCC, CLANG):
            self.assertEqual(compiled(compiler, self.unit_for(self.emitted(contract)), "-fsyntax-only", PORTABLE), "")

    def test_headers_of_all_examples_go_together(self):
        for options in ([], ["--standalone"]):
            headers = [header for contract in sorted((ROOT / "examples").glob("*.tikc.yaml")) for header in self.emitted(contract, *options)]
            # C's headers have macros of one letter.
            unit = self.unit_for(headers)
            unit.write_text("#include <complex.h>\n" + unit.read_text())
            self.assertEqual(compiled(GCC, unit, "-fsyntax-only"), "")


class Injection(Case):
    """Texts of strangers stay texts."""

    def contract(self):
        words = [*HOSTILE, "class", "NAN", "INT_MAX", "9 lives", "none", "_A", "a__b", "-", "other"]
        clauses = [f"  c{i}: {{ require: max(tv) <= 0.5, because: {scalar(text)} }}" for i, text in enumerate(HOSTILE)]
        rules = [f"  r{i}: {{ when: violated(c{i}), do: [{scalar(f'alert({literal(text)})')}], because: {scalar(text)} }}"
                 for i, text in enumerate(HOSTILE)]
        slices = [f"  s{i}: {{ when: {scalar(f'task == {literal(text)} or model_version == {literal(text)}')} }}" for i, text in enumerate(HOSTILE)]
        return INJECTED.format(all=scalar("".join(HOSTILE)), labels=", ".join(map(scalar, words)), clauses="\n".join(clauses),
                               rules="\n".join(rules), slices="\n".join(slices))

    def test_texts_reach_the_code_byte_for_byte(self):
        self.expect(0, "emit", "cpp", self.write("injected.tikc.yaml", self.contract()), "-o", self.folder)
        header = next(self.folder.glob("*.h"))
        checks = "".join(f'  of.model_version = "{"".join(f"{chr(92)}{byte:03o}" for byte in text.encode())}";\n'
                         f'  std::printf("%d\\n", static_cast<int>({namespaces(header)[0]}::slice_of(of)));\n' for text in [*HOSTILE, "x"])
        source = self.write("print.cpp", PRINTER.format(header=header.name, space=namespaces(header)[0], checks=checks))
        for compiler in (GCC, CLANG):
            self.assertEqual(compiled(compiler, source, PORTABLE, "-o", self.folder / "print", include=[self.folder]), "")
            self.assertEqual(compiled(compiler, source, PORTABLE, "-trigraphs", "-Wno-trigraphs", "-o", self.folder / "trigraphs", include=[self.folder]), "")
            for program in ("print", "trigraphs"):
                done = subprocess.run([self.folder / program], capture_output=True, text=True, check=True, timeout=PATIENCE)
                texts = ["".join(HOSTILE)] * 2 + HOSTILE * 2
                self.assertEqual([bytes.fromhex(line) for line in done.stdout.split()[: len(texts) + 1][:len(texts)]],
                                 [text.encode() for text in texts])
                self.assertEqual([int(line) for line in done.stdout.split()[-len(HOSTILE) - 1:]], list(range(len(HOSTILE) + 1)))

    def test_a_zero_in_a_text_is_not_lost(self):
        text = INJECTED.format(all='"a"', labels="a", clauses='  c: { require: max(tv) <= 0.5, because: "a\\0b" }',
                               rules="  r: { when: violated(any), do: hold }", slices="  s: { when: task == \"a\" }")
        status = self.tikc("check", self.write("zero.tikc.yaml", text)).returncode
        self.assertEqual(status, 1, "a C string ends at a zero, so a contract with one has to be refused")


class Differential(Case):
    """Generated checkers and the reference see the same observations."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.shared_folder()
        names = list(WORLDS)
        cls.worlds = dict(zip(names, in_parallel(cls.built, [(name,) for name in names])))

    @classmethod
    def built(cls, name):
        """Observations, checks and the driver's source of one contract, with its compiler's complaints."""
        data, text, checks = world(name, cls.is_refused)
        folder = cls.scratch / name
        folder.mkdir()
        (folder / f"{name}.tikc.yaml").write_text(text)
        emitted = run("emit", "cpp", folder / f"{name}.tikc.yaml", "-o", folder, "--stats")
        (folder / "stats").write_text(emitted.out)
        if emitted.returncode != 0:
            return data, checks, folder, emitted.out + emitted.err
        header = next(folder.glob("*.h"))
        (folder / "driver.cpp").write_text(DRIVER.format(header=header.name, space=namespaces(header)[0]))
        # differential.py has both compilers make faster ones, for each machine.
        more = [PORTABLE] if name != AS_SHIPPED else []
        return data, checks, folder, compiled(GCC, folder / "driver.cpp", "-O1", *more, "-o", folder / "driver", include=[folder, ROOT / "tests/tools"])

    @classmethod
    def is_refused(cls, text):
        return run("check", "-q", "-", stdin=text).returncode != 0

    def agree(self, name):
        data, checks, folder, complaints = self.worlds[name]
        self.assertEqual(complaints, "")
        found = observed(folder / "driver", data)
        self.assertLessEqual({"satisfied", "violated", "undecided"}, {verdict for verdict, *_ in found.values()})
        wrong = disagreements(checks, data, found, SLICES)
        self.assertFalse(wrong, f"{len(wrong)} disagreements:\n" + "\n".join(wrong[:40]))

    def test_rows(self):
        self.agree("rows")

    def test_laws_of_some_tokens(self):
        for name in ("greedy", "served_greedily", "missing", "nucleus", "cut_thrice"):
            with self.subTest(contract=name):
                self.agree(name)

    def test_tokens(self):
        self.agree("tokens")

    def test_requests_responses_and_replays(self):
        self.agree("requests")

    def test_what_is_easy_to_get_wrong(self):
        self.agree("promises")

    def test_more_thresholds_than_the_pass_counts_decide_as_few_do(self):
        """The pass over tokens counts a limited number of thresholds; the others are counted separately."""
        self.agree("thresholds")

    def test_every_metric_and_aggregate_is_there(self):
        used = {(check.aggregate, check.metric) for _, checks, *_ in self.worlds.values() for check in checks}
        self.assertGreater(len(METRICS), 40)
        for metric, *_ in METRICS:
            wanted = [""] if metric in (*WINDOW_FIGURES, "drift_slope") else ["max", "min", "mean", "rms", "std", "quantile", "rate", "sum", "count", "slope"]
            for aggregate in wanted:
                self.assertIn((aggregate, metric), used)
        for metric in AVERAGED:
            self.assertIn(("mean_by_response", metric), used)
        for metric in RATIOS:
            self.assertIn(("effective_share", metric), used)

    def test_sizes_are_those_of_the_compiler(self):
        for name, (_, _, folder, _) in self.worlds.items():
            sizes = subprocess.run([folder / "driver", "sizes"], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout.split()
            told = re.findall(r"^  (?:tally|checker) +(\d+) bytes", (folder / "stats").read_text(), re.M)
            self.assertEqual(told, sizes, name)

    def test_a_program_may_go_without_what_some_machines_have_more(self):
        for name, (_, _, folder, _) in self.worlds.items():
            symbols = subprocess.run(["nm", "-C", folder / "driver"], capture_output=True, text=True, check=True).stdout
            for more in ("::avx2::", "::avx512::"):
                self.assertEqual(more in symbols, name == AS_SHIPPED and platform.machine() == "x86_64", name)

    def test_tallies_merge_and_order_does_not_matter(self):
        for name, (data, checks, folder, _) in self.worlds.items():
            one = observed(folder / "driver", data)
            for label, other in (("5 tallies", observed(folder / "driver", data, 5)), ("shuffled", observed(folder / "driver", data, 1, 7)),
                                 ("shuffled, 3 tallies", observed(folder / "driver", data, 3, 8))):
                with self.subTest(contract=name, how=label):
                    self.assertEqual(differences(checks, one, other), [])

    def test_sanitizers_find_nothing(self):
        data, checks, folder, _ = self.worlds[AS_SHIPPED]
        complaints = compiled(CLANG, folder / "driver.cpp", *SANITIZED, "-o", folder / "sanitized", include=[folder, ROOT / "tests/tools"])
        self.assertEqual(complaints, "")
        self.assertEqual(differences(checks, observed(folder / "driver", data), Run([*UNLIMITED, folder / "sanitized", 2], data).findings), [])


if __name__ == "__main__":
    main()
