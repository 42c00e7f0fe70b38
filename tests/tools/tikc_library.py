"""libtikc, as Python loads it: what it reads, and each contract as c_library.py has an emitted one."""

import ctypes
from ctypes import byref, c_char_p, c_double, c_size_t, c_uint32, c_uint64, c_void_p

from c_library import SINK, Library, Shape
from harness import LIBRARY, ROOT, contract

# Findings with notes, related places and edits.
BROKEN = contract("a", "runtime:\n  latency: max(latency) <= 45\n") + "---\n" + contract("a", "modle: {}\nclaims:\n  c: tv <= 0.1\n")
SMALL = contract("small", "runtime:\n  latency: max(latency) <= 3 s\nobservability:\n  requests: sample(requests, 100%)\nescalation:\n"
                 "  stale: { when: undecided(any) for 6 windows, do: hold, until: satisfied(any) }\n  r: { when: violated(any), do: hold, until: satisfied(any) }\n")
CLAIMED = contract("claimed", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\nclaims:\n  c: tv <= 0.1\n")

HEADER = ROOT / "library/include/tikc.h"


class Place(ctypes.Structure):
    _fields_ = [("file", c_char_p)] + [(name, c_uint32) for name in ("begin", "end", "line", "column", "end_line", "end_column")]


class Diagnostic(ctypes.Structure):
    _fields_ = [(name, c_char_p) for name in ("code", "name", "message", "label")] + [("place", Place)] + [
        (name, c_uint32) for name in ("severity", "notes", "related", "fixes")]


class Related(ctypes.Structure):
    _fields_ = [("message", c_char_p), ("place", Place)]


class Fix(ctypes.Structure):
    _fields_ = [("title", c_char_p), ("is_safe", c_uint32), ("edits", c_uint32)]


class Edit(ctypes.Structure):
    _fields_ = [("text", c_char_p), ("place", Place)]


class Claim(ctypes.Structure):
    _fields_ = [(name, c_char_p) for name in ("contract", "name", "asked", "proved", "slack")] + [
        ("slices", ctypes.POINTER(c_char_p)), ("slice_count", c_uint32), ("verdict", c_uint32), ("is_draft", c_uint32)]


class Field(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("values", ctypes.POINTER(c_char_p)), ("value_count", c_uint32), ("is_text", c_uint32)]


class Piece(ctypes.Structure):
    _fields_ = [("source", c_char_p), ("stage", c_char_p), ("place", c_uint64), ("failed", c_uint64)] + [
        (name, c_double) for name in ("step", "begins", "ends")] + [("token_bits", c_uint32)]


class Tikc(Library):
    """Calls by name without the prefix."""

    def __init__(self):
        self.load(LIBRARY, HEADER, "tikc")

    def out(self, kind, name, *arguments):
        """What a call writes through its last argument."""
        out = kind()
        self.must(name, *arguments, byref(out))
        return out

    def opened(self, path):
        """(status, document) of a file."""
        out = c_void_p()
        return self.call("open", str(path).encode(), byref(out)), out.value

    def read(self, text, name=None):
        text, out = text.encode() if isinstance(text, str) else text, c_void_p()
        return self.call("read", text, len(text), name and name.encode(), byref(out)), out.value

    def counts(self, document):
        out = [c_uint32() for _ in range(3)]
        self.must("document_counts", document, *map(byref, out))
        return tuple(each.value for each in out)

    def contract(self, document, number=0):
        return self.out(c_void_p, "document_contract", document, number).value

    def refusal(self, document, number=0):
        return self.out(c_char_p, "document_refusal", document, number).value.decode()

    def json(self, document):
        pieces = []
        self.must("document_write_json", document, SINK(lambda at, size, _: pieces.append(ctypes.string_at(at, size))), None)
        return b"".join(pieces).decode()


class Contract(Tikc):
    """One contract, whose objects are made as those of an emitted interface are."""

    def __init__(self, text, name=None):
        super().__init__()
        status, document = self.read(text, name)
        if status != "OK":
            raise AssertionError(self.call("document_message", document))
        self.contract_ = self.contract(document)
        self.must("document_destroy", document)
        self.shape = self.out(Shape, "contract_shape", self.contract_)
        self.scratch = ctypes.create_string_buffer(self.shape.scratch_bytes)

    def create(self, kind):
        return self.out(c_void_p, f"{kind}_create", self.contract_).value
