"""Functions of the elements of an RDD in Python's own semantics: what raises, what handlers keep, what is true.

Most tables have one row: an error of one row would hide what becomes of the others.
"""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import math
from typing import Any

from .program import Draw, Program

DDL = "k string, s string, i int, f double, b boolean"
STRICT = "k string not null, s string not null, i int not null, f double not null, b boolean not null"
_POOLS: dict[str, tuple[Any, ...]] = {
    "k": ("a", "b", ""),
    "s": ("", "a", "3", " 4 ", "b1", "1.5", "nan", "-0", "aB", "0", "a,b", "inf", "1_0", "x"),
    "i": (0, 1, 2, -1, 3, 5, 100, -7),
    "f": (0.0, -0.0, 1.0, 1.5, math.nan, math.inf, -math.inf, -2.5, 3.0),
    "b": (True, False),
}
_ERRORS = ("ValueError", "TypeError", "Exception", "(ValueError, TypeError)", "KeyError", "IndexError", "LookupError",
           "ZeroDivisionError", "AttributeError", "ArithmeticError", "(TypeError, AttributeError)", "OverflowError", "")  # fmt: skip
_NUMBERS = ("0", "1", "2", "3", "-1", "1.5", "0.0", "-0.0", "2.0", "True", "None", "10", "float('nan')")
_TEXTS = ("''", "'a'", "'3'", "'b'", "'1.5'", "'nan'", "'A'", "None", "'None'")
_OPTIONS = ("(1, 2)", "(1, 2.0, None)", "[0, True]", "{1, 'a'}", "('a', '3')", "['a', None]", "(None,)", "()", "'ab3'",
            "(float('nan'), 1)", "{'a': 1, '3': 2}", "(False, 'a')", "range(3)", "('', 0)")  # fmt: skip

HANDLED = 0.5
"""The share of functions that are one value and the handlers of its errors."""
VALUES = ("num", "bool", "bool", "text")
"""What such a value is."""
CHAINS: tuple[int, ...] = tuple(range(12))
READ_TEXTS = (0, 2, 2, 6, 8)
READ_NUMBERS = (0, 1, 2, 4, 7, 7, 8, 9, 9, 10, 11, 13, 14, 21, 23)
READ_TESTS = (0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 15, 19)
"""What the analysis reads most of: programs of these alone are seldom refused."""

_HANDLERS = (
    "ValueError",
    "TypeError",
    "ZeroDivisionError",
    "AttributeError",
    "OverflowError",
    "IndexError",
    "Exception",
)


class Writer:
    """Expressions over ``r`` and over the variables assigned so far."""

    def __init__(self, draw: Draw, env: dict[str, list[str]]) -> None:
        self.draw, self.env, self.fresh = draw, env, 0
        self.simple = draw.one((0.5, 0.9, 1.0))

    def leaf(self, kind: str) -> str:
        named = self.env.get(kind, [])
        if named and self.draw.chance(0.8):
            return self.draw.one(named)
        return self.draw.one({"num": _NUMBERS, "text": _TEXTS, "bool": ("True", "False", "None")}[kind])

    def of(self, kind: str, depth: int) -> str:
        return {"num": self.num, "text": self.text, "bool": self.condition}[kind](depth)

    def any(self, depth: int) -> str:
        return self.of(self.draw.one(("num", "num", "text", "bool")), depth)

    def sort(self, kind: str, depth: int) -> str:
        """Of a type, mostly."""
        found = self.of(kind, depth) if self.draw.chance(0.97) else self.any(depth)
        return f"({found})" if kind == "text" and found[0] in "-0123456789" else found

    def n(self, depth: int) -> str:
        return self.sort("num", depth)

    def t(self, depth: int) -> str:
        return self.sort("text", depth)

    def c(self, depth: int) -> str:
        return self.sort("bool", depth)

    def num(self, depth: int) -> str:
        d = depth - 1
        if depth <= 0 or self.draw.chance(0.25):
            return self.leaf("num")
        match self.draw.one(READ_NUMBERS) if self.draw.chance(self.simple) else self.draw.randrange(24):
            case 0 | 1:
                return f"({self.n(d)} {self.draw.one('+-*')} {self.n(d)})"
            case 2:
                return f"({self.n(d)} {self.draw.one(('/', '//', '%'))} {self.n(d)})"
            case 3:
                return f"abs({self.n(d)})"
            case 4:
                return f"(-{self.n(d)})"
            case 5:
                return f"round({self.n(d)})" if self.draw.chance(0.5) else f"round({self.n(d)}, 1)"
            case 6:
                return f"len({self.t(d)})"
            case 7 | 8:
                return f"int({self.draw.one((self.t, self.n))(d)})"
            case 9 | 10:
                return f"float({self.draw.one((self.t, self.n))(d)})"
            case 11:
                return f"{self.draw.one(('min', 'max'))}({self.n(d)}, {self.n(d)})"
            case 12:
                return f"({self.n(d)} if {self.c(d)} else {self.n(d)})"
            case 13:
                return f"({self.n(d)} or {self.n(d)})"
            case 14:
                return f"({self.n(d)} and {self.n(d)})"
            case 15:
                return f"({self.c(d)} + {self.n(d)})"
            case 16:
                return f"{self.t(d)}.find({self.leaf('text')})"
            case 17:
                return f"{{'a': 1, '3': None, 'b': 0}}.get({self.t(d)}{self.draw.one(('', ', 5', ', -1'))})"
            case 18:
                return f"{{'a': 1, '3': 2, None: 0}}[{self.t(d)}]"
            case 19:
                return f"(3, None, 1)[{self.n(d)}]"
            case 20:
                return f"sum([{self.n(d)}, {self.n(d)}])"
            case 21:
                return f"int({self.c(d)})"
            case 22:
                return f"given({self.n(d)})"
            case _:
                return f"number({self.t(d)})"

    def text(self, depth: int) -> str:
        d = depth - 1
        if depth <= 0 or self.draw.chance(0.35):
            return self.leaf("text")
        match self.draw.one(READ_TEXTS) if self.draw.chance(self.simple) else self.draw.randrange(14):
            case 0 | 1:
                return f"{self.t(d)}.{self.draw.one(('strip', 'lower', 'upper', 'title', 'lstrip'))}()"
            case 2:
                return f"{self.t(d)}[{self.draw.one(('0', '-1', '1', ':1', '1:', '-1:', ':-1', '::-1', ':2'))}]"
            case 3:
                inner = self.any(d)
                return f"str({inner})" if "f'" in inner else "f'{" + inner.replace("'", '"') + "}'"
            case 4:
                return f"str({self.any(d)})"
            case 5:
                return f"({self.t(d)} + {self.t(d)})"
            case 6:
                return f"({self.t(d)} or {self.t(d)})"
            case 7:
                return f"({self.t(d)} and {self.t(d)})"
            case 8:
                return f"({self.t(d)} if {self.c(d)} else {self.t(d)})"
            case 9:
                return f"{self.t(d)}.split(',')[{self.draw.one(('0', '1', '-1'))}]"
            case 10:
                return f"{self.t(d)}.replace({self.leaf('text')}, {self.leaf('text')})"
            case 11:
                return f"('%s' % {self.t(d)})"
            case 12:
                return f"'{{}}'.format({self.any(d)})"
            case _:
                return f"({self.t(d)} * {self.n(d)})"

    def condition(self, depth: int) -> str:
        d = depth - 1
        if depth <= 0 or self.draw.chance(0.05):
            return self.leaf("bool")
        match self.draw.one(READ_TESTS) if self.draw.chance(self.simple) else self.draw.randrange(20):
            case 0 | 1 | 2:
                return f"({self.n(d)} {self.comparison()} {self.n(d)})"
            case 3 | 4:
                return f"({self.t(d)} {self.comparison()} {self.t(d)})"
            case 5:
                return f"({self.n(d)} {self.comparison()} {self.n(d)} {self.comparison()} {self.n(d)})"
            case 6 | 7:
                return f"({self.any(d)} {self.draw.one(('in', 'not in'))} {self.draw.one(_OPTIONS)})"
            case 8:
                return f"({self.any(d)} in ({self.any(d)}, {self.any(d)}))"
            case 9 | 10:
                return (
                    f"({self.any(d)} {self.draw.one(('is None', 'is not None', '== None', 'is True', 'is not False'))})"
                )
            case 11 | 12:
                return f"({self.c(d)} {self.draw.one(('and', 'or'))} {self.c(d)})"
            case 13:
                return f"(not {self.any(d)})"
            case 14:
                return f"{self.t(d)}.{self.draw.one(('isdigit()', 'startswith(' + self.leaf('text') + ')', 'isalpha()', 'endswith(' + repr('b') + ')', 'isspace()', 'isnumeric()'))}"
            case 15:
                return f"bool({self.any(d)})"
            case 16:
                return f"isinstance({self.any(d)}, {self.draw.one(('int', 'str', 'float', 'bool', '(int, float)'))})"
            case 17:
                return f"(({self.any(d)}, {self.any(d)}) {self.comparison()} ({self.any(d)}, {self.any(d)}))"
            case 18:
                return f"{self.draw.one(('any', 'all'))}([{self.any(d)}, {self.any(d)}])"
            case _:
                return f"({self.any(d)} {self.draw.one(('==', '!='))} {self.any(d)})"

    def comparison(self) -> str:
        return self.draw.one(("==", "!=", "<", "<=", ">", ">="))

    # --- statements

    def assigned(self, depth: int, known: bool = False) -> str:
        """One assignment; ``known``: to a variable that has a value already."""
        kind = self.draw.one(("num", "num", "text", "bool"))
        value = self.of(kind, depth)
        held = [v for v in self.env.get(kind, []) if v.isidentifier() and v.startswith("v")]
        if held and (known or self.draw.chance(0.4)):
            name = self.draw.one(held)
            return f"{name} {'+=' if kind == 'num' and self.draw.chance(0.3) else '='} {value}"
        self.fresh += 1
        name = f"v{self.fresh}"
        self.env.setdefault(kind, []).append(name)
        return f"{name} = {value}"

    def block(self, depth: int, least: int = 1) -> list[str]:
        lines: list[str] = []
        for _ in range(least + self.draw.randrange(2)):
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        match self.draw.randrange(10 if depth > 0 else 3):
            case 0 | 1:
                return [self.assigned(1 + self.draw.randrange(2))]
            case 2:
                return [f"if {self.c(2)}:", f"    return {self.result()}"]
            case 3 | 4:
                lines = [f"if {self.c(2)}:", *_in(self.block(depth - 1))]
                if self.draw.chance(0.3):
                    lines += [f"elif {self.c(2)}:", *_in(self.block(depth - 1))]
                if self.draw.chance(0.6):
                    lines += ["else:", *_in(self.block(depth - 1))]
                return lines
            case 5:
                self.fresh += 1
                name = f"w{self.fresh}"
                self.env.setdefault("num", []).append(name)
                body = self.block(depth - 1)
                if self.draw.chance(0.5):
                    body += [f"if {self.c(2)}:", f"    {self.draw.one(('break', 'continue'))}"]
                return [f"for {name} in ({self.n(1)}, {self.n(1)}):", *_in(body)]
            case _:
                return self.guarded(depth)

    def guarded(self, depth: int) -> list[str]:
        before = {k: list(v) for k, v in self.env.items()}
        lines = ["try:", *_in(self.block(depth - 1))]
        inside = {k: list(v) for k, v in self.env.items()}
        if self.draw.chance(0.7):  # else what is assigned in the body may be unbound afterwards
            self.env = {k: list(v) for k, v in before.items()}
        handled = False
        for _ in range(1 + self.draw.chance(0.3)):
            error = self.draw.one(_ERRORS) if not handled else self.draw.one(_ERRORS[:-1])
            if error == "" and self.draw.chance(0.5):
                error = "Exception"
            lines.append(f"except {error}:" if error else "except:")
            lines += _in(
                self.draw.one(
                    ([f"return {self.result()}"], [f"return {self.result()}"], self.block(depth - 1), ["pass"])
                )
            )
            handled = True
            if not error:
                break
        if self.draw.chance(0.2):
            after, self.env = self.env, inside
            lines += ["else:", *_in(self.block(depth - 1))]
            self.env = after
        if self.draw.chance(0.15):
            lines += ["finally:", *_in([self.assigned(1)] if self.draw.chance(0.8) else self.block(0))]
        return lines

    def handled(self) -> list[str]:
        """One value, and handlers that tell its errors apart."""
        lines = ["try:"]
        for name in ("v1", "v2")[: 1 + self.draw.chance(0.2)]:
            value = self.of(self.draw.one(VALUES), 2 + self.draw.chance(0.3))
            lines.append(f"    {name} = {value}")
        for error in self.draw.sample(_HANDLERS, 1 + self.draw.randrange(3)):
            lines += [f"except {error}:", f"    return {self.kept()}"]
        if self.draw.chance(0.2):
            lines += ["else:", f"    return {self.kept()}"]
        return [*lines, f"return {self.draw.one((self.kept(), 'v1', 'not v1', self.kept()))}"]

    def kept(self) -> str:
        """Whether a row is kept, in few words."""
        texts, numbers = self.env["text"], self.env["num"]
        return self.draw.one(
            (
                "True",
                "False",
                f"{texts[-1]} == 'a'",
                f"{numbers[0]} is None",
                f"{texts[0]} is None",
                f"{texts[-1]} != 'a'",
            )
        )

    def result(self) -> str:
        return self.draw.one((self.c(2), "True", "False", self.c(1), self.any(2)))


def _in(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _row(draw: Draw, name: str) -> dict[str, list[str]]:
    """How a function reads its row."""
    column = [
        name + style.format(c=c, n=n)
        for n, c in enumerate("ksifb")
        for style in ((".{c}", "['{c}']", "[{n}]")[draw.randrange(3)],)
    ]
    k, s, i, f, b = column
    return {"num": [i, i, f, f, b], "text": [s, s, s, k], "bool": [b]}


def write(draw: Draw) -> Program:
    """A function of rows, and a chain that filters by what it returns."""
    helpers = [
        "def given(x, least=" + draw.one(_NUMBERS[:4]) + "):",
        *_in(draw.one((["return x + least"], ["if x is None:", "    return least", "return x"], ["return x if x else least"], ["return max(x, least)"]))),
        "", "",
        "def number(text):",
        "    try:",
        "        return " + draw.one(("int(text)", "float(text)", "int(text) + 1", "float(text.strip())", "len(text)", "int(text[0])")),
        "    except " + draw.one(_ERRORS[:5]) + ":",
        "        return " + draw.one(("None", "0", "-1", "float('nan')")),
        "", "",
    ]  # fmt: skip
    writer = Writer(draw, _row(draw, "r"))
    if draw.chance(HANDLED):
        body = writer.handled()
    else:
        body = writer.block(2, 1 + draw.randrange(2))
        body.append(f"return {writer.result()}")
    lines = [*helpers, "def f(r):", *_in(body), "", "", 't = spark.table("t")']
    last = Writer(draw, {"num": ["p[1]"], "text": ["p[0]"], "bool": ["p[2]"]})
    chain = draw.one(CHAINS)
    if chain == 0:
        lines.append("result = t.rdd.filter(f)")
    elif chain == 1:
        lines.append("result = t.rdd.filter(lambda r: not f(r))")
    elif chain in (2, 3):
        lines.append(f"result = t.rdd.map(lambda r: (r.k, f(r), r.b)).filter(lambda p: {last.c(2)})")
    elif chain == 4:
        lines.append(f"result = t.rdd.map(lambda r: (r.s, r.f, f(r))).filter(lambda p: {last.c(3)})")
    elif chain == 5:
        test = Writer(draw, {"num": ["p[1]"], "text": ["p[0]"], "bool": ["p[1]"]}).c(2)
        lines.append(f"result = t.rdd.keyBy(lambda r: r.s).mapValues(f).filter(lambda p: {test})")
    elif chain == 6:
        lines.append(
            f"result = t.rdd.flatMap(lambda r: [(r.s, r.i, r.b), (r.k, f(r), None)]).filter(lambda p: {last.c(2)})"
        )
    elif chain == 7:
        lines.append(
            f"result = t.rdd.flatMap(lambda r: [(r.s, r.i, r.b)] if f(r) else []).filter(lambda p: {last.c(2)})"
        )
    elif chain in (8, 9):
        fold = draw.one(
            (
                "groupByKey().mapValues(lambda vs: max(vs))", "groupByKey().mapValues(lambda vs: sum(1 for v in vs if v))",
                "groupByKey().mapValues(lambda vs: any(v for v in vs))", "reduceByKey(max)", "reduceByKey(lambda a, b: a or b)",
                "aggregateByKey(0, lambda a, v: a + (v == 1), lambda a, b: a + b)", "reduceByKey(lambda a, b: a + b)",
                "groupByKey().mapValues(lambda vs: all(v is not None for v in vs))", "groupByKey().mapValues(lambda vs: min(v or 0 for v in vs))",
                "aggregateByKey(None, lambda a, v: v if a is None or v > a else a, lambda a, b: max(a, b))",
                "groupByKey().mapValues(lambda vs: len(set(vs)))", "groupByKey().mapValues(len)",
            )
        )  # fmt: skip
        value = draw.one(("f(r)", "r.i", "r.f", "given(r.i)", "number(r.s)", "r.s", "r.b"))
        test = Writer(draw, {"num": ["p[1]"], "text": ["p[0]"], "bool": ["p[1]"]}).c(2)
        pre = draw.one(("", ".filter(f)"))
        lines.append(f"result = t.rdd{pre}.map(lambda r: (r.k, {value})).{fold}.filter(lambda p: {test})")
    elif chain == 10:
        reading = Writer(
            draw,
            {
                "num": ["d['i']", "d['f']", "d.get('i', 0)"],
                "text": ["d['s']", "d.get('k')"],
                "bool": ["d['b']", "d.get('z')"],
            },
        )
        lines.append(f"result = t.rdd.map(lambda r: r.asDict()).filter(lambda d: {reading.c(3)})")
    else:
        lines.append(f"result = t.rdd.filter(lambda r: {Writer(draw, _row(draw, 'r')).c(4)})")
    strict = draw.chance(0.3)
    pools = {c: v if strict else (*v, None, None) for c, v in _POOLS.items()}

    def row() -> tuple[Any, ...]:
        return tuple(draw.one(v) for v in pools.values())

    tables = [[row()] for _ in range(50)]
    if chain in (8, 9):
        tables = [[("a", *row()[1:]) for _ in range(1 + draw.randrange(3))] for _ in range(50)]
    ddl = STRICT if strict else DDL
    return Program(
        "elements", "\n".join(lines) + "\n", {"t": ddl}, (f"chain {chain}",), False, {"t": ddl},
        tuple({"t": rows} for rows in tables),
    )  # fmt: skip
