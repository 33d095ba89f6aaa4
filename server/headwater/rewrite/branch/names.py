"""Whether a variable that a copied text reads still holds the same value, unchanged, where the copy stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from headwater.frontend.bindings import bound_names, parameters
from headwater.frontend.names import Names

from .definitions import NoBranch, Place, Scopes

_MODULES = frozenset(
    "builtins pyspark operator math datetime decimal re string functools itertools numpy pandas".split()
)
BUILDERS = ("pyspark.sql.functions.", "pyspark.sql.types.", "pyspark.sql.window.", "pyspark.sql.Window.")
"""Where the functions are that make columns, types and windows, and do nothing else."""
CHANGERS = frozenset("append extend add update insert remove pop clear sort reverse setdefault popitem fields".split())
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
        if (self.names.resolve(node) or "").split(".")[0] in _MODULES:
            return
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
        for node in free_names(function):
            if node.id not in self._followed:
                self.check(node)

    def _is_kept(self, name: str, value: ast.expr | None) -> bool:
        if value is None or name in self.names.mutated:
            return False
        if is_immutable(value):
            return True
        if isinstance(value, (ast.List, ast.Set, ast.Dict)):
            return all(map(is_immutable, ast.iter_child_nodes(value))) and self.names.never_changed(name)
        origin = self.names.resolve(_root(value)) or ""
        if not origin.startswith(BUILDERS) or not isinstance(value, ast.Call):
            return False
        return not origin.startswith("pyspark.sql.types.") or self._only_given(name)

    def _only_given(self, name: str) -> bool:
        """Whether every read of ``name`` hands it to a call that keeps no second name for it to be changed by."""
        given: set[ast.AST] = set()
        for node in ast.walk(self.scopes.context.tree):
            if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Attribute) and node.func.attr in CHANGERS):
                if isinstance(node.func, ast.Attribute) or self.names.resolve(node.func):
                    given |= {*node.args, *(k.value for k in node.keywords)}
        reads = (n for n in ast.walk(self.scopes.context.tree) if isinstance(n, ast.Name) and n.id == name)
        return all(n in given for n in reads if isinstance(n.ctx, ast.Load))


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


def _root(node: ast.expr) -> ast.expr:
    """What a chain of calls starts with: a name, perhaps with attributes."""
    while isinstance(node, ast.Call) or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node
