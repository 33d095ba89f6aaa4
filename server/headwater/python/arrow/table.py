"""How a group looks inside the Arrow table that Spark hands to the function, once ``to_pylist()`` has made Python
values of it (measured: Spark 4.3, pyarrow 26).

A NULL is None whatever its type; a NaN stays a NaN; integers, floats, strings, booleans and dates are Python's own.
Timestamps are datetimes in the session's time zone: comparing one with a naive datetime raises. The key is a tuple of
Arrow scalars, whose ``as_py()`` is the value.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.python.pandas.group import Group
from headwater.python.rows.row_sequences import Row
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE, Col, Expr
from headwater_ir.types import Type


@dataclass(frozen=True)
class GroupTable(AbstractObject):
    """The group's table, of which the rows are left for which ``mask`` holds. ``order`` distinguishes row orders: 0
    as it arrived."""

    order: int = 0
    mask: Expr = TRUE


@dataclass(frozen=True)
class Columns(AbstractObject):
    """``table.to_pydict()``: a dict of lists."""

    table: GroupTable


@dataclass(frozen=True)
class Batch(AbstractObject):
    """One of the table's record batches; ``whole``: the list of them all."""

    whole: bool
    order: int


@dataclass(frozen=True)
class Chunked(AbstractObject):
    """A column that is not yet a list: ``element`` of each row for which ``mask`` holds, None where it is null."""

    element: Expr
    type: Type
    mask: Expr = TRUE
    order: int = 0


@dataclass(frozen=True)
class Field(Chunked):
    """``pc.field("x")``, and what is computed of it: of the table that it is used on."""


@dataclass(frozen=True)
class ArrowScalar(AbstractObject):
    """A value that is not yet Python's: ``as_py()`` is ``value``. ``type``: that of its column; None if not known."""

    value: Expr
    type: Type | None


@dataclass(frozen=True)
class Extremes(AbstractObject):
    """``pc.min_max(column)``."""

    least: ArrowScalar
    greatest: ArrowScalar


@dataclass(frozen=True)
class FirstRow(AbstractObject):
    """``rows[0]``."""

    rows: Rows


Rowlike = (Row, FirstRow)


class ArrowGroup(Group):
    """The columns of the group as ``to_pylist()`` shows them."""

    def type(self, name: str) -> Type:
        """The type of a column; refused where its values are no scalars of Python's."""
        t = super().type(name)
        if t.name == "opaque":
            raise Refusal("opaque", f"`{name}` has a type without a model")
        return t

    def view(self, name: str) -> Expr:
        """The value of column ``name`` in a row."""
        self.type(name)
        return Col(name)

    def has(self, name: str) -> bool | None:
        """Whether the frame has the column ``name``; None if that is not known."""
        if self.source.field(name) is not None or name in self.keys:
            return True
        return False if self.source.complete else None

    def numpy_scalar(self, name: str, where: str) -> None:
        """There are none here."""

    def exact_as_float(self, name: str, where: str) -> None:
        """Integers stay integers."""
