"""``max`` and ``min``. Law: CPython keeps the first value unless a later one compares as better, so that a first NaN
stays and a later one is passed by.

A None beside another value raises. It is passed over among rows that the function surely goes through: those that a
pre-filter leaves then raise only if all of them did. Elsewhere the state keeps whether it happened.
``key`` is evaluated once for each element.
Reference: ``min_max`` in CPython's ``Python/bltinmodule.c``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NONE, both, choose, either, is_null, negate
from headwater.python.values import append_only, short_lists
from headwater.python.values.append_only import AppendOnly, RunningFold, State
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.structures import BoundedList, is_mutable, leaves, merged, rebuilt
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import FALSE, TRUE, CompareOp, Expr, Raise, slots_of

from . import comparison
from .comprehensions import listed, sequence
from .dispatch import builtin
from .named_containers import Key, container_at, each, first_is_there, pattern
from .sorting import key_function, key_text

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@builtin("builtins.max", "builtins.min")
def extreme(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``max(iterable, key=None, default=…)`` and ``max(a, b, …, key=None)``."""
    if len(bound.rest) > 1:
        return _of_values(s, node, bound.only("key", "*"), env)
    of = sequence(s, bound.rest[0], env, whole=True) if bound.rest else None
    if of is None:
        return None
    plain = isinstance(of, BoundedList) and not bound.arguments and of.order is not None and of.order.key == ""
    if isinstance(of, BoundedList) and of.order is not None and plain and of.cells and not of.pending:
        first = of.order.descending != of.turned
        return short_lists.read(of.cells[0] if (bound.name == "max") == first else short_lists.end(of.cells))
    return _of_list(s, node, listed(s, node, of), bound, env)


@builtin("builtins.max", "builtins.min", reads="scalars")
def extreme_of_scalars(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``max(a, b, …)`` of scalars."""
    if len(bound.rest) < 2 or bound.arguments:
        return None
    values = [s.value(a, env) for a in bound.rest]
    best = values[0]
    for v in values[1:]:
        best = choose(s.compare(node, ">" if bound.name == "max" else "<", v, best), v, best)
    return best


def _of_values(s: Structured, node: ast.Call, given: Bound, env: Env) -> Value | None:
    if "key" not in given and not any(container_at(s, a, env) is not None for a in given.rest):
        return None
    key = key_function(s, given.arguments["key"], env, Items((), False)) if "key" in given else None
    values = [s.any_value(a, env) for a in given.rest]
    if any(map(is_mutable, values)):
        raise Refusal("opaque", "two names for one list, set or dict", node)
    best = values[0]
    for v in values[1:]:
        pair = (v, best) if key is None else (key(v), key(best))
        wins = comparison.compare(s, node, ast.Gt() if given.name == "max" else ast.Lt(), *pair)
        if wins is None:
            wins = s.compare(node, ">" if given.name == "max" else "<", *(s.plain(node, p) for p in pair))
        s.effect(s.path, wins)
        found = merged(wins, v, best)
        if found is None:
            raise Refusal("opaque", f"`{given.name}` of unlike values", node)
        best = found
    return best


def _of_list(s: Structured, node: ast.Call, bag: AppendOnly, bound: Bound, env: Env) -> Value:
    keywords = bound.arguments
    key = key_function(s, keywords["key"], env, bag) if "key" in keywords else None
    name = f"{bound.name}{key_text(keywords.get('key'), env)}"
    passed = bag.of.rows is not None and bag.of_rows and (not bag.of.holds_none or s.surely_run(bag.of.rows))
    best, empty = _of_rows(s, node, bag, name, key) if passed else _of_elements(s, node, bag, name, key)
    default = s.any_value(keywords["default"], env) if "default" in keywords else None
    if empty == FALSE:
        return best
    if default is None:
        absent = Raise(f"{bound.name}() of an empty sequence")
        return rebuilt(best, (choose(empty, absent, leaf) for leaf in list(leaves(best))))
    result = merged(empty, default, best)
    if result is None:
        raise Refusal("opaque", f"the default of `{bound.name}` is of another kind", node)
    return result


def _of_rows(s: Structured, node: ast.Call, bag: AppendOnly, name: str, key: Key | None) -> tuple[Value, Expr]:
    """The best value of rows, and whether there is none. What compares as better than None is taken for better."""
    op: CompareOp = ">" if name.startswith("max") else "<"
    rows, like = bag.of.rows, pattern(s, node, bag)
    assert rows is not None
    measure, surely = key or (lambda element: element), s.surely_run(rows)
    with s.inside_row(node, rows):
        measured, there = measure(like), "none" not in s.missing(next(leaves(like)))
        if any(slots_of(leaf) for leaf in leaves(measured)):
            raise Refusal("opaque", "a second pass over the group reads what the first computed", node)
        for leaf in leaves(measured):
            s.certain(node, leaf)
            if not surely and "none" in s.missing(leaf):
                raise Refusal("may-throw", "keys that may be None are compared where Python may not come", node)
            if isinstance(measured, AbstractObject):
                s.require_order(node, leaf, None)
            s.compare(node, op, leaf, leaf)  # refused if such values do not compare
    if isinstance(measured, AbstractObject) and not isinstance(measured, Items):
        raise Refusal("opaque", "elements that have no order here", node)
    shown = not isinstance(measured, AbstractObject) and measured in leaves(like)
    flagged = not shown and not there
    order, size = s.order(node, None), len(list(leaves(like)))

    def update(state: State, element: Value) -> State:
        with s.inside_row(node, rows):
            new, best = measure(element), measure(rebuilt(like, iter(state)))
            first = negate(state[-1]) if flagged else is_null(best if shown else state[0])  # type: ignore[arg-type]  # `shown`: what is measured is no object
            wins = order(op, new, best)
            if not isinstance(new, AbstractObject) and not isinstance(best, AbstractObject):
                wins = wins if shown else either(is_null(best), wins)
                wins = both(negate(is_null(new)), wins) if "none" in s.missing(new) else wins
        parts = (choose(either(first, wins), a, b) for a, b in zip(leaves(element), state, strict=False))
        return (*parts, TRUE) if flagged else tuple(parts)

    init: State = (*(NONE,) * size, *((FALSE,) if flagged else ()))
    example = (*leaves(like), *((TRUE,) if flagged else ()))
    parts = s.observe(bag, RunningFold(name, init, update, example))
    best = rebuilt(like, iter(parts))
    if s.surely_some(rows):
        return best, FALSE
    if flagged or there:
        return best, negate(parts[-1]) if flagged else is_null(parts[0])
    return best, negate(s.some(node, rows))


def _of_elements(s: Structured, node: ast.Call, bag: AppendOnly, name: str, key: Key | None) -> tuple[Value, Expr]:
    """The best element of a list that is added to, and whether there is none."""
    like = pattern(s, node, bag)
    tuples = isinstance(like, AbstractObject) or key is not None
    if tuples:
        each(s, bag, lambda element: first_is_there(s, node, element))
        each(s, bag, lambda element: s.require_order(node, element, key))
    elif bag.of.unique and (bag.of.holds_nan or bag.of.holds_none):
        raise Refusal("three-valued-logic", f"`{name}` of a set that may hold NaN or None", node)
    nones = bag.of.holds_none and not tuples
    name = f"{name} or None" if nones else name
    parts = s.observe(bag, append_only.extreme(name, s.order(node, key), like, nones=nones))
    if nones:
        return choose(parts[2], Raise("None is not ordered"), parts[0]), negate(parts[1])
    return rebuilt(like, iter(parts)), is_null(parts[0])
