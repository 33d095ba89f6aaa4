"""Which pipelines are measured, and the text of each: an example as it stands, or one filter of a suite file alone."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.demo.data import generate
from benchmarks.demo.pipelines import EXAMPLES, PIPELINES
from benchmarks.synthesis.annotations import expectations
from benchmarks.synthesis.suite import SUITE

from headwater.bench.columns import Draw

from . import data

PROGRAMS = Path(__file__).parent / "programs"
"""Kinds of boundaries that neither the examples nor the suite have."""


@dataclass(frozen=True)
class Pipeline:
    """A program over one table.

    * ``nth``: the annotated filter of a suite file, from 0; None: an example, or a program of this folder;
    * ``scale``: the table has so many times the rows of the others;
    * ``slow``: five million rows take it many minutes: measured only if asked for.
    """

    name: str
    path: Path
    table: str
    columns: Callable[[Draw], data.Columns] | None = None
    nth: int | None = None
    scale: int = 1
    slow: bool = False

    def source(self) -> str:
        """The program."""
        text = self.path.read_text(encoding="utf-8")
        return text if self.nth is None else alone(text, self.path.name, self.nth)

    def data(self, root: Path, rows: int) -> Path:
        """The folder of its table."""
        if self.columns is None:
            return generate(self.table, root / f"examples-{rows * self.scale}", rows * self.scale)
        return data.made(self.columns, self.source(), self.table, root, rows * self.scale)


def alone(text: str, file: str, nth: int) -> str:
    """A suite file without its other annotated filters, ending with the value of the one that is left."""
    every = expectations(text, file)
    kept = every[nth]
    statement = next(s for s in ast.parse(text).body if (s.lineno, s.end_lineno) == (kept.start, kept.end))
    assert isinstance(statement, ast.Expr)
    lines = text.splitlines()
    for other in every:
        if other != kept:
            lines[other.start - 1 : other.end] = [""] * (other.end - other.start + 1)
    lines[kept.start - 1] = "result = " + lines[kept.start - 1]
    return "\n".join(lines).rstrip() + "\nresult\n"


def _suite(place: str, nth: int, table: str, columns: Callable[[Draw], data.Columns], slow: bool = False) -> Pipeline:
    return Pipeline(f"{place}:{nth}", SUITE / f"{place}.py", table, columns, nth, slow=slow)


def _program(name: str, table: str, columns: Callable[[Draw], data.Columns]) -> Pipeline:
    return Pipeline(f"programs/{name}", PROGRAMS / f"{name}.py", table, columns)


EVERY = (
    *(Pipeline(f"examples/{p.name}", EXAMPLES / f"{p.name}.py", p.dataset, scale=p.scale) for p in PIPELINES),
    _suite("finance/agg_slippage", 0, "slippage_fills", data.slippage_fills),
    _suite("finance/agg_worst_loss", 2, "results", data.results),
    _suite("games/pandas_season_points", 0, "rounds", data.rounds),
    _suite("games/pandas_top_scores", 0, "runs", data.runs),
    _suite("games/podium", 0, "arena_matches", data.arena_matches, slow=True),
    _suite("health/best_scan", 1, "scans", data.scans, slow=True),
    _suite("health/creatinine_peaks", 1, "labs", data.labs),
    _suite("health/dose_window", 0, "administrations", data.administrations, slow=True),
    _suite("health/icu_flags", 0, "chart", data.chart, slow=True),
    _suite("logs/pandas_incident", 1, "lines", data.lines),
    _suite("logs/row_severity", 0, "severity_lines", data.severity_lines),
    _suite("logs/session_errors", 0, "session_requests", data.session_requests, slow=True),
    _suite("retail/agg_biggest_discount", 0, "order_lines", data.order_lines),
    _suite("retail/pandas_baskets", 0, "sales", data.sales_on_offer),
    _suite("retail/pandas_best_offers", 0, "offers", data.offers, slow=True),
    _suite("retail/rdd_refund_totals", 1, "orders", data.orders, slow=True),
    _suite("retail/rdd_store_peaks", 0, "sales", data.store_sales),
    _suite("telemetry/fault_bits", 1, "health", data.health),
    _suite("telemetry/pandas_launch_window", 1, "samples", data.samples),
    _suite("telemetry/peak_power", 0, "readings", data.readings, slow=True),
    _suite("telemetry/vibration_windows", 0, "vibrations", data.vibrations),
    _program("batches", "slippage_fills", data.slippage_fills),
    _program("file_names", "severity_lines", data.severity_lines),
    _program("rdd_digest", "severity_lines", data.severity_lines),
    _program("driver_rows", "severity_lines", data.severity_lines),
    _program("driver_masks", "severity_lines", data.severity_lines),
    _program("first_rows", "severity_lines", data.severity_lines),
    _program("emptiness", "severity_lines", data.severity_lines),
    _program("unread_columns", "severity_lines", data.severity_lines),
    _program("repeated_scan", "severity_lines", data.severity_lines),
    _program("rdd_errors", "severity_lines", data.severity_lines),
    _program("rdd_levels", "severity_lines", data.severity_lines),
    _program("rdd_columns", "severity_lines", data.severity_lines),
    _program("single_use_cache", "severity_lines", data.severity_lines),
    _program("matched_lines", "severity_lines", data.severity_lines),
    _program("group_extreme", "runs", data.runs),
    _program("unpivot_readings", "vibrations", data.vibrations),
    _program("window_rank", "runs", data.runs),
    _program("hidden_year", "results", data.results),
)
PUSHED = "telemetry/pandas_launch_window:1"
"""The pipeline whose files are in the order of the filtered column, so that what is pushed to them spares reading."""
