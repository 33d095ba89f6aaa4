"""Calls that change a container: its methods, and functions of `heapq` and `bisect`, one entry for each."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

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


@dataclass(frozen=True)
class Changing:
    """A call that changes ``owner``, which ``target`` names; ``name``: the full name of the method or function;
    ``given``: its arguments in the order of the parameters, without ``owner``."""

    run: Interpreter
    call: ast.Call
    name: str
    target: ast.expr
    owner: Value
    env: Env
    path: Path

    @property
    def given(self) -> tuple[ast.expr, ...]:
        """The arguments in the order of the parameters; of a function, also the container."""
        return models.in_order(self.name, self.call)

    @property
    def refusal(self) -> Refusal:
        """A refusal of what has no model."""
        return Refusal("opaque", f"`{self.run.scope.ctx.text(self.call)}`", self.call)

    def element(self, node: ast.expr) -> Value:
        """An argument that becomes an element."""
        return fresh_value(self.run, node, self.env, self.path)

    def stored(self, value: Value) -> Env:
        """The environment in which the container is ``value``."""
        return stored(self.run, self.target, value, self.env)

    def short(self) -> BoundedList:
        """The container as a list of few elements."""
        found = short(self.owner)
        if found is None:
            raise self.refusal
        return found


Change = Callable[[Changing], tuple[Env, Value]]
AnyChange = TypeVar("AnyChange", bound=Change)
_CHANGES: dict[str, Change] = {}


def changes() -> dict[str, Change]:
    """By full name, what methods and functions make of the container that they change."""
    return _CHANGES


def change(*names: str) -> Callable[[AnyChange], AnyChange]:
    """Register what the methods or functions of these full names do: the environment after it, and what it returns."""

    def register(law: AnyChange) -> AnyChange:
        _CHANGES.update(dict.fromkeys(names, law))
        return law

    return register


def called(run: Interpreter, call: ast.Call, env: Env, path: Path) -> tuple[Env, Value] | None:
    """The environment after a call that changes a container, and what it returns; None if it is no such call."""
    name = run.scope.origin(call.func)
    if name in (*HEAP, *BISECT):
        target = models.in_order(name or "", call)[0]
        owner = named_containers.container_at(run, target, env)
        return _CHANGES[name or ""](Changing(run, call, name or "", target, owner or NONE, env, path))
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in METHODS:
        return None
    target, method = call.func.value, call.func.attr
    owner = _owner(run, target, method, env)
    if owner is None or owner.__class__ is OptionalValue or not isinstance(owner, AbstractObject):
        return None
    kind = _kind(owner)
    if models.signature_of(f"{kind}.{method}") is None:
        raise Refusal("may-throw", f"`{run.scope.ctx.text(call.func)}` is no method of this object", call)
    law = _CHANGES.get(f"{kind}.{method}")
    if law is None:
        raise Refusal("opaque", f"`{run.scope.ctx.text(call)}`", call)
    return law(Changing(run, call, f"{kind}.{method}", target, owner, env, path))


def _owner(run: Interpreter, target: ast.expr, method: str, env: Env) -> Value | None:
    if method == "sort" and isinstance(target, ast.Name) and run.is_list(target, env):
        return env[target.id]
    lists = named_containers.container_at(run, target.value, env) if isinstance(target, ast.Subscript) else None
    if isinstance(lists, Tally) and lists.kind in ("list", "set"):
        return lists
    return named_containers.container_at(run, target, env)


def _kind(owner: Value) -> str:
    if isinstance(owner, Tally):
        named = {"Counter": "collections.Counter", "list": "builtins.list", "set": "builtins.set"}
        return named.get(owner.kind, "builtins.dict")
    if named_containers.is_deque(owner):
        return "collections.deque"
    return "builtins.set" if _is_set(owner) else f"builtins.{'dict' if isinstance(owner, RecordValue) else 'list'}"


@change("builtins.list.append", "builtins.set.add")
def _added(c: Changing) -> tuple[Env, Value]:
    """Of a list, or of one under a key of a ``defaultdict``."""
    (given,) = c.given
    if isinstance(c.owner, Tally):
        assert isinstance(c.target, ast.Subscript)
        return tallied(c.run, c.target, c.owner, given, c.env, c.path), NONE
    return c.stored(named_containers.grow(c.run, c.call, c.owner, c.element(given))), NONE


@change("builtins.list.extend", "builtins.set.update", "builtins.dict.update")
def _extended(c: Changing) -> tuple[Env, Value]:
    if len(c.given) != 1 or isinstance(c.owner, Tally):
        raise c.refusal
    return extended(c.run, c.call, c.target, c.owner, c.given[0], c.env, c.path), NONE


@change("builtins.list.sort")
def _sorted(c: Changing) -> tuple[Env, Value]:
    bound, owner = models.bind(c.name, c.call), c.owner
    if isinstance(c.target, ast.Name) and c.run.is_list(c.target, c.env):
        return _rows_sorted(c, c.target, owner), NONE
    if isinstance(owner, AppendOnly) and not owner.of.unique and len(c.run.scope.inlining) == 1:
        ordering, key = sorting.ordering_of(c.run, c.call, bound, c.env, owner)
        return c.stored(named_containers.SortedAppendOnly(owner, ordering, key)), NONE
    as_list = c.short()
    ordering, key = sorting.ordering_of(c.run, c.call, bound, c.env, as_list)
    return c.stored(sorting.sort(c.run, c.call, as_list, ordering, key)), NONE


def _rows_sorted(c: Changing, target: ast.Name, owner: Value) -> Env:
    """A list with a value for each row, which has no other name."""
    others = (v for n, v in c.env.items() if n != target.id and isinstance(v, AbstractObject))
    c.run.path = c.path
    rows = c.run.rows_at(target, c.env)
    if rows is None or any(v == owner for v in others) or len(c.run.scope.inlining) != 1:
        raise Refusal("opaque", "a list that is sorted in place and may have another name", c.call)
    return {**c.env, target.id: sorting.sorted_rows(c.run, c.call, rows, models.bind(c.name, c.call), c.env)}


@change("builtins.list.clear")
def _cleared(c: Changing) -> tuple[Env, Value]:
    owner = c.short()
    cells = tuple(Cell(negate(TRUE), blank(cell.value)) for cell in owner.cells)
    return c.stored(replace(owner, cells=cells, pending=())), NONE


@change("builtins.list.pop")
def _taken(c: Changing) -> tuple[Env, Value]:
    """The first or the last element."""
    owner = c.short()
    index = named_containers.constant(c.run, c.given[0], c.env) if c.given else -1
    if owner.heap or index not in (0, -1):
        raise c.refusal
    return popped(c.run, c.target, owner, index == -1, c.env, c.path)


@change("collections.deque.append")
def _kept(c: Changing) -> tuple[Env, Value]:
    """Of a ``deque`` that keeps the last elements."""
    owner = c.owner
    assert isinstance(owner, RecordValue)
    if not isinstance(c.target, ast.Name):
        raise Refusal("opaque", f"`{c.run.scope.ctx.text(c.call)}` of a `deque`", c.call)
    grown = named_containers.grow(c.run, c.call, owner.values[0], c.element(c.given[0]))
    assert isinstance(grown, BoundedList)
    limit = int(owner.names[0].split()[1])
    kept = named_containers.last_elements(limit, sorting.cut(c.run, c.call, grown, -limit, None))
    return c.stored(kept), NONE


@change("collections.Counter.update")
def _refilled(c: Changing) -> tuple[Env, Value]:
    """Of a counter that is empty."""
    owner = c.owner
    if not isinstance(owner, Tally) or not isinstance(owner.history, Items) or c.path or len(c.given) != 1:
        raise Refusal("opaque", f"`{c.run.scope.ctx.text(c.call)}` of a dict of counts", c.call)
    of = sequence(c.run, c.given[0], c.env, whole=True)
    if of is None or isinstance(of, (RecordValue, Tally)):
        raise Refusal("opaque", "a counter that is updated from something else than a sequence", c.call)
    return c.stored(tallies.counted(c.run, c.call, of)), NONE


def _is_set(owner: Value) -> bool:
    return (isinstance(owner, AppendOnly) and owner.of.unique) or (isinstance(owner, Items) and owner.unique)


def _short_of(c: Changing) -> BoundedList:
    owner = short(c.owner) if c.owner != NONE else None
    if owner is None or len(c.given) > 2:
        raise c.refusal
    return owner


def _grown(c: Changing, owner: BoundedList) -> BoundedList:
    """``owner`` with the new element in its place."""
    grown = named_containers.grow(c.run, c.call, owner, c.element(c.given[1]))
    assert isinstance(grown, BoundedList)
    return sorting.sort(c.run, c.call, grown, ASCENDING, None)


@change(*BISECT)
def _inserted(c: Changing) -> tuple[Env, Value]:
    """Into a list that is sorted."""
    owner = _short_of(c)
    unsorted = owner.order is None and (owner.cells or owner.pending)
    if owner.order not in (None, ASCENDING) or owner.heap or unsorted:
        raise Refusal("opaque", "`insort` into a list that is not known to be sorted", c.call)
    return c.stored(_grown(c, owner)), NONE


@change(*HEAP)
def _heap(c: Changing) -> tuple[Env, Value]:
    """Of a list of few elements that is a heap, or becomes one: of a heap only the first place is known."""
    run, owner, env = c.run, _short_of(c), c.env
    if c.name == "heapq.heapify" and not owner.heap:
        for element in (cell.value for cell in short_lists.placed(owner).cells):
            run.require_order(c.call, element, None, full=owner.full)
        turned = short_lists.ordered(short_lists.placed(owner), ASCENDING, run.order(c.call, None), turned=True)
        return c.stored(replace(turned, heap=True)), NONE
    if not owner.heap and (len(owner.cells) > 1 or owner.pending):
        raise Refusal("opaque", "a list that is not known to be a heap", c.call)
    heap = replace(owner, heap=True, turned=True, order=ASCENDING)
    taken: Value = NONE
    if c.name == "heapq.heapreplace":
        env, taken = popped(run, c.target, heap, False, env, c.path)
        refreshed = named_containers.container_at(run, c.target, env)
        heap = refreshed if isinstance(refreshed, BoundedList) else heap
    after = replace(c, env=env)
    if c.name in ("heapq.heappush", "heapq.heappushpop", "heapq.heapreplace"):
        heap = replace(_grown(after, heap), heap=True)
    if c.name in ("heapq.heappop", "heapq.heappushpop"):
        return popped(run, c.target, heap, False, after.stored(heap), c.path)
    return after.stored(heap), taken
