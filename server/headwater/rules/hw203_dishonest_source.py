"""## What it does

Reports a Python data source whose reader keeps a filter in `pushFilters` that its `read` does not apply as Spark does, or hands one back
and leaves out rows that pass it.

## Why it matters

What `DataSourceReader.pushFilters` does not hand back is never applied again, whatever `read` does. Spark checks nothing, there is no error, and the
job has rows that its own `filter` excludes, or lacks rows that it asks for.

## Examples

```python
class ContactsReader(DataSourceReader):
    def pushFilters(self, filters):
        for f in filters:
            if isinstance(f, StringContains) and f.attribute == ("name",):
                self.where.append("name LIKE ?")
                self.values.append(f"%{f.value}%")
            else:
                yield f
```

For `contains(name, '_')` the database returns every name that is not empty: `_` stands for any character in LIKE. In SQLite it ignores the case, too. Let the
database narrow the rows down, and Spark have the last word:

```python
                self.where.append("name LIKE ?")
                self.values.append(f"%{f.value}%")
                yield f
```

What else goes wrong, each seen on Spark 4.3:

* `return []`, as if everything had been applied;
* `if self.value and row["name"] != self.value`: the empty text, 0 and False are values, too;
* `row["score"] == f.value` of NaN: in Spark NaN equals NaN, and is greater than any other number;
* `row["name"] not in f.child.value` for `NOT name IN (…)`: a row whose name is NULL does not pass;
* `row["age"] in f.value` where the list holds NULL: Spark keeps no row for it;
* `f.attribute[0]` of a nested column: the path has more than one part;
* one attribute for the bound: of `age > 1 AND age > 5` only the last one is applied;
* numbers compared as texts, and a text put between quotes into SQL.

A filter that is handed back may be used to read less, and no row may be missing then: `WHERE at < ?` for `at <= 5` loses the row of 5 for good.

## How it is found

The reader is evaluated by its syntax tree, never run: with the filter pushed and without it, on rows that stand in the file or that its source may hold, such as NULL, NaN,
-0.0, texts with `%` and `_`. SQL text for `sqlite3` is answered by a model of SQLite. A finding has a row that shows it, and the condition for which it does: Spark's own filter
decides which side the row belongs to.

What pyarrow makes of expressions, sets, masks and the `filters` of Parquet files is modelled, too. `~field.isin(values)` keeps the rows without a value, NaN equals
nothing, -0.0 is not in a set of 0.0, and `match_like` takes `%` and `_` for other characters: none of these is what Spark does.

Nothing is said where something is not understood: code of another file that is asked for other rows because of the filter, another database, other functions of pyarrow,
pandas. What the outside answers is not known; a finding holds whatever that is.

A reader without `pushFilters` is not told to get one: with it, Spark refuses to read as long as `spark.sql.python.filterPushdown.enabled` is off, which is the default.

## Fix safety

Handing the filter back (`yield f`) is offered where `read` only returns rows too many; it is always sound, for Spark then applies the filter again, and the reader may still use it
to read less. The edited text is evaluated again, and nothing is offered unless it comes out right. Where `read` drops rows that it must not, `yield f` does not bring them back, and nothing is offered.
`headwater fix` does not make the edit, because the job then has other rows than before.

## References

- `pyspark.sql.datasource.DataSourceReader.pushFilters`: "Filters that still need to be evaluated by Spark post the data source scan."
- THEORY.md section 6: a source that is exact, inexact, or neither.
- benchmarks/corpus/README.md: the public data sources, read by hand beside what this rule says.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rule import Rule

RULE = Rule(
    "HW203",
    "dishonest-source",
    "A Python data source does not apply a filter that it is handed as Spark does.",
    severity="warning",
    wording="replacement",
    by_hand=True,
)
OUTSIDE = "the source may hold such a row"
"""What is assumed where the row is not in the file."""


def message(
    reader: str, kind: str, condition: str, row: Sequence[tuple[str, str]], extra: bool | None, others: Sequence[str],
    fixed: bool, back: bool = False,
) -> str:  # fmt: skip
    """The one sentence of HW203. ``row``: names and values, empty where it does not matter which; ``extra``: it is
    returned and does not pass, else the other way round; None where the database refuses the query; ``back``: the filter
    is handed back."""
    shown = " and ".join(f"`{name} = {value}`" for name, value in row) or "any row"
    if extra is None:
        what = f"for `{condition}` the database refuses the query"
    elif extra:
        what = f"for `{condition}` it returns {'the row with ' if row else ''}{shown}, and Spark does not apply the filter again"
    else:
        what = f"for `{condition}` it leaves out the row with {shown}, which passes"
    also = f"; the same of {', '.join(f'`{o}`' for o in others)}" if others else ""
    advice = "; hand it back with `yield`" if fixed else ""
    if back:
        return f"`{reader}` hands `{kind}` back, and leaves out more than Spark does by it: {what}{also}"
    return f"`{reader}` keeps `{kind}`, and `read` does not apply it as Spark does: {what}{also}{advice}"
