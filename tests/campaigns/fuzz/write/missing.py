"""``fillna``, ``replace`` and ``dropna`` above and below boundaries; rows that ``stack`` writes out; pivots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .conditions import CONSTANTS, Output, Test
from .grouped import Boundary, Make, grouped_in_pandas
from .pen import Pen
from .rows import native, row_function
from .sets import NUMBERS, quoted, whole
from .tables import Source

_SUFFIX = {"double": "D", "bigint": "L"}
"""Of literals in SQL."""


def _value(pen: Pen, kind: str) -> str:
    return repr(pen.of(CONSTANTS[kind]))


def _subset(pen: Pen, names: Sequence[str]) -> str:
    """The columns that are meant, or nothing for all."""
    if pen.chance(45):
        return ""
    chosen = pen.some(list(names), 1, 2)
    return f', "{chosen[0]}"' if len(chosen) == 1 and pen.chance(40) else f", [{quoted(chosen)}]"


def fill(pen: Pen, columns: Sequence[Output]) -> tuple[str, str]:
    """``.fillna(…)``, and the value."""
    o = pen.of(columns)
    value = _value(pen, o.type)
    if pen.chance(15):
        value = pen.one("2.5", "0", '"a"', "True", "9")
    if pen.chance(35):
        more = [c for c in columns if c.name != o.name and c.type == o.type]
        items = [f'"{o.name}": {value}', *([f'"{pen.of(more).name}": {_value(pen, o.type)}'] if more else [])]
        return pen.spell(".fillna({{{0}}})", ".na.fill({{{0}}})").format(", ".join(items)), value
    word = pen.spell(".fillna", ".na.fill")
    subset = _subset(pen, [c.name for c in columns])
    if subset and pen.chance(50):
        subset = f", subset={subset[2:]}"
    return f"{word}({value}{subset})", value


def swap(pen: Pen, columns: Sequence[Output]) -> tuple[str, str]:
    """``.replace(…)``, and a value that is put in."""
    o = pen.of(columns)
    old, new = _value(pen, o.type), pen.one(_value(pen, o.type), _value(pen, o.type), "None")
    more = _value(pen, o.type)
    word = pen.spell(".replace", ".na.replace")
    names = [c.name for c in columns]
    subset = _subset(pen, names)
    match pen.one("one", "one", "list", "lists", "dict"):
        case "list":
            given = f"[{old}, {more}], {new}"
        case "lists":
            given = f"[{old}, {more}], [{_value(pen, o.type)}, {_value(pen, o.type)}]"
        case "dict":
            given = f"{{{old}: {new}, {more}: {old}}}" if more != old else f"{{{old}: {new}}}"
            subset = f", subset={subset[2:]}" if subset else ""
        case _:
            given = f"{old}, {new}"
    return f"{word}({given}{subset})", old if new == "None" else new


def drop(pen: Pen, columns: Sequence[Output]) -> tuple[str, str]:
    """``.dropna(…)``."""
    names = [c.name for c in columns]
    word = pen.spell(".dropna", ".na.drop")
    how = pen.one("", "", 'how="any"', 'how="all"', f"thresh={pen.one(1, 2)}")
    subset = _subset(pen, names)
    given = ", ".join(t for t in (how, f"subset={subset[2:]}" if subset else "") if t)
    return f"{word}({given})", ""


_CALLS = {"fillna": fill, "replace": swap, "dropna": drop}


def missing(method: str) -> Make:
    """A writer of boundaries with ``method`` called above or below, or both."""

    def write(pen: Pen, source: Source) -> Boundary:
        where = pen.one("above", "above", "below", "both")
        below = ""
        if where != "above":
            below, _ = _CALLS[method](pen, [Output(n, t) for n, t in source.types.items()])
            if pen.chance(40):  # as if nothing were missing then
                source.present |= {n for n in source.types if n != "k"}
        base = pen.one(native, native, native, grouped_in_pandas, row_function, whole)(pen, source)
        base = replace(base, outputs=list({o.name: o for o in base.outputs}.values()))
        call = base.call.replace("{}", "{}" + below.replace("{", "{{").replace("}", "}}"), 1)
        outputs = base.outputs
        if where != "below":
            above, value = _CALLS[method](pen, outputs)
            call += above.replace("{", "{{").replace("}", "}}")
            outputs = [_near(pen, o, value) for o in outputs]
        return replace(base, call=call, outputs=outputs)

    return write


def _near(pen: Pen, o: Output, value: str) -> Output:
    """Tests that what is filled in may pass, or not."""
    known = {"bigint": int, "int": int, "double": float, "string": str, "boolean": bool}[o.type]
    constant = eval(value) if value else None
    if not isinstance(constant, known) or isinstance(constant, bool) != (o.type == "boolean"):
        return o if o.likely and pen.chance(70) else replace(o, likely=(Test(o.name, pen.one("null", "present")),))
    tests = [*o.likely[:2], Test(o.name, pen.one(">=", ">", "<", "==", "!="), (constant,)), Test(o.name, "null")]
    if o.type == "boolean":
        tests = [Test(o.name, "true"), Test(o.name, "==", (constant,))]
    return replace(o, likely=tuple(tests))


def stack_rows(pen: Pen, source: Source) -> Boundary:
    """``stack`` with several values in a row, constants, and cells that are missing."""
    first = pen.of([n for n in source.types if n != "k"])
    kind = source.types[first]
    same = source.of(kind)
    other = pen.of([t for n, t in source.types.items() if n != "k"])
    rows = []
    for _ in range(pen.upto(2, 3)):
        more = pen.one(pen.of(source.of(other)), _sql(pen, other))
        rows.append([pen.of(same) if pen.chance(85) else _sql(pen, kind), more])
    cells = [c for row in rows for c in row]
    if pen.chance(8):
        cells = cells[:-1]
    if pen.chance(12) and kind in NUMBERS:
        cells[0] = pen.one(f"{cells[0]} + 1", f"100 / {cells[0]}", f"coalesce({cells[0]}, 0)")
    text = f"stack({len(rows)}, {', '.join(cells)}) AS (a, v)"
    if pen.chance(30):
        call = f'{{}}.select("*", F.expr("{text}"))'
    else:
        call = pen.spell(f'{{}}.select("k", F.expr("{text}"))', f'{{}}.selectExpr("k", "{text}")')
    asked = tuple(Test("a", pen.one(">", "==", "<=", "=="), (pen.of(CONSTANTS[kind]),)) for _ in range(2))
    made = Output("a", kind, asked if kind != "boolean" else ())
    return Boundary([], call, [made, made, Output("v", other), Output("k", source.types["k"])])


def _sql(pen: Pen, kind: str) -> str:
    value = pen.of(CONSTANTS[kind])
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value!r}{_SUFFIX.get(kind, '')}"


def pivoted(pen: Pen, source: Source) -> Boundary:
    """``groupBy(k).pivot(c, values).agg(…)`` over a boundary or the table; filters on keys and on values."""
    base = whole(pen, source) if pen.chance(80) else Boundary([], "{}", [Output(n, t) for n, t in source.types.items()])
    names = {o.name: o.type for o in base.outputs}
    numbers = [n for n, t in names.items() if n != "k" and t in NUMBERS]
    if "k" not in names or not numbers:
        return base
    column = pen.of([n for n in names if n != "k" and names[n] != "boolean"])
    values: list[object] = ["a", "b"] if names[column] == "string" else [1.0, 2.0]
    if names[column] in ("bigint", "int"):
        values = [1, 2]
    x = pen.of(numbers)
    keys = ["k", *(n for n in names if n not in ("k", column, x) and names[n] != "double" and pen.chance(40))]
    listed = f", {values!r}" if pen.chance(65) else ""
    word, label = pen.one("max", "max", "min", "count"), values[0]
    call = f'{base.call}.groupBy({quoted(keys)}).pivot("{column}"{listed}).agg(F.{word}("{x}"))'
    kind = "bigint" if word == "count" else names[x]
    shown = [Output(k, names[k], tuple(Test(k, pen.one("==", ">", "<="), (pen.of(CONSTANTS[names[k]]),))
                                       for _ in range(names[k] != "boolean"))) for k in keys]  # fmt: skip
    made = [Output(str(label), kind)] if names[column] == "string" and pen.chance(60) else []
    return replace(base, call=call.replace("'", '"'), outputs=[*shown, *shown[:1], *made])
