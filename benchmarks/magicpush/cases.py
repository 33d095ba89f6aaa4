"""The paper's own examples as PySpark: its figures 1 to 3 and its listings, with the pre-filter that it names."""

from __future__ import annotations

from dataclasses import dataclass

from tests.campaigns.fuzz.write import Program

from .kinds import PYTHON, Kind
from .outcome import Push

SALES = "month string, weekday int not null, revenue bigint not null, quantity bigint not null, price bigint not null"
MISSING = "month string, weekday int not null, revenue double, quantity double not null, price double not null"
_PANDAS = "import pandas as pd\n"
_F = "from pyspark.sql import functions as F\n"
_FOLD = """\
def f(key, pdf):
    v = {1}
    for row in pdf.itertuples():
{0}
    return pd.DataFrame([{{"month": key[0], "max_revenue": v}}])


result = (
    spark.table("t")
    .groupBy("month")
    .applyInPandas(f, "month string, max_revenue {2}")
    .filter(F.col("max_revenue") > 1000)
)
"""
_WORDS = (
    "Finance", "Software", "Data", "Health", "Games", "Travel", "Food", "Music", "News", "Sports", "Energy", "Legal",
    "Retail", "Education",
)  # fmt: skip
_BRANCHES = "\n".join(f'    if "{w}" in group:\n        return "{w}"' for w in _WORDS)


@dataclass(frozen=True)
class Case:
    """``expects``: what MagicPush pushes, and ``prefilter`` in the paper's words."""

    place: str
    what: str
    expects: Push
    prefilter: str
    node: str
    ddl: str
    text: str

    @property
    def kind(self) -> Kind:
        """As a kind of one instance."""
        return Kind(f"{self.place}: {self.what}", "", self.node)

    @property
    def program(self) -> Program:
        """The program."""
        pandas = _PANDAS if "pd." in self.text else ""
        return Program.of(self.place, pandas + _F + "\n\n" + self.text, self.ddl)


def _loop(body: str, initial: str = "0", kind: str = "long") -> str:
    return _FOLD.format("\n".join("        " + line for line in body.splitlines()), initial, kind)


CASES = (
    Case("Figure 1 (1)", "maximum of a group", "equal", "revenue > 1000", "Aggregate", SALES,
         'result = spark.table("t").groupBy("month").agg(F.max("revenue").alias("m")).filter(F.col("m") > 1000)\n'),
    Case("Figure 1 (2)", "the same as a function", "equal", "revenue > 1000", PYTHON, SALES,
         _loop("v = max(v, row.revenue)")),
    Case("Figure 1 (3)", "only of weekends", "equal", "weekday in [6, 7] & revenue > 1000", PYTHON, SALES,
         _loop("if row.weekday in [6, 7]:\n    v = max(v, row.revenue)")),
    Case("Figure 1 (4)", "another value where it is missing", "equal",
         "(revenue is null & price*quantity > 1000) | (revenue not null & revenue > 1000)", PYTHON, MISSING,
         _loop("if not pd.isna(row.revenue):\n    v = max(v, row.revenue)\nelse:\n"
               "    v = max(v, row.quantity * row.price)", "0.0", "double")),
    Case("Figure 2 (1)", "unpivot, index column", "equal", "store == 'A'", "Expand",
         "store string, Y2005 bigint, Y2006 bigint",
         'df = spark.table("t").unpivot(["store"], ["Y2005", "Y2006"], "year", "revenue")\n'
         'result = df.filter(F.col("store") == "A")\n'),
    Case("Figure 2 (2)", "unpivot, value column", "superset", "Y2005 > 2000 | Y2006 > 2000", "Expand",
         "store string, Y2005 bigint, Y2006 bigint",
         'df = spark.table("t").unpivot(["store"], ["Y2005", "Y2006"], "year", "revenue")\n'
         'result = df.filter(F.col("revenue") > 2000)\n'),
    Case("Figure 3", "a value looked up by row", "superset", "year >= 2008 & quantity*price != 0; year == 2006", "Join",
         "store string, year int, quantity double, price double",
         'df_old = spark.table("t").select("store", F.col("year").alias("old"), F.col("price").alias("revenue"))\n'
         'first = df_old.filter(F.col("old") == 2006).groupBy("store").agg(F.max("revenue").alias("base"))\n'
         'df = spark.table("t").join(first, "store", "left")\n'
         'df = df.withColumn("relative_rev", F.col("quantity") * F.col("price") / F.col("base"))\n'
         'result = df.filter((F.col("year") >= 2008) & (F.col("relative_rev") != 0))\n'),
    Case("Listing 1", "sum of a group", "none", "-", "Aggregate", SALES,
         'result = spark.table("t").groupBy("month").agg(F.sum("revenue").alias("m")).filter(F.col("m") > 1000)\n'),
    Case("Listing 2", "the three least", "none", "-", "GlobalLimit", "v double, s string",
         'result = spark.table("t").orderBy("v", "s").limit(3).filter(F.col("v") > 2)\n'),
    Case("Listing 3", "outer join, both sides", "superset", "act_2017 > 0.5; act_2018 > 0.5", "Join",
         "state string, act double",
         'a = spark.table("t").withColumnRenamed("act", "act_2018")\n'
         'b = spark.table("t").withColumnRenamed("act", "act_2017")\n'
         'result = a.join(b, "state", "outer").filter((F.col("act_2017") > 0.5) & (F.col("act_2018") > 0.5))\n'),
    Case("Listing 3, line 8", "outer join, one side or the other", "none", "-", "Join", "state string, act double",
         'a = spark.table("t").withColumnRenamed("act", "act_2018")\n'
         'b = spark.table("t").withColumnRenamed("act", "act_2017")\n'
         'value = F.when(F.col("act_2018").isNull(), F.col("act_2017")).otherwise(F.col("act_2018"))\n'
         'result = a.join(b, "state", "outer").filter(value > 1)\n'),
    Case("Listing 4", "one-hot encoding", "superset", "status == 'Left'", "Project", "name string, status string",
         'values = ["Left", "Right"]\n'
         'dummy = spark.table("t").select("name", *[(F.col("status") == v).cast("int").alias(v) for v in values])\n'
         'result = dummy.filter(F.col("Left") == 1)\n'),
    Case("Listing 5", "a replaced value", "equal", "Country != 'U.S.'", "Project", "Country string, n bigint",
         'df = spark.table("t").replace("HongKong", "China", subset=["Country"])\n'
         'result = df.filter(F.col("Country") != "U.S.")\n'),
    Case("Listing 6", "a function of 14 branches", "equal", "'Software' in group | 'Data' in group", PYTHON,
         "name string, group string not null",
         '@F.udf("string")\ndef category(group):\n' + _BRANCHES + '\n    return "Unknown"\n\n\n'
         'df = spark.table("t").withColumn("category", category("group"))\n'
         'result = df.filter((F.col("category") == "Software") | (F.col("category") == "Data"))\n'),
    Case("section 4.3", "a library function", "equal", "dayofweek(date) in [6, 7]", "Project", "d date, n bigint",
         'df = spark.table("t").withColumn("day", F.dayofweek("d"))\nresult = df.filter(F.col("day").isin(6, 7))\n'),
    Case("section 6", "a count", "none", "-", "Aggregate", SALES,
         'result = spark.table("t").groupBy("month").agg(F.count("*").alias("n")).filter(F.col("n") > 10)\n'),
)  # fmt: skip
