"""``make campaign NAME=exhaustive``: plans of depth up to two against the reference, a sample of them on Spark.

    python -m tests.campaigns.exhaustive [--first 1] [--share 24] [--spark 600] [--jobs 2] [--output FILE]

Depth one is whole unless ``--first`` says otherwise; ``--share 1`` takes every predicate over every plan of depth two
as well, a matter of hours.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path

from .judge import Judge, Memory, Tally
from .programs import Plan, portion
from .sample import on_spark

Work = list[tuple[Plan, list[str]]]


def main() -> int:
    """Exit code 1 if a proved rewrite is wrong, or Spark and the reference differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.exhaustive")
    parser.add_argument("--share", type=int, default=24, help="every how many-th predicate of depth two")
    parser.add_argument("--first", type=int, default=1, help="every how many-th predicate of depth one")
    parser.add_argument("--spark", type=int, default=600, help="programs to run on Spark")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--output", type=Path, help="write all wrong results and missed chances here, as JSON")
    given = parser.parse_args()
    start = time.time()
    tally = Tally()
    work = [*portion(0, 1), *portion(1, given.first), *portion(2, given.share)]
    # Plans with one upper operator ask for many equal proofs: they go to one process.
    work.sort(key=lambda w: (w[0].operators[-1].name if w[0].operators else "", w[0].name))
    size = max(1, len(work) // (given.jobs * 20))
    with ProcessPoolExecutor(given.jobs) as pool:
        for number, part in enumerate(pool.map(_judged, [work[i : i + size] for i in range(0, len(work), size)]), 1):
            tally.add(part)
            if sys.stderr.isatty():
                print(f"\r{min(number * size, len(work))} of {len(work)} plans", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    report(tally, time.time() - start)
    if given.output:
        found = {"wrong": [repr(w) for w in tally.wrong], "missed": [asdict(m) for m in tally.missed]}
        given.output.write_text(json.dumps(found, indent=1), encoding="utf-8")
    differences = on_spark(given.spark) if given.spark else []
    print("\n".join(differences))
    return 1 if tally.wrong or differences else 0


_judge: list[Judge] = []


def _judged(part: Work) -> Tally:
    if not _judge:
        _judge.append(Judge(Memory()))
    tally = Tally()
    before = _judge[0].prover
    assert isinstance(before, Memory)
    solved = len(before.answers)
    for plan, conditions in part:
        tally.add(_judge[0].judge(plan, conditions))
    tally.problems = len(before.answers) - solved
    return tally


def report(tally: Tally, seconds: float) -> None:
    """The sizes, and everything that is wrong."""
    print(
        f"{tally.plans} plans, {tally.predicates} filters over them, {tally.problems} fold problems, "
        f"{tally.tables} runs on a table, {seconds:.0f} s"
    )
    for word, count in tally.words.most_common():
        print(f"  {count:7} {word}")
    chances = [m for m in tally.missed if not m.never]
    print(f"  {len(tally.missed) - len(chances):7} not proved to be never true")
    print(f"  {len(chances):7} missed chances")
    for plan, count in Counter(m.plan for m in chances).most_common():
        print(f"          {count:5} {plan}")
    print(f"  {len(tally.wrong):7} wrong")
    for wrong in tally.wrong:
        print(wrong)


if __name__ == "__main__":
    sys.exit(main())
