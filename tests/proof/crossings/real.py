"""Paths of real programs, and what the checker says of them, or of what somebody made of them."""

# A program per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import z3

from headwater.operators.move import Moved, moves
from headwater.proof.crossings.encoding import OutOfReach
from headwater.proof.crossings.whole import crossing_scripts
from headwater.semantics.values import fresh_context
from headwater_ir import expr as ir
from headwater_ir.crossing import Crossing, Passed, PassesView, Path
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Solution
from tests.pyspark.render import last

AGG = 'df.groupBy("k").agg(F.max("y").alias("m"), F.min("x").alias("n"), F.max("s").alias("t"))'
OTHER = 'other = spark.read.schema("k string, r int, u double").parquet("q")\n'
WINDOW = "from pyspark.sql.window import Window\n"
UDF = 'f = F.udf(lambda v: v.upper(), "string")\n'

PROGRAMS: dict[str, str] = {
    "filter": f'{AGG}.filter("n < 2").filter("m > 1")',
    "filters that stay": f'{AGG}.filter("n < 2").withColumn("e", F.explode(F.array("n"))).filter("m > 1 and e = 1")',
    "project": f'{AGG}.select(F.col("m").alias("n"), F.col("n").alias("m")).filter("m > 1 and n > 2")',
    "a computed column": f'{AGG}.withColumn("q", F.when(F.col("m") > 1, 1).otherwise(0)).filter("q = 1")',
    "sort": f'{AGG}.orderBy("m").filter("m > 1")',
    "cache": f'{AGG}.cache().filter("n > 1")',
    "checkpoint": f'{AGG}.localCheckpoint().filter("m > 1")',
    "watermark": 'df.groupBy("d").agg(F.max("y").alias("m")).withWatermark("d", "1 day").filter("m > 1")',
    "view": f'{AGG}.createOrReplaceTempView("tops")\nspark.table("tops").filter("m > 1")',
    "shared": f'frame = {AGG}\na = frame.filter("m > 1")\na.write.parquet("a")\nb = frame.filter("n > 2")\nb.write.parquet("b")',
    "union": f'{AGG}.union({AGG}).filter("m > 1")',
    "union by position": f'{AGG}.select("k", "n", "t").union({AGG}.select("t", "n", "k")).filter("n > 1 and k > \'a\'")',
    "intersect": f'{AGG}.intersect({AGG}).filter("m > 1")',
    "subtract": f'{AGG}.subtract({AGG}).filter("m > 1")',
    "inner join": f'{OTHER}{AGG}.join(other, "k").filter("m > 1")',
    "left join": f'{OTHER}{AGG}.join(other, "k", "left").filter("m > 1")',
    "right of a left join": f'{OTHER}other.join({AGG}, "k", "left").filter("m > 1")',
    "key of a left join": f'{OTHER}other.join({AGG}, "k", "left").filter("k > \'a\'")',
    "key of a full join": f'{OTHER}{AGG}.join(other, "k", "full").filter("k > \'a\'")',
    "semi join": f'{OTHER}{AGG}.join(other, "k", "semi").filter("m > 1")',
    "anti join": f'{OTHER}{AGG}.join(other, "k", "anti").filter("m > 1")',
    "right of an anti join": f'{OTHER}other.join({AGG}, "k", "anti").filter("k > \'a\'")',
    "ordered join": f'{OTHER}a = {AGG}.drop("k")\na.join(other, F.col("n") < F.col("r")).filter("r < 5")',
    "ON clause": f'{OTHER}a = {AGG}\na.join(other, (a["k"] == other["k"]) & (a["m"] > 1))',
    "distinct": f'{AGG}.distinct().filter("m > 1")',
    "dropDuplicates": f'{AGG}.dropDuplicates(["k", "n"]).filter("n > 1")',
    "keys of an aggregate": f'{AGG}.groupBy("n").agg(F.max("m").alias("o")).filter("n > 1 and o > 2")',
    "pivot": f'{AGG}.groupBy("n").pivot("k", ["a", "b"]).agg(F.count("m")).filter("n > 1")',
    "window": f'{WINDOW}w = Window.partitionBy("n").orderBy("m")\n{AGG}.withColumn("r", F.row_number().over(w)).filter("n > 1 and r = 1")',
    "window alone": f'{WINDOW}w = Window.partitionBy("n").orderBy("m")\n{AGG}.withColumn("r", F.row_number().over(w)).filter("n > 1")',
    "computed partition": f'{WINDOW}w = Window.partitionBy(F.lower("k"))\n{AGG}.withColumn("r", F.count("*").over(w)).filter(F.lower("k") == "a")',
    "prefix": f'{WINDOW}w = Window.partitionBy("k").orderBy(F.desc("n"))\n{AGG}.withColumn("r", F.row_number().over(w)).filter("n > 1 and r < 3")',
    "the first of an order": f'{AGG}.orderBy(F.desc("n")).limit(3).filter("n > 1")',
    "explode": f'{AGG}.withColumn("e", F.explode(F.array("n", "n"))).filter("m > 1")',
    "elements": 'spark.read.schema("xs array<int>, k int").parquet("p").withColumn("e", F.explode("xs")).filter("e > 1")',
    "outer elements": 'spark.read.schema("xs array<int>, k int").parquet("p").withColumn("e", F.explode_outer("xs")).filter("e > 1")',
    "unpivot": 'spark.read.schema("k int, a int, b int").parquet("p").unpivot(["k"], ["a", "b"], "name", "value").filter("value > 1")',
    "rollup": 'spark.read.schema("k int, a int").parquet("p").rollup("k", "a").count().filter("k = 1")',
    "udf": f'{UDF}df.withColumn("q", f("s")).filter("q > \'A\' and k = \'a\'")',
}  # fmt: skip


@dataclass(frozen=True)
class OfItself(Path):
    """A path to a fold problem of the predicate that it ends with, not to that of the program."""


@cache
def real(name: str) -> tuple[Moved, ...]:
    """Where the last filter of a program comes down to."""
    return tuple(m for m in moves(last(PROGRAMS[name])) if isinstance(m, Moved))


def path_of(moved: Moved) -> Path:
    """Its path."""
    assert moved.path is not None
    return moved.path


def problem_of(moved: Moved, path: Path) -> tuple[FoldProblem, Expr]:
    """The fold problem at the end, and the predicate over columns as a pre-filter."""
    predicate = path.crossings[-1].after if isinstance(path, OfItself) else moved.problem.predicate
    own = ir.transform(predicate, lambda e: ir.Col(e.name) if isinstance(e, ir.Out) else None)
    stated = tuple(c.passed.alone for c in path_of(moved).crossings if isinstance(c.passed, PassesView))
    return replace(moved.problem, fold=replace(moved.problem.fold, assumptions=stated), predicate=predicate), own


def refusal(moved: Moved, path: Path, pre_filter: Expr | None = None) -> str | None:
    """Why the checker refuses ``path`` as the way to the boundary of ``moved``; None if it does not. ``pre_filter``: by
    default the predicate itself."""
    fresh_context()
    problem, own = problem_of(moved, path)
    try:
        scripts = crossing_scripts(path, problem, Solution("partial", pre_filter or own, problem.predicate, ()))
    except OutOfReach as reason:
        return str(reason)
    for _, text in scripts:
        solver = z3.Solver()
        solver.set("timeout", 10_000)
        solver.from_string(text)
        if solver.check() != z3.unsat:
            return text.partition("\n")[0]
    return None


def changed(
    path: Path, number: int, passed: dict[str, Any] | None = None, passed_by: Passed | None = None, **crossing: Any
) -> Path:
    """``path`` with another crossing at ``number``; what goes below it arrives there."""
    found: list[Crossing] = list(path.crossings)
    old = found[number]
    found[number] = replace(old, passed=passed_by or replace(old.passed, **(passed or {})), **crossing)
    if "after" in crossing and number + 1 < len(found):
        found[number + 1] = replace(found[number + 1], before=crossing["after"])
    return replace(path, crossings=tuple(found))
