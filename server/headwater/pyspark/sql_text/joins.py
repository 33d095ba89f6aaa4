"""FROM clauses with joins: ``FROM a x LEFT JOIN b y ON x.k = y.k JOIN c USING (k)``, as ``join`` puts frames together.

A name in front of a dot is first that of a table of the FROM clause. What an ON clause says is read as that of ``join``
is: each conjunct alone, with its place; a conjunct without a model says nothing, and no pre-filter needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwater.pyspark.api import combining
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns import spark_functions
from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.columns.sql import pieces, read_sql, read_tree
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import CompareOp
from headwater_ir.plan import Conjunct

from .clauses import JoinClause
from .tokens import Part, SqlText, parsed

if TYPE_CHECKING:
    from sqlglot import exp

_COMPARED: dict[str, CompareOp] = {"EQ": "==", "NullSafeEQ": "==", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">="}


def joined(
    left: TrackedFrame, right: TrackedFrame, clause: JoinClause, text: SqlText, reader: ApiContext
) -> TrackedFrame:
    """The rows of both frames that the clause puts together."""
    span = text.span(clause.part)
    for name in clause.using:
        reader.names.spell(name)
    if clause.on is None:
        return combining.joined(left, right, clause.how, clause.using, span, reader)
    said, start = text.spelled(clause.on), clause.on[0]
    parts = [_part((start + a, start + b), text) for a, b in pieces(said)]
    return combining.join_on(left, right, clause.how, parts, span, reader)


def _part(part: Part, text: SqlText) -> combining.OnPart:
    span, said = text.span(part), text.spelled(part)

    def condition(columns: ColumnReader) -> tuple[Conjunct, ...]:
        return (Conjunct(spark_functions.boolean(read_sql(said, columns)), span),)

    return combining.OnPart(span, "sql", condition, tuple(_compared(parsed(said))))


def _compared(tree: exp.Expression | None) -> Iterator[tuple[combining.Operand, CompareOp, combining.Operand]]:
    from sqlglot import exp

    if isinstance(tree, exp.Paren):
        yield from _compared(tree.this)
    elif isinstance(tree, exp.Between) and not tree.args.get("symmetric"):
        yield _operand(tree.this), ">=", _operand(tree.args["low"])
        yield _operand(tree.this), "<=", _operand(tree.args["high"])
    elif tree is not None and type(tree).__name__ in _COMPARED:
        yield _operand(tree.this), _COMPARED[type(tree).__name__], _operand(tree.expression)


def _operand(tree: object) -> combining.Operand:
    from sqlglot import exp

    def read(columns: ColumnReader) -> Term:
        if not isinstance(tree, exp.Expression):
            raise Refusal("opaque", "an operand that is no expression")
        return read_tree(tree, columns)

    return read
