"""``mapInPandas`` and ``mapInArrow`` with a generator that treats each row by itself: ``for pdf in it: …; yield …``.

Law and condition: those of ``row_frames``; Spark cuts the batches anywhere. Integers beside a NULL are ``Int64`` here,
not floats: a comparison is ``<NA>`` then. Such a value has no name here, and arithmetic on it is refused, for with a
NaN in the other operand the result is NaN or NULL depending on the rest of the batch.
Side conditions: the declared type is the column's own, for pandas' two integer types do not convert alike.
"""

from __future__ import annotations

import ast

from headwater.python.exprs.simplify import NAN
from headwater.python.rows.outputs import at
from headwater.python.rows.row_sequences import RowSequence, Series
from headwater.python.values.scope import Scope
from headwater.python.values.slots import Slots
from headwater.python.values.type_inference import read_function, stated_facts
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.expr import Col, Expr, If, IsNull, columns_of
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold

from .group import Group
from .map_in_arrow import passes_rows
from .row_frames import RowFrame, RowFrameReader, fold_of_rows, rows_made
from .series_udf import of_batches

_UNCERTAIN = ("int", "number", "any", "bool")
"""Types whose columns look otherwise beside a NULL."""


class BatchGroup(Group):
    """The columns of a batch as the function sees them."""

    def series(self, frame: RowSequence, name: str) -> Series:
        """``frame[name]``."""
        assert isinstance(frame, RowFrame)
        found = next((m for m in frame.made if m.name == name), None)
        if found is None:
            return super().series(frame, name)
        if found.element is None:
            raise Refusal("opaque", f"`{name}` is computed of what looks otherwise beside a NULL")
        if found.column is not None:
            return Series(frame, self.view(found.column), found.column)
        return Series(frame, found.element, present=found.present)

    def view(self, name: str) -> Expr:
        """The value of column ``name`` in a row. Integers stay integers beside a NULL; what shows it, plays no part."""
        if self.type(name).name == "int" and name not in self._not_null:
            return If(IsNull(Col(name)), NAN, Col(name))
        return super().view(name)

    def as_returned(self, name: str) -> Expr:
        """What the column holds where it is returned: whole numbers beside a NULL are what they were."""
        return Col(name)

    def uncertain(self, e: Expr) -> bool:
        """Whether ``e`` reads a column that looks otherwise beside a NULL."""
        return any(self.type(n).name in _UNCERTAIN and n not in self._not_null for n in columns_of(e) if "#" not in n)


def fold_frame_rows(
    ctx: Context,
    function: ast.FunctionDef,
    *,
    operator: str,
    source: Schema,
    output: Schema,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> Fold:
    """The fold (``rows="one"``) of ``function``; Refusal where it may look at more than one row at a time."""
    parameters = plain_parameters(function.args)
    if parameters is None or len(parameters) != 1 or function.decorator_list:
        raise Refusal("opaque", "parameters other than the iterator, or a decorated function", function)
    if not output.complete or not output.fields:
        raise Refusal("opaque", "the declared output columns are not known", function)
    facts = stated_facts(facts, source)
    body, batch = of_batches(function, parameters)

    def attempt(scope: Scope) -> Fold:
        group = BatchGroup(scope, source, (), facts)
        try:
            if operator == "mapInArrow":
                passes_rows(body, batch[0], scope)
                made = RowFrame()
            else:
                made = rows_made(RowFrameReader(group, Slots(scope)), body, {batch[0]: RowFrame()})
            return fold_of_rows(operator, function, group, made, output, facts)
        except Refusal as error:
            raise at(function, error) from None

    return read_function(ctx, attempt, function, assume_pure=assume_pure, facts=facts, exact_numbers=False)
