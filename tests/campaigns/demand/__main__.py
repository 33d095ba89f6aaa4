"""``python -m tests.campaigns.demand``: programs whose driver code looks at rows, before and after. Exit code 1 if
anything was wrong."""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import os
import platform
import time
from collections import Counter
from functools import partial
from typing import Any

from tests.replay import Run, campaign_session, results
from tests.results import Failed

from .judge import Judged, judged
from .write import PARTS, tables


def main() -> int:
    """Run it and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.demand", description=__doc__)
    parser.add_argument("--programs", type=int, default=3000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the first one's seed; the others follow")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--spark", type=int, default=0, metavar="N", help="run N rewritten programs on Spark too")
    parser.add_argument("--only", default="", choices=["", *PARTS], help="programs that are made of these alone")
    given = parser.parse_args()
    start, found = time.monotonic(), list[Judged]()
    with multiprocessing.get_context("spawn").Pool(given.jobs, maxtasksperchild=400) as pool:
        for one in pool.imap_unordered(
            partial(judged, only=given.only), range(given.seed, given.seed + given.programs), 20
        ):
            found.append(one)
            if one.wrong:
                print(f"WRONG seed {one.program.seed}: {one.wrong}\n{one.program.source}\n{one.text}", flush=True)
    found.sort(key=lambda j: j.program.seed)
    codes = sum((j.codes for j in found), Counter[str]())
    rewritten = [j for j in found if j.text is not None]
    wrong = sum(1 for j in found if j.wrong)
    print(f"Seeds {given.seed} to {given.seed + given.programs - 1}, {os.cpu_count()} cores, Python"
          f" {platform.python_version()}, {(time.monotonic() - start) / 60:.0f} minutes.")  # fmt: skip
    print(f"{len(rewritten)} of {len(found)} programs rewritten; findings: {dict(sorted(codes.items()))}")
    print(f"{sum(j.compared for j in found)} tables on CPython, {sum(j.raised for j in found)} more on which the"
          f" original raised; wrong: {wrong}")  # fmt: skip
    if given.spark:
        wrong += _on_spark(rewritten[: given.spark])
    return 1 if wrong else 0


def _on_spark(found: list[Judged]) -> int:
    """How many programs give another result on Spark."""
    wrong = compared = 0
    with campaign_session() as spark:
        for one in found:
            assert one.text is not None
            for rows in tables(one.program, 4)[1:3]:
                runs = [Run(text, {"t": one.program.ddl}, {"t": rows}) for text in (one.program.source, one.text)]
                before, after = map(_shown, results(spark, runs, alone=True))
                if isinstance(before, Failed):
                    continue
                compared += 1
                if before != after and not (_KEEPS_ONE in one.program.source and _bags(before) == _bags(after)):
                    wrong += 1
                    print(
                        f"WRONG on Spark, seed {one.program.seed}, {rows}: {before} is {after}\n{one.text}", flush=True
                    )
                    break
    print(f"On Spark: {len(found)} programs, {compared} tables; wrong: {wrong}")
    return wrong


def _shown(found: Counter[Any] | Failed) -> Counter[Any] | Failed:
    """``found`` without the signs of zeros in texts of rows: ``distinct`` shows 0.0, unless Spark sees that the rows
    are distinct already, which a filter below may let it see (`docs/limitations.md`)."""
    if isinstance(found, Failed):
        return found
    return Counter({tuple((cell[0], cell[1].replace("-0.0", "0.0")) for cell in row): n for row, n in found.items()})


_KEEPS_ONE = ".dropDuplicates(["
"""Its rows come in the order of a sort or of a hash table, as the types of the columns that it keeps have it."""


def _bags(found: Counter[Any] | Failed) -> object:
    """``found`` without the order of what lists hold."""
    if isinstance(found, Failed):
        return found
    return Counter({tuple(str(_sorted(ast.literal_eval(cell[1]))) for cell in row): n for row, n in found.items()})


def _sorted(value: object) -> object:
    return tuple(sorted(map(_sorted, value), key=repr)) if isinstance(value, tuple) else value


if __name__ == "__main__":
    raise SystemExit(main())
