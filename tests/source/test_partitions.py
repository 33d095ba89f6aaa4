"""What the text of a read says of partitions, and of a database that evaluates no filters."""

from __future__ import annotations

import pytest

from headwater.pyspark.reading.module import FrontendOptions, read_module
from headwater.source.classify import Source, classify
from headwater.source.reach import scan_below
from headwater_ir.expr import conjoin

HEAD = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
STATED = (("t", "id int, year int PARTITIONED BY (year)"),)


@pytest.mark.parametrize(
    ("read", "partitions", "pushes", "kind"),
    [
        (
            'spark.read.option("basePath", "/data/").parquet("/data/year=2024/month=*")',
            ("year", "month"),
            True,
            "exact",
        ),
        ('spark.read.options(basePath="/data").parquet("/data/year=2024")', ("year",), True, "exact"),
        ('spark.read.parquet("/data/year=2024")', (), True, "unsupported"),
        ('spark.read.option("basePath", "/data/year=2024").parquet("/data/year=2024/month=1")', ("month",), True, None),
        ('spark.read.option("basePath", base).parquet("/data/year=2024")', (), True, "unsupported"),
        ('spark.table("t")', ("year",), True, "exact"),
        ('spark.read.parquet("t")', ("year",), True, "exact"),
        ('spark.read.jdbc("jdbc:x", "t")', (), True, "unsupported"),
        ('spark.read.format("jdbc").option("pushDownPredicate", False).load()', (), False, "unsupported"),
        ('spark.read.format("jdbc").options(pushDownPredicate="false").load()', (), False, "unsupported"),
        ('spark.read.format("jdbc").option("pushDownPredicate", "true").load()', (), True, "unsupported"),
    ],
)
def test_what_a_read_says(read: str, partitions: tuple[str, ...], pushes: bool, kind: str | None) -> None:
    module = read_module(f"{HEAD}{read}.filter('year + 1 > 2024')\n", FrontendOptions(schemas=STATED))
    (found,) = module.filters
    scan = scan_below(found.child, frozenset({"year"}))
    assert scan is not None
    assert (scan.partitions, scan.pushes) == (partitions, pushes)
    condition = conjoin([c.condition for c in found.conjuncts])
    assert kind is None or classify(condition, Source.of(scan)).kind == kind
