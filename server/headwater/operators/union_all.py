"""UnionAll: ``σ_P(a ∪ b) = σ_P(a) ∪ σ_P(b)``, columns by position or by name.

Condition: P is deterministic, and goes into *every* branch, in terms of that branch's columns.
Why sound: a row of the union is a row of one branch, and P decides each row by itself. Spark moves such filters itself.
Counterexample without the condition: filtered in one branch only, the other's rows pass unasked.
Reference: ANCHORS.md, *Union all: every branch, by position*; Spark ``PushPredicateThroughNonJoin``.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import UnionAll

from .outcome import not_yet


def through(predicate: Expr, node: UnionAll) -> NoReturn:
    """Sound, and Spark's work; not yet used to reach a boundary further down."""
    not_yet(f"`{node.operator}`")
