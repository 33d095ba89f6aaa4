"""## What it does

Reports rows that are kept where they equal the maximum or minimum of their group, which a window computes for every row, or an aggregate that is joined to the rows that it is made of.

## Why it matters

Spark keeps all rows of a group until it knows the maximum. Of `rank() == 1` it knows more: while it sorts, it keeps of each group the first rows alone, before the shuffle and after it
(its window group limit, since Spark 3.5). On 5 million rows of 50,000 groups 1.4 times faster; but where groups have one row or two, the rows are sorted twice for nothing: 0.7 times as
fast with two rows a group; and of 5,000 groups of 1,000 rows, told by a text, it was 0.4 times as fast. Of 2 million rows on two busy cores, with groups of 1,000, 100 and 2 rows, a comparison was 0.8,
0.7 and 0.6 times as fast, a flag 0.6, 0.4 and 0.5 times, and of a window that is ordered by the column already, which sorts in any case, 1.0, 1.1 and 1.0 times. How large groups are is not in the code, so that this is left out unless all findings are asked for (`--all`, in an editor `showAll`).

## Examples

```python
w = Window.partitionBy("team")
best = scores.withColumn("top", F.max("score").over(w)).filter(F.col("score") == F.col("top")).drop("top")
```

becomes

```python
w = Window.partitionBy("team")
best = (
    scores.withColumn("top", F.rank().over(w.orderBy(F.desc("score"))))
    .filter((F.col("top") == 1) & F.col("score").isNotNull())
    .drop("top")
)
```

Of a minimum the order is `F.asc_nulls_last("score")`. A flag is no other thing:

```python
modes = counts.withColumn("mode", F.col("n") == F.max("n").over(Window.partitionBy("team"))).filter("mode")
```

becomes

```python
modes = counts.withColumn(
    "mode", (F.rank().over(Window.partitionBy("team").orderBy(F.desc("n"))) == 1) & F.col("n").isNotNull()
).filter("mode")
```

So are `F.when(F.col("n") == F.max("n").over(w), 1).otherwise(0)` with a filter for 1, and `F.first("n")` over a window that is ordered by `n` so that its extreme comes first and NULL last.

An aggregate that is joined to its own rows becomes a rank too, which needs them once:

```python
top = scores.groupBy("team").agg(F.max("score").alias("top"))
best = scores.join(top, "team").filter(F.col("score") == F.col("top")).drop("top")
```

becomes

```python
top = scores.groupBy("team").agg(F.max("score").alias("top"))
best = (
    scores.withColumn("top", F.rank().over(Window.partitionBy("team").orderBy(F.desc("score"))))
    .filter((F.col("top") == 1) & F.col("score").isNotNull() & F.col("team").isNotNull())
    .drop("top")
)
```

The aggregate stays where it is; nobody computes it. If `top` is called `score` and the join is on `["team", "score"]`, the filter is written behind the rank.

## When it is not reported

* The column with the extreme is read by anybody but the filter: not dropped behind it, shown, compared by `<` or `!=`, or named by a filter further on, which Spark lets reach through `drop`.
* The window has a frame, or an order in which the extreme does not come first: then it is a running maximum. `min` over a window that is ordered by the column itself is the group's.
* Another column is compared with the extreme than the one that it is of.
* An aggregate that is joined is of other rows than those that it is joined to, or is not known to be of the same: a filter, a reassignment, a random column or a limit stands between. It is named anywhere else, or the join has further conditions or is a left join.
* The key of a join by name, which comes first in its result, is known not to be the first column of the rows, and the result is not projected.

## Fix safety

Proved: the same rows, ties among them. `max` leaves NULL out, and of a group without any value no row is kept: so the rewrite asks for a value beside the rank. NaN is the greatest number
for both, and equals itself; -0.0 equals 0.0 for both. Where code that is not in the file gets the result, or names its columns, the finding is `assumed`: that code must not ask for the column that was dropped. Where a parameter or another file names the column, that it names another one than the one of the extreme is an assumption, too. A join drops the groups of NULL keys, and so does the rewrite. The order of the result is no more certain than it was.

## References

- THEORY.md section 8; SPARK-37099 (window group limit).
"""

from __future__ import annotations

from .rule import Rule

RULE = Rule(
    "HW406", "group-extreme", "Rows that equal their group's extreme, by a window over every row.",
    wording="replacement",
)  # fmt: skip


def message(function: str, column: str, said: str, assumptions: tuple[str, ...] = ()) -> str:
    """The one sentence of HW406."""
    proved = f"proved assuming {'; '.join(assumptions)}" if assumptions else "proved for every input"
    return (
        f"only rows with the group's {function} of `{column}` are kept: `{' '.join(said.split())}` finds them while "
        f"Spark sorts, {proved}"
    )
