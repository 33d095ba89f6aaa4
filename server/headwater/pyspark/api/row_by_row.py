"""Calls without a model of which this much is seen: that each row of the result is made of one row of the frame, by
Spark's own functions of a row, or at least that they are called without any other function.

The former keep the order of the rows, make no more of them than there are, and have no side effect that would be missed
where rows or columns are not asked for.
"""

from __future__ import annotations

import ast

from headwater.pyspark.frames.tracked_values import TrackedFrame, Unevaluated, Unknown
from headwater.syntax.names.pyspark_symbols import FUNCTIONS
from headwater.syntax.source.ast_walk import children
from headwater_ir.plan import Cause

from .api_context import ApiContext
from .plain_columns import DEEPEST, OF_PYTHON, PlainColumns, effect_of_udf, makes_udfs

_METHODS = frozenset(
    """
    filter where select withColumn withColumns withColumnRenamed withColumnsRenamed drop fillna dropna replace toDF
    """.split()
)
_NAMES_ALONE = frozenset("withColumnRenamed withColumnsRenamed drop toDF fillna dropna replace".split())
"""Those of them that take names and constants, and evaluate no column, however they are given them."""

_KEEPS_DIFFERENT = frozenset("distinct dropDuplicates drop_duplicates".split())
"""Methods that take names of columns at most, and keep one of the rows that are equal in them."""
_SAME_EACH_TIME = ("row", "column", "aggregate", "window", "generator", "order", "frame")
"""The kinds of functions of Spark's that give the same of the same rows, and call no function of the user's."""
_FUNCTIONS = "pyspark.sql.functions"


def causes(call: ast.Call, reader: ApiContext) -> frozenset[Cause]:
    """What is known of ``call``, a method of a frame that has no model."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in _KEEPS_DIFFERENT and name not in reader.names.patches.methods:
        return frozenset({"no effects"})
    if name not in _METHODS or name in reader.names.patches.methods:
        return frozenset()
    if name in _NAMES_ALONE:
        return frozenset({"row by row", "no sessions"})
    given = (*call.args, *(k.value for k in call.keywords))
    kept = frozenset[Cause]({"filter"} if name in ("filter", "where") else ())
    if name == "select" and any(_is_of_all_rows(n, reader) for n in given):
        kept = frozenset({"few rows"})
    if kept and not all(_is_condition(n, reader) for n in given):
        return kept  # a text may call anything
    if all(map(PlainColumns(reader).is_plain, given)):
        return kept | {"row by row"}
    if all(map(PlainColumns(reader, udfs=True).is_plain, given)):
        return kept | {"pure functions"}
    return kept | {"other functions"} if all(_is_of_others(n, reader, DEEPEST) for n in given) else kept


def _is_of_all_rows(node: ast.AST, reader: ApiContext) -> bool:
    """Whether the column ``node`` is an aggregate of the whole frame, which then has one row."""
    match node:
        case ast.Lambda() | ast.Call(func=ast.Attribute(attr="over")):
            return False
        case ast.Call(func=function) if (name := reader.names.function(function)) is not None:
            known = FUNCTIONS.get(name)
            if known is not None and known.kind == "aggregate":
                return True
    return any(_is_of_all_rows(n, reader) for n in children(node))


def _is_of_others(node: ast.AST, reader: ApiContext, depth: int) -> bool:
    """Whether no function that this file hands to Spark can be in the columns that ``node`` gives, but for those of
    which nothing shows that they do more than compute."""
    match node:
        case ast.Call(func=function) if (known_effect := effect_of_udf(function, reader)) is not None:
            given = (*node.args, *node.keywords)
            return known_effect != "some" and all(_is_of_others(n, reader, depth) for n in given)
        case ast.Call(func=function) if reader.names.function(function) is not None:
            return all(_is_of_others(n, reader, depth) for n in (*node.args, *node.keywords))
        case ast.Attribute(value=ast.Name(id=name)) if _holds_values(name, reader, depth):
            return True
        case ast.Constant(value=str(text)):
            return "(" not in text  # which may call a function that is registered here
        case ast.Name(id=name) if name not in reader.names.imported:
            bound = reader.lookup(name)
            if _is_defined_here(name, reader):
                return False  # other code may make a function of Spark's of it
            if bound is not None and isinstance(bound.value, Unevaluated):
                made = bound.value.node
                if makes_udfs(reader.names) and not PlainColumns(reader).is_kept(name, made):
                    return False
                return depth > 0 and not bound.outdated(reader.lookup) and _is_of_others(made, reader, depth - 1)
            known = reader.names.resolve(node) or ""
            return (
                known in OF_PYTHON if known.startswith("builtins.") else PlainColumns(reader).names_plain(node, depth)
            )
        case ast.Call(func=ast.Name(id=name)) if not makes_udfs(reader.names) and reader.names.ctx.function(name):
            given = (*node.args, *node.keywords)
            return _makes_no_udf(name, reader, depth) and all(_is_of_others(n, reader, depth) for n in given)
        case ast.Call(func=ast.Name(id=name)) | ast.Attribute(value=ast.Name(id=name)):
            bound = reader.lookup(name)
            plain = bound is None and reader.names.resolve(ast.Name(name, ast.Load())) is None  # of a comprehension
            frame = bound is not None and isinstance(bound.frame or bound.value, TrackedFrame)
            builtin = reader.names.resolve(ast.Name(name, ast.Load())) in OF_PYTHON
            if name not in reader.names.imported and not plain and not frame and not builtin:
                return False
        case ast.Lambda() | ast.Call(func=ast.Subscript()):
            return False  # a container may hold functions of this file
        case ast.Attribute(value=ast.Subscript(value=ast.Name(id=name))) if name not in reader.names.imported:
            bound = reader.lookup(name)
            if bound is None or not isinstance(bound.frame or bound.value, TrackedFrame):
                return False
    return all(_is_of_others(n, reader, depth) for n in children(node))


def _makes_no_udf(name: str, reader: ApiContext, depth: int) -> bool:
    """Whether the function ``name`` of this file, in which no function of Spark's is made, returns no column that may
    differ from time to time, as far as it is made here: it does nothing with Spark's functions but call them."""
    function, names = reader.names.ctx.function(name), reader.names
    nodes = [] if function is None else [*ast.walk(function)]
    called = [n.func for n in nodes if isinstance(n, ast.Call)]
    parts = {id(p) for f in called for p in (f, f.value if isinstance(f, ast.Attribute) else f)}
    named = (n for n in nodes if isinstance(n, (ast.Name, ast.Attribute)) and id(n) not in parts)
    held = any(names.function(n) is not None or names.resolve(n) == _FUNCTIONS for n in named)
    own = {f.id for f in called if isinstance(f, ast.Name) and names.ctx.function(f.id) is not None}
    sparks = (FUNCTIONS.get(n) for f in called if (n := names.function(f)) is not None)
    same = not held and all(f is not None and f.kind in _SAME_EACH_TIME for f in sparks)
    return depth > 0 and same and all(_makes_no_udf(n, reader, depth - 1) for n in own)


def _holds_values(name: str, reader: ApiContext, depth: int) -> bool:
    """Whether the variable holds what code gives that names nothing of Spark's, and no function or class of this file,
    and nothing but such values, and what is of other files, is put into its attributes."""
    bound = reader.lookup(name)
    if (
        bound is None
        or not isinstance(bound.value, Unevaluated)
        or not _names_no_columns(bound.value.node, reader, depth)
    ):
        return False
    if reader.is_module or name not in reader.own:
        return False  # other code may put something into it
    put = (
        n for s in reader.body for n in ast.walk(s)
        if isinstance(n, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        for t in (n.targets if isinstance(n, ast.Assign) else [n.target])
        if isinstance(t, ast.Attribute) and isinstance(t.value, ast.Name) and t.value.id == name
    )  # fmt: skip
    return depth > 0 and all(n.value is not None and _is_of_others(n.value, reader, depth - 1) for n in put)


def _names_no_columns(made: ast.expr, reader: ApiContext, depth: int) -> bool:
    """Whether ``made`` is a call of an imported function, of a method of what one gives, or of a plain function of this
    file, that has no column to give."""
    match made:
        case ast.Call(func=ast.Name(id=name)) if (function := reader.names.ctx.function(name)) is not None:
            nodes = [n for s in function.body for n in ast.walk(s)]
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name not in reader.names.imported:
            owner = reader.lookup(name)
            if depth == 0 or owner is None or not isinstance(owner.value, Unevaluated):
                return False
            if not _names_no_columns(owner.value.node, reader, depth - 1):
                return False
            nodes = []
        case ast.Call(func=called) if reader.names.resolve(called) is not None:
            nodes = [called]
        case _:
            return False
    names = [n for n in nodes if isinstance(n, (ast.Name, ast.Attribute))]
    if any((reader.names.resolve(n) or "").startswith("pyspark.") for n in names):
        return False
    given = (*made.args, *made.keywords)
    plain = not any(isinstance(n, ast.Name) and _is_defined_here(n.id, reader) for n in names)
    return plain and all(_is_of_others(n, reader, depth) for n in given)


def _is_defined_here(name: str, reader: ApiContext) -> bool:
    """Whether ``name`` may be a function or class of this file."""
    bound = reader.lookup(name)
    if bound is not None and isinstance(bound.value, Unknown) and bound.value.why in ("a function", "a class"):
        return True
    return not reader.names.ctx.bound_by(name).isdisjoint((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))


def _is_condition(node: ast.expr, reader: ApiContext, depth: int = DEEPEST) -> bool:
    """Whether ``node`` is a Column, and no text that may call a function of this file."""
    match node:
        case ast.Compare() | ast.BinOp(op=ast.BitAnd() | ast.BitOr()) | ast.UnaryOp(op=ast.Invert()):
            return True
        case ast.Call(func=function):
            return not (reader.names.resolve(function) or "").startswith("builtins.")
        case ast.Name(id=name) if (bound := reader.lookup(name)) is not None:
            if isinstance(bound.value, Unevaluated):
                return depth > 0 and _is_condition(bound.value.node, reader, depth - 1)
            return isinstance(bound.value, Unknown) and bound.value.why is None and not makes_udfs(reader.names)
    return False
