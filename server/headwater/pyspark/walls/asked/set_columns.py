"""Columns of a frame of the driver's that are set, each value from its own row, before masks take rows of it.

Law: what such a column holds in a row is the same in a frame that lacks other rows. Conditions: the table of
expressions below is closed; of what they read, the types of pandas' do not depend on other rows (``sources``); texts
that ``to_datetime`` reads have one format, which it takes from the first of them, and what ``to_numeric`` reads are
numbers, for it makes whole numbers or floats by what all texts are.
Counterexample: ``frame["total"] = frame["amount"].cumsum()``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from headwater_ir.assumptions import Assumption
from headwater_ir.plan import Schema

from ..literals import plain_text
from ..pandas_frames.names import PANDAS, is_plain, is_plain_call
from ..places import Places
from .conditions import NotReadError

_TYPES = frozenset("float float64 int int64 str".split())
_EACH = frozenset("abs round".split())
"""Methods of a column that make one value of each, of the same type."""
_TEXTS = frozenset("capitalize lower lstrip rstrip strip title upper zfill".split())
_DAYS = frozenset("date day dayofweek hour minute month quarter second weekday year".split())
_TIMES = frozenset({"date", "timestamp", "timestamp_ntz"})
_NUMBERS = frozenset({"int", "float"})


class SetColumn(NamedTuple):
    """``frame[name] = value``."""

    name: str
    value: ast.expr
    statement: ast.Assign


def set_at(read: ast.Name, places: Places, text: Callable[[ast.expr], str | None]) -> SetColumn | None:
    """The column that the statement sets in which ``read`` is the frame; None if it is read otherwise. ``text``: the
    text that an expression surely is."""
    item = places.around(read)
    if not isinstance(item, ast.Subscript) or item.value is not read or not isinstance(item.ctx, ast.Store):
        return None
    name, statement = text(item.slice), places.around(item)
    if name is None or not isinstance(statement, ast.Assign) or statement.targets != [item]:
        return None
    return SetColumn(name, statement.value, statement)


class Sources:
    """What columns of a frame are made of: by the names of those that are set, those of Spark's (``columns``), and what
    must be so of these (``assumed``)."""

    def __init__(
        self, frame: str, schema: Schema, resolve: Callable[[ast.expr], str | None],
        text: Callable[[ast.expr], str | None],
    ) -> None:  # fmt: skip
        self._frame, self._schema, self._resolve, self._text = frame, schema, resolve, text
        self.columns: dict[str, frozenset[str]] = {}
        self.assumed: dict[str, Assumption] = {}

    def add(self, made: SetColumn) -> None:
        """Note what ``made`` is made of; NotReadError where its values may depend on other rows."""
        self.columns[made.name] = self._of(made.value)

    def of(self, names: frozenset[str]) -> frozenset[str]:
        """The columns of Spark's that ``names`` are made of."""
        return frozenset().union(*(self.columns.get(n, (n,)) for n in names))

    def _of(self, node: ast.expr) -> frozenset[str]:
        match node:
            case ast.Constant(value=int() | float() | str()):
                return frozenset()
            case ast.Subscript() | ast.Attribute(value=ast.Name()):
                return self.of(frozenset((self._plain(node),)))
            case ast.Attribute(value=ast.Attribute(value=of, attr="dt"), attr=part) if part in _DAYS:
                found = self._of(of)
                for name in sorted(found):  # a day that is missing makes floats of the others
                    self.assumed[f"{name} null"] = Assumption("nulls", f"`{name}` holds no NULL")
                return found
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
                return self._of(left) | self._of(right)
            case ast.UnaryOp(op=ast.USub(), operand=of):
                return self._of(of)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=of, attr="str"), attr=method)):
                if method in _TEXTS and is_plain_call(node):
                    return self._of(of)
            case ast.Call(func=ast.Attribute(value=of, attr="astype"), args=[wanted], keywords=[]):
                of_type = wanted.id if isinstance(wanted, ast.Name) else plain_text(wanted)
                own = not isinstance(wanted, ast.Name) or self._resolve(wanted) == f"builtins.{of_type}"
                if of_type in _TYPES and own:
                    return self._of(of)
            case ast.Call(func=ast.Attribute(value=of, attr=method)) if method in _EACH and is_plain_call(node):
                return self._of(of)
            case ast.Call(func=function, args=[of], keywords=given):
                return self._converted(self._resolve(function), self._plain(of), given)
        raise NotReadError

    def _plain(self, node: ast.expr) -> str:
        """The name of the column that ``node`` is."""
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=place) if name == self._frame:
                if (column := self._text(place)) is not None:
                    return column
            case ast.Attribute(value=ast.Name(id=name), attr=column) if name == self._frame and column not in PANDAS:
                return column
        raise NotReadError

    def _converted(self, function: str | None, name: str, given: list[ast.keyword]) -> frozenset[str]:
        kind = self._schema.type_of(name).name
        if name in self.columns:
            raise NotReadError
        if function == "pandas.to_numeric" and not given and kind in (*_NUMBERS, "number", "any"):
            if kind not in _NUMBERS:
                self.assumed[f"{name} number"] = Assumption("type", f"`{name}` holds numbers")
            return frozenset((name,))
        if function == "pandas.to_datetime" and all(k.arg == "format" and is_plain(k.value) for k in given):
            if kind not in _TIMES and not given:
                text = f"`{name}` holds dates or times, or texts of one format"
                self.assumed[f"{name} time"] = Assumption("type", text)
            return frozenset((name,))
        raise NotReadError
