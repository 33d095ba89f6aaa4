"""## What it does

Reports a call that collects a whole frame (`collect`, `toPandas`) of which the program looks at the first rows alone.

## Why it matters

Spark computes every row and sends it to the driver, which throws all but a few away. With a limit Spark stops as soon as it has them. `toPandas().head(5)` of a filtered
table of five million rows: 3.2 times faster with `limit(5)`; `collect()[0]` of 50,000 groups: 1.3 times.

## Examples

```python
newest = events.filter(F.col("kind") == "deploy").collect()[0]["version"]
```

becomes

```python
newest = events.filter(F.col("kind") == "deploy").head(1)[0]["version"]
```

and `print(events.toPandas().head(10))` becomes `print(events.limit(10).toPandas())`. The variable may be read later, and more than once: the greatest place counts. A value of
a column counts as its row does: `["kind"].iloc[0]`, `["kind"][0]`, `.loc[0, "kind"]`, `.iat[0, 1]`, `.values[0]`. So do a loop that is left by the number of its
turn (`for i, row in enumerate(rows): … if i == 4: break`), `islice(rows, 5)`, `first, *_ = rows` and `to_dict("records")[0]`.
`df.rdd.map(f).collect()[0]` becomes `df.rdd.map(f).take(1)[0]` if `f` does nothing but compute.

## When it is not reported

* The frame is ordered, and something is read that it is not ordered by: of rows that are equal in the order, a limit may keep another one.
* There are few rows anyway: a limit stands in front, the frame is one row of an aggregate, a group is fixed by a filter, the frame is made of values in the file,
  the file fills the table with values, or asserts how many rows there are; an `assert`, or one on the variable that holds it, or a branch that ends in `raise` reads the first row; a database is asked for rows
  with some value; a list of expressions is selected, which may be aggregates; or a function is given the frame and takes any one row of it.
* It is in a test, or in a file that imports pytest or unittest. The same goes for every rule that is about speed.
* Any other part of the result is looked at: its length, its last row, all of it.
* It is not known what the frame is made by.

## Fix safety

Proved: on tables of every size that can tell the two programs apart, each value that the program looks at is the same, and an `IndexError` stays one. Which rows of a frame
without an order come first, Spark does not define; the rewritten program sees rows that the original may see.

pandas stores a column of integers or booleans in another type if a NULL is among them. Where a column may have one behind the first rows, the finding is `assumed`.

## References

- THEORY.md section 8: predicates, columns and numbers of rows are one demand.
- `docs/semantics.md`: what pandas makes of Spark's types.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rule import Rule
from .sentences import under

RULE = Rule(
    "HW402", "first-rows", "Everything is collected, and only the first rows are looked at.", wording="replacement"
)


def message(said: str, instead_of: str, why: str, assumptions: Sequence[str]) -> str:
    """The one sentence of HW402."""
    return f"{why}: `{said}` gives the same as `{instead_of}`, {under(assumptions)}"
