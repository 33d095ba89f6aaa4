"""GroupMap: ``groupBy(keys).applyInPandas(f, schema)``, with a function that returns at most one row per group.

Law: as for Aggregate, with the Python function as the fold. Spark never merges partial states here, so Merge is no
obligation.
Condition: a conjunct is on a key only if the function copies the key column to that output, by identity. Of a function
that returns rows of its group otherwise unread, at least one conjunct reads nothing but keys.
Why sound: the group's rows all have that key, so the conjunct keeps or drops whole groups; everything else is
for synthesis.
Counterexample without the condition: ``def f(k, pdf): return DataFrame([{"team": "all"}])`` names an output
like the key.
Reference: FACTS.md (Spark 4.3 never pushes through ``applyInPandas``); THEORY.md section 2.
"""

from __future__ import annotations

from headwater_ir.expr import Expr, conjuncts, outputs_of
from headwater_ir.plan import GroupMap
from headwater_ir.problem import Fold
from headwater_ir.unread import why_hidden

from .boundary import on_row_columns, over_outputs
from .outcome import Stop
from .protocol import LAST, Inputs, Operator, ends_here, of_outputs


def meet(predicate: Expr, node: GroupMap, inputs: Inputs) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """The fold, the predicate over its outputs, and the conjuncts on keys only."""
    fold = node.fold
    outputs = over_outputs(predicate, fold)
    hidden = {o.name: why for o in fold.outputs if (why := why_hidden(o.value)) is not None}
    if hidden and all(outputs_of(c) & hidden.keys() for c in conjuncts(outputs)):
        raise Stop(*next(hidden[n] for n in sorted(outputs_of(outputs)) if n in hidden))
    return fold, outputs, on_row_columns(outputs, fold, frozenset(fold.keys))


OPERATOR = Operator(
    GroupMap, "group_map", ends_here, lambda node: of_outputs(node.fold.outputs), lambda _: LAST, meet=meet
)
