"""Whether code may bind names that nobody sees it bind: ``exec(…)``, ``globals()["f"] = g``, ``vars().update(…)``."""

from __future__ import annotations

import ast
from collections.abc import Iterable

_RUNS = frozenset({"exec", "eval"})
_NAMESPACES = frozenset({"globals", "locals", "vars"})
_READS = frozenset({"get", "keys", "items", "values", "copy"})


def looks_at_scope(call: ast.Call) -> bool:
    """Whether ``call`` may read or bind variables by their names."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name in _RUNS or (name in _NAMESPACES and not call.args)


def binds_unseen(nodes: Iterable[ast.AST]) -> bool:
    """Whether code that is not there may run, or a namespace is used for more than looking a name up; ``nodes``: all of
    some code."""
    harmless: set[int] = set()
    found: list[int] = []
    for node in nodes:
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[namespace]):
                harmless.add(id(namespace))
            case ast.Subscript(value=namespace, ctx=ast.Load()):
                harmless.add(id(namespace))
            case ast.Call(func=ast.Attribute(value=namespace, attr=attr)) if attr in _READS:
                harmless.add(id(namespace))
            case ast.Call(func=ast.Name(id=name)) if name in _RUNS:
                return True
            case ast.Call(func=ast.Name(id=name), args=[]) if name in _NAMESPACES:
                found.append(id(node))
    return not harmless.issuperset(found)
