"""Project: ``σ_P(π_{a = e, …}(d)) = π_{a = e, …}(σ_{P[a := e]}(d))``.

Condition: what P reads is a column that passes through, or is defined by a deterministic expression that cannot raise.
Why sound: the projection gives one row per row, and P[a := e] has on the input row the value that P has on the
output row.
An expression that may raise stops the move: below the projection, P would be decided by a value whose evaluation order
against other conditions is not the user's any more.
Columns are substituted by identity: ``a`` above is ``e`` below, whatever below is called ``a``.
Counterexample without substitution: ``select(b.alias("a"), a.alias("b")).filter(a > 1)`` would filter the wrong column
(polars#21439).
Reference: Spark ``PushPredicateThroughNonJoin``; ANCHORS.md.
"""

from __future__ import annotations

from headwater_ir.expr import Col, Expr, columns_of, transform
from headwater_ir.plan import Project
from headwater_ir.unread import why_unread

from .outcome import Stop, may_raise
from .protocol import Columns, Inputs, Operator


def through(predicate: Expr, node: Project, inputs: Inputs) -> Expr:
    """``predicate`` in terms of the projection's input; Stop if it cannot be."""
    defined = dict(node.columns)
    for name in sorted(columns_of(predicate)):
        if name in defined:
            _check(name, defined[name])
        elif not node.keeps_others or name in node.dropped:
            raise Stop("attribute-capture", f"`{name}` is not a column below the projection")
    return transform(predicate, lambda e: defined.get(e.name) if isinstance(e, Col) else None)


def _check(name: str, value: Expr) -> None:
    why = why_unread(value)
    if why is not None:
        raise Stop("opaque", f"`{name}` is computed by what has no model: {why}")
    if may_raise(value):
        raise Stop("may-throw", f"`{name}` is computed by an expression that may raise")


def renames(node: Project) -> bool:
    """Whether a column above is not the column of the same name below."""
    return any(value != Col(name) for name, value in node.columns)


def columns(node: Project) -> Columns:
    """Those that it defines, and the others of its input that it keeps."""
    return Columns(dict(node.columns), node.child, node.keeps_others, node.dropped)


OPERATOR = Operator(Project, "project", through, columns, renames=renames)
