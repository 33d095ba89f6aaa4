"""Pandas UDFs from series to series: one value per row, computed for whole batches.

Law: the output column holds in each row what Spark stores of the element that pandas computes there. What a row shows
is as in ``frames``; of NULL, NaN and NaT comes NULL. Where the elements are truth values, none is missing.
Condition: no element depends on another row (a mean, a shift, an index), and the series is as long as its argument.
Spark cuts the rows into batches as it likes: only an element-wise function means anything.
"""

from __future__ import annotations

import ast

from headwater_ir.expr import Col, Expr, IsNull, Not, slots_of
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.types import FLOAT, Type

from ..context import Context, Refusal
from ..names import Names
from .frames import Frame, Group, Series
from .infer import known_columns, settle
from .pandas_loops import GroupInterpreter
from .scope import Env, Scope
from .simplify import NONE, choose, is_boolean, is_missing
from .slots import Slots
from .statements import local_names, plain_parameters


def fold_series_map(
    ctx: Context,
    function: ast.FunctionDef | ast.Lambda,
    *,
    columns: tuple[str, ...],
    source: Schema,
    return_type: Type,
    output_name: str,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> Fold:
    """The fold (``rows="one"``) of ``function`` applied to ``columns``; Refusal where its meaning is not known."""
    name = function.name if isinstance(function, ast.FunctionDef) else "<lambda>"
    parameters = plain_parameters(function.args)
    if parameters is None or len(parameters) != len(columns):
        raise Refusal("opaque", f"`{name}` is not called with one column for each of its arguments", function)
    facts = facts + tuple(n for f in source.fields if not f.nullable and (n := Not(IsNull(Col(f.name)))) not in facts)

    def attempt(beliefs: dict[str, Type], scope: Scope) -> Fold:
        run = GroupInterpreter(Group(scope, source, (), facts, beliefs), Slots(scope))
        env: Env = {p: run.group.series(Frame(), c) for p, c in zip(parameters, columns, strict=True)}
        value = _stored(_returned(run, function, env), return_type, scope, function)
        output = OutputColumn(output_name, return_type, value)
        known = known_columns(scope, source, (), [value], facts, beliefs)
        trusted = tuple(scope.assumptions)
        return Fold(name, "udf", known, (), (), (), (output,), rows="one", facts=facts, assumptions=trusted)

    names = Names.of(ctx)

    def scope(beliefs: dict[str, Type]) -> Scope:
        own = local_names(function)
        return Scope(
            ctx, names, assume_pure, beliefs=beliefs, local_names=own, inlining=(name,), exact_numbers=False
        )  # fmt: skip

    return settle(attempt, scope)


def _returned(run: GroupInterpreter, function: ast.FunctionDef | ast.Lambda, env: Env) -> Series:
    """The series that a straight line of assignments ends with."""
    body = [ast.Return(function.body)] if isinstance(function, ast.Lambda) else function.body
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=node):
                env[name] = _series(run, node, env)
            case ast.Return(value=ast.expr() as node):
                return _series(run, node, env)
            case _:
                break
    raise Refusal("opaque", "a function of series that is no straight line", function)


def _series(run: GroupInterpreter, node: ast.expr, env: Env) -> Series:
    found = run.pandas(node, env)
    if not isinstance(found, Series) or found.frame != Frame() or slots_of(found.element):
        raise Refusal("opaque", f"`{run.scope.ctx.text(node)}` is not computed row by row", node)
    return found


def _stored(series: Series, declared: Type, scope: Scope, node: ast.AST) -> Expr:
    """What Spark stores of an element: truth values as they are, fractions with NaN as NULL."""
    if declared.name == "bool" and series.column is None and is_boolean(series.element):
        return series.element
    if declared == FLOAT and scope.type(series.element) == FLOAT:
        return choose(is_missing(series.element), NONE, series.element)
    raise Refusal("may-throw", f"a series that is not surely of the declared type {declared}", node)
