"""Row UDFs: one value per row.

Law: the output column holds what Spark stores of the function's result on that row. In a plain Python UDF a NULL
arrives as None, and every other value as Python's own. What Spark does with a result whose Python type is not the
declared one differs between the Arrow path (the default since 4.2) and the pickle path: such functions are refused.
An array is a list, whose elements have no model; where one is returned, the output is its size (``row_udf``).
Timestamps arrive in the time zone of the worker's operating system, not the session's: refused too.
"""

from __future__ import annotations

import ast

from headwater.python.builtins.list_lengths import Lists
from headwater.python.exprs.intervals import of_type, range_of
from headwater.python.exprs.simplify import MAX_NODES
from headwater.python.exprs.types import results
from headwater.python.interpreter.outcomes import End, guarded, uncovered, value_of
from headwater.python.interpreter.statements import Interpreter
from headwater.python.values import sized_lists
from headwater.python.values.native_parts import facts_of, in_native_columns, letters_of_results, with_native_parts
from headwater.python.values.scope import Scope, Value
from headwater.python.values.type_inference import known_columns, read_function, read_type
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import function_name, plain_parameters
from headwater_ir.expr import Call, Col, Expr, Lit, Raise, columns_of, size, walk
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.types import BOOL, FLOAT32, STRING, Type

_UNCLEAR = frozenset({"any", "opaque", "timestamp", "list", "decimal"})
"""Types of computed arguments of which it is not known how they reach Python, or of what type they are."""
_DECORATORS = {"pyspark.sql.functions.udf", "pyspark.sql.udf.udf"}


def fold_row_udf(
    ctx: Context,
    function: ast.FunctionDef | ast.Lambda,
    *,
    arguments: tuple[Expr, ...],
    source: Schema,
    return_type: Type,
    output_name: str,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> Fold:
    """The fold (``rows="one"``) of a Python UDF applied to ``arguments``; Refusal where its meaning is not known."""
    names = _parameters(ctx, function)
    if len(names) != len(arguments):
        raise Refusal("may-throw", "the UDF is called with another number of arguments than it has", function)
    for computed in (n for a in arguments for n in walk(a) if isinstance(n, Call)):
        if computed.type.name in _UNCLEAR:  # to the proof it would be a number, which no text equals
            raise Refusal("opaque", f"`{computed.name}` gives the UDF a value of a type that is not known", function)

    def attempt(scope: Scope) -> Fold:
        for name in sorted(set().union(*(columns_of(a) for a in arguments))):
            t = read_type(scope, source, name)
            if t.name in ("timestamp", "decimal"):
                raise Refusal("opaque", f"`{name}`: how a {t} reaches a Python UDF depends on the version", function)
        given = [_argument(scope, a, function) for a in arguments]
        env: dict[str, Value] = dict(zip(names, given, strict=True))
        interpreter = RowFunction(scope)
        value = _value(interpreter, function, env, return_type)
        if size(value) > MAX_NODES:
            raise Refusal("time-out", "the function has too many paths", function)
        value = with_native_parts(scope, value)
        letters = letters_of_results(scope, value)
        for result in results(value) if return_type.name != "list" else ():
            _check_result(scope, result, return_type, function)
        output = OutputColumn(output_name, return_type, value)
        known = (in_native_columns(f, value) for f in sized_lists.facts_of(scope, facts, source))
        told = (*known, *(fact for e in (value, *letters) for fact in facts_of(e)))
        columns = known_columns(scope, source, (), [value, *letters], told)
        return Fold(
            function_name(function), "udf", columns, (), (), (), (output,), rows="one", facts=told,
            assumptions=sized_lists.assumptions(scope, [value]),
        )  # fmt: skip

    return read_function(ctx, attempt, function, assume_pure=assume_pure, label=output_name)


def _value(
    interpreter: RowFunction, function: ast.FunctionDef | ast.Lambda, env: dict[str, Value], declared: Type
) -> Expr:
    """What the function returns; of an array, what ``size`` says of it."""
    if isinstance(function, ast.Lambda):
        if declared.name != "list":
            return interpreter.value(function.body, env)
        return interpreter.size_of(End("return", env, interpreter.any_value(function.body, env)))
    tree = interpreter.run(interpreter.body(function, env), env, ())
    value = interpreter.size_of(tree) if declared.name == "list" else value_of(tree)
    return guarded(uncovered(interpreter.effects, [value]), value)


class RowFunction(Lists, Interpreter):
    """Reads a function of one row."""


def _argument(scope: Scope, argument: Expr, node: ast.AST) -> Value:
    """What the function is given: of an array nothing but the size has a meaning."""
    arrays = [n for n in sorted(columns_of(argument)) if scope.columns[n].name == "list"]
    if not arrays:
        return argument
    if not isinstance(argument, Col):
        raise Refusal("opaque", "an argument of the UDF is made of an array", node)
    return sized_lists.array(scope, argument.name)


def _parameters(ctx: Context, function: ast.FunctionDef | ast.Lambda) -> list[str]:
    if isinstance(function, ast.FunctionDef):
        for decorator in function.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if ctx.qualified(called) not in _DECORATORS:
                raise Refusal("opaque", "a decorated function", decorator)
    names = plain_parameters(function.args)
    if names is None:
        raise Refusal("opaque", "default, keyword-only or variable arguments", function)
    return names


def _check_result(scope: Scope, result: Expr, declared: Type, node: ast.AST) -> None:
    """Refuse a result that is not provably None or of the declared type."""
    if isinstance(result, Raise) or (isinstance(result, Lit) and result.value is None):
        return
    scope.hint(result, declared)
    if not _fits(scope, result, declared):
        t = scope.type(result)
        raise Refusal(
            "may-throw", f"a {t} returned, {declared} declared: what Spark stores depends on its version", node
        )


def _fits(scope: Scope, result: Expr, declared: Type) -> bool:
    t = scope.type(result)
    if declared.name == "int":
        values, allowed = range_of(result, scope.columns, {}), of_type(declared)
        if values is None or allowed is None or values.infinite:
            return False
        return t.name == "int" and allowed.low <= values.low and values.high <= allowed.high
    if declared.name == "float":
        return t.name == "float" and (declared != FLOAT32 or t == FLOAT32)
    return t.name == declared.name and declared.name in (STRING.name, BOOL.name, "date")
