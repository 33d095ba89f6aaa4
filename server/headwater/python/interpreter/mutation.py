"""Statements that change a list, set, record or bit mask: each yields the environment in which the name stands for the
changed value. Law: no two names stand for one mutable object; whatever would make it so is refused.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.python.builtins import named_containers, sorting, tallies
from headwater.python.exprs.simplify import choose, either
from headwater.python.values import dict_tables
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.structures import (
    BitMask,
    BoundedList,
    OptionalValue,
    RecordValue,
    is_mutable,
    short,
)
from headwater.python.values.tallies import Tally
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Expr, Lit, Raise
from headwater_ir.types import STRING

from .changed_names import base, mutated_names
from .container_calls import called
from .container_stores import extended, is_field, popped, require_fresh, stored, tallied
from .outcomes import Path

if TYPE_CHECKING:
    from .statements import Interpreter

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
        return tallied(run, target, owner, tallies.increment(owner, target, node), env, path)
    if not isinstance(owner, (RecordValue, Items, BoundedList)):
        return None
    if named_containers.constant(run, target.slice, env) is ...:
        raise Refusal("opaque", "values kept in a list or dict by a key that is not constant", target)
    value = run.evaluated(node, env, path)
    require_fresh(node, value)
    return stored(run, target, value, env)


def _field_set(run: Interpreter, target: ast.Attribute, node: ast.expr, env: Env, path: Path) -> Env | None:
    """``record.x = value``."""
    if not is_field(env.get(base(target)), target):
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
            return extended(run, node, read, owner, node.value, env, path)
        if isinstance(owner, AbstractObject) and not isinstance(owner, (*_OURS, BitMask)):
            return None  # an object of the boundary, which may have other names
    else:
        owner = named_containers.container_at(run, node.target.value, env)
        if isinstance(owner, Tally):
            more = node.value if isinstance(node.op, ast.Add) and owner.kind in ("Counter", "numbers") else None
            return tallied(run, node.target, owner, more, env, path)
        if not isinstance(owner, (RecordValue, Items, BoundedList)):
            return None
        if isinstance(owner, RecordValue) and named_containers.constant(run, node.target.slice, env) is ...:
            return _under_key(run, node, node.target, owner, env, path)
    if isinstance(owner, Items) and owner.mutable and isinstance(node.target, ast.Name):
        return extended(run, node, read, owner, node.value, env, path)
    whole = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
    value = run.evaluated(ast.fix_missing_locations(whole), env, path)
    return stored(run, node.target, value, env)


def _under_key(
    run: Interpreter, node: ast.AugAssign, target: ast.Subscript, owner: RecordValue, env: Env, path: Path
) -> Env:  # fmt: skip
    """``counts[key] += x`` of a dict whose keys are literals; a KeyError for another key."""
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
    return popped(run, target.value, owner, index == -1, env, path)[0]


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
