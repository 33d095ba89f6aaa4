"""Which expression is a Spark session or a Spark context, by what the file binds.

The rule: a name is what its only assignment makes it, whatever it is called. ``spark`` and ``sc`` are what a notebook
or a shell provides if nothing in the file binds them. What comes from elsewhere (a parameter, an import, an attribute)
is a session or a context only by an assumption, which its usual name suggests and the certificate states.
Counterexample: ``sc = Counting()``, whose ``broadcast`` gives an object that changes when it is read.
"""

from __future__ import annotations

import ast
from typing import Literal

from .program import Program

Kind = Literal["session", "context"]
PROVIDED: dict[str, Kind] = {"spark": "session", "sc": "context"}
"""The names that a notebook or a shell binds."""
_USUAL: dict[str, Kind] = {
    **dict.fromkeys(("spark", "_spark", "spark_session", "sparkSession"), "session"),
    **dict.fromkeys(("sc", "_sc", "spark_context", "sparkContext", "context"), "context"),
}
BUILDERS = ("pyspark.sql.SparkSession.builder", "pyspark.sql.session.SparkSession.builder")
_MADE_BY: dict[str, Kind] = {
    **{f"pyspark.sql.{m}SparkSession.{f}": "session" for m in ("", "session.") for f in ("getActiveSession", "active")},
    **{f"pyspark.{m}SparkContext{f}": "context" for m in ("", "context.") for f in ("", ".getOrCreate")},
}
_BUILDING = frozenset("appName config enableHiveSupport master remote".split())
_DEEPEST = 4


def kind_of(program: Program, node: ast.expr, depth: int = 0) -> Kind | None:
    """Whether ``node`` is a session or a context, perhaps by an assumption; None if neither is known of it."""
    match node:
        case ast.Name():
            return _of_name(program, node, depth)
        case ast.Call(func=func):
            made = _MADE_BY.get(program.origin(func) or "")
            if made is not None:
                return made
            if isinstance(func, ast.Attribute) and func.attr == "newSession":
                return "session" if kind_of(program, func.value, depth) == "session" else None
            return "session" if _is_built(program, node) else None
        case ast.Attribute(value=owner, attr=attr) if program.origin(node) is None:
            if attr in ("sparkContext", "_sc") and kind_of(program, owner, depth) == "session":
                return "context"
            return _trusted(program, node, attr)
    return None


def _of_name(program: Program, node: ast.Name, depth: int) -> Kind | None:
    name = node.id
    if program.origin(node) is not None:
        return _trusted(program, node, name)
    if not program.is_bound(name):
        return PROVIDED.get(name)
    if program.is_parameter(name):
        return _trusted(program, node, name)
    value = program.constant(name)
    return kind_of(program, value, depth + 1) if value is not None and depth < _DEEPEST else None


def _trusted(program: Program, node: ast.expr, name: str) -> Kind | None:
    kind = _USUAL.get(name)
    if kind is not None:
        program.assume(f"`{program.text(node)}` is a Spark {kind}")
    return kind


def _is_built(program: Program, call: ast.Call) -> bool:
    """Whether ``call`` is ``SparkSession.builder….getOrCreate()``."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "getOrCreate":
        return False
    node = call.func.value
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _BUILDING:
        node = node.func.value
    return program.origin(node) in BUILDERS
