"""Comments that hide nothing: shown faded, with a quick fix that takes them away."""

from __future__ import annotations

from lsprotocol import types

from headwater.engine.documents.session import OpenDocument
from headwater.rewrite.edit import Edit

from .places import Places


def offered(opened: OpenDocument, places: Places, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done about the comments in the range that is asked for."""
    found = []
    for f in opened.faded:
        if f.stale or not places.touches(f.span, params.text_document.uri, params.range):
            continue
        id = str(f.span.start)
        said = ", ".join(f.unused.codes)
        title = f"Headwater: remove {said} from the comment" if said else "Headwater: remove the comment"
        diagnostics = [d for d in params.context.diagnostics if isinstance(d.data, dict) and d.data.get("id") == id]
        data = {"uri": places.uri, "version": opened.document.version, "id": id, "what": "unused"}
        quick = types.CodeActionKind.QuickFix
        found.append(types.CodeAction(title, quick, diagnostics, is_preferred=True, data=data))
    return found


def edits(opened: OpenDocument, id: str) -> tuple[Edit, ...] | None:
    """The edit for the comment with this id; None if it is gone."""
    return next(((f.unused.edit,) for f in opened.faded if str(f.span.start) == id and not f.stale), None)
