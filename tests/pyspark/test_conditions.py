"""Column expressions and SQL strings → conditions: the same meaning, typed as Spark would, or refused."""

# A program per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

import pytest

from headwater_ir.plan import Filter, Opaque

from .render import HEAD, last, module, show

AGG = 'df.groupBy("k", "x", "y", "s", "d", "b").count().filter({})'

CONDITIONS = [
    ('F.col("x") > 1', "(x > 1)"),
    ('(F.col("x") > 1) & (F.col("y") < 2.5)', "(x > 1); (y < 2.5)"),
    ('(F.col("x") > 1) | ~F.col("b")', "((x > 1) | !b)"),
    ('F.col("x").isin(1, 2)', "x in [1, 2]"),
    ('F.col("x").isin([1, 2])', "x in [1, 2]"),
    ('~F.col("s").isin(*["a", "b"])', "!s in ['a', 'b']"),
    ('F.col("x").between(1, 2)', "((x >= 1) & (x <= 2))"),
    ('F.col("x").isNull()', "null(x)"),
    ('F.col("x").isNotNull()', "!null(x)"),
    ('F.isnull("x")', "null(x)"),
    ('F.isnan("y")', "nan(y)"),
    ('F.col("x").eqNullSafe(1)', "(x <=> 1)"),
    ('F.col("d").eqNullSafe("2024-01-31")', "(d <=> D2024-01-31)"),
    ("\"d <=> '2024-01-31'\"", "(d <=> D2024-01-31)"),
    ('F.col("x") == None', "(x == None)"),
    ('F.col("x") == -1', "(x == -1)"),
    ('F.col("x") > 60 * 60', "(x > 3600)"),
    ('F.col("s").startswith("a")', "startswith(s, 'a')"),
    ('F.when(F.col("x") > 1, "a").otherwise("b") == "a"', "(if((x > 1), 'a', 'b') == 'a')"),
    ('F.when(F.col("x") > 1, 1).when(F.col("x") > 0, 2) == 1', "(if((x > 1), 1, if((x > 0), 2, None)) == 1)"),
    ('F.coalesce("x", F.lit(0)) > 1', "(if(null(x), 0, x) > 1)"),
    ('F.col("d") >= "2024-01-31"', "(d >= D2024-01-31)"),
    ('F.col("d") >= F.lit("2024-01-31").cast("date")', "(d >= D2024-01-31)"),
    ('F.col("d") >= F.to_date(F.lit("2024-01-31"))', "(d >= D2024-01-31)"),
    ('F.col("x").cast("long") > 1', "(x > 1)"),
    ('F.col("x").cast(LongType()) > 1', "(x > 1)"),
    ('F.col("x") + 1 > 2', "((x + 1) > 2)"),
    ("F.expr(\"x > 1 and s = 'a'\")", "((x > 1) & (s == 'a'))"),
    ('"x > 1 AND y < 2.5"', "(x > 1); (y < 2.5)"),
    ("\"x between 1 and 2 and s in ('a', 'b')\"", "((x >= 1) & (x <= 2)); s in ['a', 'b']"),
    ('"not (x = 1 or b)"', "!((x == 1) | b)"),
    ('"x is not null and y is null"', "!null(x); null(y)"),
    ("\"d >= '2024-01-31'\"", "(d >= D2024-01-31)"),
    ("\"d >= date '2024-01-31'\"", "(d >= D2024-01-31)"),
    ('"case when x > 1 then 1 else 0 end = 1"', "(if((x > 1), 1, 0) == 1)"),
    ('"x <=> 1"', "(x <=> 1)"),
    ('"x == -1 and isnan(y)"', "(x == -1); nan(y)"),
    ('"y > 0.1D AND y < -2D"', "(y > 0.1); (y < -2.0)"),
    ('"y > cast(0.1 as double)"', "(y > 0.1)"),
    ('"y * 0.1D > 5"', "((y * 0.1) > 5)"),
    ('"coalesce(x, 0) <> 1"', "(if(null(x), 0, x) != 1)"),
]


@pytest.mark.parametrize(("text", "expected"), CONDITIONS, ids=[c[0] for c in CONDITIONS])
def test_condition(text: str, expected: str) -> None:
    assert "; ".join(show(c.condition) for c in last(AGG.format(text)).conjuncts) == expected


REFUSED = [
    ('F.col("x") > "5"', "opaque"),
    ('F.col("d") > "1/2/2024"', "opaque"),
    ('F.col("d") > "2024-1-5"', "opaque"),
    ('F.col("s") > 5', "opaque"),
    ('F.col("b") == 1', "opaque"),
    ('F.col("y") > 9007199254740993', "opaque"),
    ('F.col("x") > 1e300 * 2', "opaque"),
    ('F.col("X") > 1', "attribute-capture"),
    ('F.col("zz") > 1', "attribute-capture"),
    ('F.col("a.b") > 1', "opaque"),
    ('F.col("x") / F.col("y") > 1', "may-throw"),
    ('F.col("x") % 0 > 1', "may-throw"),
    ('F.col("x").isin([])', "opaque"),
    ('F.col("x").isin(1, "a")', "opaque"),
    ('F.col("x").isin(values)', "opaque"),
    ('F.col("x").isin(q())', "opaque"),
    ("F.rand() > 0.5", "volatile"),
    ('F.current_date() > F.col("d")', "volatile"),
    ('F.lag("x").over(w) > 1', "row-context"),
    ("F.row_number().over(w) == 1", "row-context"),
    ('my_udf(F.col("x")) > 1', "opaque"),
    ('F.col("x") > 1 and F.col("y") > 1', "opaque"),
    ('not F.col("b")', "opaque"),
    ('1 < F.col("x") < 5', "opaque"),
    ("F.col(name) > 1", "opaque"),
    ('F.col("s").contains(F.col("k"))', "opaque"),
    ('f"x > {q}"', "opaque"),
    ('"rand() > 0.5"', "volatile"),
    ('"x > current_date()"', "volatile"),
    ('"x > (select 1)"', "opaque"),
    ('"x >"', "opaque"),
    ('""', "opaque"),
    ('"t.x > 1"', "opaque"),
    ('"x > 1; drop table t"', "opaque"),
    ("\"s = 'a\\\\\\\\n'\"", "opaque"),
    ("\"x > '5'\"", "opaque"),
    ('"x > 1 and my_udf(x)"', "opaque"),
    ('"x * 1.1 > 3.3"', "opaque"),
    ('"y > 0.1F"', "opaque"),
    ('"y > 0.1BD"', "opaque"),
]


@pytest.mark.parametrize(("text", "obstruction"), REFUSED, ids=[c[0] for c in REFUSED])
def test_refused_condition(text: str, obstruction: str) -> None:
    found = last(AGG.format(text))
    if isinstance(found.child, Opaque):
        assert found.child.obstruction == obstruction
    else:
        assert obstruction == "opaque"
        assert found.unread
        assert not found.conjuncts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('(F.col("x") > 1) & ((F.col("y") < 2)) & F.col("b")', ['F.col("x") > 1', 'F.col("y") < 2', 'F.col("b")']),
        ('"x > 1 and (y < 2 or b)"', ["x > 1", "(y < 2 or b)"]),
        ('"x > 1 or y < 2"', ["x > 1 or y < 2"]),
        ('"x > 1 " "and y < 2"', ['"x > 1 " "and y < 2"'] * 2),
        ('"""x > 1 and y < 2"""', ['"""x > 1 and y < 2"""'] * 2),
    ],
)
def test_spans_of_conjuncts(text: str, expected: list[str]) -> None:
    found = last(AGG.format(text))
    source = HEAD + AGG.format(text)
    assert [c.span.text(source) for c in found.conjuncts] == expected
    assert found.condition.text(source) == text


NAMES = {
    "functions as f": ('import pyspark.sql.functions as f\n{}.filter(f.col("count") > 1)', True),
    "from functions import": ('from pyspark.sql.functions import col as c\n{}.filter(c("count") > 1)', True),
    "star": ('from pyspark.sql.functions import *\n{}.filter(col("count") > 1)', True),
    "the whole path": ('import pyspark\n{}.filter(pyspark.sql.functions.col("count") > 1)', True),
    "another module's col": ('from mine import col\n{}.filter(col("count") > 1)', False),
    "a col of this file": ('def col(x):\n    return x\n{}.filter(col("count") > 1)', False),
    "a rebound F": ('F = other\n{}.filter(F.col("count") > 1)', False),
    "a star of an unknown module": ('from pyspark.sql.functions import *\nfrom mine import *\n{}.filter(col("count") > 1)', False),
    "two imports of one name": ('from pyspark.sql.functions import col\nfrom mine import col\n{}.filter(col("count") > 1)', False),
    "an import beside a star": ('from mine import col\nfrom pyspark.sql.functions import *\n{}.filter(col("count") > 1)', False),
}  # fmt: skip


@pytest.mark.parametrize(("code", "known"), NAMES.values(), ids=NAMES.keys())
def test_where_a_name_comes_from(code: str, known: bool) -> None:
    found = last(code.format('df.groupBy("k").count()'))
    assert isinstance(found, Filter)
    assert bool(found.conjuncts) is known
    assert known or found.unread


def test_builtins_under_a_star_import_are_spark_functions() -> None:
    code = 'from pyspark.sql.functions import *\ndf.groupBy("k").agg(max("x").alias("m")).filter(col("m") > 1)'
    assert not isinstance(last(code).child, Opaque)


def test_the_builtin_max_is_no_aggregate() -> None:
    code = 'df.groupBy("k").agg(max("x").alias("m")).filter(F.col("m") > 1)'
    assert isinstance(last(code).child, Opaque)


def test_spelling() -> None:
    code = "from pyspark.sql.functions import col, sum as _sum"
    assert module(code).spelling.functions == "F"
    assert module(code).spelling.col == "col"
    assert ("sum", "_sum") in module(code).spelling.imported


def test_a_turn_with_many_branches_is_given_up() -> None:
    branches = "".join(f"    if r.n == {i}:\n        if r.v == {i}:\n            continue\n" for i in range(24))
    found = module(f"for r in df.collect():\n{branches}    print(r)\n")
    assert not [f for f in found.filters if f.style == "driver"]
