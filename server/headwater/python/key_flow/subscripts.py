"""What subscripts of frames, columns and lists yield: ``frame[mask]``, ``frame.loc[rows, columns]``, ``values[0]``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.syntax.refusal import Refusal

from .lattice import OTHER, Array, Column, Constant, KeyValue, Parts, Plain, Ref, State
from .parts import is_rows

if TYPE_CHECKING:
    from .expressions import FrameValues

_INDEXERS = ("loc", "iloc")


def read(run: FrameValues, node: ast.Subscript, state: State) -> KeyValue:
    """The value of a subscript."""
    if isinstance(node.value, ast.Attribute) and node.value.attr in (*_INDEXERS, "iat"):
        owner = run.value(node.value.value, state)
        index = run.value(node.slice, state)
        if isinstance(owner, Ref) and node.value.attr in _INDEXERS:
            return _located(run, node.slice, owner, index, state)
        if isinstance(owner, Column) and owner.key is not None and node.value.attr in ("iloc", "iat"):
            return _at_place(node, owner, index)
        return OTHER
    owner, index = run.value(node.value, state), run.value(node.slice, state)
    if isinstance(owner, Ref):
        return _of_frame(run, node.slice, owner, index, state)
    if isinstance(owner, Column):
        return Column(None, owner.key) if isinstance(index, Column) or isinstance(node.slice, ast.Slice) else OTHER
    if isinstance(owner, Array):
        return Plain(owner.key) if isinstance(index, Constant) and type(index.value) is int else OTHER
    if isinstance(owner, Parts) and not owner.repeated and isinstance(index, Constant) and type(index.value) is int:
        at = index.value
        if not -len(owner.parts) <= at < len(owner.parts):
            raise Refusal("may-throw", "there is no such part", node)
        return owner.parts[at]
    return OTHER


def _at_place(node: ast.Subscript, owner: Column, index: KeyValue) -> KeyValue:
    if isinstance(index, Constant) and type(index.value) is int:
        return Plain(owner.key)
    return Column(None, owner.key) if isinstance(node.slice, ast.Slice) else OTHER


def _of_frame(run: FrameValues, spelled: ast.expr, owner: Ref, index: KeyValue, state: State) -> KeyValue:
    """``frame[index]``."""
    held = state.heap[owner.at]
    if isinstance(index, Constant):
        if isinstance(index.value, list) and all(isinstance(c, str) for c in index.value):
            return run.new(held.only(index.value), state)
        return Column(held.rows, held.key_of(index.value)) if isinstance(index.value, str) else OTHER
    if isinstance(index, Column) or isinstance(spelled, ast.Slice):
        return run.some_rows(held, state)
    return OTHER


def _located(run: FrameValues, spelled: ast.expr, owner: Ref, index: KeyValue, state: State) -> KeyValue:
    """``frame.loc[index]`` and ``frame.iloc[index]``."""
    held = state.heap[owner.at]
    if not isinstance(spelled, ast.Tuple):
        return run.some_rows(held, state) if is_rows(spelled, index) else OTHER
    if len(spelled.elts) != 2:
        return OTHER
    rows, columns = (run.value(e, state) for e in spelled.elts)
    if not is_rows(spelled.elts[0], rows):
        return OTHER
    if isinstance(columns, Constant) and isinstance(columns.value, str):
        return Column(None, held.key_of(columns.value))
    if isinstance(columns, Constant) and isinstance(columns.value, list):
        return run.some_rows(held.only(columns.value), state)
    whole = spelled.elts[1]
    if isinstance(whole, ast.Slice) and (whole.lower, whole.upper, whole.step) == (None, None, None):
        return run.some_rows(held, state)
    return OTHER
