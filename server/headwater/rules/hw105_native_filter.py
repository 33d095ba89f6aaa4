"""## What it does

Reports a Python function (a UDF, a lambda made into one, one registered for SQL) called in the condition of a filter, where a condition of
Spark's own keeps the same rows, or keeps all of them and drops some others.

## Why it matters

Spark cannot see into the function. It reads every row, sends it to a Python process and asks there. A native condition goes to the source, which may
not even read the rows; measured on five million rows, such filters ran 5 to 14 times faster.

## Example

```python
is_large = F.udf(lambda amount: amount is not None and amount >= 950_000, "boolean")
payments.filter(is_large("amount"))
```

becomes

```python
payments.filter(F.col("amount") >= 950_000)
```

Where only a part has a native meaning, that part is put in front and the filter stays. Spark does so itself for what is joined by `&`, but not for
what follows from both sides of a `|`:

```python
payments.filter(((F.col("kind") == "card") & fraud(F.col("note"))) | ((F.col("kind") == "cash") & odd(F.col("note"))))
```

becomes

```python
payments.filter((F.col("kind") == "card") | (F.col("kind") == "cash")).filter(…)
```

Python and Spark differ where one would not think so, and the native condition makes up for it: `v != 5` and `v not in (1, 5)` are true of None; `x > 3` is
false for NaN in Python and true in Spark; `v % 3` is never negative in Python; a whole number of Python's never overflows; `round(2.5)` is 2 in Python, so
that `round(v) == 2` becomes `v >= 1.5 AND v <= 2.5`; `strip` takes off more blanks than `trim`, so that of `v.strip() == "ok"` only `contains(v, 'ok')` goes in front.
Where both say the same (`len`, the month of a date, `lower()` beside an ASCII text), Spark's own function is called: `length(v) > 3`.

## Fix safety

Offered only when proved, for every row: the same rows come out, and no error is raised that was not raised before. Errors may disappear:
`v > 3` raises in Python where `v` is None. A function that prints, counts, draws random numbers or reads the clock is refused. One whose body has no
meaning here is taken to be pure, which the message's assumptions and the certificate say; it always stays where it is.

## References

- Spark's `ExtractPythonUDFs`: Python functions of a filter are evaluated below it, on every row.
- `docs/semantics.md`: how Python and Spark compare and compute.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater_ir.verdict import Kind

from .rule import Rule
from .sentences import seconds, under

RULE = Rule(
    "HW105",
    "native-filter",
    "A native condition can replace a Python function in the filter.",
    wording="replacement",
)


def native_message(condition: str, boundary: str, kind: Kind, ms: float, assumptions: Sequence[str]) -> str:
    """The one sentence of HW105."""
    if kind == "partial":
        said = f"`{condition}` can run before `{boundary}` in this filter, which implies it"
    else:
        said = f"`{condition}` can stand in this filter for `{boundary}`: it keeps the same rows"
    return f"{said}, {under(assumptions)} ({seconds(ms)})"
