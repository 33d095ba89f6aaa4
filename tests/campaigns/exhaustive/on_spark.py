"""The same programs on real Spark, many in one job: each result becomes rows of texts, and all of them one union."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from .columns import QueryError
from .programs import SCHEMAS, Plan
from .reference import OTHER, Key, Reference

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RULES = ("PushDownPredicates", "PushPredicateThroughNonJoin", "PushPredicateThroughJoin")
EXCLUDED = ",".join(f"org.apache.spark.sql.catalyst.optimizer.{rule}" for rule in RULES)
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


Texts = Counter[tuple[str | None, ...]]


def comparable(plan: Plan) -> bool:
    """Whether Spark's result does not hang on the order of rows, which is not the reference's after a shuffle, nor on
    a cache, which would outlive the program."""
    names = [o.name for o in plan.operators]
    ordered = any(word in names[-1] for word in _ORDERED) if names else False
    shuffled = len(plan.operators) > 1 and plan.operators[0].sort != "row"
    return not any(word in name for name in names for word in UNORDERED) and not (ordered and shuffled)


@contextmanager
def without_pushdown(spark: SparkSession) -> Iterator[None]:
    """While it is open, Catalyst leaves filters where they stand, and compiles nothing: each plan runs once."""
    settings = {
        "spark.sql.optimizer.excludedRules": EXCLUDED,
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name in settings:
            spark.conf.unset(name)


def compare(spark: SparkSession, programs: Sequence[Program], table: str, key: Key) -> list[str]:
    """Where Spark's results on one table differ from the reference's, or a rewrite's from its original's, in words."""
    expected = [
        (p, text, result)
        for p in programs
        for text in (p.original, p.rewritten)
        if text is not None and not isinstance(result := _expected(p.plan, text, key), QueryError)
    ]
    _views(spark, table, key)
    frames = [_bound(spark, text) for _, text, _ in expected]
    found: Sequence[Texts | str]
    try:
        found = _collect(frames)
    except Exception:  # one of them raises: find out which
        found = [_alone(frame) for frame in frames]
    return [
        f"{p.plan.name}: {text.splitlines()[-1]} on {key}: Spark has {got}, the reference {result}"
        for (p, text, result), got in zip(expected, found, strict=True)
        if got != result
    ]


def raising(spark: SparkSession, programs: Sequence[Program], table: str, key: Key) -> list[str]:
    """Programs of one operator that raise on the reference but not on Spark, in words. Above a second operator Spark
    may leave out what nobody asks for, and with it the error."""
    _views(spark, table, key)
    errors = [
        p for p in programs if len(p.plan.operators) == 1 and isinstance(_expected(p.plan, p.original, key), QueryError)
    ]
    got = [(p, _alone(_bound(spark, p.original))) for p in errors[:MOST_ERRORS]]
    return [f"{p.plan.name}: {p.condition}: Spark does not raise but has {g}" for p, g in got if not isinstance(g, str)]


def _expected(plan: Plan, text: str, key: Key) -> Texts | QueryError:
    reference = Reference(plan.table, 0, given=(key,))
    (table,) = reference.run(text)["r0"].tables
    if isinstance(table, QueryError):
        return table
    if plan.rdd:
        return Counter((repr(r["element"]),) for r in table)
    return Counter(tuple(_text(v) for v in r.values()) for r in table)


def _text(value: Any) -> str | None:
    """As ``cast(… as string)`` has it."""
    if value is None:
        return None
    if isinstance(value, list):
        return "[" + ", ".join("null" if v is None else str(_text(v)) for v in value) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def widened(key: Key) -> Key:
    """A table of two columns with a third that differs from row to row."""
    return tuple((*row, (1, 0, None)[i % 3]) for i, row in enumerate(key))


def _views(spark: SparkSession, table: str, key: Key) -> None:
    for name, rows in ((table, key), ("u", OTHER)):
        # One partition, which spares every aggregate its shuffle, and literals, which need no Python to be read.
        columns = [c.split()[0] for c in SCHEMAS[name].split(",")]
        texts = ", ".join("(" + ", ".join("NULL" if v is None else f"{v}L" for v in row) + ")" for row in rows)
        nothing = ", ".join(["0L"] * len(columns))
        values = f"VALUES {texts or f'({nothing})'} AS t({', '.join(columns)})"
        frame = spark.sql(f"SELECT * FROM {values}" + ("" if rows else " WHERE false"))
        frame.coalesce(1).createOrReplaceTempView(name)


def _bound(spark: SparkSession, text: str) -> Any:
    namespace: dict[str, Any] = {"spark": spark, "__name__": "program"}
    exec(compile(text, "program", "exec"), namespace)
    return namespace["r0"]


def _collect(results: list[Any]) -> list[Texts]:
    found: list[Texts] = [Counter() for _ in results]
    frames = [(i, r) for i, r in enumerate(results) if hasattr(r, "schema")]
    rdds = [(i, r) for i, r in enumerate(results) if not hasattr(r, "schema")]
    if frames:
        for i, texts in reduce(lambda a, b: a.unionAll(b), [_as_texts(i, f) for i, f in frames]).collect():
            found[i][tuple(texts)] += 1
    if rdds:
        context = rdds[0][1].context
        marked = [r.map(lambda e, i=i: (i, repr(e))) for i, r in rdds]
        for i, text in context.union(marked).collect():
            found[i][(text,)] += 1
    return found


def _alone(result: Any) -> Texts | str:
    try:
        return _collect([result])[0]
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:500]


def _as_texts(i: int, frame: DataFrame) -> DataFrame:
    from pyspark.sql import functions as F

    # By position: a column may have been renamed to what another is called.
    texts = F.array(*(F.col(name).cast("string") for name in frame.columns))
    return frame.select(F.lit(i).alias("program"), texts.alias("texts"))
