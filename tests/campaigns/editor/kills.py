"""``python -m tests.campaigns.editor.kills``: servers and workers killed in the middle of proofs, again and again.

After the server is killed no process of it is left, and the next server, on the same cache, answers. After a worker is
killed the next request works. Writes ``RESULTS.md`` beside this file.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import tempfile
import time
from pathlib import Path

from tests.lsp.editor import Editor
from tests.lsp.processes import alive, children
from tests.lsp.programs import BEST, TWO


async def kill_server(root: Path, chance: random.Random) -> float:
    """How long processes outlive a server that is killed somewhere in the middle of its work, in seconds."""
    e = Editor(root, root / "cache")
    await e.start()
    for i in range(3):
        e.save(e.open(f"job{i}.py", TWO.format(chance.randrange(10**6), i)))
    await e.until(lambda: any(s.state == "proving" for s in e.status))
    await asyncio.sleep(chance.random())
    below = children(e.process)
    assert below
    os.kill(e.process, signal.SIGKILL)
    start = time.monotonic()
    while alive(below) and time.monotonic() < start + 30:
        await asyncio.sleep(0.01)
    took = time.monotonic() - start
    assert not alive(below)
    e.client._stop_event.set()
    with contextlib.suppress(Exception):
        await e.client.stop()
    return took


async def kill_workers(root: Path, chance: random.Random, times: int) -> int:
    """Kill a worker ``times`` times, each time at work; how many were killed. The next request must work."""
    e = Editor(root, root / "cache")
    await e.start()
    uri = e.open("job.py", BEST.format(0))
    killed = 0
    for _ in range(times):
        e.change(uri, BEST.format(chance.randrange(10**6)))
        e.save(uri)
        await asyncio.sleep(chance.random() / 2)
        for pid in children(e.process):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed += 1
        e.change(uri, BEST.format(chance.randrange(10**6)))
        e.save(uri)
        await e.published(uri, "HW101")
    await e.stop()
    return killed


def main() -> None:
    """Kill, count, write."""
    from tests.lsp import editor

    from . import results

    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.editor.kills", description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    editor.SECONDS = 120
    chance, start = random.Random(given.seed), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        took = sorted(asyncio.run(kill_server(Path(folder), chance)) for _ in range(given.rounds))
        killed = asyncio.run(kill_workers(Path(folder), chance, given.rounds))
    said = {
        "seed": given.seed,
        "servers killed": len(took),
        "seconds until no process was left, median": round(took[len(took) // 2], 2),
        "the longest of them": round(took[-1], 2),
        "workers killed": killed,
        "requests after them that were not answered": 0,
    }
    results.write(
        "Killed processes",
        f"python -m tests.campaigns.editor.kills --rounds {given.rounds}",
        said,
        time.monotonic() - start,
    )


if __name__ == "__main__":
    main()
