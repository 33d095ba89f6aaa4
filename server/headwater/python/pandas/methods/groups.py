"""Groups inside the group: ``frame.groupby("x")``, and what is looked up of their sizes and reductions.

Law: a group for each value of the column that is not missing. A reduction of another column is that of the rows with
this value, and passes over what is missing; a value that no row has is a KeyError, or what ``get`` is given for it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import choose
from headwater.python.rows.row_sequences import Series
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import Expr, Lit, Raise

from .model import FRAME, FRAME_GROUPS, GROUPS, MethodCall, method
from .operands import constant
from .reductions import Counts, condition_of, count, counted, extreme, total

if TYPE_CHECKING:
    from ..values import PandasInterpreter

_LAWS = {"count": count, "max": extreme, "min": extreme, "sum": total}


@dataclass(frozen=True)
class GroupBy(AbstractObject):
    """``frame.groupby("x")``, and its column ``of``."""

    counts: Counts
    of: str | None = None


@dataclass(frozen=True)
class Reduced(AbstractObject):
    """A reduction of the column ``of`` in each group, by value."""

    counts: Counts
    of: Series
    name: str


@method(
    FRAME,
    "other",
    """
groupby(by=None, axis: 0 | "index" = ..., level: never = None, as_index: True | False = True, sort: True | False =
    True, group_keys: True | False = True, observed: True | False = ..., dropna: True | False = True) ->
    DataFrameGroupBy
""",
    needs="all rows",
    reads=("by",),
)
def grouped(call: MethodCall) -> GroupBy:
    """By one column, of which a value that is missing makes no group."""
    by = call.needed("by")
    name = constant(by.elts[0] if isinstance(by, ast.List) and len(by.elts) == 1 else by)
    if not isinstance(name, str):
        raise call.refusal("opaque", "`groupby` of something other than one column")
    series = call.run.group.series(call.frame, name)
    return GroupBy(counted(replace(call, owner=series)))


@method(f"{FRAME_GROUPS} {GROUPS}", "other", "size()", needs="all rows")
def sizes(call: MethodCall) -> Counts:
    """How many rows each group has."""
    assert isinstance(call.owner, GroupBy)
    return call.owner.counts


@method(
    GROUPS,
    "other",
    """
count()
max(numeric_only: True | False = False, min_count: 0 | 1 = -1, **kwargs)
min(numeric_only: True | False = False, min_count: 0 | 1 = -1, **kwargs)
sum(numeric_only: True | False = False, min_count: 0 | 1 = 0, **kwargs)
""",
    needs="all rows",
)
def reduced(call: MethodCall) -> Reduced:
    """Of one column."""
    owner = call.owner
    assert isinstance(owner, GroupBy)
    assert owner.of is not None
    series = call.run.group.series(owner.counts.series.frame, owner.of)
    return Reduced(owner.counts, series, call.method)


def looked_up(
    run: PandasInterpreter, owner: Reduced, key: ast.expr, default: ast.expr | None, node: ast.expr, env: Env
) -> Value:
    """The reduction of the rows with the constant ``key``; where there is none, ``default``, or else a KeyError."""
    here, frame = condition_of(run, owner.counts, key, node, env), owner.of.frame
    series = replace(owner.of, frame=run.restrict(frame, here))
    value = _LAWS[owner.name](MethodCall(run, node, series, Bound(owner.name, {}), env))
    absent: Expr = Raise("KeyError")
    if default is not None:
        given = run.value(default, env)
        if not isinstance(given, Lit) or given.value is None:
            raise Refusal("opaque", "a default that is no constant", node)
        absent = given
    assert not isinstance(value, AbstractObject)
    return choose(run.reductions.exists(here), value, absent)
