"""Pandas UDFs from series to series, in columns: ``withColumn("y", f("x"))``.

Law: the output column holds, in each row, what Spark stores of the result's value there. Spark hands over batches of
rows, cut anywhere, so this has a meaning only if that value depends on its own row alone: the function is read by what
gives a meaning to the columns of ``applyInPandas``, whose operators on columns (arithmetic, comparisons, masks, tests
for what is missing, ``fillna``) yield for each row an expression over that row; whatever looks at other rows allocates
a slot or has no model, and is refused. A column looks as in ``frames``: NULL among integers makes floats of them all,
which changes nothing in what these operators yield, up to 2**53 (noted as an assumption where it matters).
"""

from __future__ import annotations

import ast

from headwater.python.exprs.simplify import MAX_NODES
from headwater.python.interpreter.outcomes import End, Outcome
from headwater.python.rows.fold_builder import may_wrap
from headwater.python.rows.outputs import at, converted
from headwater.python.rows.row_sequences import RowSequence, Series
from headwater.python.values.scope import Env, Scope
from headwater.python.values.slots import Slots
from headwater.python.values.type_inference import known_columns, read_function, stated_facts
from headwater.syntax.core.lower import body_of
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import function_name, plain_parameters
from headwater_ir.expr import Expr, size, slots_of, walk
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.types import Type

from .group import Group
from .loops import GroupInterpreter


def fold_series_rows(
    ctx: Context,
    function: ast.FunctionDef | ast.Lambda,
    *,
    columns: tuple[str, ...],
    iterator: bool,
    source: Schema,
    return_type: Type,
    output_name: str,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> Fold:
    """The fold (``rows="one"``) of ``function`` called on ``columns``; Refusal where its meaning is not known."""
    parameters = plain_parameters(function.args)
    if parameters is None or len(parameters) != len(columns) or not columns:
        raise Refusal("may-throw", "the pandas UDF is called with other arguments than it has", function)
    facts = stated_facts(facts, source)
    name = function_name(function)
    body, parameters = of_batches(function, parameters) if iterator else (body_of(function), parameters)
    output = Field(output_name, return_type)

    def attempt(scope: Scope) -> Fold:
        group = Group(scope, source, (), facts)
        run = SeriesReader(group, Slots(scope))
        try:
            env: Env = {p: group.series(RowSequence(), c) for p, c in zip(parameters, columns, strict=True)}
            value = converted(scope, element(run.run(body, env, ()), function), output, {})
            if run.effects:
                raise Refusal("opaque", f"`{name}` computes what it does not return, and that may raise", function)
            if scope.divisions:
                raise Refusal("opaque", "division, which numpy does not refuse by zero", function)
        except Refusal as error:
            raise at(function, error) from None
        if any(may_wrap(e, scope, {}) for e in walk(value)):
            scope.assume("integer arithmetic on values taken out of pandas stays within the column's width", "range")
        read = known_columns(scope, source, (), [value], facts)
        return Fold(
            name, "pandas_udf", read, (), (), (), (OutputColumn(output_name, return_type, value),), rows="one",
            facts=facts, assumptions=tuple(scope.assumptions),
        )  # fmt: skip

    return read_function(ctx, attempt, function, assume_pure=assume_pure, facts=facts, exact_numbers=False)


class SeriesReader(GroupInterpreter):
    """Gives a meaning to operators on columns, and to nothing that looks at other rows."""

    row_by_row = True


def element(tree: Outcome, node: ast.AST) -> Expr:
    """What a returned column holds in a row; Refusal if it is no column with a value for each row."""
    value = tree.value if isinstance(tree, End) and tree.kind == "return" else None
    if not isinstance(value, Series) or value.frame != RowSequence() or slots_of(value.element):
        raise Refusal("row-context", "what is returned is not computed from each row alone", node)
    if size(value.element) > MAX_NODES:
        raise Refusal("time-out", "the function has too many paths", node)
    return value.element


def of_batches(function: ast.FunctionDef | ast.Lambda, parameters: list[str]) -> tuple[list[ast.stmt], list[str]]:
    """What a function over an iterator does to each part: ``for s in it: …; yield …`` and nothing else."""
    match function:
        case ast.FunctionDef(
            body=[*before, ast.For(target=ast.Name(id=name), iter=ast.Name(id=over), body=[*body, ast.Expr(ast.Yield(ast.expr() as value))], orelse=[])]  # noqa: E501
        ) if [over] == parameters and all(_is_text(s) for s in before):  # fmt: skip
            jumps = (ast.Yield, ast.YieldFrom, ast.Return, ast.Break, ast.Continue)
            plain = not any(isinstance(n, jumps) for s in body for n in ast.walk(s))
            read = [n for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == over]
            if plain and not read:
                return [*body, ast.copy_location(ast.Return(value), value)], [name]
    raise Refusal("multiplicity", "a generator that is not one `yield` for each batch", function)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
