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
Of an array that the aggregate collects its fold knows the size (pyspark/api/aggregates/collect_aggregates.py): of
``collect_set("x")`` named ``xs`` and, above it, ``size("xs") > 0`` P reads one more output, the size, in place of a
function of the array of which nothing is known. Both runs agree on it where they agree on the array. Of a
struct the fold has the fields as outputs of their own (``struct_fields.field_column``), which no code can name.
Obligations: Init, Sync, Stutter, Merge (Spark merges partial states), Final, Safe.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.pyspark.api.aggregates.collect_aggregates import size
from headwater_ir.expr import Call, Col, Expr, Out, columns_of, conjoin, conjuncts, transform
from headwater_ir.plan import Aggregate
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.struct_fields import as_columns, in_field_columns, path_of_column
from headwater_ir.types import INT
from headwater_ir.unread import why_unread

from .boundary import on_row_columns, over_outputs
from .outcome import may_raise, tells_equals_apart
from .protocol import UNKNOWN, Columns, Inputs, Operator, Reads, ends_here, of_outputs


def meet(predicate: Expr, node: Aggregate, inputs: Inputs) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """The fold, the predicate over its outputs, and the conjuncts on keys only."""
    fold = node.fold
    of_fields = in_field_columns(predicate, {o.name for o in fold.outputs})
    fold, outputs = _with_sizes(fold, over_outputs(of_fields, fold))
    return fold, outputs, on_row_columns(outputs, fold, frozenset(fold.keys)) if fold.grouped else ()


def beyond(predicate: Expr, node: Aggregate, inputs: Inputs) -> Expr | None:
    """What ``predicate`` says of keys alone, in terms of the input; None if it says nothing that may go below."""
    keys = {o.name: o.value for o in node.fold.outputs if isinstance(o.value, Col) and o.value.name in node.fold.keys}
    own = [c for c in conjuncts(predicate) if columns_of(c) and columns_of(c) <= keys.keys() and not may_raise(c)]
    below = [transform(c, lambda e: keys.get(e.name) if isinstance(e, Col) else None) for c in own]
    kept = [c for c in below if _is_alike(c, node, inputs)]
    return conjoin(kept) if kept and node.fold.grouped else None


def _is_alike(conjunct: Expr, node: Aggregate, inputs: Inputs) -> bool:
    """Whether ``conjunct`` is the same of keys that are equal to the grouping; of texts, dates and integers equal is
    the same."""
    read = columns_of(conjunct)
    plain = all(inputs.type_of_column(node.child, n).name in _ONE_FORM for n in read)
    return plain or not tells_equals_apart(as_columns(conjunct, read))


_ONE_FORM = frozenset({"string", "date", "int", "bool"})


_SIZES = ("spark.size", "spark.cardinality")


def _with_sizes(fold: Fold, predicate: Expr) -> tuple[Fold, Expr]:
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


def reads(node: Aggregate) -> Reads | None:
    """The keys, and what the aggregates are computed from; keys that the file does not name may be any columns."""
    fold = node.fold
    if fold.grouped and not fold.keys:
        return UNKNOWN
    values = (*fold.init, *fold.step, *(fold.merge or ()), fold.emit, *(o.value for o in fold.outputs))
    names = frozenset(fold.keys).union(*(columns_of(e) for e in values if why_unread(e) is None))
    return Reads(names, all=any(why_unread(e) is not None for e in values), ends=True)


def _columns(node: Aggregate) -> Columns:
    return of_outputs(tuple(o for o in node.fold.outputs if path_of_column(o.name) is None))


OPERATOR = Operator(Aggregate, "aggregate", ends_here, _columns, reads, meet=meet)
