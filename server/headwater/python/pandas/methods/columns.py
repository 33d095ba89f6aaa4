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
from collections.abc import Mapping
from dataclasses import replace

from headwater.libraries.entry import Columns, Constants, changing, known, without
from headwater.python.rows.row_sequences import RowSequence
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import plain_parameters

from .model import FRAME, SERIES, MethodCall, declare, method
from .operands import constant, names_of


def _columns_of_drop(given: Constants) -> Columns:
    """Without the listed columns; the rows of listed labels are gone too."""
    of_columns = known(given, "axis", 0) in (1, "columns")
    labels, index = (known(given, name, None) for name in ("labels", "index"))
    named = known(given, "columns", labels if of_columns else None)
    found = Columns() if named is None else without(named)
    rows = index is not None or (labels is not None and not of_columns)
    return replace(found, positions=False, rows="any" if rows else "same")


def _columns_of_rename(given: Constants) -> Columns:
    names = known(given, "columns", None)
    if not isinstance(names, Mapping) or not all(isinstance(n, str) for pair in names.items() for n in pair):
        return Columns(only=())
    return Columns(renamed=names, positions=False)


@method(FRAME, "other", "assign(**columns)", needs="its own row", reads=("**",))
def assigned(call: MethodCall) -> RowSequence:
    """A column for each name; a lambda is given the frame with the columns before it."""
    run, owner = call.run, call.frame
    for name, value in call.bound.named.items():
        body, env = value, call.env
        if isinstance(value, ast.Lambda):
            parameters = plain_parameters(value.args)
            if parameters is None or len(parameters) != 1:
                raise Refusal("opaque", "a lambda with other than one parameter", value)
            body, env = value.body, {**env, parameters[0]: owner}
        owner = run.column_set(owner, name, body, env)
    return owner


@method(
    FRAME,
    "other",
    """
drop(labels=None, *, axis: 0 | 1 | "index" | "columns" = 0, index=None, columns=None, inplace: False = False, errors:
    "raise" | "ignore" = "raise", **kwargs)
""",
    needs="its own row",
    reads=("columns", "labels", "axis"),
    columns=_columns_of_drop,
)
def dropped(call: MethodCall) -> RowSequence:
    """The frame without the listed columns."""
    of_columns = constant(call.get("axis")) in (1, "columns") and call.get("columns") is None
    gone = names_of(call.needed("labels" if of_columns else "columns"))
    if gone is None or (not of_columns and call.get("labels") is not None):
        raise call.refusal("opaque", "which columns are dropped is not written out")
    return call.run.without(call.frame, frozenset(gone))


@method(
    FRAME,
    "other",
    """
rename(*, columns=None, inplace: False = False, errors: "raise" = "ignore", **kwargs)
""",
    needs="its own row",
    reads=("columns",),
    columns=_columns_of_rename,
)
def renamed(call: MethodCall) -> RowSequence:
    """Columns under other names, all at once."""
    run, owner, names = call.run, call.frame, call.needed("columns")
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
        raise call.refusal("opaque", "which columns are renamed is not written out, or not which there are")
    if not new.keys() <= there or len(set(new.values())) != len(new) or set(new.values()) & (there - new.keys()):
        raise call.refusal("may-throw", "a column is renamed that is not there, or two get one name")
    values = {now: run.group.series(owner, old) for old, now in new.items()}
    owner = run.without(owner, frozenset(new))
    for name, value in values.items():
        owner = run.with_column(owner, name, value, call.node)
    return owner


declare(
    SERIES,
    "other",
    """
drop(labels=None, *, axis: 0 = 0, index=None, columns=None, inplace: False = False, errors: "raise" = "raise",
    **kwargs)
keys()
rename(index=None, *, axis: 0 = None, inplace: False = False, errors: "raise" = "ignore", **kwargs)
rename_axis(mapper=..., *, index=..., axis: 0 = 0, inplace: False = False, **kwargs)
transpose(**kwargs)
""",
)
declare(
    FRAME,
    "other",
    'astype(dtype, copy: never = None, errors: "raise" = "raise")',
    columns=changing("dtype"),
)
declare(
    FRAME,
    "other",
    """
get(key, default=None)
join(other, on=None, how: "inner" | "left" | "right" | "outer" = "left", lsuffix="", rsuffix="", sort: True | False =
    False, **kwargs)
keys()
melt(id_vars=None, value_vars=None, var_name=None, value_name="value", col_level: never = None, ignore_index: True |
    False = True)
merge(right, how: "inner" | "left" | "right" | "outer" = "inner", on=None, left_on=None, right_on=None, left_index:
    never = False, right_index: never = False, sort: True | False = False, suffixes=..., copy: never = None,
    indicator: True | False = False, validate=None)
pivot(*, columns, index=..., values=...)
pivot_table(values=None, index=None, columns=None, aggfunc="mean", fill_value: never = None, margins: False = False,
    dropna: True | False = True, margins_name: never = "All", observed: True | False = ..., sort: True | False = True)
rename_axis(mapper=..., *, index=..., columns=..., axis: 0 | "index" = 0, inplace: False = False, **kwargs)
select_dtypes(include=None, exclude=None)
stack(level: never = -1, dropna: True | False = ..., sort: True | False = ..., future_stack: False = False)
transpose(**kwargs)
unstack(level: never = -1, fill_value: never = None, sort: True | False = True)
""",
)
