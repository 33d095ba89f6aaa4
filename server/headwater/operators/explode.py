"""Explode: ``explode``, ``posexplode``, ``inline`` and their ``outer`` kin.

Law: ``σ_P(χ(d)) = χ(σ_P(d))`` for a P over columns that pass through.
Condition: P reads no column that is made here. Spark moves such filters itself.
Why sound: all rows that come of one row have its other columns, so P keeps or drops them together.
Counterexample without the condition: ``e > 90`` is no condition on a row whose array is ``[10, 95]``; a filter on the
elements of the array is another matter.
Reference: ANCHORS.md, *Explode, unpivot: columns that it does not generate*; Spark ``PushPredicateThroughNonJoin``.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr, columns_of
from headwater_ir.plan import Explode

from .outcome import Stop, not_yet


def through(predicate: Expr, node: Explode) -> NoReturn:
    """Sound over other columns, and then Spark's work; not yet used to reach a boundary further down."""
    made = sorted(columns_of(predicate) & set(node.made))
    if made:
        raise Stop("multiplicity", f"`{made[0]}` is one of several values that come of one row")
    not_yet("`explode`")
