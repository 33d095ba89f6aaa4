"""One run of ``headwater scan`` as a user starts it, and what it took."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

EVERY = 0.1
"""Seconds between two looks at the memory."""


@dataclass(frozen=True)
class Figures:
    """``processor_seconds``: of all processes, as last seen. ``megabytes``: the most that they held at one time, what
    they share counted once for each."""

    seconds: float
    processor_seconds: float
    megabytes: int
    files: int
    lost: int
    failures: int
    findings: int
    report: str


def run(tree: Path, cache: Path, engine: str, jobs: int, expected: int, *more: str) -> Figures:
    """Scan ``tree``, which holds ``expected`` files."""
    output = cache.parent / "report.json"
    output.unlink(missing_ok=True)
    where = ["--engine", "spark", "--master", f"local[{jobs}]"] if engine == "spark" else ["--jobs", str(jobs)]
    code = "from headwater.cli import main; main()"
    command = [sys.executable, "-c", code, "scan", ".", "--format", "json", "--output", str(output), *where, *more]
    environment = {**os.environ, "HEADWATER_CACHE_DIR": str(cache), "PYSPARK_PYTHON": sys.executable}
    start, peak = time.perf_counter(), 0
    ticks: dict[int, int] = {}
    with subprocess.Popen(command, cwd=tree, env=environment, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            family = list(_family(process.pid))
            peak = max(peak, sum(map(_resident, family)))
            ticks |= {pid: max(ticks.get(pid, 0), _ticks(pid)) for pid in family}
            time.sleep(EVERY)
    seconds = time.perf_counter() - start
    if process.returncode not in (0, 1, 2):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    document = json.loads(output.read_text())
    for file in document["files"]:
        for opportunity in file["opportunities"]:
            opportunity.pop("ms")
            for condition in opportunity["conditions"]:
                condition.pop("ms")
            opportunity.pop("certificate")
    return Figures(
        seconds=round(seconds, 2),
        processor_seconds=round(sum(ticks.values()) / os.sysconf("SC_CLK_TCK"), 1),
        megabytes=peak >> 20,
        files=len(document["files"]),
        lost=expected - len({f["path"] for f in document["files"]}),
        failures=sum(f["error"] is not None for f in document["files"]),
        findings=document["summary"]["opportunities"],
        report=json.dumps(document["files"]),
    )


def _family(pid: int) -> Iterator[int]:
    yield pid
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))
    except OSError:
        return


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    except (OSError, IndexError):
        return 0


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0
