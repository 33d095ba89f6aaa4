"""P said over the state: outputs replaced by what they are computed from, conditionals taken apart."""

from __future__ import annotations

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import Fold

from ..dataflow import in_sql, slot_of_output
from ..normal_form import push_not, simplify, without_conditionals


def over_slots(fold: Fold, predicate: Expr, keys: dict[int, str]) -> Expr:
    """``predicate`` (over outputs, sql dialect) over slots, with slots that hold a key as that column. An output that
    SQL has no name for stays."""
    values = {o.name: _value(o.value, keys) for o in fold.outputs}
    inlined = ir.transform(predicate, lambda n: values[n.name] if isinstance(n, ir.Out) else None)
    return simplify(without_conditionals(push_not(inlined)))


def _value(value: Expr, keys: dict[int, str]) -> Expr | None:
    slot = slot_of_output(value)
    said = ir.Slot(slot) if slot is not None else in_sql(value)
    if said is None:
        return None
    return ir.transform(said, lambda n: ir.Col(keys[n.index]) if isinstance(n, ir.Slot) and n.index in keys else None)
