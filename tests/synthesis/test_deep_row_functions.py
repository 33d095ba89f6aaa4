"""A function of rows whose paths are too many is given up before they are counted, and what else the filter says is
moved all the same."""

from __future__ import annotations

from headwater.engine.analysis.analyse import Options, analyse
from headwater.synthesis.row_functions import rowwise
from headwater_ir import expr as ir
from headwater_ir.types import INT

SOURCE = """\
from pyspark.sql import functions as F


def f(batches):
    for pdf in batches:
        pdf = pdf.assign(z=lambda d: d["x"].fillna(0).clip(-100, 3).abs())
        yield pdf


df = spark.table("t").mapInPandas(f, "k string, x double, n long, z double")
df.filter((F.col("n") < 5) & {}).count()
"""
SCHEMAS = {"t": "k string not null, x double, n bigint not null"}
DEEP = '(((F.col("z") > 0.0) & (F.col("n") < 3)) | (F.col("n") < 4))'


def test_the_other_conjuncts_of_a_deep_function_are_moved() -> None:
    report = analyse(SOURCE.format(DEEP), Options(schemas=SCHEMAS, timeout_seconds=20.0))
    assert [o.prefilter_text for o in report.opportunities] == ['F.col("n") < 5']


def test_paths_are_looked_for_in_a_bounded_number_of_steps() -> None:
    deep: ir.Expr = ir.Col("x")
    for i in range(12):
        deep = ir.If(ir.Compare(">", deep, ir.Lit(i, INT), "sql"), ir.Lit(i, INT), deep)
    steps = iter(range(rowwise.MAX_STEPS))
    found = rowwise._lifted(ir.Compare(">", deep, deep, "sql"), "plain", None, steps)
    assert any(path is None for path in found)
    assert next(steps, None) is None
