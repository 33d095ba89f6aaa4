"""Aggregate: native ``groupBy(keys).agg(…)``, and a global ``agg``.

Law: for a conjunct P over keys, ``σ_P(γ_{keys; f}(d)) = γ_{keys; f}(σ_P(d))``; for one over aggregated values only what
synthesis proves of the fold (THEORY.md section 2).
Condition: at least one key (``Fold.grouped``), each key a plain column, no grouping sets. Keys that the file does not
name are none that a conjunct could be over (pyspark/api/aggregates/unknown_keys.py).
Why sound: a key has one value in its group, so P keeps or drops whole groups.
Spark moves such a P itself, as far as the next boundary. There P goes on (``beyond``) with the filter left where it is:
P must not raise, for what stands beside it may have dropped the row, and must be alike on keys that are one to the
grouping (-0.0 and 0.0): else a group would lose some of its rows.
Counterexamples without the condition: a global aggregate has a row even for no input (SPARK-22983); ROLLUP
makes rows whose
key is NULL (duckdb#4680); ``groupBy((a + 1).alias("a"))`` filtered by the input's ``a`` (polars#21439).
Obligations: Init, Sync, Stutter, Merge (Spark merges partial states), Final, Safe.
"""

from __future__ import annotations

from headwater_ir.expr import Col, Expr, columns_of, conjoin, conjuncts, transform
from headwater_ir.plan import Aggregate
from headwater_ir.problem import Fold
from headwater_ir.struct_fields import as_columns

from .boundary import on_row_columns, over_outputs
from .collected import with_sizes
from .columns import type_of_column
from .outcome import may_raise, tells_equals_apart


def meet(predicate: Expr, node: Aggregate) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """The fold, the predicate over its outputs, and the conjuncts on keys only."""
    fold = node.fold
    fold, outputs = with_sizes(fold, over_outputs(predicate, fold))
    return fold, outputs, on_row_columns(outputs, fold, frozenset(fold.keys)) if fold.grouped else ()


def beyond(predicate: Expr, node: Aggregate) -> Expr | None:
    """What ``predicate`` says of keys alone, in terms of the input; None if it says nothing that may go below."""
    keys = {o.name: o.value for o in node.fold.outputs if isinstance(o.value, Col) and o.value.name in node.fold.keys}
    own = [c for c in conjuncts(predicate) if columns_of(c) and columns_of(c) <= keys.keys() and not may_raise(c)]
    below = [transform(c, lambda e: keys.get(e.name) if isinstance(e, Col) else None) for c in own]
    kept = [c for c in below if _is_alike(c, node)]
    return conjoin(kept) if kept and node.fold.grouped else None


def _is_alike(conjunct: Expr, node: Aggregate) -> bool:
    """Whether ``conjunct`` is the same of keys that are equal to the grouping; of texts, dates and integers equal is
    the same."""
    read = columns_of(conjunct)
    plain = all(type_of_column(node.child, n).name in _ONE_FORM for n in read)
    return plain or not tells_equals_apart(as_columns(conjunct, read))


_ONE_FORM = frozenset({"string", "date", "int", "bool"})
