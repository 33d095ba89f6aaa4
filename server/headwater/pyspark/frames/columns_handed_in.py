"""What a method of a frame is given that other code may have made a column of, with a function of the user's in it.

Such a column is taken to be a plain one. In a file that hands Spark a function with a side effect, that it has none is
an assumption, as it is of the functions below a frame that the file does not show.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator
from functools import partial
from typing import NamedTuple

from headwater.syntax.names.resolve import Names
from headwater.syntax.source.ast_walk import children
from headwater_ir.plan import Plan

from .tracked_values import Binding, Unevaluated, Unknown


class HandedIn(NamedTuple):
    """``given``: in words, what the operator on top of ``plan`` may be given as columns of other code; ``by_call``:
    where it is written a call is followed, and not the code by itself."""

    plan: Plan
    given: tuple[str, ...]
    by_call: bool


_DEEPEST = 6
_NAMES_A_COLUMN = ("col", "column")
_DEFINED = {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef}


def columns_handed_in(
    node: ast.AST, names: Names, lookup: Callable[[str], Binding | None], depth: int = _DEEPEST
) -> Iterator[str]:
    """In words, each value in ``node`` of which the file does not say what it is, and that may be a column, or hold
    one, or a text that calls a function."""
    match node:
        case ast.Constant() | ast.expr_context():
            return
        case ast.Call(func=function, args=[ast.Name()], keywords=[]) if names.function(function) in _NAMES_A_COLUMN:
            return
        case ast.Call(func=function) if names.function(function) is not None:
            parts: list[ast.AST] = [*node.args, *node.keywords]
        case ast.Attribute(value=ast.Name()) if any(columns_handed_in(node.value, names, lookup, 0)):
            yield f"`{ast.unparse(node)}`"
            return
        case ast.Name(id=name) if name in names.imported or lookup(name) is None:
            return  # what other files define is asked for where the call is read; a comprehension goes through its own
        case ast.Name(id=name):
            bound = lookup(name)
            held = None if bound is None or bound.is_frame else bound.value
            if isinstance(held, Unknown) and not (
                held.never_frame or held.is_frame or names.ctx.bound_by(name) & _DEFINED
            ):
                yield f"`{name}`" if held.origin == "an argument" else held.origin
            parts = [held.node] if isinstance(held, Unevaluated) and depth else []
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() | ast.Lambda():
            bound_here = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            bound_here |= {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)}
            lookup, parts = partial(_outside, bound_here, lookup), children(node)
        case _:
            parts = children(node)
    for part in parts:
        yield from columns_handed_in(part, names, lookup, depth - isinstance(node, ast.Name))


def _outside(own: Container[str], lookup: Callable[[str], Binding | None], name: str) -> Binding | None:
    """What ``name`` holds, if it is none of the variables ``own`` of a comprehension."""
    return None if name in own else lookup(name)
