"""Distinct: ``σ_P(δ(d)) = δ(σ_P(d))``.

Condition: P is deterministic (the front end makes any other ``Opaque``).
Why sound: equal rows satisfy P alike, so a whole class of them goes or stays. Spark moves such filters itself.
Counterexample without determinism: ``δ`` over a column of random numbers (SPARK-20246); such a column is ``Opaque``.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import Distinct

from .outcome import not_yet


def through(predicate: Expr, node: Distinct) -> NoReturn:
    """Sound, and Spark's work; not yet used to reach a boundary further down."""
    not_yet("`distinct`")
