"""The bodies of lambdas over the elements of arrays."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.pyspark.columns import spark_functions
from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.columns.sql import read_tree
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal

from .struct_aggregates import Struct

if TYPE_CHECKING:
    from sqlglot import exp


class WithNames(ColumnReader):
    """Reads the body of a lambda whose parameters are ``given``."""

    def __init__(self, columns: ColumnReader, given: dict[str, Term]) -> None:
        super().__init__(columns.names, columns.frame, columns.lookup)
        self.given, self.used = {n: replace(t, name=None, column=True) for n, t in given.items()}, columns.used

    def read_plainly(self, node: ast.expr) -> Term:
        match node:
            case ast.Name(id=name) if name in self.given:
                return self.given[name]
            case (
                ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as field))
                | ast.Attribute(value=ast.Name(id=name), attr=field)
            ) if isinstance(of := self.given.get(name), Struct):
                return of.field(field)
            case ast.Lambda():
                raise Refusal("opaque", "a lambda inside another", node)
            case ast.Call(args=args, keywords=[]) if self.names.function(node.func) in ("greatest", "least"):
                found = spark_functions.extreme(str(self.names.function(node.func)), tuple(map(self.column, args)))
                if found is not None:
                    return found
        return super().read_plainly(node)

    def sql_aggregate(self, e: exp.Expression) -> Term | None:
        from sqlglot import exp

        if isinstance(e, exp.Identifier):
            return self.given.get(str(e.this))
        return greatest_or_least(e, self)


def greatest_or_least(e: exp.Expression, reader: ColumnReader) -> Term | None:
    """``greatest(…)`` and ``least(…)`` of what ``reader`` reads; None for everything else."""
    from sqlglot import exp

    if not isinstance(e, (exp.Greatest, exp.Least)):
        return None
    args = tuple(read_tree(a, reader) for a in (e.this, *e.expressions))
    return spark_functions.extreme("greatest" if isinstance(e, exp.Greatest) else "least", args)
