"""What the figures were measured on."""

from __future__ import annotations

import datetime as dt
import os
import platform
import re
import subprocess
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def describe() -> dict[str, Any]:
    """Machine, versions, revision and date."""
    return {
        "cpu": _first(Path("/proc/cpuinfo"), r"model name\s*:\s*(.+)") or platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(int(_first(Path("/proc/meminfo"), r"MemTotal:\s*(\d+)") or 0) / 2**20, 1),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "z3": version("z3-solver"),
        "cvc5": version("cvc5"),
        "revision": _git("rev-parse", "--short", "HEAD"),
        "changed_since": bool(_git("status", "--porcelain", "--untracked-files=no", "--", "server", "shared_ir")),
        "date": dt.datetime.now(dt.timezone.utc).date().isoformat(),
        "load": [round(x, 2) for x in os.getloadavg()],
    }


def others(seconds: float = 2.0) -> float:
    """How many processors other work takes, measured while this process waits. The load that the system names is an
    average of some minutes, in which the run before may have been."""

    def taken() -> int:
        of_all = Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()[1:9]
        user, nice, system, _, _, irq, soft, steal = map(int, of_all)
        return user + nice + system + irq + soft + steal

    before = taken()
    time.sleep(seconds)
    return round((taken() - before) / os.sysconf("SC_CLK_TCK") / seconds, 2)


def _first(path: Path, pattern: str) -> str | None:
    try:
        found = re.search(pattern, path.read_text(encoding="utf-8"))
    except OSError:
        return None
    return found[1].strip() if found else None


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()
