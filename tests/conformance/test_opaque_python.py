"""Python's functions that stay uninterpreted: what is claimed of them, on CPython.

Each gives results of the stated type; those that may see numbers out of a pandas frame give equal results for equal
numbers, so that 1 and 1.0, True and 1, 0.0 and -0.0 need not be told apart; none changes its mind."""

from __future__ import annotations

import builtins
import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest

from headwater.python.effects.purity import NUMERIC_CALLS, STRING_METHODS, TEXT_CALLS
from headwater.python.interpreter.constants import _ATTRIBUTES
from headwater.semantics.calls import EXACT
from headwater_ir import expr as ir
from headwater_ir.types import Type
from tests.python.functions import RowCase
from tests.strategies import ADVERSARIAL

NUMBERS: tuple[Any, ...] = (*ADVERSARIAL["int"], *ADVERSARIAL["float"], True, False, 1, 0.0, 2, 2.5, -2.5, 0.5)
TEXTS: tuple[Any, ...] = (*ADVERSARIAL["string"], "ß", "ǅ", "١", "²", "\ud800", "A b", "12", "\u2028")
TWO_NUMBERS = {"math.pow", "math.hypot"}
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "replace": ("a", "b"), "zfill": (4,), "ljust": (4,), "rjust": (4, "\U0001f600"), "center": (5,),
    "removeprefix": ("a",), "removesuffix": ("b",), "find": ("a",), "rfind": ("a",), "count": ("",), "index": ("a",),
}  # fmt: skip
"""Further arguments of methods of ``str``."""
CLASSES: dict[str, tuple[type, ...]] = {"int": (int,), "float": (float,), "string": (str,), "bool": (bool,)}
ERROR = "an error"


def real(name: str) -> Callable[..., Any]:
    """The function of that dotted name."""
    module, _, function = name.rpartition(".")
    found: Callable[..., Any] = getattr(math if module == "math" else builtins, function)
    return found


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """Its result, or an error."""
    try:
        return function(*args)
    except (TypeError, ValueError, ArithmeticError):
        return ERROR


def same(a: Any, b: Any) -> bool:
    return a is b or a == b or (a != a and b != b)


def of_type(value: Any, t: Type) -> bool:
    """Whether ``value`` is of the claimed type, or an error."""
    if value is ERROR:
        return True
    allowed = CLASSES.get(t.name, (int, float))
    return isinstance(value, allowed) and (t.name == "bool" or not isinstance(value, bool))


def called(name: str) -> str:
    """A program that calls it, on a number or a text."""
    short = name.removeprefix("builtins.")
    if name in STRING_METHODS:
        given = ", ".join(map(repr, ARGUMENTS.get(name, ())))
        return f"def f(s):\n    return s.{name}({given}) == s.{name}({given})\n"
    call = f"{short}(x, 2)" if name in TWO_NUMBERS else f"{short}(x)"
    return f"def f(x):\n    return {call} == {call}\n"


CONSTANTS = tuple(f"import numpy\nimport sys\ndef f(x):\n    return x < {name}\n" for name in _ATTRIBUTES)
PROGRAMS = (*map(called, (*NUMERIC_CALLS, *TEXT_CALLS, *STRING_METHODS)), *CONSTANTS)


@pytest.mark.parametrize("name", sorted(NUMERIC_CALLS))
def test_numeric_calls(name: str) -> None:
    function, t = real(name), NUMERIC_CALLS[name]
    rest: list[tuple[Any, ...]] = [(n,) for n in NUMBERS] if name in TWO_NUMBERS else [()]
    for more in rest:
        results = [outcome(function, n, *more) for n in NUMBERS]
        assert all(of_type(r, t) for r in results)
        for (a, r), (b, s) in itertools.combinations(zip(NUMBERS, results, strict=True), 2):
            assert a != b or same(r, s), (a, b, more)
    if name in TWO_NUMBERS:
        for a, b, c in itertools.product(NUMBERS, repeat=3):
            assert b != c or same(outcome(function, a, b), outcome(function, a, c)), (a, b, c)
    assert outcome(function, None) is ERROR


def test_rounding_to_places() -> None:
    for n, m in itertools.product(NUMBERS, repeat=2):
        assert n != m or same(outcome(round, n, 1), outcome(round, m, 1))


@pytest.mark.parametrize("name", sorted(TEXT_CALLS))
def test_text_calls(name: str) -> None:
    for value in (*NUMBERS, *TEXTS, None):
        assert of_type(outcome(real(name), value), TEXT_CALLS[name])


@pytest.mark.parametrize("name", sorted(STRING_METHODS))
def test_string_methods(name: str) -> None:
    method = getattr(str, name)
    for text in TEXTS:
        found = outcome(method, text, *ARGUMENTS.get(name, ()))
        assert of_type(found, STRING_METHODS[name])
        assert same(found, outcome(method, str(text), *ARGUMENTS.get(name, ())))
    assert outcome(method, None) is ERROR


def test_they_are_read_as_such() -> None:
    """The front end gives each the claimed type; none is taken never to raise but ``str`` of what a column holds."""
    for name, t in (*NUMERIC_CALLS.items(), *TEXT_CALLS.items(), *STRING_METHODS.items()):
        source = called(name)
        fold = RowCase(source, "x double" if "f(x)" in source else "s string", "boolean").fold()
        found = [n for n in ir.walk(fold.outputs[0].value) if isinstance(n, ir.Call)]
        exact = name in ("builtins.abs", "builtins.float", "math.isinf", "math.isfinite")  # have a meaning of their own
        assert exact or found, name
        for node in found:
            assert not node.total or node.name == "str"
            assert t.name == "any" or node.type.name == t.name
            assert node.name not in EXACT or node.name in ("round", "str", "str.lower", "str.upper", "str.strip"), node


@pytest.mark.parametrize("source", CONSTANTS)
def test_constants(source: str) -> None:
    namespace: dict[str, Any] = {"math": math}
    exec(source, namespace)
    value = RowCase(source, "x double", "boolean").fold().outputs[0].value
    from headwater.semantics.interpreter import Env, evaluate

    for x in ADVERSARIAL["float"]:
        assert evaluate(value, Env({"x": x})) is namespace["f"](x)
