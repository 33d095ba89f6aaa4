"""A row under another name keeps every column that the function may read: one without a model is refused, for a
read of it that is taken for a ``KeyError`` would excuse whatever follows."""

from __future__ import annotations

import pytest

from headwater.operators.move import Stopped, move
from headwater.pyspark.reading.module import read_module

HEAD = """
import pandas as pd
import pyarrow as pa
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
t = spark.read.schema("k string, a bigint, tags array<string>").parquet("t").dropna(subset=["a", "k"])
"""
BODY = """
    top, n = None, 0
    for r in {rows}:
        if r["a"] > 5:
            n += 1
        if top is None:
            top = r
    if n == 0 and {tags} is None:
        return {make}([{{"k": "none", "n": 0}}])
    return {make}([{{"k": "some", "n": n}}])
t.groupBy("k").{api}(hits, "k string, n bigint").filter(F.col("n") >= 0)
"""
PANDAS = HEAD + "def hits(pdf):" + BODY
ARROW = HEAD + "def hits(table: pa.Table) -> pa.Table:" + BODY


@pytest.mark.parametrize("tags", ['top["tags"]', 'top.get("tags")'])
@pytest.mark.parametrize(
    ("text", "rows", "make", "api"),
    [
        (PANDAS, 'pdf.to_dict("records")', "pd.DataFrame", "applyInPandas"),
        (ARROW, "table.to_pylist()", "pa.Table.from_pylist", "applyInArrow"),
    ],
    ids=["pandas", "arrow"],
)
def test_a_column_without_a_meaning_is_refused(text: str, rows: str, make: str, api: str, tags: str) -> None:
    """Every key passes the filter; with ``a > 5`` below, those without such a row would be lost."""
    source = text.format(rows=rows, tags=tags, make=make, api=api)
    found = move(read_module(source).filters[0])
    assert isinstance(found, Stopped), found
    assert found.obstruction == "opaque"
