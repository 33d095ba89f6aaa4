"""Programs that ask a frame for more than they read, and wrong edits in the place of the right one."""

from __future__ import annotations

_HEAD = """\
from pyspark.sql import SparkSession, Window, functions as F

spark = SparkSession.builder.getOrCreate()
t = spark.read.schema("k string, x int, y int, s string").parquet("t")
u = spark.read.schema("k string, x int, y int, s string").parquet("u")
"""
ROWS = _HEAD + "rows = t.rdd.map(lambda r: (r.k, r.x)).collect()\nu.rdd.map(lambda r: r.asDict()).collect()\n"
COLUMNS = _HEAD + 'pdf = t.toPandas()\nprint(pdf["k"].nunique(), pdf["x"].max())\n'
FIRST = _HEAD + 'row = t.filter("x > 1").collect()[0]\nprint(row)\n'
EMPTY = _HEAD + 'if t.filter("x > 1").count() > 0:\n    print("some")\n'
CACHE = _HEAD + 'c = t.filter("x > 1").cache()\nc.filter("y > 1").select("k").write.parquet("out")\n'
EXTREME = (
    _HEAD
    + """\
w = Window.partitionBy("k")
tops = t.withColumn("m", F.max("x").over(w))
best = tops.filter(F.col("x") == F.col("m")).drop("m")
best.write.parquet("out")
"""
)
SEMI = _HEAD + 'ids = u.select("k").distinct()\nkept = t.join(ids, "k")\nkept.write.parquet("out")\n'
ANTI = (
    _HEAD
    + """\
seen = u.select("k").withColumn("seen", F.lit(1))
new = t.join(seen, "k", "left").filter(F.col("seen").isNull()).drop("seen")
new.filter("x > 1").write.parquet("out")
"""
)
GROUPS = (
    _HEAD
    + """\
least = t.groupBy("k", "s").agg(F.min("x").alias("least"))
most = t.groupBy("k", "s").max("y").withColumnRenamed("max(y)", "most")
both = least.join(most, ["k", "s"])
both.filter("most > 1").write.parquet("out")
"""
)
MASK = _HEAD + 'pdf = t.toPandas()\ngold = pdf[pdf["k"] == "gold"]\nprint(gold["x"].max(), gold["s"].max())\n'

PROGRAMS = {
    "rows of an RDD": ROWS, "columns": COLUMNS, "first rows": FIRST, "emptiness": EMPTY, "cache": CACHE,
    "extreme": EXTREME, "semi join": SEMI, "anti join": ANTI, "mask": MASK,
    "groups": GROUPS,
}  # fmt: skip
WRONG: dict[str, list[tuple[str, str, str]]] = {
    GROUPS: [
        ("another frame", "both = t.groupBy", "both = u.groupBy"),
        ("fewer rows", "both = t.groupBy", 'both = t.filter("x > 1").groupBy'),
        ("other keys", 'both = t.groupBy("k", "s")', 'both = t.groupBy("k")'),
        ("keys in another order", 'both = t.groupBy("k", "s")', 'both = t.groupBy("s", "k")'),
        ("another function", 'F.max("y").alias', 'F.min("y").alias'),
        ("another column", 'F.max("y").alias', 'F.max("x").alias'),
        ("another name", '.alias("most")', '.alias("max")'),
        ("a side is lost", '\n    F.max("y").alias("most"),', ""),
        ("a NULL key", ' & F.col("s").isNotNull()', ""),
        ("no filter", '.filter(F.col("k").isNotNull() & F.col("s").isNotNull())', ""),
        ("another filter", 'F.col("s").isNotNull()', 'F.col("s").isNull()'),
        ("a condition more", 'F.col("s").isNotNull()', 'F.col("s").isNotNull() & (F.col("least") > 1)'),
        ("an aggregate changes", 'least = t.groupBy("k", "s")', 'least = t.groupBy("k")'),
        ("a limit behind it", "both.filter", "both.limit(5).filter"),
        ("another name of a function", "F.max", "F.mean"),
    ],
    ROWS: [
        ("a column is lost", 'select("k", "x")', 'select("k")'),
        ("a column more", 'select("k", "x")', 'select("k", "x", "y")'),
        ("another column", 'select("k", "x")', 'select("k", "y")'),
        ("another frame", "t.select", "u.select"),
        ("a limit", ".rdd.map(lambda r: (r.k", ".limit(5).rdd.map(lambda r: (r.k"),
        ("the function reads another column", "(r.k, r.x)", "(r.k, r.y)"),
        ("the function makes other pairs", "(r.k, r.x)", "(r.x, r.k)"),
        ("the function makes lists", "(r.k, r.x)", "[r.k, r.x]"),
        ("another method", ".rdd.map(lambda r: (r.k", ".rdd.flatMap(lambda r: (r.k"),
        ("a projection in front of the other", "u.rdd", 'u.select("k").rdd'),
    ],
    COLUMNS: [
        ("a column is lost", 'select("k", "x")', 'select("k")'),
        ("a column more", 'select("k", "x")', 'select("k", "x", "y")'),
        ("another frame", "t.select", "u.select"),
        ("different rows", ".toPandas", ".distinct().toPandas"),
        ("it is read otherwise", 'pdf["x"].max()', 'pdf["x"].min()'),
    ],
    FIRST: [
        ("another row", "head(1)[0]", "head(2)[1]"),
        ("rows from the end", "head(1)", "tail(1)"),
        ("fewer rows", "head(1)", "head(0)"),
        ("the list of rows", "head(1)[0]", "head(1)"),
        ("the condition is another", "x > 1", "x > 2"),
        ("the condition is lost", '.filter("x > 1")', ""),
    ],
    EMPTY: [
        ("the negation is lost", "if not t", "if t"),
        ("another frame", "not t.", "not u."),
        ("the condition is lost", '.filter("x > 1")', ""),
        ("the condition is another", "x > 1", "x > 0"),
        ("of first rows", ".isEmpty()", ".limit(0).isEmpty()"),
    ],
    CACHE: [
        ("another frame", "c = t", "c = u"),
        ("the condition is lost", 't.filter("x > 1")', "t"),
        ("the reader's condition is lost", 'c.filter("y > 1")', "c"),
        ("different rows", 't.filter("x > 1")', 't.filter("x > 1").distinct()'),
        ("the reader reads another column", 'select("k")', 'select("s")'),
        ("the frame is not the cached one", "c.filter", "t.filter"),
    ],
    EXTREME: [
        ("the other end", 'F.desc("x")', '"x"'),
        ("another column", 'F.desc("x")', 'F.desc("y")'),
        ("one row of each group", "F.rank()", "F.row_number()"),
        ("another rank", '(F.col("m") == 1)', '(F.col("m") == 2)'),
        ("NULL is the greatest of a group of NULL", ' & F.col("x").isNotNull()', ""),
        ("another column is not NULL", 'F.col("x").isNotNull()', 'F.col("y").isNotNull()'),
        ("other groups", 'partitionBy("k")', 'partitionBy("s")'),
        ("NULL comes first", 'F.desc("x")', 'F.desc_nulls_first("x")'),
        ("the rank stays", '.drop("m")', ""),
        ("of one group", "w.orderBy", "Window.orderBy"),
    ],
    SEMI: [
        ("the other type", "left_semi", "left_anti"),
        ("a type that keeps all", "left_semi", "left"),
        ("the type is lost", ', "left_semi"', ""),
        ("another frame", "t.join", "u.join"),
        ("joined with another frame", "join(ids", "join(u"),
        ("on another column", '"k", "left_semi"', '"x", "left_semi"'),
        ("the right side is another", "u.select", "t.select"),
        ("a filter more", "t.join", 't.filter("x > 1").join'),
        ("different rows", '"left_semi")', '"left_semi").distinct()'),
    ],
    ANTI: [
        ("the other type", "left_anti", "left_semi"),
        ("all rows", "left_anti", "left"),
        ("the filter stays", '"left_anti")', '"left_anti").filter(F.col("seen").isNull())'),
        ("the filter behind is gone", '.filter("x > 1")', ""),
        ("the columns behind are others", '.drop("seen")', '.drop("x")'),
        ("the marker is another", "F.lit(1)", "F.lit(None)"),
        ("another frame", "t.join", "u.join"),
    ],
    MASK: [
        ("another text", '"gold").toPandas', '"silver").toPandas'),
        ("the negation", '== "gold").toPandas', '!= "gold").toPandas'),
        ("another column", 'F.col("k")', 'F.col("s")'),
        ("another frame", "t.filter", "u.filter"),
        ("different rows", ".toPandas", ".distinct().toPandas"),
        ("a limit", ".toPandas", ".limit(1).toPandas"),
        ("the mask is gone", 'pdf[pdf["k"] == "gold"]', "pdf"),
        ("the mask is another", '== "gold"', '!= "gold"'),
    ],
}
