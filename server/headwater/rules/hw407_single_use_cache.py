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

`df = df.cache()` and `df.cache()` as statements of their own go away.

## When it is not reported

* More than one action asks for the frame or for anything that is made of it, or one of them in whose plan it stands twice. Readers are counted by action: a frame that is counted in a log
  line and then written has two.
* It leaves what is read here: returned, kept in a list or an attribute, given to a function, registered as a view, turned into an RDD.
* The call stands in a loop, under a condition, or in a function that may run more than once. The file names `unpersist`, `clearCache`, `explain` or other words that ask about caches.
* `checkpoint` and `localCheckpoint`: they cut the lineage.
* What is below may give other rows each time (`rand`, `sample`, `limit`, `row_number`), or calls a Python function, which Spark may evaluate more often without the cache.
* The one action sorts all rows, for which Spark computes what it sorts twice.
* The same source is read a second time in the file: Spark may answer that from the cache.

## Fix safety

Proved: the rows are computed once, with and without the cache, by operators that give the same rows each time. That `display` of a notebook asks for them once is an assumption.

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


def message(operator: str, why: str, assumptions: Sequence[str]) -> str:
    """The one sentence of HW407."""
    return f"{why}: `{operator}` keeps rows that nobody reads again, {under(assumptions)}"
