"""What smaller demands are said to save, beside what they saved."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pytest
from benchmarks.spark import figures

from headwater.cost.smaller_demand import HARDLY, of_columns, of_emptiness, of_one_pass
from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options
from headwater.engine.files.service import analyse_text
from headwater.engine.report.report import Opportunity, Report
from headwater_ir.types import INT32, STRING
from tests.data_facts.test_findings import HEAD, READ, write

RESULTS = Path(__file__).parents[2] / "benchmarks/spark/results"
NUMBERS = [("a", INT32), ("b", INT32), ("c", INT32)]


def said(found: Opportunity) -> tuple[float, float]:
    """The ends of the interval."""
    (span,) = (v for k, v in found.benefit if k not in ("estimated speed-up", "assumed"))
    low, _, high = span.partition(" to ")
    return float(low), float(high or low)


@pytest.mark.parametrize("name", ["repeated_scan", "emptiness", "unread_columns", "rdd_columns"])
def test_what_was_measured_is_about_within_the_interval(name: str) -> None:
    record = json.loads((RESULTS / f"programs-{name}.json").read_text(encoding="utf-8"))
    (found,) = analyse(record["about"]["before"]).opportunities
    low, high = said(found)
    assert low * 0.95 <= figures.ratio(record) <= high * 1.05
    assert dict(found.benefit)["assumed"].startswith("5,000,000 rows")


def test_more_that_is_not_handed_over_saves_more() -> None:
    texts = [(name, STRING) for name, _ in NUMBERS]
    one, two = (of_columns("toPandas", texts, read, None) for read in ("a", "ab"))
    assert 1 < two.low <= two.likely <= two.high < one.high
    assert of_columns("toPandas", NUMBERS, "a", None).high < one.low
    assert of_columns("collect", NUMBERS, "a", 1_000).cannot_pay


def test_an_emptiness_that_may_find_no_row_may_save_nothing() -> None:
    assert of_emptiness("count", None, True, 0).low == 1
    assert of_emptiness("count", None, False, 0).high < of_emptiness("count", None, False, 5).high
    assert of_emptiness("count", None, False, 0).high < of_emptiness("collect", None, False, 0).high


def test_more_jobs_save_more() -> None:
    assert of_one_pass(2, None).low > 1
    assert of_one_pass(2, None).likely < of_one_pass(4, None).likely < 4


def look(root: Path, rows: int, behind: str, show_all: bool = False) -> Report:
    numbers = pa.array(range(rows), pa.int64())
    write(root, pa.table(dict.fromkeys(("team", "score", "more"), numbers)))
    return analyse_text(f"{HEAD}scores = {READ}\n{behind}", Options(data_root=str(root), show_all=show_all))


ONE_COLUMN = 'print(scores.toPandas()["score"].sum())\n'


def test_files_of_few_rows_make_it_quiet(tmp_path: Path) -> None:
    report = look(tmp_path, 20_000, ONE_COLUMN)
    assert report.opportunities == ()
    assert any("saves next to nothing of the 20,000 rows" in s.reason for s in report.skipped)
    (found,) = look(tmp_path, 20_000, ONE_COLUMN, show_all=True).opportunities
    assert dict(found.benefit)["estimated speed-up"] == "1"


def with_texts(root: Path, rows: int, length: int, form: str = "parquet") -> Report:
    """Of which the numbers are read and the texts are not."""
    texts = pa.array([f"{i:0{length}d}"[-length:] for i in range(rows)])
    table = pa.table({"team": texts, "score": pa.array(range(rows), pa.int64())})
    place = root / "data/scores"
    place.mkdir(parents=True)
    if form == "orc":
        orc.write_table(table, place / "part-0.orc")
    else:
        pq.write_table(table.slice(0, rows // 2), place / "part-0.parquet")
        pq.write_table(table.slice(rows // 2), place / "part-1.parquet")
    read = READ.replace("parquet", form)
    return analyse_text(f"{HEAD}scores = {read}\n{ONE_COLUMN}", Options(data_root=str(root)))


@pytest.mark.parametrize("form", ["parquet", "orc"])
def test_few_rows_of_long_texts_that_nobody_reads_are_told(tmp_path: Path, form: str) -> None:
    """The sizes of texts in footers: of as many short ones it is quiet."""
    (found,) = with_texts(tmp_path / "long", 20_000, 5_000, form).opportunities
    words = dict(found.benefit)
    assert words["assumed"].endswith(
        "1 of 2 columns are read; texts have 5,000 bytes in `team` on average, by the files"
    )
    assert float(words["with the texts of the files"]) > 1.5
    assert with_texts(tmp_path / "short", 20_000, 8, form).opportunities == ()


def test_short_texts_make_it_quiet_where_the_longest_would_not(tmp_path: Path) -> None:
    assert of_columns("toPandas", [("a", STRING), ("b", INT32)], "b", 60_000).high > HARDLY
    report = with_texts(tmp_path, 60_000, 5)
    assert report.opportunities == ()
    assert any("saves next to nothing of the 60,000 rows" in s.reason for s in report.skipped)


def test_texts_of_which_the_files_say_nothing_may_have_any_length() -> None:
    texts = [(name, STRING) for name, _ in NUMBERS]
    some = of_columns("toPandas", texts, "a", None, {"b": 500.0})
    assert some.low < some.high
    assert some.hangs_on == "if texts have 8 to 64 characters"
    assert "500 bytes in `b`" in some.assumed
    every = of_columns("toPandas", texts, "a", None, {"a": 20.0, "b": 500.0, "c": 1.0})
    assert every.low == every.likely == every.high
    longer = of_columns("toPandas", texts, "a", None, {"a": 20.0, "b": 5_000.0, "c": 1.0})
    assert longer.likely > every.likely > 1
    shown = of_columns("toPandas", texts, "a", None, {"a": 20.0, "b": 8.0, "c": 8.0}).likely
    assert shown == pytest.approx(of_columns("toPandas", texts, "a", None, {"a": 20.0, "b": 0.0, "c": 8.0}).likely)


@pytest.mark.parametrize("operator", ["toPandas", "collect"])
def test_the_measured_lengths_take_what_was_measured(operator: str) -> None:
    """At 8 and at 64 bytes the estimate is the end of the interval, and it grows steadily between and beyond."""
    texts = [("a", STRING), ("b", STRING)]
    unknown = of_columns(operator, texts, "a", None)
    ends = [of_columns(operator, texts, "a", None, {"a": length, "b": length}).likely for length in (8.0, 64.0)]
    assert sorted(ends) == pytest.approx([unknown.low, unknown.high])
    grown = [of_columns(operator, texts, "a", None, {"a": 8.0, "b": float(n)}).likely for n in range(8, 3_000, 50)]
    assert grown == sorted(grown)


def test_files_of_more_rows_are_told(tmp_path: Path) -> None:
    (found,) = look(tmp_path, 1_000_000, ONE_COLUMN).opportunities
    assert found.code == "HW401"
    assert dict(found.benefit)["assumed"].startswith("the data files have 1,000,000 rows, 1 of 3 columns")
    jobs = 'print(scores.count(), scores.filter("score > 5").count(), scores.filter("more > 5").count())\n'
    (found,) = look(tmp_path, 1_000_000, jobs).opportunities
    assert found.code == "HW404"
    assert said(found) == (1.8, 2.7)
    assert "through which 3 jobs go" in dict(found.benefit)["assumed"]


def test_how_many_turns_a_loop_has_is_not_known() -> None:
    text = 'df = spark.table("t")\nfor c in df.columns:\n    print(c, df.filter(F.col(c).isNull()).count())\n'
    found = [o for o in analyse(HEAD + text, Options(show_all=True)).opportunities if o.code == "HW404"]
    assert found
    assert all(o.benefit == () for o in found)
