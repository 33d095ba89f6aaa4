"""What a function whose body has no meaning here shows of doing more than computing a value.

Nothing found is no proof of purity: that stays an assumption. But what shows itself is refused by name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..bindings import bound_names, parameters
from ..context import Context, Refusal
from ..names import Names
from .purity import refuse_call

_STATEMENTS = (
    ast.Global, ast.Nonlocal, ast.With, ast.AsyncWith, ast.AsyncFor, ast.Await, ast.Yield, ast.YieldFrom, ast.Delete,
    ast.Import, ast.ImportFrom, ast.AsyncFunctionDef, ast.ClassDef,
)  # fmt: skip
_DEEPEST = 6

Function = ast.FunctionDef | ast.Lambda


def first_effect(ctx: Context, names: Names, function: Function, depth: int = 0) -> Refusal | None:
    """Why ``function``, or a function of the file that it calls, is more than a computation; None if nothing shows."""
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    own = bound_names(body) - {p.arg for p in parameters(function)}
    for node in (n for part in body for n in ast.walk(part)):
        found = next(_effects(ctx, names, node, own), None)
        if found is not None:
            return found
        called = ctx.function(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        if called is not None and called is not function:
            inside = first_effect(ctx, names, called, depth + 1) if depth < _DEEPEST else _too_deep(node)
            if inside is not None:
                return inside
    return None


def _too_deep(node: ast.AST) -> Refusal:
    return Refusal("opaque", "the function calls others too deeply to look for side effects", node)


def _effects(ctx: Context, names: Names, node: ast.AST, own: set[str]) -> Iterator[Refusal]:
    if isinstance(node, _STATEMENTS):
        yield Refusal("side-effect", f"a `{type(node).__name__.lower()}` in a function that has no meaning here", node)
    elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
        if _root(node) not in own:
            yield Refusal("side-effect", f"`{ctx.text(node)}` is set", node)
    elif isinstance(node, ast.Call):
        origin = names.resolve(node.func) or (f"builtins.{node.func.id}" if isinstance(node.func, ast.Name) else None)
        refusal = refuse_call(ctx, origin, node)
        own_object = isinstance(node.func, ast.Attribute) and origin is None and _root(node.func) in own
        if refusal.obstruction in ("side-effect", "volatile") and not own_object:
            yield refusal


def _root(node: ast.expr) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
