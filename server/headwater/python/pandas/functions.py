"""Functions over whole columns whose result in a row is made of that row: ``np.where(…)``, also as a ``pd.Series``.

Law: ``np.where`` chooses between two values that are both computed, and none of which raises; what it makes is an
array, without names for its rows. Reference: pandas 2.3, tests/conformance/test_pandas_rows.py.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.python.libraries import models
from headwater.python.rows.row_sequences import Series
from headwater.python.values.scope import AbstractObject, Env
from headwater_ir.expr import TRUE

from .methods.operands import chosen, condition, part

if TYPE_CHECKING:
    from .values import PandasInterpreter


@dataclass(frozen=True)
class Array(AbstractObject):
    """A numpy array with an element for each row of a frame."""

    series: Series


def call(run: PandasInterpreter, node: ast.Call, name: str | None, env: Env) -> Series | Array | None:
    """The meaning of a call of the function ``name``; None if it is something else."""
    if name == "numpy.where":
        given = models.in_order(name, node)
        frames = [s for s in (run.pandas(a, env) for a in given) if isinstance(s, Series)]
        if not frames or len(given) != 3:
            return None
        cond = condition(run, given[0], frames[0], node, env)
        a, b = (part(run, v, node, env) for v in given[1:])
        return Array(chosen(frames[0], cond, a, b))
    if name == "pandas.Series" and (data := models.bind(name, node).only("data").get("data")) is not None:
        made = run.pandas(data, env)
        if isinstance(made, Array) and made.series.frame.mask == TRUE and made.series.frame.order == 0:
            return made.series
    return None
