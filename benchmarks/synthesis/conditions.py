"""Expected pre-filters and residuals: Spark SQL → conditions of the IR, read by the front end itself."""

from __future__ import annotations

from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.columns.sql import read_sql
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Expr, Out, Param, transform
from headwater_ir.plan import Field, Scan, Schema
from headwater_ir.problem import FoldProblem
from headwater_ir.span import Span
from headwater_ir.types import Type

NOWHERE = Span(0, 0)


def prefilter(problem: FoldProblem, sql: str) -> Expr:
    """``sql`` over the input columns and driver variables of ``problem``. ValueError if it has no meaning there."""
    fold = problem.fold
    columns = {c.name: c.type for c in fold.columns if not c.ghost}
    params = {p.name: p.type for p in fold.params if p.name not in columns}
    read = _read(sql, columns | params)
    return transform(read, lambda n: Param(n.name) if isinstance(n, Col) and n.name in params else None)


def residual(problem: FoldProblem, sql: str) -> Expr:
    """``sql`` over the output columns and driver variables of ``problem``. ValueError if it has no meaning there."""
    fold = problem.fold
    outputs = {o.name: o.type for o in fold.outputs}
    params = {p.name: p.type for p in fold.params if p.name not in outputs}

    def named(n: Expr) -> Expr | None:
        return (Param(n.name) if n.name in params else Out(n.name)) if isinstance(n, Col) else None

    return transform(_read(sql, outputs | params), named)


def _read(sql: str, types: dict[str, Type]) -> Expr:
    schema = Schema(tuple(Field(name, t) for name, t in types.items()))
    frame = TrackedFrame(0, Scan("", "memory", schema, NOWHERE), schema)
    try:
        return read_sql(sql, ColumnReader(Names(Context.of("")), frame, lambda _: None)).expr
    except Refusal as refusal:
        raise ValueError(f"`{sql}`: {refusal.reason}") from None
