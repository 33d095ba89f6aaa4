# ruff: noqa: E501 - programs and tables, one to a line
"""Functions over Arrow tables as people write them, run on real pyarrow beside the fold that was read off their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from headwater.python.arrow.apply_in_arrow import fold_group_arrow
from headwater.syntax.names.module_scope import Context
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold
from tests.mdtest.cases import fields_of
from tests.python.harness import Case, Rows, Stored, dropping_errors, run_module, schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ARROW: dict[str, pa.DataType] = {
    "int": pa.int32(), "long": pa.int64(), "double": pa.float64(), "float": pa.float32(), "string": pa.string(),
    "boolean": pa.bool_(), "date": pa.date32(), "timestamp": pa.timestamp("us", tz="UTC"),
}  # fmt: skip
SESSION = pa.timestamp("us", tz="America/New_York")
"""What Spark's session makes of a timestamp of the input."""


class ArrowCase(Case):
    """A function ``f`` of a group for ``applyInArrow``."""

    prelude: ClassVar[str] = "import pyarrow as pa\nimport math\nimport datetime\n"

    def read(self, ctx: Context, given: Schema) -> Fold:
        function = ctx.function("f")
        assert function is not None
        return fold_group_arrow(ctx, function, source=given, keys=(self.key,), output=schema(self.output))

    def run(self, names: dict[str, Any], rows: Rows) -> Stored:
        table = spark_table(rows, self.columns)
        takes_key = names["f"].__code__.co_argcount == 2
        return stored(names["f"]((table.column(self.key)[0],), table) if takes_key else names["f"](table), self.output)

    def on_spark(self, frame: DataFrame) -> Iterator[Sequence[Any]]:
        yield frame.groupBy(self.key).applyInArrow(run_module(self.text)["f"], self.output).collect()


def spark_table(rows: Rows, columns: str) -> pa.Table:
    """The table that Spark 4.3 hands over for these rows."""
    arrays = {}
    for f in fields_of(columns):
        array = pa.array([r[f.name] for r in rows], ARROW[f.type])
        arrays[f.name] = array.cast(SESSION) if f.type == "timestamp" else array
    return pa.table(arrays)


def stored(table: Any, output: str) -> Stored:
    """The row that Spark stores; an error where it refuses the table, as its own worker does."""
    from pyspark.sql.conversion import ArrowBatchTransformer

    assert isinstance(table, pa.Table)
    fields = fields_of(output)
    declared = pa.schema([(f.name, ARROW[f.type]) for f in fields])
    found = ArrowBatchTransformer.enforce_schema(table, declared, arrow_cast=False, reorder_by_name=True)
    if not found.num_rows:
        return None
    (row,) = found.to_pylist()
    for f in fields:
        assert f.nullable or row[f.name] is not None
        if f.type == "timestamp" and row[f.name] is not None:
            row[f.name] = row[f.name].replace(tzinfo=None)
    return dict(row)


S = 'pa.schema([("k", pa.string()), ("v", pa.float64())])'


def loop(
    body: str,
    columns: str = "k string, x double, n long, s string, b boolean, d date",
    out: str = "double",
    start: str = "None",
    arrow: str | None = None,
    known: bool = True,
) -> ArrowCase:
    """A loop over the dict rows with one variable."""
    kinds = {
        "double": "float64",
        "long": "int64",
        "int": "int32",
        "string": "string",
        "boolean": "bool_",
        "date": "date32",
        "float": "float32",
    }
    source = (
        f"def f(key, table):\n    v = {start}\n    for r in table.to_pylist():\n        {body}\n"
        f'    return pa.Table.from_pylist([{{"k": key[0].as_py(), "v": v}}], schema=pa.schema([("k", pa.string()), ("v", pa.{arrow or kinds[out]}())]))\n'
    )
    return ArrowCase(source, columns, f"k string, v {out}", known)


def whole(
    value: str,
    columns: str = "k string, x double, n long, s string, b boolean, d date",
    out: str = "double",
    before: str = "rows = table.to_pylist()",
    schema: str = "S",
) -> ArrowCase:
    """A value computed from all rows at once."""
    kinds = {
        "double": "float64",
        "long": "int64",
        "int": "int32",
        "string": "string",
        "boolean": "bool_",
        "date": "date32",
    }
    source = (
        f'S = pa.schema([("k", pa.string()), ("v", pa.{kinds[out]}())])\n'
        f"def f(key, table):\n    {before}\n"
        f'    return pa.Table.from_pylist([{{"k": key[0].as_py(), "v": {value}}}], schema={schema})\n'
    )
    return ArrowCase(source, columns, f"k string, v {out}")


TOP2 = """
OUT = pa.schema([pa.field("k", pa.string()), pa.field("first", pa.float64()), pa.field("second", pa.float64(), nullable=True)])

def f(key, table):
    first = None
    second = None
    for row in table.to_pylist():
        x = row["x"]
        if x is None or x != x:
            continue
        if first is None or x > first:
            first, second = x, first
        elif second is None or x > second:
            second = x
    return pa.Table.from_pylist([{"k": key[0].as_py(), "first": first, "second": second}], schema=OUT)
"""
BATCHES = """
def f(key, table):
    (k,) = key
    worst = None
    n = 0
    for batch in table.to_batches():
        for row in batch.to_pylist():
            if row.get("x") is None:
                continue
            n += 1
            if worst is None or row["x"] < worst:
                worst = row["x"]
    if n == 0:
        return pa.Table.from_pylist([])
    return pa.table({"n": [n], "k": [k.as_py()], "worst": [worst]})
"""
EARLY = """
OUT = pa.schema({"k": pa.string(), "v": pa.float64(), "last": pa.date32()})

def better(a, b):
    if a is None:
        return b
    return b if b > a else a

def f(table):
    rows = [r for r in table.to_pylist() if r["x"] is not None]
    best = None
    last = None
    for r in rows:
        best = better(best, r["x"])
        last = r["d"]
    if not rows:
        return OUT.empty_table()
    return pa.Table.from_pylist([{"v": best, "k": rows_key(table), "last": last, "spare": 1}] if best > 0 else [], schema=OUT)
"""
EARLY = EARLY.replace("rows_key(table)", 'table["k"][0].as_py()')
CHOSEN = """
def f(key, table):
    team, = tuple(part.as_py() for part in key)
    best = max(table.to_pylist(), key=lambda r: r["x"])
    return pa.Table.from_pylist([{"k": team, "x": best["x"], "n": best["n"], "s": best.get("s")}],
        schema=pa.schema([("k", pa.string()), ("x", pa.float64()), ("n", pa.int64()), ("s", pa.string())]))
"""
ARRAYS = """
def f(key, table):
    v = None
    n = 0
    for x, m in zip(table["x"].to_pylist(), table.column("n").to_pylist()):
        if x is not None and m is not None and m > 1:
            v = x if v is None else min(v, x)
            n = n + m
    return pa.table([pa.array([key[0]]), pa.array([v], pa.float64()), pa.array([n], type=pa.int64())], names=["k", "v", "n"])
"""
MISSING_COLUMN = """
def f(key, table):
    n = 0
    for r in table.to_pylist():
        if r.get("nothing", 3) == 3:
            n += 1
    return pa.Table.from_pylist([dict(k=key[0].as_py(), n=n)], pa.schema([("k", pa.string()), ("v", pa.float64()), ("n", pa.int64())]))
"""

CASES: dict[str, ArrowCase] = {
    "top2": ArrowCase(TOP2, "k string, x double", "k string, first double, second double"),
    "top2 not null": ArrowCase(TOP2, "k string, x double", "k string, first double, second double not null"),
    "top2 unknown": ArrowCase(TOP2, "k string, x double", "k string, first double, second double", False),
    "batches": ArrowCase(BATCHES, "k string, x double, y double", "k string, n long, worst double"),
    "batches key not null": ArrowCase(BATCHES, "k string, x double", "k string not null, n long, worst double"),
    "early": ArrowCase(EARLY, "k string, x double, d date", "k string, v double, last date"),
    "chosen": ArrowCase(CHOSEN, "k string, x double, n long, s string", "k string, x double, n long, s string"),
    "arrays": ArrowCase(ARRAYS, "k string, x double, n long", "k string, v double, n long"),
    "missing column": ArrowCase(MISSING_COLUMN, "k string, x double", "k string, v double, n long"),
    "last": loop('v = r["x"]'),
    "last int": loop('v = r["n"]', out="long"),
    "last narrow": loop('v = r["n"]', out="int"),
    "last string": loop('v = r["s"]', out="string"),
    "last date": loop('v = r["d"]', out="date"),
    "last boolean": loop('v = r["b"]', out="boolean"),
    "last float": loop('v = r["x"]', "k string, x float", "float"),
    "int in double": loop('v = r["n"]'),
    "unguarded max": loop('v = r["x"] if v is None or r["x"] > v else v'),
    "unguarded max of ints": loop('v = max(v, r["n"])', start="0", out="long"),
    "infinity": loop('v = max(v, r["x"])', start="-math.inf"),
    "infinite int": loop('v = max(v, r["n"])', start='float("-inf")', out="long"),
    "sum": loop('v += r["n"]', start="0", out="long"),
    "sum of doubles": loop('v = v + (r["x"] or 0.0)', start="0.0"),
    "conditional count": loop('v += 1 if r["s"] in ("a", "b") and r["b"] else 0', start="0", out="long"),
    "printed": loop('v = str(r["s"])', out="string"),
    "or default": loop('v = max(v, r.get("x", 1.0) or 0.0)', start="0.0"),
    "true division": loop('v = r["x"] / r["n"]'),
    "flag": loop('v = v or (r["x"] is not None and r["x"] >= 6)', start="False", out="boolean"),
    "unknown": loop('v = r["x"] if v is None or r["x"] > v else v', known=False),
    "unknown string": loop('v = r["s"] if v is None or r["s"] > v else v', out="string", known=False),
    "length": whole("len(rows)", out="long"),
    "num_rows": whole("table.num_rows", out="int"),
    "sum of ones": whole('sum(1 for r in rows if r["x"] is not None and r["x"] > 1)', out="long"),
    "sum of tests": whole('sum(r["s"] == "a" for r in rows)', out="long"),
    "sum of column": whole('sum(r["n"] for r in rows if r["n"] is not None)', out="long"),
    "sum unguarded": whole('sum(r["n"] for r in rows)', out="long"),
    "filtered length": whole('len([r for r in rows if r["x"] is not None and r["x"] >= 6])', out="long"),
    "max": whole('max(r["x"] for r in rows)'),
    "max of list": whole('max([r["x"] for r in rows if r["x"] is not None])'),
    "max default": whole('max((r["x"] for r in rows if r["x"] is not None), default=None)'),
    "max default zero": whole('max((r["n"] for r in rows if r["n"] is not None), default=0)', out="long"),
    "max default date": whole('max((r["d"] for r in rows if r["d"]), default=None)', out="date"),
    "min of strings": whole('min(r["s"] for r in rows)', out="string"),
    "min of column": whole('min(table.column("x").to_pylist())'),
    "any": whole('any(r["x"] is not None and r["x"] > 6 for r in rows)', out="boolean"),
    "all": whole('all(r["x"] > 6 for r in rows if r["x"] is not None)', out="boolean"),
    "first": whole('rows[0]["x"]'),
    "first string": whole('table["s"][0].as_py()', out="string"),
    "chosen min": whole('min(rows, key=lambda r: r["n"])["s"]', out="string"),
    "chosen by length": whole(
        'max([r for r in rows], key=lambda r: -r["n"] if r["n"] is not None else 0)["s"]', out="string"
    ),
    "truth of rows": whole("1.0 if keep else 0.0", before='keep = [r for r in table.to_pylist() if r["x"] == 6]'),
    "copied list": whole("len(list(rows))", before='rows = [r["x"] for r in table.to_pylist() if r["b"]]', out="long"),
    "max, schema in function": whole(
        'max(r["x"] for r in rows)',
        before='rows, S2 = table.to_pylist(), pa.schema([("v", pa.float64()), ("k", pa.string())])',
        schema="S2",
    ),
    "sure under a condition": whole(
        'max(-r["x"] for r in rows if r["x"] is not None) if len(rows) > 2 and any(r["x"] is not None and r["x"] > 2 for r in rows) else 0.0'
    ),
    "inferred double": whole('max(r["x"] for r in rows)', schema="None"),
    "inferred double or int": whole('max((r["x"] for r in rows if r["x"] is not None), default=0.0)', schema="None"),
    "inferred long": whole("len(rows)", out="long", schema="None"),
    "inferred string": whole('max(r["s"] for r in rows)', out="string", schema="None"),
    "inferred boolean": whole('any(r["b"] for r in rows)', out="boolean", schema="None"),
    "inferred date": whole('max(r["d"] for r in rows)', out="date", schema="None"),
}
KEPT = """
def f(key, table):
    best = None
    for row in table.to_pylist():
        if row["x"] is None or row["x"] != row["x"]:
            continue
        if best is None or row["x"] > best["x"]:
            best = row
    if best is None:
        return KEPT.empty_table()
    return pa.Table.from_pylist([best], schema=KEPT)

KEPT = pa.schema({"k": pa.string(), "n": pa.int64(), "x": pa.float64(), "s": pa.string()})
"""
KEPT_UNGUARDED = """
def f(key, table):
    best = None
    for row in table.to_pylist():
        if best is None or row["n"] >= best["n"]:
            best = row
    return pa.Table.from_pylist([{**best, "x": 1.5}], schema=KEPT)

KEPT = pa.schema({"k": pa.string(), "n": pa.int64(), "x": pa.float64(), "s": pa.string()})
"""
KEPT_MAYBE = """
def f(table):
    last = None
    for row in table.to_pylist():
        if row["s"] == "a":
            last = row
    return pa.Table.from_pylist([last], schema=pa.schema([("k", pa.string()), ("s", pa.string()), ("n", pa.int64())]))
"""
KEPT_TABLE_SCHEMA = """
def f(table):
    worst = min(table.to_pylist(), key=lambda r: r["x"])
    return pa.Table.from_pylist([worst], schema=table.schema)
"""
PAIRS = """
def f(key, table):
    pairs = [(r["n"], r["s"]) for r in table.to_pylist() if r["n"] is not None]
    if not pairs:
        return pa.Table.from_pylist([])
    return pa.table({"k": [key[0].as_py()], "n": [len(pairs)], "m": [max(n for n, _ in pairs)]}, schema=PAIRS)

PAIRS = pa.schema([("k", pa.string()), ("n", pa.int64()), ("m", pa.int64())])
"""
ZIPPED = """
def f(key, table):
    a = b = None
    for x, n in zip(table["x"].to_pylist(), table["n"].to_pylist(), strict=True):
        if x is None or n is None:
            continue
        if 1 <= n < 1 + 6:
            a = x if a is None else max(a, x)
        else:
            b = x if b is None else max(b, x)
    return pa.Table.from_pylist([{"k": key[0].as_py(), "a": a, "b": b}], schema=pa.schema([("k", pa.string()), ("a", pa.float64()), ("b", pa.float64())]))
"""
AFTER_RETURN = """
EMPTY = pa.schema([("k", pa.string()), ("v", pa.float64()), ("n", pa.int64())])

def f(key, table):
    rows = [r for r in table.to_pylist() if r["x"] is not None]
    if TEST:
        return EMPTY.empty_table()
    v = 0.0
    for r in rows:
        v = v + r["x"] / r["n"]
    n = sum(r["n"] // r["n"] for r in rows if r["x"] > 1)
    return pa.Table.from_pylist([{"k": key[0].as_py(), "v": v, "n": n}], schema=EMPTY)
"""
SORTED_TABLE = """
def f(key, table):
    last = None
    for r in table.sort_by([("n", "ascending")]).to_pylist():
        last = r["s"]
    return pa.Table.from_pylist([{"k": key[0].as_py(), "v": last}], schema=pa.schema([("k", pa.string()), ("v", pa.string())]))
"""
ROW = "k string, n long, x double, s string"
CASES |= {
    "loop after return": ArrowCase(AFTER_RETURN.replace("TEST", "not rows"), ROW, "k string, v double, n long"),
    "loop after return, by length": ArrowCase(
        AFTER_RETURN.replace("TEST", "len(rows) == 0"), ROW, "k string, v double, n long"
    ),
    "kept": ArrowCase(KEPT, ROW, ROW),
    "kept unguarded": ArrowCase(KEPT_UNGUARDED, ROW, ROW),
    "kept or none": ArrowCase(KEPT_MAYBE, ROW, "k string, n long, s string"),
    "min, schema of the table": ArrowCase(KEPT_TABLE_SCHEMA, ROW, ROW),
    "pairs": ArrowCase(PAIRS, ROW, "k string, n long, m long"),
    "zipped": ArrowCase(ZIPPED, ROW, "k string, a double, b double"),
}
KEYS = """
def f(key, table):
    n = table.num_rows
    return pa.table({"k": [key[0]], "n": [n]}, schema=pa.schema([("k", pa.KIND()), ("n", pa.int64())]))
"""
STAMPS = """
def f(key, table):
    last = None
    code = None
    for r in table.to_pylist():
        if r["t"] is not None and (last is None or r["t"] > last):
            last, code = r["t"], r["s"]
    return pa.Table.from_pylist([{"k": key[0].as_py(), "t": last, "s": code}],
        schema=pa.schema([("k", pa.string()), ("t", pa.timestamp("us", tz="UTC")), ("s", pa.string())]))
"""
SORTED = """
def f(key, table):
    last = None
    rows = sorted(table.to_pylist(), key=lambda r: r["n"])
    for r in rows:
        last = r["s"]
    return pa.Table.from_pylist([{"k": key[0].as_py(), "v": last}], schema=pa.schema([("k", pa.string()), ("v", pa.string())]))
"""
CASES |= {
    "int key": ArrowCase(KEYS.replace("KIND", "int32"), "k int, x double", "k int, n long"),
    "date key": ArrowCase(KEYS.replace("KIND", "date32"), "k date, x double", "k date, n long"),
    "boolean key": ArrowCase(KEYS.replace("KIND", "bool_"), "k boolean, x double", "k boolean, n long"),
    "stamps": ArrowCase(STAMPS, "k string, t timestamp, s string", "k string, t timestamp, s string"),
    "sorted table": ArrowCase(SORTED_TABLE, "k string, n long, s string", "k string, v string", sorted_by="n"),
    "sorted": ArrowCase(SORTED, "k string, n long, s string", "k string, v string", sorted_by="n"),
}
CASES = dropping_errors(CASES, "max", "min", "chosen", "inferred", "sum", "sorted")
