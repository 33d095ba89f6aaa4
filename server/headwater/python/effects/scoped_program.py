"""The module of a function as the effect analysis asks about it, and what is asked of it everywhere."""

from __future__ import annotations

import ast

from headwater.libraries.registry import EFFECTS
from headwater.python.values.scope import Scope
from headwater.syntax.names.module_scope import star_may_bind
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal

from .analysis import Result
from .analysis import require as analysed
from .containers_read import Containers


class ScopedProgram:
    """The ``Program`` of a scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._ctx = scope, scope.ctx

    def text(self, node: ast.AST) -> str:
        """The source text of ``node``; of code that the front end made, its like."""
        try:
            return self._ctx.text(node)
        except (AttributeError, IndexError, TypeError):
            return ast.unparse(node)

    def origin(self, node: ast.expr) -> str | None:
        """The full name of an imported or built-in object."""
        return self._scope.outer_origin(node)

    def is_assumed_pure(self, *names: str | None) -> bool:
        """Whether the user has stated that a function of one of these names is pure."""
        return self._scope.is_assumed_pure(*names)

    def function(self, name: str) -> ast.FunctionDef | None:
        """The function that ``name`` can only mean."""
        return None if self._scope.shadowed(name) else self._ctx.function(name)

    def constant(self, name: str) -> ast.expr | None:
        """What the only assignment of ``name`` in the file assigns."""
        return None if self._scope.shadowed(name) else Containers.of(self._scope.names).assigned(name)

    def is_bound(self, name: str) -> bool:
        """Whether anything in the file binds ``name``, or may do so."""
        ctx = self._ctx
        if ctx.times_bound(name) or name in self._scope.names.imported or ctx.bound_otherwise(name):
            return True
        if any(star_may_bind(module, name) for module in ctx.star_modules):
            self.assume(f"no star import or `%run` binds `{name}` to something else than a Spark session or context")
        return False

    def is_replaced(self, method: str) -> bool:
        """Whether the file replaces ``method`` in a class."""
        return method in self._scope.names.patches.methods

    def only_read(self, name: str, nested: bool) -> bool:
        """Whether nothing changes the container ``name``, or keeps it under another name."""
        return Containers.of(self._scope.names).only_read((name, nested))

    def is_parameter(self, name: str) -> bool:
        """Whether ``name`` can only be a parameter of the code around."""
        return self._ctx.only_given(name)

    def assume(self, sentence: str) -> None:
        """Take something on trust."""
        self._scope.assume(sentence, "purity")


def require(
    scope: Scope,
    node: ast.AST,
    own: frozenset[str] = frozenset(),
    *,
    partition: bool = False,
    result: Result = "any",
) -> None:
    """Refusal ("side-effect", "volatile" or "opaque") if running ``node`` may do more than compute a value. ``own``:
    names of objects that nothing else holds, and that may change; ``partition``, ``result``: as in the analysis."""
    analysed(ScopedProgram(scope), node, locals_=scope.local_names, own=own, partition=partition, result=result)


def effect(names: Names, assume_pure: frozenset[str], function: ast.FunctionDef | ast.Lambda) -> Refusal | None:
    """Why ``function`` is not shown to be pure; None if it is. With "side-effect" or "volatile" it is shown not to
    be; not so where it changes nothing but what it is given, which Spark makes anew for each call: only another
    function of the same row may see that. ``assume_pure``: the functions that the user has stated to be."""
    try:
        scope = Scope(names.ctx, names, assume_pure)
    except Refusal as refusal:  # the file replaces a part of a library: what a call of it does is not known
        return Refusal("side-effect", refusal.reason)
    first = _refusal(scope, function, fresh=False)
    if first is None or first.obstruction != "side-effect":
        return first
    return _refusal(scope, function, fresh=True) or Refusal("opaque", first.reason)


def _refusal(scope: Scope, function: ast.FunctionDef | ast.Lambda, *, fresh: bool) -> Refusal | None:
    try:
        analysed(ScopedProgram(scope), function, locals_=scope.local_names, thorough=True, fresh=fresh)
    except Refusal as refusal:
        return refusal.with_traceback(None)
    return None


def is_listed(name: str | None) -> bool:
    """Whether the function of this full name is known to do nothing but compute."""
    entry = EFFECTS.get(name or "")
    return (
        entry is not None
        and entry.signature is not None
        and entry.refused is None
        and not (entry.changes or entry.calls or entry.receiver)
    )
