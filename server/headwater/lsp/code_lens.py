"""``textDocument/codeLens``: one line above each filter that can run earlier; off unless it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from headwater.rules.sentences import boundary_label, listed
from headwater_ir.span import Span

if TYPE_CHECKING:
    from .server import HeadwaterServer


def register(server: HeadwaterServer) -> None:
    """Answer, if the setting ``codeLens`` is on."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        found = server.documents.find(uri)
        if found is None or not server.configuration.of(uri).code_lens:
            return []
        opened, places = found
        answer = []
        for shown in opened.shown:
            if shown.stale or places.document(shown.filter_span)[0] != uri or not shown.opportunity.prefilter_text:
                continue
            o = shown.opportunity
            under = f" if {listed(o.assumptions)}" if o.assumptions else ""
            title = f"{o.prefilter_text} can run before {boundary_label(o.operator, o.function)}{under}"
            command = types.Command(title, "headwater.showProof", arguments=[places.uri, o.id])
            start = Span(shown.filter_span.start, shown.filter_span.start)
            answer.append(types.CodeLens(places.range(start), command))
        return answer
