"""Whether code may bind names that nobody sees it bind: ``exec(…)``, ``globals()["f"] = g``, ``vars().update(…)``."""

from __future__ import annotations

import ast
from collections.abc import Iterable

_RUNS = frozenset({"exec", "eval"})
_NAMESPACES = frozenset({"globals", "locals", "vars"})
_READS = frozenset({"get", "keys", "items", "values", "copy"})
_OWN = frozenset({"self", "cls"})
_OF_OBJECTS = frozenset({"type", "getattr", "setattr", "delattr", "super"})
_PLAIN = frozenset({"__name__", "__main__", "__file__", "__doc__", "__version__", "__future__", "__init__"})
_INTERNALS = frozenset(
    """
    __code__ __defaults__ __kwdefaults__ __closure__ __globals__ __builtins__ cell_contents
    """.split()
)
"""Attributes through which a function, or what its names mean, can be replaced."""


def names_internals(nodes: Iterable[ast.Attribute | ast.Name | ast.Constant]) -> bool:
    """Whether one of the nodes is an internal of functions or the name of one: ``g.__code__ = h.__code__``."""
    for node in nodes:
        named = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else node.value
        if isinstance(named, str) and named in _INTERNALS:
            return True
    return False


def reaches_classes(nodes: Iterable[ast.Attribute | ast.Name | ast.Constant]) -> bool:
    """Whether one of the nodes may give the class of an object, or an attribute whose name is not written out:
    ``type(x)``, ``x.__class__``, ``getattr(x, name)``. Of the names between double underscores, few give no class."""
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in _OF_OBJECTS:
            return True
        named = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else node.value
        if isinstance(named, str) and named.startswith("__") and named.endswith("__") and named not in _PLAIN:
            return True
    return False


def reaches_itself(node: ast.AST) -> bool:
    """Whether ``node`` gets hold of the module that it stands in, by which every variable can be changed:
    ``import __main__``, ``sys.modules[__name__]``, ``import_module("__main__")``."""
    match node:
        case ast.Import(names=names):
            return any(a.name == "__main__" for a in names)
        case ast.ImportFrom(module=module, names=names):
            return module == "__main__" or (module == "sys" and any(a.name in ("modules", "*") for a in names))
        case ast.Attribute(attr="modules", value=ast.Name(id="sys")):
            return True
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"), args=args
        ):
            return any(not isinstance(a, ast.Constant) or a.value == "__main__" for a in args[:1])
    return False


def looks_at_object(node: ast.Call | ast.Attribute) -> bool:
    """Whether ``node`` is the namespace of an object, perhaps a module: ``vars(math)``, ``builtins.__dict__``."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__" and not (isinstance(node.value, ast.Name) and node.value.id in _OWN)
    if not isinstance(node.func, ast.Name) or node.func.id != "vars" or len(node.args) != 1:
        return False
    return not (isinstance(node.args[0], ast.Name) and node.args[0].id in _OWN)


def looks_at_scope(call: ast.Call) -> bool:
    """Whether ``call`` may read or bind variables by their names."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name in _RUNS or (name in _NAMESPACES and not call.args)


def binds_unseen(nodes: Iterable[ast.AST]) -> bool:
    """Whether code that is not there may run, or a namespace is used for more than looking a name up or showing its
    text; ``nodes``: all of some code."""
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
            case ast.keyword(arg=None, value=namespace) | ast.For(iter=namespace) | ast.comprehension(iter=namespace):
                harmless.add(id(namespace))
            case ast.FormattedValue(value=namespace):
                harmless.add(id(namespace))
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in _RUNS:
                return True
            case ast.Call(func=ast.Name(id=name), args=[]) if name in _NAMESPACES:
                found.append(id(node))
            case ast.Call() | ast.Attribute() if looks_at_object(node):
                found.append(id(node))
    return not harmless.issuperset(found)
