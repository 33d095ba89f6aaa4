"""Edits that put statements in front of one pass, and wrong ones, which must be seen in the edited text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from headwater.edit_check.confirm import WrongEdit
from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.confirming import confirmer
from headwater.engine.analysis.options import Options
from headwater.rewrite.edit import apply_edits
from headwater_ir.change import OnePass

SOURCE = """from pyspark.sql import functions as F

df = spark.table("t").distinct()
n = df.count()
print(n)
least = 7
most = 9
half = n / 2
k = df.filter(F.col("a") > least).count()
result = n, k, most
"""
RIGHT = """from pyspark.sql import functions as F

df = spark.table("t").distinct()
least = 7
counts = df.agg(F.count("*"), F.count_if(F.col("a") > least)).first()
n = counts[0]
print(n)
most = 9
half = n / 2
k = counts[1]
result = n, k, most
"""
WRONG = {
    "it stays": ("least = 7\ncounts", "counts", "print(n)\n", "print(n)\nleast = 7\n"),
    "it is there twice": ("print(n)\n", "print(n)\nleast = 7\n"),
    "another one moves as well": ("most = 9\n", "", "least = 7\n", "least = 7\nmost = 9\n"),
    "what reads the number moves": ("half = n / 2\n", "", "least = 7\n", "least = 7\nhalf = n / 2\n"),
    "behind the pass": ("least = 7\ncounts", "counts", "n = counts[0]\n", "least = 7\nn = counts[0]\n"),
    "another value": ("least = 7", "least = 8"),
}


def _change() -> OnePass:
    (found,) = [o for o in analyse(SOURCE).opportunities if o.code == "HW404"]
    assert isinstance(found.change, OnePass)
    assert apply_edits(SOURCE, found.edits) == RIGHT
    return found.change


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_move_is_seen(name: str) -> None:
    parts, new = WRONG[name], RIGHT
    for old, instead in zip(parts[::2], parts[1::2], strict=True):
        assert old in new
        new = new.replace(old, instead)
    with pytest.raises(WrongEdit):
        confirmer(SOURCE, None, Options()).check(new, [_change()])


def test_another_statement_than_a_job_needs_does_not_move() -> None:
    change = _change()
    (moved,) = change.moved
    at = SOURCE.index("most = 9")
    others = (moved, type(moved)(at, at + len("most = 9")))
    new = RIGHT.replace("most = 9\n", "").replace("least = 7\n", "least = 7\nmost = 9\n")
    with pytest.raises(WrongEdit, match="other statements have moved"):
        confirmer(SOURCE, None, Options()).check(new, [replace(change, moved=others)])
