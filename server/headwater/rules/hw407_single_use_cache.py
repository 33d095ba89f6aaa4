"""## What it does

Reports `cache()` or `persist()` of a frame whose rows one action alone asks for.

## Why it matters

A cache pays when something is read a second time. With one reader every row is computed, turned into columns and stored, and none of it is used again; and Spark moves no filter and no
choice of columns past a cache, so that all columns of all rows are read.

Measured on 5 million rows of Parquet with six columns (two busy cores, medians of three, processor time): without the cache 21 times less for a filter that keeps 2 % and reads two
columns, 25 times less for a range of sorted keys, 8 times less for an aggregate of all rows; the same where what is kept is small, the groups of an aggregate.

## Examples

```python
events = spark.read.parquet("events").cache()
events.filter(F.col("kind") == "deploy").select("version").show()
```

becomes

```python
events = spark.read.parquet("events")
events.filter(F.col("kind") == "deploy").select("version").show()
```

`df = df.cache()` and `df.cache()` as statements of their own go away; so do statements that free the frame (`df.unpersist()`), and a second `persist()` of a frame that is kept already, which does nothing, whatever level it asks for.

## When it is not reported

* More than one action asks for the frame or for anything that is made of it, or one of them in whose plan it stands twice. Readers are counted by action: a frame that is counted in a log
  line and then written has two.
* It leaves what is read here: returned, kept in a list or an attribute, given to a function that is not in the file (or to one whose body is not followed), registered as a view, turned into an RDD. `--all` says which construct it is.
* The call stands in a loop, under a condition, or in a function that may run more than once. The file names `clearCache`, `explain` or other words that ask about caches.
* `checkpoint` and `localCheckpoint`: they cut the lineage.
* What is below may give other rows each time (`rand`, `sample`, `limit`, `row_number`). Windows whose function gives equal rows the same (`rank`, `sum` without a frame of rows) do not.
* What is below calls a function for each row, or may do so, and a filter, `dropna`, a join or `explode` reads it: Spark then calls the function a second time, for the condition that it moves in front of it.
* The one action sorts all rows, or parts them in ranges, for which Spark computes them twice. First rows in order (`show`, `take`, `limit`) it finds in one pass.
* The same source is read a second time in the file, by whatever method, by a query or by a cell in another language: Spark may answer that from the cache.
* A frame that is kept already may have been freed since.

## Fix safety

Proved: the rows are computed once, with and without the cache, by operators that give the same rows each time. Assumed, where it matters: that `display` of a notebook asks for first rows once; that a transformer (`model.transform(df)`) that is given the frame asks for its rows once; that a column of other code, a Python function or a transformer (`model.transform(df)`) gives the same each time and has no side effect, for it is no longer called for rows and columns that nobody asks for.

Spark before the fix of SPARK-58482 loses rows with NaN where a comparison filters what is kept; without the cache they are there.

## References

- THEORY.md section 8: a cache is a wall.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rule import Rule
from .sentences import under

RULE = Rule(
    "HW407", "single-use-cache", "A cache whose rows are asked for once.", severity="hint", wording="replacement"
)


def message(operator: str, why: str, effect: str, assumptions: Sequence[str]) -> str:
    """The one sentence of HW407."""
    return f"{why}: `{operator}` {effect}, {under(assumptions)}"
