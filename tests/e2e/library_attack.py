"""libtikc refuses what is wrong in whatever place, and nothing changes: each function of its header is attacked as its declaration says, so that
one that is added is, too."""

import ctypes
import re
import shutil
import sys
from ctypes import byref, c_size_t, c_uint32, c_void_p
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from c_library import SINK, VISIT, DeviceRows, Numbers, Row, Sequence, Times, Tokens  # noqa: E402
from c_world import CONTRACT  # noqa: E402
from compilers import GCC  # noqa: E402
from harness import LIBRARY, Case, main, skip_unless  # noqa: E402
from tikc_library import BROKEN, CLAIMED, Contract, Diagnostic, Piece  # noqa: E402

skip_unless(Path(LIBRARY).exists(), f"there is no {LIBRARY}: a sanitizer's runtime has to be the first that a process loads")
skip_unless(GCC and shutil.which("gcc") and shutil.which("nm"), "programs are compiled with GCC, and the library is looked at with nm")


PIECE = Piece(b"here", b"", 0, 0, *[float("nan")] * 3, 24)


class Attack(Case):
    """Each function of the header with each of its arguments wrong, as its declaration says what could be."""

    OPAQUE = re.compile(r"(?:const )?tikc_(document|contract|request|tally|checker|router|batch|signs|evidence)\*")
    CREATED = re.compile(r"tikc_(document|contract|request|tally|checker|router|batch|signs|evidence)\*\*")
    ALIGNED = re.compile(r"(?!const |(?:void|char|uint8_t)\*$)[\w*]+\*")

    def setUp(self):
        super().setUp()
        self.c, self.other = Contract(CONTRACT), Contract(CONTRACT.replace("max(k3) <= 0.05", "max(k3) <= 0.06"))
        self.functions = self.c.functions
        self.pages = ctypes.create_string_buffer(1 << 21)
        self.at = ctypes.addressof(self.pages) + 64 - ctypes.addressof(self.pages) % 64
        self.objects = {kind: self.c.create(kind) for kind in ("tally", "checker", "router", "request")}
        self.foreign = {kind: self.other.create(kind) for kind in ("tally", "checker", "router", "request")}
        self.objects["batch"], self.foreign["batch"] = self.batch(0), self.batch(1)
        self.objects["signs"], self.foreign["signs"] = self.signs(), self.signs()
        self.objects["evidence"], self.foreign["evidence"] = self.evidence(self.c, self.objects["tally"]), self.evidence(self.other, self.foreign["tally"])
        self.objects["contract"], self.foreign["contract"] = self.c.contract_, self.other.contract_
        self.objects["document"] = self.c.read(BROKEN)[1]
        self.claimed = self.c.read(CLAIMED)[1]
        self.numbers = self.whole_finding()

    def tearDown(self):
        self.c.must("document_destroy", self.claimed)
        for kind, each in self.objects.items():
            self.c.must(f"{kind}_destroy", each)
        for kind, each in self.foreign.items():
            self.c.must(f"{kind}_destroy", each)

    def whole_finding(self):
        """Numbers of a finding that has a part of each kind, by function."""
        out, document = {}, self.objects["document"]
        for i in range(self.c.counts(document)[0]):
            found = self.c.out(Diagnostic, "document_diagnostic", document, i)
            for part in ("notes", "related", "fixes"):
                if getattr(found, part):
                    out.setdefault(part, i)
        self.assertEqual(set(out), {"notes", "related", "fixes"})
        return {"document_note": out["notes"], "document_related": out["related"], "document_fix": out["fixes"], "document_edit": out["fixes"]}

    def batch(self, trainer):
        return self.c.out(c_void_p, "batch_create", trainer, 0.0).value

    def signs(self):
        return self.c.out(c_void_p, "signs_create").value

    @staticmethod
    def evidence(of, tally):
        return of.out(c_void_p, "evidence_create", tally, byref(PIECE)).value

    def made(self, kind):
        if kind == "batch":
            return self.batch(0)
        if kind == "signs":
            return self.signs()
        if kind == "evidence":
            return self.evidence(self.c, self.objects["tally"])
        if kind == "document":
            return self.c.read(CONTRACT)[1]
        if kind == "contract":
            document = self.made("document")
            out = self.c.contract(document)
            self.c.must("document_destroy", document)
            return out
        return self.c.create(kind)

    def dead(self, kind):
        """One that was destroyed, whose place nothing took."""
        out = self.made(kind)
        self.c.must(f"{kind}_destroy", out)
        return out

    def right(self, name):
        """Arguments that are right. What is written to is `self.pages`."""
        at, out = self.at, []
        several = (Tokens * 4)(*[Tokens(at, at, None, 3, 0)] * 4), (c_uint32 * 4)()
        self.kept = [*several, Tokens(at, at, None, 3, 0), Row(at, 130, 0), Times(), Sequence(), (ctypes.c_uint8 * 80)(), Numbers(at, None, 3, 0, 1),
                     DeviceRows(at, at, 130, 130, 130, None, 0, 0, 0)]
        responses, places, tokens, row, times, response, verdicts, handed, rows = map(ctypes.addressof, self.kept)
        fields = {"request_set_number": "prompt_tokens", "request_set_text": "model_version"}
        by_name = {"responses": responses, "places": places, "tokens": tokens, "train": row, "infer": row, "times": times, "response": response, "verdicts": verdicts, "numbers": handed, "rows": rows, "piece": ctypes.addressof(PIECE), "slices": at, "scratch": at,
                   "text": b"text", "path": str(self.folder / "none.yaml").encode(), "bytes": at}
        numbers = {"size": 4, "room": 1 << 20, "scratch_bytes": 1 << 20, "count": 80, "id": 1, "now": 1.0, "drift": 0.1, "share": 0.1, "tokens": 5, "requests": 1,
                   "value": 1.0, "cap": 2.0, "step": 1.0, "version": 1.0, "diagnostic": self.numbers.get(name, 0)}
        for kind, word in self.functions[name][1]:
            opaque = self.OPAQUE.fullmatch(kind)
            if opaque:
                out.append(self.made(opaque[1]) if name.endswith("_destroy") else self.claimed if name == "document_claim" else self.objects[opaque[1]])
            elif kind in ("tikc_sink", "tikc_visit"):
                out.append(ctypes.cast(self.sink if kind == "tikc_sink" else self.visit, c_void_p))
            elif word == "context":
                out.append(None)
            elif word == "name" and kind == "const char*":
                out.append(b"prompt_tokens" if name == "contract_find_field" else b"a.tikc.yaml")
            elif word == "field" and not kind.endswith("*"):
                field = c_uint32()
                self.c.must("contract_find_field", self.c.contract_, fields.get(name, "task").encode(), byref(field))
                out.append(field.value)
            elif kind.endswith("*"):
                out.append(by_name.get(word, at) if not self.CREATED.fullmatch(kind) else at)
            else:
                out.append(numbers.get(word, 0))
        return out

    sink, visit = SINK(lambda *_: None), VISIT(lambda *_: None)

    def states(self):
        return [self.c.wire(kind, self.objects[kind]) for kind in ("tally", "router")]

    def refused(self, name, at, value, wanted):
        """It says so, and writes nothing."""
        arguments = self.right(name)
        fresh = arguments[0] if name.endswith("_destroy") else None
        arguments[at] = value() if callable(value) else value
        ctypes.memset(self.pages, 0xA5, 4096)
        before = self.states()
        self.assertEqual(self.c.call(name, *arguments), wanted, value)
        self.assertEqual(self.pages.raw[:4096], b"\xa5" * 4096)
        self.assertEqual(self.states(), before)
        if fresh:
            self.c.must(name, fresh)

    def test_refuses_what_is_wrong(self):
        zeros = ctypes.create_string_buffer(512)
        blank = ctypes.addressof(zeros) + 64 - ctypes.addressof(zeros) % 64
        below = {"slice": 4, "stream": 3, "stage": 3, "rule": 3, "clause": 20, "check": 20, "trainer": 13, "figure": 122, "origin": 1, "allows_other": 2}
        tried, objects, numbers = 0, 0, 0
        for name, (returned, parameters) in self.functions.items():
            if returned != "tikc_status":
                continue
            arguments = self.right(name)
            allowed = {"tally_parse": "TRUNCATED", "router_parse": "TRUNCATED", "open": "FILE", "document_contract": "REFUSED", "evidence_read": "REFUSED",
                       "observe_device_rows": "UNSUPPORTED"}
            self.assertIn(self.c.call(name, *arguments), (allowed.get(name, "OK"), "UNBOUND"), name)
            if name in ("open", "read") or name.endswith("_create"):
                kind = "document" if name in ("open", "read") else name.removesuffix("_create")
                self.c.must(f"{kind}_destroy", c_void_p.from_address(self.at).value)
            for i, (kind, word) in enumerate(parameters):
                with self.subTest(call=name, argument=word):
                    opaque = self.OPAQUE.fullmatch(kind)
                    is_pointer = kind.endswith("*") or kind in ("tikc_sink", "tikc_visit")
                    tried += 1
                    if is_pointer and word != "context" and (name, word) != ("read", "name"):
                        self.refused(name, i, None, "NULL")
                    if opaque:
                        objects += 1
                        self.refused(name, i, lambda kind=opaque[1]: self.dead(kind), "OBJECT")
                        for other, each in self.objects.items():
                            if other != opaque[1]:
                                self.refused(name, i, each, "OBJECT")
                        self.refused(name, i, blank, "OBJECT")
                        self.refused(name, i, blank + 1, "ALIGNMENT")
                        # Signs are of no contract, and go with any.
                        if name not in ("signs_merge", "evidence_create_with") and sum(self.OPAQUE.fullmatch(each) is not None for each, _ in parameters) > 1:
                            self.refused(name, i, self.foreign[opaque[1]], "REFUSED" if name.startswith("evidence_") else "OBJECT")
                    elif self.ALIGNED.fullmatch(kind.removeprefix("const ")):
                        self.refused(name, i, self.at + 1, "ALIGNMENT")
                    elif kind == "uint32_t":
                        numbers += 1
                        for number in (2**31, 2**32 - 1, *([below[word]] if word in below else [])):
                            self.refused(name, i, number, "RANGE")
                    elif kind == "double" and word in ("now", "cap"):
                        for number in (float("nan"), float("inf"), *([-1.0] if word == "cap" else [])):
                            self.refused(name, i, number, "VALUE")
        self.assertGreater(tried, 200)
        self.assertGreater(objects, 60)
        self.assertGreater(numbers, 40)

    def test_what_is_no_contract_has_no_name(self):
        tried = 0
        for name, (returned, parameters) in self.functions.items():
            if returned == "tikc_status" or not parameters or not self.OPAQUE.fullmatch(parameters[0][0]):
                continue
            kind = self.OPAQUE.fullmatch(parameters[0][0])[1]
            for wrong in (None, *(each for other, each in self.objects.items() if other != kind), self.at):
                ctypes.memset(self.pages, 0, 4096)
                self.assertIn(self.c.call(name, wrong, *[0] * (len(parameters) - 1)), (None, 0))
                tried += 1
            for number in (2**31, 2**32 - 1)[: 2 * (len(parameters) - 1)]:
                self.assertIsNone(self.c.call(name, self.objects[kind], number))
        self.assertGreater(tried, 50)

    def test_refuses_wrong_sizes(self):
        c, tally = self.c, self.objects["tally"]
        short, strange, right = Row(self.at, 129, 0), Row(self.at, 130, 5), Row(self.at, 130, 0)
        for train, infer, room, wanted in ((right, right, 0, "OK"), (right, short, 0, "SIZE"), (short, right, 0, "SIZE"), (strange, right, 0, "VALUE"),
                                           (right, right, 1, "ROOM")):
            self.assertEqual(c.call("tally_observe_row", tally, 0, 0, byref(train), byref(infer), c.scratch, len(c.scratch) - room, 1), wanted)
        size = c_size_t(0)
        self.assertEqual(c.call("tally_serialise", tally, None, 0, byref(size)), "ROOM")
        self.assertEqual(size.value, len(c.wire("tally", tally)))
        self.assertEqual([c.call("router_tick_verdicts", self.objects["router"], bytes(verdicts), count, 0) for verdicts, count in
                          ((bytes(80), 80), (bytes([0] * 79 + [4]), 80), (bytes(80), 79), (bytes(81), 81))], ["OK", "VALUE", "ROOM", "ROOM"])

    def test_refuses_pieces_that_are_none(self):
        def piece(source=b"here", stage=b"", bits=24):
            return self.c.call("evidence_create", self.objects["tally"], byref(Piece(source, stage, 0, 0, 0, 0, 0, bits)), self.at)

        self.assertEqual([piece(None), piece(stage=None), piece(b"\xff"), piece(stage=b"none"), piece(bits=64)], ["NULL", "NULL", "VALUE", "VALUE", "RANGE"])
        self.assertEqual(piece(), "OK")
        self.c.must("evidence_destroy", c_void_p.from_address(self.at).value)
        size = c_size_t(0)
        self.assertEqual(self.c.call("evidence_serialise", self.objects["evidence"], None, 0, byref(size)), "ROOM")
        self.assertGreater(size.value, 100)

    def test_responses_are_all_observed_or_none(self):
        tally = self.objects["tally"]
        before = self.c.wire("tally", tally)
        tokens, ids = (Tokens * 2)(*[Tokens(self.at, self.at, None, 3, 0)] * 2), (ctypes.c_uint64 * 2)()
        for places, second, wanted in (((0, 4), tokens[1], "RANGE"), ((0, 0), Tokens(None, self.at, None, 3, 0), "NULL"), ((0, 0), Tokens(self.at, self.at + 1, None, 3, 0), "ALIGNMENT")):
            tokens[1] = second
            self.assertEqual(self.c.call("observe_responses", tally, 0, (c_uint32 * 2)(*places), tokens, ids, 2), wanted)
            self.assertEqual(self.c.wire("tally", tally), before)

    def test_figures_of_rows_are_all_observed_or_none(self):
        tally = self.objects["tally"]
        before = self.c.wire("tally", tally)
        figures, ids = (ctypes.c_double * 32)(*[0.0] * 31, 9e9), (ctypes.c_uint64 * 2)()
        for stream, places, which, wanted in ((9, (0, 0), figures, "RANGE"), (0, (0, 4), figures, "RANGE"), (0, (0, 0), None, "NULL")):
            self.assertEqual(self.c.call("observe_row_figures", tally, stream, (c_uint32 * 2)(*places), which, ids, 2), wanted)
            self.assertEqual(self.c.wire("tally", tally), before)
        self.assertEqual(self.c.call("observe_row_figures", tally, 0, (c_uint32 * 2)(0, 1), figures, ids, 2), "OK")
        self.assertNotEqual(self.c.wire("tally", tally), before)

    def test_objects_of_equal_contracts_go_together(self):
        again = Contract(CONTRACT)
        tally = again.create("tally")
        for name, into in (("tally_merge", "tally"), ("checker_merge", "checker")):
            self.assertEqual(self.c.call(name, self.objects[into], tally), "OK")
            self.assertEqual(self.c.call(name, self.objects[into], self.foreign["tally"]), "OBJECT")
        self.c.must("contract_destroy", again.contract_)
        self.c.must("tally_serve", tally, 0, 5, 1)  # which keeps what it is of
        self.assertGreater(len(self.c.wire("tally", tally)), 24)
        self.c.must("tally_destroy", tally)


if __name__ == "__main__":
    main()
