"""Edits that do not do what was proved, one of each kind that a rewrite could get wrong: each must be refused.

The right edit of each program is made by the product; a fault replaces some of its words by others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from headwater.edit_check.confirm import WrongEdit
from headwater.edit_check.copies import Copy, check_copy
from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.analysis.confirming import change_of, confirmer
from headwater.engine.report.report import Opportunity
from headwater.rewrite.edit import apply_edits
from headwater_ir.span import Span
from tests.planted import Fault

from . import planted_demand

AGGREGATE = """\
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()
t = spark.read.schema("k string, x int, y int, s string").parquet("t")
u = spark.read.schema("k string, x int, y int, s string").parquet("u")
best = t.orderBy("y").groupBy("k").agg(F.max("x").alias("m"), F.count(F.lit(1)).alias("n"))
other = u.groupBy("k").agg(F.max("x").alias("m"))
high = best.select("k", "m").filter(F.col("m") >= 90)
high.write.parquet("out")
other.filter(F.col("m") >= 5).show()
"""
PANDAS = """\
import pandas as pd
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()


def top2(key, pdf):
    first = second = None
    for row in pdf.itertuples():
        score = row.score
        if first is None or score > first:
            first, second = score, first
        elif second is None or score > second:
            second = score
    return pd.DataFrame({"team": [key[0]], "first": [first], "second": [second]})


games = spark.table("games")
best = games.groupBy("team").applyInPandas(top2, "team string, first double, second double")
strong = best.filter("first >= 90 AND second >= 90 AND (team = 'a' OR first > 95)")
strong.show()
"""
UDF = """\
from pyspark.sql import SparkSession
from pyspark.sql.functions import col, udf

spark = SparkSession.builder.getOrCreate()
t = spark.read.schema("a int, b int, s string").parquet("t").dropna()


@udf("string")
def band(a, s):
    if a > 20 or s == "hot":
        return "high"
    return "low"


made = t.withColumn("band", band("a", "s")).filter((col("band") == "high") & (col("b") > 3))
made.show()
"""
EXPLODE = """\
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()
t = spark.read.schema("k string, xs array<int>, ys array<int>").parquet("t")
rows = t.select("k", F.explode("xs").alias("x"))
rows.filter((F.col("x") > 5) & (F.col("k") == "a")).show()
"""
RDD = """\
lines = spark.table("lines")
words = lines.rdd.flatMap(lambda r: r.text.split(" ")).map(lambda word: (word, len(word)))
longest = words.reduceByKey(max)
longest.filter(lambda kv: kv[0] >= "b" and kv[0] != "c").collect()
"""
SQL = """\
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
made = spark.sql("SELECT k, max(c) AS m FROM t WHERE d = 1 OR d = 2 GROUP BY k")
made.filter("m >= 90").show()
"""
TABLE = """\
from pyspark.sql.functions import udtf


@udtf(returnType="k string, m int")
class Best:
    def __init__(self):
        self.k = None
        self.best = None

    def eval(self, row):
        self.k = row["k"]
        if row["c"] is not None and (self.best is None or row["c"] > self.best):
            self.best = row["c"]

    def terminate(self):
        yield (self.k, self.best)


spark.udtf.register("best_of", Best)
spark.sql("SELECT * FROM best_of(TABLE(t) PARTITION BY k)").filter("m > 90").show()
"""
NATIVE = """\
from pyspark.sql import functions as F

is_large = F.udf(lambda amount: amount is not None and amount > 3, "boolean")
payments = spark.read.schema("kind string, amount int, fee int").parquet("p")
payments.filter((payments.kind == "card") & is_large(payments.amount)).show()
"""
BRANCH = """\
from pyspark.sql import functions as F

best = df.where("y > 0").groupBy("k").agg(F.max("x").alias("m"))
best.show()
top = best.filter(best.m > 100)
"""
BRACKETS = """\
from pyspark.sql import functions as F

t = spark.read.schema("k string, x int, y int").parquet("t")
best = t.groupBy("k").agg(F.max("x").alias("m"), F.max("y").alias("n"))
high = best[(best.m >= 90) & (best.k != "a")]
high[high.n > 1].show()
"""
ORDERED = """\
from pyspark.sql import functions as F


@F.udf("string")
def level(line, status):
    if line is None or status is None:
        return "none"
    return "bad" if "err" in line and status > 3 else "good"


lines = spark.read.schema("line string, status int").parquet("lines")
lines.withColumn("level", level("line", "status")).filter("level = 'bad'").show()
"""

SCHEMAS: dict[str, dict[str, str]] = {
    PANDAS: {"games": "team string, score int not null"},
    RDD: {"lines": "text string not null"},
    SQL: {"t": "k string, c int, d int"},
    TABLE: {"t": "k string, c int"},
}
WRONG: dict[str, list[tuple[str, str, str]]] = {
    AGGREGATE: [
        ("at another call of the same words", 'u.filter(F.col("x") >= 5).groupBy', "u.groupBy"),
        ("another column", 'F.col("x") >= 5', 'F.col("y") >= 5'),
        ("another constant", 'F.col("x") >= 5', 'F.col("x") >= 6'),
        ("a strict comparison", 'F.col("x") >= 5', 'F.col("x") > 5'),
        ("the other way round", 'F.col("x") >= 5', 'F.col("x") <= 5'),
        ("a text for a number", 'F.col("x") >= 5', 'F.col("x") >= "5"'),
        ("the negation", 'F.col("x") >= 5', '~(F.col("x") >= 5)'),
        ("an alternative", 'F.col("x") >= 5', '(F.col("x") >= 5) | F.col("x").isNull()'),
        ("one more condition", 'F.col("x") >= 5', '(F.col("x") >= 5) & F.col("y").isNotNull()'),
        (
            "twice, and once otherwise",
            '.groupBy("k").agg(F.max("x").alias("m"))\nhigh',
            '.filter(F.col("y") > 1).groupBy("k").agg(F.max("x").alias("m"))\nhigh',
        ),
        ("at another frame as well", 't.orderBy("y")', 't.filter(F.col("x") >= 5).orderBy("y")'),
        (
            "above the boundary",
            'u.filter(F.col("x") >= 5).groupBy("k").agg(F.max("x").alias("m"))',
            'u.groupBy("k").agg(F.max("x").alias("m")).filter(F.col("x") >= 5)',
        ),
        ("inside a string", 'parquet("u")', 'parquet("u.filter")'),
        ("a consumer is lost", "other.show()\n", ""),
        ("a consumer is another", "other.show()", "high.show()"),
        ("an action is another", "other.show()", "other.count()"),
        ("another statement is lost", 'high.write.parquet("out")\n', ""),
        ("a statement is added", "other.show()\n", "other.show()\nother.show()\n"),
        ("another literal of the file", 'parquet("out")', 'parquet("in")'),
        ("another filter is gone", '.filter(F.col("m") >= 90)', ""),
        ("another filter is another", 'F.col("m") >= 90', 'F.col("m") >= 91'),
        ("the keys are others", 'u.filter(F.col("x") >= 5).groupBy("k")', 'u.filter(F.col("x") >= 5).groupBy("s")'),
        (
            "another aggregate",
            'groupBy("k").agg(F.max("x").alias("m"))\nhigh',
            'groupBy("k").agg(F.min("x").alias("m"))\nhigh',
        ),
        (
            "an import under a taken name",
            "import SparkSession, functions as F\n",
            "import SparkSession, functions as F, functions as u\n",
        ),
        (
            "an import of something else",
            "import SparkSession, functions as F\n",
            "import SparkSession, functions as F, types as T\n",
        ),
        ("the name of the functions is another's", "spark = Spark", "F = F.col\nspark = Spark"),
        ("a limit instead of a filter", 'filter(F.col("x") >= 5)', "limit(5)"),
        ("a condition with a side effect", 'F.col("x") >= 5', '(v := F.col("x")) >= 5'),
        ("a condition of a name that is not there", 'F.col("x") >= 5', "threshold"),
        ("a comparison of Python's", 'F.col("x") >= 5', '"x" >= 5'),
    ],
    PANDAS: [
        ("the residual is gone", """.filter("(team = 'a' OR first > 95) AND second IS NOT NULL")""", ""),
        ("the residual is weaker", " AND second IS NOT NULL", ""),
        ("a residual without parentheses", "(team = 'a' OR first > 95)", "team = 'a' OR first > 95"),
        ("a residual of another output", "second IS NOT NULL", "first IS NOT NULL"),
        ("a weaker pre-filter", "score >= 90", "score >= 89"),
        ("a stronger pre-filter", "score >= 90", "score >= 90 AND team = 'a'"),
        ("the user's function is another", "score > second", "score >= second"),
        ("a row more is skipped", "first, second = score, first", "first, second = score, second"),
    ],
    UDF: [
        ("AND for OR", " | ", " & "),
        ("parentheses of an alternative are lost", '(col("a") > 20)', 'col("a") > 20'),
        ("one alternative is lost", '\n    | (col("s") == "hot")', ""),
        ("the other column of the function", 'band("a", "s")', 'band("b", "s")'),
        ("the filter's other conjunct is lost", 'col("b") > 3', 'col("b") > 2'),
    ],
    EXPLODE: [
        ("elements by another bound", "lambda x: x > 5", "lambda x: x > 4"),
        ("another array", 'F.filter("xs"', 'F.filter("ys"'),
        ("a column for the element", "lambda x: x > 5", 'lambda x: F.col("k") > 5'),
        ("another function of the array", 'F.filter("xs"', 'F.exists("xs"'),
        ("all elements", 'F.filter("xs", lambda x: x > 5)', '"xs"'),
        ("the rows are not filtered", '.filter(F.col("k") == "a")', ""),
        ("the rows by another value", 'F.col("k") == "a"', 'F.col("k") == "b"'),
        ("elements that may be NULL", "lambda x: x > 5", "lambda x: (x > 5) | x.isNull()"),
        ("another name of what is made", 'alias("x")', 'alias("y")'),
    ],
    RDD: [
        ("the value for the key", "kv[0] >=", "kv[1] >="),
        ("a part is lost", ' and kv[0] != "c").reduce', ").reduce"),
        ("an alternative", ' and kv[0] != "c").reduce', ' or kv[0] != "c").reduce'),
        ("another constant", '"b" and kv[0] != "c").reduce', '"a" and kv[0] != "c").reduce'),
        ("after the aggregation", ".reduceByKey(max)", ".reduceByKey(min)"),
        ("elements are mapped", ".filter(lambda kv: kv[0] >=", ".map(lambda kv: kv[0] >="),
        ("the pairs are others", "(word, len(word))", "(word, len(word) + 1)"),
    ],
    SQL: [
        ("the parentheses of an OR are lost", "(d = 1 OR d = 2) AND", "d = 1 OR d = 2 AND"),
        ("a HAVING for a WHERE", "(d = 1 OR d = 2) AND c >= 90 GROUP BY k", "d = 1 OR d = 2 GROUP BY k HAVING c >= 90"),
        ("the old condition is lost", "(d = 1 OR d = 2) AND ", ""),
        ("OR for AND", ") AND c", ") OR c"),
        ("another column", "c >= 90 GROUP", "d >= 90 GROUP"),
        ("another aggregate", "max(c)", "min(c)"),
        ("other keys", "GROUP BY k", "GROUP BY d"),
        ("another table", "FROM t", "FROM u"),
        ("a limit", "GROUP BY k", "GROUP BY k LIMIT 5"),
    ],
    TABLE: [
        ("another partition", "PARTITION BY k", "PARTITION BY c"),
        ("other columns", "TABLE(SELECT * FROM", "TABLE(SELECT k FROM"),
        ("another condition", "c > 90", "c >= 90"),
        ("another table", "FROM t WHERE", "FROM u WHERE"),
        ("another function", 'row["c"] > self.best', 'row["c"] < self.best'),
    ],
    ORDERED: [
        (
            "what is costly first",
            "status > 3 AND contains(line, 'err')",
            "contains(line, 'err') AND status > 3",
        ),
        ("OR for AND", "status > 3 AND contains(line, 'err')", "status > 3 OR contains(line, 'err')"),
    ],
    NATIVE: [
        ("the other conjunct is lost", '(payments.kind == "card") & (F.col("amount") > 3)', 'F.col("amount") > 3'),
        ("the parentheses are lost", '(F.col("amount") > 3)', 'F.col("amount") > 3'),
        ("another column", 'F.col("amount")', 'F.col("fee")'),
        ("OR for AND", '"card") &', '"card") |'),
        ("the negation", '(F.col("amount") > 3)', '~(F.col("amount") > 3)'),
    ],
    BRACKETS: [
        ("the residual is gone", "best[best.m >= 90]", "best"),
        ("the residual is weaker", "best[best.m >= 90]", "best[best.m >= 89]"),
        ("columns in the place of a condition", "best[best.m >= 90]", 'best[["m", "n"]]'),
        ("another bound", 'F.col("x") >= 90', 'F.col("x") >= 91'),
        ("the other filter is gone", "high[high.n > 1]", "high"),
        ("the other filter is another", "high[high.n > 1]", "high[high.n > 2]"),
        ("the frame is another", "best[best.m >= 90]", "t[t.x >= 90]"),
    ],
    BRANCH: [
        ("the copy has another condition", 'top = df.where("y > 0")', 'top = df.where("y > 1")'),
        ("the copy lacks a condition", 'top = df.where("y > 0")', "top = df"),
        (
            "the copy has other keys",
            'groupBy("k").agg(F.max("x").alias("m")).filter',
            'groupBy("y").agg(F.max("x").alias("m")).filter',
        ),
        ("the copy has another aggregate", 'agg(F.max("x").alias("m")).filter', 'agg(F.min("x").alias("m")).filter'),
        ("the copy is of another frame", "top = df", "top = best"),
        ("the original is filtered as well", 'best = df.where("y > 0")', 'best = df.where("y > 0 AND x > 100")'),
        ("the column is another", 'F.col("m") > 100', 'F.col("k") > 100'),
        ("the condition is another", 'F.col("m") > 100', 'F.col("m") > 101'),
        ("a consumer is lost", "best.show()\n", ""),
    ],
}


@cache
def rewritten(program: str) -> tuple[Opportunity, str]:
    """The last finding in ``program`` that has edits, or the one that is asked about, and the text after them."""
    opportunities = analyse(program, options(program)).opportunities
    asked = {planted_demand.GROUPS: "HW404"}.get(program)
    last = [o for o in opportunities if o.edits and asked in (None, o.code)][-1]
    return last, apply_edits(program, last.edits)


def options(program: str) -> Options:
    """As ``program`` is to be analysed."""
    return Options(show_all=True, schemas=SCHEMAS.get(program, {}))


def is_refused(program: str, after: str) -> bool:
    """Whether ``after`` is refused as what becomes of ``program``."""
    found, _ = rewritten(program)
    try:
        confirmer(program, None, options(program)).check(after, [change_of(found, found.edits)])
    except WrongEdit:
        return True
    return False


def is_refused_as_a_branch(after: str) -> bool:
    """Whether ``after`` is refused as ``BRANCH`` with a branch of its own, before anything is filtered in it."""
    by = confirmer(BRANCH, None, options(BRANCH))
    try:
        start, end = after.index("top = ") + len("top = "), after.index(".filter(F.col")
        read = Span(BRANCH.index("best.filter"), BRANCH.index(".filter"))
        m = Span(BRANCH.index("best.m"), BRANCH.index("best.m") + len("best.m"))
        check_copy(by, Copy(after, Span(start, end), read, frozenset({m})), by.read(after))
    except (WrongEdit, ValueError):
        return True
    return False


COPIED = BRANCH.replace(
    "top = best.filter(best.m", 'top = df.where("y > 0").groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m")'
)


def faults() -> Iterator[Fault]:
    """Every wrong edit."""
    for name, program in PROGRAMS.items():
        for what, right, wrong in (WRONG | planted_demand.WRONG)[program]:
            yield Fault("edits", f"{name}: {what}", partial(_is_seen, program, right, wrong))


def _is_seen(program: str, right: str, wrong: str) -> bool:
    text = COPIED if program == BRANCH else rewritten(program)[1]
    assert right in text, right
    after = text.replace(right, wrong, 1)
    return is_refused_as_a_branch(after) if program == BRANCH else is_refused(program, after)


PROGRAMS = {
    "aggregate": AGGREGATE, "pandas": PANDAS, "udf": UDF, "explode": EXPLODE, "rdd": RDD, "sql": SQL, "table": TABLE,
    "native": NATIVE, "brackets": BRACKETS, "branch": BRANCH, **planted_demand.PROGRAMS,
}  # fmt: skip
