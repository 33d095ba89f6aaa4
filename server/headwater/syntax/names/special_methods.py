"""Methods of the file's classes that expressions run which do not look like a call of them: printing, arithmetic,
an index, an attribute; those that are taken for methods of lists and logs by their names; and what logs call for a
line, and dicts for a key that is not there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

LOGGED = frozenset("critical debug error exception info log warn warning".split())
"""Methods of a log that write to it."""
_PLAIN = frozenset("__init__ __post_init__ __new__ __enter__ __exit__ __aenter__ __aexit__ __init_subclass__".split())
"""Special methods that no expression runs but a call of a class or a ``with``."""
_OF_LOGS = frozenset("emit filter format formatMessage handle handleError makeRecord".split())
"""Methods of a class with a base that ``logging`` may call for a line."""
_OF_COLLECTIONS = frozenset("Counter OrderedDict defaultdict deque".split())
EMPTY = {
    **{name: f"collections.{name}" for name in _OF_COLLECTIONS},
    **dict.fromkeys("bool bytes dict float int list set str tuple".split()),
}
"""Classes of which a call without arguments makes an empty value, if no file binds the name to anything else."""
_UNBOUND = ("abstractmethod", "classmethod", "override", "staticmethod")
"""Decorators that make no property of a method."""
_MEMO = "_run_by_expressions"


def run_by_expressions(statement: ast.stmt) -> frozenset[str]:
    """The full names of such methods of the classes in ``statement``, and the names of what dicts call, some of which
    may be those of ``EMPTY``."""
    if isinstance(statement, ast.ClassDef):  # of which an edit may replace one method
        logs = _OF_LOGS if statement.bases else frozenset[str]()
        methods = [m for m in statement.body if isinstance(m, ast.FunctionDef)]
        mine = {f"{statement.name}.{m.name}" for m in methods if _is_one(m) or m.name in logs}
        return frozenset(mine).union(*map(run_by_expressions, statement.body))
    known: frozenset[str] | None = getattr(statement, _MEMO, None)
    if known is None:
        inside = (n for n in ast.walk(statement) if isinstance(n, ast.ClassDef))
        known = frozenset(_makers(statement)).union(*map(run_by_expressions, inside))
        setattr(statement, _MEMO, known)
    return known


def _makers(statement: ast.stmt) -> Iterator[str]:
    """What ``defaultdict`` is given in ``statement`` and calls for a key that is not there; under another name it may
    be given anything."""
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=function, args=[maker, *_]) if _last(function) == "defaultdict":
                lambda_ = isinstance(maker, ast.Lambda)
                called = [n.func for n in ast.walk(maker) if isinstance(n, ast.Call)] if lambda_ else [maker]
                yield from (_last(f) or "a function" for f in called if not _makes_empty(f))
            case ast.alias(name="defaultdict", asname=str(other)):
                yield other
            case ast.Assign(value=ast.Name(id="defaultdict") | ast.Attribute(attr="defaultdict")):
                yield "defaultdict"
            case ast.Attribute(attr="default_factory", ctx=ast.Store()):
                yield "default_factory"


def _makes_empty(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="collections"), attr=name):
            return name in _OF_COLLECTIONS
    return isinstance(node, ast.Constant)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_one(method: ast.FunctionDef) -> bool:
    special = method.name.startswith("__") and method.name.endswith("__") and method.name not in _PLAIN
    decorated = any(not (isinstance(d, ast.Name) and d.id in _UNBOUND) for d in method.decorator_list)
    return special or decorated or method.name in LOGGED | {"append"}
