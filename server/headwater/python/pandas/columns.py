"""Columns of a frame that a function sets or drops, as ``methods.columns`` says."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.python.rows.row_sequences import Made, RowSequence, Series
from headwater.python.values.scope import Value
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Lit, slots_of

from .functions import Array


def of_group(owner: RowSequence, name: str, value: Value, node: ast.AST) -> RowSequence:
    """A group's frame with a column set."""
    value = value.series if isinstance(value, Array) else value
    if isinstance(value, Series) and value.frame.alike(owner) and not slots_of(value.element) and not value.listed:
        made = Made(name, value.element, value.present, value.column)
    elif isinstance(value, Lit) and value.value is not None:
        made = Made(name, value, present=True)
    else:
        raise Refusal("opaque", f"`{name}` is not set to a column of these rows, or to a constant", node)
    return replace(owner, made=(*_others(owner, {name}), made))


def unknown(owner: RowSequence, name: str) -> RowSequence:
    """A group's frame with a column set of which it is not known what it holds."""
    return replace(owner, made=(*_others(owner, {name}), Made(name, None)))


def without(owner: RowSequence, gone: frozenset[str]) -> RowSequence:
    """A group's frame without the columns ``gone``."""
    return replace(owner, made=(*_others(owner, gone), *(Made(name, None, gone=True) for name in sorted(gone))))


def _others(owner: RowSequence, names: set[str] | frozenset[str]) -> tuple[Made, ...]:
    return tuple(m for m in owner.made if m.name not in names)
