"""The evaluator of functions beside CPython: equal in values and errors, bounded, and closed."""

from __future__ import annotations

import ast
import time
from types import CodeType
from typing import Any

import pytest

from headwater.validation.library import METHODS, TABLE
from headwater.validation.limits import Meter, NotEvaluated
from headwater.validation.program import Program
from headwater.validation.world import World
from tests.python.harness import run_module
from tests.python.row_cases import CASES as ROW_CASES

from .snippets import REFUSED, SNIPPETS

IMPORTS = "import math, itertools, functools, operator, decimal, datetime, random, pathlib\n"


def executed(text: str, arguments: tuple[Any, ...]) -> object:
    """What CPython makes of ``f`` in ``text``: a value, or the class of an error."""
    try:
        return run_module(text)["f"](*arguments)
    except Exception as error:
        return type(error)


def evaluated(text: str, arguments: tuple[Any, ...], steps: int = 200_000) -> object:
    """What the evaluator makes of it."""
    program = Program(text)
    function = next(n for n in program.tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")
    world = World(program, Meter(steps))
    world.start({})
    try:
        return world.value(function)(*arguments)
    except Exception as error:
        return type(error)


def alike(a: object, b: object) -> bool:
    """Equal in value and type, NaN and the sign of zero included."""
    if isinstance(a, float) and isinstance(b, float):
        return repr(a) == repr(b)
    if isinstance(a, type) and isinstance(b, type):
        return issubclass(a, b) or issubclass(b, a)
    return type(a) is type(b) and (repr(a) == repr(b))


def arguments_of(text: str) -> list[tuple[Any, ...]]:
    values: CodeType = compile(text, "<arguments>", "eval")
    return list(eval(values))


@pytest.mark.parametrize("name", SNIPPETS)
def test_the_evaluator_does_what_cpython_does(name: str) -> None:
    text, arguments = SNIPPETS[name]
    for i, _ in enumerate(arguments_of(arguments)):
        # Arguments are made twice, for a function may change them.
        own, real = evaluated(text, arguments_of(arguments)[i]), executed(text, arguments_of(arguments)[i])
        assert alike(own, real), (arguments_of(arguments)[i], own, real)


_PATTERNS = ("re.", "compiled ")
"""Cases of ``re``, which the evaluator does not know."""


@pytest.mark.parametrize(
    "name", [n for n, c in ROW_CASES.items() if "pd." not in c.source and not n.startswith(_PATTERNS)]
)
def test_functions_of_a_row(name: str) -> None:
    case = ROW_CASES[name]
    text = "import math\nimport datetime\n" + case.source
    for rows in list(case.groups())[::7]:
        arguments = tuple(v for row in rows for v in row.values())
        own, real = evaluated(text, arguments), executed(text, arguments)
        assert alike(own, real), (arguments, own, real)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_in_the_table_or_too_large_is_not_evaluated(name: str) -> None:
    start = time.process_time()
    with pytest.raises(NotEvaluated):
        evaluated(f"{IMPORTS}def f():\n    return {REFUSED[name]}\n", ())
    assert time.process_time() - start < 3


def test_the_error_of_a_limit_is_not_caught() -> None:
    text = "def f():\n  try:\n    while True:\n      pass\n  except:\n    return 1\n  finally:\n    return 2"
    with pytest.raises(NotEvaluated):
        evaluated(text, ())


def test_a_name_that_is_bound_twice_or_changed_is_not_evaluated() -> None:
    for before in ("X = 1\nX = 2", "X = []\nX.append(1)", "X = {}\nX['a'] = 1", "def g():\n    global X\nX = 1"):
        with pytest.raises(NotEvaluated):
            evaluated(f"{before}\ndef f():\n    return X\n", ())


def test_the_table_holds_no_function_that_reads_the_outside() -> None:
    outside = set("open eval exec compile input getattr setattr vars globals __import__ now today utcnow".split())
    methods = {m for names in METHODS.values() for m in names}
    assert not {name.rpartition(".")[2] for name in TABLE} & outside
    assert not methods & (outside | {"format", "format_map", "fromtimestamp"})
    assert not any(m.startswith("_") for m in methods)
