#!/usr/bin/env python3
"""The true bias of a policy's gradient, drift of its reward and total variation of its responses, next to what tikc proves about them at the measured
clauses: python3 examples/real-pair/bias/run.py [--out FOLDER]. It takes NumPy, and half a minute. Status 1: a bound is below the truth."""

import argparse
import csv
import dataclasses
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import pictures  # noqa: E402
import proved  # noqa: E402
import tables  # noqa: E402
from truth import CORRECTIONS, ESTIMATORS, Server, usual, worst  # noqa: E402

DRIFTS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
KINDS = {"rows": [proved.ROWS], "tokens": [proved.TOKENS], "responses": [proved.RESPONSES], "all": [proved.ROWS, proved.TOKENS, proved.RESPONSES]}


@dataclasses.dataclass(frozen=True)
class Result:
    """`proved` is None where nothing follows."""

    world: str
    server: str
    drift: float
    quantity: str  # bias, reward or answers
    clauses: str
    estimator: str
    correction: str
    true: float
    proved: object

    @property
    def ratio(self):
        """Infinite of a truth that is nothing but rounding."""
        return float(self.proved) / self.true if self.true > 1e-14 else float("inf") if self.proved else 1.0

    @property
    def is_sound(self):
        return self.proved is None or float(self.proved) >= self.true * (1 - 1e-9) - 1e-14


def results(name, world, servers, folder):
    for kind, law in servers.items():
        for drift in DRIFTS:
            server = Server(world, law(drift))
            figures = server.figures()
            asked = [("all", estimator, correction) for estimator in ESTIMATORS for correction in CORRECTIONS]
            asked += [(clauses, "step", CORRECTIONS[0]) for clauses in KINDS if clauses != "all"]
            texts = [proved.contract(f"bias.{i}", world, figures, KINDS[clauses], estimator, correction.says)
                     for i, (clauses, estimator, correction) in enumerate(asked)]
            for (clauses, estimator, correction), bounds in zip(asked, proved.bounds(texts, folder)):
                here = name, kind, drift
                if clauses == "all":
                    yield Result(*here, "bias", clauses, estimator, correction.name, server.bias(estimator, correction), bounds["bias"])
                if estimator == "step" and correction.name == "none":
                    yield Result(*here, "reward", clauses, "", "", server.reward_drift(), bounds["reward"])
                    yield Result(*here, "answers", clauses, "", "", server.seq_tv(), bounds["answers"])


def main():
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--out", metavar="FOLDER", help="also write bias.csv, bias.md and bias.svg there")
    out = ask.parse_args().out
    worlds = {"usual": usual(), "worst, 1 token": worst(1), "worst, 5 tokens": worst(5)}
    with tempfile.TemporaryDirectory() as folder:
        found = [each for name, (world, servers) in worlds.items() for each in results(name, world, servers, folder)]
    page = tables.page(found)
    print(page)
    if out:
        Path(out).mkdir(parents=True, exist_ok=True)
        Path(out, "bias.md").write_text(page + "\n", "utf-8")
        Path(out, "bias.svg").write_text(pictures.drawn(found), "utf-8")
        with open(Path(out, "bias.csv"), "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow([each.name for each in dataclasses.fields(Result)])
            rows.writerows([*list(dataclasses.astuple(each))[:-1], "" if each.proved is None else float(each.proved)] for each in found)
    unsound = [each for each in found if not each.is_sound]
    for each in unsound:
        print(f"UNSOUND: {each}", file=sys.stderr)
    sys.exit(1 if unsound else 0)


if __name__ == "__main__":
    main()
