"""Calls without a model of which this much is seen: that each row of the result is made of one row of the frame, by
Spark's own functions of a row.

So they keep the order of the rows, make no more of them than there are, and have no side effect that would be missed
where rows or columns are not asked for. What is handed in from other code is taken to be no column that hides a
function of the user's, as a frame from there is taken to hide none.
"""

from __future__ import annotations

import ast

from headwater.pyspark.frames.tracked_values import TrackedFrame, Udf, Unevaluated, Unknown
from headwater.syntax.names.pyspark_symbols import CALLING, FUNCTIONS
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.ast_walk import children
from headwater_ir.plan import Cause

from .api_context import ApiContext

_METHODS = frozenset(
    "filter where select withColumn withColumns withColumnRenamed withColumnsRenamed drop fillna dropna toDF".split()
)
_NAMES_ALONE = frozenset("withColumnRenamed withColumnsRenamed drop toDF fillna dropna".split())
"""Those of them that take names and constants, and evaluate no column, however they are given them."""
_OF_COLUMNS = frozenset(
    """
    alias asc astype between cast contains desc endswith eqNullSafe getField getItem ilike isNaN isNotNull isNull isin
    like name otherwise rlike startswith substr when
    """.split()
)
_OF_PYTHON = frozenset(
    f"builtins.{n}" for n in "bool enumerate float int len list range set sorted str tuple zip".split()
)
_KINDS = ("row", "column", "session")
_PLAIN = (
    ast.Attribute, ast.Subscript, ast.Slice, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.List,
    ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.JoinedStr, ast.FormattedValue, ast.ListComp, ast.GeneratorExp,
    ast.comprehension, ast.keyword, ast.operator, ast.boolop, ast.unaryop, ast.cmpop, ast.expr_context,
)  # fmt: skip
_MAKES_UDFS = ("udf", "Udf", "UDF", "register", "Register")
_DEEPEST = 4
"""So many variables are looked up on the way to what a column is made of."""


def causes(call: ast.Call, reader: ApiContext) -> frozenset[Cause]:
    """What is known of ``call``, a method of a frame that has no model."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name not in _METHODS or name in reader.names.patches.methods:
        return frozenset()
    if name in _NAMES_ALONE:
        return frozenset({"row by row"})
    given = (*call.args, *(k.value for k in call.keywords))
    kept = frozenset[Cause]({"filter"} if name in ("filter", "where") else ())
    if kept and not all(_is_condition(n, reader) for n in given):
        return kept  # a text may call anything
    if all(_is_plain(n, reader, _DEEPEST) for n in given):
        return kept | {"row by row"}
    return kept | {"other functions"} if all(_is_of_others(n, reader, _DEEPEST) for n in given) else kept


def _is_of_others(node: ast.AST, reader: ApiContext, depth: int) -> bool:
    """Whether no function that this file hands to Spark can be in the columns that ``node`` gives."""
    match node:
        case ast.Constant(value=str(text)):
            return "(" not in text  # which may call a function that is registered here
        case ast.Name(id=name) if name not in reader.names.imported:
            bound = reader.lookup(name)
            if _is_defined_here(name, reader):
                return False  # other code may make a function of Spark's of it
            if bound is not None and isinstance(bound.value, Unevaluated):
                made = bound.value.node
                if name in reader.names.mutated and makes_udfs(reader.names):
                    return False
                return depth > 0 and not bound.outdated(reader.lookup) and _is_of_others(made, reader, depth - 1)
            known = reader.names.resolve(node) or ""
            return known in _OF_PYTHON if known.startswith("builtins.") else _names_plain(node, name, reader, depth)
        case ast.Call(func=ast.Name(id=name)) | ast.Attribute(value=ast.Name(id=name)):
            bound = reader.lookup(name)
            plain = bound is None and reader.names.resolve(ast.Name(name, ast.Load())) is None  # of a comprehension
            frame = bound is not None and isinstance(bound.frame or bound.value, TrackedFrame)
            builtin = reader.names.resolve(ast.Name(name, ast.Load())) in _OF_PYTHON
            if name not in reader.names.imported and not plain and not frame and not builtin:
                return False
        case ast.Lambda() | ast.Call(func=ast.Subscript()):
            return False  # a container may hold functions of this file
        case ast.Attribute(value=ast.Subscript(value=ast.Name(id=name))) if name not in reader.names.imported:
            bound = reader.lookup(name)
            if bound is None or not isinstance(bound.frame or bound.value, TrackedFrame):
                return False
    return all(_is_of_others(n, reader, depth) for n in children(node))


def _is_defined_here(name: str, reader: ApiContext) -> bool:
    """Whether ``name`` may be a function or class of this file."""
    bound = reader.lookup(name)
    if bound is not None and isinstance(bound.value, Unknown) and bound.value.why in ("a function", "a class"):
        return True
    return not reader.names.ctx.bound_by(name).isdisjoint((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))


def _is_condition(node: ast.expr, reader: ApiContext) -> bool:
    """Whether ``node`` is a Column, and no text."""
    match node:
        case ast.Compare() | ast.BinOp(op=ast.BitAnd() | ast.BitOr()) | ast.UnaryOp(op=ast.Invert()):
            return True
        case ast.Call(func=function):
            return not (reader.names.resolve(function) or "").startswith("builtins.")
    return False


def _is_plain(node: ast.AST, reader: ApiContext, depth: int) -> bool:
    """Whether ``node`` is made of constants, columns and Spark's functions of a row."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return _names_plain(node, name, reader, depth)
        case ast.Attribute(value=ast.Name()) if not makes_udfs(reader.names):
            return True
        case ast.Call(func=function, args=[ast.Name() | ast.Attribute() | ast.JoinedStr()], keywords=[]) if (
            reader.names.function(function) in ("col", "column")
        ):
            return True  # whatever name that is
        case ast.Call(func=function):
            parts = (*node.args, *node.keywords)
            return _is_known(function, reader, depth) and all(_is_plain(n, reader, depth) for n in parts)
    return isinstance(node, _PLAIN) and all(_is_plain(n, reader, depth) for n in children(node))


def _is_known(function: ast.expr, reader: ApiContext, depth: int) -> bool:
    known = reader.names.function(function)
    if known is not None:
        return known in FUNCTIONS and FUNCTIONS[known].kind in _KINDS and known not in CALLING
    origin = reader.names.resolve(function) or ""
    if origin in _OF_PYTHON or origin.startswith("pyspark.sql.types."):
        return True
    match function:
        case ast.Attribute(value=owner, attr=method) if method in _OF_COLUMNS:
            return _is_plain(owner, reader, depth)
    return False


def makes_udfs(names: Names) -> bool:
    """Whether the file may make a function of the user's, by the words that it has."""
    return any(map(names.ctx.mentions, _MAKES_UDFS))


def _names_plain(node: ast.Name, name: str, reader: ApiContext, depth: int) -> bool:
    bound = reader.lookup(name)
    if not isinstance(bound and bound.value, (Udf, Unevaluated)) and not makes_udfs(reader.names):
        return True  # there is no function of the file's that it could hide
    if bound is None:  # of a comprehension, or of another module
        return reader.names.resolve(node) is None or name in reader.names.imported
    match bound.value:
        case TrackedFrame():
            return True
        case Unknown(why=None, origin=origin):
            return origin.startswith("parameter ")
        case Unevaluated(node=made):
            return depth > 0 and not bound.outdated(reader.lookup) and _is_plain(made, reader, depth - 1)
    return False
