"""RowUdf: a column made by a Python function, row by row; all other columns pass through.

Law: ``σ_P(υ_{c = f(args)}(d)) = υ_{c = f(args)}(σ_{P[c := f(args)]}(d))``.
Condition: f is pure; P[c := f(args)] must be spelled natively, which is for synthesis to find, exactly or as a
weaker G.
Why sound: one row in, one row out. Columns that pass through become outputs of the fold with their own value.
Counterexample without purity: a function that counts its calls.
An array that f returns has no model but for its size, which is what the fold's output stands for: so P may ask
for ``size(c)`` and ``c IS NULL`` alone. Of an array that f is given, the same: ``size(x)`` is a column of its own.
Reference: FACTS.md (Spark passes filters on *other* columns below a deterministic UDF; one on its result stays above).
"""

from __future__ import annotations

from dataclasses import replace

from headwater_ir.array_sizes import in_sizes, size_column
from headwater_ir.expr import Col, Expr, columns_of
from headwater_ir.plan import RowUdf
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.types import INT32

from .boundary import on_row_columns, over_outputs
from .outcome import Stop
from .protocol import UNKNOWN, Inputs, Operator, ends_here, of_outputs


def meet(predicate: Expr, node: RowUdf, inputs: Inputs) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """The fold with the columns that P reads and that pass through, P over its outputs, and the conjuncts on
    those only."""
    fold, predicate = _with_sizes(node.fold, predicate)
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
