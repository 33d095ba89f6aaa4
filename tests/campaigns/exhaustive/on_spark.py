"""The same programs on real Spark, many in one job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.replay import Run, result, results
from tests.results import Failed, Result

from .programs import SCHEMAS, Plan
from .reference import OTHER, Key, Reference

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PAIRS = ((None,), (0,), (1,), (None, None), (None, 0), (1, None), (0, 0), (1, 0), (1, 1))
"""Every small group of values: each gets a key of its own."""
GROUPS: Key = (*((key, v) for key, group in enumerate(_PAIRS) for v in group), (None, 1), (None, 0))
TABLES: tuple[Key, ...] = (GROUPS, ((1, 0), (None, 1)), ())
"""What the programs run on here: all small groups at once, a small table, nothing."""
MOST_ERRORS = 4
"""An error costs a job of its own."""
UNORDERED = ("limit", "dropDuplicates", "row_number", "cache")
_ORDERED = ("first", "last", "_by", "pandas_udf", "top2")


@dataclass(frozen=True)
class Program:
    """One filter over a plan, and its rewrite if there is one. The texts bind ``r0``."""

    plan: Plan
    condition: str
    original: str
    rewritten: str | None


def comparable(plan: Plan) -> bool:
    """Whether Spark's result does not hang on the order of rows, which is not the reference's after a shuffle, nor on
    a cache, which would outlive the program."""
    names = [o.name for o in plan.operators]
    ordered = any(word in names[-1] for word in _ORDERED) if names else False
    shuffled = len(plan.operators) > 1 and plan.operators[0].sort != "row"
    return not any(word in name for name in names for word in UNORDERED) and not (ordered and shuffled)


def compare(spark: SparkSession, programs: Sequence[Program], table: str, key: Key) -> list[str]:
    """Where Spark's results on one table differ from the reference's, or a rewrite's from its original's, in words."""
    expected = [
        (p, text, outcome)
        for p in programs
        for text in (p.original, p.rewritten)
        if text is not None and not isinstance(outcome := _expected(p.plan, text, key), Failed)
    ]
    found = results(spark, [_run(text, table, key) for _, text, _ in expected])
    return [
        f"{p.plan.name}: {text.splitlines()[-1]} on {key}: Spark has {got}, the reference {outcome}"
        for (p, text, outcome), got in zip(expected, found, strict=True)
        if got != outcome
    ]


def raising(spark: SparkSession, programs: Sequence[Program], table: str, key: Key) -> list[str]:
    """Programs of one operator that raise on the reference but not on Spark, in words. Above a second operator Spark
    may leave out what nobody asks for, and with it the error."""
    errors = [
        p for p in programs if len(p.plan.operators) == 1 and isinstance(_expected(p.plan, p.original, key), Failed)
    ]
    got = [(p, result(spark, _run(p.original, table, key))) for p in errors[:MOST_ERRORS]]
    return [
        f"{p.plan.name}: {p.condition}: Spark does not raise but has {g}" for p, g in got if not isinstance(g, Failed)
    ]


def _expected(plan: Plan, text: str, key: Key) -> Result:
    (found,) = Reference(plan.table, 0, given=(key,)).run(text)["r0"]
    return found


def _run(text: str, table: str, key: Key) -> Run:
    return Run(text, {n: SCHEMAS[n] for n in (table, "u")}, {table: list(key), "u": list(OTHER)}, name="r0")


def widened(key: Key) -> Key:
    """A table of two columns with a third that differs from row to row."""
    return tuple((*row, (1, 0, None)[i % 3]) for i, row in enumerate(key))
