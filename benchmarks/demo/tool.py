"""The command line of Headwater, called as a user calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

TIMEOUT = ("--timeout", "120")
"""Wall-clock limit per filter: ample, so a busy machine costs no finding; the same in every call, for the cache."""


class ToolError(RuntimeError):
    """A command ended in a way that its documentation does not allow."""


def _run(*arguments: str | Path, allowed: tuple[int, ...]) -> str:
    command = [str(Path(sys.executable).with_name("headwater")), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in allowed:
        shown = " ".join(map(str, ["headwater", *arguments]))
        raise ToolError(f"`{shown}` ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def scan(folder: Path) -> dict[Path, list[dict[str, Any]]]:
    """File → its opportunities, as ``headwater scan --format json`` reports them."""
    found = json.loads(report(folder))
    return {Path(f["path"]).resolve(): f["opportunities"] for f in found["files"]}


def report(path: Path, *more: str) -> str:
    """The JSON report of a file or a folder."""
    return _run("scan", path, "--format", "json", *more, *TIMEOUT, allowed=(0, 1))


def diff(path: Path) -> str:
    """What ``headwater fix`` would change."""
    here = Path.cwd()
    return _run(
        "fix", path.relative_to(here) if path.is_relative_to(here) else path, "--diff", *TIMEOUT, allowed=(0, 1)
    )


def fix(path: Path, *more: str) -> None:
    """Rewrites the file, or the files of a folder, in place."""
    _run("fix", path, *more, *TIMEOUT, allowed=(0, 1))


def verify(certificates: list[str]) -> str | None:
    """None if every certificate was proved again, else what ``headwater verify`` said."""
    if not certificates:
        return "no certificate was written"
    try:
        _run("verify", *certificates, allowed=(0,))
    except ToolError as error:
        return str(error)
    return None
