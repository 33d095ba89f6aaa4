"""Frames that are made of a frame: some of its rows or columns, other columns, another order, other labels."""

from __future__ import annotations

from dataclasses import replace

from headwater.python.exprs.simplify import both
from headwater.python.rows.row_loops import FoldInterpreter
from headwater.python.rows.row_sequences import RowSequence
from headwater.python.values.scope import AbstractObject
from headwater.python.values.slots import Slots
from headwater_ir.expr import TRUE, Expr

from . import columns as made_columns
from .column_reductions import Reductions
from .group import Group


class FirstRow(AbstractObject):
    """``frame.iloc[0]``, or, with the ``place`` -1, the last row of a sorted frame."""

    def __init__(self, frame: RowSequence, place: int = 0) -> None:
        self.frame, self.place = frame, place


class MadeFrames(FoldInterpreter):
    """Keeps what the orders and labels of the frames of one function are."""

    row_by_row = False
    """Whether each row must be treated by itself: nothing may depend on other rows."""

    def __init__(self, group: Group, slots: Slots) -> None:
        super().__init__(group.scope, slots)
        self.group = group
        self.keys = group.keys
        self.reductions = Reductions(group, slots, self.counted)
        self._orders: dict[str, int] = {}
        self._sorted: dict[int, tuple[str, bool]] = {}
        """Orders by one column → its name, and whether upwards."""
        self._labels: dict[RowSequence, int] = {}

    def another(self, frame: RowSequence) -> RowSequence:
        """An object of its own with the rows of ``frame``."""
        return frame

    def copied(self, frame: RowSequence) -> RowSequence:
        """A copy of ``frame``, values and all."""
        return frame

    def is_same(self, value: AbstractObject, frame: RowSequence) -> bool:
        """Whether both may be one object."""
        return value == frame

    def restrict(self, frame: RowSequence, condition: Expr) -> RowSequence:
        """The rows of ``frame`` for which ``condition`` holds."""
        return replace(frame, mask=both(frame.mask, condition))

    def without(self, owner: RowSequence, gone: frozenset[str]) -> RowSequence:
        """``owner`` without the columns ``gone``."""
        return made_columns.without(owner, gone)

    def names_in(self, owner: RowSequence) -> frozenset[str] | None:
        """The names of the columns of ``owner``; None if they are not known."""
        if not self.group.source.complete:
            return None
        gone = {m.name for m in owner.made if m.gone}
        return frozenset({f.name for f in self.group.source.fields} | {m.name for m in owner.made}) - gone

    def relabelled(self, frame: RowSequence) -> RowSequence:
        """``frame`` with new labels, by which its columns are not aligned with those of ``frame``; the whole group has
        these labels from the start."""
        labels = replace(frame, made=())
        if labels == replace(labels, mask=TRUE, order=0, index=0):
            return frame
        return replace(frame, index=self._labels.setdefault(labels, len(self._labels) + 1))

    def sorted_by(self, frame: RowSequence, by: object, column: tuple[str, bool] | None = None) -> RowSequence:
        """``frame`` in another order, which is the same for the same ``by``. ``column``: the one that it is sorted by,
        and whether upwards; None for another order."""
        text = f"{by}|{frame.order}"
        if text not in self._orders:
            self._orders[text] = self.new_order()
        if column is not None:
            self._sorted[self._orders[text]] = column
        return replace(frame, order=self._orders[text])

    def sorted_column(self, frame: RowSequence) -> tuple[str | None, bool]:
        """The column that ``frame`` is sorted by, and whether upwards; None for another order."""
        return self._sorted.get(frame.order, (None, True))
