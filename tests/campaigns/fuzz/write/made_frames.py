"""Frames that are made of RDDs: ``toDF`` and ``createDataFrame`` with typed rows, names alone, or nothing."""

from __future__ import annotations

from .conditions import CONSTANTS, Output, Test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_DDL = {"bigint": "long"}
_TYPES = {"double": "DoubleType()", "bigint": "LongType()", "int": "IntegerType()", "string": "StringType()",
          "boolean": "BooleanType()"}  # fmt: skip
_IMPORTS = (
    "from pyspark.sql import Row",
    "from pyspark.sql.types import BooleanType, DoubleType, IntegerType, LongType, StringType, StructField, StructType",
)
_NUMBERS = ("double", "bigint", "int")


def rdd_frame(pen: Pen, source: Source) -> Boundary:
    """``df.rdd.map(…).toDF(schema)`` and its kin."""
    body: list[str] = []
    if pen.chance(25) and (found := _by_key(pen, source)) is not None:
        chain, cells = found
    else:
        shown = ["k", *pen.some([n for n in source.types if n != "k"], 1, 3)]
        made = [_cell(pen, source, n) for n in shown]
        cells = [(n, *c) for n, c in zip(_names(pen, shown), made, strict=True)]
        chain, body = _chain(pen, source, cells, shown)
    if pen.chance(8):  # a type that the value has not
        at = pen.upto(0, len(cells) - 1)
        cells[at] = (cells[at][0], cells[at][1], pen.one("bigint", "int", "double", "string"))
    outputs = [Output(n, t, _near(pen, n, t)) for n, _, t in cells]
    return Boundary(body, _made(pen, chain, outputs), [*outputs, *outputs[1:]], _IMPORTS)


def _near(pen: Pen, name: str, kind: str) -> tuple[Test, ...]:
    if kind == "boolean":
        return (Test(name, "true"),)
    return (Test(name, pen.one(">", ">=", "<", "==", "!="), (pen.of(CONSTANTS[kind]),)),)


def _names(pen: Pen, shown: list[str]) -> list[str]:
    """What the columns are called: as before, in other places, or anew."""
    match pen.one("same", "same", "moved", "new"):
        case "moved":
            return [*shown[1:], shown[0]]
        case "new":
            return [f"c{i}" for i in range(len(shown))]
    return shown


def _cell(pen: Pen, source: Source, name: str) -> tuple[str, str]:
    x, kind = f"r.{name}", source.types[name]
    if pen.chance(50):
        return x, kind
    if kind in _NUMBERS:
        wide = "double" if kind == "double" else "bigint"
        one = "1.0" if kind == "double" else "1"
        return pen.one((f"{x} * 2", wide), (f"{x} + {one}", wide), (f"abs({x})", wide), (f"{x} is None", "boolean"),
                       (f"{x} if {x} is not None else {one}", wide), (f"{x} > 1", "boolean"),
                       (f"-{x}", wide))  # fmt: skip
    if kind == "string":
        return pen.one((f"len({x})", "bigint"), (f"{x}.upper()", "string"), (f'{x} + "a"', "string"),
                       (f'{x} or "b"', "string"), (f'{x} == "a"', "boolean"))  # fmt: skip
    return pen.one((f"not {x}", "boolean"), (f"{x} is None", "boolean"))


def _chain(pen: Pen, source: Source, cells: list[tuple[str, str, str]], shown: list[str]) -> tuple[str, list[str]]:
    """The RDD, and functions that it needs."""
    plain = f"({', '.join(text for _, text, _ in cells)})"
    kept = pen.one("", "", "", f".filter(lambda t: t[{len(cells) - 1}] is not None)", ".repartition(2)")
    match pen.one("map", "map", "map", "dict", "row", "row", "rows", "flatMap", "keys"):
        case "dict":
            pairs = ", ".join(f'"{n}": {text}' for n, text, _ in (cells[::-1] if pen.chance(40) else cells))
            return "{}.rdd.map(made)", ["def made(r):", f"    return {{{pairs}}}"]
        case "row":
            labels = [n for n, *_ in cells]
            if pen.chance(40):  # a Row goes by place, whatever its fields are called
                labels.reverse()
            given = ", ".join(f"{n}={text}" for n, (_, text, _) in zip(labels, cells, strict=True))
            return f"{{}}.rdd.map(lambda r: Row({given}))", []
        case "rows" if pen.chance(60):
            cells[:] = [(f"{n}_2" if pen.chance(30) else n, f"r.{n}", t) for n, t in source.types.items()]
            return "{}.rdd", []
        case "flatMap":
            return f"{{}}.rdd.flatMap(lambda r: [{plain}, {plain}]){kept}", []
        case "keys":
            return f"{{}}.rdd.map(lambda r: ({plain}, 1)).keys(){kept}", []
        case _ if pen.chance(20):
            test = pen.one(f"r.{shown[-1]} is not None", "r.k is not None")
            return "{}.rdd.flatMap(made)", ["def made(r):", f"    if {test}:", f"        yield {plain}"]
    return f"{{}}.rdd.map(lambda r: {plain}){kept}", []


def _by_key(pen: Pen, source: Source) -> tuple[str, list[tuple[str, str, str]]] | None:
    """Above an aggregation by key."""
    numbers = source.of(*_NUMBERS)
    if not numbers:
        return None
    x = pen.of([c for c in numbers if c in source.present] * 3 + numbers)
    kind = source.types[x]
    wide = "double" if kind == "double" else "bigint"
    present = "" if x in source.present or pen.chance(30) else f'.dropna(subset=["{x}"])'
    fold, held = pen.one((".reduceByKey(max)", kind), (".reduceByKey(min)", kind), (".reduceByKey(max)", kind),
                         (".reduceByKey(lambda a, b: a + b)", wide),
                         (".groupByKey().mapValues(len)", "bigint"))  # fmt: skip
    key, value = pen.one(("k", "m"), ("k", "m"), ("m", "k"), ("store", "top"))
    cells = [(key, "", source.types["k"]), (value, "", held)]
    return f"{{}}{present}.rdd.map(lambda r: (r.k, r.{x})){fold}", cells


def _made(pen: Pen, chain: str, outputs: list[Output]) -> str:
    """The frame of it."""
    ddl = ", ".join(f"{o.name} {_DDL.get(o.type, o.type)}" for o in outputs)
    fields = ", ".join(f'StructField("{o.name}", {_TYPES[o.type]}{pen.one("", "", ", False")})' for o in outputs)
    names = ", ".join(f'"{o.name}"' for o in outputs)
    schema = pen.one(
        f'"{ddl}"', f'"{ddl}"', f'"{ddl}"', f"StructType([{fields}])", f"StructType([{fields}])", f"[{names}]"
    )
    return pen.one(f"{chain}.toDF({schema})", f"{chain}.toDF({schema})", f"spark.createDataFrame({chain}, {schema})")
