"""Windows that are partitioned by an expression, and Spark's functions of elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .conditions import CONSTANTS, Output, Style, Test, as_column, condition, random_test
from .grouped import Boundary, aggregating_udf, grouped_in_pandas
from .pen import Pen
from .rows import row_function
from .stacked import IMPORT
from .tables import Source

_NUMBERS = ("double", "bigint", "int")


def _of(pen: Pen, o: Output) -> tuple[str, str]:
    """Something computed of a column, and its type."""
    x = f'F.col("{o.name}")'
    if o.type in _NUMBERS:
        whole = o.type
        return pen.one((f"({x} % 2)", whole), (f"({x} % 3)", whole), (f"({x} > 1)", "boolean"),
                       (f"F.coalesce({x}, F.lit(0))", whole), (f"({x} * 1.0)", "double"), (f"({x} + 1)", whole),
                       (f"(-{x})", whole), (f"{x}.isNull()", "boolean"))  # fmt: skip
    if o.type == "string":
        return pen.one((f"F.upper({x})", "string"), (f"F.length({x})", "int"), (f"F.trim({x})", "string"),
                       (f"F.coalesce({x}, F.lit('a'))".replace("'", '"'), "string"))  # fmt: skip
    return pen.one((f"{x}.isNull()", "boolean"), (f"F.coalesce({x}, F.lit(True))", "boolean"))


def _asked(pen: Pen, text: str, kind: str) -> str:
    if kind == "boolean":
        return pen.one(text, f"~{text}", f"{text}.isNull()")
    constants = (1, 0, -1) if "%" in text else ("A", "AB", "a", "") if kind == "string" else CONSTANTS[kind]
    constant = pen.of(constants)
    return f"({text} {pen.one('==', '==', '>', '<=', '!=')} {constant!r})".replace("'", '"')


def window_computed(pen: Pen, source: Source) -> Boundary:
    """``max(n).over(partitionBy(k % 2))``; filters of ``k % 2``, of ``k``, of something else that is computed of it."""
    base = pen.one(grouped_in_pandas, grouped_in_pandas, row_function, aggregating_udf)(pen, source)
    outputs = list({o.name: o for o in base.outputs}.values())
    keys = [o for o in outputs if o.name == "k"]
    o = pen.of([*keys, *keys, *(o for o in outputs for _ in range(2) if o.type in ("int", "bigint")), *outputs])
    text, kind = _of(pen, o)
    parts = [text]
    if pen.chance(30):
        parts.append(pen.one(f'"{pen.of(outputs).name}"', _of(pen, pen.of(outputs))[0]))
    shown = pen.of(outputs).name
    functions = [f'F.max("{shown}")', f'F.count("{shown}")', 'F.count("*")', f'F.min("{shown}")']
    w = f"Window.partitionBy({', '.join(parts)})"
    if pen.chance(25):
        functions, w = ["F.rank()", "F.dense_rank()"], f'{w}.orderBy("{shown}")'
    call = f'{base.call}.withColumn("most", {pen.of(functions)}.over({w}))'
    if pen.chance(15):
        again = pen.one(w, f'Window.partitionBy("{o.name}")', "Window.partitionBy()", f"Window.partitionBy({text})")
        call += f'.withColumn("share", F.count("*").over({again.split(".orderBy")[0]}))'
    if pen.chance(12):
        other = _of(pen, o)
        call += f'.withColumn("{o.name}", {other[0]})'
        outputs = [replace(p, type=other[1], likely=()) if p is o else p for p in outputs]
    other_text, other_kind = _of(pen, o)
    told = pen.one(*[(text, kind)] * 6, (other_text, other_kind))
    test = _asked(pen, *told)
    if kind == "double" and pen.chance(20):
        test = f'({text}.cast("string") == {pen.one("-0.0", "0.0")!r})'.replace("'", '"')
    if pen.chance(30):
        beside = as_column(pen, condition(pen, [pen.of(outputs)], 0), Style("F."))
        test = pen.one(f"{test} & ({beside})", f"({beside}) & {test}", f"{test} | ({beside})")
    return replace(base, call=f"{call}.filter({test})", outputs=outputs, imports=(*base.imports, IMPORT))


def element_functions(pen: Pen, source: Source) -> Boundary:
    """``explode(split(s, ","))`` and ``explode(sequence(d, …))``; filters on functions of the element."""
    texts = [n for n, t in source.types.items() if t == "string"]
    if texts and pen.chance(55):
        s = pen.of(texts)
        array = pen.one(f'F.split("{s}", "{pen.one("a", " ", "b")}")', f'F.array("{s}", "{pen.of(texts)}")')
        kind, asked = "string", _of_text
    else:
        day = pen.of(source.of("date"))
        array = pen.one(
            f'F.sequence("{day}", F.date_add("{day}", {pen.one(2, 0, 6)}))', f'F.array("{day}", F.to_date("at"))',
            f'F.sequence(F.to_date("{day}"), F.date_add("{day}", 3))', f'F.array("{day}", "e")',
        )  # fmt: skip
        kind, asked = "date", _of_day
    if pen.chance(20):
        other = Output("k", source.types["k"])
        array = f"F.when({as_column(pen, random_test(pen, other), Style('F.'))}, {array})"
    word, names = pen.one(("explode", ["v"]), ("explode", ["v"]), ("explode_outer", ["v"]), ("posexplode", ["p2", "v"]))
    others = [Output(n, t) for n, t in source.types.items() if pen.chance(30) and n not in ("v", "p2")]
    kept = list(dict.fromkeys(["k", *(o.name for o in others)]))
    listed = ", ".join(f'"{n}"' for n in kept)
    call = f"{{}}.select({listed}, F.{word}({array}).alias({', '.join(f'{chr(34)}{n}{chr(34)}' for n in names)}))"
    if kind == "string" and pen.chance(25):
        call += f'.withColumn("v", F.{pen.one("lower", "upper", "trim")}("v"))'
    test = asked(pen, others)
    if pen.chance(35):
        beside = as_column(pen, condition(pen, [pen.of(others)], 0), Style("F.")) if others else asked(pen, others)
        test = pen.one(f"({test}) & ({beside})", f"({beside}) & ({test})", f"({test}) | ({beside})", f"~({test})")
    made = Output("v", kind, _likely(pen, kind))
    return Boundary([], f"{call}.filter({test})", [made, *others, Output("k", source.types["k"])])


def _likely(pen: Pen, kind: str) -> tuple[Test, ...]:
    return tuple(Test("v", pen.one("==", "!=", ">", "<="), (pen.of(CONSTANTS[kind]),)) for _ in range(2))


def _of_text(pen: Pen, others: Sequence[Output]) -> str:
    word = pen.one("length", "length", "lower", "trim", "upper", "length(F.trim)")
    if word.startswith("length"):
        text = 'F.length(F.trim(F.col("v")))' if "trim" in word else pen.one('F.length("v")', 'F.length(F.col("v"))')
        numbers = [o.name for o in others if o.type in ("int", "bigint")]
        bound = f'F.col("{pen.of(numbers)}")' if numbers and pen.chance(30) else str(pen.one(1, 0, 2))
        return f"{text} {pen.one('>', '==', '<', '!=')} {bound}"
    value = pen.one("a", "b", "", "ab", "A", "B")
    return pen.one(f'F.{word}("v") {pen.one("==", "!=")} "{value}"', f'F.{word}("v").isin("{value}", "b")')


def _of_day(pen: Pen, others: Sequence[Output]) -> str:
    word = pen.one("dayofweek", "dayofweek", "month", "year", "dayofmonth")
    values = {"dayofweek": (1, 7, 2), "month": (1, 12, 6), "year": (2024, 2023, 2025), "dayofmonth": (1, 31, 2)}[word]
    text = f'F.{word}("v")'
    numbers = [o.name for o in others if o.type in ("int", "bigint")]
    if numbers and pen.chance(30):
        return f'{text} == F.col("{pen.of(numbers)}")'
    one, two = pen.of(values), pen.of(values)
    return pen.one(f"{text}.isin([{one}, {two}])", f"~{text}.isin([{one}, {two}])", f"{text} == {one}",
                   f"{text} > {one}", f"{text} <= {one}")  # fmt: skip
