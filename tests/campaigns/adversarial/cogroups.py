"""Functions of two groups, over pandas frames and over Arrow tables, with every parameter of their joins and methods."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from . import arrow, groups, state
from .program import Draw, Program
from .signatures import arguments

LEFT = groups.DDL_OF_TEXTS
RIGHT = "k string, n bigint not null, w double, s string"
RIGHTS: tuple[list[tuple[Any, ...]], ...] = (
    [(1, 2.0, "a"), (1, 3.0, "b")],
    [(3, None, "x"), (5, 1.0, "y")],
    [(4, 1.0, None)],
)
"""Rows of one group of the right side, without its key."""
_MERGES: dict[str, tuple[str, ...]] = {
    "right": ("right", "right", "right.head(1)", 'right[["k", "w"]]'), "how": ('"left"', '"inner"', '"outer"', '"right"', '"cross"'), "on": ('"k"', '["k"]', '["k", "n"]', '["k", "s"]', '"s"', "None"), "suffixes": ('("", "_r")', '("_l", "")'),
    "sort": ("True", "False"), "copy": ("True",), "indicator": ("False",), "validate": ("None",), "left_index": ("True", "False"), "right_index": ("True", "False"),
}  # fmt: skip
_WRITTEN = (
    "out = pd.concat([left, right])", "out = pd.concat([left, right], ignore_index=True)", 'out = pd.concat([left, right], join="inner")', "out = left", "out = right", "out = left if len(left) else right", "out = left.head(len(right))",
    'out = pd.merge_asof(left.sort_values("n"), right.sort_values("n"), on="n", by="k")', 'out = left.join(right[["w"]])', 'out = left.join(right, rsuffix="_r")', 'out = left.assign(w=right["w"])', 'out = left.assign(w=right["w"].max())', 'out = left.combine_first(right)', 'out = left.assign(k=right["k"])',
    'out = pd.DataFrame({"k": left["k"], "w": right["w"]})', 'out = pd.DataFrame({"k": [left["k"].iloc[0]], "w": [right["w"].max()]})', 'out = pd.DataFrame([(key[0], len(left), len(right))], columns=["k", "a", "b"])', 'out = pd.DataFrame({"k": [key[0]], "w": [float(len(right))]})', 'out = left[left["s"].isin(right["s"])]',
    'out = right.assign(k=key[0])', "out = left.assign(m=len(right))", 'out = left.fillna({"k": "a"})',
)  # fmt: skip
_TABLES = (
    "out = left", "out = right", "out = pa.concat_tables([left, left.slice(0, 1)])", 'out = pa.concat_tables([left, right], promote_options="default")', 'out = left.append_column("z", pa.array([right.num_rows] * left.num_rows, pa.int64()))', 'out = left.set_column(0, "k", pa.array(["a"] * left.num_rows, pa.string()))',
    'out = pa.table({"k": pa.array([key[0].as_py()], pa.string()), "a": pa.array([left.num_rows], pa.int64())})', "out = left.slice(0, right.num_rows)", "out = left.filter(pc.is_in(left['s'], right['s']))", "out = left.take(pa.array([0, None]))",
)  # fmt: skip
_JOINS = {
    **arrow.DOMAINS,
    "right_table": ("right", 'right.select(["k", "w"])', "right.slice(0, 1)"),
    "keys": ('"k"', '"k"', '["k", "s"]', '"n"'),
}
_KEYS = (
    "k = 'a'",
    "k IS NULL",
    "k <> 'b'",
    "k IN ('a', 'b')",
    "k > 'a'",
    "NOT k = 'a'",
    "k IS NOT NULL",
    "k IS NULL OR k = 'a'",
)


def write(draw: Draw) -> Program:
    """A function whose result is tried on sample groups while it is written, and a filter of the key."""
    tables = draw.chance(0.35)
    for _ in range(12):
        thing = draw.one(state.THINGS) if draw.chance(0.15) else None
        body = [*_used(draw, thing), *(_arrow(draw) if tables else _pandas(draw)), "return out"]
        ddl = _declared(body, thing, tables)
        if ddl is not None:
            break
    else:
        thing, body, ddl = None, ["out = left", "return out"], LEFT.replace(" not null", "")
    lines = ["import numpy as np", "import pandas as pd", "import pyarrow as pa", "import pyarrow.compute as pc", "from pyspark.sql import functions as F", ""]  # fmt: skip
    lines += [thing.setup, ""] if thing else []
    lines += ["", f"def f({_parameters(body)}):", *(f"    {line}" for line in body), "", ""]
    grouped = draw.one(('groupBy("k")', 'groupBy("k")', 'groupby("k")', 'groupBy(F.col("k"))'))
    method = "applyInArrow" if tables else "applyInPandas"
    lines += ['t = spark.table("t")', 'u = spark.table("u")']
    lines.append(f'made = t.{grouped}.cogroup(u.{grouped}).{method}(f, "{ddl}")')
    lines.append(f'result = made.filter("{draw.one(_KEYS)}")')
    features = (
        method,
        thing.name if thing else next((w for w in ("merge", "join", "concat") if w in body[0]), "other"),
    )
    return Program("cogroups", "\n".join(lines) + "\n", {"t": LEFT, "u": RIGHT}, features, thing is not None and thing.changes, {"t": LEFT, "u": RIGHT}, _data())  # fmt: skip


def _parameters(body: list[str]) -> str:
    return (
        "key, left, right"
        if any("key" in line.replace("keys", "").replace("coalesce_key", "") for line in body)
        else "left, right"
    )


def _used(draw: Draw, thing: state.Thing | None) -> list[str]:
    return [f"found = {state.filled(draw.one(thing.uses), 'len(left)')}"] if thing else []


def _pandas(draw: Draw) -> list[str]:
    lines = []
    if draw.chance(0.35):
        lines = [draw.one(_WRITTEN)]
    elif draw.chance(0.6):
        given = arguments(draw, pd.DataFrame.merge, _MERGES, {})
        lines = [draw.one((f"out = left.merge({given})", f"out = pd.merge(left, {given})"))]
    else:
        side = draw.one(("left", "left", "right"))
        lines = [line.replace("pdf", side) for line in groups.step(draw, side)]
    for _ in range(draw.one((0, 0, 0, 1))):
        lines += groups.step(draw, "out")
    return lines


def _arrow(draw: Draw) -> list[str]:
    if draw.chance(0.4):
        return [draw.one(_TABLES)]
    if draw.chance(0.6):
        return [f"out = left.join({arguments(draw, pa.Table.join, _JOINS, {})})"]
    while True:
        name = draw.one(arrow.METHODS)
        given = arguments(draw, getattr(pa.Table, name), arrow.DOMAINS, {})
        if given is not None:
            return [f"out = left.{name}({given})".replace("table", "left")]


def _declared(body: list[str], thing: state.Thing | None, tables: bool) -> str | None:
    """The DDL of what the body returns of some pair of sample groups."""
    namespace: dict[str, Any] = {"pd": pd, "np": np, "pa": pa, "pc": pc}
    written = body[1:] if thing else body  # an object that changes must not be used here
    try:
        exec("def f(key, left, right):\n" + "\n".join(f"    {line}" for line in written), namespace)
    except SyntaxError:
        return None
    for left in (groups.GROUPS[1], groups.GROUPS[4]):
        for right in RIGHTS:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                sides = (arrow.table(left), _table(right)) if tables else (groups.frame(left), _frame(right))
                key = (pa.scalar("a"),) if tables else ("a",)
                read = arrow.ddl_of if tables else groups.ddl_of
                try:
                    ddl = read(namespace["f"](key, *sides))
                except Exception:
                    continue
            if ddl is not None:
                return ddl
    return None


def _frame(rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    return pd.DataFrame([("a", *row) for row in rows], columns=["k", "n", "w", "s"]).astype({"w": "float64"})


def _table(rows: list[tuple[Any, ...]]) -> pa.Table:
    return pa.Table.from_pandas(_frame(rows), preserve_index=False)


def _data() -> tuple[dict[str, list[tuple[Any, ...]]], ...]:
    left = [d["t"] for d in groups.data()]
    a, b, c = (list(rows) for rows in RIGHTS)
    right: list[tuple[Any, ...]] = (
        [("a", *r) for r in a] + [("b", *r) for r in b] + [(None, *r) for r in c] + [("z", *c[0])]
    )
    return tuple({"t": rows, "u": other} for rows in (left[-2], left[1], left[-1]) for other in (right, right[:2], right[2:]))  # fmt: skip
