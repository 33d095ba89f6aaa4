"""The row that ``eval`` of a UDTF is given (measured: Spark 4.3, with Arrow and without).

A NULL is None whatever its type, a NaN a NaN, and every other value Python's own, a 32-bit float widened. A timestamp
is a naive ``datetime`` in the time zone of the worker's operating system: in the order of the instants, but for the
hour that a time zone repeats.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from headwater.python.values.scope import AbstractObject, Scope
from headwater.python.values.spark_row import RowColumns
from headwater.python.values.type_inference import read_type
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Expr
from headwater_ir.types import ANY, TIMESTAMP


@dataclass(frozen=True)
class TableRow(AbstractObject):
    """The row of the present call of ``eval``."""


@dataclass(frozen=True)
class TableRowColumns(RowColumns):
    """How the columns of ``source`` are read from such a row."""

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
