"""How PySpark 4.3 moves values into and out of Python, per API: ``docs/semantics.md`` says what is measured here."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from . import paths, transfer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(time.localtime().tm_gmtoff != 0, reason="the tables are of an operating system in UTC"),
    pytest.mark.filterwarnings("ignore::UserWarning"),  # PySpark's on pandas UDFs without type hints
]
pyspark = pytest.importorskip("pyspark", minversion="4.3")


@pytest.fixture(scope="module", autouse=True)
def _shipped() -> None:
    paths.ship_by_value()


def believed(apis: Sequence[str], api: str) -> transfer.Skip:
    """Errors cost a job each: of those in the document every API tries some others. `python -m tests.conformance check`
    tries all."""
    return lambda row: row % (2 * len(apis)) != apis.index(api)


def test_into(spark: SparkSession) -> None:
    measured = {api: transfer.into(spark, api) for api in paths.INTO}
    assert not transfer.difference("into", transfer.into_markdown(measured))


def test_out(spark: SparkSession) -> None:
    apis = list(paths.OUT)
    measured = {a: transfer.out(spark, a, transfer.raising("out", a), believed(apis, a)) for a in apis}
    assert not transfer.difference("out", transfer.out_markdown(transfer.OUT_VALUES, measured))


def test_columns_out(spark: SparkSession) -> None:
    apis = list(paths.COLUMNS)
    measured = {a: transfer.columns_out(spark, a, transfer.raising("columns", a), believed(apis, a)) for a in apis}
    assert not transfer.difference("columns", transfer.out_markdown(transfer.OUT_COLUMNS, measured))
