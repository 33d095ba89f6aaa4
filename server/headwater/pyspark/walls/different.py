"""``frame.select(columns).distinct()`` and its kin, as far as only the number of their rows is asked for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns import session_windows
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import Distinct, DropDuplicates, Opaque, Plan, Project

from .literals import text
from .measures import Spelled, column, given, named

_DROPS = ("dropDuplicates", "drop_duplicates")


class Rows(NamedTuple):
    """The rows that are counted: those of the expression ``of``, of which ``plan`` is the plan, and the different ones
    in ``columns``; None if all are. ``assumed``: what has to be true for that."""

    of: ast.expr
    plan: Plan
    columns: tuple[Spelled, ...] | None = None
    assumed: tuple[Assumption, ...] = ()


def counted(of: ast.expr, plan: Plan, frame: str, scope: ApiContext) -> Rows | None:
    """What ``of``, made of the variable ``frame`` and of which ``plan`` is the plan, has a row for each row of, or for
    each different one; None if the columns are not known."""
    match of:
        case ast.Call(func=ast.Attribute(value=below, attr="select")) if (child := projected(plan)) is not None:
            columns = _selected(of, frame, scope)
            return None if columns is None else Rows(below, child, assumed=_assumed(columns))
        case ast.Call(func=ast.Attribute(value=below, attr=method), args=[], keywords=[]):
            if method not in ("distinct", *_DROPS) or not isinstance(plan, (Distinct, Opaque)):
                return Rows(of, plan)
            return _of_selected(below, plan, frame, scope)
        case ast.Call(func=ast.Attribute(value=below, attr=method), args=[subset], keywords=[]) if method in _DROPS:
            return _of_subset(below, plan, subset, frame, scope)
        case ast.Call(
            func=ast.Attribute(value=below, attr=method), args=[], keywords=[ast.keyword(arg="subset", value=subset)]
        ) if method in _DROPS:
            return _of_subset(below, plan, subset, frame, scope)
    return Rows(of, plan)


def _of_selected(below: ast.expr, plan: Plan, frame: str, scope: ApiContext) -> Rows | None:
    of_all = _input(plan)
    child = None if of_all is None else projected(of_all)
    match below:
        case ast.Call(func=ast.Attribute(value=of, attr="select")) if child is not None:
            columns = _selected(below, frame, scope)
            assumed = None if columns is None else _unless_merged(plan, columns, scope)
            return None if assumed is None else Rows(of, child, columns, assumed)
    return None


def projected(plan: Plan) -> Plan | None:
    """That of which ``plan`` has the same rows, where it is a projection."""
    return (
        plan.child if isinstance(plan, Project) or (isinstance(plan, Opaque) and "row by row" in plan.causes) else None
    )


def _input(plan: Plan) -> Plan | None:
    """That of which ``plan`` has the different rows, if that is what it has."""
    if isinstance(plan, Opaque) and plan.obstruction != "row-context":
        return None
    return plan.child if isinstance(plan, (Distinct, DropDuplicates, Opaque)) else None


def _of_subset(below: ast.expr, plan: Plan, subset: ast.expr, frame: str, scope: ApiContext) -> Rows | None:
    of = _input(plan)
    if not isinstance(subset, (ast.List, ast.Tuple)) or not subset.elts or of is None:
        return None
    found = [_plain(e, scope) for e in subset.elts]
    columns = tuple(c for c in found if c is not None)
    if None in found or (assumed := _unless_merged(plan, columns, scope)) is None:
        return None
    child = projected(of)
    match below:
        case ast.Call(func=ast.Attribute(value=source, attr="select")) if child is not None:
            selected = _selected(below, frame, scope) or ()
            if {t for c in columns for t in c.conditions} <= {t for c in selected if _is_name(c) for t in c.conditions}:
                return Rows(source, child, columns, (*assumed, *_assumed(selected)))
    return Rows(below, of, columns, assumed)


def _plain(node: ast.expr, scope: ApiContext) -> Spelled | None:
    """The column of the whole name ``node``: where there is a dot in it, it is a field of a struct elsewhere."""
    if isinstance(node, ast.Name):
        return given(node, scope)
    name = text(node)
    return named(node) if name is not None and re.fullmatch(r"[^\W\d]\w*", name) else None


def _is_name(column: Spelled) -> bool:
    return column.style == "name" or isinstance(column.node, ast.Name)


def _assumed(columns: Iterable[Spelled]) -> tuple[Assumption, ...]:
    return tuple(a for c in columns for a in c.assumed)


def _unless_merged(plan: Plan, columns: Sequence[Spelled], scope: ApiContext) -> tuple[Assumption, ...] | None:
    """What has to be true for ``plan`` to have a row for each different one in ``columns``: session windows that
    overlap are one in it, and several where they are counted. None if one of them may well be such a window."""
    known = _assumed(columns)
    if isinstance(plan, (Distinct, DropDuplicates)):
        return known
    outside, of = session_windows.from_outside(scope.names), _input(plan)
    if of is None or session_windows.origin_of(of, None, outside) != "unknown":
        return None
    return (*known, *(Assumption("keys", f"{c.shown} is not a session window") for c in columns))


def _selected(call: ast.Call, frame: str, scope: ApiContext) -> tuple[Spelled, ...] | None:
    """The columns that a call of ``select`` names, if each is known to be a function of its row."""
    given = call.args
    if len(given) == 1 and isinstance(given[0], (ast.List, ast.Tuple)):
        given = given[0].elts
    found = [column(g, frame, scope) for g in given]
    if call.keywords or not found or None in found:
        return None
    return tuple(f for f in found if f is not None)
