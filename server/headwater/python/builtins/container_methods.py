"""Methods of lists, tuples, sets and dicts that only read them: one entry for each."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.exprs.simplify import NONE, may_raise
from headwater.python.values import dict_tables
from headwater.python.values.append_only import AppendOnly, Collection
from headwater.python.values.rows import Rows
from headwater.python.values.scope import Env, Items, Pattern, Value
from headwater.python.values.structures import BoundedList, RecordValue, is_mutable, leaves
from headwater.python.values.tallies import Tally
from headwater.syntax.refusal import Refusal

from . import comparison, dispatch, tallies
from .comprehensions import listed
from .dispatch import MethodCall, method
from .named_containers import constant, container_at, require_flat

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


def call(s: Structured, node: ast.Call, env: Env) -> Value | None:
    """The value of ``owner.method(…)``; None if it is no such method."""
    assert isinstance(node.func, ast.Attribute)
    listed_rows = node.func.attr == "count" and s.is_list(node.func.value, env)
    owner = s.rows_at(node.func.value, env) if listed_rows else container_at(s, node.func.value, env)
    kind = None if owner is None else kind_of(owner)
    model = dispatch.methods().get(f"{kind}.{node.func.attr}")
    if owner is None or model is None:
        return None
    return model(MethodCall(s, node, owner, models.in_order(f"{kind}.{node.func.attr}", node), env))


def kind_of(owner: Value) -> str | None:
    """The full name of the class of a container; None for something else."""
    match owner:
        case Tally(kind=kind):
            return {"Counter": "collections.Counter", "dict": "builtins.dict"}.get(kind, "collections.defaultdict")
        case RecordValue(access="item") | dict_tables.Table():
            return "builtins.dict"
        case AppendOnly(of=Collection(unique=True)) | Items(unique=True):
            return "builtins.set"
        case Items(mutable=False):
            return "builtins.tuple"
        case AppendOnly() | Items() | BoundedList() | Rows():
            return "builtins.list"
        case Pattern():
            return "re.Pattern"
    return None


@method("builtins.dict.get")
def found_or_default(c: MethodCall) -> Value | None:
    """``owner.get(key, default)``."""
    s, node, owner, env = c.s, c.node, c.owner, c.env
    if isinstance(owner, Tally):
        return tallies.found_or_default(c)
    if isinstance(owner, dict_tables.Table):
        return _looked_up(c, owner)
    assert isinstance(owner, RecordValue)
    key = constant(s, c.given[0], env)
    table = dict_tables.as_table(owner) if key is ... else None
    if table is not None:
        return _looked_up(c, table)
    if not isinstance(key, str):
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`: a key that is no constant text", node)
    found = owner.get(key)
    default = s.any_value(c.given[1], env) if len(c.given) == 2 else NONE
    if found is not None and any(may_raise(leaf) for leaf in leaves(default)):
        raise Refusal("may-throw", "a default that is not needed and may raise", node)
    value = default if found is None else found
    if is_mutable(value):
        raise Refusal("opaque", "two names for one list, set or dict", node)
    return value


def _looked_up(c: MethodCall, table: dict_tables.Table) -> Value:
    key, *default = (c.s.any_value(a, c.env) for a in c.given)
    return dict_tables.get(c.s, c.node, table, key, default[0] if default else NONE)


@method("builtins.list.count", "builtins.tuple.count")
def occurrences(c: MethodCall) -> Value | None:
    """``values.count(constant)``."""
    if getattr(c.owner, "of_rows", False):
        return None
    bag = listed(c.s, c.node, c.owner, ordered=False)
    return tallies.occurrences(c.s, c.node, bag, c.s.any_value(c.given[0], c.env))


@method("builtins.list.copy", "builtins.dict.copy", "builtins.set.copy")
def copied(c: MethodCall) -> Value | None:
    """``owner.copy()``."""
    if isinstance(c.owner, (AppendOnly, Tally)):
        return None
    require_flat(c.node, c.owner)
    return c.owner


@method("builtins.set.isdisjoint")
def disjoint(c: MethodCall) -> Value | None:
    """``some.isdisjoint(other)``: no element of ``other`` is in ``some``."""
    s, node, (other,) = c.s, c.node, c.given
    if not isinstance(c.owner, Items):
        return None
    assert isinstance(node.func, ast.Attribute)
    rows = s.rows_at(other, c.env)
    if rows is None or rows.fails:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    element, name = ast.Name("element#", ast.Store()), ast.Name("element#", ast.Load())
    test = ast.Compare(name, [ast.In()], [node.func.value])
    found = ast.ListComp(name, [ast.comprehension(element, other, [test], 0)])
    return s.test(ast.fix_missing_locations(ast.copy_location(ast.UnaryOp(ast.Not(), found), node)), c.env)


@method("builtins.set.issubset")
def subset(c: MethodCall) -> Value | None:
    """``some.issubset(other)``."""
    return comparison.superset(c.s, c.node, container_at(c.s, c.given[0], c.env), c.owner)


@method("builtins.set.issuperset")
def superset(c: MethodCall) -> Value | None:
    """``some.issuperset(other)``."""
    return comparison.superset(c.s, c.node, c.owner, container_at(c.s, c.given[0], c.env))
