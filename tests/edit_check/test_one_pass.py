"""Edits that put jobs of one frame together, and wrong ones, which must be seen in the edited text."""

from __future__ import annotations

import ast

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


IN_PLACE = """from pyspark.sql import functions as F
from other import said

df = spark.table("t").filter("x > 1")
print(f"{said()}", said(), df.count())
late = df.filter(F.col("a") > 1)
assert df.count() > 1
other = spark.table("u")
"""
IN_PLACE_RIGHT = """from pyspark.sql import functions as F
from other import said

df = spark.table("t").filter("x > 1")
print(f"{said()}", said(), (n := df.count()))
late = df.filter(F.col("a") > 1)
assert n > 1
other = spark.table("u")
"""
IN_PLACE_WRONG = {
    "in front": ("print(f", "n = df.count()\nprint(f"),
    "of other rows": ("n := df.count()", "n := df.limit(1).count()"),
    "more than the number": ("n := df.count()", "n := df.count() + 1"),
    "what comes first": ("said(), (n := df.count())", "(n := df.count()), said()"),
    "the other one is named": ("(n := df.count())", "df.count()"),
    "each is named": ("assert n", "assert (n := df.count())"),
    "another value": ("assert n > 1", "assert 1 > 1"),
    "changed between": ("late = df", "n = late = df"),
    "used elsewhere": ('table("u")', 'table(f"u{n}")'),
    "a name that is taken": ("n := df.count()", "late := df.count()"),
}


@pytest.mark.parametrize("name", IN_PLACE_WRONG)
def test_a_wrong_name_in_place_is_seen(name: str) -> None:
    (found,) = [o for o in analyse(IN_PLACE).opportunities if o.code == "HW404"]
    assert apply_edits(IN_PLACE, found.edits) == IN_PLACE_RIGHT.replace("(n ", "(df_count ").replace(
        "t n ", "t df_count "
    )
    assert found.change is not None
    old, new = IN_PLACE_WRONG[name]
    assert old in IN_PLACE_RIGHT
    by = confirmer(IN_PLACE, None, Options())
    by.check(IN_PLACE_RIGHT, [found.change])
    with pytest.raises(WrongEdit):
        by.check(IN_PLACE_RIGHT.replace(old, new), [found.change])


OTHER_FORMS = """from pyspark.sql import functions as F

df = spark.table("t")
n = df.count()
kinds = df.filter(F.col("a") > 1).select("b").distinct().count()
top = df.filter(F.col("a") > 2).agg(F.max("b")).collect()[0][0]
"""
OTHER_FORMS_RIGHT = """from pyspark.sql import functions as F

df = spark.table("t")
measures = df.agg(
    F.count("*"),
    F.count_distinct(F.when(F.col("a") > 1, F.struct("b"))),
    F.max(F.when(F.col("a") > 2, F.col("b"))),
).first()
n = measures[0]
kinds = measures[1]
top = measures[2]
"""
OTHER_FORMS_WRONG = {
    "NULL left out": ('F.struct("b")', 'F.col("b")'),
    "another column": ('F.struct("b")', 'F.struct("c")'),
    "a column more": ('F.struct("b")', 'F.struct("b", "a")'),
    "of all rows": ('F.when(F.col("a") > 1, F.struct("b"))', 'F.struct("b")'),
    "of other rows": ('F.when(F.col("a") > 1,', 'F.when(F.col("a") > 2,'),
    "the rest too": ('F.struct("b"))', 'F.struct("b")).otherwise(F.struct("a"))'),
    "a text for a column": ('> 2, F.col("b")', '> 2, "b"'),
    "the filter is gone": ('F.max(F.when(F.col("a") > 2, F.col("b")))', 'F.max("b")'),
    "another function": ("F.max(F.when", "F.min(F.when"),
    "counted, not told apart": ("F.count_distinct(", "F.count("),
    "what looks at NULL": ("F.max(F.when", "F.first(F.when"),
}
FILTERED = """from pyspark.sql import functions as F

df = spark.table("t")
n = df.filter(F.col("a") > 1).count()
k = df.filter(F.col("b") == "x").count()
"""
FILTERED_RIGHT = """from pyspark.sql import functions as F

df = spark.table("t")
counts = df.filter((F.col("a") > 1) | (F.col("b") == "x")).agg(
    F.count_if(F.col("a") > 1), F.count_if(F.col("b") == "x")
).first()
n = counts[0]
k = counts[1]
"""
FILTERED_WRONG = {
    "both, not one of them": (") | (", ") & ("),
    "one of them alone": ('filter((F.col("a") > 1) | (F.col("b") == "x"))', 'filter(F.col("a") > 1)'),
    "another condition": ('(F.col("a") > 1) | ', '(F.col("a") > 2) | '),
    "the opposite": ('filter((F.col("a")', 'filter(~(F.col("a")'),
    "filtered twice": (").agg", ').filter("a > 0").agg'),
    "a limit": (").agg", ").limit(9).agg"),
    "no filter": ('.filter((F.col("a") > 1) | (F.col("b") == "x"))', ""),
    "other numbers": ("k = counts[1]", "k = counts[0]"),
}
LOOP = """from pyspark.sql import functions as F

df = spark.table("t").distinct()
kinds, others = ["x", "y"], ["x", "z"]
found = []
for kind in ["x", "y"]:
    found.append(df.filter(F.col("a") == kind).count())
"""
LOOP_RIGHT = """from pyspark.sql import functions as F

df = spark.table("t").distinct()
kinds, others = ["x", "y"], ["x", "z"]
found = []
counts = df.agg(*[F.count_if(F.col("a") == kind).alias(kind) for kind in ["x", "y"]]).first()
for kind in ["x", "y"]:
    found.append(counts[kind])
"""
ROW = 'counts = df.agg(*[F.count_if(F.col("a") == kind).alias(kind) for kind in ["x", "y"]]).first()\n'
HEAD = 'for kind in ["x", "y"]:\n'
LOOP_WRONG = {
    "other turns": ('for kind in ["x", "y"]]', 'for kind in ["x", "z"]]'),
    "one turn": ('for kind in ["x", "y"]]', 'for kind in ["x"]]'),
    "some turns": ('for kind in ["x", "y"]]', 'for kind in ["x", "y"] if kind]'),
    "another condition": ('F.col("a") == kind).alias', 'F.col("b") == kind).alias'),
    "another comparison": ('F.col("a") == kind).alias', 'F.col("a") != kind).alias'),
    "another name": (".alias(kind)", '.alias("x")'),
    "no name": (".alias(kind)", ""),
    "always the first": ("counts[kind]", "counts[0]"),
    "always the same": ("counts[kind]", 'counts["x"]'),
    "the list itself": ("counts[kind]", "counts"),
    "another variable": ('for kind in ["x", "y"]:', 'for kinds in ["x", "y"]:'),
    "counted otherwise": ("F.count_if(", "F.count("),
    "a second measure": ("*[F.count_if", 'F.count("*"), *[F.count_if'),
    "in the loop": (ROW + HEAD, HEAD + "    " + ROW),
    "a frame with other rows": ("counts = df", "counts = df.limit(1)"),
    "changed": ("counts[kind])", "counts[kind] + 1)"),
}
ONCE = """df = spark.table("t").distinct()
other = spark.table("u")
print(df.count())
df.write.parquet(f"out/{df.count()}")
"""
ONCE_RIGHT = """df = spark.table("t").distinct()
other = spark.table("u")
df_count = df.count()
print(df_count)
df.write.parquet(f"out/{df_count}")
"""
ONCE_WRONG = {
    "a condition": ("df_count = df", 'df_count = df.filter("a > 1")'),
    "another frame": ("df_count = df.", "df_count = other."),
    "other rows": ("df_count = df.", "df_count = df.limit(1)."),
    "another number": ("print(df_count)", "print(df_count + 1)"),
    "a part": ("{df_count}", "{df_count[0]}"),
    "once more": ("{df_count}", "{df.count()}"),
    "used elsewhere": ("print(df_count)", "print(df_count, df_count)"),
    "no call": ("df_count = df.count()", "df_count = df.count"),
    "a name that is taken": ("df_count", "other"),
}
NOTEBOOK = """# Databricks notebook source
# MAGIC %run ./settings

# COMMAND ----------

df = spark.table("t").distinct()
print(df.count(), df.count())

# COMMAND ----------

# MAGIC %run ./report

# COMMAND ----------

print("done")
"""
NOTEBOOK_RIGHT = NOTEBOOK.replace(
    "print(df.count(), df.count())",
    "df_count_asked_at_once = df.count()\nprint(df_count_asked_at_once, df_count_asked_at_once)",
)
NOTEBOOK_WRONG = {
    "another notebook": ("./report", "./df_count_asked_at_once"),
    "one notebook less": ("# MAGIC %run ./report\n", ""),
    "a second name": ("df_count_asked_at_once = df.count()\n", "df_count_asked_at_once = df.count()\nmore = 1\n"),
    "in a cell behind": ('print("done")', 'print("done", df_count_asked_at_once)'),
    "bound behind": ('print("done")', 'df_count_asked_at_once = print("done")'),
}
PLANTED = [
    pytest.param(source, right, *wrong[name], id=f"{kind}: {name}")
    for kind, source, right, wrong in (
        ("forms", OTHER_FORMS, OTHER_FORMS_RIGHT, OTHER_FORMS_WRONG), ("loop", LOOP, LOOP_RIGHT, LOOP_WRONG),
        ("once", ONCE, ONCE_RIGHT, ONCE_WRONG), ("filtered", FILTERED, FILTERED_RIGHT, FILTERED_WRONG),
        ("notebook", NOTEBOOK, NOTEBOOK_RIGHT, NOTEBOOK_WRONG),
    )
    for name in wrong
]  # fmt: skip


@pytest.mark.parametrize(("source", "right", "old", "new"), PLANTED)
def test_a_wrong_edit_of_other_forms_is_seen(source: str, right: str, old: str, new: str) -> None:
    (found,) = [o for o in analyse(source).opportunities if o.code == "HW404"]
    assert ast.dump(ast.parse(apply_edits(source, found.edits))) == ast.dump(ast.parse(right))
    assert found.change is not None
    assert old in right
    by = confirmer(source, None, Options())
    by.check(right, [found.change])
    with pytest.raises(WrongEdit):
        by.check(right.replace(old, new), [found.change])


ROW = """from pyspark.sql import functions as F

df = spark.table("t").distinct()
n = df.count()
row = df.agg(F.min("b").alias("lo"), F.max("b")).first()
print(n, row)
"""
RIGHT_ROW = """from pyspark.sql import functions as F

df = spark.table("t").distinct()
measures = df.agg(F.count("*"), F.struct(F.min("b").alias("lo"), F.max("b").alias("max(b)"))).first()
n = measures[0]
row = measures[1]
print(n, row)
"""
WRONG_ROW = {
    "another name": ('alias("lo")', 'alias("low")'),
    "no name": ('.alias("max(b)")', ""),
    "another order": (
        'F.min("b").alias("lo"), F.max("b").alias("max(b)")',
        'F.max("b").alias("max(b)"), F.min("b").alias("lo")',
    ),
    "a value of the row": ("row = measures[1]", "row = measures[1][0]"),
    "no row": ("F.struct(F.min", "(F.min"),
    "the whole of it": ("row = measures[1]", "row = measures"),
    "another measure": ('F.max("b")', 'F.max("c")'),
}


@pytest.mark.parametrize("name", ["", *WRONG_ROW])
def test_a_wrong_row_is_seen(name: str) -> None:
    (found,) = [o for o in analyse(ROW).opportunities if o.code == "HW404"]
    assert found.change is not None
    assert apply_edits(ROW, found.edits) == RIGHT_ROW
    by = confirmer(ROW, None, Options())
    by.check(RIGHT_ROW, [found.change])
    if name:
        old, new = WRONG_ROW[name]
        assert old in RIGHT_ROW
        with pytest.raises(WrongEdit):
            by.check(RIGHT_ROW.replace(old, new), [found.change])
