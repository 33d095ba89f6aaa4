"""What the demo prints."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .__main__ import Outcome

COLUMNS = ("pipeline", "kind", "pre-filter", "rows in", "kept", "rows out", "before s", "after s", "ratio", "rows")


def prefilter_text(finding: dict[str, Any]) -> str:
    """The pre-filter, as SQL where it has a form in it."""
    prefilter = finding["prefilter"]
    return str(prefilter["sql"] or prefilter["text"])


def show_finding(console: Console, finding: dict[str, Any], diff: str, failure: str | None) -> None:
    """One finding as a user would read it, and the change that it proposes."""
    boundary = finding["boundary"]
    place = boundary["operator"] + (f"({boundary['function']})" if boundary["function"] else "")
    console.print(Text(f"{finding['code']} {finding['name']}: before {place}: {prefilter_text(finding)}", style="bold"))
    conditions = ", ".join(f"{c['name']} {c['status']} ({c['ms']:.0f} ms)" for c in finding["conditions"])
    console.print(Text(f"{conditions}{'' if failure else '; verified again from its certificate'}"))
    if failure:
        console.print(Text(f"NOT verified again: {failure}", style="red"))
    for assumption in finding["assumptions"]:
        console.print(Text(f"assumes: {assumption}"))
    if diff.strip():
        console.print(Syntax(diff.rstrip(), "diff", theme="ansi_dark", background_color="default", word_wrap=True))


def _cells(outcome: Outcome) -> tuple[str, ...]:
    if outcome.finding is None or outcome.measurement is None:
        return (outcome.pipeline.name, "[red]not found[/red]", *[""] * (len(COLUMNS) - 2))
    m = outcome.measurement
    return (
        outcome.pipeline.name,
        outcome.finding["kind"],
        prefilter_text(outcome.finding).replace("[", r"\["),
        f"{m.rows_in:,}",
        f"{m.kept_percent:.1f} %",
        f"{m.rows_out:,}",
        f"{statistics.median(m.before):.2f}",
        f"{statistics.median(m.after):.2f}",
        f"{m.ratio:.1f}",
        "equal" if m.equal else "[red]DIFFER[/red]",
    )


def results_table(outcomes: Sequence[Outcome]) -> Table:
    """All examples: kind, selectivity, times, equality."""
    table = Table(title="Before and after the rewrite, local Spark, medians")
    for column in COLUMNS:
        right = column in {"rows in", "kept", "rows out", "before s", "after s", "ratio"}
        table.add_column(column, justify="right" if right else "left", overflow="fold", no_wrap=right)
    for outcome in outcomes:
        table.add_row(*_cells(outcome))
    return table
