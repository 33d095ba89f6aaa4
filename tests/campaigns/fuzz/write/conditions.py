"""Filter conditions over named columns, spelled as Columns, as SQL text or as Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from .pen import Pen

CONSTANTS: dict[str, tuple[Any, ...]] = {
    "double": (1.0, 0.0, 2.5, 90.0, -1.0, 2.0),
    "bigint": (1, 0, 2, 90, -1, 3),
    "int": (1, 0, 2, 90, -1, 3),
    "string": ("a", "b", "", "ab"),
    "boolean": (True, False),
    "date": ("2024-01-01", "2023-12-31", "2025-06-01"),
    "timestamp": ("2024-01-01 00:00:00", "2023-12-31 23:59:59", "2025-06-01 12:00:00"),
}


@dataclass(frozen=True)
class Test:
    """``column op constant``; ``op`` may also be ``null``, ``present``, ``true``, ``in``, ``between``, ``same`` or
    ``nan``."""

    column: str
    op: str
    values: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Variable:
    """A constant that a variable holds."""

    name: str

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Both:
    """``a AND b``, or ``a OR b``."""

    word: str
    left: Condition
    right: Condition


@dataclass(frozen=True)
class Negated:
    """``NOT a``."""

    inner: Condition


@dataclass(frozen=True)
class Against:
    """``left op right`` of two columns."""

    left: str
    op: str
    right: str


Condition = Union[Test, Both, Negated, Against]
_OPS = (">=", ">", "==", "<", "<=", "!=")
_FLIPPED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class Output:
    """A column that a filter may ask for. ``likely``: comparisons under which a pre-filter is likely."""

    name: str
    type: str
    likely: tuple[Test, ...] = ()


def condition(pen: Pen, outputs: Sequence[Output], depth: int = 2) -> Condition:
    """A condition over ``outputs``."""
    if depth and pen.chance(35):
        kind = pen.one("AND", "AND", "OR", "NOT")
        if kind == "NOT":
            return Negated(condition(pen, outputs, depth - 1))
        left = condition(pen, outputs, depth - 1)
        others = [o for o in outputs if not isinstance(left, Test) or o.name != left.column]
        return Both(kind, left, condition(pen, others if others and pen.chance(80) else outputs, depth - 1))
    out = pen.of(outputs)
    if out.likely and pen.chance(70):
        return pen.of(out.likely)
    if pen.chance(6):
        twins = [o for o in outputs if o.name != out.name and o.type == out.type != "double" and out.type in CONSTANTS]
        if twins:
            return Against(out.name, pen.of(_OPS), pen.of(twins).name)
    return random_test(pen, out)


def random_test(pen: Pen, out: Output) -> Test:
    """Any test of one column."""
    if out.type.startswith("array"):
        return Test(out.name, pen.one("null", "present"))
    constants = CONSTANTS[out.type]
    if out.type == "boolean":
        op = pen.one("true", "==", "null", "present", "same", "!=")
        return Test(out.name, op, (pen.of(constants),) if op in ("==", "same", "!=") else ())
    op = pen.one(*_OPS, *_OPS, "null", "present", "in", "between", "same", "nan")
    if op == "nan" and out.type != "double":
        op = "present"
    if op in ("null", "present", "nan"):
        return Test(out.name, op)
    if op in ("in", "between"):
        pair = (pen.of(constants), pen.of(constants))
        return Test(out.name, op, tuple(sorted(pair)) if op == "between" else pair)
    return Test(out.name, op, (pen.of(constants),))


def hoisted(c: Condition, name: str) -> tuple[Condition, Any]:
    """``c`` with its first number in the variable ``name``, and the number; None if it has none."""
    match c:
        case Test(column, op, (value, *rest)) if isinstance(value, (int, float)) and not isinstance(value, bool):
            return Test(column, op, (Variable(name), *rest)), value
        case Both(word, left, right):
            new, value = hoisted(left, name)
            return Both(word, new, right), value
        case Negated(inner):
            new, value = hoisted(inner, name)
            return Negated(new), value
    return c, None


# --- spellings


@dataclass(frozen=True)
class Style:
    """How columns are spelled: ``F.col``, ``col``, ``df.x`` or ``df["x"]``."""

    functions: str
    owner: str | None = None
    subscript: bool = False

    def name(self, name: str) -> str:
        if self.owner is not None:
            return f'{self.owner}["{name}"]' if self.subscript else f"{self.owner}.{name}"
        return f'{self.functions}col("{name}")'


def as_column(pen: Pen, c: Condition, style: Style) -> str:
    """``c`` as a Column."""
    match c:
        case Both(word, left, right):
            sign = "&" if word == "AND" else "|"
            return f"({as_column(pen, left, style)}) {sign} ({as_column(pen, right, style)})"
        case Negated(inner):
            return f"~({as_column(pen, inner, style)})"
        case Against(left, op, right):
            return f"{style.name(left)} {op} {style.name(right)}"
        case Test(name, op, values):
            x = style.name(name)
            match op:
                case "null":
                    return pen.spell(f"{x}.isNull()", f"F.isnull({x})")
                case "present":
                    return f"{x}.isNotNull()"
                case "nan":
                    return f"F.isnan({x})"
                case "true":
                    return x
                case "in":
                    return f"{x}.isin({values[0]!r}, {values[1]!r})"
                case "between":
                    return f"{x}.between({values[0]!r}, {values[1]!r})"
                case "same":
                    return f"{x}.eqNullSafe({values[0]!r})"
            if pen.often(8):
                return f"{values[0]!r} {_FLIPPED[op]} {x}"
            return f"{x} {op} {values[0]!r}"


def as_sql(pen: Pen, c: Condition) -> str:
    """``c`` as SQL text."""
    match c:
        case Both(word, left, right):
            return f"({as_sql(pen, left)}) {word} ({as_sql(pen, right)})"
        case Negated(inner):
            return f"NOT ({as_sql(pen, inner)})"
        case Against(left, op, right):
            return f"{left} {_SQL.get(op, op)} {right}"
        case Test(name, op, values):
            texts = [_sql(v) for v in values]
            match op:
                case "null":
                    return f"{name} IS NULL"
                case "present":
                    return f"{name} IS NOT NULL"
                case "nan":
                    return f"isnan({name})"
                case "true":
                    return name
                case "in":
                    return f"{name} {pen.one('IN', 'IN', 'NOT IN')} ({', '.join(texts)})"
                case "between":
                    return f"{name} BETWEEN {' AND '.join(texts)}"
                case "same":
                    return f"{name} <=> {texts[0]}"
            return f"{name} {_SQL.get(op, op)} {texts[0]}"


_SQL = {"==": "=", "!=": "<>"}


def _sql(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}'" if isinstance(value, str) else repr(value)


def as_python(pen: Pen, c: Condition, names: Mapping[str, str], guard: int) -> str:
    """``c`` as a Python expression; ``guard``: how often, in percent, a comparison is guarded against None."""
    match c:
        case Both(word, left, right):
            return f"({as_python(pen, left, names, guard)}) {word.lower()} ({as_python(pen, right, names, guard)})"
        case Negated(inner):
            return f"not ({as_python(pen, inner, names, guard)})"
        case Against(left, op, right):
            return f"{names[left]} {op} {names[right]}"
        case Test(name, op, values):
            x = names[name]
            match op:
                case "null":
                    return f"{x} is None"
                case "present":
                    return f"{x} is not None"
                case "nan":
                    return f"{x} != {x}"
                case "true":
                    return x
                case "in":
                    return f"{x} in ({values[0]!r}, {values[1]!r})"
                case "same":
                    return f"{x} == {values[0]!r}"
            body = f"{values[0]!r} <= {x} <= {values[1]!r}" if op == "between" else f"{x} {op} {values[0]!r}"
            return f"{x} is not None and {body}" if pen.chance(guard) else body
