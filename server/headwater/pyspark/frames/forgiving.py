"""Folds that give the same however often each row is there: the greatest and the least, and what is counted once."""

from __future__ import annotations

from headwater_ir.expr import Call, Compare, Expr, If, IsNull, Lit, Or, Slot, walk
from headwater_ir.problem import Fold
from headwater_ir.unread import why_unread

_ONCE = ("distinct:", "count_distinct:", "approx_count_distinct:", "sum_distinct:")
"""What the names of functions begin with that look at the set of the values that they are given."""


def forgives_copies(fold: Fold) -> bool:
    """Whether a second copy of a row changes nothing, whenever it comes: each slot of its state is the greatest or the
    least of some values, is set to a constant, or is made of a set."""
    return fold.rows == "many" and all(_step(step, Slot(n)) for n, step in enumerate(fold.step))


def _step(step: Expr, slot: Slot) -> bool:
    match step:
        case If(cond=Or(operands=(IsNull(operand=before), Compare(op="<" | ">", left=new, right=old))), then=then):
            return before == old == slot == step.otherwise and new == then and _is_of_row(new)
        case If(cond=cond, then=then, otherwise=otherwise):
            return _is_of_row(cond) and _step(then, slot) and _step(otherwise, slot)
        case Call(name=name, args=(of, *others)):
            return of == slot and name.startswith(_ONCE) and all(_is_of_row(e) for e in others)
    return step == slot or isinstance(step, Lit)


def _is_of_row(value: Expr) -> bool:
    """Whether ``value`` looks at no slot and draws nothing, so that equal rows give the same."""
    parts = [*walk(value)]
    return why_unread(value) is None and not any(
        isinstance(e, Slot) or (isinstance(e, Call) and e.kind != "function") for e in parts
    )


__all__ = ["forgives_copies"]
