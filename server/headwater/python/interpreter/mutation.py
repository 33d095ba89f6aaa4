"""Statements that change a list, set, record or bit mask: each yields the environment in which the name stands for the
changed value. Law: no two names stand for one mutable object; whatever would make it so is refused.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.builtins import named_containers, sorting, tallies
from headwater.python.builtins.comprehensions import sequence
from headwater.python.exprs.simplify import NONE, choose, either, negate
from headwater.python.values import dict_tables, short_lists
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.structures import (
    BitMask,
    BoundedList,
    Cell,
    OptionalValue,
    Ordering,
    RecordValue,
    blank,
    is_mutable,
    leaves,
    merged,
    settled,
    short,
)
from headwater.python.values.tallies import Tally
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE, Expr, Lit, Raise
from headwater_ir.types import STRING

from .outcomes import Path

if TYPE_CHECKING:
    from .statements import Interpreter

METHODS = ("append", "add", "extend", "update", "sort", "pop", "clear", "insert")
HEAP = ("heapq.heappush", "heapq.heappop", "heapq.heappushpop", "heapq.heapreplace", "heapq.heapify")
BISECT = ("bisect.insort", "bisect.insort_right", "bisect.insort_left")
ASCENDING = Ordering("", False)
_GROWING = {("list", "append"), ("set", "add")}
_OURS = (Items, BoundedList, AppendOnly, OptionalValue)
"""What an augmented assignment changes in place, and has no other name."""


def changed(run: Interpreter, node: ast.stmt, env: Env, path: Path) -> Env | None:
    """The environment after ``node`` if it changes a container of ours."""
    for name in (
        mutated_names(run, [node]) if isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign, ast.Delete)) else ()
    ):
        if isinstance(rows := env.get(name), Rows) and not rows.collects:
            raise Refusal(
                "side-effect",
                f"`{run.scope.ctx.text(node)}` changes a list of rows that the function did not make",
                node,
            )
    match node:
        case ast.Expr(value=ast.Call() as call):
            found = called(run, call, env, path)
            return found and found[0]
        case ast.Assign(targets=[ast.Subscript() as target]):
            return _stored(run, target, node.value, env, path)
        case ast.Assign(targets=[ast.Attribute() as target]):
            return _field_set(run, target, node.value, env, path)
        case ast.Assign(targets=[target], value=ast.Call() as call):
            found = called(run, call, env, path)
            return found and run.bind(target, found[1], found[0])
        case ast.AugAssign():
            return _augmented(run, node, env, path)
        case ast.Delete(targets=[ast.Subscript() as target]):
            return _deleted(run, target, env, path)
    return None


def mutated_names(run: Interpreter, body: list[ast.stmt]) -> set[str]:
    """Names whose object ``body`` may change in place."""
    found: set[str] = set()
    for node in (n for s in body for n in ast.walk(s)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            found.add(_base(node.func.value))
        if isinstance(node, ast.Call) and node.args and run.scope.origin(node.func) in (*HEAP, *BISECT):
            found.add(_base(node.args[0]))
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found.add(_base(node))
    return found - {""}


def augmented_names(body: list[ast.stmt]) -> set[str]:
    """Names that an augmented assignment changes, perhaps in place."""
    every = (n for s in body for n in ast.walk(s) if isinstance(n, ast.AugAssign))
    return {n.target.id for n in every if isinstance(n.target, ast.Name)}


def only_grows(run: Interpreter, name: str, body: list[ast.stmt]) -> bool:
    """Whether ``body`` does nothing to ``name`` but add elements."""
    for node in (n for s in body for n in ast.walk(s)):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and _base(node) == name:
            return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _base(node.func.value) == name:
            if node.func.attr in METHODS and node.func.attr not in ("append", "add", "extend", "update"):
                return False
        if isinstance(node, ast.Call) and node.args and run.scope.origin(node.func) in (*HEAP, *BISECT):
            if _base(node.args[0]) == name:
                return False
    return True


def keyed(name: str, before: Value, body: list[ast.stmt]) -> bool:
    """Whether ``name`` is an empty dict in which ``body`` keeps values by keys that are not constant."""
    if not isinstance(before, RecordValue) or before.names or before.access != "item":
        return False
    stored = (n for s in body for n in ast.walk(s) if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store))
    return any(
        isinstance(n.value, ast.Name) and n.value.id == name and not isinstance(n.slice, ast.Constant) for n in stored
    )


def _base(node: ast.expr) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def require_fresh(node: ast.expr, value: Value) -> None:
    """Refuse a second name for a mutable object."""
    if not is_mutable(value):
        return
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)) and isinstance(value, Items):
        for part, item in zip(node.elts, value.items, strict=False):
            require_fresh(part, item)
        return
    if isinstance(node, ast.Dict) and isinstance(value, RecordValue):
        for key, part in zip(node.keys, node.values, strict=True):
            found = value.get(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
            if found is not None:
                require_fresh(part, found)
        return
    fresh = isinstance(node, (ast.Call, ast.BinOp, ast.ListComp, ast.SetComp)) or (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    )
    if not fresh:
        raise Refusal("opaque", "two names for one list, set or dict", node)


def stored(run: Interpreter, target: ast.expr, value: Value, env: Env) -> Env:
    """``env`` with the container that ``target`` names replaced by ``value``."""
    if isinstance(target, ast.Name) and target.id in env:
        return {**env, target.id: value}
    if isinstance(target, ast.Attribute) and _is_field(record := env.get(_base(target)), target):
        assert isinstance(record, RecordValue)
        assert not is_mutable(value)
        parts = tuple(value if n == target.attr else v for n, v in zip(record.names, record.values, strict=True))
        return stored(run, target.value, replace(record, values=parts, solid=run.solid(parts)), env)
    if not isinstance(target, ast.Subscript):
        raise Refusal("side-effect", f"`{run.scope.ctx.text(target)}` is changed", target)
    owner = named_containers.container_at(run, target.value, env)
    index = named_containers.constant(run, target.slice, env)
    if isinstance(owner, RecordValue) and owner.mutable and owner.access == "item" and isinstance(index, str):
        names = owner.names if index in owner.names else (*owner.names, index)
        values = dict(zip(owner.names, owner.values, strict=True)) | {index: value}
        parts = tuple(values[n] for n in names)
        return stored(run, target.value, replace(owner, names=names, values=parts, solid=run.solid(parts)), env)
    if isinstance(owner, Items) and owner.mutable and not owner.unique and type(index) is int:
        if not -len(owner.items) <= index < len(owner.items):
            raise Refusal("may-throw", f"`{run.scope.ctx.text(target)}` is beyond the list's end", target)
        items = list(owner.items)
        items[index] = value
        return stored(run, target.value, replace(owner, items=tuple(items), solid=run.solid(tuple(items))), env)
    if isinstance(owner, BoundedList) and type(index) is int and not owner.heap:
        return stored(run, target.value, _replaced(run, target, owner, index, value), env)
    raise Refusal("opaque", f"`{run.scope.ctx.text(target)}` is assigned", target)


def _replaced(run: Interpreter, node: ast.AST, owner: BoundedList, index: int, value: Value) -> BoundedList:
    placed = short_lists.placed(owner)
    place = index if index >= 0 else -1 - index
    if (index >= 0) == placed.turned or place >= len(placed.cells):
        raise Refusal("opaque", "an element that is replaced from the far end of a list", node)
    cell = placed.cells[place]
    if not settled(cell.present) and run.known().decide(cell.present) is not True:
        raise Refusal("may-throw", "an element that may not be there is replaced", node)
    if 0 not in run.solid((next(leaves(value)),)):
        raise Refusal("three-valued-logic", "a list with an order may hold None", node)
    new = Cell(cell.present, _both(node, cell.present, value, cell.value))
    full = placed.full and run.solid(tuple(leaves(value))) == frozenset(range(len(list(leaves(value)))))
    return replace(placed, cells=(*placed.cells[:place], new, *placed.cells[place + 1 :]), order=None, full=full)


def _both(node: ast.AST, cond: Expr, a: Value, b: Value) -> Value:
    found = merged(cond, a, b)
    if found is None:
        raise Refusal("opaque", "a list of unlike elements", node)
    return found


def _stored(run: Interpreter, target: ast.Subscript, node: ast.expr, env: Env, path: Path) -> Env | None:
    if isinstance(target.slice, ast.Slice):
        everything = target.slice.lower is None and target.slice.upper is None and target.slice.step is None
        owner = named_containers.container_at(run, target.value, env)
        if not everything or owner is None:
            return None
        value = run.evaluated(node, env, path)
        require_fresh(node, value)
        return stored(run, target.value, value, env)
    owner = named_containers.container_at(run, target.value, env)
    if isinstance(owner, Tally):
        return _tallied(run, target, owner, tallies.increment(owner, target, node), env, path)
    if not isinstance(owner, (RecordValue, Items, BoundedList)):
        return None
    if named_containers.constant(run, target.slice, env) is ...:
        raise Refusal("opaque", "values kept in a list or dict by a key that is not constant", target)
    value = run.evaluated(node, env, path)
    require_fresh(node, value)
    return stored(run, target, value, env)


def _is_field(record: Value | None, target: ast.Attribute) -> bool:
    """Whether ``target`` is a field of a record in a variable that can be assigned."""
    fields = record.names if isinstance(record, RecordValue) and record.access == "attribute" and record.mutable else ()
    return isinstance(target.value, ast.Name) and target.attr in fields


def _field_set(run: Interpreter, target: ast.Attribute, node: ast.expr, env: Env, path: Path) -> Env | None:
    """``record.x = value``."""
    if not _is_field(env.get(_base(target)), target):
        return None
    value = run.evaluated(node, env, path)
    if is_mutable(value):
        raise Refusal("opaque", "a record that holds a list, set or dict", target)
    return stored(run, target, value, env)


def _augmented(run: Interpreter, node: ast.AugAssign, env: Env, path: Path) -> Env | None:
    read = ast.copy_location(_as_load(node.target), node.target)
    if isinstance(node.target, ast.Attribute):
        computed = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
        return _field_set(run, node.target, ast.fix_missing_locations(computed), env, path)
    if isinstance(node.target, ast.Name):
        owner = env.get(node.target.id)
        masks = isinstance(node.op, (ast.BitOr, ast.BitAnd))
        if not masks and not isinstance(owner, _OURS):
            return None
        if isinstance(owner, AppendOnly) and owner.of.unique:
            return _extended(run, node, read, owner, node.value, env, path)
        if isinstance(owner, AbstractObject) and not isinstance(owner, (*_OURS, BitMask)):
            return None  # an object of the boundary, which may have other names
    else:
        owner = named_containers.container_at(run, node.target.value, env)
        if isinstance(owner, Tally):
            more = node.value if isinstance(node.op, ast.Add) and owner.kind in ("Counter", "numbers") else None
            return _tallied(run, node.target, owner, more, env, path)
        if not isinstance(owner, (RecordValue, Items, BoundedList)):
            return None
        if isinstance(owner, RecordValue) and named_containers.constant(run, node.target.slice, env) is ...:
            return _under_key(run, node, node.target, owner, env, path)
    if isinstance(owner, Items) and owner.mutable and isinstance(node.target, ast.Name):
        return _extended(run, node, read, owner, node.value, env, path)
    whole = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
    value = run.evaluated(ast.fix_missing_locations(whole), env, path)
    return stored(run, node.target, value, env)


def _under_key(
    run: Interpreter, node: ast.AugAssign, target: ast.Subscript, owner: RecordValue, env: Env, path: Path
) -> Env:  # fmt: skip
    """``counts[key] += x`` of a dict whose keys are spelled out; a KeyError for another key."""
    if dict_tables.as_table(owner) is None or not owner.mutable:
        raise Refusal("opaque", "values kept in a dict by a key that is not constant", target)
    key = run.plain(target, run.evaluated(target.slice, env, path))
    more = run.numeric(node.value, env)
    run.effect(path, more)
    tests = [dict_tables.same_key(run, target, key, Lit(name, STRING)) for name in owner.names]
    run.effect((*path, (either(*tests), False)), Raise("KeyError"))
    values: list[Value] = []
    for test, before in zip(tests, (run.plain(target, v) for v in owner.values), strict=True):
        values.append(choose(test, run.arithmetic(node, node.op, before, more), before))
    parts = tuple(values)
    return stored(run, target.value, replace(owner, values=parts, solid=run.solid(parts)), env)


def _tallied(
    run: Interpreter, target: ast.Subscript, owner: Tally, more: ast.expr | None, env: Env, path: Path
) -> Env:  # fmt: skip
    """``owner`` with ``more`` added under a key."""
    if more is None:
        raise Refusal("opaque", "values kept in a dict by a key that is not constant", target)
    key, part = run.evaluated(target.slice, env, path), _element(run, more, env, path)
    return stored(run, target.value, tallies.added(run, target, owner, key, part), env)


def _as_load(target: ast.Name | ast.Subscript | ast.Attribute) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    return ast.Subscript(target.value, target.slice, ast.Load())


def _deleted(run: Interpreter, target: ast.Subscript, env: Env, path: Path) -> Env | None:
    owner = named_containers.container_at(run, target.value, env)
    if isinstance(owner, Items) and owner.mutable:
        owner = short(owner)
    if not isinstance(owner, BoundedList) or owner.heap:
        return None
    if isinstance(target.slice, ast.Slice):
        low, high = (
            None if e is None else named_containers.constant(run, e, env)
            for e in (target.slice.lower, target.slice.upper)
        )
        if target.slice.step is None and type(low) is int and low >= 0 and high is None:
            return stored(run, target.value, sorting.cut(run, target, owner, None, low), env)
        if target.slice.step is None and low in (None, 0) and type(high) is int and high < 0:
            return stored(run, target.value, sorting.cut(run, target, owner, high, None), env)
        raise Refusal("opaque", "a slice is deleted from the middle of a list", target)
    index = named_containers.constant(run, target.slice, env)
    if index not in (0, -1):
        raise Refusal("opaque", "an element is deleted from the middle of a list", target)
    return _popped(run, target.value, owner, index == -1, env, path)[0]


def _popped(
    run: Interpreter, target: ast.expr, owner: BoundedList, last: bool, env: Env, path: Path
) -> tuple[Env, Value]:
    placed = short_lists.placed(owner)
    if not placed.cells:
        run.effect(path, Raise("pop from an empty list"))
        return env, Raise("pop from an empty list")
    if not settled(placed.cells[0].present):
        run.effect((*path, (placed.cells[0].present, False)), Raise("pop from an empty list"))
    rest, taken = short_lists.popped(owner, last=last)
    return stored(run, target, rest, env), short_lists.read(taken)


def called(run: Interpreter, call: ast.Call, env: Env, path: Path) -> tuple[Env, Value] | None:
    """The environment after a call that changes a container, and what it returns; None if it is no such call."""
    name = run.scope.origin(call.func)
    if name in (*HEAP, *BISECT):
        return _heap(run, call, name or "", env, path)
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in METHODS:
        return None
    target, method = call.func.value, call.func.attr
    if method == "sort" and isinstance(target, ast.Name) and run.is_list(target, env):
        return _sorted_in_place(run, call, target, env, path), NONE
    lists = named_containers.container_at(run, target.value, env) if isinstance(target, ast.Subscript) else None
    if isinstance(lists, Tally) and isinstance(target, ast.Subscript):
        more = models.in_order(f"builtins.{lists.kind}.{method}", call) if (lists.kind, method) in _GROWING else (None,)
        return _tallied(run, target, lists, more[0], env, path), NONE
    owner = named_containers.container_at(run, target, env)
    if isinstance(owner, Tally):
        return _refilled(run, call, target, owner, env, path), NONE
    if owner is None or owner.__class__ is OptionalValue or not isinstance(owner, AbstractObject):
        return None
    kind = "set" if _is_set(owner) else "dict" if isinstance(owner, RecordValue) else "list"
    if models.signature_of(f"builtins.{kind}.{method}") is None:
        raise Refusal("may-throw", f"`{run.scope.ctx.text(call.func)}` is no method of this object", call)
    given = models.in_order(f"builtins.{kind}.{method}", call) if method != "sort" else ()
    if method in ("extend", "update") and len(given) == 1:
        return _extended(run, call, target, owner, given[0], env, path), NONE
    if method in ("append", "add"):
        if method != ("add" if _is_set(owner) else "append"):
            raise Refusal("may-throw", f"`{run.scope.ctx.text(call.func)}` is no method of this object", call)
        element = _element(run, given[0], env, path)
        return stored(run, target, named_containers.grow(run, call, owner, element), env), NONE
    if method == "sort" and isinstance(owner, AppendOnly) and not owner.of.unique and len(run.scope.inlining) == 1:
        ordering, key = sorting.ordering_of(run, call, models.bind("builtins.list.sort", call), env, owner)
        return stored(run, target, named_containers.SortedAppendOnly(owner, ordering, key), env), NONE
    as_list = short(owner)
    if as_list is None:
        raise Refusal("opaque", f"`{run.scope.ctx.text(call)}`", call)
    if method == "sort":
        ordering, key = sorting.ordering_of(run, call, models.bind("builtins.list.sort", call), env, as_list)
        return stored(run, target, sorting.sort(run, call, as_list, ordering, key), env), NONE
    if method == "clear":
        return stored(run, target, _emptied(as_list), env), NONE
    if method == "pop" and not as_list.heap:
        index = named_containers.constant(run, given[0], env) if given else -1
        if index in (0, -1):
            return _popped(run, target, as_list, index == -1, env, path)
    raise Refusal("opaque", f"`{run.scope.ctx.text(call)}`", call)


def _sorted_in_place(run: Interpreter, call: ast.Call, target: ast.Name, env: Env, path: Path) -> Env:
    """``values.sort()`` of a list with a value for each row, which has no other name."""
    held, others = env[target.id], (v for n, v in env.items() if n != target.id and isinstance(v, AbstractObject))
    run.path = path
    rows = run.rows_at(target, env)
    if rows is None or any(v == held for v in others) or len(run.scope.inlining) != 1:
        raise Refusal("opaque", "a list that is sorted in place and may have another name", call)
    return {**env, target.id: sorting.sorted_rows(run, call, rows, models.bind("builtins.list.sort", call), env)}


def _refilled(run: Interpreter, call: ast.Call, target: ast.expr, owner: Tally, env: Env, path: Path) -> Env:
    """``counter.update(iterable)`` of a counter that is empty."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr != "update" or owner.kind != "Counter" or not isinstance(owner.history, Items) or path:
        raise Refusal("opaque", f"`{run.scope.ctx.text(call)}` of a dict of counts", call)
    (given,) = models.in_order("builtins.list.extend", call)
    of = sequence(run, given, env, whole=True)
    if of is None or isinstance(of, (RecordValue, Tally)):
        raise Refusal("opaque", "a counter that is updated from something else than a sequence", call)
    return stored(run, target, tallies.counted(run, call, of), env)


def _emptied(owner: BoundedList) -> BoundedList:
    cells = tuple(Cell(negate(TRUE), blank(c.value)) for c in owner.cells)
    return replace(owner, cells=cells, pending=())


def _is_set(owner: Value) -> bool:
    return (isinstance(owner, AppendOnly) and owner.of.unique) or (isinstance(owner, Items) and owner.unique)


def _element(run: Interpreter, node: ast.expr, env: Env, path: Path) -> Value:
    value = run.evaluated(node, env, path)
    require_fresh(node, value)
    return value


def _extended(
    run: Interpreter, node: ast.AST, target: ast.expr, owner: Value, more: ast.expr, env: Env, path: Path
) -> Env:
    if isinstance(owner, RecordValue):
        given = run.any_value(more, env)
        named_containers.require_flat(node, given)
        if not isinstance(given, RecordValue) or given.access != "item":
            raise Refusal("opaque", "a dict that is updated from something else", node)
        values = dict(zip(owner.names, owner.values, strict=True)) | dict(zip(given.names, given.values, strict=True))
        parts = tuple(values.values())
        return stored(run, target, replace(owner, names=tuple(values), values=parts, solid=run.solid(parts)), env)
    added = run.evaluated(more, env, path)
    named_containers.require_flat(node, added)
    if not isinstance(added, Items):
        raise Refusal("opaque", "a list that is extended by another", node)
    for item in added.items:
        owner = named_containers.grow(run, node, owner, item)
    return stored(run, target, owner, env)


def _heap(run: Interpreter, call: ast.Call, name: str, env: Env, path: Path) -> tuple[Env, Value] | None:
    target, *more = models.in_order(name, call)
    found = named_containers.container_at(run, target, env)
    owner = short(found) if found is not None else None
    if owner is None or len(more) > 1:
        raise Refusal("opaque", f"`{run.scope.ctx.text(call)}`", call)
    if name in BISECT:
        unsorted = owner.order is None and (owner.cells or owner.pending)
        if owner.order not in (None, ASCENDING) or owner.heap or unsorted:
            raise Refusal("opaque", "`insort` into a list that is not known to be sorted", call)
        grown = named_containers.grow(run, call, owner, _element(run, more[0], env, path))
        assert isinstance(grown, BoundedList)
        return stored(run, target, sorting.sort(run, call, grown, ASCENDING, None), env), NONE
    if not owner.heap and (len(owner.cells) > 1 or owner.pending):
        raise Refusal("opaque", "a list that is not known to be a heap", call)
    if name == "heapq.heapify" and not owner.heap:
        for element in (c.value for c in short_lists.placed(owner).cells):
            run.require_order(call, element, None, full=owner.full)
        turned = short_lists.ordered(short_lists.placed(owner), ASCENDING, run.order(call, None), turned=True)
        return stored(run, target, replace(turned, heap=True), env), NONE
    heap = replace(owner, heap=True, turned=True, order=ASCENDING)
    taken: Value = NONE
    if name == "heapq.heapreplace":
        env, taken = _popped(run, target, heap, False, env, path)
        refreshed = named_containers.container_at(run, target, env)
        heap = refreshed if isinstance(refreshed, BoundedList) else heap
    if name in ("heapq.heappush", "heapq.heappushpop", "heapq.heapreplace"):
        grown = named_containers.grow(run, call, heap, _element(run, more[0], env, path))
        assert isinstance(grown, BoundedList)
        heap = replace(sorting.sort(run, call, grown, ASCENDING, None), heap=True)
    if name in ("heapq.heappop", "heapq.heappushpop"):
        return _popped(run, target, heap, False, stored(run, target, heap, env), path)
    return stored(run, target, heap, env), taken


def narrowed(run: Interpreter, env: Env, cond: Expr, outcome: bool) -> Env:
    """``env`` where ``cond`` has had this outcome: a list that cannot be that long loses its last places."""
    known = run.known().plus(cond, outcome)
    found = env
    for name, value in env.items():
        if isinstance(value, BoundedList) and not value.pending:
            absent = [i for i, c in enumerate(value.cells) if known.decide(c.present) is False]
            if absent:
                found = {**found, name: replace(value, cells=value.cells[: min(absent)])}
    return found


__all__ = [
    "METHODS", "augmented_names", "changed", "is_mutable", "mutated_names", "narrowed", "only_grows", "require_fresh",
]  # fmt: skip
