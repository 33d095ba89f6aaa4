# ruff: noqa: E501 - programs, one to a line
"""The folds of functions over Arrow tables against CPython, pyarrow and the conversions of Spark's own worker."""

from __future__ import annotations

import datetime as dt
import itertools
import random
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from headwater.python.arrow.apply_in_arrow import fold_group_arrow
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Scalar
from headwater_ir.plan import Field, Schema
from headwater_ir.types import OPAQUE, Type
from tests.python.harness import ERROR, Rows, run_module, same
from tests.python.test_conformance import VALUES

from .arrow_cases import CASES, HEAD, ArrowCase, schema

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def groups(case: ArrowCase) -> Iterator[Rows]:
    """Groups of one to five rows; the key is the same in each."""
    fields = schema(case.columns).fields
    for key in [v for v in VALUES[fields[0].type.name] if v != ""][:3]:
        for size, seed in itertools.product((1, 2, 3, 5), range(12)):
            chance = random.Random(f"{key}{size}{seed}")
            yield [
                {fields[0].name: key, **{f.name: chance.choice(_pool(f.type, seed)) for f in fields[1:]}}
                for _ in range(size)
            ]


def _pool(t: Type, seed: int) -> list[Scalar]:
    """A third of the groups has no None."""
    values = VALUES[t.name]
    return values[1:] if seed % 3 == 0 else values


@pytest.mark.parametrize("name", sorted(CASES))
def test_fold_is_the_function(name: str) -> None:
    case = CASES[name]
    outcomes = set()
    for rows in groups(case):
        real = case.real(rows)
        outcomes.add("error" if real == ERROR else "none" if real is None else "row")
        model = case.model(_ordered(name, rows))
        assert same(model, real) or (real == ERROR and passed_over(name)), (name, rows, model, real)
    assert outcomes != {"error"}, "the case never runs"


def passed_over(name: str) -> bool:
    """Whether the case has errors of single rows that the fold leaves out: the rows raise with and without others."""
    return name.startswith(("max", "min", "chosen", "inferred", "sum", "sorted"))


@pytest.mark.parametrize("name", [n for n in sorted(CASES) if passed_over(n)])
def test_errors_that_are_passed_over_are_in_every_larger_group(name: str) -> None:
    case = CASES[name]
    for rows in groups(case):
        if case.real(rows) == ERROR or not passed_over(name):
            continue
        for n in range(1, len(rows)):
            for part in itertools.combinations(rows, n):
                assert case.real(part) != ERROR or case.model(part) == ERROR, (name, rows, part)


def _ordered(name: str, rows: Rows) -> Rows:
    """The rows in the order in which the function sees them."""
    return sorted(rows, key=lambda r: (r["n"] is None, r["n"] or 0)) if name in ("sorted", "sorted table") else rows


ON_SPARK = [
    "top2", "top2 not null", "batches", "early", "chosen", "arrays", "last", "last narrow", "last float", "last date",
    "sum of doubles", "int in double", "max default", "inferred double", "inferred long", "kept", "kept unguarded",
    "min, schema of the table", "pairs", "int key", "date key", "stamps", "first string", "infinity",
]  # fmt: skip


def _own_key(t: Type, n: int) -> Scalar:
    if n == 0:
        return None
    return {"string": f"k{n}", "date": dt.date(2024, 1, 1) + dt.timedelta(n)}.get(t.name, n)


def usable(case: ArrowCase) -> list[tuple[Scalar, Rows]]:
    """Groups of up to three rows whose function raises in no order, each with its own key."""
    key = schema(case.columns).fields[0]
    found: list[tuple[Scalar, Rows]] = []
    for rows in groups(case):
        own = _own_key(key.type, len(found))
        renamed = [{**row, case.key: own} for row in rows]
        if len(rows) <= 3 and all(case.real(list(p)) != ERROR for p in itertools.permutations(renamed)):
            found.append((own, renamed))
    return found


@pytest.mark.spark
@pytest.mark.parametrize("name", ON_SPARK)
def test_spark_agrees(name: str, spark: SparkSession) -> None:
    """Rows inside a group have no order: Spark's result must be that of some permutation."""
    case = CASES[name]
    given = dict(usable(case))
    rows = [tuple(row[f.name] for f in schema(case.columns).fields) for group in given.values() for row in group]
    frame = spark.createDataFrame(rows, case.columns.replace(" ", ": ").replace(",:", ","))
    function: Any = run_module(HEAD + case.source)["f"]
    result = frame.groupBy(case.key).applyInArrow(function, case.output).collect()
    found: dict[Scalar, Mapping[str, Scalar]] = {row[0]: row.asDict() for row in result}
    for key, group in given.items():
        expected = [case.model(list(p)) for p in itertools.permutations(group)]
        assert any(same(found.get(key), e) for e in expected), (group, found.get(key), expected)


OUT = 'pa.schema([("k", pa.string()), ("v", pa.float64())])'
ROWS = "table.to_pylist()"
GIVEN = 'return pa.Table.from_pylist([{"k": key[0].as_py(), "v": VALUE}], schema=' + OUT + ")"
REFUSED: dict[str, tuple[str, str, str]] = {
    "another type": ("may-throw", 'return pa.table({"k": ["a"], "v": [1.0]}, schema=pa.schema([("k", pa.string()), ("v", pa.float32())]))', "declared"),
    "another column": ("may-throw", 'return pa.table({"k": ["a"], "w": [1.0]})', "not the declared ones"),
    "a column too few": ("may-throw", 'return pa.table({"k": ["a"]}, schema=' + OUT + ")", "no column `v`"),
    "int for double": ("may-throw", 'return pa.table({"k": ["a"], "v": [1]})', "declared as"),
    "nothing but None": ("may-throw", 'return pa.table({"k": ["a"], "v": [None]})', "depends on its value"),
    "empty columns": ("may-throw", 'return pa.table({"k": [], "v": []})', "of no type"),
    "two rows": ("multiplicity", 'return pa.table({"k": ["a", "b"], "v": [1.0, 2.0]})', "several rows"),
    "all rows": ("opaque", f"return pa.Table.from_pylist({ROWS}, schema={OUT})", "not spelled out"),
    "a slice": ("opaque", "return table.slice(0, 1)", "`slice` of an Arrow table"),
    "record batch": ("opaque", 'return pa.RecordBatch.from_pylist([{"k": "a", "v": 1.0}])', "RecordBatch"),
    "nothing": ("opaque", "pass", "does not return a frame"),
    "key of another type": ("may-throw", 'return pa.table({"k": [key[0]], "v": [key[1]]})', "no such part"),
    "no such part of the key": ("may-throw", GIVEN.replace("VALUE", "key[1].as_py()"), "no such part"),
    "no such column": ("may-throw", GIVEN.replace("VALUE", 'max(r["y"] for r in table.to_pylist())'), "no column `y`"),
    "second row": ("may-throw", GIVEN.replace("VALUE", f'{ROWS}[1]["x"]'), "too few rows"),
    "string in double": ("may-throw", GIVEN.replace("VALUE", f'{ROWS}[0]["s"]'), "its value is string"),
    "scalar compared": ("opaque", "if key[0] == 'a':\n        return table.schema.empty_table()\n    " + GIVEN.replace("VALUE", "1.0"), "not a scalar"),
    "compute": ("opaque", GIVEN.replace("VALUE", 'pa.compute.sum(table["x"]).as_py()'), "nothing is known"),
    "sorted by doubles": ("opaque", GIVEN.replace("VALUE", f'sorted({ROWS}, key=lambda r: r["x"])[0]["x"]'), "may be NaN"),
    "sorted in place": ("side-effect", f'rows = {ROWS}\n    rows.sort(key=lambda r: r["n"])\n    ' + GIVEN.replace("VALUE", 'rows[0]["x"]'), "sort"),
    "rows changed": ("side-effect", f'for r in {ROWS}:\n        r["x"] = 0.0\n    ' + GIVEN.replace("VALUE", "1.0"), "an object changes"),
    "two passes": ("opaque", f'best = max(r["x"] for r in {ROWS})\n    n = sum(1.0 for r in {ROWS} if r["x"] == best)\n    ' + GIVEN.replace("VALUE", "n"), "second pass"),
    "a pass for each row": ("opaque", f'n = 0.0\n    rows = {ROWS}\n    for r in rows:\n        n += len([q for q in rows if q["x"] > r["x"]])\n    ' + GIVEN.replace("VALUE", "n"), "each of its rows"),
    "a comprehension inside another": ("opaque", GIVEN.replace("VALUE", f'1.0 * sum(1 for r in {ROWS} if any(q["x"] > r["x"] for q in {ROWS}))'), "each of its rows"),
    "columns one inside the other": ("opaque", GIVEN.replace("VALUE", '1.0 * len([x for x in table["x"].to_pylist() if any(y > x for y in table["n"].to_pylist())])'), "each of its rows"),
    "a pass inside a key": ("opaque", GIVEN.replace("VALUE", f'max({ROWS}, key=lambda r: len([q for q in {ROWS} if q["x"] > r["x"]]))["x"]'), "each of its rows"),
    "may fail under a condition": ("opaque", f"rows = {ROWS}\n    v = 0.0\n    if len(rows) > 3:\n        v = max(r['x'] / r['n'] for r in rows)\n    " + GIVEN.replace("VALUE", "v"), "run under a condition"),
    "loop over others": ("opaque", f"rows = {ROWS}\n    if not [r for r in rows if r['x'] == 1]:\n        return pa.Table.from_pylist([])\n    v = 0.0\n    for r in rows:\n        v += r['x'] / r['n']\n    " + GIVEN.replace("VALUE", "v"), "only under a condition"),
    "may fail in a branch": ("opaque", f"rows = {ROWS}\n    " + GIVEN.replace("VALUE", 'max(-r["x"] for r in rows) if len(rows) > 3 else 0.0'), "run under a condition"),
    "may fail behind and": ("opaque", f"rows = {ROWS}\n    v = 0.0\n    if len(rows) > 3 and any(r['x'] > 3 for r in rows):\n        v = 1.0\n    " + GIVEN.replace("VALUE", "v"), "run under a condition"),
    "may fail in a chain": ("opaque", f"rows = {ROWS}\n    v = 1.0 if 3 < len(rows) < sum(r['n'] // r['n'] for r in rows) else 0.0\n    " + GIVEN.replace("VALUE", "v"), "run under a condition"),
    "more than rows in batches": ("opaque", 'n = 0.0\n    for b in table.to_batches():\n        n += b.num_rows\n    ' + GIVEN.replace("VALUE", "n"), "more than go through"),
    "naive timestamp": ("may-throw", 'n = 0.0\n    for r in table.to_pylist():\n        if r["t"] and r["t"] > datetime.datetime(2024, 1, 1):\n            n += 1\n    ' + GIVEN.replace("VALUE", "n"), "naive"),
    "bytes": ("opaque", GIVEN.replace("VALUE", f'1.0 if {ROWS}[0]["raw"] else 0.0'), "without a model"),
    "keys of a row": ("opaque", f'n = 0.0\n    for r in {ROWS}:\n        if "x" in r:\n            n += 1\n    ' + GIVEN.replace("VALUE", "n"), "which columns a row has"),
    "values of a row": ("opaque", f'n = 0.0\n    for r in {ROWS}:\n        n += sum(r.values())\n    ' + GIVEN.replace("VALUE", "n"), "values"),
    "computed schema": ("opaque", 'return pa.table({"k": ["a"], "v": [1.0]}, schema=pa.schema([c for c in table.schema]))', "not spelled out"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refusal(name: str) -> None:
    obstruction, body, words = REFUSED[name]
    columns = Schema((*schema("k string, x double, n long, s string, t timestamp").fields, Field("raw", OPAQUE)))
    ctx = Context.of(f"{HEAD}\ndef f(key, table):\n    {body}\n")
    function = ctx.function("f")
    assert function is not None
    with pytest.raises(Refusal, match=re.escape(words)) as refused:
        fold_group_arrow(ctx, function, source=columns, keys=("k",), output=schema("k string, v double"))
    assert refused.value.obstruction == obstruction, refused.value.reason
