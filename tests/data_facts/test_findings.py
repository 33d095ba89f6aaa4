"""Issue 22: a fact from data files is an assumption, with its evidence and date, of every finding that rests on it."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.files.data import names_data, with_data
from headwater.engine.files.service import analyse_text
from headwater.engine.report.report import Report
from headwater_ir.assumptions import texts

HEAD = """\
import pandas as pd
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
"""
TOP = (
    HEAD
    + """
df = {read}

def top2(pdf: pd.DataFrame) -> pd.DataFrame:
    best, second = None, None
    for row in pdf.itertuples():
        if best is None or row.score > best:
            best, second = row.score, best
        elif second is None or row.score > second:
            second = row.score
    return pd.DataFrame([{{"team": pdf["team"].iloc[0], "best": best, "second": second}}])

out = df.groupBy("team").applyInPandas(top2, "team string, best long, second long")
out.filter((F.col("best") >= 90) & (F.col("second") >= 90)).show()
"""
)
READ = 'spark.read.parquet("data/scores")'
DRIVER = HEAD + 'df = spark.read.parquet("data/scores")\nfor r in df.collect():\n    print(r["team"])\n'


def table(rows: int = 20_000, missing: int = 0) -> pa.Table:
    scores = [*range(rows - missing), *[None] * missing]
    columns = {"team": ["a", "b"] * (rows // 2), "score": pa.array(scores, pa.int64()), "note": ["x"] * rows}
    return pa.table({**columns, "more": ["y"] * rows})


def write(root: Path, *tables: pa.Table, place: str = "data/scores") -> Path:
    (root / place).mkdir(parents=True, exist_ok=True)
    for i, t in enumerate(tables):
        pq.write_table(t, root / place / f"part-{i}.parquet")
    return root


def look(text: str, root: Path) -> Report:
    report = analyse_text(text, Options(data_root=str(root)))
    assert report.error is None
    return report


def found(text: str, root: Path) -> list[tuple[str, str]]:
    return [(o.code, o.status) for o in look(text, root).opportunities]


def test_a_null_count_of_zero_is_the_fact_that_a_proof_lacks(tmp_path: Path) -> None:
    write(tmp_path, table(), table())
    text = TOP.format(read=READ)
    assert [o.code for o in analyse_text(text, Options()).opportunities] == ["HW104"]
    (o,) = look(text, tmp_path).opportunities
    assert (o.code, o.status) == ("HW102", "assumed")
    (said,) = o.assumptions
    assert "`score` (int64, null count 0)" in said
    assert "2 Parquet files of `data/scores`, read on 20" in said
    assert said in o.message
    assert o.certificate is not None
    assert said in [a.text for a in o.certificate.assumptions if a.kind == "data"]


@pytest.mark.parametrize(
    "read",
    [
        'spark.read.format("parquet").load("data/scores")',
        'spark.read.parquet("./data/scores/")',
        'spark.read.schema("team string, score bigint").parquet("data/scores")',
    ],
)
def test_other_spellings_of_the_read(tmp_path: Path, read: str) -> None:
    write(tmp_path, table())
    assert found(TOP.format(read=read), tmp_path) == [("HW102", "assumed")]


@pytest.mark.parametrize(
    "read",
    [
        'spark.read.option("pathGlobFilter", "*.x").parquet("data/scores")',
        'spark.read.parquet("data/scores", "data/others")',
        'spark.read.parquet("data/*")',
        'spark.read.parquet(f"data/{x}")',
        'spark.read.parquet("file:data/scores")',
        'spark.read.parquet("../scores")',
        'spark.read.orc("data/scores")',
        'spark.read.format("parquet").format("json").load("data/scores")',
        'spark.read.parquet("data/scores")  # os.chdir',
        'spark.read.load("data/scores")',
        'spark.read.schema("team string, score int").parquet("data/scores")',
        'spark.table("data/scores")',
    ],
)
def test_what_is_not_plainly_these_files_has_no_facts(tmp_path: Path, read: str) -> None:
    write(tmp_path / "work", table())
    write(tmp_path, table(), place="scores")
    text = TOP.format(read=read)
    plain = analyse_text(text, Options())
    report = look(text, tmp_path / "work")
    assert [(o.code, o.assumptions) for o in report.opportunities] == [
        (o.code, o.assumptions) for o in plain.opportunities
    ]


def test_a_null_or_no_count_is_no_fact(tmp_path: Path) -> None:
    write(tmp_path, table(), table(missing=1))
    assert ("HW102", "assumed") not in found(TOP.format(read=READ), tmp_path)
    pq.write_table(table(), tmp_path / "data/scores/part-1.parquet", write_statistics=False)
    assert ("HW102", "assumed") not in found(TOP.format(read=READ), tmp_path)


def test_what_is_proved_without_data_stays_as_it_is(tmp_path: Path) -> None:
    write(tmp_path, table())
    plain = analyse_text(DRIVER, Options()).opportunities
    assert [(o.code, o.status, o.assumptions) for o in look(DRIVER, tmp_path).opportunities] == [
        (o.code, o.status, o.assumptions) for o in plain
    ]
    assert [(o.code, o.status) for o in plain] == [("HW401", "verified")]


def test_the_type_of_a_column_that_a_source_could_skip_by(tmp_path: Path) -> None:
    """Without the files its type is assumed; with them it is theirs, and a test of another one is left out."""
    columns = {"d": pa.array([19_000] * 9, pa.date32()), "s": ["2024-01-01"] * 9, "n": pa.array(range(9), pa.int64())}
    write(tmp_path, pa.table(columns))
    conditions = ("F.year('d') == 2020", "F.year('s') == 2020", "F.col('n') + 1 > 5")
    text = f"{HEAD}df = {READ}\n" + "".join(f"df.filter({c}).write.parquet('out')\n" for c in conditions)
    assert [o.filter_text for o in analyse_text(text, Options()).opportunities] == [*conditions[:2]]
    report = look(text, tmp_path)
    said = [(o.filter_text, [a.partition(" match")[0] for a in o.assumptions]) for o in report.opportunities]
    assert said == [(conditions[0], ["`d` (date, null count 0)"]), (conditions[2], ["`n` (int64, null count 0)"])]
    assert all(
        o.certificate is not None and texts(o.certificate.assumptions) == o.assumptions for o in report.opportunities
    )


def test_few_rows_are_worth_no_smaller_demand(tmp_path: Path) -> None:
    write(tmp_path, table(100))
    report = look(DRIVER, tmp_path)
    assert report.opportunities == ()
    assert "the data files have 100 rows" in [s.reason for s in report.skipped]


def test_a_filter_that_the_types_of_the_files_make_useless(tmp_path: Path) -> None:
    """Where the type is not known, 90.5 may be between a filter and a mask; of whole numbers none is."""
    write(tmp_path, table())
    mask = 'pdf = df.filter(F.col("score") > 90).toPandas()\nprint(pdf[pdf["score"] >= 91]["team"].tolist())\n'
    text = f"{HEAD}df = {READ}\n{mask}"
    assert "HW103" in [o.code for o in analyse_text(text, Options()).opportunities]
    assert [c for c, _ in found(text, tmp_path) if c[:3] == "HW1"] == []


def test_few_rows_are_worth_no_filter_of_the_driver(tmp_path: Path) -> None:
    write(tmp_path, table(100))
    text = f'{HEAD}pdf = {READ}.toPandas()\nprint(pdf[pdf["score"] > 90]["team"].tolist())\n'
    assert "HW103" in [o.code for o in analyse_text(text, Options()).opportunities]
    assert found(text, tmp_path) == []


@pytest.mark.parametrize("bad", ["text", "cut", "other columns", "folder", "half-written"])
def test_files_that_do_not_agree_say_nothing(tmp_path: Path, bad: str) -> None:
    write(tmp_path, table())
    folder = tmp_path / "data/scores"
    match bad:
        case "text":
            (folder / "readme.txt").write_text("hello")
        case "cut":
            whole = (folder / "part-0.parquet").read_bytes()
            (folder / "part-1.parquet").write_bytes(whole[:-20])
        case "other columns":
            pq.write_table(table().drop_columns(["note"]), folder / "part-1.parquet")
        case "folder":
            (folder / "more").mkdir()
        case "half-written":
            (folder / "part-1.parquet").touch()
    assert with_data(TOP.format(read=READ), Options(data_root=str(tmp_path))).data == ()
    assert [c for c, _ in found(TOP.format(read=READ), tmp_path)] == ["HW104"]


def test_what_spark_does_not_read_does_not_matter(tmp_path: Path) -> None:
    write(tmp_path, table())
    for name in ("_SUCCESS", ".part-0.parquet.crc", "_metadata"):
        (tmp_path / "data/scores" / name).touch()
    (tmp_path / "data/scores/_temporary").mkdir()
    assert found(TOP.format(read=READ), tmp_path) == [("HW102", "assumed")]


def test_nothing_outside_of_the_workspace_is_opened(tmp_path: Path) -> None:
    write(tmp_path, table())
    inside = tmp_path / "work"
    (inside / "data").mkdir(parents=True)
    (inside / "data/scores").symlink_to(tmp_path / "data/scores")
    assert with_data(TOP.format(read=READ), Options(data_root=str(inside))).data == ()
    (inside / "data/other").mkdir()
    (inside / "data/other/a.parquet").symlink_to(tmp_path / "data/scores/part-0.parquet")
    other = TOP.format(read='spark.read.parquet("data/other")')
    assert with_data(other, Options(data_root=str(inside))).data == ()
    absolute = TOP.format(read=f'spark.read.parquet("{tmp_path}/data/scores")')
    assert with_data(absolute, Options(data_root=str(inside))).data == ()
    assert len(with_data(absolute, Options(data_root=str(tmp_path))).data) == 1


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, table())
    os.mkfifo(tmp_path / "data/scores/pipe.parquet")
    assert with_data(TOP.format(read=READ), Options(data_root=str(tmp_path))).data == ()


def test_directories_are_columns(tmp_path: Path) -> None:
    for year, country in ((2023, "de"), (2024, "fr")):
        write(tmp_path, table(10), place=f"data/scores/year={year}/country={country}")
    (facts,) = with_data(TOP.format(read=READ), Options(data_root=str(tmp_path))).data
    assert facts.partitions == ("year", "country")
    assert [(c.name, c.ddl, c.nulls) for c in facts.columns[-2:]] == [("year", "int", 0), ("country", "string", 0)]
    assert (facts.rows, facts.source) == (20, "2 Parquet files of `data/scores`")


def test_a_frame_that_is_handed_around_names_all_files(tmp_path: Path) -> None:
    """Through the call of a function the schema comes, but no source below the frame."""
    write(tmp_path, table())
    write(tmp_path, table(), place="data/more")
    text = TOP.format(read=READ).replace("out = df", "def go(df):\n    out = df")
    text = text.replace("\nout.filter", "\n    out.filter") + "go(df)\n"
    text += 'spark.read.parquet("data/more").show()\n'
    (o,) = look(text, tmp_path).opportunities
    assert (o.code, o.status) == ("HW102", "assumed")
    assert {p for p in ("data/more", "data/scores") if any(f"`{p}`" in a for a in o.assumptions)} == {
        "data/more",
        "data/scores",
    }


def test_off_where_nobody_asks_for_it_and_in_the_quick_check(tmp_path: Path) -> None:
    write(tmp_path, table())
    text = TOP.format(read=READ)
    assert with_data(text, Options()).data == ()
    assert with_data(text, Options(bounded=True, data_root=str(tmp_path))).data == ()
    assert names_data(text.encode(), Options(data_root=str(tmp_path)))
    assert not names_data(text.encode(), Options(data_root=str(tmp_path / "data")))
    assert not names_data(text.encode(), Options())


def test_the_day_is_no_part_of_what_is_remembered(tmp_path: Path) -> None:
    from dataclasses import replace

    write(tmp_path, table())
    options = with_data(TOP.format(read=READ), Options(data_root=str(tmp_path)))
    other = replace(options, data=tuple(replace(d, day="2001-01-01") for d in options.data))
    assert options.key() == other.key() != Options().key()
    first, second = (analyse_text(TOP.format(read=READ), o).opportunities[0] for o in (options, other))
    assert first.id == second.id
    assert first.assumptions != second.assumptions


@pytest.mark.parametrize(
    ("read", "more"),
    [
        ("data/scores", 'spark.sql("INSERT INTO parquet.`data/scores` SELECT * FROM t")\n'),
        ("data/scores", 'spark.sql("delete from parquet.`data/scores` where score > 3")\n'),
        ("./data/scores", 'out.write.mode("append").parquet("data/scores")\n'),
        ("data/scores", 'out.write.mode("append").parquet("./data/scores")\n'),
        ("data/scores", 'out.write.parquet("data/scores/more")\n'),
        ("data/scores", 'BASE = "data"\nout.write.parquet(BASE + "/scores")\n'),
        ("data/scores", 'import shutil\nshutil.rmtree("data")\n'),
        ("data/scores", 'out.write.parquet("alias/scores")\n'),
        ("data/scores", 'out.write.parquet(f"data/scores/{x}")\n'),
    ],
)
def test_what_the_program_may_write_under_any_name_has_no_facts(tmp_path: Path, read: str, more: str) -> None:
    write(tmp_path, table())
    (tmp_path / "alias").symlink_to(tmp_path / "data")
    text = TOP.format(read=f'spark.read.parquet("{read}")')
    options = Options(data_root=str(tmp_path))
    assert len(with_data(text, options).data) == 1
    assert with_data(text + more, options).data == ()
    assert len(with_data(text + 'out.write.parquet("out/scores")\n', options).data) == 1
