"""What statements evaluate, in which order, what they bind or change by it, and whether code that goes on after an
error may tell in which order they were run."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet

from headwater.pyspark.api.api_context import ApiContext
from headwater.syntax.names.caught_calls import key_of
from headwater.syntax.names.special_methods import LOGGED
from headwater_ir.assumptions import Assumption

from .caught import is_caught
from .places import Places

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_ALL = ("BaseException", "Exception")
CATCHES: tuple[type[ast.stmt], ...] = (ast.Try, ast.With, ast.AsyncWith)
"""Statements behind which the program may go on after an error in them."""
if hasattr(ast, "TryStar"):
    CATCHES = (*CATCHES, ast.TryStar)


def head(s: ast.stmt) -> list[ast.expr]:
    """What ``s`` evaluates first, once, whatever it does then."""
    match s:
        case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.Expr(value=value):
            return [value]
        case ast.AnnAssign(value=ast.expr() as value) | ast.Return(value=ast.expr() as value):
            return [value]
        case ast.Assert(test=test):
            return [test]  # the message is evaluated where the program ends
        case ast.If(test=test):
            return [test]
        case ast.For(iter=over):
            return [over]
        case ast.Raise(exc=ast.Call(func=ast.Name(), args=args, keywords=[])):
            return list(args)
    return []


def evaluated(s: ast.stmt) -> Iterator[tuple[ast.AST, bool]]:
    """The parts of what ``s`` evaluates first, as ``in_order`` has them."""
    for top in head(s):
        yield from in_order(top)


def is_simple(s: ast.stmt) -> bool:
    """Whether ``s`` does nothing but bind names to what its head is, or end the program."""
    match s:
        case ast.Assign(targets=targets):
            return all(map(_is_target, targets))
        case ast.AnnAssign(target=target, annotation=kind):
            return isinstance(target, ast.Name) and not any(isinstance(n, ast.Call) for n in ast.walk(kind))
        case ast.AugAssign(target=target):
            return isinstance(target, ast.Name)
        case ast.Expr() | ast.Assert() | ast.Pass():
            return True
    return False


def _is_target(target: ast.expr) -> bool:
    match target:
        case ast.Name():
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(isinstance(p, ast.Name) for p in parts)
        case ast.Subscript(value=ast.Name() | ast.Subscript() as of, slice=key):
            keys = key.elts if isinstance(key, ast.Tuple) else [key]
            return all(map(_is_key, keys)) and (isinstance(of, ast.Name) or _is_target(of))
    return False


def _is_key(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        return all(_is_key(v.value) for v in node.values if isinstance(v, ast.FormattedValue))
    return isinstance(node.value if isinstance(node, ast.Attribute) else node, (ast.Constant, ast.Name))


def changed_by(node: ast.AST) -> Iterator[str]:
    """The variables that hold what ``node`` changes in place."""
    match node:
        case ast.Subscript(value=of, ctx=ast.Store()):
            while isinstance(of, ast.Subscript):
                of = of.value
            if isinstance(of, ast.Name):
                yield of.id
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")):
            yield name


def in_order(node: ast.AST, sure: bool = True) -> Iterator[tuple[ast.AST, bool]]:
    """The parts of ``node`` as they are evaluated, it itself last, each with whether that is sure to happen, once."""
    parts: list[tuple[ast.AST, bool]]
    if isinstance(node, ast.Lambda):
        parts = []
    elif isinstance(node, ast.IfExp):
        parts = [(node.test, sure), (node.body, False), (node.orelse, False)]
    elif isinstance(node, ast.BoolOp):
        parts = [(v, sure and i == 0) for i, v in enumerate(node.values)]
    elif isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        parts = [(part, sure) for pair in pairs for part in pair if part is not None]
    elif isinstance(node, ast.Compare):
        parts = [(node.left, sure), *((c, sure and i == 0) for i, c in enumerate(node.comparators))]
    else:
        inside = not isinstance(node, COMPREHENSIONS)
        parts = [(c, sure and inside) for c in ast.iter_child_nodes(node) if not isinstance(c, ast.expr_context)]
    for part, certain in parts:
        yield from in_order(part, certain)
    yield node, sure


def tells(s: ast.stmt, bound: AbstractSet[str], places: Places) -> bool:
    """Whether what an error in ``s`` leads to may depend on that the statements in front of ``s`` have ``bound`` these
    variables, or have raised an error of another kind first."""
    around = [*places.outward(s)]
    inside: list[ast.AST] = [s, *around]
    for i, at in enumerate(around):
        if not isinstance(at, CATCHES):
            continue
        if not isinstance(at, ast.Try):
            return True  # it may hide some errors
        if not any(inside[i] is n for n in at.body) or not _is_caught_alike(at, places):
            return True
        if any(isinstance(n, _LOOPS) for n in around[i:]):
            return True  # the next turn may read what this one has bound
        if any(_is_read_outside(name, at, places) for name in bound):
            return True
    return False


def if_caught(node: ast.AST, places: Places, scope: ApiContext, others: Collection[str] = ()) -> tuple[Assumption, ...]:
    """What has to be true for an error of ``node`` to vanish with what is not computed, where the program goes on
    behind one. ``others``: as ``is_caught``."""
    caught, function = "what catches errors here", scope.function
    if not is_caught(node, places, others):
        key = None if function is None else key_of(function, method=scope.owner is not None)
        if function is None or key is None or not scope.names.goes_on_behind(key):
            return ()
        caught = f"what catches errors of `{function.name}`"
    return (Assumption("program", f"{caught} is not meant for rows and columns that nobody reads"),)


def _is_caught_alike(of: ast.Try, places: Places) -> bool:
    """Whether all errors lead to the same handler, if to any, which does not look at their kind."""
    if not of.handlers:
        return True
    handler = of.handlers[0]
    named = [n for s in handler.body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == handler.name]
    caught = handler.type
    plain = caught is None or (isinstance(caught, ast.Name) and caught.id in _ALL)
    return plain and all(_is_shown(n, places) for n in named)


def _is_shown(error: ast.expr, places: Places) -> bool:
    """Whether ``error`` is printed, logged or raised, or a text of it is, and nothing else is done with it."""
    match outer := places.around(error):
        case ast.FormattedValue() | ast.JoinedStr() | ast.Subscript() | ast.BinOp() | ast.Attribute(attr="__name__"):
            return _is_shown(outer, places)
        case ast.Call(func=ast.Name(id="str" | "repr" | "type")) | ast.Call(func=ast.Attribute(attr="format")):
            return _is_shown(outer, places)
        case ast.Call(func=function):
            raised = isinstance(places.around(outer), ast.Raise)
            logged = isinstance(function, ast.Attribute) and function.attr in LOGGED
            return raised or logged or (isinstance(function, ast.Name) and function.id == "print")
    return isinstance(outer, ast.Raise)


def _is_read_outside(name: str, of: ast.Try, places: Places) -> bool:
    """Whether the variable is read where the body of ``of`` has been left, or by a function, whenever it is called."""
    inside = {id(n) for s in of.body for n in ast.walk(s)}
    reads = (n for n in places.named(name) if not isinstance(n.ctx, ast.Store))
    return any(id(n) not in inside or places.is_in_a_function(n) for n in reads)
