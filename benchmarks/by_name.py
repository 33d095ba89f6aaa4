"""Programs that one command runs by name: ``make bench NAME=…`` and ``make campaign NAME=…``."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Program:
    """What it does, and the commands that do it, one after the other: a module of this repository or a file of it, with
    arguments. The user's arguments are added to the last one."""

    what: str
    commands: tuple[tuple[str, ...], ...]
    environment: Mapping[str, str] = field(default_factory=dict)


def run(kind: str, programs: Mapping[str, Program], arguments: Sequence[str]) -> int:
    """The exit code of the program that ``arguments`` begin with. Without one, or with one that is not there, prints
    which there are."""
    name, *rest = arguments or [""]
    program = programs.get(name)
    if program is None:
        if name:
            print(f"no {kind} is called {name!r}", file=sys.stderr)
        width = max(map(len, programs))
        for known, found in programs.items():
            print(f"make {kind} NAME={known:{width}}  {found.what}")
        return 2 if name else 0
    for i, (target, *given) in enumerate(program.commands):
        start = [str(ROOT / target)] if "/" in target else [sys.executable, "-m", target]
        added = rest if i == len(program.commands) - 1 else []
        code = subprocess.call([*start, *given, *added], cwd=ROOT, env=os.environ | program.environment)
        if code:
            return code
    return 0
