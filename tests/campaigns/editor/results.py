"""``RESULTS.md``: what the long runs counted, one section each."""

from __future__ import annotations

import datetime as dt
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from benchmarks.synthesis.machine import describe

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
HEAD = "# Long runs of the language server\n\nWritten by the commands that they name.\n"


def write(title: str, command: str, counts: Mapping[str, object], seconds: float) -> None:
    """Replace the section ``title``."""
    machine = describe()
    revision = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True)
    rows = "".join(f"| {name} | {value} |\n" for name, value in counts.items())
    section = (
        f"## {title}\n\n`{command}`, {dt.date.today()}, revision {revision.stdout.strip()}, "
        f"{seconds / 60:.0f} minutes, {machine['cores']} cores ({machine['cpu']}), "
        f"Python {machine['python']}, Z3 {machine['z3']}.\n\n"
        f"| | |\n|---|---|\n{rows}"
    )
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else HEAD
    old = re.compile(rf"\n## {re.escape(title)}\n.*?(?=\n## |\Z)", re.DOTALL)
    text = old.sub("", text).rstrip("\n") + "\n\n" + section
    RESULTS.write_text(text, encoding="utf-8")
