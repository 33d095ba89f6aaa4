"""Columns of a ``select`` that nobody names: Spark calls ``F.upper("x")`` ``upper(x)``, ``x + 1`` ``(x + 1)``.

No such name is one that a filter can spell as a plain column, so which it is does not matter; what is computed keeps a
name of ours that no source can hold. Not so where Spark's name may be a plain one: a column, a literal, a cast of one,
a field, a generator, SQL text.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.names.pyspark_symbols import ROW
from headwater.syntax.names.resolve import Names

_CASTS = frozenset("cast astype try_cast".split())


def with_a_name(node: ast.expr, term: Term, number: int, names: Names) -> Term:
    """``term``, which ``node`` says, with a name if Spark's is none that anybody refers to."""
    return replace(term, name=f"<unnamed {number}>") if term.name is None and _is_computed(node, names) else term


def _is_computed(node: ast.expr, names: Names) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in _CASTS and not names.function(node.func):
            return _is_computed(inner, names)
        case ast.Call(func=func):
            return names.function(func) in ROW
        case ast.BinOp() | ast.Compare() | ast.UnaryOp(op=ast.Invert()):
            return True
    return False
