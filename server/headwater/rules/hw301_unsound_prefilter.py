"""## What it does

Reports a filter that is marked `# headwater: prefilter` and changes what the filter after the boundary lets through.

## Why it matters

A pre-filter written by hand is right on the day that it is written. Then a threshold is changed after the aggregation and not before it, or a
maximum becomes a sum, and rows that matter are dropped before anybody looks at them: no error, only a wrong result.

## Example

```python
readings = spark.table("readings").filter(F.col("value") >= 95)  # headwater: prefilter
peaks = readings.groupBy("sensor").agg(F.max("value").alias("peak"))
peaks.filter(F.col("peak") >= 90)
```

A sensor whose peak is 92 passes the filter at the end, and its rows are dropped at the beginning.

## What is reported, and what is not

A finding has a witness: a small group of rows, run with the marked filter and without it in the model of Spark, that ends in two results.
The message names a row that makes the difference. Rows with the constants of both filters and their neighbours, NULL and NaN are tried; that none of them
tells is no proof, and nothing is said then.

Nothing is said either where rows of the model may be none of the data's: a column's type is not known, a threshold is known only to the driver,
something else than filters stands between the boundary and its table, or the filter at the end is not all that decides (a branch of a
union, a condition without a model). Only filters right below the boundary are looked at, and only aggregations and functions over groups.

## Fix safety

Never fixed. The filter may be wrong, or its mark: a filter that is meant to change the result is no pre-filter.

## References

- THEORY.md section 1: a pre-filter must not change the rows that pass.
"""

from __future__ import annotations

from .rule import Rule

RULE = Rule(
    "HW301",
    "unsound-prefilter",
    "A filter that is marked as a pre-filter changes what the filter after the boundary lets through.",
    severity="warning",
)


def unsound_message(prefilter: str, boundary: str, witness: str) -> str:
    """The one sentence of HW301."""
    return (
        f"`{prefilter}` is marked as a pre-filter of `{boundary}`, but the filter after it does not imply it: {witness}"
    )
