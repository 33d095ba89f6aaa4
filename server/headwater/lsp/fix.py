"""``headwater/fix``: the edit of one finding, or of every verified rewrite in a document, for commands and views.

A code action is asked for a place in an editor; this is asked for a finding by its name, wherever it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from headwater.rules.sentences import grouped

from .code_actions import resolve_all, resolve_one
from .named import finding

if TYPE_CHECKING:
    from .server import HeadwaterServer

METHOD = "headwater/fix"


def register(server: HeadwaterServer) -> None:
    """Answer with ``{edit, why, assumptions}``: an edit for exactly the current version, or null and the reason; and
    the assumptions that it rests on, for which the edit asks to be confirmed."""

    @server.feature(METHOD)
    async def fix(params: Any) -> dict[str, Any]:
        uri, id = str(getattr(params, "uri", "")), getattr(params, "id", None)
        if id:
            await finding(server, uri, str(id), prove=True)
        found = server.documents.find(uri)
        if found is None or await server.session.settled(found[0].uri) is not found[0]:
            return {"edit": None, "why": "the document is not open", "assumptions": []}
        opened = found[0]
        data = {"uri": opened.uri, "version": opened.document.version, "id": id, "what": "apply" if id else "all"}
        action = types.CodeAction("", data=data)
        if id:
            await resolve_one(server, action)
        else:
            await resolve_all(server, action)
        why = action.disabled.reason if action.disabled else ""
        edit = action.edit
        if edit is not None and not (edit.document_changes or edit.changes):
            edit, why = None, "there is nothing to apply"
        one = opened.find(str(id)) if id else None
        assumptions = [] if one is None else grouped(one.assumptions)
        return {"edit": edit, "why": why, "assumptions": assumptions}
