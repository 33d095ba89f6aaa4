"""Finding pandas UDFs that make one value of series: ``@pandas_udf("double")`` above ``def f(v: pd.Series) -> float``,
``pandas_udf(f, "double")``, and the old form with ``PandasUDFType.GROUPED_AGG``; and their use in ``agg``.

Spark decides by the type hints, or by the function type where one is given, whether a pandas UDF is an aggregate
(``pyspark.sql.pandas.typehints``); without either it is a function from series to series. In doubt refused.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns.udf import plain_function, return_type
from headwater.pyspark.frames.tracked_values import TrackedFrame, Unevaluated
from headwater.syntax.names.resolve import FUNCTIONS, Names
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col
from headwater_ir.types import Type

_MODULES = (FUNCTIONS, "pyspark.sql.functions.builtin", "pyspark.sql.pandas.functions")
SERIES = {"pandas.Series", "pandas.core.series.Series"}
"""Type hints that say series."""
_SCALARS = {
    "builtins.float", "builtins.int", "builtins.bool", "builtins.str", "datetime.date", "datetime.datetime",
    "typing.Any", "pandas.Timestamp", "numpy.float64", "numpy.int64", "numpy.bool_",
}  # fmt: skip


@dataclass(frozen=True)
class AggregateUdf:
    """A pandas UDF from series to one value: its function and its declared return type."""

    function: ast.FunctionDef | ast.Lambda
    name: str
    return_type: Type


@dataclass(frozen=True)
class SeriesUse:
    """One argument of ``agg``: ``udf(columns…)``, and the name of its output column."""

    udf: AggregateUdf
    columns: tuple[str, ...]
    label: str


def series_uses(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> list[SeriesUse] | None:
    """The arguments of ``agg(…)`` as uses of pandas UDFs; None if none of them is one."""
    found = [_use(a, frame, reader, None) for a in call.args]
    if not any(found):
        return None
    uses = [u for u in found if u is not None]
    if len(uses) != len(found) or call.keywords:
        raise Refusal("may-throw", "Spark does not run pandas aggregates and native ones in one `agg`", call)
    return uses


def _use(node: ast.expr, frame: TrackedFrame, reader: ApiContext, label: str | None) -> SeriesUse | None:
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="alias" | "name"), args=[ast.Constant(value=str() as name)], keywords=[]):  # fmt: skip # noqa: E501
            return _use(inner, frame, reader, label or name)
        case ast.Call():
            udf = aggregate_udf(node.func, reader)
            return _call(node, udf, frame, reader, label) if udf else None
    return None


def _call(node: ast.Call, udf: AggregateUdf, frame: TrackedFrame, reader: ApiContext, label: str | None) -> SeriesUse:
    if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
        raise Refusal("opaque", "the arguments of the pandas UDF are not written out", node)
    columns = reader.columns(frame)
    names: list[str] = []
    for argument in node.args:
        term = columns.column(argument, text_is_name=True)
        if term.name is None or term.expr != Col(term.name):
            raise Refusal("opaque", f"the argument `{reader.names.ctx.text(argument)}` is not a plain column", argument)
        names.append(term.name)
    return SeriesUse(udf, tuple(names), label or f"{reader.names.ctx.own_name(udf.name)}({', '.join(names)})")


@dataclass(frozen=True)
class Given:
    """What a pandas UDF of either kind is made of: a function, and the return type and function type as written."""

    function: ast.FunctionDef | ast.Lambda
    declared: ast.expr
    kind: ast.expr | None

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.name if isinstance(self.function, ast.FunctionDef) else "<lambda>"


def given_udf(node: ast.expr, reader: ApiContext) -> Given | None:
    """The pandas UDF that ``node`` stands for; None if it is something else; Refusal if it is made in a way without a
    meaning here."""
    names = reader.names
    if isinstance(node, ast.Call):
        return _made(node, names)
    if not isinstance(node, ast.Name) or node.id in names.imported:
        return None
    definition = names.ctx.function(node.id)
    if definition is not None:
        return _decorated(definition, names)
    bound = reader.lookup(node.id)
    if bound is None or node.id in names.rebound or not isinstance(bound.value, Unevaluated):
        return None
    return _made(bound.value.node, names) if isinstance(bound.value.node, ast.Call) else None


def _made(call: ast.Call, names: Names) -> Given | None:
    """``pandas_udf(f, returnType, functionType)``."""
    if not is_pandas_udf(call.func, names):
        return None
    given = _arguments(call)
    function, declared = given.get("f"), given.get("returnType")
    if function is None or declared is None:
        raise Refusal("opaque", "a pandas UDF made from something other than a function and a type", call)
    body = function if isinstance(function, ast.Lambda) else plain_function(function, names)
    return Given(body, declared, given.get("functionType"))


def _decorated(definition: ast.FunctionDef, names: Names) -> Given | None:
    """``@pandas_udf(returnType, functionType)`` above a function."""
    called = [d.func if isinstance(d, ast.Call) else d for d in definition.decorator_list]
    if not any(is_pandas_udf(c, names) for c in called):
        return None
    mark = definition.decorator_list[0]
    if len(called) != 1 or not isinstance(mark, ast.Call):
        raise Refusal("opaque", f"`{definition.name}` has several decorators, or no return type", definition)
    given = _arguments(mark)
    declared, kind = given.get("returnType"), given.get("functionType")
    if "f" in given:  # `@pandas_udf(type, functionType)`: the first argument is the return type
        declared, kind = given["f"], given.get("returnType", kind)
    if declared is None:
        raise Refusal("opaque", f"the return type of `{definition.name}` is not written out", definition)
    return Given(definition, declared, kind)


_GROUPED_AGG = frozenset(
    f"pyspark.sql.{m}.PandasUDFType.GROUPED_AGG" for m in ("functions", "functions.builtin", "pandas.functions")
)


def aggregate_udf(node: ast.expr, reader: ApiContext) -> AggregateUdf | None:
    """The aggregating pandas UDF that ``node`` stands for; None if it is something else; Refusal if it is a pandas UDF
    without a model."""
    given, names = given_udf(node, reader), reader.names
    if given is None:
        return None
    if given.kind is None:
        _check_hints(given.function, given.name, names)
    elif names.resolve(given.kind) not in _GROUPED_AGG:
        raise Refusal("opaque", f"`{given.name}` is a pandas UDF of another kind than GROUPED_AGG", given.kind)
    return AggregateUdf(given.function, given.name, return_type(given.declared, names))


def is_pandas_udf(node: ast.expr, names: Names) -> bool:
    """Whether ``node`` is Spark's ``pandas_udf``."""
    module, _, name = (names.resolve(node) or "").rpartition(".")
    return name == "pandas_udf" and module in _MODULES


def _arguments(call: ast.Call) -> dict[str, ast.expr]:
    """What a call of ``pandas_udf`` is given, by name; Refusal if it is not written out."""
    if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        raise Refusal("opaque", "a pandas UDF made with unpacked arguments", call)
    named = {k.arg: k.value for k in call.keywords if k.arg}
    return dict(zip(("f", "returnType", "functionType"), call.args, strict=False)) | named


def _check_hints(function: ast.FunctionDef | ast.Lambda, name: str, names: Names) -> None:
    """Refuse a function whose type hints do not say that it makes one value of series."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    if isinstance(function, ast.Lambda) or function.returns is None or any(a.annotation is None for a in every):
        raise Refusal("opaque", f"the type hints of `{name}` do not say what kind of pandas UDF it is", function)
    for a in every:
        if hint(a.annotation, names) not in SERIES:
            raise Refusal("opaque", f"`{name}` takes something other than pandas Series", a)
    if not _is_scalar(function.returns, names):
        raise Refusal("opaque", f"`{name}` is not known to return one value", function.returns)


def _is_scalar(node: ast.expr, names: Names) -> bool:
    node = unquoted(node)
    if isinstance(node, ast.Constant):
        return node.value is None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _is_scalar(node.left, names) and _is_scalar(node.right, names)
    if isinstance(node, ast.Subscript):
        return hint(node.value, names) == "typing.Optional" and _is_scalar(node.slice, names)
    return hint(node, names) in _SCALARS


def hint(node: ast.expr | None, names: Names) -> str | None:
    """The dotted name of the type that a hint says."""
    return names.resolve(unquoted(node)) if node is not None else None


def unquoted(node: ast.expr) -> ast.expr:
    """A hint written as a string is the expression in it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return node
    return node
