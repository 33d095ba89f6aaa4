"""Programs in processes, resumable, and what became of them in tables."""

from __future__ import annotations

import json
import multiprocessing
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from .judge import judged
from .limits import OutOfTime, limit_memory, limited
from .tool import answer
from .write import ON_SPARK, program

CHUNK = 20


@dataclass
class Record:
    """What became of one program. ``verdict``: that of the judge, ``unrun`` where only Spark can tell, or empty if
    nothing was
    rewritten; ``source``, ``text`` and ``tables`` only of what was."""

    seed: int
    kind: str
    features: list[str]
    outcome: str
    why: str = ""
    verdict: str = ""
    wrong: str = ""
    seconds: float = 0.0
    compared: int = 0
    rows: int = 0
    source: str = ""
    text: str = ""
    tables: str = ""
    finding: str = ""
    assumptions: list[str] = field(default_factory=list)


def examined(seed: int, kind: str | None = None) -> Record:
    """Write, analyse, rewrite and run program number ``seed``."""
    start = time.process_time()
    made = program(seed, kind)
    found = answer(made)
    record = Record(
        seed,
        made.kind,
        list(made.features),
        found.outcome,
        found.why,
        assumptions=list(found.assumptions),
        finding=found.finding,
    )
    if found.rewritten:
        record.source, record.text, record.verdict = made.source, found.text, "unrun"
        if made.kind not in ON_SPARK:
            trial = judged(found, seed)
            record.verdict, record.wrong, record.tables = (
                trial.verdict,
                trial.wrong,
                repr(trial.tables) if trial.wrong else "",
            )
            record.compared, record.rows = trial.compared, trial.rows
    record.seconds = time.process_time() - start
    return record


def chunk(seeds: Sequence[int], kind: str | None = None) -> list[Record]:
    """The records of some seeds. A program that takes too long is a time-out, and nothing is known of it.

    A failure of the harness or of the analysis counts as wrong: nothing may go unseen."""
    found = []
    for seed in seeds:
        start = time.process_time()
        try:
            with limited():
                found.append(examined(seed, kind))
        except OutOfTime:
            made = program(seed, kind)
            spent = time.process_time() - start
            found.append(Record(seed, made.kind, list(made.features), "time-out", verdict="time-out", seconds=spent))
        except Exception as error:
            found.append(
                Record(seed, kind or "?", [], "error", verdict="error", wrong=f"{type(error).__name__}: {error}")
            )
    return found


def campaign(first: int, count: int, jobs: int, log: Path, kind: str | None = None) -> Iterator[Record]:
    """The records of ``count`` seeds from ``first`` on: those in ``log``, then new ones, which are added to it."""
    known = {r.seed: r for r in read(log) if r.outcome != "error"}
    wanted = range(first, first + count)
    yield from (known[s] for s in wanted if s in known)
    missing = [s for s in wanted if s not in known]
    log.parent.mkdir(parents=True, exist_ok=True)
    # a fresh process now and then: what the solver has learnt is kept in memory
    with (
        log.open("a", encoding="utf-8") as out,
        multiprocessing.get_context("spawn").Pool(jobs, limit_memory, maxtasksperchild=40) as pool,
    ):
        for records in pool.imap_unordered(
            partial(chunk, kind=kind), [missing[i : i + CHUNK] for i in range(0, len(missing), CHUNK)]
        ):
            out.writelines(json.dumps(asdict(r)) + "\n" for r in records)
            out.flush()
            yield from records


def read(log: Path) -> list[Record]:
    """The records of a log; a last line that was cut off is dropped."""
    found = []
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        try:
            found.append(Record(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return found


VERDICTS = ("same", "wrong", "order", "assumption", "unexplained", "unstable", "raised", "unrun", "time-out", "error")


def table(records: Iterable[Record]) -> str:
    """Counts by kind of program, as Markdown."""
    cells: dict[str, Counter[str]] = defaultdict(Counter)
    for r in records:
        for kind in (r.kind, "all"):
            cells[kind].update(["programs", *(["rewritten"] if r.text else []), *([r.verdict] if r.verdict else [])])
    head = ("programs", "rewritten", "share", *VERDICTS)
    lines = ["| kind | " + " | ".join(head) + " |", "| --- |" + " ---: |" * len(head)]
    for kind in [*sorted(set(cells) - {"all"}), "all"]:
        row = cells[kind]
        share = f"{row['rewritten'] / max(1, row['programs']):.0%}"
        lines.append(
            f"| {kind} | {row['programs']} | {row['rewritten']} | {share} | "
            + " | ".join(str(row[v]) for v in VERDICTS)
            + " |"
        )
    return "\n".join(lines)


def wrong_by_feature(records: Iterable[Record]) -> str:
    """Which ingredients wrong programs had, and the smallest program of each."""
    found: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for r in records:
        if r.verdict in ("wrong", "error"):
            found[r.kind, r.features[0] if r.features else ""].append(r)
    lines = []
    for (kind, feature), those in sorted(found.items(), key=lambda item: -len(item[1])):
        least = min(those, key=lambda r: len(r.source))
        lines.append(f"- {kind}, {feature}: {len(those)}, the smallest is seed {least.seed}: {least.wrong[:160]}")
    return "\n".join(lines)
