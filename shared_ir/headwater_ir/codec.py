"""JSON for every value of the IR: certificates, the cache and the worker protocol.

A dataclass is an object whose ``"$"`` names its class; tuples are arrays; dates, timestamps and the floats that JSON
lacks are tagged objects (``{"$": "float", "v": "nan"}``). Decoding is driven by the declared types and strict: whatever
is not exactly what ``to_json`` writes is a ``CodecError`` that names the place.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
TAG = "$"
_ODD_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf, "-0.0": -0.0}
_JSON_NAMES = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}


class CodecError(ValueError):
    """The data is not what the type demands; ``path`` says where."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path or 'top level'}: {problem}")
        self.path = path


def to_json(value: object) -> Any:
    """``value`` as what ``json.dumps`` takes. TypeError for anything that is not of the IR."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return _float_to_json(value)
    if isinstance(value, tuple):
        return [to_json(v) for v in value]
    if isinstance(value, frozenset):
        return sorted(to_json(v) for v in value)
    if isinstance(value, dt.datetime):
        return {TAG: "timestamp", "v": value.isoformat()}
    if isinstance(value, dt.date):
        return {TAG: "date", "v": value.isoformat()}
    if is_dataclass(value) and not isinstance(value, type):
        return {TAG: type(value).__name__} | {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    raise TypeError(f"{type(value).__name__} is not part of the IR")


def _float_to_json(value: float) -> Any:
    if math.isfinite(value) and not (value == 0 and math.copysign(1, value) < 0):
        return value
    return {TAG: "float", "v": repr(value)}


def dumps(value: object) -> str:
    """The canonical text of ``value``: sorted keys, no blanks, ASCII. Equal texts mean identical values, which ``==``
    does not promise: the literals 1, 1.0 and True are equal to Python, and a NaN differs from itself."""
    return json.dumps(to_json(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(value: object) -> str:
    """SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(dumps(value).encode("ascii")).hexdigest()


def loads(text: str, expected: type[T]) -> T:
    """The value that ``dumps`` wrote; CodecError for any other text."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CodecError("", f"not JSON: {error}") from None
    return cast(T, from_json(data, expected))


def from_json(data: Any, expected: Any) -> Any:
    """The value of type ``expected`` (a dataclass, a union such as ``Expr``, a tuple type) that ``data`` stands for."""
    try:
        return _decode(data, expected, "")
    except RecursionError:
        raise CodecError("", "nested too deeply") from None


def _decode(data: Any, expected: Any, path: str) -> Any:
    for matches, decode in _alternatives(expected):
        if matches(data):
            return decode(data, path)
    raise CodecError(path, f"expected {_describe(expected)}, found {_found(data)}")


Alternative = tuple[Callable[[Any], bool], Callable[[Any, str], Any]]


@cache
def _alternatives(expected: Any) -> tuple[Alternative, ...]:
    """How to recognise and decode each form of ``expected``. The forms of a type of the IR never overlap."""
    if expected is object:  # the values in a counterexample
        return _alternatives(Union[None, bool, int, float, str, dt.date, dt.datetime])
    origin = get_origin(expected)
    if origin in (Union, types.UnionType):
        return tuple(a for member in get_args(expected) for a in _alternatives(member))
    if origin is Literal:
        members = {(type(v), v) for v in get_args(expected)}
        return ((lambda data: isinstance(data, (int, str)) and (type(data), data) in members, _itself),)
    if origin is tuple:
        return ((lambda data: isinstance(data, list), _tuple_decoder(get_args(expected))),)
    if origin is frozenset:
        elements = _tuple_decoder((*get_args(expected), ...))
        return ((lambda data: isinstance(data, list), lambda data, path: frozenset(elements(data, path))),)
    if is_dataclass(expected):
        return ((_tagged(cast(type[Any], expected).__name__), _dataclass_decoder(cast(type[Any], expected))),)
    return _ATOMS[expected]


def _itself(data: Any, path: str) -> Any:
    return data


def _tagged(tag: str) -> Callable[[Any], bool]:
    return lambda data: isinstance(data, dict) and data.get(TAG) == tag


def _tuple_decoder(members: tuple[Any, ...]) -> Callable[[Any, str], Any]:
    def decode(data: list[Any], path: str) -> tuple[Any, ...]:
        kinds = [members[0]] * len(data) if members[1:] == (...,) else list(members)
        if len(kinds) != len(data):
            raise CodecError(path, f"expected {len(kinds)} elements, found {len(data)}")
        return tuple(_decode(d, kind, f"{path}[{i}]") for i, (d, kind) in enumerate(zip(data, kinds, strict=True)))

    return decode


def _dataclass_decoder(cls: type[Any]) -> Callable[[Any, str], Any]:
    hints = get_type_hints(cls)
    names = {f.name for f in fields(cls)}

    def decode(data: dict[str, Any], path: str) -> Any:
        _exact_fields(data, names, path)
        values = {name: _decode(data[name], hints[name], f"{path}.{name}") for name in sorted(names)}
        try:
            return cls(**values)
        except ValueError as error:  # a constructor rejects an illegal combination
            raise error if isinstance(error, CodecError) else CodecError(path, str(error)) from None

    return decode


def _exact_fields(data: dict[str, Any], names: set[str], path: str) -> None:
    if missing := sorted(names - data.keys()):
        raise CodecError(path, f"{data[TAG]} lacks {', '.join(missing)}")
    if extra := sorted(data.keys() - names - {TAG}):
        raise CodecError(path, f"{data[TAG]} has no {', '.join(map(str, extra))}")


def _text_decoder(parse: Callable[[str], Any]) -> Callable[[Any, str], Any]:
    def decode(data: dict[str, Any], path: str) -> Any:
        _exact_fields(data, {"v"}, path)
        try:
            value = parse(data["v"])
        except (ValueError, TypeError, KeyError):
            value = None
        if value is None or to_json(value) != data:  # isoformat is one of several spellings that Python reads
            raise CodecError(path, f"not a {data[TAG]}: {data['v']!r}")
        return value

    return decode


_ATOMS: dict[Any, tuple[Alternative, ...]] = {
    type(None): ((lambda data: data is None, _itself),),
    bool: ((lambda data: isinstance(data, bool), _itself),),
    int: ((lambda data: isinstance(data, int) and not isinstance(data, bool), _itself),),
    float: (
        (lambda data: isinstance(data, float) and math.isfinite(data), _itself),
        (_tagged("float"), _text_decoder(_ODD_FLOATS.__getitem__)),
    ),
    str: ((lambda data: isinstance(data, str), _itself),),
    dt.date: ((_tagged("date"), _text_decoder(dt.date.fromisoformat)),),
    dt.datetime: ((_tagged("timestamp"), _text_decoder(dt.datetime.fromisoformat)),),
}


def _describe(expected: Any) -> str:
    members = get_args(expected) if get_origin(expected) in (Union, types.UnionType, Literal) else (expected,)
    return " or ".join(getattr(m, "__name__", None) or repr(m) for m in members)


def _found(data: Any) -> str:
    if isinstance(data, dict) and TAG in data:
        return f"{data[TAG]!r}"
    return _JSON_NAMES.get(type(data)) or repr(data)
