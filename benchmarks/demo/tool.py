"""The command line of Headwater, called as a user calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


class ToolError(RuntimeError):
    """A command ended in a way that its documentation does not allow."""


def _run(*arguments: str | Path, allowed: tuple[int, ...]) -> str:
    command = [str(Path(sys.executable).with_name("headwater")), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in allowed:
        raise ToolError(
            f"`{' '.join(map(str, ['headwater', *arguments]))}` ended with {done.returncode}:\n{done.stderr}"
        )
    return done.stdout


def scan(folder: Path) -> dict[Path, list[dict[str, Any]]]:
    """File → its opportunities, as ``headwater scan --format json`` reports them."""
    report = json.loads(_run("scan", folder, "--format", "json", allowed=(0, 1)))
    return {Path(f["path"]).resolve(): f["opportunities"] for f in report["files"]}


def diff(path: Path) -> str:
    """What ``headwater fix`` would change."""
    return _run("fix", path, "--diff", allowed=(0, 1))


def fix(path: Path) -> None:
    """Rewrites the file in place."""
    _run("fix", path, allowed=(0, 1))


def verify(certificates: list[str]) -> bool:
    """Whether every certificate could be proved again."""
    try:
        _run("verify", *certificates, allowed=(0,))
    except ToolError:
        return False
    return True
