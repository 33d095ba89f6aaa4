"""P said over the state: outputs replaced by what they are computed from, conditionals taken apart."""

from __future__ import annotations

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import Fold

from ...semantics.interpreter import Env, EvaluationError, compile_expr
from ..dataflow import in_sql, slot_of_output
from ..normal_form import negate, push_not, simplify

MAX_CONDITIONALS = 6


def over_slots(fold: Fold, predicate: Expr, keys: dict[int, str]) -> Expr:
    """``predicate`` (over outputs, sql dialect) over slots, with slots that hold a key as that column. An output that
    SQL has no name for stays."""
    values = {o.name: _value(o.value, keys) for o in fold.outputs}
    inlined = ir.transform(predicate, lambda n: values[n.name] if isinstance(n, ir.Out) else None)
    if sum(isinstance(n, ir.If) for n in ir.walk(inlined)) > MAX_CONDITIONALS:
        return inlined
    return simplify(_apart(push_not(inlined)))


def _value(value: Expr, keys: dict[int, str]) -> Expr | None:
    slot = slot_of_output(value)
    said = ir.Slot(slot) if slot is not None else in_sql(value)
    if said is None:
        return None
    return ir.transform(said, lambda n: ir.Col(keys[n.index]) if isinstance(n, ir.Slot) and n.index in keys else None)


def _apart(e: Expr) -> Expr:
    """``e`` with each conditional as the disjunction of its two cases."""
    if isinstance(e, (ir.And, ir.Or)):
        return type(e)(tuple(_apart(o) for o in e.operands))
    conditional = next((n for n in ir.walk(e) if isinstance(n, ir.If)), None)
    if conditional is None:
        return _folded(e)
    condition = push_not(conditional.cond)
    cases = ((condition, conditional.then), (negate(condition), conditional.otherwise))
    return ir.Or(tuple(
        ir.And((_apart(case), _apart(push_not(ir.transform(e, lambda n: value if n is conditional else None)))))  # noqa: B023
        for case, value in cases
    ))  # fmt: skip


def _folded(e: Expr) -> Expr:
    """TRUE or FALSE where ``e`` reads nothing."""
    if any(isinstance(n, (ir.Col, ir.Param, ir.Slot, ir.Out, ir.Call)) for n in ir.walk(e)):
        return e
    try:
        return ir.TRUE if compile_expr(e)(Env()) is True else ir.FALSE
    except EvaluationError:
        return ir.FALSE
