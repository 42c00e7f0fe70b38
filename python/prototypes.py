#!/usr/bin/python3
"""Writes `tikc/_c.py`, what ctypes has to know of libtikc, from the words of its headers: `prototypes.py write`, or `check`, which fails where another
would be written."""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADERS = (HERE.parent / "runtime/include/tikc/c_types.h", HERE.parent / "library/include/tikc.h")
TARGET = HERE / "tikc/_c.py"

NUMBERS = {"size_t": "c_size_t", "uint8_t": "c_uint8", "uint32_t": "c_uint32", "int32_t": "c_int32", "uint64_t": "c_uint64", "double": "c_double",
           "float": "c_float"}
CALLBACKS = {"tikc_sink": "SINK", "tikc_visit": "VISIT"}
TEXT = "const char*"

HEAD = '''"""What ctypes has to know of libtikc. Written by prototypes.py from {headers}."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, {numbers}
from typing import Any, Dict, List, Optional, Tuple

'''


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.removeprefix("tikc_").split("_"))


def constants(text: str) -> list[str]:
    out = [f"{name} = {value}" for name, value in re.findall(r"^#define TIKC_(\w+) \(?(-?[\d.]+)\)?$", text, re.M)]
    for body in re.findall(r"\benum(?: \w+)? \{(.*?)\}", text, re.S):
        out += [f"{name} = {value}" for name, value in re.findall(r"TIKC_(\w+) = (\d+)", body)]
    return out


def statuses(text: str) -> list[str]:
    body = re.search(r"typedef enum tikc_status \{(.*?)\}", text, re.S)[1]
    found = re.findall(r"TIKC_(\w+) = (\d+)", body)
    if [int(number) for _, number in found] != list(range(len(found))):
        raise SystemExit("statuses are not numbered from 0 on")
    return [name for name, _ in found]


def field(kind: str, name: str) -> tuple[str, str, str]:
    """Its name, what ctypes calls it, and what Python reads there."""
    array = re.fullmatch(r"(\w+)\[(?:TIKC_)?(\w+)\]", name)
    if array:
        return array[1], f"{NUMBERS.get(kind) or class_name(kind)} * {array[2]}", "Any"
    if kind == TEXT:
        return name, "c_char_p", "bytes"
    if kind == "const char* const*":
        return name, "POINTER(c_char_p)", "Any"
    if kind.endswith("*"):
        return name, "c_void_p", "Optional[int]"
    if kind in NUMBERS:
        return name, NUMBERS[kind], "float" if kind in ("double", "float") else "int"
    return name, class_name(kind), class_name(kind)


def structs(text: str) -> list[str]:
    out = []
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text, re.S):
        fields = []
        for declaration in body.split(";"):
            words = " ".join(declaration.split())
            if not words:
                continue
            kind, names = re.fullmatch(r"((?:const )?\w+(?:\*(?: const\*)?)?) (.*)", words).groups()
            fields += [field(kind, each.strip()) for each in names.split(",")]
        lines = [f"class {class_name(name)}(Structure):", *(f"    {each}: {read}" for each, _, read in fields), "    _fields_ = ["]
        out.append("\n".join([*lines, *(f'        ("{each}", {kind}),' for each, kind, _ in fields), "    ]"]))
    return out


def passed(kind: str) -> str:
    if kind in CALLBACKS:
        return CALLBACKS[kind]
    if kind == TEXT:
        return "c_char_p"
    return "c_void_p" if kind.endswith("*") else NUMBERS[kind]


def returned(kind: str) -> str:
    return "c_uint32" if kind == "tikc_status" else passed(kind)


def functions(text: str) -> list[str]:
    out = []
    for line in re.findall(r"^TIKC_C_API .*$", text, re.M):
        result, name, parameters = re.fullmatch(r"TIKC_C_API (.*?) ?(\w+)\((.*)\) TIKC_C_NOEXCEPT;", line).groups()
        kinds = [] if parameters == "void" else [re.fullmatch(r"(.*?) ?\w+", each.strip())[1] for each in parameters.split(",")]
        out.append(f'    "{name}": ({returned(result)}, [{", ".join(map(passed, kinds))}]),')
    return out


def written() -> str:
    text = "\n".join(without_comments(header.read_text()) for header in HEADERS)
    numbers = sorted({*NUMBERS.values(), "c_char_p", "c_void_p"})
    head = HEAD.format(headers=" and ".join(header.name for header in HEADERS), numbers=", ".join(numbers))
    names = ", ".join(f'"{name}"' for name in statuses(text))
    callbacks = ["SINK = CFUNCTYPE(None, c_void_p, c_size_t, c_void_p)", "VISIT = CFUNCTYPE(None, POINTER(Action), c_void_p)"]
    table = ["FUNCTIONS: Dict[str, Tuple[Any, List[Any]]] = {", *functions(text), "}"]
    return "\n".join([head + "\n".join(constants(text)), f"STATUSES = ({names})", "\n", "\n\n\n".join(structs(text)), "\n", *callbacks, *table, ""])


def main() -> None:
    mode = sys.argv[1:] or ["check"]
    if mode == ["write"]:
        TARGET.write_text(written())
    elif mode != ["check"]:
        sys.exit("usage: prototypes.py [write|check]")
    elif TARGET.read_text() != written():
        sys.exit("python/tikc/_c.py is not what tikc.h says: make gen")


if __name__ == "__main__":
    main()
