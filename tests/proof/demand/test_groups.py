"""The checker of aggregates of one frame that are joined, beside Spark."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from headwater.proof.demand.checker import VERSION, Malformed
from headwater.proof.demand.groups import check, groups_of, joined
from headwater.proof.demand.matches import VALUES
from headwater_ir.demand import Below, GroupsCertificate

from .planted import faults_of_groups

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCAN = (Below("Scan"),)


@pytest.mark.parametrize("keys", [("k",), ("k", "m"), ("k", "m", "n")])
@pytest.mark.parametrize("sides", [2, 3])
def test_the_same_groups(keys: tuple[str, ...], sides: int) -> None:
    assert check(GroupsCertificate(VERSION, "groupBy", keys, keys, sides, SCAN)) == ()


@pytest.mark.parametrize("name", faults_of_groups())
def test_other_groups_are_refused(name: str) -> None:
    assert check(faults_of_groups()[name])


@pytest.mark.parametrize(
    "certificate",
    [
        GroupsCertificate(VERSION + 1, "groupBy", ("k",), ("k",), 2, SCAN),
        GroupsCertificate(VERSION, "groupBy", (), (), 2, SCAN),
        GroupsCertificate(VERSION, "groupBy", ("k",), ("k",), 1, SCAN),
        GroupsCertificate(VERSION, "groupBy", ("k",), ("k",), 2, ()),
    ],
)
def test_a_certificate_that_means_nothing(certificate: GroupsCertificate) -> None:
    with pytest.raises(Malformed):
        check(certificate)


@pytest.mark.spark
def test_spark_groups_and_joins_as_the_checker_does(spark: SparkSession) -> None:
    """Which groups of every frame of two rows meet in a join of two sides."""
    from pyspark.sql import functions as F

    tables = list(product(VALUES, repeat=2))
    each = [(t, i, k) for t, table in enumerate(tables) for i, k in enumerate(table)]
    frame = spark.createDataFrame(each, "t int, i int, k double")
    one = frame.groupBy("t", "k").agg(F.sort_array(F.collect_list("i")).alias("a"))
    other = frame.groupBy("t", "k").agg(F.sort_array(F.collect_list("i")).alias("b"))
    found = sorted((r.t, tuple(r.a), tuple(r.b)) for r in one.join(other, ["t", "k"]).collect())
    rows = [(t, groups_of(tuple((k,) for k in table))) for t, table in enumerate(tables)]
    assert found == sorted((t, *places) for t, groups in rows for places in joined(groups, 2))
