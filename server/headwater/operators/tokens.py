"""Columns of a type that has no model, of which nothing is asked but whether they are NULL.

Law: a value that is only looked at by ``IS NULL``, or handed to a function of which nothing is known, may be any value
of any type: what is proved of texts, of which there are as many as one likes, holds for it. What two of them have in
common, equality included, is for those functions to say.
Condition: no other read of the column: no comparison, which converts, no output that the filter reads; and the filter
has no text of its own that could be compared with one. A key is handed to no function: the rows of a group have keys
that are one to the grouping, and may differ to a function (a struct of -0.0 and one of 0.0).
Counterexample without the condition: ``max(x) = '7'`` of a column of structs does not analyse, and of one of numbers,
beside which the text is one, it is TRUE of 7.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from headwater_ir.expr import Call, Col, Expr, IsNull, Lit, Out, children, walk
from headwater_ir.problem import Fold
from headwater_ir.types import OPAQUE, STRING


def as_tokens(fold: Fold, predicate: Expr) -> Fold:
    """``fold`` with such columns as texts, and the keys among its outputs that nobody asks for."""
    opaque = {c.name for c in fold.columns if c.type == OPAQUE}
    if not opaque or any(isinstance(n, Lit) and n.type == STRING for n in walk(predicate)):
        return fold
    asked = {n.name for n in walk(predicate) if isinstance(n, Out)}
    unread = {o.name: o.value.name for o in fold.outputs if isinstance(o.value, Col) and o.name not in asked}
    values = [o.value for o in fold.outputs if o.name not in unread]
    parts = (*fold.init, *fold.step, *(fold.merge or ()), *fold.facts, fold.emit, *values)
    keys = frozenset(fold.keys)
    tokens = opaque - {name for e in parts for name in _looked_at(e, keys)}
    columns = tuple(replace(c, type=STRING) if c.name in tokens else c for c in fold.columns)
    outputs = tuple(replace(o, type=STRING) if unread.get(o.name) in tokens else o for o in fold.outputs)
    return replace(fold, columns=columns, outputs=outputs)


def _looked_at(e: Expr, keys: frozenset[str]) -> Iterator[str]:
    """Columns that ``e`` reads otherwise than to ask whether they are NULL, or, but for ``keys``, to hand them on."""
    if isinstance(e, Col):
        yield e.name
        return
    for child in children(e):
        free = isinstance(e, IsNull) or (isinstance(e, Call) and isinstance(child, Col) and child.name not in keys)
        if not (free and isinstance(child, Col)):
            yield from _looked_at(child, keys)
