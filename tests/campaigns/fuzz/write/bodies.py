"""Loops over the rows of a group: accumulators and the guards around them, whatever the API calls a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from .conditions import CONSTANTS, Output, Test, Variable
from .pen import Pen
from .tables import Source

Missing = Literal["None", "NaN"]
"""What the API shows for a NULL number."""


@dataclass
class Loop:
    """Where a loop stands. ``read``: how a column of the row is spelled; ``var``: how a variable is; ``skip``: the
    statement that leaves the row; ``known``: columns that are not missing here."""

    pen: Pen
    source: Source
    read: Callable[[str], str]
    missing: Missing = "None"
    skip: str = "continue"
    prefix: str = ""
    known: set[str] = field(default_factory=set)
    columns: tuple[str, ...] = ()
    taken: int = 0

    def var(self, base: str) -> str:
        """A new variable."""
        self.taken += 1
        return f"{self.prefix}{base}{self.taken if self.taken > 1 else ''}"

    def of(self, *kinds: str) -> list[str]:
        """Columns of these types that the loop may read."""
        return [c for c in self.columns if self.source.types[c] in kinds]

    @property
    def numbers(self) -> list[str]:
        return self.of("double", "bigint", "int")


@dataclass(frozen=True)
class Part:
    """An accumulator: lines before the loop, in it, after it; and what it yields: (variable text, output)."""

    before: list[str]
    inside: list[str]
    outputs: list[tuple[str, Output]]
    after: list[str] = field(default_factory=list)


def indented(lines: list[str], by: str = "    ") -> list[str]:
    """``lines``, further in."""
    return [by + line for line in lines]


def guard(loop: Loop) -> list[str]:
    """Statements at the head of the loop, after which some columns are known."""
    pen, lines = loop.pen, []
    for column in loop.columns:
        if column in loop.known or not pen.chance(55):
            continue
        x = loop.read(column)
        number = loop.source.types[column] in ("double", "bigint", "int")
        if loop.missing == "NaN" and number:
            test = pen.spell(f"pd.isna({x})", f"{x} != {x}", f"pd.isnull({x})")
        elif loop.source.types[column] == "double" and pen.chance(30):
            test = f"{x} is None or {x} != {x}"
        else:
            test = f"{x} is None"
        lines += [f"if {test}:", f"    {loop.skip}"]
        loop.known.add(column)
    if pen.chance(15):
        test = row_test(loop)
        lines += [f"if {pen.one('not ', '')}({test}):", f"    {loop.skip}"]
    return lines


def row_test(loop: Loop, depth: int = 1) -> str:
    """A condition on the row."""
    pen = loop.pen
    if depth and pen.chance(25):
        return f"({row_test(loop, 0)}) {pen.one('and', 'or')} ({row_test(loop, 0)})"
    column = pen.of(loop.columns)
    x, kind = loop.read(column), loop.source.types[column]
    if kind == "boolean":
        return pen.one(x, x, f"not {x}", f"{x} is True")
    if kind == "string":
        texts = pen.one(f'{x} == "a"', f'{x} == "b"', f'{x} in ("a", "b")', f'{x} != "a"', f'{x} == ""')
        return texts
    if pen.chance(4):
        return f"is_big({x})"
    c = Variable("LIMIT") if pen.chance(6) else pen.of(CONSTANTS[kind])
    op = pen.one(">=", ">", "<", "==", "<=", "!=")
    body = f"{c!r} <= {x} < {pen.of(CONSTANTS[kind])!r}" if pen.chance(10) else f"{x} {op} {c!r}"
    if column in loop.known or (loop.missing == "NaN" and not pen.chance(15)) or pen.chance(12):
        return body
    return f"pd.notna({x}) and {body}" if loop.missing == "NaN" else f"{x} is not None and {body}"


def _when(loop: Loop, lines: list[str], percent: int) -> list[str]:
    """``lines``, perhaps under a condition on the row."""
    return [f"if {row_test(loop)}:", *indented(lines)] if loop.pen.chance(percent) else lines


def _present(loop: Loop, column: str, lines: list[str]) -> list[str]:
    """``lines`` where the column is there; sometimes the guard is forgotten."""
    x = loop.read(column)
    if column in loop.known or loop.missing == "NaN" or loop.pen.chance(12):
        return lines
    return [f"if {x} is not None:", *indented(lines)]


def _likely(pen: Pen, name: str, kind: str, ops: tuple[str, ...]) -> tuple[Test, ...]:
    return tuple(Test(name, pen.of(ops), (pen.of(CONSTANTS[kind]),)) for _ in range(2))


def best(loop: Loop, name: str) -> Part:
    """The largest or smallest value, from nothing or from a constant, perhaps with what came with it."""
    pen, column = loop.pen, loop.pen.of(loop.numbers)
    x, kind, v = loop.read(column), loop.source.types[column], loop.var("best")
    up = not pen.chance(35)
    op = pen.one(">", ">", ">=") if up else pen.one("<", "<", "<=")
    word = "max" if up else "min"
    companion = [c for c in loop.of("string", "boolean", "bigint", "int") if c != column]
    sets, outputs = (
        [f"{v} = {x}"],
        [(v, Output(name, kind, _likely(pen, name, kind, (">=", ">") if up else ("<=", "<"))))],
    )
    before = []
    if companion and pen.chance(20):
        who = loop.var("who")
        other = pen.of(companion)
        sets.append(f"{who} = {loop.read(other)}")
        before.append(f"{who} = None")
        outputs.append((who, Output(f"{name}_at", loop.source.types[other])))
    if pen.chance(60):
        before.append(f"{v} = None")
        step = [f"if {v} is None or {x} {op} {v}:", *indented(sets)]
    else:
        start = (
            pen.one("0", "-1", "0.0", 'float("-inf")', "90", "1") if up else pen.one('float("inf")', "90", "0", "100.0")
        )
        before.append(f"{v} = {start}")
        plain = len(sets) == 1 and pen.chance(40)
        step = [f"{v} = {word}({v}, {x})"] if plain else [f"if {x} {op} {v}:", *indented(sets)]
    return Part(before, _present(loop, column, _when(loop, step, 25)), outputs)


def counter(loop: Loop, name: str) -> Part:
    """How many rows, perhaps capped, perhaps reset."""
    pen, v = loop.pen, loop.var("count")
    step = [f"{v} = min({v} + 1, 3)"] if pen.chance(20) else pen.spell([f"{v} += 1"], [f"{v} = {v} + 1"])
    step = _when(loop, step, 85)
    if pen.chance(8):
        step += _when(loop, [f"{v} = 0"], 100)
    likely = tuple(Test(name, *t) for t in ((">=", (2,)), (">", (0,)), (">=", (1,)), ("==", (2,)), (">", (1,))))
    return Part([f"{v} = {pen.one('0', '0', '0', '1', '-1')}"], step, [(v, Output(name, "bigint", likely))])


def total(loop: Loop, name: str) -> Part:
    """A sum."""
    pen, column = loop.pen, loop.pen.of(loop.numbers)
    v, kind = loop.var("total"), loop.source.types[column]
    step = _present(loop, column, _when(loop, [f"{v} {pen.one('+=', '+=', '-=')} {loop.read(column)}"], 75))
    wide = "double" if kind == "double" else "bigint"
    start = "0.0" if kind == "double" else "0"
    return Part(
        [f"{v} = {pen.one(start, start, '0', '1')}"],
        step,
        [(v, Output(name, wide, _likely(pen, name, wide, (">", ">="))))],
    )


def flag(loop: Loop, name: str) -> Part:
    """Whether some row, or every row, is such and such."""
    pen, v = loop.pen, loop.var("seen")
    if pen.chance(20):
        before, step = [f"{v} = True"], [f"if {row_test(loop)}:", f"    {v} = False"]
    elif pen.chance(25):
        before, step = [f"{v} = False"], [f"{v} = {v} or ({row_test(loop)})"]
    else:
        before, step = [f"{v} = {pen.one('False', 'False', 'None')}"], [f"if {row_test(loop)}:", f"    {v} = True"]
    return Part(before, step, [(v, Output(name, "boolean", (Test(name, "true"), Test(name, "==", (True,)))))])


def stages(loop: Loop, name: str) -> Part:
    """One event after another: depends on the order of the rows."""
    pen, a, b = loop.pen, loop.var("opened"), loop.var("closed")
    step = [
        f"if {row_test(loop)}:",
        f"    {a} = True",
        f"elif {row_test(loop)}{pen.one(f' and {a}', '')}:",
        f"    {b} = True",
    ]
    outputs = [(b, Output(f"{name}_closed", "boolean", (Test(f"{name}_closed", "true"),)))]
    if pen.chance(50):
        outputs.append((a, Output(f"{name}_opened", "boolean", (Test(f"{name}_opened", "true"),))))
    return Part([f"{a} = False", f"{b} = False"], step, outputs)


def top_two(loop: Loop, name: str) -> Part:
    """The two best values."""
    pen, column = loop.pen, loop.pen.of(loop.numbers)
    x, kind, first, second = loop.read(column), loop.source.types[column], loop.var("first"), loop.var("second")
    op = pen.one(">", ">", ">", ">=", "<")
    step = [
        f"if {first} is None or {x} {op} {first}:", f"    {second} = {first}", f"    {first} = {x}",
        f"elif {second} is None or {x} {pen.one(op, op, '>')} {second}:", f"    {second} = {x}",
    ]  # fmt: skip
    if pen.chance(10):
        step[1:3] = [f"    {first} = {x}", f"    {second} = {first}"]
    c = pen.of(CONSTANTS[kind])
    sign = "<=" if op == "<" else ">="
    likely = (Test(f"{name}_2", sign, (c,)), Test(f"{name}_2", sign, (c,)), Test(f"{name}_2", "present"))
    outputs = [
        (first, Output(f"{name}_1", kind, (Test(f"{name}_1", sign, (c,)),))),
        (second, Output(f"{name}_2", kind, likely)),
    ]
    return Part([f"{first} = None", f"{second} = None"], _present(loop, column, step), outputs)


def latest(loop: Loop, name: str) -> Part:
    """The last (or first) row that counts."""
    pen, column, v = loop.pen, loop.pen.of(loop.columns), loop.var("last")
    x, kind = loop.read(column), loop.source.types[column]
    step = [f"{v} = {x}"] if pen.chance(70) else [f"if {v} is None:", f"    {v} = {x}"]
    return Part([f"{v} = None"], _when(loop, step, 60), [(v, Output(name, kind))])


def collection(loop: Loop, name: str) -> Part:
    """A list or a set that is added to, and reduced at the end."""
    pen, column = loop.pen, loop.pen.of(loop.columns)
    x, kind, v = loop.read(column), loop.source.types[column], loop.var("found")
    some = tuple(Test(name, *t) for t in ((">=", (2,)), (">", (0,)), (">=", (1,))))
    if kind in ("string", "boolean") or pen.chance(25):
        step = _when(loop, [f"{v}.add({x})"], 70)
        if kind == "string" and pen.chance(50):
            return Part([f"{v} = set()"], step, [(f'"a" in {v}', Output(name, "boolean", (Test(name, "true"),)))])
        return Part([f"{v} = set()"], step, [(f"len({v})", Output(name, "bigint", some))])
    step = _present(loop, column, _when(loop, [f"{v}.append({x})"], 70))
    if pen.chance(40):
        return Part([f"{v} = []"], step, [(f"len({v})", Output(name, "bigint", some))])
    word = pen.one("max", "max", "min")
    text = pen.one(
        f"{word}({v}, default=None)", f"{word}({v}) if {v} else None", f"{word}({v}, default=0)", f"{word}({v})"
    )
    return Part([f"{v} = []"], step, [(text, Output(name, kind, _likely(pen, name, kind, (">=", ">", "<="))))])


def sorted_list(loop: Loop, name: str) -> Part:
    """The two best, in a list that is kept short."""
    pen, column = loop.pen, loop.pen.of(loop.numbers)
    x, kind, v = loop.read(column), loop.source.types[column], loop.var("top")
    reverse = pen.one("True", "True", "False")
    step = pen.one(
        [f"{v}.append({x})", f"{v}.sort(reverse={reverse})", f"{v} = {v}[:2]"],
        [f"{v} = sorted({v} + [{x}], reverse={reverse})[:2]"],
    )
    c = pen.of(CONSTANTS[kind])
    sign = ">=" if reverse == "True" else "<="
    some = f" if {v} else None"
    first, second = (Output(f"{name}_{i}", kind, (Test(f"{name}_{i}", sign, (c,)),)) for i in (1, 2))
    outputs = [(f"{v}[0]{pen.one(some, some, '')}", first), (f"{v}[1] if len({v}) > 1 else None", second)]
    return Part([f"{v} = []"], _present(loop, column, step), outputs)


PARTS: tuple[tuple[int, Callable[[Loop, str], Part], bool], ...] = (
    (6, best, True), (4, counter, False), (2, total, True), (3, flag, False), (2, stages, False), (2, top_two, True),
    (2, latest, False), (2, collection, False), (1, sorted_list, True),
)  # fmt: skip
"""Weight, accumulator, whether it needs a number."""


def parts(loop: Loop, names: tuple[str, ...] = ("best", "m", "v", "x")) -> list[Part]:
    """One to three accumulators."""
    kinds = [f for weight, f, number in PARTS if loop.numbers or not number for _ in range(weight)]
    wanted = loop.pen.one(1, 1, 1, 2, 2, 3)
    first = loop.pen.one(*names)
    labels = [first, *(n for n in ("p", "q", "w") if n != first)]
    return [loop.pen.of(kinds)(loop, labels[i]) for i in range(wanted)]
