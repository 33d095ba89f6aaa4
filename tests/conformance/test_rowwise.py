"""What the front end takes for a deterministic function of one row is one for Spark too."""

from __future__ import annotations

from typing import Any

import pytest

from headwater.frontend.build import PURE, ROW_CONTEXT, VOLATILE
from headwater.frontend.rowwise import FUNCTIONS
from headwater.frontend.spark_names import FUNCTION_NAMES

OF_THE_API = {"col", "column", "lit", "when", "timestamp_add", "timestamp_diff"}
"""Functions of the Column API that are no functions of SQL, but syntax."""
OTHER_NAMES = {
    "bitwise_not": "~", "negate": "negative", "create_map": "map", "pow": "power", "to_varchar": "to_char",
}  # fmt: skip
KINDS = "Nondeterministic ExpectsRandomSeed RandGen Generator AggregateFunction WindowFunction PlanExpression"


def test_no_function_is_in_two_lists() -> None:
    assert not FUNCTIONS & (VOLATILE | ROW_CONTEXT)
    assert set(PURE) - {"isnull"} <= FUNCTIONS | {"substr", "sha", "ucase"} | OF_THE_API
    assert FUNCTIONS <= FUNCTION_NAMES


@pytest.mark.spark
def test_every_function_is_deterministic_and_of_one_row(spark: Any) -> None:
    from pyspark.errors import AnalysisException

    jvm = spark._jvm
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    package = "org.apache.spark.sql.catalyst.expressions."
    bad_kinds = []
    for kind in KINDS.split():
        for prefix in (package, package + "aggregate."):
            try:
                bad_kinds.append(loader.loadClass(prefix + kind))
                break
            except Exception:
                continue
    assert len(bad_kinds) >= 5
    unknown, bad = [], []
    for name in sorted(FUNCTIONS - OF_THE_API):
        try:
            lines = [row[0] for row in spark.sql(f"DESCRIBE FUNCTION `{OTHER_NAMES.get(name, name)}`").collect()]
        except AnalysisException:
            lines = []
        found = [line[len("Class: ") :] for line in lines if line.startswith("Class: ")]
        if not found:
            unknown.append(name)
            continue
        cls = loader.loadClass(found[0])
        if any(k.isAssignableFrom(cls) for k in bad_kinds):
            bad.append(name)
    assert not bad
    assert not unknown
