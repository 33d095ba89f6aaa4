# ruff: noqa: E501 - programs, one to a line
"""Conversions inside row functions, beside CPython: what a conversion yields and whether it fails are columns of the model."""

from __future__ import annotations

import pytest

from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater_ir.expr import Call, Col, transform, walk

from .functions import RowCase
from .harness import ERROR, run_module, same

CONVERSIONS = {
    "int": ("def f(s):\n    try:\n        n = int(s)\n    except ValueError:\n        return True\n    return n > 1", int),
    "int or none": ("def f(s):\n    try:\n        return int(s) % 2 == 1\n    except (ValueError, TypeError):\n        return None", int),
    "float": ("def f(s):\n    try:\n        return float(s) > 1\n    except ValueError:\n        return False", float),
    "float, either": ("def f(s):\n    try:\n        v = float(s)\n        return 6 / v > 1\n    except ZeroDivisionError:\n        return True\n    except Exception:\n        return False", float),
}  # fmt: skip
TEXTS = (None, "", "1", " 2 ", "-3", "1.5", "nan", "inf", "0", "1_0", "x", "\u0661", "9" * 5000, "\ud800")


@pytest.mark.parametrize("name", sorted(CONVERSIONS))
def test_conversions(name: str) -> None:
    """What a conversion yields, and whether it fails, are two columns here: the model says nothing else of it."""
    source, convert = CONVERSIONS[name]
    fold = RowCase.of(source, "string", "boolean").fold()
    twins = {n for n in walk(fold.outputs[0].value) if isinstance(n, Call)}
    columns = {convert.__name__: Col("made"), f"failure of {convert.__name__}": Col("fails")}
    assert {t.name for t in twins} == columns.keys()
    assert all(t.total for t in twins)
    value = transform(fold.outputs[0].value, lambda n: columns[n.name] if isinstance(n, Call) else None)
    function, found = run_module(source)["f"], set()
    for text in TEXTS:
        try:
            made, fails = convert(text), False
        except (ValueError, TypeError):
            made, fails = None, True
        try:
            real: object = function(text)
        except Exception:
            real = ERROR
        try:
            model: object = evaluate(value, Env(row={"c0": text, "made": made, "fails": fails}))  # type: ignore[dict-item]
        except EvaluationError:
            model = ERROR
        assert same(model, real), (name, text, model, real)
        found.add(real)
    assert len(found) > 1
