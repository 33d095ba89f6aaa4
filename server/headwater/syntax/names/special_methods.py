"""Methods of the file's classes that expressions run which do not look like a call of them: printing, arithmetic,
an index, an attribute; and those that are taken for methods of lists and logs by their names."""

from __future__ import annotations

import ast

LOGGED = frozenset("critical debug error exception info log warn warning".split())
"""Methods of a log that write to it."""
_PLAIN = frozenset("__init__ __post_init__ __new__ __enter__ __exit__ __aenter__ __aexit__ __init_subclass__".split())
"""Special methods that no expression runs but a call of a class or a ``with``."""
_UNBOUND = ("abstractmethod", "classmethod", "override", "staticmethod")
"""Decorators that make no property of a method."""
_MEMO = "_run_by_expressions"


def run_by_expressions(statement: ast.stmt) -> frozenset[str]:
    """The full names of such methods of the classes in ``statement``."""
    if isinstance(statement, ast.ClassDef):  # of which an edit may replace one method
        mine = {f"{statement.name}.{m.name}" for m in statement.body if isinstance(m, ast.FunctionDef) and _is_one(m)}
        return frozenset(mine).union(*map(run_by_expressions, statement.body))
    known: frozenset[str] | None = getattr(statement, _MEMO, None)
    if known is None:
        inside = (n for n in ast.walk(statement) if isinstance(n, ast.ClassDef))
        known = frozenset[str]().union(*map(run_by_expressions, inside))
        setattr(statement, _MEMO, known)
    return known


def _is_one(method: ast.FunctionDef) -> bool:
    special = method.name.startswith("__") and method.name.endswith("__") and method.name not in _PLAIN
    decorated = any(not (isinstance(d, ast.Name) and d.id in _UNBOUND) for d in method.decorator_list)
    return special or decorated or method.name in LOGGED | {"append"}
