"""Whether a variable that a copied text reads still holds the same value, unchanged, where the copy stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from headwater.libraries import registry
from headwater.libraries.registry import EFFECTS
from headwater.python.effects.containers_read import Containers
from headwater.python.effects.library_calls import VALUES
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.bindings import bound_names, parameters

from .builders import METHODS, made_by
from .definitions import NoBranch, Place, Scopes

_UDFS = ("udf", "pandas_udf", "arrow_udf")


class Holding:
    """Questions about the variables that code copied from ``since`` to ``until`` reads."""

    def __init__(self, scopes: Scopes, names: Names, since: Place, until: Place) -> None:
        self.scopes, self.names, self.since, self.until = scopes, names, since, until
        self._followed: set[str] = set()

    def check_frame(self, name: str) -> None:
        """NoBranch unless ``name``, which is a DataFrame or an RDD if anything, is still the same one."""
        if name in self.names.rebound or not self.scopes.holds(name, self.since, self.until):
            raise NoBranch(f"`{name}` may be bound anew before the filter")

    def check(self, node: ast.Name) -> None:
        """NoBranch unless the variable is still the same value, and nothing can have changed that in place."""
        self.check_frame(node.id)
        if self.names.resolve(node):
            return  # an imported or built-in object: what is read of it is looked at where it is read
        function = self.scopes.context.function(node.id)
        if function is not None:
            self._check_function(function)
        elif not self._is_kept(node.id, self.value_of(node.id)):
            raise NoBranch(f"`{node.id}` may be changed before the filter")

    def is_udf(self, node: ast.Name) -> bool:
        """Whether calling what the variable holds makes a column."""
        function = self.scopes.context.function(node.id)
        made = function.decorator_list if function is not None else [self.value_of(node.id)]
        for e in made:
            if e is not None and self.names.function(e.func if isinstance(e, ast.Call) else e) in _UDFS:
                return isinstance(e, ast.Call) or function is not None
        return False

    def value_of(self, name: str) -> ast.expr | None:
        """The expression that gives ``name`` its value at the place that is copied; None if that is not one."""
        try:
            return self.scopes.definition(name, self.since).value
        except NoBranch:
            return self.scopes.context.constant(name)

    def _check_function(self, function: ast.FunctionDef) -> None:
        """What a function of the file reads from around it is read when it is called, or packed up for that."""
        if function.name in self._followed:
            return
        self._followed.add(function.name)
        self.check_body(function)
        for node in free_names(function):
            if node.id not in self._followed:
                self.check(node)

    def check_body(self, function: ast.FunctionDef | ast.Lambda) -> None:
        """NoBranch unless tables name each object of a library that a function, which runs on the workers, reads, and
        each method that it calls."""
        body = function.body if isinstance(function, ast.FunctionDef) else [function.body]
        for statement in body:
            for read in self.objects_in(statement):
                origin = self.names.resolve(read) or ""
                if not _is_deterministic(origin):
                    raise NoBranch(f"nothing is known about `{origin}`, which `{_name(function)}` reads")
            for call in ast.walk(statement):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                    if self.names.resolve(call.func) is None and not _is_method(call.func.attr):
                        raise NoBranch(f"nothing is known about `{call.func.attr}`, which `{_name(function)}` calls")

    def objects_in(self, node: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
        """The reads of imported and built-in objects in ``node``, with all attributes that are read of each."""
        if isinstance(node, (ast.Name, ast.Attribute)) and self.names.resolve(node) is not None:
            yield node
        else:
            for child in ast.iter_child_nodes(node):
                yield from self.objects_in(child)

    def _is_kept(self, name: str, value: ast.expr | None) -> bool:
        if value is None or name in self.names.mutated:
            return False
        if is_immutable(value):
            return True
        if isinstance(value, (ast.List, ast.Set, ast.Dict)):
            return all(map(is_immutable, ast.iter_child_nodes(value))) and Containers.of(self.names).never_changed(name)
        if not isinstance(value, ast.Call):
            return False
        root, methods = _root(value)
        made = made_by(self.names.resolve(root) or "")
        if made is None or made == "data" or not METHODS[made].issuperset(methods):
            return False
        return made != "type" or Containers.of(self.names).schema_only_read(name)


def free_names(node: ast.AST, own: frozenset[str] = frozenset()) -> Iterator[ast.Name]:
    """The reads in ``node`` of variables that are bound outside of it."""
    outside: list[ast.AST] = []
    inside: list[ast.AST] = []
    bound = own
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            if name not in own:
                yield node
        case ast.Lambda() | ast.FunctionDef():
            outside += [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]
            outside += node.decorator_list if isinstance(node, ast.FunctionDef) else []
            inside += node.body if isinstance(node, ast.FunctionDef) else [node.body]
            bound = own | {p.arg for p in parameters(node)} | bound_names(inside)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            outside.append(node.generators[0].iter)
            bound = own | bound_names(g.target for g in node.generators)
            inside += [c for c in ast.iter_child_nodes(node) if c is not node.generators[0]]
            inside += [*node.generators[0].ifs]
        case _:
            outside += ast.iter_child_nodes(node)
    for part in outside:
        yield from free_names(part, own)
    for part in inside:
        yield from free_names(part, bound)


def is_immutable(node: ast.AST) -> bool:
    """Whether ``node`` is written out and makes something that cannot be changed."""
    if isinstance(node, (ast.Tuple, ast.BinOp, ast.UnaryOp)):
        return all(is_immutable(n) for n in ast.iter_child_nodes(node))
    return isinstance(node, (ast.Constant, ast.JoinedStr, ast.operator, ast.unaryop, ast.expr_context))


def _root(node: ast.expr) -> tuple[ast.expr, set[str]]:
    """What a chain of calls starts with, a name, perhaps with attributes; and the methods that are called on it."""
    methods: set[str] = set()
    while isinstance(node, ast.Call) or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call)):
        if isinstance(node, ast.Attribute):
            methods.add(node.attr)
        node = node.func if isinstance(node, ast.Call) else node.value
    return node, methods


_METHODS = frozenset(e.method for e in EFFECTS.values() if e.receiver and not e.refused)


def _is_method(name: str) -> bool:
    """Whether a table names a method ``name`` of any class that depends on its receiver and arguments alone."""
    return name in _METHODS or any(e.pure for e in registry.of_method(name))


def _is_deterministic(origin: str) -> bool:
    """Whether the object of this full name is a constant, or its value depends on its arguments alone."""
    entry = registry.entries().get(origin)
    return origin in VALUES or (entry is not None and not entry.refused and (entry.pure or entry.result is not None))


def _name(function: ast.FunctionDef | ast.Lambda) -> str:
    return function.name if isinstance(function, ast.FunctionDef) else "lambda"
