"""Python conditions said in Spark SQL with None and NaN treated as Python treats them.

``x != c`` and ``x not in (…)`` are true for None, where SQL drops NULL; ``x > c`` is false for NaN, which SQL orders
last; ``not x > c`` is true for NaN (FACTS.md, section F of the measured table). Ordering None raises, so nothing is
owed there.
"""

from __future__ import annotations

from collections.abc import Mapping

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.types import BOOL, INT, STRING, Type, is_numeric

from ..dataflow import in_sql
from ..normal_form import negate, simplify
from . import whole_numbers

_NEGATED: dict[ir.CompareOp, ir.CompareOp] = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


_PYTHON = (ir.Compare, ir.In, ir.And, ir.Or, ir.Not, ir.StringTest)
"""Nodes that have a dialect, and are never NULL in Python's."""


def condition(e: Expr, holds: bool = True, types: Mapping[str, Type] | None = None) -> Expr | None:
    """A condition that is TRUE exactly where Python finds ``e`` true (``holds``) or false; None if it has no name.
    ``types``: of the columns; then arithmetic on them is solved for them."""
    match e:
        case ir.And(operands, "python") | ir.Or(operands, "python"):
            parts = [condition(o, holds, types) for o in operands]
            kind = ir.And if isinstance(e, ir.And) == holds else ir.Or
            return simplify(kind(tuple(p for p in parts if p is not None))) if None not in parts else None
        case ir.Not(operand, dialect) if dialect == "python" or _is_python(operand):
            return condition(operand, not holds, types)
        case ir.Truthy(operand):
            return _truth(operand, holds, types)
        case ir.IsTrue(operand):
            return condition(operand, holds, types)
        case ir.Compare(op, left, right, "python"):
            solved = whole_numbers.solved(op if holds else _NEGATED[op], left, right) if types is not None else None
            return solved or _comparison(op, in_sql(left), in_sql(right), holds)
        case ir.In(operand, options, "python"):
            return _member(operand, options, holds, types)
        case ir.Compare(op, left, right, "sql") if types is not None and _computed((left, right)):
            return whole_numbers.solved(op if holds else _NEGATED[op], left, right)
        case ir.In(operand, options, "sql") if types is not None and _computed((operand,)):
            return _member(operand, options, holds, types)
        case _:
            said = in_sql(e)
            return said if holds or said is None else negate(said)


def _is_python(e: Expr) -> bool:
    return isinstance(e, ir.Truthy) or (isinstance(e, _PYTHON) and e.dialect == "python")


def _computed(operands: tuple[Expr, ...]) -> bool:
    """Whether Python has computed one of the operands of Spark's comparison."""
    return any(isinstance(o, (ir.Arith, ir.Neg)) and o.dialect == "python" for o in operands)


def _truth(e: Expr, holds: bool, types: Mapping[str, Type] | None) -> Expr | None:
    """``bool(e)``: None, 0 and '' are false, NaN is true."""
    t = (types or {}).get(e.name) if isinstance(e, ir.Col) else INT if isinstance(e, (ir.Arith, ir.Neg)) else None
    if t == BOOL and not holds:
        return ir.Or((ir.Not(e), ir.IsNull(e)))
    if t is None or not (is_numeric(t) or t == STRING):
        return condition(e, holds, types)
    nothing = ir.Lit("", STRING) if t == STRING else ir.Lit(0, INT)
    if isinstance(e, (ir.Arith, ir.Neg)):
        return condition(ir.Compare("!=", e, nothing, "python"), holds, types)
    return ir.Compare("!=", e, nothing, "sql") if holds else ir.Or((ir.Compare("==", e, nothing, "sql"), ir.IsNull(e)))


def _member(operand: Expr, options: tuple[Expr, ...], holds: bool, types: Mapping[str, Type] | None) -> Expr | None:
    there = tuple(o for o in options if not (isinstance(o, ir.Lit) and o.value is None))
    solved = whole_numbers.member(operand, there) if types is not None else None
    column = in_sql(operand)
    if solved is not None:
        return solved if holds else ir.Not(solved) if isinstance(solved, ir.In) else negate(solved)
    if column is None or not there:
        equal = tuple(ir.Compare("==", operand, o, "python") for o in options)
        return condition(ir.Or(equal, "python"), holds, types)
    among = ir.In(column, there, "sql")
    if (len(there) < len(options)) == holds:
        return ir.Or((among if holds else ir.Not(among), ir.IsNull(column)))
    return among if holds else ir.Not(among)


def _comparison(op: ir.CompareOp, a: Expr | None, b: Expr | None, holds: bool) -> Expr | None:
    if a is None or b is None:
        return None
    operands = [o for o in (a, b) if not isinstance(o, ir.Lit)]
    nan = tuple(ir.IsNaN(o) for o in operands)
    if op in ("==", "!="):
        if (op == "==") == holds:
            return ir.And((ir.Compare("==", a, b, "sql"), *(ir.Not(n) for n in nan)))
        return ir.Or((ir.Compare("!=", a, b, "sql"), *nan, *(ir.IsNull(o) for o in operands)))
    if holds:
        return ir.And((ir.Compare(op, a, b, "sql"), *(ir.Not(n) for n in nan)))
    return ir.Or((ir.Compare(_NEGATED[op], a, b, "sql"), *nan))
