"""Joins that put columns in order, and joins with frames of which not all columns are known."""

from __future__ import annotations

from dataclasses import replace

from .conditions import CONSTANTS, Output, Style, Test, as_column, condition, random_test
from .grouped import Boundary, grouped_in_pandas
from .pen import Pen
from .rows import native
from .sets import NUMBERS, of_table, whole
from .tables import Source

_UP, _DOWN = (">=", ">"), ("<=", "<")


def _ordered(pen: Pen, x: str, up: bool) -> Test:
    return Test("at", pen.of(_UP if up else _DOWN), (pen.one(0, 1, 2, 90, -1, 2.5),))


def join_range(pen: Pen, source: Source) -> Boundary:
    """``base.join(other, at >= m)``, ``between``; filters on ``at`` and on ``m``."""
    base = pen.one(whole, whole, grouped_in_pandas)(pen, source)
    outputs = list({o.name: o for o in base.outputs}.values())
    mine = [o for o in outputs if o.type in NUMBERS]
    theirs = [n for n, t in of_table(source).items() if t in NUMBERS]
    if not mine or not theirs or {o.name for o in outputs} & {"at", "o"}:
        return base
    low, high, x = pen.of(mine), pen.of(mine), pen.of(theirs)
    kind = source.types.get(x, "double")
    op = pen.one("<=", "<", ">=", ">")
    on = pen.one(f'F.col("{low.name}") {op} F.col("at")', f'F.col("at") {op} F.col("{low.name}")')
    up = ("<" in op) == on.startswith('F.col("at")')
    if pen.chance(30):
        on, up = f'F.col("at").between(F.col("{low.name}"), F.col("{high.name}"))', pen.chance(50)
    shown = [
        Output("at", kind, tuple(_ordered(pen, "at", up) for _ in range(2))),
        Output("o", of_table(source)[pen.of(theirs)]),
    ]
    value = next(n for n, t in of_table(source).items() if t == shown[1].type)
    other = f'spark.table("t").select(F.col("{x}").alias("at"), F.col("{value}").alias("o"))'
    if pen.chance(25):
        more = as_column(pen, condition(pen, [pen.of([*outputs, shown[1]])], 0), Style("F."))
        on = f"({on}) {pen.one('&', '&', '&', '|')} ({more})"
    how = pen.one("inner", "inner", "inner", "left", "right", "left", "full", "left_semi", "left_anti")
    first = pen.chance(50)
    left, right = (base.call, other) if first else (other, base.call)
    both = [*shown, *shown[:1], *(replace(o, likely=o.likely[:1]) for o in outputs)]
    if how in ("left_semi", "left_anti"):
        both = outputs if first else shown
    return replace(base, call=f'{left}.join({right}, {on}, "{how}")', outputs=both)


def join_side(pen: Pen, source: Source) -> Boundary:
    """A boundary joined with the table itself, of which the columns are not known."""
    base = pen.one(native, native, native, grouped_in_pandas)(pen, source)
    outputs = list({o.name: o for o in base.outputs}.values())
    if "k" not in {o.name for o in outputs} or "withColumn" in base.call:
        return base
    values = [o for o in outputs if o.name != "k"]
    other = 'spark.table("t").withColumnRenamed("k", "j")'
    gone = [n for n in of_table(source) if n in {o.name for o in outputs} and n != "k"]
    if gone:  # an aggregate has the name of a column
        other += f".drop({', '.join(f'{chr(34)}{n}{chr(34)}' for n in gone)})"
    rest = [n for n in of_table(source) if n not in ("k", *gone)]
    x = pen.of(rest) if rest else "j"
    match pen.one("", "", "", "made", "same", "filter", "drop"):
        case "made":
            other += '.withColumn("o", F.lit(1))'
        case "same":
            other += f'.withColumn("{pen.of(values).name}", F.lit(1))'
        case "filter" if rest:
            asked = as_column(pen, random_test(pen, Output(x, of_table(source)[x])), Style("F."))
            other += f".filter({asked})"
        case "drop" if rest:
            other += f'.drop("{x}")'
    how = pen.one("left", "left", "inner", "right", "full", "left_semi", "left_anti")
    on = pen.one('F.col("j") == F.col("k")', 'F.col("k") == F.col("j")', 'F.col("k").eqNullSafe(F.col("j"))')
    first = pen.chance(40)
    left, right = (base.call, other) if first else (other, base.call)
    call = f'{left}.join({right}, {on}, "{how}")'
    if how in ("left_semi", "left_anti"):
        shown = outputs if first else [Output(x, of_table(source).get(x, source.types["k"]))]
        return replace(base, call=call, outputs=shown)
    if pen.chance(12):
        call += f'.drop("{pen.of(values).name}")'
    elif pen.chance(10) and values[0].type in NUMBERS:
        call += f'.withColumn("{values[0].name}", F.lit({pen.of(CONSTANTS[values[0].type])!r}))'
    null = tuple(replace(o, likely=(*o.likely, Test(o.name, pen.one("null", "present")))) for o in values)
    return replace(base, call=call, outputs=[*null, *null, *outputs])
