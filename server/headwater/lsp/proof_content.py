"""What there is to say of one finding, in parts that a view can lay out: plain JSON, nothing of it markup."""

from __future__ import annotations

import difflib
from typing import Any

from headwater.engine.analysis.messages import kind_words
from headwater.engine.documents.session import Shown
from headwater.engine.report.report import Opportunity
from headwater.rewrite.edit import apply_edits
from headwater.rules.registry import RULES
from headwater.rules.sentences import boundary_label, grouped
from headwater_ir.span import Span
from headwater_ir.verdict import ConditionName

from .diagnostics import PAGES
from .places import Places

CONDITIONS: dict[ConditionName, str] = {
    "Init": "before the first row the invariant holds",
    "Sync": "a row that passes the pre-filter, seen by both runs, keeps the invariant",
    "Stutter": "a row that the pre-filter drops, seen by the original run alone, keeps the invariant",
    "Merge": "merging partial results keeps the invariant",
    "Final": "at the end both runs give the same rows after their filters",
    "Safe": "no run raises an error that the other does not, and the pre-filter raises none",
    "Crossing": "the filter passes every operator between it and the boundary",
}
"""What each verification condition says (THEORY.md section 2)."""
LONGEST = 80
"""Characters of a node of the graph; the code below it has the rest."""
CONTEXT = 3
"""Unchanged lines around a change."""


def content(shown: Shown, text: str, places: Places) -> dict[str, Any]:
    """The parts. ``text`` is the current text of the document; of a stale finding there is no difference to show.

    * ``title``, ``code``, ``name``, ``status`` (``verified``, ``assumed``, ``bounded``), ``stale``, ``kind`` in words,
      ``explain``;
    * ``pipeline``: the nodes from the source on: ``role``, ``label``, ``text``, ``change`` (``new``, ``weaker``,
      ``gone`` or None) and ``location``;
    * ``prefilter``, ``residual``, ``filter``: code; null if there is none;
    * ``invariant``: ``words`` and ``formulas``; ``conditions``: ``name``, ``says``, ``status``, ``ms``;
    * ``assumptions``, ``notes``, ``source``, ``benefit``: as in the report;
    * ``diff``: hunks with ``line`` (as people count) and ``rows`` of sign and text; ``applicable``: there is a rewrite.
    """
    o = shown.opportunity
    edits = () if shown.stale else o.edits
    return {
        "id": o.id,
        "code": o.code,
        "name": o.name,
        "title": o.message,
        "status": o.status,
        "stale": shown.stale,
        "kind": kind_words(o.code, o.kind) if o.prefilter_text else "",
        "explain": f"{PAGES}/{o.code}.md",
        "pipeline": _pipeline(shown, text, places),
        "filter": o.filter_text,
        "prefilter": o.prefilter_text or None,
        "prefilterSql": o.prefilter_sql,
        "residual": o.residual_text,
        "residualSql": o.residual_sql,
        "invariant": {"words": o.invariant_text, "formulas": list(o.atoms)},
        "conditions": [
            {"name": c.name, "says": CONDITIONS[c.name], "status": c.status, "ms": c.ms} for c in o.conditions
        ],
        "assumptions": grouped(o.assumptions),
        "notes": list(o.notes),
        "source": [{"conjunct": s.conjunct, "use": s.use, "why": s.why} for s in o.source],
        "benefit": [[name, value] for name, value in o.benefit],
        "diff": _diff(text, apply_edits(text, set(edits)), places) if edits else [],
        "applicable": bool(edits),
        "ms": o.ms,
    }


def _pipeline(shown: Shown, text: str, places: Places) -> list[dict[str, Any]]:
    o = shown.opportunity
    found = []
    if shown.insert_span is not None and o.prefilter_text:
        before = Span(shown.insert_span.start, shown.insert_span.start)
        if RULES[o.code].wording == "prefilter":
            found.append(_node("source", "rows", _upstream(text, before.start), None, before, places))
        found.append(_node("prefilter", "pre-filter", o.prefilter_text, "new", before, places))
    boundary = boundary_label(o.operator, o.function)
    if boundary:
        found.append(_node("boundary", "boundary", boundary, None, shown.boundary_span, places))
    found.append(_node("filter", "filter", *_what_stays(o), shown.filter_span, places))
    return found


def _what_stays(o: Opportunity) -> tuple[str, str | None]:
    """What becomes of the filter: its text afterwards, and how that differs."""
    if not o.prefilter_text or o.kind == "partial":
        return o.filter_text, None
    return (o.filter_text, "gone") if o.residual_text is None else (o.residual_text, "weaker")


def _node(role: str, label: str, text: str, change: str | None, span: Span | None, places: Places) -> dict[str, Any]:
    location = None
    if span is not None:
        start, end = places.lines.range(span)
        location = {
            "uri": places.document(span)[0],
            "range": {
                "start": {"line": start.line, "character": start.character},
                "end": {"line": end.line, "character": end.character},
            },
        }
    short = " ".join(text.split())
    short = short if len(short) <= LONGEST else f"{short[: LONGEST - 1]}…"
    return {"role": role, "label": label, "text": short, "change": change, "location": location}


def _upstream(text: str, offset: int) -> str:
    """The rows that come: what stands before ``offset`` on its line, or on the nearest one that has something."""
    before = text[:offset].rstrip()
    line = before[before.rfind("\n") + 1 :].strip()
    _, assigned, value = line.partition(" = ")
    return (value if assigned else line).removeprefix("return ").strip("( ") or "input"


def _diff(before: str, after: str, places: Places) -> list[dict[str, Any]]:
    """The changed lines with some around them."""
    old, new = before.splitlines(), after.splitlines()
    starts = [0]
    for line in before.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    hunks = []
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        rows: list[list[str]] = []
        for tag, i, j, k, m in group:
            if tag == "equal":
                rows += [[" ", line] for line in old[i:j]]
            else:
                rows += [["-", line] for line in old[i:j]] + [["+", line] for line in new[k:m]]
        hunks.append({"line": places.lines.line_for_people(starts[group[0][1]]), "rows": rows})
    return hunks
