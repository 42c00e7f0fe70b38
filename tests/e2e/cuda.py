"""`tikc emit cpp --cuda`: its source compiles for the host and, where CUDA's compiler is installed, for the device."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import CLANG, GCC, PORTABLE, RUNTIME, compiled, in_parallel  # noqa: E402
from harness import PATIENCE, ROOT, Case, main, run, skip_unless  # noqa: E402

skip_unless(GCC and CLANG, "generated code is compiled with g++ and clang++")

NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
GOLDEN = Path(__file__).with_name("cuda.golden.json")
EXAMPLES = sorted((ROOT / "examples").glob("*.tikc.yaml"))
FORMATS = "fp32,bf16"
INSTRUCTION = re.compile(r"^\t(?!\.|//)[^\n]*;$", re.M)
# How many instructions a kernel may gain or lose, of those of the golden file.
TOLERANCE = 0.03


def stem(example):
    return example.name.removesuffix(".tikc.yaml")


class Cuda(Case):
    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.shared_folder()
        cls.refusals = {}
        for example in EXAMPLES:
            for folder, options in (("plain", []), ("standalone", ["--standalone"])):
                done = run("emit", "cpp", example, "-o", cls.scratch / folder, "--cuda", FORMATS, *options)
                if done.returncode != 0:
                    cls.refusals[stem(example)] = done.err

    def sources(self, folder):
        return sorted((self.scratch / folder).glob("*.tikc.cu"))

    def test_examples_with_rows_have_a_source(self):
        self.assertGreater(len(self.sources("plain")), 3)
        for name, error in self.refusals.items():
            self.assertRegex(error, "no clause is about rows of logits|computed from rows on the host only", name)

    def test_the_host_s_build_has_no_warning(self):
        def problem(compiler, source, runtime):
            return compiled(compiler, source, "-xc++", "-c", "-O0", PORTABLE, "-o", "/dev/null", runtime=runtime) and f"{compiler} {source}"

        cases = [(compiler, source, folder == "plain") for folder in ("plain", "standalone") for source in self.sources(folder) for compiler in (GCC, CLANG)]
        self.assertEqual([each for each in in_parallel(problem, cases) if each], [])

    def test_an_engine_observes_with_the_header_alone(self):
        """The header of several contracts, in a source that no CUDA compiler sees, linked with the sources that one would compile."""
        for runtime in (True, False):
            folder = self.scratch / ("plain" if runtime else "standalone")
            one, other = "bf16-dense-rollout", "fp8-rollout"
            engine = self.write(f"engine-{runtime}.cpp", ENGINE)
            objects = []
            for source in (engine, folder / f"{one}.tikc.cu", folder / f"{other}.tikc.cu"):
                to = self.folder / f"{source.stem}-{runtime}.o"
                self.assertEqual(compiled(GCC, source, "-xc++", "-c", "-O1", PORTABLE, "-o", to, include=[folder], runtime=runtime), "")
                objects.append(to)
            program = self.folder / f"engine-{runtime}"
            subprocess.run([GCC, *objects, "-o", program], check=True, timeout=PATIENCE)
            self.assertEqual(subprocess.run([program], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout, "5 rows, invalid argument\n")

    def test_bad_formats_are_refused(self):
        source = ROOT / "examples/bf16-dense-rollout.tikc.yaml"
        for formats, text in (("fp12", "`fp12`"), ("bf16,", "``"), ("bf16,fp32,fp32", "`fp32,fp32`"), ("", "empty FORMAT"), ("fp61", "expected fp32, bf16, fp16")):
            done = run("emit", "cpp", source, "-o", self.folder / "refused", "--cuda", formats)
            self.assertEqual(done.returncode, 2, formats)
            self.assertIn(text, done.err)
        self.assertFalse((self.folder / "refused").exists())

    def test_the_device_s_build(self):
        if not NVCC:
            self.skipTest("this needs nvcc")
        version = re.search(r"release ([\d.]+)", subprocess.run([NVCC, "--version"], capture_output=True, text=True, check=True).stdout)[1]
        golden = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
        found = {}

        def build(source, folder):
            ptx = self.folder / f"{folder}-{source.name}.ptx"
            command = [NVCC, "-std=c++17", "-O3", "-arch=sm_90", "-ptx", "-o", ptx, source, f"-I{source.parent}", *([f"-I{RUNTIME}"] if folder == "plain" else [])]
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
            return done.returncode, done.stderr, ptx

        cases = [(source, folder) for folder in ("plain", "standalone") for source in self.sources(folder)]
        for (source, folder), (code, error, ptx) in zip(cases, in_parallel(build, cases)):
            self.assertEqual((code, error), (0, ""), source)
            counts = instructions(ptx.read_text())
            if folder == "plain":
                found[stem(source).removesuffix(".tikc.cu")] = counts
            else:
                self.assertEqual(counts, found[stem(source).removesuffix(".tikc.cu")])
        if os.environ.get("TIKC_UPDATE"):
            golden = {"nvcc": version, "instructions": found}
            GOLDEN.write_text(json.dumps(golden, indent=1) + "\n")
        if version != golden["nvcc"]:
            self.skipTest(f"instructions are counted with nvcc {golden['nvcc']}, not {version}")
        self.assertEqual(found.keys(), golden["instructions"].keys())
        for example, kernels in found.items():
            for kernel, count in kernels.items():
                self.assertAlmostEqual(count, golden["instructions"][example][kernel], delta=TOLERANCE * count, msg=f"{example}: {kernel}")


    def test_a_program_says_why_it_cannot_use_a_gpu(self):
        """Built for the device, and run where there may be none."""
        if not NVCC:
            self.skipTest("this needs nvcc")
        engine = self.write("engine.cpp", DEVICE_ENGINE)
        folder = self.scratch / "plain"
        program = self.folder / "engine"
        subprocess.run([NVCC, "-std=c++17", "-arch=sm_90", f"-I{folder}", f"-I{RUNTIME}", f"-D{PORTABLE[2:]}", engine, folder / "bf16-dense-rollout.tikc.cu", "-o", program],
                       check=True, timeout=PATIENCE)
        said = subprocess.run([program], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
        self.assertRegex(said, r"^(\d+: [\w ,-]+; waited: 0; observed 0|reduced: 0 rows)\n$")


def instructions(ptx):
    """How many instructions each kernel has by itself, by name and number, and all of them with the functions that they call."""
    out = {"all": len(INSTRUCTION.findall(ptx))}
    for name, body in re.findall(r"\.entry (\w+)\(.*?\n\{\n(.*?)\n\}", ptx, re.S):
        kind = re.search(r"(reduce|finish|exact)_rows_kernel", name)[1]
        number = sum(key.startswith(kind) for key in out)
        out[f"{kind} {number}"] = len(INSTRUCTION.findall(body))
    return out


DEVICE_ENGINE = r"""#include "bf16-dense-rollout.tikc_cuda.h"
#include <cstdio>
#include <memory>
namespace contract = qwen3_4b_bf16_rollout;
int main() {
  contract::device::trainer_to_rollout observer;
  auto tally = std::make_unique<contract::tally>();
  const tikc::cuda::status refused = observer.reduce({nullptr, nullptr, 0, 0, 0}, nullptr);
  const tikc::cuda::status waited = observer.observe(*tally, 0);
  const auto rows = static_cast<int>(tally->observed(0).through[0].rows);
  if (refused.is_ok())
    std::printf("reduced: %d rows\n", rows);
  else
    std::printf("%d: %s; waited: %d; observed %d\n", refused.code, refused.text, waited.code, rows);
}
"""

ENGINE = r"""#include "bf16-dense-rollout.tikc_cuda.h"
#include "fp8-rollout.tikc_cuda.h"
#include <cstdio>
#include <memory>
#include <vector>
namespace contract = qwen3_4b_bf16_rollout;
int main() {
  constexpr std::size_t rows = 5, vocabulary = contract::plan::vocabulary;
  std::vector<float> train(rows * vocabulary, 1);
  std::vector<std::uint16_t> infer(rows * vocabulary, 0x3f80);
  contract::device::trainer_to_rollout observer;
  auto tally = std::make_unique<contract::tally>();
  if (!observer.reduce({train.data(), infer.data(), rows, vocabulary, vocabulary}, nullptr).is_ok())
    return 1;
  if (!observer.observe(*tally, 0).is_ok())
    return 2;
  const tikc::cuda::status refused = observer.reduce({train.data(), infer.data(), rows << 32U, 0, 0}, nullptr);
  std::printf("%d rows, %s\n", static_cast<int>(tally->observed(0).through[0].rows), refused.text);
}
"""


if __name__ == "__main__":
    main()
