"""Expressions as Spark SQL text: for display, for JSON, and for filters that are written as SQL strings."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable

from typing_extensions import assert_never

from headwater.syntax.names.spelled_sql import is_filled_in
from headwater_ir.array_sizes import array_of
from headwater_ir.asked import condition_of
from headwater_ir.expr import (
    And,
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    In,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Neg,
    Not,
    Or,
    Out,
    Param,
    Present,
    Raise,
    Same,
    Scalar,
    Slot,
    StringTest,
    Truthy,
)
from headwater_ir.native import as_native, asked_of
from headwater_ir.struct_fields import path_of_column

OR, AND, NOT, COMPARE, ADD, MUL, UNARY, ATOM = range(1, 9)
"""How tightly Spark SQL's operators bind, loosest first."""

_COMPARE = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_RESERVED_WORDS = (
    "all and anti any as asc between both by case cast collate constraint create cross current_date "
    "current_time current_timestamp current_user desc distinct else end escape except exists false fetch "
    "filter for foreign from full grant group having in inner intersect interval into is join lateral "
    "leading left like limit minus natural not null offset on only or order outer overlaps primary "
    "references rlike right select semi session_user set some table then time to trailing true union "
    "unique unknown user using when where with within "
)
_RESERVED = frozenset(_RESERVED_WORDS.split())
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


class CannotSpell(Exception):
    """The expression has no exact spelling in the language that was asked for."""


def spell_sql(e: Expr) -> str | None:
    """``e`` as SQL text, or None where SQL text cannot say it (a driver variable, Python semantics)."""
    try:
        return sql_text(e)
    except CannotSpell:
        return None


def sql_text(e: Expr, leaf: Callable[[Expr], str | None] = lambda _: None) -> str:
    """``e`` as SQL text; ``leaf`` may name nodes that SQL has no word for. ``CannotSpell`` if one remains."""
    return _Sql(leaf).at(e, OR)


def chain_texts(e: And | Or) -> list[str]:
    """The operands of a chain, each as it stands in ``sql_text(e)``."""
    return [_Sql(lambda _: None).at(o, NOT) for o in flattened(e)]


class _Sql:
    def __init__(self, leaf: Callable[[Expr], str | None]) -> None:
        self.leaf = leaf

    def at(self, e: Expr, level: int) -> str:
        """``e``, in parentheses if it binds more loosely than ``level``."""
        named = self.leaf(e)
        if named is not None:
            return named
        text, binds = self.spell(e)
        return f"({text})" if binds < level else text

    def spell(self, e: Expr) -> tuple[str, int]:
        match e:
            case Col(name) if (native := as_native(name)) is not None:
                return f"{native[0]}({self.at(Col(native[1]), OR)})", ATOM
            case Col(name) | Out(name) if (array := array_of(name)) is not None:
                return f"size({quoted_name(array)})", ATOM
            case Col(name) | Out(name) if (asked := condition_of(name)) is not None:
                return self.spell(asked)
            case Col(name) | Out(name) if (path := path_of_column(name)) is not None:
                return ".".join(map(quoted_name, path.split("."))), ATOM
            case Col(name) | Out(name):
                return quoted_name(name), ATOM
            case Lit(value, _):
                return sql_literal(value)
            case And(_, "sql"):
                return self.chain(flattened(e), " AND ", AND, "true")
            case Or(_, "sql"):
                return self.chain(flattened(e), " OR ", OR, "false")
            case Not(operand, "sql"):
                return self.negated(operand)
            case Compare(op, left, right, "sql"):
                return f"{self.at(left, ADD)} {_COMPARE[op]} {self.at(right, ADD)}", COMPARE
            case Same(left, right):
                return f"{self.at(left, ADD)} <=> {self.at(right, ADD)}", COMPARE
            case IsNull(operand):
                return f"{self.at(asked_of(operand), ADD)} IS NULL", COMPARE
            case IsNaN(operand):
                return f"isnan({self.at(operand, OR)})", ATOM
            case IsTrue(operand):
                return f"{self.at(operand, ADD)} <=> true", COMPARE
            case In(operand, options, "sql"):
                return self.member(operand, options, "IN")
            case StringTest(op, text, needle, "sql"):
                return f"{op}({self.at(text, OR)}, {self.at(needle, OR)})", ATOM
            case If(cond, then, otherwise):
                branches = f"WHEN {self.at(cond, OR)} THEN {self.at(then, OR)} ELSE {self.at(otherwise, OR)}"
                return f"CASE {branches} END", ATOM
            case Neg(operand, "sql"):
                return f"-{self.at(operand, ATOM)}", UNARY
            case Arith(op, left, right, "sql"):
                return self.arithmetic(op, left, right)
            case And() | Or() | Not() | Compare() | In() | StringTest() | Neg() | Arith():
                raise CannotSpell("Python semantics have no SQL spelling")
            case Call("spark.timestamp_seconds", (Lit(int() as second, _),)):
                return f"timestamp_seconds({second})", ATOM
            case Param() | Slot() | Present() | Truthy() | Call() | Raise():
                raise CannotSpell(f"{type(e).__name__} has no SQL spelling")
            case _:
                assert_never(e)

    def chain(self, operands: tuple[Expr, ...], word: str, level: int, empty: str) -> tuple[str, int]:
        if not operands:
            return empty, ATOM
        if len(operands) == 1:
            return self.at(operands[0], level), level
        # OR inside AND needs parentheses; AND inside OR gets them too, for the reader
        return word.join(self.at(o, NOT) for o in operands), level

    def negated(self, operand: Expr) -> tuple[str, int]:
        if isinstance(operand, IsNull):
            return f"{self.at(asked_of(operand.operand), ADD)} IS NOT NULL", COMPARE
        if isinstance(operand, In) and operand.dialect == "sql" and operand.options:
            return self.member(operand.operand, operand.options, "NOT IN")
        return f"NOT {self.at(operand, ATOM)}", NOT

    def member(self, operand: Expr, options: tuple[Expr, ...], word: str) -> tuple[str, int]:
        if not options:
            return "false", ATOM
        return f"{self.at(operand, ADD)} {word} ({', '.join(self.at(o, OR) for o in options)})", COMPARE

    def arithmetic(self, op: str, left: Expr, right: Expr) -> tuple[str, int]:
        if op in ("+", "-"):
            return f"{self.term(left, ADD)} {op} {self.term(right, MUL)}", ADD
        if op in ("*", "/", "%"):
            return f"{self.term(left, MUL)} {op} {self.term(right, UNARY)}", MUL
        raise CannotSpell(f"SQL has no {op}")

    def term(self, e: Expr, level: int) -> str:
        """An operand of arithmetic: there ``1.1`` would be a decimal, and beside an integer so would the result."""
        text = self.at(e, level)
        if not isinstance(e, Lit) or not isinstance(e.value, float) or not math.isfinite(e.value):
            return text
        return f"({text[1:-1]}D)" if text.startswith("(") else f"{text}D"


def flattened(e: And | Or) -> tuple[Expr, ...]:
    """The operands of a chain of ANDs (or of ORs), however it is nested."""
    kind = type(e)
    return tuple(
        inner
        for operand in e.operands
        for inner in (flattened(operand) if isinstance(operand, kind) and operand.dialect == "sql" else (operand,))
    )


def sql_literal(value: Scalar) -> tuple[str, int]:
    """A constant, and how tightly its text binds."""
    if value is None:
        return "NULL", ATOM
    if isinstance(value, bool):
        return ("true" if value else "false"), ATOM
    if isinstance(value, float) and not math.isfinite(value):
        word = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return f"double('{word}')", ATOM
    if isinstance(value, (int, float)):
        return repr(value), ATOM if math.copysign(1, value) > 0 else UNARY
    if isinstance(value, dt.datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'", ATOM
    if isinstance(value, dt.date):
        return f"DATE '{value.isoformat()}'", ATOM
    return sql_string(value), ATOM


def sql_string(value: str) -> str:
    """A Spark SQL string literal: single quotes, backslash escapes."""
    if "\0" in value:
        raise CannotSpell("a NUL character in a string")
    if is_filled_in(value):
        raise CannotSpell("a variable in a string")
    return "'" + value.translate(_ESCAPES) + "'"


def quoted_name(name: str) -> str:
    """A column name, in backticks only where SQL would not read it as a name. A dot stays the way into a struct."""
    if "`" in name or is_filled_in(name):
        raise CannotSpell("a backtick or a variable in a column name")
    parts = name.split(".")
    return ".".join(p if _PLAIN_NAME.match(p) and p.lower() not in _RESERVED else f"`{p}`" for p in parts)
