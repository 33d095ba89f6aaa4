"""Scan: a source. A filter that arrives here met no boundary: Spark pushes it as far as the source allows.

Reference: THEORY.md section 6.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import Scan

from .outcome import Stop
from .protocol import UNKNOWN, Columns, Inputs, Operator


def through(predicate: Expr, node: Scan, inputs: Inputs) -> NoReturn:
    """Always stops: there is no boundary."""
    raise Stop("opaque", "no boundary", spark_moves=True)


def columns(node: Scan) -> Columns:
    """Those of the schema; of a frame that comes from elsewhere a name may reach further down."""
    return Columns({f.name: f.type for f in reversed(node.schema.fields)}, ends=node.format != "unknown")


OPERATOR = Operator(Scan, "scan", through, columns, lambda _: UNKNOWN)
