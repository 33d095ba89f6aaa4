"""Shared: a frame with several consumers; no filter of one of them passes.

Law: ``σ_P(d)`` and ``f(d)`` over one ``d`` allow only the disjunction of what all consumers filter, re-applied above.
Condition: never, as yet: the other consumers' filters are not collected.
Counterexample: ``big = agg.filter(x > 9); print(agg.count())``: a pre-filter below ``agg`` changes the count.
Reference: SPARK-58696, sqlglot#536, polars#27748; ANCHORS.md, item 15.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import Shared

from .outcome import Stop


def through(predicate: Expr, node: Shared) -> NoReturn:
    """Always stops."""
    raise Stop(
        "shared-subplan", f"the frame below the filter has {node.consumers} consumers, and the others need every row"
    )
