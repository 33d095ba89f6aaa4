"""The expressions for which Spark computes a number, or one row of aggregates, of the frame in a variable.

``frame.filter(condition).count()`` and ``frame.agg(measures).collect()[0][0]`` with their kin. What is not spelled so,
or has a condition of which the front end does not know that it is a function of a row, is none of them.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.tracked_values import TrackedFrame, Unknown, Value
from headwater.python.values.spark_row import METHODS
from headwater.syntax.refusal import Refusal
from headwater_ir import demand as ir
from headwater_ir.plan import UNKNOWN_SCHEMA, Filter, Opaque, Plan, Scan
from headwater_ir.walks import below

from .measures import Spelled, condition, measures_of
from .places import Places
from .reads import number, text

JOBS = frozenset({"count", "collect", "first", "head", "take"})
_FILTERS = ("filter", "where")
_CACHES = {"cache", "persist", "checkpoint", "localCheckpoint"}


class Taken(NamedTuple):
    """``by``: the expression that takes from a call the one row that it gives, and then perhaps one value of it."""

    by: ast.expr
    steps: ir.Reading
    slot: int | str | None


def note(node: ast.Call, receiver: Value, scope: ApiContext, places: Places, found: dict[int, ir.Job]) -> None:
    """Add to ``found`` the job that the call ``node`` of a method of ``receiver`` is the last of, if it is one."""
    assert isinstance(node.func, ast.Attribute)
    known = scope.names.patches.methods
    if known & {*JOBS, *_FILTERS, "agg", "select"} or _is_kept(node, places) or places.shows_its_text(node):
        return
    if not isinstance(receiver, TrackedFrame):
        perhaps = _perhaps(node, receiver, scope)
        if perhaps is not None:
            found[id(node)] = perhaps
        return
    try:
        job = _counted(node, receiver, scope) if node.func.attr == "count" else _row(node, receiver, scope, places)
    except Refusal:
        return
    if job is not None:
        found[id(job[0])] = job[1]


def _is_kept(node: ast.Call, places: Places) -> bool:
    """Whether the frame in the variable that ``node`` begins with is cached somewhere: then a second job is cheap."""
    at: ast.expr = node
    while isinstance(at, (ast.Call, ast.Attribute)):
        at = at.func if isinstance(at, ast.Call) else at.value
    return isinstance(at, ast.Name) and bool(_CACHES & places.attributes_of(at.id))


def _perhaps(node: ast.Call, receiver: Value, scope: ApiContext) -> ir.Job | None:
    """``name.count()``, where it is not known yet that the variable holds a frame."""
    assert isinstance(node.func, ast.Attribute)
    base, ctx = node.func.value, scope.names.ctx
    if not isinstance(base, ast.Name) or node.func.attr != "count" or node.args or node.keywords:
        return None
    if not isinstance(receiver, Unknown) or receiver.never_frame or not _is_plain(base, scope):
        return None
    plan = Scan(receiver.origin, "unknown", UNKNOWN_SCHEMA, ctx.span(base))
    return ir.Job(base.id, ctx.span(node), ctx.span(base), (ir.Size(),), (), plan, UNKNOWN_SCHEMA, plan, certain=False)


def _counted(node: ast.Call, receiver: TrackedFrame, scope: ApiContext) -> tuple[ast.expr, ir.Job] | None:
    assert isinstance(node.func, ast.Attribute)
    if node.args or node.keywords:
        return None
    base, conditions = _filtered(node.func.value)
    if not isinstance(base, ast.Name):
        return None
    spelled = [condition(c, base.id, scope) for c in conditions]
    if not all(spelled) or not _are_functions(receiver.plan, len(conditions)):
        return None
    plan = _frame_in(base, scope)
    if plan is None:
        return None
    ctx, kept = scope.names.ctx, [s for s in spelled if s is not None]
    steps = tuple(ir.Where(s.conditions) for s in kept)
    certain = _is_surely_a_frame(base, plan.plan, scope) or any(
        c.startswith("sql ") or "functions." in c for s in kept for c in s.conditions
    )
    job = ir.Job(
        base.id, ctx.span(node), ctx.span(base), (*steps, ir.Size()),
        tuple(ir.Part(ctx.span(s.node), s.style) for s in kept), plan.plan, plan.known_schema, receiver.plan,
        certain=certain,
    )  # fmt: skip
    return node, job


def _row(node: ast.Call, receiver: TrackedFrame, scope: ApiContext, places: Places) -> tuple[ast.expr, ir.Job] | None:
    assert isinstance(node.func, ast.Attribute)
    taken, of = _first_row(node, places), node.func.value
    if taken is None or not isinstance(of, ast.Call) or not isinstance(of.func, ast.Attribute):
        return None
    base = of.func.value
    spelled = measures_of(of, scope)
    plan = _frame_in(base, scope) if isinstance(base, ast.Name) else None
    if spelled is None or plan is None or not isinstance(base, ast.Name):
        return None
    ctx = scope.names.ctx
    steps: ir.Reading = (ir.Measured(tuple(s.measure for s in spelled)), *taken.steps)
    parts = tuple(ir.Part(ctx.span(s.node), s.style) for s in spelled)
    if taken.slot is not None:
        slot = _slot(spelled, taken.slot)
        if slot is None:
            return None
        steps, parts = (*steps, ir.ColumnAt(slot)), (parts[slot],)
    job = ir.Job(
        base.id, ctx.span(taken.by), ctx.span(base), steps, parts, plan.plan, plan.known_schema,
        receiver.plan,
    )  # fmt: skip
    return taken.by, job


def _slot(spelled: list[Spelled], slot: int | str) -> int | None:
    """The place of the measure that is taken by place or by name."""
    if isinstance(slot, int):
        return slot if 0 <= slot < len(spelled) else None
    found = [i for i, s in enumerate(spelled) if s.name == slot]
    return found[0] if len(found) == 1 and all(s.name is not None for s in spelled) else None


def _first_row(node: ast.Call, places: Places) -> Taken | None:
    assert isinstance(node.func, ast.Attribute)
    method = node.func.attr
    if node.keywords or (node.args and (method not in ("take", "head") or [number(a) for a in node.args] != [1])):
        return None
    row: ast.expr = node
    steps: ir.Reading = (ir.Item(0),)
    if method == "collect" or node.args:
        outer = places.around(node)
        if not isinstance(outer, ast.Subscript) or outer.value is not node or number(outer.slice) != 0:
            return None
        row = outer
    elif method == "take":
        return None
    value = places.around(row)
    if isinstance(value, ast.Subscript) and value.value is row and isinstance(value.ctx, ast.Load):
        place, name = number(value.slice), text(value.slice)
        if place is not None or name is not None:
            return Taken(value, steps, place if place is not None else name)
    if isinstance(value, ast.Attribute) and isinstance(value.ctx, ast.Load) and value.attr not in METHODS:
        return Taken(value, steps, value.attr)
    return Taken(row, steps, None)


def _filtered(of: ast.expr) -> tuple[ast.expr, list[ast.expr]]:
    """The frame below the filters that ``of`` ends with, and their conditions, the lowest first."""
    conditions: list[ast.expr] = []
    while isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute) and of.func.attr in _FILTERS:
        given = [*of.args, *(k.value for k in of.keywords if k.arg == "condition")]
        if len(given) != 1 or isinstance(given[0], ast.Starred) or len(of.args) + len(of.keywords) != 1:
            break
        of, conditions = of.func.value, [given[0], *conditions]
    return of, conditions


def _are_functions(plan: Plan, number_of_filters: int) -> bool:
    """Whether the conditions of so many filters on top are known to be functions of a row."""
    for _ in range(number_of_filters):
        if not isinstance(plan, Filter):
            return False
        inside, below = plan.condition, plan.child
        if isinstance(below, Opaque) and inside.start <= below.span.start and below.span.end <= inside.end:
            return False
        plan = below
    return True


def _frame_in(base: ast.Name, scope: ApiContext) -> TrackedFrame | None:
    """The frame in the variable ``base``."""
    bound = scope.lookup(base.id)
    if bound is None or not _is_plain(base, scope):
        return None
    found = bound.frame or bound.value
    return found if isinstance(found, TrackedFrame) else None


def _is_surely_a_frame(base: ast.Name, plan: Plan, scope: ApiContext) -> bool:
    """Whether the variable holds a frame of Spark's for another reason than that its methods are called like those:
    pandas has a ``where`` as well."""
    bound = scope.lookup(base.id)
    annotated = bound is not None and isinstance(bound.value, Unknown) and bound.value.is_frame
    bottoms = [n for n in below(plan) if isinstance(n, Scan) or (isinstance(n, Opaque) and n.child is None)]
    return annotated or all(isinstance(n, Scan) and n.format != "unknown" for n in bottoms)


def _is_plain(base: ast.Name, scope: ApiContext) -> bool:
    """Whether only the assignments that can be seen change what the variable holds."""
    return base.id not in scope.names.rebound and not scope.names.reflective
