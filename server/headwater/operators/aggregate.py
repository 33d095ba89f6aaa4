"""Aggregate: native ``groupBy(keys).agg(…)``, and a global ``agg``.

Law: for a conjunct P over keys, ``σ_P(γ_{keys; f}(d)) = γ_{keys; f}(σ_P(d))``; for one over aggregated values only what
synthesis proves of the fold (THEORY.md section 2).
Condition: at least one key (``Fold.grouped``), each key a plain column, no grouping sets. Keys that the file does not
name are none that a conjunct could be over (frontend/unnamed_keys.py).
Why sound: a key has one value in its group, so P keeps or drops whole groups.
Counterexamples without the condition: a global aggregate has a row even for no input (SPARK-22983); ROLLUP
makes rows whose
key is NULL (duckdb#4680); ``groupBy((a + 1).alias("a"))`` filtered by the input's ``a`` (polars#21439).
Obligations: Init, Sync, Stutter, Merge (Spark merges partial states), Final, Safe.
"""

from __future__ import annotations

from headwater_ir.expr import Expr
from headwater_ir.plan import Aggregate
from headwater_ir.problem import Fold

from .boundary import on_row_columns, over_outputs
from .collected import with_sizes


def meet(predicate: Expr, node: Aggregate) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """The fold, the predicate over its outputs, and the conjuncts on keys only."""
    fold = node.fold
    fold, outputs = with_sizes(fold, over_outputs(predicate, fold))
    return fold, outputs, on_row_columns(outputs, fold, frozenset(fold.keys)) if fold.grouped else ()
