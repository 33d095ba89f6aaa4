"""Sample: ``sample`` and ``sampleBy``.

Law: none. The generator draws once for each row of a partition, so that a row's fate depends on those before it.
Condition: never, with a seed or without.
Counterexample: of ``[10, 95]`` a seed may keep the first only; without that row its draw decides on the second.
Reference: ANCHORS.md, *Limit, offset, sample: never*.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import Sample

from .outcome import Stop


def through(predicate: Expr, node: Sample) -> NoReturn:
    """Always stops."""
    raise Stop("cardinality-barrier", f"`{node.operator}` draws other rows if a filter runs before it")
