"""The format of suite files: what is read, and what is an error with its place."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from benchmarks.synthesis.annotations import FormatError, expectations
from benchmarks.synthesis.conditions import prefilter
from benchmarks.synthesis.suite import Problem, parse

from headwater.operators.move import Moved, Stopped
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Lit

FILE = Path("benchmarks/suite/games/scores.py")
HEAD = '''"""Scores."""
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
scores = spark.read.schema("team string, score int, day date").parquet("scores").filter(F.col("team").isNotNull())

'''
CHAIN = 'scores.groupBy("team").agg(F.max("score").alias("best")).filter(F.col("best") > 90)\n'
BLOCK = """# kind: exact
# G: score > 90
# why: only a score above 90
#      lifts the maximum over it.
"""


def problems(text: str) -> tuple[Problem, ...]:
    return parse(HEAD + text, FILE)


def test_an_annotated_filter_is_a_problem() -> None:
    (problem,) = problems(BLOCK + CHAIN)
    expected = problem.expected
    assert problem.name == "games/scores:8"
    assert (expected.kind, expected.residual, expected.projection) == ("exact", None, False)
    assert expected.why == "only a score above 90 lifts the maximum over it."
    assert (expected.start, expected.end) == (12, 12)
    assert isinstance(problem.moved, Moved)
    assert problem.prefilter == ir.Compare(">", ir.Col("score"), Lit(90, ty.INT), "sql")
    assert problem.grouped is True


def test_a_chain_may_take_several_lines_and_be_assigned() -> None:
    text = (
        BLOCK
        + 'best = (\n    scores.groupBy("team")\n    .agg(F.max("score").alias("best"))\n'
        + ('    .filter(F.col("best") > 90)\n)\n')
    )
    (problem,) = problems(text)
    assert (problem.expected.start, problem.expected.end) == (12, 16)
    assert isinstance(problem.moved, Moved)


def test_a_driver_variable_of_an_expected_prefilter_is_a_parameter() -> None:
    body = BLOCK.replace("score > 90", "score > limit") + "return " + CHAIN.replace("90", "limit")
    read = 'scores = spark.read.schema("team string, score int").parquet("scores")\n'
    (problem,) = problems("def report(limit):\n" + indent(read + body, "    "))
    assert problem.prefilter == ir.Compare(">", ir.Col("score"), ir.Param("limit"), "sql")


def test_residuals_speak_of_outputs() -> None:
    text = "# kind: split\n# R: best IS NOT NULL\n# why: w\n" + CHAIN
    assert problems(text)[0].residual == ir.Not(ir.IsNull(ir.Out("best")))


def test_dates_are_dates() -> None:
    (problem,) = problems("# kind: exact\n# why: w\n" + CHAIN.replace('"score"', '"day"').replace("90", '"2024-01-01"'))
    assert problem.problem is not None
    read = prefilter(problem.problem, "day > '2024-01-01'")
    assert isinstance(read, ir.Compare)
    assert isinstance(read.right, Lit)
    assert read.right.type == ty.DATE


def test_what_the_front_end_refuses_is_a_problem_without_a_fold() -> None:
    (problem,) = problems(
        "# kind: none opaque\n# why: w\nscores.groupBy('team').cogroup(x).filter(F.col('best') > 90)\n"
    )
    assert isinstance(problem.moved, Stopped)


def test_a_filter_above_a_source_needs_no_annotation() -> None:
    assert len(problems('clean = scores.filter("score > 0")\n' + BLOCK + CHAIN)) == 1


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (CHAIN, 1, "nothing is expected"),
        (BLOCK + CHAIN + CHAIN, 13, "a filter without an annotation"),
        (BLOCK + "x = 1\n", 8, "no filter in the statement below"),
        (BLOCK + "\n" + CHAIN, 8, "no statement directly below"),
        (BLOCK, 8, "no statement directly below"),
        ("# G: score > 90\n" + BLOCK + CHAIN, 8, "before `kind:`"),
        (BLOCK.replace("exact", "total") + CHAIN, 8, "kind is one of"),
        (BLOCK.replace("exact", "none") + CHAIN, 8, "names no obstruction"),
        (BLOCK.replace("exact", "none hopeless") + CHAIN, 8, "`hopeless` is no obstruction"),
        (BLOCK.replace("exact", "exact opaque") + CHAIN, 8, "takes no obstruction"),
        (BLOCK.replace("exact", "never") + CHAIN, 8, "has no G and no R"),
        (BLOCK.replace("exact", "none opaque") + CHAIN, 8, "has no G and no R"),
        ("# kind: exact\n# G: score > 90\n" + CHAIN, 8, "without a `why:`"),
        (BLOCK + "# why: again\n" + CHAIN, 12, "there twice"),
        ("# kind: exact\n# G: score > 90\n#   AND score > 80\n# why: w\n" + CHAIN, 10, "neither a key"),
        (BLOCK + "# projection: maybe\n" + CHAIN, 8, "yes or no"),
        (BLOCK.replace("score > 90", "points > 90") + CHAIN, 8, "`points` is not a column"),
        (BLOCK.replace("score > 90", "score >") + CHAIN, 8, "does not parse"),
        (BLOCK.replace("# why", "# R: score > 1\n# why") + CHAIN, 8, "`score` is not a column"),
        ("def f(:\n", 8, "invalid syntax"),
    ],
)
def test_errors_name_file_and_line(text: str, place: int, words: str) -> None:
    with pytest.raises(FormatError) as error:
        problems(text)
    assert str(error.value).startswith(f"games/scores.py:{place}:")
    assert words in str(error.value)


def test_comments_that_are_no_annotations_are_left_alone() -> None:
    assert expectations("# Note: this is prose\n# about G: things\nx = 1\n", "f.py") == ()
