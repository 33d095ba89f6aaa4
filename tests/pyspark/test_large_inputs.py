"""Large inputs of odd shapes come to an end: none of them takes time that grows faster than a low power of its size."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.documents import on_demand

_HEAD = """from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()
df = spark.table("t")
"""
_SUM = " + ".join(f"F.col('c{i}')" for i in range(100))
_LIST = ", ".join(map(str, range(100_000)))
_LARGE = {
    "a sum of many terms": f"df.filter({_SUM} > 1).show()",
    "many filters": "".join(f"df = df.filter(F.col('c{i}') > {i})\n" for i in range(60)) + "print(df.count())",
    "a long text of SQL": f"print(spark.sql('select a from t where a in ({_LIST})').count())",
    "many jobs": "".join(f"n{i} = df.filter(F.col('a') == {i}).count()\n" for i in range(100)),
    "many columns": "".join(f"df = df.withColumn('c{i}', F.col('c{i - 1}') + 1)\n" for i in range(1, 100)),
}


@pytest.mark.parametrize("code", _LARGE.values(), ids=_LARGE)
def test_a_quick_check_ends(code: str, tmp_path: Path) -> None:
    seen = on_demand.look("large.py", f"{_HEAD}{code}\n", Options(), tmp_path)
    assert seen.report.error is None
