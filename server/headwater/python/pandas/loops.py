"""What a loop over a pandas group looks like: ``itertuples``, ``iterrows``, records, columns, columns side by side."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.python.rows.row_sequences import Row, RowSequence, RowValues, Series, require_row_local
from headwater.python.values.rows import RowNumber, Rows, row_number
from headwater.python.values.scope import Env, Items, Unreadable, Value
from headwater.python.values.structures import RecordValue
from headwater.syntax.refusal import Refusal

from .functions import Array
from .values import PandasInterpreter


class GroupInterpreter(PandasInterpreter):
    """Gives a meaning to loops over the frame."""

    never_empty = True

    def iterated(self, node: ast.expr, env: Env) -> Rows | None:
        """A column, or what a method makes of the rows of a frame."""
        over = self.pandas(node, env)
        if isinstance(over, Series):
            require_row_local(over, node)
            return Rows(over.element, over.frame.mask, over.frame.order)
        if isinstance(over, Array) and not over.distinct and over.series.column is not None:
            require_row_local(over.series, node)
            self.group.numpy_scalar(over.series.column, "an array")
            return Rows(over.series.element, over.series.frame.mask, over.series.frame.order)
        if isinstance(over, RowSequence) and isinstance(node, ast.Attribute) and _numbered(over):
            return Rows(row_number(over.mask, over.order))  # its index, of which each label is the number of the row
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

    def is_list(self, node: ast.expr, env: Env) -> bool:
        """Also ``tolist()`` and records."""
        over = self.pandas(node, env)
        listed = isinstance(over, Series) and over.listed
        return listed or (isinstance(over, RowValues) and over.row.access == "item") or super().is_list(node, env)

    def at_number(self, node: ast.Subscript, env: Env) -> Value | None:
        """Also ``column.iloc[i]``, ``frame.iloc[i]`` and, where labels are numbers, ``frame.at[i, "x"]``."""
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        number = env.get(index[0].id) if index and isinstance(index[0], ast.Name) else None
        if not isinstance(number, RowNumber):
            return None
        how = node.value.attr if isinstance(node.value, ast.Attribute) else ""
        if isinstance(node.value, ast.Attribute) and how in ("iloc", "iat", "loc", "at"):
            owner = self.pandas(node.value.value, env)
        else:
            how, owner = "", self.pandas(node.value, env)
        if not isinstance(owner, (RowSequence, Series)) or (isinstance(owner, Series) and owner.listed):
            return super().at_number(node, env)
        frame = owner if isinstance(owner, RowSequence) else owner.frame
        if (frame.mask, frame.order) != (number.mask, number.order) or not (how[:1] == "i" or _numbered(frame)):
            raise Refusal("row-context", "a value of another row", node)
        match owner, how, index[1:]:
            case RowSequence(), "iloc" | "loc", []:
                return Row("both", frame.made)
            case RowSequence(), "loc" | "at", [ast.Constant(value=str() as name)]:
                owner = self.group.series(frame, name)
            case Series(), _, []:
                pass
            case _:
                raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
        assert isinstance(owner, Series)
        require_row_local(owner, node)
        if owner.column is not None:
            self.group.numpy_scalar(owner.column, f"`{how or 'column'}[…]`")
        return owner.element

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


def _numbered(frame: RowSequence) -> bool:
    """Whether the label of each row is its number: Spark hands the group over so."""
    return replace(frame, made=()) == RowSequence()
