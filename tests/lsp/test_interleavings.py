"""Random edits, saves and requests, interleaved: nothing stale is shown as current, nothing is lost, nothing breaks."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

from lsprotocol import types

from headwater.engine.positions import Lines

from .editor import Editor, run
from .programs import BEST, NOTHING, TWO

STEPS = int(os.environ.get("HEADWATER_INTERLEAVINGS", "60"))
PIECES = ("# 😀 note\n", "x = 1\n", "\n", "y = '\u2028'\n", "def g():\n    return 2\n", "(", "90", '"', "\r\n", "\f")
FRESH = [BEST.format(90), BEST.format(7), TWO.format(90, 10), NOTHING]


def edited(chance: random.Random, text: str) -> tuple[str, types.TextDocumentContentChangeEvent]:
    """A small edit somewhere, or another program altogether."""
    if chance.random() < 0.15 or len(text) > 4000:
        new = chance.choice(FRESH)
        return new, types.TextDocumentContentChangeWholeDocument(new)
    lines = Lines(text)
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice([0, 0, 0, 1, 3]))
    places = [lines.position(o) for o in (start, end)]
    start, end = (lines.offset(p) for p in places)
    piece = chance.choice(PIECES)
    a, b = (types.Position(p.line, p.character) for p in places)
    return text[:start] + piece + text[end:], types.TextDocumentContentChangePartial(types.Range(a, b), piece)


async def session(e: Editor, seed: int, steps: int) -> None:
    """Do ``steps`` things at random; then judge what was shown."""
    chance = random.Random(seed)
    texts = {e.open(f"job{i}.py", t): t for i, t in enumerate(FRESH[:3])}
    asked: list[asyncio.Future[object]] = []
    for _ in range(steps):
        uri = chance.choice(list(texts))
        named = types.TextDocumentIdentifier(uri)
        what = chance.random()
        if what < 0.6:
            new, change = edited(chance, texts[uri])
            e.edit(uri, new, [change])
            texts[uri] = new
        elif what < 0.75:
            e.save(uri)
        elif what < 0.9:
            place = types.Position(chance.randrange(12), chance.randrange(40))
            hover = e.client.text_document_hover_async(types.HoverParams(named, place))
            asked.append(asyncio.ensure_future(hover))
            if chance.random() < 0.3:
                (pending, *_) = [k for k, f in e.client.protocol._request_futures.items() if not f.done()] or [None]
                if pending is not None:
                    e.client.cancel_request(types.CancelParams(pending))
        else:
            here = types.Range(types.Position(0, 0), types.Position(99, 0))
            params = types.CodeActionParams(named, here, types.CodeActionContext([]))
            asked.append(asyncio.ensure_future(e.client.text_document_code_action_async(params)))
        if chance.random() < 0.3:
            await asyncio.sleep(chance.random() * 0.2)
    for uri in texts:
        texts[uri] = BEST.format(chance.randrange(3))
        e.change(uri, texts[uri])
        e.save(uri)
    for uri in texts:
        await e.published(uri, "HW101")
    await asyncio.gather(*asked, return_exceptions=True)
    judge(e)


def judge(e: Editor) -> None:
    """Every diagnostic that was not marked stale is about the text of the version that it names."""
    last: dict[str, int] = {}
    for shown in e.history:
        assert shown.version is not None
        assert shown.version >= last.get(shown.uri, 0), "an older version after a newer one"
        last[shown.uri] = shown.version
        text = e.texts[shown.uri, shown.version]
        lines = Lines(text)
        for d in shown.diagnostics:
            assert d.data["version"] == shown.version
            if d.data["stale"]:
                continue
            assert d.range.end.line < len(lines)
            line = lines.line_text(d.range.start.line).encode("utf-16-le")
            assert line[2 * d.range.start.character :].decode("utf-16-le").startswith(("filter", "where")), (d, text)
    assert not [m for m in e.messages if "Error" in m], e.messages


def test_random_interleavings(tmp_path: Path) -> None:
    seed = STEPS

    async def scenario(e: Editor) -> None:
        await session(e, seed, STEPS)

    run(scenario, tmp_path, tmp_path / "cache")
