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

from headwater.libraries import registry
from headwater.libraries.entry import Entry
from headwater.libraries.refused import refuse_call

from .lattice import OTHER, PLAIN, Array, Column, Constant, Entries, KeyFacts, KeyValue, Other, Parts, Plain, Ref, State
from .parts import constants_in, kept
from .statements import FrameStatements

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

    def library_call(self, entry: Entry, node: ast.Call, given: list[KeyValue], state: State) -> KeyValue:
        """The result of a function of a library that ``entry`` covers."""
        name = entry.name.removeprefix("pyarrow.")
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
        return super().library_call(entry, node, given, state)

    def frame_method(self, node: ast.Call, method: str, owner: Ref, state: State) -> KeyValue:
        """The result of a method of a table."""
        entry = registry.lookup(f"pyarrow.Table.{method}")
        if entry is None:
            raise refuse_call(self.scope.ctx, None, node)
        held = state.heap[owner.at]
        given = {name: self.value(v, state) for name, v in self.bind(entry, node, state).items()}
        first = next(iter(given.values()), OTHER)
        names = first.value if isinstance(first, Constant) else None
        if entry.yields == "rows":
            return self.some_rows(held, state)
        match method:
            case "take" if _row_numbers(first):
                return self.some_rows(held, state)
            case "join":
                return self._joined(held, given, state)
            case "column" if isinstance(names, str):
                return Column(held.rows, held.key_of(names))
        if entry.columns is not None:
            return self.new(kept(held, entry.columns(constants_in(given)), self.numbers), state)
        return Other(entry.returns)

    def _method(self, node: ast.Call, func: ast.Attribute, owner: KeyValue, state: State) -> KeyValue:
        """``value.method(…)``."""
        if isinstance(owner, Column):
            entries = registry.bind_method(("pyarrow.ChunkedArray", "pyarrow.Array"), node, self.constants(state))
            self._given(node, state)
            if entries[0].yields == "values":
                return Array(owner.key) if func.attr in ("to_pylist", "to_numpy") else Column(None, owner.key)
            return Other(entries[0].returns)
        if func.attr == "as_py" and isinstance(owner, Plain):
            registry.bind_method(("pyarrow.Scalar",), node)
            return owner
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
            known = isinstance(index, Constant) and isinstance(index.value, str)
            return Column(held.rows, held.key_of(index.value)) if known and isinstance(index, Constant) else OTHER
        return super()._subscript(node, state)

    def _joined(self, held: KeyFacts, given: dict[str, KeyValue], state: State) -> KeyValue:
        """``left.join(right, keys="k", join_type="inner")``."""
        how, by, right = given.get("join_type", Constant("left outer")), given["keys"], given["right_table"]
        plain = set(given) <= {"right_table", "keys", "join_type", "use_threads"}
        if not plain or not isinstance(how, Constant) or how.value not in _JOINS or not isinstance(right, Ref):
            return OTHER
        names = by.value if isinstance(by, Constant) else None
        listed = [names] if isinstance(names, str) else names if isinstance(names, (list, tuple)) else []
        both = (p for p in held.keys if p in state.heap[right.at].keys)
        return self.new(KeyFacts(tuple(p for p in both if p[0] in listed), self.numbers.fresh()), state)

    def _concatenated(self, tables: KeyValue, state: State) -> KeyValue:
        refs = [p for p in tables.parts if isinstance(p, Ref)] if isinstance(tables, Parts) else []
        if not isinstance(tables, Parts) or not refs or len(refs) < len(tables.parts):
            return OTHER
        first, *others = (state.heap[r.at].keys for r in refs)
        keys = tuple(p for p in first if all(p in o for o in others))
        return self.new(KeyFacts(keys, self.numbers.fresh()), state)

    def _columns(self, given: list[KeyValue], state: State) -> KeyValue:
        """``pa.table({"k": values, …})``."""
        if not isinstance(given[0], Entries):
            return OTHER
        found = [(n, _key_of(v), isinstance(v, Column)) for n, v in given[0].entries]
        self.converts |= any(k is not None and (not column or len(given) > 1) for _, k, column in found)
        return self.new(KeyFacts(tuple((n, k) for n, k, _ in found if k is not None), self.numbers.fresh()), state)

    def _rows(self, given: list[KeyValue], state: State) -> KeyValue:
        """``pa.Table.from_pylist([{"k": value, …}, …])``."""
        rows = given[0]
        if not isinstance(rows, Parts) or not all(isinstance(r, Entries) for r in rows.parts):
            empty = isinstance(rows, Constant) and rows.value in ([], ())
            return self.new(KeyFacts((), self.numbers.fresh(), empty=True), state) if empty else OTHER
        if not rows.parts:
            return self.new(KeyFacts((), self.numbers.fresh(), empty=True), state)
        each = [dict(r.entries) for r in rows.parts if isinstance(r, Entries)]
        keys = [(n, _key_of(Parts((v,)))) for n, v in each[0].items() if all(row.get(n) == v for row in each)]
        self.converts = True
        return self.new(KeyFacts(tuple((n, k) for n, k in keys if k is not None), self.numbers.fresh()), state)


def _key_of(values: KeyValue) -> str | None:
    """The key that a column, or each of a list of values, holds."""
    if isinstance(values, (Column, Array)):
        return values.key
    if isinstance(values, Parts):
        keys = {p.key if isinstance(p, Plain) else None for p in values.parts}
        return keys.pop() if len(keys) == 1 else None
    return None


def _row_numbers(indices: KeyValue) -> bool:
    """Whether indices are certainly none of them NULL, which would make a row of NULL."""
    if isinstance(indices, Other):
        return indices.kinds == {"row numbers"}
    numbers = indices.value if isinstance(indices, Constant) else None
    return isinstance(numbers, (list, tuple)) and all(type(n) is int for n in numbers)


def _one(node: ast.Call, keyword: str) -> bool:
    """Whether a call is given one thing, and perhaps the argument ``keyword``."""
    return 1 <= len(node.args) <= 2 and all(k.arg == keyword for k in node.keywords)
