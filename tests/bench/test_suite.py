"""Issue 9: the pipelines of ``make bench NAME=spark`` are the suite's own, and its report counts them right."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from benchmarks.spark import figures, report
from benchmarks.spark.data import schema_of
from benchmarks.spark.pipelines import EVERY, PUSHED, Pipeline, alone
from benchmarks.synthesis.annotations import expectations

SUITE = [p for p in EVERY if p.nth is not None]


def test_there_are_enough_of_each_kind() -> None:
    usual = [p for p in SUITE if p.nth is not None and not p.slow]
    kinds = [expectations(p.path.read_text(), p.name)[p.nth or 0].kind for p in usual]
    assert len([p for p in EVERY if not p.slow]) >= 20
    assert len({p.name for p in EVERY}) == len(EVERY)
    assert min(kinds.count(kind) for kind in ("exact", "split", "partial")) >= 4
    assert PUSHED in {p.name for p in EVERY}


@pytest.mark.parametrize("pipeline", SUITE, ids=lambda p: p.name)
def test_a_pipeline_is_one_filter_of_its_file(pipeline: Pipeline) -> None:
    text = pipeline.source()
    tree = ast.parse(text)
    assert ast.unparse(tree.body[-1]) == "result"
    original = pipeline.path.read_text()
    every = expectations(original, pipeline.name)
    starts = {e.start for e in every} - {every[pipeline.nth or 0].start}
    others = [s for s in ast.parse(original).body if s.lineno not in starts]
    (wanted,) = [ast.unparse(s) for s in others if s.lineno == every[pipeline.nth or 0].start]
    assert ast.unparse(tree.body[-2]) == f"result = {wanted}"
    assert len(tree.body) == len(others) + 1
    assert schema_of(text, pipeline.table).names


def test_only_the_wanted_filter_is_left() -> None:
    text = "x = f()\n\n# kind: exact\n# why: a.\nx.filter(1)\n\n# kind: exact\n# why: b.\nx.filter(\n    2\n)\n"
    assert alone(text, "t", 1).endswith("result = x.filter(\n    2\n)\nresult\n")
    assert "x.filter(1)" not in alone(text, "t", 1)


def record(name: str, kind: str, before: float, after: float, equal: bool = True) -> dict[str, Any]:
    side = {"bytes_read": 2_000_000, "rows_read": 10, "pushed": ["a"]}
    return {
        "about": {"rows": 1_000_000, "runs": 3}, "pipeline": name, "kind": kind, "operator": "agg",
        "prefilter": "x | y", "wall": 1.0,
        "machine": {
            "cpu": "c", "cores": 2, "memory_gb": 8, "system": "s", "python": "3", "load": [1.0], "revision": "r",
            "date": "d",
        },
        "measured": {
            "rows_in": 100, "rows_kept": 5, "rows_out": 2, "equal": equal, "differences": ["only before: (1,)"],
            "spark": "4",
            "before": {**side, "seconds": [9 * before, before, 0.5 * before]},
            "after": {**side, "seconds": [after, 9 * after, 0.5 * after], "bytes_read": 500_000},
        },
    }  # fmt: skip


def test_the_report_counts_right() -> None:
    records = [
        record("a", "exact", 10, 1), record("b", "exact", 10, 5), record(PUSHED, "partial", 10, 12, equal=False),
        {"pipeline": "d", "error": "broke", "details": ""},
    ]  # fmt: skip
    assert [round(figures.saved(r)) for r in records[:3]] == [90, 50, -20]
    assert figures.kept(records[0]) == 5
    assert figures.spread([1, 2, 9]) == (1, 4, 2, 9)
    text = report.markdown(records, "p.png")
    assert (
        "Of 3 pipelines the rewrite saves 50 % of the time at the median (40 % on average, -20 % to 90 %); 2 of 3"
        in text
    )
    assert "| exact | 2 | 50.0 % | 70.0 % | 70.0 % | 90.0 % | 6.0 | 5.0 % |" in text
    assert "| all | 3 | -20.0 % | 40.0 % | 50.0 % | 90.0 % | 2.0 | 5.0 % |" in text
    assert "| d |  |  | FAILED: broke |" in text
    assert r"`x \| y`" in text
    assert "75 % fewer bytes" in text
    assert "only before: (1,)" in text
    assert "FAILED" in report.line(records[3])
    assert "DIFFERENT" in report.line(records[2])
