"""Functions that an expression makes of functions of the file: ``functools.partial(f, 3)``, and ``make(3)`` where
``make`` defines one function and returns it.

Law: the function is the one in the text, with the parameters that are given, or those of the function around it,
assigned before its body runs. Condition: what is given is a constant that nothing can change, and is written in the
call; the function around does nothing else; no name is declared ``nonlocal``, which would be kept between calls.
"""

from __future__ import annotations

import ast
import copy

from headwater.syntax.source.bindings import own_nodes

from .resolve import Names

_PARTIAL = "functools.partial"


def made_function(node: ast.expr, names: Names) -> ast.FunctionDef | None:
    """The function that ``node`` makes, at the place of ``node``; None if it makes none in one of these ways."""
    if isinstance(node, ast.Name) and node.id not in names.mutated | names.rebound:
        node = names.ctx.constant(node.id) or node
    if not isinstance(node, ast.Call):
        return None
    key = f"function made at {id(node)}"
    if key not in names.ctx.memo:
        names.ctx.memo[key] = _partial(node, names) or _closure(node, names)
    found = names.ctx.memo[key]
    return found if isinstance(found, ast.FunctionDef) else None


def _partial(node: ast.Call, names: Names) -> ast.FunctionDef | None:
    if names.resolve(node.func) != _PARTIAL or not node.args:
        return None
    definition = _definition(node.args[0], names)
    given = None if definition is None else _bound(definition, node.args[1:], node.keywords, partial=True)
    return None if definition is None or given is None else _with(definition, given, definition.args, node)


def _closure(node: ast.Call, names: Names) -> ast.FunctionDef | None:
    around = _definition(node.func, names)
    if around is None:
        return None
    match [s for s in around.body if not _is_doc(s)]:
        case [ast.FunctionDef(name=name, decorator_list=[]) as made, ast.Return(value=ast.Name(id=returned))]:
            given = _bound(around, node.args, node.keywords, partial=False)
            kept = any(isinstance(n, (ast.Nonlocal, ast.Global)) for n in ast.walk(made))
            if name != returned or given is None or kept or made.args.defaults or any(made.args.kw_defaults):
                return None
            return _with(made, given, made.args, node)
    return None


def _definition(node: ast.expr, names: Names) -> ast.FunctionDef | None:
    if not isinstance(node, ast.Name) or node.id in names.imported:
        return None
    found = names.ctx.function(node.id)
    plain = found is not None and not found.decorator_list and not any(isinstance(n, _YIELDS) for n in own_nodes(found))
    return found if plain else None


_YIELDS = (ast.Yield, ast.YieldFrom, ast.Await)


def _bound(
    function: ast.FunctionDef, given: list[ast.expr], named: list[ast.keyword], *, partial: bool
) -> dict[str, ast.expr] | None:
    """The constants that parameters of ``function`` get; of a function that is called, all of them."""
    args = function.args
    if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs or len(given) > len(args.args):
        return None
    places = [a.arg for a in args.args]
    found = dict(zip(places, given, strict=False))
    for keyword in named:
        if keyword.arg is None or keyword.arg in found or keyword.arg not in places:
            return None
        found[keyword.arg] = keyword.value
    defaults = dict(zip(reversed(places), reversed(args.defaults), strict=False))
    if partial:
        # A parameter behind one that is given by name could be given by name only.
        free = [p for p in places if p not in found]
        if defaults or any(places.index(p) > places.index(k.arg or "") for p in free for k in named):
            return None
    else:
        found = {**defaults, **found}
    return found if all(map(_is_constant, found.values())) and (partial or len(found) == len(places)) else None


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return isinstance(operand, ast.Constant)
        case ast.Tuple(elts=elts):
            return all(map(_is_constant, elts))
    return isinstance(node, ast.Constant)


def _with(
    function: ast.FunctionDef, given: dict[str, ast.expr], parameters: ast.arguments, node: ast.Call
) -> ast.FunctionDef:
    """``function`` without the parameters that are given, which its body assigns first."""
    own = copy.copy(parameters)
    own.args = [a for a in parameters.args if function.args is not parameters or a.arg not in given]
    shadowed = {a.arg for a in own.args}
    first: list[ast.stmt] = [
        ast.copy_location(ast.Assign([ast.copy_location(ast.Name(name, ast.Store()), value)], value), value)
        for name, value in given.items()
        if name not in shadowed
    ]
    made = ast.FunctionDef(function.name, own, [*first, *function.body], [], function.returns)
    return ast.copy_location(made, node)


def _is_doc(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
