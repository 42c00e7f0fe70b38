"""Programs that drive the checkers of several contracts: a contract's number, how many tallies and the best instruction set are arguments."""

import shutil
from pathlib import Path

from checker_policies import NUMBERS, TEXTS
from compilers import CLANG, GCC, compiled, namespaces
from harness import ROOT, run

CROSS, QEMU = shutil.which("aarch64-linux-gnu-g++"), shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
# Compiler, flags, whether the header stands alone.
BUILDS = [(GCC, ["-O1"], False), (CLANG, ["-O2"], False), (GCC, ["-O2"], True), (CLANG, ["-O1"], True)]
NEON = (CROSS, ["-O1", "-march=armv8-a", "-static"], False)
INSTRUCTION_SETS = ["portable", "avx2", "avx512"]

UNIT = """{includes}
#include "ContractDriver.h"
{contracts}
int main(int count, char** arguments) {{ return tikc_test::drive_one_of<{names}>(count, arguments); }}
"""
CONTRACT = """struct contract{index} {{
  using plan = {space}::plan;
  using policy = {space}::policy;
  using request = {space}::request;
  static request fresh() {{ return {{}}; }}
  static std::size_t slice_of(const request& of) {{ return static_cast<std::size_t>({space}::slice_of(of)); }}
  static void set(request& of, const std::string& name, double value) {{
    static_cast<void>(of), static_cast<void>(name), static_cast<void>(value);
{numbers}  }}
  static void set(request& of, const std::string& name, const std::string& text) {{
    static_cast<void>(of), static_cast<void>(name), static_cast<void>(text);
{texts}  }}
}};
"""


def fields_of(header):
    """What the slices ask of a request."""
    body = header.read_text().split("struct request {")[1].split("};")[0]
    return [line.split()[-3] for line in body.strip().splitlines() if "=" in line]


def adapter(index, header):
    space, fields = namespaces(header)[0], fields_of(header)
    numbers = [f'    if (name == "{field}")\n      of.{field} = value;\n' for field in fields if field in NUMBERS]
    texts = []
    for field in fields:
        if field == "model_version":
            texts.append(f'    if (name == "{field}")\n      of.{field} = text.c_str();\n')
        elif field in TEXTS:
            texts += [f'    if (name == "{field}" && text == "{value}")\n      of.{field} = {space}::{field}_label::{value};\n' for value in TEXTS[field]]
    return CONTRACT.format(index=index, space=space, numbers="".join(numbers), texts="".join(texts))


class Program:
    """The checkers of some contracts, emitted and compiled in one way."""

    def __init__(self, folder, contracts, build):
        self.folder, self.contracts, self.build = folder, contracts, build
        self.compiler, self.flags, self.alone = build

    def made(self):
        """What its makers complain of."""
        headers = []
        for i, contract in enumerate(self.contracts):
            place = self.folder / str(i)
            place.mkdir(parents=True)
            (place / f"contract{i}.tikc.yaml").write_text(contract.text)
            done = run("emit", "cpp", place / f"contract{i}.tikc.yaml", "-o", place, *(["--standalone"] if self.alone else []))
            if done.returncode != 0:
                return done.out + done.err
            headers.append(next(place.glob("*.h")))
        names = [f"contract{i}" for i in range(len(headers))]
        (self.folder / "driver.cpp").write_text(UNIT.format(
            includes="\n".join(f'#include "{header.relative_to(self.folder)}"' for header in headers),
            contracts="".join(adapter(i, header) for i, header in enumerate(headers)), names=", ".join(names)))
        return compiled(self.compiler, self.folder / "driver.cpp", *self.flags, "-o", self.folder / "driver",
                        include=[self.folder, ROOT / "tests/tools"], runtime=not self.alone)

    @property
    def how(self):
        return " ".join([Path(self.compiler).name, *self.flags, *(["standalone"] if self.alone else [])])

    def command(self, contract, tallies, instructions):
        runner = [QEMU] if self.compiler == CROSS else []
        return [*runner, self.folder / "driver", contract, *self.arguments(tallies, instructions)]

    @staticmethod
    def arguments(tallies, instructions):
        return [tallies, INSTRUCTION_SETS.index(instructions)]
