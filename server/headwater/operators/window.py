"""Window: a projection some columns of which look at other rows: ``row_number``, ``lag``, ``min("x").over(w)``.

Law: ``σ_P(ω_{r = f over partition K}(d)) = ω(σ_P(d))`` for a P over K.
Condition: P is deterministic and alike on equal keys, and every column that it reads is one that *every* window
partitions by, by identity: the same column below as above. Spark moves such filters itself, as far as the next
boundary. ``rank ≤ k`` is another matter (top-k), and Spark's work.
Why sound: K has one value in a partition, so P keeps or drops whole partitions.
Counterexamples without the condition: ``min("score").over()`` is 10, and 95 with score > 90 below it (polars#12102);
``lag`` takes the row before, which is gone (polars#8661, polars#29456); ``count().over()`` counts fewer (polars#5950).
Without identity: ``withColumns({"team": lit("x"), "n": count("*").over(partitionBy("team"))})`` partitions by the team
below, and ``team = 'x'`` above reads another (polars#28428).
Reference: ANCHORS.md, items 4, 5 and 14; Spark ``PushPredicateThroughNonJoin``.
"""

from __future__ import annotations

from headwater_ir.expr import Col, Expr, columns_of
from headwater_ir.plan import Project, Window

from . import project
from .outcome import Stop, check_equality


def through(predicate: Expr, node: Window) -> Expr:
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
    moved = project.through(predicate, beside)
    if columns_of(moved) <= everywhere:
        check_equality(moved, "a window")
        return moved
    raise Stop("row-context", f"`{node.windows[0].name}` would see fewer rows if a filter ran before it")
