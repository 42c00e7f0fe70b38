#!/usr/bin/env python3
"""picture.py [write|check]: docs/pictures/drift.svg, from rollouts.jsonl and from what `tikc measure` reports about it."""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PICTURE = ROOT / "docs/pictures/drift.svg"
BUILT = ROOT / "build/release/bin/tikc"
TIKC = os.environ.get("TIKC") or (str(BUILT) if BUILT.exists() else "tikc")
WIDTH, HEIGHT, LEFT, TOP, RIGHT = 720, 200, 84, 46, 24
STYLE = ("text{font:12px sans-serif;fill:#24292f}.small{font-size:11px;fill:#57606a}.red{fill:#a8430f}.stale{fill:#f2f4f6}.alert{fill:#f6e3d7}"
         ".grid{stroke:#d0d7de}.bound{stroke:#c2571a;stroke-dasharray:5 3}polyline{fill:none;stroke:#1a6fc2;stroke-width:2}"
         ".ok{fill:#1a6fc2}.violated{fill:#c2571a}")
STALE = (3, 7)  # the steps in which the server kept the weights of step 2


def gaps():
    """The mean of |log p - log q| over the tokens of each step."""
    steps = {}
    for line in (HERE / "rollouts.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        steps.setdefault(record["step"], []).extend(abs(p - q) for p, q in zip(record["train"], record["infer"]))
    return [sum(of) / len(of) for _, of in sorted(steps.items())]


def measured():
    command = [TIKC, "measure", HERE / "drift.tikc.yaml", HERE / "rollouts.jsonl", "--format=json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)


def drawn():
    values, report = gaps(), measured()
    bound = report["clauses"][0]["bound"]
    starts, ends = (next(rule["evaluation"] for rule in report["rules"] if rule["change"] == change) for change in ("starts", "ends"))
    top = max(values) * 1.15

    def x(step):
        return LEFT + (step - 1) * (WIDTH - LEFT - RIGHT) / (len(values) - 1)

    def y(value):
        return TOP + HEIGHT * (1 - value / top)

    half = (x(2) - x(1)) / 2
    stale, alert = (x(STALE[0]) - half, x(STALE[1]) + half), (x(starts), x(ends))
    parts = [f'<rect x="{stale[0]:.1f}" y="{TOP}" width="{stale[1] - stale[0]:.1f}" height="{HEIGHT}" class="stale"/>',
             f'<rect x="{alert[0]:.1f}" y="{TOP - 22}" width="{alert[1] - alert[0]:.1f}" height="{HEIGHT + 22}" class="alert" fill-opacity="0.6"/>',
             f'<text x="{stale[0] + 6:.1f}" y="{TOP + 15}" class="small">the server kept old weights</text>',
             f'<text x="{alert[0] + 6:.1f}" y="{TOP - 8}" class="red">the contract fired</text>',
             f'<path d="M{LEFT} {y(0):.1f}H{WIDTH - RIGHT}" class="grid"/><path d="M{LEFT} {y(bound):.1f}H{WIDTH - RIGHT}" class="bound"/>',
             f'<text x="{LEFT - 8}" y="{y(0) + 4:.1f}" text-anchor="end" class="small">0</text>',
             f'<text x="{LEFT - 8}" y="{y(bound) + 4:.1f}" text-anchor="end" class="red">{bound:g} nat</text>',
             f'<text x="{LEFT}" y="{TOP - 28}" class="small">mean |log-prob gap| of sampled tokens</text>',
             '<polyline points="' + " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in enumerate(values, 1)) + '"/>']
    for at, value in enumerate(values, 1):
        kind = "violated" if value > bound else "ok"
        parts.append(f'<circle cx="{x(at):.1f}" cy="{y(value):.1f}" r="4.5" class="{kind}"/>'
                     f'<text x="{x(at):.1f}" y="{TOP + HEIGHT + 17}" text-anchor="middle" class="small">{at}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{TOP + HEIGHT + 36}" text-anchor="end" class="small">training step</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {TOP + HEIGHT + 46}" role="img" aria-label="Drift by training step">'
            f'<style>{STYLE}</style><rect width="{WIDTH}" height="{TOP + HEIGHT + 46}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def main():
    picture = drawn()
    if sys.argv[1:] == ["write"]:
        PICTURE.write_text(picture, "utf-8")
    elif PICTURE.read_text("utf-8") != picture:
        sys.exit("docs/pictures/drift.svg is out of date: examples/drift/picture.py write")


if __name__ == "__main__":
    main()
