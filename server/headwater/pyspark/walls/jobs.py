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
from headwater_ir.parts import Schema
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
_OWN_ATTRIBUTES = ("__getattr__", "__getattribute__", "__setattr__", "__slots__")
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
    if known & {*JOBS, *_FILTERS, "agg", "select"} or _is_kept(node, scope, places) or places.shows_its_text(node):
        return
    if places.is_made_by(_variable(node, scope), _OF_RDDS):
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
                others = _is_kept(node, scope, places) or places.is_made_by(_variable(node, scope), _OF_RDDS)
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


def _is_kept(node: ast.Call, scope: ApiContext, places: Places) -> bool:
    """Whether the frame in the variable that ``node`` begins with is cached somewhere, or in the attribute perhaps in
    another method: then a second job is cheap."""
    name = _variable(node, scope)
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
    if not _is_plain(base, scope):
        return None
    origin = receiver.origin if isinstance(receiver, Unknown) else f"variable {name}"
    plan = Scan(origin, "unknown", UNKNOWN_SCHEMA, ctx.span(base))
    certain = _is_used_as_a_frame(base, scope, places)
    return ir.Job(
        name, ctx.span(node), ctx.span(base), (ir.Size(),), (), plan, UNKNOWN_SCHEMA, plan, certain=certain,
        assumed=_if_plain(name),
    )  # fmt: skip


def _counted(
    node: ast.Call, receiver: TrackedFrame, scope: ApiContext, places: Places
) -> tuple[ast.expr, ir.Job] | None:
    assert isinstance(node.func, ast.Attribute)
    if node.args or node.keywords:
        return None
    rows = different.counted(node.func.value, receiver.plan, _variable(node, scope), scope)
    below = None if rows is None else _below(rows.of, rows.plan, scope)
    if rows is None or below is None:
        return None
    ctx, columns = scope.names.ctx, rows.columns or ()
    last: ir.Reading = (ir.Size(),) if not columns else (ir.Different(_texts(columns)), ir.Size())
    of_spark = [*below.conditions, *(c for c in columns if c.style == "column")]
    certain = (
        _is_surely_a_frame(below.base, below.plan, scope)
        or any(s.style == "sql" or speaks_of_spark(s.node, scope) for s in of_spark)
        or _is_used_as_a_frame(below.base, scope, places)
    )
    job = ir.Job(
        below.name, ctx.span(node), ctx.span(below.base), (*below.steps, *last), _parts(below.conditions, scope),
        below.plan, below.schema, rows.plan, certain=certain, columns=_parts(columns, scope),
        frame_if=None if certain else _if_of_spark(node.func.value, below.name, scope),
        assumed=(*_if_plain(below.name), *rows.assumed),
    )  # fmt: skip
    return node, job


def _if_plain(name: str) -> tuple[Assumption, ...]:
    """What has to be true for the variable ``name`` to hold one thing until the method assigns it."""
    text = f"`{name}` is a plain attribute, which nothing else assigns while the method runs"
    return (Assumption("program", text),) if "." in name else ()


def _if_of_spark(of: ast.expr, name: str, scope: ApiContext) -> Assumption | None:
    """What says that the variable ``name`` holds a frame of Spark's, if ``of``, made of it, is made by a method that
    frames of pandas and polars do not have."""
    methods = set[str]()
    while isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute):
        methods.add(of.func.attr)
        of = of.func.value
    shown = methods & {"distinct", "dropDuplicates"} and scope.names.uses_pyspark
    return Assumption("type", f"`{name}` is a DataFrame of Spark") if shown else None


class Below(NamedTuple):
    """The frame in the variable ``name``, read at ``base``, behind the filters ``conditions``."""

    base: ast.Name | ast.Attribute
    name: str
    plan: Plan
    schema: Schema
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
    name, of_base = name_of(base, scope), _below_filters(plan, len(conditions))
    if not isinstance(base, (ast.Name, ast.Attribute)) or name is None or of_base is None:
        return None
    spelled, frame = [condition(c, name, scope) for c in conditions], _frame_in(base, scope)
    if None in spelled:
        return None
    known = tuple(s for s in spelled if s is not None)
    if frame is not None:
        return Below(base, name, frame.plan, frame.known_schema, known)
    unknown = isinstance(base, ast.Attribute) and scope.lookup(name) is None and _is_plain(base, scope)
    return Below(base, name, of_base, UNKNOWN_SCHEMA, known) if unknown else None


def _parts(spelled: Iterable[Spelled], scope: ApiContext) -> tuple[ir.Part, ...]:
    return tuple(ir.Part(scope.names.ctx.span(s.node), s.style) for s in spelled)


def _texts(spelled: Iterable[Spelled]) -> tuple[str, ...]:
    return tuple(c for s in spelled for c in s.conditions)


def _variable(node: ast.expr, scope: ApiContext) -> str:
    """The variable that ``node`` begins with."""
    while name_of(node, scope) is None and isinstance(node, (ast.Call, ast.Attribute)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return name_of(node, scope) or ""


def name_of(node: ast.expr, scope: ApiContext) -> str | None:
    """The variable that ``node`` reads: one of the scope, or an attribute of the object whose method it is."""
    return node.id if isinstance(node, ast.Name) else scope.attribute(node)


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
    ctx = scope.names.ctx
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
        below.name, ctx.span(taken.by), ctx.span(below.base), steps, parts, below.plan, below.schema, plan,
        function=function, assumed=_if_plain(below.name),
    )  # fmt: skip
    return taken.by, job


def _row_of_turns(
    taken: Taken, of: ast.Call, given: ast.expr, receiver: TrackedFrame, scope: ApiContext, places: Places
) -> tuple[ast.expr, ir.Job] | None:
    """``frame.agg(*[measure.alias(name) for name in names]).first()``."""
    assert isinstance(of.func, ast.Attribute)
    base, span, called = of.func.value, scope.names.ctx.span, name_of(of.func.value, scope)
    match given:
        case ast.ListComp(
            elt=ast.Call(func=ast.Attribute(value=element, attr="alias"), args=[name], keywords=[]),
            generators=[ast.comprehension(target=target, iter=over, ifs=[], is_async=0)],
        ) if of.func.attr == "agg" and not of.keywords and called is not None:
            turns = turns_of(target, over, called, scope, lambda name: places.is_untouched(name, of))
            made = receiver.plan.child if isinstance(receiver.plan, (Aggregate, Opaque)) else None
            below = _below(base, made or receiver.plan, scope)
            measure = measure_of_turn(element, targets(target), scope)
            if turns is None or below is None or measure is None or ast.unparse(name) != turns.name:
                return None
            job = ir.Job(
                called, span(taken.by), span(base), (ir.Measured((measure,)), *taken.steps), (), below.plan,
                below.schema, receiver.plan, turns=turns, assumed=_if_plain(called),
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


def _below_filters(plan: Plan, number: int) -> Plan | None:
    """What is below the filters, if so many are on top, and no model refuses one of them for more than what it does
    not know."""
    for _ in range(number):
        if not isinstance(plan, Filter):
            return None
        hidden = untranslated(plan)
        if hidden is not None and (hidden.obstruction != "opaque" or hidden.child is None):
            return None
        plan = plan.child if hidden is None or hidden.child is None else hidden.child
    return plan


def _frame_in(base: ast.Name | ast.Attribute, scope: ApiContext) -> TrackedFrame | None:
    """The frame in the variable ``base``."""
    bound = scope.lookup(name_of(base, scope) or "")
    if bound is None or not _is_plain(base, scope):
        return None
    found = bound.frame or bound.value
    return found if isinstance(found, TrackedFrame) else None


def _is_surely_a_frame(base: ast.expr, plan: Plan, scope: ApiContext) -> bool:
    """Whether the variable holds a frame of Spark's for another reason than that its methods are called like those:
    pandas has a ``where`` as well."""
    bound = scope.lookup(name_of(base, scope) or "")
    annotated = bound is not None and isinstance(bound.value, Unknown) and bound.value.is_frame
    bottoms = [n for n in below(plan) if isinstance(n, Scan) or (isinstance(n, Opaque) and n.child is None)]
    return annotated or all(isinstance(n, Scan) and n.format != "unknown" for n in bottoms)


def _is_plain(base: ast.expr, scope: ApiContext) -> bool:
    """Whether only the assignments that can be seen change what the variable holds."""
    if isinstance(base, ast.Attribute):
        return is_plain_attribute(base, scope) and not scope.names.ctx.binds_unseen
    return isinstance(base, ast.Name) and base.id not in scope.names.rebound and not scope.names.ctx.binds_unseen


def is_plain_attribute(node: ast.Attribute, scope: ApiContext) -> bool:
    """Whether the class whose method it is says nothing of the attribute ``node`` of its object: it is no property."""
    if scope.owner is None or scope.attribute(node) is None:
        return False
    todo, seen, ctx = [scope.owner], set[int](), scope.names.ctx
    while todo:
        of = todo.pop()
        if id(of) in seen or any(ctx.class_binds((of, name)) for name in (node.attr, *_OWN_ATTRIBUTES)):
            return False
        seen.add(id(of))
        named = (ctx.class_definition(b.id) for b in of.bases if isinstance(b, ast.Name))
        todo += [c for c in named if c is not None]
    return True


def _is_used_as_a_frame(base: ast.expr, scope: ApiContext, places: Places) -> bool:
    """Whether the variable, which holds one thing all the time, is asked elsewhere for what only Spark's frames do."""
    if not isinstance(base, ast.Name):
        return False
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
