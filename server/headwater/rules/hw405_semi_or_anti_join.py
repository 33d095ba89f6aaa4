"""## What it does

Reports joins that keep or drop rows of their left side and add nothing that anybody reads.

## Why it matters

`left_semi` and `left_anti` say what is meant: rows with a match, or rows without one. They cannot multiply rows, whatever is done to the right side later. Spark runs both forms in the
same time (5 million rows: 1.0 times), so that this is a hint, and left out unless all findings are asked for (`--all`, in an editor `showAll`).

## Examples

```python
ids = orders.select("customer_id").distinct()
active = customers.join(ids, "customer_id")
```

becomes

```python
ids = orders.select("customer_id").distinct()
active = customers.join(ids, "customer_id", "left_semi")
```

and

```python
ids = orders.select("customer_id").withColumn("seen", F.lit(True))
new = customers.join(ids, "customer_id", "left").filter(F.col("seen").isNull()).drop("seen")
```

becomes

```python
ids = orders.select("customer_id").withColumn("seen", F.lit(True))
new = customers.join(ids, "customer_id", "left_anti").drop("seen")
```

## When it is not reported

* The right side of an inner join may have two rows with the same keys: nothing makes it unique (`distinct`, `dropDuplicates`, `intersect`, `subtract` or `groupBy` on columns of the join), and nothing further on forgives copies (`distinct`, `dropDuplicates`, `isEmpty`, aggregates like `min`, `max`, `countDistinct` and `collect_set`).
* A column of the right side is read behind the join, or may be: its columns are not known, or it has other columns than the keys, and the result is returned, stored, or given to code that is not in the file.
* The column that must be NULL may be NULL in a match too: it is neither compared with `==` in the join nor the same value in every row. `eqNullSafe` matches NULL.
* The keys of a join that must be unique have different types: `"1"` and `"01"` are two texts and one number.

## Fix safety

Proved: the same rows, each as often. Of a unique right side each row has one match at most; where one of each row is kept further on, or an aggregate gives the same however often a row is there, that is lost. NULL matches nothing, in all of these joins; NaN equals itself and -0.0 equals 0.0, for the
join and for `distinct` alike. Where the types of the keys are not known, the finding is `assumed`: they must be the same on both sides. Where the right side has the keys alone and the result goes to other code, that nobody names a column by the frame of the right side (`kept.select(ids.id)`) is assumed, too; Spark refuses that afterwards. The order of the result is no more certain than it
was.

## References

- THEORY.md section 8.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rule import Rule
from .sentences import under

RULE = Rule(
    "HW405", "semi-or-anti-join", "A join of which only whether a row has a match is used.", wording="replacement"
)  # fmt: skip


def message(operator: str, assumptions: Sequence[str]) -> str:
    """The one sentence of HW405."""
    which = "rows that have a match" if operator == "semi" else "rows without a match"
    return f'only {which} are kept, and nothing else of the right side is read: `"left_{operator}"` keeps the same rows, {under(assumptions)}'
