"""Which example reads which data, and how an example's source text becomes a DataFrame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True)
class Pipeline:
    """An example and the data set that it reads, ``scale`` times as long as the others (the native aggregate is so fast
    that fewer rows would measure how Spark starts a query)."""

    name: str
    dataset: str
    scale: int = 1

    @property
    def path(self) -> Path:
        """The example's source file."""
        return EXAMPLES / f"{self.name}.py"


PIPELINES = (
    Pipeline("top_scores", "scores"),
    Pipeline("open_close", "trades"),
    Pipeline("event_counters", "events"),
    Pipeline("categories", "companies"),
    Pipeline("discounts", "items"),
    Pipeline("peak_payments", "payments", scale=2),
    Pipeline("weekend_revenue", "days"),
    Pipeline("revenue_fallback", "orders"),
)


def namespace(path: Path) -> dict[str, Any]:
    """What the module at ``path`` defines. Its functions belong to no importable module, so that Spark ships them by
    value and the rewritten copy never meets the original in a worker."""
    names: dict[str, Any] = {"__name__": "headwater_demo_pipeline", "__file__": str(path)}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    return names


def build(path: Path, spark: SparkSession, data_dir: Path) -> DataFrame:
    """The DataFrame that the pipeline at ``path`` builds over ``data_dir``."""
    function: Callable[[SparkSession, str], DataFrame] = namespace(path)["build"]
    return function(spark, str(data_dir))
