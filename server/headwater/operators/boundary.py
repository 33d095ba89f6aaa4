"""What all boundaries share: a predicate over output columns, and the driver variables in it."""

from __future__ import annotations

from dataclasses import replace

from headwater_ir.expr import Col, Expr, Out, conjuncts, outputs_of, params_of, transform
from headwater_ir.problem import Fold, Parameter
from headwater_ir.types import ANY

from .outcome import Stop


def over_outputs(predicate: Expr, fold: Fold) -> Expr:
    """``predicate`` with each column as the fold's output of that name; Stop if the fold has no such output."""
    names = {o.name for o in fold.outputs}

    def rewrite(e: Expr) -> Expr | None:
        if not isinstance(e, Col):
            return None
        if e.name not in names:
            raise Stop("attribute-capture", f"`{e.name}` is not an output column of the boundary")
        return Out(e.name)

    return transform(predicate, rewrite)


def with_parameters(fold: Fold, predicate: Expr) -> Fold:
    """``fold`` with the driver variables of ``predicate`` declared."""
    taken = {p.name for p in fold.params}
    wanted = sorted(params_of(predicate))
    for name in wanted:
        if name in taken:
            # The function's global and the filter's local of one name need not be one variable.
            raise Stop("volatile", f"`{name}` is read by the function and by the filter, at different times")
    return replace(fold, params=(*fold.params, *(Parameter(n, ANY) for n in wanted)))


def on_row_columns(predicate: Expr, fold: Fold, columns: frozenset[str]) -> tuple[Expr, ...]:
    """The conjuncts that read only outputs which are, by identity, one of ``columns`` of the input row."""
    same = {o.name for o in fold.outputs if isinstance(o.value, Col) and o.value.name in columns}
    return tuple(c for c in conjuncts(predicate) if outputs_of(c) and outputs_of(c) <= same)
