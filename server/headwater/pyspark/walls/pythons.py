"""Python's own functions in one scope. Code that is not here (``%run``, ``import *``) may have bound their names: that
it has not is noted as an assumption."""

from __future__ import annotations

import ast
import builtins

from headwater.pyspark.api.api_context import ApiContext
from headwater_ir.assumptions import Assumption


class Pythons:
    """What the names of functions mean in ``scope``."""

    def __init__(self, scope: ApiContext) -> None:
        self._scope = scope
        self._taken: set[str] = set()

    def __contains__(self, name: object) -> bool:
        """Whether ``name`` is Python's own function of that name."""
        return isinstance(name, str) and self.resolve(ast.Name(name, ast.Load())) == f"builtins.{name}"

    def resolve(self, node: ast.expr) -> str | None:
        """The full name of what ``node`` means, as ``Names.resolve``, and where nothing in the file binds the name of a
        function of Python's, that."""
        found = self._scope.names.resolve(node)
        if found is None and isinstance(node, ast.Name) and self._may_be(node.id):
            self._taken.add(node.id)
            return f"builtins.{node.id}"
        return found

    def _may_be(self, name: str) -> bool:
        """Whether nothing in the file binds ``name``, of Python's, but perhaps code that is not here."""
        names = self._scope.names
        own = hasattr(builtins, name) and names.ctx.times_bound(name) == 0 and name not in names.imported
        return own and self._scope.lookup(name) is None

    def assumed(self) -> tuple[Assumption, ...]:
        """What was taken for granted so far."""
        return tuple(Assumption("program", f"`{name}` is Python's own function") for name in sorted(self._taken))
