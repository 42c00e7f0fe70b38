"""Tables for terminals and notebooks."""

from __future__ import annotations

import html
from typing import List, Sequence

COLOURS = {"satisfied": "#1a7f37", "violated": "#cf222e", "undecided": "#9a6700", "error": "#cf222e", "warning": "#9a6700", "proved": "#1a7f37",
           "refuted": "#cf222e", "unproved": "#9a6700", "not shown": "#9a6700", "broken": "#cf222e", "suspended": "#cf222e", "withdrawn": "#cf222e", "held": "#1a7f37", "unwatched": "#9a6700"}


def plain(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def in_html(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    out: List[str] = [f"<table><caption>{html.escape(caption)}</caption><thead><tr>"]
    out += [f"<th>{html.escape(cell)}</th>" for cell in head]
    out.append("</tr></thead><tbody>")
    for row in rows:
        out.append("<tr>")
        for cell in row:
            colour = COLOURS.get(cell)
            style = f' style="color:{colour}"' if colour else ""
            out.append(f"<td{style}>{html.escape(cell)}</td>")
        out.append("</tr>")
    out.append("</tbody></table>")
    return "".join(out)
