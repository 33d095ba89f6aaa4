"""Lists of aggregates that are unpacked as arguments of ``agg``: ``*[max(c).alias(c) for c in columns]``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.tracked_values import Unevaluated
from headwater.pyspark.walls.each_turn.clauses import names_in
from headwater.python.effects.containers_read import Containers

_IN_NAMES = (ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.Name, ast.BinOp, ast.Add, ast.expr_context)
_IN_TESTS = (ast.Constant, ast.Name, ast.List, ast.Tuple, ast.Set, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop)
_OF_VALUES = ("range", "enumerate", "zip", "list", "sorted", "set")
"""Functions of Python's that make a list of values of another one."""

Untouched = Callable[[str], bool]
"""Whether the list that a variable was bound to is surely as it was made."""


class Elements:
    """The elements of a list, each of which binds a name to an aggregate. ``made``: the list as it is written, ``own``:
    the variables that it binds."""

    def __init__(self, made: ast.expr, aggregates: Sequence[ast.expr], own: frozenset[str] = frozenset()) -> None:
        self.made, self.aggregates, self.own = made, aggregates, own


def elements(of: ast.expr, scope: ApiContext, untouched: Untouched) -> Elements | None:
    """The elements of the list ``of``, or of the one that a variable holds; None if making it may do more, or some
    element gives no name to what it is."""
    made = _written(of, scope, untouched)
    if made is None:
        return None
    of = made
    match of:
        case ast.List(elts=given) | ast.Tuple(elts=given):
            found = [*map(_of_a_name, given)]
            return Elements(of, [f for f in found if f is not None]) if given and None not in found else None
        case ast.ListComp(elt=element, generators=[ast.comprehension(target, over, tests, 0)]):
            one = _of_a_name(element)
            parts = (n for part in (over, *tests) for n in ast.walk(part))
            if one is not None and all(_is_plain(n, scope) for n in parts):
                return Elements(of, [one], names_in(target))
    return None


def has_elements(of: ast.expr, scope: ApiContext, untouched: Untouched) -> bool:
    """Whether the list ``of`` is surely not empty."""
    match _written(of, scope, untouched):
        case ast.List(elts=given) | ast.Tuple(elts=given):
            return any(not isinstance(g, ast.Starred) for g in given)
    return False


def _written(of: ast.expr, scope: ApiContext, untouched: Untouched) -> ast.expr | None:
    """The list ``of`` as it is written, which a variable may hold; None if it may be another one by now."""
    if not isinstance(of, ast.Name):
        return of
    bound = scope.lookup(of.id)
    held = None if bound is None or of.id in scope.names.rebound else bound.value
    kept = isinstance(held, Unevaluated) and (Containers.of(scope.names).never_changed(of.id) or untouched(of.id))
    return held.node if kept and isinstance(held, Unevaluated) else None


def _of_a_name(element: ast.expr) -> ast.expr | None:
    """What ``element`` is, if it is that under a name."""
    match element:
        case ast.Call(func=ast.Attribute(value=made, attr="alias"), args=[name], keywords=[]):
            return made if all(isinstance(n, _IN_NAMES) or _is_of_text(n) for n in ast.walk(name)) else None
    return None


def _is_of_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str"


def _is_plain(node: ast.AST, scope: ApiContext) -> bool:
    """Whether ``node``, once its parts are evaluated, does no more than to compare values and to list them."""
    match node:
        case ast.Attribute(value=of, attr="columns" | "dtypes"):
            return isinstance(of, ast.Name) or scope.attribute(of) is not None
        case ast.Attribute():
            return isinstance(scope.attribute(node), str)
        case ast.Call(func=function, keywords=[]):
            return (scope.names.resolve(function) or "").removeprefix("builtins.") in _OF_VALUES
    return isinstance(node, (*_IN_TESTS, ast.UnaryOp, ast.unaryop, ast.expr_context))
