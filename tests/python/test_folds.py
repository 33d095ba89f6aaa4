"""The shape of folds: slots, facts, assumptions, errors that must not get lost."""

from __future__ import annotations

import pandas as pd

from headwater.python.pandas.apply_in_pandas import fold_group_map
from headwater.python.pandas.methods.names import PANDAS_NAMES
from headwater.syntax.names.module_scope import Context
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import TRUE, Col, IsNull, Not, Slot, walk
from headwater_ir.plan import Field, Schema
from headwater_ir.types import FLOAT, INT64, STRING

from .cases import CASES
from .functions import GroupMap
from .harness import ERROR


def test_top2() -> None:
    fold = CASES["top2 long"].fold()
    assert [s.name for s in fold.slots] == ["first", "second"]
    assert fold.merge is None
    assert fold.grouped
    assert fold.emit == TRUE
    assert fold.keys == ("team",)
    assert fold.output("team").value == Col("team")


def test_unread_variables_are_no_slots() -> None:
    source = """
def f(pdf):
    best, label = 0, "x"
    for r in pdf.itertuples():
        t = r.x * 2
        label = r.s
        if t > best:
            best = t
    return pd.DataFrame([{"k": pdf["k"].iloc[0], "v": best}])
"""
    fold = GroupMap(source, "k string, x double, s string", "k string, v double").fold()
    assert [s.name for s in fold.slots] == ["best"]
    assert {c.name for c in fold.columns} == {"k", "x"}


def test_errors_of_unused_values_are_kept() -> None:
    """A pre-filter that drops the row that sets ``v`` would add a division by zero."""
    source = """
def f(pdf):
    v = 0
    for r in pdf.itertuples():
        if r.x == 5:
            v = 1
        unused = 1 / v
    return pd.DataFrame([{"k": pdf["k"].iloc[0], "n": len(pdf)}])
"""
    case = GroupMap(source, "k string, x double", "k string, n long")
    assert case.real([{"k": "a", "x": 1.0}]) == case.model([{"k": "a", "x": 1.0}]) == ERROR
    good = [{"k": "a", "x": 5.0}, {"k": "a", "x": 1.0}]
    assert case.real(good) == case.model(good) == {"k": "a", "n": 2}


def test_errors_after_the_loop_are_kept() -> None:
    source = """
def f(pdf):
    v = n = 0
    for r in pdf.itertuples():
        n += 1
        v = r.x
    row = pd.DataFrame([{"k": pdf["k"].iloc[0], "n": 1 // (n - 1)}])
    if n < 3:
        return pd.DataFrame(columns=["k", "n"])
    return row
"""
    case = GroupMap(source, "k string, x double", "k string, n long")
    rows = [{"k": "a", "x": 1.0}]
    assert case.real(rows) == case.model(rows) == ERROR
    assert case.real(rows * 2) is None
    assert case.model(rows * 2) is None


def test_declared_not_null_becomes_a_fact() -> None:
    source = Schema((Field("team", STRING), Field("score", INT64, nullable=False)))
    output = Schema((Field("team", STRING), Field("first", FLOAT), Field("second", FLOAT)))
    ctx = Context.of("import pandas as pd\n" + CASES["top2 long"].source)
    function = ctx.function("f")
    assert function is not None
    fold = fold_group_map(ctx, function, source=source, keys=("team",), output=output)
    assert fold.facts == (Not(IsNull(Col("score"))),)
    assert not any("share a group with NULL" in a.text for a in fold.assumptions)


def test_unknown_columns_are_assumed_aloud_and_shown_either_way() -> None:
    fold = CASES["top2 unknown"].fold()
    assert Assumption("type", "`score` is numeric and no decimal (schema unknown)") in fold.assumptions
    assert fold.column("NULL of `score` is None").ghost


def test_step_reads_only_its_own_slots_and_columns() -> None:
    for case in CASES.values():
        fold = case.fold()
        names = {c.name for c in fold.columns}
        for e in (*fold.init, *fold.step, fold.emit, *(o.value for o in fold.outputs)):
            for n in walk(e):
                assert not isinstance(n, Slot) or n.index < len(fold.slots)
                assert not isinstance(n, Col) or n.name in names
        for e in (*fold.init, fold.emit, *(o.value for o in fold.outputs)):
            assert all(n.name in fold.keys for n in walk(e) if isinstance(n, Col))


def test_pandas_names_are_those_of_pandas() -> None:
    frame = pd.DataFrame({"a": [1]})
    real = {n for n in (*dir(frame), *dir(frame["a"])) if not n.startswith("_")} - {"a"}
    assert real <= PANDAS_NAMES
