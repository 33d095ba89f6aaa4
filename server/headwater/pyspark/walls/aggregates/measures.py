"""Aggregates as they are spelled, in Python and in SQL: functions of a bag of rows."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import cast

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns.determinism import is_rowwise, is_rowwise_of_given
from headwater.pyspark.columns.sql_determinism import is_rowwise_sql
from headwater.pyspark.walls.each_turn.turns import Inside
from headwater.python.values.native_parts import is_registered
from headwater.syntax.names.resolve import Names
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption

from ..literals import text
from ..measures import (
    OF_FILES,
    FunctionCall,
    Spelled,
    by_its_name,
    canonical,
    conditions_in,
    is_column,
)
from .lists import Untouched, elements, has_elements

_AGGREGATES = frozenset(
    """
    approx_count_distinct avg bool_and bool_or bit_and bit_or bit_xor corr count countDistinct count_distinct count_if
    covar_pop covar_samp every kurtosis max mean min skewness some std stddev stddev_pop stddev_samp sum sumDistinct
    sum_distinct var_pop var_samp variance
    """.split()
)
"""Functions of a bag of rows, in which no order shows."""
_IN_SQL = _AGGREGATES - {
    "countDistinct",
    "count_distinct",
    "corr",
    "covar_pop",
    "covar_samp",
    "sumDistinct",
    "sum_distinct",
}
"""Those of one argument that SQL has under that name."""
_BY_NAME = ("avg", "count", "max", "mean", "min", "sum")
"""Those that ``agg({column: name})`` may name."""
_NAMED = ("avg", "count", "max", "min", "sum")
"""Those of which the column that they make has the name of the call."""


_LEAVES_OUT_NULL = _AGGREGATES - {"bool_and", "bool_or", "corr", "count_if", "covar_pop", "covar_samp", "every", "some"}
"""Those of one argument that look at no row where it is NULL, as far as they are used like that here."""


def measures_of(call: ast.Call, scope: ApiContext, untouched: Untouched | None = None) -> list[Spelled] | None:
    """What ``frame.agg(…)``, or ``frame.select(…)`` of aggregates alone, measures; None if it is not known. With
    ``untouched``, some of them may be those of a list, which count as one."""
    assert isinstance(call.func, ast.Attribute)
    if call.keywords or not call.args or call.func.attr not in ("agg", "select", "selectExpr"):
        return None
    given = given_to(call)
    if call.func.attr == "agg" and isinstance(call.args[0], ast.Dict):
        return _by_name(call.args[0], scope) if len(call.args) == 1 else None
    if call.func.attr == "selectExpr":
        found = [_measure_in_sql(a, scope.names, "expr") for a in given]
    else:
        found = [_measure(a, scope, untouched) for a in given]
        if len(found) == 1 and found[0] is not None:
            found[0] = found[0]._replace(assumed=(*found[0].assumed, *_if_some(found[0], scope, untouched)))
    return [s for s in found if s is not None] if all(found) else None


def given_to(call: ast.Call) -> Sequence[ast.expr]:
    """What ``agg`` or ``select`` is given, one by one; of a dict, its keys."""
    match call:
        case ast.Call(func=ast.Attribute(attr="agg"), args=[ast.Dict(keys=keys)]):
            return [k for k in keys if k is not None]
        case ast.Call(func=ast.Attribute(attr="select" | "selectExpr"), args=[ast.List(elts=given)]):
            return given
        case ast.Call(func=ast.Attribute(attr="select" | "selectExpr"), args=[ast.Tuple(elts=given)]):
            return given
    return call.args


def _listed(of: ast.expr, scope: ApiContext, untouched: Untouched) -> Spelled | None:
    """The aggregates of the list ``of``, which together are a function of the rows as each of them is."""
    found = elements(of, scope, untouched)
    inside = cast("ApiContext", Inside(scope, frozenset() if found is None else found.own))
    if found is None or any(measure_of_turn(a, inside) is None for a in found.aggregates):
        return None
    name = f"{of.id} = " if isinstance(of, ast.Name) else ""
    told = f"*{name}{canonical(found.made, scope.names)}"
    return Spelled(of, "list", (), ir.Folded(told), told)


def _if_some(listed: Spelled, scope: ApiContext, untouched: Untouched | None) -> list[Assumption]:
    """What has to be true for ``listed``, the only argument, to give an aggregate: one of nothing is an error, and a
    ``select`` of nothing keeps all rows."""
    found = elements(listed.node, scope, untouched) if listed.style == "list" and untouched is not None else None
    match None if found is None else found.made:
        case ast.ListComp(generators=[ast.comprehension(iter=over, ifs=tests)]):
            if not tests and has_elements(over, scope, untouched or (lambda name: False)):
                return []
            text = f"`{ast.unparse(over)}` is not empty"
            return [Assumption("keys", text if not tests else f"{text}, and some of it passes the tests")]
    return []


def names_of(spelled: Sequence[Spelled]) -> tuple[str, ...] | None:
    """The names of the columns of the row that ``spelled`` make; None if they are not known, or not different."""
    names = tuple(s.name for s in spelled if s.name is not None)
    return names if len({n.lower() for n in names}) == len(spelled) else None


def measure_of_turn(node: ast.expr, inside: ApiContext) -> ir.Measure | None:
    """What ``node`` asks for in a turn of a comprehension, whose scope is ``inside``."""
    names = inside.names
    match node:
        case ast.Call(func=function, args=[of], keywords=[]) if names.function(function) == "count_if":
            if is_rowwise(of, names, inside.lookup, put_in=True) and is_column(of, inside):
                return ir.Counted(conditions_in(of, names))
            return None
    known = _measure(node, inside)
    return None if known is None else known.measure


def _by_name(given: ast.Dict, scope: ApiContext) -> list[Spelled] | None:
    found = list[Spelled]()
    for key, value in zip(given.keys, given.values, strict=True):
        function = text(value)
        if key is None or function not in _BY_NAME or text(key) == "*":
            return None
        if text(key) is None and not (isinstance(key, ast.Name) and _is_argument(key, scope)):
            return None
        measure = ir.Folded(f"functions.{function}({_column_text(key, scope.names)})")
        name = None if text(key) is None else f"{function}({text(key)})"
        called = None if text(key) is None else FunctionCall(function, None, key)  # elsewhere a variable is a value
        found.append(Spelled(key, function, measure=measure, name=name, function=called))
    return found if len({ast.dump(s.node) for s in found}) == len(found) else None


def _measure(node: ast.expr, scope: ApiContext, untouched: Untouched | None = None) -> Spelled | None:
    if isinstance(node, ast.Starred):
        return None if untouched is None else _listed(node.value, scope, untouched)
    name = None
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("alias", "name"):
        if len(node.args) != 1 or node.keywords or text(node.args[0]) is None:
            return None
        name, node = name or text(node.args[0]), node.func.value
    match node:
        case ast.Call(func=function, args=[sql], keywords=[]) if scope.names.function(function) == "expr":
            known = _measure_in_sql(sql, scope.names, "column")
            return None if known is None else known._replace(node=node, name=name or known.name)
        case ast.Call(func=function, args=[*given], keywords=[]) if scope.names.function(function) == "struct":
            found = [_measure(g, scope, untouched) for g in given]
            inner = [f for f, g in zip(found, given, strict=True) if f is not None and _has_alias(g)]
            names = names_of(inner) if 0 < len(inner) == len(given) else None
            row = None if names is None else ir.AsRow(tuple(f.measure for f in inner), names)
            return None if row is None else Spelled(node, "column", (), row, name)
    if not _is_measure(node, scope):
        return None
    counted, called = _counted(node, scope), _function_call(node, scope)
    if counted is not None:
        measure: ir.Measure = counted
    elif called is not None:
        measure = of_function(called, scope.names)
    else:
        measure = ir.Folded(canonical(node, scope.names))
    return Spelled(node, "column", (), measure, name or _own_name(node, scope.names), called)


def _has_alias(node: ast.expr) -> bool:
    """Whether ``node``, or each element of the list that it is, is called by a name of its own also inside a struct."""
    match node:
        case ast.Call(func=ast.Attribute(attr="alias" | "name")):
            return True
    return isinstance(node, ast.Starred)


def _measure_in_sql(node: ast.expr, names: Names, style: str) -> Spelled | None:
    """The aggregate of rows that the SQL text ``node`` is: one function of a closed table, perhaps under a name."""
    found = re.fullmatch(r"\s*((\w+)\s*\((.*)\))(?:\s+as\s+(\w+))?\s*", text(node) or "", re.IGNORECASE | re.DOTALL)
    if found is None:
        return None
    whole, function, of, name = found[1], found[2].lower(), found[3].strip(), found[4]
    if function not in _IN_SQL or is_registered(names, function):
        return None
    if function == "count" and of in ("*", "1"):
        return Spelled(node, style, (), ir.Counted(), name)
    column = re.sub(r"^distinct\s+", "", of, flags=re.IGNORECASE) if function == "count" else of
    if not is_rowwise_sql(column, names) or OF_FILES in column:
        return None
    own = f"{function}({of})" if function in _NAMED and of.isidentifier() else None
    return Spelled(node, style, (), ir.Folded(f"functions.expr({whole!r})"), name or own)


def _function_call(node: ast.expr, scope: ApiContext) -> FunctionCall | None:
    match node:
        case ast.Call(func=function, args=[argument], keywords=[]) if not isinstance(argument, ast.Starred):
            name = scope.names.function(function)
            if name in _LEAVES_OUT_NULL and (text(argument) is not None or is_column(argument, scope)):
                return None if text(argument) == "*" else FunctionCall(name, function, argument)
    return None


def of_function(call: FunctionCall, names: Names) -> ir.Folded | ir.Kinds:
    """The function of those rows for which the conditions of ``when`` around its argument are TRUE."""
    of, conditions = call.argument, tuple[str, ...]()
    while isinstance(of, ast.Call) and len(of.args) == 2 and not of.keywords and names.function(of.func) == "when":
        conditions, of = (*conditions, *conditions_in(of.args[0], names)), of.args[1]
    if call.name in ("count_distinct", "countDistinct") and isinstance(of, ast.Call) and not of.keywords:
        if names.function(of.func) == "struct" and of.args and not any(isinstance(a, ast.Starred) for a in of.args):
            return ir.Kinds(tuple(_column_text(a, names) for a in of.args), conditions)
    inner = _column_text(of, names) if of is call.argument else canonical(of, names)
    return ir.Folded(f"functions.{call.name}({inner})", conditions)


def _is_measure(node: ast.expr, scope: ApiContext) -> bool:
    match node:
        case ast.Call(func=function, args=args, keywords=[]):
            name = scope.names.function(function)
            if name in _AGGREGATES:
                return bool(args) and all(_is_argument(a, scope) for a in args)
            if name == "round" and 1 <= len(args) <= 2:
                return _is_measure(args[0], scope) and all(isinstance(a, ast.Constant) for a in args[1:])
        case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()):
            parts = [p for p in (left, right) if not isinstance(p, ast.Constant)]
            return bool(parts) and all(_is_measure(p, scope) for p in parts)
    return False


def _counted(node: ast.expr, scope: ApiContext) -> ir.Counted | None:
    """A number of rows."""
    names = scope.names
    match node:
        case ast.Call(func=function, args=[ast.Constant(value="*" | 1)]) if names.function(function) == "count":
            return ir.Counted()
        case ast.Call(func=function, args=[of]) if names.function(function) == "count_if" and is_column(of, scope):
            return ir.Counted(conditions_in(of, names))
    return None


def _own_name(node: ast.expr, names: Names) -> str | None:
    """The name of the column that ``node`` makes, where it is a plain one."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and names.function(node.func) in _NAMED:
        column = text(node.args[0])
        if column is not None and column.isidentifier():
            return f"{names.function(node.func)}({column})"
    return None


def _is_argument(node: ast.expr, scope: ApiContext) -> bool:
    """Whether ``node`` may stand in a function of rows; what a parameter holds does where it stands now."""
    return not isinstance(node, ast.Starred) and is_rowwise_of_given(node, scope.names, scope.lookup)


def _column_text(node: ast.expr, names: Names) -> str:
    """The text of an argument that may be a column's name."""
    return by_its_name(node) if text(node) is not None else canonical(node, names)
