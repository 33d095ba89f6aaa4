"""## What it does

Reports several counts or aggregates of one frame, each of which Spark computes as a job of its own, that one pass over the frame gives.

## Why it matters

Nothing is kept from one job to the next: the files are read, the join is done and the Python function is called again for each. On five million rows of Parquet four
counts in one pass are 2.5 times faster than four jobs; behind a join 3.4 times. A cache keeps the rows, and each job goes through them all: of five
million kept rows four counts in one pass are 3.0 times faster than four jobs, a count and that of a filter 1.9 times.

## Examples

```python
total = orders.count()
open_ = orders.filter(F.col("status") == "open").count()
newest = orders.agg(F.max("day")).collect()[0][0]
```

becomes

```python
measures = orders.agg(F.count("*"), F.count_if(F.col("status") == "open"), F.max("day")).first()
total = measures[0]
open_ = measures[1]
newest = measures[2]
```

One count asked for again and again becomes a variable: `orders_count = orders.count()`. Where the statement of the first
one calls something else before it, the number gets its name there: `print(f"{key()}: {(orders_count := orders.count())}")`. More forms, and what is written for each:

| a job | its part of the one `agg` |
| --- | --- |
| `df.select("c").distinct().count()`, `df.dropDuplicates(["c"]).count()` | `F.count_distinct(F.struct("c"))`: a struct is counted where `c` is NULL, as `distinct` keeps that row |
| `df[F.col("a") > 1].count()` | `F.count_if(F.col("a") > 1)` |
| `df.filter("a = 1 AND b = 2").count()`, also of an f-string | `F.count_if(F.when(F.expr("a = 1"), F.expr("b = 2")))` |
| `df.selectExpr("max(c)").first()[0]` | `F.expr("max(c)")` |
| `df.withColumn("c", F.col("a") * 2).agg(F.sum("c")).first()[0]`, also with `select` | `F.sum(F.col("a") * 2)` |
| `valid = df.filter(p)` somewhere above and `valid.count()`, beside other jobs of `df` | `F.count_if(p)` |
| `df.filter(p).agg(F.max("c")).first()[0]` | `F.max(F.when(p, F.col("c")))`, for functions that leave out NULL |
| a row: `df.agg(F.min("c").alias("lo"), F.max("c")).first()`, also with a list: `df.agg(*measures).collect()[0]` | `F.struct(F.min("c").alias("lo"), F.max("c").alias("max(c)"))`, `F.struct(*measures)`: the same row, as one value |
| `totals.first()["n"]`, `totals.collect()[0][1]` of one `totals = df.agg(…)` in a variable | nothing: `totals_row = totals.first()` in front, `totals_row["n"]` and `totals_row[1]` |
| `df.filter(F.col(c).isNull()).count()` in each turn of a loop or comprehension over `df.columns`, or over texts or numbers that stand in the file, or a `range` of them | `counts = df.agg(*[F.count_if(F.col(c).isNull()).alias(c) for c in df.columns]).first()` in front, `counts[c]` inside |
| `df.agg(F.max(c)).first()[0]` in each turn, also over a list that a parameter holds | `F.max(c).alias(c)` in such a list |
| `df.filter(check).count()` in each turn over `checks.items()`, pairs, `zip`, `enumerate`, `df.dtypes` or `df.schema.fields`; in a branch of the turn, or behind `continue` | such a list with the clauses of the loop, `for name, check in checks.items()` or `if t == "double"` |
| the same in nested loops, or where no text or number tells the turns apart | `counts = iter(df.agg(*[…]).first())` in front, `next(counts)` inside |

Where every job is filtered, and the filters may skip files or row groups, one pass takes the rows that one of them keeps:
`orders.filter((F.col("status") == "open") | (F.col("total") > 100)).agg(…)`. Of `a & b` that is `a` where nothing says that `b` raises no error.

Aggregates of one frame that are joined on their keys are computed in one pass, too:

```python
sums = orders.groupBy("customer").agg(F.sum("total").alias("total"))
days = orders.groupBy("customer").agg(F.max("day").alias("last"))
features = sums.join(days, "customer")
```

becomes

```python
sums = orders.groupBy("customer").agg(F.sum("total").alias("total"))
days = orders.groupBy("customer").agg(F.max("day").alias("last"))
features = (
    orders.groupBy("customer")
    .agg(F.sum("total").alias("total"), F.max("day").alias("last"))
    .filter(F.col("customer").isNotNull())
)
```

The join drops the groups of NULL keys, and so does the filter. The aggregates stay where they are; nobody computes them.

Conditions stay in your own words. `a & b` becomes `F.when(a, b)` where nothing says that `b` raises no error: a filter looks at `b` only where `a` is TRUE, while `&` in an
aggregate does so where `a` is NULL as well.

## When it is not reported

* Between the jobs anything happens that may have an effect: a write, a cache, a clock, a call of a function that is not known, a loop. What may stand there: values
  that are computed and bound, functions of Python's modules that do no more (`json.dumps`, `math.ceil`), output by `print` or a logger, `assert`, `if …: raise` (then only for counts that can raise no error themselves, assuming that the columns of their conditions are there), `if …: return` (then only for
  a count of all rows), other jobs, other frames that are made.
* What a `try` has caught may tell that a job came first: a name that is bound since is read behind its body, a handler takes some errors alone, a list or an element is set, or the
  `try` is in a loop. At the top of a module that other files read no such name is an assumption. Any `with`.
* A job that does not always run: in a branch, in a part of `a if b else c` or behind `and`, unless it asks for a number that was asked for in front of it, or the branch is of a turn and tests what its loop goes through;
  a loop that is left early, or that changes what a later turn reads or tests; a loop over an iterator, which is gone through once. Jobs under a test for debug messages: as a rule none of them runs.
* A row of which some column has no known name, such as that of `F.stddev("c")` without an alias, or in which different values of several columns are counted.
* A second count of different rows of other columns: Spark would make every row twice to look for both. It stays a job of its own.
* The variable is bound anew, or a condition reads what was computed since the first job. An assignment that only computes a value, of what was there before the first job, goes
  in front of it.
* The rows of a frame of one row are counted, the frame is values of the file, or a table that the file fills with values, holds random numbers or the time, or has a limit, which may take other rows each time.
* A condition with a conjunction inside, such as `(a & b) | (a & c)`, of which a part may raise an error: Spark takes it apart in a filter, and not in an aggregate.
* Aggregates that are joined by another type than an inner join, on other columns than all their keys, or by a condition such as `a.k == b.k`, which gives the keys twice; of frames that are
  not known to be the same; that somebody else reads or names columns by; of which more is computed before the join than other names; of which one counts different values. What stands in
  another function than the join, or names something that may hold another value there.
* All of them only ask whether there are rows: see HW403.
* A notebook's cell ends between them.
* Every job is filtered, right above a source of which the filters may skip files or row groups, and the jobs are turns of a loop, over values that
  were not collected of the frame itself, or their conditions together are a long text: one pass over all rows would read more.
* Right above a table or files of Parquet, ORC, Delta or Iceberg, a count of all rows beside one count of a filter, or NULL looked for in each column: the count reads no column,
  and statistics tell where there is no NULL. On five million rows one pass was 1.5 times faster than a count and a filter, on 60 million rows 0.3 (sorted) to 0.9 times as fast;
  for NULL in four columns without any 0.6 and 0.1 times as fast. Two different filters beside the count: 2.9 and 1.7 times faster. `--all` reports them,
  and counts of different values beside others of kept rows: 0.5 times as fast for 5,000 values, 1.5 times for 100,000. How many rows a cached frame has, Spark knows: beside that and one more number nothing is gained.
* A number is bound to `_`, or to nothing: the job may be there for what it does besides.

## Fix safety

Proved: for each job, on rows for which its conditions are TRUE, FALSE or NULL in every combination, the number in the one row is that of the job. An empty frame gives 0, and
NULL for `max` of nothing, as before. That a frame whose `columns` are gone through has one is an assumption unless its schema is known: `agg` of nothing is an error. So is, where the file does not show it, that the
variable holds a frame of Spark's, that a column of which different values are counted is no session window,
that a list of unknown value that is gone through holds names of columns, or a few values, that a test is true in some turn, that it does not matter which error ends a loop that raises some,
that nobody changes a list in a row that is taken once,
that what is put into SQL text in the place of a name, or is the only argument of a `select`, is the name of a column, that `self.df` is a plain attribute, that
values of modules that are not here, parameters whose text or parts are read or that are calculated or compared with, and what is gone through between the jobs and may be no list, have no side effect, and that
after an error nobody looks at the attributes that the method has set before. What a later job, what it reads, or a later turn of a loop, raises is raised in front of output that came before it.

Of aggregates that are joined: a group is the same rows on each side, so that a row of the join is what is computed of one group, if each key has a value. NaN equals itself in both.

A frame that is computed several times may give different rows each time, where its table is written to meanwhile: computed once, it gives what it may have given each time.

## References

- THEORY.md section 8: the demand for several aggregates of one frame is one pass.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rule import Rule

RULE = Rule(
    "HW404",
    "repeated-scan",
    "Several counts or aggregates of one frame, each its own job, that one pass gives.",
    wording="replacement",
)


def message(
    frame: str, lines: Sequence[int], said: str, turn: str | None, assumptions: Sequence[str], done: str
) -> str:  # fmt: skip
    """The one sentence of HW404. ``turn``: the variable of a loop, in each turn of which the frame is ``done``, that is
    computed or read."""
    rests = f"assuming that {' and '.join(assumptions)}" if assumptions else "proved for every input"
    if turn is not None:
        return f"`{frame}` is {done} for each `{turn}`: `{said}` gives all in one pass, {rests}"
    others = [str(n) for n in dict.fromkeys(lines[1:]) if n != lines[0]]
    where = "" if not others else f" (again on line{'s' if len(others) > 1 else ''} {', '.join(others)})"
    return f"`{frame}` is {done} {len(lines)} times{where}: `{said}` gives all in one pass, {rests}"


def joined(frame: str, number: int, said: str, assumptions: Sequence[str]) -> str:
    """The sentence of HW404 about aggregates of one frame that are joined on their keys."""
    rests = f"assuming that {' and '.join(assumptions)}" if assumptions else "proved for every input"
    return f"`{frame}` is computed {number} times for one join: `{said}` gives the same in one pass, {rests}"
