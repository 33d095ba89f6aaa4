"""SetOperation: ``intersect``, ``intersectAll``, ``subtract``, ``exceptAll``.

Law: ``σ_P(a ∩ b) = σ_P(a) ∩ σ_P(b)``, ``σ_P(a − b) = σ_P(a) − σ_P(b)``, counted or not.
Condition: P is deterministic, alike on rows that are equal here (NULL is NULL, NaN is NaN, -0.0 is 0.0), goes into each
side in terms of that side's columns, of which neither has another type than the result, and cannot raise. The filter
stays.
Why sound: a row of the result stands for rows of a, and for some of b or for none, that are all equal to it, so that P
is TRUE of all of them or of none; what is dropped on both sides is no row that passes. Spark moves such filters itself,
as far as the next boundary. P is asked of rows that are not in the result: so it must not raise.
Counterexamples without the condition: filtered on the right side only by another condition than on the left, ``a − b``
has more rows. ``cast(x as string) = '-0.0'`` is TRUE of the -0.0 of a and FALSE of the 0.0 of b that takes it away.
Reference: ANCHORS.md, *Except: left, or both*; facts, section C *intersect*, *except*; Spark
``PushPredicateThroughNonJoin``.
"""

from __future__ import annotations

from headwater_ir.expr import Col, Expr, columns_of, transform
from headwater_ir.plan import SetOperation

from .outcome import Down, Stop, alike, check_equality, may_raise
from .protocol import LAST, Columns, Inputs, Operator


def through(predicate: Expr, node: SetOperation, inputs: Inputs) -> tuple[Down, ...]:
    """``predicate`` on each side; Stop if it is not known which columns it reads there."""
    read, names = columns_of(predicate), dict(node.right_names or ())
    if not read <= names.keys():
        raise Stop("attribute-capture", f"which column is at which place of `{node.operator}` is not known")
    types = {alike(inputs.type_of_column(node.left, n), inputs.type_of_column(node.right, names[n])) for n in read}
    if types - {True}:
        raise Stop("opaque", f"`{node.operator}` may give the values of one input another type")
    check_equality(predicate, f"`{node.operator}`")
    if may_raise(predicate):
        raise Stop("may-throw", "the filter may raise on rows that are not in the result")
    renamed = transform(predicate, lambda e: Col(names[e.name]) if isinstance(e, Col) else None)
    both = node.operator.startswith("intersect")
    return Down(predicate, node.left), Down(renamed, node.right, whole=both)


def columns(node: SetOperation) -> Columns:
    """Those that the sides have by position, if they are known."""
    known = zip(node.right_names or (), node.types, strict=False)
    return Columns({ours: type_ for (ours, _), type_ in known}, ends=True)


OPERATOR = Operator(SetOperation, "set_operation", through, columns, lambda _: LAST, stays=True)
