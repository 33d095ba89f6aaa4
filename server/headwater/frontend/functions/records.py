"""How a DataFrame's row looks as an element of ``df.rdd`` (measured: Spark 4.3).

A NULL is ``None`` whatever its type; a NaN stays a NaN; every other value is Python's own, a 32-bit float widened to
Python's. A timestamp comes in the time zone of the worker's operating system, not the session's: refused. ``r.name``
and ``r["name"]`` read the column spelled exactly so; ``r.count`` and ``r.index`` are methods of tuples; ``r[0]`` is the
first column.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from headwater_ir.expr import Col, Expr
from headwater_ir.plan import Schema
from headwater_ir.types import ANY, Type

from ..context import Refusal
from .infer import read_type
from .scope import Scope, Thing

METHODS = frozenset({"count", "index", "asDict"})
"""Attributes of a row that are no columns."""


@dataclass(frozen=True)
class Record(Thing):
    """The ``Row`` of one row of the frame."""


@dataclass(frozen=True)
class Columns:
    """The columns of the frame behind an RDD. ``ordered``: the schema is complete and in the frame's order."""

    source: Schema
    ordered: bool

    def attribute(self, scope: Scope, node: ast.Attribute, beliefs: dict[str, Type]) -> Expr:
        """``row.name``."""
        if node.attr in METHODS or node.attr.startswith("__"):
            raise Refusal("opaque", f"`{node.attr}` of a Row is a method, not a column", node)
        return self.column(scope, node.attr, beliefs, node)

    def item(self, scope: Scope, node: ast.Subscript, beliefs: dict[str, Type]) -> Expr:
        """``row["name"]`` and ``row[0]``."""
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if isinstance(index, str):
            return self.column(scope, index, beliefs, node)
        if type(index) is int and self.ordered and index < len(self.source.fields):
            return self.column(scope, self.source.fields[index].name, beliefs, node)
        raise Refusal("opaque", f"which column `{scope.ctx.text(node)}` is", node)

    def array(self, scope: Scope, node: ast.Attribute | ast.Subscript, beliefs: dict[str, Type]) -> str | None:
        """The column that ``row.name``, ``row["name"]`` or ``row[0]`` reads, if it holds arrays."""
        name = node.attr if isinstance(node, ast.Attribute) else self._named(node)
        if not isinstance(name, str) or (isinstance(node, ast.Attribute) and name in METHODS):
            return None
        field = self.source.field(name)
        stated = field.type if field else ANY
        if (beliefs.get(name, ANY) if stated == ANY else stated).name != "list":
            return None
        scope.names.spell(name)
        read_type(scope, self.source, name, beliefs)
        if stated == ANY:
            scope.assume(f"no two columns are called `{name}` (schema unknown)")
        return name

    def _named(self, node: ast.Subscript) -> str | None:
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

    def column(self, scope: Scope, name: str, beliefs: dict[str, Type], node: ast.AST) -> Expr:
        """The column ``name``."""
        scope.names.spell(name)
        t = read_type(scope, self.source, name, beliefs)
        if t.name == "timestamp":
            raise Refusal("opaque", f"`{name}`: a timestamp reaches Python in the worker's time zone", node)
        if t.name in ("list", "opaque"):
            raise Refusal("opaque", f"`{name}` holds values without a meaning here", node)
        if t == ANY or name in beliefs:
            scope.assume(f"no two columns are called `{name}` (schema unknown)")
        return Col(name)
