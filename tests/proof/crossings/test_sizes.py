"""Sizes of collected arrays at the boundary: the condition speaks of `size(tags)`, the fold of a column of its own."""

from __future__ import annotations

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.proof.checker import accepted, check
from headwater_ir.verdict import Certificate

CONDITIONS = {
    "F.size('tags') > 0": "HW101",
    "F.size('tags') >= 2": "HW103",
    "F.cardinality('tags') > 0": "HW101",
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_on_a_size_meets_the_fold(condition: str) -> None:
    source = (
        "from pyspark.sql import functions as F\n"
        "found = spark.table('events').groupBy('user').agg("
        "F.collect_set(F.when(F.col('score') > 90, F.col('tag'))).alias('tags'))\n"
        f"found.filter({condition})\n"
    )
    report = analyse(source, Options(schemas={"events": "user string, tag string, score double"}))
    assert [o.code for o in report.opportunities] == [CONDITIONS[condition]], report.skipped
    (found,) = report.opportunities
    assert isinstance(found.certificate, Certificate)
    assert accepted(check(found.certificate))
