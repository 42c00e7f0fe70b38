"""Reads Markdown pages: their text without code, and their links."""
import re


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"(?ms)^(```+).*?^\1", "", text))


def links(text):
    """Of a page in Markdown: inline, by reference, and in HTML."""
    text = without_code(text)
    return re.findall(r"\]\(<?([^)\s>]+)>?[^)]*\)", text) + re.findall(r"(?m)^\[[^]]+\]:\s*(\S+)", text) + re.findall(r"(?:href|src)=[\"']([^\"']+)", text)
