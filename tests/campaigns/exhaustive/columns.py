"""Spark's ``Column`` over rows that are dicts: a second opinion on what conditions mean.

Nothing of the product is imported: SQL's three-valued logic is written anew here, and held to Spark by ``test_spark``.
A value is None (NULL), a bool, an int, a float or a list; an aggregate is a column over the list of a group's rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

Row = dict[str, Any]
Rows = list[Row]
Value = Any


class QueryError(Exception):
    """Spark would raise while it runs the query."""


class Column:
    """An expression. ``text`` is its identity and its default name; ``of`` evaluates it on a row, or, if ``grouped``,
    on the rows of a group (``pandas``: by a function that is not called on no rows)."""

    def __init__(self, text: str, of: Callable[[Any], Value], name: str | None = None, grouped: bool = False) -> None:
        self.text, self.of, self.name, self.grouped = text, of, name or text, grouped
        self.pandas = False

    def _with(self, op: str, other: object, function: Callable[[Value, Value], Value]) -> Column:
        a, b = self, literal(other)
        text, grouped = f"({a.text} {op} {b.text})", a.grouped or b.grouped
        return Column(text, lambda at: function(a.of(at), b.of(at)), grouped=grouped)

    def mapped(self, text: str, function: Callable[[Value], Value]) -> Column:
        """``function`` of the value."""
        return Column(f"({self.text}) {text}", lambda at: function(self.of(at)), grouped=self.grouped)

    def __eq__(self, other: object) -> Column:  # type: ignore[override]
        return self._with("=", other, unless_null(lambda a, b: a == b))

    def __ne__(self, other: object) -> Column:  # type: ignore[override]
        return self._with("<>", other, unless_null(lambda a, b: a != b))

    def __lt__(self, other: object) -> Column:
        return self._with("<", other, unless_null(lambda a, b: a < b))

    def __le__(self, other: object) -> Column:
        return self._with("<=", other, unless_null(lambda a, b: a <= b))

    def __gt__(self, other: object) -> Column:
        return self._with(">", other, unless_null(lambda a, b: a > b))

    def __ge__(self, other: object) -> Column:
        return self._with(">=", other, unless_null(lambda a, b: a >= b))

    def __add__(self, other: object) -> Column:
        return self._with("+", other, unless_null(lambda a, b: a + b))

    def __sub__(self, other: object) -> Column:
        return self._with("-", other, unless_null(lambda a, b: a - b))

    def __mul__(self, other: object) -> Column:
        return self._with("*", other, unless_null(lambda a, b: a * b))

    def __truediv__(self, other: object) -> Column:
        return self._with("/", other, unless_null(_divided))

    def __neg__(self) -> Column:
        return self.mapped("negated", lambda a: None if a is None else -a)

    def __invert__(self) -> Column:
        return self.mapped("not", lambda a: None if a is None else not a)

    def __and__(self, other: object) -> Column:
        return self._with("and", other, _and)

    def __or__(self, other: object) -> Column:
        return self._with("or", other, _or)

    def __bool__(self) -> bool:
        raise TypeError("a Column has no truth")

    __hash__ = None  # type: ignore[assignment]

    def eqNullSafe(self, other: object) -> Column:
        return self._with("<=>", other, lambda a, b: a is b if a is None or b is None else a == b)

    def isNull(self) -> Column:
        return self.mapped("is null", lambda a: a is None)

    def isNotNull(self) -> Column:
        return self.mapped("is not null", lambda a: a is not None)

    def isin(self, *options: object) -> Column:
        return reduce(lambda a, b: a | b, [self == o for o in options])

    def between(self, low: object, high: object) -> Column:
        return (self >= low) & (self <= high)

    def alias(self, name: str) -> Column:
        made = Column(self.text, self.of, name, self.grouped)
        made.pandas = self.pandas
        return made

    def over(self, window: Window) -> Windowed:
        return Windowed(self, window)


def literal(value: object) -> Column:
    """``F.lit``, which leaves a Column alone."""
    return value if isinstance(value, Column) else Column(repr(value), lambda _: value)


def unless_null(function: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    """``function``, but NULL where an operand is."""
    return lambda a, b: None if a is None or b is None else function(a, b)


def _divided(a: float, b: float) -> float:
    if b == 0:
        raise QueryError("DIVIDE_BY_ZERO")
    return a / b


def _and(a: Value, b: Value) -> Value:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _or(a: Value, b: Value) -> Value:
    if a is True or b is True:
        return True
    return None if a is None or b is None else False


class Window:
    """``Window.partitionBy(…).orderBy(…)``; NULLs come first."""

    def __init__(self, keys: tuple[str, ...] = (), order: tuple[str, ...] = ()) -> None:
        self.keys, self.order = keys, order

    @staticmethod
    def partitionBy(*keys: str) -> Window:
        return Window(keys)

    def orderBy(self, *order: str) -> Window:
        return Window(self.keys, order)


class Windowed:
    """``row_number()``, or an aggregate of the whole partition, over a window."""

    def __init__(self, column: Column, window: Window) -> None:
        self.column, self.window = column, window
        self.text = f"{column.text} over {window.keys} {window.order}"
