"""Whatever contracts, slices, clauses, labels and files are called: what is emitted compiles beside all headers of C, C++ and POSIX."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import CLANG, GCC, PORTABLE, RUNTIME, compiled, namespaces  # noqa: E402
from harness import PATIENCE, Case, contract, main, skip_unless  # noqa: E402

C_COMPILER = shutil.which("gcc")
skip_unless(GCC and CLANG and C_COMPILER, "generated code is compiled with g++, gcc and clang++")

POSIX = """arpa/inet.h complex.h dirent.h dlfcn.h errno.h fcntl.h inttypes.h locale.h math.h netdb.h netinet/in.h poll.h pthread.h pwd.h regex.h sched.h
search.h semaphore.h signal.h stdio.h stdlib.h string.h strings.h sys/mman.h sys/resource.h sys/select.h sys/socket.h sys/stat.h sys/time.h sys/times.h
sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h syslog.h termios.h time.h unistd.h utime.h wchar.h""".split()
EVERY = "#include <cassert>\n" + "".join(f"#include <{name}>\n" for name in POSIX)
KEYWORDS = """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const const_cast constexpr continue
decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept
not not_eq nullptr operator or or_eq private protected public register reinterpret_cast restrict return short signed sizeof static static_assert static_cast
struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq""".split()
CHOSEN = """uint8_t uint32_t size_t abs std tikc main errno EOF NULL INFINITY NAN assert int8_t slice clause rule kernel stage stream request plan policy tally
checker router slice_of of other none a__b 9lives linux unix I""".split()

OBSERVED = "observability:\n  requests: sample(requests, 1%)\n"


def ran(*command, text=None):
    return subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True, errors="replace", timeout=PATIENCE)


def lower_ids(words):
    """Those that may be ids: lower snake case."""
    return [word for word in words if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", word)]


class Names(Case):
    def words(self):
        """What headers declare at global scope, as a compiler tells: a namespace of that name is refused."""
        every = sorted(set(re.findall(r"\b[A-Za-z]\w*\b", ran(GCC, "-std=gnu++17", "-E", "-P", "-x", "c++", "-", text=EVERY).stdout)) - {"main"})
        unit = self.write("global.cpp", EVERY + "".join(f"namespace {word} {{}}\n" for word in every))
        said = ran(GCC, "-std=gnu++17", "-fsyntax-only", "-fmax-errors=0", unit).stderr
        first = EVERY.count("\n") + 1
        taken = sorted({every[int(line) - first] for line in re.findall(r"global\.cpp:(\d+):\d+: error", said) if int(line) >= first})
        self.assertGreater(len(taken), 1000)
        return taken

    def macros(self):
        """Those that stand for something wherever they stand."""
        defined = ran(GCC, "-std=gnu++17", "-dM", "-E", "-x", "c++", "-", text=EVERY).stdout
        return sorted(set(re.findall(r"^#define ([A-Za-z]\w*)(?!\w|\()", defined, re.M)))

    def emitted(self, text, name="named", *options):
        self.expect(0, "emit", "cpp", self.write(f"{name}.tikc.yaml", text), "-o", self.folder, *options)
        return self.folder / f"{name}.tikc.h"

    def test_contracts_of_any_name(self):
        words = sorted({*self.words(), *KEYWORDS, *CHOSEN, *self.macros()})
        header = self.emitted("---\n".join(contract(f'"{word}"', OBSERVED) for word in words))
        spaces = namespaces(header)
        self.assertEqual(len(set(spaces)), len(words))
        unit = EVERY + "".join(f"namespace {space} {{ struct plan; }}\n" for space in spaces) + "int main() {}\n"
        for compiler in (GCC, CLANG):
            self.assertEqual(compiled(compiler, self.write("spaces.cpp", unit), "-std=gnu++17", "-fsyntax-only"), "")
        few = self.emitted("---\n".join(contract(f'"{word}"', OBSERVED) for word in CHOSEN), "few", "--c-abi")
        unit = self.write("few.cpp", f'{EVERY}#include "{few}"\nint main() {{}}\n')
        for compiler in (GCC, CLANG):
            self.assertEqual(compiled(compiler, unit, "-fsyntax-only", PORTABLE), "")
            self.assertEqual(compiled(compiler, self.folder / "few.tikc_c.cpp", "-fsyntax-only", PORTABLE), "")

    def test_names_within_a_contract(self):
        words = sorted({*KEYWORDS, *CHOSEN, *self.macros(), "uint8_t", "int64_t"})
        ids = [word for word in lower_ids(words) if word not in ("other", "in", "on", "over", "with", "per", "for", "all", "and", "or", "not", "slices")]
        values = ", ".join(f'"{word}"' for word in words)
        fields = [word for word in ids if word not in ("temperature", "top_p", "position")]
        more = "labels:\n" + "".join(f"  '{word}': [a]\n" for word in fields) + f"  label_of_words: [{values}]\n"
        more += "slices:\n" + "".join(f"  '{word}': {{ when: prompt_tokens == {i} }}\n" for i, word in enumerate(ids[:120]))
        more += "runtime:\n" + "".join(f"  '{word}': p90(latency) <= {i + 1} s\n" for i, word in enumerate(ids) if word not in ("any", "requests"))
        more += "escalation:\n  rule_of: { when: violated(any), do: hold }\n"
        header = self.emitted(contract("names.within", more, OBSERVED), "within", "--c-abi")
        unit = self.write("within.cpp", f'{EVERY}#include "{header}"\n#include "{header.with_name("within.tikc_c.h")}"\nint main() {{}}\n')
        for compiler in (GCC, CLANG):
            self.assertEqual(compiled(compiler, unit, "-fsyntax-only", PORTABLE), "")
            self.assertEqual(compiled(compiler, self.folder / "within.tikc_c.cpp", "-fsyntax-only", PORTABLE), "")
        c_unit = self.write("within.c", f'{EVERY.replace("cassert", "assert.h")}#include "{header.with_name("within.tikc_c.h")}"\n')
        self.assertEqual(ran(C_COMPILER, "-std=gnu99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{RUNTIME}", c_unit).stderr, "")


class Files(Case):
    """A file's name goes into comments, an include and a depfile."""

    STEMS = ["a\u202eb\u2066", "a\nb", "a\n#error b", "ends in \\", "a'b\"c", "$(x) #y", "a\tb", "a\u2028b", "\u00e9\u4e2d", "a*", "what??"]

    def test_what_is_emitted_compiles_or_is_refused(self):
        for at, stem in enumerate(self.STEMS):
            with self.subTest(stem=stem):
                path, out = self.write(f"{stem}.tikc.yaml", contract("named", OBSERVED)), self.folder / f"out{at}"
                self.expect(0, "emit", "cpp", path, "-o", out)
                plain = self.write("plain.cpp", next(out.glob("*.h")).read_text().replace("#pragma once\n", "") + "int main() {}\n")
                for compiler, more in ((GCC, ["-trigraphs", "-Wno-trigraphs"]), (CLANG, [])):
                    self.assertEqual(compiled(compiler, plain, "-fsyntax-only", PORTABLE, *more), "")
                done = self.tikc("emit", "cpp", path, "-o", out, "--c-abi")
                if done.returncode == 0:
                    self.assertEqual(compiled(GCC, next(out.glob("*.cpp")), "-fsyntax-only", PORTABLE, include=[out]), "")
                self.assertEqual(done.returncode, 0 if stem in ("a'b", "$(x) #y", "\u00e9\u4e2d", "a*") else 2, done.err)

    def test_a_depfile_has_one_rule(self):
        for at, stem in enumerate(["$(x) #y", "a\tb", "a\\ b", "\u00e9\u4e2d"]):
            path, depfile = self.write(f"{stem}.tikc.yaml", contract("named", OBSERVED)), self.folder / "deps.d"
            self.expect(0, "emit", "cpp", path, "-o", f"out{at}", "--depfile", depfile)
            makefile = self.write("Makefile", f"all:\ninclude deps.d\n%.h:\n\t@printf 'made of %s' '$(subst ','\\'',$^)'\n")
            made = ran("make", "-s", "-C", self.folder, "-f", makefile, f"out{at}/{stem}.tikc.h", "-n", "-W", path)
            self.assertEqual(made.returncode, 0, made.stderr)
        for stem in ("a\nb: c\n\ttouch x\n", "a\rb", "p;touch${IFS}x;", "a:b", "a=b", "a%b", "a*", "a?", "[ab]", "a|b", "a&"):
            path = self.write(f"{stem}.tikc.yaml", contract("named", OBSERVED))
            done = self.expect(2, "emit", "cpp", path, "-o", "none", "--depfile", "deps.d")
            self.assertIn("a depfile cannot name", done.err)
            self.assertFalse((self.folder / "none").exists())

    def test_nor_does_a_parent_s_name_run(self):
        self.write("p;touch${IFS}pwned;.tikc.yaml", contract("base", OBSERVED))
        path = self.write("child.tikc.yaml", "tikc: v1\ncontract: child\nversion: 1.0.0\nextends: 'p;touch${IFS}pwned;.tikc.yaml'\n")
        done = self.expect(2, "emit", "cpp", path, "-o", "none", "--depfile", "deps.d")
        self.assertIn("a depfile cannot name", done.err)
        self.assertFalse((self.folder / "none").exists())


if __name__ == "__main__":
    main()
