"""Which context managers let every exception out of their block, so that what follows it ran after all of it."""

from __future__ import annotations

import ast

from headwater.syntax.names.resolve import Names
from headwater.syntax.source.bindings import own_nodes

_PLAIN = frozenset(
    """
    builtins.open contextlib.closing contextlib.nullcontext contextlib.redirect_stdout contextlib.redirect_stderr
    warnings.catch_warnings tempfile.TemporaryDirectory tempfile.NamedTemporaryFile tempfile.TemporaryFile
    threading.Lock threading.RLock
    """.split()
)


def lets_out(manager: ast.expr, names: Names) -> bool:
    """Whether leaving ``with manager`` never hides an exception; False if that is not known."""
    if not isinstance(manager, ast.Call):
        return False
    if names.resolve(manager.func) in _PLAIN or _is_session(manager, names):
        return True
    if not isinstance(manager.func, ast.Name) or manager.func.id in names.imported | names.mutated | names.rebound:
        return False
    function = names.ctx.function(manager.func.id)
    if function is not None:
        return _yields_plainly(function, names)
    definition = names.ctx.class_definition(manager.func.id)
    return definition is not None and _exits_with_nothing(definition, names)


def _is_session(node: ast.expr, names: Names) -> bool:
    """``SparkSession.builder….getOrCreate()``: leaving it stops the session."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "getOrCreate":
        return False
    root: ast.expr = node
    while isinstance(root, (ast.Attribute, ast.Call)):
        if names.resolve(root) == "pyspark.sql.SparkSession":
            return True
        root = root.func if isinstance(root, ast.Call) else root.value
    return names.resolve(root) == "pyspark.sql.SparkSession"


def _exits_with_nothing(definition: ast.ClassDef, names: Names) -> bool:
    bases = [names.resolve(b) for b in definition.bases]
    if names.ctx.mentions("setattr"):
        return False
    if definition.keywords or definition.decorator_list or any(b != "builtins.object" for b in bases):
        return False
    if any(isinstance(n, ast.Attribute) and n.attr in ("__class__", "__exit__") for n in ast.walk(definition)):
        return False
    if any(getattr(n, "name", getattr(n, "id", None)) == "__new__" for n in ast.walk(definition)):
        return False  # it may make something else
    exits = [n for n in ast.walk(definition) if getattr(n, "name", getattr(n, "id", None)) == "__exit__"]
    if len(exits) != 1 or exits[0] not in definition.body:
        return False
    function = exits[0]
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    return all(isinstance(n, ast.Return) <= _is_nothing(getattr(n, "value", None)) for n in own_nodes(function))


def _is_nothing(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value in (None, False))


def _yields_plainly(function: ast.FunctionDef, names: Names) -> bool:
    """A ``@contextmanager`` whose ``yield`` stands in no ``try`` that could hide what comes out of it."""
    if [names.resolve(d) for d in function.decorator_list] != ["contextlib.contextmanager"]:
        return False
    return not any(
        _may_hide(n) for n in own_nodes(function) if type(n).__name__ in ("Try", "TryStar", "With", "AsyncWith")
    )


def _may_hide(node: ast.AST) -> bool:
    if not any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node)):
        return False
    if not isinstance(node, ast.Try) or node.handlers:
        return True
    return any(isinstance(n, (ast.Return, ast.Break, ast.Continue)) for s in node.finalbody for n in ast.walk(s))
