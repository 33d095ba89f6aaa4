"""What the words of SQL text mean, beside the methods of frames that they are read as.

``complaints`` measures tables of words against Spark. That it sees a wrong entry is shown by every other entry.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from headwater.pyspark.sql_text.calls import spelled_literal
from headwater.pyspark.sql_text.clauses import KINDS
from headwater.pyspark.sql_text.set_operations import METHODS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

Rows = Counter[object]
Words = tuple[str, ...]
LEFT = [(1, 10), (1, 11), (2, 20), (2, 20), (3, 30), (None, 40), (None, 40)]
RIGHT = [(1, 10), (2, 20), (2, 20), (2, 21), (4, 44), (None, 40)]
SET_OPERATORS = {"UNION ALL": ("union",), "UNION": ("union", "distinct"), **{k: (v,) for k, v in METHODS.items()}}
VALUES = [
    "7",
    "-7",
    "0",
    "5000000000",
    "-5000000000",
    "2147483648",
    "-2147483648",
    "1.5",
    "-0.0",
    "True",
    "None",
    "'it'",
]


@pytest.fixture(scope="module")
def sides(spark: SparkSession) -> tuple[DataFrame, DataFrame]:
    made = [spark.createDataFrame(rows, "k int, x int").coalesce(1) for rows in (LEFT, RIGHT)]
    for frame, name in zip(made, ("sql_l", "sql_r"), strict=True):
        frame.createOrReplaceTempView(name)
    return made[0], made[1]


def _bag(frame: DataFrame) -> Rows:
    return Counter(map(tuple, frame.collect()))


def joins(sides: tuple[DataFrame, DataFrame]) -> dict[str, Rows]:
    """By the type of a join, the rows of the method."""
    left, right = sides
    return {how: _bag(left.join(right, left.k == right.k, how)) for how in sorted(set(KINDS.values()))}


def complaints(found: dict[Words, Rows], wanted: dict[Words, Rows]) -> list[str]:
    """The words whose rows are not those that are wanted."""
    return [" ".join(words) for words, rows in found.items() if rows != wanted[words]]


def test_kinds_of_joins(spark: SparkSession, sides: tuple[DataFrame, DataFrame]) -> None:
    by_method = joins(sides)
    found = {
        words: _bag(spark.sql(f"SELECT * FROM sql_l l {' '.join(words)} JOIN sql_r r ON l.k = r.k")) for words in KINDS
    }
    assert not complaints(found, {words: by_method[how] for words, how in KINDS.items()})
    for words, how in KINDS.items():
        for other in by_method.keys() - {how}:
            assert complaints(found, {w: by_method[other if w == words else h] for w, h in KINDS.items()})


def test_set_operators(spark: SparkSession, sides: tuple[DataFrame, DataFrame]) -> None:
    left, right = sides
    by_method: dict[Words, Rows] = {}
    for operator, (method, *then) in SET_OPERATORS.items():
        frame = getattr(left, method)(right)
        by_method[(operator,)] = _bag(frame.distinct() if then else frame)
    found = {words: _bag(spark.sql(f"SELECT * FROM sql_l {words[0]} SELECT * FROM sql_r")) for words in by_method}
    assert not complaints(found, by_method)
    for words in by_method:
        for other in by_method.keys() - {words}:
            assert complaints(found, {**by_method, words: by_method[other]})
    minus = _bag(spark.sql("SELECT * FROM sql_l MINUS SELECT * FROM sql_r"))
    assert minus == by_method[("EXCEPT",)]


def test_operators_of_one_level_go_from_left_to_right(spark: SparkSession, sides: tuple[DataFrame, DataFrame]) -> None:
    left, right = sides
    made = _bag(spark.sql("SELECT * FROM sql_r UNION ALL SELECT * FROM sql_l EXCEPT SELECT * FROM sql_r;  -- the end"))
    assert made == _bag(right.union(left).subtract(right))
    assert made != _bag(right.union(left.subtract(right)))


def test_order_and_limit_are_those_of_the_whole(spark: SparkSession, sides: tuple[DataFrame, DataFrame]) -> None:
    rows = spark.sql("SELECT x FROM sql_l UNION ALL SELECT x FROM sql_r ORDER BY x DESC LIMIT 1").collect()
    assert [tuple(r) for r in rows] == [(44,)]


@pytest.mark.parametrize("value", VALUES)
def test_markers_stand_for_literals(spark: SparkSession, value: str) -> None:
    """Of the same type, and the same value, in the place of an operand."""
    literal = spelled_literal(ast.parse(value, mode="eval").body)
    assert literal is not None
    given = eval(value)  # one of the texts above
    marked = spark.sql("SELECT typeof(:v) AS t, :v AS v", args={"v": given}).collect()
    spelled = spark.sql(f"SELECT typeof({literal}) AS t, {literal} AS v").collect()
    assert repr(marked) == repr(spelled)
    assert spark.sql("SELECT typeof(?) AS t", args=[given]).collect()[0].t == marked[0].t
