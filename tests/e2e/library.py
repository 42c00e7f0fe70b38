"""libtikc: what it reads is what `tikc check` says, what it runs is what an emitted checker does, byte for byte, it refuses what is wrong in
whatever place, exports what it declares and no more, and keeps nothing of what was destroyed."""

import ctypes
import json
import re
import shutil
import subprocess
import sys
import threading
from ctypes import byref, c_char_p, c_size_t, c_uint32, c_void_p
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from c_library import SINK, VISIT, Finding, Library, Row, Sequence, Shape, Times, Tokens, declared  # noqa: E402
from c_world import CONTRACT, World  # noqa: E402
from compilers import GCC, RUNTIME, STRICT  # noqa: E402
from harness import FAULTY, LIBRARY, ROOT, Case, contract, main, must, run, skip_unless  # noqa: E402
from tikc_library import HEADER, Claim, Contract, Diagnostic, Edit, Field, Fix, Related, Tikc  # noqa: E402

skip_unless(Path(LIBRARY).exists(), f"there is no {LIBRARY}: a sanitizer's runtime has to be the first that a process loads")
skip_unless(GCC and shutil.which("gcc") and shutil.which("nm"), "programs are compiled with GCC, and the library is looked at with nm")

VERDICTS = ("proved", "refuted", "unproved")
# Findings with notes, related places and edits.
BROKEN = contract("a", "runtime:\n  latency: max(latency) <= 45\n") + "---\n" + contract("a", "modle: {}\nclaims:\n  c: tv <= 0.1\n")
SMALL = contract("small", "runtime:\n  latency: max(latency) <= 3 s\nobservability:\n  requests: sample(requests, 100%)\nescalation:\n"
                 "  stale: { when: undecided(any) for 6 windows, do: hold, until: satisfied(any) }\n  r: { when: violated(any), do: hold, until: satisfied(any) }\n")
CLAIMED = contract("claimed", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\nclaims:\n  c: tv <= 0.1\n")
ABSTRACT = "tikc: v1\ncontract: base\nversion: 1.0.0\nabstract: true\n"
# A process whose memory ends, and then is there again.
STARVED = """import resource, sys
from ctypes import byref, c_void_p
sys.path.insert(0, "{tools}")
from c_world import CONTRACT
from tikc_library import Contract
c = Contract(CONTRACT)
out = c_void_p()
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + (16 << 20), resource.RLIM_INFINITY))
said = []
for kind in ("checker", "tally"):
    status = "OK"
    while status == "OK":
        status = c.call(kind + "_create", c.contract_, byref(out))
    said.append(status)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
said.append(c.call("checker_create", c.contract_, byref(out)))
print(*said)
"""


def emitted_library(folder):
    """The library of the contract that an emitted interface is tried on, and its header."""
    (folder / "contract.tikc.yaml").write_text(CONTRACT)
    must("emit", "cpp", folder / "contract.tikc.yaml", "-o", folder, "--c-abi")
    target = folder / "emitted.so"
    subprocess.run([GCC, *STRICT, "-O1", "-fPIC", "-shared", "-fvisibility=hidden", f"-I{RUNTIME}", str(folder / "contract.tikc_c.cpp"),
                    "-o", str(target)], check=True, timeout=280)
    return target, folder / "contract.tikc_c.h"


class Reading(Case):
    """Against `tikc check`."""

    def setUp(self):
        super().setUp()
        self.c = Tikc()

    def check(self, path, document):
        wanted = run("check", "--alone", "--format=json", path).out
        self.assertEqual(self.c.json(document), wanted)
        wanted = json.loads(wanted)
        found, claims, contracts = self.c.counts(document)
        self.assertEqual(contracts, wanted["summary"]["contracts"])
        self.assertEqual([self.diagnostic(document, i) for i in range(found)], wanted["diagnostics"])
        self.assertEqual([self.claim(document, i) for i in range(claims)], wanted["claims"])
        return wanted

    @staticmethod
    def place(of):
        def end(prefix, offset):
            return {"line": getattr(of, prefix + "line"), "column": getattr(of, prefix + "column"), "offset": offset}
        return {"file": of.file.decode(), "range": {"start": end("", of.begin), "end": end("end_", of.end)}}

    def diagnostic(self, document, i):
        c = self.c
        of = c.out(Diagnostic, "document_diagnostic", document, i)
        out = {name: getattr(of, name).decode() for name in ("code", "name", "message", "label")}
        out |= {"severity": ("off", "note", "warning", "error")[of.severity], **self.place(of.place)}
        out["notes"] = [c.out(c_char_p, "document_note", document, i, j).value.decode() for j in range(of.notes)]
        related = [c.out(Related, "document_related", document, i, j) for j in range(of.related)]
        out["related"] = [{"message": each.message.decode(), **self.place(each.place)} for each in related]
        out["fixes"] = []
        for j in range(of.fixes):
            fix = c.out(Fix, "document_fix", document, i, j)
            edits = [c.out(Edit, "document_edit", document, i, j, k) for k in range(fix.edits)]
            out["fixes"].append({"title": fix.title.decode(), "safe": bool(fix.is_safe),
                                 "edits": [{"text": each.text.decode(), **self.place(each.place)} for each in edits]})
        return out

    def claim(self, document, i):
        of = self.c.out(Claim, "document_claim", document, i)
        texts = {"contract": "contract", "claim": "name", "bound": "proved", "budget": "asked", "slack": "slack"}
        shown = {key: getattr(of, name).decode() for key, name in texts.items()}
        # The file is the document's.
        return {"file": json.loads(self.c.json(document))["claims"][i]["file"], **shown, "draft": bool(of.is_draft), "verdict": VERDICTS[of.verdict],
                "slices": [of.slices[j].decode() for j in range(of.slice_count)]}

    def test_says_what_check_says(self):
        examples = ROOT / "examples"
        seen = {"related": 0, "fixes": 0, "notes": 0, "claims": 0, "slices": 0}
        for path in (examples / "broken/readme.tikc.yaml", examples / "qwen3-8b-rl.tikc.yaml", examples / "fp8-rollout.tikc.yaml",
                     examples / "demo/rollout.tikc.yaml", self.write("broken.tikc.yaml", BROKEN), self.write("two.tikc.yaml", contract("a") + "---\n" + contract("b")),
                     self.write("none.tikc.yaml", ""), self.write("odd.tikc.yaml", b"\xff\xfe\x00\x80")):
            with self.subTest(path=path.name):
                status, document = self.c.opened(path)
                self.assertEqual(status, "OK")
                said = self.check(path, document)
                for each in said["diagnostics"]:
                    for part in ("related", "fixes", "notes"):
                        seen[part] += len(each[part])
                seen["claims"] += len(said["claims"])
                seen["slices"] += sum(len(each["slices"]) for each in said["claims"])
                self.c.must("document_destroy", document)
        self.assertTrue(all(seen.values()), seen)

    def test_texts_are_as_standard_input(self):
        self.write("base.tikc.yaml", contract("base"))
        heir = "tikc: v1\ncontract: heir\nversion: 1.0.0\nextends: base.tikc.yaml\n"
        for text in (heir, heir + "modle: {}\n", FAULTY, ""):
            name = str(self.folder / "not-there.tikc.yaml")
            status, document = self.c.read(text, name)
            self.assertEqual(status, "OK")
            wanted = run("check", "--format=json", f"--stdin-filename={name}", "-", stdin=text).out
            self.assertEqual(self.c.json(document), wanted)
            self.c.must("document_destroy", document)
        status, document = self.c.read(FAULTY)
        self.assertEqual(self.diagnostic(document, 0)["file"], "<text>")
        self.c.must("document_destroy", document)
        status, document = self.c.read(b"#" * ((16 << 20) + 1))
        self.assertEqual((status, [self.diagnostic(document, i)["code"] for i in range(self.c.counts(document)[0])]), ("OK", ["TK0001"]))
        self.c.must("document_destroy", document)

    def test_what_cannot_be_read_says_why(self):
        (self.folder / "empty").mkdir()
        two = self.folder / "two"
        for name in "ab":
            self.write(f"two/{name}.tikc.yaml", contract(name))
        for path, why in ((self.folder / "none.yaml", "No such file"), (self.folder / "empty", "no .tikc.yaml file"), (two, "has several"), ("", "cannot read")):
            status, document = self.c.opened(path)
            self.assertEqual(status, "FILE")
            self.assertIn(why, self.c.call("document_message", document).decode())
            self.assertEqual(self.c.counts(document), (0, 0, 0))
            self.assertEqual(json.loads(self.c.json(document))["diagnostics"], [])
            self.c.must("document_destroy", document)

    def test_what_must_not_run_is_refused(self):
        for text, why in ((FAULTY, r"^<text>:\d+:\d+: TK2001: `modle` [\w ]+$"), (BROKEN, r": TK4001: .* \(and \d more\)$"), (ABSTRACT, "`base` is abstract"),
                          (contract("empty"), "has no clauses")):
            status, document = self.c.read(text)
            out = c_void_p(77)
            self.assertEqual(self.c.call("document_contract", document, 0, byref(out)), "REFUSED")
            self.assertEqual(out.value, 77)
            self.assertRegex(self.c.refusal(document), why)
            self.c.must("document_destroy", document)
        status, document = self.c.read(CONTRACT + "---\n" + ABSTRACT + "---\n" + CONTRACT.replace("c.loop", "c.again"))
        self.assertEqual([self.c.refusal(document, i)[:10] for i in range(3)], ["", "`base` is ", ""])
        names = []
        for i in (0, 2):
            held = self.c.contract(document, i)
            names.append(self.c.call("contract_name", held))
            self.c.must("contract_destroy", held)
        self.assertEqual(names, [b"c.loop", b"c.again"])
        self.c.must("document_destroy", document)


class Running(Case):
    """Against the emitted interface of the same contract: the same words, bytes and judgements."""

    @classmethod
    def setUpClass(cls):
        path, cls.header = emitted_library(cls.shared_folder())
        cls.emitted = Library(path, cls.header, "c_loop")
        cls.c = Contract(CONTRACT)

    def both(self, what):
        """The same asked of either: (what the emitted interface gives, what the library does)."""
        return what(self.emitted), what(self.c)

    def test_declares_what_an_emitted_interface_does(self):
        library = declared(HEADER)
        for name, (returned, parameters) in declared(self.header).items():
            name = name.removeprefix("c_loop_")
            if re.fullmatch(r"(tally|checker|router)_(size|alignment|construct)", name):
                continue  # its sizes are no constants
            wanted = [(kind.replace("c_loop_", "tikc_"), word) for kind, word in parameters]
            of_contract = [("const tikc_contract*", "of")]
            if name.endswith("_create"):
                wanted = [("const tikc_contract*", "from"), *wanted]
            elif name in ("abi", "status_name"):
                pass
            elif name == "router_rule_name":
                wanted = of_contract + wanted
            elif not re.match(r"(tally|checker|router)_|slice_of$", name):
                name, wanted = f"contract_{name}", of_contract + wanted
            with self.subTest(name=name):
                self.assertEqual(library.get(f"tikc_{name}"), (returned, wanted))

    def test_says_who_it_is(self):
        c, held = self.c, self.c.contract_
        for name in ("name", "version", "build", "digest", "is_draft", "fingerprint"):
            self.assertEqual(self.emitted.call(name), c.call(f"contract_{name}", held), name)
        self.assertEqual(bytes(self.emitted.shape), bytes(c.shape))
        for name, count in (("slice_name", 5), ("clause_name", 21), ("check_text", 21)):
            for i in (*range(count), 2**32 - 1):
                self.assertEqual(self.emitted.call(name, i), c.call(f"contract_{name}", held, i))
        self.assertEqual([c.call("router_rule_name", held, i) for i in range(4)], [b"poison", b"server", b"stale", None])
        self.assertEqual([c.call("contract_stage_name", held, i) for i in range(4)], [b"offline", b"canary", b"full", None])
        streams = [c.call("contract_stream_name", held, i) for i in range(c.shape.streams + 1)]
        self.assertEqual((streams[0], streams[-1]), (b"trainer_to_server", None))
        for clause in range(21):
            answers = []
            for library, first in ((self.emitted, ()), (c, (held,))):
                numbers = [c_uint32(99), c_uint32(99)]
                status = library.call("clause_checks" if not first else "contract_clause_checks", *first, clause, *map(byref, numbers))
                answers.append((status, *(each.value for each in numbers)))
            self.assertEqual(*answers)
        self.assertEqual([c.call("status_name", i) for i in range(21)], [self.emitted.call("status_name", i) for i in range(21)])

    def test_runs_as_emitted_code_does(self):
        sides = (self.emitted, self.c)
        shape = self.c.shape
        world = World(5, shape.slices, shape.streams, shape.vocabulary)
        tallies, totals, checkers, routers = ([each.create(kind) for each in sides] for kind in ("tally", "tally", "checker", "router"))
        seen = set()
        for side, checker in zip(sides, checkers):
            side.must("checker_start", checker, 0.0)
        for tick, events in enumerate(world.ticks):
            for call, _ in events:
                for side, tally in zip(sides, tallies):
                    call(side, tally)
            wires = [side.wire("tally", tally) for side, tally in zip(sides, tallies)]
            self.assertEqual(*wires)
            for at, side in enumerate(sides):
                # What goes on is what the other sent.
                side.must("tally_clear", tallies[at])
                side.must("tally_parse", tallies[at], wires[1 - at], len(wires[1 - at]))
                side.must("checker_merge", checkers[at], tallies[at])
                side.must("tally_merge", totals[at], tallies[at])
                side.must("tally_clear", tallies[at])
                side.must("checker_end_step", checkers[at])
                side.must("checker_evaluate", checkers[at], 150.0 * (tick + 1))
                side.must("router_tick", routers[at], checkers[at], tick % 3)
            said = [self.told(*each) for each in zip(sides, checkers, routers)]
            self.assertEqual(*said)
            seen |= {finding[0] for finding in said[0]["findings"].values()}
            for form in ("json", "prometheus", "openmetrics"):
                self.assertEqual(*(side.text(form, checker, total) for side, checker, total in zip(sides, checkers, totals)))
            states = [side.wire("router", router) for side, router in zip(sides, routers)]
            self.assertEqual(*states)
            for at, side in enumerate(sides):
                side.must("router_parse", routers[at], states[1 - at], len(states[1 - at]))
        self.assertEqual(seen, {0, 1, 2})
        for side, *objects in zip(sides, tallies, totals, checkers, routers):
            for kind, each in zip(("tally", "tally", "checker", "router"), objects):
                side.must(f"{kind}_destroy", each)

    @staticmethod
    def told(side, checker, router):
        findings, verdicts = {}, []
        for place in range(side.shape.slices):
            for check in range(side.shape.checks):
                status, found = side.finding(checker, check, place)
                if status == "OK":
                    worst = [(each.value.hex(), each.id) for each in found.worst[:found.worst_count]]
                    findings[check, place] = (found.verdict, found.is_kept, found.value.hex(), found.low.hex(), found.high.hex(), found.observations, worst)
            for clause in range(side.shape.clauses):
                for name in ("verdict", "is_kept"):
                    out = c_uint32(9)
                    verdicts.append((side.call(f"checker_{name}", checker, clause, place, byref(out)), out.value))
        return {"findings": findings, "verdicts": verdicts, "changes": [bytes(each) for each in side.transitions(router)],
                "does": [side.actions(router, place) for place in range(side.shape.slices)],
                "decides": [side.decision(router, place) for place in range(side.shape.slices)]}

    def test_slices_of_requests(self):
        c, held = self.c, self.c.contract_
        count = c.out(c_uint32, "contract_fields", held).value
        fields = {}
        for i in range(count):
            field = c.out(Field, "contract_field", held, i)
            fields[field.name.decode()] = (i, field.is_text, [field.values[j].decode() for j in range(field.value_count)])
            self.assertEqual(c.out(c_uint32, "contract_find_field", held, field.name).value, i)
        self.assertEqual(fields["task"][1:], (1, ["math", "code"]))
        self.assertEqual((fields["model_version"][1:], fields["prompt_tokens"][1:]), ((1, []), (0, [])))
        self.assertEqual(c.call("contract_find_field", held, b"nothing", byref(c_uint32())), "RANGE")
        request = c.out(c_void_p, "request_create", held)

        def slice_of(**said):
            c.must("request_clear", request)
            for name, value in said.items():
                if isinstance(value, str):
                    c.must("request_set_text", request, fields[name][0], value.encode(), len(value))
                else:
                    c.must("request_set_number", request, fields[name][0], value)
            return c.out(c_uint32, "slice_of", request).value
        self.assertEqual([slice_of(**said) for said in ({"task": "math"}, {"model_version": "v1", "task": "code"}, {"model_version": "v2", "prompt_tokens": 1000},
                                                        {"prompt_tokens": 999.5}, {"prompt_tokens": float("nan")}, {})], [0, 1, 2, 3, 3, 3])
        task, version, tokens = (fields[name][0] for name in ("task", "model_version", "prompt_tokens"))
        slice_of(task="math")
        self.assertEqual(c.call("request_set_text", request, task, b"poetry", 6), "VALUE")
        self.assertEqual(c.out(c_uint32, "slice_of", request).value, 0)
        self.assertEqual(c.call("request_set_text", request, task, None, 0), "OK")
        self.assertEqual(c.out(c_uint32, "slice_of", request).value, 3)
        self.assertEqual(c.call("request_set_number", request, version, 1.0), "VALUE")
        self.assertEqual(c.call("request_set_text", request, tokens, b"1", 1), "VALUE")
        c.must("request_destroy", request)

    def test_bytes_of_others_change_nothing(self):
        c = self.c
        tally, router = c.create("tally"), c.create("router")
        c.must("tally_serve", tally, 1, 70, 3)
        wire, before = c.wire("tally", tally), c.wire("router", router)
        into = c.create("tally")
        blank = c.wire("tally", into)
        for data, wanted in ((wire[:-1], "TRUNCATED"), (b"", "TRUNCATED"), (b"x" * 40, "FOREIGN"), (wire + b"x", "TRAILING"),
                             (bytes([*wire[:-1], wire[-1] ^ 1]), "CHECKSUM"), (wire[:8] + b"12345678" + wire[16:], "FINGERPRINT"), (before, "FOREIGN")):
            self.assertEqual(c.call("tally_parse", into, data, len(data)), wanted)
            self.assertEqual(c.wire("tally", into), blank)
        for kind, each in (("tally", tally), ("tally", into), ("router", router)):
            c.must(f"{kind}_destroy", each)


class Attack(Case):
    """Each function of the header with each of its arguments wrong, as its declaration says what could be."""

    OPAQUE = re.compile(r"(?:const )?tikc_(document|contract|request|tally|checker|router)\*")
    CREATED = re.compile(r"tikc_(document|contract|request|tally|checker|router)\*\*")
    ALIGNED = re.compile(r"(?!const |(?:void|char|uint8_t)\*$)[\w*]+\*")

    def setUp(self):
        super().setUp()
        self.c, self.other = Contract(CONTRACT), Contract(CONTRACT.replace("max(k3) <= 0.05", "max(k3) <= 0.06"))
        self.functions = self.c.functions
        self.pages = ctypes.create_string_buffer(1 << 21)
        self.at = ctypes.addressof(self.pages) + 64 - ctypes.addressof(self.pages) % 64
        self.objects = {kind: self.c.create(kind) for kind in ("tally", "checker", "router", "request")}
        self.foreign = {kind: self.other.create(kind) for kind in ("tally", "checker", "router", "request")}
        self.objects["contract"] = self.c.contract_
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

    def made(self, kind):
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
        self.kept = [Tokens(at, at, None, 3, 0), Row(at, 130, 0), Times(), Sequence(), (ctypes.c_uint8 * 80)()]
        tokens, row, times, response, verdicts = map(ctypes.addressof, self.kept)
        fields = {"request_set_number": "prompt_tokens", "request_set_text": "model_version"}
        by_name = {"tokens": tokens, "train": row, "infer": row, "times": times, "response": response, "verdicts": verdicts, "slices": at, "scratch": at,
                   "text": b"text", "path": str(self.folder / "none.yaml").encode(), "bytes": at}
        numbers = {"size": 4, "room": 1 << 20, "scratch_bytes": 1 << 20, "count": 80, "id": 1, "now": 1.0, "drift": 0.1, "share": 0.1, "tokens": 5, "requests": 1,
                   "value": 1.0, "diagnostic": self.numbers.get(name, 0)}
        for kind, word in self.functions[name][1]:
            opaque = self.OPAQUE.fullmatch(kind)
            if opaque:
                out.append(self.made(opaque[1]) if name.endswith("_destroy") else self.claimed if name == "document_claim" else self.objects[opaque[1]])
            elif kind in ("tikc_sink", "tikc_visit"):
                out.append(ctypes.cast(self.sink if kind == "tikc_sink" else self.visit, c_void_p))
            elif word == "context":
                out.append(None)
            elif word == "name":
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
        below = {"slice": 4, "stream": 3, "stage": 3, "rule": 3, "clause": 20, "check": 20}
        tried, objects, numbers = 0, 0, 0
        for name, (returned, parameters) in self.functions.items():
            if returned != "tikc_status":
                continue
            arguments = self.right(name)
            allowed = {"tally_parse": "TRUNCATED", "router_parse": "TRUNCATED", "open": "FILE", "document_contract": "REFUSED"}
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
                        if sum(self.OPAQUE.fullmatch(each) is not None for each, _ in parameters) > 1:
                            self.refused(name, i, self.foreign[opaque[1]], "OBJECT")
                    elif self.ALIGNED.fullmatch(kind.removeprefix("const ")):
                        self.refused(name, i, self.at + 1, "ALIGNMENT")
                    elif kind == "uint32_t":
                        numbers += 1
                        for number in (2**31, 2**32 - 1, *([below[word]] if word in below else [])):
                            self.refused(name, i, number, "RANGE")
                    elif kind == "double" and word == "now":
                        for number in (float("nan"), float("inf")):
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


class Process(Case):
    def test_exports_what_it_declares(self):
        done = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True)
        exported = [line.split()[-1] for line in done.stdout.splitlines()]
        self.assertEqual(sorted(exported), sorted(declared(HEADER)))
        self.assertEqual(len(re.findall(r"\bTIKC_C_API\b", HEADER.read_text())), len(exported))

    def test_threads_with_handles_of_their_own(self):
        c = Contract(CONTRACT)
        shared, wires, faults = c.contract_, {}, []

        def findings(text):
            document = c.read(text)[1]
            said = c.json(document)
            c.must("document_destroy", document)
            return said

        def work(seed):
            try:
                for _ in range(3):
                    said = findings(texts[seed % 2])
                    if said != wanted[seed % 2]:
                        raise AssertionError(f"{seed}: {said}")
                tally = c.out(c_void_p, "tally_create", shared).value
                for call, _ in World(seed % 3, c.shape.slices, c.shape.streams, c.shape.vocabulary).ticks[0]:
                    call(each[seed], tally)
                wires[seed] = c.wire("tally", tally)
                c.must("tally_destroy", tally)
            except BaseException as fault:  # noqa: B902 - it is told by the thread that asks
                faults.append(fault)
        texts = (BROKEN, CONTRACT)
        wanted = [findings(text) for text in texts]
        each = [Contract(CONTRACT) for _ in range(6)]  # whose scratch is a thread's
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])
        self.assertEqual([wires[seed] == wires[seed % 3] for seed in range(6)], [True] * 6)
        self.assertNotEqual(wires[0], wires[1])

    def test_memory_does_not_grow(self):
        c = Contract(SMALL)

        def resident():
            return int(re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())[1])

        def make(times, documents):
            for i in range(times):
                for kind in ("tally", "checker", "router", "request"):
                    c.must(f"{kind}_destroy", c.create(kind))
                if i < documents:
                    _, document = c.read(SMALL)
                    c.must("document_destroy", document)
        make(500, 100)
        before = resident()
        make(10_000, 400)
        self.assertLess(resident() - before, 2048)  # KiB

    def test_memory_that_ends_is_a_status(self):
        done = subprocess.run([sys.executable, "-c", STARVED.format(tools=ROOT / "tests/tools")], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.stdout, done.stderr), ("MEMORY MEMORY OK\n", ""))

    def test_a_program_in_c(self):
        folder = Path(LIBRARY).parent
        program = self.folder / "any_contract"
        subprocess.run(["gcc", "-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", f"-I{HEADER.parent}", f"-I{RUNTIME}",
                        str(ROOT / "examples/embed/any_contract.c"), "-o", str(program), f"-L{folder}", "-ltikc", f"-Wl,-rpath,{folder}"], check=True)

        def said(path):
            done = subprocess.run([program, path], capture_output=True, text=True, timeout=60)
            return done.returncode, done.stdout, done.stderr
        status, out, _ = said(ROOT / "examples/demo/rollout.tikc.yaml")  # the README's, mended
        self.assertEqual(status, 0, out)
        self.assertIn("token_tv: proved, asked <= 0.05, follows 0.04878\n", out)
        self.assertIn("\ngap: violated\n", out)
        self.assertIn("\nrule drift is active\n", out)
        self.assertEqual(said(ROOT / "examples/broken/readme.tikc.yaml")[0], 1)
        self.assertIn(":13:20: TK5001: `logit_ocs` is not a metric\n", said(ROOT / "examples/broken/readme.tikc.yaml")[1])
        self.assertEqual(said("none.yaml"), (2, "", "cannot read `none.yaml`: No such file or directory\n"))


if __name__ == "__main__":
    main()
