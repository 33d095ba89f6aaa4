"""The API surfaces that `docs/coverage.md` accounts for, and which of them a snippet uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

FUNCTIONS = {"F", "f", "fn", "func", "sf", "functions"}
"""Names that the specifications give to ``pyspark.sql.functions``; ``F.exists`` is told apart from ``.exists``."""

_RDD = (
    "map flatMap mapValues flatMapValues keyBy keys values reduceByKey foldByKey aggregateByKey combineByKey groupByKey"
    " aggregate treeAggregate fold reduce mapPartitions zipWithIndex sortBy parallelize textFile toDF"
)
_PYTHON = "udf pandas_udf udtf applyInPandas applyInArrow cogroup mapInPandas mapInArrow"
_AGGREGATES = (
    "F.max F.min F.sum F.count F.countDistinct F.count_if F.avg F.mean F.first F.last F.any_value F.max_by F.min_by"
    " F.bool_or F.bool_and F.collect_list F.collect_set F.approx_count_distinct F.percentile_approx F.stddev F.median"
)
_ROWS = (
    "F.explode F.explode_outer F.posexplode F.posexplode_outer F.inline F.stack F.exists F.forall F.filter F.transform"
    " F.aggregate F.array_contains F.size F.when F.coalesce F.expr F.monotonically_increasing_id F.rand F.uuid"
    " F.input_file_name"
)
_PLANS = (
    "over groupBy agg rollup cube pivot unpivot melt cache persist checkpoint localCheckpoint dropDuplicates"
    " drop_duplicates distinct join crossJoin union unionAll unionByName intersect exceptAll subtract orderBy sort"
    " limit sample sampleBy select selectExpr withColumn withColumns withColumnRenamed withColumnsRenamed drop toDF"
    " createDataFrame fillna dropna na alias transform repartition coalesce hint broadcast createOrReplaceTempView sql"
    " pandas_api"
)
GROUPS: dict[str, tuple[str, ...]] = {
    "Python at the boundary": tuple(_PYTHON.split()),
    "RDDs": tuple(n for n in _RDD.split() if n != "toDF"),
    "Aggregates": tuple(_AGGREGATES.split()),
    "Rows made of rows, and functions over arrays": tuple(_ROWS.split()),
    "Operators of a plan": tuple(_PLANS.split()),
    "Inside functions": (
        "for", "while", "try", "with", "match", "list comprehension", "generator", "dict literal", "lambda",
        "walrus", "f-string", "conditional", "helper function", "starred argument", "slice", "raise",
    ),
}  # fmt: skip
_NODES: dict[type[ast.AST], str] = {
    ast.For: "for", ast.While: "while", ast.Try: "try", ast.With: "with", ast.ListComp: "list comprehension",
    ast.GeneratorExp: "generator", ast.Dict: "dict literal", ast.Lambda: "lambda", ast.NamedExpr: "walrus",
    ast.JoinedStr: "f-string", ast.IfExp: "conditional", ast.Starred: "starred argument", ast.Slice: "slice",
    ast.Raise: "raise",
}  # fmt: skip
if hasattr(ast, "Match"):
    _NODES[ast.Match] = "match"


def surfaces_of(source: str) -> set[str]:
    """The names of ``GROUPS`` that ``source`` uses; none if it does not parse."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    return set(_used(tree))


def _used(tree: ast.Module) -> Iterator[str]:
    bare = {name.removeprefix("F."): name for names in GROUPS.values() for name in names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value
            of_functions = isinstance(owner, ast.Name) and owner.id in FUNCTIONS
            yield f"F.{node.attr}" if of_functions and node.attr not in _PYTHON.split() else node.attr
        elif isinstance(node, ast.Name) and node.id in bare and node.id in {*_PYTHON.split(), "explode", "broadcast"}:
            yield bare[node.id]
    for function in _functions(tree):
        called = {n.func.id for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        if called & {f.name for f in _functions(tree) if isinstance(f, ast.FunctionDef)}:
            yield "helper function"
        for node in ast.walk(function):
            if node is not function and type(node) in _NODES:
                yield _NODES[type(node)]
        if isinstance(function, ast.Lambda):
            yield "lambda"


def _functions(tree: ast.Module) -> list[ast.FunctionDef | ast.Lambda]:
    return [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.Lambda))]
