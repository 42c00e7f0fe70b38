"""A contract's shared library, as Python loads it: types and calls are written from the header's words."""

import ctypes
import re
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

STATUSES = ("OK NULL OBJECT ALIGNMENT ROOM RANGE VALUE SIZE UNBOUND MEMORY TRUNCATED FOREIGN VERSION FINGERPRINT TRAILING CHECKSUM PAYLOAD FILE REFUSED FAULT UNSUPPORTED").split()
VERDICTS = ["undecided", "satisfied", "violated"]
FORMAT_BYTES = [4, 2, 2, 1, 1]
SINK = ctypes.CFUNCTYPE(None, c_void_p, c_size_t, c_void_p)
RETURNS = {"size_t": c_size_t, "uint32_t": c_uint32, "uint64_t": c_uint64, "const char*": c_char_p, "tikc_status": c_uint32}
PASSED = {"size_t": c_size_t, "uint32_t": c_uint32, "uint64_t": c_uint64, "double": c_double}


class Row(Structure):
    _fields_ = [("data", c_void_p), ("tokens", c_size_t), ("format", c_uint32)]


class Tokens(Structure):
    _fields_ = [("train", c_void_p), ("infer", c_void_p), ("mask", c_void_p), ("size", c_size_t), ("first", c_uint64)]


class DeviceRows(Structure):
    _fields_ = [("train", c_void_p), ("infer", c_void_p), ("train_stride", c_size_t), ("infer_stride", c_size_t), ("tokens", c_size_t), ("stream", c_void_p),
                ("train_format", c_uint32), ("infer_format", c_uint32), ("device", c_uint32)]


class Numbers(Structure):
    _fields_ = [("values", c_void_p), ("mask", c_void_p), ("size", c_size_t), ("first", c_uint64), ("step", c_uint64)]


class Sequence(Structure):
    _fields_ = [("sum", c_double), ("rest", c_double), ("tokens", c_uint64), ("least", c_float), ("begun", c_uint32), ("figures", c_double * 32)]


class Times(Structure):
    _fields_ = [(name, c_double) for name in ("latency", "first_token_latency", "inter_token_latency", "throughput")] + [("failed", c_uint32)]


class Volume(Structure):
    _fields_ = [(name, c_uint64) for name in ("tokens", "sequences", "requests", "rows", "routes", "batch_replays", "request_replays", "served_tokens",
                                              "served_requests")]


class Offender(Structure):
    _fields_ = [("value", c_double), ("id", c_uint64)]


class Finding(Structure):
    _fields_ = [("value", c_double), ("low", c_double), ("high", c_double), ("observations", c_uint64), ("verdict", c_uint32), ("is_kept", c_uint32),
                ("worst_count", c_uint32),
                ("worst", Offender * 4)]


class Assumption(Structure):
    _fields_ = [("key", c_char_p), ("says", c_char_p), ("low", c_double), ("high", c_double), ("quantity", c_uint32)]


class Watched(Structure):
    _fields_ = [("least", c_double), ("greatest", c_double), ("outside", c_double), ("count", c_uint64), ("unknown", c_uint64), ("state", c_uint32),
                ("worst_count", c_uint32), ("worst", Offender * 4)]


class Transition(Structure):
    _fields_ = [("tick", c_uint64)] + [(name, c_uint32) for name in ("rule", "slice", "change", "step", "stage")] + [("clause", c_int32), ("seen", c_uint32)]


class Action(Structure):
    _fields_ = [("kind", c_uint32), ("rule", c_uint32), ("text", c_char_p), ("first", c_double), ("second", c_double)]


class Shape(Structure):
    _fields_ = [("vocabulary", c_size_t), ("scratch_bytes", c_size_t)] + [(name, c_uint32) for name in ("slices", "streams", "clauses", "checks", "rules",
                                                                                                        "stages")]


VISIT = ctypes.CFUNCTYPE(None, POINTER(Action), c_void_p)


def declared(header):
    """{name: (what it returns, [(type, name of a parameter)])} of a generated C header."""
    out = {}
    for returned, name, parameters in re.findall(r"^TIKC_C_API (.*?) ?(\w+)\((.*)\) TIKC_C_NOEXCEPT;$", header.read_text(), re.M):
        words = [] if parameters == "void" else [re.fullmatch(r"(.*?) ?(\w+)", part.strip()).groups() for part in parameters.split(",")]
        out[name] = (returned, words)
    return out


class Library:
    """Calls by name without the prefix; an object is created on demand."""

    def __init__(self, path, header, prefix):
        self.load(path, header, prefix)
        self.shape = Shape()
        self.must("shape", byref(self.shape))
        self.scratch = ctypes.create_string_buffer(self.shape.scratch_bytes)

    def load(self, path, header, prefix):
        self.prefix, self.functions = prefix, {name[len(prefix) + 1:]: shape for name, shape in declared(header).items() if name.startswith(prefix + "_")}
        self.loaded = ctypes.CDLL(str(path))
        for name, (returned, parameters) in self.functions.items():
            function = self.function(name)
            function.restype = RETURNS[returned]
            function.argtypes = [PASSED.get(kind, c_void_p) for kind, _ in parameters]

    def function(self, name):
        return getattr(self.loaded, f"{self.prefix}_{name}")

    def call(self, name, *arguments):
        """What it returned; a status by its name."""
        result = self.function(name)(*(ctypes.cast(each, c_void_p) if isinstance(each, (SINK, VISIT)) else each for each in arguments))
        return STATUSES[result] if self.functions[name][0] == "tikc_status" else result

    def must(self, name, *arguments):
        status = self.call(name, *arguments)
        if status != "OK":
            raise AssertionError(f"{name}{arguments}: {status}")

    def create(self, kind):
        out = c_void_p()
        self.must(f"{kind}_create", byref(out))
        return out.value

    def text(self, form, checker, tally):
        pieces = []
        self.must(f"checker_write_{form}", checker, tally, SINK(lambda at, size, _: pieces.append(ctypes.string_at(at, size))), None)
        return b"".join(pieces).decode()

    def wire(self, kind, of):
        size = c_size_t()
        self.must(f"{kind}_wire_size", of, byref(size))
        out = ctypes.create_string_buffer(size.value)
        self.must(f"{kind}_serialise", of, out, len(out), byref(size))
        return out.raw[: size.value]

    def finding(self, checker, check, place):
        out = Finding()
        status = self.call("checker_finding", checker, check, place, byref(out))
        return (status, None) if status != "OK" else (status, out)

    def transitions(self, router):
        count = c_size_t()
        status = self.call("router_transitions", router, None, 0, byref(count))
        if status == "OK":
            return []
        out = (Transition * count.value)()
        self.must("router_transitions", router, out, count.value, byref(count))
        return list(out)

    def actions(self, router, place):
        out = []
        self.must("router_visit", router, place, VISIT(lambda action, _: out.append(shown(action.contents))), None)
        return out

    def decision(self, router, place):
        out = Action()
        self.must("router_decide", router, place, byref(out))
        return shown(out)

    # Observations.

    def row(self, tally, stream, place, id_, train, infer):
        """Sides are (format, bytes)."""
        sides = [Row(ctypes.cast(c_char_p(data), c_void_p), len(data) // FORMAT_BYTES[form], form) for form, data in (train, infer)]
        self.must("tally_observe_row", tally, stream, place, byref(sides[0]), byref(sides[1]), self.scratch, len(self.scratch), id_)

    def tokens(self, tally, stream, place, batch):
        self.must("tally_observe_tokens", tally, stream, place, byref(packed(batch)))

    def hand_in(self, tally, quantity, values, first, step=1, mask=None):
        values, mask = (c_double * len(values))(*values), None if mask is None else (c_uint8 * len(mask))(*mask)
        self.must("tally_hand_in", tally, quantity, byref(Numbers(ctypes.cast(values, c_void_p), ctypes.cast(mask, c_void_p) if mask else None, len(values), first, step)))

    def assumed(self, checker):
        """(state, count, unknown, least, greatest, outside, [(value, id)]) of each assumption."""
        out, found = [], Watched()
        while self.call("checker_assumption", checker, len(out), byref(found)) == "OK":
            out.append((found.state, found.count, found.unknown, found.least.hex(), found.greatest.hex(), found.outside.hex(),
                        [(each.value.hex(), each.id) for each in found.worst[:found.worst_count]]))
        return out

    def claimed(self, checker):
        out, state = [], c_uint32()
        while self.call("checker_claim", checker, len(out), byref(state)) == "OK":
            out.append(state.value)
        return out

    def grounds(self, claim):
        """(check, slice) of each check that proves a claim."""
        out, check, place = [], c_uint32(), c_uint32()
        while self.call("claim_ground", claim, len(out), byref(check), byref(place)) == "OK":
            out.append((check.value, place.value))
        return out

    def mixed(self, tally, stream, places, batch):
        strays = c_uint64()
        self.must("tally_observe_mixed_tokens", tally, stream, (c_uint8 * len(places))(*places), byref(packed(batch)), self.scratch, len(self.scratch),
                  byref(strays))
        return strays.value

    def response(self, tally, stream, place, id_, batches):
        sequence = Sequence()
        for batch in batches:
            self.must("tally_observe_response", tally, stream, place, byref(packed(batch)), byref(sequence))
        self.must("tally_end_response", tally, stream, place, byref(sequence), id_)
        if bytes(sequence) != bytes(Sequence()):
            raise AssertionError("a response that ended is not a new one")


def shown(action):
    return action.kind, action.rule if action.kind else None, action.text.decode(), action.first, action.second


def packed(batch):
    """(first, train, infer, mask or None) as the struct, which keeps the arrays alive."""
    first, train, infer, mask = batch
    arrays = [(c_float * len(train))(*train), (c_float * len(infer))(*infer), None if mask is None else (c_uint8 * len(mask))(*mask)]
    out = Tokens(*(ctypes.cast(each, c_void_p) if each is not None else None for each in arrays), len(train), first)
    out.kept = arrays
    return out
