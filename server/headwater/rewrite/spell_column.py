"""Expressions as PySpark Column source text, in the file's own way of writing them."""

from __future__ import annotations

import datetime as dt
import math

from typing_extensions import assert_never

from headwater_ir.array_sizes import array_of
from headwater_ir.asked import condition_of
from headwater_ir.expr import (
    MIRRORED,
    And,
    Arith,
    Call,
    Col,
    Compare,
    CompareOp,
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
from headwater_ir.plan import Spelling
from headwater_ir.struct_fields import path_of_column

from .python_text import Quote, string_literal
from .spell_sql import CannotSpell, flattened

COMPARE, BITOR, BITAND, ADD, MUL, UNARY, ATOM = range(1, 8)
"""How tightly Python's operators bind, loosest first. Unlike SQL's, ``&`` binds tighter than ``==``."""


class ColumnSpeller:
    """Spells conditions for one file.

    ``alias`` is the name to use for the functions module if the file has none; ``needs_import`` then becomes True.
    ``names`` collects every Python name that the text relies on.
    """

    def __init__(self, spelling: Spelling, quote: Quote = '"', prefer_bare: bool = False, alias: str = "F") -> None:
        self.spelling = spelling
        self.quote = quote
        self.prefer_bare = prefer_bare
        self.alias = alias
        self.needs_import = False
        self.names: set[str] = set()
        self.bound: dict[str, str] = {}
        """Columns that a variable of a lambda stands for."""

    def condition(self, e: Expr) -> str:
        """``e`` as the argument of ``.filter``, where only TRUE passes."""
        return self.at(_as_filter(e), COMPARE)

    def function(self, name: str) -> str:
        """How this file calls ``pyspark.sql.functions.<name>``."""
        bare = self.spelling.col if name == "col" else dict(self.spelling.imported).get(name)
        module = self.spelling.functions
        if bare and (self.prefer_bare or module is None):
            self.names.add(bare)
            return bare
        if module is None:
            module = self.alias
            self.needs_import = True
        self.names.add(module)
        return f"{module}.{name}"

    def at(self, e: Expr, level: int) -> str:
        """``e`` as a Column, in parentheses if it binds more loosely than ``level``."""
        text, binds = self.spell(e)
        return f"({text})" if binds < level else text

    def operand(self, e: Expr, level: int) -> str:
        """``e`` beside a Column, where Python's own values do as well."""
        if isinstance(e, Param):
            return self.name(e.name)
        if isinstance(e, Lit) and (plain := self.plain(e.value)) is not None and not isinstance(e.value, bool):
            return plain
        return self.at(e, level)

    def name(self, name: str) -> str:
        if not name.isidentifier():
            raise CannotSpell(f"`{name}` is not a variable")
        self.names.add(name)
        return name

    def plain(self, value: Scalar) -> str | None:
        """A Python literal that Spark takes as this very constant, or None."""
        if value is None or isinstance(value, (dt.date, dt.datetime)):
            return None
        if isinstance(value, str):
            return string_literal(value, self.quote)
        if isinstance(value, float) and not math.isfinite(value):
            return None
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise CannotSpell(f"{value} does not fit 64 bits: PySpark has no literal for it")
        return repr(value)

    def spell(self, e: Expr) -> tuple[str, int]:
        match e:
            case Col(name) if name in self.bound:
                return self.bound[name], ATOM
            case Col(name) | Out(name) if (array := array_of(name)) is not None:
                return f"{self.function('size')}({self.column_or_name(Col(array))})", ATOM
            case Col(name) | Out(name) if (asked := condition_of(name)) is not None:
                return self.spell(asked)
            case Col(name) | Out(name) if (path := path_of_column(name)) is not None:
                return f"{self.function('col')}({string_literal(path, self.quote)})", ATOM
            case Col(name) if (native := as_native(name)) is not None:
                return f"{self.function(native[0])}({self.column_or_name(Col(native[1]))})", ATOM
            case Col(name) | Out(name):
                if "`" in name:
                    raise CannotSpell("a backtick in a column name")
                return f"{self.function('col')}({string_literal(name, self.quote)})", ATOM
            case Lit(value, _):
                return self.literal(value), ATOM
            case Param(name):
                return f"{self.function('lit')}({self.name(name)})", ATOM
            case And(_, "sql"):
                return self.chain(flattened(e), " & ", BITAND, True)
            case Or(_, "sql"):
                return self.chain(flattened(e), " | ", BITOR, False)
            case Not(IsNull(operand), "sql"):
                return f"{self.at(asked_of(operand), ATOM)}.isNotNull()", ATOM
            case Not(operand, "sql"):
                return f"~{self.at(operand, UNARY)}", UNARY
            case Compare(op, left, right, "sql"):
                return self.comparison(op, left, right), COMPARE
            case Same(left, right):
                if isinstance(left, (Lit, Param)):
                    left, right = right, left
                return f"{self.at(left, ATOM)}.eqNullSafe({self.operand(right, COMPARE)})", ATOM
            case IsNull(operand):
                return f"{self.at(asked_of(operand), ATOM)}.isNull()", ATOM
            case IsNaN(operand):
                return f"{self.function('isnan')}({self.column_or_name(operand)})", ATOM
            case IsTrue(operand):
                return f"{self.at(operand, ATOM)}.eqNullSafe(True)", ATOM
            case In(operand, options, "sql"):
                return self.member(operand, options), ATOM
            case StringTest(op, text, needle, "sql"):
                return f"{self.at(text, ATOM)}.{op}({self.operand(needle, COMPARE)})", ATOM
            case If(cond, then, otherwise):
                when = f"{self.function('when')}({self.at(cond, COMPARE)}, {self.operand(then, COMPARE)})"
                return f"{when}.otherwise({self.operand(otherwise, COMPARE)})", ATOM
            case Neg(operand, "sql"):
                return f"-{self.at(operand, UNARY)}", UNARY
            case Arith(op, left, right, "sql"):
                return self.arithmetic(op, left, right)
            case And() | Or() | Not() | Compare() | In() | StringTest() | Neg() | Arith():
                raise CannotSpell("Python semantics have no Column spelling")
            case Call("spark.timestamp_seconds", (Lit(int() as second, _),)):
                return f"{self.function('timestamp_seconds')}({self.function('lit')}({second}))", ATOM
            case Slot() | Present() | Truthy() | Call() | Raise():
                raise CannotSpell(f"{type(e).__name__} has no Column spelling")
            case _:
                assert_never(e)

    def literal(self, value: Scalar) -> str:
        lit = self.function("lit")
        plain = self.plain(value)
        if plain is not None:
            return f"{lit}({plain})"
        if isinstance(value, float):
            return f"{lit}(float({string_literal(str(value), self.quote)}))"
        if value is None:
            return f"{lit}(None)"
        assert isinstance(value, dt.date)
        moment = isinstance(value, dt.datetime)
        text = value.isoformat(sep=" ") if isinstance(value, dt.datetime) else value.isoformat()
        kind = string_literal("timestamp" if moment else "date", self.quote)
        return f"{lit}({string_literal(text, self.quote)}).cast({kind})"

    def operand_of_chain(self, e: Expr) -> str:
        """One operand of the outermost ``&`` or ``|`` of a filter condition."""
        return self.at(_as_filter(e), UNARY)

    def chain(self, operands: tuple[Expr, ...], sign: str, level: int, empty: bool) -> tuple[str, int]:
        if not operands:
            return f"{self.function('lit')}({empty})", ATOM
        if len(operands) == 1:
            return self.spell(operands[0])
        # parentheses round everything but names and calls: also where Python needs none, the reader does
        return sign.join(self.at(o, UNARY) for o in operands), level

    def comparison(self, op: CompareOp, left: Expr, right: Expr) -> str:
        if isinstance(left, (Lit, Param)) and not isinstance(right, (Lit, Param)):
            left, right, op = right, left, MIRRORED[op]
        return f"{self.at(left, BITOR)} {op} {self.operand(right, BITOR)}"

    def member(self, operand: Expr, options: tuple[Expr, ...]) -> str:
        if not options:
            return f"{self.function('lit')}(False)"
        listed = [
            str(o.value) if isinstance(o, Lit) and isinstance(o.value, bool) else self.operand(o, COMPARE)
            for o in options
        ]
        return f"{self.at(operand, ATOM)}.isin({', '.join(listed)})"

    def arithmetic(self, op: str, left: Expr, right: Expr) -> tuple[str, int]:
        if op not in ("+", "-", "*", "/", "%"):
            raise CannotSpell(f"Spark columns have no {op}")
        level = ADD if op in ("+", "-") else MUL
        first = self.at(left, level) if isinstance(right, (Lit, Param)) else self.operand(left, level)
        return f"{first} {op} {self.operand(right, level + 1)}", level

    def column_or_name(self, e: Expr) -> str:
        if isinstance(e, (Col, Out)) and e.name not in self.bound and "`" not in e.name:
            return string_literal(e.name, self.quote)
        return self.at(e, COMPARE)


def _as_filter(e: Expr) -> Expr:
    """``e`` without the ``IsTrue`` that a filter applies anyway; AND and OR pass it on to their operands."""
    match e:
        case IsTrue(operand):
            return _as_filter(operand)
        case And(operands, "sql") | Or(operands, "sql"):
            return type(e)(tuple(_as_filter(o) for o in operands))
        case _:
            return e
