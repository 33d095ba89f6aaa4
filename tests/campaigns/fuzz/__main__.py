"""``python -m tests.campaigns.fuzz``: a fuzzing campaign. Exit code 1 if anything was wrong."""

from __future__ import annotations

import argparse
import os
import platform
import time
from pathlib import Path

from .campaign import Progress, campaign, read, table
from .write import FAMILIES, write, write_flow, write_formulation, writer_of


def main() -> int:
    """Run it and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.fuzz", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the first one's seed; the others follow")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument(
        "--spark", type=int, default=0, metavar="N", help="also run N of the rewritten programs on Spark"
    )
    parser.add_argument("--log", type=Path, default=Path(".headwater/fuzz.jsonl"), help="where records are kept")
    parser.add_argument(
        "--family",
        choices=[*FAMILIES, "flow", "formulations", *(shape for shapes in FAMILIES.values() for shape in shapes)],
        help="programs that vary this, or of one shape of these; by default the boundary and its filter",
    )
    parser.add_argument("--resume", action="store_true", help="go on where the log ends")
    parser.add_argument("--report", action="store_true", help="only print the tables of the log")
    given = parser.parse_args()
    if given.report:
        print(table(read(given.log)))
        return 0
    if not given.resume:
        given.log.unlink(missing_ok=True)
    start, progress, records = time.monotonic(), Progress(given.programs), []
    others = {None: write, "flow": write_flow, "formulations": write_formulation}
    writer = others[given.family] if given.family in others else writer_of(given.family)
    for record in campaign(given.seed, given.programs, given.jobs, given.log, writer):
        progress.see(record)
        records.append(record)
    records.sort(key=lambda r: r.seed)
    last = given.seed + given.programs - 1
    print(f"\nSeeds {given.seed} to {last}, {os.cpu_count()} cores, Python {platform.python_version()},"
          f" {(time.monotonic() - start) / 60:.0f} minutes.\n")  # fmt: skip
    print(table(records))
    wrong = sum(1 for r in records if r.wrong)
    if given.spark:
        from .on_spark import replayed

        wrong += replayed(
            [r for r in records if r.original is not None][: given.spark], given.log.with_suffix(".spark.txt")
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
