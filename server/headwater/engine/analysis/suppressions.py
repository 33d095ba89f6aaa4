"""The comments that keep findings quiet: what each of them hides, and which hide nothing.

That a comment hides nothing is said only where everything is settled that could ever be shown on its line: no filter
there was merely checked, ran out of time or tripped the analyser up.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from headwater.engine.report.positions import Lines
from headwater.engine.report.report import Skipped, Unused
from headwater.rewrite.edit import Edit
from headwater.rules.registry import RULES
from headwater_ir.span import Span

_ONLY_MEANWHILE = frozenset(code for code, rule in RULES.items() if rule.becomes)
"""Shown before a proof and gone after it: a comment against it is of use, whatever the proof says."""


class Suppressions:
    """The comments of one text: ``ignored`` are zero-based lines and the codes that are ignored there, none for all."""

    def __init__(
        self, lines: Lines, ignored: Iterable[tuple[int, tuple[str, ...]]], severity: Mapping[str, str]
    ) -> None:
        self._lines, self._severity = lines, severity
        self._ignored = {line: codes for line, codes in ignored if line < len(lines)}
        self._hidden: dict[int, set[str]] = defaultdict(set)
        self._unsettled: set[int] = set()

    def hide(self, code: str, at: Span) -> bool:
        """Whether a finding at ``at`` stays hidden; the comments that hide it are of use."""
        wanted = {code, *RULES[code].becomes}  # who ignores a proved finding need not hear that it is possible
        hidden = self._severity.get(code) == "off"
        for line in self._on(at):
            codes = self._ignored[line]
            if not codes or wanted & {*codes}:
                self._hidden[line] |= wanted
                hidden = True
        return hidden

    def unsettle(self, at: Span) -> None:
        """More may come to be shown at ``at``."""
        self._unsettled.update(self._on(at))

    def unused(self, skipped: Iterable[Skipped]) -> tuple[Unused, ...]:
        """The comments, and the codes in them, that hide nothing."""
        if self._severity.get("HW902") == "off":
            return ()
        for at in skipped:
            for line in self._on(at.span):
                self._hidden[line].add("HW901")
        found = (self._unused(line, codes) for line, codes in self._ignored.items() if line not in self._unsettled)
        return tuple(u for u in found if u is not None)

    def _on(self, at: Span) -> list[int]:
        if not self._ignored:
            return []
        first, last = self._lines.line_of(at.start), self._lines.line_of(at.end)
        return [line for line in self._ignored if first <= line <= last]

    def _unused(self, line: int, codes: tuple[str, ...]) -> Unused | None:
        from headwater.syntax.source.suppress import COMMENT

        here, start = self._lines.line_text(line), self._lines.starts[line]
        comment = max((m for m in COMMENT.finditer(here) if not m["file"]), key=lambda m: m.start(), default=None)
        if comment is None:  # line ends that Python and editors count differently
            return None
        hidden = self._hidden[line]
        if not codes:
            shown = hidden if self._severity.get("HW901", "off") != "off" else hidden - {"HW901"}
            return None if shown else _whole(start, here, comment)
        hidden = hidden | _ONLY_MEANWHILE
        idle = [c for c in codes if c not in hidden]
        if len(idle) == len(codes):
            return _whole(start, here, comment)
        return _partly(start, comment, [c for c in codes if c in hidden], idle) if idle else None


def _whole(start: int, here: str, comment: re.Match[str]) -> Unused:
    """All of the comment goes; what stands behind it in the same comment stays one."""
    before, after = here[: comment.start()], here[comment.end() :].lstrip()
    span = Span(start + comment.start(), start + comment.end())
    end = len(here) - len(after)
    if not after:
        gone = Edit(Span(start + len(before.rstrip()), start + len(here)), "")
    elif after.startswith("#"):
        gone = Edit(Span(start + comment.start(), start + end), "")
    else:
        gone = Edit(Span(start + comment.start(), start + end), "# ")
    said = (comment["codes"] or "").strip()
    message = f"`# headwater: ignore{f'[{said}]' if said else ''}` hides nothing here"
    return Unused(span, (), gone, message)


def _partly(start: int, comment: re.Match[str], used: list[str], idle: list[str]) -> Unused:
    span = Span(start + comment.start("codes"), start + comment.end("codes"))
    named = ", ".join(f"`{c}`" for c in idle)
    return Unused(span, tuple(idle), Edit(span, ", ".join(used)), f"ignoring {named} hides nothing here")
