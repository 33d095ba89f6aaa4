"""An internal error in one scope costs that scope alone, and is told (issue 5)."""

from __future__ import annotations

from itertools import count

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.pyspark.api import dataframe
from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import read_module
from headwater_ir.codec import dumps

TEXT = """\
from pyspark.sql import functions as F

best = spark.table("t").groupBy("k").agg(F.max("x").alias("m"))
top = best.filter("m > 3")


def first(df):
    best = df.groupBy("k").agg(F.max("x").alias("m"))
    best.describe().show()
    return best.filter("m > 4")


class Second:
    def lost(self, df):
        df.select("m").summary()
        return df.filter("m > 5")

    def kept(self, df):
        return df.groupBy("k").agg(F.max("x").alias("m")).filter("m > 6")


def third(df):
    best = df.groupBy("k").agg(F.max("x").alias("m"))
    best.show()
    return best.filter("m > 7")


last = spark.table("u").groupBy("k").agg(F.max("x").alias("m"))
last.show()
end = last.filter("m > 8")
"""


class PlantedError(Exception):
    """An error of ours."""


def fails_at(monkeypatch: pytest.MonkeyPatch, *methods: str, calls: range = range(99)) -> None:
    """An internal error at these methods of a frame, in these of their calls."""
    number, kept = count(), dataframe.method

    def method(frame, call, *rest):  # type: ignore[no-untyped-def]
        if call.func.attr in methods and next(number) in calls:
            raise PlantedError("planted\nand told in one line")
        return kept(frame, call, *rest)

    monkeypatch.setattr(dataframe, "method", method)


def seen() -> tuple[set[str], list[tuple[int, str]]]:
    """The conditions that are found, and what is told, by line."""
    module = read_module(TEXT)
    told = [(TEXT[: span.start].count("\n") + 1, why) for span, why in module.hidden]
    return {f.condition.text(TEXT).strip('"') for f in module.filters}, told


EVERY = {f"m > {n}" for n in range(3, 9)}


@pytest.mark.parametrize("calls", [range(99), range(1), range(1, 99)])
def test_a_scope_that_fails_costs_itself_alone(monkeypatch: pytest.MonkeyPatch, calls: range) -> None:
    """In each pass, in the first alone, and in the second alone."""
    assert seen() == (EVERY, [])
    plain = {f.call.start: f for f in read_module(TEXT).filters}
    fails_at(monkeypatch, "describe", calls=calls)
    found, told = seen()
    assert found == EVERY - {"m > 4"}
    assert told == [(7, "internal error: PlantedError: planted")]
    fails_at(monkeypatch, "describe", calls=calls)
    for f in read_module(TEXT).filters:  # the code behind it knows its consumers all the same
        assert dumps(f) == dumps(plain[f.call.start])


def test_a_method_that_fails_costs_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    fails_at(monkeypatch, "summary")
    found, told = seen()
    assert found == EVERY - {"m > 5"}
    assert [line for line, _ in told] == [14]


def test_code_of_the_module_that_fails_keeps_the_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.pyspark.driver.flow.code_of_module", lambda *_: 1 / 0)
    monkeypatch.setattr("headwater.pyspark.reading.module.code_of_module", lambda *_: 1 / 0)
    found, told = seen()
    assert found == EVERY - {"m > 3", "m > 8"}
    assert told == [(1, "internal error: ZeroDivisionError: division by zero")]


def test_a_document_and_the_engine_tell_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    fails_at(monkeypatch, "describe")
    document = Document()
    for text in (TEXT, TEXT.replace("m > 7", "m > 9"), TEXT):
        assert dumps(document.read(text)) == dumps(read_module(text))
    report = analyse(TEXT)
    assert any("PlantedError" in s.reason for s in report.skipped)
    assert {o.code for o in report.opportunities} == {"HW101"}
