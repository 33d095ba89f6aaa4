"""Rewritten programs on real Spark, before and after: each in a session of its own if it may change the session, the
others in one session with one copy of each table.

``python -m tests.campaigns.adversarial.on_spark`` replays the rewritten programs of a log, and writes more of the kinds
that only Spark can judge, until so many have been replayed on which the original runs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import IO, Any
from unittest.mock import patch

from pyspark import cloudpickle

from tests import replay
from tests.replay import active, campaign_session, setting
from tests.results import Failed, Result

from .campaign import Record, examined, read
from .judge import difference, shown
from .limits import restored
from .program import Draw, Program
from .tool import Answer
from .write import program

RERUNS = 3
TRIED = 4
"""Tables that are tried until the original runs on one."""
_CHANGE_SESSIONS = frozenset({"settings", "consumers"})
_LOUD = ("wrong", "unstable", "unexplained")
# a program is planned once: compiling it well takes longer than running it
SETTINGS = {"spark.sql.adaptive.enabled": "false"}


def replayed(records: Sequence[Record], log: Path, kind: str | None = None) -> dict[int, tuple[str, str]]:
    """The verdict on each record and, where rows differ, how; those that ``log`` already has are not run again."""
    known = verdicts(log)
    todo = [r for r in records if r.seed not in known]
    if not todo:
        return known
    with campaign_session(SETTINGS) as spark, log.open("a", encoding="utf-8") as out:
        judge = Replay(spark, out, known)
        for r in todo:
            judge(r, program(r.seed, kind))
    return known


def verdicts(log: Path) -> dict[int, tuple[str, str]]:
    """What a log of replays says of each seed."""
    known: dict[int, tuple[str, str]] = {}
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        with contextlib.suppress(ValueError):
            seed, verdict, words, *_ = json.loads(line)
            known[seed] = (verdict, words)
    return known


class Replay:
    """Replays one program after the other, notes the verdicts and reports them."""

    def __init__(self, spark: Any, out: IO[str], known: dict[int, tuple[str, str]]) -> None:
        logging.disable(logging.ERROR)  # PySpark's own loggers tell each error that a program raises
        self.spark, self.out, self.known, self.start = spark, out, known, time.monotonic()

    @property
    def informative(self) -> int:
        """Programs whose original ran."""
        return sum(verdict != "raised" for verdict, _ in self.known.values())

    def __call__(self, r: Record, made: Program) -> None:
        """Nothing is done with a record that another version of the generator wrote."""
        if made.source != r.source or r.seed in self.known:
            return
        found = Answer(made, r.text, r.outcome, "", tuple(r.assumptions), r.finding)
        verdict, words = self.known[r.seed] = judged(self.spark, found, r.seed)
        self.out.write(json.dumps([r.seed, verdict, words, r.kind]) + "\n")
        self.out.flush()
        if verdict in _LOUD:
            print(
                f"{verdict.upper()} on Spark: seed {r.seed} ({r.kind}): {words}\n{r.source}\n---\n{r.text}", flush=True
            )
        if len(self.known) % 25 == 0:
            counts = dict(Counter(v for v, _ in self.known.values()))
            print(f"{len(self.known)} on Spark, {time.monotonic() - self.start:.0f} s, {counts}", flush=True)


def judged(spark: Any, found: Answer, seed: int) -> tuple[str, str]:
    """Both texts on the first table of the program on which the original does not raise."""
    draw, why = Draw(f"spark {seed}"), ""
    for tables in found.program.data[:TRIED]:
        original = result(spark, found.program, found.program.source, tables)
        if isinstance(original, Failed):
            why = why or original.reason[:200]
            continue
        rewritten = result(spark, found.program, found.text, tables)
        words = f"{shown(original)} became {shown(rewritten)} on {tables}"
        if found.program.volatile and result(spark, found.program, found.program.source, tables) != original:
            return "wrong", f"results differ from run to run, and it was rewritten: {words}"
        if original == rewritten:
            return "same", ""
        if found.assumptions:
            verdict = difference(found, {n: [rows] for n, rows in tables.items()})
            if verdict != "wrong":
                return verdict, words
        if isinstance(rewritten, Failed) and _moved_by_spark(spark, found, tables):
            return "raised", words
        return _differing(spark, found, tables, original, rewritten, draw), words
    return "raised", why


def _differing(
    spark: Any, found: Answer, tables: dict[str, Any], original: Result, rewritten: Result, draw: Draw
) -> str:
    """``unstable``: the original differs from run to run over the same rows; ``order``: it gives the other result with
    the rows in another order; else ``wrong``."""
    for _ in range(RERUNS):
        if result(spark, found.program, found.program.source, tables) != original:
            return "unstable"
        mixed = {n: draw.sample(rows, len(rows)) for n, rows in tables.items()}
        if result(spark, found.program, found.program.source, mixed) == rewritten:
            return "order"
    return "wrong"


def _moved_by_spark(spark: Any, found: Answer, tables: dict[str, Any]) -> bool:
    """Whether the error is one that Spark itself moves: without its push-down the original raises as well, or
    neither does."""
    texts = (found.program.source, found.text)
    original, rewritten = (result(spark, found.program, text, tables, replay.NO_PUSHDOWN) for text in texts)
    return isinstance(original, Failed) or original == rewritten


def result(
    spark: Any, made: Program, source: str, tables: dict[str, Any], settings: Mapping[str, str] | None = None
) -> Result:
    """What a text yields; in a new session if it may change it."""
    own = spark.newSession() if settings or made.kind in _CHANGE_SESSIONS else spark
    with active(own, spark), setting(own, settings or {}), restored(source, made.modules), _imported(made.modules):
        return replay.result(own, replay.Run(_with_cells(source), {n: made.tables[n] for n in tables}, tables))


@contextlib.contextmanager
def _imported(modules: Mapping[str, str]) -> Iterator[None]:
    """``modules``, for a program to import; its functions bring what they use of them to the workers."""
    with patch.dict(sys.modules):
        for name, text in modules.items():
            module = sys.modules[name] = ModuleType(name)
            exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)
            cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            for name in modules:
                cloudpickle.unregister_pickle_by_value(sys.modules[name])


def _with_cells(source: str) -> str:
    """The text with what its cells in SQL run."""
    return re.sub(r"^# MAGIC %sql(?:\n# MAGIC)? (.*)$", lambda m: f"spark.sql({m[1]!r})", source, flags=re.MULTILINE)


def main() -> int:
    """Exit code 1 if a replay was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.adversarial.on_spark", description=__doc__)
    parser.add_argument("--log", type=Path, help="records of a campaign, read again while it grows")
    parser.add_argument("--replays", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first of the programs that are written")
    parser.add_argument("--kinds", nargs="+", default=["columns", "columns", "settings", "consumers", "types"])
    parser.add_argument("--out", type=Path, default=Path(".headwater/adversarial.spark.jsonl"))
    given = parser.parse_args()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    known, at = verdicts(given.out), given.seed
    with campaign_session(SETTINGS) as spark, given.out.open("a", encoding="utf-8") as out:
        judge = Replay(spark, out, known)
        while judge.informative < given.replays:
            logged = [r for r in read(given.log) if r.text and r.seed not in known] if given.log else []
            for r in random.Random(at).sample(logged, min(20, len(logged))):
                judge(r, program(r.seed))
            for seed in range(at, at + 40):
                kind = given.kinds[seed % len(given.kinds)]
                if seed not in known and (r := examined(seed, kind)).text:
                    judge(r, program(seed, kind))
            at += 40
    print(dict(Counter(verdict for verdict, _ in known.values())))
    return 1 if any(verdict == "wrong" for verdict, _ in known.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
