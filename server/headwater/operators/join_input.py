"""JoinInput: a conjunct of a join's ON clause that reads one side only, taken as a filter of that side.

Law: ``a ⋈_{C ∧ P} b = a ⋈_C σ_P(b)`` for a P over columns of b.
Condition: the join shows no row of that side that found no partner. Inner, semi: both sides; left, anti: the right one;
right: the left one; full: none.
Why sound: rows that fail P find no partner either way, and nothing else is seen of them.
Counterexamples without the condition: an anti join keeps the left rows for which the clause finds *nothing*: a row
with x ≤ 5 stays because of ``a.x > 5``, and filtered before it is gone (SPARK-18597, and SPARK-18614 for EXISTS below
an OR). A left join shows it with NULLs (datafusion#10881, #13211: an OR there was moved to the left).
Reference: DataFusion ``push_down_filter``, *on_lr_is_preserved*; ANCHORS.md, items 6 and 7.
"""

from __future__ import annotations

from typing import Literal, NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import JoinInput, JoinType

from .outcome import Stop, not_yet

FILTERED: dict[JoinType, frozenset[Literal["left", "right"]]] = {
    "inner": frozenset({"left", "right"}),
    "semi": frozenset({"left", "right"}),
    "left": frozenset({"right"}),
    "anti": frozenset({"right"}),
    "right": frozenset({"left"}),
    "full": frozenset(),
}


def through(predicate: Expr, node: JoinInput) -> NoReturn:
    """Sound where the clause filters this side; not yet used to reach a boundary further down."""
    if node.side in FILTERED[node.how]:
        not_yet("the ON clause of a join")
    raise Stop(
        "join-on-clause", f"the {node.how} join keeps rows of its {node.side} side for which its ON clause is not TRUE"
    )
