"""Parts of times: ``column.dt.year``, where it is compared with a year."""

from __future__ import annotations

import ast
import datetime as dt
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import both, either
from headwater.python.rows.row_sequences import Series
from headwater.python.values.scope import Env
from headwater_ir.expr import Col, Compare, IsNull, Lit
from headwater_ir.types import TIMESTAMP

if TYPE_CHECKING:
    from ..values import PandasInterpreter

_YEARS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def year_test(run: PandasInterpreter, node: ast.Compare, env: Env) -> Series | None:
    """``column.dt.year == 2024``, of timestamps: a range of them. The year of NaT is NaN."""
    match node:
        case ast.Compare(
            left=ast.Attribute(value=ast.Attribute(value=times, attr="dt"), attr="year"),
            ops=[op], comparators=[ast.Constant(value=int() as year)],
        ) if type(op) in _YEARS and dt.MINYEAR <= year < dt.MAXYEAR:  # fmt: skip
            pass
        case _:
            return None
    owner = run.pandas(times, env)
    if not isinstance(owner, Series) or owner.column is None or run.group.type(owner.column) != TIMESTAMP:
        return None
    time, first, following = owner.element, *(Lit(dt.datetime(y, 1, 1), TIMESTAMP) for y in (year, year + 1))
    at_least, less = Compare(">=", time, first, "python"), Compare("<", time, first, "python")
    more, at_most = Compare(">=", time, following, "python"), Compare("<", time, following, "python")
    missing = IsNull(Col(owner.column))
    said = {
        ast.Eq: both(at_least, at_most), ast.NotEq: either(missing, less, more), ast.GtE: at_least, ast.Gt: more,
        ast.Lt: less, ast.LtE: at_most,
    }  # fmt: skip
    return Series(owner.frame, said[type(op)])
