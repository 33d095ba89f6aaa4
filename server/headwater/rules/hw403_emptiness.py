"""## What it does

Reports a frame whose rows are counted, or collected, only to ask whether there are any.

## Why it matters

`count()` computes every row. `isEmpty()` stops at the first: on a plain scan 1.3 times faster on a local disk, far more where rows are slow to make: behind a Python function, on
remote files, in a table of many partitions.

## Examples

```python
if errors.count() == 0:
    print("no errors")
```

becomes

```python
if errors.isEmpty():
    print("no errors")
```

`len(errors.collect()) > 0` becomes `not errors.isEmpty()`, and `errors.rdd.isEmpty()` becomes `errors.isEmpty()`, which does not turn rows into Python objects. Where
the number is kept in a variable of which nothing else is asked, `limit(1)` goes in front of `count()`.

## When it is not reported

* The number itself is used: printed, returned, compared with anything but none and some.
* It checks that there are no rows (`assert bad.count() == 0`, or `{"no bad rows": bad.count() == 0}` of filtered rows): where that is so, all rows must be looked
for anyway. Several such checks of one frame are [HW404](HW404.md).
* All rows are computed before the first one comes out: behind an aggregate, a join, a sort or a window. `isEmpty()` gained nothing there (0.9 times).
* Nothing shows that it is a frame of Spark's: queries of databases have `filter` and `count()` too. A source that is read here shows it, a method that only these frames have, a Column
  that it is given, a check with `isinstance`.
* It ends a `while` loop, or there are few rows anyway: the file makes the frame of values, or fills the table with them where it is empty.

## Fix safety

Proved: the flag is the same for every number of rows. `isEmpty` exists since Spark 3.3. Where only an annotation says that it is a frame of Spark's (`df: DataFrame`,
`def load() -> DataFrame`), the finding is `assumed`; so it is where functions of other files make columns, which may have a side effect, and, in a file that
hands Spark a function that has one, where frames or columns are handed in.

## References

- THEORY.md section 8: predicates, columns and numbers of rows are one demand.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rule import Rule
from .sentences import under

RULE = Rule("HW403", "emptiness", "Rows are counted only to ask whether there are any.", wording="replacement")


def message(said: str, instead_of: str, why: str, assumptions: Sequence[str]) -> str:
    """The one sentence of HW403."""
    return f"{why}: `{said}` gives the same as `{instead_of}`, {under(assumptions)}"
