"""Which outputs of a boundary can be seen where the filter stands.

A projection between boundary and filter hides outputs, and two runs need not agree on what nobody sees. But what is
hidden is still computed: where computing it may raise, the output stays, stripped of its value, so that *Safe*
(THEORY.md section 2) still speaks of it. A sort shows its keys in the order of rows, so nothing below one is hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from headwater_ir.expr import (
    Arith,
    Call,
    Compare,
    Expr,
    If,
    IsNull,
    Lit,
    Neg,
    Raise,
    StringTest,
    columns_of,
    outputs_of,
    walk,
)
from headwater_ir.plan import Filter, Plan, Project, why_unread
from headwater_ir.problem import Fold, OutputColumn

_MAY_RAISE = (Arith, Neg, Call, Raise, Compare, StringTest)


def visible(fold: Fold, predicate: Expr, above: Sequence[Plan]) -> Fold:
    """``fold`` without the values of outputs that neither ``predicate`` nor anything beyond ``above`` can see;
    ``above``: the operators between the filter and the boundary, outermost first."""
    if any(not isinstance(node, (Filter, Project)) for node in above):
        return fold
    seen: dict[str, frozenset[str]] = {o.name: frozenset((o.name,)) for o in fold.outputs}
    needed = outputs_of(predicate)
    for node in reversed(above):
        if isinstance(node, Project):
            seen = _projected(seen, node)
        elif isinstance(node, Filter) and node.unread is not None:  # it may read whatever is there
            needed = needed.union(*seen.values())
    needed = needed.union(*seen.values())
    return replace(fold, outputs=tuple(kept for o in fold.outputs if (kept := _kept(o, needed)) is not None))


def _projected(seen: dict[str, frozenset[str]], node: Project) -> dict[str, frozenset[str]]:
    """For every column above ``node`` the outputs that it is made of."""
    passed = {name: made_of for name, made_of in seen.items() if node.keeps_others and name not in node.dropped}
    none: frozenset[str] = frozenset()
    defined = {
        name: none.union(*(seen.get(c, none) for c in (seen if why_unread(value) is not None else columns_of(value))))
        for name, value in node.columns
    }
    return passed | defined


def _kept(output: OutputColumn, needed: frozenset[str]) -> OutputColumn | None:
    if output.name in needed:
        return output
    if not any(isinstance(n, _MAY_RAISE) for n in walk(output.value)):
        return None
    nothing = Lit(None, output.type)
    return replace(output, value=If(IsNull(output.value), nothing, nothing))
