"""Scan: a source. A filter that arrives here met no boundary: Spark pushes it as far as the source allows.

Reference: THEORY.md section 6.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import Scan

from .outcome import Stop


def through(predicate: Expr, node: Scan) -> NoReturn:
    """Always stops: there is no boundary."""
    raise Stop("opaque", "no boundary", spark_moves=True)
