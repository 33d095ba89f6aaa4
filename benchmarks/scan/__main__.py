"""``python -m benchmarks.scan``: how fast a tree of real files is scanned, by engine, cold and warm.

A run is cold with an empty cache and warm with the one that the run before it has left. The reports of all runs over
one tree must be equal, apart from times.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.synthesis.machine import describe

from .run import Figures, run
from .tree import build, part, sources

HERE = Path(__file__).parent
AIMS = {"cold": 180.0, "warm": 15.0, "megabytes": 1536}
"""Of the local engine over the whole tree on two quiet cores."""
HEAD = """
| engine | files | lines | jobs | run | s | files/s | lines/s | processor s | peak MB | failures | lost | findings |
""".strip()


def main() -> None:
    """Measure, print and write; exit code 1 if a file is lost, reports differ or an aim is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scan", description=__doc__)
    parser.add_argument("--corpus", type=Path, action="append", default=[], help="a directory of repositories")
    parser.add_argument("--engines", nargs="+", default=["local", "spark"], choices=["local", "spark"])
    parser.add_argument("--jobs", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--shares", nargs="+", type=int, default=[4, 2, 1], help="every so many-th file of the tree")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "scan.json")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), given)
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    raise SystemExit(bool(found["problems"]) and "\n".join(found["problems"]))


def measure(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    sizes = build(folder / "tree", given.corpus)
    print(", ".join(f"{n:,} files of {name}" for name, n in sizes.items()))
    print(f"{HEAD}\n|{' --- |' * (HEAD.count('|') - 1)}", flush=True)
    runs: list[dict[str, Any]] = []
    problems: list[str] = []
    for share in sorted(given.shares, reverse=True):
        tree = folder / f"part{share}"
        part(folder / "tree", tree, share)
        listed = list(sources(tree))
        lines = sum(path.read_bytes().count(b"\n") for path in listed)
        reports = set()
        for engine in given.engines:
            for jobs in given.jobs if share == min(given.shares) else given.jobs[-1:]:
                for name, figures in _cold_and_warm(folder, tree, engine, jobs, len(listed)):
                    reports.add(figures.report)
                    row = {"engine": engine, "jobs": jobs, "run": name, "lines": lines, **asdict(figures)}
                    del row["report"]
                    runs.append(row)
                    print(_row(row), flush=True)
                    problems += _problems(row, share == min(given.shares) and jobs == max(given.jobs))
        if len(reports) != 1:
            problems.append(f"{len(listed)} files: the reports differ")
    return {"machine": describe(), "tree": sizes, "runs": runs, "problems": problems}


def _cold_and_warm(folder: Path, tree: Path, engine: str, jobs: int, expected: int) -> list[tuple[str, Figures]]:
    cache = folder / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    return [(name, run(tree, cache, engine, jobs, expected)) for name in ("cold", "warm")]


def _row(row: dict[str, Any]) -> str:
    rates = [f"{row[k] / row['seconds']:,.0f}" for k in ("files", "lines")]
    cells = [row["engine"], f"{row['files']:,}", f"{row['lines']:,}", row["jobs"], row["run"], row["seconds"], *rates]
    cells += [row["processor_seconds"], row["megabytes"], row["failures"], row["lost"], row["findings"]]
    return f"| {' | '.join(map(str, cells))} |"


def _problems(row: dict[str, Any], whole: bool) -> list[str]:
    said = f"{row['engine']}, {row['jobs']} jobs, {row['run']}"
    found = [f"{said}: {row['lost']} files lost"] if row["lost"] else []
    if whole and row["engine"] == "local":
        if row["seconds"] > AIMS[row["run"]]:
            found.append(f"{said}: {row['seconds']} s, and the aim is {AIMS[row['run']]:g} s")
        if row["megabytes"] > AIMS["megabytes"]:
            found.append(f"{said}: {row['megabytes']} MB, and the aim is {AIMS['megabytes']:g} MB")
    return found


if __name__ == "__main__":
    main()
