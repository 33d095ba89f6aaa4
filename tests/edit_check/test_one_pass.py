"""Edits that put jobs of one frame together, and wrong ones, which must be seen in the edited text."""

from __future__ import annotations

import pytest

from headwater.edit_check.confirm import WrongEdit
from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.confirming import confirmer
from headwater.engine.analysis.options import Options
from headwater.rewrite.edit import apply_edits

SOURCE = """from pyspark.sql import functions as F

df = spark.table("t")
other = spark.table("u")
n = df.count()
print(n)
k = df.filter(F.col("a") > 1).count()
top = df.agg(F.max("b"), F.min("b")).collect()[0][0]
m = other.count()
"""
RIGHT = """from pyspark.sql import functions as F

df = spark.table("t")
other = spark.table("u")
measures = df.agg(F.count("*"), F.count_if(F.col("a") > 1), F.max("b")).first()
n = measures[0]
print(n)
k = measures[1]
top = measures[2]
m = other.count()
"""
WRONG = {
    "slots exchanged": ("n = measures[0]", "n = measures[1]"),
    "a slot of another kind": ("top = measures[2]", "top = measures[0]"),
    "from the end": ("top = measures[2]", "top = measures[-1]"),
    "another condition": ('F.col("a") > 1', 'F.col("a") >= 1'),
    "another measure": ('F.max("b")', 'F.min("b")'),
    "another column": ('F.max("b")', 'F.max("c")'),
    "another frame": ("measures = df", "measures = other"),
    "a filter in front": ("df.agg", 'df.filter("a > 0").agg'),
    "counted without NULL": ('F.count("*")', 'F.count("a")'),
    "another row": (".first()", ".collect()[1]"),
    "no row": (".first()", ""),
    "a job stays": ("k = measures[1]", 'k = df.filter(F.col("a") > 1).count()'),
    "the number changed": ("n = measures[0]", "n = measures[0] + 1"),
    "another job goes as well": ("m = other.count()", "m = measures[0]"),
    "the output is gone": ("print(n)\n", ""),
    "used elsewhere": ("print(n)", "print(measures)"),
    "a name that is taken": ("measures", "other"),
    "in another place": (
        'measures = df.agg(F.count("*"), F.count_if(F.col("a") > 1), F.max("b")).first()\nn = measures[0]\n',
        'n = measures[0]\nmeasures = df.agg(F.count("*"), F.count_if(F.col("a") > 1), F.max("b")).first()\n',
    ),
    "a condition taken for SQL": ('F.count_if(F.col("a") > 1)', 'F.count_if(F.expr("a > 1"))'),
    "grouped": ("df.agg", 'df.groupBy("a").agg'),
    "two names": ("measures = df", "measures = rows = df"),
}


def test_what_is_written_is_what_is_proved() -> None:
    (found,) = [o for o in analyse(SOURCE).opportunities if o.code == "HW404"]
    assert apply_edits(SOURCE, found.edits) == RIGHT
    assert found.confirmed


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_edit_is_seen(name: str) -> None:
    (found,) = [o for o in analyse(SOURCE).opportunities if o.code == "HW404"]
    assert found.change is not None
    old, new = WRONG[name]
    assert old in RIGHT
    by = confirmer(SOURCE, None, Options())
    by.check(RIGHT, [found.change])
    with pytest.raises(WrongEdit):
        by.check(RIGHT.replace(old, new), [found.change])
