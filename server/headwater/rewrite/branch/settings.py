"""Whether Spark, or what its texts name, may be set otherwise between the original and the copy of it.

What a text names is looked up where a frame is made of it: with another configuration, or another function registered
under the same name, the copy is another frame. A function of the file that sets something counts wherever it is called;
where it may be called unseen, as a method is, or a lambda, it counts anywhere.
Counterexample: ``use_utc()`` between the two, which is written further up and sets the time zone of the session.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from headwater.frontend.context import Context

from .definitions import NoBranch

_TELLING = frozenset("conf setConf setLocalProperty".split())
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def check_settings(context: Context, since: ast.stmt, until: ast.stmt) -> None:
    """NoBranch if something may be set from the statement ``since`` on until ``until`` is through."""
    start, end = context.span(since).start, context.span(until).end
    tree = context.tree
    around = {id(f) for f in ast.walk(tree) if isinstance(f, _Function) and any(n is until for n in ast.walk(f))}
    functions: list[_Function] = []
    for node, way in _nodes(tree):
        if not _tells(node):
            continue
        if start < context.span(node).start < end:
            raise NoBranch("Spark may be set otherwise before the filter")
        inner = [f for f in way if id(f) not in around]
        functions += [f for f in inner if isinstance(f, _Function)]
        if any(not isinstance(f, _Function) for f in inner):
            raise NoBranch("a class or a lambda of the file may set Spark otherwise before the filter")
    names = {f.name for f in functions}
    size = -1
    while size < len(names):
        size = len(names)
        for node, way in _nodes(tree):
            if _name(node) in names:
                if any(isinstance(f, (ast.ClassDef, ast.Lambda)) and id(f) not in around for f in way):
                    raise NoBranch("a class or a lambda of the file may set Spark otherwise before the filter")
                names |= {f.name for f in way if isinstance(f, _Function) and id(f) not in around}
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    for node in ast.walk(tree) if names else ():
        if _name(node) in names and (id(node) not in called or start < context.span(node).start < end):
            raise NoBranch(f"`{_name(node)}` may set Spark otherwise before the filter")


def _nodes(tree: ast.AST) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    """The nodes of ``tree``, each with the functions, lambdas and classes that it stands in."""
    todo: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(tree, ())]
    while todo:
        node, way = todo.pop()
        yield node, way
        inner = (*way, node) if isinstance(node, _Function | ast.Lambda | ast.ClassDef) else way
        todo += [(child, inner) for child in ast.iter_child_nodes(node)]


def _name(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
            return name
    return None


def _tells(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=attr):
            return attr in _TELLING or attr.startswith("register")
        case ast.Call():
            return _runs_sql(node)
    return False


def _runs_sql(call: ast.Call) -> bool:
    """Whether ``call`` runs a statement of SQL that may be no query."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name != "sql":
        return False
    text = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
    return not isinstance(text, str) or text.split(maxsplit=1)[:1] not in (["select"], ["SELECT"], ["with"], ["WITH"])
