"""Two frames above a boundary: set operations, unions by name and by position, keys of joins with two names; and a
boundary above a union."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .conditions import CONSTANTS, Output, Style, Test, as_column, condition, random_test
from .grouped import Boundary, Make, aggregating_udf, grouped_in_pandas
from .pen import Pen
from .rows import native, row_function
from .stacked import OPERATORS, on_top
from .tables import Source

NUMBERS = ("double", "bigint", "int")
_HUGE = 2**53


def quoted(names: Sequence[str]) -> str:
    """The names as arguments."""
    return ", ".join(f'"{n}"' for n in names)


def whole(pen: Pen, source: Source) -> Boundary:
    """A boundary of which all columns are listed, in their order."""
    base: Boundary = pen.one(
        native, native, native, grouped_in_pandas, grouped_in_pandas, row_function, aggregating_udf
    )(pen, source)
    shown = list({o.name: o for o in reversed(base.outputs)}.values())[::-1]
    if "withColumn" in base.call or (base.call.startswith("{}.groupBy") and shown[0].name != "k"):
        shown = [o for o in shown if o.name == "k"] + [o for o in shown if o.name != "k"]
        base = replace(base, call=f"{base.call}.select({quoted([o.name for o in shown])})")
    return replace(base, outputs=shown)


def _huge(pen: Pen, o: Output) -> Output:
    """Tests at the border of what doubles tell apart."""
    tests = tuple(
        Test(o.name, pen.one("<=", "<", ">", "=="), (pen.one(_HUGE, _HUGE, _HUGE, _HUGE + 1),)) for _ in range(2)
    )
    return replace(o, likely=tests) if o.type in NUMBERS else o


def of_table(source: Source) -> dict[str, str]:
    """The columns that the table itself has."""
    return {n: t for n, t in source.types.items() if n not in ("w", "z")}


def cell(pen: Pen, source: Source, o: Output, other_type: int) -> str:
    """A column of the table in the place of ``o``; ``other_type``: of another kind of number so often, in percent."""
    types = of_table(source)
    same = [n for n, t in types.items() if t == o.type]
    near = [n for n, t in types.items() if t in NUMBERS and t != o.type and o.type in NUMBERS]
    if near and (pen.chance(other_type) or not same):
        return f'F.col("{pen.of(near)}")'
    return f'F.col("{pen.of(same)}")' if same else f'F.lit(None).cast("{o.type}")'


def _rows(pen: Pen, source: Source, base: Boundary, names: Sequence[str], other_type: int = 12) -> str:
    """Rows of the table in the columns of ``base``, under ``names``."""
    cells = [cell(pen, source, o, other_type) for o in base.outputs]
    listed = ", ".join(f'{c}.alias("{n}")' for c, n in zip(cells, names, strict=True))
    text = f'spark.table("t").select({listed})'
    if pen.chance(25):
        o = base.outputs[-1]
        test = as_column(pen, random_test(pen, Output(names[-1], o.type)), Style("F."))
        text += f".filter({test})"
    return text


def _renamed(pen: Pen, base: Boundary) -> list[str]:
    names = [o.name for o in base.outputs]
    return [f"{n}_2" for n in names] if pen.chance(45) else names


def _grouped(pen: Pen, source: Source, base: Boundary) -> str | None:
    """Another boundary with the columns of ``base``."""
    if [o.name for o in base.outputs[:1]] != ["k"] or len(base.outputs) != 2 or base.outputs[1].type not in NUMBERS:
        return None
    same = [n for n, t in of_table(source).items() if t == base.outputs[1].type and n != "k"]
    if not same:
        return None
    word, name = pen.one("max", "max", "min"), base.outputs[1].name
    return f'spark.table("t").groupBy("k").agg(F.{word}("{pen.of(same)}").alias("{name}"))'


def set_operation(pen: Pen, source: Source, base: Boundary) -> Boundary:
    """``intersect``, ``subtract`` and their kin that count."""
    names = _renamed(pen, base)
    if pen.chance(25):
        names = [*names[1:], names[0]]
    other = (_grouped(pen, source, base) if pen.chance(30) else None) or _rows(pen, source, base, names)
    word = pen.one("intersect", "intersectAll", "subtract", "exceptAll")
    if pen.chance(35):
        left = _called(base.outputs, names)
        if "groupBy" in other:
            left = base.outputs
        return replace(base, call=f"{other}.{word}({base.call})", outputs=left)
    return replace(base, call=f"{base.call}.{word}({other})")


def union_by_name(pen: Pen, source: Source, base: Boundary) -> Boundary:
    """``unionByName`` with columns in another order, and with columns that one side has not."""
    names = [o.name for o in base.outputs]
    kept = names if pen.chance(65) else pen.some(names, max(1, len(names) - 1), len(names))
    shown = [o for o in base.outputs if o.name in kept]
    other = _rows(pen, source, replace(base, outputs=shown), kept)
    if pen.chance(60):
        other += f".select({quoted(kept[::-1])})"
    outputs = base.outputs
    if pen.chance(12):
        other += '.withColumn("more", F.lit(1))'
        outputs = [*outputs, Output("more", "int", (Test("more", "null"), Test("more", "==", (1,))))]
    may = ", allowMissingColumns=True" if len(outputs) > len(names) or len(kept) < len(names) or pen.chance(12) else ""
    if pen.chance(30):
        return replace(base, call=f"{other}.unionByName({base.call}{may})", outputs=outputs)
    return replace(base, call=f"{base.call}.unionByName({other}{may})", outputs=outputs)


def union_by_position(pen: Pen, source: Source, base: Boundary) -> Boundary:
    """``union`` with columns of other names, in other places and of other types; of two frames or of three."""
    base = replace(base, outputs=[_huge(pen, o) if pen.chance(40) else o for o in base.outputs])
    names = _renamed(pen, base)
    if pen.chance(45):  # the same names in other places
        names = names[::-1] if pen.chance(50) or len(names) < 3 else [*names[1:], names[0]]
    other = _rows(pen, source, base, names, 40)
    word = pen.spell("union", "unionAll")
    flipped = pen.chance(35)
    left, right = (other, base.call) if flipped else (base.call, other)
    call = f"{left}.{word}({right})"
    if pen.chance(20):
        call += f".{word}({_rows(pen, source, base, names)})"
    return replace(base, call=call, outputs=_called(base.outputs, names) if flipped else base.outputs)


def _called(outputs: Sequence[Output], names: Sequence[str]) -> list[Output]:
    """The outputs under other names."""
    return [
        replace(o, name=n, likely=tuple(replace(t, column=n) for t in o.likely))
        for o, n in zip(outputs, names, strict=True)
    ]


def join_on(pen: Pen, source: Source, base: Boundary) -> Boundary:
    """A join on columns of two names: equal, null-safe, of two types, beside other conditions or one of two."""
    taken = {o.name: o for o in base.outputs}
    if taken.keys() & {"j", "o"} or "k" not in taken:
        return base
    key = Output("j", source.types["k"])
    value = pen.of([n for n in of_table(source) if n != "k"] or ["k"])
    first = 'F.col("k")'
    if source.types["k"] in ("int", "bigint") and pen.chance(35):
        kind = pen.one("double", "bigint", "int")
        key, first = Output("j", kind), f'{first}.cast("{kind}")'
    theirs = [key, Output("o", source.types[value])]
    other = f'spark.table("t").select({first}.alias("j"), F.col("{value}").alias("o"))'
    if pen.chance(50):
        other += f".filter({as_column(pen, random_test(pen, pen.of(theirs)), Style('F.'))})"
    on = pen.one('F.col("k") == F.col("j")', 'F.col("j") == F.col("k")', 'F.col("k").eqNullSafe(F.col("j"))')
    mine = [o for o in base.outputs if o.type == theirs[1].type and o.name != "k"]
    if mine and pen.chance(30):
        more = f'(F.col("{pen.of(mine).name}") == F.col("o"))'
        on = f"({on}) {pen.one('&', '&', '|')} {more}"
    elif pen.chance(40):
        more = as_column(pen, condition(pen, [pen.of([*base.outputs, *theirs])], 0), Style("F."))
        on = f"({on}) {pen.one('&', '&', '&', '|')} ({more})"
    how = pen.one("inner", "inner", "left", "left", "right", "full", "left_semi", "left_anti")
    ends = [replace(o, likely=tuple(Test(o.name, *_asked(pen, o.type)) for _ in range(2))) for o in (taken["k"], key)]
    flipped = pen.chance(45)
    left, right = (other, base.call) if flipped else (base.call, other)
    mine = [ends[0], *(o for o in base.outputs if o.name != "k")]
    their = [ends[1], theirs[1]]
    if how in ("left_semi", "left_anti"):
        shown = their if flipped else mine
        shown = [shown[0], *shown]
    else:
        shown = [*ends, *mine, *their] if pen.chance(70) else [*mine, *their]
    return replace(base, call=f'{left}.join({right}, {on}, "{how}")', outputs=shown)


def _asked(pen: Pen, kind: str) -> tuple[str, tuple[object, ...]]:
    if pen.chance(20):
        return pen.one("null", "present"), ()
    return pen.one("==", ">", "<=", "!=", "==", ">="), (pen.of(CONSTANTS[kind]),)


_ABOVE = {"set operation": set_operation, "union by name": union_by_name, "union by position": union_by_position,
          "join on": join_on}  # fmt: skip
TWO_FRAMES = tuple(_ABOVE)


def two_frames(operator: str) -> Make:
    """A writer of boundaries with ``operator`` above them, and sometimes another one between or above."""

    def write(pen: Pen, source: Source) -> Boundary:
        found = whole(pen, source)
        found = replace(found, imports=(*found.imports, "from pyspark.sql import Window"))
        before = pen.chance(10)
        if before:
            found = on_top(pen.one("distinct", "cache"), pen, source, found)
        found = _ABOVE[operator](pen, source, found)
        if pen.chance(12):
            found = on_top(pen.of(OPERATORS), pen, source, found)
        return found

    return write


def above_union(pen: Pen, source: Source) -> Boundary:
    """A boundary over a union of the table with itself, of which facts hold on one side only."""
    if set(of_table(source)) == {"k"}:
        return native(pen, source)
    source.types = of_table(source)
    columns = list(source.types)
    asked = pen.of([n for n in columns if n != "k"])
    fact = pen.one(f'.dropna(subset=["{asked}"])', f'.filter(F.col("{asked}").isNotNull())',
                   f".filter({as_column(pen, random_test(pen, Output(asked, source.types[asked])), Style('F.'))})",
                   f'.fillna({{{{"{asked}": {_filler(pen, source.types[asked])}}}}})', "")  # fmt: skip
    plain = f'spark.table("t").select({quoted(columns)})'
    word = pen.one("union", "unionByName", "unionAll")
    left, right = (f"{{}}.select({quoted(columns)}){fact}", plain)
    if pen.chance(40):
        left, right = f"{{}}.select({quoted(columns)})", plain + fact
    if fact and pen.chance(40):
        source.present |= {asked}  # as if it held on both sides
    made = f"{left}.{word}({right})"
    if word == "unionByName" and pen.chance(30):
        made = f'{left}.{word}({right}.drop("{asked}"), allowMissingColumns=True)'
    base: Boundary = pen.one(native, native, grouped_in_pandas, grouped_in_pandas, aggregating_udf)(pen, source)
    return replace(base, call=base.call.replace("{}", made, 1))


def _filler(pen: Pen, kind: str) -> str:
    return repr(pen.of(CONSTANTS[kind]))
