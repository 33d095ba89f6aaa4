"""Values of unknown origin that the methods called on them, or given them, show to be frames."""

# A program per line reads best unwrapped.
# ruff: noqa: E501

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest

from headwater.pyspark.walls import shown

from .render import HEAD, module, outcome

AGG = 'a = df.groupBy("k").agg(F.max("x").alias("m"))\n'
CASES = {
    "joined by name": (f'def f(df, u):\n    {AGG}    return u.join(a, "k").filter("m > 1")', "agg: (m' > 1)"),
    "joined by keyword": (f'def f(df, u):\n    {AGG}    return u.join(a, on=["k"]).where(F.col("m") > 1)', "agg: (m' > 1)"),
    "the other one": (f'def f(df, u):\n    {AGG}    return a.join(u, "k").filter("m > 1")', "agg: (m' > 1)"),
    "both": ('def f(u, v):\n    return u.join(v, "k").filter("m > 1")', "no boundary"),
    "made by code that is not here": ('def f(load):\n    return df.join(load("t"), "k").distinct().filter("m > 1")', "no boundary"),
    "what the loop made of it": ('u = None\nfor n in raw.columns:\n    u = f(u, n)\nr = df.join(u, "k").filter("q > 1")', "opaque"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), CASES.values(), ids=CASES.keys())
def test_outcomes(code: str, expected: str) -> None:
    assert outcome(code, HEAD) == expected


@pytest.mark.parametrize("call", ["s.join(names)", 'os.path.join(s, "a")', '",".join(s)'])
def test_texts_are_no_frames(call: str) -> None:
    found = module(
        f"import os\ndef f(s, names):\n    t = {call}\n    return df.filter(F.col(t) > 1).filter(F.col('x') > s)"
    )
    assert {f.unread for f in found.filters} == {"the name of the column is not a literal", None}


def test_methods_of_frames_alone() -> None:
    sql = pytest.importorskip("pyspark.sql")
    pyspark = pytest.importorskip("pyspark")
    others = (pyspark.RDD, pd.DataFrame, pd.Series, pa.Table, pa.RecordBatch, list, dict, str)
    for name in shown.OF_FRAMES_ALONE:
        assert hasattr(sql.DataFrame, name)
        assert [o for o in others if hasattr(o, name)] == [], name
