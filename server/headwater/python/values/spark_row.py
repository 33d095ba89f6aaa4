"""The ``Row`` that Spark hands to Python functions, whoever calls them: which column an attribute or an item reads.

``row.x`` and ``row["x"]`` read the column that is spelled exactly so, ``row[0]`` the first; ``row.count`` and
``row.index`` are methods of tuples.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from dataclasses import dataclass

from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Expr
from headwater_ir.plan import Schema

from .scope import Scope

METHODS = frozenset({"count", "index", "asDict"})
"""Attributes of a row that are no columns."""


@dataclass(frozen=True)
class RowColumns:
    """The columns of such a row. ``ordered``: the schema is complete and in the order of the row."""

    source: Schema
    ordered: bool

    @abstractmethod
    def column(self, scope: Scope, name: str, node: ast.AST) -> Expr:
        """The column ``name``."""

    def read(self, scope: Scope, node: ast.Attribute | ast.Subscript) -> Expr:
        """``row.name``, ``row["name"]`` or ``row[0]``."""
        return self.attribute(scope, node) if isinstance(node, ast.Attribute) else self.item(scope, node)

    def attribute(self, scope: Scope, node: ast.Attribute) -> Expr:
        """``row.name``."""
        if node.attr in METHODS or node.attr.startswith("__"):
            raise Refusal("opaque", f"`{node.attr}` of a Row is a method, not a column", node)
        return self.column(scope, node.attr, node)

    def item(self, scope: Scope, node: ast.Subscript) -> Expr:
        """``row["name"]`` and ``row[0]``."""
        name = self.named(node)
        if name is None:
            raise Refusal("opaque", f"which column `{scope.ctx.text(node)}` is", node)
        return self.column(scope, name, node)

    def named(self, node: ast.Subscript) -> str | None:
        """The name of the column that an item reads; None if that is not known."""
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if type(index) is int and self.ordered and index < len(self.source.fields):
            return self.source.fields[index].name
        return index if isinstance(index, str) else None

    def names(self, node: ast.AST) -> tuple[str, ...]:
        """Every column of the row; Refusal if they are not known, or an attribute is not what it seems."""
        names = tuple(f.name for f in self.source.fields)
        if not self.source.complete or METHODS & set(names):
            raise Refusal("opaque", "a row is kept whose columns are not known", node)
        return names
