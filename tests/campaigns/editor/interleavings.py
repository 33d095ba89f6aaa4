"""``python -m tests.campaigns.editor.interleavings``: servers under random edits, saves, requests, cancellations.

Workers are killed meanwhile.

Each session is a server of its own and three documents. In the end, whatever happened, every document must have the
right result; on the way, nothing that is not marked as stale may be about another text than that of its version, and
the edit of a quick fix must be for exactly the version that it names. Writes ``RESULTS.md`` beside this file.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from lsprotocol import types

from headwater.engine.report.positions import Lines
from tests.lsp.editor import Editor, applied, text_edits
from tests.lsp.processes import alive, children
from tests.lsp.programs import BEST, NOTHING, TWO

PIECES = ("# 😀 note\n", "x = 1\n", "\n", "y = '\u2028'\n", "def g():\n    return 2\n", "(", "90", '"', "\r\n", "\f")
FRESH = [BEST.format(90), BEST.format(7), TWO.format(90, 10), NOTHING]
FRESH.append(BEST.format(7).replace("7)\n", "7)  # headwater: ignore[HW101, HW102]\n"))
Counts = Counter[str]


def edited(chance: random.Random, text: str) -> tuple[str, types.TextDocumentContentChangeEvent]:
    """A small edit somewhere, or another program altogether."""
    if chance.random() < (0.1 if parses(text) else 0.5) or len(text) > 4000:
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


def parses(text: str) -> bool:
    """Whether a text is Python."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


async def session(e: Editor, seed: int, steps: int, kill: float = 0.0) -> Counts:
    """Do ``steps`` things at random; then judge what was shown. ``kill``: how often a worker is killed."""
    chance = random.Random(seed)
    texts = {e.open(f"job{i}.py", t): t for i, t in enumerate(FRESH[:3])}
    done = Counts()
    asked: list[asyncio.Future[None]] = []
    for _ in range(steps):
        uri = chance.choice(list(texts))
        what = chance.random()
        if what < kill:
            for pid in children(e.process)[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    done["workers killed"] += 1
        elif what < 0.6:
            new, change = edited(chance, texts[uri])
            e.edit(uri, new, [change])
            texts[uri] = new
            done["edits"] += 1
        elif what < 0.75:
            e.save(uri)
            done["saves"] += 1
        elif what < 0.9:
            place = types.Position(chance.randrange(12), chance.randrange(40))
            asked.append(asyncio.ensure_future(_hover(e, uri, place, done)))
            await asyncio.sleep(0)
            if chance.random() < 0.3:
                pending = [k for k, f in e.client.protocol._request_futures.items() if not f.done()]
                if pending:
                    e.client.cancel_request(types.CancelParams(chance.choice(pending)))
                    done["cancellations"] += 1
        else:
            asked.append(asyncio.ensure_future(_fix(e, uri, done)))
        if chance.random() < 0.3:
            await asyncio.sleep(chance.random() * (1.5 if chance.random() < 0.1 else 0.2))
    for uri in texts:
        texts[uri] = BEST.format(chance.randrange(3))
        e.change(uri, texts[uri])
        e.save(uri)
    for uri in texts:
        await e.published(uri, "HW101")
    answers = await asyncio.gather(*asked, return_exceptions=True)
    wrong = [a for a in answers if isinstance(a, BaseException) and not _is_cancelled(a)]
    assert not wrong, wrong
    done["steps"] += steps
    return done + judge(e)


def _is_cancelled(error: BaseException) -> bool:
    return isinstance(error, asyncio.CancelledError) or "cancel" in str(error).lower()


async def _hover(e: Editor, uri: str, place: types.Position, done: Counts) -> None:
    await e.client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), place))
    done["hovers answered"] += 1


async def _fix(e: Editor, uri: str, done: Counts) -> None:
    """Ask for quick fixes and for the edit of one. By then the text may be another; then there must be none."""
    here = types.Range(types.Position(0, 0), types.Position(99, 0))
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), here, types.CodeActionContext([]))
    actions = await e.client.text_document_code_action_async(params)
    done["lists of quick fixes"] += 1
    for action in actions or ():
        assert isinstance(action, types.CodeAction)
        version = (action.data or {})["version"]
        found = await e.resolved(action)
        if found.edit is None:
            assert found.disabled is not None
            done["quick fixes refused"] += 1
            continue
        assert parses(applied(e.texts[uri, version], text_edits(found, uri, version)))
        done["quick fixes with an edit"] += 1


def judge(e: Editor) -> Counts:
    """Every diagnostic that was not marked stale is about the text of the version that it names."""
    last: dict[str, int] = {}
    seen = Counts()
    for shown in e.history:
        assert shown.version is not None
        assert shown.version >= last.get(shown.uri, 0), "an older version after a newer one"
        last[shown.uri] = shown.version
        text = e.texts[shown.uri, shown.version]
        lines = Lines(text)
        seen["publications"] += 1
        for d in shown.diagnostics:
            assert d.data["version"] == shown.version
            seen["diagnostics marked stale" if d.data["stale"] else "diagnostics current"] += 1
            if d.data["stale"]:
                continue
            assert d.range.end.line < len(lines)
            line = lines.line_text(d.range.start.line).encode("utf-16-le")
            wanted = "HW" if d.code == "HW902" and "`HW" in d.message.split(" ")[1] else "# headwater"
            begin = (wanted,) if d.code == "HW902" else ("filter", "where")
            assert line[2 * d.range.start.character :].decode("utf-16-le").startswith(begin), (d, text)
    assert not [m for m in e.messages if "Error" in m], e.messages
    return seen


async def whole(root: Path, seed: int, steps: int, kill: float) -> Counts:
    """One session with a server of its own, after which no process of it is left."""
    e = Editor(root, root / "cache")
    await e.start()
    try:
        done = await session(e, seed, steps, kill)
        below = children(e.process)
    finally:
        await e.stop()
    end = time.monotonic() + 10
    while (left := alive(below)) and time.monotonic() < end:
        await asyncio.sleep(0.05)
    assert not left, f"processes that outlive their server: {left}"
    return done


def main() -> None:
    """Run all sessions, then write what was counted."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.editor.interleavings", description=__doc__)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=20260721)
    parser.add_argument("--kill", type=float, default=0.003, help="how often a worker is killed, per step")
    parser.add_argument("--seconds", type=float, default=120, help="how long to wait for a result at the most")
    given = parser.parse_args()
    from tests.lsp import editor

    from . import results

    editor.SECONDS = given.seconds
    total, start = Counts(), time.monotonic()
    for number in range(given.sessions):
        with tempfile.TemporaryDirectory() as folder:
            seed, steps = given.seed + number, given.steps // given.sessions
            total += asyncio.run(whole(Path(folder), seed, steps, given.kill))
        print(f"session {number + 1} of {given.sessions}: {dict(total)}", file=sys.stderr, flush=True)
    said = {"sessions": given.sessions, "first seed": given.seed, **total, "stale, lost or wrong": 0, "crashes": 0}
    results.write("Interleavings", "make campaign NAME=interleavings", said, time.monotonic() - start)


if __name__ == "__main__":
    main()
