"""Cache: ``cache``, ``persist``, ``checkpoint``, ``localCheckpoint``.

Law: ``σ_P(keep(d)) = keep(σ_P(d))``: what is kept are the rows of d. Spark pushes nothing through.
Condition: nobody else reads what is kept (a frame with two consumers is ``Shared``), and P is no condition by which
Spark loses rows: it skips cached batches by bounds that leave out NaN, so that ``x > 2`` may not be asked of a NaN,
although it is TRUE of one (SPARK-58482; facts, section E 6). Such a P would keep more rows below than above. What a
checkpoint writes has no such bounds.
Why sound: rows are kept as they are, and a filter decides each by itself.
Counterexample: ``best.cache()`` is filtered here and counted there: a pre-filter below it changes the count.
Reference: ANCHORS.md, item 15, and *Spark 4.3 never pushes through … cache, checkpoint*.
"""

from __future__ import annotations

from headwater_ir.expr import Col, Compare, Expr, In, IsNaN, IsNull, Lit, Not, conjuncts, walk
from headwater_ir.plan import Cache, Plan
from headwater_ir.types import ANY, may_hold_nan

from .outcome import Stop
from .protocol import EVERY_COLUMN, Inputs, Operator, same_columns

_UNBOUNDED = frozenset({"checkpoint", "localCheckpoint"})


def through(predicate: Expr, node: Cache, inputs: Inputs) -> Expr:
    """``predicate`` below ``node``: unchanged, if Spark loses no row by it above."""
    for part in conjuncts(predicate) if node.operator not in _UNBOUNDED else ():
        if _true_of_nan(part, node.child, inputs):
            raise Stop("opaque", f"Spark may lose rows with NaN by this filter on what `{node.operator}` keeps")
    return predicate


def _true_of_nan(part: Expr, plan: Plan, inputs: Inputs) -> bool:
    """Whether ``part`` may be TRUE of a NaN, as far as its form and the types of its columns tell."""
    match part:
        case IsNull(Col()) | Not(IsNull(Col())) | Not(IsNaN(Col())):
            return False
        case Compare("<" | "<=" | "==", Col(), Lit(value)) | Compare(">" | ">=" | "==", Lit(value), Col()):
            if value == value:
                return False
        case In(Col(), options) if all(isinstance(o, Lit) and o.value == o.value for o in options):
            return False
    literals = [n.value for n in walk(part) if isinstance(n, Lit)]
    texts = bool(literals) and not any(isinstance(v, (int, float)) for v in literals)
    types = [inputs.type_of_column(plan, n.name) for n in walk(part) if isinstance(n, Col)]
    return any(may_hold_nan(t) and not (t == ANY and texts) for t in types)


# What is kept is computed, whoever reads it.
OPERATOR = Operator(
    Cache, "cache", through, same_columns, lambda _: EVERY_COLUMN, renames=lambda _: False, rows_of_input=True
)
