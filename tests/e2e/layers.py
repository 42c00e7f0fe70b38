"""Whether the house is held to its order however its sources are written: ways to slip past `.ci/layers`, each in a small house of its own."""

import importlib.machinery
import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main  # noqa: E402

LOADER = importlib.machinery.SourceFileLoader("layers", str(ROOT / ".ci/layers"))
LAYERS = importlib.util.module_from_spec(importlib.util.spec_from_loader("layers", LOADER))
LOADER.exec_module(LAYERS)

MAY = "**May include**: {}.\n\n**To add**: nothing.\n"
DIAG = "diag/Sink.cpp"  # which may include support
FORBIDDEN = 'diag must not know model'

# What stands in which file, and what is said of it.
INCLUDES = {
    "as it is written": '#include "model/Contract.h"',
    "in angles": "#include <model/Contract.h>",
    "with blanks": '  #  include   "model/Contract.h"',
    "without a blank": '#include"model/Contract.h"',
    "with a digraph": '%:include "model/Contract.h"',
    "behind a comment": '/* a */ #include "model/Contract.h"',
    "around a comment": '#/* a */include/* b */"model/Contract.h" // c',
    "on two lines": '#inc\\\nlude \\\n"model/Contract.h"',
    "behind a comment of two lines": '/* a\n*/#include "model/Contract.h"',
    "behind what looks like a comment": 'auto a = "/*"; // "\n#include "model/Contract.h"\nauto b = "*/";',
    "behind a text that ends in no line": 'auto a = R"x(")" /* )x";\n#include "model/Contract.h"',
    "as the next": '#include_next "model/Contract.h"',
    "as an import": '#import "model/Contract.h"',
}
PATHS = {
    "a macro": ("#define THAT <model/Contract.h>\n#include THAT", "a file's name itself"),
    "from here": ('#include "./../model/Contract.h"', "is not a plain path"),
    "from below": ('#include "support/../model/Contract.h"', "is not a plain path"),
    "from itself": ('#include "model/./Contract.h"', "is not a plain path"),
    "two slashes": ("#include <model//Contract.h>", "is not a plain path"),
    "a slash first": ("#include </model/Contract.h>", "is not a plain path"),
    "from its own folder": ('#include "Finding.h"', "not rooted"),
    "nothing": ('#include "support/Nothing.h"', "does not exist"),
    "a library": ("#include <gmpxx.h>", "only support/Rational.h"),
    "a library by a longer path": ("#include <x86_64-linux-gnu/gmp.h>", "only support/Rational.h"),
    "the runtime": ("#include <tikc/detail/layout.h>", "may include tikc/detail/layout.h"),
}
VERIFIER = {
    "a library": "#include <gmp.h>",
    "a library's folder": "#include <llvm/ADT/StringRef.h>",
    "the system": "#include <unistd.h>",
    "the runtime": '#include "tikc/verdict.h"',
    "a room": '#include "support/Text.h"',
    "a room by its folder": '#include "compiler/support/Text.h"',
    "a room in angles": "#include <support/Text.h>",
    "its own, by no root": '#include "Tree.h"',
}
TYPES = {
    "plainly": "struct Text {};",
    "with a base": "class Text : public Other {};",
    "final": "struct Text final {};",
    "an enumeration": "enum class Text : int { One };",
    "another enumeration": "enum struct Text { One };",
    "with an attribute": "struct [[nodiscard]] Text {};",
    "with two attributes": "struct [[nodiscard]] [[maybe_unused]] Text {};",
    "aligned": "struct alignas(8) Text {};",
    "as compilers have it": "struct __attribute__((packed)) Text {};",
    "with two blanks": "struct  Text {};",
    "on the next line": "struct\n    Text\n{};",
    "of a template": "template<typename T> struct Text {};",
    "of a template above": "template <typename T>\nstruct Text {};",
    "in a namespace, moved in": "namespace tikc {\n  struct Text {};\n}",
    "in an unnamed namespace": "namespace { struct Text {}; }",
    "as an alias": "using Text = int;",
    "as an alias of two lines": "using Text =\n    int;",
    "as C has it": "typedef int Text;",
    "as C has it, of a structure": "typedef struct { int one; } Text;",
    "as C has it, of a function": "typedef int (*Text)(int);",
    "behind a comment": "/* a */ struct /* b */ Text {};",
}
NO_TYPES = {
    "of a class": "struct Other {\n  struct Text {};\n};",
    "of a function": "void other() {\n  struct Text {};\n}",
    "announced": "struct Text;",
    "mentioned": "struct Text text();\nvoid other(struct Text text) {}",
    "of a class elsewhere, by its short name": "using Text = Other::Text;",
    "in a comment": "/*\nstruct Text {};\n*/",
    "in a text": 'auto a = R"(\nstruct Text {};\n)";',
}
FUNCTIONS = {
    "two in unnamed namespaces": "namespace {\nint one() { return 1; }\n}",
    "two that are static": "static int one() { return 1; }",
    "of a namespace on one line": "namespace { int one() { return 1; } }",
    "of a template": "namespace {\ntemplate<typename T> T one() { return {}; }\n}",
    "on the next line": "namespace {\nstd::map<int, int>\none() { return {}; }\n}",
}
CMAKE = {
    "DEPS in a comment": ("tikc_add_room(diag DEPS # support\n)", "diag: support is not among its DEPS"),
    "a room by its library": ("tikc_add_room(diag DEPS support tikc_model)", "diag must not link tikc_model"),
    "a room in private": ("tikc_add_room(diag DEPS support PRIVATE tikc_model)", "diag must not link tikc_model"),
    "a room by a variable": ("tikc_add_room(diag DEPS support)\ntikc_add_room(${x} DEPS model)", "is not a room"),
    "a library": ("tikc_add_room(diag DEPS support tikc::gmp)", "diag must not link tikc::gmp"),
    "more than it includes": ("tikc_add_room(diag DEPS support model)", "diag: model is among its DEPS, and not included"),
    "linked beside": ("tikc_add_room(diag DEPS support)\ntarget_link_libraries( tikc_diag\n  PRIVATE tikc_model)", "no way to link a room"),
    "linked by a variable": ("tikc_add_room(diag DEPS support)\ntarget_link_libraries(${x} tikc_model)", "no way to link a room"),
    "linked as a property": ("tikc_add_room(diag DEPS support)\nset_property(TARGET tikc_diag PROPERTY LINK_LIBRARIES tikc_model)", "no way"),
    "linked everywhere": ("tikc_add_room(diag DEPS support)\nlink_libraries(tikc_model)", "no way to link a room"),
}


def small_house():
    """Rooms that are empty but for a header in some: what stands in which file."""
    rooms = "".join(f"tikc_add_room({room} DEPS{' support' * (room == 'diag')})\n" for room in LAYERS.ROW)
    files = {f"compiler/{room}/README.md": f"# {room}\n\nA room.\n\n" + MAY.format("nothing") for room in LAYERS.ROW}
    files["compiler/diag/README.md"] = "# diag\n\nA room.\n\n" + MAY.format("`support`")
    return {**files, "compiler/CMakeLists.txt": rooms, "verifier/Tree.h": "", "runtime/checker.h": "", "compiler/support/Source.h": "",
            "compiler/model/Contract.h": "", "compiler/diag/Finding.h": '#include "support/Source.h"\n'}


SMALL = small_house()


class Layers(Case):
    def setUp(self):
        super().setUp()
        self.put(SMALL)

    def put(self, files):
        for path, text in files.items():
            self.write(path, text)

    def house(self, files):
        """What is said of the small house with some files of its own."""
        self.put(files)
        faults = LAYERS.House(self.folder).faults()
        for path in files:
            (self.folder / path).unlink()
        self.put({path: SMALL[path] for path in files if path in SMALL})
        return faults

    def refused(self, way, files, why):
        with self.subTest(way=way):
            said = "\n".join(self.house(files))
            self.assertIn(why, said)

    def test_of_a_house_in_order_nothing_is_said(self):
        self.assertEqual(self.house({}), [])

    def test_this_house_is_in_order(self):
        self.assertEqual(LAYERS.House().faults(), [])

    def test_includes(self):
        for way, text in INCLUDES.items():
            self.refused(way, {f"compiler/{DIAG}": text}, FORBIDDEN)
        for name in ("Sink.inc", "Sink.hpp", "Sink.cc", "Sink.def", "deep/Sink.txt", "Sink"):
            self.refused(name, {f"compiler/diag/{name}": INCLUDES["as it is written"]}, FORBIDDEN)
        for way, (text, why) in PATHS.items():
            self.refused(way, {f"compiler/{DIAG}": text}, why)

    def test_what_is_said_and_not_included_is_no_fault(self):
        for text in ('/*\n#include "model/Contract.h"\n*/', '// \\\n#include "model/Contract.h"', 'auto a = R"(\n#include "model/Contract.h"\n)";'):
            self.assertEqual(self.house({f"compiler/{DIAG}": text}), [], text)

    def test_rooms_within(self):
        for quoted in ('"bounds/prove/X.h"', "<bounds/prove/X.h>"):
            self.refused(quoted, {"compiler/bounds/prove/X.h": "", "compiler/bounds/refute/X.cpp": f"#include {quoted}"}, "must not know bounds/prove")
        self.refused("row", {"compiler/yaml/X.h": "", "compiler/bounds/prove/X.cpp": "#include <yaml/X.h>"}, "bounds must not know yaml")
        self.refused("never", {"compiler/yaml/X.h": "", "compiler/explain/X.cpp": "#include <yaml/X.h>"}, "explain must not know yaml")
        self.refused("inner", {"compiler/checker/emit/X.cpp": "#include <model/Contract.h>"}, "checker must not know model")
        self.refused("open", {"compiler/checker/emit/X.h": "", "compiler/lint/X.cpp": "#include <checker/emit/X.h>"}, "lint must not know checker/emit")

    def test_what_stands_alone(self):
        for way, text in VERIFIER.items():
            self.refused(way, {"verifier/Text.cpp": text}, "verifier stands alone")
        self.refused("runtime", {"runtime/text.h": "#include <support/Source.h>"}, "runtime stands alone")
        self.assertEqual(self.house({"verifier/Text.cpp": '#include "verifier/Tree.h"\n#include <string_view>\n'}), [])

    def test_recorded_data(self):
        for text in ('#include "model/Contract.h"', '#include "tikc/tally.h"', "#include <zlib.h>", "#include <zstd.h>", '#include "Source.h"'):
            self.refused(text, {"data/text/Text.cpp": text}, "data stands alone")
        for quoted in ('"data/Source.h"', "<data/Source.h>"):
            self.refused(quoted, {"data/Source.h": "", f"compiler/{DIAG}": f"#include {quoted}"}, "diag must not know data/Source.h")
        self.assertEqual(self.house({"data/Source.h": "", "compiler/driver/X.cpp": '#include "data/Source.h"\n'}), [])
        self.refused("links", {"data/CMakeLists.txt": "target_link_libraries(tikc_data PUBLIC tikc_model)\n"}, "no way to link a room")
        self.refused("functions", {"data/A.cpp": "static int one();", "data/B.cpp": "static int one();"}, "has a one(), too")
        self.assertEqual(self.house({"data/A.cpp": '#include "support/Source.h"\n#include "tikc/formats.h"\n#include "tikc/coherence.h"\n#include "tikc/row.h"\n', "data/bytes/Stream.cpp": "#include <zlib.h>"}), [])

    def test_types(self):
        for way, text in TYPES.items():
            self.refused(way, {"compiler/diag/A.h": "struct Text {};", "compiler/diag/B.h": text}, "has the type Text, too")
            self.refused(way, {"compiler/diag/A.h": text, "compiler/model/B.h": "struct Text {};"}, "Text is a word of")
        for way, text in NO_TYPES.items():
            with self.subTest(way=way):
                self.assertEqual(self.house({"compiler/diag/A.h": "struct Text {};", "compiler/diag/B.h": text}), [])

    def test_functions(self):
        for way, text in FUNCTIONS.items():
            self.refused(way, {"compiler/diag/A.cpp": "static int one();", "compiler/diag/B.cpp": text}, "has a one(), too")
        for text in ("int one() { return 1; }", "namespace {\nint other() { return one(); }\n}", "namespace {\nint Other::one() { return 1; }\n}"):
            self.assertEqual(self.house({"compiler/diag/A.cpp": "static int one();", "compiler/diag/B.cpp": text}), [], text)

    def test_links(self):
        others = "".join(f"tikc_add_room({room} DEPS)\n" for room in LAYERS.ROW if room != "diag")
        for way, (text, why) in CMAKE.items():
            self.refused(way, {"compiler/CMakeLists.txt": f"{others}{text}\n"}, why)
        self.refused("elsewhere", {"tests/CMakeLists.txt": "target_link_libraries(tikc_diag PRIVATE tikc_model)\n"}, "no way to link a room")
        self.refused("in a file of its own", {"compiler/diag/More.cmake": "target_link_libraries(tikc_diag PRIVATE tikc_model)\n"}, "no way to link a room")
        self.refused("of the verifier", {"verifier/CMakeLists.txt": "target_link_libraries(tikc_verifier PRIVATE tikc::gmp)\n"}, "no way to link a room")
        self.refused("of its sources", {"verifier/CMakeLists.txt": "add_library(tikc_verifier ../compiler/support/Text.cpp)\n"}, "no way to link")

    def test_readmes(self):
        for text, why in (("", "has no README.md"), ("# diag\n", "has no README.md"), ("# diag\n\nA room.\n\n**To add**: nothing.\n", "has no **May include**"),
                          ("# diag\n\nA room.\n\n" + MAY.format("every room above"), "its DEPS are not the same: support"),
                          ("# diag\n\nA room.\n\n" + MAY.format("`support`, `model`"), "its DEPS are not the same: model")):
            self.refused(text, {"compiler/diag/README.md": text}, why)


if __name__ == "__main__":
    main()
