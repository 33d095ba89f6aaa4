"""JoinInput: a conjunct of a join's ON clause that reads one side only, taken as a filter of that side.

Law: ``a ⋈_{C ∧ P} b = a ⋈_C σ_P(b)`` for a P over columns of b.
Condition: the join shows no row of that side that found no partner. Inner, semi: both sides; left, anti: the right one;
right: the left one; full: none.
Why sound: rows that fail P find no partner either way, and nothing else is seen of them. The clause stays as it is. P
must not raise: the clause is asked of pairs that the other conjuncts of it let pass, and of none if the other side is
empty.
Counterexamples without the condition: an anti join keeps the left rows for which the clause finds *nothing*: a row
with x ≤ 5 stays because of ``a.x > 5``, and filtered before it is gone (SPARK-18597, and SPARK-18614 for EXISTS below
an OR). A left join shows it with NULLs (datafusion#10881, #13211: an OR there was moved to the left).
Reference: DataFusion ``push_down_filter``, *on_lr_is_preserved*; ANCHORS.md, items 6 and 7.
"""

from __future__ import annotations

from typing import Literal

from headwater_ir.expr import Expr
from headwater_ir.plan import JoinInput, JoinType

from .outcome import Stop, may_raise
from .protocol import UNKNOWN, Inputs, Operator, same_columns

FILTERED: dict[JoinType, frozenset[Literal["left", "right"]]] = {
    "inner": frozenset({"left", "right"}),
    "semi": frozenset({"left", "right"}),
    "left": frozenset({"right"}),
    "anti": frozenset({"right"}),
    "right": frozenset({"left"}),
    "full": frozenset(),
}


def through(predicate: Expr, node: JoinInput, inputs: Inputs) -> Expr:
    """``predicate`` on the input itself, where the clause filters this side."""
    if node.side not in FILTERED[node.how]:
        reason = f"the {node.how} join keeps rows of its {node.side} side for which its ON clause is not TRUE"
        raise Stop("join-on-clause", reason)
    if may_raise(predicate):
        raise Stop("may-throw", "the ON clause may raise on rows that find no partner")
    return predicate


OPERATOR = Operator(JoinInput, "join_input", through, same_columns, lambda _: UNKNOWN, stays=True)
