"""Recorded data that are broken, or lie: each fault is told where it is, costs little memory, and nothing is judged on less than it says."""

import gzip
import io
import json
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import warnings
import zipfile
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, TIKC, Case, contract, main, skip, wait_until  # noqa: E402

try:
    import numpy

    import recorded_data as writers
except ImportError:
    skip("NumPy is not installed")

DATA = writers.pairs(responses=4, longest=20)
GOOD = '{"train": [-1, -2], "infer": [-1, -2], "mask": [1, 1]}'
MEMORY = 2 << 30


def waits_with(process, path):
    """Whether a process has opened a file and sleeps, as it does only where it waits for standard input."""
    about = Path(f"/proc/{process}")
    return str(path) in (about / "maps").read_text() and (about / "stat").read_text().rpartition(")")[2].split()[0] == "S"


def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Hostile(Case):
    def put(self, content, name="a"):
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def refused(self, wanted, *words, **options):
        """Nothing of it was judged, in one line that says why."""
        done = self.expect(2, "inspect", *words, preexec_fn=little_memory, **options)
        self.assertRegex(done.err, wanted)
        self.assertEqual(done.err.count("\n"), 1, done.err)
        self.assertEqual(done.out, "")

    def told(self, wanted, content, *words, broken=1, responses=2):
        """A record is broken, and those around it are not."""
        path = self.put(content, "a.jsonl")
        done = self.expect(2, "inspect", *words, "--format=json", path, preexec_fn=little_memory)
        self.assertRegex(done.err.splitlines()[0], wanted)
        told = json.loads(done.out)
        self.assertEqual((told["broken"], told["responses"], len(told["faults"])), (broken, responses, min(broken, 10)))
        done = self.expect(0, "inspect", *words, f"--broken={broken}", "--format=json", path)
        self.assertEqual(json.loads(done.out), told)
        return told

    def lost(self, wanted, content, name="a.jsonl"):
        """What is lost is no record, and so --broken excuses none of it."""
        path = self.put(content, name)
        for words in ((), ("--broken=5",)):
            done = self.expect(2, "inspect", *words, path, preexec_fn=little_memory)
            self.assertRegex(done.err.splitlines()[0], wanted)
            self.assertRegex(done.err.splitlines()[-1], f"{name}. could not be read to its end")

    def among(self, record):
        return f"{GOOD}\n{record}\n{GOOD}\n"

    def test_a_broken_record_is_told_where_it_is(self):
        second = len(GOOD) + 1
        cases = {
            '{"train": [-1, -2], "infer": [-1, "much"]}': r"a\.jsonl:2: byte \d+: `infer`: expected a number, found the text `much`",
            '{"train": [-1, -2], "infer": [-1, {}]}': r"`infer`: expected a number, found an object",
            '{"train": [-1, -2], "infer": [-1]}': r":2: byte \d+: `train`: train has 2 tokens, but infer has 1 token",
            '{"train": [-1], "infer": [-1], "mask": [1, 1]}': r"`mask`: mask has 2 tokens, but infer has 1 token",
            '{"train": [-1], "infer": [-1], "mask": []}': r"`mask`: mask has 0 tokens",
            '{"train": [-1], "infer": [-1], "mask": [0.5]}': r"`mask`: expected a mask of 0 or 1",
            '{"train": [[-1], [-1]], "infer": [[-1]]}': r"`train`: it has 2 lists, but the log-probs have 1",
            '{"train": [-1, [-1]], "infer": [-1]}': r"`train`: expected a value, found a list",
            '{"train": [-1], "infer": [-1], "infer": [-2]}': r"duplicate `infer`",
            '{"train": [-1]}': r"`infer`: missing in the record",
            '{"train": [-1], "infer": [1e999]}': r"`infer`: `1e999` is out of the range of a double",
            '{"train": [-1], "infer": [-01]}': r"`infer`: `-01` is not a number",
            '{"train": [-1], "infer": [0x10]}': r"`infer`: `0x10` is not a number",
            '{"train": [-1,], "infer": [-1]}': r"`train`: expected a number",
            '{"train": [-1], "infer": [-1]': r":2: byte \d+: expected a comma or }, found",
            '{"train": [-1], "infer": [-1]} {}': r"unexpected text after the record",
            '{"train": [-1], "infer": [-1], "text": "a': r"unterminated text",
            '{"train": [-1], "infer": [-1], "ids": [1.5]}': r"`ids`: expected a whole number",
            '{"train": [-1], "infer": [-1], "length": []}': r"`length`: expected one number, found an empty list",
            '{"train": [-1], "infer": [-1], "task": "\\ud800"}': r"`task`: the text has half of a surrogate pair",
            '{"train": [-1], "infer": [-1], "version": "a\\udfff"}': r"`version`: the text has half of a surrogate pair",
            '{"train": [-1], "infer": [-1], x: 1}': r"expected a key in quotes",
            "[1, 2]": r"expected an object, found a list",
            "nonsense": r"expected an object, found `nonsense`",
            '{"train": [-1], "infer": [true]}': r"`infer`: expected a number, found a truth value",
            '{"train": [-1], "infer": [trueish]}': r"`infer`: expected a number, found `trueish`",
            '{"train": [-1], "infer": [-1] extra': r"expected a comma or }, found `extra`",
            '{"train": [-1], "infer": [-1], "text": "a\tb"}': r"control character in a text",
            '{"train": [-1], "infer": [-1], "text": "a\0b"}': r"control character in a text",
            '{"train": [-1], "infer": [-1], "tra\x01in": 1}': r"control character in a text",
        }
        for record, wanted in cases.items():
            with self.subTest(record):
                told = self.told(wanted, self.among(record))
                fault = told["faults"][0]
                self.assertEqual(fault["line"], 2)
                self.assertTrue(second <= fault["byte"] <= second + len(record), fault)

    def test_the_byte_is_that_of_the_fault(self):
        text = self.among('{"train": [-1, -2], "infer": [-1, "much"]}')
        told = self.told("much", text)
        self.assertEqual(told["faults"][0]["byte"], text.index('"much"'))
        pretty = json.dumps([json.loads(GOOD), {"train": [1], "infer": ["x"]}, json.loads(GOOD)], indent=1)
        told = self.told("`x`", pretty)
        at = told["faults"][0]["byte"]
        self.assertEqual(pretty[at:at + 3], '"x"')
        self.assertEqual(told["faults"][0]["line"], pretty[:at].count("\n") + 1)

    def test_faults_past_those_that_are_told_are_counted(self):
        self.told("much", f"{GOOD}\n" + '{"train": "much", "infer": 1}\n' * 500 + GOOD, broken=500)

    def test_a_pipe_shows_a_record_however_far_it_reaches(self):
        record = {"train": [-1.0, -2.0], "infer": [-1.0, -3.0]}
        spaces = " " * (1 << 20)
        for text in (f"[{spaces}{json.dumps(record)}]", json.dumps([{"note": "x" * (3 << 20), **record}], indent=1), "\n" + spaces + json.dumps(record, indent=1)):
            told = json.loads(self.expect(0, "inspect", "--format=json", "-", stdin=text).out)
            self.assertEqual((told["records"], told["tokens"], told["broken"]), (1, 2, 0))

    def test_depth_costs_no_stack(self):
        deep = "[" * 1_000_000
        for record in ('{"train": ' + deep, '{"train": [1], "infer": [1], "other": ' + deep + "]" * 1_000_000 + "}", '{"a":' * 1_000_000, deep):
            self.told(r"nested deeper than 128|expected an object", self.among(record))

    def test_a_list_that_does_not_end(self):
        whole = json.dumps([json.loads(GOOD)] * 2)
        self.lost("the list of records does not end", whole[:-1])
        self.lost("a comma or the end of the list", whole[:-1] + " 3]")
        self.lost("unexpected text after the list", whole + " {}")
        self.lost("expected a record after the comma", whole[:-1] + ",]")
        self.told("invalid UTF-8 in a text", f"{GOOD}\n".encode() + b'{"train": [-1], "infer": [-1], "text": "\xff\xfe"}\n' + f"{GOOD}\n".encode())

    def test_a_line_without_an_end(self):
        path = self.folder / "long.jsonl"
        if shutil.disk_usage(self.folder).free < 2 << 30:
            self.skipTest(f"{self.folder} is too small for a file with a hole")
        with path.open("wb") as file:
            file.write(f"{GOOD}\n".encode())
            file.truncate(1 << 30)
            file.seek(0, 2)
            file.write(f"\n{GOOD}\n".encode())
        done = self.expect(2, "inspect", path, preexec_fn=little_memory)
        self.assertRegex(done.err.splitlines()[0], r"long\.jsonl:2: byte 5\d: a record is longer than 256 MiB")
        self.assertRegex(done.out, r"(?m)^responses   2, of")
        packed = zlib.compressobj(1, wbits=31)
        with (self.folder / "long.gz").open("wb") as file:
            file.write(packed.compress(f"{GOOD}\n".encode()))
            for _ in range(300):
                file.write(packed.compress(bytes(1 << 20)))
            file.write(packed.compress(f"\n{GOOD}\n".encode()) + packed.flush())
        done = self.expect(2, "inspect", self.folder / "long.gz", preexec_fn=little_memory)
        self.assertRegex(done.err.splitlines()[0], r"long\.gz:2: byte 5\d: a record is longer than 256 MiB")
        self.assertRegex(done.out, r"(?m)^responses   2, of")

    @staticmethod
    def rewrite(path):
        path.write_bytes(path.read_bytes().replace(b"-2", b"-3"))

    @staticmethod
    def changing(path, change, *words):
        """What a command ends with that has read a file when it changes, and then reads standard input."""
        process = subprocess.Popen([TIKC, *words], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until(lambda: process.poll() is not None or waits_with(process.pid, path))
        change(path)
        out, err = process.communicate(f"{GOOD}\n".replace("-1", "-1.5"), PATIENCE)
        return process.returncode, out, err

    def test_a_file_that_changes_while_it_is_read(self):
        """Standard input keeps the reader waiting while the file that it has opened changes."""
        def rewrite_and_rename(path):
            self.rewrite(path)
            path.rename(self.folder / "moved")

        def rewrite_and_add(path):
            path.write_bytes(path.read_bytes().replace(b"-2", b"-3") + f"{GOOD}\n".encode())

        def cut(path):
            os.truncate(path, 0)

        def grow(path):
            with path.open("a") as file:
                file.write(f"{GOOD}\n")

        def replace(path):
            os.replace(self.put(f"{GOOD}\n" * 3, "other"), path)

        def remove(path):
            path.unlink()

        where = self.write("c.tikc.yaml", contract("c", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n", "observability:\n  tokens: sample(logprobs, 100%)\n"))
        for change, refused in ((self.rewrite, True), (rewrite_and_rename, True), (rewrite_and_add, True), (cut, True), (grow, False), (replace, False), (remove, False)):
            with self.subTest(change=change.__name__):
                path = self.put(f"{GOOD}\n" * 2, "data.jsonl")
                os.utime(path, (1, 1))  # clocks of file systems tick slowly
                status, out, err = self.changing(path, change, "measure", where, path, "-", "--undecided=pass")
                if refused:
                    self.assertEqual((status, out), (2, ""), err)
                    self.assertRegex(err, r"data\.jsonl` was (changed while it was read; measure a copy|truncated or became unreadable)")
                else:
                    self.assertEqual((status, err), (0, ""), out)
                    self.assertRegex(out, r"3 responses, 6 tokens")

    def test_each_command_refuses_a_rewritten_file(self):
        for command in ("inspect", "diagnose"):
            with self.subTest(command):
                path = self.put(f"{GOOD}\n" * 2, "data.jsonl")
                os.utime(path, (1, 1))
                status, out, err = self.changing(path, self.rewrite, command, path, "-")
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn("data.jsonl` was changed while it was read", err)

    @staticmethod
    def piped(start, space, end):
        """What `inspect -` ends with of much whitespace between two texts."""
        process = subprocess.Popen([TIKC, "inspect", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=little_memory)
        try:
            process.stdin.write(start)
            for _ in range(600):
                process.stdin.write(space * 1_000_000)
            process.stdin.write(end)
        except BrokenPipeError:
            pass
        out, error = process.communicate(timeout=PATIENCE)
        return process.returncode, out.decode(), error.decode()

    def test_whitespace_that_does_not_end(self):
        good = GOOD.encode() + b"\n"
        for space in (b" ", b"\n"):
            status, out, error = self.piped(b"", space, good)
            self.assertEqual((status, error), (0, ""))
            self.assertRegex(out, r"(?m)^responses   1, of")
        packed = self.folder / "spaces.jsonl.gz"
        packed.write_bytes(gzip.compress(b"\n" * 40_000_000 + good, 1))
        self.assertRegex(self.expect(0, "inspect", packed, preexec_fn=little_memory).out, r"(?m)^responses   1, of")
        # Lines are counted all the same.
        self.assertIn("<stdin>:600000002: byte", self.piped(b"", b"\n", good + b'{"train": [-1], "infer": [1e\n')[2])
        # A record has to end in what a pipe may hold.
        status, _, error = self.piped(b"[", b" ", good + b"]")
        self.assertEqual((status, "no record ends in the first" in error), (2, True), error)

    def test_standard_output_is_no_file_that_is_read(self):
        contents = (GOOD + "\n") * 3
        data = self.put(contents, "data.jsonl")
        for mode in ("ab", "r+b"):
            with data.open(mode) as file:
                done = subprocess.run([TIKC, "inspect", data], stdout=file, stderr=subprocess.PIPE, timeout=PATIENCE)
            self.assertEqual((done.returncode, b"refusing to write to standard output" in done.stderr), (2, True), done.stderr)
        with data.open("r+b") as both:
            done = subprocess.run([TIKC, "inspect", "-"], stdin=both, stdout=both, stderr=subprocess.PIPE, timeout=PATIENCE)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(data.read_text(), contents)

    def test_a_pipe_that_nobody_reads(self):
        data, pipe = self.put(GOOD + "\n", "data.jsonl"), self.folder / "pipe"
        os.mkfifo(pipe)
        self.assertIn("no process reads from this pipe", self.expect(2, "inspect", data, "-o", pipe).err)
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
            done = subprocess.run([TIKC, "inspect", data, "-o", "/dev/stdout"], stdout=subprocess.PIPE, timeout=PATIENCE)
            with open(pipe, "wb") as out:  # it has opened its end now
                out.write(b"")
                self.expect(0, "inspect", data, "-o", pipe)
            self.assertEqual(reader.communicate(timeout=PATIENCE)[0], done.stdout)

    def test_archives_beyond_4_gib(self):
        """Sizes and places that need 64 bits; the file has holes."""
        path, rows = self.folder / "big.npz", 3_000_000
        members = []
        with path.open("wb") as file:
            for name, shape in (("train", (rows, 400)), ("infer", (3, 400))):
                head = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).ljust(117).encode() + b"\n"
                size, at = 10 + len(head) + 4 * shape[0] * shape[1], file.tell()
                wide = struct.pack("<HHQQ", 1, 16, size, size)
                file.write(b"PK\3\4" + struct.pack("<HHHHHIIIHH", 45, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF, len(name) + 4, len(wide)) + f"{name}.npy".encode() + wide)
                start = file.tell()
                file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head)
                file.seek(start + size)
                members.append((f"{name}.npy".encode(), size, at))
            directory = file.tell()
            for name, size, at in members:
                wide = struct.pack("<HHQQQ", 1, 24, size, size, at)
                file.write(b"PK\1\2" + struct.pack("<HHHHHHIIIHHHHHII", 45, 45, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF, len(name), len(wide), 0, 0, 0, 0, 0xFFFFFFFF) + name + wide)
            end = file.tell()
            file.write(b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, 2, 2, end - directory, directory))
            file.write(b"PK\6\7" + struct.pack("<IQI", 0, end, 1) + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 2, 2, end - directory, 0xFFFFFFFF, 0))
        with zipfile.ZipFile(path) as archive:
            self.assertEqual([(each.file_size, each.header_offset) for each in archive.infolist()], [(size, at) for _, size, at in members])
        self.assertIn(f"`train` is [{rows}, 400], but `infer` is [3, 400]", self.expect(2, "inspect", path).err)

    def test_empty_standard_input(self):
        """What writes to a pipe may have failed."""
        for more in ([], [self.put(GOOD, "other.jsonl")]):
            done = self.expect(2, "inspect", *more, "-", stdin=b"")
            self.assertEqual(done.err, "tikc: standard input is empty\n")

    def test_arrays_of_the_same_bytes_that_say_something_else(self):
        sides = {side: numpy.full((4, 8), -1, numpy.float32) for side in ("train", "infer")}
        for name, more in (("reward", numpy.arange(4)), ("step", numpy.arange(4))):
            numpy.savez(self.folder / f"{name}.npz", **sides, **{name: more})
        done = self.expect(0, "inspect", "--format=json", self.folder / "reward.npz", self.folder / "step.npz")
        self.assertEqual(json.loads(done.out)["tokens"], 64)

    def test_packed_data_that_end_early(self):
        text = "".join(f"{GOOD}\n" for _ in range(3)).encode() + writers.plain(writers.pairs()).encode()
        packed = gzip.compress(text)
        for cut in (3, 12, len(packed) // 2, len(packed) - 9, len(packed) - 1):
            done = self.expect(2, "inspect", self.put(packed[:cut]))
            self.assertIn("gzip data end early", done.err)
        self.lost("gzip data end early", packed[:len(packed) // 2])
        wrong = packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:]
        self.assertIn("damaged", self.expect(2, "inspect", self.put(wrong)).err)
        self.assertIn("expected more gzip data", self.expect(2, "inspect", self.put(packed + b"more")).err)
        try:
            packed = subprocess.run(["zstd", "-q"], input=text, stdout=subprocess.PIPE, check=True).stdout
        except FileNotFoundError:
            return
        for cut in (5, len(packed) // 2, len(packed) - 1):
            self.assertIn("zstd data end early", self.expect(2, "inspect", self.put(packed[:cut])).err)
        self.assertIn("damaged", self.expect(2, "inspect", self.put(packed[:200] + b"\xff" * 50 + packed[250:])).err)

    def npz(self, **more):
        out = io.BytesIO()
        (numpy.savez_compressed if more.pop("packed", False) else numpy.savez)(out, train=numpy.full((4, 50), -1.0), infer=numpy.full((4, 50), -1.0), **more)
        return out.getvalue()

    def test_archives_that_lie(self):
        good = self.npz()
        self.expect(0, "inspect", self.put(good, "a.npz"))
        self.refused("zip archive has no end", self.put(good[:-30]))
        self.refused("checksum mismatch", self.put(good.replace(struct.pack("<d", -1.0) * 100, struct.pack("<d", -2.0) * 100, 1)))
        # Of an array that is read, and of one that is not.
        unread = self.npz(notes=numpy.full(9, 7.0))
        for one, other in ((struct.pack("<d", -1.0), struct.pack("<d", -2.0)), (struct.pack("<d", 7.0), struct.pack("<d", 8.0))):
            where = unread.index(one)
            self.refused("checksum mismatch", self.put(unread[:where] + other + unread[where + len(one):]))
        packed = self.npz(packed=True)
        self.expect(0, "inspect", self.put(packed, "a.npz"))
        # Without its name a mask is an array that nothing reads.
        for archive in (self.npz(mask=numpy.zeros((4, 50), "u1")), self.npz(mask=numpy.zeros((4, 50), "u1"), packed=True)):
            where = archive.rindex(b"mask.npy")
            self.refused("`lask.npy` of the zip archive .* has another name", self.put(archive[:where] + b"l" + archive[where + 1:]))
        # The size of each unpacked file, where the list of the archive has it.
        for size in (1, 5000, 1 << 30, 0xFFFFFFF0):
            for archive in (good, packed):
                at = archive.index(b"PK\1\2") + 24
                self.refused("zip archive", self.put(archive[:at] + struct.pack("<I", size) + archive[at + 4:]))
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("archive/data.pkl", b"\x80\x02")
        self.refused("Torch pickle", self.put(out.getvalue()))
        self.refused("is a Python pickle", self.put(b"\x80\x02}q\0."))
        self.refused("is Parquet", self.put(b"PAR1" + bytes(100)))
        self.refused("zip archive", self.put(b"PK\5\6" + bytes(18)))
        member = io.BytesIO()
        numpy.save(member, numpy.zeros((3, 4)))
        for names in (("train.npy", "train.npy"), ("train.npy", "train")):
            out = io.BytesIO()
            with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as archive:
                warnings.simplefilter("ignore")
                for name in (*names, "infer.npy"):
                    archive.writestr(name, member.getvalue())
            self.refused("the zip archive has two files named `train`", self.put(out.getvalue(), "a.npz"))
        for name in ("one", "two"):
            (self.folder / name).mkdir()
            numpy.save(self.folder / name / "train.npy", numpy.zeros((3, 4)))
        self.refused("are both called `train`", self.folder / "one/train.npy", self.folder / "two/train.npy")
        tensor = '{"dtype": "F32", "shape": [1], "data_offsets": [%d, %d]}'
        header = '{"train": ' + tensor % (0, 4) + ', "train": ' + tensor % (4, 8) + "}"
        self.refused("duplicate `train`", self.put(struct.pack("<Q", len(header)) + header.encode() + bytes(8)))

    def test_a_packed_archive_that_grows(self):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            with archive.open("train.npy", "w", force_zip64=True) as file:
                for _ in range(64):
                    file.write(bytes(1 << 20))
        self.refused("does not begin like .npy data", self.put(out.getvalue()))

    def npy(self, header):
        text = header.encode() + b"\n"
        return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text

    def test_headers_that_promise_too_much(self):
        head = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }"
        petabytes = self.npy(head % "(1000000, 1000000000)")
        self.refused("expected .*, found .* of data", self.put(petabytes + bytes(64), "train.npy"))
        self.refused("expected .*, found .* of data", self.put(self.npy(head % "(4294967296, 4294967296)") + bytes(64), "train.npy"))
        self.refused("follow the data", self.put(self.npy(head % "(1,)") + bytes(64), "train.npy"))
        self.refused("expected a header with", self.put(self.npy(head % "(99999999999999999999999,)"), "train.npy"))
        self.refused("expected a header with", self.put(self.npy(head.replace("}", "'shape': (4,)}") % "(4,)") + bytes(16), "train.npy"))
        self.refused("unsupported .npy version 9.0", self.put(self.npy(head % "(4,)").replace(b"Y\1", b"Y\x09") + bytes(16), "train.npy"))
        for order in ("'fortran_order' : True", '"fortran_order": True', "'fortran_order':True ,"):
            self.refused("Fortran", self.put(self.npy(head.replace("'fortran_order': False", order).replace(",,", ",") % "(2, 2)") + bytes(16), "train.npy"))
        self.refused("unsupported entries `>f4`", self.put(self.npy(head.replace("<f4", ">f4") % "(1,)") + bytes(4), "train.npy"))
        self.refused("Fortran", self.put(self.npy(head.replace("False", "True") % "(2, 2)") + bytes(16), "train.npy"))
        self.refused("expected a header of", self.put(b"\x93NUMPY\2\0\xff\xff\xff\x7f{", "train.npy"))
        tensor = {"train": {"dtype": "F32", "shape": [1 << 40, 1 << 40], "data_offsets": [0, 16]}}
        for header, wanted in {
            json.dumps(tensor): "and has 16 bytes",
            json.dumps({"train": {**tensor["train"], "shape": [4], "data_offsets": [0, 1 << 60]}}): "lies outside",
            json.dumps({"train": {**tensor["train"], "shape": [2], "data_offsets": [8, 16]}}): "does not begin where",
            json.dumps({"train": {**tensor["train"], "shape": [2], "data_offsets": [0, 8]}}): "follow the last tensor",
            json.dumps({"train": {**tensor["train"], "shape": [-4]}}): "expected a size of at least 0",
            json.dumps({"train": {**tensor["train"], "dtype": "F4"}}): "unsupported type",
            "{" + "[" * 90000: "a key in quotes",
            '{"a":' + "[" * 90000: "expected an object",
        }.items():
            self.refused(wanted, self.put(struct.pack("<Q", len(header)) + header.encode() + bytes(16)))
        self.refused("expected a header of", self.put(struct.pack("<Q", 90_000_000) + b"{}" + bytes(16)))
        self.refused("invalid header", self.put(b"_logits_" + struct.pack("<iii", -1, 5, 5)), self.put(b"_logits_", "b"))
        self.refused("expected .* chunks of .* tokens, found", *[self.put(b"_logits_" + struct.pack("<iii", 1 << 24, 1 << 24, (1 << 31) - 1), name) for name in "ab"])

    def test_arrays_that_do_not_fit(self):
        numpy.savez(self.folder / "a.npz", train=numpy.zeros((3, 4)), infer=numpy.zeros((3, 5)))
        done = self.expect(2, "inspect", "a.npz", cwd=self.folder)
        self.assertIn("`train` is [3, 4], but `infer` is [3, 5]", done.err)
        self.lost(r"`train` is \[3, 4\], but `infer` is \[3, 5\]", (self.folder / "a.npz").read_bytes(), "a.npz")
        numpy.savez(self.folder / "a.npz", train=numpy.zeros((3, 4)), infer=numpy.zeros((3, 4)), mask=numpy.full((3, 4), 2))
        self.assertIn("row 0: expected a mask of 0 or 1", self.expect(2, "inspect", "a.npz", cwd=self.folder).err)
        numpy.savez(self.folder / "a.npz", train=numpy.zeros((3, 4), int), infer=numpy.zeros((3, 4)))
        self.assertIn("`train`: expected floats", self.expect(2, "inspect", "a.npz", cwd=self.folder).err)
        for shape, why in (((3,), "use `kept` to mark responses"), ((3, 1), "use `kept` to mark responses"), ((4,), "mark each token"), ((4, 3), "mark each token")):
            numpy.savez(self.folder / "a.npz", train=numpy.zeros((3, 4)), infer=numpy.zeros((3, 4)), mask=numpy.ones(shape))
            self.assertIn(why, self.expect(2, "inspect", "a.npz", cwd=self.folder).err)
        self.put(bytes(10), "train_rows.f32")
        self.assertIn("not a whole number of rows", self.expect(2, "inspect", "--vocabulary=3", "train_rows.f32", cwd=self.folder).err)
        for shape in ((0, 4), (4, 0), (0,)):
            numpy.savez(self.folder / "a.npz", train=numpy.zeros(shape), infer=numpy.zeros(shape))
            self.assertIn(self.tikc("inspect", "a.npz", cwd=self.folder).returncode, (0, 2))

    def test_texts_of_arrays_that_are_none(self):
        sides = {"train": numpy.full((4, 2), -1.0), "infer": numpy.full((4, 2), -1.0)}
        texts = numpy.array(["ab"] * 4)
        for character in (0xD800, 0x110000, 0xFFFFFFFF):
            texts.view(numpy.uint32)[3] = character
            numpy.savez(self.folder / "a.npz", **sides, task=texts)
            self.assertIn("`task`: row 1: the text has an invalid character", self.expect(2, "inspect", "a.npz", cwd=self.folder).err)
        numpy.savez(self.folder / "a.npz", **sides, task=[b"a", b"a", b"a", b"\xff"])
        self.assertIn("`task`: row 3: the text has an invalid character", self.expect(2, "inspect", "a.npz", cwd=self.folder).err)
        for name in ("mask", "length", "step"):
            numpy.savez(self.folder / "a.npz", **sides, **{name: ["1", "1", "1", "1"]})
            self.assertIn(f"`{name}`: expected numbers, found text", self.expect(2, "inspect", "a.npz", cwd=self.folder).err)
        numpy.savez(self.folder / "a.npz", **sides, ids=[["1", "1"]] * 4)
        self.assertIn("`ids`: expected whole numbers, found text", self.expect(2, "inspect", "a.npz", cwd=self.folder).err)
        numpy.savez(self.folder / "a.npz", **sides, task=["a" * 1025] * 4)
        self.refused("texts of at most 4 KiB", "a.npz", cwd=self.folder)

    def test_rows_of_llama_that_are_no_log_probs(self):
        logits = numpy.random.default_rng(1).normal(0, 1, (1, 3, 5))
        good = writers.llama(logits, 8, numpy.zeros((1, 8), numpy.int32))
        begin, size = 20 + 4 * 8, 2 * (6 + 4)
        scale, least = struct.unpack_from("=ff", good, begin + size)
        self.put(good, "a.kld")
        self.expect(0, "inspect", "a.kld", self.put(good, "b.kld"), cwd=self.folder)
        for row in ((-scale, least), (float("nan"), least), (float("inf"), least), (scale, float("-inf")), (scale, -3e38), (3e38, least), (scale, 5.0), (-1.0, 5.0), (0.0, -1.0),
                    (scale, least - 0.01), (scale, least + 0.01)):
            bad = bytearray(good)
            struct.pack_into("=ff", bad, begin + size, *row)
            self.put(bytes(bad), "b.kld")
            done = self.expect(2, "inspect", "a.kld", "b.kld", cwd=self.folder)
            self.assertRegex(done.err, rf"b\.kld: byte {begin + size}: row 1 has a scale of .*: expected (finite numbers|1)", row)
            told = json.loads(self.expect(0, "inspect", "--broken=1", "--format=json", "a.kld", "b.kld", cwd=self.folder).out)
            self.assertEqual((told["broken"], told["rows"]["rows"]), (1, 2), row)

    def test_one_unreadable_file_among_many(self):
        for i in range(1000):
            self.put(GOOD, f"{i:03}.jsonl")
        (self.folder / "500.jsonl").unlink()
        (self.folder / "500.jsonl").mkdir()
        self.refused(r"^tikc: cannot read `500\.jsonl`: it is a folder; name its files; did not read `000\.jsonl`, `001\.jsonl`, `002\.jsonl` and 996 more$",
                     "*.jsonl", cwd=self.folder)
        self.refused("cannot read `nowhere`: No such file", "nowhere", "001.jsonl", cwd=self.folder)
        self.refused("`empty` is empty", self.put("", "empty").name, cwd=self.folder)
        self.refused("no file matches `x\\*`", "x*", cwd=self.folder)
        self.refused(r"`\*\*/\*\.jsonl` has `\*\*`, which matches no more than `\*`", "**/*.jsonl", cwd=self.folder)
        self.refused("not a regular file", "/dev/null")
        self.assertIn("no records found", self.expect(2, "inspect", "--preset=plain", self.put("\n\n")).err)

    def test_wrong_use(self):
        path = self.put(GOOD)
        for words, wanted in {
            ("--preset=verk", path): "did you mean `verl`",
            ("--map=train", path): "invalid value `train` for --map; expected NAME=FIELD",
            ("--map=train=a,train=b", path): "--map has `train` twice",
            ("--shift=x", path): "expected a whole number",
            ("--vocabulary=1", path): "from 2 to",
            ("--map=train=a[18446744073709551617]", path): "expected an index below 10\\^18",
            (): "missing argument DATA",
        }.items():
            self.refused(wanted, *words)

    def test_a_name_that_nothing_has_is_refused(self):
        text = "".join(json.dumps({"train": [-1, -2], "infer": [-1, -2], "loss_mask": [1, 1], "late": {"task": 1}} if i == 99 else
                                  {"train": [-1, -2], "infer": [-1, -2], "loss_mask": [1, 1]}) + "\n" for i in range(100))
        path = self.put(text, "a.jsonl")
        for words in (("--map=mask=los_mask",), ("--map=train=train,infer=infer,task=los_mask", "--broken=9")):
            done = self.expect(2, "inspect", path, *words)
            self.assertRegex(done.err, "which no record has; did you mean `loss_mask`[?] Fields: train, infer, loss_mask")
        self.expect(0, "inspect", path, "--map=mask=los_mask|loss_mask,task=late.task")
        numpy.savez(self.folder / "b.npz", train=numpy.zeros((3, 4)), infer=numpy.zeros((3, 4)))
        self.assertIn("maps `step` to the field `steps`, which no record has", self.expect(2, "inspect", self.folder / "b.npz", "--map=step=steps").err)

    def test_names_of_strangers_act_on_no_terminal(self):
        path = self.put('{"train": [-1], "infer": [-1], "\\u001b[31m": 1}\n{"train": ["\\u001b[31m"], "infer": [1]}', "a\x1b[31m.jsonl")
        done = self.expect(2, "inspect", path)
        self.assertNotIn("\x1b", done.out + done.err)
        self.assertNotIn("\x1b", self.expect(2, "inspect", self.put('{"\\u001b[31m": 1}\n')).out)

    def test_any_bytes_are_read_or_refused(self):
        """Flipped and cut, each format by itself; what the fuzzers do with sanitizers, through the whole program."""
        shuffle = random.Random(4)
        width = max(len(ids) for ids, *_ in DATA)
        train, infer = (writers.padded([each[side] for each in DATA], width) for side in (1, 2))
        tokens = numpy.zeros((1, 8), numpy.int32)
        logits = numpy.random.default_rng(1).normal(0, 1, (1, 3, 5))
        forms = {
            "a.npz": self.npz(), "b.npz": self.npz(packed=True), "a.gz": gzip.compress(writers.plain(DATA).encode()),
            "a.safetensors": writers.safetensors({"train": ("F32", train), "infer": ("F32", infer)}), "a.jsonl": writers.nemo_rl(DATA).encode(),
            "a.kld": writers.llama(logits, 8, tokens), "train.npy": self.npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }") + bytes(16),
        }
        for name, good in forms.items():
            for _ in range(12):
                bad = bytearray(good)
                for _ in range(shuffle.randint(1, 4)):
                    bad[shuffle.randrange(min(len(bad), 400) if shuffle.random() < 0.7 else len(bad))] = shuffle.randrange(256)
                if shuffle.random() < 0.3:
                    del bad[shuffle.randrange(len(bad)):]
                names = [name]
                self.put(bytes(bad), name)
                if name == "a.kld":
                    self.put(good, "b.kld")
                    names.append("b.kld")
                done = self.tikc("inspect", *names, cwd=self.folder, preexec_fn=little_memory)
                self.assertIn(done.returncode, (0, 2), (name, bytes(bad), done.err))


if __name__ == "__main__":
    main()
