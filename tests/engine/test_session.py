"""What an editor's session does with the time between keys."""

from __future__ import annotations

import asyncio
import sys

import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.documents import session
from headwater.engine.documents.session import OpenDocument, Session
from headwater.engine.documents.text_document import TextDocument
from tests.lsp.programs import BEST

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the workers' processes are POSIX ones here")
SHOWN = BEST.format(90).replace(".filter(", "\nbest.show()\ntop = best.filter(")


def test_the_pause_before_branches_keeps_no_key_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "PAUSE", 3600.0)

    async def scenario() -> None:
        published: list[tuple[int | None, bool]] = []

        def publish(opened: OpenDocument) -> None:
            published.append((opened.document.version, opened.fresh))

        its = Session(lambda uri: Options(), publish, lambda: None, 1)
        try:
            its.open(TextDocument("a.py", 1, SHOWN))
            while (1, True) not in published:
                await asyncio.sleep(0.01)
            assert its.documents["a.py"].wanted == "apart"
            its.change("a.py", TextDocument("a.py", 2, BEST.format(90)), ())
            opened = await asyncio.wait_for(its.settled("a.py"), 60)
            assert opened is not None
            assert [s.opportunity.code for s in opened.shown] == ["HW190"]
        finally:
            its.shut_down()

    asyncio.run(scenario())
