"""GroupMap: ``groupBy(keys).applyInPandas(f, schema)``, with a function that returns at most one row per group, or that
treats each row of a group by itself.

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

from dataclasses import replace

from headwater_ir.expr import Col, Expr, columns_of, conjuncts, outputs_of
from headwater_ir.native import native_facts, parts_of, real_column, type_of_native, with_natives
from headwater_ir.plan import GroupMap
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.unread import why_hidden

from .boundary import on_row_columns, over_outputs
from .outcome import Stop
from .protocol import LAST, Inputs, Operator, ends_here, of_outputs


def meet(predicate: Expr, node: GroupMap, inputs: Inputs) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """The fold, the predicate over its outputs, and the conjuncts on keys only."""
    fold = node.fold
    if node.whole is not None and _speaks_of_keys(predicate, node.whole):
        fold = node.whole
    fold, predicate = _with_native_keys(fold, predicate) if node.right is None else (fold, predicate)
    outputs = over_outputs(predicate, fold)
    hidden = {o.name: why for o in fold.outputs if (why := why_hidden(o.value)) is not None}
    if hidden and all(outputs_of(c) & hidden.keys() for c in conjuncts(outputs)):
        raise Stop(*next(hidden[n] for n in sorted(outputs_of(outputs)) if n in hidden))
    return fold, outputs, on_row_columns(outputs, fold, frozenset(fold.keys))


def _speaks_of_keys(predicate: Expr, whole: Fold) -> bool:
    """Whether ``predicate`` reads nothing but keys that the function passes through: of these, more is known of groups
    than of rows, such as that a group looks the same whichever others there are."""
    passed = {o.name for o in whole.outputs if why_hidden(o.value) is None}
    return all(real_column(n) in passed for n in columns_of(predicate))


def _with_native_keys(fold: Fold, predicate: Expr) -> tuple[Fold, Expr]:
    """``fold`` with what ``predicate`` computes natively of its keys, such as ``year(day)``, as keys that it copies
    too; and ``predicate`` in terms of them, and what filters below say of them. Of texts and dates, keys that are equal
    to the grouping are the same. Not for the two frames of a cogroup, of which the types of one alone are known
    here."""
    copied = {o.name for o in fold.outputs if o.value == Col(o.name)}
    types = {c.name: c.type for c in fold.columns if c.is_key and c.name in copied}
    spoken = with_natives(predicate, types)
    names = sorted({n for read in columns_of(spoken) for n in parts_of(read)})
    columns = tuple(Column(n, type_of_native(n), is_key=True) for n in names)
    outputs = tuple(OutputColumn(c.name, c.type, Col(c.name)) for c in columns)
    known = {c.name for c in (*fold.columns, *columns)}
    said = (fact for f in fold.facts if (fact := with_natives(f, types)) != f and columns_of(fact) <= known)
    facts = (*fold.facts, *(fact for n in names for fact in native_facts(n)), *said)
    fold = replace(fold, columns=(*fold.columns, *columns), outputs=(*fold.outputs, *outputs), facts=facts)
    return fold, spoken


OPERATOR = Operator(
    GroupMap, "group_map", ends_here, lambda node: of_outputs(node.fold.outputs), lambda _: LAST, meet=meet
)
