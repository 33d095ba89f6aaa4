"""Finding pandas UDFs from series to series: ``@pandas_udf("double")`` above ``def f(v: pd.Series) -> pd.Series``, over
an iterator of series, ``pandas_udf(f, "double")`` without hints, and the old form with ``PandasUDFType.SCALAR``.

Spark decides by the type hints, or by the function type where one is given; without either a pandas UDF is one from
series to series. In doubt refused.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns.udf import return_type
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.types import Type

from .pandas_udf import SERIES, given_udf, hint, unquoted

_ITERATORS = {"typing.Iterator", "collections.abc.Iterator"}


@dataclass(frozen=True)
class SeriesUdf:
    """A pandas UDF from series to series: its function, its declared return type, and whether it is given its batches
    one by one."""

    function: ast.FunctionDef | ast.Lambda
    name: str
    return_type: Type
    iterator: bool


def series_udf(node: ast.expr, reader: ApiContext) -> SeriesUdf | None:
    """The pandas UDF from series to series that ``node`` stands for; None if it is something else; Refusal if it is a
    pandas UDF without a model."""
    given, names = given_udf(node, reader), reader.names
    if given is None:
        return None
    if given.kind is None:
        iterator = _is_iterator(given.function, given.name, names)
    else:
        said = (names.resolve(given.kind) or "").rpartition(".PandasUDFType.")[2]
        if said not in ("SCALAR", "SCALAR_ITER"):
            raise Refusal("opaque", f"`{given.name}` is a pandas UDF of another kind than SCALAR", given.kind)
        iterator = said == "SCALAR_ITER"
    return SeriesUdf(given.function, given.name, return_type(given.declared, names), iterator)


def _is_iterator(function: ast.FunctionDef | ast.Lambda, name: str, names: Names) -> bool:
    """Whether the type hints speak of iterators; Refusal if they say something else than series to series."""
    hints = [a.annotation for a in (*function.args.posonlyargs, *function.args.args)]
    if isinstance(function, ast.FunctionDef):
        hints.append(function.returns)
    given = [h for h in hints if h is not None]
    if not given:
        return False
    if len(given) == len(hints) and all(hint(h, names) in SERIES for h in given):
        return False
    if len(given) == len(hints) and all(_of_iterator(h, names) in SERIES for h in given):
        return True
    raise Refusal("opaque", f"the type hints of `{name}` do not say that it makes a series of series", function)


def _of_iterator(node: ast.expr, names: Names) -> str | None:
    node = unquoted(node)
    if isinstance(node, ast.Subscript) and hint(node.value, names) in _ITERATORS:
        return hint(node.slice, names)
    return None
