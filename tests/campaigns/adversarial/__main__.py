"""``python -m tests.campaigns.adversarial``: the campaign. Exit code 1 if anything was wrong."""

from __future__ import annotations

import argparse
import os
import platform
import random
import subprocess
import time
from dataclasses import replace
from pathlib import Path

from .campaign import Record, campaign, table, wrong_by_feature
from .write import ON_SPARK, WRITERS


def main() -> int:
    """Run it and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.adversarial", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument(
        "--spark", type=int, default=0, metavar="N", help="run N of the rewritten programs on Spark as well"
    )
    parser.add_argument("--seed", type=int, default=0, help="the first program's; the others follow")
    parser.add_argument("--kind", choices=sorted(WRITERS), help="programs of one kind only")
    parser.add_argument("--jobs", type=int, default=1, help="processes, two at most")
    parser.add_argument("--log", type=Path, default=Path(".headwater/adversarial.jsonl"), help="where records are kept")
    parser.add_argument("--resume", action="store_true", help="go on where the log ends")
    parser.add_argument("--results", type=Path, help="append the figures to this Markdown file")
    given = parser.parse_args()
    on_spark = given.log.with_suffix(".spark.jsonl")
    if not given.resume:
        given.log.unlink(missing_ok=True)
        on_spark.unlink(missing_ok=True)
    start, records = time.monotonic(), list[Record]()
    last = start
    for r in campaign(given.seed, given.programs, min(2, given.jobs), given.log, given.kind):
        records.append(r)
        if r.verdict in ("wrong", "error"):
            print(f"WRONG seed {r.seed} ({r.kind}, {', '.join(r.features)}): {r.wrong[:300]}", flush=True)
        if time.monotonic() - last > 30:
            last = time.monotonic()
            print(_progress(records, given.programs, last - start), flush=True)
    records.sort(key=lambda r: r.seed)
    print(_progress(records, given.programs, time.monotonic() - start), flush=True)
    replays = 0
    if given.spark:
        from .on_spark import replayed

        verdicts = replayed(_sample(records, given.spark), on_spark, given.kind)
        replays = len(verdicts)
        records = [
            replace(r, verdict=v[0], wrong=v[1]) if (v := verdicts.get(r.seed)) and r.verdict != "wrong" else r
            for r in records
        ]
    text = "\n".join(
        [
            *_head(given, records, replays, time.monotonic() - start),
            "",
            table(records),
            "",
            wrong_by_feature(records),
            "",
        ]
    )
    print(text)
    if given.results:
        with given.results.open("a", encoding="utf-8") as out:
            out.write("\n" + text)
    return 1 if any(r.verdict in ("wrong", "error") for r in records) else 0


def _sample(records: list[Record], count: int) -> list[Record]:
    """Those that only Spark can judge, first one of each wording, then some of the others."""
    chosen = [r for r in records if r.text and r.verdict != "wrong"]
    random.Random(count).shuffle(chosen)
    first: dict[tuple[str, ...], int] = {}
    order = {
        r.seed: (r.kind not in ON_SPARK, first.setdefault((r.kind, *r.features), r.seed) != r.seed) for r in chosen
    }
    return sorted(chosen, key=lambda r: order[r.seed])[:count]


def _progress(records: list[Record], count: int, seconds: float) -> str:
    rewritten, wrong = sum(bool(r.text) for r in records), sum(r.verdict == "wrong" for r in records)
    return f"{len(records)}/{count} programs, {rewritten} rewritten, {wrong} wrong, {seconds:.0f} s"


def _head(given: argparse.Namespace, records: list[Record], replays: int, seconds: float) -> list[str]:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    used = sum(r.seconds for r in records)
    rewritten = sum(bool(r.text) for r in records)
    rate, share = len(records) / max(used, 0.1), rewritten / max(1, len(records))
    compared, rows = sum(r.compared for r in records), sum(r.rows for r in records)
    last = given.seed + given.programs - 1
    return [
        f"## {time.strftime('%Y-%m-%d')}: {len(records):,} programs, seeds {given.seed} to {last}, commit {commit}",
        "",
        f"- machine: {os.cpu_count()} cores, Python {platform.python_version()}, {seconds / 60:.0f} minutes;"
        f" {rate:.1f} programs per second of a core",
        f"- rewritten: {rewritten:,} ({share:.0%}); replayed on Spark: {replays:,}",
        f"- tables on which both texts ran in the small Spark: {compared:,}, with {rows:,} rows",
        f"- time-outs: {sum(r.verdict == 'time-out' for r in records)}; the longest other program:"
        f" {max((r.seconds for r in records if r.verdict != 'time-out'), default=0.0):.1f} s",
        f"- wrong: {sum(r.verdict in ('wrong', 'error') for r in records)}",
    ]


if __name__ == "__main__":
    raise SystemExit(main())
