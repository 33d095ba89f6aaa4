"""The expressions for which Spark computes a number, or one row of aggregates, of the frame in a variable.

``frame.filter(condition).count()`` and ``frame.agg(measures).collect()[0][0]`` with their kin. What is not spelled so,
or has a condition of which the front end does not know that it is a function of a row, is none of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple, cast

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.tracked_values import TrackedFrame, Unevaluated, Unknown, Value
from headwater.python.values.spark_row import METHODS
from headwater.syntax.refusal import Refusal
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import UNKNOWN_SCHEMA, Aggregate, Filter, Opaque, Plan, Scan
from headwater_ir.walks import below, untranslated

from . import different
from .measures import Spelled, alternatives, condition, measure_of_turn, measures_of, speaks_of_spark
from .places import Places
from .reads import number, text
from .turns import Inside, targets, turns_of

JOBS = frozenset({"count", "collect", "first", "head", "take"})
_FILTERS = ("filter", "where")
_OF_SPARK = frozenset(
    """
    createOrReplaceTempView createTempView dropDuplicates groupBy printSchema selectExpr unionByName withColumn
    withColumnRenamed withColumns
    """.split()
)
"""Methods that of all frames only Spark's have."""
_OF_RDDS = frozenset("rdd parallelize flatMap map mapPartitions mapPartitionsWithIndex".split())
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
    if places.is_made_by(_variable(node), _OF_RDDS):
        return  # what its functions do beside is not known
    if not isinstance(receiver, TrackedFrame):
        perhaps = _perhaps(node, receiver, scope, places)
        if perhaps is not None:
            found[id(node)] = perhaps
        return
    try:
        job = (
            _counted(node, receiver, scope, places)
            if node.func.attr == "count"
            else _row(node, receiver, scope, places)
        )
    except Refusal:
        return
    if job is not None:
        found[id(job[0])] = job[1]


def note_in_turns(loop: ast.expr, scope: ApiContext, places: Places, found: dict[int, ir.Job]) -> None:
    """Add to ``found`` the jobs ``frame.filter(condition).count()`` in the turns of the comprehension ``loop``."""
    if not isinstance(loop, (ast.ListComp, ast.SetComp, ast.DictComp)) or len(loop.generators) != 1:
        return
    own = targets(loop.generators[0].target)
    inside = cast("ApiContext", Inside(scope, own))
    parts = [loop.key, loop.value] if isinstance(loop, ast.DictComp) else [loop.elt]
    for node in (n for part in parts for n in ast.walk(part)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "count":
            if not scope.names.patches.methods & {*JOBS, *_FILTERS, "agg"} and not places.shows_its_text(node):
                others = _is_kept(node, places) or places.is_made_by(_variable(node), _OF_RDDS)
                job = None if others else _counted_in_a_turn(node, own, inside, places)
                found.update({} if job is None else {id(node): job})


def _counted_in_a_turn(node: ast.Call, own: frozenset[str], inside: ApiContext, places: Places) -> ir.Job | None:
    assert isinstance(node.func, ast.Attribute)
    base, conditions = _filtered(node.func.value)
    if node.args or node.keywords or not isinstance(base, ast.Name) or base.id in own or len(conditions) != 1:
        return None
    spelled, span, bound = condition(conditions[0], base.id, inside), inside.names.ctx.span, inside.lookup(base.id)
    if spelled is None or spelled.style != "column" or bound is None or not _is_plain(base, inside):
        return None
    frame, held = _frame_in(base, inside), bound.value
    if frame is None and isinstance(held, Unknown) and not held.never_frame:
        plan: Plan = Scan(held.origin, "unknown", UNKNOWN_SCHEMA, span(base))
    elif frame is not None:
        plan = frame.plan
    else:
        return None
    at, schema = span(spelled.node), UNKNOWN_SCHEMA if frame is None else frame.known_schema
    above = Filter(plan, (), span(node), at, "column", "it is in a comprehension")
    certain = (
        _is_surely_a_frame(base, plan, inside)
        or speaks_of_spark(spelled.node, inside)
        or _is_used_as_a_frame(base, inside, places)
    )
    return ir.Job(
        base.id, span(node), span(base), (ir.Where(spelled.conditions), ir.Size()), (ir.Part(at, "column"),),
        plan, schema, above, certain=certain,
    )  # fmt: skip


def _is_kept(node: ast.Call, places: Places) -> bool:
    """Whether the frame in the variable that ``node`` begins with is cached somewhere: then a second job is cheap."""
    at: ast.expr = node
    while isinstance(at, (ast.Call, ast.Attribute)):
        at = at.func if isinstance(at, ast.Call) else at.value
    return isinstance(at, ast.Name) and bool(_CACHES & places.attributes_of(at.id))


def _perhaps(node: ast.Call, receiver: Value, scope: ApiContext, places: Places) -> ir.Job | None:
    """``name.count()``, where it is not known yet that the variable holds a frame."""
    assert isinstance(node.func, ast.Attribute)
    base, ctx = node.func.value, scope.names.ctx
    if not isinstance(base, ast.Name) or node.func.attr != "count" or node.args or node.keywords:
        return None
    called = isinstance(receiver, Unevaluated) and isinstance(receiver.node, ast.Call)
    if not called and (not isinstance(receiver, Unknown) or receiver.never_frame):
        return None
    if not _is_plain(base, scope):
        return None
    origin = receiver.origin if isinstance(receiver, Unknown) else f"variable {base.id}"
    plan = Scan(origin, "unknown", UNKNOWN_SCHEMA, ctx.span(base))
    certain = _is_used_as_a_frame(base, scope, places)
    return ir.Job(
        base.id, ctx.span(node), ctx.span(base), (ir.Size(),), (), plan, UNKNOWN_SCHEMA, plan, certain=certain
    )


def _counted(
    node: ast.Call, receiver: TrackedFrame, scope: ApiContext, places: Places
) -> tuple[ast.expr, ir.Job] | None:
    assert isinstance(node.func, ast.Attribute)
    if node.args or node.keywords:
        return None
    rows = different.counted(node.func.value, receiver.plan, _variable(node), scope)
    below = None if rows is None else _below(rows.of, rows.plan, scope)
    if rows is None or below is None:
        return None
    ctx, frame = scope.names.ctx, below.frame
    columns = rows.columns or ()
    last: ir.Reading = (ir.Size(),) if not columns else (ir.Different(_texts(columns)), ir.Size())
    of_spark = [*below.conditions, *(c for c in columns if c.style == "column")]
    certain = (
        _is_surely_a_frame(below.base, frame.plan, scope)
        or any(s.style == "sql" or speaks_of_spark(s.node, scope) for s in of_spark)
        or _is_used_as_a_frame(below.base, scope, places)
    )
    job = ir.Job(
        below.base.id, ctx.span(node), ctx.span(below.base), (*below.steps, *last), _parts(below.conditions, scope),
        frame.plan, frame.known_schema, rows.plan, certain=certain, columns=_parts(columns, scope),
        frame_if=None if certain else _if_of_spark(node.func.value, below.base, scope), assumed=rows.assumed,
    )  # fmt: skip
    return node, job


def _if_of_spark(of: ast.expr, base: ast.Name, scope: ApiContext) -> Assumption | None:
    """What says that the variable ``base`` holds a frame of Spark's, if ``of``, made of it, is made by a method that
    frames of pandas and polars do not have."""
    methods = set[str]()
    while isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute):
        methods.add(of.func.attr)
        of = of.func.value
    shown = methods & {"distinct", "dropDuplicates"} and scope.names.uses_pyspark
    return Assumption("type", f"`{base.id}` is a DataFrame of Spark") if shown else None


class Below(NamedTuple):
    """The frame in the variable ``base`` behind the filters ``conditions``."""

    base: ast.Name
    frame: TrackedFrame
    conditions: tuple[Spelled, ...]

    @property
    def steps(self) -> ir.Reading:
        """What the filters do."""
        return tuple(ir.Where(s.conditions) for s in self.conditions)

    def by_alternatives(self, scope: ApiContext) -> ir.Reading:
        """What the filters do, of which each may keep the rows of several conditions."""
        return tuple(ir.AnyOf(alternatives(s.node, scope.names)) for s in self.conditions)


def _below(of: ast.expr, plan: Plan, scope: ApiContext) -> Below | None:
    """What ``of`` is, of which ``plan`` is the plan; None if it is not known."""
    base, conditions = _filtered(of)
    if not isinstance(base, ast.Name) or not _are_filters(plan, len(conditions)):
        return None
    spelled, frame = [condition(c, base.id, scope) for c in conditions], _frame_in(base, scope)
    if frame is None or None in spelled:
        return None
    return Below(base, frame, tuple(s for s in spelled if s is not None))


def _parts(spelled: Iterable[Spelled], scope: ApiContext) -> tuple[ir.Part, ...]:
    return tuple(ir.Part(scope.names.ctx.span(s.node), s.style) for s in spelled)


def _texts(spelled: Iterable[Spelled]) -> tuple[str, ...]:
    return tuple(c for s in spelled for c in s.conditions)


def _variable(node: ast.expr) -> str:
    """The variable that ``node`` begins with."""
    while isinstance(node, (ast.Call, ast.Attribute)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _row(node: ast.Call, receiver: TrackedFrame, scope: ApiContext, places: Places) -> tuple[ast.expr, ir.Job] | None:
    assert isinstance(node.func, ast.Attribute)
    taken, of = _first_row(node, places), node.func.value
    if taken is None or not isinstance(of, ast.Call) or not isinstance(of.func, ast.Attribute):
        return None
    if taken.slot is None and len(of.args) == 1 and isinstance(of.args[0], ast.Starred):
        return _row_of_turns(taken, of, of.args[0].value, receiver, scope, places)
    spelled = measures_of(of, scope)
    made = receiver.plan
    plan = made.child if isinstance(made, (Aggregate, Opaque)) and made.child is not None else made
    below = _below(of.func.value, plan, scope)
    if spelled is None or below is None:
        return None
    ctx, frame = scope.names.ctx, below.frame
    steps: ir.Reading = (*below.steps, ir.Measured(tuple(s.measure for s in spelled)), *taken.steps)
    parts, function = _parts(spelled, scope), None
    if taken.slot is not None:
        slot = _slot(spelled, taken.slot)
        if slot is None:
            return None
        steps, parts = (*steps, ir.ColumnAt(slot)), (parts[slot],)
        function = _function(spelled[slot], scope) if below.conditions else None
    elif below.conditions:
        steps = (*below.by_alternatives(scope), *steps[len(below.conditions) :])
    if below.conditions:
        parts = _parts(below.conditions, scope)
        if taken.slot is not None and function is None:
            return None
    job = ir.Job(
        below.base.id, ctx.span(taken.by), ctx.span(below.base), steps, parts, frame.plan, frame.known_schema, plan,
        function=function,
    )  # fmt: skip
    return taken.by, job


def _row_of_turns(
    taken: Taken, of: ast.Call, given: ast.expr, receiver: TrackedFrame, scope: ApiContext, places: Places
) -> tuple[ast.expr, ir.Job] | None:
    """``frame.agg(*[measure.alias(name) for name in names]).first()``."""
    assert isinstance(of.func, ast.Attribute)
    base, span = of.func.value, scope.names.ctx.span
    match given:
        case ast.ListComp(
            elt=ast.Call(func=ast.Attribute(value=element, attr="alias"), args=[name], keywords=[]),
            generators=[ast.comprehension(target=target, iter=over, ifs=[], is_async=0)],
        ) if of.func.attr == "agg" and not of.keywords and isinstance(base, ast.Name):
            turns = turns_of(target, over, base.id, scope, lambda name: places.is_untouched(name, of))
            frame = _frame_in(base, scope)
            measure = measure_of_turn(element, targets(target), scope)
            if turns is None or frame is None or measure is None or ast.unparse(name) != turns.name:
                return None
            job = ir.Job(
                base.id, span(taken.by), span(base), (ir.Measured((measure,)), *taken.steps), (), frame.plan,
                frame.known_schema, receiver.plan, turns=turns,
            )  # fmt: skip
            return taken.by, job
    return None


def _function(measure: Spelled, scope: ApiContext) -> ir.FunctionOf | None:
    called, span = measure.function, scope.names.ctx.span
    if called is None:
        return None
    style = "name" if text(called.argument) is not None else "column"
    written = None if called.written is None else span(called.written)
    return ir.FunctionOf(called.name, written, ir.Part(span(called.argument), style))


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


def _are_filters(plan: Plan, number: int) -> bool:
    """Whether so many filters are on top, and no model refuses one of them for more than what it does not know."""
    for _ in range(number):
        if not isinstance(plan, Filter):
            return False
        hidden = untranslated(plan)
        if hidden is not None and (hidden.obstruction != "opaque" or hidden.child is None):
            return False
        plan = plan.child if hidden is None or hidden.child is None else hidden.child
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
    return base.id not in scope.names.rebound and not scope.names.ctx.binds_unseen


def _is_used_as_a_frame(base: ast.Name, scope: ApiContext, places: Places) -> bool:
    """Whether the variable, which holds one thing all the time, is asked elsewhere for what only Spark's frames do."""
    bound = scope.lookup(base.id)
    given = bound is not None and isinstance(bound.value, Unknown) and not places.times_bound(base.id)
    if not given and places.times_bound(base.id) != 1:
        return False
    if not scope.names.uses_pyspark:
        return False
    columns = (a for call in places.calls_on(base.id) for a in call.args)
    return bool(_OF_SPARK & places.attributes_of(base.id)) or any(
        isinstance(n, ast.Call) and scope.names.function(n.func) is not None for a in columns for n in ast.walk(a)
    )
