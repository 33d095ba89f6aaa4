"""## What it does

Reports a filter that can be split in two: a pre-filter that runs before the boundary, and a weaker filter that stays behind it.

## Why it matters

As for [HW101](HW101.md): the boundary works on rows that cannot change what passes in the end. Part of the condition speaks about
the group as a whole (is there a second score at all?) and cannot be asked of a single row; it stays, but it no longer needs to say what the pre-filter has ensured.

## Example

```python
best = scores.groupBy("team").applyInPandas(top2, "team string, first double, second double")
best.filter((F.col("first") >= 90) & (F.col("second") >= 90))
```

Only scores of 90 or more can be among two best scores that are both 90 or more. With the others gone, each score that is left is high
enough; whether there are two of them is still open:

```python
best = (
    scores.filter(F.col("score") >= 90).groupBy("team").applyInPandas(top2, "team string, first double, second double")
)
best.filter(F.col("second").isNotNull())
```

Note that `top2` skips missing scores. Without that guard a NaN that comes first would hide every later score in the original but not in the
rewritten run, and nothing is reported.

## Fix safety

Offered only when proved, as for HW101. "Add the pre-filter only" keeps your filter as it is: that is just as correct, and easier to read in review.

## References

- Optimal Predicate Pushdown Synthesis (PLDI 2026), sections 2 and 3, examples 2.2 and 3.3; appendix D.
- `examples/top_scores.py`, `examples/open_close.py`, `examples/event_counters.py`
"""

from __future__ import annotations

from .rule import Rule

RULE = Rule(
    "HW102",
    "split-pushdown",
    "A pre-filter can run before the boundary, and the filter after it becomes weaker.",
    own_branch=True,
)
