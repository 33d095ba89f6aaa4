"""Column expressions: closures over a row, with the type that Spark would give them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from . import scalars
from .scalars import SparkError

Row = Mapping[str, Any]
GROUP = "\0rows"
"""Where an aggregate finds the rows of its group."""
ROWS = "\0frame"
"""Where a window, or a function of whole columns, finds all rows of the frame."""


@dataclass(frozen=True)
class Field:
    """A column of a frame."""

    name: str
    type: str
    nullable: bool = True
    label: str = ""
    """What the frame is called that it is a column of."""

    @property
    def at(self) -> str:
        """Where rows hold it, though another column have its name."""
        return f"{self.label}.{self.name}" if self.label else self.name


Schema = tuple[Field, ...]


@dataclass(frozen=True)
class Typed:
    """An expression over a known schema."""

    type: str
    value: Callable[[Row], Any]
    label: str = ""
    """Of the frame, if it is one of its columns."""


@dataclass(frozen=True, eq=False)
class Column:
    """``resolve`` gives the meaning over a schema; ``name`` is what ``select`` calls it."""

    resolve: Callable[[Schema], Typed]
    name: str | None = None
    branches: tuple[tuple[Column, Column], ...] = ()

    def alias(self, name: str) -> Column:
        return Column(lambda schema: replace(self.resolve(schema), label=""), name)

    def __eq__(self, other: object) -> Column:  # type: ignore[override]
        return comparison("==", self, other)

    def __ne__(self, other: object) -> Column:  # type: ignore[override]
        return comparison("!=", self, other)

    def __lt__(self, other: object) -> Column:
        return comparison("<", self, other)

    def __le__(self, other: object) -> Column:
        return comparison("<=", self, other)

    def __gt__(self, other: object) -> Column:
        return comparison(">", self, other)

    def __ge__(self, other: object) -> Column:
        return comparison(">=", self, other)

    def __and__(self, other: object) -> Column:
        return pointwise(scalars.conjunction, "boolean", self, other)

    def __or__(self, other: object) -> Column:
        return pointwise(scalars.disjunction, "boolean", self, other)

    def __rand__(self, other: object) -> Column:
        return lit(other) & self

    def __ror__(self, other: object) -> Column:
        return lit(other) | self

    def __invert__(self) -> Column:
        return pointwise(lambda v: None if v is None else not v, "boolean", self)

    def __bool__(self) -> bool:
        raise SparkError("a Column has no truth value")

    def __neg__(self) -> Column:
        return arithmetic("-", lit(0), self)

    def __add__(self, other: object) -> Column:
        return arithmetic("+", self, other)

    def __radd__(self, other: object) -> Column:
        return arithmetic("+", other, self)

    def __sub__(self, other: object) -> Column:
        return arithmetic("-", self, other)

    def __rsub__(self, other: object) -> Column:
        return arithmetic("-", other, self)

    def __mul__(self, other: object) -> Column:
        return arithmetic("*", self, other)

    def __rmul__(self, other: object) -> Column:
        return arithmetic("*", other, self)

    def __truediv__(self, other: object) -> Column:
        return arithmetic("/", self, other)

    def __mod__(self, other: object) -> Column:
        return arithmetic("%", self, other)

    def isNull(self) -> Column:
        return pointwise(lambda v: v is None, "boolean", self)

    def isNotNull(self) -> Column:
        return pointwise(lambda v: v is not None, "boolean", self)

    def isNaN(self) -> Column:
        return pointwise(scalars.asked_for_nan, "boolean", self)

    def eqNullSafe(self, other: object) -> Column:
        return comparison("<=>", self, other)

    def between(self, low: object, high: object) -> Column:
        return (self >= low) & (self <= high)

    def isin(self, *options: Any) -> Column:
        given = options[0] if len(options) == 1 and isinstance(options[0], (list, tuple, set)) else options
        found = lit(False)
        for option in given:
            found = found | (self == option)
        return found

    def contains(self, other: object) -> Column:
        return text_test(lambda a, b: b in a, self, other)

    def startswith(self, other: object) -> Column:
        return text_test(str.startswith, self, other)

    def endswith(self, other: object) -> Column:
        return text_test(str.endswith, self, other)

    def rlike(self, pattern: str) -> Column:
        return pointwise(lambda v: None if v is None else re.search(pattern, v) is not None, "boolean", self)

    def cast(self, kind: Any) -> Column:
        return cast(self, kind if isinstance(kind, str) else kind.simpleString())

    def when(self, condition: Column, value: object) -> Column:
        return case((*self.branches, (condition, as_column(value))), lit(None))

    def otherwise(self, value: object) -> Column:
        return case(self.branches, as_column(value))

    def asc(self) -> Column:
        return _ordered(self)

    def asc_nulls_last(self) -> Column:
        return _ordered(self, False, False)

    def desc(self) -> Column:
        return _ordered(self, True)

    def desc_nulls_first(self) -> Column:
        return _ordered(self, True, True)

    def over(self, window: Any) -> Column:
        from .window import over

        return over(self, window)

    __hash__ = None  # type: ignore[assignment]


def _ordered(column: Column, descending: bool = False, nulls_first: bool | None = None) -> Column:
    from .order import Ordered

    return Ordered.of(column, descending, nulls_first)


def as_column(value: object) -> Column:
    """``value`` as PySpark takes it beside a Column."""
    return value if isinstance(value, Column) else lit(value)


def lit(value: Any) -> Column:
    """A constant."""
    if isinstance(value, Column):
        return value
    kinds = {bool: "boolean", int: "int", float: "double", str: "string", type(None): "void", dt.datetime: "timestamp"}
    kind = kinds.get(type(value), "date")
    if kind == "int" and not -(2**31) <= value < 2**31:
        kind = "bigint"
    return Column(lambda _: Typed(kind, lambda _: value), str(value))


def col(name: str) -> Column:
    """The column ``name``, which has no case. ``a.x``: the one of the frame that is called ``a``, or a field."""
    first, _, rest = name.lower().partition(".")

    def resolve(schema: Schema) -> Typed:
        found = [f for f in schema if f.name.lower() == name.lower()]
        found = found or [f for f in schema if f.label.lower() == first and f.name.lower() == rest]
        if rest and not found:
            return _field(col(first).resolve(schema), name.partition(".")[2])
        if len(found) != 1:
            raise SparkError(f"{'no' if not found else 'ambiguous'} column {name}")
        return own(found[0]).resolve(schema)

    return Column(resolve, name.rpartition(".")[2])


def own(field: Field) -> Column:
    """The column that ``field`` is, whatever others are called."""
    return Column(lambda _: Typed(field.type, lambda row: row[field.at], field.label), field.name)


def _field(of: Typed, path: str) -> Typed:
    name, _, rest = path.partition(".")
    if not of.type.startswith("struct<"):
        raise SparkError(f"no field {name} of {of.type}")
    kinds = dict(fields_of(of.type))
    if name not in kinds:
        raise SparkError(f"no field {name} of {of.type}")

    def value(row: Row) -> Any:
        held = of.value(row)
        return None if held is None else held[name]

    found = Typed(kinds[name], value)
    return _field(found, rest) if rest else found


def fields_of(kind: str) -> list[tuple[str, str]]:
    """Names and types of the fields of ``struct<…>``."""
    parts, depth = [""], 0
    for c in kind[len("struct<") : -1]:
        depth += {"<": 1, ">": -1}.get(c, 0)
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [(n, t) for n, _, t in (p.partition(":") for p in parts)]


def pointwise(function: Callable[..., Any], kind: str, *operands: object) -> Column:
    """``function`` of the operands' values."""
    columns = tuple(map(as_column, operands))

    def resolve(schema: Schema) -> Typed:
        values = tuple(c.resolve(schema).value for c in columns)
        return Typed(kind, lambda row: function(*(v(row) for v in values)))

    return Column(resolve)


def comparison(op: str, left: object, right: object) -> Column:
    """``left op right``, where the types have an order in common."""
    a, b = as_column(left), as_column(right)

    def resolve(schema: Schema) -> Typed:
        x, y = a.resolve(schema), b.resolve(schema)
        families = {_family(x.type), _family(y.type)} - {"void"}
        found = scalars.same if op == "<=>" else partial(scalars.compare, op)
        if "string" in families and families & {"date", "timestamp"}:
            kind = "timestamp" if "timestamp" in families else "date"
            return Typed(
                "boolean", lambda row: found(scalars.moment(x.value(row), kind), scalars.moment(y.value(row), kind))
            )
        if families == {"date", "timestamp"}:
            return Typed(
                "boolean",
                lambda row: found(scalars.moment(x.value(row), "timestamp"), scalars.moment(y.value(row), "timestamp")),
            )
        if len(families) > 1:
            raise SparkError(f"compares {x.type} with {y.type}")
        return Typed("boolean", lambda row: found(x.value(row), y.value(row)))

    return Column(resolve)


def _family(kind: str) -> str:
    return "number" if kind in ("int", "bigint", "double") else kind


def arithmetic(op: str, left: object, right: object) -> Column:
    """``left op right`` in the wider of the two types."""
    a, b = as_column(left), as_column(right)

    def resolve(schema: Schema) -> Typed:
        x, y = a.resolve(schema), b.resolve(schema)
        if not {x.type, y.type} <= {"int", "bigint", "double", "void"}:
            raise SparkError(f"arithmetic on {x.type} and {y.type}")
        wide = "double" if "double" in (x.type, y.type) or op == "/" else max(x.type, y.type, key="int bigint".find)
        return Typed(wide, lambda row: scalars.arithmetic(op, x.value(row), y.value(row), wide))

    return Column(resolve)


def text_test(test: Callable[[str, str], bool], text: object, needle: object) -> Column:
    """A test of one string with another."""
    return pointwise(lambda a, b: None if a is None or b is None else test(a, b), "boolean", text, needle)


def cast(column: Column, kind: str) -> Column:
    """Casts between numbers, from numbers to text, and back."""
    name = {"long": "bigint", "integer": "int"}.get(kind.lower(), kind.lower())

    def resolve(schema: Schema) -> Typed:
        inner = column.resolve(schema)

        def value(row: Row) -> Any:
            v = inner.value(row)
            if v is None or inner.type == name:
                return v
            if name == "double" and inner.type in ("int", "bigint"):
                return float(v)
            if name in scalars.WIDTH and inner.type in ("int", "bigint"):
                return scalars.checked(v, name)
            if name == "double" and inner.type == "string":
                return float(v)
            if name in scalars.WIDTH and inner.type == "string":
                if re.fullmatch(r"\s*[+-]?\d+\s*", v) is None:
                    raise SparkError("CAST_INVALID_INPUT")
                return scalars.checked(int(v), name)
            if name == "date" and inner.type == "timestamp":
                return v.date()
            if name in ("date", "timestamp") and inner.type in ("string", "date"):
                return scalars.moment(v, name)
            if name == "string":
                return scalars.printed(v)
            if name in scalars.WIDTH and inner.type == "boolean":
                return int(v)
            raise SparkError(f"cast of {inner.type} to {name} is not known here")

        return Typed(name, value)

    return Column(resolve, column.name)


def case(branches: tuple[tuple[Column, Column], ...], otherwise: Column) -> Column:
    """``CASE WHEN``."""

    def resolve(schema: Schema) -> Typed:
        pairs = [(c.resolve(schema), v.resolve(schema)) for c, v in branches]
        last = otherwise.resolve(schema)
        kinds = {t.type for t in (*(v for _, v in pairs), last)} - {"void"}
        kind = "double" if "double" in kinds else "bigint" if "bigint" in kinds else next(iter(kinds), "void")

        def value(row: Row) -> Any:
            found = next((v.value(row) for c, v in pairs if c.value(row) is True), ...)
            found = last.value(row) if found is ... else found
            return float(found) if kind == "double" and isinstance(found, int) else found

        return Typed(kind, value)

    return Column(resolve, None, branches)
