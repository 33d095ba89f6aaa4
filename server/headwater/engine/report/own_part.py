"""What a report says of a file that was analysed together with the definitions that it imports."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from headwater.syntax.source.linked import PREFIX, own_end, sources
from headwater_ir.span import Span

from .report import Opportunity, Report

_WORD = re.compile(r"\w+")


def of_file(report: Report, text: str, filters: Iterable[Span]) -> Report:
    """What ``report``, of a ``text`` with definitions of other files, says of the file itself. A rewrite that would
    change another file is left out: what it does there to other programs is not known. ``filters``: their calls."""
    end = own_end(text)
    theirs = sources(text).keys() - set(_WORD.findall(text[:end]))
    return replace(
        report,
        opportunities=tuple(_readable(o) for o in report.opportunities if _is_own(o, end, theirs)),
        skipped=tuple(replace(s, reason=s.reason.replace(PREFIX, "")) for s in report.skipped if s.span.end <= end),
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


def _readable(o: Opportunity) -> Opportunity:
    notes, assumptions = (tuple(text.replace(PREFIX, "") for text in texts) for texts in (o.notes, o.assumptions))
    return replace(o, notes=notes, assumptions=assumptions)
