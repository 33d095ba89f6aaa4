"""Constants of the driver's code: numbers, texts, lists of texts and slices."""

from __future__ import annotations

import ast

from headwater_ir import demand as ir


def one_or_more(node: ast.expr) -> tuple[str, ...] | None:
    name = text(node)
    return texts(node) if name is None else (name,)


def slice_of(place: ast.expr) -> ir.Reading | None:
    """The steps of ``[start:stop]`` with places from the front."""
    if not isinstance(place, ast.Slice) or place.step is not None:
        return None
    start = 0 if place.lower is None else number(place.lower)
    stop = None if place.upper is None else number(place.upper)
    if start is None or start < 0 or place.upper is None or stop is None or stop < start:
        return None
    return (*((ir.Skipped(start),) if start else ()), ir.Limited(stop - start))


def number(node: ast.expr) -> int | None:
    """The whole number that stands there."""
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)) if not isinstance(value, bool):
            return -value
    return None


def text(node: ast.expr) -> str | None:
    """The text that stands there."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def plain_text(node: ast.expr) -> str | None:
    """The text that stands there, perhaps as ``f"text"``."""
    if isinstance(node, ast.JoinedStr):
        parts = [t for p in node.values if (t := text(p)) is not None]
        return "".join(parts) if len(parts) == len(node.values) else None
    return text(node)


def texts(node: ast.expr) -> tuple[str, ...] | None:
    """The different texts of the list that stands there."""
    if not isinstance(node, ast.List) or not node.elts:
        return None
    found = [n for e in node.elts if (n := text(e)) is not None]
    return tuple(found) if len({*found}) == len(node.elts) else None
