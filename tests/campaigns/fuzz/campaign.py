"""Thousands of programs, in processes, resumable; and what became of them, in tables."""

from __future__ import annotations

import json
import multiprocessing
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from .examine import Record, examined
from .write import Writer, write

CHUNK = 24
OUTCOMES = ("exact", "split", "partial", "constant", "conditional", "marked", "unknown", "refused")


def run_chunk(seeds: Sequence[int], writer: Writer = write) -> list[Record]:
    """The records of some seeds. A failure of the harness itself counts as wrong: nothing may go unseen."""
    found = []
    for seed in seeds:
        try:
            found.append(examined(seed, writer=writer))
        except Exception as error:
            found.append(
                Record(
                    seed, "?", "unknown", "harness", 0, 0, 0, 0, 0, 0.0, 0, f"harness: {type(error).__name__}: {error}"
                )
            )
    return found


def campaign(first: int, count: int, jobs: int, log: Path, writer: Writer = write) -> Iterator[Record]:
    """The records of ``count`` seeds from ``first`` on: those in ``log``, then new ones, which are added to it. Where
    the harness itself failed it is tried again."""
    known = {r.seed: r for r in read(log) if r.why != "harness"}
    missing = [s for s in range(first, first + count) if s not in known]
    yield from (known[s] for s in range(first, first + count) if s in known)
    chunks = [missing[i : i + CHUNK] for i in range(0, len(missing), CHUNK)]
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as out, _pool(jobs) as pool:
        for records in pool.imap_unordered(partial(run_chunk, writer=writer), chunks):
            out.writelines(json.dumps(asdict(r)) + "\n" for r in records)
            out.flush()
            yield from records


def _pool(jobs: int) -> multiprocessing.pool.Pool:
    # a fresh process now and then: what the solver has learnt is kept in memory
    return multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=40)


def read(log: Path) -> list[Record]:
    """The records of a log; a last line that was cut off is dropped."""
    found = []
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        try:
            found.append(Record(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return found


def table(records: Iterable[Record]) -> str:
    """Counts per API and outcome, and the obstructions, as Markdown."""
    records = list(records)
    cells: dict[str, Counter[str]] = defaultdict(Counter)
    for r in records:
        cells[r.shape][r.outcome] += 1
    lines = [
        "| boundary | programs | proved | " + " | ".join(OUTCOMES) + " |",
        "| --- |" + " ---: |" * (len(OUTCOMES) + 2),
    ]
    for shape in [*sorted(cells), "all"]:
        row = cells[shape] if shape != "all" else sum(cells.values(), Counter())
        proved = sum(row[o] for o in OUTCOMES[:3])
        lines.append(f"| {shape} | {row.total()} | {proved} | " + " | ".join(str(row[o]) for o in OUTCOMES) + " |")
    refused = Counter(r.why for r in records if r.outcome == "refused")
    lines += ["", "Refused by obstruction: " + ", ".join(f"{why} {n}" for why, n in refused.most_common()) + "."]
    return "\n".join([*lines, "", *figures(records)])


def figures(records: Sequence[Record]) -> Iterator[str]:
    """What was executed, in words."""
    proved = [r for r in records if r.original is not None]
    compared, failing = sum(r.compared for r in records), sum(r.failing for r in records)
    mute = sum(1 for r in proved if not r.rows)
    different = len({r.digest for r in records})
    yield f"- programs that differ in their text: {different:,}"
    yield f"- tables on which both texts ran on CPython: {compared:,} (the original raised on {failing:,} more)"
    yield f"- rows in their results: {sum(r.rows for r in records):,}; rewritten programs that yielded none: {mute:,}"
    yield f"- groups on the interpreter, with and without the pre-filter: {sum(r.groups for r in records):,}"
    read = sum(r.read for r in records)
    yield f"- tables on which the fold that was read, proved or not, yielded what the program does: {read:,}"
    yield f"- processor time: {sum(r.seconds for r in records) / 60:.0f} minutes"
    yield f"- wrong: {sum(1 for r in records if r.wrong)}"


class Progress:
    """A line now and then."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.proved, self.wrong = total, 0, 0, 0
        self.start = self.last = time.monotonic()

    def see(self, record: Record) -> None:
        """Count it; wrong ones are told at once."""
        self.done += 1
        self.proved += record.original is not None
        if record.wrong:
            self.wrong += 1
            print(f"WRONG seed {record.seed}: {record.wrong}", flush=True)
        if time.monotonic() - self.last > 30 or self.done == self.total:
            self.last = time.monotonic()
            print(
                f"{self.done}/{self.total} programs, {self.proved} proved, {self.wrong} wrong,"
                f" {self.last - self.start:.0f} s", flush=True,
            )  # fmt: skip
