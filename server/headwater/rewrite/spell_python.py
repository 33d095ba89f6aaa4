"""Conditions as Python functions of the elements of an RDD: ``lambda kv: kv[0] == "a"``.

The conditions are those of SQL; where Python's differ, on None and NaN, the text says what SQL means. Such a function
must never raise: an ordering or a string test is spelled only where the fold states that the value is there (then its
type is what the code before it makes, not a guess), equality with a constant for any value at all.
"""

from __future__ import annotations

import math

from headwater_ir.expr import (
    MIRRORED,
    And,
    Col,
    Compare,
    Expr,
    In,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Not,
    Or,
    StringTest,
    conjuncts,
)
from headwater_ir.plan import Scan
from headwater_ir.problem import Fold
from headwater_ir.walks import BoundaryNode

from .python_text import Quote, string_literal
from .spell_sql import CannotSpell

FORMAT = "rdd"
"""The format of a ``Scan`` that stands for the elements of an RDD."""


def is_of_elements(boundary: BoundaryNode) -> bool:
    """Whether a pre-filter of ``boundary`` is a filter of an RDD."""
    return isinstance(boundary.child, Scan) and boundary.child.format == FORMAT


def spell_python(e: Expr, fold: Fold, quote: Quote) -> str:
    """``e`` as the argument of ``RDD.filter``; ``CannotSpell`` where it might raise or has no spelling."""
    names = {c.name for c in fold.columns}
    root = next(iter(names)).partition("[")[0] if names else "x"
    if any(n.partition("[")[0] != root for n in names):
        raise CannotSpell("columns of several elements")
    return f"lambda {root}: {_Speller(fold, quote).text(e, 'lambda')}"


_BINDS = {"lambda": 0, "or": 1, "and": 2, "not": 3, "compare": 4}


def _compares(e: Expr, operand: Expr, *ops: str) -> bool:
    """Whether ``e`` compares ``operand`` with a constant."""
    return isinstance(e, Compare) and e.left == operand and isinstance(e.right, Lit) and e.op in ops


class _Speller:
    def __init__(self, fold: Fold, quote: Quote) -> None:
        self.quote: Quote = quote
        known = {c for f in fold.facts for c in conjuncts(f)}
        self.there = {c.name for c in fold.columns if Not(IsNull(Col(c.name))) in known}
        self.floats = {c.name for c in fold.columns if c.type.name in ("float", "number", "any")}

    def text(self, e: Expr, around: str) -> str:
        spelled, binds = self.spell(e)
        return f"({spelled})" if _BINDS[binds] <= _BINDS[around] and around != "lambda" else spelled

    def spell(self, e: Expr) -> tuple[str, str]:
        match e:
            case IsTrue(operand):
                return self.spell(operand)
            case And(operands, _) if operands:
                return self._chain(operands, "and")
            case Or(operands, _) if operands:
                return self._chain(operands, "or")
            case IsNull(Col(name)):
                return f"{name} is None", "compare"
            case Not(IsNull(Col(name)), _):
                return f"{name} is not None", "compare"
            case IsNaN(Col(name)):
                return f"{name} != {name}", "compare"
            case Not(IsNaN(Col(name)), _):
                return f"{name} == {name}", "compare"
            case Compare(op, Col(name), Lit() as value, _) if op in ("==", "!="):
                return self._equality(op, name, self._literal(value))
            case Compare(op, Col(name), Lit() as value, "sql") if name in self.there:
                return self._ordering(op, name, self._literal(value))
            case Compare(op, Lit() as value, Col() as col, dialect):
                return self.spell(Compare(MIRRORED[op], col, value, dialect))
            case In(Col(name), options, _) if options:
                listed = [self._literal(o) for o in options]
                return f"{name} in ({', '.join(listed)}{',' * (len(listed) == 1)})", "compare"
            case Not(In(Col(name), options, _), _) if options and name in self.there:
                listed = [self._literal(o) for o in options]
                return f"{name} not in ({', '.join(listed)}{',' * (len(listed) == 1)})", "compare"
            case StringTest("contains", Col(name), Lit() as needle, _) if name in self.there:
                return f"{self._literal(needle)} in {name}", "compare"
            case Not(StringTest("contains", Col(name), Lit() as needle, _), _) if name in self.there:
                return f"{self._literal(needle)} not in {name}", "compare"
            case StringTest(op, Col(name), Lit() as needle, _) if name in self.there:
                return f"{name}.{op}({self._literal(needle)})", "compare"
            case Not(StringTest(_, Col(name), Lit(), _) as operand, _) if name in self.there:
                return f"not {self.text(operand, 'not')}", "not"
        raise CannotSpell("a condition on elements of an RDD that might raise, or has no Python spelling")

    def _chain(self, operands: tuple[Expr, ...], word: str) -> tuple[str, str]:
        """``a and b``, without the tests for None and NaN that Python's own comparison beside them makes anyway."""
        own: set[Expr] = set()
        needless: set[Expr] = set()
        for test in operands:
            match test, word:
                case IsNull(operand), "or":
                    found = {o for o in operands if _compares(o, operand, "!=")}
                case (Not(IsNaN(operand)), "and") | (IsNaN(operand), "or"):
                    found = (
                        {o for o in operands if _compares(o, operand, ">", ">=")} if self._present(operand) else set()
                    )
                case _:
                    continue
            needless |= {test} if found else set()
            own |= found if not isinstance(test, IsNaN) else set()
        parts = [self._own(o) if o in own else self.spell(o) for o in operands if o not in needless]
        if len(parts) == 1:
            return parts[0]
        return f" {word} ".join(f"({t})" if _BINDS[b] <= _BINDS[word] else t for t, b in parts), word

    def _present(self, e: Expr) -> bool:
        return isinstance(e, Col) and e.name in self.there

    def _own(self, e: Expr) -> tuple[str, str]:
        """The comparison ``e`` as Python has it."""
        assert isinstance(e, Compare)
        assert isinstance(e.left, Col)
        return f"{e.left.name} {e.op} {self._literal(e.right)}", "compare"

    def _equality(self, op: str, name: str, value: str) -> tuple[str, str]:
        if op == "!=" and name not in self.there:
            return f"{name} is not None and {name} != {value}", "and"
        return f"{name} {op} {value}", "compare"

    def _ordering(self, op: str, name: str, value: str) -> tuple[str, str]:
        """SQL's NaN is greater than everything."""
        if name in self.floats and op in (">", ">="):
            return f"not {name} {'<=' if op == '>' else '<'} {value}", "not"
        return f"{name} {op} {value}", "compare"

    def _literal(self, e: Expr) -> str:
        value = e.value if isinstance(e, Lit) else None
        if isinstance(value, str):
            return string_literal(value, self.quote)
        if isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
            return repr(value)
        raise CannotSpell("a constant without a plain Python spelling")
