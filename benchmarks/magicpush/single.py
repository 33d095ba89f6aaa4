"""Operators that no other generator writes: each one alone over the table, as a boundary with the columns it leaves."""

from __future__ import annotations

from collections.abc import Callable

from tests.campaigns.fuzz.write.conditions import CONSTANTS, Output, Style, Test, as_column, random_test
from tests.campaigns.fuzz.write.grouped import Boundary, Make
from tests.campaigns.fuzz.write.missing import drop, fill, swap
from tests.campaigns.fuzz.write.pen import Pen
from tests.campaigns.fuzz.write.rows import native
from tests.campaigns.fuzz.write.sets import quoted
from tests.campaigns.fuzz.write.stacked import on_top
from tests.campaigns.fuzz.write.tables import Source

NUMBERS = ("double", "bigint", "int")
WINDOW = ("from pyspark.sql import Window",)


def columns(source: Source) -> list[Output]:
    """The columns of the table, as a filter may ask for them."""
    return [Output(n, t) for n, t in source.types.items()]


def nothing(source: Source) -> Boundary:
    """The table itself."""
    return Boundary([], "{}", columns(source), WINDOW)


def over_table(operator: str) -> Make:
    """One of the operators of the fuzzing campaign, over the table and not over a boundary."""
    return lambda pen, source: on_top(operator, pen, source, nothing(source))


def over_rows(write: Callable[[Pen, Source, Boundary], Boundary]) -> Make:
    """The same of those that take a second frame."""
    return lambda pen, source: write(pen, source, nothing(source))


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _number(pen: Pen, source: Source) -> str:
    return pen.of(source.of(*NUMBERS))


def selection(pen: Pen, source: Source) -> Boundary:
    """A filter below the filter."""
    test = as_column(pen, random_test(pen, pen.of(columns(source))), Style("F."))
    return Boundary([], f"{{}}.filter({test})", columns(source))


def dropna(pen: Pen, source: Source) -> Boundary:
    """``dropna`` in its forms."""
    return Boundary([], "{}" + _escaped(drop(pen, columns(source))[0]), columns(source))


def fillna(pen: Pen, source: Source) -> Boundary:
    """``fillna`` of a value or of values by column."""
    return Boundary([], "{}" + _escaped(fill(pen, columns(source))[0]), columns(source))


def replacing(pen: Pen, source: Source) -> Boundary:
    """``replace`` of values."""
    return Boundary([], "{}" + _escaped(swap(pen, columns(source))[0]), columns(source))


def projection(pen: Pen, source: Source) -> Boundary:
    """Fewer columns, by ``select`` or ``drop``."""
    names = list(source.types)
    kept = pen.some(names, 1, len(names) - 1)
    gone = [n for n in names if n not in kept]
    call = pen.spell(f"{{}}.select({quoted(kept)})", f"{{}}.drop({quoted(gone)})")
    return Boundary([], call, [Output(n, source.types[n]) for n in kept])


def renaming(pen: Pen, source: Source) -> Boundary:
    """A column under another name."""
    old = pen.of(list(source.types))
    made = Output("z", source.types[old])
    outputs = [made, *(o for o in columns(source) if o.name != old)]
    return Boundary([], f'{{}}.withColumnRenamed("{old}", "z")', [made, *outputs])


def computed(pen: Pen, source: Source) -> Boundary:
    """``withColumn`` of an expression of Spark's."""
    x, y = _number(pen, source), _number(pen, source)
    c, d = f'F.col("{x}")', f'F.col("{y}")'
    text, kind = pen.one(
        (f"{c} + 1", source.types[x]), (f"{c} * 2", source.types[x]), (f"-{c}", source.types[x]),
        (f"{c} - {d}", "double"), (f"{c} * {d}", "double"), (f"F.coalesce({c}, {d})", "double"),
        (f"F.when({c} > 1, {c}).otherwise({d})", "double"), (f"F.abs({c})", source.types[x]),
    )  # fmt: skip
    made = Output("z", kind, tuple(Test("z", op, (pen.of(CONSTANTS[kind]),)) for op in (">", "==")))
    return Boundary([], f'{{}}.withColumn("z", {text})', [made, made, *columns(source)])


def cast(pen: Pen, source: Source) -> Boundary:
    """A column of another type."""
    x = pen.of([n for n in source.types if n != "k"])
    to = pen.of([t for t in ("string", "double", "bigint") if t != source.types[x]])
    if source.types[x] in ("string", "boolean"):
        to = "string" if source.types[x] == "boolean" else "double"
    made = Output("z", to, tuple(Test("z", "==", (v,)) for v in CONSTANTS[to][:2]))
    call = f'{{}}.withColumn("z", F.col("{x}").cast("{to}"))'
    if source.types[x] == "string":
        call = f'{{}}.withColumn("z", F.expr("try_cast({x} AS double)"))'
    return Boundary([], call, [made, made, *columns(source)])


def encoding(pen: Pen, source: Source) -> Boundary:
    """One column of 0 and 1 for each value, as ``get_dummies`` makes them."""
    x = pen.of([n for n, t in source.types.items() if t in ("string", "int", "bigint")])
    values = pen.some(CONSTANTS[source.types[x]], 2, 3)
    made = [Output(f"is_{i}", "int", (Test(f"is_{i}", "==", (1,)),)) for i, _ in enumerate(values)]
    cells = [f'(F.col("{x}") == {v!r}).cast("int").alias("is_{i}")' for i, v in enumerate(values)]
    return Boundary([], f'{{}}.select("*", {", ".join(cells)})', [*made, *made, *columns(source)])


def sorting(pen: Pen, source: Source) -> Boundary:
    """``orderBy``."""
    return Boundary([], f'{{}}.orderBy("{pen.of(list(source.types))}")', columns(source))


def top(pen: Pen, source: Source) -> Boundary:
    """``orderBy`` with ``limit``, over values or over the whole row."""
    x = _number(pen, source)
    down = pen.chance(60)
    tests = tuple(Test(x, op, (pen.of(CONSTANTS[source.types[x]]),)) for op in ((">", ">=") if down else ("<", "<=")))
    others = [n for n in source.types if n != x]
    order = (f'F.desc("{x}")' if down else f'"{x}"') + f", {quoted(others)}"
    out = Output(x, source.types[x], tests)
    return Boundary([], f"{{}}.orderBy({order}).limit({pen.one(3, 1, 5)})", [out, out, *columns(source)])


def cumulated(pen: Pen, source: Source) -> Boundary:
    """An aggregate of all rows up to this one, in each group."""
    x, by = _number(pen, source), _number(pen, source)
    frame = "rowsBetween(Window.unboundedPreceding, Window.currentRow)"
    others = [n for n in source.types if n not in ("k", by)]
    w = f'Window.partitionBy("k").orderBy({quoted([by, *others])}).{frame}'
    word = pen.one("max", "min", "sum", "count")
    kind = "bigint" if word == "count" else source.types[x]
    made = Output("r", kind, tuple(Test("r", op, (pen.of(CONSTANTS[kind]),)) for op in (">", "<=")))
    return Boundary([], f'{{}}.withColumn("r", F.{word}("{x}").over({w}))', [made, *columns(source)], WINDOW)


def of_groups(pen: Pen, source: Source) -> Boundary:
    """An aggregate of its group beside each row."""
    x = _number(pen, source)
    word = pen.one("max", "min", "sum", "count")
    kind = "bigint" if word == "count" else source.types[x]
    made = Output("r", kind, tuple(Test("r", op, (pen.of(CONSTANTS[kind]),)) for op in (">", "<=")))
    call = f'{{}}.withColumn("r", F.{word}("{x}").over(Window.partitionBy("k")))'
    return Boundary([], call, [made, *columns(source)], WINDOW)


def shifted(pen: Pen, source: Source) -> Boundary:
    """The value of the row before (``shift``), or an aggregate of the rows around (``rolling``)."""
    x, by = _number(pen, source), _number(pen, source)
    w = f"Window.orderBy({quoted([by, *(n for n in source.types if n != by)])})"
    call, kind = pen.one(
        (f'F.lag("{x}").over({w})', source.types[x]), (f'F.lead("{x}").over({w})', source.types[x]),
        (f'F.max("{x}").over({w}.rowsBetween(-1, 1))', source.types[x]),
    )  # fmt: skip
    return Boundary([], f'{{}}.withColumn("r", {call})', [Output("r", kind), *columns(source)], WINDOW)


def pivoted(pen: Pen, source: Source) -> Boundary:
    """``pivot`` with listed values, over keys or over all rows; filters ask for keys and for the columns made."""
    x = _number(pen, source)
    by = pen.of(source.of("string", "int", "bigint") or ["k"])
    values = list(CONSTANTS[source.types[by]][:2])
    word = pen.one("max", "min", "sum", "count")
    kind = "bigint" if word == "count" else source.types[x]
    names = [v if isinstance(v, str) else f"v{v}" for v in values]
    made = [
        Output(n, kind, tuple(Test(n, op, (pen.of(CONSTANTS[kind]),)) for op in (">", ">=", "<"))) for n in names
    ]  # fmt: skip
    keys = [] if by == "k" else ["k"]
    call = f'{{}}.groupBy({quoted(keys)}).pivot("{by}", {values!r}).agg(F.{word}("{x}"))'
    call += "".join(f'.withColumnRenamed("{v}", "{n}")' for v, n in zip(values, names, strict=True) if v != n)
    return Boundary([], call, [*made, *([Output("k", source.types["k"])] * 2 if keys else [])])


def sampled(pen: Pen, source: Source) -> Boundary:
    """``sample`` with a seed."""
    return Boundary([], f"{{}}.sample({pen.one(0.5, 0.9)}, {pen.one(1, 7)})", columns(source))


def subtotals(pen: Pen, source: Source) -> Boundary:
    """``rollup`` and ``cube``."""
    x = _number(pen, source)
    made = Output("m", source.types[x], tuple(Test("m", ">", (v,)) for v in CONSTANTS[source.types[x]][:2]))
    key = Output("k", source.types["k"])
    call = f'{{}}.{pen.one("rollup", "cube")}("k").agg(F.max("{x}").alias("m"))'
    return Boundary([], call, [made, key, key])


def described(pen: Pen, source: Source) -> Boundary:
    """Statistics of all rows, as text."""
    x = _number(pen, source)
    out = Output("summary", "string", tuple(Test("summary", "==", (w,)) for w in ("max", "count")))
    return Boundary([], f'{{}}.select("{x}").{pen.one("describe", "summary")}()', [out, out, Output(x, "string")])


def grouped(pen: Pen, source: Source) -> Boundary:
    """Spark's aggregates of groups."""
    return _native(pen, source, True)


def whole(pen: Pen, source: Source) -> Boundary:
    """Spark's aggregates of all rows."""
    return _native(pen, source, False)


def _native(pen: Pen, source: Source, groups: bool) -> Boundary:
    for _ in range(50):
        made = native(pen, source)
        if ("groupBy" in made.call) == groups:
            return made
    raise AssertionError("the generator writes both")


def in_collected(pen: Pen, source: Source) -> Boundary:
    """Rows whose key is among those that the driver has collected of another frame."""
    x = _number(pen, source)
    test = as_column(pen, random_test(pen, Output(x, source.types[x])), Style("F."))
    lines = [f'keys = [r["k"] for r in spark.table("t").filter({test}).select("k").distinct().collect()]']
    return Boundary(lines, '{}.filter(F.col("k").isin(keys))', columns(source))


def looked_up(pen: Pen, source: Source) -> Boundary:
    """A value that is looked up for each row in a frame made of the table: a subpipeline for each row, as a join."""
    x, y = _number(pen, source), _number(pen, source)
    test = as_column(pen, random_test(pen, Output(y, source.types[y])), Style("F."))
    other = f'spark.table("t").filter({test}).groupBy("k").agg(F.{pen.one("max", "min", "first")}("{x}").alias("o"))'
    made = Output("o", source.types[x], (Test("o", ">", (pen.of(CONSTANTS[source.types[x]]),)),))
    return Boundary([], f'{{}}.join({other}, "k", "left")', [made, made, *columns(source)])


def joining(*hows: str) -> Make:
    """A join of the table with another frame made of it, on a key of one name or of two."""

    def write(pen: Pen, source: Source) -> Boundary:
        value = pen.of([n for n in source.types if n != "k"])
        by_name = pen.chance(50)
        first = '"k"' if by_name else 'F.col("k").alias("j")'
        other = f'spark.table("t").select({first}, F.col("{value}").alias("o"))'
        on = '"k"' if by_name else 'F.col("k") == F.col("j")'
        how = pen.of(hows)
        theirs = [Output("o", source.types[value])] * 2
        if not by_name and how not in ("left_semi", "left_anti"):
            theirs.append(Output("j", source.types["k"]))
        shown = columns(source) if how in ("left_semi", "left_anti") else [*columns(source), *theirs]
        return Boundary([], f'{{}}.join({other}, {on}, "{how}")', shown)

    return write
