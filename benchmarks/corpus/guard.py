"""Proof that analysing runs nothing: an audit hook that notes what an analyser has no business to do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_NEVER = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect", "socket.bind")


def watch(root: Path) -> list[str]:
    """The list that every later breach in this process is added to: code of ``root`` run or imported, a process
    started, a connection made, a file opened for writing."""
    breaches: list[str] = []
    prefix = str(root)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "exec":
            if str(getattr(arguments[0], "co_filename", "")).startswith(prefix):
                breaches.append(f"ran {arguments[0].co_filename}")
        elif event == "open":
            path, mode, _ = arguments
            if isinstance(mode, str) and set(mode) & set("wax+") and not str(path).startswith(("/dev/", "/proc/")):
                breaches.append(f"opened {path} for writing")
        elif event in _NEVER:
            breaches.append(event)

    sys.addaudithook(hook)
    return breaches
