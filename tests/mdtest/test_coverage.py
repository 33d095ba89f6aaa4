"""The page of what is covered is what the specifications say, and its rows tell the surfaces apart."""

from __future__ import annotations

from .cases import all_cases, parse
from .coverage import PAGE, page, rows
from .surfaces import surfaces_of

SNIPPET = """# A case

```python
best = spark.table("t").groupBy("k").agg(F.max("x").alias("best"))
result = best.filter("best > 3")  # expect: {}
```
"""


def row_of(expected: str, surface: str) -> tuple[str, int, int]:
    row = rows(list(parse(SNIPPET.format(expected), "a.md")))[surface]
    return row.status, sum(row.proved.values()), sum(row.refused.values())


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(all_cases()), "run python -m tests.mdtest.coverage"


def test_what_the_rows_say() -> None:
    assert row_of("HW102 partial", "F.max") == ("supported", 1, 0)
    assert row_of("refused opaque", "F.max") == ("refused", 0, 1)
    assert row_of("nothing", "F.max") == ("left to Spark", 0, 0)
    assert row_of("HW302", "F.max") == ("HW302 alone", 0, 0)
    both = [*parse(SNIPPET.format("HW101") + SNIPPET.format("refused opaque"), "a.md")]
    assert rows(both)["agg"].status == "partly"
    assert "F.min" not in rows(both)


def test_a_function_of_the_library_is_not_a_method_of_that_name() -> None:
    assert {"F.filter", "filter"} & surfaces_of("df.select(F.filter('a', f))") == {"F.filter"}
    assert {"F.filter", "filter"} & surfaces_of("df.filter('a')") == {"filter"}
    assert "F.explode" in surfaces_of("from pyspark.sql.functions import explode\ndf.select(explode('a'))")
    assert "while" not in surfaces_of("while True:\n    pass")
    assert {"while", "helper function"} <= surfaces_of("def f():\n    while g():\n        pass\ndef g():\n    pass")
    assert surfaces_of("this is no Python") == set()
