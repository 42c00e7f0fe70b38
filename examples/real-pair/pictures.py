"""The two stories as pictures: what was violated where and who served, window by window; and the drift of a training whose server went stale."""

import story
import text

CELL, ROW, LEFT, TOP = 30, 22, 190, 40
STYLE = ("text{font:12px sans-serif;fill:#24292f}.small{font-size:11px;fill:#57606a}.name{font-weight:600}.kept{fill:#b7dfc9}.broken{fill:#c2571a}"
         ".unknown{fill:#d0d7de}.mark{fill:#fff;font-weight:600}.routed{fill:none;stroke:#1a6fc2;stroke-width:2.5}.span{stroke:#24292f;stroke-width:2}"
         ".grid{stroke:#eaeef2}.bound{stroke:#c2571a;stroke-dasharray:5 3}.shade{fill:#f6e3d7}polyline{fill:none;stroke-width:2}")


def page(width, height, label, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{label}"><style>{STYLE}</style>'
            f'<rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def cell(x, y, verdicts, does):
    kind = "broken" if "violated" in verdicts else "unknown" if "undecided" in verdicts else "kept"
    yield f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{ROW - 2}" class="{kind}"/>'
    if kind == "broken":
        yield f'<text x="{x + CELL / 2}" y="{y + 15}" text-anchor="middle" class="mark">×</text>'
    if does != "as usual":
        yield f'<rect x="{x + 2.5}" y="{y + 2.5}" width="{CELL - 5}" height="{ROW - 5}" class="routed"/>'


def stories(days):
    """`days` has the chapters of each fault."""
    parts = []
    longest = max(map(len, days.values()))
    for at in range(longest):
        parts.append(f'<text x="{LEFT + at * CELL + CELL / 2}" y="{TOP - 8}" text-anchor="middle" class="small">{at + 1}</text>')
    parts.append(f'<text x="{LEFT - 10}" y="{TOP - 8}" text-anchor="end" class="small">window</text>')
    y = TOP
    for fault, chapters in days.items():
        parts.append(f'<text x="12" y="{y + ROW + 4}" class="name">{fault}</text>')
        for task in text.TASKS:
            parts.append(f'<text x="{LEFT - 10}" y="{y + 15}" text-anchor="end" class="small">{task}</text>')
            does = "as usual"
            for at, chapter in enumerate(chapters):
                verdicts = {each.verdict for each in chapter.window.verdicts if each.slice == task}
                parts += cell(LEFT + at * CELL, y, verdicts, does)
                does = chapter.window.decisions[task].kind
            if story.WHERE[fault] == task:
                span = [at for at, chapter in enumerate(chapters) if chapter.fault != "usual"]
                parts.append(f'<path d="M{LEFT + span[0] * CELL + 1} {y + ROW + 0.5}h{len(span) * CELL - 2}" class="span"/>')
            y += ROW + 3
        y += 8
    x = 12
    for kind, says in (("kept", "all satisfied"), ("broken", "something violated"), ("unknown", "undecided")):
        parts.append(f'<rect x="{x}" y="{y + 4}" width="14" height="14" class="{kind}"/><text x="{x + 20}" y="{y + 15}" class="small">{says}</text>')
        x += 40 + 7 * len(says)
    parts.append(f'<rect x="{x + 1}" y="{y + 5}" width="12" height="12" class="routed"/>'
                 f'<text x="{x + 20}" y="{y + 15}" class="small">routed or quarantined</text>')
    x += 170
    parts.append(f'<path d="M{x} {y + 11}h16" class="span"/><text x="{x + 22}" y="{y + 15}" class="small">broken</text>')
    return page(max(LEFT + longest * CELL + 12, x + 80), y + 28, "Verdicts of each fault's windows by slice", parts)


def training(steps, bound, clause="gap"):
    """The clause's value on each slice, next to its bound."""
    width, height, left, top = 560, 200, 56, 20
    values = {task: [each.window.of(clause, task).figures[0].value for each in steps] for task in text.TASKS}
    highest = max(bound, *(value for of in values.values() for value in of)) * 1.1
    x = lambda at: left + at * (width - left - 16) / max(1, len(steps) - 1)  # noqa: E731
    y = lambda value: top + height * (1 - value / highest)  # noqa: E731
    parts = []
    stale = [at for at, each in enumerate(steps) if each.lag]
    if stale:
        parts.append(f'<rect x="{x(stale[0]) - 8:.1f}" y="{top}" width="{x(stale[-1]) - x(stale[0]) + 16:.1f}" height="{height}" class="shade"/>'
                     f'<text x="{x(stale[0]) - 4:.1f}" y="{top + 14}" class="small">the server\'s weights are old</text>')
    for at in range(len(steps)):
        parts.append(f'<text x="{x(at):.1f}" y="{top + height + 16}" text-anchor="middle" class="small">{at + 1}</text>')
    parts += [f'<path d="M{left} {y(bound):.1f}H{width - 16}" class="bound"/>', f'<path d="M{left} {y(0):.1f}H{width - 16}" class="grid"/>',
              f'<text x="{left - 6}" y="{y(bound) + 4:.1f}" text-anchor="end" class="small">{bound:g}</text>',
              f'<text x="{left - 6}" y="{y(0) + 4:.1f}" text-anchor="end" class="small">0</text>']
    for task, colour in zip(text.TASKS, ("#1a6fc2", "#5a8f29")):
        points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in enumerate(values[task]))
        parts.append(f'<polyline points="{points}" stroke="{colour}"/>')
        for at, each in enumerate(steps):
            filled = colour if each.decisions[task] == "as usual" else "#fff"
            parts.append(f'<circle cx="{x(at):.1f}" cy="{y(values[task][at]):.1f}" r="4" stroke="{colour}" stroke-width="2" fill="{filled}"/>')
        key = left + 110 * text.TASKS.index(task)
        parts.append(f'<circle cx="{key + 4}" cy="{top + height + 36}" r="4" fill="{colour}"/>'
                     f'<text x="{key + 14}" y="{top + height + 40}" class="small">{task}</text>')
    parts.append(f'<text x="{width - 16}" y="{top + height + 40}" text-anchor="end" class="small">mean |log-prob gap|; hollow: learned from the safe server</text>')
    return page(width, top + height + 50, "The gap by training step", parts)
