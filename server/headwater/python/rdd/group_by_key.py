"""The values of one key after ``groupByKey()``.

Spark hands over a ``ResultIterable``: it may be iterated again and has a length, and it is never empty. Its order is
that of arrival, which is arbitrary.
"""

from __future__ import annotations

import ast

from headwater.python.values.rows import Rows
from headwater.python.values.scope import Env, Value
from headwater.python.values.structures import RecordValue as Kept

from .functions import PairInterpreter
from .row_objects import RddRow


class KeyValuesInterpreter(PairInterpreter):
    """Adds the values of a key."""

    never_empty = True

    def iterated(self, node: ast.expr, env: Env) -> Rows | None:
        """The values of the key, in a pair."""
        found = self.object_at(node, env) if isinstance(node, ast.Subscript) else None
        return found if isinstance(found, Rows) else None

    def kept_row(self, value: Value, node: ast.AST) -> Value:
        """A row under another name: a record of all its columns, for the whole row may be what is returned."""
        if not isinstance(value, RddRow):
            return value
        names = self.record_columns.names(node)
        cells = tuple(self.record_columns.column(self.scope, n, node) for n in names)
        return Kept(names, cells, "both", False, self.solid(cells))
