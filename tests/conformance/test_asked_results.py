"""Conditions on the result of a Python function beside what the analysis asks of the row instead: generated from parts
of values, ways to treat None, and comparisons with constants.

The function is run by CPython on adversarial values. Where it has a result, the pre-filter is TRUE of the same values
as Spark's comparison of the result with the constant, by the interpreter of the IR and on Spark.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.rewrite.spell_sql import sql_text
from headwater.semantics.interpreter import Env, compile_expr
from headwater_ir.expr import Expr
from tests.conformance.test_native_filters import VALUES, natives
from tests.shares import share

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAMES = {"datetime": dt, "math": math}
WAYS = {"": "{}", "none": "{} if v is not None else None", "other": "{other} if v is None else {}"}
"""What the function does of None."""
WORDS = ("'ab'", "'a'", "''", "'a\U0001f600'")


@dataclass(frozen=True)
class Part:
    """``text``, a part of a ``v`` of type ``column``. ``other``: what is given for None; ``constants`` and
    ``operators``: what it is compared with, and how."""

    column: str
    result: str
    text: str
    other: str
    constants: tuple[str, ...]
    operators: tuple[str, ...] = ("=", "!=")


PARTS = (
    Part("string", "string", "v[:2]", "'ab'", WORDS),
    Part("string", "string", "v[-2:]", "'ab'", WORDS),
    Part("string", "string", "v[0]", "'a'", WORDS),
    Part("string", "string", "v[-1]", "'a'", WORDS),
    Part("string", "string", "v.strip()", "'ab'", WORDS),
    Part("string", "string", "v.lower()", "'ab'", WORDS),
    Part("string", "string", "v.upper()", "'AB'", ("'ab'", "'AB'")),
    Part("string", "string", "v.split('-')[0]", "'ab'", WORDS),
    Part("string", "string", "v.split('-')[-1]", "'x'", (*WORDS, "'x'")),
    Part("string", "string", "f'{v}-x'", "'ab'", ("'ab-x'", "'None-x'", "'ab'")),
    Part("string", "int", "len(v)", "-1", ("0", "1", "-1", "2"), ("=", "!=", "<", ">=")),
    Part("string", "int", "v.find('b')", "-2", ("0", "-1"), ("=", "!=", "<", ">=", ">")),
    Part("date", "int", "v.year", "-1", ("2024", "1", "-1", "0", "9999"), ("=", "!=", "<", ">=", ">", "<=")),
    Part("date", "int", "v.month", "-1", ("1", "12", "-1"), ("=", "!=", "<", ">=")),
    Part("date", "int", "v.weekday()", "7", ("0", "7"), ("=", ">=")),
    Part("int", "string", "str(v)", "'x'", ("'1'", "'-1'", "'01'", "'x'")),
)


_OPERATORS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """A condition on ``y``, as SQL text, and whether Spark finds it TRUE."""

    text: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True)
class Case:
    """One function and one condition on its result."""

    part: Part
    way: str
    condition: Condition

    @property
    def body(self) -> str:
        """The body of the function."""
        return WAYS[self.way].format(self.part.text, other=self.part.other)

    def __str__(self) -> str:
        return f"{self.body}: {self.condition.text}"


def conditions(part: Part) -> Iterator[Condition]:
    """Conditions on a part: of a NULL a comparison is not TRUE, nor its negation."""
    values = {c: eval(c) for c in part.constants}
    for (text, value), (op, compare) in itertools.product(values.items(), _OPERATORS.items()):
        if op in part.operators:
            yield Condition(f"y {op} {text}", lambda y, v=value, c=compare: y is not None and c(y, v))
    (first, a), (second, b), *_ = values.items()
    yield Condition(f"y IN ({first}, {second})", lambda y: y in (a, b))
    yield Condition(f"y NOT IN ({first}, {second})", lambda y: y is not None and y not in (a, b))
    yield Condition("y IS NULL", lambda y: y is None)
    yield Condition(f"y IS NULL OR NOT (y = {first} OR y = {second})", lambda y: y not in (a, b))


def cases() -> Iterator[Case]:
    """Every part in every way with every condition."""
    for part, way in itertools.product(PARTS, WAYS):
        yield from (Case(part, way, c) for c in conditions(part))


CASES = share(cases(), 4)
_FOUND: dict[str, tuple[Expr, bool] | None] = {}


def prefilter(case: Case) -> tuple[Expr, bool] | None:
    """What is asked of the row, and whether that is all: None if nothing is."""
    if str(case) not in _FOUND:
        _FOUND[str(case)] = _prefilter(case)
    return _FOUND[str(case)]


def _prefilter(case: Case) -> tuple[Expr, bool] | None:
    source = (
        "import datetime\nimport math\nfrom pyspark.sql import functions as F\n"
        f"f = F.udf(lambda v: {case.body}, '{case.part.result}')\n"
        f'spark.table("t").withColumn("y", f("v")).filter("{case.condition.text}").show()\n'
    )
    report = analyse(source, Options(timeout_seconds=30.0, schemas={"t": f"v {case.part.column}"}))
    assert report.error is None
    assert not any("internal error" in s.reason for s in report.skipped), report.skipped
    if not report.opportunities:
        return None
    (o,) = report.opportunities
    assert o.certificate is not None
    assert (o.status, o.assumptions) == ("verified", ())
    return o.certificate.solution.pre_filter, o.kind == "exact"


def result(case: Case, value: Any) -> tuple[bool, Any]:
    """Whether the function has a result, and which."""
    try:
        return True, eval(f"lambda v: {case.body}", NAMES)(value)
    except (TypeError, AttributeError, IndexError, ValueError):
        return False, None


def differences(case: Case, asked: Expr, exact: bool) -> list[Any]:
    """The values of which the pre-filter does not say what the condition says of the result."""
    said = compile_expr(asked)
    wrong = []
    for value in VALUES[case.part.column]:
        there, y = result(case, value)
        keeps, wanted = said(Env(row={"v": value, **natives(value)})) is True, there and case.condition.holds(y)
        if there and (keeps != wanted if exact else wanted and not keeps):
            wrong.append(value)
    return wrong


@pytest.mark.parametrize("part", PARTS, ids=lambda p: p.text)
def test_the_row_is_asked_what_the_result_is_asked(part: Part) -> None:
    for case in (c for c in CASES if c.part is part):
        found = prefilter(case)
        if found is not None:
            assert differences(case, *found) == [], (str(case), sql_text(found[0]))


def test_most_conditions_are_asked_of_the_row() -> None:
    """Of a filter that every row passes, or that Spark itself makes of NULL, there is none."""
    missed = [str(c) for c in CASES if prefilter(c) is None and c.condition.text != "y IS NULL"]
    assert len(missed) < len(CASES) // 3, missed


def test_a_wrong_condition_is_seen() -> None:
    """The pre-filter of another case."""
    for case in CASES:
        found, other = prefilter(case), case.condition
        if found is not None and case.way == "other" and " = " in other.text and "OR" not in other.text:
            denied = Condition(f"NOT {other.text}", lambda y, c=other: not c.holds(y))
            assert differences(replace(case, condition=denied), *found)


@pytest.mark.spark
@pytest.mark.parametrize("column", sorted({p.column for p in PARTS}))
def test_spark_agrees(spark: SparkSession, column: str) -> None:
    """The function and both conditions run by Spark, on one table."""
    from pyspark.sql import functions as F

    found = [(c, p) for c in CASES if c.part.column == column and (p := prefilter(c)) is not None]
    bodies = {c.body: c for c, _ in found}
    names = {body: f"y{i}" for i, body in enumerate(bodies)}

    def there(body: str) -> Any:
        def run(v: Any) -> bool:
            try:
                eval(f"lambda v: {body}", NAMES)(v)
                return True
            except Exception:
                return False

        return run

    def made(body: str) -> Any:
        def run(v: Any) -> Any:
            try:
                return eval(f"lambda v: {body}", NAMES)(v)
            except Exception:
                return None

        return run

    frame = spark.createDataFrame([(v,) for v in VALUES[column]], f"v {column}")
    for body, case in bodies.items():
        frame = frame.withColumn(names[body], F.udf(made(body), case.part.result)("v"))
        frame = frame.withColumn(f"{names[body]}_there", F.udf(there(body), "boolean")("v"))
    frame = frame.localCheckpoint()
    asked = []
    for i, (case, (pre, _)) in enumerate(found):
        condition = re.sub(r"\by\b", names[case.body], case.condition.text)
        asked.append(F.expr(f"coalesce({condition}, false) as p{i}"))
        asked.append(F.expr(f"coalesce({sql_text(pre)}, false) as g{i}"))
    for row in frame.select("*", *asked).collect():
        for i, (case, (_, exact)) in enumerate(found):
            passes, keeps = row[f"p{i}"], row[f"g{i}"]
            assert not row[f"{names[case.body]}_there"] or (passes == keeps if exact else keeps or not passes), (
                str(case),
                row.v,
            )
