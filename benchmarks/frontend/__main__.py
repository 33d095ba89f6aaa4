"""Time and memory of the front end, cold and after edits; writes ``results/frontend.json`` and ``.md``."""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.synthesis.machine import describe

from headwater.engine.workers.worker import YOUNG, tidy
from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import SourceError, read_module

from .edits import inside_function
from .programs import file_of

HERE = Path(__file__).parent
_MOST_KB = 300 * 1024
_COLUMNS = (
    "files", "number", "lines", "filters", "cold p50", "cold p95", "opened p95", "edits", "after p50", "after p95",
    "after max",
)  # fmt: skip


def main(arguments: list[str]) -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="benchmarks.frontend", description=__doc__)
    parser.add_argument("--files", type=int, default=12, help="generated files of each size")
    parser.add_argument("--edits", type=int, default=20, help="edits of each file")
    parser.add_argument("--corpus", type=Path, help="a directory of real repositories, of which numbers only are kept")
    parser.add_argument("--memory", type=int, metavar="LINES", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.memory:
        print(json.dumps(_memory(file_of(options.memory))))
        return 0
    rows = {
        f"generated, {lines:,} lines": _measured((file_of(lines, seed) for seed in range(files)), options.edits)
        for lines, files in ((1_000, options.files), (12_000, 1))
    }
    if options.corpus:
        rows["real, 800 to 1,200 lines"] = _measured(_real(options.corpus, 800, 1_200), options.edits)
        rows["real, more than 5,000 lines"] = _measured(_real(options.corpus, 5_000, 10**6), options.edits)
    found = {"machine": describe(), "rows": rows, "memory": _memory_in_new_process(12_000)}
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results/frontend.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    (HERE / "results/frontend.md").write_text(_table(found), encoding="utf-8")
    print(_table(found))
    return 0


def _measured(sources: Iterator[str], edits: int) -> dict[str, Any]:
    """Processor time in ms, without the first file, which loads the code."""
    gc.set_threshold(YOUNG, 10, 10)
    read_module(file_of(300, seed=99))
    cold, opened, after, filters, lines = [], [], [], [], []
    for number, source in enumerate(sources):
        module, seconds = _timed(read_module, source)
        if module is None:
            continue
        document = Document()
        cold.append(seconds)
        opened.append(_timed(document.read, source)[1])
        tidy()
        filters.append(len(module.filters))
        lines.append(source.count("\n") + 1)
        after += _edited(document, source, edits, number)
    return {
        "files": len(cold),
        "lines": round(statistics.median(lines)),
        "filters": round(statistics.median(filters)),
        "cold": _quantiles(cold),
        "opened": _quantiles(opened),
        "edits": len(after),
        "after_edit": _quantiles(after),
    }


def _edited(document: Document, source: str, edits: int, seed: int) -> list[float]:
    """The times after edits inside functions, each made and taken back."""
    chance = random.Random(seed)
    found = []
    for _ in range(edits):
        edited = inside_function(source, chance)
        for text in (edited, source) if edited else ():
            module, seconds = _timed(document.read, text)
            gc.collect(0)
            if module is not None:
                found.append(seconds)
    return found


def _timed(read: Callable[[str], Any], source: str) -> tuple[Any, float]:
    start = time.process_time()
    try:
        found = read(source)
    except SourceError:
        found = None
    return found, time.process_time() - start


def _quantiles(seconds: list[float]) -> dict[str, float]:
    if not seconds:
        return {}
    ordered = sorted(seconds)
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {k: round(1000 * ordered[min(int(q * len(ordered)), len(ordered) - 1)], 1) for k, q in at.items()}


def _real(root: Path, least: int, most: int) -> Iterator[str]:
    """The files below ``root`` that name Spark, of so many lines."""
    for path in sorted(root.rglob("*.py")):
        try:
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
        except (OSError, UnicodeDecodeError):
            continue
        if least <= text.count("\n") <= most and "spark" in text.lower():
            yield text


def _memory(source: str) -> dict[str, int]:
    """The most memory of a process that opens ``source`` and edits it ten times, and of one that has only begun."""
    start = _most_kb()
    document, chance = Document(), random.Random(0)
    document.read(source)
    for _ in range(10):
        edited = inside_function(source, chance)
        if edited and _timed(document.read, edited)[0] is not None:
            document.read(source)
    return {"before_kb": start, "most_kb": _most_kb()}


def _most_kb() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


def _memory_in_new_process(lines: int) -> dict[str, int]:
    command = [sys.executable, "-m", "benchmarks.frontend", "--memory", str(lines)]
    done = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def _table(found: dict[str, Any]) -> str:
    machine, memory = found["machine"], found["memory"]
    lines = [
        "# The front end's time and memory",
        "",
        f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}; "
        f"load {machine['load'][0]} when it ended; revision {machine['revision']}, {machine['date']}.",
        "Processor time in ms, which a busy machine lengthens as well; see [README](../README.md).",
        "",
        f"| {' | '.join(_COLUMNS)} |",
        f"|{' --- |' * len(_COLUMNS)}",
    ]
    for name, row in found["rows"].items():
        cold, opened, after = row["cold"], row["opened"], row["after_edit"]
        cells = [
            name,
            row["files"],
            row["lines"],
            row["filters"],
            cold["p50"],
            cold["p95"],
            opened["p95"],
            row["edits"],
        ]
        lines.append(f"| {' | '.join(map(str, [*cells, after.get('p50'), after.get('p95'), after.get('max')]))} |")
    lines += [
        "",
        f"Most memory with 12,000 generated lines open and edited: {memory['most_kb'] // 1024} MB "
        f"({memory['before_kb'] // 1024} MB before; the aim is {_MOST_KB // 1024}).",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
