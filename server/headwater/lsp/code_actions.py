"""``textDocument/codeAction``: quick fixes and ``source.fixAll.headwater``. Edits are computed when one is chosen, and
only for the very text that was proved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from headwater.engine.documents.session import OpenDocument
from headwater.engine.documents.text_document import hunks
from headwater.engine.report.report import Opportunity
from headwater.rewrite.edit import Edit
from headwater.rules.sentences import grouped, listed

from . import faded
from .places import Places

if TYPE_CHECKING:
    from .server import HeadwaterServer

FIX_ALL = "source.fixAll.headwater"
_CHANGED = "the text has changed since this was proved"
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL)


def register(server: HeadwaterServer) -> None:
    """Offer and resolve."""

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True),
    )
    async def offer(params: types.CodeActionParams) -> list[types.CodeAction]:
        found = server.documents.find(params.text_document.uri)
        if found is None:
            return []
        actions = offered(*found, params)
        if not server.resolves_edits:
            for action in actions:
                await resolve_one(server, action)
            actions = [a for a in actions if a.edit is not None]
        return actions

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        if isinstance(action.data, dict) and action.data.get("what") == "all":
            await resolve_all(server, action)
        else:
            await resolve_one(server, action)
        return action


def offered(opened: OpenDocument, places: Places, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done about what is shown in the range that is asked for; nothing about what is stale."""
    uri, only = params.text_document.uri, params.context.only
    found: list[types.CodeAction] = []
    version = opened.document.version
    if wanted(types.CodeActionKind.QuickFix, only):
        for shown in opened.shown:
            if shown.stale or not places.touches(shown.filter_span, uri, params.range):
                continue
            o = shown.opportunity
            diagnostics = [d for d in params.context.diagnostics if _is_of(d, o)]
            for what in ("apply", "prefilter", "ignore"):
                if edits_of(o, what) is None and what != "ignore":
                    continue
                data = {"uri": places.uri, "version": version, "id": o.id, "what": what}
                preferred = what == "apply" and o.status == "verified"
                found.append(
                    types.CodeAction(
                        _title(o, what), types.CodeActionKind.QuickFix, diagnostics, is_preferred=preferred, data=data
                    )
                )
        found += faded.offered(opened, places, params)
    fixable = any(not s.stale and s.opportunity.edits and s.opportunity.status == "verified" for s in opened.shown)
    if fixable and only and wanted(FIX_ALL, only):
        data = {"uri": places.uri, "version": version, "what": "all"}
        found.append(types.CodeAction("Headwater: apply every verified rewrite in this file", FIX_ALL, data=data))
    return found


def wanted(kind: str, only: Any) -> bool:
    """Whether a client that asks for ``only`` these kinds, each with its sub-kinds, asks for ``kind``."""
    return not only or any(kind == o or kind.startswith(f"{o}.") for o in only)


def edits_of(o: Opportunity, what: str) -> tuple[Edit, ...] | None:
    """The edits of a rewrite; None if there are none, or the smaller rewrite is the whole one."""
    edits = o.edits if what == "apply" else o.prefilter_edits if what == "prefilter" else ()
    if not edits or (what == "prefilter" and o.prefilter_edits == o.edits):
        return None
    return edits


async def resolve_one(server: HeadwaterServer, action: types.CodeAction) -> None:
    """Fill in the edit, or say why there is none: the text has changed, the result would not be Python, or it is not
    what was proved."""
    data = action.data if isinstance(action.data, dict) else {}
    found = server.documents.find(str(data.get("uri")))
    edits = None
    if found is not None and found[0].document.version == data.get("version"):
        edits = chosen(found[0], str(data.get("what")), str(data.get("id")))
    if found is None or edits is None:
        action.disabled = types.CodeActionDisabled(_CHANGED)
    elif not edits or not found[0].still_parses(edits):
        action.disabled = types.CodeActionDisabled("the edited text would not be Python")
    else:
        o = found[0].find(str(data.get("id"))) if data.get("what") in ("apply", "prefilter") else None
        wrong = None if o is None else await server.session.why_wrong(found[1].uri, o, edits)
        if wrong is not None or found[0].document.version != data.get("version"):
            action.disabled = types.CodeActionDisabled(wrong or _CHANGED)
        else:
            action.edit = server.workspace_edit(found[1], edits, () if o is None else grouped(o.assumptions))


def chosen(opened: OpenDocument, what: str, id: str) -> tuple[Edit, ...] | None:
    """The edits of an action, none if it cannot be done; None if what it was offered for is gone."""
    if what == "unused":
        return faded.edits(opened, id)
    o = opened.find(id)
    if o is None:
        return None
    if what == "ignore":
        edit = opened.suppression(o)
        return () if edit is None else (edit,)
    return edits_of(o, what) or ()


async def resolve_all(server: HeadwaterServer, action: types.CodeAction) -> None:
    """The edit that applies every verified rewrite; one that rests on assumptions is applied alone, and confirmed."""
    data = action.data if isinstance(action.data, dict) else {}
    found = server.documents.find(str(data.get("uri")))
    if found is None or found[0].document.version != data.get("version"):
        action.disabled = types.CodeActionDisabled(_CHANGED)
        return
    before = found[0].document.text
    after = await server.session.fix_all(found[1].uri)
    if after is None:
        action.disabled = types.CodeActionDisabled("the text has changed, or cannot be analysed")
        return
    action.edit = server.workspace_edit(found[1], hunks(before, after))


def _title(o: Opportunity, what: str) -> str:
    if what == "ignore":
        return f"Headwater: ignore {o.code} here"
    under = f", assuming {listed(o.assumptions)}" if o.assumptions else ""
    if what == "prefilter":
        return f"Headwater: only add the pre-filter `{o.prefilter_text}`{under}"
    if o.fix:
        return f"Headwater: {o.fix}{under}"
    return f"Headwater: filter by `{o.prefilter_text}` before `{o.operator}`{under}"


def _is_of(diagnostic: types.Diagnostic, o: Opportunity) -> bool:
    data = diagnostic.data
    return isinstance(data, dict) and data.get("id") == o.id
