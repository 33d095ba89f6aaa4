"""Expressions over the Arrow table of one group of which only this is asked: does each row of the tables that are made
still hold the group's key, and is nothing done but to compute?

Law: as in ``frame_values``, with a table for a frame. Arrow's objects cannot be changed, and Spark takes a column only
if it has exactly the declared type: so what comes out of a column that holds the key is the key, never a value that it
was converted to. (Measured: Spark 4.3, pyarrow 26; facts, section C *aia-key*.)
Condition: a method that keeps rows or columns as they are (``filter``, ``slice``, ``take``, ``sort_by``, ``select``,
``append_column``, ``join`` by the key), or a table that is made of columns of which one is given nothing but the key.
A schema that is given with the values may convert them: ``pa.schema([("k", pa.int64())])`` makes 1 of 1.5, so that is
left to the caller to exclude by type (``converts``).
Counterexamples without the condition: ``set_column(0, "k", …)`` sets the key, ``rename_columns`` gives its name to
another column, a right join has rows whose key is NULL.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from . import pandas_calls
from .frame_statements import FrameStatements
from .frame_states import OTHER, PLAIN, Array, Column, Entries, Held, KeyValue, Known, Parts, Plain, Ref, State
from .purity import refuse_call

_ROWS = frozenset("filter slice take sort_by drop_null combine_chunks unify_dictionaries".split())
"""Methods of a table whose result has some of its rows and all of its columns; of a column, some of its values."""
_TELLING = frozenset(
    "column to_pylist to_pydict to_batches to_pandas itercolumns equals nbytes as_py get_field_index field value_counts"
    " to_numpy cast fill_null unique is_null is_valid index group_by aggregate columns".split()
)
"""Methods that tell something of a table, a column or a scalar, and change nothing."""
_COMPUTE = frozenset(
    """
    abs add subtract multiply divide negate power sqrt round floor ceil sign min max min_max sum mean count
    count_distinct any all variance stddev quantile mode first last equal not_equal greater greater_equal less
    less_equal and_ or_ and_kleene or_kleene xor invert is_null is_valid is_nan is_in if_else coalesce fill_null
    case_when cast sort_indices rank unique value_counts utf8_lower utf8_upper utf8_length utf8_trim_whitespace
    starts_with ends_with match_substring year month day hour scalar field cumulative_sum array_sort_indices
    index_in drop_null filter take replace_substring strftime max_element_wise min_element_wise
    """.split()
)
"""Functions of ``pyarrow.compute``: all that are called compute, but for those that draw numbers or register some."""
_TYPES = frozenset(
    """
    int8 int16 int32 int64 float16 float32 float64 string utf8 bool_ date32 date64 timestamp binary large_string null
    list_ struct decimal128 field schema scalar
    """.split()
)
_JOINS = frozenset(("left outer", "inner", "full outer", "left semi", "left anti"))
"""After which the key columns hold what they held in one table or the other."""


class ArrowFrames(FrameStatements):
    """Evaluates expressions over tables. ``converts``: some column that holds the key was made of Python's values."""

    converts = False

    def _name(self, node: ast.Name, state: State) -> KeyValue:
        bound = None if node.id in {*state.names, *self.scope.local_names} else self.scope.ctx.constant(node.id)
        made = isinstance(bound, ast.Call) and (self.scope.origin(bound.func) or "").startswith("pyarrow.")
        if bound is not None and made and not self.scope.shadowed(node.id):
            self.value(bound, State({}, {}))
            return OTHER
        return super()._name(node, state)

    def call(self, node: ast.Call, state: State) -> KeyValue:
        """The result of a call."""
        pandas_calls.check_arguments(node)
        origin = self.scope.origin(node.func)
        if origin is None or not origin.startswith("pyarrow."):
            return super().call(node, state)
        name = origin.removeprefix("pyarrow.")
        given = self._given(node, state)
        if name in ("table", "Table.from_pydict"):
            return self._columns(given, state) if _one(node, "schema") else OTHER
        if name == "Table.from_pylist":
            return self._rows(given, state) if _one(node, "schema") else OTHER
        if name == "concat_tables":
            return self._concatenated(given[0], state) if len(node.args) == 1 and not node.keywords else OTHER
        if name in ("array", "chunked_array"):
            key = _key_of(given[0]) if node.args else None
            self.converts |= key is not None
            return Column(None, key)
        if name in _TYPES or (name.startswith("compute.") and name.removeprefix("compute.") in _COMPUTE):
            return OTHER
        raise refuse_call(self.scope.ctx, origin, node)

    def frame_method(self, node: ast.Call, method: str, owner: Ref, state: State) -> KeyValue | None:
        """The result of a method of a table."""
        held = state.heap[owner.at]
        given = self._given(node, state)
        if method in _ROWS:
            return self.some_rows(held, state)
        if method == "select" and len(given) == 1:
            names = given[0].value if isinstance(given[0], Known) else None
            return self.new(held.only(names if isinstance(names, (list, tuple)) else ()), state)
        if method == "drop" and len(given) == 1:
            gone = given[0].value if isinstance(given[0], Known) else None
            listed = [gone] if isinstance(gone, str) else gone if isinstance(gone, (list, tuple)) else None
            return self.new(held.without(*listed) if listed is not None else replace(held, keys=()), state)
        if method in ("append_column", "set_column"):
            return self.new(self._with_column(method, held, given), state)
        if method == "join" and given:
            return self._joined(node, held, given, state)
        if method == "column" and len(given) == 1:
            name = given[0].value if isinstance(given[0], Known) else None
            return Column(held.rows, held.key_of(name)) if isinstance(name, str) else OTHER
        if method in ("rename_columns", "cast"):
            return self.new(replace(held, keys=()), state)
        return OTHER if method in _TELLING else self._unlisted(node)

    def _unlisted(self, node: ast.Call) -> KeyValue:
        raise refuse_call(self.scope.ctx, None, node)

    def _method(self, node: ast.Call, func: ast.Attribute, owner: KeyValue, state: State) -> KeyValue:
        """``value.method(…)``."""
        method = func.attr
        if isinstance(owner, Column):
            self._given(node, state)
            if method in _ROWS:
                return Column(None, owner.key)
            if method in ("to_pylist", "to_numpy"):
                return Array(owner.key)
            return OTHER if method in _TELLING else self._unlisted(node)
        if method == "as_py" and not node.args and not node.keywords:
            return owner if isinstance(owner, Plain) else OTHER
        if method in _TELLING and not isinstance(owner, Ref):
            self._given(node, state)
            return OTHER
        return super()._method(node, func, owner, state)

    def _attribute(self, node: ast.Attribute, state: State) -> KeyValue:
        if (self.scope.origin(node) or "").startswith("pyarrow."):
            return OTHER
        if self.scope.origin(node) is not None:
            return super()._attribute(node, state)
        owner = self.value(node.value, state)
        return PLAIN if isinstance(owner, (Ref, Column)) and node.attr == "num_rows" else OTHER

    def _subscript(self, node: ast.Subscript, state: State) -> KeyValue:
        owner, index = self.value(node.value, state), self.value(node.slice, state)
        if isinstance(owner, Column):
            key = owner.key if isinstance(node.slice, ast.Slice) else None
            return Column(None, key) if key is not None else OTHER
        if isinstance(owner, Ref):
            held = state.heap[owner.at]
            if isinstance(node.slice, ast.Slice):
                return self.some_rows(held, state)
            known = isinstance(index, Known) and isinstance(index.value, str)
            return Column(held.rows, held.key_of(index.value)) if known and isinstance(index, Known) else OTHER
        return super()._subscript(node, state)

    def _with_column(self, method: str, held: Held, given: list[KeyValue]) -> Held:
        """A table with a column more, or with one in the place of another: if that was the key's, none is called so."""
        name = given[0 if method == "append_column" else 1] if len(given) > 1 else OTHER
        known = isinstance(name, Known) and isinstance(name.value, str)
        return held.without(name.value) if known and isinstance(name, Known) else replace(held, keys=())

    def _joined(self, node: ast.Call, held: Held, given: list[KeyValue], state: State) -> KeyValue:
        """``left.join(right, keys="k", join_type="inner")``."""
        keywords = {k.arg: k.value for k in node.keywords}
        how = self.value(keywords["join_type"], state) if "join_type" in keywords else Known("left outer")
        by = self.value(keywords["keys"], state) if "keys" in keywords else given[1] if len(node.args) > 1 else OTHER
        known = set(keywords) <= {"keys", "join_type"} and len(node.args) <= 2
        if not known or not isinstance(how, Known) or how.value not in _JOINS or not isinstance(given[0], Ref):
            return OTHER
        names = by.value if isinstance(by, Known) else None
        listed = [names] if isinstance(names, str) else names if isinstance(names, (list, tuple)) else []
        both = (p for p in held.keys if p in state.heap[given[0].at].keys)
        return self.new(Held(tuple(p for p in both if p[0] in listed), self.numbers.fresh()), state)

    def _concatenated(self, tables: KeyValue, state: State) -> KeyValue:
        refs = [p for p in tables.parts if isinstance(p, Ref)] if isinstance(tables, Parts) else []
        if not isinstance(tables, Parts) or not refs or len(refs) < len(tables.parts):
            return OTHER
        first, *others = (state.heap[r.at].keys for r in refs)
        keys = tuple(p for p in first if all(p in o for o in others))
        return self.new(Held(keys, self.numbers.fresh()), state)

    def _columns(self, given: list[KeyValue], state: State) -> KeyValue:
        """``pa.table({"k": values, …})``."""
        if not isinstance(given[0], Entries):
            return OTHER
        found = [(n, _key_of(v), isinstance(v, Column)) for n, v in given[0].entries]
        self.converts |= any(k is not None and (not column or len(given) > 1) for _, k, column in found)
        return self.new(Held(tuple((n, k) for n, k, _ in found if k is not None), self.numbers.fresh()), state)

    def _rows(self, given: list[KeyValue], state: State) -> KeyValue:
        """``pa.Table.from_pylist([{"k": value, …}, …])``."""
        rows = given[0]
        if not isinstance(rows, Parts) or not all(isinstance(r, Entries) for r in rows.parts):
            empty = isinstance(rows, Known) and rows.value in ([], ())
            return self.new(Held((), self.numbers.fresh(), empty=True), state) if empty else OTHER
        if not rows.parts:
            return self.new(Held((), self.numbers.fresh(), empty=True), state)
        each = [dict(r.entries) for r in rows.parts if isinstance(r, Entries)]
        keys = [(n, _key_of(Parts((v,)))) for n, v in each[0].items() if all(row.get(n) == v for row in each)]
        self.converts = True
        return self.new(Held(tuple((n, k) for n, k in keys if k is not None), self.numbers.fresh()), state)


def _key_of(values: KeyValue) -> str | None:
    """The key that a column, or each of a list of values, holds."""
    if isinstance(values, (Column, Array)):
        return values.key
    if isinstance(values, Parts):
        keys = {p.key if isinstance(p, Plain) else None for p in values.parts}
        return keys.pop() if len(keys) == 1 else None
    return None


def _one(node: ast.Call, keyword: str) -> bool:
    """Whether a call is given one thing, and perhaps the argument ``keyword``."""
    return 1 <= len(node.args) <= 2 and all(k.arg == keyword for k in node.keywords)
