"""## What it does

Reports a filter that no row can pass, whatever the input: by itself, or after an aggregation, a Python function or another filter. Reports too
a filter that every row passes because of the filters before it.

## Why it matters

The job computes everything and then throws all of it away. Such a filter is a mistake: a comparison with NULL, two thresholds that
exclude each other, a test for NULL of something that is never NULL, a comparison of a minimum with a maximum the wrong way round. One that is always
true was meant to drop something, and drops nothing.

## Examples

```python
events.filter(F.col("tag") == None)
```

Nothing equals NULL, in SQL: the comparison is NULL, and only TRUE passes. What was meant is `F.col("tag").isNull()`; for `!= None`, `isNotNull()`.

```python
tags = events.groupBy("user").agg(F.collect_set("tag").alias("tags"))
tags.filter(F.col("tags").isNull())
```

`collect_set` is empty where there is nothing to collect, never NULL; `count` is 0.

```python
large = payments.filter(F.col("amount") > 1000)
large.filter(F.col("amount") > 100)
```

The message names the condition that implies the second filter, with its line. The second filter is implied by the first. A test that only drops missing values is not reported: it is redundant, and harmless.
Nor is, by default, the very condition of a filter in front: Spark asks it once.

```python
west = trips.filter(F.col("longitude") >= "-74.09")
west.filter(F.col("longitude") <= "-73.72")
```

Not reported, unless a schema says that `longitude` holds texts: no text is within these bounds, and many a number is. Where the type of
a column is not known, a filter is reported only if that holds for every type under which Spark runs the program.

## Fix safety

Never fixed: the job would become faster and its result would stay empty. What was meant is yours to say.

That no row passes is proved like a pushdown, with a pre-filter that drops every row and without a filter after it; that every row
passes, by proving that none passes the negation. `headwater explain` shows the invariant, and the certificate can be verified again.

## References

- THEORY.md section 3, step 5: the strongest pre-filter that an invariant admits may be empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rule import Rule
from .sentences import listed, seconds, whatever_the_input

RULE = Rule(
    "HW302",
    "constant-filter",
    "No row can pass the filter, or every row does.",
    severity="warning",
)
NEVER = "a run that sees no row at all ends as the run that sees them all"
"""What the invariant comes to where no row passes."""
ALWAYS = "no row that reaches the filter passes its negation"
"""The same where every row passes."""


def constant_message(boundary: str, ms: float, assumptions: Sequence[str]) -> str:
    """The one sentence of HW302 where ``boundary`` makes it so."""
    return f"this filter can never be true after `{boundary}`: no row passes it, {whatever_the_input(assumptions)} ({seconds(ms)})"


def never_message(own: Sequence[str], earlier: Sequence[tuple[str, int]], ms: float, assumptions: Sequence[str]) -> str:
    """The one sentence of HW302 for a filter that drops every row. ``own``: conditions of it; ``earlier``: conditions
    of filters before it, each with its line."""
    asked = " and ".join(f"`{_one_line(c)}`" for c in dict.fromkeys(own))
    if earlier:
        why = f"{asked} contradict{'' if len(own) > 1 else 's'} {_conditions(earlier)}"
    else:
        why = f"{asked} {'exclude each other' if len(set(own)) > 1 else 'is true of no value'}"
    return f"this filter can never be true: {why}; no row passes it, {whatever_the_input(assumptions)} ({seconds(ms)})"


def always_message(earlier: Sequence[tuple[str, int]], ms: float, assumptions: Sequence[str]) -> str:
    """The one sentence of HW302 for a filter that drops nothing; ``earlier`` as above."""
    where = f" if {listed(assumptions)}" if assumptions else ""
    passed = _conditions(earlier)
    return f"this filter is always true: every row that has passed {passed} passes it{where} ({seconds(ms)})"


def _conditions(stated: Sequence[tuple[str, int]]) -> str:
    return " and ".join(f"`{_one_line(text)}` on line {line}" for text, line in dict.fromkeys(stated))


def _one_line(text: str) -> str:
    return " ".join(text.split())
