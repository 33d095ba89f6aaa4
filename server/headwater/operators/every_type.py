"""Conditions on columns whose types are not known, as conditions on numbers that hold for every type.

Law: Spark converts the two sides of a comparison to a type that depends on both. So a value ``e`` of unknown type that
is compared with whole numbers, with texts and with another column is converted in three ways, and nothing is known of
how the results relate. Each pair of a value and a *kind* of partner becomes a column of its own, of a totally ordered
type with NULL and NaN. Numbers keep their order in each such type. Nothing is known of what a text is converted to, so
each text is a column too: ``x >= '9'`` contradicts ``x < '9'`` for every type, and ``x >= '9'`` says nothing about
``x <= '10'``, which no text satisfies with it, and the number 9.5 does.
Condition: none; what is proved of the columns made here holds for every type under which Spark analyses the conditions.
Whole numbers beyond 32 bits, fractions in SQL (decimals) and fractions in Python (doubles) are kinds of their own:
without ANSI mode a text is cast to the type of the literal, and a decimal is rounded beside a double. A list of
options is converted as a whole, and not as a comparison with each of them is.
Counterexample without the kinds: ``x > 5`` and ``x <= 5.0`` are both TRUE of the decimal 5.00000000000000000001.
Reference: ``TypeCoercion``, ``AnsiTypeCoercion``, ``DecimalPrecision`` of Spark; tests/mdtest/traps/traps_types.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from headwater_ir.expr import (
    And,
    Col,
    Compare,
    Expr,
    If,
    In,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Not,
    Or,
    Same,
    StringTest,
    columns_of,
    params_of,
)
from headwater_ir.types import BOOL, INT, NULL, NUMBER, STRING, Type

_NOT_KNOWN = ("any", "number", "decimal", "opaque")
"""Types of columns that Spark may convert in more than one way; a decimal, according to its digits."""
_CONDITIONS = (And, Or, Not, Compare, Same, In, IsNull, IsNaN, IsTrue, StringTest)
_BOTH_WAYS = ("==", "!=")


class NoMeaning(Exception):
    """A condition that cannot be written for every type."""


@dataclass
class EveryType:
    """``types``: the columns of the conditions. ``columns`` and ``facts`` are what the conditions made so far need."""

    types: Mapping[str, Type]
    columns: dict[str, Type] = field(default_factory=dict)
    _copies: dict[str, set[str]] = field(default_factory=dict)

    @property
    def facts(self) -> tuple[Expr, ...]:
        """A conversion of NULL is NULL; one of another value may be, without ANSI mode."""
        links = [(_name(e, "itself"), c) for e, found in self._copies.items() for c in sorted(found)]
        return tuple(
            Or((Not(IsNull(Col(own))), IsNull(Col(copy)))) for own, copy in links if own in self.columns and own != copy
        )

    def condition(self, e: Expr, *, sql: bool) -> Expr:
        """``e``, a condition in the sql dialect, for every type. ``sql``: it is written in SQL. Raises NoMeaning."""
        match e:
            case Compare(op, left, right, "sql"):
                if any(isinstance(side, Lit) and side.value is None for side in (left, right)):
                    return Lit(None, NULL)
                a, b = self._pair(left, right, sql, ordered=op not in _BOTH_WAYS)
                return Compare(op, a, b, "sql")
            case Same(left, Lit(value=None)) | Same(Lit(value=None), left):
                return self.condition(IsNull(left), sql=sql)
            case Same(left, right):
                return Same(*self._pair(left, right, sql, ordered=False))
            case In(operand, options, "sql") if not self._known(operand):
                return self._in(operand, options, sql)
            case IsNull(operand) if not isinstance(operand, _CONDITIONS) and not self._known(operand):
                return IsNull(self._copy(operand, "itself"))
            case IsNaN(operand) if not self._known(operand):
                return IsNaN(self._copy(operand, "double"))
            case StringTest(_, text, Lit(), "sql") if not self._known(text):
                return replace(e, text=self._copy(text, "text", STRING))
            case And(operands, "sql") | Or(operands, "sql"):
                return replace(e, operands=tuple(self.condition(o, sql=sql) for o in operands))
            case Not(operand, "sql") | IsTrue(operand) | IsNull(operand) if not self._known(operand):
                return replace(e, operand=self.condition(operand, sql=sql))
            case If(cond, then, otherwise) if not self._known(e):
                c, a, b = (self.condition(part, sql=sql) for part in (cond, then, otherwise))
                return If(c, a, b)
        if self._known(e):
            return self._plain(e)
        if isinstance(e, _CONDITIONS):
            raise NoMeaning
        return self._copy(e, "condition", BOOL)

    def _pair(self, left: Expr, right: Expr, sql: bool, *, ordered: bool) -> tuple[Expr, Expr]:
        if self._known(left) and self._known(right):
            return self._plain(left), self._plain(right)
        if isinstance(right, Lit):
            return self._beside(left, right, sql, ordered)
        if isinstance(left, Lit):
            b, a = self._beside(right, left, sql, ordered)
            return a, b
        return self._copy(left, f"beside {right!r}"), self._copy(right, f"beside {left!r}")

    def _beside(self, e: Expr, literal: Lit, sql: bool, ordered: bool) -> tuple[Expr, Expr]:
        """``e`` and a literal, both converted to the type that Spark compares them in."""
        kind, value = _kind(literal, sql), literal.value
        if isinstance(value, bool):
            if ordered:
                raise NoMeaning
            return self._copy(e, kind), Lit(int(value), INT)
        if isinstance(value, (int, float)):
            return self._copy(e, kind), literal
        return self._copy(e, kind), self._copy(literal, f"beside {e!r}")

    def _in(self, operand: Expr, options: tuple[Expr, ...], sql: bool) -> Expr:
        literals = [o for o in options if isinstance(o, Lit) and o.value is not None]
        kinds = {_kind(o, sql) for o in literals}
        if len(literals) < len(options) or len(kinds) != 1:
            raise NoMeaning
        listed = f"in {options!r}"
        numbers = all(isinstance(o.value, (int, float)) and not isinstance(o.value, bool) for o in literals)
        made = tuple(o if numbers else self._copy(o, f"{listed} for {operand!r}") for o in literals)
        return In(self._copy(operand, listed), made, "sql")

    def _copy(self, e: Expr, kind: str, t: Type = NUMBER) -> Col:
        name = _name(e, kind)
        if self.columns.setdefault(name, t) != t:
            raise NoMeaning
        self._copies.setdefault(repr(e), set()).add(name)
        return Col(name)

    def _known(self, e: Expr) -> bool:
        """Whether the type of everything that ``e`` reads is known."""
        return not params_of(e) and not any(self.types[n].name in _NOT_KNOWN for n in columns_of(e))

    def _plain(self, e: Expr) -> Expr:
        self.columns.update({n: self.types[n] for n in columns_of(e)})
        return e


def _name(e: Expr | str, kind: str) -> str:
    return f"{e if isinstance(e, str) else repr(e)} as {kind}"


def _kind(literal: Lit, sql: bool) -> str:
    """What decides which type Spark converts a literal's partner to."""
    value = literal.value
    if isinstance(value, int) and not isinstance(value, bool):
        return "int" if -(2**31) <= value < 2**31 else "bigint"
    if isinstance(value, float):
        return "decimal" if sql else "double"
    return literal.type.name


__all__ = ["EveryType", "NoMeaning"]
