"""Finding pandas UDFs from series to series: ``@pandas_udf("double")`` above ``def f(v: pd.Series) -> pd.Series``, over
an iterator of series, ``pandas_udf(f, "double")`` without hints, and the old form with ``PandasUDFType.SCALAR``.

Spark decides by the type hints, or by the function type where one is given; without either a pandas UDF is one from
series to series. In doubt refused.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from headwater_ir.types import Type

from .context import Refusal
from .names import Names
from .pandas_udf import SERIES, arguments, hint, is_pandas_udf, unquoted
from .udf import plain_function, return_type
from .values import Text
from .world import Reader

_ITERATORS = {"typing.Iterator", "collections.abc.Iterator"}


@dataclass(frozen=True)
class SeriesUdf:
    """A pandas UDF from series to series: its function, its declared return type, and whether it is given its batches
    one by one."""

    function: ast.FunctionDef | ast.Lambda
    name: str
    return_type: Type
    iterator: bool


def series_udf(node: ast.expr, reader: Reader) -> SeriesUdf | None:
    """The pandas UDF from series to series that ``node`` stands for; None if it is something else; Refusal if it is a
    pandas UDF without a meaning here."""
    names = reader.names
    if isinstance(node, ast.Call):
        return _made(node, names)
    if not isinstance(node, ast.Name) or node.id in names.imported:
        return None
    definition = names.ctx.function(node.id)
    if definition is not None:
        return _decorated(definition, names)
    bound = reader.lookup(node.id)
    if bound is None or node.id in names.rebound or not isinstance(bound.value, Text):
        return None
    return _made(bound.value.node, names) if isinstance(bound.value.node, ast.Call) else None


def _made(call: ast.Call, names: Names) -> SeriesUdf | None:
    if not is_pandas_udf(call.func, names):
        return None
    given = arguments(call, ("f", "returnType", "functionType"))
    function, declared = given.get("f"), given.get("returnType")
    if function is None or declared is None:
        raise Refusal("opaque", "a pandas UDF made from something other than a function and a type", call)
    body = function if isinstance(function, ast.Lambda) else plain_function(function, names)
    return _udf(body, declared, given.get("functionType"), names)


def _decorated(definition: ast.FunctionDef, names: Names) -> SeriesUdf | None:
    called = [d.func if isinstance(d, ast.Call) else d for d in definition.decorator_list]
    if not any(is_pandas_udf(c, names) for c in called):
        return None
    mark = definition.decorator_list[0]
    if len(called) != 1 or not isinstance(mark, ast.Call):
        raise Refusal("opaque", f"`{definition.name}` has several decorators, or no return type", definition)
    given = arguments(mark, ("f", "returnType", "functionType"))
    if "f" in given:  # `@pandas_udf(type, functionType)`: the first argument is the return type
        return _udf(definition, given["f"], given.get("returnType", given.get("functionType")), names)
    return _udf(definition, given.get("returnType"), given.get("functionType"), names)


def _udf(
    function: ast.FunctionDef | ast.Lambda, declared: ast.expr | None, kind: ast.expr | None, names: Names
) -> SeriesUdf:
    name = function.name if isinstance(function, ast.FunctionDef) else "<lambda>"
    if declared is None:
        raise Refusal("opaque", f"the return type of `{name}` is not written out", function)
    if kind is None:
        iterator = _is_iterator(function, name, names)
    else:
        said = (names.resolve(kind) or "").rpartition(".PandasUDFType.")[2]
        if said not in ("SCALAR", "SCALAR_ITER"):
            raise Refusal("opaque", f"`{name}` is a pandas UDF of another kind than SCALAR", kind)
        iterator = said == "SCALAR_ITER"
    return SeriesUdf(function, name, return_type(declared, names), iterator)


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
