"""Methods of lists, sets and dicts that only read them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.exprs.simplify import NONE, may_raise
from headwater.python.values import dict_tables
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.scope import Env, Items, Value
from headwater.python.values.structures import BoundedList, RecordValue, is_mutable, leaves
from headwater.python.values.tallies import Tally
from headwater.syntax.refusal import Refusal

from . import comparison, tallies
from .comprehensions import listed
from .named_containers import constant, container_at, require_flat

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


def call(s: Structured, node: ast.Call, env: Env) -> Value | None:
    """The value of ``owner.method(…)``; None if it is no such method."""
    assert isinstance(node.func, ast.Attribute)
    if node.func.attr == "count" and s.is_list(node.func.value, env):
        return _occurrences(s, node, s.rows_at(node.func.value, env), env)
    owner = container_at(s, node.func.value, env)
    return None if owner is None or owner == NONE else _method(s, node, node.func.attr, owner, env)


def _method(s: Structured, node: ast.Call, method: str, owner: Value, env: Env) -> Value | None:
    if isinstance(owner, RecordValue) and owner.access == "item" and method == "get":
        given = models.in_order("builtins.dict.get", node)
        key = constant(s, given[0], env)
        table = dict_tables.as_table(owner) if key is ... else None
        if table is not None:
            return _looked_up(s, node, table, given, env)
        if not isinstance(key, str):
            raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`: a key that is no constant text", node)
        found = owner.get(key)
        default = s.any_value(given[1], env) if len(given) == 2 else NONE
        if found is not None and any(may_raise(leaf) for leaf in leaves(default)):
            raise Refusal("may-throw", "a default that is not needed and may raise", node)
        value = default if found is None else found
        if is_mutable(value):
            raise Refusal("opaque", "two names for one list, set or dict", node)
        return value
    if isinstance(owner, dict_tables.Table) and method == "get":
        return _looked_up(s, node, owner, models.in_order("builtins.dict.get", node), env)
    if isinstance(owner, Tally):
        return tallies.method(s, node, method, owner, env)
    if method == "count" and isinstance(owner, (AppendOnly, BoundedList, Items)):
        unique = owner.of.unique if isinstance(owner, AppendOnly) else isinstance(owner, Items) and owner.unique
        return None if unique or getattr(owner, "of_rows", False) else _occurrences(s, node, owner, env)
    if method == "copy" and not isinstance(owner, AppendOnly):
        models.bind("builtins.list.copy", node)
        require_flat(node, owner)
        return owner
    if method == "isdisjoint" and isinstance(owner, Items) and owner.unique:
        (other,) = models.in_order("builtins.set.isdisjoint", node)
        return _disjoint(s, node, other, env)
    if method in ("issuperset", "issubset"):
        (other,) = models.in_order(f"builtins.set.{method}", node)
        sides = (owner, container_at(s, other, env))
        return comparison.superset(s, node, *(sides if method == "issuperset" else sides[::-1]))
    return None


def _disjoint(s: Structured, node: ast.Call, other: ast.expr, env: Env) -> Value:
    """``some.isdisjoint(other)``: no element of ``other`` is in ``some``."""
    assert isinstance(node.func, ast.Attribute)
    rows = s.rows_at(other, env)
    if rows is None or rows.fails:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    element, name = ast.Name("element#", ast.Store()), ast.Name("element#", ast.Load())
    test = ast.Compare(name, [ast.In()], [node.func.value])
    found = ast.ListComp(name, [ast.comprehension(element, other, [test], 0)])
    return s.test(ast.fix_missing_locations(ast.copy_location(ast.UnaryOp(ast.Not(), found), node)), env)


def _occurrences(s: Structured, node: ast.Call, of: Value | None, env: Env) -> Value | None:
    """``values.count(constant)``."""
    (needle,) = models.in_order("builtins.list.count", node)
    if of is None:
        return None
    return tallies.occurrences(s, node, listed(s, node, of, ordered=False), s.any_value(needle, env))


def _looked_up(
    s: Structured, node: ast.Call, table: dict_tables.Table, given: tuple[ast.expr, ...], env: Env
) -> Value:  # fmt: skip
    key, *default = (s.any_value(a, env) for a in given)
    return dict_tables.get(s, node, table, key, default[0] if default else NONE)
