"""## What it does

Reports a filter that can move, as a whole, before the boundary that it follows: before a row UDF, a grouped pandas function or an
aggregate. The filter after the boundary disappears.

## Why it matters

The boundary computes values for rows that are then thrown away. Spark does not move the filter itself: it cannot see into a
Python function, and does not reason about aggregated values. Moved below, the filter saves the function calls, the transfer to Python, the shuffle, and
often the reading of rows that the source can skip. A filter on a Python UDF's column also makes Spark evaluate the UDF twice.

## Example

```python
peaks = payments.groupBy("account").agg(F.max("amount").alias("peak"))
large = peaks.filter(F.col("peak") >= 950_000)
```

The maximum is at least 950,000 exactly if some amount is, and then it is the maximum of those amounts alone:

```python
peaks = payments.filter(F.col("amount") >= 950_000).groupBy("account").agg(F.max("amount").alias("peak"))
large = peaks
```

With a second aggregate, such as `F.count("*")`, beside the maximum this would be wrong, and nothing is reported.

Where others read `peaks` too, the filter gets a branch of its own: the expression of `peaks` is computed anew for each of its readers anyway, so
it is written out once more where the filter reads it, with the pre-filter in the copy.

```python
peaks.show()
large = payments.filter(F.col("amount") >= 950_000).groupBy("account").agg(F.max("amount").alias("peak"))
```

## Fix safety

Offered only when proved, for every input and every order of rows: the same rows come out, and no error is raised that was not raised
before. Errors may disappear, where a row that made the function fail no longer reaches it. Assumptions, if any ([two kinds of proved](../verdicts.md)), stand in the message and in the
certificate.

## References

- Optimal Predicate Pushdown Synthesis (PLDI 2026), section 2.2, "exact pushdown".
- Predicate Pushdown for Data Science Pipelines (SIGMOD 2023), figure 1 and listing 6.
- `examples/categories.py`, `examples/discounts.py`, `examples/peak_payments.py`, `examples/weekend_revenue.py`, `examples/revenue_fallback.py`
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater_ir.verdict import Kind

from .rule import Rule
from .sentences import seconds, under

RULE = Rule(
    "HW101",
    "exact-pushdown",
    "The whole filter can run before the boundary.",
    own_branch=True,
)


def proved_message(
    prefilter: str, boundary: str, kind: Kind, ms: float, assumptions: Sequence[str], beside: str | None = None
) -> str:
    """The one sentence of HW101, HW102 and HW103. ``beside``: the variable that others read as well, if the filter gets
    a branch of its own."""
    apart = f" in a branch of its own, beside `{beside}`" if beside else ""
    return f"`{prefilter}` can run before `{boundary}`{apart}: {kind} pushdown, {under(assumptions)} ({seconds(ms)})"
