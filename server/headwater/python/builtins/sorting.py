"""``sorted``, ``heapq.nlargest``, ``heapq.nsmallest``: lists in an order, of which the ends are known.

Law: CPython's sort is stable and compares with ``<`` alone; ``nlargest`` is ``sorted(…, reverse=True)[:n]``. None does
not compare, and with NaN there is no order: where either may be among what is compared, the ends are refused.
Rows in an order are still rows: a loop over them reads the group in another order.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NONE
from headwater.python.values import append_only, short_lists
from headwater.python.values.append_only import AppendOnly, RunningFold
from headwater.python.values.dict_tables import Table
from headwater.python.values.rows import UNORDERED, KeyTuple, Rows
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.structures import BoundedList, Ordering, RecordValue, leaves, rebuilt, short
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater.syntax.source.bindings import parameters
from headwater_ir.expr import Expr

from . import operators
from .comprehensions import listed, sequence
from .dispatch import builtin
from .named_containers import (
    MAX_TOP,
    Key,
    SortedAppendOnly,
    as_bag,
    constant,
    constant_none,
    each,
    first_is_there,
    pattern,
)

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@dataclass(frozen=True)
class Sorting(AbstractObject):
    """What ``rows`` were sorted by."""

    rows: Rows
    ordering: Ordering
    key: Key | None


@builtin("builtins.sorted")
def in_order(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``sorted(iterable, key=None, reverse=False)``."""
    of = sequence(s, bound.arguments["iterable"], env, whole=True)
    if of is None:
        return None
    if isinstance(of, SortedAppendOnly):
        raise Refusal("opaque", "a sorted list that is copied", node)
    if isinstance(of, Rows):
        return sorted_rows(s, node, of, bound, env)
    ordering, key = ordering_of(s, node, bound, env, of)
    if isinstance(of, AppendOnly):
        return SortedAppendOnly(of, ordering, key)
    if as_bag(s, node, of) is None:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    as_list = short(of)
    if as_list is None:
        raise Refusal("three-valued-logic", "a list to be sorted may hold None", node)
    return sort(s, node, as_list, ordering, key)


def sorted_rows(s: Structured, node: ast.Call, of: Rows, bound: Bound, env: Env) -> Rows:
    """``sorted(rows, key=None, reverse=False)``."""
    ordering, key = ordering_of(s, node, bound, env, of)
    order = s.new_order() if _has_order(s, node, of, key) else UNORDERED
    return Rows(of.element, of.mask, order, collects=True, sorting=Sorting(of, ordering, key))


def _has_order(s: Structured, node: ast.AST, rows: Rows, key: Key | None) -> bool:
    """Whether the rows compare, but for None, which raises in each list that holds one beside another value. Refusal
    ("may-throw") where Python may not come to that."""
    surely = s.surely_run(rows)
    with s.inside_row(node, rows):
        found = rows.element if key is None else key(rows.element)
        parts = found.items if isinstance(found, Items) and not found.unique else (found,)
        for part in parts:
            if not surely and (isinstance(part, AbstractObject) or not _compares(s, part)):
                raise Refusal("may-throw", "sorted under a condition, and values that may not compare", node)
            if isinstance(part, AbstractObject):
                return False
            s.certain(node, part)
            if "nan" in s.missing(part) or s.scope.type(part).name in ("float", "number", "any", "list", "decimal"):
                return False
    return True


def _compares(s: Structured, e: Expr) -> bool:
    """Whether a value compares with all others of its column."""
    return "none" not in s.missing(e) and s.scope.type(e).name not in ("any", "list")


def sorted_list(s: Structured, node: ast.AST, rows: Rows) -> SortedAppendOnly | None:
    """A sorted list of rows, for its ends; None for one that was not sorted."""
    by = rows.sorting
    return SortedAppendOnly(listed(s, node, by.rows), by.ordering, by.key) if isinstance(by, Sorting) else None


def ordering_of(s: Structured, node: ast.Call, bound: Bound, env: Env, of: Value) -> tuple[Ordering, Key | None]:
    """``key=`` and ``reverse=`` of ``sorted`` and ``list.sort``."""
    keywords = bound.arguments
    reverse = constant(s, keywords["reverse"], env) if "reverse" in keywords else False
    if not isinstance(reverse, bool):
        raise Refusal("opaque", "a direction that is not constant", node)
    if "key" not in keywords or constant_none(keywords["key"]):
        return Ordering("", reverse), None
    key = key_function(s, keywords["key"], env, of)
    return Ordering(key_text(keywords["key"], env), reverse), key


def sort(s: Structured, node: ast.AST, of: BoundedList, ordering: Ordering, key: Key | None) -> BoundedList:
    """``of`` in order."""
    s.orders[ordering.key] = key
    for element in (*(c.value for c in of.cells), *(v for _, v in of.pending)):
        s.require_order(node, element, key, full=of.full)
    return short_lists.ordered(of, ordering, s.order(node, key))


def key_text(node: ast.expr | None, env: Env) -> str:
    """What identifies the function ``node``: its text and the values of the variables that it reads. Two functions with
    one such text are one to the fold, so Refusal where a variable holds something that its value does not show."""
    if node is None or constant_none(node):
        return ""
    read = {n: env[n] for n in sorted(_read(node)) if n in env}
    unclear = next((n for n, value in read.items() if not _is_shown(value)), None)
    if unclear is not None:
        raise Refusal("opaque", f"a function of elements that reads `{unclear}`, which is no plain value", node)
    return ast.unparse(node) + "".join(f", {n}={value!r}" for n, value in read.items())


def _is_shown(value: Value) -> bool:
    """Whether the representation of ``value`` says all of it."""
    match value:
        case Items(items=parts) | RecordValue(values=parts):
            return all(map(_is_shown, parts))
        case Table() | KeyTuple():
            return True
    return not isinstance(value, AbstractObject)


def _read(node: ast.expr) -> set[str]:
    bound = {p.arg for p in parameters(node)} if isinstance(node, ast.Lambda) else set[str]()
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - bound


def key_function(s: Structured, node: ast.expr, env: Env, of: Value) -> Key:
    """The function that ``key=`` names, for the elements of ``of``: a lambda of one argument, a getter
    (``operators``), or another function that can be called with an element."""
    node = operators.getter_spelled_out(s, node)
    named = isinstance(node, ast.Name) and node.id not in env
    if named or (isinstance(node, ast.Attribute) and s.scope.origin(node) is not None):
        given = ast.copy_location(ast.Name("element#", ast.Load()), node)
        called = ast.copy_location(ast.Call(node, [given], []), node)
        return lambda element: s.any_value(called, {**env, "element#": element})
    if not isinstance(node, ast.Lambda) or len(parameters(node)) != 1 or node.args.defaults or node.args.kw_defaults:
        raise Refusal("opaque", "a key function that is no lambda of one argument", node)
    name, body = parameters(node)[0].arg, node.body
    rows = isinstance(of, Rows) or (isinstance(of, AppendOnly) and of.of_rows)
    if not rows and _read(node) & (s.scope.local_names | set(env)):  # which may change while the list grows
        raise Refusal("opaque", "a key function that reads a variable", node)
    return lambda element: s.any_value(body, {**env, name: element})


@builtin("heapq.nlargest", "heapq.nsmallest")
def _heap_ends(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value:
    keywords = bound.arguments
    count = constant(s, keywords["n"], env)
    if type(count) is not int or not 0 < count <= MAX_TOP:
        raise Refusal("opaque", "a number of elements that is not a literal from 1 to 5", node)
    of = sequence(s, keywords["iterable"], env, whole=True)
    of = s.any_value(keywords["iterable"], env) if of is None else of
    bag = listed(s, node, of)
    key = key_function(s, keywords["key"], env, bag) if "key" in keywords else None
    ordering = Ordering(key_text(keywords.get("key"), env), bound.name == "nlargest")
    if isinstance(of, BoundedList):
        return cut(s, node, sort(s, node, of, ordering, key), None, count)
    return top(s, node, bag, ordering, count, key)


def top(
    s: Structured,
    node: ast.AST,
    bag: AppendOnly,
    ordering: Ordering,
    count: int,
    key: Key | None,
    *,
    turned: bool = False,
) -> BoundedList:
    """The first ``count`` elements of a list without a bound by ``ordering``. ``turned``: it is the end of the opposite
    order that is wanted."""
    if bag.of.unique:
        raise Refusal("opaque", "a set that is sorted", node)
    like = pattern(s, node, bag)
    each(s, bag, lambda element: first_is_there(s, node, element))
    each(s, bag, lambda element: s.require_order(node, element, key))
    order = s.order(node, key)
    wanted = reversed_if(ordering, turned)
    template = BoundedList(order=wanted, turned=turned)
    for _ in range(count):
        template = short_lists.ordered(short_lists.appended(template, like), wanted, order, turned=turned)
    width = len(list(leaves(template)))

    def update(state: append_only.State, element: Value) -> append_only.State:
        now = rebuilt(template, iter(state))
        assert isinstance(now, BoundedList)
        grown = short_lists.ordered(short_lists.appended(now, element), wanted, order, turned=turned)
        return tuple(leaves(BoundedList(grown.cells[:count])))

    what = RunningFold(f"{'-' if turned else ''}top{count} {ordering}", (NONE,) * width, update)
    found = rebuilt(template, iter(s.observe(bag, what)))
    assert isinstance(found, BoundedList)
    return found


def cut(s: Structured, node: ast.AST, owner: BoundedList, low: object, high: object) -> BoundedList:
    """``owner[low:high]``, of an end."""
    order = s.order_by(node, owner.order)
    if low in (None, 0) and type(high) is int and high >= 0:
        return short_lists.first_cells(owner, high, order)
    if type(low) is int and low < 0 and high is None:
        return short_lists.last_cells(owner, -low, order)
    if low in (None, 0) and high is None:
        return owner
    raise Refusal("opaque", "a slice from the middle of a list", node)


def reversed_if(ordering: Ordering, reverse: bool) -> Ordering:
    """``ordering``, the other way round if ``reverse``."""
    return Ordering(ordering.key, ordering.descending != reverse)
