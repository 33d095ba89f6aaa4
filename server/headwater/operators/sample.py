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
from .protocol import NOTHING, UNKNOWN, Inputs, Operator, Reads, same_columns


def through(predicate: Expr, node: Sample, inputs: Inputs) -> NoReturn:
    """Always stops."""
    raise Stop("cardinality-barrier", f"`{node.operator}` draws other rows if a filter runs before it")


def reads(node: Sample) -> Reads | None:
    """Nothing but the strata, which are not known."""
    return NOTHING if node.operator == "sample" else UNKNOWN


OPERATOR = Operator(Sample, "sample", through, same_columns, reads, rows_of_input=True)
