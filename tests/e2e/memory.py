"""What measuring costs in memory depends on the contract, and not on how long the data are or how they come. `TIKC_MEMORY_MB=2000` holds it to more data
than a test of each change may take, and prints the table; the part `memory` of `.ci/test` does."""

import filecmp
import functools
import gzip
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import TIKC, Case, contract, main, skip_unless  # noqa: E402

skip_unless(Path(TIKC).parts[-3:-2] != ("sanitize",), "what a sanitizer sets aside is not what is measured here")

LARGE = int(os.environ.get("TIKC_MEMORY_MB", "16"))  # of JSON
IS_WHOLE = LARGE > 100
SIZES = (10, 100, LARGE) if IS_WHOLE else (2, LARGE)
SLOW_SIZES = (10, 100) if IS_WHOLE else (1, 4)  # where windows are small, as 2 GB would take half an hour
MAY_GROW = 32 << 10  # KiB
GAP = "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat{window}\n  tail: p99(abs(logprob_gap)) <= 0.5 nat{window}\n"
OBSERVED = "observability:\n  tokens: sample(logprobs, 100%)\n"


def slices(count):
    if count == 1:
        return ""
    names = [f"t{i}" for i in range(count - 1)]
    return f"labels: {{ task: [{', '.join(names)}] }}\nslices:\n" + "".join(f'  {name}: {{ when: task == "{name}" }}\n' for name in names)


@functools.cache
def records():
    """About 200 KB."""
    draw = random.Random(7)
    out = []
    for i in range(100):
        infer = [-round(draw.expovariate(1.4), 6) for _ in range(100)]
        out.append(json.dumps({"train": [min(0, round(q + draw.gauss(0, 0.02), 6)) for q in infer], "infer": infer, "task": f"t{i % 7}"}))
    return out


def block(step):
    """The records, with a step where one is given."""
    return records() if step is None else [f'{record[:-1]}, "step": {step}}}' for record in records()]


class Memory(Case):
    def written(self, form, megabytes, steps=False):
        """A file of a form, of so much JSON, written a block at a time."""
        path = self.folder / f"{form}-{megabytes}-{steps}"
        if form in ("npz", "packed"):
            return self.arrays(path.with_suffix(".npz"), form, megabytes)
        opener = gzip.open if form == "gzip" else open
        size, number = 0, 0
        # In large steps, as copying does: the system then maps a file in large parts.
        with opener(path, "wt", **({"compresslevel": 1} if form == "gzip" else {"buffering": 4 << 20})) as file:
            while size < megabytes * 1_000_000:
                text = block(number if steps else None)
                number += 1
                if form == "list":
                    file.write(("[" if size == 0 else ",\n") + ",\n".join(text))
                else:
                    file.write("\n".join(text) + "\n")
                size += sum(map(len, text))
            if form == "list":
                file.write("]")
        if form == "zstd":
            subprocess.run(["zstd", "-q", "-1", "--rm", path, "-o", f"{path}.zst"], check=True)
            return Path(f"{path}.zst")
        return path

    def arrays(self, path, form, megabytes):
        """An archive of two arrays, as NumPy writes it, with or without packing."""
        block = struct.pack("<100000f", *(-random.Random(7).expovariate(1.4) for _ in range(100_000)))
        blocks = megabytes * 1_000_000 // (2 * len(block))
        head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({1000 * blocks}, 100), }}".ljust(117) + "\n"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if form == "packed" else zipfile.ZIP_STORED, compresslevel=1) as archive:
            for name in ("train", "infer"):
                with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
                    for _ in range(blocks):
                        file.write(block)
        return path

    def peak(self, where, form, path, *words):
        """KiB of memory that measuring took at most."""
        with open(path, "rb") as data:
            return self.peak_of("measure", where, "-" if form == "pipe" else path, "-j", "2", *words, stdin=data if form == "pipe" else subprocess.DEVNULL)

    def peak_of(self, *words, stdin=subprocess.DEVNULL):
        """KiB of memory that a run took at most, as the system counts it: at least what this process had, so tests keep little."""
        errors = self.folder / "errors"
        with errors.open("wb") as told:
            process = subprocess.Popen([TIKC, *words], stdin=stdin, stdout=subprocess.DEVNULL, stderr=told, cwd=self.folder)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, (0, 1, 4), errors.read_text())
        return usage.ru_maxrss

    def test_peak_memory_does_not_grow_with_the_data(self):
        usual = (" over 500 tokens", 1)
        reads = {("lines", False): [("lines", *usual), ("pipe", *usual), ("lines", "", 1), ("pipe", "", 20), ("lines", " over 500 tokens", 20), ("lines", "", 200), ("pipe", "", 200)],
                 ("lines", True): [("lines", " over 1 steps", 1), ("pipe", " over 1 steps", 1)], ("gzip", False): [("gzip", *usual), ("gzip", "", 200)],
                 ("list", False): [("list", *usual), ("list", "", 20)], ("npz", False): [("npz", *usual), ("npz", "", 1)], ("packed", False): [("packed", *usual)]}
        if IS_WHOLE:
            reads["zstd", False] = [("zstd", *usual), ("zstd", "", 200)]
            skip_unless(shutil.disk_usage(self.folder).free > 4 * LARGE * 1_000_000, "the disk is too full for the data")
        for (file, steps), rows in reads.items():
            self.measure_rows(file, steps, rows, SIZES)
        slow = [("lines", " over 1 tokens", 1), ("pipe", " over 1 tokens", 1), ("lines", " over 10 tokens", 1), ("lines", " over 500 tokens", 200)]
        self.measure_rows("lines", False, slow, SLOW_SIZES)
        if IS_WHOLE:
            self.measure_everything()

    def measure_everything(self):
        """Every form with every window and number of slices, of little data; 200 slices at each token would take an hour."""
        for file in ("lines", "gzip", "zstd", "list"):
            for steps, windows in ((False, (" over 1 tokens", " over 500 tokens", "")), (True, (" over 1 steps",))):
                rows = [(form, window, count) for form in ((file, "pipe") if file == "lines" else (file,)) for window in windows
                        for count in (1, 20, 200) if count == 1 or window != " over 1 tokens"]
                self.measure_rows(file, steps, rows, (4, 20))

    def measure_rows(self, file, steps, rows, sizes):
        paths = [self.written(file, megabytes, steps) for megabytes in sizes]
        for form, window, count in rows:
            with self.subTest(form=form, window=window, slices=count):
                where = self.write("grows.tikc.yaml", contract("c", slices(count), GAP.format(window=window), OBSERVED))
                peaks = [self.peak(where, form, path) for path in paths]
                if IS_WHOLE:
                    print(f"{form:6}{window or ' whole':18} {count:4} slices", *(f"{peak / 1024:8.1f} MiB at {size:4} MB" for peak, size in zip(peaks, sizes)), flush=True)
                self.assertLess(max(peaks) - peaks[0], MAY_GROW)
        for path in paths:
            path.unlink()

    def test_many_small_packed_arrays(self):
        """An array costs what is in it, and not what unpacking it could take."""
        peaks = []
        for count in (10, 2000):
            path = self.folder / f"{count}.npz"
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                for name in ["train", "infer", *(f"other{i}" for i in range(count))]:
                    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".ljust(117) + "\n"
                    archive.writestr(f"{name}.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<6f", *[-1.0] * 6))
            peaks.append(self.peak_of("inspect", path))
        self.assertLess(peaks[1] - peaks[0], MAY_GROW)

    def test_many_files(self):
        """A file costs nothing once it is known."""
        where = self.write("files.tikc.yaml", contract("c", GAP.format(window=""), OBSERVED))
        peaks = []
        for count in (20, 900):
            for i in range(count):
                self.write(f"{count}/{i}.jsonl", "\n".join([f'{records()[0][:-1]}, "id": {i}}}', *records()[1:40]]) + "\n")
            peaks.append(self.peak_of("measure", where, f"{count}/*", "-j", "2"))
        self.assertLess(peaks[1] - peaks[0], MAY_GROW)

    def test_evidence_of_many_runs(self):
        where = self.write("runs.tikc.yaml", contract("c", GAP.format(window=""), OBSERVED))
        peaks = []
        for count in (20, 700):
            runs = [self.folder / f"{count}-{i}.tikc-evidence" for i in range(count)]
            for i, run in enumerate(runs):
                self.expect(4, "measure", where, self.write("one.jsonl", f'{{"train": [-1], "infer": [-1], "id": {i}}}\n'), "--evidence", run)
            self.expect(0, "merge", *runs, "-o", self.folder / f"{count}.all")
            peaks.append(self.peak_of("measure", where, f"{count}.all"))
        self.assertLess(peaks[1] - peaks[0], MAY_GROW // 2)

    def test_whitespace_before_a_record(self):
        where = self.write("space.tikc.yaml", contract("c", GAP.format(window=""), OBSERVED))
        for space in (" ", "\n"):
            peaks = []
            for megabytes in (1, 100):
                data = self.folder / f"{megabytes}.jsonl"
                with data.open("w") as file:
                    for _ in range(megabytes):
                        file.write(space * 1_000_000)
                    file.write("\n".join(block(None)) + "\n")
                peaks.append(self.peak(where, "lines", data))
            self.assertLess(peaks[1] - peaks[0], MAY_GROW, repr(space))

    def test_peak_memory_does_not_grow_with_evidence(self):
        """Evidence waits in a file until it is written, and merging reads and writes it a step at a time."""
        where = self.write("kept.tikc.yaml", contract("c", GAP.format(window=" over 10 tokens"), OBSERVED))
        text = "\n".join(block(None)) + "\n"
        evidence, merged, journal = (self.folder / f"{name}.tikc-evidence" for name in ("kept", "all", "journal"))
        for form, more in (("pipe", ()), ("lines", ("--resume", journal))):
            with self.subTest(form=form, more=more):
                peaks, sizes = [], []
                for blocks in (2, 5 * LARGE):
                    data = self.folder / "kept.jsonl"
                    with data.open("w") as file:
                        for _ in range(blocks):
                            file.write(text)
                    kept = self.peak(where, form, data, "--evidence", evidence, *more)
                    peaks.append((kept, self.peak_of("merge", evidence, "-o", merged)))
                    sizes.append(evidence.stat().st_size >> 10)
                    self.assertTrue(filecmp.cmp(merged, evidence, shallow=False))
                self.assertEqual(sorted(self.folder.glob(".tikc-*")), [])
                self.assertGreater(sizes[1] - sizes[0], MAY_GROW)
                for small, large in zip(*peaks):
                    self.assertLess(large - small, min(MAY_GROW, (sizes[1] - sizes[0]) // 2))

    def test_logged_names_that_no_figure_has(self):
        where = self.write("logged.tikc.yaml", contract("c", "statistical:\n  kl: mean(k1) <= 0.05 nat\n", OBSERVED))
        peaks = []
        for records in (1_000, 12_000):
            log = self.folder / f"{records}-names.jsonl"
            with log.open("w") as file:
                file.write('{"step": 0, "rollout_corr/kl": 0.01}\n')
                for i in range(records):
                    file.write(f'{{"step":{i},' + ",".join(f'"w{100 * i + k}":1' for k in range(100)) + "}\n")
            peaks.append(self.peak(where, "lines", log, "--scalars"))
        self.assertLess(peaks[1] - peaks[0], MAY_GROW)

    def test_long_logs(self):
        where = self.write("long.tikc.yaml", contract("c", "statistical:\n  kl: mean(k1) <= 0.05 nat\n", OBSERVED))
        forms = {"jsonl": ("", '{{"step": {}, "rollout_corr/kl": 0.01, "note": "{}"}}\n'), "csv": ("step,rollout_corr/kl,note\n", "{},0.01,{}\n")}
        for form, (head, line) in forms.items():
            peaks = []
            for records in (2, 100):
                for name, opener in ((f"{records}.{form}", open), (f"{records}.{form}.gz", lambda path, mode: gzip.open(path, mode, 1))):
                    log = self.folder / name
                    with opener(log, "wt") as file:
                        file.write(head)
                        for i in range(records):
                            file.write(line.format(i, "x" * 1_000_000))
                    peaks.append(self.peak(where, "lines", log, "--scalars"))
            for small, large in zip(peaks[:2], peaks[2:]):
                self.assertLess(large - small, MAY_GROW, form)
        peaks = []
        for records in (10, 600_000):  # a list on one line
            log = self.folder / f"{records}.json.gz"
            with gzip.open(log, "wt", 1) as file:
                file.write('[{"step": 1, "rollout_corr/kl": 0.01}')
                for _ in range(records):
                    file.write(', {"step": 2, "other": "' + "x" * 100 + '"}')
                file.write("]")
            peaks.append(self.peak(where, "lines", log, "--scalars"))
        self.assertLess(peaks[1] - peaks[0], MAY_GROW)


if __name__ == "__main__":
    main()
