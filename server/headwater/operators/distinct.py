"""Distinct: ``σ_P(δ(d)) = δ(σ_P(d))``.

Condition: P is deterministic (the front end makes any other ``Opaque``) and alike on rows that δ takes for one.
Why sound: equal rows satisfy P alike, so a whole class of them goes or stays. Spark moves such filters itself, as far
as the next boundary.
Counterexamples without the condition: ``δ`` over a column of random numbers (SPARK-20246); such a column is ``Opaque``.
``cast(x as string) = '-0.0'`` is FALSE of the one row that δ makes of 0.0 and -0.0, and TRUE of a row below it.
"""

from __future__ import annotations

from headwater_ir.expr import Expr
from headwater_ir.plan import Distinct

from .outcome import check_equality
from .protocol import EVERY_COLUMN, Inputs, Operator, same_columns


def through(predicate: Expr, node: Distinct, inputs: Inputs) -> Expr:
    """``predicate`` below ``node``: unchanged."""
    check_equality(predicate, "`distinct`", "representative-choice")
    return predicate


OPERATOR = Operator(
    Distinct, "distinct", through, same_columns, lambda _: EVERY_COLUMN, renames=lambda _: False, rows_of_input=True
)
