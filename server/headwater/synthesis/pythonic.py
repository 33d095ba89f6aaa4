"""Python conditions said in Spark SQL with None and NaN treated as Python treats them.

``x != c`` and ``x not in (…)`` are true for None, where SQL drops NULL; ``x > c`` is false for NaN, which SQL orders
last; ``not x > c`` is true for NaN (FACTS.md, section F of the measured table). Ordering None raises, so nothing is
owed there.
"""

from __future__ import annotations

from headwater_ir import expr as ir
from headwater_ir.expr import Expr

from .dataflow import in_sql
from .normal_form import negate, simplify

_NEGATED: dict[ir.CompareOp, ir.CompareOp] = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def condition(e: Expr, holds: bool = True) -> Expr | None:
    """A condition that is TRUE exactly where Python finds ``e`` true (``holds``) or false; None if it has no name."""
    match e:
        case ir.And(operands, "python") | ir.Or(operands, "python"):
            parts = [condition(o, holds) for o in operands]
            kind = ir.And if isinstance(e, ir.And) == holds else ir.Or
            return simplify(kind(tuple(p for p in parts if p is not None))) if None not in parts else None
        case ir.Not(operand, "python"):
            return condition(operand, not holds)
        case ir.Truthy(operand) | ir.IsTrue(operand):
            return condition(operand, holds)
        case ir.Compare(op, left, right, "python"):
            return _comparison(op, in_sql(left), in_sql(right), holds)
        case ir.In(operand, options, "python"):
            equal = tuple(ir.Compare("==", operand, o, "python") for o in options)
            return condition(ir.Or(equal, "python"), holds)
        case _:
            said = in_sql(e)
            return said if holds or said is None else negate(said)


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
