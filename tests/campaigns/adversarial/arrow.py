"""Functions of groups over Arrow tables, with every parameter of their methods."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .groups import GROUPS, data
from .program import Draw, Program
from .signatures import arguments

DDL = "k string, g int, v double, n bigint, s string"
_TYPES = {"g": pa.int32(), "v": pa.float64(), "n": pa.int64(), "s": pa.string(), "k": pa.string()}
_SPARK = {"int32": "int", "double": "double", "int64": "bigint", "string": "string", "bool": "boolean"}
_MASKS = (
    "pc.greater(table['v'], 1.0)", "pc.is_null(table['v'])", "pa.array([None] * table.num_rows, pa.bool_())", "pc.equal(table['s'], 'a')",
    "pa.array([True] + [None] * (table.num_rows - 1))", "pc.greater(pc.field('v'), 1.0)", "pc.is_valid(table['g'])", "pa.array([False] * table.num_rows)",
)  # fmt: skip
_INDICES = ("[0]", "[]", "pa.array([0, None])", "pa.array([None, 0], pa.int64())", "pc.sort_indices(table['v'])", "pc.index_in(table['s'], pa.array(['b']))",
            "pa.array([None], pa.int32())", "[0, 0]", "pc.array_sort_indices(table['n'])")  # fmt: skip
DOMAINS: dict[str, tuple[str, ...]] = {
    "mask": _MASKS, "null_selection_behavior": ('"drop"', '"emit_null"'), "indices": _INDICES, "offset": ("0", "1", "5"), "length": ("0", "1", "2", "None"),
    "sorting": ('"v"', '[("v", "descending")]', '[("n", "ascending"), ("v", "descending")]'), "columns": ('["k", "v"]', '["k", "s"]', '["v"]'),
    "names": ('["k", "g", "v", "n", "z"]', '{"g": "h"}', '{"s": "k", "k": "s"}'), "i": ("0", "1", "5"), "field_": ('"z"', '"k"', '"v"', 'pa.field("z", pa.float64())'),
    "column": ("table['v']", "pa.array([1.0] * table.num_rows)", "pa.nulls(table.num_rows, pa.float64())", "table['s']"), "right_table": ("table", "table.slice(0, 1)", 'table.select(["k", "g"])'),
    "keys": ('"k"', '["k", "g"]', '"n"'), "right_keys": ("None", '"k"'), "join_type": ('"left outer"', '"inner"', '"right outer"', '"full outer"', '"left semi"', '"right anti"', '"left anti"', '"right semi"'),
    "left_suffix": ("None", '"_l"'), "right_suffix": ('"_r"',), "coalesce_keys": ("True", "False"), "use_threads": ("False",), "target_schema": ("table.schema",),
    "safe": ("True", "False"), "options": ("None",), "metadata": ("None", "{}"), "memory_pool": ("None",), "max_chunksize": ("1", "None"), "filter_expression": ("None",),
}  # fmt: skip
METHODS = (
    "filter take slice sort_by drop_null combine_chunks unify_dictionaries select append_column set_column add_column remove_column drop drop_columns rename_columns join"
    " replace_schema_metadata cast"
).split()
"""Methods of tables that give tables."""
_KEYS = (
    '"k IS NULL"',
    '"k IS NULL"',
    '"k IS NULL"',
    "\"k = 'a'\"",
    "\"k <> 'b'\"",
    "\"k IN ('a', 'c')\"",
    'F.col("k").isNull()',
    "\"NOT k = 'a'\"",
    '"k IS NULL AND v > 1"',
)


def write(draw: Draw) -> Program:
    """A program whose function returns a table for at least one of the sample groups."""
    for _ in range(12):
        body = _body(draw)
        ddl = _declared(body)
        if ddl is not None:
            break
    else:
        body, ddl = ["return table.take(pa.array([0, None]))"], DDL
    lines = "\n".join(f"    {line}" for line in body)
    source = (
        "import pyarrow as pa\nimport pyarrow.compute as pc\nfrom pyspark.sql import functions as F\n\n\n"
        f"def f(table):\n{lines}\n\n\n"
        f'made = spark.table("t").groupBy("k").applyInArrow(f, "{ddl}")\nresult = made.filter({draw.one(_KEYS if "v double" in ddl else _KEYS[:-1])})\n'
    )
    used = tuple(
        sorted(
            {m for m in METHODS if any(f".{m}(" in line for line in body)}
            | {w for w in ("emit_null", "None]", "outer") if any(w in line for line in body)}
        )
    )
    return Program("arrow", source, {"t": DDL}, used, schemas={"t": DDL}, data=data())


def _body(draw: Draw) -> list[str]:
    lines, frame = [], "table"
    for _ in range(draw.one((1, 1, 2, 2, 3))):
        lines += _step(draw, frame)
        frame = "out"
    if draw.chance(0.3):
        lines.append(draw.one((
            'out = out.append_column("z", pa.array([1.0] * out.num_rows))', "out = pa.concat_tables([out, table])", 'out = pa.table({"k": out["k"], "v": out["v"]})',
            'out = pa.concat_tables([out, table.slice(0, 1)], promote_options="default")', 'out = out.set_column(0, "k", out["k"])',
            'out = pa.concat_tables([out, pa.table({"v": pa.array([1.0])})], promote_options="default")', 'out = pa.Table.from_pylist(out.to_pylist(), out.schema)',
            'out = pa.table({"k": pc.drop_null(out["k"]), "v": out["v"]})', 'out = pa.table({"k": out["k"].filter(pc.is_null(out["v"]), null_selection_behavior="emit_null"), "v": out["v"]})',
            'out = pa.table({"k": out["k"].take(pa.array([None] * out.num_rows, pa.int64())), "v": out["v"]})', 'out = pa.table({"k": out["k"].cast(pa.string()), "v": out["v"]})',
        )))  # fmt: skip
    return [*lines, "return out"]


def _step(draw: Draw, frame: str) -> list[str]:
    while True:
        name = draw.one(METHODS) if draw.chance(0.5) else draw.one(("filter", "take", "slice", "join", "sort_by"))
        given = arguments(draw, getattr(pa.Table, name), DOMAINS, {})
        if name in ("drop", "drop_columns"):
            given = draw.one(('["s"]', '["k"]', '"g"'))
        if given is None:
            continue
        call = f"out = {frame}.{name}({given})"
        return [call.replace("table", frame) if frame != "table" and draw.chance(0.7) else call]


def table(rows: list[tuple[Any, ...]]) -> pa.Table:
    """A group as the function gets it."""
    columns = zip("kgvns", zip(*[("a", *row) for row in rows], strict=True), strict=True)
    return pa.table({n: pa.array(list(c), _TYPES[n]) for n, c in columns})


def _declared(body: list[str]) -> str | None:
    namespace: dict[str, Any] = {"pa": pa, "pc": pc, "math": math}
    try:
        exec("def f(table):\n" + "\n".join(f"    {line}" for line in body), namespace)
    except SyntaxError:
        return None
    for rows in GROUPS:
        try:
            found = ddl_of(namespace["f"](table(rows)))
        except Exception:
            continue
        if found is not None:
            return found
    return None


def ddl_of(found: pa.Table) -> str | None:
    """The DDL of a table; None if it has no row or no key, or holds what Spark has no type for."""
    kinds = {n: _SPARK.get(str(found.schema.field(n).type)) for n in found.column_names}
    if not found.num_rows or None in kinds.values() or kinds.get("k") != "string" or len(kinds) != found.num_columns:
        return None
    return ", ".join(f"{n} {kind}" for n, kind in kinds.items())
