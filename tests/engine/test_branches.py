"""A filter in a branch of its own: what is told of the user's text, and that each side condition is what holds a trap
back. What is right and wrong on Spark: ``tests/mdtest/driver/own_branch.md``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from headwater.edit_check import copies
from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.files.fixing import fix_text
from headwater.engine.report.report import Opportunity, Report
from headwater.rewrite.branch import copyable, making, sql_texts
from headwater.rewrite.branch.definitions import Scopes
from headwater.rewrite.branch.names import Holding
from headwater.rewrite.branch.text import piece_of
from headwater.rewrite.branch.world import World
from headwater.rewrite.edit import apply_edits
from headwater.rewrite.tokens import Tokens
from headwater_ir.span import Span
from tests.mdtest.cases import all_cases

HEAD = "from pyspark.sql import functions as F\n\n"
SHOWN = f"""{HEAD}best = df.groupBy("k").agg(  # of each
    F.max("x").alias("m"),
)
best.show()
top = best.filter(best.m > 100)
"""
TRAPS = {c.heading.removeprefix("Trap: "): c for c in all_cases() if c.file == "own_branch.md"}


def analysed(text: str) -> Report:
    return analyse(text, Options(timeout_seconds=20))


def in_a_branch(report: Report) -> list[Opportunity]:
    return [o for o in report.opportunities if "in a branch of its own" in o.message]


def test_what_is_told_of_it() -> None:
    (found,) = in_a_branch(analysed(SHOWN))
    assert found.message.startswith(
        "`x > 100 OR isnan(x)` can run before `agg` in a branch of its own, beside `best`: "
    )
    boundary = found.boundary_span.text(SHOWN)
    assert boundary.startswith('.groupBy("k")')
    assert boundary.endswith(",\n)")
    assert found.filter_text == "filter(best.m > 100)" == found.filter_span.text(SHOWN)
    assert found.prefilter_span == Span(SHOWN.index("best.filter"), SHOWN.index("best.filter"))


def test_one_edit_where_the_frame_is_read() -> None:
    (found,) = in_a_branch(analysed(SHOWN))
    (edit,) = found.edits
    assert edit.span.text(SHOWN) == "best.filter(best.m > 100)"
    assert edit.text == 'df.filter((F.col("x") > 100) | F.isnan("x")).groupBy("k").agg(F.max("x").alias("m"))'


def test_the_pre_filter_alone() -> None:
    (found,) = in_a_branch(analysed(SHOWN))
    text = apply_edits(SHOWN, found.prefilter_edits)
    assert text.endswith('.groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > 100)\n')
    assert text.startswith(SHOWN[: SHOWN.index("top =")])


def test_nothing_more_to_do_afterwards() -> None:
    fixed = fix_text(SHOWN, analysed, accept_assumptions=True)
    assert len(fixed.applied) == 1
    assert not fixed.report.opportunities


def test_the_quick_check_leaves_it_to_the_proof() -> None:
    assert not analyse(SHOWN, Options(bounded=True)).opportunities


def test_an_import_that_comes_later_spells_no_column() -> None:
    text = SHOWN.replace(HEAD, "import pyspark.sql.functions as G\n\n").replace("F.max", "G.max")
    late = text.replace("G.max", '__import__("pyspark").sql.functions.max') + HEAD
    assert not in_a_branch(analysed(late))


def _never_raise(*_: Any) -> None:
    return None


def _anything(self: copyable.Copyable, call: Any, free: set[str]) -> None:
    return None


@pytest.mark.parametrize(
    ("trap", "owner", "name", "broken"),
    [
        ("what it is made of is another frame by now", Scopes, "holds", lambda *_: True),
        ("a number that it was made with changes", Scopes, "holds", lambda *_: True),
        ("a loop that binds anew what the copy reads", Scopes, "holds", lambda *_: True),
        ("the function that it runs reads a number that changes", Holding, "check", _never_raise),
        ("a column of the original is asked of the copy", World, "check", _never_raise),
        ("a column held in a variable", World, "check", _never_raise),
        ("a column of what is made of the original", World, "check", _never_raise),
        ("a join with the source, by columns of the original", World, "check", _never_raise),
        ("a function that gives the original away", World, "check", _never_raise),
        ("an RDD that is cached below the filter", making, "kept", _never_raise),
        ("the time of day", copyable.Copyable, "_call", _anything),
        ("an action inside the expression", copyable.Copyable, "_call", _anything),
        ("random numbers in a text", sql_texts, "is_repeatable", lambda *_: True),
        ("rows picked by their number", copyable, "_OF_FRAMES", copyable._OF_FRAMES | {"limit"}),
        ("rows that are drawn", copyable, "_OF_FRAMES", copyable._OF_FRAMES | {"sample"}),
        ("Spark is set otherwise in between", World, "check", _never_raise),
        ("too far away", making, "MOST_STATEMENTS", 9),
    ],
)
def test_each_side_condition_holds_a_trap_back(
    monkeypatch: pytest.MonkeyPatch, trap: str, owner: Any, name: str, broken: Callable[..., Any]
) -> None:
    source = TRAPS[trap].source
    assert not in_a_branch(analysed(source))
    monkeypatch.setattr(copies, "check_copy", _never_raise)  # which sees some of these as well
    monkeypatch.setattr(owner, name, broken)
    assert in_a_branch(analysed(source))


@pytest.mark.parametrize(
    ("text", "flat"),
    [
        ('df.groupBy("k")\\\n    .count()', 'df.groupBy("k").count()'),
        ("df.agg(\n    a,\n    b,  # why\n)", "df.agg(a, b)"),
        ("df.agg(f((1,\n))\n)", "df.agg(f((1,)))"),
        ("df.a( x + 1 ,y)", "df.a( x + 1 ,y)"),
        ('df.a("""b\n  c""")', 'df.a("""b\n  c""")'),
    ],
)
def test_an_expression_on_one_line(text: str, flat: str) -> None:
    source = f"a = (\n    {text}\n)\n"
    piece = piece_of(Tokens(source), Span(source.index("df"), source.index("df") + len(text)))
    assert piece.text == flat
    for start, length, origin in piece.parts:
        assert piece.text[start : start + length] == source[origin : origin + length]
