"""Cache: ``cache``, ``persist``, ``checkpoint``, ``localCheckpoint``.

Law: ``σ_P(d)`` over what is kept; Spark keeps by plan, so that any later frame with the same plan reads the same rows.
Condition: never, as yet: nobody else may read what is kept, in this file or from the same session.
Counterexample: ``best.cache()`` is filtered here and counted there: a pre-filter below it changes the count.
Reference: ANCHORS.md, item 15, and *Spark 4.3 never pushes through … cache, checkpoint*.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import Cache

from .outcome import Stop


def through(predicate: Expr, node: Cache) -> NoReturn:
    """Always stops."""
    raise Stop("shared-subplan", f"what `{node.operator}` keeps may be used again elsewhere")
