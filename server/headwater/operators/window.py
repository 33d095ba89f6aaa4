"""Window: a projection some columns of which look at other rows: ``row_number``, ``lag``, ``min("x").over(w)``.

Law: ``σ_P(ω_{r = f over partition K}(d)) = ω(σ_P(d))`` for a P over K.
Condition: P is deterministic and alike on equal keys, and every column that it reads is one that *every* window
partitions by, by identity: the same column below as above. Spark moves such filters itself, as far as the next
boundary. ``rank ≤ k`` is another matter (top-k), and Spark's work.
Of a window that is partitioned by an expression e, P may read what e reads inside of e alone: then it is a condition on
e (facts, section C *win-expr*).
Why sound: K has one value in a partition, so P keeps or drops whole partitions.
Counterexamples without the condition: ``min("score").over()`` is 10, and 95 with score > 90 below it (polars#12102);
``lag`` takes the row before, which is gone (polars#8661, polars#29456); ``count().over()`` counts fewer (polars#5950).
Without identity: ``withColumns({"team": lit("x"), "n": count("*").over(partitionBy("team"))})`` partitions by the team
below, and ``team = 'x'`` above reads another (polars#28428).

As a boundary, for a P that keeps a prefix of the order of every window:
Law: ``σ_P(ω(d)) = ω(σ_P(d))``; of a P that only implies such a G, ``σ_P(ω(d)) = σ_P(ω(σ_G(d)))``, and the filter stays.
Condition: all windows are ordered by one column first, in one direction, and are *running*: ``row_number``, ``rank``,
``dense_rank``, ``lag`` and aggregates in the default frame look at no row behind their own and its peers. G is one
comparison of that column: the greatest first and ``≥`` or ``>``, the least first and ``≤`` or ``<``, with NULL if that
comes first; ``=`` implies such a one, and ``OR`` of those is another (``limit.prefix_of``).
Why sound: rows of a partition that G drops all stand behind those that it keeps, and peers go together, so that the
value of a kept row is made of kept rows. NaN is the greatest number to the order and to G alike.
Counterexamples without the condition: ``row_number`` of ``[NULL, 1, 2]`` gives 2 to the 1, and 1 if ``x <= 2`` has
dropped the NULL; ``lead`` of the 1 in ``[1, 2]`` is 2, and NULL behind ``x <= 1``; ``sum("x").over()`` has no order.
Reference: facts, section A w04b and section C *win-order-prefix*, *win-order-desc*, *win-lag*, *win-lead*; D 6f.
Reference: ANCHORS.md, items 4, 5 and 14; Spark ``PushPredicateThroughNonJoin``.
"""

from __future__ import annotations

from headwater_ir.expr import Col, Expr, columns_of, conjuncts, transform
from headwater_ir.plan import Project, Window
from headwater_ir.problem import Fold
from headwater_ir.types import ANY

from . import project
from .boundary import over_outputs
from .limit import prefixes_of, rows_in
from .outcome import Stop, check_equality
from .protocol import EVERY_COLUMN, Columns, Inputs, Operator


def through(predicate: Expr, node: Window, inputs: Inputs) -> Expr:
    """``predicate`` below ``node``, if it reads nothing but columns that every window partitions by."""
    read = columns_of(predicate)
    for window in node.windows:
        if window.name in read:
            raise Stop("row-context", f"`{window.name}` is made of other rows too")
    overwritten = {name for name, value in node.columns if value != Col(name)}
    partitions = [frozenset(w.partition or ()) for w in node.windows]
    captured = sorted(read & overwritten & frozenset[str]().union(*partitions))
    if captured:
        raise Stop("attribute-capture", f"the window partitions by another `{captured[0]}`, which is overwritten here")
    beside = Project(node.child, node.columns, node.keeps_others, (), node.span)
    everywhere = partitions[0].intersection(*partitions)
    moved = project.through(predicate, beside, inputs)
    computed = frozenset(node.windows[0].computed).intersection(*(w.computed for w in node.windows))
    # No column is called so: what is left of the columns that P reads are those outside of what is partitioned by.
    inside = transform(moved, lambda e: Col("#partition") if e in computed else None)
    if columns_of(inside) <= everywhere | {"#partition"}:
        check_equality(inside, "a window")
        return moved
    raise Stop("row-context", f"`{node.windows[0].name}` would see fewer rows if a filter ran before it")


def prefix(predicate: Expr, node: Window, inputs: Inputs) -> Expr | None:
    """What ``predicate`` implies that keeps a prefix of the order of every window, in terms of the child; None if that
    is nothing, or there is no such order."""
    order = node.order
    if order is None or node.boundary is None:
        return None
    beside = Project(node.child, node.columns, node.keeps_others, (), node.span)
    made = {w.name for w in node.windows}
    found: list[Expr] = []
    for part in conjuncts(predicate):
        if not columns_of(part) & made:
            try:
                found.append(project.through(part, beside, inputs))
            except Stop:
                continue
    return prefixes_of(found, order)


def meet(predicate: Expr, node: Window, inputs: Inputs) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """Each row of the child as a fold of its own that gives it back; ``predicate`` is what ``prefix`` says."""
    assert node.order is not None
    fold = rows_in(node.order, "window", inputs.type_of_column(node.child, node.order.column), node.facts)
    return fold, over_outputs(predicate, fold), ()


def columns(node: Window) -> Columns:
    """As of a projection; nothing is known of what a window function makes."""
    return Columns(dict(node.columns) | {w.name: ANY for w in node.windows}, node.child, node.keeps_others)


OPERATOR = Operator(Window, "window", through, columns, lambda _: EVERY_COLUMN, meet=meet)
