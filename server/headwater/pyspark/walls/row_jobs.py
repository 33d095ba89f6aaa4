"""The jobs that give one row of aggregates, or one value of it: ``frame.agg(measures).collect()[0][0]`` and its kin."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.python.values.spark_row import METHODS
from headwater_ir import demand as ir
from headwater_ir.plan import Aggregate, Opaque, Plan

from .aggregates.measures import given_to, measure_of_turn, measures_of, names_of, of_function
from .different import projected
from .each_turn.clauses import of_generators
from .each_turn.turns import around_of, turns_of
from .job_frames import below_of, conditions_of, name_of, parts_of, variable
from .literals import number, text
from .measures import Spelled, column, column_name
from .places import Places


class Taken(NamedTuple):
    """``row``: the expression that takes from a call the one row that it gives; ``by``: perhaps one value of it."""

    row: ast.expr
    by: ast.expr
    steps: ir.Reading
    slot: int | str | None


def row(
    node: ast.Call, receiver: TrackedFrame, scope: ApiContext, places: Places, *, wider: bool = False
) -> tuple[ast.expr, ir.Job] | None:
    assert isinstance(node.func, ast.Attribute)
    taken, of = first_row(node, places), node.func.value
    if taken is None or not isinstance(of, ast.Call) or not isinstance(of.func, ast.Attribute):
        return None
    whole = taken.slot is None
    spelled = measures_of(of, scope, (lambda name: places.is_untouched(name, of)) if whole else None)
    made = receiver.plan
    plan = made.child if isinstance(made, (Aggregate, Opaque)) and made.child is not None else made
    columns_for = _columns_for(of, scope, places) if whole else None
    if spelled is None and columns_for is not None:
        spelled = [Spelled(of.args[0], "list", measure=columns_for.measure)]
    if spelled is None:
        return None
    source = None if whole else _without_columns(of.func.value, plan, spelled, scope)
    source = source or _Source(of.func.value, plan, spelled)
    plan, spelled = source.plan, source.measures
    below = below_of(source.of, plan, scope, places if wider else None)
    if below is None:
        return None
    ctx, names = scope.names.ctx, None
    parts, function = parts_of(spelled, scope), None
    if whole:
        names = None if below.conditions else names_of(spelled)
        parts = _arguments(of, spelled, scope)
        columns_for = None if below.conditions else columns_for
    steps: ir.Reading = (*below.steps, ir.Measured(tuple(s.measure for s in spelled), names), *taken.steps)
    if taken.slot is not None:
        slot = _slot(spelled, taken.slot)
        if slot is None:
            return None
        steps, parts = (*steps, ir.ColumnAt(slot)), (parts[slot],)
        function = _function(spelled[slot], scope) if below.conditions or source.made else None
    elif below.conditions:
        steps = (*below.by_alternatives(scope), *steps[len(below.conditions) :])
    if below.conditions or function is not None:
        parts = conditions_of(below.conditions, scope)
    if below.conditions and taken.slot is not None and function is None:
        return None
    job = ir.Job(
        below.name, ctx.span(taken.by), ctx.span(below.base), steps, parts, below.plan, below.schema, plan,
        function=function, columns_for=columns_for, assumed=(*below.assumed, *(a for s in spelled for a in s.assumed)),
    )  # fmt: skip
    return taken.by, job


def _arguments(call: ast.Call, spelled: Sequence[Spelled], scope: ApiContext) -> tuple[ir.Part, ...]:
    """What ``agg`` is given, with the names that it has there."""
    given = [g.value if isinstance(g, ast.Starred) else g for g in given_to(call)]
    return tuple(ir.Part(scope.names.ctx.span(g), s.style) for g, s in zip(given, spelled, strict=True))


class _Source(NamedTuple):
    """What ``measures`` are of: the expression ``of``, of which ``plan`` is the plan. ``made``: whether they have
    expressions in the place of columns that are made above it."""

    of: ast.expr
    plan: Plan
    measures: list[Spelled]
    made: bool = False


def _without_columns(of: ast.expr, plan: Plan, measures: list[Spelled], scope: ApiContext) -> _Source | None:
    """``measures`` of ``of`` as those of what is below its ``withColumn`` or ``select``: of what these make columns of.
    None if there is nothing of the kind at the end of ``of``, or not all is known."""
    child = projected(plan)
    match of:
        case ast.Call(
            func=ast.Attribute(value=source, attr="withColumn"),
            args=[ast.Constant(value=str() as added), made],
            keywords=[],
        ):
            columns, others = {added: made}, True
        case ast.Call(func=ast.Attribute(value=source, attr="select"), args=[*given], keywords=[]):
            columns, others = dict(map(_named, given)), False
        case _:
            return None
    frame = variable(source, scope)
    if child is None or "" in columns or any(m.measure != ir.Counted() and m.function is None for m in measures):
        return None
    found = list[Spelled]()
    for measure in measures:
        name = None if measure.function is None else column_name(measure.function.argument, scope.names)
        if measure.function is None or (others and name is not None and name.lower() not in map(str.lower, columns)):
            found.append(measure)
            continue
        argument = None if name is None or name not in columns else column(columns[name], frame, scope)
        if argument is None or argument.assumed:
            return None
        function = measure.function._replace(argument=argument.node)
        found.append(measure._replace(measure=of_function(function, scope.names), function=function))
    return _Source(source, child, found, made=True)


def _named(node: ast.expr) -> tuple[str, ast.expr]:
    """The name of a column of ``select``, empty if it is not plain, and what the column is made of."""
    match node:
        case ast.Constant(value=str() as name) if name.isidentifier():
            return name, node
        case ast.Call(
            func=ast.Attribute(value=made, attr="alias"), args=[ast.Constant(value=str() as name)], keywords=[]
        ):
            return name, made
    return "", node


def _columns_for(of: ast.Call, scope: ApiContext, places: Places) -> ir.InTurns | None:
    """The turns of ``frame.agg(*[measure.alias(name) for name in names])``, each of which has a column, perhaps of its
    name."""
    assert isinstance(of.func, ast.Attribute)
    called, s = name_of(of.func.value, scope), places.statement(of)
    match of.args:
        case [ast.Starred(value=ast.ListComp(elt=element, generators=loops))] if (
            of.func.attr == "agg" and not of.keywords and called is not None and s is not None
        ):
            name = ""
            match element:
                case ast.Call(func=ast.Attribute(value=measured, attr="alias"), args=[called_by], keywords=[]):
                    name, element = ast.unparse(called_by), measured
            around = around_of([*of_generators(loops)], called, scope, places, s)
            found = set() if around is None else {measure_of_turn(element, inside) for inside in around.insides}
            measure = found.pop() if len(found) == 1 else None
            if around is not None and measure is not None:
                return ir.InTurns(turns_of(around, name, lambda _: None), measure)
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


def first_row(node: ast.Call, places: Places) -> Taken | None:
    """How the call ``node`` of a method of a frame gives the first row alone; None if it gives others, too."""
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
            return Taken(row, value, steps, place if place is not None else name)
    if isinstance(value, ast.Attribute) and isinstance(value.ctx, ast.Load) and value.attr not in METHODS:
        return Taken(row, value, steps, value.attr)
    return Taken(row, row, steps, None)
