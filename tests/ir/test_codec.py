"""The codec carries every value of the IR unchanged and takes nothing else."""

from __future__ import annotations

import datetime as dt
import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater_ir import expr, module, plan, problem, verdict
from headwater_ir.codec import CodecError, digest, dumps, from_json, loads, to_json
from headwater_ir.types import FLOAT, INT
from tests.shares import every
from tests.strategies import of_type, problems

ROOTS: list[Any] = [*expr.EXPR_NODES, *plan.PLAN_NODES, problem.FoldProblem, *verdict.Verdict.__args__]  # type: ignore[attr-defined]
RELAXED = settings(
    max_examples=6 // every(3),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


@pytest.mark.parametrize("cls", ROOTS, ids=lambda cls: cls.__name__)
@RELAXED
@given(st.data())
def test_round_trip_of_every_class(cls: Any, data: st.DataObject) -> None:
    _goes_round(cls, data.draw(of_type(cls)))


@settings(RELAXED, max_examples=2 // every(2))  # each takes seconds to draw: a module has some of everything
@given(of_type(module.Module))
def test_round_trip_of_modules(value: module.Module) -> None:
    _goes_round(module.Module, value)


def _goes_round(cls: Any, value: Any) -> None:
    text = dumps(value)
    again = loads(text, cls)
    assert type(again) is cls
    assert dumps(again) == text
    assert digest(again) == digest(value)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problems())
def test_round_trip_of_problems(value: problem.FoldProblem) -> None:
    again = loads(dumps(value), problem.FoldProblem)
    assert dumps(again) == dumps(value)
    assert repr(again) == repr(value)  # repr tells 1 from 1.0 and True, and -0.0 from 0.0, where == does not


@pytest.mark.parametrize(
    "value",
    [
        None, True, False, 0, 1, 2**63, -(2**70), 0.0, -0.0, 1.0, 0.1, math.nan, math.inf, -math.inf, "", "\U0001f600",
        "\ud800", dt.date(1, 1, 1), dt.datetime(2024, 2, 29, 1, 2, 3, 4),
        dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc),
    ],
    ids=repr,
)  # fmt: skip
def test_literals_keep_type_and_value(value: expr.Scalar) -> None:
    again = loads(dumps(expr.Lit(value, FLOAT)), expr.Lit)
    assert type(again.value) is type(value)
    assert repr(again.value) == repr(value)


def test_digest_tells_apart_what_python_calls_equal() -> None:
    lits = [expr.Lit(v, INT) for v in (1, 1.0, True, 0.0, -0.0, False, 0)]
    assert len({digest(lit) for lit in lits}) == len(lits)


def test_canonical_text_is_stable() -> None:
    assert dumps(expr.Col("é")) == '{"$":"Col","name":"\\u00e9"}'
    assert dumps(expr.TRUE) == '{"$":"And","dialect":"sql","operands":[]}'


COL = {"$": "Col", "name": "a"}


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (None, "top level"),
        ([], "top level"),
        ({}, "top level"),
        ({"$": "Nope"}, "top level"),
        ({"$": ["Col"]}, "top level"),
        ({"$": "Col"}, "top level"),
        (COL | {"b": 1}, "top level"),
        ({"$": "Col", "name": 1}, ".name"),
        ({"$": "Slot", "index": True, "side": 0}, ".index"),
        ({"$": "Slot", "index": 0, "side": 3}, ".side"),
        ({"$": "Slot", "index": 0, "side": False}, ".side"),
        ({"$": "Slot", "index": 0.0, "side": 0}, ".index"),
        ({"$": "And", "operands": [COL, {"$": "Col", "name": None}], "dialect": "sql"}, ".operands[1].name"),
        ({"$": "And", "operands": COL, "dialect": "sql"}, ".operands"),
        ({"$": "Not", "operand": COL, "dialect": "SQL"}, ".dialect"),
        ({"$": "Not", "operand": {"$": "Fold"}, "dialect": "sql"}, ".operand"),
        ({"$": "Lit", "value": [1], "type": {"$": "Type", "name": "int", "bits": None, "elem": None}}, ".value"),
        ({"$": "Lit", "value": {"$": "float", "v": "1.0"}, "type": to_json(INT)}, ".value"),
        ({"$": "Lit", "value": {"$": "date", "v": "20240101"}, "type": to_json(INT)}, ".value"),
        ({"$": "Lit", "value": {"$": "date", "v": "2024-02-30"}, "type": to_json(INT)}, ".value"),
        ({"$": "Lit", "value": {"$": "timestamp", "v": 5}, "type": to_json(INT)}, ".value"),
        ({"$": "Lit", "value": math.inf, "type": to_json(INT)}, ".value"),
    ],
)
def test_bad_data_is_refused_with_its_place(data: Any, path: str) -> None:
    with pytest.raises(CodecError) as caught:
        from_json(data, expr.Expr)
    assert str(caught.value).startswith(f"{path}: ")


def test_constructors_still_check() -> None:
    data = to_json(problem.Fold("f", "agg", (), (), (), (), ())) | {"rows": "one", "grouped": False}
    with pytest.raises(CodecError, match="row function"):
        from_json(data, problem.Fold)


@pytest.mark.parametrize("text", ["", "{", "nul", "[" * 100_000, '{"$":"Not","dialect":"sql","operand":' * 5_000])
def test_bad_text_is_refused(text: str) -> None:
    with pytest.raises(CodecError):
        loads(text, expr.Expr)  # type: ignore[arg-type]


def test_deep_but_well_formed_data_is_refused_not_fatal() -> None:
    data: Any = COL
    for _ in range(20_000):
        data = {"$": "Not", "operand": data, "dialect": "sql"}
    with pytest.raises(CodecError, match="deep"):
        from_json(data, expr.Expr)


def test_foreign_values_are_refused() -> None:
    with pytest.raises(TypeError):
        dumps({"a": 1})
    with pytest.raises(TypeError):
        dumps(expr.Lit(b"x", INT))  # type: ignore[arg-type]


def test_json_is_plain() -> None:
    assert json.loads(dumps(expr.Lit(math.nan, FLOAT)))["value"] == {"$": "float", "v": "nan"}
