"""Elements of an RDD as rows of a typed frame: what the fold says a column holds is what PySpark itself makes of the
element that the function returns, verification and conversion included, wherever that raises nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import Row
from pyspark.sql.types import (
    BooleanType,
    ByteType,
    DataType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    _make_type_verifier,
)

from headwater.pyspark.frames.options import FrontendOptions
from headwater.pyspark.reading.module import read_module
from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater_ir.plan import GroupMap
from headwater_ir.problem import Fold
from headwater_ir.unread import why_hidden
from headwater_ir.walks import below
from tests.python.harness import same

TABLE = "k string, a int, b bigint, x double, p boolean"
NAMES = ("k", "a", "b", "x", "p")
VALUES: tuple[tuple[Any, ...], ...] = (
    ("a", "", None), (1, -128, 127, 2**31 - 1, None), (0, 2**53 + 1, 2**63 - 1, -(2**63), None),
    (1.0, -0.0, float("nan"), float("inf"), None), (True, False, None),
)  # fmt: skip
CASES = [
    ("lambda r: (r.k, r.a)", "s string, n int"),
    ("lambda r: [r.k, r.b + 1]", "s string, n long"),
    ("lambda r: (r.a, r.b * 2 ** 3)", "n byte, m int"),
    ("lambda r: (r.b, r.a)", "a long not null, b int not null"),
    ("lambda r: Row(b=r.a, a=r.b)", "a int, b long"),
    ('lambda r: {"b": r.a, "a": r.b, "c": 1}', "a long, b int"),
    ("lambda r: (r.x, r.x * 2)", "x double, y double"),
    ("lambda r: (r.a if r.p else 0, r.p and True)", "n int, q boolean"),
    ("lambda r: (r.a > 3, not r.p)", "n boolean, q boolean"),
    ("lambda r: (r.k or None, r.k == 'a')", "s string, q boolean"),
    ("lambda r: r", "s string, n int, m long, y double, q boolean"),
    ("lambda r: (r.a, r.x)", "s string, n long"),
    ("lambda r: (r.p, r.a / 2)", "n int, y double"),
    ("lambda r: (r.a // 2, r.x if r.p else 1)", "n int, y double"),
]
_TYPES: dict[str, Callable[[], DataType]] = {
    "string": StringType, "int": IntegerType, "long": LongType, "byte": ByteType, "double": DoubleType,
    "boolean": BooleanType,
}  # fmt: skip


def struct(ddl: str) -> StructType:
    parts = [field.split() for field in ddl.split(", ")]
    return StructType([StructField(p[0], _TYPES[p[1]](), len(p) == 2) for p in parts])


def fold_of(function: str, ddl: str) -> Fold:
    source = (
        f'from pyspark.sql import Row\nt = spark.table("t")\nf = t.rdd.map({function}).toDF("{ddl}")\nf.filter("1 = 2")'
    )
    module = read_module(source, FrontendOptions(schemas={"t": TABLE}))
    return next(p.fold for f in module.filters for p in below(f) if isinstance(p, GroupMap))


def by_pyspark(function: Callable[[Row], Any], row: Row, schema: StructType) -> tuple[Any, ...] | None:
    """The row that is made of the element; None where that raises."""
    try:
        element = function(row)
        _make_type_verifier(schema)(element)
        return tuple(schema.toInternal(element))
    except Exception:
        return None


def disagreements(fold: Fold, function: str, schema: StructType) -> tuple[int, list[str]]:
    """How many values were compared, and those that differ."""
    python, compared, found = eval(function, {"Row": Row}), 0, list[str]()
    for values in itertools.product(*VALUES):
        made = by_pyspark(python, Row(**dict(zip(NAMES, values, strict=True))), schema)
        if made is None:
            continue
        for output, value in zip(fold.outputs, made, strict=True):
            if why_hidden(output.value) is not None:
                continue
            compared += 1
            said: object
            try:
                said = evaluate(output.value, Env(row=dict(zip(NAMES, values, strict=True))))
            except EvaluationError as error:
                said = error
            if type(said) is not type(value) or not same(said, value):
                found.append(f"{values}: `{output.name}` is {value!r}, said to be {said!r}")
    return compared, found


@pytest.mark.parametrize(("function", "ddl"), CASES)
def test_a_column_holds_what_pyspark_makes_of_the_element(function: str, ddl: str) -> None:
    fold = fold_of(function, ddl)
    assert [o.name for o in fold.outputs] == struct(ddl).names
    assert not disagreements(fold, function, struct(ddl))[1]


def test_enough_is_compared() -> None:
    counts = [disagreements(fold_of(f, d), f, struct(d))[0] for f, d in CASES]
    assert sum(counts) > 5000
    assert sum(map(bool, counts)) >= len(CASES) - 2


def test_what_does_not_fit_is_hidden() -> None:
    hidden = {(f, o.name) for f, d in CASES for o in fold_of(f, d).outputs if why_hidden(o.value) is not None}
    assert hidden == {
        ("lambda r: (r.a, r.x)", "s"), ("lambda r: (r.a, r.x)", "n"), ("lambda r: (r.p, r.a / 2)", "n"),
        ("lambda r: (r.a // 2, r.x if r.p else 1)", "y"),
    }  # fmt: skip


def test_a_wrong_meaning_would_be_seen() -> None:
    """A `Row` goes by position: with the names of its fields the columns would be others."""
    function, ddl = "lambda r: Row(b=r.a, a=r.b)", "b int, a long"
    swapped = fold_of("lambda r: Row(b=r.b, a=r.a)", "b long, a int")
    assert disagreements(swapped, function, struct(ddl))[1]
