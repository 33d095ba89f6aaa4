"""``groupBy(keys).applyInPandas(f)``: a function over one group's DataFrame that returns at most one row, or that
treats each row of it by itself.

Law: for every sequence of rows of a group, in every order, the fold's output is the row that Spark stores of what
the function returns. What the loop's body changes are slots, reductions of columns are slots too, and everything
else is computed from them after the last row. Spark never merges here: ``merge`` is None. The group has at least
one row.
"""

from __future__ import annotations

import ast

from headwater.python.rows.fold_builder import Assembly
from headwater.python.rows.outputs import at, emitted, returned
from headwater.python.rows.row_sequences import RowSequence
from headwater.python.values.rows import KeyTuple
from headwater.python.values.scope import Env, Scope
from headwater.python.values.slots import Slots
from headwater.python.values.type_inference import read_function, stated_facts
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.expr import Expr
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold

from .group import Group
from .loops import GroupInterpreter
from .row_frames import RowFrame, RowFrameReader, fold_of_rows, rows_made


def fold_group_map(
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
    refuse_iterators(function)
    if not output.complete or not output.fields:
        raise Refusal("opaque", "the declared output columns are not known", function)
    facts = stated_facts(facts, source)

    def attempt(scope: Scope) -> Fold:
        group = Group(scope, source, keys, facts)
        run = GroupInterpreter(group, Slots(scope))
        env: Env = {parameters[-1]: RowSequence()}
        if len(parameters) == 2:
            env[parameters[0]] = KeyTuple(keys)
        try:
            tree = run.run(run.body(function, env), env, ())
            emit, values = emitted(tree), returned(tree, output)
            return Assembly(run, scope, facts, source, keys).fold(function.name, emit, values, output)
        except Refusal as error:
            raise at(function, error) from None

    return read_function(ctx, attempt, function, assume_pure=assume_pure, facts=facts, exact_numbers=False)


def fold_group_rows_alone(
    ctx: Context,
    function: ast.FunctionDef,
    *,
    source: Schema,
    keys: tuple[str, ...],
    output: Schema,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> Fold:
    """The fold (``rows="one"``) of ``function``, which gives of a group what it gives of each of its rows alone
    (``row_frames``); Refusal where it may look at other rows. A group of which a pre-filter leaves no row is one that
    ``function`` is not called for: it gives no row of none."""
    parameters = group_parameters(function)
    refuse_iterators(function)
    if not output.complete or not output.fields:
        raise Refusal("opaque", "the declared output columns are not known", function)
    facts = stated_facts(facts, source)

    def attempt(scope: Scope) -> Fold:
        group = Group(scope, source, keys, facts)
        run = RowFrameReader(group, Slots(scope))
        env: Env = {parameters[-1]: RowFrame()}
        if len(parameters) == 2:
            env[parameters[0]] = KeyTuple(keys)
        try:
            made = rows_made(run, run.body(function, env), env)
            return fold_of_rows("applyInPandas", function, group, made, output, facts)
        except Refusal as error:
            raise at(function, error) from None

    return read_function(ctx, attempt, function, assume_pure=assume_pure, facts=facts, exact_numbers=False)


def group_parameters(function: ast.FunctionDef, frames: int = 1) -> list[str]:
    """The names of the parameters of a group function: the group, or the key and the group. ``frames``: how many make
    up the group."""
    names = plain_parameters(function.args)
    if function.decorator_list:
        raise Refusal("opaque", "a decorated function", function.decorator_list[0])
    if names is None or len(names) not in (frames, frames + 1):
        raise Refusal("opaque", "parameters other than the frame, or the key and the frame", function)
    return names


def refuse_iterators(function: ast.FunctionDef) -> None:
    """Refuse a function whose type hints say that it is given its group in pieces."""
    hints = [a.annotation for a in function.args.args if a.annotation] + (
        [function.returns] if function.returns else []
    )
    if any("Iterator" in ast.unparse(h) or "Table" in ast.unparse(h) for h in hints):
        raise Refusal("multiplicity", "a function over an iterator of frames", function)
