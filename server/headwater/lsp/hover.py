"""``textDocument/hover``: what moves, why that is safe, what it rests on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from lsprotocol import types

from headwater.engine.analysis.messages import STATUS_WORDS, kind_words
from headwater.engine.documents.session import OpenDocument
from headwater.engine.report.report import Opportunity
from headwater.event_log.matching import Measured
from headwater.event_log.words import in_words
from headwater.rules.sentences import boundary_label, grouped

from .diagnostics import PAGES
from .places import Places

if TYPE_CHECKING:
    from .costs import Costs
    from .server import HeadwaterServer

MOST_ATOMS = 12
"""Formulas shown; the certificate has them all."""


def register(server: HeadwaterServer) -> None:
    """Answer hovers."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        found = server.documents.find(params.text_document.uri)
        if found is None:
            return None
        opened, places = found
        linked = server.initial_settings.get("showProof") is True
        return at(opened, places, params.text_document.uri, params.position, linked, server.costs)


def at(
    opened: OpenDocument,
    places: Places,
    uri: str,
    where: types.Position,
    linked: bool = False,
    costs: Costs | None = None,
) -> types.Hover | None:
    """The hover of a place on a filter or on its boundary; None elsewhere. ``linked``: the client has the command
    ``headwater.showProof`` and allows it in a hover."""
    here = types.Range(where, where)
    for shown in opened.shown:
        for span in (shown.filter_span, shown.boundary_span):
            if span is not None and places.touches(span, uri, here):
                o = shown.opportunity
                cost = None if costs is None or shown.stale else costs.of(opened, places, o)
                text = markdown(o, cost)
                if linked:
                    asked = quote(json.dumps([places.uri, o.id]), safe="")
                    text += f" · [Show the proof](command:headwater.showProof?{asked})"
                if shown.stale:
                    text = f"*Of the text before the last edit; being checked again.*\n\n{text}"
                value = types.MarkupContent(types.MarkupKind.Markdown, text)
                return types.Hover(contents=value, range=places.range(span))
    for skipped in opened.skipped:
        if places.touches(skipped.span, uri, here):
            text = f"**Headwater**: this filter stays where it is (`{skipped.obstruction}`): {_plain(skipped.reason)}"
            value = types.MarkupContent(types.MarkupKind.Markdown, text)
            return types.Hover(contents=value, range=places.range(skipped.span))
    return None


def markdown(o: Opportunity, cost: Measured | None = None) -> str:
    """Everything that is known of one finding; ``cost``: what its jobs took."""
    parts = [f"**{o.code}** {o.name}: {_plain(o.message)}"]
    if o.prefilter_text:
        stays = "nothing" if o.residual_text is None else _code(o.residual_text)
        rows = (
            (f"before {_code(boundary_label(o.operator, o.function))}", _code(o.prefilter_text)),
            ("after it", "the filter as it is" if o.kind == "partial" else stays),
            ("kind", f"{o.kind}: {kind_words(o.code, o.kind)}"),
        )
        parts.append("\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)]))
    if o.invariant_text:
        parts.append(f"**Why it is safe.** {_plain(o.invariant_text)}")
    if o.atoms:
        shown = "\n".join(o.atoms[:MOST_ATOMS])
        more = f"\n… and {len(o.atoms) - MOST_ATOMS} more" if len(o.atoms) > MOST_ATOMS else ""
        parts.append(f"```text\n{shown}{more}\n```")
    if o.conditions:
        times = ", ".join(f"{c.name} ({c.status}, {c.ms:.0f} ms)" for c in o.conditions)
        parts.append(f"**{o.status.capitalize()}** ({STATUS_WORDS[o.status]}): {times}")
    if o.assumptions:
        parts.append("**Assuming**\n" + "\n".join(f"- {_plain(a)}" for a in grouped(o.assumptions)))
    if o.notes:
        parts.append("**Notes**\n" + "\n".join(f"- {_plain(n)}" for n in o.notes))
    if o.source:
        parts.append(
            "**At the source**\n" + "\n".join(f"- {_code(s.conjunct)}: {s.use}, {_plain(s.why)}" for s in o.source)
        )
    if cost is not None:
        parts.append(f"**Cost** (measured): {_plain(in_words(cost))}")
    if o.benefit:
        parts.append("**Benefit** (estimated): " + "; ".join(f"{k}: {_plain(v)}" for k, v in o.benefit))
    parts.append(f"[{o.code} explained]({PAGES}/{o.code}.md)")
    return "\n\n".join(parts)


def _code(text: str) -> str:
    """A code span that ``text`` cannot end, on one line of a table."""
    ticks = "`" * (1 + max((len(run) for run in _runs(text)), default=0))
    inner = " ".join(text.split()).replace("|", "\\|")
    return f"{ticks} {inner} {ticks}" if "`" in inner else f"{ticks}{inner}{ticks}"


def _runs(text: str) -> list[str]:
    return [run for run in "".join(c if c == "`" else " " for c in text).split(" ") if run]


def _plain(text: str) -> str:
    """A sentence of ours with code in backticks. The code is shown as it is; elsewhere nothing of the user's
    program becomes markup: links, images or commands."""
    pieces = " ".join(text.split()).split("`")
    shown = [_escaped(pieces[0])]
    for i, piece in enumerate(pieces[1:], 1):
        if i % 2 == 0:
            shown.append(_escaped(piece))
        elif i + 1 < len(pieces):
            shown.append(f"`{piece}`" if piece else "\\`\\`")
        else:
            shown.append("\\`" + _escaped(piece))
    return "".join(shown)


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\[]<>!*_#|" else c for c in text)
