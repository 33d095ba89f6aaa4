"""UnionAll: ``σ_P(a ∪ b) = σ_P(a) ∪ σ_P(b)``, columns by position or by name.

Condition: P is deterministic, and goes into each branch in terms of that branch's columns, of which neither has another
type than in the union. Where one branch has a boundary and the other has none, P goes to the boundary and the filter
stays: ``σ_P(a ∪ b) = σ_P(σ_P(a) ∪ b)``; so it does where both have one.
Why sound: a row of the union is a row of one branch, and P decides each row by itself.
Counterexamples without the condition: filtered in one branch only and not above, the other's rows pass unasked. By
position ``a`` of the union is ``b`` of ``b, a`` on the right. ``x <= 9007199254740992.0`` is TRUE of 9007199254740993
in a union with doubles, which makes a double of it, and FALSE before.
Reference: ANCHORS.md, *Union all: every branch, by position*; Spark ``PushPredicateThroughNonJoin``.
"""

from __future__ import annotations

from headwater_ir.expr import Col, Expr, columns_of, transform
from headwater_ir.plan import UnionAll

from .outcome import Down, Stop, alike
from .protocol import LAST, Columns, Inputs, Operator


def through(predicate: Expr, node: UnionAll, inputs: Inputs) -> tuple[Down, ...]:
    """``predicate`` in each branch; Stop if it is not known which columns it reads there."""
    if node.may_miss:
        raise Stop("opaque", f"a column may be missing from one input of `{node.operator}`")
    read = columns_of(predicate)
    names = {n: n for n in read} if node.by_name else dict(node.right_names or ())
    if not read <= names.keys():
        raise Stop("attribute-capture", f"which column is at which place of `{node.operator}` is not known")
    types = {alike(inputs.type_of_column(node.left, n), inputs.type_of_column(node.right, names[n])) for n in read}
    if types - {True}:
        raise Stop("opaque", f"`{node.operator}` may give the values of one input another type")
    renamed = transform(predicate, lambda e: Col(names[e.name]) if isinstance(e, Col) else None)
    return Down(predicate, node.left, whole=False), Down(renamed, node.right, whole=False)


def columns(node: UnionAll) -> Columns:
    """Those that the sides have by position, if they are known."""
    known = zip(node.right_names or (), node.types, strict=False)
    return Columns({ours: type_ for (ours, _), type_ in known}, ends=True)


OPERATOR = Operator(UnionAll, "union_all", through, columns, lambda _: LAST, stays=True)
