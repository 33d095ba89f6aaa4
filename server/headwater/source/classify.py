"""What a data source can do with one conjunct of a pre-filter (THEORY.md section 6; the contract of seed 003).

* *exact*: the source drops every row that the conjunct drops.
* *inexact*: the source skips files, row groups or pages by their statistics, and Spark applies the conjunct again.
* *unsupported*: the source reads everything and Spark applies the conjunct.

AND keeps the part that is supported; OR needs every branch; NOT is at the leaves already. What Spark 4.3 hands to a
Parquet source, and what then really skips, is measured (facts/spark-4.3-catalyst.md, section B).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from headwater_ir import expr as ir
from headwater_ir.array_sizes import array_of
from headwater_ir.expr import Expr
from headwater_ir.native import as_native

Class = Literal["exact", "inexact", "unsupported"]
_RANK: dict[Class, int] = {"unsupported": 0, "inexact": 1, "exact": 2}
STATISTICS = frozenset({"parquet", "orc", "delta", "iceberg"})
"""Formats with minima and maxima that Spark prunes by."""
ROW_BY_ROW = frozenset({"csv", "json"})
"""Formats whose reader drops rows while it parses, before they become Spark rows."""
MAX_IN = 10
"""``spark.sql.parquet.pushdown.inFilterThreshold``: a longer list is applied as one range."""


@dataclass(frozen=True)
class Classified:
    """The class of a condition at a source, and why, in words."""

    kind: Class
    why: str


def classify(condition: Expr, source_format: str) -> Classified:
    """The class of ``condition`` (sql dialect, over columns of the source) at a source of this format."""
    match condition:
        case ir.And(operands) if operands:
            return max((classify(o, source_format) for o in operands), key=_rank)
        case ir.Or(operands) if operands:
            return min((classify(o, source_format) for o in operands), key=_rank)
        case _:
            return _leaf(condition, source_format)


def _rank(c: Classified) -> int:
    return _RANK[c.kind]


def _leaf(e: Expr, source_format: str) -> Classified:
    obstacle = _obstacle(e)
    if obstacle is not None:
        return Classified("unsupported", obstacle)
    if source_format == "jdbc":
        return Classified("exact", "the database evaluates it")
    if source_format in ROW_BY_ROW:
        return Classified("exact", f"the {source_format} reader drops the rows while it parses them")
    if source_format not in STATISTICS:
        return Classified("unsupported", f"a {source_format} source evaluates no filters" if source_format == "memory"
                          else "the format of the source is not known")  # fmt: skip
    if isinstance(e, ir.StringTest) and e.op != "startswith":
        return Classified("unsupported", f"statistics cannot tell where a string {e.op} something")
    if isinstance(e, ir.Compare) and e.op == "!=":
        return Classified("inexact", "skips only row groups that hold one single value")
    if isinstance(e, ir.In) and len(e.options) > MAX_IN:
        return Classified("inexact", f"a list of more than {MAX_IN} values is applied as one range")
    return Classified("inexact", "skips row groups by their minimum and maximum; Spark applies it again")


def _obstacle(e: Expr) -> str | None:
    """Why no source can evaluate the form of a leaf; None if it is a form that Spark hands down."""
    if any(array_of(name) is not None for name in ir.columns_of(e)):
        return "it asks for the size of an array, and sources test bare columns only"
    if any(as_native(name) for name in ir.columns_of(e)):
        return "it computes something from the column, and sources test bare columns only"
    match e:
        case ir.Compare(left=ir.Col(), right=right) | ir.Same(ir.Col(), right):
            return None if _constant(right) else "it compares a column with something that varies by row"
        case ir.Compare(left=left, right=ir.Col()) | ir.Same(left, ir.Col()):
            return None if _constant(left) else "it compares a column with something that varies by row"
        case ir.In(operand=ir.Col(), options=options):
            if any(isinstance(o, ir.Lit) and o.value is None for o in options):
                return "a NULL in the list keeps it from the source"
            return None if all(map(_constant, options)) else "the list varies by row"
        case ir.IsNull(ir.Col()) | ir.Not(ir.IsNull(ir.Col())) | ir.Col() | ir.Not(ir.Col()):
            return None
        case ir.StringTest(text=ir.Col(), needle=needle):
            return None if _constant(needle) else "the text that is looked for varies by row"
        case ir.IsNaN() | ir.Not(ir.IsNaN()):
            return "no source evaluates isnan"
        case _:
            return "it computes something from the column, and sources test bare columns only"


def _constant(e: Expr) -> bool:
    return isinstance(e, (ir.Lit, ir.Param))
