"""Lists, sets, tuples and records as expressions name them, and what is noted where a list grows."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NONE
from headwater.python.interpreter import constants
from headwater.python.values import append_only, short_lists
from headwater.python.values.append_only import Added, AppendOnly, Chosen, RunningFold, Trace
from headwater.python.values.dict_tables import Table
from headwater.python.values.rows import UNORDERED, KeyTuple, Rows
from headwater.python.values.scope import AbstractObject, Env, Items, Pattern, Value
from headwater.python.values.structures import (
    BitMask,
    BoundedList,
    OptionalValue,
    Ordering,
    RecordValue,
    is_mutable,
    leaves,
    short,
)
from headwater.python.values.tallies import Tally
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Lit

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured

Key = Callable[[Value], Value]
OURS = (Items, RecordValue, OptionalValue, BoundedList, AppendOnly, BitMask, Table, Tally, Pattern)
_DEQUE = "deque"
MAX_TOP = 5
MAX_ROUNDS = 16
"""So many times a loop is unrolled."""


@dataclass(frozen=True)
class SortedAppendOnly(AbstractObject):
    """``sorted(values)`` of a list without a bound: only its ends can be read."""

    bag: AppendOnly
    ordering: Ordering
    key: Key | None


@dataclass(frozen=True)
class LastOnly(AbstractObject):
    """A list of which only the last element is known; reading it raises if there is none. ``alone``: there is no
    other."""

    last: Value
    alone: bool = False


def last_elements(limit: int, elements: BoundedList) -> RecordValue:
    """A ``deque`` that keeps the last ``limit`` elements; a record, so that nothing takes it for a list."""
    return RecordValue((f"maxlen {limit}",), (elements,), _DEQUE, True, frozenset(), closed=True)


def is_deque(value: Value | None) -> bool:
    """Whether ``value`` is one of them."""
    return isinstance(value, RecordValue) and value.access == _DEQUE


def elements_in(value: Value) -> Value:
    """The list of the elements of a ``deque``; another value itself."""
    return value.values[0] if isinstance(value, RecordValue) and is_deque(value) else value


def container_at(s: Structured, node: ast.expr, env: Env) -> Value | None:
    """The container that ``node`` stands for; None if it is something else. A literal None counts as one."""
    if isinstance(node, ast.Name):
        found = env.get(node.id)
        if found is None and node.id not in s.scope.local_names and _is_object(s, node.id):
            found = constants.module_constant(s.scope, node)
        return _ours(s, node, found)
    if isinstance(node, (ast.Tuple, ast.List, ast.Set, ast.Dict)):
        return s.any_value(node, env)
    if isinstance(node, (ast.Subscript, ast.Attribute, ast.Call, ast.BinOp, ast.IfExp)):
        found = s.object_at(node, env)
        found = s.container(node, env) if found is None else found
        return _ours(s, node, found)
    return None


def _ours(s: Structured, node: ast.AST, found: Value | None) -> Value | None:
    found = s.as_list(node, found) if isinstance(found, Rows) and found.order != UNORDERED else found
    if isinstance(found, KeyTuple) and isinstance(node, ast.expr):
        return Items(s.unpack(found, node) or (), mutable=False)
    return found if isinstance(found, (*OURS, SortedAppendOnly, LastOnly)) or found == NONE else None


def elements_of(bag: AppendOnly) -> list[Value]:
    """Every value that may be added to a list."""
    return append_only.elements((*(bag.of.log or ()), *bag.log))


def _is_object(s: Structured, name: str) -> bool:
    bound = s.scope.ctx.constant(name)
    if isinstance(bound, ast.Call):
        return s.scope.origin(bound.func) in constants.MAKING
    return isinstance(bound, (ast.Dict, ast.List, ast.Tuple, ast.Set))


def constant(s: Structured, node: ast.expr, env: Env) -> object:
    """The literal value of an index; Ellipsis if it is not constant."""
    if isinstance(node, ast.Slice):
        return ...
    found = s.any_value(node, env)
    return found.value if isinstance(found, Lit) else ...


def each(s: Structured, bag: AppendOnly, visit: Callable[[Value], None]) -> None:
    """Visit every element that may be added, knowing the tests under which it is."""

    def walk(log: Trace) -> None:
        for entry in log:
            if isinstance(entry, Added):
                visit(entry.value)
                continue
            for outcome, part in ((True, entry.then), (False, entry.otherwise)):
                with s.knowing(entry.cond, outcome):
                    walk(part)

    for element in bag.of.start:
        visit(element)
    walk(bag.of.log or ())
    walk(bag.log)


def note(s: Structured, owner: AppendOnly, element: Value) -> None:
    """Remember whether the list may hold None or NaN."""
    for leaf in leaves(element):
        missing = s.missing(leaf)
        owner.of.holds_none |= "none" in missing
        owner.of.holds_nan |= "nan" in missing


def as_bag(s: Structured, node: ast.AST, of: Value) -> AppendOnly | None:
    """A short list, or a tuple or list literal, as a history of additions to nothing."""
    if isinstance(of, AppendOnly):
        return of
    if isinstance(of, BoundedList):
        placed = short_lists.placed(of)
        log: Trace = tuple(Chosen(c.present, (Added(c.value),), ()) for c in placed.cells)
    elif isinstance(of, Items) and not of.unique:
        log = tuple(Added(v) for v in of.items)
    else:
        return None
    made = AppendOnly(append_only.Collection("list", unique=False, log=()), log)
    each(s, made, lambda element: note(s, made, element))
    return made


def pattern(s: Structured, node: ast.AST, owner: AppendOnly) -> Value:
    """Any element, for its structure."""
    found = [*owner.of.start, *append_only.elements((*(owner.of.log or ()), *owner.log))]
    if not found:
        return NONE
    shapes = {len(list(leaves(v))) if isinstance(v, AbstractObject) else 0 for v in found}
    if len(shapes) > 1:
        raise Refusal("opaque", "a list of unlike elements", node)
    return found[0]


def first_is_there(s: Structured, node: ast.AST, element: Value) -> None:
    """Refuse an element whose first part may be None."""
    if "none" in s.missing(next(leaves(element))):
        raise Refusal("three-valued-logic", "the first part of an element may be None", node)


def set_contents(s: Structured, node: ast.AST, of: AppendOnly) -> RunningFold:
    """The token of a set; refused where NaN, which equals nothing but itself as an object, may be in it."""
    for element in append_only.elements((*(of.of.log or ()), *of.log)):
        if isinstance(element, AbstractObject):
            raise Refusal("opaque", "a set of tuples", node)
    if of.of.holds_nan:
        raise Refusal("three-valued-logic", f"`{of.of.name}` may hold NaN, which is in a set more than once", node)
    return append_only.contents()


def grow(s: Structured, node: ast.AST, owner: Value, element: Value) -> Value:
    """``owner`` with ``element`` added at its end."""
    element = s.element(node, element)
    if isinstance(owner, AppendOnly):
        note(s, owner, element)
        return AppendOnly(owner.of, (*owner.log, Added(element)))
    first = 0 in s.solid((next(leaves(element)),))
    full = s.solid(tuple(leaves(element))) == frozenset(range(len(list(leaves(element)))))
    as_list = short(owner)
    if as_list is None or not first:
        raise Refusal("three-valued-logic", "a list with an order may hold None", node)
    return short_lists.appended(as_list, element, full=full)


def require_flat(node: ast.AST, value: Value) -> None:
    """Refuse a shallow copy of what holds mutable objects: both would hold the same ones."""
    parts = value.items if isinstance(value, Items) else value.values if isinstance(value, RecordValue) else ()
    if any(map(is_mutable, parts)):
        raise Refusal("opaque", "a copy that shares lists, sets or dicts with the original", node)


def constant_none(node: ast.expr) -> bool:
    """Whether ``node`` is ``None``."""
    return isinstance(node, ast.Constant) and node.value is None


def constant_items(value: Value | None) -> tuple[Value, ...] | None:
    """The elements of a tuple or list that a loop can be unrolled over."""
    if isinstance(value, Items) and not value.unique and len(value.items) <= MAX_ROUNDS:
        return value.items
    return None
