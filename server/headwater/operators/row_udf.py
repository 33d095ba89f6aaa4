"""RowUdf: a column made by a Python function, row by row; all other columns pass through.

Law: ``σ_P(υ_{c = f(args)}(d)) = υ_{c = f(args)}(σ_{P[c := f(args)]}(d))``.
Condition: f is pure; P[c := f(args)] must be spelled natively, which is for synthesis to find, exactly or as a
weaker G.
Why sound: one row in, one row out. Columns that pass through become outputs of the fold with their own value.
Counterexample without purity: a function that counts its calls.
An array that f returns has no model but for its size, which is what the fold's output stands for: so P may ask
for ``size(c)`` and ``c IS NULL`` alone. Of an array that f is given, the same: ``size(x)`` is a column of its own.
A condition on c and constants may have a model where c has none (``python/row_udf/asked_results.py``).
Conjuncts that do not speak of c go on below, to the next boundary, as below a projection; the filter stays.
Reference: FACTS.md (Spark passes filters on *other* columns below a deterministic UDF; one on its result stays above).
"""

from __future__ import annotations

from dataclasses import replace

from headwater.python.row_udf.asked_results import with_asked
from headwater_ir.array_sizes import in_sizes, size_column
from headwater_ir.expr import Col, Expr, columns_of, conjoin, conjuncts
from headwater_ir.plan import RowUdf
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.types import INT32

from .boundary import on_row_columns, over_outputs
from .outcome import Stop, may_raise
from .protocol import UNKNOWN, Inputs, Operator, ends_here, of_outputs


def meet(predicate: Expr, node: RowUdf, inputs: Inputs) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """The fold with the columns that P reads and that pass through, P over its outputs, and the conjuncts on
    those only."""
    fold, predicate = with_asked(*_with_sizes(node.fold, predicate))
    passing = sorted(columns_of(predicate) - {o.name for o in fold.outputs})
    known = {c.name for c in fold.columns if not c.ghost}
    types = {name: inputs.type_of_column(node.child, name) for name in passing}
    fold = replace(
        fold,
        columns=(*fold.columns, *(Column(n, types[n]) for n in passing if n not in known)),
        outputs=(*fold.outputs, *(OutputColumn(n, types[n], Col(n)) for n in passing)),
    )
    outputs = over_outputs(predicate, fold)
    return fold, outputs, on_row_columns(outputs, fold, frozenset(passing))


def beyond(predicate: Expr, node: RowUdf) -> Expr | None:
    """What ``predicate`` says of columns that the function leaves alone, where Spark moves that past it; None if that
    is nothing, or may not go below."""
    if node.fold.api not in _MOVED_BY_SPARK or any(a.kind != "note" for a in node.fold.assumptions):
        return None  # such as that it is pure: of what is found below the certificate would not say that
    made = {o.name.lower() for o in node.fold.outputs}
    own = [c for c in conjuncts(predicate) if (read := _names(c)) and not read & made and not may_raise(c)]
    return conjoin(own) if own else None


_MOVED_BY_SPARK = ("udf", "pandas_udf")


def _names(e: Expr) -> frozenset[str]:
    """What the columns that ``e`` reads may be called: ``x.f`` is a field of ``x``, or a column."""
    return frozenset(part for n in columns_of(e) for part in (n.lower(), n.lower().partition(".")[0]))


def _with_sizes(fold: Fold, predicate: Expr) -> tuple[Fold, Expr]:
    """The fold with the sizes of the arrays that it makes as outputs, and the predicate in terms of them."""
    arrays = frozenset(o.name for o in fold.outputs if o.type.name == "list")
    if not arrays:
        return fold, predicate
    predicate = in_sizes(predicate, arrays)
    lost = sorted(columns_of(predicate) & arrays)
    if lost:
        raise Stop("opaque", f"what is in `{lost[0]}` has no model, only its size")
    sizes = {name: size_column(name).name for name in arrays}
    outputs = tuple(replace(o, name=sizes[o.name], type=INT32) if o.name in arrays else o for o in fold.outputs)
    return replace(fold, outputs=outputs), predicate


OPERATOR = Operator(
    RowUdf, "row_udf", ends_here, lambda node: of_outputs(node.fold.outputs, node.child), lambda _: UNKNOWN, meet=meet
)
