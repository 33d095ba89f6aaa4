"""What a loop over a pandas group looks like: ``itertuples``, ``iterrows``, records, columns, columns side by side."""

from __future__ import annotations

import ast

from headwater.python.libraries import models
from headwater.python.rows.row_sequences import Row, RowSequence, RowValues, Series
from headwater.python.values.scope import Env, Unreadable, Value
from headwater.python.values.structures import RecordValue
from headwater.syntax.refusal import Refusal

from .values import PandasInterpreter


class GroupInterpreter(PandasInterpreter):
    """Gives a meaning to loops over the frame."""

    never_empty = True

    def rows(self, node: ast.For, env: Env) -> tuple[RowSequence, Env] | None:
        """The frame that a loop runs over and what its targets mean; None if it is no loop over the group."""
        over, target = node.iter, node.target
        series = self.pandas(over, env)
        if isinstance(series, Series) and isinstance(target, ast.Name):
            self.row_local(series, node)
            return series.frame, {target.id: series.element}
        if isinstance(over, ast.Call) and self.scope.origin(over.func) == "builtins.zip":
            return self._zip(models.bind("builtins.zip", over).rest, over, target, env)
        if isinstance(over, ast.Call) and isinstance(series, RowSequence):
            raise Refusal("opaque", f"a loop over `{self.scope.ctx.text(over)}`", over)
        if not isinstance(series, RowValues):
            return None
        if not isinstance(over, ast.Call):
            raise Refusal("opaque", "rows in a variable, which may have been read before or changed", over)
        frame, row = series.frame, series.row
        if frame.made:
            raise Refusal("opaque", "the rows of a frame with columns that were set", over)
        if row.access == "both":
            if (
                isinstance(target, ast.Tuple)
                and len(target.elts) == 2
                and all(isinstance(t, ast.Name) for t in target.elts)
            ):
                index, name = (t.id for t in target.elts if isinstance(t, ast.Name))
                return frame, {index: Unreadable("row-context", "the index of a row"), name: row}
            return None
        return (frame, {target.id: row}) if isinstance(target, ast.Name) else None

    def _zip(
        self, given: tuple[ast.expr, ...], over: ast.Call, target: ast.expr, env: Env
    ) -> tuple[RowSequence, Env] | None:
        columns = [self.pandas(a, env) for a in given]
        if not isinstance(target, ast.Tuple) or len(target.elts) != len(columns) or not columns:
            return None
        bound: Env = {}
        frames: list[RowSequence] = []
        for t, c in zip(target.elts, columns, strict=True):
            if not isinstance(t, ast.Name) or not isinstance(c, Series):
                return None
            self.row_local(c, over)
            bound[t.id] = c.element
            frames.append(c.frame)
        if any(f != frames[0] for f in frames):
            raise Refusal("opaque", "columns of different frames side by side", over)
        return frames[0], bound

    def kept_row(self, value: Value, node: ast.AST) -> Value:
        """A row under another name: a record of the columns that the file speaks of, or of all, for a dict."""
        if not isinstance(value, Row):
            return value
        if not self.group.source.complete:
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
