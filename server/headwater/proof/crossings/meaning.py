"""One crossing as symbolic rows, and the forms that its claims have.

``P`` is the predicate before, ``Q`` the one after. An output row of which ``P`` is TRUE *needs* an input row, if it
would be another without it: then ``Q`` must be TRUE of that one. Where the filter does not stay, ``Q`` must say *no
more* than ``P`` either: it must not keep what ``P`` drops. ``Q`` raises *errors* only where ``P`` has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass

import z3

from headwater_ir import expr as ir
from headwater_ir.crossing import Crossing
from headwater_ir.expr import Expr
from headwater_ir.problem import Parameter
from headwater_ir.types import ANY, Type

from .encoding import Cell, Row, Rows


@dataclass(frozen=True)
class Claim:
    """``given ⟹ shown`` for every value of the free symbols; ``part`` tells the claims of one crossing apart."""

    part: str
    given: tuple[z3.BoolRef, ...]
    shown: z3.BoolRef


Claims = Iterator[Claim]


class Meaning:
    """``extra``: expressions that are evaluated beside ``P`` and ``Q``."""

    def __init__(
        self, crossing: Crossing, stays: bool, params: tuple[Parameter, ...] = (), extra: Collection[Expr] = ()
    ) -> None:
        self.crossing, self.stays = crossing, stays
        self.before, self.after = crossing.before, crossing.after
        self.rows = Rows((*_expressions(crossing), *extra), params)
        self.above, self.below, self.beside = (
            {c.name: c.type for c in columns} for columns in (crossing.above, crossing.below, crossing.beside)
        )
        self.calls = any(isinstance(n, ir.Call) for e in (self.before, self.after) for n in ir.walk(e))
        self.read = ir.columns_of(self.before)
        self.wanted = ir.columns_of(self.after)

    def row(self, name: str, names: Collection[str], types: Mapping[str, Type]) -> Row:
        """Any row of a frame of which the columns ``names`` are looked at."""
        return {n: self.rows.fresh(f"{name}.{n}", types.get(n, ANY)) for n in sorted(names)}

    def made(self, name: str, row: str = "made") -> Cell:
        """Any value of a column of the output."""
        return self.rows.fresh(f"{row}.{name}", self.above.get(name, ANY))

    def output(self, known: Mapping[str, Cell], row: str = "made") -> Row:
        """The output row with the columns ``known``, and any values in the others."""
        return {n: known[n] if n in known else self.made(n, row) for n in sorted(self.read)}

    def passing(self, output: Row) -> z3.BoolRef:
        """``P`` is TRUE of an output row."""
        return self.rows.passes(self.before, output)

    def kept(self, row: Row) -> z3.BoolRef:
        """``Q`` is TRUE of an input row."""
        return self.rows.passes(self.after, row)

    def needs(self, part: str, output: Row, row: Row, *given: z3.BoolRef) -> Claims:
        """The output row needs the input row."""
        yield Claim(part, (*given, self.passing(output)), self.kept(row))

    def no_more(self, output: Row, row: Row, *given: z3.BoolRef) -> Claims:
        """An input row that is kept gives an output row that passes."""
        if not self.stays:
            yield Claim("no more", (*given, self.kept(row)), self.passing(output))

    def errors(self, output: Row, row: Row, *given: z3.BoolRef) -> Claims:
        """``Q`` is asked of a row only after ``P`` was asked of its output, each from left to right."""
        defined = self.rows.defined(self.after, row)
        yield Claim("errors", (*given, self.rows.defined(self.before, output)), defined)

    def total(self, row: Row) -> Claims:
        """``Q`` is asked of rows of which ``P`` is not: it raises on none, in whatever order it is evaluated."""
        yield Claim("errors", (), self.rows.defined(self.after, row, strict=True))

    def alike(self, a: Type | None, b: Type | None) -> bool:
        """Whether values of two types are taken together without a change that could be seen: comparisons see none of
        the width of a number, functions may."""
        if a is None or b is None or a.name != b.name or a.name in ("any", "number", "opaque"):
            return False
        return (a == b and a.name != "decimal") or not self.calls

    def row_by_row(self, output: Row, row: Row) -> Claims:
        """An operator that makes one row of each."""
        yield from self.needs("needed", output, row)
        yield from self.no_more(output, row)
        yield from self.errors(output, row)


def _expressions(value: object) -> Iterator[Expr]:
    """Every expression that a crossing holds."""
    if ir.is_expr(value):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _expressions(part)
    elif is_dataclass(value):
        for f in fields(value):
            yield from _expressions(getattr(value, f.name))
