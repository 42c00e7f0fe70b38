"""`tikc_observe_device_rows`: a stand-in for NVIDIA's driver runs the kernels' source on the host, and the figures are those of rows that are observed on the
host."""

import contextlib
import ctypes
import gc
import os
import sys
import unittest
import unittest.mock
from ctypes import byref
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import GCC  # noqa: E402
from cuda_stand_in import StandIn  # noqa: E402
from harness import Case, contract, main, skip_unless  # noqa: E402
from tikc_python import tikc  # noqa: E402

import numpy  # noqa: E402
from tikc import _c  # noqa: E402
from tikc._library import gathered  # noqa: E402

skip_unless(GCC, "the stand-in is compiled with g++")

SIZE = 300
FIGURES = ("logit_linf", "logit_osc", "logit_l2", "logit_rel", "logprob_linf", "tv", "hellinger", "kl_train_infer", "kl_infer_train", "js", "chi2", "top1_flip",
           "top1_margin", "entropy_gap", "missing_mass", "nonfinite")
BOUNDED = ("tv", "hellinger", "js", "top1_flip", "missing_mass")
CLAUSES = "numerical:\n" + "".join(f"  {name}: max({name}) <= {0.6 if name in BOUNDED else '1e300'}\n" for name in FIGURES)
FORMATS = {"fp32": numpy.float32, "fp16": numpy.float16, "bf16": numpy.uint16}


def loaded(model="", size=SIZE, clauses=CLAUSES):
    return tikc.loads(contract("c", f"model: {{ vocabulary: {size}{model} }}\n" + clauses, "observability:\n  rows: sample(logits, 100%)\n"))


def encoded(rows, kind):
    rows = numpy.float32(rows)
    return (rows.view(numpy.uint32) >> 16).astype(numpy.uint16) if kind == "bf16" else rows.astype(FORMATS[kind])


def decoded(rows, kind):
    return (rows.astype(numpy.uint32) << 16).view(numpy.float32) if kind == "bf16" else rows


def row_pairs():
    draw = numpy.random.default_rng(7)
    masked = numpy.arange(SIZE) % 3 == 0
    for drift in (0, 1e-4, 1e-2, 0.3, 3, 20):
        for peak in (1, 6, 40):
            row = draw.normal(size=SIZE) * peak
            yield row, row + draw.normal(size=SIZE) * drift
    row = draw.normal(size=SIZE)
    hidden = numpy.where(masked, -numpy.inf, row)
    yield from ((hidden, hidden), (hidden, row), (row, hidden), (row, numpy.where(numpy.arange(SIZE) == 8, numpy.nan, row)))


class DeviceRows(Case):
    @classmethod
    def setUpClass(cls):
        folder = cls.shared_folder()
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        cls.stand_in = StandIn(folder)
        cls.cache = folder / "cache/tikc"

    def observe(self, monitor, train, infer, kinds=("fp32", "fp32"), device=0, count=None, **changed):
        """The status and the reason."""
        count = len(train) if count is None else count
        places, ids = (ctypes.c_uint32 * max(count, 1))(), (ctypes.c_uint64 * max(count, 1))(*range(count))
        rows = _c.DeviceRows(train.ctypes.data, infer.ctypes.data, train.strides[0] // train.itemsize, infer.strides[0] // infer.itemsize, train.shape[1],
                             self.stand_in.stream, *(getattr(_c, each.upper()) for each in kinds), device)
        for name, value in changed.items():
            setattr(rows, {"address": "train"}.get(name, name), value)
        status, reason = gathered(tikc._library.tikc.tikc_observe_device_rows, monitor._tally, 0, places, byref(rows), ids, count)
        return _c.STATUSES[status], reason.decode()

    def figures(self, monitor):
        window = monitor.tick(0.0)
        return {name: (window.of(name).figures[0].value, window.of(name).figures[0].observations) for name in FIGURES}

    @contextlib.contextmanager
    def failing(self, function):
        os.environ["STAND_IN_FAILS"] = function
        try:
            yield
        finally:
            del os.environ["STAND_IN_FAILS"]

    def compare(self, held, kinds):
        for i, (train, infer) in enumerate(row_pairs()):
            rows = [encoded(row, kind)[None] for row, kind in zip((train, infer), kinds)]
            one, other = held.monitor(on_fault="raise"), held.monitor(on_fault="raise")
            self.assertEqual(self.observe(one, *rows, kinds), ("OK", ""))
            other.rows(*(decoded(row, kind) for row, kind in zip(rows, kinds)))
            found, wanted = self.figures(one), self.figures(other)
            for name in FIGURES:
                with self.subTest(row=i, kinds=kinds, figure=name):
                    (a, seen), (b, expected) = found[name], wanted[name]
                    self.assertEqual(seen, expected)
                    self.assertTrue(a == b or abs(a - b) <= 1e-4 * abs(b) + 2e-6, f"{a} for {b}")

    def test_figures_are_those_of_rows_on_the_host(self):
        for kinds in (("fp32", "fp32"), ("bf16", "bf16"), ("fp16", "fp16"), ("fp32", "bf16")):
            self.compare(loaded(), kinds)
        self.assertEqual(self.stand_in.open()[::3], [0, 0])

    def test_other_temperatures(self):
        for temperature in (0.6, 3, 1e-7, 0):
            self.compare(loaded(f", temperature: {temperature}"), ("fp32", "fp32"))

    def test_many_rows_with_strides(self):
        held, draw = loaded(), numpy.random.default_rng(3)
        wide = draw.normal(size=(20_000, SIZE + 20)).astype(numpy.float32)
        train, infer = wide[:, :SIZE], wide[:, 20:]
        one, other = held.monitor(on_fault="raise"), held.monitor(on_fault="raise")
        self.assertEqual(self.observe(one, train, infer), ("OK", ""))
        other.rows(train, infer)
        found, wanted = self.figures(one), self.figures(other)
        for name in FIGURES:
            self.assertEqual(found[name][1], 20_000)
            self.assertTrue(numpy.isclose(found[name][0], wanted[name][0], rtol=1e-4, atol=2e-6), name)

    def test_kernels_are_kept(self):
        for path in self.cache.glob("*"):
            path.unlink()
        train, infer = (numpy.zeros((1, SIZE), numpy.float32) for _ in range(2))
        before = self.stand_in.compilations()
        held = loaded()
        for _ in range(3):
            self.assertEqual(self.observe(held.monitor(), train, infer), ("OK", ""))
        self.assertEqual(self.stand_in.compilations(), before + 1)
        self.assertEqual(self.observe(loaded(", horizon: 7 tokens").monitor(), train, infer), ("OK", ""))
        self.assertEqual(self.stand_in.compilations(), before + 1, "another contract that needs the same figures finds them in the cache")
        (path,) = self.cache.iterdir()
        kept = path.read_bytes()
        for damage in (b"", kept[:-1], kept[:70] + b"x" + kept[71:], b"\n", b"\0" * 100):
            path.write_bytes(damage)
            self.assertEqual(self.observe(loaded().monitor(), train, infer), ("OK", ""))
            self.assertEqual(path.read_bytes(), kept)
        self.assertEqual(self.stand_in.compilations(), before + 6)

    def test_a_failure_of_the_driver_is_tried_again(self):
        train, infer = (numpy.zeros((1, SIZE), numpy.float32) for _ in range(2))
        monitor = loaded().monitor()
        with self.failing("cuModuleLoadData"):
            self.assertEqual(self.observe(monitor, train, infer)[0], "UNSUPPORTED")
        self.assertEqual(self.observe(monitor, train, infer), ("OK", ""))

    def test_a_cache_that_others_can_write_is_not_used(self):
        train, infer = (numpy.zeros((1, SIZE), numpy.float32) for _ in range(2))
        observe = lambda: self.assertEqual(self.observe(loaded().monitor(), train, infer), ("OK", ""))  # noqa: E731
        observe()
        (path,) = self.cache.iterdir()
        self.assertEqual((path.stat().st_mode & 0o777, self.cache.stat().st_mode & 0o777), (0o600, 0o700))
        kept, before = path.read_bytes(), self.stand_in.compilations()
        victim = self.write("victim", "text")
        path.unlink()
        path.symlink_to(victim)
        observe()
        self.assertEqual((victim.read_text(), path.is_symlink(), path.read_bytes()), ("text", False, kept))
        path.unlink()
        os.mkfifo(path)
        observe()
        self.assertEqual(path.read_bytes(), kept)
        path.chmod(0o666)
        observe()
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.stand_in.compilations(), before + 3)
        self.cache.chmod(0o777)
        self.addCleanup(self.cache.chmod, 0o700)
        observe()
        self.assertEqual(self.stand_in.compilations(), before + 4)

    def test_without_a_cache(self):
        train, infer = (numpy.zeros((1, SIZE), numpy.float32) for _ in range(2))
        for folder in ("", "relative", "/proc/none"):
            with unittest.mock.patch.dict(os.environ, {"XDG_CACHE_HOME": folder, "HOME": folder}):
                self.assertEqual(self.observe(loaded().monitor(), train, infer), ("OK", ""))

    def test_what_is_opened_is_closed(self):
        train, infer = (numpy.zeros((1, SIZE), numpy.float32) for _ in range(2))
        gc.collect()
        before = self.stand_in.open()
        held = loaded()
        monitor = held.monitor()
        self.observe(monitor, train, infer)
        self.assertEqual([a - b for a, b in zip(self.stand_in.open(), before)], [0, 1, 1, 0])
        del held, monitor
        gc.collect()
        self.assertEqual(self.stand_in.open(), before)

    def test_a_failure_says_what_and_observes_nothing(self):
        train, infer = (numpy.zeros((2, SIZE), numpy.float32) for _ in range(2))
        setup = {"cuInit": "the NVIDIA driver does not start", "cuDeviceGetCount": "the NVIDIA driver does not list its devices",
                 "cuDeviceGet": "the NVIDIA driver does not describe device 0", "cuDevicePrimaryCtxRetain": "the GPU's context cannot be used",
                 "cuCtxPushCurrent_v2": "the GPU's context cannot be used", "cuModuleLoadData": "the NVIDIA driver cannot load the kernels",
                 "cuModuleGetFunction": "the NVIDIA driver cannot load the kernels"}
        setup.update(dict.fromkeys(("cuMemAllocAsync", "cuMemsetD32Async", "cuFuncGetAttribute", "cuFuncSetAttribute", "cuOccupancyMaxActiveClusters",
                                    "cuLaunchKernelEx", "cuMemcpyDtoHAsync_v2", "cuStreamSynchronize"), "the GPU cannot reduce the rows"))
        setup.update(dict.fromkeys(("nvrtcCreateProgram", "nvrtcAddNameExpression", "nvrtcCompileProgram", "nvrtcGetLoweredName"), "NVRTC cannot compile the kernels"))
        before = self.stand_in.open()
        for function, text in setup.items():
            with self.subTest(function), self.failing(function):
                for path in self.cache.glob("*"):
                    path.unlink()
                monitor = loaded().monitor()
                self.assertEqual(self.observe(monitor, train, infer), ("UNSUPPORTED", f"{text}: as asked (error 2)"))
                self.assertEqual(self.figures(monitor)["tv"][1], 0)
                self.assertEqual(self.stand_in.open()[0], 0)
        with self.failing("clusters"):
            self.assertEqual(self.observe(loaded().monitor(), train, infer)[0], "UNSUPPORTED")
        del monitor
        gc.collect()
        self.assertEqual(self.stand_in.open(), before)

    def test_what_cannot_be_reduced(self):
        held = loaded()
        monitor = held.monitor()
        train, infer = (numpy.zeros((2, SIZE), numpy.float32) for _ in range(2))
        self.assertEqual(self.observe(monitor, train, infer, device=1),
                         ("UNSUPPORTED", "Stand-in 1 has compute capability 8.0; rows on a GPU need 9.0"))
        self.assertEqual(self.observe(monitor, train, infer, device=7)[0], "UNSUPPORTED")
        self.assertEqual(self.observe(monitor, train, infer, device=2**31)[0], "VALUE")
        self.assertEqual(self.observe(monitor, train, infer, train_format=5)[0], "VALUE")
        self.assertEqual(self.observe(monitor, train, infer, tokens=SIZE + 1)[0], "SIZE")
        self.assertEqual(self.observe(monitor, train, infer, address=None)[0], "NULL")
        self.assertEqual(self.observe(monitor, train, infer, count=0), ("OK", ""))
        self.assertEqual(self.observe(monitor, train, infer, address=train.ctypes.data + 2)[0], "ALIGNMENT")
        with self.failing("device"):
            self.assertEqual(self.observe(monitor, train, infer), ("UNSUPPORTED", "the rows are on device 1, not 0"))
        with self.failing("cuPointerGetAttribute"):
            self.assertEqual(self.observe(monitor, train, infer), ("UNSUPPORTED", "the rows are not in a GPU's memory: as asked (error 2)"))
        self.assertEqual(self.figures(monitor)["tv"][1], 0)
        most = 262_144
        wide = loaded(size=most + 1, clauses="numerical:\n  tv: max(tv) <= 0.6\n")
        self.assertEqual(self.observe(wide.monitor(), *(numpy.zeros((1, most + 1), numpy.float32),) * 2),
                         ("UNSUPPORTED", f"rows on a GPU have 2 to {most} tokens, found {most + 1}"))


if __name__ == "__main__":
    main()
