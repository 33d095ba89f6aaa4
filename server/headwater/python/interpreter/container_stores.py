"""What stands for a container after something is put into it or taken out of it.

Law: no two names stand for one mutable object; whatever would make it so is refused.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.python.builtins import named_containers, tallies
from headwater.python.values import short_lists
from headwater.python.values.scope import Env, Items, Value
from headwater.python.values.structures import (
    BoundedList,
    Cell,
    RecordValue,
    is_mutable,
    leaves,
    merged,
    settled,
)
from headwater.python.values.tallies import Tally
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Expr, Raise

from .changed_names import base
from .outcomes import Path

if TYPE_CHECKING:
    from .statements import Interpreter


def require_fresh(node: ast.expr, value: Value) -> None:
    """Refuse a second name for a mutable object."""
    if not is_mutable(value):
        return
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)) and isinstance(value, Items):
        for part, item in zip(node.elts, value.items, strict=False):
            require_fresh(part, item)
        return
    if isinstance(node, ast.Dict) and isinstance(value, RecordValue):
        for key, part in zip(node.keys, node.values, strict=True):
            found = value.get(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
            if found is not None:
                require_fresh(part, found)
        return
    fresh = isinstance(node, (ast.Call, ast.BinOp, ast.ListComp, ast.SetComp)) or (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    )
    if not fresh:
        raise Refusal("opaque", "two names for one list, set or dict", node)


def stored(run: Interpreter, target: ast.expr, value: Value, env: Env) -> Env:
    """``env`` with the container that ``target`` names replaced by ``value``."""
    if isinstance(target, ast.Name) and target.id in env:
        return {**env, target.id: value}
    if isinstance(target, ast.Attribute) and is_field(record := env.get(base(target)), target):
        assert isinstance(record, RecordValue)
        assert not is_mutable(value)
        parts = tuple(value if n == target.attr else v for n, v in zip(record.names, record.values, strict=True))
        return stored(run, target.value, replace(record, values=parts, solid=run.solid(parts)), env)
    if not isinstance(target, ast.Subscript):
        raise Refusal("side-effect", f"`{run.scope.ctx.text(target)}` is changed", target)
    owner = named_containers.container_at(run, target.value, env)
    index = named_containers.constant(run, target.slice, env)
    if isinstance(owner, RecordValue) and owner.mutable and owner.access == "item" and isinstance(index, str):
        names = owner.names if index in owner.names else (*owner.names, index)
        values = dict(zip(owner.names, owner.values, strict=True)) | {index: value}
        parts = tuple(values[n] for n in names)
        return stored(run, target.value, replace(owner, names=names, values=parts, solid=run.solid(parts)), env)
    if isinstance(owner, Items) and owner.mutable and not owner.unique and type(index) is int:
        if not -len(owner.items) <= index < len(owner.items):
            raise Refusal("may-throw", f"`{run.scope.ctx.text(target)}` is beyond the list's end", target)
        items = list(owner.items)
        items[index] = value
        return stored(run, target.value, replace(owner, items=tuple(items), solid=run.solid(tuple(items))), env)
    if isinstance(owner, BoundedList) and type(index) is int and not owner.heap:
        return stored(run, target.value, _replaced(run, target, owner, index, value), env)
    raise Refusal("opaque", f"`{run.scope.ctx.text(target)}` is assigned", target)


def _replaced(run: Interpreter, node: ast.AST, owner: BoundedList, index: int, value: Value) -> BoundedList:
    placed = short_lists.placed(owner)
    place = index if index >= 0 else -1 - index
    if (index >= 0) == placed.turned or place >= len(placed.cells):
        raise Refusal("opaque", "an element that is replaced from the far end of a list", node)
    cell = placed.cells[place]
    if not settled(cell.present) and run.known().decide(cell.present) is not True:
        raise Refusal("may-throw", "an element that may not be there is replaced", node)
    if 0 not in run.solid((next(leaves(value)),)):
        raise Refusal("three-valued-logic", "a list with an order may hold None", node)
    new = Cell(cell.present, _both(node, cell.present, value, cell.value))
    full = placed.full and run.solid(tuple(leaves(value))) == frozenset(range(len(list(leaves(value)))))
    return replace(placed, cells=(*placed.cells[:place], new, *placed.cells[place + 1 :]), order=None, full=full)


def _both(node: ast.AST, cond: Expr, a: Value, b: Value) -> Value:
    found = merged(cond, a, b)
    if found is None:
        raise Refusal("opaque", "a list of unlike elements", node)
    return found


def is_field(record: Value | None, target: ast.Attribute) -> bool:
    """Whether ``target`` is a field of a record in a variable that can be assigned."""
    fields = record.names if isinstance(record, RecordValue) and record.access == "attribute" and record.mutable else ()
    return isinstance(target.value, ast.Name) and target.attr in fields


def tallied(
    run: Interpreter, target: ast.Subscript, owner: Tally, more: ast.expr | None, env: Env, path: Path
) -> Env:  # fmt: skip
    """``owner`` with ``more`` added under a key."""
    if more is None:
        raise Refusal("opaque", "values kept in a dict by a key that is not constant", target)
    key, part = run.evaluated(target.slice, env, path), fresh_value(run, more, env, path)
    return stored(run, target.value, tallies.added(run, target, owner, key, part), env)


def popped(
    run: Interpreter, target: ast.expr, owner: BoundedList, last: bool, env: Env, path: Path
) -> tuple[Env, Value]:
    placed = short_lists.placed(owner)
    if not placed.cells:
        run.effect(path, Raise("pop from an empty list"))
        return env, Raise("pop from an empty list")
    if not settled(placed.cells[0].present):
        run.effect((*path, (placed.cells[0].present, False)), Raise("pop from an empty list"))
    rest, taken = short_lists.popped(owner, last=last)
    return stored(run, target, rest, env), short_lists.read(taken)


def fresh_value(run: Interpreter, node: ast.expr, env: Env, path: Path) -> Value:
    """What ``node`` evaluates to, which nothing else holds; Refusal of a second name for a mutable object."""
    value = run.evaluated(node, env, path)
    require_fresh(node, value)
    return value


def extended(
    run: Interpreter, node: ast.AST, target: ast.expr, owner: Value, more: ast.expr, env: Env, path: Path
) -> Env:
    if isinstance(owner, RecordValue):
        given = run.any_value(more, env)
        named_containers.require_flat(node, given)
        if not isinstance(given, RecordValue) or given.access != "item":
            raise Refusal("opaque", "a dict that is updated from something else", node)
        values = dict(zip(owner.names, owner.values, strict=True)) | dict(zip(given.names, given.values, strict=True))
        parts = tuple(values.values())
        return stored(run, target, replace(owner, names=tuple(values), values=parts, solid=run.solid(parts)), env)
    added = run.evaluated(more, env, path)
    named_containers.require_flat(node, added)
    if not isinstance(added, Items):
        raise Refusal("opaque", "a list that is extended by another", node)
    for item in added.items:
        owner = named_containers.grow(run, node, owner, item)
    return stored(run, target, owner, env)
