"""Functions of single rows, and native aggregates."""

from __future__ import annotations

from .bodies import Loop, indented, row_test
from .conditions import CONSTANTS, Condition, Output, Style, Test, as_column, random_test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_DDL = {"bigint": "long"}


def row_function(pen: Pen, source: Source) -> Boundary:
    """``withColumn("c", f("x", …))`` with a plain ``udf``."""
    columns = pen.some([n for n in source.types if n != "k"], 1, 3)
    names = [pen.one(f"{c}_", c) for c in columns] if pen.chance(30) else columns
    spelled = dict(zip(columns, names, strict=True))
    loop = Loop(pen, source, lambda c: spelled[c], known=set(source.present), columns=tuple(columns))
    kind = pen.one("boolean", "double", "string", "bigint")
    lines: list[str] = []
    for column in columns:
        if column not in loop.known and pen.chance(60):
            lines += [f"if {spelled[column]} is None:", f"    return {_constant(pen, kind, True)}"]
            loop.known.add(column)
    for _ in range(pen.one(0, 1, 1, 2)):
        lines += [f"if {row_test(loop)}:", f"    return {_value(pen, loop, kind)}"]
    lines.append(f"return {_value(pen, loop, kind)}")
    plain = [line for line in lines if line.startswith("return")]
    if len(lines) == 1 and pen.often(50):
        body, made = [f'f = F.udf(lambda {", ".join(names)}: {plain[0][7:]}, "{_DDL.get(kind, kind)}")'], "f"
    elif pen.often(60):
        body, made = [f'@F.udf("{_DDL.get(kind, kind)}")', f"def f({', '.join(names)}):", *indented(lines)], "f"
    else:
        body = [f"def g({', '.join(names)}):", *indented(lines), "", "", f'f = F.udf(g, "{_DDL.get(kind, kind)}")']
        made = "f"
    given = ", ".join(pen.spell(f'"{c}"', f'F.col("{c}")') for c in columns)
    out = Output("c", kind, tuple(_likely(pen, kind) for _ in range(2)))
    others = [Output(n, t) for n, t in source.types.items() if pen.chance(30)]
    if pen.chance(80):
        return Boundary(body, f'{{}}.withColumn("c", {made}({given}))', [out, out, out, *others])
    return Boundary(body, f'{{}}.select("k", {made}({given}).alias("c"))', [out, out, Output("k", source.types["k"])])


def _likely(pen: Pen, kind: str) -> Test:
    if kind == "boolean":
        return Test("c", "true")
    if kind == "string":
        return Test("c", "==", (pen.one("a", "b"),))
    return Test("c", pen.one(">=", ">", "=="), (pen.of(CONSTANTS[kind]),))


def _constant(pen: Pen, kind: str, missing: bool) -> str:
    if missing and pen.chance(40):
        return "None"
    return {"boolean": pen.one("False", "False", "True"), "double": pen.one("0.0", "1.0", "-1.0"),
            "string": pen.one('"a"', '"b"', '""'), "bigint": pen.one("0", "1", "-1", "2")}[kind]  # fmt: skip


def _value(pen: Pen, loop: Loop, kind: str) -> str:
    """Something to return."""
    if kind == "boolean" and pen.chance(75):
        return row_test(loop)
    same = [c for c in loop.columns if loop.source.types[c] == kind or (kind == "double" and c in loop.numbers)]
    if same and pen.chance(65):
        x = loop.read(pen.of(same))
        if kind in ("double", "bigint"):
            c = _constant(pen, kind, False)
            number = "1.0" if kind == "double" else "1"
            return pen.one(
                x, x, f"{x} * 2", f"{x} + {number}", f"{x} - {c}", f"abs({x})", f"{x} if {row_test(loop)} else {c}",
                f"{x} * {x}", f"-{x}", f"max({x}, {c})", f"{x} / 2" if kind == "double" else f"{x} // 2", f"{x} % 3",
            )  # fmt: skip
        if kind == "string":
            return pen.one(x, f"{x}.upper()", f"{x}.strip()", f'{x} + "a"', f"{x}[:1]", f"{x}.lower()")
    return _constant(pen, kind, True)


def native(pen: Pen, source: Source) -> Boundary:
    """``groupBy(k).agg(…)`` or ``agg(…)`` with Spark's own aggregates."""
    grouped = not pen.chance(20)
    first = pen.one("m", "n", "x", "v")
    labels = [first, *(n for n in ("p", "q") if n != first)]
    made = [_native(pen, source, label) for label in labels[: pen.one(1, 1, 2, 3)]]
    outputs = [o for _, o in made]
    texts = ", ".join(f'{t}.alias("{o.name}")' for t, o in made)
    key = pen.spell('"k"', 'F.col("k")')
    receiver = f"{{}}.groupBy({key})" if grouped else "{}"
    if grouped:
        outputs = [*outputs, *outputs, Output("k", source.types["k"])]
    return Boundary([], f"{receiver}.agg({texts})", outputs)


def _native(pen: Pen, source: Source, name: str) -> tuple[str, Output]:
    numbers = source.of("double", "bigint", "int")
    others = [n for n in source.types if n != "k"]
    column = pen.of(numbers or others)
    kind = source.types[column]
    cond = _row_condition(pen, source)
    counts = tuple(Test(name, o, (n,)) for o, n in ((">=", 2), (">", 0), (">=", 1), ("==", 2), (">", 1)))
    choice = pen.one(*"max max max count count_if sum bool by min avg first set when when when".split())
    if kind in ("string", "boolean") and choice in ("sum", "avg"):
        choice = "max"
    ends = tuple(Test(name, pen.one(">=", ">"), (pen.of(CONSTANTS[kind]),)) for _ in range(2))
    match choice:
        case "max":
            return f"F.max({pen.one(f'{chr(34)}{column}{chr(34)}', f'F.col({chr(34)}{column}{chr(34)})')})", Output(
                name, kind, ends
            )
        case "min":
            low = tuple(Test(name, pen.one("<=", "<"), (pen.of(CONSTANTS[kind]),)) for _ in range(2))
            return f'F.min("{column}")', Output(name, kind, low)
        case "count":
            return pen.one(
                f"F.count(F.when({cond}, 1))", f"F.count(F.when({cond}, True))", f'F.count("{column}")', 'F.count("*")'
            ), Output(name, "bigint", counts)
        case "count_if":
            return f"F.count_if({cond})", Output(name, "bigint", counts)
        case "sum":
            text = pen.one(
                f"F.sum(F.when({cond}, 1).otherwise(0))",
                f'F.sum("{column}")',
                f'F.sum(F.when({cond}, F.col("{column}")))',
            )
            wide = "double" if kind == "double" and "otherwise" not in text else "bigint"
            return text, Output(name, wide, counts if wide == "bigint" else ends)
        case "bool":
            return f"F.{pen.one('bool_or', 'bool_or', 'bool_and')}({cond})", Output(
                name, "boolean", (Test(name, "true"),)
            )
        case "by":
            shown = pen.of(others)
            return f'F.{pen.one("max_by", "min_by")}("{shown}", "{column}")', Output(name, source.types[shown])
        case "avg":
            return f'F.avg("{column}")', Output(name, "double")
        case "first":
            return f'F.{pen.one("first", "last")}("{column}"{pen.one("", ", ignorenulls=True")})', Output(name, kind)
        case "set":
            return f'F.size(F.collect_set("{column}"))', Output(name, "bigint", counts)
    word = pen.one("max", "max", "min")
    return f'F.{word}(F.when({cond}, F.col("{column}")))', Output(name, kind, ends)


def _row_condition(pen: Pen, source: Source) -> str:
    columns = [Output(n, t) for n, t in source.types.items() if n != "k"]
    found: Condition = random_test(pen, pen.of(columns))
    return as_column(pen, found, Style("F."))
