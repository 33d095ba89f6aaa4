"""``U_R``: conditions on the output."""

from __future__ import annotations

from headwater_ir import expr as ir
from headwater_ir.expr import Expr

from ..normal_form import cnf
from .analysis import Analysis


def residual_universe(a: Analysis) -> tuple[Expr, ...]:
    """``U_R``: null tests first (they are the weaker), then what differs from the initial output, then P's
    conjuncts."""
    fold = a.problem.fold
    conjuncts = ir.conjuncts(a.said)
    read = sorted(set().union(*(ir.outputs_of(c) for c in conjuncts))) if conjuncts else []
    found: list[Expr] = [ir.Not(ir.IsNull(ir.Out(n))) for n in read]
    for name in read:
        slot = a.slot_of.get(name)
        initial = fold.init[slot] if slot is not None else None
        if isinstance(initial, ir.Lit) and not isinstance(initial.value, (bool, type(None))):
            found.append(ir.Compare("!=", ir.Out(name), initial, "sql"))
    for conjunct in conjuncts:
        found.append(conjunct)
        for name in sorted(ir.outputs_of(conjunct)):
            null = ir.IsNull(ir.Out(name))
            found += [ir.Or((ir.Not(null), conjunct)), ir.Or((null, conjunct))]
    found += cnf(a.said)
    return tuple(dict.fromkeys(found))
