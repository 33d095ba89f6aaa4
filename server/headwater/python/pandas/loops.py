"""What a loop over a pandas group looks like: ``itertuples``, ``iterrows``, records, columns, columns side by side."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.python.rows.row_sequences import Row, RowValues, Series
from headwater.python.values.rows import Rows
from headwater.python.values.scope import Env, Items, Unreadable, Value
from headwater.python.values.structures import RecordValue
from headwater.syntax.refusal import Refusal

from .values import PandasInterpreter


class GroupInterpreter(PandasInterpreter):
    """Gives a meaning to loops over the frame."""

    never_empty = True

    def iterated(self, node: ast.expr, env: Env) -> Rows | None:
        """A column, or what a method makes of the rows of a frame."""
        over = self.pandas(node, env)
        if isinstance(over, Series):
            self.row_local(over, node)
            return Rows(over.element, over.frame.mask, over.frame.order)
        if not isinstance(over, RowValues):
            return None
        if not isinstance(node, ast.Call) and over.row.access != "item":
            raise Refusal("opaque", "an iterator over rows in a variable, which may have been read before", node)
        if any(m.gone for m in over.frame.made):
            raise Refusal("opaque", "the rows of a frame without some of its columns", node)
        row = replace(over.row, made=over.frame.made)
        index = Unreadable("row-context", "the index of a row")
        element = Items((index, row), False) if row.access == "both" else row
        return Rows(element, over.frame.mask, over.frame.order)

    def kept_row(self, value: Value, node: ast.AST) -> Value:
        """A row under another name: a record of the columns that the file speaks of, or of all, for a dict."""
        if not isinstance(value, Row):
            return value
        if not self.group.source.complete or value.made:
            raise Refusal("opaque", "a row is kept whose columns are not known", node)
        parts: dict[str, Value] = {}
        for field in self.group.source.fields:
            spoken_of = self.scope.names.speaks_of(field.name)
            if value.access == "item" or spoken_of:
                try:
                    parts[field.name] = self._cell(value, field.name)
                except Refusal:  # without a model; a read of it must not pass for one that raises
                    if spoken_of:
                        raise
        values = tuple(parts.values())
        return RecordValue(tuple(parts), values, value.access, False, self.solid(values))
