"""``pd.Series(…)`` of an array that has a value for each row of a frame."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.rows.row_sequences import Series
from headwater.python.values.scope import AbstractObject, Env
from headwater_ir.expr import TRUE

if TYPE_CHECKING:
    from .values import PandasInterpreter


@dataclass(frozen=True)
class Array(AbstractObject):
    """A numpy array with an element for each row of a frame. ``distinct``: with each value once instead."""

    series: Series
    distinct: bool = False


def call(run: PandasInterpreter, node: ast.Call, name: str | None, env: Env) -> Series | None:
    """The meaning of a call of the function ``name``; None if it is something else."""
    if name == "pandas.Series" and (data := models.bind(name, node).only("data").get("data")) is not None:
        made = run.pandas(data, env)
        if (
            isinstance(made, Array)
            and not made.distinct
            and made.series.frame.mask == TRUE
            and made.series.frame.order == 0
        ):
            return made.series
    return None
