"""Calls that change a container: its methods, and functions of `heapq` and `bisect`."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.builtins import named_containers, sorting, tallies
from headwater.python.builtins.comprehensions import sequence
from headwater.python.exprs.simplify import NONE, negate
from headwater.python.values import short_lists
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.structures import (
    BoundedList,
    Cell,
    OptionalValue,
    Ordering,
    RecordValue,
    blank,
    short,
)
from headwater.python.values.tallies import Tally
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE

from .changed_names import BISECT, HEAP, METHODS
from .container_stores import extended, fresh_value, popped, stored, tallied
from .outcomes import Path

if TYPE_CHECKING:
    from .statements import Interpreter

ASCENDING = Ordering("", False)


_GROWING = {("list", "append"), ("set", "add")}


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
        return tallied(run, target, lists, more[0], env, path), NONE
    owner = named_containers.container_at(run, target, env)
    if isinstance(owner, Tally):
        return _refilled(run, call, target, owner, env, path), NONE
    if owner is None or owner.__class__ is OptionalValue or not isinstance(owner, AbstractObject):
        return None
    if named_containers.is_deque(owner):
        return _kept(run, call, target, owner, env, path), NONE
    kind = "set" if _is_set(owner) else "dict" if isinstance(owner, RecordValue) else "list"
    if models.signature_of(f"builtins.{kind}.{method}") is None:
        raise Refusal("may-throw", f"`{run.scope.ctx.text(call.func)}` is no method of this object", call)
    given = models.in_order(f"builtins.{kind}.{method}", call) if method != "sort" else ()
    if method in ("extend", "update") and len(given) == 1:
        return extended(run, call, target, owner, given[0], env, path), NONE
    if method in ("append", "add"):
        if method != ("add" if _is_set(owner) else "append"):
            raise Refusal("may-throw", f"`{run.scope.ctx.text(call.func)}` is no method of this object", call)
        element = fresh_value(run, given[0], env, path)
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
            return popped(run, target, as_list, index == -1, env, path)
    raise Refusal("opaque", f"`{run.scope.ctx.text(call)}`", call)


def _kept(run: Interpreter, call: ast.Call, target: ast.expr, owner: Value, env: Env, path: Path) -> Env:
    """``values.append(x)`` of a ``deque`` that keeps the last elements."""
    assert isinstance(call.func, ast.Attribute)
    assert isinstance(owner, RecordValue)
    if call.func.attr != "append" or not isinstance(target, ast.Name):
        raise Refusal("opaque", f"`{run.scope.ctx.text(call)}` of a `deque`", call)
    (given,) = models.in_order("collections.deque.append", call)
    grown = named_containers.grow(run, call, owner.values[0], fresh_value(run, given, env, path))
    assert isinstance(grown, BoundedList)
    limit = int(owner.names[0].split()[1])
    return stored(run, target, named_containers.last_elements(limit, sorting.cut(run, call, grown, -limit, None)), env)


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
        grown = named_containers.grow(run, call, owner, fresh_value(run, more[0], env, path))
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
        env, taken = popped(run, target, heap, False, env, path)
        refreshed = named_containers.container_at(run, target, env)
        heap = refreshed if isinstance(refreshed, BoundedList) else heap
    if name in ("heapq.heappush", "heapq.heappushpop", "heapq.heapreplace"):
        grown = named_containers.grow(run, call, heap, fresh_value(run, more[0], env, path))
        assert isinstance(grown, BoundedList)
        heap = replace(sorting.sort(run, call, grown, ASCENDING, None), heap=True)
    if name in ("heapq.heappop", "heapq.heappushpop"):
        return popped(run, target, heap, False, stored(run, target, heap, env), path)
    return stored(run, target, heap, env), taken
