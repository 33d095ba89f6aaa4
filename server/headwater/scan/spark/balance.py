"""Files to partitions so that each has about as many bytes: the largest first, each to the emptiest partition."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PER_FILE = 2_000
"""Bytes that a file costs by being one."""
PER_CORE = 4
"""Partitions per core: some end early, and what a lost machine had is not much."""
BUCKETS = 64
"""Per partition, where the sizes are not known to the driver."""


def partitions(sizes: Sequence[int], count: int) -> list[int]:
    """The partition of each file."""
    heap = [(0, part) for part in range(count)]
    found = [0] * len(sizes)
    for index in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        load, part = heapq.heappop(heap)
        found[index] = part
        heapq.heappush(heap, (load + sizes[index] + PER_FILE, part))
    return found


def partition_count(spark: SparkSession, files: int) -> int:
    """How many partitions so many files are spread over."""
    return max(1, min(files, PER_CORE * int(spark.sparkContext.defaultParallelism)))


def keys(spark: SparkSession, count: int) -> list[int]:
    """For each partition a number that ``repartition`` puts there: it goes by a hash, and we by sizes."""
    found: dict[int, int] = {}
    width = 16 * count + 64
    while len(found) < count:
        for row in spark.range(width).selectExpr("id", f"pmod(hash(id), {count}) AS part").collect():
            found.setdefault(row["part"], row["id"])
        width *= 4
    return [found[part] for part in range(count)]


def by_size(spark: SparkSession, frame: DataFrame) -> DataFrame:
    """``frame``, which has ``path`` and ``content``, in partitions of about the same number of bytes."""
    from pyspark.sql import functions as F

    count = PER_CORE * spark.sparkContext.defaultParallelism
    bucket = F.expr(f"CAST(pmod(hash(path), {BUCKETS * count}) AS BIGINT)")
    size = F.sum(F.length("content") + PER_FILE)
    sizes = frame.groupBy(bucket.alias("bucket")).agg(size.alias("size")).collect()
    chosen = partitions([row["size"] for row in sizes], count)
    places = keys(spark, count)
    rows = [(row["bucket"], places[part]) for row, part in zip(sizes, chosen, strict=True)]
    if not rows:
        return frame
    table = F.broadcast(spark.createDataFrame(rows, "bucket bigint, key bigint"))
    return frame.withColumn("bucket", bucket).join(table, "bucket").repartition(count, "key").drop("bucket", "key")
