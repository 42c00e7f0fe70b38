"""Texts as the protocol sees them, by its words and not by the server's code: lines, places in three encodings, edits."""

import re

ENDS = re.compile("\r\n|\n|\r")
UNITS = {
    "utf-8": lambda character: len(character.encode()),
    "utf-16": lambda character: 2 if ord(character) > 0xFFFF else 1,
    "utf-32": lambda character: 1,
}


class Lines:
    """Where the lines of a text begin and end; offsets are of characters."""

    def __init__(self, text):
        self.text = text
        self.spans, start = [], 0
        for end in ENDS.finditer(text):
            self.spans.append((start, end.start()))
            start = end.end()
        self.spans.append((start, len(text)))

    def offset(self, place, encoding):
        """What is past the end of a line is at its end, past the last line at the text's, within a character at its beginning."""
        if place["line"] >= len(self.spans):
            return len(self.text)
        start, end = self.spans[place["line"]]
        left = place["character"]
        for at in range(start, end):
            left -= UNITS[encoding](self.text[at])
            if left < 0:
                return at
        return end

    def place(self, offset, encoding):
        line = max(i for i, (start, _) in enumerate(self.spans) if start <= offset)
        start = self.spans[line][0]
        return {"line": line, "character": sum(map(UNITS[encoding], self.text[start:offset]))}


def changed(text, change, encoding):
    """After one change of a notification."""
    if "range" not in change:
        return change["text"]
    lines = Lines(text)
    begin, end = (lines.offset(change["range"][key], encoding) for key in ("start", "end"))
    return text[:begin] + change["text"] + text[end:]
