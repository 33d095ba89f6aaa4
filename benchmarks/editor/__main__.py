"""``python -m benchmarks.editor``: the processor time of the quick check after edits of large files.

With ``--against`` the same edits are checked by the product of another working tree as well, one after the other, so
that both meet the machine in the same state.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.frontend.programs import ROOT
from benchmarks.synthesis.machine import describe

from .edits import EDITS
from .files import SORTS

HERE = Path(__file__).parent
LINES = {"module": 1_000}
"""Of files of these sorts; all others have 2,000."""


def main() -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.editor", description=__doc__)
    parser.add_argument("--edits", type=int, default=10, help="edits of each kind, each made and taken back")
    parser.add_argument("--against", type=Path, help="another working tree, whose product is measured beside this one")
    parser.add_argument("--only", choices=SORTS, help="files of one sort")
    parser.add_argument("--files", type=Path, help="instead: the files, each larger than 1,500 lines, below a folder")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(_measured(given.measure, given.edits)))
        return 0
    trees = {"before": given.against, "now": ROOT} if given.against else {"now": ROOT}
    if given.files:
        print(_table_of_files({name: _of_files(tree, given.files, given.edits) for name, tree in trees.items()}))
        return 0
    sorts = [given.only] if given.only else list(SORTS)
    rows = {sort: {name: _in_new_process(tree, sort, given.edits) for name, tree in trees.items()} for sort in sorts}
    text = _table(rows)
    print(text)
    if not given.only:
        (HERE / "results").mkdir(exist_ok=True)
        (HERE / "results/editor.md").write_text(text, encoding="utf-8")
    return 0


def _in_new_process(tree: Path, sort: str, edits: int) -> dict[str, Any]:
    path = os.pathsep.join(str(p) for p in (tree / "server", tree / "shared_ir", ROOT))
    command = [sys.executable, "-m", "benchmarks.editor", "--measure", sort, "--edits", str(edits)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _measured(sort: str, edits: int) -> dict[str, Any]:
    """Milliseconds of processor time: to open a file, and after each kind of edit."""
    from headwater.engine.analysis.options import Options
    from headwater.engine.documents import on_demand
    from headwater.engine.workers.worker import YOUNG, tidy

    gc.set_threshold(YOUNG, 10, 10)
    on_demand.warm()
    source = SORTS[sort](LINES.get(sort, 2_000)) if sort in SORTS else Path(sort).read_text(encoding="utf-8")
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as verdicts:

        def looked(text: str) -> tuple[float, Any]:
            start = time.process_time()
            report = on_demand.look("measured.py", text, Options(), Path(verdicts)).report
            return 1000 * (time.process_time() - start), report

        opened, report = looked(source)
        assert report.error is None
        assert report.opportunities or sort not in SORTS
        tidy()
        times: dict[str, list[float]] = {}
        for kind, edit in EDITS.items():
            for edited in (edit(source, chance) for _ in range(edits)):
                for text in (edited, source) if edited is not None and _parses(edited) else ():
                    times.setdefault(kind, []).append(looked(text)[0])
                    gc.collect(0)
    return {
        "lines": source.count("\n"),
        "found": len(report.opportunities),
        "filters": report.filters,
        "opened": round(opened),
        "times": times,
        "all": _quantiles([t for found in times.values() for t in found]),
        **{kind: _quantiles(found) for kind, found in times.items()},
    }


def _of_files(tree: Path, folder: Path, edits: int) -> dict[str, dict[str, Any]]:
    """What is measured of the files below ``folder`` that speak of Spark, have 1,500 to 2,500 lines and parse."""
    found = {}
    for path in sorted(p for p in folder.rglob("*.py") if p.is_file()):
        text = path.read_bytes().decode("utf-8", "replace")
        if 1_500 <= text.count("\n") <= 2_500 and "spark" in text.lower() and "\ufffd" not in text:
            try:
                found[str(path.relative_to(folder))] = _in_new_process(tree, str(path), edits)
            except subprocess.CalledProcessError:  # does not parse
                continue
    return found


def _table_of_files(found: dict[str, dict[str, dict[str, Any]]]) -> str:
    """The files in which an edit takes longest, and all together."""
    machine = describe()
    lines = [
        f"{machine['cpu']}, Python {machine['python']}; load {machine['load'][0]} when it ended; revision "
        f"{machine['revision']}, {machine['date']}. Milliseconds of processor time, median and 95th percentile.",
        "",
        "| product | file | lines | filters | all | " + " | ".join(EDITS) + " |",
        f"|{' --- |' * (5 + len(EDITS))}",
    ]
    for name, files in found.items():
        times = {kind: [t for row in files.values() for t in row["times"].get(kind, ())] for kind in EDITS}
        every = [t for of in times.values() for t in of]
        of_all = {"all": _quantiles(every), **{kind: _quantiles(of) for kind, of in times.items() if of}}
        rows = [(f"{len(files)} files, {len(every)} edits", "", "", of_all)]
        slowest = sorted(files.items(), key=lambda item: -item[1]["all"][1])[:8]
        rows += [(path, row["lines"], row["filters"], row) for path, row in slowest]
        for label, number, filters, row in rows:
            cells = [" / ".join(map(str, row[kind])) if kind in row else "" for kind in ("all", *EDITS)]
            lines.append(f"| {name} | {label} | {number} | {filters} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _quantiles(times: list[float]) -> list[int]:
    """The median and the 95th percentile."""
    ordered = sorted(times)
    return [round(ordered[min(len(ordered) - 1, int(q * len(ordered)))]) for q in (0.5, 0.95)]


def _table(rows: dict[str, dict[str, dict[str, Any]]]) -> str:
    machine = describe()
    columns = ("file", "lines", "filters", "found", "product", "opened", "all", *EDITS)
    lines = [
        "# The quick check after an edit",
        "",
        f"Milliseconds of processor time, median and 95th percentile. {machine['cpu']}, Python {machine['python']}; "
        f"load {machine['load'][0]} when it ended; revision {machine['revision']}, {machine['date']}.",
        "",
        f"| {' | '.join(columns)} |",
        f"|{' --- |' * len(columns)}",
    ]
    for sort, found in rows.items():
        for name, row in found.items():
            times = [" / ".join(map(str, row[kind])) if kind in row else "" for kind in ("all", *EDITS)]
            cells = [sort, row["lines"], row["filters"], row["found"], name, row["opened"], *times]
            lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
