"""The row that ``eval`` of a UDTF is given (measured: Spark 4.3, with Arrow and without).

A NULL is None whatever its type, a NaN a NaN, and every other value Python's own, a 32-bit float widened. A timestamp
is a naive ``datetime`` in the time zone of the worker's operating system: in the order of the instants, but for the
hour that a time zone repeats. ``row.x`` and ``row["x"]`` read the column that is spelled exactly so, ``row[0]`` the
first.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from headwater.python.values.scope import AbstractObject, Scope
from headwater.python.values.type_inference import read_type
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Expr
from headwater_ir.plan import Schema
from headwater_ir.types import ANY, TIMESTAMP

_METHODS = frozenset(("count", "index", "asDict"))


@dataclass(frozen=True)
class TableRow(AbstractObject):
    """The row of the present call of ``eval``."""


@dataclass(frozen=True)
class RowColumns:
    """How the columns of ``source`` are read from such a row."""

    source: Schema

    def read(self, scope: Scope, node: ast.Attribute | ast.Subscript) -> Expr:
        """``row.x``, ``row["x"]`` or ``row[0]``."""
        if isinstance(node, ast.Attribute):
            if node.attr in _METHODS or node.attr.startswith("__"):
                raise Refusal("opaque", f"`{node.attr}` of a Row is a method, not a column", node)
            return self.column(scope, node.attr, node)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if isinstance(index, str):
            return self.column(scope, index, node)
        if type(index) is int and self.source.complete and index < len(self.source.fields):
            return self.column(scope, self.source.fields[index].name, node)
        raise Refusal("opaque", f"which column `{scope.ctx.text(node)}` is", node)

    def names(self, node: ast.AST) -> tuple[str, ...]:
        """Every column of the row; Refusal if they are not known, or an attribute is not what it seems."""
        names = tuple(f.name for f in self.source.fields)
        if not self.source.complete or _METHODS & set(names):
            raise Refusal("opaque", "a row is kept whose columns are not known", node)
        return names

    def column(self, scope: Scope, name: str, node: ast.AST) -> Expr:
        """The column ``name``."""
        scope.names.spell(name)
        t = read_type(scope, self.source, name)
        if t.name in ("list", "opaque"):
            raise Refusal("opaque", f"`{name}` holds values without a model", node)
        if t in (TIMESTAMP, ANY):
            scope.assume(f"no `{name}` lies in an hour that the workers' time zone repeats", "clock")
        if self.source.field(name) is None:
            scope.assume(f"no two columns are called `{name}` (schema unknown)", "names")
        return Col(name)
