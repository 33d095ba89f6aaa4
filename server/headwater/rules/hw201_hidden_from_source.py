"""## What it does

Reports a filter that computes something from a column of a source, where a test of the bare column says the same.

## Why it matters

Parquet, ORC, Delta and Iceberg keep the least and the greatest value of each column for every part of their files, and leave out the parts in which no row can
pass. That works for a column compared with constants, and not for a function of it: `year(ts) = 2023` reads every row. Spark rewrites only the simplest of
these conditions itself (`to_date(ts) = '2023-05-01'`, `like 'x%'`), and those are not reported. One year of four of a file in
the order of its days: 1.4 of 5 million rows read, 1.4 times faster (`make bench NAME=spark`, `programs/hidden_year`).

## Example

```python
events = spark.read.schema("id long, ts timestamp").parquet("events")
events.filter(F.year("ts") == 2023)
```

becomes

```python
events = spark.read.schema("id long, ts timestamp").parquet("events")
events.filter((F.col("ts") >= "2023-01-01") & (F.col("ts") < "2024-01-01"))
```

Conditions of one column are taken together: of `(F.year("ts") == 2023) & (F.month("ts") == 5)` the year becomes a range of that May, and the month stays. The column may
have another name by then, come through a join, or be a key of groups.

Where a range holds all rows that pass, and others, it is written beside the condition, which stays. In SQL text (`filter("year(ts) = 2023")`, the WHERE
clause of `spark.sql`) the words of the condition are changed there.

## When it is not reported

* The type of the column is not known, by the schema of the read, `headwater.schemas`, data files or a printed schema (`docs/known-data.md`), and the condition leaves it open. `year`, `date_trunc` and the like take a
  date or a timestamp: where the same test is right of both, the finding is `assumed`, and so it is where `substring` or `left` takes a text. A text that holds
  dates breaks the assumption; state the schema, and it is gone. Of numbers the type is never assumed.
* The source skips nothing by the new form either, or already by the old one: a condition on partition columns alone, a frame in memory.
* The function does not keep the order of its argument (`month`, `lower`, `date_format` with the day in front), and nothing else in the condition makes a range
  of it. The functions that do are a closed table, measured on Spark: parts of dates, days, months and intervals added, `trunc`, `date_trunc`, `date_format` with
  the year in front, casts to text, days and seconds since 1970 and what is made of them, `coalesce`, beginnings of texts and their numbers, patterns that begin
  with `^`, plain characters and few choices of such (`^(a|b)`, `^I42[09]`), `regexp_extract` of such a beginning, the first part of a text
  (`split(s, '-')[0]`), `+ - * / div` with constants, `abs`, `floor`, `ceil`, `round`, casts to int, `greatest` and `least` beside
  constants, digits as text and what is made of them (`lpad(n, 5, '0')`, keys by `concat` of parts of one length), `CASE` of constants. Not `sqrt`, `log`, `pow`,
  decimals, two columns (`year * 100 + month`: any year will do if the month is great enough), and no `datetime(…)` of Python: that is a moment of the time zone of the driver, which may be another one.
* The column holds `double` or `float`, and NaN passes the condition (`x * 2 > 10`), or the test would be one of 0. Some writers of Parquet leave NaN out of the
  greatest value, and Spark then skips what holds it; a part that holds -0.0 alone it skips as well.
* The file sets `spark.sql.legacy.timeParserPolicy` to LEGACY, and the condition makes texts of dates. If it says nothing of it, the finding is `assumed`.
* More than three ranges would be needed and one around them says nothing.
* The condition reads a variable of the program or a parameter of `spark.sql`: the range would have its value of today written out.

## Fix safety

Where `spark.sql.ansi.enabled` is off, `n * 2` of a great int is another number. A range that replaces `n * 2 > 10` would lose it; so the condition stays, and
beside it stands `n > 5`, or what overflows: `n < -1073741824`.

Proved: the values of the column are cut into parts on which both conditions are the same throughout, NULL among them; `headwater verify` checks each part again.

A timestamp is a moment, and `year(ts)` depends on the time zone of the session. A range of moments says the same unless a clock is changed *across* the midnight
that it begins or ends with, as on 1944-01-01 in Phoenix, where it was 00:01 and then 23:01 again. Of all time zones and of all days from 1800 to 2025, 30 midnights are
such; from 2026 on governments may yet decide. There the range is a day wider on both sides, and the condition stays beside it. Dates have no time zone.
Dates beyond the year 290,000 are not looked at.

## References

- THEORY.md section 6: what a source can do with a condition, and an equivalent one that it can use.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rule import Rule

RULE = Rule(
    "HW201",
    "hidden-from-source",
    "The source cannot skip by a condition, and can by an equal one.",
    wording="replacement",
)
_STATISTICS = frozenset({"parquet", "orc", "delta", "iceberg"})


def message(
    old: str, said: str, source_format: str, *, beside: bool, assumed: bool = False, others: Sequence[str] = ()
) -> str:
    """The one sentence of HW201. ``others``: conditions that stay, and that are why so little passes."""
    where = f"the {source_format} files" if source_format in _STATISTICS else f"the {source_format} source"
    if source_format == "table":
        where = "a table of Parquet, ORC, Delta or Iceberg files"
    if beside:
        return (
            f"{where} cannot skip by `{old}`; every row that passes has `{said}`, which beside it lets them be skipped"
        )
    proved = "proved for the inputs of which the assumptions are true" if assumed else "proved for every input"
    also = f"with {' and '.join(f'`{o}`' for o in others)} " if others else ""
    return f"{where} cannot skip by `{old}`, and can by `{said}`, which {also}passes the same rows, {proved}"
