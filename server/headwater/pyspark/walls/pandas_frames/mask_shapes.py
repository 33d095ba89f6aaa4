"""Expressions that surely are masks of the rows of a frame of pandas, whatever else they read.

Law: a comparison in which a column takes part gives a boolean for each row, and so do ``&``, ``|`` and ``~`` of such
and the methods named here: ``frame[mask]`` takes rows by it, and no columns. What a column is compared with may be
anything: it decides which rows are taken, or that there is an error, but not which columns are looked at.
Counterexample: ``frame[frame["name"]]`` takes the columns that are named in that column.
"""

from __future__ import annotations

import ast

from ..column_choice import ColumnChoice
from ..places import Places
from .names import COLUMN_GOES_ON, MASKS, PANDAS

_COMPARES = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_OF_TEXT = frozenset("contains endswith fullmatch isalpha isdigit islower isnumeric isupper match startswith".split())
"""Methods of ``column.str`` that make a mask."""


class MaskShapes:
    """Tells masks in one scope."""

    def __init__(self, places: Places, choice: ColumnChoice) -> None:
        self._places, self._choice = places, choice

    def text(self, node: ast.expr, frame: str) -> str | None:
        """The text of the mask ``node`` of rows of the variable ``frame``; None if it is not sure to be one."""
        return ast.unparse(node) if self._is_mask(node, frame) else None

    def _is_mask(self, node: ast.expr, frame: str) -> bool:
        match node:
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
                return self._is_mask(left, frame) and self._is_mask(right, frame)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self._is_mask(operand, frame)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARES):
                return self._is_column(left, frame) or self._is_column(right, frame)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=of, attr="str"), attr=method)):
                return method in _OF_TEXT and self._is_column(of, frame)
            case ast.Call(func=ast.Attribute(value=of, attr=method)):
                return method in MASKS and self._is_column(of, frame)
            case ast.Name():
                made = self._places.made_once(node)
                known = made is not None and not isinstance(made, ast.Name) and self._is_mask(made, frame)
                return known and not any(map(self._may_change, self._places.named(node.id)))
        return False

    def _may_change(self, read: ast.Name) -> bool:
        """Whether something else may be put into the mask where ``read`` stands."""
        match self._places.around(read):
            case ast.Subscript(value=value, ctx=context) if value is read:
                return not isinstance(context, ast.Load)
            case ast.Attribute() | ast.Call() | ast.keyword() | ast.Starred():
                return True
        return False

    def _is_column(self, node: ast.expr, frame: str) -> bool:
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=place):
                return name == frame and self._choice.text(place) is not None
            case ast.Attribute(value=ast.Name(id=name), attr=column):
                return name == frame and column not in PANDAS and not column.startswith("_")
            case ast.Attribute(value=ast.Attribute(value=of, attr="dt")):
                return self._is_column(of, frame)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=of, attr="str"))):
                return self._is_column(of, frame)
            case ast.Call(func=ast.Attribute(value=of, attr=method)):
                return method in COLUMN_GOES_ON and self._is_column(of, frame)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Mod(), right=right):
                return self._is_column(left, frame) or self._is_column(right, frame)
        return False
