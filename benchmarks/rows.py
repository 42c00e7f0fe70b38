#!/usr/bin/python3
"""What the statistics of rows.cpp cost in NumPy and, if it is installed, in PyTorch: microseconds a pair of rows, the best of many runs.

PyTorch is given several rows at a time, since that is how it is fastest; the best chunk is printed.

  benchmarks/rows.py [--threads 1] [--seconds 5]
"""

import argparse
import time

VOCABULARY = 152_064


def best(work, rows: int, seconds: float) -> float:
    """Microseconds a row of the fastest run."""
    fastest, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        work()
        fastest = min(fastest, time.perf_counter() - start)
    return fastest / rows * 1e6


def with_numpy(seconds: float) -> None:
    import numpy as np

    random = np.random.default_rng(1)
    z = 3 * random.standard_normal(VOCABULARY).astype(np.float32)
    w = z + np.float32(0.01) * random.standard_normal(VOCABULARY).astype(np.float32)

    def log_softmax(row):
        row = row - row.max()
        return row - np.log(np.exp(row).sum())

    def statistics():
        drift, a, b = z - w, log_softmax(z), log_softmax(w)
        p, q = np.exp(a), np.exp(b)
        middle = np.log((p + q) / 2)
        return (np.abs(drift).max(), drift.max() - drift.min(), np.abs(p - q).sum() / 2,
                ((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2, (p * (a - b)).sum(), (q * (b - a)).sum(),
                (p * (a - middle) + q * (b - middle)).sum() / 2, z.argmax() != w.argmax(),
                (q * b).sum() - (p * a).sum(), a[17], b[17])

    print(f"NumPy {np.__version__}: {best(statistics, 1, seconds):.0f} us a row")


def with_torch(threads: int, seconds: float) -> None:
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed")
        return
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    results = {}
    for chunk in (1, 2, 4, 8, 16):
        z = 3 * torch.randn(chunk, VOCABULARY)
        w = z + 0.01 * torch.randn(chunk, VOCABULARY)

        def statistics(z=z, w=w):
            drift, a, b = z - w, z.log_softmax(-1), w.log_softmax(-1)
            p, q = a.exp(), b.exp()
            middle = ((p + q) / 2).log()
            return (drift.abs().amax(-1), drift.amax(-1) - drift.amin(-1), (p - q).abs().sum(-1) / 2,
                    (p.sqrt() - q.sqrt()).square().sum(-1) / 2, (p * (a - b)).sum(-1),
                    (q * (b - a)).sum(-1), (p * (a - middle) + q * (b - middle)).sum(-1) / 2,
                    z.argmax(-1) != w.argmax(-1), (q * b).sum(-1) - (p * a).sum(-1), a[:, 17], b[:, 17])

        with torch.no_grad():
            results[chunk] = best(statistics, chunk, seconds / 5)
    chunk = min(results, key=results.get)
    print(f"PyTorch {torch.__version__}, {threads} threads: {results[chunk]:.0f} us a row, {chunk} at a time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    with_numpy(options.seconds)
    with_torch(options.threads, options.seconds)


if __name__ == "__main__":
    main()
