"""Bytes of a tally or of a router are read by the contract that wrote them, whatever its spelling, and refused by one whose numbers mean
something else."""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import GCC, PORTABLE, compiled, in_parallel, namespaces  # noqa: E402
from harness import PATIENCE, ROOT, Case, main, skip_unless  # noqa: E402

skip_unless(GCC, "no g++ here")

CONTRACT = """tikc: v1
contract: about
version: 1.0.0
kernels:
  trainer: { engine: fsdp2, weights: bf16 }
  rollout: { engine: vllm, weights: bf16, build: abc }
pair: { train: trainer, infer: rollout }
labels: { task: [math, code] }
slices:
  a: { when: task == "math", weight: 10% }
  b: { when: prompt_tokens >= 8192 }
statistical:
  gap: mean(k3) <= 1 over 10 min
runtime:
  fast: p90(latency) <= 1 s
observability:
  tokens: sample(logprobs, 100%)
  requests: sample(requests, 100%)
escalation:
  r: { when: violated(gap), do: hold }
  s: { when: undecided(any) for 6 windows, do: hold }
"""
# What was written, and what means something else; tables, and so the bytes' sizes, are the same.
OTHERS = {
    "the opposite condition": ('task == "math"', 'task != "math"'),
    "another label": ("task: [math, code]", "task: [math, prose]"),
    "another build": ("build: abc", "build: abd"),
    "another engine": ("engine: vllm", "engine: sglang"),
    "another format": ("fsdp2, weights: bf16", "fsdp2, weights: fp16"),
    "another name": ("contract: about", "contract: other"),
    "another version": ("1.0.0", "1.0.1"),
    "another clause": ("  fast:", "  slow:"),
    "another limit": ("<= 1 over", "<= 2 over"),
    "another weight": ("weight: 10%", "weight: 11%"),
}
SAME = [("task == \"math\", weight: 10%", "(task==\"math\"), weight: 0.10"), ("over 10 min", "over 600 s # ten minutes"),
        ("gap: mean(k3) <= 1 over", "gap:\n    because: it was so\n    require: mean(k3) <= 1.0 nat over"),
        ("kernels:\n  trainer: { engine: fsdp2, weights: bf16 }\n  rollout: { engine: vllm, weights: bf16, build: abc }",
         "owners: [me]\nkernels:\n  rollout: { build: 'abc', weights: bf16, engine: vllm }\n  trainer: { weights: bf16, engine: fsdp2 }")]
DRIVER = """#include "tikc/wire.h"
#include <cstdio>
{includes}
#include <memory>
#include <string>
#include <vector>
template <class Kind> std::string bytes_of() {{
  auto of = std::make_unique<Kind>();
  std::string out(tikc::wire_size(*of), ' ');
  tikc::serialise(*of, out.data(), out.size());
  return out;
}}
template <class Kind> void read(const std::string& bytes) {{
  auto into = std::make_unique<Kind>();
  std::printf("%s ", tikc::name(tikc::parse(bytes.data(), bytes.size(), *into)));
}}
int main() {{
  const std::string tally = bytes_of<{first}::tally>(), router = bytes_of<{first}::router>();
{reads}
}}
"""


class Fingerprint(Case):
    def emitted(self, stem, text):
        self.expect(0, "emit", "cpp", self.write(f"{stem}.tikc.yaml", text), "-o", self.folder)
        return self.folder / f"{stem}.tikc.h"

    def spaced(self, stem, text):
        """The header of a contract in a namespace of its own: several have one name."""
        header = self.emitted(stem, text)
        own = header.read_text().replace(f"namespace {namespaces(header)[0]} ", f"namespace {stem} ").replace("#pragma once\n", "")
        header.write_text(own)
        return f'#include "{header.name}"'

    def test_bytes_of_another_meaning_are_refused(self):
        rewritten = CONTRACT
        for old, new in SAME:
            self.assertIn(old, rewritten)
            rewritten = rewritten.replace(old, new)
        texts = {"first": CONTRACT, "rewritten": rewritten}
        for i, (old, new) in enumerate(OTHERS.values()):
            self.assertIn(old, CONTRACT)
            texts[f"other_{i}"] = CONTRACT.replace(old, new)
        includes = "\n".join(self.spaced(stem, text) for stem, text in texts.items())
        reads = "\n".join(f'  read<{stem}::tally>(tally);\n  read<{stem}::router>(router);\n  std::puts("");' for stem in texts)
        driver = self.write("driver.cpp", DRIVER.format(includes=includes, reads=reads, first="first"))
        self.assertEqual(compiled(GCC, driver, "-O0", PORTABLE, "-o", self.folder / "driver", include=[self.folder]), "")
        said = subprocess.run([self.folder / "driver"], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout.splitlines()
        self.assertEqual([line.split() for line in said[:2]], [["none", "none"]] * 2)
        for how, line in zip(OTHERS, said[2:], strict=True):
            self.assertEqual(line.split(), ["fingerprint", "fingerprint"], how)

    def fingerprints(self, stem, text):
        return re.findall(r" fingerprint = (\w+);", self.emitted(stem, text).read_text())

    def test_each_example_has_its_own_and_keeps_it(self):
        seen = {}
        for path in sorted((ROOT / "examples").glob("*.tikc.yaml")):
            text = path.read_text()
            found = self.fingerprints("example", text)
            self.assertTrue(found)
            told = re.sub(r"^(summary:).*$", r"\1 Said in another way.", text, flags=re.M)
            self.assertEqual(self.fingerprints("example", "# a comment\n" + told + "\n# another\n"), found, path.name)
            later = re.sub(r"^(version: \d+\.\d+\.)(\d+)", lambda version: f"{version[1]}{int(version[2]) + 1}", text, flags=re.M)
            self.assertTrue(set(found).isdisjoint(self.fingerprints("example", later)), path.name)
            for each in found:
                self.assertNotIn(each, seen, f"{path.name} and {seen.get(each)}")
                seen[each] = path.name

    def test_many_clauses_compile(self):
        """No compiler has to compute it, which none did for thousands of clauses."""
        clauses = "".join(f"  c{i}: max(latency) <= {i + 1} s\n" for i in range(400))
        header = self.emitted("many", CONTRACT.replace("  fast: p90(latency) <= 1 s\n", clauses))
        unit = self.write("many.cpp", f'#include "{header.name}"\n#include "tikc/wire.h"\nstatic_assert({namespaces(header)[0]}::plan::fingerprint != 0);\n')
        self.assertEqual(in_parallel(compiled, [(GCC, unit, "-fsyntax-only", PORTABLE)]), [""])


if __name__ == "__main__":
    main()
