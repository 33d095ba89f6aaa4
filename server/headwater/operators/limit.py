"""Limit: ``limit``, ``offset`` and ``tail``, alone or fused with a sort, a union or a scan.

Law: ``σ_G(limit_n(sort(d))) = limit_n(sort(σ_G(d)))`` for a G that keeps a prefix of the order; of a P that implies
such a G only, ``σ_P(limit_n(sort(d))) = σ_P(limit_n(sort(σ_G(d))))``, and the filter stays. ``offset`` likewise.
Condition: the rows stand in an order, of which nothing but ``limit`` and ``offset`` takes the first; G is of the column
that they are ordered by first (``order_prefix``). It is a boundary, for Spark moves no filter below a limit.
Why sound: which rows are kept depends on how many stand before each. A row that G keeps stands behind none that G
drops, so that its place is the same. Rows that are equal in the order come in any turn, with and without G; G keeps all
of them or none, so that each result is one that the program could have given before, and the other way round.
Counterexamples without the condition: the first of ``[10, 95]`` does not have score > 90; with the filter first it is
95, which does. Of ``[NULL, 1]`` the first is NULL, and 1 behind ``x <= 1``. Engines lose this where a limit has become
a part of another node, such as a union with a slice (polars#26803), a scan or exchange with a fetch (datafusion#21063)
or a subquery that is merged into its parent (sqlglot#7901).
Reference: MagicPush, Table 2 (top-k: no row that G drops is greater than one that is shown); ANCHORS.md, item 11; Spark
``PushPredicateThroughNonJoin`` has no case for it.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import Limit
from headwater_ir.problem import Fold

from .boundary import over_outputs
from .order_prefix import prefixes_of, rows_in, turned
from .outcome import Stop
from .protocol import Inputs, Operator, same_columns


def through(predicate: Expr, node: Limit, inputs: Inputs) -> NoReturn:
    """Always stops."""
    raise Stop("cardinality-barrier", f"`{node.operator}` keeps other rows if a filter runs before it")


def prefix(predicate: Expr, node: Limit) -> Expr | None:
    """What ``predicate`` implies that keeps a prefix of the order of the rows; None if that is nothing."""
    return prefixes_of([predicate], node.order) if node.order is not None else None


def is_all(predicate: Expr, kept: Expr) -> bool:
    """Whether ``kept``, a prefix that ``predicate`` implies, is all that it says."""
    return turned(predicate) == kept


def meet(predicate: Expr, node: Limit, inputs: Inputs) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """Each row of the child as a fold of its own that gives it back; ``predicate`` is what ``prefix`` says."""
    assert node.order is not None
    fold = rows_in(node.order, "limit", inputs.type_of_column(node.child, node.order.column), node.facts)
    return fold, over_outputs(predicate, fold), ()


OPERATOR = Operator(Limit, "limit", through, same_columns, rows_of_input=True, renames=lambda _: False, meet=meet)
