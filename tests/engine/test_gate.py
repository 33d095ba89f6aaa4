"""The cheap gate in front of the analysis lets every text through in which a rule may find something."""

from __future__ import annotations

import pytest

from headwater.engine.files.service import may_hold_findings
from headwater.pyspark.walls.jobs import JOBS
from headwater.pyspark.walls.record import WALLS
from headwater_ir.demand import BY_ROW
from tests.mdtest.cases import all_cases


@pytest.mark.parametrize("method", sorted({*WALLS, *JOBS}))
def test_each_call_that_rules_look_at(method: str) -> None:
    of = "df.rdd" if method in BY_ROW else "df"
    assert may_hold_findings(f"df = spark.table('t')\nx = {of}.{method}()\n")


BOUNDARIES = [
    "groupBy('k').applyInPandas(f, 'a int')", "mapInPandas(f, 'a int')", "mapInArrow(f, 'a int')", "agg(g)",
    "groupBy('k').agg(g)", "withColumn('a', F.udf(f)('b'))", "select(F.explode('b').alias('a'))", "rdd.map(f).toDF()",
    "cache()", "withColumn('a', F.max('b').over(Window.partitionBy('k')))",
]  # fmt: skip


def test_each_specification_with_a_finding() -> None:
    found = [c for c in all_cases() if any(e.verdict.startswith("HW") for e in c.expectations)]
    assert len(found) > 500
    assert not [c.name for c in found if not may_hold_findings(f"# spark\n{c.source}")]


def test_other_texts_are_not_analysed() -> None:
    assert not may_hold_findings("import pandas as pd\n\nx = pd.DataFrame().filter(['a'])\n")
    assert not may_hold_findings("spark = None\n")


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_filter_in_brackets_behind_a_boundary(boundary: str) -> None:
    """``frame[condition]`` is a filter without a word for it."""
    assert may_hold_findings(f"# spark\nmade = t.{boundary}\nresult = made[made.a > 3]\n")
