"""Columns that a function sets, renames or drops: ``frame.assign(y=frame.x * 2)``, ``rename(columns=…)``,
``drop(columns=…)``.

Law: pandas puts a column into a frame by the labels of the rows. A column of the same rows under the same labels puts
into each row what it holds there, a constant stands in every row, and all other columns stay as they are.
Condition: the same mask, order and labels (``RowSequence.alike``): ``reset_index`` gives a part of the rows other
labels, and what is taken from before is then put into other rows. A name that is there already would be that of two
columns, and one that is not there is renamed to nothing: so all names must be known.
Reference: pandas 2.3, *Intro to data structures*, and tests/conformance/test_pandas_rows.py.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.python.libraries import models
from headwater.python.rows.row_sequences import Made, RowSequence, Series
from headwater.python.values.scope import Env, Value
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.expr import Lit, slots_of

from .methods import Array

if TYPE_CHECKING:
    from .values import PandasInterpreter


def assigned(run: PandasInterpreter, node: ast.Call, owner: RowSequence, env: Env) -> RowSequence:
    """``frame.assign(name=column, …)``; a lambda is given the frame with the columns before it."""
    for name, value in models.bind("pandas.DataFrame.assign", node).named.items():
        if isinstance(value, ast.Lambda):
            names = plain_parameters(value.args)
            if names is None or len(names) != 1:
                raise Refusal("opaque", "a lambda with other than one parameter", value)
            found = run.any_value(value.body, {**env, names[0]: owner})
        else:
            found = run.any_value(value, env)
        owner = run.with_column(owner, name, found, value)
    return owner


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


def dropped(run: PandasInterpreter, owner: RowSequence, names: ast.expr, node: ast.AST) -> RowSequence:
    """``frame.drop(columns=[…])``."""
    parts = names.elts if isinstance(names, (ast.List, ast.Tuple)) else [names]
    gone = {p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)}
    if len(gone) != len(parts):
        raise Refusal("opaque", "which columns are dropped is not written out", node)
    return run.without(owner, frozenset(gone))


def without(owner: RowSequence, gone: frozenset[str]) -> RowSequence:
    """A group's frame without the columns ``gone``."""
    return replace(owner, made=(*_others(owner, gone), *(Made(name, None) for name in sorted(gone))))


def renamed(run: PandasInterpreter, owner: RowSequence, names: ast.expr, node: ast.AST) -> RowSequence:
    """``frame.rename(columns={old: new, …})``, all at once."""
    pairs = list(zip(names.keys, names.values, strict=True)) if isinstance(names, ast.Dict) else []
    new = {
        old.value: now.value
        for old, now in pairs
        if isinstance(old, ast.Constant)
        and isinstance(old.value, str)
        and isinstance(now, ast.Constant)
        and isinstance(now.value, str)
    }
    there = run.names_in(owner)
    if not new or len(new) != len(pairs) or there is None:
        raise Refusal("opaque", "which columns are renamed is not written out, or not which there are", node)
    if not new.keys() <= there or len(set(new.values())) != len(new) or set(new.values()) & (there - new.keys()):
        raise Refusal("may-throw", "a column is renamed that is not there, or two get one name", node)
    values = {now: run.group.series(owner, old) for old, now in new.items()}
    owner = run.without(owner, frozenset(new))
    for name, value in values.items():
        owner = run.with_column(owner, name, value, node)
    return owner


def _others(owner: RowSequence, names: set[str] | frozenset[str]) -> tuple[Made, ...]:
    return tuple(m for m in owner.made if m.name not in names)
