"""The paths of real programs are proved by both solvers, by a process that cannot import the operators."""

# A program per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

from itertools import chain
from typing import get_args

import pytest

from headwater.proof import cvc5_backend
from headwater.proof.crossings.whole import crossing_scripts
from headwater_ir.codec import from_json, to_json
from headwater_ir.crossing import Passed, Path
from headwater_ir.verdict import Solution
from tests.campaigns.certificates import checked_alone, edited

from .real import PROGRAMS, path_of, problem_of, real, refusal


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_real_path_is_proved(name: str) -> None:
    """By Z3, and by cvc5 after a trip through JSON."""
    assert real(name)
    for moved in real(name):
        assert refusal(moved, path_of(moved)) is None
        path = from_json(to_json(path_of(moved)), Path)
        problem, pre_filter = problem_of(moved, path)
        scripts = crossing_scripts(path, problem, Solution("partial", pre_filter, problem.predicate, ()))
        assert all(cvc5_backend.prove(text, 10) == "proved" for _, text in scripts)


def test_every_operator_that_can_be_passed_is_in_a_real_path() -> None:
    met = {type(c.passed) for name in PROGRAMS for moved in real(name) for c in path_of(moved).crossings}
    assert met == set(get_args(Passed))


CHECKED = {
    "a left join above a rename": """
import pandas as pd
def best(key, pdf):
    return pd.DataFrame({"team": [key[0]], "best": [pdf["score"].max()]})
tops = spark.read.schema("team string, score double").parquet("p").groupBy("team").applyInPandas(best, "team string, best double")
others = spark.read.schema("team string, rank int").parquet("q")
result = tops.withColumnRenamed("best", "top").join(others, "team", "left").filter("top > 90 and team = 'a'")
""",
    "a function of a key": """
from pyspark.sql import functions as F
lines = spark.read.schema("text string").parquet("p")
words = lines.select(F.explode(F.split("text", " ")).alias("word"))
result = words.groupBy("word").count().filter((F.length("word") > 2) & (F.col("count") > 1))
""",
    "a key that a window partitions by": """
from pyspark.sql import functions as F, Window
sales = spark.read.schema("shop string, day int, amount int").parquet("p")
f = F.udf(lambda n: n * 2 if n is not None else 0, "bigint")
ranked = sales.withColumn("twice", f("day")).withColumn("r", F.row_number().over(Window.partitionBy("twice").orderBy("amount")))
result = ranked.filter("twice > 10")
""",
}  # fmt: skip


def test_certificates_are_checked_without_what_found_them() -> None:
    certificates = list(chain.from_iterable(edited(source, {}) for source in CHECKED.values()))
    assert len(certificates) >= len(CHECKED)
    assert checked_alone(certificates) == (0, "")
