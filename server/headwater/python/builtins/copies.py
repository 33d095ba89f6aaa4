"""``list``, ``tuple``, ``deque``, ``set``, ``dict``, ``bool``: copies of containers, empty ones, and their truth."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NONE
from headwater.python.values.append_only import Added
from headwater.python.values.rows import Rows
from headwater.python.values.scope import Env, Items, Value
from headwater.python.values.structures import BoundedList, RecordValue
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound

from . import comparison, comprehensions
from .comprehensions import listed, sequence
from .containers import end
from .dispatch import builtin
from .named_containers import (
    MAX_TOP,
    LastOnly,
    SortedAppendOnly,
    as_bag,
    constant,
    container_at,
    last_elements,
    require_flat,
)

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@builtin("builtins.list", "builtins.tuple")
def copied(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``list(iterable)`` and ``tuple(iterable)``."""
    if "iterable" not in bound:
        return Items((), bound.name == "list")
    of = sequence(s, bound.arguments["iterable"], env, whole=True)
    if isinstance(of, Rows):
        return replace(of, collects=bound.name == "list")
    if isinstance(of, SortedAppendOnly):
        raise Refusal("opaque", "a sorted list that is copied", node)
    if of is None or isinstance(of, LastOnly) or (bound.name == "list" and isinstance(of, BoundedList) and not of.heap):
        return of
    if isinstance(of, Items) and not of.unique:
        require_flat(node, of)
        return Items(of.items, bound.name == "list", of.solid)
    raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)


@builtin("collections.deque")
def last_ones(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``deque(maxlen=n)``, which is filled later, and ``deque(iterable, maxlen=1)``."""
    limit = constant(s, bound.arguments["maxlen"], env) if "maxlen" in bound else None
    if type(limit) is not int or not 0 < limit <= MAX_TOP:
        raise Refusal("opaque", "a `deque` without a small constant for its length", node)
    if "iterable" not in bound:
        return last_elements(limit, BoundedList())
    of = sequence(s, bound.arguments["iterable"], env, whole=True) if limit == 1 else None
    if isinstance(of, LastOnly):
        return replace(of, alone=True)
    return LastOnly(end(s, node, listed(s, node, of), -1), alone=True) if isinstance(of, Rows) else None


@builtin("builtins.set")
def distinct(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``set(iterable)``."""
    if "iterable" not in bound:
        return Items((), True, unique=True)
    of = sequence(s, bound.arguments["iterable"], env)
    if of is None:
        return None
    bag = listed(s, node, of, ordered=False) if isinstance(of, Rows) else as_bag(s, node, of)
    if bag is None or bag.of.log is None:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    return comprehensions.derived(s, bag, lambda v: (Added(v),), unique=True)


@builtin("builtins.dict")
def keyed(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``dict(name=value, …)``."""
    if bound.arguments:
        return None
    values = tuple(s.any_value(v, env) for v in bound.named.values())
    return RecordValue(tuple(bound.named), values, solid=s.solid(values))


@builtin("builtins.bool")
def truth(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``bool(object)``."""
    if not bound.arguments:
        return None
    rows = s.rows_at(bound.arguments["object"], env)
    known = container_at(s, bound.arguments["object"], env) if rows is None else rows
    return None if known is None or known == NONE else comparison.truth(s, node, known)
