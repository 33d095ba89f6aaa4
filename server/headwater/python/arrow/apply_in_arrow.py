"""``groupBy(keys).applyInArrow(f)``: a function over one group's Arrow table that goes through its rows in Python and
returns at most one row.

Law: for every sequence of rows of a group, in every order, the fold's output is the row that Spark stores of the table
that the function returns. What Python sees of a row stands in ``arrow_group``, what becomes of the result in
``arrow_tables``; the rest is as for ``applyInPandas``. Unlike there a NaN in the result stays a NaN.
"""

from __future__ import annotations

import ast

from headwater.python.pandas.apply_in_pandas import group_parameters
from headwater.python.rows.fold_builder import Assembly
from headwater.python.rows.outputs import at, emitted, returned
from headwater.python.values.rows import KeyTuple
from headwater.python.values.scope import Env, Scope
from headwater.python.values.slots import Slots
from headwater.python.values.type_inference import read_function, stated_facts
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE, Col, Expr, If, IsNull, Raise
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold

from .table import ArrowGroup, GroupTable
from .values import ArrowInterpreter


def fold_group_arrow(
    ctx: Context,
    function: ast.FunctionDef,
    *,
    source: Schema,
    keys: tuple[str, ...],
    output: Schema,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> Fold:
    """The fold of ``function``, given the frame's schema and the declared output; Refusal where its meaning is not
    known."""
    parameters = group_parameters(function)
    refuse_batches(function)
    if not output.complete or not output.fields:
        raise Refusal("opaque", "the declared output columns are not known", function)
    facts = stated_facts(facts, source)

    def attempt(scope: Scope) -> Fold:
        run = ArrowInterpreter(ArrowGroup(scope, source, keys, facts), Slots(scope), output)
        env: Env = {parameters[-1]: GroupTable()}
        if len(parameters) == 2:
            env[parameters[0]] = KeyTuple(keys)
        try:
            tree = run.run(run.body(function, env), env, ())
            emit, values = emitted(tree), returned(tree, output)
            if emit == TRUE:
                values = [_without_key_errors(v, keys) for v in values]
            assembly = Assembly(run, scope, facts, source, keys, api="applyInArrow", nan_is_null=False)
            return assembly.fold(function.name, emit, values, output)
        except Refusal as error:
            raise at(function, error) from None

    return read_function(ctx, attempt, function, assume_pure=assume_pure, facts=facts)


def _without_key_errors(value: Expr | None, keys: tuple[str, ...]) -> Expr | None:
    """``value`` of a group that always has a row, without an error that depends on the key alone: a group that is there
    with the pre-filter is there without it, and fails."""
    match value:
        case If(cond=IsNull(operand=Col(name=name)), then=Raise(), otherwise=Col(name=other)):
            return Col(name) if name == other and name in keys else value
    return value


def refuse_batches(function: ast.FunctionDef) -> None:
    """Refuse a function whose type hints say that it is given its group in pieces."""
    hints = [a.annotation for a in function.args.args] + [function.returns]
    if any("Iterator" in ast.unparse(h) for h in hints if h is not None):
        raise Refusal("multiplicity", "a function over an iterator of record batches", function)
