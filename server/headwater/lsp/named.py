"""A finding by its name, wherever it stands now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.engine.documents.session import OpenDocument, Shown

if TYPE_CHECKING:
    from .server import HeadwaterServer


async def finding(server: HeadwaterServer, uri: str, id: str, prove: bool) -> tuple[OpenDocument, Shown] | None:
    """The finding ``id`` of the open document ``uri``, once what is under way for it is done; None if there is none.

    ``prove``: if the quick check has not shown it, prove the document. A scan may know more than the check does.
    """
    found = server.documents.find(uri)
    if found is None:
        return None
    opened = found[0]
    place, version = (
        next((s.filter_span for s in opened.shown if s.opportunity.id == id), None),
        opened.document.version,
    )
    while await server.session.settled(opened.uri) is opened:
        shown = next((s for s in opened.shown if s.opportunity.id == id), None)
        if shown is None and opened.document.version == version:  # what was possible has another name once it is proved
            shown = next((s for s in opened.shown if s.filter_span == place), None)
        if shown is not None:
            return opened, shown
        if not prove:
            return None
        prove = False
        server.session.verify(opened.uri)
    return None
