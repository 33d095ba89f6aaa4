"""## What it does

Names a comment `# headwater: ignore…` that hides nothing, or the codes in it that hide nothing. An editor shows it faded.

It is said only where everything is settled that could be shown on the line: not after the quick check of an edit, not where a proof ran out of
time. `ignore[HW190]` is never called unused, for HW190 comes and goes with each edit, and `ignore-file` is not either.

## Why it matters

A comment that outlives its reason hides the next finding on that line, which nobody has looked at.

## Example

```python
best = scores.groupBy("team").agg(F.max("score").alias("best"))
best.filter("best > 90")  # headwater: ignore[HW102]
```

The finding is HW101, and is shown; the comment can go.

## Fix safety

The quick fix takes the comment away, or the codes that hide nothing, and leaves what else stands in the same comment. No finding changes by it.
In a report it is no opportunity: the exit code is that of a scan without it. `severity.HW902 = "off"` switches it off.
"""

from __future__ import annotations

from .rule import Rule

RULE = Rule(
    "HW902",
    "unused-suppression",
    "A comment that suppresses findings suppresses none.",
    severity="hint",
    proved=False,
    opportunity=False,
)
