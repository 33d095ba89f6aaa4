"""Python functions of one column that Spark may compute as well: lengths, letters, dates, rounding, f-strings."""

from __future__ import annotations

from .bodies import indented
from .conditions import Output, Style, Test, as_column, random_test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_NUMBERS = ("double", "bigint", "int")
_IMPORTS = ("import datetime", "import math")
_OPS = ("==", ">", "<", ">=", "<=", "!=")


def _text(pen: Pen, s: str) -> str:
    c = pen.one('"a"', '"b"', '"ab"', '""', '"A"')
    plain = pen.one('"a"', '"b"', '"ab"')
    op, n, none = pen.of(_OPS), pen.one(0, 1, 2), '"None"'
    return pen.of([
        f"len({s}) {op} {n}", f"{n} {op} len({s})", f"{s}.lower() == {c}", f"{s}.upper() {pen.one('==', '!=')} {c}",
        f"{s}.strip() == {c}", f"{s}.rstrip() in ({c}, {plain})", f"{plain} in {s}.strip()",
        f"{s}.startswith(({c}, {plain}))",
        f"{s}.endswith({plain})", f"{s}.find({plain}) {pen.one('>= 0', '== 0', '== 1', '!= -1', '> 0')}",
        f"{s}.count({plain}) {pen.one('== 0', '> 0', '> 1')}", f"{s}[:1] == {plain}", f"{s}[0] == {plain}",
        f"{s}[-1:] == {plain}", f"str({s}) {pen.one('==', '!=')} {pen.one(c, none)}", f"bool({s})", f"not {s}",
        f"len({s}.encode()) {op} {n}", f"{s}.lower().startswith({plain})", f"len({s}.strip()) {op} {n}",
        f"{s} in ({c}, {plain}, None)", f"{s}.lower() in ({c}, {plain})", f"{s}.isdigit()",
        f'{s}.replace("a", "") == ""',
        f"isinstance({s}, str) and {s} != {c}", f"not isinstance({s}, str)", f"{s}.lstrip().startswith({plain})",
    ])  # fmt: skip


def _number(pen: Pen, x: str, kind: str) -> str:
    c, op = pen.one(0, 1, 2, -1, 3, 90), pen.of(_OPS)
    both = [f"abs({x}) {op} {c}", f"bool({x})", f"{x} * 10 + 1 {op} {c}",
            f"isinstance({x}, {pen.one('int', 'float', 'bool')})",
            f"{x} % {pen.one(2, 3, 1000)} == {pen.one(0, 1, 2)}", f"{x} // {pen.one(2, 10)} {op} {pen.one(-1, 0, 1)}",
            f"round({x}) {op} {c}", f"int({x}) {op} {c}", f"-{x} {op} {c}", f"{x} not in ({c}, 2)",
            f"min({x}, {c}) {op} {pen.one(0, 1)}", f"max({x}, {c}) {op} {pen.one(1, 2)}",
            f"{x} ** 2 {op} {c}"]  # fmt: skip
    if kind == "double":
        return pen.of([*both, f"math.floor({x}) {op} {c}", f"math.ceil({x}) {op} {c}", f"math.isnan({x})",
                       f"round({x}, 1) == 2.5",
                       f"not {x} > {c}", f"{x} == int({x})", f"math.isfinite({x})", f"{x} / 2 {op} {c}",
                       f"int({x}) == 0"])  # fmt: skip
    return pen.of(
        [*both, f'f"{{{x}}}" == "{c}"', f'str({x}) {pen.one("==", "!=")} "{c}"', f'f"{{{x}}}" in ("1", "None")']
    )


def _time(pen: Pen, d: str, kind: str) -> str:
    op = pen.of(_OPS)
    made = "datetime.date(2024, 1, 1)" if kind == "date" else "datetime.datetime(2024, 1, 1)"
    return pen.of([
        f"{d}.year {op} {pen.one(2024, 2023, 2025)}", f"{d}.month {op} {pen.one(1, 12, 6)}",
        f"{d}.day {op} {pen.one(1, 31)}",
        f"isinstance({d}, datetime.date)", f"not isinstance({d}, datetime.date) or {d}.year > 2023", f"{d} {op} {made}",
        f"{d}.weekday() < 5",
    ])  # fmt: skip


def _test(pen: Pen, types: dict[str, str], depth: int = 1) -> str:
    """A test of the arguments, guarded or not."""
    name = pen.of(list(types))
    kind = types[name]
    if depth and pen.chance(25):
        return f"({_test(pen, types, 0)}) {pen.one('and', 'or')} ({_test(pen, types, 0)})"
    texts = [n for n, t in types.items() if t in ("string", "int", "bigint", "boolean")]
    if len(texts) > 1 and pen.chance(35):
        first, second = texts[0], texts[1]
        value = "-".join(
            pen.one("a", "b", "None", "") if types[n] == "string" else pen.one("1", "None", "2", "True")
            for n in texts[:2]
        )
        return f'f"{{{first}}}-{{{second}}}" {pen.one("==", "==", "!=")} "{value}"'
    test = (
        _text(pen, name) if kind == "string" else _time(pen, name, kind) if kind in ("date", "timestamp")
        else _number(pen, name, kind) if kind in _NUMBERS
        else pen.one(f"not {name}", f'str({name}) == "True"', f"{name} is True")
    )  # fmt: skip
    if pen.chance(15):
        test = f"not ({test})"
    return pen.one(
        test, test, f"{name} is not None and ({test})", f"{name} is not None and ({test})", f"{name} is None or {test}"
    )


def _value(pen: Pen, types: dict[str, str]) -> tuple[str, str]:
    """Something computed of one argument, and its type."""
    name = pen.of(list(types))
    kind = types[name]
    made: tuple[str, str]
    match kind:
        case "string":
            made = pen.one((f"len({name})", "bigint"), (f"{name}.lower()", "string"), (f"{name}.upper()", "string"),
                           (f"{name}.strip()", "string"), (f"{name}[:1]", "string"),
                           (f'f"<{{{name}}}>"', "string"))  # fmt: skip
        case "date" | "timestamp":
            made = (f"{name}.{pen.one('year', 'month', 'day')}", "bigint")
        case "double":
            made = pen.one((f"round({name})", "bigint"), (f"math.floor({name})", "bigint"), (f"abs({name})", "double"),
                           (f"int({name})", "bigint"))  # fmt: skip
        case "boolean":
            made = (f"not {name}", "boolean")
        case _:
            made = pen.one(
                (f"{name} % 3", "bigint"),
                (f"{name} // 2", "bigint"),
                (f"str({name})", "string"),
                (f"-{name}", "bigint"),
            )
    text, of = made
    return pen.one(
        (text, of), (f"{text} if {name} is not None else None", of), (f"None if {name} is None else {text}", of)
    )


def native_parts(pen: Pen, source: Source) -> Boundary:
    """Such a function in a filter, or in a column that a filter asks for."""
    names = pen.some(list(source.types), 1, 2)
    if pen.chance(40):
        names = [pen.of([n for n, t in source.types.items() if t in ("string", "date", "timestamp")] or names)]
    types = {n: source.types[n] for n in names}
    others = [Output(n, t) for n, t in source.types.items()]
    given = ", ".join(f'"{n}"' for n in names)
    if pen.chance(60):
        lines, kind = [f"return {_test(pen, types)}"], "boolean"
        if pen.chance(30):
            lines = [f"if {_test(pen, types, 0)}:", f"    return {pen.one(True, False, None)}", *lines]
        likely: tuple[Test, ...] = (Test("c", "true"),)
    else:
        text, kind = _value(pen, types)
        lines = [f"return {text}"]
        values = {
            "bigint": (0, 1, 2, 2024, -1),
            "string": ("a", "b", "A", "<a>", "1"),
            "double": (1.0, 2.5),
            "boolean": (True,),
        }
        likely = tuple(Test("c", pen.of(_OPS), (pen.of(values[kind]),)) for _ in range(2))
    declared = {"bigint": "long"}.get(kind, kind)
    if len(lines) == 1 and pen.often(55):
        body = [f'f = F.udf(lambda {", ".join(names)}: {lines[0][7:]}, "{declared}")']
    else:
        body = [f'@F.udf("{declared}")', f"def f({', '.join(names)}):", *indented(lines)]
    if pen.chance(45):
        out = Output("c", kind, likely)
        return Boundary(body, f'{{}}.withColumn("c", f({given}))', [out, out, out, *others[:2]], _IMPORTS)
    asked = likely[0]
    test = f"f({given})" if kind == "boolean" else f"(f({given}) {asked.op} {asked.values[0]!r})"
    if pen.chance(20):
        test = f"~{test}"
    first = as_column(pen, random_test(pen, pen.of(others)), Style("F."))
    test = pen.one(test, test, test, f"({test}) & ({first})", f"({first}) | ({test})")
    return Boundary(body, f"{{}}.filter({test})", others, _IMPORTS)
