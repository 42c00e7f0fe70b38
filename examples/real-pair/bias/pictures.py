"""Bound over truth as a picture: a panel for each correction."""

import math

from tables import CORRECTIONS, chosen

WIDTH, HEIGHT, LEFT, TOP, GAP = 210, 150, 46, 34, 34
LOWEST, HIGHEST = 0, 10  # powers of ten
COLOURS = {"usual": "#7a8ca3", "worst, 5 tokens": "#c2571a", "worst, 1 token": "#1a6fc2"}


def place(column, row, drift, ratio):
    x = LEFT + column * (WIDTH + GAP) + (math.log10(drift) + 4.25) / 4.5 * WIDTH
    y = TOP + row * (HEIGHT + GAP + 12) + HEIGHT * (1 - (math.log10(ratio) - LOWEST) / (HIGHEST - LOWEST))
    return x, y


def panel(found, name, column, row):
    left, top = place(column, row, 10**-4.25, 10**HIGHEST)
    yield f'<rect x="{left:.0f}" y="{top:.0f}" width="{WIDTH}" height="{HEIGHT}" class="frame"/>'
    yield f'<text x="{left:.0f}" y="{top - 7:.0f}" class="name">{name}</text>'
    for power in range(LOWEST, HIGHEST + 1, 2):
        y = place(column, row, 1, 10**power)[1]
        yield f'<path d="M{left:.0f} {y:.1f}h{WIDTH}" class="{"truth" if power == 0 else "grid"}"/>'
        if column == 0:
            yield f'<text x="{left - 6:.0f}" y="{y + 4:.1f}" class="axis" text-anchor="end">10{superscript(power)}</text>'
    for power in range(-4, 1, 2):
        x = place(column, row, 10**power, 1)[0]
        yield f'<text x="{x:.1f}" y="{top + HEIGHT + 14:.0f}" class="axis" text-anchor="middle">10{superscript(power)}</text>'
    for each in chosen(found, quantity="bias", correction=name):
        if each.proved and each.true > 1e-14:
            x, y = place(column, row, each.drift, min(each.ratio, 10**HIGHEST))
            shift = 4 * (list(COLOURS).index(each.world) - 1)
            yield f'<circle cx="{x + shift:.1f}" cy="{y:.1f}" r="2.2" fill="{COLOURS[each.world]}"/>'


def superscript(power):
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(each)] if each != "-" else "⁻" for each in str(power))


def drawn(found):
    width, height = LEFT + 3 * (WIDTH + GAP), TOP + 2 * (HEIGHT + GAP + 12) + 22
    parts = [part for at, name in enumerate(CORRECTIONS) for part in panel(found, name, at % 3, at // 3)]
    x = LEFT
    for world, colour in COLOURS.items():
        parts.append(f'<circle cx="{x + 4}" cy="{height - 14}" r="4" fill="{colour}"/><text x="{x + 12}" y="{height - 10}" class="axis">{world}</text>')
        x += 130
    parts.append(f'<text x="{width - GAP}" y="{height - 10}" class="axis" text-anchor="end">bound over truth, by the largest drift of a logit</text>')
    style = ("text{font:12px sans-serif;fill:#24292f}.axis{font-size:11px;fill:#57606a}.name{font-weight:600}"
             ".frame{fill:#fff;stroke:#d0d7de}.grid{stroke:#eaeef2}.truth{stroke:#cf222e}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="Bound over truth of the gradient\'s bias">'
            f'<style>{style}</style><rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")
