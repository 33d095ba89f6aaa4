"""The declared signatures of PySpark's methods are those of the installed PySpark."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from typing import Any

import pytest

from headwater.pyspark.api import row_subsets
from headwater.syntax.names import pyspark_methods as declared
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Signature

sql: Any = pytest.importorskip("pyspark.sql")
CLASSES: dict[str, tuple[Any, Mapping[str, str]]] = {
    "Column": (sql.Column, declared.COLUMN),
    "DataFrame": (sql.DataFrame, {**declared.FRAME, **row_subsets.DECLARED}),
    "GroupedData": (sql.GroupedData, declared.GROUPED),
    "DataFrameNaFunctions": (sql.DataFrameNaFunctions, declared.NA),
    "Window": (sql.Window, declared.WINDOW),
    "WindowSpec": (sql.WindowSpec, declared.WINDOW),
    "TableArg": (pytest.importorskip("pyspark.sql.table_arg").TableArg, declared.TABLE),
    "RDD": (pytest.importorskip("pyspark").RDD, declared.RDD),
}
METHODS = [(owner, name) for owner, (_, table) in CLASSES.items() for name in table]


def complaint(owner: str, name: str, declaration: str) -> str | None:
    """How the declared parameters differ from the real ones: by name, place or kind, or by being required."""
    function = inspect.getattr_static(CLASSES[owner][0], name)
    function = getattr(function, "__func__", function)
    real = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    of_any_name = any(p.kind is p.VAR_KEYWORD for p in real)
    kinds = {"positional": 0, "either": 1, "star": 2, "keyword": 3}
    ours = [(p.name, kinds[p.kind], p.required) for p in Signature.of(declaration).parameters]
    theirs = [
        (p.name, int(p.kind), p.default is p.empty and p.kind is not p.VAR_POSITIONAL)
        for p in real
        if p.kind is not p.VAR_KEYWORD
    ]
    ours = [o for o in ours if o[1] != 3 or not of_any_name]
    return None if ours == theirs else f"{owner}.{name} has {theirs}, declared are {ours}"


def test_every_declaration_is_the_real_signature() -> None:
    found = [complaint(owner, name, CLASSES[owner][1][name]) for owner, name in METHODS]
    assert [c for c in found if c] == []


@pytest.mark.parametrize("change", [("(", "(surplus, "), ("(", "(*, surplus=None, ")])
def test_a_parameter_too_many_is_seen(change: tuple[str, str]) -> None:
    for owner, name in METHODS:
        changed = CLASSES[owner][1][name].replace(*change, 1).replace(", )", ")")
        if "*" not in CLASSES[owner][1][name]:
            assert complaint(owner, name, changed), changed


@pytest.mark.parametrize(
    ("table", "call", "named"),
    [
        (declared.COLUMN, 'c.alias("x", metadata={"a": 1})', "metadata"),
        (declared.RDD, "r.reduceByKey(f, partitionFunc=g)", "partitionFunc"),
        (declared.FRAME, "d.mapInPandas(f, s, barrier=True)", "barrier"),
        (declared.FRAME, "d.distinct(numPartitions=2)", "numPartitions"),
        (declared.FRAME, "d.join(e, **options)", r"\*\*"),
        (declared.FRAME, "d.dropDuplicates(*keys)", r"\*"),
        (declared.FRAME, "d.withColumn('a', b, c)", "argument 3"),
        (declared.GROUPED, "g.agg(e=f)", "`e`"),
    ],
)
def test_what_is_not_declared_is_refused_by_name(table: Mapping[str, str], call: str, named: str) -> None:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    with pytest.raises(Refusal, match=named):
        declared.bind(table[node.func.attr], node)


def test_unpacked_arguments_may_stand_where_any_number_may() -> None:
    node = ast.parse("d.select(*columns, 'a')", mode="eval").body
    assert isinstance(node, ast.Call)
    assert len(declared.bind(declared.FRAME["select"], node).rest) == 2
