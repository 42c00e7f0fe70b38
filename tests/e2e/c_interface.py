"""`tikc emit cpp --c-abi`: the library says what the C++ checker says, refuses what is wrong, exports what it declares and no more, and its
header is C99 whatever a contract's texts are."""

import ctypes
import json
import re
import shutil
import struct
import subprocess
import sys
from ctypes import byref, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from c_library import SINK, VERDICTS, VISIT, Library, Numbers, Row, Sequence, Times, Tokens, Volume, declared  # noqa: E402
from c_world import CONTRACT, DRIVER, World  # noqa: E402
from compilers import CLANG, GCC, PORTABLE, RUNTIME, STRICT, compiled, in_parallel, namespaces  # noqa: E402
from harness import PATIENCE, ROOT, Case, main, must, skip_unless  # noqa: E402

C_COMPILERS = [found for found in map(shutil.which, ("gcc", "clang-14", "clang")) if found][:2]
skip_unless(GCC and CLANG and len(C_COMPILERS) == 2 and shutil.which("nm"), "the library is compiled with GCC and clang, and looked at with nm")
C99 = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only"]
BUILD = ["-O1", PORTABLE, "-fPIC", "-shared", "-fvisibility=hidden", "-fvisibility-inlines-hidden"]

def emitted(folder, text, *options, name="contract"):
    (folder / f"{name}.tikc.yaml").write_text(text)
    must("emit", "cpp", folder / f"{name}.tikc.yaml", "-o", folder, "--c-abi", *options)
    return folder / f"{name}.tikc_c.h", folder / f"{name}.tikc_c.cpp", folder / f"{name}.tikc.h"


def library(source, target):
    """What GCC says of it, without the runtime at hand."""
    done = subprocess.run([GCC, *STRICT, *BUILD, str(source), "-o", str(target)], capture_output=True, text=True, timeout=PATIENCE)
    return done.stderr


class Loop(Case):
    """One contract's library, and the C++ checker of the same."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.shared_folder()
        (cls.scratch / "alone").mkdir()
        _, _, header = emitted(cls.scratch, CONTRACT)
        cls.header, source, _ = emitted(cls.scratch / "alone", CONTRACT, "--standalone")
        driver = cls.scratch / "driver.cpp"
        driver.write_text(DRIVER.format(header=header.name, space=namespaces(header)[0]))
        jobs = [(compiled, GCC, driver, "-O1", PORTABLE, "-o", cls.scratch / "driver"), (library, source, cls.scratch / "library.so")]
        cls.complaints = in_parallel(
            lambda build, *job: build(*job, **({"include": [cls.scratch, ROOT / "tests/tools"]} if build is compiled else {})), jobs)
        cls.path = cls.scratch / "library.so"

    def setUp(self):
        super().setUp()
        self.assertEqual(self.complaints, ["", ""])
        self.c = Library(self.path, self.header, "c_loop")
        self.tally, self.checker, self.router = (self.c.create(kind) for kind in ("tally", "checker", "router"))

    def tearDown(self):
        for kind in ("tally", "checker", "router"):
            self.c.must(f"{kind}_destroy", getattr(self, kind))

    def findings(self):
        """As CheckerDriver.h prints them."""
        out = {}
        for check in range(self.c.shape.checks):
            for place in range(self.c.shape.slices):
                status, found = self.c.finding(self.checker, check, place)
                self.assertIn(status, ("OK", "UNBOUND"))
                if found:
                    out[check, place] = (VERDICTS[found.verdict] + "-kept" * found.is_kept, *(value.hex() for value in (found.value, found.low, found.high)), found.observations)
        return out

    def claim_state(self, findings, claim, is_broken):
        """0 shown, 1 not shown, 2 suspended, 3 withdrawn."""
        verdicts = {findings[ground][0].split("-")[0] for ground in self.c.grounds(claim)}
        self.assertTrue(verdicts)
        return 3 if "violated" in verdicts else 2 if is_broken else 1 if "undecided" in verdicts else 0

    def test_says_what_the_checker_in_cpp_says(self):
        world = World(5, self.c.shape.slices, self.c.shape.streams, self.c.shape.vocabulary)
        raw, wires, said, findings, assumed = [], [], [], [], []
        total = self.c.create("tally")
        self.c.must("checker_start", self.checker, 0.0)
        for tick, events in enumerate(world.ticks):
            now = 150.0 * (tick + 1)
            for call, data in events:
                call(self.c, self.tally)
                raw.append(data)
            raw.append(b"N" + struct.pack("<cd", b"E", now))
            wire = self.c.wire("tally", self.tally)
            wires.append(struct.pack("<cI", b"W", len(wire)) + wire + struct.pack("<dB", now, tick % 3))
            for into in (self.checker, total):
                self.c.must("checker_merge" if into is self.checker else "tally_merge", into, self.tally)
            self.c.must("tally_clear", self.tally)
            self.c.must("checker_end_step", self.checker)
            self.c.must("checker_evaluate", self.checker, now)
            findings.append(self.findings())
            assumed.append((self.c.assumed(self.checker), self.c.claimed(self.checker)))
            self.c.must("router_tick", self.router, self.checker, tick % 3)
            said += self.routed()
        self.check_findings(raw, findings, assumed)
        for tick, (found, (_, claims)) in enumerate(zip(findings, assumed)):
            self.assertEqual(claims, [self.claim_state(found, place, is_broken=tick >= 5) for place in range(len(claims))], tick)
        text = "\n".join(said) + "\n" + "".join(self.c.text(form, self.checker, total) for form in ("json", "prometheus", "openmetrics"))
        done = subprocess.run([self.scratch / "driver", "snapshot"], input=b"".join(wires), capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, text.encode() + self.c.wire("router", self.router))
        self.check_json(self.c.text("json", self.checker, total))
        self.c.must("tally_destroy", total)

    def routed(self):
        verdicts = ""
        for clause in range(self.c.shape.clauses):
            for place in range(self.c.shape.slices):
                out = c_uint32(9)
                status = self.c.call("checker_verdict", self.checker, clause, place, byref(out))
                self.assertIn((status, out.value), [("OK", 0), ("OK", 1), ("OK", 2), ("UNBOUND", 9)])
                kept = c_uint32(9)
                self.assertEqual(self.c.call("checker_is_kept", self.checker, clause, place, byref(kept)), status)
                verdicts += "1" if status == "UNBOUND" else str(out.value | kept.value << 2)
        lines = [verdicts]
        for each in self.c.transitions(self.router):
            lines.append(f"changed {each.rule} {each.slice} {each.change} {each.step} {each.clause} {each.seen} {each.stage} {each.tick}")
        for place in range(self.c.shape.slices):
            actions, chosen = self.c.actions(self.router, place), self.c.decision(self.router, place)
            lines.append("does" + "".join(map(worded, actions)))
            lines.append("decides" + (worded(chosen) if chosen[0] else ""))
        return lines

    def check_findings(self, raw, findings, assumed):
        done = subprocess.run([self.scratch / "driver"], input=b"".join(raw), capture_output=True, timeout=PATIENCE, check=True)
        tick, seen, compared, kept = -1, set(), 0, 0
        for line in done.stdout.decode().splitlines():
            words = line.split()
            if words[0] == "evaluated":
                tick += 1
            elif words[0] == "assumed":
                state, count, unknown, least, greatest, outside, worst = assumed[tick][0][int(words[1])]
                shown = [["unwatched", "held", "broken"][state], count, unknown, least, greatest, outside, *(word for each in worst for word in each)]
                self.assertEqual([str(each) for each in shown], [float.fromhex(word).hex() if i in (3, 4, 5) or i > 5 and i % 2 == 0 else word for i, word in enumerate(words[2:])])
            elif words[0] != "strays":
                check, place, verdict, *numbers, count = words
                wanted = (verdict, *(float.fromhex(number).hex() for number in numbers), int(count))
                self.assertEqual(findings[tick][int(check), int(place)], wanted, f"check {check} on slice {place} at tick {tick}")
                seen.add(verdict.removesuffix("-kept"))
                kept += verdict.endswith("-kept")
                compared += 1
        self.assertEqual(seen, set(VERDICTS))
        self.assertEqual(tick, len(findings) - 1)
        self.assertGreater(compared, 200)
        self.assertGreater(kept, 10)

    def check_json(self, text):
        """The worst observations, which the JSON shows, too."""
        compared, number = 0, 0
        for clause in json.loads(text)["clauses"]:
            for check in clause["checks"]:
                for shown, place in zip(check["findings"], [place for place in range(self.c.shape.slices) if self.c.finding(self.checker, number, place)[1]]):
                    found = self.c.finding(self.checker, number, place)[1]
                    worst = [(found.worst[i].value, found.worst[i].id) for i in range(found.worst_count)]
                    self.assertEqual(worst, [(float(each["value"]), each["id"]) for each in shown.get("worst", [])])
                    compared += len(worst)
                number += 1
        self.assertGreater(compared, 5)

    def test_identity(self):
        words = [self.c.call(name) for name in ("name", "version", "build", "digest")]
        self.assertEqual(words, [b"c.loop", b"2.1.0", b"trt-7", b"sha256:cafe"])
        shape = {name: getattr(self.c.shape, name) for name, _ in self.c.shape._fields_ if name != "scratch_bytes"}
        self.assertEqual(shape, {"vocabulary": 130, "slices": 4, "streams": 3, "clauses": 20, "checks": 20, "rules": 3, "stages": 3})
        self.assertEqual([self.c.call("slice_name", i) for i in range(5)], [b"math", b"old", b"long", b"other", None])
        self.assertEqual([self.c.call("router_rule_name", i) for i in range(4)], [b"poison", b"server", b"stale", None])
        self.assertEqual((self.c.call("clause_name", 0), self.c.call("clause_name", 20)), (b"near", None))
        self.assertEqual((self.c.call("check_text", 0), self.c.call("check_text", 20)), (b"max(logit_osc) <= 0.4", None))
        self.assertEqual((self.c.call("status_name", 0), self.c.call("status_name", 21)), (b"ok", None))
        self.assertEqual((self.c.call("abi"), self.c.call("is_draft")), (7, 0))

    def test_slices_of_requests(self):
        class Request(ctypes.Structure):
            _fields_ = [(name, ctypes.c_double) for name in ("prompt_tokens", "response_tokens", "position", "temperature", "top_p", "batch_size")] + [
                ("model_version", ctypes.c_char_p), ("task", c_uint32)]

        def slice_of(version, prompt_tokens, task):
            out = c_uint32(9)
            request = Request(model_version=version, prompt_tokens=prompt_tokens, task=task)
            return self.c.call("slice_of", byref(request), byref(out)), out.value
        self.assertEqual([slice_of(*values) for values in ((None, 0, 1), (b"v1", 0, 2), (b"v2", 1000, 0), (None, 999.5, 0), (None, float("nan"), 0))],
                         [("OK", 0), ("OK", 1), ("OK", 2), ("OK", 3), ("OK", 3)])
        self.assertEqual([slice_of(None, 0, task)[0] for task in (2, 3, 2**32 - 1)], ["OK", "VALUE", "VALUE"])

    def right(self, name):
        """Arguments of a function that are right, and what they point to."""
        buffer = self.buffer
        at = ctypes.addressof(buffer) + 64 - ctypes.addressof(buffer) % 64
        numbers = ctypes.addressof(self.log_probs)
        tokens = Tokens(numbers, numbers, None, 3, 0)
        by_name = {"memory": at, "to": at, "room": 1 << 24, "bytes": 1 << 24, "size": 24, "tokens": byref(tokens), "train": byref(Row(at, 130, 0)),
                   "infer": byref(Row(at, 130, 0)), "times": byref(Times()), "response": byref(Sequence()), "verdicts": (ctypes.c_uint8 * 80)(),
                   "slices": buffer, "scratch": self.c.scratch, "scratch_bytes": len(self.c.scratch), "id": 1, "tokens_served": 1, "now": 1.0, "drift": 0.1,
                   "share": 0.1, "requests": 1, "numbers": byref(Numbers(at, None, 3, 0, 1)), "context": None, "sink": SINK(lambda *_: None), "visit": VISIT(lambda *_: None)}
        out = []
        for kind, word in self.c.functions[name][1]:
            objects = re.fullmatch(r"(?:const )?c_loop_(tally|checker|router)\*", kind)
            if objects:
                out.append(c_void_p(self.c.create(objects[1]) if name.endswith("destroy") else getattr(self, objects[1])))
            elif kind.endswith("*") and word in ("out", "bytes", "count", "strays", "slice", "check", "verdict", "first", "state") and kind != "const void*":
                out.append(byref((c_uint64 * 64)()))
            elif kind == "const c_loop_request*":
                out.append(byref((c_uint64 * 8)()))
            elif kind == "const void*":
                out.append(buffer)
            elif kind.endswith("*"):
                out.append(by_name[word])
            else:
                out.append({"count": 80, "tokens": 5}.get(word, by_name.get(word, 0)))
        return out, tokens

    def wrong(self, name, at, value):
        arguments, _ = self.right(name)
        arguments[at] = value
        return self.c.call(name, *arguments)

    def test_refuses_what_is_wrong(self):
        self.buffer, self.log_probs = ctypes.create_string_buffer(1 << 25), (ctypes.c_float * 3)()
        other = {"tally": "checker", "checker": "router", "router": "tally"}
        zeros = ctypes.create_string_buffer(256)
        calls = {name: parameters for name, (returned, parameters) in self.c.functions.items() if returned == "tikc_status"}
        self.assertGreater(len(calls), 40)
        for name, parameters in calls.items():
            arguments, _ = self.right(name)
            self.assertIn(self.c.call(name, *arguments), ("UNBOUND", "FOREIGN", "OK") if name != "tally_parse" else ("FOREIGN",), name)
            for i, (kind, word) in enumerate(parameters):
                with self.subTest(call=name, argument=word):
                    is_pointer = kind.endswith("*") or kind in ("tikc_sink", "tikc_visit")
                    if is_pointer and word != "context":
                        self.assertEqual(self.wrong(name, i, None), "NULL")
                    if kind == "uint32_t":
                        for number in (2**31, 2**32 - 1, {"slice": 4, "stream": 3, "stage": 3, "rule": 3, "clause": 20, "check": 20, "assumption": 2, "claim": 1, "place": 1000,
                                                        "quantity": 5}[word]):
                            self.assertEqual(self.wrong(name, i, number), "RANGE")
                    if re.search(r"c_loop_(tally|checker|router)\*$", kind):
                        kind = kind.rstrip("*").rpartition("_")[2]
                        blank = ctypes.addressof(zeros) + 64 - ctypes.addressof(zeros) % 64
                        self.assertEqual(self.wrong(name, i, getattr(self, other[kind])), "OBJECT")
                        self.assertEqual(self.wrong(name, i, blank), "OBJECT")
                        self.assertEqual(self.wrong(name, i, blank + 1), "ALIGNMENT")
                    elif is_pointer and not re.match(r"const uint8_t|(const )?void|tikc_(sink|visit)$", kind):
                        self.assertEqual(self.wrong(name, i, ctypes.addressof(self.buffer) + 1), "ALIGNMENT")

    def test_refuses_wrong_sizes_and_values(self):
        data = ctypes.create_string_buffer(600)
        right, short, strange = (Row(ctypes.addressof(data), *rest) for rest in ((130, 0), (129, 0), (130, 5)))
        for train, infer, room, wanted in ((right, right, 0, "OK"), (right, short, 0, "SIZE"), (short, right, 0, "SIZE"), (strange, right, 0, "VALUE"),
                                           (right, strange, 0, "VALUE"), (right, right, 1, "ROOM")):
            self.assertEqual(self.c.call("tally_observe_row", self.tally, 0, 0, byref(train), byref(infer), self.c.scratch, len(self.c.scratch) - room, 1), wanted)
        for off in (1, 4, 31, 64):  # scratch need not be aligned
            bytes_ = ctypes.create_string_buffer(len(self.c.scratch) + off)
            self.c.must("tally_observe_row", self.tally, 0, 0, byref(right), byref(right), ctypes.addressof(bytes_) + off, len(self.c.scratch), 1)
        for now in (float("nan"), float("inf")):
            self.assertEqual([self.c.call(f"checker_{name}", self.checker, now) for name in ("start", "evaluate")], ["VALUE"] * 2)
        self.c.must("checker_start", self.checker, -7.0)
        for now, wanted in ((-8.0, "VALUE"), (-7.0, "OK"), (1.0, "OK"), (0.5, "VALUE"), (-1.0, "VALUE"), (float("-inf"), "VALUE"), (1.0, "OK"), (1.5, "OK")):
            self.assertEqual(self.c.call("checker_evaluate", self.checker, now), wanted, now)
        self.assertEqual([self.c.call("checker_start", self.checker, now) for now in (1.0, 2.0)], ["VALUE", "OK"])
        self.assertEqual([self.c.call("router_tick_verdicts", self.router, bytes(verdicts), count, 0) for verdicts, count in
                          ((bytes(80), 80), (bytes([0] * 79 + [4]), 80), (bytes(80), 79), (bytes(81), 81))], ["OK", "VALUE", "ROOM", "ROOM"])
        self.assertEqual(self.c.call("tally_observe_tokens", self.tally, 0, 0, byref(Tokens(None, None, None, 0, 0))), "OK")
        self.assertEqual(self.c.call("tally_observe_tokens", self.tally, 0, 0, byref(Tokens(ctypes.addressof(data) + 1, ctypes.addressof(data), None, 1, 0))),
                         "ALIGNMENT")
        volume = Volume()
        for place in range(70):  # in a whole block and behind it
            for number, mask, wanted in ((0.7, 1, "VALUE"), (0.7, 0, "OK"), (0.0009, 1, "OK"), (float("inf"), 1, "OK"), (float("nan"), 1, "OK")):
                odd, even, marks = (ctypes.c_float * 70)(), (ctypes.c_float * 70)(), (ctypes.c_uint8 * 70)(*[1] * 70)
                odd[place], marks[place] = number, mask
                for train, infer in ((odd, even), (even, odd)):
                    tally = self.c.create("tally")
                    tokens = Tokens(*(ctypes.addressof(each) for each in (train, infer, marks)), 70, 0)
                    self.assertEqual(self.c.call("tally_observe_tokens", tally, 0, 0, byref(tokens)), wanted)
                    self.c.must("tally_volume", tally, 0, byref(volume))
                    self.assertEqual(volume.tokens, 0 if wanted == "VALUE" else 69 + mask)
                    self.c.must("tally_destroy", tally)

    def test_bytes_of_others_change_nothing(self):
        self.c.must("tally_serve", self.tally, 1, 70, 3)
        wire, size = self.c.wire("tally", self.tally), c_size_t(0)
        self.assertEqual((self.c.call("tally_serialise", self.tally, None, 0, byref(size)), size.value), ("ROOM", len(wire)))
        into = self.c.create("tally")
        flipped = bytes([*wire[:-1], wire[-1] ^ 1])
        for data, wanted in ((wire[:-1], "TRUNCATED"), (b"", "TRUNCATED"), (b"x" * 40, "FOREIGN"), (wire + b"x", "TRAILING"), (flipped, "CHECKSUM"),
                             (wire[:4] + b"\xff" + wire[5:], "VERSION"), (wire[:8] + b"12345678" + wire[16:], "FINGERPRINT"),
                             (self.c.wire("router", self.router), "FOREIGN")):
            self.assertEqual(self.c.call("tally_parse", into, data, len(data)), wanted)
        volume = Volume()
        self.c.must("tally_volume", into, 1, byref(volume))
        self.assertEqual(bytes(volume), bytes(Volume()))
        self.c.must("tally_parse", into, wire, len(wire))
        self.c.must("tally_volume", into, 1, byref(volume))
        self.assertEqual((volume.served_tokens, volume.served_requests), (70, 3))
        self.c.must("tally_destroy", into)

    def test_objects_in_the_callers_memory(self):
        for kind in ("tally", "checker", "router"):
            size, alignment = self.c.call(f"{kind}_size"), self.c.call(f"{kind}_alignment")
            memory = ctypes.create_string_buffer(b"\xff" * (size + alignment), size + alignment)
            at = ctypes.addressof(memory) + alignment - ctypes.addressof(memory) % alignment
            out = c_void_p()
            self.assertEqual(self.c.call(f"{kind}_construct", at, size - 1, byref(out)), "ROOM")
            self.assertEqual(self.c.call(f"{kind}_construct", at + 1, size, byref(out)), "ALIGNMENT")
            self.c.must(f"{kind}_construct", at, size, byref(out))
            self.assertEqual(out.value, at)
            if kind != "checker":
                self.assertEqual(self.c.wire(kind, at), self.c.wire(kind, getattr(self, kind)))
            self.c.must(f"{kind}_destroy", at)
            self.assertEqual(self.c.call(f"{kind}_destroy", at), "OBJECT")

    def test_exports_what_it_declares(self):
        done = subprocess.run(["nm", "-D", self.path], capture_output=True, text=True, check=True)
        symbols = [line.split()[-2:] for line in done.stdout.splitlines()]
        self.assertEqual({name for kind, name in symbols if kind not in "Uwv"}, set(declared(self.header)))
        wanted = {name.partition("@")[0] for kind, name in symbols if kind == "U"}
        # The one function of the C++ library writes a shortest number; of the C library, only these two are about memory.
        self.assertEqual({name for name in wanted if name.startswith("_Z") or "alloc" in name or name in ("free", "posix_memalign")},
                         {"_ZSt8to_charsPcS_d", "aligned_alloc", "free"})


class Headers(Case):
    def check(self, text, name="contract"):
        """Compiles what a contract becomes as C and as C++, by two compilers of each."""
        for options in ((), ("--standalone",)):
            header, source, _ = emitted(self.folder, text, *options, name=name)
            unit = self.write("unit.c", f'#include "{header.name}"\n#include "{header.name}"\nint main(void) {{ return 0; }}\n')
            for compiler in C_COMPILERS:
                done = subprocess.run([compiler, *C99, "-I", RUNTIME, str(unit)], capture_output=True, text=True, errors="replace", timeout=PATIENCE)
                self.assertEqual(done.stderr, "")
        jobs = [(compiler, source, "-fsyntax-only", PORTABLE, "-Wpedantic") for compiler in (GCC, CLANG)]
        self.assertEqual(in_parallel(compiled, jobs), ["", ""])
        return header

    def test_texts_of_strangers_stay_texts(self):
        from emit import Injection
        declared_once = declared(self.check(Injection.contract(None)))
        self.assertGreater(len(declared_once), 60)

    def test_names_that_would_meet(self):
        one = "tikc: v1\ncontract: {}\nversion: 1.0.0\nkernels:\n  trainer: {{ engine: a, weights: bf16 }}\n  rollout: {{ engine: b, weights: bf16 }}\n" \
              "pair: {{ train: trainer, infer: rollout }}\nlabels: {{ restrict: [a, A, a-, slice], task: [x_y], task_x: [y, label], task__x: [y], task_label: [y] }}\n" \
              "slices:\n  of: {{ when: restrict == \"a\" }}\n  if: {{ when: task == \"x_y\" }}\n  s: {{ when: task_x == \"y\" or task__x == \"y\" or task_label == \"y\" }}\n" \
              "runtime:\n  latency: max(latency) <= 1 s\n  of: max(latency) <= 2 s\nobservability:\n  requests: sample(requests, 100%)\n" \
              "escalation:\n  r: {{ when: violated(any), do: hold }}\n  s: {{ when: undecided(any) for 6 windows, do: hold }}\n"
        names = ["a", "a.tally", "a-tally", "a.slice", "tikc", "class", "a.tally.merge", "restrict"]
        header = self.check("---\n".join(one.format(name) for name in names))
        text = header.read_text()
        self.assertEqual(len(re.findall(r"^TIKC_C_API", text, re.M)), len(set(declared(header))))
        constants = re.findall(r"^  (\w+) = \d+,$", text, re.M)
        self.assertEqual(len(constants), len(set(constants)))

    def test_a_name_that_cannot_be_included(self):
        for name in ('a"b', "a\\b", "a\nb", "a??b"):
            contract = self.write(f"{name}.tikc.yaml", CONTRACT)
            done = self.expect(2, "emit", "cpp", contract, "-o", self.folder / "out", "--c-abi")
            self.assertIn("invalid header name", done.err)
            self.assertFalse((self.folder / "out").exists())
        header, *_ = emitted(self.folder, CONTRACT, name="with space #1 中")
        self.assertTrue(header.exists())


def worded(action):
    kind, rule, text, first, second = action
    return f" {kind} {rule} {text} {first:.17g} {second:.17g}"


if __name__ == "__main__":
    main()
