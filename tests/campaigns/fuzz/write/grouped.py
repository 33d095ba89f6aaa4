"""Functions over whole groups: applyInPandas, applyInArrow, pandas UDFs that aggregate, UDTF classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .bodies import Loop, Part, guard, indented, parts
from .conditions import CONSTANTS, Output, Test
from .pen import Pen
from .tables import Source

_DDL = {"bigint": "long"}
_ARROW = {"double": "pa.float64()", "bigint": "pa.int64()", "int": "pa.int32()", "string": "pa.string()",
          "boolean": "pa.bool_()"}  # fmt: skip


@dataclass(frozen=True)
class Boundary:
    """Definitions above, the call with ``{}`` for the frame, what comes out, and what must be imported."""

    definitions: list[str]
    call: str
    outputs: list[Output]
    imports: tuple[str, ...] = ()
    rdd: bool = False
    names: tuple[tuple[str, str], ...] = ()
    """Of an RDD's parts: output → how ``kv`` spells it."""


Make = Callable[[Pen, Source], Boundary]
"""Writes a boundary over a table."""


def _loop(pen: Pen, source: Source, read: object, **more: object) -> Loop:
    columns = tuple(n for n in source.types if n != source.key)
    return Loop(pen, source, read, known=set(source.present), columns=columns, **more)  # type: ignore[arg-type]


def _row_style(pen: Pen, styles: tuple[str, ...]) -> str:
    return pen.one(*styles)


def grouped_in_pandas(pen: Pen, source: Source) -> Boundary:
    """``groupBy(k).applyInPandas(f, schema)``."""
    style = pen.one("itertuples", "itertuples", "itertuples", "iterrows", "records", "zip", "vector")
    two = pen.chance(75)
    head = "def f(key, pdf):" if two else "def f(pdf):"
    key = pen.one("key[0]", "key[0]", 'pdf["k"].iloc[0]') if two else pen.one('pdf["k"].iloc[0]', "pdf.k.iloc[0]")
    if style == "vector":
        lines, values = _vector(pen, source)
    else:
        loop = _loop(
            pen, source, (lambda c: c) if style == "zip" else _reader("r", style != "itertuples"), missing="NaN"
        )
        made, header = _body(loop)
        if style == "zip":
            names = ", ".join(loop.columns)
            over = ", ".join(f'pdf["{c}"]' for c in loop.columns)
            opening = f"for {names} in zip({over}):" if len(loop.columns) > 1 else f"for {names} in {over}:"
        else:
            opening = {
                "itertuples": pen.spell("for r in pdf.itertuples():", "for r in pdf.itertuples(index=False):"),
                "iterrows": "for _, r in pdf.iterrows():", "records": 'for r in pdf.to_dict("records"):',
            }[style]  # fmt: skip
        lines, values = _assembled(made, header, opening)
    if pen.chance(8):
        lines = [f"if len(pdf) < {pen.one(2, 3)}:", f"    return {_empty(values)}", *lines]
    lines += _give_up(pen, values)
    shown, outputs = _shown(pen, key, source, values)
    cells = ", ".join(f'"{n}": {t}' for n, t in shown)
    lists = ", ".join(f'"{n}": [{t}]' for n, t in shown)
    returned = pen.spell(f"pd.DataFrame([{{{cells}}}])", f"pd.DataFrame([{{{cells}}}])", f"pd.DataFrame({{{lists}}})")
    body = [head, *indented([*lines, f"return {returned}"])]
    call = f'{{}}.groupBy({_key(pen)}).applyInPandas(f, "{_ddl(outputs)}")'
    return Boundary(body, call, outputs, ("import pandas as pd",))


def _reader(row: str, subscript: bool) -> object:
    return (lambda c: f'{row}["{c}"]') if subscript else (lambda c: f"{row}.{c}")


def _key(pen: Pen) -> str:
    return pen.spell('"k"', '"k"', 'F.col("k")')


def _body(loop: Loop) -> tuple[list[Part], list[str]]:
    header = guard(loop)
    return parts(loop), header


def _assembled(made: list[Part], header: list[str], opening: str) -> tuple[list[str], list[tuple[str, Output]]]:
    before = [line for p in made for line in p.before]
    inside = [*header, *(line for p in made for line in p.inside)]
    after = [line for p in made for line in p.after]
    return [*before, opening, *indented(inside), *after], [o for p in made for o in p.outputs]


def _empty(values: list[tuple[str, Output]]) -> str:
    names = ["k", *(o.name for _, o in values)]
    return f"pd.DataFrame(columns={names!r})"


def _give_up(pen: Pen, values: list[tuple[str, Output]]) -> list[str]:
    """An early return of no row at all, which needs no column names if it has no columns."""
    plain = [t for t, _ in values if t.isidentifier()]
    if not plain or not pen.chance(15):
        return []
    return [f"if {pen.of(plain)} is None:", "    return pd.DataFrame()"]


def _shown(
    pen: Pen, key: str, source: Source, values: list[tuple[str, Output]]
) -> tuple[list[tuple[str, str]], list[Output]]:
    """The cells of the result: usually the key, and the values, of which some may stay inside."""
    if len(values) > 1 and pen.chance(25):
        values = values[:-1]
    cells, outputs = [(o.name, t) for t, o in values], [o for _, o in values]
    if pen.chance(85):
        return [("k", key), *cells], [Output("k", source.types["k"]), *outputs]
    return cells, outputs


def _ddl(outputs: list[Output]) -> str:
    return ", ".join(f"{o.name} {_DDL.get(o.type, o.type)}" for o in outputs)


def _vector(pen: Pen, source: Source) -> tuple[list[str], list[tuple[str, Output]]]:
    """Reductions of whole columns."""
    found: list[tuple[str, Output]] = []
    numbers = source.of("double", "bigint", "int")
    for name in ("m", "p")[: pen.one(1, 1, 2)]:
        column = pen.of(numbers or list(source.types)[1:])
        x, kind, c = f'pdf["{column}"]', source.types[column], pen.of(CONSTANTS[source.types[column]])
        number = kind in ("double", "bigint", "int")
        likely = tuple(Test(name, o, (v,)) for o, v in ((">=", 2), (">", 0), (">=", 1)))
        options = [("len(pdf)", Output(name, "bigint", likely))]
        if number:
            compared = f"{x} {pen.one('>', '>=', '<', '==')} {c!r}"
            ends = tuple(Test(name, pen.one(">", ">=", "<="), (pen.of(CONSTANTS[kind]),)) for _ in range(2))
            options = [
                (f"{x}.{pen.one('max', 'max', 'min')}()", Output(name, kind, ends)),
                (f"int(({compared}).sum())", Output(name, "bigint", likely)),
                (f"bool(({compared}).any())", Output(name, "boolean", (Test(name, "true"),))),
                (f'{x}.{pen.one("sum", "mean")}()', Output(name, "double")), *options,
            ]  # fmt: skip
        found.append(pen.of(options))
    return [], found


def grouped_in_arrow(pen: Pen, source: Source) -> Boundary:
    """``groupBy(k).applyInArrow(f, schema)``."""
    loop = _loop(pen, source, _reader("r", True))
    made, header = _body(loop)
    if pen.chance(25):
        lines, values = _assembled(made, header, "for r in batch.to_pylist():")
        at = lines.index("for r in batch.to_pylist():")
        after = next((i for i in range(at + 1, len(lines)) if not lines[i].startswith("    ")), len(lines))
        lines = [*lines[:at], "for batch in table.to_batches():", *indented(lines[at:after]), *lines[after:]]
    else:
        lines, values = _assembled(made, header, "for r in table.to_pylist():")
    shown, outputs = _shown(pen, "key[0].as_py()", source, values)
    cells = ", ".join(f'"{n}": {t}' for n, t in shown)
    lists = ", ".join(f'"{n}": [{t}]' for n, t in shown)
    types = ", ".join(f'("{o.name}", {_ARROW[o.type]})' for o in outputs)
    returned = pen.spell(
        f"pa.Table.from_pylist([{{{cells}}}], schema=OUT)", f"pa.Table.from_pydict({{{lists}}}, schema=OUT)",
        f"pa.table({{{lists}}}, schema=OUT)",
    )  # fmt: skip
    body = [f"OUT = pa.schema([{types}])", "", "", "def f(key, table):", *indented([*lines, f"return {returned}"])]
    return Boundary(
        body, f'{{}}.groupBy({_key(pen)}).applyInArrow(f, "{_ddl(outputs)}")', outputs, ("import pyarrow as pa",)
    )


def table_function(pen: Pen, source: Source) -> Boundary:
    """A UDTF class over ``TABLE … PARTITION BY``."""
    loop = _loop(pen, source, _reader("row", pen.often(60)), skip="return", prefix="self.")
    header = guard(loop)
    made = parts(loop)
    with_key = pen.chance(80)
    values = [o for p in made for o in p.outputs]
    outputs = [o for _, o in values]
    texts = [t for t, _ in values]
    first = [f"self.k = {loop.read('k')}"] if with_key else []
    if with_key:
        outputs, texts = [Output("k", source.types["k"]), *outputs], ["self.k", *texts]
    before = [*(["self.k = None"] if with_key else []), *(line for p in made for line in p.before)]
    inside = [*first, *header, *(line for p in made for line in p.inside)]
    yielded = f"yield {', '.join(texts)}{',' if len(texts) == 1 else ''}"
    last = [yielded]
    plain = [t for t, _ in values if t.startswith("self.") and t[5:].isidentifier()]
    if plain and pen.chance(50):
        last = [f"if {pen.of(plain)} is not None:", f"    {yielded}"]
    elif with_key and pen.chance(50):
        last = ["if self.k is not None:", f"    {yielded}"]
    decorated = pen.often(60)
    body = [
        *([f'@udtf(returnType="{_ddl(outputs)}")'] if decorated else []),
        "class Fold:", "    def __init__(self):", *indented(before, "        "), "",
        "    def eval(self, row):", *indented(inside, "        "), "",
        "    def terminate(self):", *indented(last, "        "),
    ]  # fmt: skip
    if not decorated:
        body += ["", "", f'fold = udtf(Fold, returnType="{_ddl(outputs)}")']
    how = pen.one('partitionBy("k")', 'partitionBy("k")', 'partitionBy(F.col("k"))', "withSinglePartition()")
    call = f"{'Fold' if decorated else 'fold'}({{}}.asTable().{how})"
    return Boundary(body, call, outputs, ("from pyspark.sql.functions import udtf",))


def aggregating_udf(pen: Pen, source: Source) -> Boundary:
    """``groupBy(k).agg(f("x"))`` with a pandas UDF."""
    kind_of = source.types
    columns: tuple[str, ...]
    if pen.chance(50):
        column = pen.of(source.of("double", "bigint", "int") or list(kind_of)[1:])
        kind, c = kind_of[column], pen.of(CONSTANTS[kind_of[column]])
        likely = tuple(Test("m", o, (v,)) for o, v in ((">=", 2), (">", 0), (">=", 1)))
        ends = tuple(Test("m", pen.one(">", ">=", "<="), (pen.of(CONSTANTS[kind]),)) for _ in range(2))
        compared = f"v {pen.one('>', '>=', '<', '==')} {c!r}"
        text, out = pen.one(
            (f"v.{pen.one('max', 'min')}()", Output("m", kind, ends)),
            (f"int(({compared}).sum())", Output("m", "bigint", likely)),
            (f"bool(({compared}).any())", Output("m", "boolean", (Test("m", "true"),))),
            ("len(v)", Output("m", "bigint", likely)),
        )
        if kind in ("string", "boolean"):
            text, out = "len(v)", Output("m", "bigint", likely)
        lines, columns = [f"return {text}"], (column,)
        arguments = "v: pd.Series"
    else:
        loop = _loop(pen, source, lambda c: c, missing="NaN")
        loop.columns = tuple(pen.some(loop.columns, 1, 2))
        if not loop.numbers:
            loop.columns = loop.columns[:1]
        made, header = _body(loop)
        columns = loop.columns
        names, over = ", ".join(columns), ", ".join(f"{c}_s" for c in columns)
        opening = f"for {names} in zip({over}):" if len(columns) > 1 else f"for {names} in {over}:"
        lines, values = _assembled(made, header, opening)
        text, out = values[0]
        lines.append(f"return {text}")
        arguments = ", ".join(f"{c}_s: pd.Series" for c in columns)
    hint = {"double": "float", "bigint": "int", "int": "int", "string": "str", "boolean": "bool"}[out.type]
    body = [f'@pandas_udf("{_DDL.get(out.type, out.type)}")', f"def f({arguments}) -> {hint}:", *indented(lines)]
    given = ", ".join(f'"{c}"' for c in columns)
    grouped = pen.chance(85)
    receiver = f"{{}}.groupBy({_key(pen)})" if grouped else "{}"
    outputs = [Output("k", kind_of["k"]), out] if grouped else [out]
    return Boundary(
        body, f'{receiver}.agg(f({given}).alias("{out.name}"))', outputs,
        ("import pandas as pd", "from pyspark.sql.functions import pandas_udf"),
    )  # fmt: skip
