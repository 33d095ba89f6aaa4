"""Columns of a frame that a function sets or drops, as ``methods.columns`` says."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.python.interpreter.outcomes import Path
from headwater.python.rows.row_sequences import Made, RowSequence, Series
from headwater.python.values.rows import KeyTuple
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Lit, slots_of

from .functions import Array
from .unknown import Unknown

if TYPE_CHECKING:
    from .values import PandasInterpreter


def of_group(owner: RowSequence, name: str, value: Value, node: ast.AST) -> RowSequence:
    """A group's frame with a column set."""
    value = value.series if isinstance(value, Array) else value
    if isinstance(value, Series) and value.frame.alike(owner) and not slots_of(value.element) and not value.listed:
        made = Made(name, value.element, value.present, value.column)
    elif isinstance(value, Lit) and value.value is not None:
        made = Made(name, value, present=True)
    else:
        raise Refusal("opaque", f"`{name}` is not set to a column of these rows, or to a constant", node)
    return with_made(owner, made)


def with_made(owner: RowSequence, made: Made) -> RowSequence:
    """A group's frame with this column set."""
    return replace(owner, made=(*_others(owner, {made.name}), made))


def without(owner: RowSequence, gone: frozenset[str]) -> RowSequence:
    """A group's frame without the columns ``gone``."""
    return replace(owner, made=(*_others(owner, gone), *(Made(name, None, gone=True) for name in sorted(gone))))


def _others(owner: RowSequence, names: set[str] | frozenset[str]) -> tuple[Made, ...]:
    return tuple(m for m in owner.made if m.name not in names)


def set_item(run: PandasInterpreter, target: ast.Subscript, value: ast.expr, env: Env, path: Path) -> Env | None:
    """``frame["name"] = column``: the frame is changed under its only name. What the column holds may be unknown,
    if computing it does nothing else and never fails; None where it may do more."""
    owner = env.get(target.value.id) if isinstance(target.value, ast.Name) else None
    name = target.slice.value if isinstance(target.slice, ast.Constant) else None
    if not isinstance(target.value, ast.Name) or not isinstance(owner, RowSequence) or not isinstance(name, str):
        return None
    others = [v for n, v in env.items() if n != target.value.id and isinstance(v, AbstractObject)]
    if path or run.called_on or run._inside or len(run.scope.inlining) != 1:
        raise Refusal("side-effect", "a column is set under a condition or in another function", target)
    if any(run.is_same(v, owner) or not isinstance(v, (RowSequence, Series, Array, KeyTuple, Unknown)) for v in others):
        raise Refusal("side-effect", f"`{target.value.id}` may be known under another name as well", target)
    try:
        found = run.with_column(owner, name, run.evaluated(value, env, path), value)
    except Refusal:
        set_to = run.with_unknown(owner, name, value, env)
        if set_to is None and run.row_by_row:
            raise
        if set_to is None:
            return None
        found = set_to
    return {**env, target.value.id: found}
