"""Modules and classes that the file changes: ``F.max = F.min``, ``setattr(pd, "isna", f)``, ``del np.nan``.

What such a name means is then not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

_ANYTHING = ""


class Patches:
    """The changed attributes of imported objects. ``origins``: name → where the imports of the file take it from."""

    def __init__(self, tree: ast.AST, origins: Mapping[str, set[str]]) -> None:
        self._changed: set[str] = set()
        self.methods: set[str] = set()
        """Attributes of PySpark's own classes that are replaced."""
        for path, attribute in _changes(tree):
            root, *rest = path
            for origin in origins.get(root, ()):
                # `import a.b` binds `a`, `import a.b as c` binds `c` to `a.b`
                whole = ".".join([root if origin.split(".")[0] == root else origin, *rest])
                self._changed.add(f"{whole}.{attribute}" if attribute else whole)
                if origin.startswith("pyspark"):
                    self.methods.add(attribute)

    def touch(self, origin: str) -> bool:
        """Whether ``origin``, a dotted name, may not mean what it says."""
        return any(origin == c or origin.startswith(c + ".") for c in self._changed)


def _changes(tree: ast.AST) -> Iterator[tuple[list[str], str]]:
    """Changed objects, as the names on the way to them, each with the attribute."""
    for node in ast.walk(tree):
        path, attribute = None, _ANYTHING
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del)):
            path, attribute = _path(node.value), node.attr
        elif isinstance(node, ast.Call) and node.args and _last(node.func) in ("setattr", "delattr", "object"):
            path = _path(node.args[0])
            if len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
                attribute = str(node.args[1].value)
        if path:
            yield path, attribute


def _last(node: ast.expr) -> str:
    """The last part of a function's name: also of ``monkeypatch.setattr`` and ``mock.patch.object``."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _path(node: ast.expr) -> list[str] | None:
    """The names of ``a.b.c``."""
    rest: list[str] = []
    while isinstance(node, ast.Attribute):
        rest.insert(0, node.attr)
        node = node.value
    return [node.id, *rest] if isinstance(node, ast.Name) else None
