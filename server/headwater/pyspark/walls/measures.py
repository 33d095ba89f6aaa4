"""Conditions and columns as they are spelled: what is asked of rows, told by a text that does not depend on how the
file imports Spark's functions.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable
from typing import NamedTuple

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.plain_columns import makes_udfs
from headwater.pyspark.columns.determinism import METHODS, is_rowwise
from headwater.pyspark.columns.sql_conjuncts import conjuncts, told
from headwater.pyspark.columns.sql_determinism import is_rowwise_sql
from headwater.pyspark.columns.sql_templates import filled, put_in, template
from headwater.pyspark.frames.tracked_values import Unevaluated, Unknown
from headwater.syntax.names.resolve import Names
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption

from .literals import text

OF_FILES = "_metadata"


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
    sql = held_text(node, scope)
    if sql is not None:
        known = _in_sql(sql, scope)
        in_column = (f"functions.expr({ast.unparse(node)})",)
        return known if known is None or sql is node else known._replace(node=node, conditions=in_column)
    if not is_column(node, scope) or not is_rowwise(node, scope.names, scope.lookup, put_in=True):
        return None
    if not _frames_in(node, scope) <= {frame} or OF_FILES in ast.unparse(node):
        return None
    assumed = _if_names(_sql_texts(node, scope), scope)
    return None if assumed is None else Spelled(node, "column", conditions_in(node, scope.names), assumed=assumed)


def held_text(node: ast.expr, scope: ApiContext) -> ast.Constant | ast.JoinedStr | None:
    """The text or f-string that ``node`` is, or that it holds as a variable."""
    if isinstance(node, ast.Name) and node.id not in scope.names.rebound:
        bound = scope.lookup(node.id)
        if bound is not None and isinstance(bound.value, Unevaluated) and bound.outdated(scope.lookup) is None:
            node = bound.value.node
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return node
    return None


def _in_sql(node: ast.Constant | ast.JoinedStr, scope: ApiContext) -> Spelled | None:
    """The condition that the text or f-string ``node`` is, with names or values in the place of what is put in."""
    if isinstance(node, ast.Constant):
        sql, assumed = text(node), _if_names([], scope)
    else:
        sql = filled(template(node) or "") if is_rowwise(node, scope.names, scope.lookup) else None
        assumed = _if_names([node], scope)
    if sql is None or assumed is None or not is_rowwise_sql(sql, scope.names) or OF_FILES in sql:
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
        return named(node) if re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", name) and name != OF_FILES else None
    if isinstance(node, ast.Name) and (known := given(node, scope)) is not None:
        return known
    if not is_column(node, scope) or not is_rowwise(node, scope.names, scope.lookup):
        return None
    if not _frames_in(node, scope) <= {frame} or OF_FILES in ast.unparse(node):
        return None
    return Spelled(node, "column", (canonical(node, scope.names),))


def named(node: ast.expr) -> Spelled:
    """The column that the constant ``node`` names."""
    return Spelled(node, "name", (by_its_name(node),))


def given(node: ast.Name, scope: ApiContext) -> Spelled | None:
    """The column whose name a variable of unknown value holds."""
    bound = scope.lookup(node.id)
    held = None if bound is None else bound.value
    if not isinstance(held, Unknown) or held.why is not None or node.id in scope.names.rebound:
        return None
    assumed = Assumption("keys", f"`{node.id}` is the plain name of a column")
    return Spelled(node, "column", (node.id,), assumed=(assumed,))


def by_its_name(node: ast.expr) -> str:
    """The text of the column that the constant ``node`` names."""
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
            if is_column(held.node, scope) and speaks_of_spark(held.node, scope):
                return True
    return False


def column_name(node: ast.expr, names: Names) -> str | None:
    """The column that the argument ``node`` of a function names plainly."""
    match node:
        case ast.Constant(value=str() as name):
            return name if name.isidentifier() else None
        case ast.Call(func=function, args=[ast.Constant(value=str() as name)], keywords=[]):
            return name if names.function(function) == "col" and name.isidentifier() else None
    return None


def _frames_in(node: ast.expr, scope: ApiContext, within: str = "") -> set[str]:
    """The variables of frames whose columns ``node`` is made of; for those in a variable that was made of what may have
    been another frame then, that variable."""
    found = set[str]()
    for part in ast.walk(node):
        bound = scope.lookup(part.id) if isinstance(part, ast.Name) else None
        if bound is None or not isinstance(part, ast.Name) or part.id == within:
            continue
        if bound.is_frame:
            found.add(part.id)
        elif isinstance(bound.value, Unevaluated):
            of = _frames_in(bound.value.node, scope, part.id)
            found |= of if bound.outdated(scope.lookup) is None else {part.id} if of else set()
    return found


def is_column(node: ast.expr, scope: ApiContext) -> bool:
    """Whether ``node`` is surely a Column, and no text or number."""
    match node:
        case ast.Call(func=function) if scope.names.function(function) is not None:
            return True
        case ast.Call(func=ast.Attribute(value=of, attr=method)):
            return method in METHODS and is_column(of, scope)
        case ast.BinOp(left=a, right=b) | ast.Compare(left=a, ops=[_], comparators=[b]):
            return is_column(a, scope) or is_column(b, scope)
        case ast.UnaryOp(operand=a):
            return is_column(a, scope)
        case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            bound = scope.lookup(name)
            return bound is not None and bound.is_frame
        case ast.Name(id=name):
            bound = scope.lookup(name)
            held = bound.value if bound is not None else None
            return isinstance(held, Unevaluated) and not isinstance(held.node, ast.Name) and is_column(held.node, scope)
    return False


def conditions_in(node: ast.expr, names: Names) -> tuple[str, ...]:
    """The conditions that are TRUE where ``node`` is: the operands of ``&``, and of ``when`` with one branch."""
    match node:
        case ast.BinOp(op=ast.BitAnd(), left=a, right=b):
            return (*conditions_in(a, names), *conditions_in(b, names))
        case ast.Call(func=function, args=[a, b], keywords=[]) if names.function(function) == "when":
            return (*conditions_in(a, names), *conditions_in(b, names))
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
    return (conditions_in(node, names),)


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
