"""The class that we say of a predicate at a format is the one that Spark was measured to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.source.formats import DOCUMENTED, FORMATS, Answer, Class
from tests.source.cells import (
    DOCUMENT,
    PREDICATES,
    SOURCES,
    cells,
    condition,
    document,
    does,
    frames,
    has,
    is_wrong,
    measured,
    recorded,
    says,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RECORD = recorded()


def test_nothing_that_we_say_is_wrong() -> None:
    assert len(cells()) >= 300
    wrong = [(p, s, says(p, s), RECORD[p][s]) for p, s in cells() if is_wrong(says(p, s).kind, does(RECORD[p][s]))]
    assert not wrong


def test_the_record_is_complete_and_each_class_is_said_and_seen() -> None:
    assert {(p, s) for p in RECORD for s in RECORD[p]} == set(cells())
    said = {says(p, s).kind for p, s in cells()}
    assert said == {does(RECORD[p][s]) for p, s in cells()} == {"exact", "inexact", "unsupported"}


def test_every_entry_of_the_table_is_measured() -> None:
    """A form that no predicate has would be a claim without evidence: ask each entry by changing it."""
    from headwater.source.classify import _form, _Test

    seen = {f.form for p in PREDICATES if isinstance(f := _form(condition(p)), _Test)}
    assert seen == set(next(iter(FORMATS.values())))
    assert {s.format for s in SOURCES.values()} - {"memory"} == set(FORMATS) - DOCUMENTED


@pytest.mark.parametrize("name", sorted({*FORMATS} - DOCUMENTED))
def test_a_wrong_entry_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the check is worth: each entry, made supported or unsupported, contradicts a cell."""
    texts = [p for p in PREDICATES if has(name, p)]
    for form, answer in FORMATS[name].items():
        other: Class = "inexact" if answer.kind == "unsupported" else "unsupported"
        table = {**FORMATS[name], form: Answer(other, "planted")}
        monkeypatch.setattr("headwater.source.classify.FORMATS", {**FORMATS, name: table})
        assert any(is_wrong(says(p, name).kind, does(RECORD[p][name])) for p in texts), (name, form)


def test_the_page_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(RECORD), "run `python -m tests.source.cells`"


@pytest.mark.spark
def test_spark_still_does_it(spark: SparkSession) -> None:
    """A few cells, measured again; ``python -m tests.source.cells`` measures all."""
    with frames(spark) as found:
        for source in ("parquet, partitioned", "jdbc"):
            for text in PREDICATES[::20]:
                if has(source, text):
                    assert measured(found(source), text) == RECORD[text][source], (text, source)


@pytest.mark.spark
def test_timestamps_of_parquet_are_skipped_by_unless_they_are_int96(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = {}
    for kind in ("TIMESTAMP_MICROS", "INT96"):
        spark.conf.set("spark.sql.parquet.outputTimestampType", kind)
        path = str(tmp_path_factory.mktemp("times") / kind)
        spark.sql("select timestamp_seconds(id * 86400) t from range(0, 64, 1, 4)").write.parquet(path)
        rows[kind] = measured(spark.read.parquet(path), "t > TIMESTAMP'1970-02-20 00:00:00'")
    spark.conf.unset("spark.sql.parquet.outputTimestampType")
    assert {kind: int(cell.split("/")[1]) for kind, cell in rows.items()} == {"TIMESTAMP_MICROS": 16, "INT96": 64}


@pytest.mark.spark
def test_the_json_reader_hands_on_a_record_without_the_field(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("json") / "t.json"
    path.write_text('{"i": 1}\n{"i": 7}\n{}\n{"i": null}\n', encoding="utf-8")
    assert measured(spark.read.schema("i int").json(str(path)), "i > 5") == "1/2"
