"""The checker of semi and anti joins, beside Spark."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import pytest

from headwater.proof.demand.checker import VERSION, Malformed
from headwater.proof.demand.matches import VALUES, Cell, check, kept_after, kept_before
from headwater_ir.demand import MatchCertificate

from .planted import faults_of_matches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SEMI = MatchCertificate(VERSION, "semi", ("k",), ("k",), unread=("x",))
KEY = MatchCertificate(VERSION, "anti", ("k",), tested="k", unread=("x",))


@pytest.mark.parametrize(
    "certificate",
    [
        SEMI,
        KEY,
        MatchCertificate(VERSION, "semi", ("k", "m"), ("k",)),
        MatchCertificate(VERSION, "semi", ("k", "m"), ("k", "m")),
        MatchCertificate(VERSION, "semi", ("a", "b", "c", "d", "e"), ("e",)),
        MatchCertificate(VERSION, "anti", ("k",), tested="x", never_null=True),
        MatchCertificate(VERSION, "anti", ("k", "m"), tested="m"),
        MatchCertificate(VERSION, "anti", ("a", "b", "c", "d", "e"), tested="e"),
    ],
)
def test_the_same_rows(certificate: MatchCertificate) -> None:
    assert check(certificate) == ()


@pytest.mark.parametrize("name", faults_of_matches())
def test_other_joins_are_refused(name: str) -> None:
    assert check(faults_of_matches()[name])


@pytest.mark.parametrize(
    "certificate",
    [
        MatchCertificate(VERSION + 1, "semi", ("k",), ("k",)),
        MatchCertificate(VERSION, "full", ("k",), ("k",)),  # type: ignore[arg-type]
        MatchCertificate(VERSION, "semi", (), ("k",)),
        MatchCertificate(VERSION, "semi", ("k",), ("k",), tested="k"),
        MatchCertificate(VERSION, "anti", ("k",)),
    ],
)
def test_a_certificate_that_means_nothing(certificate: MatchCertificate) -> None:
    with pytest.raises(Malformed):
        check(certificate)


@pytest.mark.spark
def test_spark_matches_as_the_checker_does(spark: SparkSession) -> None:
    """All joins of the law, of every value with every right side of up to two rows, whether it is unique or not."""
    from pyspark.sql import functions as F

    tables: list[tuple[Cell, ...]] = [t for n in (0, 1, 2) for t in combinations_with_replacement(VALUES, n)]
    each = [(t, i, k) for t in range(len(tables)) for i, k in enumerate(VALUES)]
    left = spark.createDataFrame(each, "t int, i int, k double")
    rows = [(t, k) for t, table in enumerate(tables) for k in table]
    right = spark.createDataFrame(rows, "t int, k double")
    unmatched = left.join(right, (left.t == right.t) & (left.k == right.k), "left").where(right.k.isNull())

    def counted(frame: DataFrame) -> dict[tuple[int, int], int]:
        counts = frame.groupBy(left.t.alias("t"), "i").agg(F.count(F.lit(1)).alias("n")).collect()
        return {(r.t, r.i): r.n for r in counts}

    found = [
        counted(left.join(right, ["t", "k"])),
        counted(left.join(right, ["t", "k"], "left_semi")),
        counted(unmatched),
        counted(left.join(right, ["t", "k"], "left_anti")),
    ]
    for t, table in enumerate(tables):
        for i, k in enumerate(VALUES):
            one, many = {"k": k}, tuple({"k": x} for x in table)
            expected = [
                kept_before(one, many, ("k",), SEMI),
                kept_after(one, many, ("k",), "semi"),
                kept_before(one, many, ("k",), KEY),
                kept_after(one, many, ("k",), "anti"),
            ]
            assert [f.get((t, i), 0) for f in found] == expected, (k, table)
