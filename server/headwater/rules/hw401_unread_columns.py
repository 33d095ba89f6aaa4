"""## What it does

Reports a call that hands the rows of a frame to the driver (`collect`, `toPandas`, `toLocalIterator`), or each row to a lambda or function of the file
(`rdd.map`, `rdd.flatMap`), with columns that the program never reads.

## Why it matters

Spark reads only the columns that a plan uses, but it cannot see into the program behind `toPandas`: all columns are read, decoded and sent to the driver, and
kept in its memory. Two of six columns of five million rows, one of the others a text of 64 characters: 4.8 times faster with a `select` in front.
One of six columns of a million rows read by the function of `rdd.map`: 1.6 to 3.3 times; one of three of five million rows: 1.5 times.
Long texts cost most: one of 2,000 characters takes the processor time of some fifty of 8. Where Parquet or ORC files say how long theirs are, the estimate is of these.

## Example

```python
sales = spark.table("sales").toPandas()
print(sales["amount"].sum(), sales["amount"].max())
```

becomes

```python
sales = spark.table("sales").select("amount").toPandas()
print(sales["amount"].sum(), sales["amount"].max())
```

Functions of pandas that are told columns (`pivot_table`, `plot(x=…, y=…)`, `sort_values`), lambdas and functions of the file that are handed rows or the frame are
followed.

Where the frame is read from Parquet or ORC files, with filters in between at most, a note says which of their columns the scan reads then. A wide read and
the columns that nobody reads behind it are mended by one `select`, so there is no finding of its own (HW202) for the scan.

Columns of masks (`pdf[pdf["kind"] == kind]["amount"]`) are read as others are.

## When it is not reported

* A value that is printed, returned, stored, plotted, or given to code that is not understood, is taken to be read whole; so is a frame whose columns are
  counted or listed.
* The columns are selected already, or nearly all of them are read, as far as the file says what it hands to its functions.
* There are few rows anyway: a limit stands in front, the frame is one row of an aggregate, made of values in the file, or what a model tells of itself; the file fills the table with values, or asserts how
  many rows there are; the rows are read in a branch that ends in `raise`; or each row is a group, and more than its
  keys is read.
* More than eight columns are read, one by one and in no list, of a frame whose columns the file does not say.
* Two columns of the frame may have the same name: then `select` would be refused.

## Fix safety

Proved: on tables of every size that can tell the two programs apart, each value that the program looks at is the same. Where the file does not say which columns
the frame has, the finding is `assumed`: the frame must have each of the names once. Where a variable names a column (`pdf[name]`), it is too: that the
variable holds the plain name of a column. What is no longer computed raises no error any more.

## References

- THEORY.md section 8: predicates, columns and numbers of rows are one demand.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rule import Rule
from .sentences import under

RULE = Rule("HW401", "unread-columns", "Columns are handed to the driver and never read.", wording="replacement")


def message(said: str, instead_of: str, why: str, assumptions: Sequence[str]) -> str:
    """The one sentence of HW401."""
    return f"{why}: `{said}` gives the same as `{instead_of}`, {under(assumptions)}"
