"""Issue 22: findings that cannot pay, by the statistics of the files, are left out; others say what theirs rest on."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.files.service import analyse_text
from headwater.engine.report.positions import Lines
from headwater.engine.report.report import Opportunity
from headwater.scan.shown import shown as lines_of

from .test_findings import HEAD, READ, TOP, found, look, table, write


def at(bound: int, read: str = READ) -> str:
    return TOP.format(read=read).replace("90", str(bound))


def shown(bound: int, root: Path) -> Opportunity:
    (o,) = analyse_text(at(bound), Options(data_root=str(root), show_all=True)).opportunities
    return o


def two_files(root: Path) -> Path:
    second = table()
    later = pa.array([s + 20_000 for s in second["score"].to_pylist()], pa.int64())
    return write(root, table(), second.set_column(1, "score", later))


def test_a_pre_filter_that_removes_no_row_is_quiet(tmp_path: Path) -> None:
    two_files(tmp_path)
    report = look(at(0), tmp_path)
    assert report.opportunities == ()
    assert any(
        "removes 0% of the rows at most, by 2 Parquet files of `data/scores`, read on 20" in s.reason
        for s in report.skipped
    )
    words = dict(shown(0, tmp_path).benefit)
    assert words["if it removes 0% of the rows"] == "1"
    assert words["assumed"].startswith("0% of the rows are removed, by the statistics of 2 Parquet files")


def test_the_share_is_exact_where_files_are_on_one_side(tmp_path: Path) -> None:
    two_files(tmp_path)
    assert found(at(20_000), tmp_path) == [("HW102", "assumed")]
    assert "if it removes 50% of the rows" in dict(shown(20_000, tmp_path).benefit)
    assert "if it removes 50% to 100% of the rows" in dict(shown(30_000, tmp_path).benefit)
    assert dict(shown(30_000, tmp_path).benefit)["assumed"].startswith("75% of the rows are removed")


def test_a_gain_that_files_tell_of_is_shown_in_a_line_of_its_own(tmp_path: Path) -> None:
    two_files(tmp_path)
    (told,) = [v for k, v in details(at(20_000), tmp_path) if k == "gain"]
    assert told.startswith("hardly faster, if 50% of the rows are removed, by the statistics of 2 Parquet"), told
    assert "gain" not in dict(details(at(20_000, "spark.table('t')"), tmp_path))


def details(text: str, root: Path) -> list[list[str]]:
    (o,) = analyse_text(text, Options(data_root=str(root), show_all=True)).opportunities
    return lines_of(Lines(text), text, o)["details"]


def test_a_null_is_a_row_that_is_removed(tmp_path: Path) -> None:
    write(tmp_path, table(missing=2_000))
    assert [c for c, _ in found(at(0), tmp_path)] == ["HW104"]


@pytest.mark.parametrize(
    "between",
    ['.filter(F.col("note") == "x")', ".limit(5)", ".distinct()", '.join(spark.table("t"), "team")'],
)
def test_other_rows_than_those_of_the_files_have_no_share(tmp_path: Path, between: str) -> None:
    two_files(tmp_path)
    for o in look(at(30_000, READ + between), tmp_path).opportunities:
        assert "statistics" not in dict(o.benefit).get("assumed", "")


def test_a_filter_below_leaves_every_row_passing(tmp_path: Path) -> None:
    two_files(tmp_path)
    assert found(at(0, READ + '.filter(F.col("note") == "x")'), tmp_path) == []


@pytest.mark.parametrize(
    "above",
    ['.withColumn("score", F.col("score") - 100)', '.withColumn("SCORE", F.col("score") - 100)',
     '.withColumnRenamed("score", "old").withColumn("score", F.lit(None).cast("long"))'],
)  # fmt: skip
def test_a_column_that_is_computed_is_not_that_of_the_files(tmp_path: Path, above: str) -> None:
    two_files(tmp_path)
    assert not any("of the rows at most" in s.reason for s in look(at(0, READ + above), tmp_path).skipped)


def test_footers_that_lie_change_no_verdict(tmp_path: Path) -> None:
    """Bytes of the statistics are changed at random: what is offered is what is offered without them, or nothing."""
    path = write(tmp_path, table()) / "data/scores/part-0.parquet"
    data = path.read_bytes()
    for offset in range(len(data) - 600, len(data) - 8, 41):
        broken = bytearray(data)
        broken[offset] ^= 0x55
        path.write_bytes(bytes(broken))
        assert {c for c, _ in found(at(90), tmp_path)} <= {"HW102", "HW104"}


def test_partitions_are_counted(tmp_path: Path) -> None:
    for year, rows in ((2023, 30_000), (2024, 10_000)):
        write(tmp_path, table(rows), place=f"data/scores/year={year}")
    text = f'{HEAD}pdf = {READ}.toPandas()\nprint(pdf[pdf["year"] >= YEAR]["team"].tolist())\n'
    offered = [o for o in look(text.replace("YEAR", "2024"), tmp_path).opportunities if o.code[:3] == "HW1"]
    assert ["if it removes 75% of the rows" in dict(o.benefit) for o in offered] == [True]
    assert [c for c, _ in found(text.replace("YEAR", "2023"), tmp_path) if c[:3] == "HW1"] == []


def test_rows_below_the_directory_of_null_are_counted(tmp_path: Path) -> None:
    for country, rows in (("de", 10_000), ("__HIVE_DEFAULT_PARTITION__", 30_000)):
        write(tmp_path, table(rows), place=f"data/scores/country={country}")
    for mask, share in (('pdf["country"] == "de"', "75%"), ('pdf["country"].isna()', "25%")):
        text = f'{HEAD}pdf = {READ}.toPandas()\nprint(pdf[{mask}]["team"].tolist())\n'
        offered = [o for o in look(text, tmp_path).opportunities if o.code[:3] == "HW1"]
        assert [f"if it removes {share} of the rows" in dict(o.benefit) for o in offered] == [True]


def test_min_and_max_are_part_of_what_is_remembered(tmp_path: Path) -> None:
    from headwater.engine.files.data import with_data

    write(tmp_path, table())
    before = with_data(at(90), Options(data_root=str(tmp_path)))
    moved = pa.array([s + 1 for s in table()["score"].to_pylist()], pa.int64())
    pq.write_table(table().set_column(1, "score", moved), tmp_path / "data/scores/part-0.parquet")
    assert with_data(at(90), Options(data_root=str(tmp_path))).key() != before.key()


def test_first_rows_of_files_whose_number_is_known(tmp_path: Path) -> None:
    write(tmp_path, table())
    first = f"{HEAD}df = {READ}\nprint(df.{{filtered}}collect()[:5])\n"
    (told,) = [v for k, v in details(first.format(filtered=""), tmp_path) if k == "gain"]
    assert told == "about 1.8 times faster, if 99.98% of the 20,000 rows that the data files have are removed"
    assert not [k for k, _ in details(first.format(filtered="filter('score > 5')."), tmp_path) if k == "gain"]
