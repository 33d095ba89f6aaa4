"""The checker of extremes of groups, beside Spark."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from headwater.proof.demand.checker import VERSION, Malformed
from headwater.proof.demand.extremes import VALUES, Cell, check, equal_to_extreme, of_rank
from headwater_ir.demand import ExtremeCertificate
from headwater_ir.parts import Order

from .planted import faults_of_extremes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

GREATEST, LEAST = Order("x", True, False), Order("x", False, False)


@pytest.mark.parametrize(("function", "order"), [("max", GREATEST), ("min", LEAST)])
def test_the_first_is_the_extreme(function: str, order: Order) -> None:
    assert check(ExtremeCertificate(VERSION, function, "x", order, 1, True)) == ()


@pytest.mark.parametrize("name", faults_of_extremes())
def test_other_ranks_are_refused(name: str) -> None:
    assert check(faults_of_extremes()[name])


@pytest.mark.parametrize(
    "certificate",
    [
        ExtremeCertificate(VERSION + 1, "max", "x", GREATEST, 1, True),
        ExtremeCertificate(VERSION, "avg", "x", GREATEST, 1, True),
        ExtremeCertificate(VERSION, "max", "y", GREATEST, 1, True),
    ],
)
def test_a_certificate_that_means_nothing(certificate: ExtremeCertificate) -> None:
    with pytest.raises(Malformed):
        check(certificate)


@pytest.mark.spark
def test_spark_compares_and_orders_as_the_checker_does(spark: SparkSession) -> None:
    """Both sides of the law, on every group of up to three rows, as Spark runs them."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    groups: list[tuple[Cell, ...]] = [g for n in (1, 2, 3) for g in product(VALUES, repeat=n)]
    rows = [(g, i, x) for g, group in enumerate(groups) for i, x in enumerate(group)]
    frame = spark.createDataFrame(rows, "g int, i int, x double")
    w = Window.partitionBy("g")
    for function, order, spelled in (("max", GREATEST, F.desc("x")), ("min", LEAST, F.asc_nulls_last("x"))):
        extreme = F.max("x") if function == "max" else F.min("x")
        equal = frame.withColumn("m", extreme.over(w)).filter(F.col("x") == F.col("m"))
        first = frame.withColumn("m", F.rank().over(w.orderBy(spelled))).filter(
            (F.col("m") == 1) & F.col("x").isNotNull()
        )
        expected = {(g, i) for g, group in enumerate(groups) for i in equal_to_extreme(group, function)}
        assert {(r.g, r.i) for r in equal.collect()} == expected
        assert {(r.g, r.i) for r in first.collect()} == expected
        assert expected == {(g, i) for g, group in enumerate(groups) for i in of_rank(group, order, 1, present=True)}
