"""Limit: ``limit``, ``offset`` and ``tail``, alone or fused with a sort, a union or a scan.

Law: none. ``limit_n(d)`` keeps rows by their number, and a filter below it changes the numbers.
Condition: never. A stronger filter may be *copied* below a top-n only where it keeps a prefix of the order.
Counterexample: the first of ``[10, 95]`` does not have score > 90; with the filter first it is 95, which does. Engines
lose this where a limit has become a part of another node, such as a union with a slice (polars#26803), a scan or
exchange with a fetch (datafusion#21063) or a subquery that is merged into its parent (sqlglot#7901).
Reference: ANCHORS.md, item 11; Spark ``PushPredicateThroughNonJoin`` has no case for it.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import Limit

from .outcome import Stop
from .protocol import Inputs, Operator, same_columns


def through(predicate: Expr, node: Limit, inputs: Inputs) -> NoReturn:
    """Always stops."""
    raise Stop("cardinality-barrier", f"`{node.operator}` keeps other rows if a filter runs before it")


OPERATOR = Operator(Limit, "limit", through, same_columns, rows_of_input=True)
