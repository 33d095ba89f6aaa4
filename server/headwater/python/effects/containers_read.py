"""Whether a file only reads the containers that its names are bound to."""

from __future__ import annotations

import ast
from typing import cast

from headwater.syntax.names.resolve import Names

from .uses import Uses

CONTAINERS = "containers"
"""Where the memo of a ``Context`` has its ``Containers``."""
_REFLECTION = ("getattr", "__dict__", "sys.modules", "attrgetter", "import_module", "__import__")


class Containers:
    """The containers of one file, by the names that are bound to them."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._uses = Uses(names.ctx.tree, names.resolve, names.ctx.function)

    @staticmethod
    def of(names: Names) -> Containers:
        """The containers of the file of ``names``."""
        memo = names.ctx.memo
        if CONTAINERS not in memo:
            memo[CONTAINERS] = Containers(names)
        return cast("Containers", memo[CONTAINERS])

    def assigned(self, name: str) -> ast.expr | None:
        """What the only plain assignment of ``name`` in the file, in any scope, assigns; None if it is bound in another
        way."""
        target = self._names.ctx.only_binding(name)
        return None if target is None else self._uses.only_assignment(target)

    def only_read(self, container: tuple[str, bool]) -> bool:
        """Whether nothing in the file can change the container that a name is bound to, or keep another name for it;
        with True behind the name: nor the containers in it."""
        (name, nested), names = container, self._names
        if names.reflective or (names.has_string(name) and any(map(names.ctx.mentions, _REFLECTION))):
            return False
        return self._uses.only_read(name, nested)

    def never_changed(self, name: str) -> bool:
        """Whether nothing in the file can change the list of columns, texts and numbers that ``name`` is bound to."""
        return name not in self._names.mutated and self.only_read((name, False))

    def schema_only_read(self, name: str) -> bool:
        """Whether nothing in the file can change the schema that a name is bound to."""
        names = self._names
        return not names.reflective and name not in names.mutated and self._uses.schema_only_read(name)


def is_kept(names: Names, name: str, made: ast.expr) -> bool:
    """Whether nothing in the file can change what ``made`` gives, and ``name`` is bound to, or the lists in it."""
    containers = Containers.of(names)
    nested = any(isinstance(e, (ast.List, ast.Set, ast.Dict)) for e in getattr(made, "elts", ()))
    return containers.never_changed(name) and (not nested or containers.only_read((name, True)))
