"""The expressions for which Spark computes a number, or one row of aggregates, of the frame in a variable.

``frame.filter(condition).count()`` and ``frame.agg(measures).collect()[0][0]`` with their kin. What is not spelled so,
or has a condition of which the front end does not know that it is a function of a row, is none of them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import replace

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.tracked_values import TrackedFrame, Unevaluated, Unknown, Value
from headwater.syntax.refusal import Refusal
from headwater_ir import demand as ir
from headwater_ir.plan import UNKNOWN_SCHEMA, Filter, Plan, Scan

from . import different
from .each_turn.turns import around_job
from .held_rows import held_row
from .job_frames import (
    FILTERS,
    below_of,
    conditions_of,
    filtered,
    frame_in,
    if_of_spark,
    if_plain,
    is_plain,
    is_surely_a_frame,
    is_used_as_a_frame,
    made_by_filters,
    name_of,
    parts_of,
    texts_of,
    variable,
)  # fmt: skip
from .measures import condition, speaks_of_spark
from .places import Places
from .row_jobs import row

JOBS = frozenset({"count", "collect", "first", "head", "take"})
_OF_RDDS = frozenset("rdd parallelize flatMap map mapPartitions mapPartitionsWithIndex".split())
_CACHES = {"cache", "persist", "checkpoint", "localCheckpoint"}


def note(node: ast.Call, receiver: Value, scope: ApiContext, places: Places, found: dict[int, ir.Job]) -> None:
    """Add to ``found`` the job that the call ``node`` of a method of ``receiver`` is the last of, if it is one."""
    assert isinstance(node.func, ast.Attribute)
    known = scope.names.patches.methods
    if known & {*JOBS, *FILTERS, "agg", "select"} or places.shows_its_text(node):
        return
    if places.is_made_by(variable(node, scope), _OF_RDDS):
        return  # what its functions do beside is not known
    before = {*found}
    _note(node, receiver, scope, places, found)
    _note_kept(found, before, _is_kept(node, scope, places))


def _note_kept(found: dict[int, ir.Job], before: set[int], kept: bool) -> None:
    """Note of the jobs not from ``before`` whether their frame is ``kept``; what it is made of by filters is not."""
    for key in found.keys() - before if kept else ():
        found[key] = replace(found[key], kept=True, wider=None)


def _note(node: ast.Call, receiver: Value, scope: ApiContext, places: Places, found: dict[int, ir.Job]) -> None:
    assert isinstance(node.func, ast.Attribute)
    if not isinstance(receiver, TrackedFrame):
        perhaps = _perhaps(node, receiver, scope, places)
        if perhaps is not None:
            found[id(node)] = perhaps
        else:
            _note_in_turn(node, scope, places, found)
        return
    function = _counted if node.func.attr == "count" else row
    if (held := held_row(node, receiver, scope, places)) is not None:
        found[id(held[0])] = held[1]
        return
    try:
        job = _in_every_turn(function, node, receiver, scope, places)
        wider = function(node, receiver, scope, places, wider=True) if _may_be_wider(node, scope, places) else None
    except Refusal:
        return
    if job is not None:
        found[id(job[0])] = job[1] if wider is None else replace(job[1], wider=wider[1])


def _may_be_wider(node: ast.Call, scope: ApiContext, places: Places) -> bool:
    """Whether the frame in the variable that ``node`` begins with is made by filters of another one, of which no job is
    cheap, and ``node`` names it once."""
    at: ast.AST = node
    while isinstance(at, (ast.Call, ast.Attribute, ast.Subscript)):
        at = at.func if isinstance(at, ast.Call) else at.value
    made = made_by_filters(at, scope, places)
    if made is None or not isinstance(at, ast.Name):
        return False
    while made is not None:
        of = made[0]
        if _CACHES & places.attributes_of(of.id) or places.is_made_by(of.id, _OF_RDDS):
            return False
        made = made_by_filters(of, scope, places)
    return sum(isinstance(n, ast.Name) and n.id == at.id for n in ast.walk(node)) == 1


def _in_every_turn(
    function: Callable[[ast.Call, TrackedFrame, ApiContext, Places], tuple[ast.expr, ir.Job] | None],
    node: ast.Call, receiver: TrackedFrame, scope: ApiContext, places: Places,
) -> tuple[ast.expr, ir.Job] | None:  # fmt: skip
    """What ``function`` says of ``node``: if it is not known as it stands, of every turn of the loops around it, whose
    variables hold what stands in the file."""
    try:
        job = function(node, receiver, scope, places)
    except Refusal:
        job = None
    around = around_job(node, scope, places) if job is None else None
    return job if around is None else _of_all(function(node, receiver, s, places) for s in around.insides)


def _of_all(found: Iterable[tuple[ast.expr, ir.Job] | None]) -> tuple[ast.expr, ir.Job] | None:
    """The one job that a call is in every turn; None if it is none, or another one, in some."""
    jobs = [*found]
    first = jobs[0]
    known = [j for j in jobs if j is not None and first is not None and j[1].reading == first[1].reading]
    if first is None or len(known) < len(jobs):
        return None
    parts = tuple(replace(p, joined=any(j.parts[i].joined for _, j in known)) for i, p in enumerate(first[1].parts))
    certain = all(j.certain for _, j in known)
    return first[0], replace(first[1], parts=parts, certain=certain)


def note_in_turns(loop: ast.expr, scope: ApiContext, places: Places, found: dict[int, ir.Job]) -> None:
    """Add to ``found`` the jobs ``frame.filter(condition).count()`` and ``frame.agg(measure).first()[0]`` in the turns
    of the comprehension ``loop``."""
    for node in ast.walk(loop):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in JOBS:
            continue
        if scope.names.patches.methods & {*JOBS, *FILTERS, "agg", "select"} or places.shows_its_text(node):
            continue
        if places.is_made_by(variable(node, scope), _OF_RDDS):
            continue
        before = {*found}
        _note_in_turn(node, scope, places, found)
        _note_kept(found, before, _is_kept(node, scope, places))


def _note_in_turn(node: ast.Call, scope: ApiContext, places: Places, found: dict[int, ir.Job]) -> None:
    """Add to ``found`` what ``node`` asks for in the turns of the loops around it, if it is a job there."""
    assert isinstance(node.func, ast.Attribute)
    around = around_job(node, scope, places)
    if around is not None and variable(node, scope) not in around.own:
        function = _counted_in_a_turn if node.func.attr == "count" else _value_in_a_turn
        job = _of_all(function(node, s, places) for s in around.insides)
        if job is not None:
            found[id(job[0])] = job[1]


def _value_in_a_turn(node: ast.Call, inside: ApiContext, places: Places) -> tuple[ast.expr, ir.Job] | None:
    assert isinstance(node.func, ast.Attribute)
    match node.func.value:
        case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() as base)):
            frame = frame_in(base, inside)
            return None if frame is None else row(node, frame, inside, places)
    return None


def _counted_in_a_turn(node: ast.Call, inside: ApiContext, places: Places) -> tuple[ast.expr, ir.Job] | None:
    assert isinstance(node.func, ast.Attribute)
    base, conditions = filtered(node.func.value)
    name, span = name_of(base, inside), inside.names.ctx.span
    if node.args or node.keywords or not isinstance(base, (ast.Name, ast.Attribute)) or name is None or not conditions:
        return None
    spelled, bound = [condition(c, name, inside) for c in conditions], inside.lookup(name)
    known = [s for s in spelled if s is not None]
    if len(known) < len(spelled) or not is_plain(base, inside) or (bound is None and isinstance(base, ast.Name)):
        return None
    frame, held = frame_in(base, inside), Unknown(name) if bound is None else bound.value
    if frame is None and isinstance(held, Unknown) and not held.never_frame:
        plan: Plan = Scan(held.origin, "unknown", UNKNOWN_SCHEMA, span(base))
    elif frame is not None:
        plan = frame.plan
    else:
        return None
    schema, above = UNKNOWN_SCHEMA if frame is None else frame.known_schema, plan
    for condition_ in conditions:
        above = Filter(above, (), span(node), span(condition_), "column", "it is in a comprehension")
    certain = (
        is_surely_a_frame(base, plan, inside)
        or any(s.style == "sql" or speaks_of_spark(s.node, inside) for s in known)
        or is_used_as_a_frame(base, inside, places)
    )
    job = ir.Job(
        name, span(node), span(base), (*(ir.Where(s.conditions) for s in known), ir.Size()),
        conditions_of(known, inside), plan, schema, above, certain=certain,
        assumed=(*if_plain(name), *(a for s in known for a in s.assumed)),
    )  # fmt: skip
    return node, job


def _is_kept(node: ast.Call, scope: ApiContext, places: Places) -> bool:
    """Whether the frame in the variable that ``node`` begins with is cached somewhere, or in the attribute perhaps in
    another method."""
    name = variable(node, scope)
    if "." in name:
        return any(scope.names.ctx.mentions(f".{c}(") for c in _CACHES)
    return bool(_CACHES & places.attributes_of(name))


def _perhaps(node: ast.Call, receiver: Value, scope: ApiContext, places: Places) -> ir.Job | None:
    """``name.count()``, where it is not known yet that the variable holds a frame."""
    assert isinstance(node.func, ast.Attribute)
    base, ctx, name = node.func.value, scope.names.ctx, name_of(node.func.value, scope)
    if name is None or node.func.attr != "count" or node.args or node.keywords:
        return None
    called = isinstance(receiver, Unevaluated) and isinstance(receiver.node, ast.Call)
    if not called and (not isinstance(receiver, Unknown) or receiver.never_frame):
        return None
    if not is_plain(base, scope):
        return None
    origin = receiver.origin if isinstance(receiver, Unknown) else f"variable {name}"
    plan = Scan(origin, "unknown", UNKNOWN_SCHEMA, ctx.span(base))
    certain = is_used_as_a_frame(base, scope, places)
    return ir.Job(
        name, ctx.span(node), ctx.span(base), (ir.Size(),), (), plan, UNKNOWN_SCHEMA, plan, certain=certain,
        assumed=if_plain(name),
    )  # fmt: skip


def _counted(
    node: ast.Call, receiver: TrackedFrame, scope: ApiContext, places: Places, *, wider: bool = False
) -> tuple[ast.expr, ir.Job] | None:
    assert isinstance(node.func, ast.Attribute)
    if node.args or node.keywords:
        return None
    rows = different.counted(node.func.value, receiver.plan, variable(node, scope), scope)
    below = None if rows is None else below_of(rows.of, rows.plan, scope, places if wider else None)
    if rows is None or below is None:
        return None
    ctx, columns = scope.names.ctx, rows.columns or ()
    last: ir.Reading = (ir.Size(),) if not columns else (ir.Different(texts_of(columns)), ir.Size())
    of_spark = [*below.conditions, *(c for c in columns if c.style == "column")]
    certain = (
        is_surely_a_frame(below.base, below.plan, scope)
        or any(speaks_of_spark(s.node, scope) for s in of_spark)
        or is_used_as_a_frame(below.base, scope, places)
    )
    job = ir.Job(
        below.name, ctx.span(node), ctx.span(below.base), (*below.steps, *last), conditions_of(below.conditions, scope),
        below.plan, below.schema, rows.plan, certain=certain, columns=parts_of(columns, scope),
        frame_if=None if certain else if_of_spark(node.func.value, below, scope),
        assumed=(*below.assumed, *rows.assumed),
    )  # fmt: skip
    return node, job
