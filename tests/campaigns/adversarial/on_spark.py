"""Rewritten programs on real Spark, before and after: each in a session of its own if it may change the session, the
others in one session with one copy of each table.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.fuzz.judge import Bag
from tests.fuzz.mini import Failed
from tests.fuzz.on_spark import _EXCLUDED, session
from tests.mdtest.replay import comparable

from .campaign import Record
from .judge import shown, violated
from .program import Draw, Program
from .small_spark import Result
from .tool import Answer
from .write import program

RERUNS = 3
TRIED = 4
"""Tables that are tried until the original runs on one."""
_CHANGE_SESSIONS = frozenset({"settings", "consumers"})


def replayed(records: Sequence[Record], log: Path, kind: str | None = None) -> dict[int, tuple[str, str]]:
    """The verdict on each record and, where rows differ, how; those that ``log`` already has are not run again."""
    known: dict[int, tuple[str, str]] = {}
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        with contextlib.suppress(ValueError):
            seed, verdict, words = json.loads(line)
            known[seed] = (verdict, words)
    todo = [r for r in records if r.seed not in known]
    if not todo:
        return known
    start, done = time.monotonic(), 0
    logging.disable(logging.ERROR)  # PySpark's own loggers tell each error that a program raises
    with session({"spark.sql.adaptive.enabled": "false"}) as spark, log.open("a", encoding="utf-8") as out:
        for r in todo:
            made = program(r.seed, kind)
            if made.source != r.source:
                continue  # written by another version of the generator
            known[r.seed] = judged(spark, Answer(made, r.text, r.outcome, "", tuple(r.assumptions), r.finding), r.seed)
            out.write(json.dumps([r.seed, *known[r.seed]]) + "\n")
            out.flush()
            done += 1
            if known[r.seed][0] in ("wrong", "unstable", "unexplained"):
                print(f"{known[r.seed][0].upper()} on Spark: seed {r.seed} ({r.kind}): {known[r.seed][1]}", flush=True)
            if done % 25 == 0 or done == len(todo):
                counts = Counter(verdict for verdict, _ in known.values())
                print(f"{done}/{len(todo)} on Spark, {time.monotonic() - start:.0f} s, {dict(counts)}", flush=True)
    return known


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
            known = violated(found, {n: [rows] for n, rows in tables.items()})
            return ("assumption" if known else "unexplained"), words
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
    with _setting("spark.sql.optimizer.excludedRules", _EXCLUDED) as settings:
        original = result(spark, found.program, found.program.source, tables, settings)
        rewritten = result(spark, found.program, found.text, tables, settings)
    return isinstance(original, Failed) or original == rewritten


@contextmanager
def _setting(name: str, value: str) -> Iterator[dict[str, str]]:
    yield {name: value}


def result(
    spark: Any, made: Program, source: str, tables: dict[str, Any], settings: dict[str, str] | None = None
) -> Result:
    """What a text yields; in a new session if it may change it."""
    own = spark.newSession() if settings or made.kind in _CHANGE_SESSIONS else spark
    _activate(own)
    try:
        for name, value in (settings or {}).items():
            own.conf.set(name, value)
        for name, rows in tables.items():
            _table(own, made.tables[name], rows).createOrReplaceTempView(name)
        namespace: dict[str, Any] = {"spark": own, "__name__": "generated"}
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(source, "<generated>", "exec"), namespace)
            return _bag(namespace["result"].collect())
    except Exception as error:
        return Failed(f"{type(error).__name__}: {str(error)[:300]}")
    finally:
        _activate(spark)


def _table(own: Any, ddl: str, rows: list[Any]) -> Any:
    """The rows as a frame of one partition; made once for a session."""
    made: dict[tuple[str, str], Any] = own.__dict__.setdefault("_headwater_tables", {})
    key = (ddl, repr(rows))
    if key not in made:
        made[key] = own.createDataFrame(rows, ddl).coalesce(1)
    return made[key]


def _bag(rows: list[Any]) -> Bag:
    plain = [tuple(row) if isinstance(row, tuple) else row for row in rows]
    try:
        return Counter(map(comparable, plain))
    except TypeError:
        return Counter(map(repr, plain))


def _activate(own: Any) -> None:
    """Make ``own`` the session that a builder finds."""
    type(own)._instantiatedSession = own
    jvm = own._jvm.SparkSession
    jvm.setDefaultSession(own._jsparkSession)
    jvm.setActiveSession(own._jsparkSession)
