"""``textDocument/publishDiagnostics``: the findings of one version of a document, and of no other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types

from headwater.engine.documents.session import Faded, OpenDocument, Shown
from headwater.engine.report.report import UNUSED, Opportunity
from headwater.rules.registry import RULES
from headwater.rules.sentences import boundary_label

from .places import Places

SOURCE = "headwater"
PAGES = "https://github.com/headwater-dev/headwater/blob/main/docs/rules"
STALE = " (before the last edit; being checked again)"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


def severity_of(code: str, severity: Mapping[str, str]) -> types.DiagnosticSeverity:
    """How a code is shown, by the settings or by default."""
    named = severity.get(code, RULES[code].severity)
    return _SEVERITIES.get(named, types.DiagnosticSeverity.Information)


def of_document(opened: OpenDocument, places: Places, severity: Mapping[str, str]) -> dict[str, list[types.Diagnostic]]:
    """By document: one for a file, one per cell of a notebook."""
    found: dict[str, list[types.Diagnostic]] = {places.uri: []} if not places.cells else {}
    for cell, _ in places.cells.values():
        found[cell] = []
    for shown in opened.shown:
        uri, version = places.document(shown.filter_span)
        found.setdefault(uri, []).append(of_shown(shown, places, version, severity))
    for faded in opened.faded:
        uri, version = places.document(faded.span)
        found.setdefault(uri, []).append(of_faded(faded, places, version, severity))
    if severity.get("HW901", "off") != "off":
        for skipped in opened.skipped:
            uri, version = places.document(skipped.span)
            message = f"stays where it is ({skipped.obstruction}): {skipped.reason}"
            found.setdefault(uri, []).append(
                _diagnostic("HW901", message, places.range(skipped.span), severity, {"version": version})
            )
    return found


def of_shown(shown: Shown, places: Places, version: int, severity: Mapping[str, str]) -> types.Diagnostic:
    """One finding. ``data`` is what a quick fix asks with."""
    o = shown.opportunity
    message = o.message + (STALE if shown.stale else "")
    data = {"id": o.id, "version": version, "stale": shown.stale}
    diagnostic = _diagnostic(o.code, message, places.range(shown.filter_span), severity, data)
    diagnostic.related_information = _related(shown, o, places)
    return diagnostic


def of_faded(faded: Faded, places: Places, version: int, severity: Mapping[str, str]) -> types.Diagnostic:
    """A comment that hides nothing."""
    message = faded.unused.message + (STALE if faded.stale else "")
    data = {"id": str(faded.span.start), "version": version, "stale": faded.stale}
    diagnostic = _diagnostic(UNUSED, message, places.range(faded.span), severity, data)
    diagnostic.tags = [types.DiagnosticTag.Unnecessary]
    return diagnostic


def _diagnostic(
    code: str, message: str, at: types.Range, severity: Mapping[str, str], data: dict[str, Any]
) -> types.Diagnostic:
    return types.Diagnostic(
        range=at, message=message, code=code, source=SOURCE, data=data, severity=severity_of(code, severity),
        code_description=types.CodeDescription(f"{PAGES}/{code}.md"),
    )  # fmt: skip


def _related(shown: Shown, o: Opportunity, places: Places) -> list[types.DiagnosticRelatedInformation]:
    found = []
    if shown.boundary_span is not None:
        label = f"the boundary: {boundary_label(o.operator, o.function)}"
        found.append(types.DiagnosticRelatedInformation(places.location(shown.boundary_span), label))
    if shown.insert_span is not None and o.prefilter_text:
        label = f"the pre-filter goes here: {o.prefilter_text}"
        found.append(types.DiagnosticRelatedInformation(places.location(shown.insert_span), label))
    return found
