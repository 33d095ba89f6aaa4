"""## What it does

Reports a filter before whose boundary a pre-filter can be added. The filter itself stays as it is.

## Why it matters

As for [HW101](HW101.md). The pre-filter drops rows that cannot contribute to a passing result, but those that remain can still produce
results that do not pass.

## Example

```python
per_host = log.groupBy("host").agg(F.count_if(F.col("level") == "ERROR").alias("errors"))
per_host.filter(F.col("errors") > 5)
```

Lines of other levels cannot add to the count, but how many errors a host has is only known when they have been counted:

```python
per_host = (
    log.filter(F.col("level") == "ERROR").groupBy("host").agg(F.count_if(F.col("level") == "ERROR").alias("errors"))
)
per_host.filter(F.col("errors") > 5)
```

With `errors < 5` the same pre-filter would lose every host without an error: all its rows are dropped, and a group without rows has no
output row. Nothing is reported then.

Of conditions that the driver asks of rows, nothing is reported where they take every row with a value (`pdf[pdf.x > 2]` and `pdf[pdf.x <= 2]`), unless they ask
for missing values. A condition that needs no import as SQL text, and one as a Column, is written as text.

## Fix safety

Offered only when proved, as for HW101. The filter that stays is not touched.

## References

- Optimal Predicate Pushdown Synthesis (PLDI 2026), section 2.2, "partial pushdown".
- Predicate Pushdown for Data Science Pipelines (SIGMOD 2023), figure 1.
"""

from __future__ import annotations

from .rule import Rule

RULE = Rule(
    "HW103",
    "partial-pushdown",
    "A pre-filter can run before the boundary; the filter stays as it is.",
    own_branch=True,
)
