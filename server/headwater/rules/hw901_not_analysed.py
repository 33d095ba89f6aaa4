"""## What it does

Says of a filter why it stays where it is: a call without a model, a random function, a statement that is not supported, a time-out.

## Why it matters

It is off unless a setting asks for it: most filters stay where they are for a good reason. Switched on, it shows what keeps a filter from
being moved, and how far the analysis came.

## Example

```python
scored = events.groupBy("user").applyInPandas(train_model, "user string, score double")
scored.filter("score > 0.5")  # HW901: stays where it is (opaque): no model of the call `fit`
```

With `severity.HW901 = "hint"` in the settings.

## Fix safety

There is nothing to fix.
"""

from __future__ import annotations

from .rule import Rule

RULE = Rule(
    "HW901",
    "not-analysed",
    "A filter was not moved, and why.",
    severity="off",
    proved=False,
    opportunity=False,
)
