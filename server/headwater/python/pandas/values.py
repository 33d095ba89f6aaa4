"""The pandas part of evaluation: rows, columns, masks, frames, keys, and ``pd.DataFrame(…)`` results."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.libraries import models
from headwater.python.exprs.simplify import choose, negate
from headwater.python.interpreter.outcomes import Path
from headwater.python.rows.row_sequences import Made, Row, RowSequence, Series, require_not_listed
from headwater.python.values.rows import KeyTuple, Rows
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import NotConstant, literal
from headwater_ir.expr import TRUE, Compare, Expr, Lit, Raise

from . import columns as made_columns
from . import functions, masks, unknown
from .arithmetic import OPERATORS, computed
from .column_reductions import ZERO
from .functions import Array
from .made_frames import FirstRow, MadeFrames
from .methods.arrays import array_of
from .methods.best_rows import Best, BestColumn, BestRows, Sorted
from .methods.dates import year_test
from .methods.groups import GroupBy, Reduced, looked_up
from .methods.model import ARRAY, FRAME, FRAME_GROUPS, GROUPS, SERIES, TEXTS, call_of
from .methods.names import PANDAS_NAMES
from .methods.reductions import Aggregated, Counts, occurrences, occurs
from .results import build_table


class PandasInterpreter(MadeFrames):
    """Gives a meaning to the group's frame and what is made of it."""

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """The pandas meaning of ``node``, if it has one."""
        if isinstance(node, ast.Name):
            return None
        if isinstance(node, ast.Attribute):
            return self._attribute(node, env)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, env)
        if isinstance(node, ast.Compare):
            counted = self._counted(node, env)
            year = year_test(self, node, env) if counted is None else counted
            return masks.compared_columns(self, node, env) if year is None else year
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            return masks.combined(self, node, env)
        if isinstance(node, ast.BinOp) and isinstance(node.op, OPERATORS):
            return computed(self, node, env)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            return masks.inverted(node, self.pandas(node.operand, env))
        return self._call(node, env) if isinstance(node, ast.Call) else None

    def pandas(self, node: ast.expr, env: Env) -> AbstractObject | None:
        """``node`` as a row, column or frame; None if it is something else."""
        found = env.get(node.id) if isinstance(node, ast.Name) else self.object_at(node, env)
        return found if isinstance(found, AbstractObject) else None

    def _attribute(self, node: ast.Attribute, env: Env) -> Value | None:
        owner = self.pandas(node.value, env)
        if isinstance(owner, Row):
            return self._row_attribute(owner, node)
        if isinstance(owner, Best) and node.attr not in PANDAS_NAMES:
            return owner.value(self, node.attr, node, env, upcast=True)
        if isinstance(owner, RowSequence):
            if node.attr == "empty":
                return negate(TRUE) if owner.mask == TRUE else Compare("==", self._length(owner), ZERO, "python")
            if node.attr == "index":
                return owner
            if node.attr not in PANDAS_NAMES:
                return self.group.series(owner, node.attr)
            return None
        if isinstance(owner, Series) and node.attr == "values" and not self.row_by_row:
            return array_of(self, owner, node)
        if isinstance(owner, Series) and node.attr in ("size", "empty") and owner.column:
            length = self._length(owner.frame)
            return length if node.attr == "size" else Compare("==", length, ZERO, "python")
        return None

    def _row_attribute(self, row: Row, node: ast.Attribute) -> Value:
        hidden = row.access == "both" and node.attr in PANDAS_NAMES
        if row.access == "item" or hidden or node.attr == "Index" or node.attr.startswith("_"):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}` is not a column of the row", node)
        return self._cell(row, node.attr)

    def _cell(self, row: Row, name: str) -> Expr:
        if any(m.name == name for m in row.made):
            raise Refusal("opaque", f"`{name}` of a row, which was set")
        if row.access == "both" and not self.group.rows_are_objects():
            self.group.numpy_scalar(name, "`iterrows`")
            self.group.exact_as_float(name, "`iterrows`")
        return self.group.view(name)

    def _subscript(self, node: ast.Subscript, env: Env) -> Value | None:
        own = self.at_number(node, env)
        if own is not None:
            return own
        index = node.slice
        counts = self._counts_at(node.value, env, "loc", "at")
        if counts is not None:
            n = occurrences(self, counts, index, node, env)
            return choose(Compare(">", n, ZERO, "python"), n, Raise("KeyError"))
        number = index.value if isinstance(index, ast.Constant) and type(index.value) is int else None
        name = index.value if isinstance(index, ast.Constant) and isinstance(index.value, str) else None
        if isinstance(node.value, ast.Attribute):
            owner = self.pandas(node.value.value, env)
            if isinstance(owner, RowSequence) and node.value.attr == "loc":
                return self._located(owner, index, node, env)
            if isinstance(owner, (Sorted, BestRows, BestColumn)) and node.value.attr in ("iloc", "iat", "values"):
                return self._best_at(owner, _place(index), node, env)
            if isinstance(owner, Series) and node.value.attr in ("loc", "at"):
                return self._labelled(owner, index, node, env)
            if isinstance(owner, Aggregated) and node.value.attr in ("loc", "at"):
                return owner.value(name, node)
            if isinstance(owner, Reduced) and node.value.attr in ("loc", "at"):
                return looked_up(self, owner, index, None, node, env)
            if isinstance(owner, RowSequence) and node.value.attr == "at":
                return self._located(owner, index, node, env)
            if isinstance(owner, (RowSequence, Series)) and node.value.attr in ("iloc", "iat", "values", "shape"):
                return self._positional(node, owner, node.value.attr, number)
        owner = self.pandas(node.value, env)
        if isinstance(owner, Row):
            if name is None or row_is_tuple(owner):
                raise Refusal("may-throw", f"`{self.scope.ctx.text(node)}` on this kind of row", node)
            return self._cell(owner, name)
        if isinstance(owner, FirstRow) and name is not None:
            if not self.group.rows_are_objects():
                self.group.exact_as_float(name, "`iloc[0]`")
            end = self._end(owner.frame, name, owner.place, node)
            return self._first(owner.frame, name, node, owner.place) if end is None else end
        if isinstance(owner, KeyTuple):
            if number is None or not -len(owner.names) <= number < len(owner.names):
                raise Refusal("may-throw", "the key has no such part", node)
            return self.key_part(owner.names[number])
        if isinstance(owner, Best) and name is not None:
            return owner.value(self, name, node, env, upcast=True)
        if isinstance(owner, BestRows) and name is not None:
            return owner.column(name, node)
        if isinstance(owner, GroupBy) and owner.of is None and name is not None:
            return replace(owner, of=name)
        if isinstance(owner, Aggregated):
            return owner.value(name, node)
        if isinstance(owner, Reduced):
            return looked_up(self, owner, index, None, node, env)
        if isinstance(owner, RowSequence) and isinstance(index, ast.List):
            return self._with_only(owner, index, node)
        if isinstance(owner, RowSequence):
            return self.group.series(owner, name) if name is not None else self._filtered(owner, index, node, env)
        if isinstance(owner, Series):
            where = self.pandas(index, env)
            if isinstance(where, Best):
                return self._labelled(owner, index, node, env)
            if isinstance(where, Series) and where.frame.alike(owner.frame) and not owner.listed:
                frame = self.restrict(owner.frame, masks.choosing(where, node))
                return Series(frame, owner.element, owner.column)
        return None

    def _best_at(
        self, owner: Sorted | BestRows | BestColumn, place: object, node: ast.Subscript, env: Env
    ) -> Value | None:
        """The value, or row, at a place among the greatest or least ones."""
        if isinstance(owner, Sorted):
            return owner.end(self, node, place, env) if type(place) is int else None
        rows = owner.rows if isinstance(owner, BestColumn) else owner
        if place != 0 and not (place == -1 and rows.n == 1):
            raise Refusal("may-throw", "a row behind the first, of which there may be none", node)
        row = rows.only(self, node, env)
        return row.value(self, owner.name, node, env, upcast=False) if isinstance(owner, BestColumn) else row

    def _labelled(self, owner: Series, index: ast.expr, node: ast.Subscript, env: Env) -> Value | None:
        """``column.loc[label]`` of the label of a row; None for another index."""
        label = self.pandas(index, env)
        if not isinstance(label, Best):
            return None
        if owner.column is None or not _has_row(owner.frame, label):
            raise Refusal("opaque", "a label of another frame, or of a computed column", node)
        return label.value(self, owner.column, node, env, upcast=False)

    def _counts_at(self, node: ast.expr, env: Env, *through: str) -> Counts | None:
        """Counts by value, also behind one of the attributes ``through``."""
        of = node.value if isinstance(node, ast.Attribute) and node.attr in through else node
        found = self.pandas(of, env)
        return found if isinstance(found, Counts) else None

    def _located(self, owner: RowSequence, index: ast.expr, node: ast.AST, env: Env) -> Value | None:
        """``frame.loc[mask]`` and ``frame.loc[mask, "column"]``."""
        rows, columns = (index.elts[0], index.elts[1:]) if isinstance(index, ast.Tuple) and index.elts else (index, [])
        label = self.pandas(rows, env)
        if isinstance(label, Best):
            if not _has_row(owner, label):
                raise Refusal("opaque", "a label of another frame", node)
            match columns:
                case [] if not isinstance(index, ast.Tuple):
                    return label
                case [ast.Constant(value=str() as name)] if isinstance(node, ast.expr):
                    return label.value(self, name, node, env, upcast=False)
        frame = self._filtered(owner, rows, node, env)
        match columns:
            case [] if not isinstance(index, ast.Tuple):
                return frame
            case [ast.Constant(value=str() as name)] if frame is not None:
                return self.group.series(frame, name)
        raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)

    def _with_only(self, owner: RowSequence, listed: ast.List, node: ast.AST) -> RowSequence | None:
        """``frame[["a", "b"]]``: the frame without its other columns."""
        wanted = {e.value for e in listed.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)}
        known = self.names_in(owner)
        if known is None or not wanted <= known or len(wanted) != len(listed.elts):
            raise Refusal("opaque", "a choice of columns that are not known", node)
        return self.without(owner, known - wanted)

    def key_part(self, name: str) -> Expr:
        """A part of the key tuple: the value of a column that is the same in every row, as a numpy scalar."""
        self.group.numpy_scalar(name, "the key")
        return self.group.view(name)

    def unpack(self, value: Value, node: ast.expr) -> tuple[Value, ...] | None:
        """The parts of a tuple; the key is one."""
        if isinstance(value, KeyTuple):
            return tuple(self.key_part(n) for n in value.names)
        return super().unpack(value, node)

    def _positional(self, node: ast.Subscript, owner: RowSequence | Series, attr: str, number: int | None) -> Value:
        if self.row_by_row:
            raise Refusal("row-context", "which row stands first in a batch", node)
        if attr == "shape" and number == 0:
            return self._length(owner if isinstance(owner, RowSequence) else owner.frame)
        frame = owner if isinstance(owner, RowSequence) else owner.frame
        place = _place(node.slice)
        sorted_end = place in (0, -1) and self.sorted_column(frame)[0] is not None and attr in ("iloc", "iat", "values")
        if number != 0 and not sorted_end:
            raise Refusal("may-throw", f"`{self.scope.ctx.text(node)}`: a group may have too few rows", node)
        if frame.mask != TRUE:
            raise Refusal("may-throw", "the first of rows that may be none", node)
        if isinstance(owner, RowSequence) and attr == "iloc":
            return FirstRow(owner, -1 if number != 0 else 0)
        if sorted_end and isinstance(owner, Series) and owner.column is not None:
            end = self._end(frame, owner.column, 0 if number == 0 else -1, node)
            if end is not None:
                return end
        if number != 0:
            raise Refusal("may-throw", "the last of rows that are sorted by something else", node)
        if isinstance(owner, Series) and owner.column is not None and attr in ("iloc", "iat", "values"):
            if attr == "values" and self.scope.type(owner.element).name not in ("string", "int", "float", "number"):
                raise Refusal("opaque", "`.values` of a column that is neither numeric nor a string", node)
            return self._first(owner.frame, owner.column, node)
        raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)

    def _first(self, frame: RowSequence, name: str, node: ast.AST, place: int = 0) -> Expr:
        if place != 0 and name not in self.group.keys:
            raise Refusal("may-throw", "the last of rows that are sorted by something else", node)
        if any(m.name == name for m in frame.made):
            raise Refusal("opaque", f"the first value of `{name}`, which was set", node)
        self.group.numpy_scalar(name, "`iloc[0]`")
        if name in self.group.keys:
            return self.group.view(name)
        self.use_order(Rows(TRUE, frame.mask, frame.order), node)
        return self.reductions.first(self.group.series(frame, name))

    def _length(self, frame: RowSequence) -> Expr:
        if self.row_by_row:
            raise Refusal("row-context", "the size of a batch")
        return self.counted("n_rows", frame.mask)

    def _filtered(self, frame: RowSequence, index: ast.expr, node: ast.AST, env: Env) -> RowSequence | None:
        mask = self.pandas(index, env)
        mask = masks.values_of(mask, node) if isinstance(mask, Array) else mask
        if not isinstance(mask, Series) or not mask.frame.alike(frame):
            return None
        return self.restrict(frame, masks.choosing(mask, node))

    def _counted(self, node: ast.Compare, env: Env) -> Expr | None:
        """``constant in column.value_counts()``."""
        match node:
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn() as op], comparators=[of]):
                counts = self._counts_at(of, env, "index")
                found = None if counts is None else occurs(self, counts, key, node, env)
                return found if found is None or isinstance(op, ast.In) else negate(found)
        return None

    def _call(self, node: ast.Call, env: Env) -> Value | None:
        name = self.scope.origin(node.func)
        made = functions.call(self, node, name, env)
        if made is not None:
            return made
        if name == "pandas.DataFrame":
            return build_table(self, node, env)
        if name is not None and name.startswith("numpy."):
            owners = [o for a in node.args if isinstance(o := self.pandas(a, env), (Series, Array))]
            return self._by_law(node, owners[0], name, env) if owners else None
        return self._method(node, node.func, env) if isinstance(node.func, ast.Attribute) else None

    def _method(self, node: ast.Call, func: ast.Attribute, env: Env) -> Value | None:
        """``column.method(…)``, ``column.str.method(…)`` and ``frame.method(…)``; None if it is something else."""
        owner, kind = self.pandas(func.value, env), SERIES
        if owner is None and isinstance(func.value, ast.Attribute) and func.value.attr == "str":
            owner, kind = self.pandas(func.value.value, env), TEXTS
        if isinstance(owner, RowSequence):
            kind = FRAME
        elif isinstance(owner, Array):
            kind = ARRAY
        elif isinstance(owner, Counts) and func.attr == "get":
            kind = SERIES
        elif isinstance(owner, Counts) and func.attr == "to_dict":
            models.bind(f"{SERIES}.to_dict", node)
            return owner
        elif isinstance(owner, GroupBy):
            kind = GROUPS if owner.of is not None else FRAME_GROUPS
        elif isinstance(owner, Reduced) and func.attr == "get":
            bound = models.bind(f"{SERIES}.get", node)
            return looked_up(self, owner, bound.arguments["key"], bound.get("default"), node, env)
        elif isinstance(owner, Sorted):
            return owner.method(self, node, func.attr, env)
        elif not isinstance(owner, Series) or (owner.listed and func.attr == "count"):
            return None
        return self._by_law(node, owner, f"{kind}.{func.attr}", env)

    def _by_law(self, node: ast.Call, owner: AbstractObject, name: str, env: Env) -> Value:
        if isinstance(owner, Series):
            require_not_listed(node, owner)
        law, call = call_of(self, node, owner, name, env)
        return law(call)

    def measured(self, node: ast.expr, env: Env) -> Rows | None:
        """A frame or column: ``len`` counts the rows."""
        of = self.pandas(node, env)
        of = of.series if isinstance(of, Array) and not of.distinct else of
        frame = of.frame if isinstance(of, Series) else of
        return Rows(TRUE, frame.mask, frame.order) if isinstance(frame, RowSequence) else None

    def count(self, node: ast.AST, rows: Rows) -> Expr:
        """How many rows there are."""
        return self._length(RowSequence(rows.mask, rows.order))

    def compare_things(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Expr | None:
        """Also ``constant in column.values``, and in its distinct values or a list of them."""
        rows = b.series if isinstance(b, Array) else b if isinstance(b, Series) and b.listed else None
        if rows is None or not isinstance(op, (ast.In, ast.NotIn)) or not isinstance(a, Lit) or a.value is None:
            return super().compare_things(node, op, a, b)
        if self.row_by_row:
            raise Refusal("row-context", "whether a batch has a value", node)
        found = self.reductions.exists(masks.equal_to(self, rows, a, node))
        return found if isinstance(op, ast.In) else negate(found)

    def with_column(self, owner: RowSequence, name: str, value: Value, node: ast.AST) -> RowSequence:
        """``owner`` with a column set to a column of the same rows, or to a constant."""
        return made_columns.of_group(owner, name, value, node)

    def set_item(self, target: ast.Subscript, value: ast.expr, env: Env, path: Path) -> Env | None:
        """``frame["name"] = column``."""
        return made_columns.set_item(self, target, value, env, path)

    def with_unknown(self, owner: RowSequence, name: str, value: ast.expr, env: Env) -> RowSequence | None:
        """``owner`` with a column set of which it is not known what it holds, if computing it does nothing else."""
        given = unknown.found_at(self, value, env)
        if given is None or given[1] is None or not given[1].alike(owner):
            return None
        kind = given[0]
        return None if kind == "number" or kind == "other" else self.with_made(owner, Made(name, None, holds=kind))

    def column_set(self, owner: RowSequence, name: str, value: ast.expr, env: Env) -> RowSequence:
        """``owner`` with a column set to ``value``, which may read ``owner`` as ``frame#``; also to what is not
        known."""
        env = {**env, "frame#": owner}
        try:
            return self.with_column(owner, name, self.any_value(value, env), value)
        except Refusal:
            found = self.with_unknown(owner, name, value, env)
            if found is None:
                raise
            return found

    def with_made(self, owner: RowSequence, made: Made) -> RowSequence:
        """``owner`` with this column set."""
        return made_columns.with_made(owner, made)

    def unread(self, node: ast.expr, env: Env, why: Refusal) -> Value | None:
        """A value without a model, which costs only itself if nothing reads it; None where computing it may do more."""
        found = unknown.found_at(self, node, env)
        return None if found is None else unknown.Unknown(why.obstruction, why.reason, *found)

    def is_fixed(self, value: Value) -> bool:
        """Also frames, columns and rows."""
        return isinstance(value, (RowSequence, Series, Array, Row)) or super().is_fixed(value)

    def _end(self, frame: RowSequence, name: str, place: int, node: ast.Subscript) -> Value | None:
        """The first (0) or last (-1) value of a column of numbers that ``frame`` is sorted by; None for another one."""
        by, up = self.sorted_column(frame)
        numbers = self.group.type(name).name in ("int", "float") if by == name else False
        if not numbers or any(m.name == name for m in frame.made):
            return None
        return Sorted(self.group.series(frame, name), not up).end(self, node, place, {})


def _place(index: ast.expr) -> object:
    """The number that an index is; None for another one."""
    try:
        return literal(index)
    except NotConstant:
        return None


def _has_row(frame: RowSequence, label: Best) -> bool:
    """Whether the row with this label is one of ``frame``, under the same label."""
    by = label.by.frame
    return frame.index == by.index and frame.mask in (TRUE, by.mask) and not any(m.gone for m in frame.made)


def row_is_tuple(row: Row) -> bool:
    """Whether the row is a named tuple, which has no items by name."""
    return row.access == "attribute"
