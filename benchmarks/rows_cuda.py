#!/usr/bin/env python3
"""Measures tikc/cuda/rows.h on a GPU, next to eager PyTorch, torch.compile and a Triton kernel.

Each part runs by itself, so that one that fails leaves the others:
  build    compiles what the others load, with nvcc and g++
  check    compares every statistic with the CPU's row pass, on usual and on odd rows
  bench    prints times and shares of the bandwidth of reading alone
  peers    does so for the peers
  sanitize runs compute-sanitizer on a few rows
"""
import concurrent.futures
import ctypes
import math
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent / "runtime" / "include"
BUILD = pathlib.Path(os.environ.get("TIKC_BENCH_BUILD") or HERE.parent / "build/rows-cuda")

VOCABULARY = 151_936
ROWS = 2_048
FORMATS = ["fp32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2"]
NAMES = ["logit_linf", "logit_osc", "logit_l2", "logit_rel", "logprob_linf", "tv", "hellinger", "kl_train_infer", "kl_infer_train", "js", "chi2", "top1_flip", "top1_margin", "entropy_gap", "missing_mass", "nonfinite", "train_logprob", "infer_logprob"]
DOUBLES = len(NAMES) + 1  # and `unknown`, with what pads it

# What row_spread takes: blocks of a cluster, threads, blocks of a multiprocessor, groups of a copy, whether L2 is prefetched.
VARIANTS = {
    "bf16": ["8,384,2,4,false", "4,768,1,2,true"],
    "fp32": ["8,768,1,4,false", "8,896,1,2,false"],
}


# Building.

def library(name):
    return BUILD / f"{name}.so"


def nvcc(output, options):
    command = ["nvcc", "-std=c++17", "-O3", "-arch=native", f"-I{INCLUDE}", "-Xptxas", "-v", *options, "-o", str(output), str(HERE / "rows_cuda.cu")]
    done = subprocess.run(command, capture_output=True, text=True)
    (BUILD / f"{output.stem}.log").write_text(" ".join(command) + "\n" + done.stdout + done.stderr)
    return done.returncode == 0


def build():
    BUILD.mkdir(parents=True, exist_ok=True)
    jobs = {}
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        shared = ["-shared", "-Xcompiler", "-fPIC"]
        for form in VARIANTS:
            for wants in ("usual", "most"):
                # nvcc takes no commas in a macro, but for some that are escaped
                listed = "".join(f"TIKC_VARIANT({each})" for each in VARIANTS[form]).replace(",", "\\,")
                jobs[pool.submit(nvcc, library(f"{form}_{wants}"), [f"-DTIKC_BENCH_FORMAT={form}", f"-DTIKC_BENCH_WANTS={wants}", f"-DTIKC_BENCH_VARIANTS={listed}", *shared])] = f"{form}_{wants}"
        for form, infer in [(each, each) for each in FORMATS] + [("fp32", "bf16"), ("bf16", "fp32"), ("fp8_e4m3", "bf16")]:
            name = f"check_{form}_{infer}"
            jobs[pool.submit(nvcc, library(name), [f"-DTIKC_BENCH_FORMAT={form}", f"-DTIKC_BENCH_INFER={infer}", "-DTIKC_BENCH_WANTS=everything", "-DTIKC_BENCH_VARIANTS=TIKC_VARIANT(4\\,256\\,2\\,0)TIKC_VARIANT(2\\,128\\,2\\,1)", *shared])] = name
        for form in ("bf16", "fp32"):
            jobs[pool.submit(nvcc, BUILD / f"alone_{form}", [f"-DTIKC_BENCH_FORMAT={form}", "-DTIKC_BENCH_WANTS=everything", "-lineinfo", "-DTIKC_BENCH_VARIANTS=TIKC_VARIANT(4\\,256\\,2\\,0)TIKC_VARIANT(2\\,128\\,2\\,1)"])] = f"alone_{form}"
        reference = subprocess.run(["g++", "-std=c++17", "-O2", "-pthread", "-shared", "-fPIC", f"-I{INCLUDE}", "-o", str(library("reference")), str(HERE / "rows_cuda_reference.cpp")], capture_output=True, text=True)
        print("reference:", "built" if reference.returncode == 0 else reference.stderr[-2000:])
        for job, name in jobs.items():
            if not job.result():
                print(f"{name}: not built\n" + (BUILD / f"{name}.log").read_text()[-1500:])
    for log in sorted(BUILD.glob("*.log")):
        lines = log.read_text().splitlines()
        for i, line in enumerate(lines):
            if "reduce_rows_kernel" in line and "Compiling" in line:
                spread = line[line.find("row_spread"):].split("EEEE")[0]
                rest = " ".join(each.strip() for each in lines[i + 1:i + 4])
                words = rest.replace(",", "").split()
                print(f"  {log.stem} {spread}: {words[words.index('registers') - 1]} registers, {words[words.index('spill') - 2]} bytes spilled")


# Loading.

class Reducer:
    def __init__(self, name):
        import torch
        self.torch = torch
        self.c = ctypes.CDLL(str(library(name)))
        self.c.tikc_bench_name.restype = ctypes.c_char_p
        for each in ("tikc_bench_workspace", "tikc_bench_left"):
            getattr(self.c, each).restype = ctypes.c_size_t
        self.variants = [self.c.tikc_bench_name(i).decode().replace(" ", "") for i in range(self.c.tikc_bench_variants())]
        self.workspace = None

    def reduce(self, which, train, infer, out, vocabulary=None, temperatures=(1, 1), sampled=None, lenient=False):
        rows = train.shape[0]
        size = self.c.tikc_bench_workspace(ctypes.c_size_t(rows))
        if self.workspace is None or self.workspace.numel() < size:
            self.workspace = self.torch.empty(size, dtype=self.torch.uint8, device="cuda")
        stream = self.torch.cuda.current_stream().cuda_stream
        status = self.c.tikc_bench_reduce(
            which, ctypes.c_void_p(train.data_ptr()), ctypes.c_void_p(infer.data_ptr()), ctypes.c_size_t(train.stride(0)), ctypes.c_size_t(infer.stride(0)), rows, vocabulary or train.shape[1],
            ctypes.c_double(temperatures[0]), ctypes.c_double(temperatures[1]), ctypes.c_void_p(sampled.data_ptr() if sampled is not None else None), int(lenient), ctypes.c_void_p(out.data_ptr()),
            ctypes.c_void_p(self.workspace.data_ptr()), ctypes.c_void_p(stream))
        if status != 0:
            raise RuntimeError(f"CUDA error {status}")

    def exact_rows(self, which, rows):
        at = self.c.tikc_bench_left(which, ctypes.c_size_t(rows))
        return int(self.workspace[at:at + 4].view(self.torch.int32).item())


# Checking.

def encoded(torch, values, form):
    types = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16, "fp8_e4m3": torch.float8_e4m3fn, "fp8_e5m2": torch.float8_e5m2}
    return values.to(types[form])


def check_case(torch, reducer, reference, what, forms, train, infer, vocabulary, temperatures=(1.0, 1.0), lenient=False):
    """The worst relative error of each statistic, on a tensor of rows, by each variant."""
    rows = train.shape[0]
    sampled = torch.arange(rows, dtype=torch.int64) * 37 % vocabulary
    expected = torch.zeros(rows, DOUBLES, dtype=torch.float64)
    on_host = [each.contiguous().view(torch.uint8).cpu() for each in (train, infer)]
    reference.tikc_bench_reference(
        ctypes.c_void_p(on_host[0].data_ptr()), ctypes.c_void_p(on_host[1].data_ptr()), FORMATS.index(forms[0]), FORMATS.index(forms[1]), ctypes.c_size_t(vocabulary), rows, vocabulary,
        ctypes.c_double(temperatures[0]), ctypes.c_double(temperatures[1]), ctypes.c_void_p(sampled.data_ptr()), int(lenient), ctypes.c_void_p(expected.data_ptr()))
    faults = 0
    on_device = sampled.cuda()
    for which in range(len(reducer.variants)):
        variant = reducer.variants[which]
        results = []
        try:
            for _ in range(2):
                out = torch.full((rows, DOUBLES), math.nan, dtype=torch.float64, device="cuda")
                reducer.reduce(which, train, infer, out, vocabulary, temperatures, on_device, lenient)
                torch.cuda.synchronize()
                results.append(out.cpu())
        except RuntimeError as problem:
            print(f"  {what} {forms} {variant}: {problem}")
            faults += 1
            if "CUDA error" not in str(problem):
                raise
            continue
        if not torch.equal(results[0][:, :-1].view(torch.int64), results[1][:, :-1].view(torch.int64)):
            print(f"  {what} {forms} {variant}: other bits the second time")
            faults += 1
        found = results[0]
        tv = expected[:, NAMES.index("tv")]
        for i, name in enumerate(NAMES):
            a, b = found[:, i], expected[:, i]
            slack = {"tv": 1e-9 + 1e-7, "entropy_gap": 1e-7 + 4e-6 * tv, "logprob_linf": 2e-6, "logit_osc": 3e-6, "train_logprob": 4e-6, "infer_logprob": 4e-6}.get(name, 1e-12)
            same = (a == b) | (torch.isnan(a) & torch.isnan(b))
            close = same | ((a - b).abs() <= 1e-4 * b.abs() + slack)
            if name in ("kl_train_infer", "kl_infer_train", "js", "hellinger", "chi2", "tv"):
                close &= ~(a < 0)
            if not bool(close.all()):
                row = int((~close).nonzero()[0])
                print(f"  {what} {forms} V {vocabulary} {variant}: {name} of row {row} is {a[row].item()!r}, expected {b[row].item()!r} ({int((~close).sum())} of {rows} rows)")
                faults += 1
    return faults, reducer.exact_rows(len(reducer.variants) - 1, rows) if temperatures[0] == temperatures[1] else rows


def odd_rows(torch, values, drifted):
    """Masks, faults and extremes, each in some of the rows."""
    train, infer = values.clone(), drifted.clone()
    minus = -math.inf
    last = train.shape[1] - 1
    for row in range(train.shape[0]):
        kind = row % 16
        if kind == 1:
            train[row, 3::7] = infer[row, 3::7] = minus
        elif kind == 2:
            infer[row, min(5, last)] = minus
        elif kind == 3:
            train[row, last] = minus
        elif kind == 4:
            train[row, last // 2] = math.nan
        elif kind == 5:
            infer[row, 0] = math.inf
        elif kind == 6:
            train[row] = minus
        elif kind == 7:
            infer[row] += 3
        elif kind == 8:
            train[row, last // 3] += 40
            infer[row, last // 3] += 40
        elif kind == 9:
            infer[row] = train[row]
        elif kind == 10:
            infer[row] = -train[row]
        elif kind == 11:
            train[row] *= 1000
            infer[row] *= 1000
        elif kind == 12:
            train[row, :last // 2] = infer[row, :last // 2] = minus
        elif kind == 13:
            train[row, last] = infer[row, last] = train[row].max() + 100
        elif kind == 14:
            train[row, 1] = train[row, last] = infer[row, 1] = infer[row, last] = 20
    return train, infer


def check():
    import torch
    torch.manual_seed(1)
    reference = ctypes.CDLL(str(library("reference")))
    faults = cases = 0
    for forms in [(each, each) for each in FORMATS] + [("fp32", "bf16"), ("bf16", "fp32"), ("fp8_e4m3", "bf16")]:
        name = f"check_{forms[0]}_{forms[1]}"
        if not library(name).exists():
            print(f"  {name} is missing")
            continue
        reducer = Reducer(name)
        exact = {}
        for vocabulary in (2, 17, 1_023, 4_096, 32_003, 151_936, 262_144) if forms in (("fp32", "fp32"), ("bf16", "bf16")) else (3, 1_023, 40_000):
            rows = 32
            for drift in (1e-4, 1e-2, 0.1, 2.0):
                z = torch.randn(rows, vocabulary, device="cuda") * 3
                w = z + torch.randn_like(z) * drift
                for what in ("usual", "odd"):
                    pair = (z, w) if what == "usual" else odd_rows(torch, z, w)
                    train, infer = (encoded(torch, each, form) for each, form in zip(pair, forms))
                    found, left = check_case(torch, reducer, reference, f"{what} {drift}", forms, train, infer, vocabulary)
                    faults += found
                    cases += 1
                    exact[f"{what} {drift}"] = exact.get(f"{what} {drift}", 0) + left
                    if drift == 1e-2 and what == "usual": # rows that begin anywhere, and not both alike
                        for lead in (1, 2, 8):
                            wider = [torch.nn.functional.pad(each.float(), (by, 9)).to(each.dtype) for each, by in ((train, lead), (infer, lead % 8))]
                            sides = [each[:, by:by + vocabulary] for each, by in zip(wider, (lead, lead % 8))]
                            faults += check_case(torch, reducer, reference, f"usual, {lead} tokens on", forms, *sides, vocabulary)[0]
                            cases += 1
                    if faults > 60:
                        print(f"{faults} faults: no more are looked for")
                        return 1
                if drift == 1e-2:
                    for temperatures, lenient in (((0.7, 0.7), True), ((0.7, 1.3), False), ((0.0, 1.0), False), ((0.0, 0.0), True), ((1.0, 0.0), False)):
                        if forms[0] not in ("fp32", "bf16") and temperatures[0] == 0:
                            continue
                        pair = odd_rows(torch, z, w)
                        train, infer = (encoded(torch, each, form) for each, form in zip(pair, forms))
                        faults += check_case(torch, reducer, reference, f"odd at {temperatures}", forms, train, infer, vocabulary, temperatures, lenient)[0]
                        cases += 1
        print(f"  {forms}: exact rows by kind {exact}")
    print(f"check: {cases} cases, {faults} faults")
    return 1 if faults else 0


# Measuring.

def milliseconds(torch, work, rounds=12):
    for _ in range(2):
        work(0)
    times = []
    for i in range(rounds):
        first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        first.record()
        work(i)
        last.record()
        torch.cuda.synchronize()
        times.append(first.elapsed_time(last))
    return statistics.median(times)


def make_rows(torch, form, rows=ROWS, peaked=False):
    """Two tensors far larger than L2."""
    torch.manual_seed(2)
    kind = torch.bfloat16 if form == "bf16" else torch.float32
    train = torch.empty(rows, VOCABULARY, dtype=kind, device="cuda")
    infer = torch.empty_like(train)
    for i in range(0, rows, 256):
        z = torch.randn(min(256, rows - i), VOCABULARY, device="cuda") * 3
        if peaked:
            z[torch.arange(z.shape[0]), torch.randint(VOCABULARY, (z.shape[0],))] = 15 + 3 * torch.rand(z.shape[0], device="cuda") * 5
        train[i:i + 256] = z
        infer[i:i + 256] = z + torch.randn_like(z) * 0.01
    return train, infer


def bandwidth(torch, reducer, train, infer):
    """Milliseconds of reading both, by the best of some grids."""
    nothing = torch.empty(4, dtype=torch.int32, device="cuda")
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    best = math.inf
    for blocks in (132 * 4, 132 * 16, 132 * 64):
        def work(_):
            for side in (train, infer):
                reducer.c.tikc_bench_read(ctypes.c_void_p(side.data_ptr()), ctypes.c_size_t(side.numel() * side.element_size()), ctypes.c_void_p(nothing.data_ptr()), blocks, stream)
        best = min(best, milliseconds(torch, work))
    return best


def bench():
    import torch
    print(torch.cuda.get_device_name(), "-", torch.cuda.get_device_properties(0).L2_cache_size >> 20, "MiB of L2")
    for form in ("bf16", "fp32"):
        train, infer = make_rows(torch, form)
        out = torch.empty(ROWS, DOUBLES, dtype=torch.float64, device="cuda")
        sampled = torch.randint(VOCABULARY, (ROWS,), device="cuda")
        reading = None
        for wants in ("usual", "most"):
            if not library(f"{form}_{wants}").exists():
                continue
            reducer = Reducer(f"{form}_{wants}")
            if reading is None:
                reading = bandwidth(torch, reducer, train, infer)
                size = 2 * train.numel() * train.element_size()
                print(f"{form}: reading alone {reading:.3f} ms, {size / reading / 1e9:.2f} TB/s")
            for which in range(len(reducer.variants)):
                variant = reducer.variants[which]
                try:
                    time = milliseconds(torch, lambda _: reducer.reduce(which, train, infer, out, sampled=sampled))
                    left = reducer.exact_rows(which, ROWS)
                    exact = f"  exact rows {left}" if left else ""
                    print(f"  {form} {wants:6} {variant:20} {time:7.3f} ms  share {reading / time:.3f}{exact}", flush=True)
                except RuntimeError as problem:
                    print(f"  {form} {wants:6} {variant:24} {problem}", flush=True)
        del train, infer
        train, infer = make_rows(torch, form, peaked=True)
        reducer = Reducer(f"{form}_most")
        for which in range(2):
            time = milliseconds(torch, lambda _: reducer.reduce(which, train, infer, out, sampled=sampled))
            print(f"  {form} most, peaked rows: {reducer.variants[which]} {time:.3f} ms  share {reading / time:.3f}  exact rows {reducer.exact_rows(which, ROWS)}")
        del train, infer
        torch.cuda.empty_cache()


def torch_statistics(torch, z, w):
    z, w = z.float(), w.float()
    log_p, log_q = torch.log_softmax(z, -1), torch.log_softmax(w, -1)
    p, q = log_p.exp(), log_q.exp()
    mean = ((p + q) / 2).log()
    drift = w - z
    return torch.stack([
        (p - q).abs().sum(-1) / 2, (p * (log_p - log_q)).sum(-1), (q * (log_q - log_p)).sum(-1), ((p * (log_p - mean)).sum(-1) + (q * (log_q - mean)).sum(-1)) / 2, (p.sqrt() - q.sqrt()).square().sum(-1) / 2,
        drift.amax(-1) - drift.amin(-1), ((q * log_q).sum(-1) - (p * log_p).sum(-1)).abs()])


def triton_kernel():
    import triton
    import triton.language as tl

    @triton.jit
    def kernel(train, infer, out, vocabulary, BLOCK: tl.constexpr):
        row = tl.program_id(0).to(tl.int64)
        lanes = tl.arange(0, BLOCK)
        minus = float("-inf")
        top = minus
        total = 0.0
        other_top = minus
        other_total = 0.0
        low = float("inf")
        high = minus
        for at in range(0, vocabulary, BLOCK):
            inside = at + lanes < vocabulary
            z = tl.load(train + row * vocabulary + at + lanes, inside, minus).to(tl.float32)
            w = tl.load(infer + row * vocabulary + at + lanes, inside, minus).to(tl.float32)
            next_top = tl.maximum(top, tl.max(z, 0))
            total = total * tl.exp(top - next_top) + tl.sum(tl.exp(z - next_top), 0)
            top = next_top
            next_other = tl.maximum(other_top, tl.max(w, 0))
            other_total = other_total * tl.exp(other_top - next_other) + tl.sum(tl.exp(w - next_other), 0)
            other_top = next_other
            low = tl.minimum(low, tl.min(tl.where(inside, w - z, float("inf")), 0))
            high = tl.maximum(high, tl.max(tl.where(inside, w - z, minus), 0))
        log_train = top + tl.log(total)
        log_infer = other_top + tl.log(other_total)
        tv = 0.0
        forward = 0.0
        backward = 0.0
        roots = 0.0
        js = 0.0
        for at in range(0, vocabulary, BLOCK):
            inside = at + lanes < vocabulary
            log_p = tl.load(train + row * vocabulary + at + lanes, inside, -1e4).to(tl.float32) - log_train
            log_q = tl.load(infer + row * vocabulary + at + lanes, inside, -1e4).to(tl.float32) - log_infer
            p = tl.exp(log_p)
            q = tl.exp(log_q)
            tv += tl.sum(tl.abs(p - q), 0)
            forward += tl.sum(p * (log_p - log_q), 0)
            backward += tl.sum(q * (log_q - log_p), 0)
            root = tl.sqrt(p) - tl.sqrt(q)
            roots += tl.sum(root * root, 0)
            mean = tl.log((p + q) / 2 + 1e-38)
            js += tl.sum(p * (log_p - mean) + q * (log_q - mean), 0)
        tl.store(out + row * 8, tv / 2)
        tl.store(out + row * 8 + 1, forward)
        tl.store(out + row * 8 + 2, backward)
        tl.store(out + row * 8 + 3, js / 2)
        tl.store(out + row * 8 + 4, roots / 2)
        tl.store(out + row * 8 + 5, high - low)

    return kernel


def peers():
    import torch
    rows = 512  # far larger than L2, and the compilers' own peers are slow
    for form in ("bf16", "fp32"):
        train, infer = make_rows(torch, form, rows)
        size = 2 * train.numel() * train.element_size()
        copied = torch.empty_like(train)
        # Reading and writing one side moves as much as reading both.
        copying = milliseconds(torch, lambda _: copied.copy_(train))
        del copied
        print(f"{form}, {rows} rows: copying as many bytes takes {copying:.3f} ms, {size / copying / 1e9:.2f} TB/s")

        def show(name, time):
            print(f"  {form} {name:24} {time:8.3f} ms  share {copying / time:.3f}  ({time * ROWS / rows:.2f} ms for {ROWS} rows)", flush=True)
        try:
            kernel = triton_kernel()
            out = torch.empty(rows, 8, device="cuda")
            for block, warps in ((4096, 8), (8192, 16)):
                show(f"Triton, {block} by {warps} warps", milliseconds(torch, lambda _: kernel[(rows,)](train, infer, out, VOCABULARY, BLOCK=block, num_warps=warps), 6))
        except Exception as problem:  # a peer that does not run is left out
            print("  Triton:", str(problem)[-300:])
        try:
            for chunk in (16, 64):
                def work(_):
                    for i in range(0, rows, chunk):
                        torch_statistics(torch, train[i:i + chunk], infer[i:i + chunk])
                show(f"eager, {chunk} rows at once", milliseconds(torch, work, 3))
        except Exception as problem:
            print("  eager:", str(problem)[-300:])
        try:
            compiled = torch.compile(lambda z, w: torch_statistics(torch, z, w), dynamic=False)
            show("torch.compile", milliseconds(torch, lambda _: compiled(train, infer), 3))
        except Exception as problem:
            print("  torch.compile:", str(problem)[-300:])


def sanitize():
    for form in ("bf16", "fp32"):
        program = str(BUILD / f"alone_{form}")
        print(subprocess.run([program], capture_output=True, text=True, timeout=30).stdout)
        for tool in ("memcheck", "racecheck"):
            try:
                done = subprocess.run(["compute-sanitizer", "--tool", tool, "--print-limit", "5", program], capture_output=True, text=True, timeout=25)
                print(f"{form} {tool}: exit {done.returncode}\n{done.stdout[-900:]}", flush=True)
            except subprocess.TimeoutExpired:
                print(f"{form} {tool}: not done after 25 s")


if __name__ == "__main__":
    for part in sys.argv[1:] or ["build", "check", "bench", "peers", "sanitize"]:
        globals()[part]()
