"""What a loop goes through, as far as it may be gone through twice.

The world is closed: an expression that is not named here may give other values the second time, or none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple, Union

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.tracked_values import Unevaluated, Unknown
from headwater.python.effects.containers_read import Containers

from ..literals import number

MOST_NUMBERS = 50
"""Of the numbers of a ``range``, each of which is an aggregate."""
_DEEPEST = 5
_THE_SAME = frozenset("list tuple sorted reversed".split())
"""Python's functions that give the elements of what they are given, in some order."""
_ITERATORS = frozenset(f"builtins.{n}" for n in "enumerate filter iter map reversed zip".split())
"""Those of which the values can be gone through once."""

Kind = Union[str, tuple["Kind", ...]]
"""Of an element: ``name`` for the name of a column of the frame, ``text`` for any, ``given`` for what is not known."""
_OF_FRAMES: dict[str, Kind] = {"columns": "name", "dtypes": ("name", "text"), "schema": "given"}


class Elements(NamedTuple):
    """``items``: the expressions that each turn may have, None if these do not stand in the file; ``kind``: what each
    is then. ``some``: whether there surely is one; ``given``: what has to be a list."""

    items: tuple[ast.expr, ...] | None
    kind: Kind = "given"
    some: bool = False
    given: tuple[str, ...] = ()


def elements_of(
    of: ast.expr, frame: str, scope: ApiContext, untouched: Callable[[str], bool], deep: int = _DEEPEST
) -> Elements | None:
    """What going through ``of`` gives; None if it is not known that it gives the same each time. ``frame``: a variable
    that surely holds a frame; ``untouched``: whether the list that a variable was bound to is surely as it was made."""

    def inner(node: ast.expr) -> Elements | None:
        return elements_of(node, frame, scope, untouched, deep - 1) if deep else None

    def is_frame(node: ast.expr) -> bool:
        bound = scope.lookup(ast.unparse(node)) if isinstance(node, (ast.Name, ast.Attribute)) else None
        return ast.unparse(node) == frame or (bound is not None and bound.is_frame)

    match of:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return _listed(elements, scope)
        case ast.Dict(keys=keys):
            return _listed([k for k in keys if k is not None], scope) if _are_different(keys) else None
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined([inner(left), inner(right)])
        case ast.Subscript(value=whole, slice=ast.Slice()):
            found = inner(whole)
            return None if found is None else found._replace(some=False)
        case ast.ListComp(elt=ast.Name(id=name), generators=[ast.comprehension(target=target, iter=over, ifs=ifs)]):
            found = inner(over)
            if found is not None and kinds_of(target, found.kind).get(name) == "name":
                return Elements(None, "name")
            return Elements(None, given=(ast.unparse(of),)) if found is not None and ifs is not None else None
        case ast.Call(func=function, args=args, keywords=keywords):
            return _called(scope.names.resolve(function), args, keywords, of, scope, inner)
        case ast.Attribute(value=ast.Attribute(value=owner, attr="schema"), attr="names" | "fields" as attribute):
            kind: Kind = "name" if attribute == "names" else "given"
            return Elements(None, kind) if is_frame(owner) else None
        case ast.Attribute(value=owner, attr="columns" | "dtypes" | "schema" as attribute) if is_frame(owner):
            return Elements(None, _OF_FRAMES[attribute])
        case ast.Attribute() if scope.attribute(of) is not None:
            return Elements(None, given=(ast.unparse(of),))
        case ast.Name(id=name) if name not in scope.names.rebound:
            bound = scope.lookup(name)
            held = None if bound is None else bound.value
            if isinstance(held, Unknown) and held.why is None and name not in scope.names.mutated:
                return Elements(None, given=(name,))
            if bound is not None and isinstance(held, Unevaluated) and not isinstance(held.node, ast.Name):
                iterates = isinstance(held.node, ast.Call) and scope.names.resolve(held.node.func) in _ITERATORS
                if not iterates and (Containers.of(scope.names).never_changed(name) or untouched(name)):
                    known = inner(held.node) if bound.outdated(scope.lookup) is None else None
                    return known or (Elements(None, given=(name,)) if _may_be_a_list(held.node, scope) else None)
    return None


def _joined(parts: list[Elements | None]) -> Elements | None:
    """The elements of one list behind those of another."""
    known = [p for p in parts if p is not None]
    if len(known) < len(parts):
        return None
    lists = [p.items for p in known if p.items is not None]
    some = any(p.some for p in known)
    if len(lists) == len(parts):
        return Elements(tuple(i for items in lists for i in items), some=some)
    return Elements(None, some=some, given=tuple(g for p in known for g in p.given))  # a name may be there twice


def _called(
    function: str | None, args: list[ast.expr], keywords: list[ast.keyword], call: ast.Call, scope: ApiContext,
    inner: Callable[[ast.expr], Elements | None],
) -> Elements | None:  # fmt: skip
    """What going through the result of ``call`` gives."""
    name = (function or "").removeprefix("builtins.")
    match call.func:
        case ast.Attribute(value=of, attr="keys" | "values" | "items" as view) if not args and not keywords:
            return _of_view(of, view, scope, inner)
    if function != f"builtins.{name}" or any(isinstance(a, ast.Starred) for a in args):
        return None
    if name in _THE_SAME and len(args) == 1 and all(k.arg == "reverse" for k in keywords):
        return inner(args[0])
    if name == "range" and not keywords:
        bounds = [n for a in args if (n := _number(a, inner)) is not None]
        if not 0 < len(args) == len(bounds) or not 0 < _numbers(bounds) <= MOST_NUMBERS:
            return None
        return Elements(tuple(ast.copy_location(ast.Constant(n), call) for n in range(*bounds)), some=True)
    if name not in ("enumerate", "zip") or not args:
        return None
    if name == "enumerate" and all(number(s) is not None for s in (*args[1:], *(k.value for k in keywords))):
        parts = [Elements(None, "given"), inner(args[0])]
    else:
        parts = [] if keywords or name == "enumerate" else [inner(a) for a in args]
    known = [p for p in parts if p is not None]
    if not parts or len(known) != len(parts):
        return None
    return _in_step(known, call, counted=name == "enumerate")


def _number(node: ast.expr, inner: Callable[[ast.expr], Elements | None]) -> int | None:
    """The number that ``node`` is: of the elements of a list in the file, perhaps with another one added to it."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=ast.Constant(value=int() as more)):
            known = _number(left, inner)
            return None if known is None else known + (more if isinstance(op, ast.Add) else -more)
        case ast.Call(func=ast.Name(id="len"), args=[of], keywords=[]):
            found = inner(of)
            return len(found.items) if found is not None and found.items is not None else None
    return number(node)


def _in_step(parts: list[Elements], at: ast.expr, *, counted: bool) -> Elements:
    """The tuples of an element of each of ``parts``, the first of which are numbers if they are ``counted``."""
    lists = [p.items for p in parts[counted:] if p.items is not None]
    given = tuple(g for p in parts for g in p.given)
    some = all(p.some for p in parts[counted:])
    if len(lists) < len(parts) - counted:
        return Elements(None, tuple(p.kind for p in parts), some, given)
    rows = [(ast.Constant(i), *r) if counted else r for i, r in enumerate(zip(*lists, strict=False))]
    return Elements(tuple(_tuple(row, at) for row in rows), some=some)


def _of_view(
    of: ast.expr, view: str, scope: ApiContext, inner: Callable[[ast.expr], Elements | None]
) -> Elements | None:
    """The keys, values or pairs of the dict ``of``."""
    held: ast.AST = of
    if isinstance(of, ast.Name) and (bound := scope.lookup(of.id)) is not None:
        held = bound.value.node if isinstance(bound.value, Unevaluated) else of
    found = inner(of)
    if found is None or found.items is None:
        return found and found._replace(kind=("given", "given") if view == "items" else "given")
    if not isinstance(held, ast.Dict):
        return None
    values = _listed(held.values, scope)
    if view == "keys" or values is None or values.items is None:
        return found if view == "keys" else None
    if view == "values":
        return values
    return _in_step([found, values], of, counted=False)


def _listed(elements: list[ast.expr], scope: ApiContext) -> Elements | None:
    """``elements``, each as what it surely is."""
    if any(isinstance(e, ast.Starred) for e in elements):
        return None
    return Elements(tuple(_held(e, scope) for e in elements), some=bool(elements))


def _held(node: ast.expr, scope: ApiContext) -> ast.expr:
    """What the variable ``node`` holds, where an expression made it that gives the same now; else ``node``."""
    bound = scope.lookup(node.id) if isinstance(node, ast.Name) and node.id not in scope.names.rebound else None
    if bound is None or not isinstance(bound.value, Unevaluated) or bound.outdated(scope.lookup) is not None:
        return node
    return bound.value.node


def _are_different(keys: list[ast.expr | None]) -> bool:
    values = [k.value for k in keys if isinstance(k, ast.Constant)]
    return len({*values}) == len(keys)


def _may_be_a_list(node: ast.expr, scope: ApiContext) -> bool:
    """Whether ``node``, which is not evaluated again, is a list, or a value of which nothing says that it is none."""
    if isinstance(node, ast.Call):
        function = scope.names.resolve(node.func) or ""
        return not function.startswith(("builtins.", "itertools."))
    return isinstance(node, (ast.ListComp, ast.List, ast.BinOp, ast.Subscript, ast.Attribute))


def _tuple(parts: tuple[ast.expr, ...], at: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Tuple([*parts], ast.Load()), at)


def _numbers(bounds: list[int]) -> int:
    """How many numbers ``range`` of these has, 0 if there is none."""
    return len(range(*bounds)) if len(bounds) < 4 and 0 not in bounds[2:] else 0


def kinds_of(target: ast.expr, kind: Kind) -> dict[str, Kind]:
    """What each variable in ``target`` holds, which an element of this ``kind`` is assigned to."""
    match target:
        case ast.Name(id=name):
            return {name: kind}
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            kinds = kind if isinstance(kind, tuple) and len(kind) == len(parts) else ("given",) * len(parts)
            return {n: k for p, of in zip(parts, kinds, strict=True) for n, k in kinds_of(p, of).items()}
    return {}


def assigned(target: ast.expr, item: ast.expr) -> dict[str, ast.expr] | None:
    """What each variable in ``target`` holds where ``item`` is assigned to it; None if that is not known."""
    match target, item:
        case ast.Name(id=name), _:
            return {name: item}
        case ((ast.Tuple(elts=parts) | ast.List(elts=parts)), (ast.Tuple(elts=items) | ast.List(elts=items))):
            found = [assigned(p, i) for p, i in zip(parts, items, strict=False)]
            known = [f for f in found if f is not None]
            return {n: v for f in known for n, v in f.items()} if len(known) == len(parts) == len(items) else None
    return None
