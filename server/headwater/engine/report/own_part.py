"""What a report says of a file that was analysed together with the definitions that it imports."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from headwater.rewrite.edit import Edit
from headwater.syntax.source.linked import PREFIX, dotted, own_end, sources
from headwater_ir.span import Span

from .report import Opportunity, Report

_WORD = re.compile(r"\w+")
_TEXTS = """
    name function filter_text prefilter_text prefilter_sql residual_text residual_sql invariant_text atoms assumptions
    notes benefit edits prefilter_edits message validation copy fix
""".split()
"""Of an opportunity."""


def of_file(report: Report, text: str, filters: Iterable[Span]) -> Report:
    """What ``report``, of a ``text`` with definitions of other files, says of the file itself. A rewrite that would
    change another file is left out: what it does there to other programs is not known. ``filters``: their calls."""
    end = own_end(text)
    theirs, of_modules = sources(text).keys() - set(_WORD.findall(text[:end])), dotted(text)
    return replace(
        report,
        opportunities=tuple(_readable(o, of_modules) for o in report.opportunities if _is_own(o, end, theirs)),
        skipped=tuple(
            replace(s, reason=_shown(s.reason.replace(PREFIX, ""), of_modules))
            for s in report.skipped
            if s.span.end <= end
        ),
        unused=tuple(u for u in report.unused if u.span.end <= end),
        untried=tuple(at for at in report.untried if at <= end),
        filters=sum(1 for call in filters if call.end <= end),
        imports=tuple(sorted({*sources(text).values()})),
    )


def _is_own(o: Opportunity, end: int, theirs: set[str]) -> bool:
    """Whether the rewrite changes the file alone, and names nothing that only the other files, ``theirs``, have."""
    edits = (*o.edits, *o.prefilter_edits, *o.copy)
    spans = (o.filter_span, o.boundary_span, o.prefilter_span, *(e.span for e in edits))
    return all(s.end <= end for s in spans) and not any(
        PREFIX in e.text or theirs.intersection(_WORD.findall(e.text)) for e in edits
    )


def _readable(o: Opportunity, of_modules: dict[str, str]) -> Opportunity:
    notes, assumptions = (tuple(text.replace(PREFIX, "") for text in texts) for texts in (o.notes, o.assumptions))
    o = replace(o, notes=notes, assumptions=assumptions)
    return replace(o, **{name: _shown(getattr(o, name), of_modules) for name in _TEXTS}) if of_modules else o


def _shown(part: Any, of_modules: dict[str, str]) -> Any:
    """``part`` of a report as the file spells names of modules."""
    if isinstance(part, str):
        return _WORD.sub(lambda word: of_modules.get(word.group(), word.group()), part)
    if isinstance(part, tuple):
        return tuple(_shown(p, of_modules) for p in part)
    return replace(part, text=_shown(part.text, of_modules)) if isinstance(part, Edit) else part


def as_analysed(edits: Iterable[Edit], text: str) -> Iterable[Edit]:
    """``edits`` of a file, which spell names of modules, as those of the ``text`` that is analysed in its place."""
    for here, shown in dotted(text).items():
        edits = [replace(e, text=re.sub(rf"(?<![\w.]){re.escape(shown)}\b", here, e.text)) for e in edits]
    return edits
