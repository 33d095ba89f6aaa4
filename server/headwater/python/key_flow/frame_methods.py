"""Methods of frames, and ``pd.DataFrame(…)``, by what becomes of the columns that hold a group's key."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from headwater.libraries import models, registry
from headwater.libraries.entry import Entry, constants_of
from headwater.libraries.refused import refuse_call
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import by_place

from .expressions import FrameValues
from .lattice import (
    OTHER,
    PLAIN,
    Column,
    Constant,
    Entries,
    KeyFacts,
    KeyValue,
    Other,
    Parts,
    Plain,
    Ref,
    State,
    is_plain,
)
from .parts import constants_in, kept

_OF_MERGES = frozenset(
    "on by how sort suffixes copy validate direction tolerance allow_exact_matches fill_method".split()
)
"""Arguments of a merge with which it is one by columns that both frames have."""
_QUERY = re.compile(r"[\w\s.<>=!&|~'\"+\-*/%()\[\],]*")


class FrameCalls(FrameValues):
    """Gives a meaning to calls on frames."""

    def frame_method(self, node: ast.Call, method: str, owner: Ref, state: State) -> KeyValue:
        """The result of a method of a frame."""
        if method in ("insert", "pop"):
            return self._column_in_place(node, method, owner, state)
        if method == "assign":
            return self._assigned(node, owner, state)
        entry = registry.lookup(f"pandas.DataFrame.{method}")
        if entry is None:
            raise refuse_call(self.scope.ctx, None, node)
        call, in_place = _out_of_place(node)
        arguments = self.bind(entry, call, state)
        given = {name: self.value(v, state) for name, v in arguments.items()}
        if method == "merge":
            merged = self.merged(node, [owner, given["right"]], state) if len(node.args) < 2 else None
            return OTHER if merged is None else merged
        held = state.heap[owner.at]
        made = self._made(entry, call, held, given, state)
        if in_place:
            if made is None or not set(held.keys) <= set(made.keys):
                raise Refusal("side-effect", f"`{self.scope.ctx.text(node)}` changes the key in place", node)
            self.change(owner, made, state, node)
            return OTHER
        if entry.yields == "plain":
            return PLAIN
        return Other(entry.returns) if made is None else self.new(made, state)

    def change(self, owner: Ref, held: KeyFacts, state: State, node: ast.AST) -> None:
        """Change a frame in place, under every name that it has."""
        if state.heap[owner.at].merged:
            raise Refusal("opaque", "a frame is changed that may have another name", node)
        if self.frozen is not None and owner.at < self.frozen:
            raise Refusal("side-effect", "a frame is changed by code that may be run at another time", node)
        state.heap[owner.at] = held

    def _made(
        self, entry: Entry, node: ast.Call, held: KeyFacts, given: dict[str, KeyValue], state: State
    ) -> KeyFacts | None:
        """The frame that a covered method makes; None if nothing is known of its keys."""
        if entry.method == "query" and not _is_plain_query(given["expr"]):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}` is more than one condition over columns", node)
        if entry.yields == "same rows":
            return held
        if entry.yields == "rows":
            constants = constants_of(entry.bind(node, self.constants(state)), self.constants(state))
            return replace(held, rows=self.numbers.fresh(), some=held.some and entry.leaves(constants))
        if entry.columns is not None:
            return kept(held, entry.columns(constants_in(given)), self.numbers)
        return None

    def _column_in_place(self, node: ast.Call, method: str, owner: Ref, state: State) -> KeyValue:
        args = [self.value(a, state) for a in by_place(f"pandas.DataFrame.{method}", node)]
        name = args[1 if method == "insert" else 0] if len(args) == (3 if method == "insert" else 1) else None
        if not isinstance(name, Constant) or not isinstance(name.value, str):
            raise Refusal("opaque", f"which column `{self.scope.ctx.text(node)}` changes is not known", node)
        if method == "insert":
            self.set_column(owner, name.value, args[2], state, node)
        else:
            self.change(owner, state.heap[owner.at].without(name.value), state, node)
        return OTHER

    def set_column(self, owner: Ref, name: object, value: KeyValue, state: State, node: ast.AST) -> None:
        """``frame[name] = value``."""
        self.change(owner, _with_column(state.heap[owner.at], name, value), state, node)

    def _assigned(self, node: ast.Call, owner: Ref, state: State) -> Ref:
        made = self.new(state.heap[owner.at], state)
        for name, given in models.bind("pandas.DataFrame.assign", node).named.items():
            value = self.applied(given, [made], state) if isinstance(given, ast.Lambda) else self.value(given, state)
            self.set_column(made, name, value, state, node)
        return made

    def merged(self, node: ast.Call, frames: list[KeyValue], state: State) -> KeyValue | None:
        """A merge of ``frames`` by columns of one name in both: these hold what they held in one or the other."""
        given = {k.arg: k.value for k in node.keywords}
        if len(frames) != 2 or not all(isinstance(f, Ref) for f in frames) or not set(given) <= _OF_MERGES:
            return None
        left, right = (state.heap[f.at] for f in frames if isinstance(f, Ref))
        by = {n for name in ("on", "by") if name in given for n in _listed(self.value(given[name], state))}
        both = (p for p in left.keys if p in right.keys and isinstance(p[0], str))
        keys = tuple(p for p in both if p[0] in by or not given.keys() & {"on", "by"})
        return self.new(KeyFacts(keys, self.numbers.fresh()), state)

    # --- pd.DataFrame

    def _table(self, node: ast.Call, state: State) -> KeyValue:
        given = models.bind("pandas.DataFrame", node).arguments
        if set(given) - {"data", "columns", "index"}:
            return OTHER
        data = given.get("data")
        columns = self.value(given["columns"], state) if "columns" in given else None
        names = columns.value if isinstance(columns, Constant) and isinstance(columns.value, (list, tuple)) else None
        if columns is not None and names is None:
            return OTHER
        found = self.value(data, state) if data is not None else Parts(())
        if isinstance(found, Constant) and isinstance(found.value, (list, tuple)):
            found = Parts(tuple(Constant(v) for v in found.value))
        if isinstance(found, Parts) and not found.parts:
            empty = "index" not in given
            return self.new(KeyFacts((), self.numbers.fresh(), empty=empty), state) if empty else OTHER
        if isinstance(found, Entries) and names is None:
            return self.new(KeyFacts(_columns_of(found, "index" in given), self.numbers.fresh()), state)
        if isinstance(found, Parts):
            return self.new(KeyFacts(_rows_of(found, names), self.numbers.fresh()), state)
        return OTHER


def _with_column(held: KeyFacts, name: object, value: KeyValue) -> KeyFacts:
    """A frame with a column set. Where it has no row, what is a list or has rows of its own brings these along, and
    every other column is missing in them."""
    same = isinstance(value, Column) and value.rows is not None and value.rows == held.rows
    if not held.some and not is_plain(value) and not same:
        return replace(held, keys=(), empty=False)
    key = value.key if isinstance(value, Plain) or (same and isinstance(value, Column)) else None
    kept = held.without(name, *(c for c, _ in held.keys if not isinstance(c, str)))
    return replace(kept, keys=(*kept.keys, (name, key))) if key is not None and isinstance(name, str) else kept


def _columns_of(entries: Entries, indexed: bool) -> tuple[tuple[str | int, str], ...]:
    """The keys in the columns of ``DataFrame({name: value, …})``. A plain value stands in every row, and a list must be
    as long as the frame; a column is aligned with the others."""
    columns = [v for _, v in entries.entries if isinstance(v, Column)]
    others = [v for _, v in entries.entries if not isinstance(v, (Column, Parts, Plain, Constant))]
    aligned = not indexed and not others and len({c.rows for c in columns}) == 1 and columns[0].rows is not None
    found: list[tuple[str | int, str]] = []
    for name, value in entries.entries:
        key = None
        if isinstance(value, Plain) or (isinstance(value, Column) and aligned):
            key = value.key
        elif isinstance(value, Parts):
            keys = {p.key if isinstance(p, Plain) else None for p in value.parts}
            key = keys.pop() if len(keys) == 1 else None
        if key is not None:
            found.append((name, key))
    return tuple(found)


def _rows_of(rows: Parts, names: list[object] | tuple[object, ...] | None) -> tuple[tuple[str | int, str], ...]:
    """The keys in the columns of ``DataFrame([row, …], columns=names)``."""
    each: list[dict[object, KeyValue]]
    if all(isinstance(r, Entries) for r in rows.parts) and names is None:
        each = [dict[object, KeyValue](r.entries) for r in rows.parts if isinstance(r, Entries)]
    elif all(isinstance(r, Parts) and not r.repeated for r in rows.parts):
        lists = [r.parts for r in rows.parts if isinstance(r, Parts)]
        if len({len(r) for r in lists}) > 1 or (names is not None and len(names) != len(lists[0])):
            return ()
        labels = range(len(lists[0])) if names is None else names
        each = [dict(zip(labels, r, strict=True)) for r in lists]
    else:
        return ()
    found: list[tuple[str | int, str]] = []
    for name in each[0]:
        keys = {v.key if isinstance(v := row.get(name), Plain) else None for row in each}
        key = keys.pop() if len(keys) == 1 else None
        if key is not None and isinstance(name, (str, int)):
            found.append((name, key))
    return tuple(found)


def _listed(value: KeyValue) -> tuple[object, ...]:
    """The names that are given as one text or several."""
    if not isinstance(value, Constant):
        return ()
    return tuple(value.value) if isinstance(value.value, (list, tuple)) else (value.value,)


def _out_of_place(node: ast.Call) -> tuple[ast.Call, bool]:
    """The call without ``inplace=True``, and whether it had that."""
    in_place = [k for k in node.keywords if k.arg == "inplace"]
    if not in_place:
        return node, False
    value = in_place[0].value
    if not isinstance(value, ast.Constant) or not isinstance(value.value, bool):
        raise Refusal("side-effect", "whether the frame is changed in place is not known", node)
    rest = [k for k in node.keywords if k.arg != "inplace"]
    return ast.copy_location(ast.Call(node.func, node.args, rest), node), value.value


def _is_plain_query(condition: KeyValue) -> bool:
    """Whether the argument of ``query`` is one condition over columns: nothing is assigned, called or read from
    elsewhere."""
    text = condition.value if isinstance(condition, Constant) else None
    if not isinstance(text, str) or not _QUERY.fullmatch(text):
        return False
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return False
    plain = isinstance(tree, (ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp))
    return plain and not any(isinstance(n, ast.Call) for n in ast.walk(tree))
