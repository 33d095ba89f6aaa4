"""Pandas UDFs that make one value of the series of a group: ``groupBy(keys).agg(f("v"), g("v", "w"))``, ``df.agg(…)``.

Law: for every sequence of rows of a group, in every order, each output is what Spark stores of its function's result.
The series of all arguments have the same rows, and look as the columns do in ``frames``. None, NaN and NaT become NULL.
Spark collects the whole group before it calls the function: ``merge`` is None.
An input without rows yields no row, not even from ``df.agg(…)``: the function is not called (measured on Spark 4.3,
``ArrowAggregatePythonExec``; native aggregates differ). So the fold is grouped even where there is no key.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwater.python.exprs.simplify import both
from headwater.python.interpreter.outcomes import value_of
from headwater.python.rows.fold_builder import Assembly
from headwater.python.rows.outputs import at
from headwater.python.rows.row_sequences import RowSequence
from headwater.python.values.scope import Env, Scope
from headwater.python.values.slots import Slots
from headwater.python.values.type_inference import read_function, stated_facts
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import function_name, plain_parameters
from headwater_ir.expr import TRUE, Col, Expr, Slot, transform
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Column, Fold, OutputColumn, StateSlot

from .group import Group
from .loops import GroupInterpreter


@dataclass(frozen=True)
class SeriesCall:
    """``function(columns…)`` whose result is the output column ``output``."""

    function: ast.FunctionDef | ast.Lambda
    columns: tuple[str, ...]
    output: Field


def fold_series_aggregates(
    ctx: Context,
    calls: Sequence[SeriesCall],
    *,
    source: Schema,
    keys: tuple[str, ...],
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> Fold:
    """The fold of several functions side by side, the keys in front; Refusal where a meaning is not known."""
    facts = stated_facts(facts, source)
    return _side_by_side([_fold(ctx, c, source, keys, facts, assume_pure) for c in calls], keys)


def _fold(
    ctx: Context,
    call: SeriesCall,
    source: Schema,
    keys: tuple[str, ...],
    facts: tuple[Expr, ...],
    assume_pure: frozenset[str],
) -> Fold:
    function = call.function
    name = function_name(function)
    parameters = plain_parameters(function.args)
    if parameters is None:
        raise Refusal("opaque", "default, keyword-only or variable arguments", function)
    if len(parameters) != len(call.columns) or not parameters:
        raise Refusal("may-throw", f"`{name}` is called with another number of arguments than it has", function)

    def attempt(scope: Scope) -> Fold:
        group = Group(scope, source, keys, facts)
        run = GroupInterpreter(group, Slots(scope))
        try:
            env: Env = {p: group.series(RowSequence(), c) for p, c in zip(parameters, call.columns, strict=True)}
            value = value_of(run.run(run.body(function, env), env, ()))
            assembly = Assembly(run, scope, facts, source, keys)
            return assembly.fold(name, TRUE, [value], Schema((call.output,)))
        except Refusal as error:
            raise at(function, error) from None

    return read_function(ctx, attempt, function, assume_pure=assume_pure, exact_numbers=False)


def _side_by_side(folds: list[Fold], keys: tuple[str, ...]) -> Fold:
    """One fold with the slots and outputs of all: each function sees the same rows in the same order."""
    columns = _columns(folds)
    slots: list[StateSlot] = []
    init: list[Expr] = []
    step: list[Expr] = []
    outputs = [OutputColumn(c.name, c.type, Col(c.name)) for k in keys for c in columns if c.name == k]
    emit: list[Expr] = []
    for fold in folds:
        base = len(slots)
        prefix = f"{fold.name}." if len(folds) > 1 else ""
        slots += [replace(s, name=prefix + s.name) for s in fold.slots]
        init += fold.init
        step += [_moved(e, base) for e in fold.step]
        outputs += [replace(o, value=_moved(o.value, base)) for o in fold.outputs]
        emit.append(_moved(fold.emit, base))
    if len({o.name.lower() for o in outputs}) != len(outputs):
        raise Refusal("attribute-capture", "two output columns have the same name")
    return Fold(
        ", ".join(f.name for f in folds), "pandas_udf", columns, tuple(slots), tuple(init), tuple(step), tuple(outputs),
        emit=both(*emit), facts=folds[0].facts,
        assumptions=tuple(dict.fromkeys(a for f in folds for a in f.assumptions)),
    )  # fmt: skip


def _columns(folds: list[Fold]) -> tuple[Column, ...]:
    found: dict[str, Column] = {}
    for column in (c for f in folds for c in f.columns):
        if found.setdefault(column.name, column) != column:
            raise Refusal("opaque", f"`{column.name}`, whose type is not known, is used in different ways")
    return tuple(found.values())


def _moved(e: Expr, base: int) -> Expr:
    return transform(e, lambda n: Slot(n.index + base) if isinstance(n, Slot) else None) if base else e
