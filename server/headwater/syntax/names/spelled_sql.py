"""Whether a file hands Spark a name in SQL, in any case, or in a text that it puts together."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from headwater.syntax.source import ast_walk

if TYPE_CHECKING:
    from .module_scope import Context

Spelled = Literal["no", "unknown", "yes"]
_TAKE_SQL = frozenset("sql expr selectExpr call_function call_udf".split())


def is_filled_in(text: str) -> bool:
    """Whether ``text`` in SQL may not mean itself: Spark replaces ``${name}`` by a setting, also inside of literals,
    and by nothing where there is none."""
    return "${" in text


def may_spell(ctx: Context, name: str) -> Spelled:
    """Whether a text or the code of the file holds ``name``, which is in lower case; unknown if it hands Spark a text
    of which some part is not written in the file."""
    if name in ctx.source.lower():  # SQL does not tell upper case from lower case
        return "yes"
    found: Spelled = "no"
    constant: set[ast.AST] = set()
    for node in ast_walk.walk(ctx.tree):
        match node:
            case ast.Call(func=ast.Attribute() | ast.Name() as function, args=args, keywords=keywords):
                texts = [_text(a, ctx) for a in (*args, *(k.value for k in keywords))]
                if any(t is not None and name in t.lower() for t in texts):
                    return "yes"
                if all(t is not None for t in texts):
                    constant.add(function)
            case ast.Constant(value=str(text)) if name in text.lower():
                return "yes"
            case ast.Attribute(value=ast.Name(id="pyspark")):
                pass
            case ast.Attribute(attr=used) | ast.Name(id=used) if used in _TAKE_SQL and node not in constant:
                found = "unknown"
            case ast.alias(name=used, asname=str(other)) if used in _TAKE_SQL and other != used:
                found = "unknown"
    return found


def _text(node: ast.expr, ctx: Context) -> str | None:
    """The text that ``node`` is, if all of its parts are written in the file."""
    match node:
        case ast.Constant(value=value):
            return str(value)
        case ast.Name(id=name) if isinstance(made := ctx.constant(name), ast.Constant):
            return str(made.value)
        case ast.JoinedStr(values=values):
            parts = [_text(v, ctx) for v in values]
            return None if None in parts else "".join(p for p in parts if p is not None)
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return _text(value, ctx)
        case ast.BinOp(left, ast.Add(), right):
            first, second = _text(left, ctx), _text(right, ctx)
            return None if first is None or second is None else first + second
    return None
