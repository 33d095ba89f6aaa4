"""``python -m benchmarks.lsp``: a recorded editing session on large files, against a real server.

Times are from the message that the editor sends to the one that it gets, in milliseconds: a keystroke to the
diagnostics of that very text, hover and quick fixes while every worker proves.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.frontend.programs import file_of
from benchmarks.synthesis.machine import describe
from lsprotocol import types
from tests.lsp.editor import Editor

HERE = Path(__file__).parent
SIZES = (500, 2000)
KEYS = "    limit_x = 12"
"""What is typed, a key at a time, inside of functions."""


def percentiles(times: list[float]) -> dict[str, float]:
    """Median, 95th percentile and maximum in milliseconds."""
    ordered = sorted(times)
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {name: round(1000 * ordered[min(len(ordered) - 1, int(q * len(ordered)))], 1) for name, q in at.items()}


def memory(pid: int) -> float:
    """Resident megabytes of a process by itself."""
    line = next(li for li in Path(f"/proc/{pid}/status").read_text().splitlines() if li.startswith("VmRSS"))
    return round(int(line.split()[1]) / 1024, 1)


def cpu(pid: int) -> float:
    """Seconds of processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def fresh(e: Editor, uri: str) -> None:
    """Wait for the diagnostics of the current version."""
    version = e.versions[uri]

    def there() -> bool:
        found = e.diagnostics.get(uri)
        return found is not None and found.version == version and not any(d.data["stale"] for d in found.diagnostics)

    await e.until(there)


async def typing(e: Editor, uri: str, text: str, rounds: int) -> tuple[str, list[float]]:
    """Type a line into one function after another; each key waits for its diagnostics."""
    times = []
    for turn in range(rounds):
        lines = text.split("\n")
        heads = [i for i, line in enumerate(lines) if line.startswith("def ") and line.endswith(":")]
        at = heads[turn * 7 % len(heads)] + 1
        for n, key in enumerate("\n" + KEYS):
            place = types.Position(at, max(0, n - 1))
            lines = [*lines[:at], "", *lines[at:]] if key == "\n" else [*lines[:at], lines[at] + key, *lines[at + 1 :]]
            text = "\n".join(lines)
            change = types.TextDocumentContentChangePartial(types.Range(place, place), key)
            start = time.perf_counter()
            e.edit(uri, text, [change])
            if _parses(text):
                await fresh(e, uri)
                times.append(time.perf_counter() - start)
            else:
                await asyncio.sleep(0.02)
    return text, times


def _parses(text: str) -> bool:
    import ast

    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


async def asking(e: Editor, uri: str, rounds: int) -> dict[str, list[float]]:
    """Hover and quick fixes of what is shown, while proofs are under way elsewhere."""
    times: dict[str, list[float]] = {"hover": [], "quick fixes": [], "resolve": []}
    named = types.TextDocumentIdentifier(uri)
    for turn in range(rounds):
        shown = e.diagnostics[uri].diagnostics
        assert shown, "nothing to ask about: something in the file concerns all of it"
        d = shown[turn % len(shown)]
        start = time.perf_counter()
        await e.client.text_document_hover_async(types.HoverParams(named, d.range.start))
        times["hover"].append(time.perf_counter() - start)
        start = time.perf_counter()
        actions = await e.actions(uri, d)
        times["quick fixes"].append(time.perf_counter() - start)
        for action in actions[:1]:
            start = time.perf_counter()
            await e.resolved(action)
            times["resolve"].append(time.perf_counter() - start)
        await asyncio.sleep(0.01)
    return times


async def measure(rounds: int) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        e = Editor(root, root / "cache", {"timeoutSeconds": 5})
        start = time.perf_counter()
        await e.start()
        gc.disable()  # the pauses of the editor that measures are not those of the server
        found: dict[str, Any] = {"initialize": round(1000 * (time.perf_counter() - start), 1)}
        for size in SIZES:
            text = file_of(size, 1)
            uri = e.open(f"job{size}.py", text)
            start = time.perf_counter()
            await fresh(e, uri)
            opened = round(1000 * (time.perf_counter() - start), 1)
            text, times = await typing(e, uri, text, rounds)
            found[f"{size} lines"] = {"opening": opened, "keystroke": percentiles(times), "keys": len(times)}
        busy = [e.open(f"busy{i}.py", file_of(1000, 10 + i)) for i in range(4)]
        for other in busy:
            e.save(other)
        await e.until(lambda: e.status and e.status[-1].state == "proving")
        asked = await asking(e, uri, 10 * rounds)
        found["while proving"] = {name: percentiles(times) for name, times in asked.items()}
        found["still proving at the end"] = e.status[-1].state == "proving"
        found["server megabytes"] = memory(e.process)
        for other in busy:
            e.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(other)))
        await e.idle()
        before = cpu(e.process)
        await asyncio.sleep(10)
        found["processor seconds in 10 s of idling"] = round(cpu(e.process) - before, 3)
        await e.stop()
    return found


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lsp", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="lines typed into each file")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "lsp.json")
    given = parser.parse_args()
    found = {"machine": describe(), **asyncio.run(measure(given.rounds))}
    text = json.dumps(found, indent=2) + "\n"
    print(text)
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
