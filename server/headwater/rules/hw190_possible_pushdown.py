"""## What it does

Says that part of a filter may be able to run before the boundary. Nothing is proved yet: the quick check, which the language server makes after
each edit, has tried all small tables and found none that forbids it.

## Why it matters

It tells where a proof is worth waiting for. It never comes with a rewrite.

## Example

```python
best = scores.groupBy("team").agg(F.max("score").alias("best"))
best.filter("best > 90")  # HW190 while you type, HW101 once the file is saved
```

## Fix safety

There is no fix. Save the file (or run `headwater scan` without `--bounded`): the finding becomes HW101, HW102, HW103, HW104 or HW302, or goes away.

## References

THEORY: bounded check (MagicPush, SIGMOD 2023, section 4.1).
"""

from __future__ import annotations

from .rule import Rule

RULE = Rule(
    "HW190",
    "possible-pushdown",
    "The quick check could not rule out a pre-filter; nothing is proved.",
    severity="hint",
    proved=False,
    becomes=("HW101", "HW102", "HW103", "HW104", "HW105", "HW302"),
)


def bounded_message(boundary: str, rows: int) -> str:
    """The one sentence of HW190."""
    return f"part of this filter may be able to run before `{boundary}`: no table of up to {rows} rows forbids it"
