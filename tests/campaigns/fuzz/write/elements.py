"""Boundaries without a Python function: orders of windows, elements of arrays, unpivoted columns; and filters alone."""

from __future__ import annotations

from .conditions import CONSTANTS, Output, Style, Test, as_column, condition, random_test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_NUMBERS = ("double", "bigint", "int")
_IMPORTS = ("from pyspark.sql import Window",)


def _number(pen: Pen, source: Source) -> str:
    return pen.of(source.of(*_NUMBERS) or [n for n in source.types if n != "k"])


def window_order(pen: Pen, source: Source) -> Boundary:
    """``row_number().over(partitionBy(k).orderBy(x))``; filters on x."""
    x = _number(pen, source)
    kind = source.types[x]
    down = pen.chance(50)
    order = pen.one(f'F.desc("{x}")', f'F.col("{x}").desc()') if down else pen.one(
        f'"{x}"', f'F.asc("{x}")', f'F.asc_nulls_last("{x}")', f'F.col("{x}").asc_nulls_last()'
    )  # fmt: skip
    if down and pen.chance(15):
        order = f'F.col("{x}").desc_nulls_first()'
    others = [n for n in source.types if n != x]
    more = f', "{pen.of(others)}"' if pen.chance(50) else ""
    parts = pen.one('"k"', '"k"', 'F.col("k")', f'"{pen.of(others)}"')
    frame = f".rowsBetween({pen.one(-1, -2)}, {pen.one(0, 1)})" if pen.chance(12) else ""
    w = f"Window.partitionBy({parts}).orderBy({order}{more}){frame}"
    shown = pen.of(others)
    functions = ("row_number()", "rank()", "dense_rank()", f'lag("{shown}")', f'lead("{shown}")', f'lag("{shown}", 2)')
    aggregates = (f'max("{shown}")', f'count("{shown}")', f'min("{x}")', f'first("{shown}")')
    function = pen.of(aggregates if frame else (*functions, *aggregates))
    op = pen.one(">=", ">", "==") if down else pen.one("<=", "<", "==")
    likely = tuple(Test(x, op, (pen.of(CONSTANTS[kind]),)) for _ in range(2)) if kind != "boolean" else ()
    out = Output(x, kind, likely)
    place = (
        [Output("r", "int", (Test("r", "<=", (pen.one(1, 2),)),))] if "rank" in function or "row" in function else []
    )
    rest = [Output(n, t) for n, t in source.types.items() if n != x and pen.chance(25)]
    call = f'{{}}.withColumn("r", F.{function}.over({w}))'
    if pen.chance(20):
        call += (
            f'.withColumn("q", F.rank().over({w if pen.chance(60) else w.replace(order, chr(34) + shown + chr(34))}))'
        )
        call = call.replace(frame, "") if frame else call
    return Boundary([], call, [out, out, out, *place, *rest], _IMPORTS)


def first_of_order(pen: Pen, source: Source) -> Boundary:
    """``orderBy(x, …).limit(n)``, over whole rows, so that only rows that are equal tie; filters on x."""
    x = _number(pen, source)
    down = pen.chance(50)
    order = pen.one(f'F.desc("{x}")', f'F.col("{x}").desc()', f'F.desc_nulls_first("{x}")') if down else pen.one(
        f'"{x}"', f'F.asc("{x}")', f'F.asc_nulls_last("{x}")', f'F.col("{x}").asc_nulls_last()'
    )  # fmt: skip
    others = [f'"{n}"' for n in source.types if n != x]
    ops = (">=", ">", "==") if down else ("<=", "<", "==")
    likely = tuple(Test(x, pen.of(ops), (pen.of(CONSTANTS[source.types[x]]),)) for _ in range(3))
    out = Output(x, source.types[x], likely if source.types[x] != "boolean" else ())
    rest = [Output(n, t) for n, t in source.types.items() if n != x and pen.chance(25)]
    call = f"{{}}.{pen.one('orderBy', 'sort')}({', '.join([order, *others])}).limit({pen.one(3, 0, 1, 5)})"
    return Boundary([], call + pen.one("", "", ".limit(2)"), [out, out, out, *rest])


def _elements(pen: Pen, source: Source) -> tuple[str, list[str]]:
    """An array or a map, and the types of its elements or of its keys and values."""
    kind = (
        source.types[_number(pen, source)]
        if pen.chance(75)
        else pen.of([t for n, t in source.types.items() if n != "k"])
    )
    same = source.of(kind)
    if kind == "string" and pen.chance(50):
        array, kinds = f'F.split("{pen.of(same)}", "{pen.one("a", ",")}")', [kind]
    else:
        cells = [f'"{pen.of(same)}"' for _ in range(pen.upto(1, 3))]
        if kind in _NUMBERS and pen.chance(30):
            cells.append(f'F.col("{pen.of(same)}") + 1')
        if pen.chance(20):
            cells.append(f'F.lit(None).cast("{kind}")')
        array, kinds = f"F.array({', '.join(cells)})", [kind]
        if pen.chance(20):
            pairs = ", ".join(f'F.lit("{label}"), "{pen.of(same)}"' for label in ("low", "high"))
            array, kinds = f"F.create_map({pairs})", ["string", kind]
    if pen.chance(25):
        test = as_column(pen, random_test(pen, pen.of([Output(n, t) for n, t in source.types.items()])), Style("F."))
        array = f"F.when({test}, {array})"
    return array, kinds


def explode_elements(pen: Pen, source: Source) -> Boundary:
    """``explode(array(x, y))``; filters on the elements."""
    array, kinds = _elements(pen, source)
    kind = kinds[-1]
    word = pen.one("explode", "explode", "explode", "explode_outer")
    names = ["e"] if len(kinds) == 1 else ["w", "e"]
    labels = ", ".join(f'"{n}"' for n in names)
    made = [Output(n, t) for n, t in zip(names, kinds, strict=True)]
    if kind in _NUMBERS:
        made[-1] = Output("e", kind, (Test("e", pen.one(">", ">=", "<"), (pen.of(CONSTANTS[kind]),)),))
    others = [Output(n, t) for n, t in source.types.items() if pen.chance(30)]
    if len(names) == 1 and pen.chance(50):
        return Boundary([], f'{{}}.withColumn("e", F.{word}({array}))', [made[0], made[0], made[0], *others])
    kept = list(dict.fromkeys(["k", *(o.name for o in others)]))
    shown = ", ".join(f'"{n}"' for n in kept)
    return Boundary([], f"{{}}.select({shown}, F.{word}({array}).alias({labels}))", [made[-1], *made, *others])


def posexplode_elements(pen: Pen, source: Source) -> Boundary:
    """``posexplode(array(x, y))``; filters on the elements, on their places, and on both."""
    array, kinds = _elements(pen, source)
    if len(kinds) == 2 and pen.chance(60):
        array, kinds = f'F.array("{pen.of(source.of(kinds[1]))}", "{pen.of(source.of(kinds[1]))}")', kinds[1:]
    kind = kinds[-1]
    word = pen.one("posexplode", "posexplode", "posexplode_outer")
    names = ["p", "e"] if len(kinds) == 1 else ["p", "w", "e"]
    made = Output("e", kind)
    if kind != "boolean":
        made = Output(
            "e", kind, tuple(Test("e", pen.one(">", "==", "<", "!="), (pen.of(CONSTANTS[kind]),)) for _ in "ab")
        )
    place = Output("p", "int", tuple(Test("p", o, (n,)) for o, n in (("==", 0), ("==", 1), (">", 0), ("<", 1))))
    others = [Output(n, t) for n, t in source.types.items() if n not in ("p", "e", "w") and pen.chance(30)]
    kept = list(dict.fromkeys(["k", *(o.name for o in others)]))
    shown = ", ".join(f'"{n}"' for n in kept)
    call = f"{{}}.select({shown}, F.{word}({array}).alias({', '.join(f'{chr(34)}{n}{chr(34)}' for n in names)}))"
    if kind in _NUMBERS and pen.chance(12):
        call += f'.filter(F.col("e") {pen.one(">", "<=")} F.col("p"))'
    return Boundary([], call, [made, made, made, place, *others])


def unpivot_values(pen: Pen, source: Source) -> Boundary:
    """``unpivot([k], [x, y], v, a)``; filters on the names and the values."""
    kind = source.types[_number(pen, source)]
    same = pen.some(source.of(kind), 1, 3)
    if pen.chance(10):
        same = list(dict.fromkeys([*same, _number(pen, source)]))
    listed = ", ".join(f'"{n}"' for n in same)
    wide = {source.types[n] for n in same}
    kind = kind if len(wide) == 1 else "double" if "double" in wide else "bigint"
    word, ids = pen.spell("unpivot", "melt"), pen.one('["k"]', '"k"')
    call = f'{{}}.{word}({ids}, [{listed}], "v", "a")'
    if pen.chance(40):  # the same with `stack`
        cells = ", ".join(f"'{n}', {n}" for n in same)
        text = f"stack({len(same)}, {cells}) AS (v, a)"
        call = pen.spell(f'{{}}.select("k", F.expr("{text}"))', f'{{}}.selectExpr("k", "{text}")')
    names = tuple(Test("v", pen.one("==", "==", "!="), (n,)) for n in same)
    values = Output("a", kind)
    return Boundary([], call, [values, values, Output("v", "string", names), Output("k", source.types["k"])])


def constant(pen: Pen, source: Source) -> Boundary:
    """Filters that contradict or imply each other."""
    columns = [Output(n, t) for n, t in source.types.items()]
    if pen.chance(35):
        x = _number(pen, source)
        kind = source.types[x]
        call = f'{{}}.groupBy("k").agg(F.min("{x}").alias("lo"), F.max("{x}").alias("hi"), F.count("{x}").alias("n"))'
        likely = (Test("n", "null"), Test("n", "<", (0,)), Test("n", ">=", (0,)), Test("n", "present"))
        made = [Output("lo", kind), Output("hi", kind), Output("n", "bigint", likely)]
        bounds = pen.one('F.col("lo") > F.col("hi")', 'F.col("lo") >= F.col("hi")', 'F.col("hi") < F.col("lo")')
        return Boundary([], f"{call}.filter({bounds})" if pen.chance(50) else call, made)
    chosen = pen.of(columns)
    call = "{}"
    for _ in range(pen.upto(1, 2)):
        test = condition(pen, [chosen], 1)
        call += f".filter({as_column(pen, test, Style('F.'))})"
    if pen.chance(25):
        call += pen.one(f'.filter(F.col("{chosen.name}") == None)', f'.filter(F.col("{chosen.name}") != None)')
    return Boundary([], call, [chosen])
