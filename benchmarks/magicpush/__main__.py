"""``make bench NAME=magicpush``: what rules, Spark alone and Headwater push in generated programs; writes
docs/benchmarks/magicpush.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.synthesis.machine import describe
from tests.campaigns.fuzz.on_spark import Replay
from tests.campaigns.fuzz.write import Program

from .cases import CASES
from .decide import decided, written
from .kinds import FUNCTIONS, OPERATORS, Kind
from .outcome import Outcome, Part, read, write
from .page import Results, page
from .soundness import Timed, on_small_tables, replayed, share, timed

ROOT = Path(__file__).resolve().parents[2]
PAGE, OUT = ROOT / "docs" / "benchmarks" / "magicpush.md", ROOT / "demo-out" / "magicpush"


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.magicpush", description=__doc__)
    parser.add_argument("--instances", type=int, default=1014, help="operators (default: %(default)s)")
    parser.add_argument("--functions", type=int, default=1020, help="functions (default: %(default)s)")
    parser.add_argument("--spark", type=int, default=320, metavar="N", help="rewritten programs to run before and "
                        "after; 0: no Spark at all (default: %(default)s)")  # fmt: skip
    parser.add_argument("--timed", type=int, default=48, help="instances to time (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=30_000, help="rows to time them on (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="the first one's; the others follow (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=PAGE, help="the page (default: %(default)s)")
    parser.add_argument("--from", type=Path, dest="known", help="outcomes of an earlier run, which are not found anew")
    return parser.parse_args(given)


def instances(part: Part, kinds: Sequence[Kind], count: int, first: int) -> Iterator[tuple[Part, Kind, int, Program]]:
    """``count`` programs, of each kind in turn."""
    for i in range(count):
        kind = kinds[i % len(kinds)]
        yield part, kind, first + i, written(kind, first + i)


def everything(options: argparse.Namespace) -> Iterator[tuple[Part, Kind, int, Program]]:
    """All instances of a run."""
    yield from instances("operators", OPERATORS, options.instances, options.seed)
    yield from instances("functions", FUNCTIONS, options.functions, options.seed)
    yield from (("cases", case.kind, i, case.program) for i, case in enumerate(CASES))


def found(options: argparse.Namespace) -> list[Outcome]:
    """The outcome of each, Spark's part left out."""
    start, outcomes = time.monotonic(), list[Outcome]()
    for given in everything(options):
        outcomes.append(decided(*given))
        if len(outcomes) % 100 == 0:
            print(f"{len(outcomes)} programs, {time.monotonic() - start:.0f} s", flush=True)
    return outcomes


def planned(outcomes: Sequence[Outcome], nodes: dict[str, str]) -> list[Outcome]:
    """The outcomes with what Spark's optimizer does."""
    from tests.replay import campaign_session

    from .spark_alone import pushed

    start, found = time.monotonic(), list[Outcome]()
    with campaign_session() as spark:
        for o in outcomes:
            if o.rules == "equal" and not o.rule:  # nothing but filters
                found.append(replace(o, spark="equal"))
                continue
            plan = pushed(spark, Program.of(o.kind, o.source, o.table), nodes[o.kind])
            push = None if plan is None else plan.push
            found.append(replace(o, spark=push, constant=o.constant or (plan is not None and plan.constant)))
            if len(found) % 100 == 0:
                print(f"{len(found)} plans, {time.monotonic() - start:.0f} s", flush=True)
    return found


def on_spark(outcomes: Sequence[Outcome], options: argparse.Namespace) -> tuple[Replay, list[Timed]]:
    """The replays and the times."""
    from benchmarks.demo.measure import session
    from tests.replay import campaign_session

    with campaign_session() as spark:
        replay = replayed(spark, share(outcomes, options.spark))
    print("\n".join(replay.wrong))
    chosen = share(outcomes, len({o.kind for o in outcomes if o.rewritten}))[: options.timed]
    if not chosen:
        return replay, []
    spark = session()
    with tempfile.TemporaryDirectory() as folder:
        times = timed(spark, chosen, options.rows, 2, Path(folder))
    spark.stop()
    return replay, times


def main(given: Sequence[str] | None = None) -> int:
    """1 if a rewritten program gave other rows."""
    options = arguments(given)
    nodes = {kind.name: kind.node for kind in (*OPERATORS, *FUNCTIONS, *(c.kind for c in CASES))}
    outcomes = read(options.known) if options.known else found(options)
    write(outcomes, OUT / "outcomes.jsonl")
    replay, times = Replay(), list[Timed]()
    if options.spark:
        if all(o.spark is None for o in outcomes):
            outcomes = planned(outcomes, nodes)
            write(outcomes, OUT / "outcomes.jsonl")
        replay, times = on_spark(outcomes, options)
    trial = on_small_tables(outcomes)
    machine = describe()
    options.output.write_text(
        page(Results(outcomes, machine, options.seed, trial, replay, times, options.rows)), encoding="utf-8"
    )
    print(options.output)
    return 1 if replay.wrong or trial.differences else 0


if __name__ == "__main__":
    sys.exit(main())
