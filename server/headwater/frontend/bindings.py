"""Which names a piece of code binds, reads, or captures. Nested function bodies are scopes of their own."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NESTED = (*_FUNCTIONS, *_COMPREHENSIONS)


def own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of this scope: bodies of nested functions and classes are left out, their names are not; nor is what
    the loops of a comprehension bind of this scope."""
    for node in nodes:
        yield node
        if isinstance(node, ast.comprehension):
            yield from own_nodes([node.iter, *node.ifs])
            continue
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            continue
        yield from own_nodes(ast.iter_child_nodes(node))


def bound_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that running ``nodes`` may bind or unbind in their scope."""
    found: set[str] = set()
    for node in own_nodes(nodes):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(a.asname or a.name.split(".")[0] for a in node.names)
        elif (isinstance(node, ast.ExceptHandler) and node.name) or (
            isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name
        ):
            found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
    return found


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.arg]:
    """All parameters of a function."""
    a = function.args
    extra = [p for p in (a.vararg, a.kwarg) if p]
    return [*a.posonlyargs, *a.args, *a.kwonlyargs, *extra]


def captured_names(nodes: Iterable[ast.AST]) -> Counter[str]:
    """Names that nested functions, classes and comprehensions read and do not bind themselves, with how often.

    The first iterable of a comprehension and the defaults of a lambda are read outside of it, whatever it binds.
    """
    found: Counter[str] = Counter()
    for node in nodes:
        for inner in ast.walk(node):
            if isinstance(inner, (*NESTED, ast.ClassDef)):
                own = _own_names(inner)
                reads = (n.id for n in ast.walk(inner) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
                found.update(r for r in reads if r not in own)
                found.update(r for r in _read_outside(inner) if r in own)
    return found


def _read_outside(node: ast.AST) -> list[str]:
    parts: list[ast.expr] = []
    if isinstance(node, ast.Lambda):
        parts = [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]
    elif isinstance(node, _COMPREHENSIONS):
        parts = [node.generators[0].iter]
    return [n.id for part in parts for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]


def _own_names(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Lambda):
        return {p.arg for p in parameters(node)}
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return {p.arg for p in parameters(node)} | bound_names(node.body)
    if isinstance(node, ast.ClassDef):
        return set()
    return bound_names(g.target for g in node.generators) if isinstance(node, _COMPREHENSIONS) else set()


def head_targets(whole: ast.stmt) -> set[str]:
    """Names that the head of a ``with`` or ``match`` binds."""
    if isinstance(whole, (ast.With, ast.AsyncWith)):
        return bound_names(i.optional_vars for i in whole.items if i.optional_vars)
    if isinstance(whole, ast.Match):
        return bound_names(c.pattern for c in whole.cases)
    return set()
