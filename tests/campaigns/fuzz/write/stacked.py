"""Operators on top of a boundary: what a filter has to pass on its way down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .conditions import Output, Style, Test, as_column, condition, random_test
from .grouped import Boundary, aggregating_udf, grouped_in_pandas
from .pen import Pen
from .rows import native, row_function
from .tables import Source

_NUMBERS = ("double", "bigint", "int")
IMPORT = "from pyspark.sql import Window"


def stacked(operator: str) -> Callable[[Pen, Source], Boundary]:
    """A writer of boundaries with ``operator`` above them, and sometimes another one between or above."""

    def write(pen: Pen, source: Source) -> Boundary:
        many = operator in ("dropDuplicates", "window", "distinct", "pivot")
        bases = (row_function, row_function, native) if many else (native, native, native, row_function)
        found: Boundary = pen.one(*bases, grouped_in_pandas, aggregating_udf)(pen, source)
        found = replace(found, outputs=list(dict.fromkeys(found.outputs)), imports=(*found.imports, IMPORT))
        chosen = [operator]
        if pen.chance(25):
            chosen.insert(pen.upto(0, 1), pen.of(list(_OPERATORS)))
        for name in chosen:
            found = _OPERATORS[name](pen, source, found)
        return found

    return write


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{n}"' for n in names)


def _other(pen: Pen, source: Source, renamed: bool, taken: set[str]) -> tuple[str, list[Output]]:
    """Another frame of the same table: a key and a value, of some of the rows."""
    key = "j" if renamed else "k"
    value = pen.of([n for n in source.types if n != "k"])
    name = "o" if value in taken or pen.chance(70) else value
    first = 'F.col("k").alias("j")' if renamed else '"k"'
    kind = source.types[value]
    text = f'spark.table("t").select({first}, F.col("{value}").alias("{name}"))'
    if pen.chance(60):
        text += f".filter({as_column(pen, random_test(pen, Output(name, kind)), Style('F.'))})"
    return text, [Output(key, source.types["k"]), Output(name, kind)]


def _join(pen: Pen, source: Source, base: Boundary) -> Boundary:
    taken = {o.name for o in base.outputs}
    if "k" not in taken or taken & {"j", "o"}:
        return base
    by_name = pen.chance(40)
    how = pen.one("inner", "left", "right", "full", "left_semi", "left_anti", "outer")
    other, theirs = _other(pen, source, not by_name, taken)
    first = pen.chance(50)
    if pen.chance(30):  # tests that accept a row without a partner
        base = replace(base, outputs=[o if o.name == "k" else _missing(o) for o in base.outputs])
    on = '"k"' if by_name else 'F.col("k") == F.col("j")'
    if by_name:
        theirs = [o for o in theirs if o.name not in taken]
    elif pen.chance(12):
        mine = [o for o in base.outputs if o.type in _NUMBERS]
        if mine and theirs[1].type in _NUMBERS:
            on = f'F.col("{pen.of(mine).name}") {pen.one("<", ">=")} F.col("{theirs[1].name}")'
    if not by_name and pen.chance(30):
        asked = as_column(pen, condition(pen, [pen.of([*base.outputs, *theirs])], 0), Style("F."))
        on = f"({on}) & ({asked})"
    left, right = (base.call, other) if first else (other, base.call)
    call = f'{left}.join({right}, {on}, "{how}")'
    if how in ("left_semi", "left_anti"):
        shown = base.outputs if first else [*theirs, *([Output("k", source.types["k"])] if by_name else [])]
    else:
        shown = [*base.outputs, *theirs]
    return replace(base, call=call, outputs=list(dict.fromkeys(shown)))


def _missing(o: Output) -> Output:
    return replace(o, likely=(Test(o.name, "null"), *o.likely[:1]))


def _union(pen: Pen, source: Source, base: Boundary) -> Boundary:
    columns = []
    for o in base.outputs:
        same = [n for n, t in source.types.items() if t == o.type]
        near = [n for n, t in source.types.items() if t in _NUMBERS and o.type in _NUMBERS]
        options = near if near and (not same or pen.chance(15)) else same
        if not options:
            columns.append(f'F.lit(None).cast("{o.type}").alias("{o.name}")')
            continue
        columns.append(f'F.col("{pen.of(options)}").alias("{o.name}")')
    if pen.chance(20):
        columns.reverse()
    other = f'spark.table("t").select({", ".join(columns)})'
    if pen.chance(25) and [o.name for o in base.outputs] == ["k", "m"] and base.outputs[1].type in _NUMBERS:
        of_type = [n for n, t in source.types.items() if t == base.outputs[1].type]
        if of_type:
            other = f'spark.table("t").groupBy("k").agg(F.max("{pen.of(of_type)}").alias("m"))'
    word = pen.one("union", "unionByName", "unionByName", "unionAll")
    if pen.chance(30):
        return replace(base, call=f"{other}.{word}({base.call})")
    return replace(base, call=f"{base.call}.{word}({other})")


def _distinct(pen: Pen, source: Source, base: Boundary) -> Boundary:
    return replace(base, call=base.call + ".distinct()")


def _drop_duplicates(pen: Pen, source: Source, base: Boundary) -> Boundary:
    names = [o.name for o in base.outputs]
    chosen = ["k"] if "k" in names and pen.chance(70) else pen.some(names, 1, 2)
    return replace(base, call=f"{base.call}.{pen.spell('dropDuplicates', 'drop_duplicates')}([{_quoted(chosen)}])")


def _window(pen: Pen, source: Source, base: Boundary) -> Boundary:
    names = [o.name for o in base.outputs]
    if "r" in names:
        return base
    parts = ["k"] if "k" in names and pen.chance(70) else pen.some(names, 1, 2)
    order = pen.of(names)
    by = pen.one(_quoted([order]), f'F.desc("{order}")')
    w = f"Window.partitionBy({_quoted(parts)}).orderBy({by})"
    function = pen.one("F.rank()", "F.dense_rank()", f'F.count("{order}")', f'F.max("{order}")', f'F.lag("{order}")')
    ranks = function in ("F.rank()", "F.dense_rank()")
    shown = [Output("r", "int")] if ranks else []
    return replace(base, call=f'{base.call}.withColumn("r", {function}.over({w}))', outputs=[*base.outputs, *shown])


def _explode(pen: Pen, source: Source, base: Boundary) -> Boundary:
    if any(o.name == "e" for o in base.outputs):
        return base
    of = pen.of([o for o in base.outputs if o.type != "boolean"] or base.outputs)
    array = f'F.array("{of.name}", "{of.name}")'
    if pen.chance(40):
        array = f'F.when(F.col("{of.name}").isNotNull(), {array})'
    word = pen.one("explode", "explode_outer")
    return replace(
        base, call=f'{base.call}.withColumn("e", F.{word}({array}))', outputs=[*base.outputs, Output("e", of.type)]
    )


def _pivot(pen: Pen, source: Source, base: Boundary) -> Boundary:
    names = {o.name: o.type for o in base.outputs}
    values = [n for n, t in names.items() if n != "k" and t in _NUMBERS]
    if "k" not in names or not values:
        return base
    column = pen.of(values)
    listed = "[1.0, 2.0]" if names[column] == "double" else "[1, 2]"
    call = f'{base.call}.groupBy("k").pivot("{column}", {listed}).agg(F.max("{pen.of(values)}"))'
    return replace(base, call=call, outputs=[Output("k", names["k"])])


def _unpivot(pen: Pen, source: Source, base: Boundary) -> Boundary:
    numbers = [o.name for o in base.outputs if o.type in _NUMBERS and o.name != "k"]
    if not numbers or not any(o.name == "k" for o in base.outputs) or any(o.name in ("v", "a") for o in base.outputs):
        return base
    chosen = pen.some(numbers, 1, 2)
    kinds = {o.type for o in base.outputs if o.name in chosen}
    call = f'{base.call}.unpivot(["k"], [{_quoted(chosen)}], "v", "a")'
    wide = kinds.pop() if len(kinds) == 1 else "double"
    return replace(base, call=call, outputs=[Output("k", source.types["k"]), Output("a", wide), Output("v", "string")])


def _cache(pen: Pen, source: Source, base: Boundary) -> Boundary:
    return replace(base, call=base.call + pen.one(".cache()", ".persist()", ".localCheckpoint()"))


_OPERATORS: dict[str, Callable[[Pen, Source, Boundary], Boundary]] = {
    "join": _join, "union": _union, "distinct": _distinct, "dropDuplicates": _drop_duplicates, "window": _window,
    "explode beside": _explode, "pivot": _pivot, "unpivot above": _unpivot, "cache": _cache,
}  # fmt: skip
OPERATORS = tuple(_OPERATORS)


def on_top(operator: str, pen: Pen, source: Source, base: Boundary) -> Boundary:
    """``base`` with ``operator`` above it."""
    return _OPERATORS[operator](pen, source, base)
