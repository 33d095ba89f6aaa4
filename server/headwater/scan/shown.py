"""What people read of one opportunity, as plain JSON."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, TypedDict

from headwater.cost.estimate import from_data
from headwater.engine.analysis.messages import kind_words
from headwater.engine.report.positions import Lines
from headwater.engine.report.report import Opportunity
from headwater.event_log.spark_calls import Call
from headwater.rewrite.edit import apply_edits
from headwater.rules.sentences import boundary_label, grouped

LONGEST = 2_000
"""Characters of a source line that anybody reads."""


class Shown(TypedDict):
    """One opportunity for people.

    * ``message``: the one sentence; ``place``: ``line:column`` from one, with the cell in a notebook;
    * ``line``: the number of ``text``, the first line of the filter, which stands there in ``columns`` (code points);
    * ``details``: label and text of what a reader wants to know next;
    * ``kind``: what the rewrite does, in words; ``invariant``: its conjuncts as formulas;
    * ``diff``: the rewrite as a unified diff without its head, empty if there is none;
    * ``calls``: the calls whose jobs compute what it is about, as event logs name them: a method and a line from one.
    """

    message: str
    place: str
    line: str
    text: str
    columns: list[int]
    details: list[list[str]]
    kind: str
    invariant: list[str]
    diff: str
    calls: list[list[Any]]


def shown(lines: Lines, source: str, o: Opportunity, calls: Sequence[Call] = ()) -> Shown:
    """``o``, found in ``source``, which the jobs of ``calls`` compute."""
    line = lines.line_of(o.filter_span.start)
    text = lines.line_text(line)
    end = lines.column(o.filter_span.end) if lines.line_of(o.filter_span.end) == line else len(text)
    return {
        "message": o.message,
        "place": lines.place(o.filter_span.start),
        "line": lines.line_for_people(o.filter_span.start).partition(" ")[0],
        "text": text[:LONGEST],
        "columns": [lines.column(o.filter_span.start), end],
        "details": _details(lines, o),
        "kind": kind_words(o.code, o.kind) if o.prefilter_text else "",
        "invariant": list(o.atoms),
        "diff": _diff(source, o),
        "calls": list(map(list, calls)),
    }


def _details(lines: Lines, o: Opportunity) -> list[list[str]]:
    found: list[list[str]] = []
    place = lines.line_for_people(o.prefilter_span.start)
    if o.prefilter_text:
        boundary = boundary_label(o.operator, o.function)
        found.append(["before", f"{o.prefilter_text}   (line {place}, in front of {boundary})"])
        stays = "nothing" if o.residual_text is None else o.residual_text
        found.append(["after", stays if o.kind != "partial" else "the filter as it is"])
    if o.invariant_text:
        found.append(["why", o.invariant_text])
    found += [["gain", gain]] if (gain := from_data(o.benefit)) else []
    found.extend(["assuming", a] for a in grouped(o.assumptions))
    found.extend(["note", n] for n in o.notes)
    return found


def _diff(source: str, o: Opportunity) -> str:
    if not o.edits:
        return ""
    before, after = source.split("\n"), apply_edits(source, list(o.edits)).split("\n")
    return "\n".join(list(difflib.unified_diff(before, after, lineterm="", n=2))[2:])
