"""What annotations and checks of types say of a value: whether it is one of Spark's frames.

An annotation binds nobody: Python does not look at it. So what rests on one is an assumption; a check is not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from headwater.syntax.names.module_scope import path_of
from headwater.syntax.names.resolve import Names
from headwater_ir.assumptions import Assumption

_FRAMES = frozenset(
    f"pyspark.sql.{module}DataFrame" for module in ("", "dataframe.", "classic.dataframe.", "connect.dataframe.")
)
_OPTIONAL, _UNION = frozenset({"typing.Optional"}), frozenset({"typing.Union"})


def says_frame(annotation: ast.expr | None, names: Names) -> bool:
    """Whether ``annotation``, perhaps in quotes, allows nothing but a frame of Spark's, or None."""
    return annotation is not None and _says_frame(annotation, names, quoted=False)


def _says_frame(node: ast.expr, names: Names, *, quoted: bool) -> bool:
    match node:
        case ast.Constant(value=str(text)) if not quoted:
            try:
                return _says_frame(ast.parse(text.strip(), mode="eval").body, names, quoted=True)
            except (SyntaxError, ValueError):
                return False
        case ast.BinOp(op=ast.BitOr()):
            each = [*_parts(node)]
        case ast.Subscript(value=of, slice=inner) if _named(of, names, quoted) in _OPTIONAL:
            each = [inner]
        case ast.Subscript(value=of, slice=ast.Tuple(elts=inside)) if _named(of, names, quoted) in _UNION:
            each = inside
        case _:
            return _named(node, names, quoted) in _FRAMES
    others = [n for n in each if not (isinstance(n, ast.Constant) and n.value is None)]
    return bool(others) and all(_says_frame(n, names, quoted=quoted) for n in others)


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """The alternatives of ``a | b | c``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from (*_parts(node.left), *_parts(node.right))
    else:
        yield node


def _named(node: ast.expr, names: Names, quoted: bool) -> str | None:
    """The dotted origin of ``node``. Names in quotes are those of the module, if nothing else is called so."""
    if not quoted:
        return names.resolve(node)
    path = path_of(node)
    return names.resolve_path(path[0], False) if path else None


def by_annotation(what: str) -> Assumption:
    """That ``what``, a name or a call as it is written, is one of Spark's frames."""
    return Assumption("type", f"{what} is a DataFrame of Spark, as its annotation says")


def checked(test: ast.expr, holds: bool, names: Names) -> tuple[ast.expr, ...]:
    """The expressions that are frames of Spark where ``test`` is true, or is false if not ``holds``."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=of):
            return checked(of, not holds, names)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And if holds else ast.Or):
            return tuple(n for v in values for n in checked(v, holds, names))
        case ast.Call(func=ast.Name() as func, args=[of, kinds], keywords=[]) if holds:
            if names.resolve(func) != "builtins.isinstance":
                return ()
            each = kinds.elts if isinstance(kinds, ast.Tuple) else [*_parts(kinds)]
            return (of,) if each and all(names.resolve(k) in _FRAMES for k in each) else ()
    return ()
