"""The processes below a process, as Linux tells of them."""

from __future__ import annotations

import contextlib
from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes below ``pid``."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                    found += [int(entry.name), *children(int(entry.name))]
    return found


def alive(pids: list[int]) -> list[int]:
    """Those that still run."""
    found = []
    for pid in pids:
        with contextlib.suppress(OSError):
            if (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.append(pid)
    return found
