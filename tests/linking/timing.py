"""How long an edit of one file takes to change what an editor shows of another: ``python -m tests.linking.timing``.

In the project of ``test_workspace``, in a server that an editor starts. Every other edit sets a constant that none has
set before, of which nothing is proved yet; those between set it back.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from tests.lsp.editor import Editor

from .test_workspace import SOURCE

EDITS = 15
DEPENDENT, EDITED = "jobs/daily.py", ("shared/limits.py", "LARGE = 100")


async def measured(workspace: Path, cache: Path) -> list[float]:
    """Seconds from each edit to the diagnostics that it makes of the other file."""
    Editor.warm = False
    editor, seconds = Editor(workspace, cache), []
    await editor.start()
    name, constant = EDITED
    texts = {n: (workspace / n).read_text(encoding="utf-8") for n in (DEPENDENT, name)}
    job, limits = (editor.open(n, text) for n, text in texts.items())
    editor.save(job)
    await editor.published(job, "HW101", "HW101")
    for n in range(EDITS):
        for value, code in ((200 + n, "HW190"), (100, "HW101")):
            await editor.settled(job)
            start = time.perf_counter()
            editor.change(limits, texts[name].replace(constant, f"LARGE = {value}"))
            await editor.published(job, "HW101", code)
            seconds.append(time.perf_counter() - start)
    await editor.stop()
    return seconds


def main() -> None:
    """Print the times."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(shutil.copytree(SOURCE, Path(folder) / "workspace"))
        seconds = asyncio.run(measured(workspace, Path(folder) / "cache"))
    print(f"{len([*SOURCE.rglob('*.py')])} files, {len(seconds)} edits of {EDITED[0]}, until {DEPENDENT} shows them:")
    print(f"median {statistics.median(seconds):.2f} s, most {max(seconds):.2f} s")


if __name__ == "__main__":
    main()
