"""Issue 17: a kind of rewrite is offered only where a result of ``make bench NAME=spark`` shows that it gains."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.spark import figures

from headwater.cost.gains import DEMAND, GAINS, NO_GAIN, Gain, gain_of, gains
from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.files.fixing import fix_text

RESULTS = Path(__file__).parents[2] / "benchmarks/spark/results"


def results() -> dict[str, dict[str, Any]]:
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    return {record["pipeline"]: record for record in found}


def complaints(table: Iterable[Gain], records: dict[str, dict[str, Any]]) -> list[str]:
    """What the measurements do not bear out."""
    found = []
    for gain in table:
        record = records.get(gain.pipeline or "")
        if gain.pipeline is None:
            continue
        if record is None or "measured" not in record:
            found.append(f"{gain.kind}: no result of {gain.pipeline}")
        elif record["operator"] not in gain.operators:
            found.append(f"{gain.kind}: {gain.pipeline} measures {record['operator']}")
        elif gain.elements != record["prefilter"].startswith("lambda"):
            found.append(f"{gain.kind}: {gain.pipeline} filters by {record['prefilter']}")
        elif not record["measured"]["equal"]:
            found.append(f"{gain.kind}: {gain.pipeline} gives other rows")
        elif figures.saved(record) < 10:
            found.append(f"{gain.kind}: {gain.pipeline} saves {figures.saved(record):.0f} %")
    return found


def test_every_gain_is_measured() -> None:
    assert complaints(GAINS, results()) == []


@pytest.mark.parametrize("pipeline", [p for named in DEMAND.values() for p in named])
def test_every_gain_of_demand_is_measured(pipeline: str) -> None:
    record = results()[pipeline]
    assert record["measured"]["equal"]
    assert record["prefilter"].startswith(("write ", "remove "))
    assert figures.saved(record) >= 10


@pytest.mark.parametrize("code", NO_GAIN)
def test_what_is_left_out_is_measured(code: str) -> None:
    record = results()[NO_GAIN[code]]
    assert record["measured"]["equal"]
    assert figures.saved(record) < 20


@pytest.mark.parametrize("gain", GAINS, ids=lambda g: g.kind)
def test_an_unmeasured_gain_is_seen(gain: Gain) -> None:
    """The complaint comes for each kind whose result is of another one, slower, or not there."""
    records = results()
    other = next(g.pipeline for g in GAINS if g.pipeline and not g.operators & gain.operators)
    assert complaints([replace(gain, pipeline=other)], records)
    assert complaints([replace(gain, pipeline="nowhere")], records)
    if gain.pipeline is not None:
        slower = json.loads(json.dumps(records[gain.pipeline]))
        slower["measured"]["after"] = slower["measured"]["before"]
        assert complaints([gain], {gain.pipeline: slower})


def test_the_table_is_closed() -> None:
    names = [(operator, gain.elements) for gain in GAINS for operator in gain.operators]
    assert len(names) == len(set(names))
    assert gain_of("a boundary of tomorrow", False) is None
    assert not gains("a boundary of tomorrow", False)


EXPLODE = """\
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()
items = spark.table("sales").select("store", F.explode("items").alias("item"))
result = items.filter(F.col("item") > "a"){comment}
"""


def test_hidden_findings_are_skipped_with_the_reason() -> None:
    report = analyse(EXPLODE.format(comment=""))
    (skipped,) = report.skipped
    assert report.opportunities == ()
    assert skipped.obstruction == "no-prefilter"
    assert skipped.reason.endswith("in front of `explode` makes a program faster (--all reports it)")


def test_hidden_findings_are_reported_on_request() -> None:
    (found,) = analyse(EXPLODE.format(comment=""), Options(show_all=True)).opportunities
    assert (found.code, found.operator) == ("HW101", "explode")


def test_hidden_findings_are_never_applied() -> None:
    source = EXPLODE.format(comment="")
    assert fix_text(source, analyse).text == source


def test_a_comment_that_suppresses_a_hidden_finding_is_no_mistake() -> None:
    assert analyse(EXPLODE.format(comment="  # headwater: ignore[HW101]")).unused == ()


def test_the_bounded_check_hides_them_too() -> None:
    assert analyse(EXPLODE.format(comment=""), Options(bounded=True)).opportunities == ()
    assert analyse(EXPLODE.format(comment=""), Options(bounded=True, show_all=True)).opportunities


def test_the_key_of_a_cache_tells_the_options_apart() -> None:
    assert Options().key() != Options(show_all=True).key()


def test_nothing_is_offered_that_was_slower() -> None:
    """Of the programs of the benchmark, unless all findings are asked for."""
    slower = [r for r in results().values() if "measured" in r and figures.ratio(r) < 1]
    assert slower
    for record in slower:
        offered = analyse(record["about"]["before"]).opportunities
        assert [o.code for o in offered if o.operator == record["operator"] and o.edits] == [], record["pipeline"]
