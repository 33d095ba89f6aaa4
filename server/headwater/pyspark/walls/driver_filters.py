"""Conditions that the driver asks of the rows that it is handed: ``[… for r in df.collect() if …]``, and loops that
begin with ``if …: continue`` or are nothing but an ``if``; the masks of a frame of pandas (``masks``).

Law: a row that does not pass takes part in nothing, so that it need not be handed over. Which rows pass is what a
filter of ``df.rdd`` with the same condition lets through: both see the same ``Row``.
Condition: the condition is a function of its row alone. A name that it reads besides is read nowhere else in the loop,
whose body may change what it holds.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import NamedTuple

from headwater.pyspark.api.aggregates.groupby import known_facts
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import in_order
from headwater.pyspark.frames.call_spans import dot_before, receiver_end
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.pyspark.rdd.insertion import check_columns
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

from .labels import LabelsSeenError
from .masks import masks_of
from .places import Places
from .pythons import Pythons

_ROWS = frozenset({"collect", "toLocalIterator"})
_FRAME = "toPandas"


class Asked(NamedTuple):
    """A condition on the rows of a wall. ``keeps``: a row is looked at where it holds; else where it does not."""

    variable: str
    condition: ast.expr
    keeps: bool


def filter_of(
    node: ast.Call, frame: TrackedFrame, scope: ApiContext, places: Places, *, attributes: bool = False
) -> Filter | None:
    """The filter of the rows that ``node`` hands to the driver; None if no condition is asked of all of them.
    ``attributes``: the variables of the scope are attributes of a class, which other code reads."""
    assert isinstance(node.func, ast.Attribute)
    if node.func.attr not in (*_ROWS, _FRAME) or node.args or node.keywords or places.shows_its_text(node):
        return None
    if node.func.attr == _FRAME:
        return None if attributes else _of_masks(node, frame, scope, places)
    asked = _asked(node, scope, places)
    if asked is None:
        return None
    try:
        return _filter(node, asked, frame, scope)
    except Refusal as refusal:
        return _refused(node, asked.condition, frame, scope, refusal)


def _refused(node: ast.Call, condition: ast.expr, frame: TrackedFrame, scope: ApiContext, refusal: Refusal) -> Filter:
    span = scope.names.ctx.span(condition)
    plan = Opaque(frame.plan, refusal.obstruction, refusal.reason, scope.names.ctx.span(node))
    return Filter(plan, (Conjunct(TRUE, span),), span, span, "driver")


def _of_masks(node: ast.Call, frame: TrackedFrame, scope: ApiContext, places: Places) -> Filter | None:
    """The filter that the masks of a frame of pandas are."""
    names, pythons = scope.names, Pythons(scope)
    try:
        masks = masks_of(
            node, places, lambda n: n in names.rebound or names.may_be_looked_up(n), pythons.resolve
        )  # fmt: skip
    except LabelsSeenError:
        return None
    if masks is None:
        return None
    condition = masks.found[0].condition
    read = {n.id for m in masks.found for n in ast.walk(m.taken) if isinstance(n, ast.Name)}
    if any(map(names.may_be_looked_up, sorted(read))):
        return None
    try:
        names.settings.check()
        fold = fold_masks(
            names.ctx, names, masks.frame, [m.taken for m in masks.found], named=masks.named, source=frame.known_schema,
            kept=masks.kept, facts=known_facts(frame), assume_pure=scope.world.options.assume_pure,
        )  # fmt: skip
        assumed = (*masks.assumed, *pythons.assumed(), *_one_of_each(frame, fold))
        fold = replace(fold, assumptions=(*fold.assumptions, *assumed))
    except Refusal as refusal:
        return _refused(node, condition, frame, scope, refusal)
    steps = tuple(Applied(masks.frame, (names.ctx.span(m.condition),)) for m in masks.found)
    more = without_nan(fold)
    unread = None if more == fold else "of what type the column is, of which it takes no NaN"
    code = UserCode("masks" if unread is None else "some masks", steps, frame.known_schema, in_order(frame))
    return _made(node, condition, frame, scope, more, code, (PASSES,), unread)


def _one_of_each(frame: TrackedFrame, fold: Fold) -> tuple[Assumption, ...]:
    """That the columns that masks read are the only ones of their names, where the program does not say so."""
    try:
        check_columns(frame)
    except Refusal:
        names = ", ".join(f"`{c.name}`" for c in fold.columns if not c.ghost)
        return (Assumption("names", f"the frame has one column of each of the names {names}"),)
    return ()


def _filter(node: ast.Call, asked: Asked, frame: TrackedFrame, scope: ApiContext) -> Filter:
    names, ctx = scope.names, scope.names.ctx
    check_columns(frame)
    names.settings.check()
    condition, span = asked.condition, ctx.span(asked.condition)
    body = condition if asked.keeps else ast.copy_location(ast.UnaryOp(ast.Not(), condition), condition)
    arguments = ast.arguments([], [ast.arg(asked.variable)], None, [], [], None, [])
    function = ast.copy_location(ast.Lambda(arguments, body), condition)
    fold, tests = fold_rows(
        ctx, names, [Call("filter", (function,), node)], columns=Columns(frame.known_schema, in_order(frame)),
        facts=known_facts(frame), assume_pure=scope.world.options.assume_pure,
    )  # fmt: skip
    (test,) = tests
    how = "condition" if test.unread is None else "some condition"
    step = Applied(asked.variable if asked.keeps else f"not {asked.variable}", (span,))
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


def _asked(node: ast.Call, scope: ApiContext, places: Places) -> Asked | None:
    """The condition that all rows of ``node`` are asked, directly or through one variable."""
    read: ast.expr = node
    outer = places.around(node)
    if isinstance(outer, ast.Assign) and outer.value is node and len(outer.targets) == 1:
        name = outer.targets[0]
        if not isinstance(name, ast.Name) or name.id in scope.names.rebound or scope.names.may_be_looked_up(name.id):
            return None
        reads = places.reads_of(name.id)
        if reads is None or len(reads) != 1 or not places.is_certain(reads[0], node, ()):
            return None
        (read,) = reads
        outer = places.around(read)
    if isinstance(outer, ast.comprehension) and outer.iter is read:
        return _of_comprehension(outer, places)
    if isinstance(outer, ast.For) and outer.iter is read:
        return _of_loop(outer, scope, places)
    return None


def _of_comprehension(generator: ast.comprehension, places: Places) -> Asked | None:
    whole = places.around(generator)
    if not isinstance(whole, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)) or generator.is_async:
        return None
    if whole.generators[0] is not generator or not generator.ifs or not isinstance(generator.target, ast.Name):
        return None
    condition, name = generator.ifs[0], generator.target.id
    return Asked(name, condition, True) if _is_of_row(condition, name, whole) else None


def _of_loop(loop: ast.For, scope: ApiContext, places: Places) -> Asked | None:
    if not isinstance(loop.target, ast.Name):
        return None
    name, first = loop.target.id, loop.body[0]
    match first:
        case ast.If(test=test, body=[ast.Continue()], orelse=[]):
            asked = Asked(name, test, False)
        case ast.If(test=test, orelse=[]) if len(loop.body) == 1:
            asked = Asked(name, test, True)
        case _:
            return None
    reads = places.reads_of(name)  # the last row is what the variable holds afterwards
    if reads is None or name in scope.names.rebound or not all(_is_bound_around(r, places) for r in reads):
        return None
    return asked if _is_of_row(test, name, loop) else None


def _is_bound_around(read: ast.Name, places: Places) -> bool:
    """Whether ``read`` stands in the body of a loop over its variable."""
    inside: ast.AST = read
    for outer in places.outward(read):
        if isinstance(outer, ast.For) and any(inside is s for s in outer.body):
            if isinstance(outer.target, ast.Name) and outer.target.id == read.id:
                return True
        inside = outer
    return False


def _is_of_row(condition: ast.expr, variable: str, whole: ast.AST) -> bool:
    """Whether what else ``condition`` reads is read and bound nowhere else in ``whole``."""
    mine = [n for n in ast.walk(condition) if isinstance(n, ast.Name)]
    if any(not isinstance(n.ctx, ast.Load) for n in mine):
        return False
    own = {id(n) for n in mine}
    others = {n.id for n in ast.walk(whole) if isinstance(n, ast.Name) and id(n) not in own}
    called = {n.func.id for n in ast.walk(condition) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return not ({n.id for n in mine} - {variable} - called) & others
