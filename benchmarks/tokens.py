#!/usr/bin/python3
"""What NumPy and, if it is installed, PyTorch take for what the runtime does with sampled tokens, in ns a token; see tokens.cpp for the other side.

  benchmarks/tokens.py [millions]
"""

import sys
import time

import numpy as np

RUNS = 3
LEVELS = (0.5, 0.9, 0.99, 0.999)


def draw(count):
    rng = np.random.default_rng(1)
    infer = -rng.exponential(1, count).astype(np.float32)
    infer[rng.random(count) < 1 / 8] = 0
    scale = np.where(rng.random(count) < 1 / 64, np.float32(4), np.float32(1))
    train = np.minimum(0, infer + scale * rng.normal(0, 0.02, count).astype(np.float32)).astype(np.float32)
    mask = np.arange(count) % 1000 >= 100
    return train, infer, mask, rng.integers(0, 256, count, dtype=np.uint8)


def sums(train, infer, mask):
    train, infer = train[mask], infer[mask]
    x = train - infer
    excess = np.expm1(x)
    p, q = np.exp(train), np.exp(infer)
    size = np.abs(x)
    return (x.sum(), size.sum(), x.min(), x.max(), np.maximum(0, -excess).sum(), (x * x).sum(), (excess - x).sum(),
            np.abs(p - q).sum(), excess.sum(), (excess * excess).sum(), train.sum(), infer.sum(), np.corrcoef(p, q)[0, 1]), x, size


def with_quantiles(train, infer, mask, _):
    out, x, size = sums(train, infer, mask)
    return out, np.quantile(x, LEVELS), np.quantile(size, LEVELS)


def by_slice(train, infer, mask, ids):
    train, infer, ids = train[mask], infer[mask], ids[mask]
    order = np.argsort(ids, kind="stable")
    train, infer = train[order], infer[order]
    ends = np.cumsum(np.bincount(ids, minlength=256))
    out = []
    for begin, end in zip(np.r_[0, ends[:-1]], ends):
        every = np.ones(end - begin, dtype=bool)
        out.append(with_quantiles(train[begin:end], infer[begin:end], every, None))
    return out


def torch_works():
    """The same in PyTorch, whose own quantile takes no more than 16 million values."""
    import torch

    def tensors(data):
        return [torch.from_numpy(each) for each in data]

    def sums_of(train, infer, mask):
        train, infer = train[mask], infer[mask]
        x = train - infer
        excess, p, q, size = torch.expm1(x), train.exp(), infer.exp(), x.abs()
        return (x.sum(), size.sum(), x.min(), x.max(), (-excess).clamp(min=0).sum(), (x * x).sum(), (excess - x).sum(), (p - q).abs().sum(),
                excess.sum(), (excess * excess).sum(), train.sum(), infer.sum(), torch.corrcoef(torch.stack((p, q)))[0, 1]), x, size

    def with_sorting(train, infer, mask):
        out, x, size = sums_of(train, infer, mask)
        ranks = torch.tensor([round(level * (len(x) - 1)) for level in LEVELS])
        return out, x.sort().values[ranks], size.sort().values[ranks]

    return torch.__version__, tensors, (("all sums and mask", sums_of), ("+ quantiles", with_sorting))


def best_of(work, *data):
    best = float("inf")
    for _ in range(RUNS):
        begin = time.perf_counter()
        work(*data)
        best = min(best, time.perf_counter() - begin)
    return best


def main():
    count = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 16_800_000
    data = draw(count)
    print(f"NumPy {np.__version__}, {count / 1e6:.1f}M tokens, best of {RUNS}\n\n| | ns a token |\n|---|---|")
    for name, work in (("all sums and mask", lambda *a: sums(*a[:3])), ("+ quantiles", with_quantiles), ("256 slices, quantiles", by_slice)):
        print(f"| {name} | {best_of(work, *data) / count * 1e9:.1f} |")
    try:
        version, tensors, works = torch_works()
    except ImportError:
        print("\nPyTorch is not installed")
        return
    print(f"\nPyTorch {version}, all cores\n\n| | ns a token |\n|---|---|")
    for name, work in works:
        print(f"| {name} | {best_of(work, *tensors(data[:3])) / count * 1e9:.1f} |")


if __name__ == "__main__":
    main()
