"""Functions with control flow and containers in their bodies: ``match``, ``while``, ``try``, dicts, loops that end."""

from __future__ import annotations

from collections.abc import Callable

from .bodies import indented
from .conditions import CONSTANTS, Output, Test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_DDL = {"bigint": "long", "double": "double", "string": "string", "boolean": "boolean"}
_HINTS = ("double", "bigint", "int")
_RESULTS = {"boolean": ("True", "False"), "bigint": ("0", "1", "2", "3"), "double": ("0.0", "1.0", "2.5", "3.0"),
            "string": ('"a"', '"b"', '""')}  # fmt: skip


class _Body:
    """What a body may read: ``x``, a number, and ``s``, a text, if the table has them; what it returns is ``kind``."""

    def __init__(self, pen: Pen, source: Source, kind: str) -> None:
        self.pen, self.kind = pen, kind
        numbers, texts = source.of(*_HINTS), source.of("string")
        self.x = pen.of(numbers) if numbers else ""
        self.y = pen.of(numbers) if numbers else ""
        self.s = pen.of(texts) if texts else ("k" if source.types["k"] == "string" else "")
        self.types = source.types
        self.known = source.present
        self.constants: list[str] = []
        """Of the module."""
        self.after: list[str] = []
        """Statements after the function."""

    def result(self) -> str:
        """A constant to return."""
        return self.pen.of(_RESULTS[self.kind])

    def maybe(self) -> str:
        """A constant to return, or None."""
        return self.pen.one(self.result(), self.result(), "None")

    def number(self) -> str:
        """A constant of the type of ``x``."""
        return repr(self.pen.of(CONSTANTS[self.types[self.x]]))

    def text(self) -> str:
        """A constant text."""
        return repr(self.pen.of(CONSTANTS["string"]))

    def guard(self, column: str) -> list[str]:
        """Perhaps leave where the column is missing."""
        if column in self.known or not self.pen.chance(55):
            return []
        return [f"if {column} is None:", f"    return {self.maybe()}"]


def _match(b: _Body) -> list[str]:
    pen, cases = b.pen, []
    if b.x and b.s and pen.chance(30):
        cases += [f"    case ({b.number()}, {pen.one(b.text(), '_', 'None')}):", f"        return {b.maybe()}"]
        cases += [f"    case ({pen.one('_', b.number())}, {b.text()}):", f"        return {b.maybe()}"]
        subject, column = f"{b.x}, {b.s}", b.x
    else:
        column = pen.of([c for c in (b.x, b.s) if c])
        c = b.number if column == b.x else b.text
        subject = column
        cases += [f"    case {pen.one(f'{c()} | {c()}', c())}:", f"        return {b.maybe()}"]
        if pen.chance(60):
            cases += ["    case None:", f"        return {b.maybe()}"]
        if pen.chance(50):
            cases += [f"    case other if other {pen.one('>', '<', '==')} {c()}:", f"        return {b.maybe()}"]
    if pen.chance(70):
        cases += ["    case _:", f"        return {b.maybe()}"]
    return [f"match {subject}:", *cases, *([f"return {b.maybe()}"] if pen.chance(50) else [])]


def _limits(b: _Body) -> list[str]:
    values = sorted({eval(b.number()) for _ in range(3)})
    b.constants.append(f"LIMITS = {tuple(values)!r}")
    op = b.pen.one("<", "<=", ">")
    if b.kind == "bigint":
        loop = ["for place, limit in enumerate(LIMITS):", f"    if {b.x} {op} limit:", "        return place"]
    else:
        loop = ["for limit in LIMITS:", f"    if {b.x} {op} limit:", f"        return {b.maybe()}"]
    return [*b.guard(b.x), *loop, f"return {b.maybe()}"]


def _left(b: _Body) -> list[str]:
    known = ", ".join(b.text() for _ in range(2)) if b.s else ", ".join(b.number() for _ in range(2))
    column = b.s or b.x
    loop = [f"for known in ({known}):", f"    if {column} == known:", f"        found = {b.maybe()}", "        break"]
    if b.pen.chance(25):
        return [f"found = {b.maybe()}", *loop, "return found"]
    return [*loop, "else:", f"    found = {b.maybe()}", "return found"]


def _while(b: _Body) -> list[str]:
    pen = b.pen
    body = ["step = 0", f"while step < {pen.one(3, 2, 4)}:", "    step += 1"]
    if pen.chance(25):
        body += ["    if step == 2:", f"        {pen.one('continue', 'break')}"]
    body += [f"    if {b.x} {pen.one('*', '+', '-')} step {pen.one('==', '>', '<')} {b.number()}:",
             f"        return {b.maybe()}"]  # fmt: skip
    return [*b.guard(b.x), *body, f"return {pen.one('step', b.maybe()) if b.kind == 'bigint' else b.maybe()}"]


def _conversion(b: _Body) -> list[str]:
    pen = b.pen
    error = pen.one("ValueError", "(ValueError, TypeError)", "Exception", "TypeError")
    word = pen.one("int", "float")
    plain = "number" if (b.kind, word) in (("bigint", "int"), ("double", "float")) else b.maybe()
    compared = f"number {pen.one('<', '>', '>=')} {pen.one('3', '0', '1')}"
    tail = [f"return {compared if b.kind == 'boolean' else plain}"]
    guard = [f"if {b.s} != {b.text()}:", f"    return {b.maybe()}"] if pen.chance(50) else []
    return [*guard, "try:", f"    number = {word}({b.s})", f"except {error}:",
            f"    {pen.one('number = 0', f'return {b.maybe()}')}", *tail]  # fmt: skip


def _division(b: _Body) -> list[str]:
    error = b.pen.one("ZeroDivisionError", "ZeroDivisionError", "(TypeError, ZeroDivisionError)", "Exception")
    return [*b.guard(b.x), *b.guard(b.y), "try:",
            f"    if {b.x} / {b.y} {b.pen.one('<', '>')} {b.pen.one('0.5', '1', '0')}:", f"        return {b.maybe()}",
            f"except {error}:", f"    return {b.maybe()}", f"return {b.maybe()}"]  # fmt: skip


def _dict(b: _Body) -> list[str]:
    pen, column = b.pen, b.s or b.x
    c = b.text if b.s else b.number
    items = ", ".join(f"{k}: {b.result()}" for k in dict.fromkeys(c() for _ in range(3)))
    here = pen.chance(35)
    if not here:
        b.constants.append(f"RATES = {{{items}}}")
        if pen.chance(15):
            b.after.append(f"RATES[{c()}] = {b.result()}")
    first = [f"rates = {{{items}}}"] if here else []
    name = "rates" if here else "RATES"
    match pen.one("get", "get", "in", "item", "none"):
        case "in":
            return [*first, f"if {column} in {name}:", f"    return {pen.one(f'{name}[{column}]', b.maybe())}",
                    f"return {b.maybe()}"]  # fmt: skip
        case "item":
            return [*first, *b.guard(column), f"return {name}[{column}]"]
        case "none":
            return [*first, f"return {name}.get({column})"]
    return [*first, f"return {name}.get({column}, {b.maybe()})"]


def _tests(b: _Body) -> list[str]:
    pen = b.pen
    word, other = pen.one("any", "all"), pen.one("any", "all")
    test = f"{word}({b.x} {pen.one('>', '==', '<', '!=')} c for c in ({b.number()}, {b.number()}))"
    if pen.chance(50):
        more = f"{other}({b.x} {pen.one('==', '>=')} c for c in ({b.number()},))"
        test += f" {pen.one('and', 'or')} {pen.one('', 'not ')}{more}"
    return [*b.guard(b.x), f"if {test}:", f"    return {b.maybe()}", f"return {b.maybe()}"]


def _largest(b: _Body) -> list[str]:
    word = b.pen.one("max", "max", "min")
    some = f" for v in ({b.x}, {b.y}) if v is not None"
    found = b.pen.one(f"{word}((v{some}), default=0)", f"{word}([v{some}], default=0)", f"{word}(v{some})")
    if b.kind in ("double", "bigint") and b.pen.chance(60):
        return [f"return {found}"]
    return [f"if {found} {b.pen.one('>', '<', '==')} {b.number()}:", f"    return {b.maybe()}", f"return {b.maybe()}"]


def _walrus(b: _Body) -> list[str]:
    first = f"{b.s} == {b.text()} {b.pen.one('and', 'and', 'or')} " if b.s and b.pen.chance(25) else ""
    last = f"doubled {b.pen.one('!=', '==', '>')} {b.number()}"
    inner = f"return {last}" if b.kind == "boolean" else f"return {b.maybe()} if {last} else {b.maybe()}"
    return [*b.guard(b.x), f"if {first}(doubled := {b.x} * 2) {b.pen.one('>', '<')} {b.number()}:", f"    {inner}",
            f"return {b.maybe()}"]  # fmt: skip


def _nested(b: _Body) -> list[str]:
    pen = b.pen
    late = [f"least = {b.number()}"] if pen.chance(20) else []
    return [*b.guard(b.x), f"least = {b.number()}", "", "def counts(v):", f"    if v == {b.number()}:",
            f"        return {pen.one('False', 'True')}", f"    return v {pen.one('>', '<=')} least", "", *late,
            f"if counts({b.x}):", f"    return {b.maybe()}", f"return {b.maybe()}"]  # fmt: skip


_NUMBER: tuple[Callable[[_Body], list[str]], ...] = (_limits, _while, _division, _tests, _largest, _walrus, _nested)
_TEXT: tuple[Callable[[_Body], list[str]], ...] = (_conversion,)
_EITHER: tuple[Callable[[_Body], list[str]], ...] = (_match, _match, _left, _dict, _dict)


def _body(pen: Pen, source: Source, kind: str) -> tuple[_Body, list[str]]:
    b = _Body(pen, source, kind)
    made = pen.of([*_EITHER, *(_NUMBER if b.x else ()), *(_TEXT if b.s else ())])
    return b, made(b)


def _columns(b: _Body, lines: list[str]) -> list[str]:
    """The columns that the body reads."""
    text = " ".join(lines).replace("(", " ").replace(")", " ").replace(",", " ").replace("[", " ").replace("]", " ")
    words = set(text.replace(":", " ").split())
    return [c for c in dict.fromkeys((b.x, b.y, b.s)) if c and c in words]


def row_body(pen: Pen, source: Source) -> Boundary:
    """A plain ``udf`` with such a body."""
    kind = pen.one("boolean", "boolean", "bigint", "double", "string")
    b, lines = _body(pen, source, kind)
    columns = _columns(b, lines)
    body = [*b.constants, *(["", ""] if b.constants else []), f'@F.udf("{_DDL[kind]}")',
            f"def f({', '.join(columns)}):", *indented(lines)]  # fmt: skip
    if b.after:
        body += ["", "", *b.after]
    out = Output("c", kind, _likely(pen, kind))
    others = [Output(n, t) for n, t in source.types.items() if pen.chance(25)]
    given = ", ".join(f'"{c}"' for c in columns)
    return Boundary(body, f'{{}}.withColumn("c", f({given}))', [out, out, out, *others])


def _likely(pen: Pen, kind: str) -> tuple[Test, ...]:
    if kind == "boolean":
        return (Test("c", "true"),)
    values = {"string": ("a", "b", ""), "bigint": (0, 1, 2), "double": (0.0, 1.0, 2.5)}[kind]
    return tuple(Test("c", pen.one(">=", "==", ">", "!=", "<"), (pen.of(values),)) for _ in range(2))


def group_body(pen: Pen, source: Source) -> Boundary:
    """A function of groups that calls such a function for each row, or leaves its loop, or is left early."""
    b, lines = _body(pen, source, "boolean")
    columns = _columns(b, lines)
    helper = ["def counts_row(" + ", ".join(columns) + "):", *indented(lines), "", ""]
    read = ", ".join(f"r.{c}" for c in columns)
    numbers = source.of(*_HINTS)
    loop = [f"if counts_row({read}):"]
    counted = not numbers or pen.chance(40)
    x = pen.of(numbers) if numbers else ""
    if counted:
        loop += ["    found += 1"]
        start, out = (
            "found = 0",
            Output("m", "bigint", tuple(Test("m", o, (n,)) for o, n in ((">=", 2), (">", 0), ("==", 1)))),
        )
    else:
        start = "found = None"
        op = pen.one(">", ">", "<")
        missing = f"r.{x} == r.{x} and (" if source.types[x] == "double" or x not in source.present else "("
        loop += [f"    if {missing}found is None or r.{x} {op} found):", f"        found = r.{x}"]
        c = pen.of(CONSTANTS[source.types[x]])
        out = Output("m", source.types[x], (Test("m", ">=" if op == ">" else "<=", (c,)), Test("m", "present")))
    if pen.chance(15):
        loop += [f"if found {pen.one('is not None', '== 2')}:", "    break"]
    nothing = '    return pd.DataFrame({"k": [], "m": []})'
    early = [f"if len(pdf) {pen.one('< 2', '== 0', '> 3')}:", nothing] if pen.chance(25) else []
    late = ["if not found:", nothing] if pen.chance(25) else []
    body = [*b.constants, *(["", ""] if b.constants else []), *helper, "def f(key, pdf):", *indented([
        *early, start, "for r in pdf.itertuples():", *indented(loop), *late,
        'return pd.DataFrame([{"k": key[0], "m": found}])'])]  # fmt: skip
    if b.after:
        body += ["", "", *b.after]
    key = Output("k", source.types["k"])
    ddl = ", ".join(f"{o.name} {'long' if o.type == 'bigint' else o.type}" for o in (key, out))
    call = f'{{}}.groupBy("k").applyInPandas(f, "{ddl}")'
    return Boundary(body, call, [out, out, key], ("import pandas as pd",))
