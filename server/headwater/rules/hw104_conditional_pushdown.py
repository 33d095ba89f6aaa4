"""## What it does

Reports a filter that could move if one named fact held, and names the fact: a column has no NULLs, or a function is pure.

## Why it matters

Such a fact is often true and just not written down. Spark makes every column that it reads from files nullable, whatever the read schema
declares, so that only the code (or you) can say otherwise. Once the fact stands somewhere, the proof succeeds and the filter moves.

## Example

```python
def top2(key, rows):
    first = None
    second = None
    for row in rows.itertuples():
        if first is None or row.score > first:
            second = first
            first = row.score
        elif second is None or row.score > second:
            second = row.score
    return pd.DataFrame([{"team": key[0], "first": first, "second": second}])


best = scores.groupBy("team").applyInPandas(top2, "team string, first double, second double")
best.filter((F.col("first") >= 90) & (F.col("second") >= 90))
```

A missing score arrives as NaN, and `row.score > nan` is false for every score: if the NaN comes first, it stays first. A pre-filter would change
that. The message is: provable if `score` is never NULL or NaN. State it in one of these ways:

- drop missing values on the way in: `scores.dropna(subset=["score"]).groupBy(…)`;
- guard in the function: `if pd.isna(row.score): continue`;
- declare it in the file that the setting `headwater.schemas` names: `score double NOT NULL`. This is taken on trust and named in the certificate.

The first two change what the program computes when there are missing values; usually to what was meant.

## Fix safety

Never fixed on its own, because stating the fact is your decision. Once it is stated, the rewrite is [HW101](HW101.md), [HW102](HW102.md) or [HW103](HW103.md), proved
under that fact.

## References

- Optimal Predicate Pushdown Synthesis (PLDI 2026), example 2.2, whose text assumes scores without gaps.
- The Spark SQL guide on Parquet files: columns are read as nullable for compatibility.
"""

from __future__ import annotations

from .rule import Rule
from .sentences import seconds

RULE = Rule(
    "HW104",
    "conditional-pushdown",
    "A pre-filter could run before the boundary if one named fact held.",
    severity="hint",
)


def conditional_message(prefilter: str, boundary: str, facts: tuple[str, ...], ms: float) -> str:
    """The one sentence of HW104."""
    named = " and ".join(facts)
    return f"`{prefilter}` could run before `{boundary}` if {named}: proved under that condition ({seconds(ms)})"
