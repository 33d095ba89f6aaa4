"""``list``, ``tuple``, ``set``, ``dict`` and ``bool``: copies of containers, empty ones, whether one holds anything."""

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
from .dispatch import builtin
from .named_containers import LastOnly, SortedAppendOnly, as_bag, container_at, require_flat

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
