"""libtikc: what it reads is what `tikc check` says, and what it runs is what an emitted checker does, byte for byte."""

import json
import re
import shutil
import subprocess
import sys
from ctypes import byref, c_char_p, c_double, c_size_t, c_uint32, c_void_p
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from c_library import Library, declared  # noqa: E402
from c_world import CONTRACT, World  # noqa: E402
from compilers import GCC, RUNTIME, STRICT  # noqa: E402
from harness import FAULTY, LIBRARY, PATIENCE, ROOT, Case, contract, main, must, run, skip_unless  # noqa: E402
from tikc_library import BROKEN, HEADER, Claim, Contract, Diagnostic, Edit, Field, Fix, Related, Tikc  # noqa: E402

skip_unless(Path(LIBRARY).exists(), f"there is no {LIBRARY}: a sanitizer's runtime has to be the first that a process loads")
skip_unless(GCC and shutil.which("gcc") and shutil.which("nm"), "programs are compiled with GCC, and the library is looked at with nm")

VERDICTS = ("proved", "refuted", "unproved")
ABSTRACT = "tikc: v1\ncontract: base\nversion: 1.0.0\nabstract: true\n"


def emitted_library(folder):
    """The library of the contract that an emitted interface is tried on, and its header."""
    (folder / "contract.tikc.yaml").write_text(CONTRACT)
    must("emit", "cpp", folder / "contract.tikc.yaml", "-o", folder, "--c-abi")
    target = folder / "emitted.so"
    subprocess.run([GCC, *STRICT, "-O1", "-fPIC", "-shared", "-fvisibility=hidden", f"-I{RUNTIME}", str(folder / "contract.tikc_c.cpp"),
                    "-o", str(target)], check=True, timeout=PATIENCE)
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
        for path, why in ((self.folder / "none.yaml", "No such file"), (self.folder / "empty", "is a folder"), (two, "is a folder"), ("/", "is a folder"), ("", "cannot read")):
            status, document = self.c.opened(path)
            self.assertEqual(status, "FILE")
            self.assertIn(why, self.c.call("document_message", document).decode())
            self.assertEqual(self.c.counts(document), (0, 0, 0))
            self.assertEqual(json.loads(self.c.json(document))["diagnostics"], [])
            self.c.must("document_destroy", document)

    def test_what_must_not_run_is_refused(self):
        for text, why in ((FAULTY, r"^<text>:\d+:\d+: TK2001: unknown key `modle` [\w ]+$"), (BROKEN, r": TK4001: .* \(and \d more\)$"), (ABSTRACT, "`base` is abstract"),
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
            # The object that a function is about is called what it is; the emitted header has one name for all.
            wanted = [(kind, re.sub(r"^(?:const )?tikc_(\w+)\*$", r"\1", kind) if word == "self" else word) for kind, word in wanted]
            of_contract = [("const tikc_contract*", "contract")]
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
        self.assertEqual([c.call("status_name", i) for i in range(22)], [self.emitted.call("status_name", i) for i in range(22)])

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
        self.assertEqual((said[0]["claimed"], [each[0] for each in said[0]["assumed"]]), ([2], [2, 1]))
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
        return {"assumed": side.assumed(checker), "claimed": side.claimed(checker), "findings": findings, "verdicts": verdicts, "changes": [bytes(each) for each in side.transitions(router)],
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

    def test_numbers_that_slices_compare_fields_with(self):
        slices = ("labels: { task: [math, code] }\nslices:\n  first: { when: position < 8 and task == \"math\" }\n"
                  "  long: { when: 'not (prompt_tokens <= 512 or prompt_tokens > 4000) or position in {8, 64}' }\n")
        c = Contract(contract("bounds", slices, "runtime:\n  latency: max(latency) <= 3 s\nobservability:\n  requests: sample(requests, 100%)\n"))

        def bounds(field):
            number, count = c.out(c_uint32, "contract_find_field", c.contract_, field), c_size_t()
            status = c.call("contract_bounds", c.contract_, number, None, 0, byref(count))
            out = (c_double * (count.value + 1))(*[77] * (count.value + 1))
            self.assertEqual(status, "ROOM" if count.value else "OK")
            if count.value:
                self.assertEqual(c.call("contract_bounds", c.contract_, number, out, count.value - 1, byref(count)), "ROOM")
            c.must("contract_bounds", c.contract_, number, out, count.value, byref(count))
            self.assertEqual(out[count.value], 77)
            return out[: count.value]
        self.assertEqual([bounds(field) for field in (b"position", b"prompt_tokens", b"response_tokens", b"task", b"model_version")],
                         [[8, 64], [512, 4000], [], [], []])

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


if __name__ == "__main__":
    main()
