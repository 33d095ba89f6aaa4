"""Which expressions read as a Spark session or a Spark context where a source is made of them.

A name that the file binds is what the file makes it: an object of a class of its own, or a literal, is neither. What
comes from elsewhere (a parameter, an attribute, the result of a function, an import) goes by the words of its name, as
a parameter with the methods of a frame goes for a frame.
Counterexample: ``sc = Store()``, whose ``parallelize`` returns rows of its own.
"""

from __future__ import annotations

import ast
import re
from typing import Literal

from headwater.syntax.names.resolve import Names

from .constant_text import Lookup, assigned

Kind = Literal["session", "context"]
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DEEPEST = 4


def reads_as(node: ast.expr, kind: Kind, names: Names, lookup: Lookup) -> bool:
    """Whether ``node`` may be a session (also a ``SQLContext``) or a context: nothing else for certain, and called so,
    or made by what is called so."""
    made = _value(assigned(node, names, lookup), names)
    return not is_another(node, names) and (_is_called_so(node, kind) or _is_called_so(made, kind))


def is_another(node: ast.expr, names: Names) -> bool:
    """Whether ``node`` is surely no object of Spark's: a literal, a class of the file or an object of one."""
    match _value(node, names):
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)):
            return names.ctx.class_definition(name) is not None
        case (
            ast.Call() | ast.Attribute() | ast.Subscript() | ast.Await() | ast.NamedExpr() | ast.IfExp() | ast.BoolOp()
        ):
            return False
    return True


def _value(node: ast.expr, names: Names) -> ast.expr:
    """What the only assignments of names make of ``node``."""
    for _ in range(_DEEPEST):
        value = names.ctx.constant(node.id) if isinstance(node, ast.Name) else None
        if value is None:
            break
        node = value
    return node


def _is_called_so(node: ast.expr, kind: Kind) -> bool:
    """Whether a name in ``a.b(…).c`` has the words for it; of a context, the last one."""
    while True:
        match node:
            case ast.Call(func=inner):
                node = inner
            case ast.Attribute(value=inner, attr=name):
                if _has_the_words(name, kind):
                    return True
                if kind == "context":
                    return False
                node = inner
            case ast.Name(id=name):
                return _has_the_words(name, kind)
            case _:
                return False


def _has_the_words(name: str, kind: Kind) -> bool:
    words = [w.lower() for w in _WORD.findall(name)]
    if kind == "context":
        return "context" in words or words[-1:] == ["sc"]
    return "spark" in words or (bool({"sql", "hive"} & {*words}) and bool({"context", "ctx"} & {*words}))
