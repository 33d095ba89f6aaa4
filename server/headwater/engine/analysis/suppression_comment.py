"""The comment that keeps one finding quiet, as an edit."""

from __future__ import annotations

import re

from headwater.engine.report.positions import Lines
from headwater.rewrite.edit import Edit, apply_edits
from headwater_ir.span import Span

_LISTED = re.compile(r"#\s*headwater:\s*ignore\s*\[[^]#[]*(?=\])", re.IGNORECASE)


def suppression(text: str, span: Span, code: str) -> Edit | None:
    """An edit after which ``code`` is ignored on a line of ``span``, the last one that can hold a comment; None if no
    line can, for they all end in a backslash or inside a string."""
    lines = Lines(text)
    for line in range(lines.line_of(span.end), lines.line_of(span.start) - 1, -1):
        edit = _on(lines, line, code)
        if _suppresses(apply_edits(text, [edit]), line, code):
            return edit
    return None


def _on(lines: Lines, line: int, code: str) -> Edit:
    start, here = lines.starts[line], lines.line_text(line)
    listed = _LISTED.search(here)
    if listed:
        at = start + listed.end()
        return Edit(Span(at, at), f", {code}")
    at = start + len(here.rstrip(" \t\f"))
    return Edit(Span(at, start + len(here)), f"  # headwater: ignore[{code}]")


def _suppresses(text: str, line: int, code: str) -> bool:
    from headwater.syntax.source.suppress import read_suppressions

    return any(at == line and (not codes or code in codes) for at, codes in read_suppressions(text)[0])
