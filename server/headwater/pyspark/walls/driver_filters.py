"""Conditions that the driver asks of the rows that it is handed: ``[… for r in df.collect() if …]``, and loops that
begin with ``if …: continue`` or are nothing but an ``if``; the masks of a frame of pandas (``masks``).

Law: a row that does not pass takes part in nothing, so that it need not be handed over. Which rows pass is what a
filter of ``df.rdd`` with the same condition lets through: both see the same ``Row``.
Condition: the condition is a function of its row alone. A name that it reads besides is read nowhere else in the loop,
whose body may change what it holds.
"""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import replace

from headwater.pyspark.api.aggregates.groupby import known_facts
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import in_order
from headwater.pyspark.frames.call_spans import dot_before, receiver_end
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.pyspark.rdd.insertion import check_columns, of_rows
from headwater.python.pandas.frame_masks import PASSES, fold_masks, without_nan
from headwater.python.rdd.method_calls import Call
from headwater.python.rdd.row_filters import fold_rows
from headwater.python.rdd.row_objects import Columns
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import TRUE, Col
from headwater_ir.plan import Applied, Boundary, Conjunct, Filter, Opaque, Plan, RowUdf, UserCode
from headwater_ir.problem import Fold
from headwater_ir.span import Span

from .asked.conditions import NotReadError, in_row
from .asked.constants import LoopConstants
from .asked.rows import Around, Asked, asked_of
from .asked.set_columns import Sources
from .column_choice import ColumnChoice
from .pandas_frames.labels import LabelsSeenError
from .pandas_frames.masks import masks_of
from .places import Places
from .pythons import Pythons
from .statements import if_caught

_ROWS = frozenset({"collect", "toLocalIterator"})
_FRAME = "toPandas"


def filter_of(
    node: ast.Call, frame: TrackedFrame, scope: ApiContext, places: Places, *, attributes: bool = False
) -> Filter | None:
    """The filter of the rows that ``node`` hands to the driver; None if no condition is asked of all of them.
    ``attributes``: the variables of the scope are attributes of a class, which other code reads."""
    assert isinstance(node.func, ast.Attribute)
    if node.func.attr not in (*_ROWS, _FRAME) or node.args or node.keywords or places.shows_its_text(node):
        return None
    if "filter" in scope.names.patches.methods:
        return None  # which would be called in front
    if node.func.attr == _FRAME:
        return None if attributes else _of_masks(node, frame, scope, places)
    names, pythons = scope.names, Pythons(scope)
    columns = tuple(f.name for f in frame.known_schema.fields) if in_order(frame) else None
    around = Around(
        places, columns, lambda n: n not in names.rebound and not names.may_be_looked_up(n), pythons.resolve
    )  # fmt: skip
    asked = asked_of(node, around)
    if asked is None:
        return None
    constants = ColumnChoice(node, scope, places, None, attributes=attributes).constants([asked.condition])
    with suppress(NotReadError):
        asked = asked._replace(condition=in_row(asked.condition, constants, ""))
    try:
        assumed = (*pythons.assumed(), *if_caught(node, places, scope))
        return _filter(node, asked, frame, scope, assumed)
    except Refusal as refusal:
        return _refused(node, asked.tests[0], frame, scope, refusal)


def _refused(node: ast.Call, condition: ast.expr, frame: TrackedFrame, scope: ApiContext, refusal: Refusal) -> Filter:
    span = scope.names.ctx.span(condition)
    plan = Opaque(frame.plan, refusal.obstruction, refusal.reason, scope.names.ctx.span(node))
    return Filter(plan, (Conjunct(TRUE, span),), span, span, "driver")


def _of_masks(node: ast.Call, frame: TrackedFrame, scope: ApiContext, places: Places) -> Filter | None:
    """The filter that the masks of a frame of pandas are."""
    names, pythons = scope.names, Pythons(scope)

    choice = ColumnChoice(node, scope, places, None, attributes=False)

    def shared(name: str) -> bool:
        return name in names.rebound or names.may_be_looked_up(name)

    try:
        masks = masks_of(node, places, shared, pythons.resolve, choice)
    except LabelsSeenError:
        return None
    if masks is None:
        return None
    condition = masks.found[0].condition
    read = {n.id for m in masks.found for n in ast.walk(m.taken) if isinstance(n, ast.Name)}
    if any(map(names.may_be_looked_up, sorted(read))):
        return None

    def bound_otherwise(name: str) -> bool:
        """Whether anything but an assignment, a loop or a call may bind ``name``."""
        return shared(name) or name in names.imported or not names.ctx.bound_by(name) <= {ast.Name, ast.arg}

    sources = Sources(masks.frame, frame.known_schema, pythons.resolve, choice.text)
    try:
        for column in masks.set_before:
            sources.add(column)
    except NotReadError:
        return None
    kept = None if masks.kept is None else sources.of(masks.kept | sources.columns.keys())
    constants = LoopConstants(places, bound_otherwise, pythons.resolve, choice.text)
    named = masks.named | choice.constants(m.taken for m in masks.found)
    taken = [t for m in masks.found for t in constants.each(m.taken, m.node)]
    try:
        names.settings.check()
        fold = fold_masks(
            names.ctx, names, masks.frame, taken, named=named, source=frame.known_schema, kept=kept,
            set_before=[(c.name, c.value) for c in masks.set_before], facts=known_facts(frame),
            assume_pure=scope.world.options.assume_pure,
        )  # fmt: skip
        assumed = (
            *masks.assumed, *pythons.assumed(), *sources.assumed.values(),
            *if_caught(node, places, scope),
        )  # fmt: skip
        fold = of_rows(replace(fold, assumptions=(*fold.assumptions, *assumed)), frame, scope)
    except Refusal as refusal:
        return _refused(node, condition, frame, scope, refusal)
    steps = tuple(Applied(masks.frame, (names.ctx.span(m.condition),)) for m in masks.found)
    more = without_nan(fold)
    unread = None if more == fold else "of what type the column is, of which it takes no NaN"
    how = "masks" if unread is None else "some masks"
    code = UserCode(f"{how} of set columns" if masks.set_before else how, steps, frame.known_schema, in_order(frame))
    return _made(node, condition, frame, scope, more, code, (PASSES,), unread)


def _filter(
    node: ast.Call, asked: Asked, frame: TrackedFrame, scope: ApiContext, assumed: tuple[Assumption, ...]
) -> Filter:
    names, ctx = scope.names, scope.names.ctx
    check_columns(frame)
    names.settings.check()
    condition = asked.tests[0]
    arguments = ast.arguments([], [ast.arg(asked.variable)], None, [], [], None, [])
    function = ast.copy_location(ast.Lambda(arguments, asked.condition), condition)
    fold, tests = fold_rows(
        ctx, names, [Call("filter", (function,), node)], columns=Columns(frame.known_schema, in_order(frame)),
        facts=known_facts(frame), assume_pure=scope.world.options.assume_pure,
    )  # fmt: skip
    (test,) = tests
    fold = of_rows(replace(fold, assumptions=(*fold.assumptions, *assumed)), frame, scope)
    how = "condition" if test.unread is None else "some condition"
    step = Applied(asked.told(), (ctx.span(condition),))
    code = UserCode(how, (step,), frame.known_schema, in_order(frame))
    return _made(node, condition, frame, scope, fold, code, test.outputs, test.unread)


def _made(
    node: ast.Call, condition: ast.expr, frame: TrackedFrame, scope: ApiContext, fold: Fold, code: UserCode,
    outputs: tuple[str, ...], unread: str | None,
) -> Filter:  # fmt: skip
    assert isinstance(node.func, ast.Attribute)
    ctx, span, operator = scope.names.ctx, scope.names.ctx.span(condition), node.func.attr
    call = Span(dot_before(ctx, node.func), ctx.span(node).end)
    place = Boundary(operator, None, call, receiver_end(ctx, node.func), code=(code,))
    scope.world.bound_at[place] = scope.snapshot()
    plan: Plan = RowUdf(frame.plan, replace(fold, api=operator), place)
    conjuncts = tuple(Conjunct(Col(name), span) for name in outputs)
    return Filter(plan, conjuncts, span, span, "driver", unread)
