"""Whether a frame of the file is called by a name, so that ``name.column`` may be a column of it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .pyspark_symbols import FUNCTIONS

if TYPE_CHECKING:
    from .resolve import Names


def names_a_frame(names: Names, name: str) -> bool:
    """Whether a frame of the file may be called ``name``: by ``alias``, or for the table that it is."""
    for node in names.calls_of("alias"):
        texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
        if len(texts) != 1 or str(texts[0]).lower() == name.lower():
            if not (isinstance(node.func, ast.Attribute) and _is_column(node.func.value, names)):
                return True
    for node in (*names.calls_of("table"), *names.calls_of("sql")):
        texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
        if len(texts) != 1 or name.lower() in str(texts[0]).lower():
            return True
    return False


def _is_column(node: ast.expr, names: Names) -> bool:
    """Whether ``node`` is a Column: what a function of columns returns, and what is taken or made of that."""
    match node:
        case ast.Subscript(value=of):
            return _is_column(of, names)
        case ast.Call(func=func) if (function := names.function(func)) is not None:
            return function not in FUNCTIONS or FUNCTIONS[function].kind != "frame"
        case ast.Call(func=ast.Attribute(value=of)):
            return _is_column(of, names)
    return False
