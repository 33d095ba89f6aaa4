"""Conditions and aggregates as they are spelled: what is asked of rows, told by a text that does not depend on how the
file imports Spark's functions.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable
from typing import NamedTuple, cast

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.row_by_row import makes_udfs
from headwater.pyspark.columns.determinism import METHODS, is_rowwise, is_rowwise_of_given
from headwater.pyspark.columns.sql_conjuncts import conjuncts, told
from headwater.pyspark.columns.sql_determinism import is_rowwise_sql
from headwater.pyspark.columns.sql_templates import filled, put_in, template
from headwater.pyspark.frames.tracked_values import Unevaluated, Unknown
from headwater.python.values.native_parts import is_registered
from headwater.syntax.names.resolve import Names
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption

from .reads import text
from .turns import Inside

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
_OF_FILES = "_metadata"


class Spelled(NamedTuple):
    """A condition or measure at ``node`` (see ``demand.Part``). ``conditions``: those that hold where it is TRUE;
    ``assumed``: what has to be true for that."""

    node: ast.expr
    style: str
    conditions: tuple[str, ...] = ()
    measure: ir.Measure = ir.Counted()
    name: str | None = None
    function: FunctionCall | None = None
    assumed: tuple[Assumption, ...] = ()

    @property
    def shown(self) -> str:
        """How a sentence speaks of it."""
        return f"`{text(self.node) or ast.unparse(self.node)}`"


class FunctionCall(NamedTuple):
    """A function of one argument that leaves out NULL. ``written``: where it is, None if ``name`` alone says it."""

    name: str
    written: ast.expr | None
    argument: ast.expr


def condition(node: ast.expr, frame: str, scope: ApiContext) -> Spelled | None:
    """What a filter keeps that is given ``node``; None if it is not sure that this is a function of a row, or if it may
    read what is not in ``frame``, the variable that is filtered: Spark finds the columns of the frames that it is made
    of, and those of its files, but not everywhere."""
    if isinstance(node, (ast.Constant, ast.JoinedStr)):
        return _in_sql(node, scope)
    if not _is_column(node, scope) or not is_rowwise(node, scope.names, scope.lookup, put_in=True):
        return None
    if not _frames_in(node, scope) <= {frame} or _OF_FILES in ast.unparse(node):
        return None
    assumed = _if_names(_sql_texts(node, scope), scope)
    return None if assumed is None else Spelled(node, "column", _conjuncts(node, scope.names), assumed=assumed)


def _in_sql(node: ast.Constant | ast.JoinedStr, scope: ApiContext) -> Spelled | None:
    """The condition that the text or f-string ``node`` is, with names or values in the place of what is put in."""
    if isinstance(node, ast.Constant):
        sql, assumed = text(node), _if_names([], scope)
    else:
        sql = filled(template(node) or "") if is_rowwise(node, scope.names, scope.lookup) else None
        assumed = _if_names([node], scope)
    if sql is None or assumed is None or not is_rowwise_sql(sql, scope.names) or _OF_FILES in sql:
        return None
    return Spelled(node, "sql", _sql(node), assumed=assumed)


def _sql_texts(node: ast.expr, scope: ApiContext) -> list[ast.JoinedStr]:
    """The f-strings in ``node`` that are conditions in SQL."""
    calls = (n for n in ast.walk(node) if isinstance(n, ast.Call) and scope.names.function(n.func) == "expr")
    return [a for call in calls for a in call.args if isinstance(a, ast.JoinedStr)]


def _if_names(texts: Iterable[ast.JoinedStr], scope: ApiContext) -> tuple[Assumption, ...] | None:
    """What has to be true for ``texts`` in SQL to have names and values where something is put in; None if that is no
    variable."""
    found = list[str]()
    for node in texts:
        parts, named = put_in(node), put_in(node, names=True)
        if not all(isinstance(p, ast.Name) for p in parts):
            return None
        found += [f"`{ast.unparse(p)}` is the name of a column" for p in named]
        if makes_udfs(scope.names):
            found += [f"`{ast.unparse(p)}` is a value, and calls no function" for p in parts if p not in named]
    return tuple(Assumption("keys", text) for text in dict.fromkeys(found))


def column(node: ast.expr, frame: str, scope: ApiContext) -> Spelled | None:
    """The column of a ``select`` that ``node`` is, if it is surely a function of a row, and reads ``frame`` alone."""
    name = text(node)
    if name is not None:
        return named(node) if re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", name) and name != _OF_FILES else None
    if isinstance(node, ast.Name) and (known := given(node, scope)) is not None:
        return known
    if not _is_column(node, scope) or not is_rowwise(node, scope.names, scope.lookup):
        return None
    if not _frames_in(node, scope) <= {frame} or _OF_FILES in ast.unparse(node):
        return None
    return Spelled(node, "column", (canonical(node, scope.names),))


def named(node: ast.expr) -> Spelled:
    """The column that the constant ``node`` names."""
    return Spelled(node, "name", (_by_its_name(node),))


def given(node: ast.Name, scope: ApiContext) -> Spelled | None:
    """The column whose name a variable of unknown value holds."""
    bound = scope.lookup(node.id)
    held = None if bound is None else bound.value
    if not isinstance(held, Unknown) or held.why is not None or node.id in scope.names.rebound:
        return None
    assumed = Assumption("keys", f"`{node.id}` is the plain name of a column")
    return Spelled(node, "column", (node.id,), assumed=(assumed,))


def _by_its_name(node: ast.expr) -> str:
    return f"functions.col({text(node)!r})"


def speaks_of_spark(node: ast.expr, scope: ApiContext) -> bool:
    """Whether the Column ``node`` is one by a function of Spark's, and not by what is asked of a frame alone: pandas
    has frames too."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and scope.names.function(part.func) is not None:
            return True
        bound = scope.lookup(part.id) if isinstance(part, ast.Name) else None
        held = bound.value if bound is not None else None
        if isinstance(held, Unevaluated) and held.node is not node and not isinstance(held.node, ast.Name):
            if _is_column(held.node, scope) and speaks_of_spark(held.node, scope):
                return True
    return False


def measures_of(call: ast.Call, scope: ApiContext) -> list[Spelled] | None:
    """What ``frame.agg(…)``, or ``frame.select(…)`` of aggregates alone, measures; None if it is not known."""
    assert isinstance(call.func, ast.Attribute)
    if call.keywords or not call.args or call.func.attr not in ("agg", "select", "selectExpr"):
        return None
    if call.func.attr == "agg" and isinstance(call.args[0], ast.Dict):
        return _by_name(call.args[0], scope) if len(call.args) == 1 else None
    given = call.args
    if call.func.attr != "agg" and len(given) == 1 and isinstance(given[0], (ast.List, ast.Tuple)):
        given = given[0].elts
    in_sql = call.func.attr == "selectExpr"
    found = [_measure_in_sql(a, scope.names, "expr") if in_sql else _measure(a, scope) for a in given]
    return [s for s in found if s is not None] if all(found) else None


def measure_of_turn(node: ast.expr, own: frozenset[str], scope: ApiContext) -> ir.Measure | None:
    """What ``node`` asks for in each turn of a comprehension that binds ``own``."""
    inside = Inside(scope, own)
    match node:
        case ast.Call(func=function, args=[of], keywords=[]) if scope.names.function(function) == "count_if":
            if is_rowwise(of, scope.names, inside.lookup) and _is_column(of, cast("ApiContext", inside)):
                return ir.Counted(_conjuncts(of, scope.names))
            return None
    known = _measure(node, cast("ApiContext", inside))
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


def _measure(node: ast.expr, scope: ApiContext) -> Spelled | None:
    name = None
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("alias", "name"):
        if len(node.args) != 1 or node.keywords or text(node.args[0]) is None:
            return None
        name, node = name or text(node.args[0]), node.func.value
    match node:
        case ast.Call(func=function, args=[sql], keywords=[]) if scope.names.function(function) == "expr":
            known = _measure_in_sql(sql, scope.names, "column")
            return None if known is None else known._replace(node=node, name=name or known.name)
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
    if not is_rowwise_sql(column, names) or _OF_FILES in column:
        return None
    own = f"{function}({of})" if function in _NAMED and of.isidentifier() else None
    return Spelled(node, style, (), ir.Folded(f"functions.expr({whole!r})"), name or own)


def _function_call(node: ast.expr, scope: ApiContext) -> FunctionCall | None:
    match node:
        case ast.Call(func=function, args=[argument], keywords=[]) if not isinstance(argument, ast.Starred):
            name = scope.names.function(function)
            if name in _LEAVES_OUT_NULL and (text(argument) is not None or _is_column(argument, scope)):
                return None if text(argument) == "*" else FunctionCall(name, function, argument)
    return None


def of_function(call: FunctionCall, names: Names) -> ir.Folded | ir.Kinds:
    """The function of those rows for which the conditions of ``when`` around its argument are TRUE."""
    of, conditions = call.argument, tuple[str, ...]()
    while isinstance(of, ast.Call) and len(of.args) == 2 and not of.keywords and names.function(of.func) == "when":
        conditions, of = (*conditions, *_conjuncts(of.args[0], names)), of.args[1]
    if call.name in ("count_distinct", "countDistinct") and isinstance(of, ast.Call) and not of.keywords:
        if names.function(of.func) == "struct" and of.args and not any(isinstance(a, ast.Starred) for a in of.args):
            return ir.Kinds(tuple(_column_text(a, names) for a in of.args), conditions)
    inner = _column_text(of, names) if of is call.argument else canonical(of, names)
    return ir.Folded(f"functions.{call.name}({inner})", conditions)


def column_name(node: ast.expr, names: Names) -> str | None:
    """The column that the argument ``node`` of a function names plainly."""
    match node:
        case ast.Constant(value=str() as name):
            return name if name.isidentifier() else None
        case ast.Call(func=function, args=[ast.Constant(value=str() as name)], keywords=[]):
            return name if names.function(function) == "col" and name.isidentifier() else None
    return None


def _column_text(node: ast.expr, names: Names) -> str:
    """The text of an argument that may be a column's name."""
    return _by_its_name(node) if text(node) is not None else canonical(node, names)


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


def _frames_in(node: ast.expr, scope: ApiContext, within: str = "") -> set[str]:
    """The variables of frames whose columns ``node`` is made of; for those in a variable, which may have been another
    frame's then, that variable."""
    found = set[str]()
    for part in ast.walk(node):
        bound = scope.lookup(part.id) if isinstance(part, ast.Name) else None
        if bound is None or not isinstance(part, ast.Name) or part.id == within:
            continue
        if bound.is_frame:
            found.add(within or part.id)
        elif isinstance(bound.value, Unevaluated):
            found |= {part.id} if _frames_in(bound.value.node, scope, part.id) else set()
    return found


def _is_argument(node: ast.expr, scope: ApiContext) -> bool:
    """Whether ``node`` may stand in a function of rows; what a parameter holds does where it stands now."""
    return not isinstance(node, ast.Starred) and is_rowwise_of_given(node, scope.names, scope.lookup)


def _counted(node: ast.expr, scope: ApiContext) -> ir.Counted | None:
    """A number of rows."""
    names = scope.names
    match node:
        case ast.Call(func=function, args=[ast.Constant(value="*" | 1)]) if names.function(function) == "count":
            return ir.Counted()
        case ast.Call(func=function, args=[of]) if names.function(function) == "count_if" and _is_column(of, scope):
            return ir.Counted(_conjuncts(of, names))
    return None


def _own_name(node: ast.expr, names: Names) -> str | None:
    """The name of the column that ``node`` makes, where it is a plain one."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and names.function(node.func) in _NAMED:
        column = text(node.args[0])
        if column is not None and column.isidentifier():
            return f"{names.function(node.func)}({column})"
    return None


def _is_column(node: ast.expr, scope: ApiContext) -> bool:
    """Whether ``node`` is surely a Column, and no text or number."""
    match node:
        case ast.Call(func=function) if scope.names.function(function) is not None:
            return True
        case ast.Call(func=ast.Attribute(value=of, attr=method)):
            return method in METHODS and _is_column(of, scope)
        case ast.BinOp(left=a, right=b) | ast.Compare(left=a, ops=[_], comparators=[b]):
            return _is_column(a, scope) or _is_column(b, scope)
        case ast.UnaryOp(operand=a):
            return _is_column(a, scope)
        case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            bound = scope.lookup(name)
            return bound is not None and bound.is_frame
        case ast.Name(id=name):
            bound = scope.lookup(name)
            held = bound.value if bound is not None else None
            return (
                isinstance(held, Unevaluated) and not isinstance(held.node, ast.Name) and _is_column(held.node, scope)
            )
    return False


def _conjuncts(node: ast.expr, names: Names) -> tuple[str, ...]:
    """The conditions that are TRUE where ``node`` is: the operands of ``&``, and of ``when`` with one branch."""
    match node:
        case ast.BinOp(op=ast.BitAnd(), left=a, right=b):
            return (*_conjuncts(a, names), *_conjuncts(b, names))
        case ast.Call(func=function, args=[a, b], keywords=[]) if names.function(function) == "when":
            return (*_conjuncts(a, names), *_conjuncts(b, names))
        case ast.Call(func=function, args=[ast.Constant(value=str()) | ast.JoinedStr() as sql], keywords=[]):
            if names.function(function) == "expr":
                return _sql(sql)
    return (canonical(node, names),)


def alternatives(node: ast.expr, names: Names) -> tuple[tuple[str, ...], ...]:
    """The sets of conditions one of which is TRUE where the filter's condition ``node`` is: the operands of ``|``."""
    match node:
        case ast.BinOp(op=ast.BitOr(), left=a, right=b):
            return (*alternatives(a, names), *alternatives(b, names))
        case ast.Constant() | ast.JoinedStr():
            return (_sql(node),)
    return (_conjuncts(node, names),)


def _sql(sql: ast.expr) -> tuple[str, ...]:
    """The conditions that are TRUE where the text or f-string ``sql`` is."""
    return tuple(f"{ir.SQL}{told(c)}" for c in conjuncts(sql))


def canonical(node: ast.expr, names: Names) -> str:
    """The text of ``node`` with Spark's functions by their own names."""
    copied = copy.deepcopy(node)
    for mine, theirs in [*zip(ast.walk(copied), ast.walk(node), strict=True)]:  # what a name means is known of no copy
        name = names.function(theirs.func) if isinstance(theirs, ast.Call) else None
        if name is not None and isinstance(mine, ast.Call):
            mine.func = ast.Name(f"functions.{name}", ast.Load())
    return ast.unparse(copied)
