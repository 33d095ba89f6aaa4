"""Jobs of one pass (HW404) on filters that Spark compiles: those look at an operand only where the ones before it are
TRUE, wherever in the condition they stand. An aggregate that asks the same condition must not raise where they do not.

Other replays interpret filters, which is faster for programs that run once and looks at more operands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.files.fixing import fix_text
from headwater.engine.files.service import analyse_text
from tests.replay import Run, results, setting
from tests.results import Failed
from tests.shares import share

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DDL = "x int, y int, text string"
ROWS = [(2, 1, "3"), (None, 0, "no number"), (3, None, "no number"), (3, 0, None)]
FIRST, SECOND, THIRD = 'F.col("x") == 2', 'F.col("text").cast("int") > 1', 'F.col("y") > 0'
TEXTS = "x = 2", "CAST(text AS INT) > 1", "y > 0"
_SHAPES = [
    "({0}) & ({1})", "({0}) | ({1})", "~(({0}) | ({1}))", "~(({0}) & ({1}))", "(({0}) & ({1})) | (({0}) & ({2}))",
    "(({0}) | ({1})) & (({0}) | ({2}))", "~(~({0}) | ~({1}))", "({2}) & (({0}) & ({1}))", "({2}) | (({0}) & ({1}))",
    "(({0}) & ({1})) == F.lit(True)", "F.coalesce(({0}) & ({1}), F.lit(False))", "F.when({0}, {1})",
    "F.when(({0}) & ({1}), True).otherwise(False)", "(({0}) & ({1})).isNull()", "(({0}) & ({1})).eqNullSafe(True)",
]  # fmt: skip
_OF_TEXT = [
    "{0} AND {1}", "{0} OR {1}", "NOT ({0} OR {1})", "NOT ({0} AND {1})", "({0} AND {1}) OR ({0} AND {2})",
    "({0} AND {1}) = true", "coalesce({0} AND {1}, false)", "CASE WHEN {0} THEN {1} END", "if({0}, {1}, false)",
    "({0} AND {1}) IS NULL", "x BETWEEN 2 AND CAST(text AS INT)", "x IN (2, CAST(text AS INT))",
]  # fmt: skip
CONDITIONS = [
    *(s.format(FIRST, SECOND, THIRD) for s in _SHAPES),
    *(repr(s.format(*TEXTS)) for s in _OF_TEXT),
    *(f"F.expr({s.format(*TEXTS)!r})" for s in _OF_TEXT[:5]),
]


def program(condition: str) -> str:
    """Two jobs of one frame, one of them of the rows that pass ``condition``."""
    return (
        'from pyspark.sql import functions as F\nrows = spark.table("rows").distinct()\n'
        f"n = rows.count()\nkept = rows.filter({condition}).count()\nresult = (n, kept)\n"
    )


def one_pass(condition: str) -> str | None:
    """The program with both in one pass; None if that is not offered."""
    text, options = program(condition), Options(schemas={"rows": DDL})
    fixed = fix_text(text, lambda t: analyse_text(t, options), options=options).text
    return fixed if "count_if" in fixed else None


@pytest.mark.spark
def test_no_aggregate_raises_where_a_compiled_filter_does_not(spark: SparkSession) -> None:
    compiled = {"spark.sql.codegen.wholeStage": "true", "spark.sql.codegen.factoryMode": "CODEGEN_ONLY"}
    pairs = [(program(c), after) for c in CONDITIONS if (after := one_pass(c)) is not None]
    assert 5 < len(pairs) < len(CONDITIONS) - 5
    with setting(spark, compiled):
        for before, after in share(pairs, 3):
            was, now = results(spark, [Run(t, {"rows": DDL}, {"rows": ROWS}) for t in (before, after)], alone=True)
            assert isinstance(was, Failed) or was == now, after


@pytest.mark.spark
def test_the_rows_tell_the_two_apart(spark: SparkSession) -> None:
    """A conjunction inside of a condition raises in an aggregate, and not in a compiled filter."""
    condition = _SHAPES[2].format('F.col("x") != 2', SECOND)
    after = (
        program(condition)
        .replace("rows.filter(", "rows.agg(F.count_if(")
        .replace(").count()\nres", ")).first()[0]\nres")
    )
    with setting(spark, {"spark.sql.codegen.factoryMode": "CODEGEN_ONLY"}):
        was, now = results(
            spark, [Run(t, {"rows": DDL}, {"rows": ROWS}) for t in (program(condition), after)], alone=True
        )
    assert not isinstance(was, Failed)
    assert isinstance(now, Failed)
