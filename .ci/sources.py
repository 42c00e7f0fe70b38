"""What a compiler, or CMake, sees of a source, whatever it looks like: includes, types and functions of namespaces, commands."""
import re
from bisect import bisect

SPLICED = re.compile(r"(?:[^\n]*\\[ \t]*\n)+[^\n]*")
SPLICE = re.compile(r"\\[ \t]*\n")
# In the order in which they win: a comment in a string is none, nor is a string in a comment, nor the mark of a number's thousands a character.
HEADER_NAME = r"^[ \t\f\v]*(?:#|%:)[ \t]*\w+[ \t]*<[^>\n]*>"
TOKEN = re.compile(
    rf'(?P<header>{HEADER_NAME})|(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|(?P<raw>\bu?8?[LUR]?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)")'
    r"""|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<number>\b\d[\w'.]*)""", re.M | re.S)
DIRECTIVE = re.compile(r"^[ \t\f\v]*(?:#|%:)[ \t\f\v]*(\w*)[ \t\f\v]*(.*)$", re.M)
INCLUDING = {"include", "include_next", "import"}
INCLUDED = re.compile(r'(?:"([^"]*)"|<([^>]*)>)\s*$')
# What may stand between the word and the name of a type: attributes, alignment, macros that export.
DECORATION = r"(?:\[\[[^\]]*(?:\][^\]]+)*\]\]\s*|alignas\s*\([^;{}]*?\)\s*|__attribute__\s*\(\(.*?\)\)\s*|[A-Z][A-Z0-9_]+\s+(?=[A-Z]))*"
DEFINED = re.compile(rf"\b(?:struct|class|union|enum(?:\s+(?:class|struct))?)\b\s*{DECORATION}([A-Z]\w*)\s*(?:final\s*)?(?::(?!:).*)?$", re.S)
# A short name for a type of a class, `using Side = QuantityInfo::Side`, is the same word for the same thing.
ALIASED = re.compile(r"(?:^|[\s>])using\s+([A-Z]\w*)\s*(?:\[\[.*?\]\]\s*)?=(?!.*::\1\s*$)", re.S)
NAMED_LAST = re.compile(r"\btypedef\b.*?(?:\(\s*\*\s*([A-Z]\w*)\s*\).*|\b([A-Z]\w*)\s*(?:\[[^\]]*\]\s*)*)$", re.S)
NAMESPACE = re.compile(rf"(?:\binline\s+)?\bnamespace\b\s*{DECORATION}([\w:\s]*)$")
FUNCTION = re.compile(r"[\w>&*\]]\s*[\s&*](\w+)\s*$")
NO_FUNCTION = re.compile(r"\s*(?:using|namespace|typedef|friend|static_assert|return|else|extern)\b")


def lines_joined(text):
    """Without the ends of lines that continue; as many lines follow as went."""
    return SPLICED.sub(lambda found: SPLICE.sub("", found[0]) + "\n" * found[0].count("\n"), text)


def blank(found):
    return (" " if found["comment"] else '""') + "\n" * found[0].count("\n")


class Source:
    """A text of C++."""

    def __init__(self, text):
        text = lines_joined(text)
        # A directive's words are read with what its strings say, all else without.
        plain = TOKEN.sub(lambda found: blank(found) if found["comment"] or found["raw"] else found[0], text)
        self.bare = DIRECTIVE.sub("", TOKEN.sub(lambda found: found[0] if found["header"] or found["number"] else blank(found), text))
        self.directives = [(plain.count("\n", 0, found.start()) + 1, found) for found in DIRECTIVE.finditer(plain)]
        self.ends = [found.start() for found in re.finditer("\n", self.bare)]
        self.statements = list(self.in_namespaces())

    def includes(self):
        """(line, what is included, whether in quotes) of each; of a macro, None is."""
        for line, found in self.directives:
            if found[1] in INCLUDING:
                written = INCLUDED.match(found[2])
                yield line, written and (written[1] or written[2] or ""), bool(written and written[1] is not None)

    def types(self):
        """(line, name) of each type that a namespace has."""
        for line, said, end, _ in self.statements:
            found = DEFINED.search(said) if end == "{" else ALIASED.search(said) or NAMED_LAST.search(said)
            if found:
                yield line, next(name for name in found.groups() if name)

    def own_functions(self):
        """(line, name) of each function that is its file's own, by an unnamed namespace or by `static`."""
        for line, said, _, is_own in self.statements:
            if is_own and (name := function_of(said)):
                yield line, name

    def in_namespaces(self):
        """(line, text, what ends it, whether it is its file's own) of each statement of a namespace, without what its braces hold."""
        begin, scopes, depth, rest = 0, [], 0, ""
        for mark in re.finditer(r"[{};]", self.bare):
            if depth == 0:
                said = rest + self.bare[begin:mark.start()]
                line = bisect(self.ends, mark.start() - len(self.bare[begin:mark.start()].lstrip())) + 1
                is_own = "" in scopes or re.match(r"\s*static\b", said) is not None
                rest = ""
            begin = mark.end()
            if mark[0] == "{":
                if depth == 0 and (name := namespace_of(said)) is not None:
                    scopes.append(name)
                    continue
                if depth == 0:
                    yield line, said.strip(), "{", is_own
                    # A name may stand behind the braces: `typedef struct { … } Name;`.
                    rest = said + " " if re.match(r"\s*typedef\b", said) else ""
                depth += 1
            elif mark[0] == "}" and depth > 0:
                depth -= 1
            elif mark[0] == "}" and scopes:
                scopes.pop()
            elif mark[0] == ";" and depth == 0:
                yield line, said.strip(), ";", is_own


def namespace_of(said):
    """The name of the namespace that opens, none of an unnamed one; of what opens none, None."""
    if found := NAMESPACE.search(said):
        return found[1].strip()
    return "C" if re.search(r'\bextern\s*""\s*$', said) else None


def function_of(said):
    said = without_template(said)
    before, parenthesis, _ = said.partition("(")
    if parenthesis and "=" not in before and not NO_FUNCTION.match(before) and (found := FUNCTION.search(before)):
        return found[1]
    return None


def without_template(said):
    """Without the `template <…>` that it begins with, its attributes and its demands."""
    said = re.sub(DECORATION, "", said, flags=re.S)
    while found := re.match(r"\s*template\s*<", said):
        end, depth = found.end(), 1
        while depth and end < len(said):
            depth += {"<": 1, ">": -1}.get(said[end], 0)
            end += 1
        said = said[end:]
    return re.sub(r"^\s*requires\s+[\w:]+(?:<[^()]*?>)?\s+(?=\w)", "", said)


CMAKE_COMMENT = re.compile(r"#\[(=*)\[.*?\]\1\]|#[^\n]*", re.S)
COMMAND = re.compile(r"^[ \t]*(\w+)[ \t]*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", re.M)


def commands(text):
    """(line, command, its words) of each of CMake, in words that are parted by one blank."""
    plain = CMAKE_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for found in COMMAND.finditer(plain):
        yield plain.count("\n", 0, found.start()) + 1, found[1].lower(), " ".join(found[2].replace('"', " ").split())
