"""``size`` of what an aggregate collects: a number that the fold of the aggregate knows
(pyspark/api/aggregates/collect_aggregates.py).

``collect_set("x")`` named ``xs`` and, above it, ``size("xs") > 0``: the predicate reads one more output, the size, in
place of a function of the array of which nothing is known. Both runs agree on it where they agree on the array.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.pyspark.api.aggregates.collect_aggregates import size
from headwater_ir.expr import Call, Expr, Out, transform
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.types import INT

_SIZES = ("spark.size", "spark.cardinality")


def with_sizes(fold: Fold, predicate: Expr) -> tuple[Fold, Expr]:
    """``fold`` with the sizes that ``predicate`` asks for as outputs, and ``predicate`` in terms of them."""
    taken = {o.name for o in fold.outputs}
    sizes = {o.name: n for o in fold.outputs if (n := size(o.value)) is not None and _label(o.name) not in taken}
    read: dict[str, OutputColumn] = {}

    def rewrite(e: Expr) -> Expr | None:
        match e:
            case Call(name=function, args=(Out(name=array),)) if function in _SIZES and array in sizes:
                read[array] = OutputColumn(_label(array), INT, sizes[array])
                return Out(_label(array))
        return None

    predicate = transform(predicate, rewrite)
    return replace(fold, outputs=(*fold.outputs, *read.values())), predicate


def _label(array: str) -> str:
    return f"size({array})"
