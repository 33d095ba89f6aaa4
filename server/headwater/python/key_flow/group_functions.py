"""What is read of a function of groups: the row that it makes of a group, or the rows that it makes of single rows, and
what it does to the keys."""

from __future__ import annotations

import ast
from collections.abc import Callable

from headwater.python.arrow.apply_in_arrow import fold_group_arrow
from headwater.python.pandas.apply_in_pandas import fold_group_map, fold_group_rows_alone
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Expr
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold

from .boundary import fold_group_rows


def fold_group_frames(
    ctx: Context,
    function: ast.FunctionDef,
    *,
    source: Schema,
    keys: tuple[str, ...],
    output: Schema,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
    arrow: bool = False,
) -> tuple[Fold, ...]:
    """The fold of ``function`` as ``group``, or ``arrow`` of Arrow tables, reads it or, where that is refused, those of
    its single rows and of what it does to the keys; the first Refusal where it has none."""

    def given(fold: Callable[..., Fold], **more: object) -> Fold | Refusal:
        try:
            return fold(
                ctx, function, source=source, keys=keys, output=output, facts=facts, assume_pure=assume_pure, **more
            )
        except Refusal as refusal:
            return refusal

    found = given(fold_group_arrow if arrow else fold_group_map)
    if isinstance(found, Fold):
        return (found,)
    of_keys = given(fold_group_rows, why=found, arrow=arrow)
    alone = found if arrow else given(fold_group_rows_alone)
    folds = tuple(f for f in (alone, of_keys) if isinstance(f, Fold))
    if not folds:
        raise found
    return folds
