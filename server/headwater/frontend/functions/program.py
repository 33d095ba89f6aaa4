"""The module of a function as the effect analysis asks about it, and what is asked of it everywhere."""

from __future__ import annotations

import ast

from headwater.python.effects.analysis import Result
from headwater.python.effects.analysis import require as analysed
from headwater.python.effects.uses import Uses
from headwater.python.libraries.effects import EFFECTS

from .scope import Scope

_MEMO = "uses"
_REFLECTION = ("getattr", "__dict__", "sys.modules", "attrgetter", "import_module", "__import__")


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
        if self._scope.shadowed(name):
            return None
        target = self._ctx.only_binding(name)
        return None if target is None else self._uses.only_assignment(target)

    def only_read(self, name: str, nested: bool) -> bool:
        """Whether nothing changes the container ``name``, or keeps it under another name."""
        names = self._scope.names
        if names.reflective or (names.has_string(name) and any(map(self._ctx.mentions, _REFLECTION))):
            return False
        return self._uses.only_read(name, nested)

    def is_parameter(self, name: str) -> bool:
        """Whether ``name`` can only be a parameter of the code around."""
        return self._ctx.only_given(name)

    def assume(self, sentence: str) -> None:
        """Take something on trust."""
        self._scope.assume(sentence, "purity")

    @property
    def _uses(self) -> Uses:
        known = self._ctx.memo.get(_MEMO)
        if not isinstance(known, Uses):
            known = self._ctx.memo[_MEMO] = Uses(self._ctx.tree, self._scope.outer_origin, self._ctx.function)
        return known


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


def is_listed(name: str | None) -> bool:
    """Whether the function of this full name is known to do nothing but compute."""
    entry = EFFECTS.get(name or "")
    return (
        entry is not None
        and entry.signature is not None
        and entry.refused is None
        and not (entry.changes or entry.calls or entry.receiver)
    )
