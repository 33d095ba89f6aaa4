"""Every example is a pipeline that runs, on data of the demo's shape, and finds something."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.demo.pipelines import EXAMPLES, PIPELINES, Pipeline, build

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = 4000


def test_every_example_is_in_the_demo() -> None:
    assert {p.path for p in PIPELINES} == set(EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda p: p.name)
def test_example_parses_and_defines_build(pipeline: Pipeline) -> None:
    tree = ast.parse(pipeline.path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    build_function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "build")
    assert [a.arg for a in build_function.args.args] == ["spark", "data_dir"]


@pytest.mark.spark
@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda p: p.name)
def test_example_finds_rows_on_generated_data(pipeline: Pipeline, spark: SparkSession, tmp_path: Path) -> None:
    from benchmarks.demo.data import generate

    generate(pipeline.dataset, tmp_path, ROWS)
    result = build(pipeline.path, spark, tmp_path)
    assert result.count() > 0


@pytest.mark.spark
def test_data_is_reproducible_and_has_nulls(tmp_path: Path) -> None:
    import pyarrow.parquet as pq
    from benchmarks.demo.data import DATASETS, generate

    for name in DATASETS:
        first = pq.read_table(generate(name, tmp_path / "first", ROWS))
        assert first.equals(pq.read_table(generate(name, tmp_path / "second", ROWS)))
        assert first.num_rows == ROWS
        assert sum(column.null_count for column in first.columns) > 0


@pytest.mark.spark
def test_demo_compares_bags(spark: SparkSession) -> None:
    from benchmarks.demo.measure import same_rows

    def frame(*values: float | None) -> DataFrame:
        return spark.createDataFrame([(v,) for v in values], "x double")

    assert same_rows(frame(1.0, None, 1.0), frame(1.0, 1.0, None))
    assert same_rows(frame(float("nan")), frame(float("nan")))
    assert not same_rows(frame(1.0, 1.0), frame(1.0))
    assert not same_rows(frame(1.0), frame(1.0, 1.0))
    assert not same_rows(frame(None), frame())
