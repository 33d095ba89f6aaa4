"""The harness itself: what it reads from Markdown, how it compares, that it fails when it should."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING

import pytest

from tests.results import Failed, comparable

from .cases import Case, FormatError, Wrong, all_cases, files, parse
from .replay import given, run_all
from .tables import constants_of, random_inputs
from .test_mdtest import test_wrong_rewrite_is_wrong as wrong_rewrite_is_wrong

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TEXT = """# Title

## A case

```python
# wrong: teams: x > 1
f.filter("x > 90 AND s = 'abc'")  # expect: HW102 split prefilter="x > 1" residual="y IS NOT NULL"
g.filter("y < 2.5")  # expect: refused opaque may-throw
```

```rows
table teams(x double not null, s string, d date)
[90, "a", "2024-02-29"]
[NaN, null, null]
table other(n int) unstated
```
"""


REWRITE = """
```python wrong
f.filter("x > 91")
```
"""


def only(text: str) -> Case:
    (case,) = parse(text, "file.md")
    return case


def test_a_case_is_read() -> None:
    case = only(TEXT)
    assert (case.name, case.line) == ("file:6:a-case", 6)
    split, refused = case.expectations
    assert (split.line, split.verdict, split.words) == (1, "HW102", ("split",))
    assert (split.prefilter, split.residual) == ("x > 1", "y IS NOT NULL")
    assert (refused.verdict, refused.words, refused.prefilter) == ("refused", ("opaque", "may-throw"), None)
    assert case.wrong == (Wrong("teams", "x > 1"),)
    assert [f.nullable for f in case.tables[0].fields] == [False, True, True]
    assert case.tables[0].rows[0] == (90.0, "a", dt.date(2024, 2, 29))
    assert math.isnan(case.tables[0].rows[1][0])
    assert case.schemas == {"teams": "x double not null, s string, d date"}


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = 1\n```\n",
        "```python\nx  # expect: HW1\n```\n",
        '```python\nx  # expect: HW101 filter="x"\n```\n',
        "```rows\ntable t(x int)\n```\n",
        "```python\nx  # expect: nothing\n```\n```rows\n[1]\n```\n",
        "```python\nx  # expect: nothing\n```\n```rows\ntable t(x)\n```\n",
        "```python\nx  # expect: nothing\n",
        "```python wrong\nx = 1\n```\n",
    ],
)
def test_what_is_not_in_the_format_is_an_error(text: str) -> None:
    with pytest.raises((FormatError, ValueError)):
        list(parse(text, "file.md"))


def test_wrong_rewrites_belong_to_the_snippet_before() -> None:
    case = only(TEXT + REWRITE)
    assert (case.heading, case.rewrites) == ("A case", ('f.filter("x > 91")\n',))
    assert [t.name for t in case.tables] == ["teams", "other"]


def test_names_are_unique() -> None:
    names = [c.name for c in all_cases()]
    assert len(names) == len(set(names)) > 25
    assert len({p.name for p in files()}) == len(files())


def test_random_tables_respect_the_schema_and_repeat() -> None:
    case = only(TEXT)
    inputs = random_inputs(case, 8)
    assert repr(inputs) == repr(random_inputs(case, 8))
    assert inputs[0] == {"teams": [], "other": []}
    values = {x for tables in inputs for x, _, _ in tables["teams"]}
    assert None not in values
    assert values & {89.0, 90.0, 90.5, 91.0}
    assert {0, 2.5, 90, "abc"} <= set(constants_of(case.source))


def test_bags_know_nan_and_zero() -> None:
    assert comparable(math.nan) == comparable(-math.nan)
    assert comparable(-0.0) == comparable(0.0)
    assert len({comparable(v) for v in (1, 1.0, True, None, "1")}) == 5


HARMLESS = """
```python
# wrong: x > 0
result = spark.table("t").filter("x > 1")  # expect: nothing
```

```rows
table t(x int)
[1]
[2]
```
"""
SAME = """
```python wrong
result = spark.table("t").where("x >= 2")
```
"""
CHANCE = HARMLESS.replace("x > 0", "x > 1").replace('filter("x > 1")', 'selectExpr("rand() AS x")')


@pytest.mark.spark
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HARMLESS, "does no harm here"),
        (HARMLESS.replace("# wrong: x > 0\n", "") + SAME, "does no harm here"),
        (CHANCE, "another result each time"),
    ],
)
def test_a_wrong_rewrite_must_be_wrong_by_itself(spark: SparkSession, text: str, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        wrong_rewrite_is_wrong(spark, only(text))


SETTING = """# Title

## A setting

```python
spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
spark.conf.set("spark.sql.shuffle.partitions", 7)
result = spark.table("t").filter("n > 0")  # expect: nothing
```

## After it

```python
from pyspark.sql import functions as F

zone = spark.conf.get("spark.sql.session.timeZone")
result = spark.table("t").filter("n > 0").select(  # expect: nothing
    F.lit(zone + spark.conf.get("spark.sql.shuffle.partitions"))
)
```
"""


@pytest.mark.spark
def test_what_a_snippet_sets_ends_with_it(spark: SparkSession) -> None:
    rows = "\n```rows\ntable t(n int)\n[1]\n```\n"
    first, second = parse(SETTING.replace("\n## After", rows + "\n## After") + rows, "setting.md")
    before = spark.conf.get("spark.sql.session.timeZone"), spark.conf.get("spark.sql.shuffle.partitions")
    run_all(spark, first, first.source, [given(first)])
    (seen,) = run_all(spark, second, second.source, [given(second)])
    assert not isinstance(seen, Failed)
    assert [value for row in seen for _, value in row] == ["".join(map(str, before))]
