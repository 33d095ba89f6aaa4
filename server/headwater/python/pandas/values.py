"""The pandas part of evaluation: rows, columns, masks, frames, keys, and ``pd.DataFrame(…)`` results."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.python.exprs.simplify import both, either, is_boolean, is_missing, is_nan, is_null, negate
from headwater.python.interpreter.scalars import _COMPARE
from headwater.python.libraries import models
from headwater.python.rows.row_loops import FoldInterpreter
from headwater.python.rows.row_sequences import KeyTuple, Row, RowSequence, Series
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.slots import Slots
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import TRUE, Compare, Expr, In, Lit, slots_of

from . import columns as made_columns
from . import methods
from .arithmetic import OPERATORS, computed, filled, taken_apart
from .column_reductions import ZERO, Reductions
from .group import PANDAS_NAMES, Group
from .results import build_table

_REDUCTIONS = {"max", "min", "sum", "mean", "count", "any", "all"}


class PandasInterpreter(FoldInterpreter):
    """Gives a meaning to the group's frame and what is made of it."""

    def __init__(self, group: Group, slots: Slots) -> None:
        super().__init__(group.scope, slots)
        self.group = group
        self.reductions = Reductions(group, slots)
        self._orders: dict[str, int] = {}
        self._labels: dict[RowSequence, int] = {}

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """The pandas meaning of ``node``, if it has one."""
        if isinstance(node, ast.Name):
            return None
        if isinstance(node, ast.Attribute):
            return self._attribute(node, env)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, env)
        if isinstance(node, ast.Compare):
            return self._mask(node, env)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            return self._combined(node, env)
        if isinstance(node, ast.BinOp) and isinstance(node.op, OPERATORS):
            return computed(self, node, env)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            inner = self.pandas(node.operand, env)
            return self._series(inner, negate(self._condition(inner, node))) if isinstance(inner, Series) else None
        return self._call(node, env) if isinstance(node, ast.Call) else None

    def pandas(self, node: ast.expr, env: Env) -> AbstractObject | None:
        """``node`` as a row, column or frame; None if it is something else."""
        found = env.get(node.id) if isinstance(node, ast.Name) else self.object_at(node, env)
        return found if isinstance(found, AbstractObject) else None

    def _attribute(self, node: ast.Attribute, env: Env) -> Value | None:
        owner = self.pandas(node.value, env)
        if isinstance(owner, Row):
            return self._row_attribute(owner, node)
        if isinstance(owner, RowSequence):
            if node.attr == "empty":
                return negate(TRUE) if owner.mask == TRUE else Compare("==", self._length(owner), ZERO, "python")
            if node.attr == "index":
                return owner
            if node.attr not in PANDAS_NAMES:
                return self.group.series(owner, node.attr)
            return None
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
        if row.access == "both" and not self.group.rows_are_objects():
            self.group.numpy_scalar(name, "`iterrows`")
            self.group.exact_as_float(name, "`iterrows`")
        return self.group.view(name)

    def _subscript(self, node: ast.Subscript, env: Env) -> Value | None:
        index = node.slice
        number = index.value if isinstance(index, ast.Constant) and type(index.value) is int else None
        name = index.value if isinstance(index, ast.Constant) and isinstance(index.value, str) else None
        if isinstance(node.value, ast.Attribute):
            owner = self.pandas(node.value.value, env)
            if isinstance(owner, RowSequence) and node.value.attr == "loc":
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
            return self._first(owner.frame, name, node)
        if isinstance(owner, KeyTuple):
            if number is None or not -len(owner.names) <= number < len(owner.names):
                raise Refusal("may-throw", "the key has no such part", node)
            return self.key_part(owner.names[number])
        if isinstance(owner, RowSequence):
            return self.group.series(owner, name) if name is not None else self._filtered(owner, index, node, env)
        if isinstance(owner, Series):
            where = self.pandas(index, env)
            if isinstance(where, Series) and where.frame == owner.frame and not owner.listed:
                frame = self._restrict(owner.frame, self._condition(where, node))
                return Series(frame, owner.element, owner.column)
        return None

    def _located(self, owner: RowSequence, index: ast.expr, node: ast.AST, env: Env) -> Value | None:
        """``frame.loc[mask]`` and ``frame.loc[mask, "column"]``."""
        rows, columns = (index.elts[0], index.elts[1:]) if isinstance(index, ast.Tuple) and index.elts else (index, [])
        frame = self._filtered(owner, rows, node, env)
        match columns:
            case [] if not isinstance(index, ast.Tuple):
                return frame
            case [ast.Constant(value=str() as name)] if frame is not None:
                return self.group.series(frame, name)
        raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)

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
        if attr == "shape" and number == 0:
            return self._length(owner if isinstance(owner, RowSequence) else owner.frame)
        if number != 0:
            raise Refusal("may-throw", f"`{self.scope.ctx.text(node)}`: a group may have too few rows", node)
        frame = owner if isinstance(owner, RowSequence) else owner.frame
        if frame.mask != TRUE:
            raise Refusal("may-throw", "the first of rows that may be none", node)
        if isinstance(owner, RowSequence) and attr == "iloc":
            return FirstRow(owner)
        if isinstance(owner, Series) and owner.column is not None and attr in ("iloc", "iat", "values"):
            if attr == "values" and self.scope.type(owner.element).name not in ("string", "int", "float", "number"):
                raise Refusal("opaque", "`.values` of a column that is neither numeric nor a string", node)
            return self._first(owner.frame, owner.column, node)
        raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)

    def _first(self, frame: RowSequence, name: str, node: ast.AST) -> Expr:
        if any(m.name == name for m in frame.made):
            raise Refusal("opaque", f"the first value of `{name}`, which was set", node)
        self.group.numpy_scalar(name, "`iloc[0]`")
        if name in self.group.keys:
            return self.group.view(name)
        self.use_order(frame, node)
        return self.reductions.first(self.group.series(frame, name))

    def _length(self, frame: RowSequence) -> Expr:
        return self.reductions.length(frame)

    def _filtered(self, frame: RowSequence, index: ast.expr, node: ast.AST, env: Env) -> RowSequence | None:
        mask = self.pandas(index, env)
        if not isinstance(mask, Series) or mask.frame != frame:
            return None
        return self._restrict(frame, self._condition(mask, node))

    def _restrict(self, frame: RowSequence, condition: Expr) -> RowSequence:
        return replace(frame, mask=both(frame.mask, condition))

    def not_listed(self, node: ast.AST, *columns: Series) -> None:
        """Refuse what Python does to a list of the values of a column: ``+`` joins two of them."""
        if any(c.listed for c in columns):
            raise Refusal("opaque", "a list of the values of a column, which is computed with", node)

    def _condition(self, series: Series, node: ast.AST) -> Expr:
        self.not_listed(node, series)
        if not is_boolean(series.element) or slots_of(series.element):
            raise Refusal("opaque", "a mask that is not computed from the row alone", node)
        return series.element

    def condition_of(self, series: Series, node: ast.AST) -> Expr:
        """A mask as a condition on the row."""
        return self._condition(series, node)

    def _series(self, like: Series, element: Expr) -> Series:
        return Series(like.frame, element)

    def _mask(self, node: ast.Compare, env: Env) -> Series | None:
        """``column op constant`` and ``column op column``, element by element. pandas raises on the row alone where
        Python would; that error is the same with and without the pre-filter, so here it is taken as False."""
        year = methods.year_test(self, node, env)
        if year is not None:
            return year
        if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARE:
            return None
        sides = [self.pandas(n, env) for n in (node.left, node.comparators[0])]
        columns = [s for s in sides if isinstance(s, Series)]
        if not columns:
            return None
        if any(c.frame != columns[0].frame for c in columns):
            raise Refusal("opaque", "columns of different frames are compared", node)
        self.not_listed(node, *columns)
        op = _COMPARE[type(node.ops[0])]
        values = [
            s.element if isinstance(s, Series) else self.value(n, env)
            for s, n in zip(sides, (node.left, node.comparators[0]), strict=True)
        ]
        for c in columns:
            if c.column is None:
                if taken_apart(c.element) is None and not c.present:
                    raise Refusal("opaque", "a mask is compared", node)
                continue
            self.group.numpy_scalar(c.column, f"`{c.column}`")
            if any(self.scope.type(v).name != "int" for v in values):
                self.group.exact_as_float(c.column, "comparing the column with a float")
        found = self.compare(node, op, values[0], values[1])
        if not isinstance(found, Compare):
            raise Refusal("opaque", "a column compared with None", node)
        if op in ("==", "!="):
            return Series(columns[0].frame, found)
        none = either(*(is_null(v) for v in values))
        return Series(columns[0].frame, both(negate(none), found))

    def _combined(self, node: ast.BinOp, env: Env) -> Series | None:
        left, right = self.pandas(node.left, env), self.pandas(node.right, env)
        if not isinstance(left, Series) or not isinstance(right, Series) or left.frame != right.frame:
            return None
        join = both if isinstance(node.op, ast.BitAnd) else either
        return self._series(left, join(self._condition(left, node), self._condition(right, node)))

    def _call(self, node: ast.Call, env: Env) -> Value | None:
        name = self.scope.origin(node.func)
        made = methods.call(self, node, name, env)
        if made is not None:
            return made
        if name == "pandas.DataFrame":
            return build_table(self, node, env)
        if name in ("builtins.len", "builtins.max", "builtins.min", "builtins.sum", "builtins.any", "builtins.all"):
            return self._builtin(node, name.rpartition(".")[2], env)
        if not isinstance(node.func, ast.Attribute):
            return None
        owner, method = self.pandas(node.func.value, env), node.func.attr
        if method == "assign" and isinstance(owner, RowSequence):
            return made_columns.assigned(self, node, owner, env)
        if isinstance(owner, Series):
            return self._series_method(node, owner, method, env)
        return self._frame_method(node, owner, method) if isinstance(owner, RowSequence) else None

    def _builtin(self, node: ast.Call, name: str, env: Env) -> Expr | None:
        bound = models.bind(f"builtins.{name}", node)
        if len(node.args) != 1:
            return None
        of = self.pandas(node.args[0], env)
        if isinstance(of, (RowSequence, Series)):
            bound.only("obj", "iterable", "*")
        if name == "len" and isinstance(of, (RowSequence, Series)):
            return self._length(of if isinstance(of, RowSequence) else of.frame)
        if not isinstance(of, Series):
            return None
        self._row_local(of, node)
        if name != "len" and name not in ("any", "all"):
            self.use_order(of.frame, node)
        return self.reductions.builtin(node, name, of)

    def _row_local(self, series: Series, node: ast.AST) -> None:
        if slots_of(series.element) or slots_of(series.frame.mask):
            raise Refusal("opaque", "a second pass over the group reads what the first computed", node)

    def _series_method(self, node: ast.Call, owner: Series, method: str, env: Env) -> Value | None:
        self.not_listed(node, owner)
        made = methods.method(self, node, owner, method, env)
        if made is not None:
            return made
        if models.signature_of(f"pandas.Series.{method}") is None:
            raise Refusal("opaque", f"the method `{method}` of a column", node)
        bound = models.bind(f"pandas.Series.{method}", node)
        if method == "fillna":
            return filled(self, owner, node, env)
        if method in ("isna", "isnull", "notna", "notnull") and owner.column:
            missing = is_missing(owner.element)
            return self._series(owner, missing if method.startswith("is") else negate(missing))
        if method == "isin" and owner.column:
            return self._isin(node, bound.arguments["values"], owner, env)
        if method in ("tolist", "to_list", "copy"):
            return owner if method == "copy" else replace(owner, listed=True)
        if method == "dropna" and owner.column:
            bound.only()
            return Series(self._restrict(owner.frame, negate(is_missing(owner.element))), owner.element, owner.column)
        if method in _REDUCTIONS:
            bound.only()
            self._row_local(owner, node)
            return self.reductions.method(node, method, owner)
        if method == "item" and owner.column:
            raise Refusal("may-throw", "`item()` raises unless there is exactly one row", node)
        raise Refusal("opaque", f"the method `{method}` of a column", node)

    def _isin(self, node: ast.Call, values: ast.expr, owner: Series, env: Env) -> Series:
        options = self.any_value(values, env)
        plain = isinstance(options, Items) and all(
            isinstance(o, Lit) and o.value is not None and is_nan(o) == negate(TRUE) for o in options.items
        )
        if not isinstance(options, Items) or not plain or owner.column is None:
            raise Refusal("opaque", "`isin` of something other than constants", node)
        self.group.numpy_scalar(owner.column, f"`{owner.column}`")
        choices = tuple(o for o in options.items if isinstance(o, Lit))
        for o in choices:
            self.compare(node, "==", owner.element, o)
        return self._series(owner, In(owner.element, choices, "python"))

    def with_column(self, owner: RowSequence, name: str, value: Value, node: ast.AST) -> RowSequence:
        """``owner`` with a column set to a column of the same rows, or to a constant."""
        return made_columns.of_group(owner, name, value, node)

    def without(self, owner: RowSequence, gone: frozenset[str]) -> RowSequence:
        """``owner`` without the columns ``gone``."""
        return made_columns.without(owner, gone)

    def names_in(self, owner: RowSequence) -> frozenset[str] | None:
        """The names of the columns of ``owner``; None if they are not known."""
        if not self.group.source.complete:
            return None
        gone = {m.name for m in owner.made if m.element is None}
        return frozenset({f.name for f in self.group.source.fields} | {m.name for m in owner.made}) - gone

    def _relabelled(self, frame: RowSequence) -> RowSequence:
        """``frame`` with new labels, by which its columns are not aligned with those of ``frame``; the whole group has
        these labels from the start."""
        labels = replace(frame, made=())
        if labels == replace(labels, mask=TRUE, order=0, index=0):
            return frame
        return replace(frame, index=self._labels.setdefault(labels, len(self._labels) + 1))

    def _frame_method(self, node: ast.Call, owner: RowSequence, method: str) -> Value | None:
        if any(k.arg == "inplace" for k in node.keywords):
            raise Refusal("side-effect", "the frame is changed in place", node)
        if models.signature_of(f"pandas.DataFrame.{method}") is None:
            raise Refusal("opaque", f"the frame method `{method}`", node)
        bound = models.bind(f"pandas.DataFrame.{method}", node)
        given = bound.arguments
        if method == "sort_values" and "key" not in given:
            if any(isinstance(n, (ast.Name, ast.Attribute, ast.Call)) for e in given.values() for n in ast.walk(e)):
                raise Refusal("opaque", "what the rows are sorted by is not written out", node)
            order = f"{sorted((name, ast.unparse(v)) for name, v in given.items())}|{owner.order}"
            return replace(owner, order=self._orders.setdefault(order, len(self._orders) + 1))
        if method == "reset_index" and _is_true(bound.only("drop").get("drop")):
            return self._relabelled(owner)
        if method == "copy":
            return owner
        if method == "drop":
            return made_columns.dropped(self, owner, _needed(bound.only("columns"), "columns", node), node)
        if method == "rename":
            return made_columns.renamed(self, owner, _needed(bound.only("columns"), "columns", node), node)
        if method == "dropna":
            names = _names(_needed(bound.only("subset"), "subset", node))
            if names is not None:
                return self._restrict(
                    owner, both(*(negate(is_missing(self.group.series(owner, n).element)) for n in names))
                )
        if method in ("itertuples", "iterrows", "to_dict"):
            return None
        raise Refusal("opaque", f"the frame method `{method}`", node)


class FirstRow(AbstractObject):
    """``frame.iloc[0]``."""

    def __init__(self, frame: RowSequence) -> None:
        self.frame = frame


def row_is_tuple(row: Row) -> bool:
    """Whether the row is a named tuple, which has no items by name."""
    return row.access == "attribute"


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _needed(bound: Bound, name: str, node: ast.Call) -> ast.expr:
    """The argument ``name``; Refusal without it."""
    if name not in bound:
        raise Refusal("opaque", f"`{bound.name}` without `{name}`", node)
    return bound.arguments[name]


def _names(node: ast.expr) -> list[str] | None:
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    names = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    return names if len(names) == len(parts) else None
