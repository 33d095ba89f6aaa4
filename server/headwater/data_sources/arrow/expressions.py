"""Expressions, arrays and functions of pyarrow, as values of the evaluator. What the functions compute: ``laws``."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from headwater.validation.library import Proxy
from headwater.validation.limits import NotEvaluated

from ..outside import Outside, shown
from ..spark_objects import Native
from .laws import both, compared, either, inverted, is_in, is_like, is_nan, kind_of, matched, strict

Values = Mapping[str, Any]
Evaluate = Callable[[Values], Any]


class Function(Native):
    """A function of pyarrow, of the parameters that are modelled: NotEvaluated for others."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        try:
            inspect.signature(self.function).bind(*args, **named)
        except TypeError:
            raise NotEvaluated("parameters of a function of Arrow") from None
        return self.function(*args, **named)


class Expression(Proxy):
    """``pyarrow.compute.Expression``. ``of``: its value in a row."""

    def __init__(self, of: Evaluate, path: str) -> None:
        self.of, self.path = of, path

    def attribute(self, name: str) -> Any:
        match name:
            case "isin":
                return Function(lambda values: apply_isin(self, values))
            case "is_null":
                return Function(lambda nan_is_null=False: FUNCTIONS["is_null"](self, nan_is_null=nan_is_null))
            case "is_valid":
                return Function(lambda: FUNCTIONS["is_valid"](self))
            case "is_nan":
                return Function(lambda: FUNCTIONS["is_nan"](self))
        return super().attribute(name)

    def __eq__(self, other: object) -> Any:
        return FUNCTIONS["equal"](self, other)

    def __ne__(self, other: object) -> Any:
        return FUNCTIONS["not_equal"](self, other)

    def __lt__(self, other: Any) -> Any:
        return FUNCTIONS["less"](self, other)

    def __le__(self, other: Any) -> Any:
        return FUNCTIONS["less_equal"](self, other)

    def __gt__(self, other: Any) -> Any:
        return FUNCTIONS["greater"](self, other)

    def __ge__(self, other: Any) -> Any:
        return FUNCTIONS["greater_equal"](self, other)

    def __and__(self, other: Any) -> Any:
        return FUNCTIONS["and_kleene"](self, other)

    def __or__(self, other: Any) -> Any:
        return FUNCTIONS["or_kleene"](self, other)

    def __invert__(self) -> Any:
        return FUNCTIONS["invert"](self)

    def _computed(self, other: Any) -> Any:
        raise NotEvaluated("arithmetic of Arrow")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _computed
    __rand__ = __ror__ = _computed

    def __bool__(self) -> bool:
        raise ValueError("An Expression cannot be evaluated to python True or False")

    def __hash__(self) -> int:
        raise NotEvaluated("an expression of Arrow as a key")


class Array(Proxy):
    """An array, or a column of a table. ``type``: the name of its type in Arrow, "any" if that is not known."""

    def __init__(self, values: list[Any], type: str) -> None:
        self.values, self.type = values, type
        self.path = f"array({type}, {shown(values)})"

    def attribute(self, name: str) -> Any:
        match name:
            case "to_pylist" | "tolist":
                return Function(lambda: [*self.values])
            case "combine_chunks":
                return Function(lambda: self)
            case "null_count":
                return self.values.count(None)
        return super().attribute(name)

    def item(self, key: Any) -> Any:
        if not isinstance(key, int):
            raise NotEvaluated("a part of an array")
        return Scalar(self.values[key])

    def elements(self) -> Iterator[Any]:
        """Its values, as scalars."""
        return iter([Scalar(v) for v in self.values])

    def __len__(self) -> int:
        return len(self.values)

    def __bool__(self) -> bool:
        raise NotEvaluated("the truth of an array")

    def __eq__(self, other: object) -> Any:
        raise NotEvaluated("two arrays that are compared as wholes")

    __ne__ = __eq__

    def __hash__(self) -> int:
        raise NotEvaluated("an array as a key")


class Scalar(Proxy):
    """``pyarrow.scalar(value)``."""

    def __init__(self, value: Any) -> None:
        self.value, self.path = value, f"scalar({shown(value)})"

    def attribute(self, name: str) -> Any:
        if name == "as_py":
            return Function(lambda: self.value)
        return super().attribute(name)

    def __eq__(self, other: object) -> Any:
        raise NotEvaluated("a scalar of Arrow that is compared by Python")

    __ne__ = __eq__

    def __bool__(self) -> bool:
        raise NotEvaluated("the truth of a scalar of Arrow")

    def __hash__(self) -> int:
        raise NotEvaluated("a scalar of Arrow as a key")


def plain(value: Any) -> Any:
    """The Python value of a constant."""
    value = value.value if isinstance(value, Scalar) else value
    if isinstance(value, (Outside, Proxy)):
        raise NotEvaluated("a value in an expression of Arrow")
    kind_of(value)
    return value


def _lifted(function: Callable[..., Any], args: tuple[Any, ...], sign: str) -> Any:
    """``function`` of the values of each row, of each element, or of constants."""
    if any(isinstance(a, Expression) for a in args):
        codes = [_code(a) for a in args]
        return Expression(lambda row: function(*[c(row) for c in codes]), f"{sign}({', '.join(map(_path, args))})")
    arrays = [a for a in args if isinstance(a, Array)]
    if not arrays:
        return Scalar(function(*map(plain, args)))
    if len({len(a) for a in arrays}) > 1:
        raise NotEvaluated("arrays of several lengths")
    columns = [a.values if isinstance(a, Array) else [plain(a)] * len(arrays[0]) for a in args]
    return Array([function(*vs) for vs in zip(*columns, strict=True)], "bool")


def _code(value: Any) -> Evaluate:
    if isinstance(value, Expression):
        return value.of
    if isinstance(value, Array):
        raise NotEvaluated("an array in an expression of Arrow")
    constant = plain(value)
    return lambda _: constant


def _path(value: Any) -> str:
    return value.path if isinstance(value, (Expression, Scalar)) else shown(value)


def _binary(name: str, function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda x, y: _lifted(function, (x, y), name)


def _unary(name: str, function: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda x: _lifted(function, (x,), name)


def _matcher(name: str, test: Callable[[str, str], bool]) -> Callable[..., Any]:
    match = matched(test)

    def made(of: Any, pattern: Any, ignore_case: Any = False) -> Any:
        if not isinstance(ignore_case, bool):
            raise NotEvaluated("an option that is no truth value")
        return _lifted(lambda v: match(v, pattern, ignore_case), (of,), f"{name} {shown(pattern)} {ignore_case}")

    return made


def _is_null(of: Any, nan_is_null: Any = False) -> Any:
    if not isinstance(nan_is_null, bool):
        raise NotEvaluated("an option that is no truth value")
    test: Callable[[Any], bool] = lambda v: v is None or (nan_is_null and is_nan(v) is True)  # noqa: E731
    return _lifted(test, (of,), f"is_null {nan_is_null}")


def apply_isin(of: Any, values: Any) -> Any:
    """``is_in``."""
    if isinstance(values, Array):
        some, kind = values.values, values.type
    elif type(values) in (list, tuple, set, frozenset):
        some, kind = [plain(v) for v in values], "null"
    else:
        raise NotEvaluated("the values of a set")
    return _lifted(lambda v: is_in(v, some, kind), (of,), f"is_in {shown(some)}")


def _is_in(of: Any, value_set: Any, skip_nulls: Any = False) -> Any:
    if skip_nulls is not False or not isinstance(value_set, Array):
        raise NotEvaluated("`is_in` with other options")
    return apply_isin(of, value_set)


def field(*names: Any) -> Expression:
    """``pyarrow.compute.field``: a column, or what is in one."""
    path = names[0] if len(names) == 1 and isinstance(names[0], tuple) else names
    if not path or not all(isinstance(n, str) for n in path):
        raise NotEvaluated("a field by its place")

    def run(row: Values) -> Any:
        at: Any = row
        for name in path:
            if at is None:
                return None
            if not isinstance(at, Mapping) or name not in at:
                raise _NoMatch(f"No match for FieldRef {path}")
            at = at[name]
        return at

    return Expression(run, f"field({', '.join(path)})")


class _NoMatch(ValueError):
    """``pyarrow.ArrowInvalid``."""


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "equal": _binary("equal", compared(operator.eq)),
    "not_equal": _binary("not_equal", compared(operator.ne)),
    "less": _binary("less", compared(operator.lt)),
    "less_equal": _binary("less_equal", compared(operator.le)),
    "greater": _binary("greater", compared(operator.gt)),
    "greater_equal": _binary("greater_equal", compared(operator.ge)),
    "and_kleene": _binary("and_kleene", both),
    "or_kleene": _binary("or_kleene", either),
    "and_": _binary("and_", strict(both)),
    "or_": _binary("or_", strict(either)),
    "invert": _unary("invert", inverted),
    "is_valid": _unary("is_valid", lambda v: v is not None),
    "is_nan": _unary("is_nan", is_nan),
    "is_null": _is_null,
    "is_in": _is_in,
    "starts_with": _matcher("starts_with", str.startswith),
    "ends_with": _matcher("ends_with", str.endswith),
    "match_substring": _matcher("match_substring", lambda a, b: b in a),
    "match_like": _matcher("match_like", is_like),
    "field": field,
    "scalar": lambda value: Expression(_code(value), f"scalar({_path(value)})"),
}
"""The functions of ``pyarrow.compute`` by name."""

__all__ = ["FUNCTIONS", "Array", "Expression", "Function", "Scalar", "apply_isin", "field", "is_in", "kind_of", "plain"]
