"""The results in words and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isnan
from statistics import median

from rich.table import Table

from .figures import Record, by_kind, kept, ratio, saved, seconds, spread
from .pipelines import PUSHED

_HEADS = (
    "pipeline",
    "operator",
    "kind",
    "pre-filter",
    "rows",
    "kept",
    "out",
    "before",
    "after",
    "saved",
    "read, MB",
    "equal",
)
_RIGHT = {"rows", "kept", "out", "before", "after", "saved", "read, MB"}
_KIND_HEADS = ("kind", "pipelines", "least", "mean", "median", "most", "speed-up, median", "rows kept, median")


def line(record: Record) -> str:
    """One result on the terminal."""
    if "measured" not in record:
        return f"{record['pipeline']}: FAILED: {record['error']}"
    m = record["measured"]
    return (
        f"{record['pipeline']}: {record['kind']}, keeps {_kept(record) or 'unknown'}, "
        f"{seconds(record, 'before'):.2f} s → "
        f"{seconds(record, 'after'):.2f} s, {saved(record):.0f} % saved, rows {'equal' if m['equal'] else 'DIFFERENT'} "
        f"({record['wall']:.0f} s in all)"
    )


def _cells(r: Record) -> list[str]:
    if "measured" not in r:
        return [r["pipeline"], r.get("operator", ""), r.get("kind", ""), f"FAILED: {r['error']}", *[""] * 8]
    m = r["measured"]
    read = " → ".join(f"{m[side]['bytes_read'] / 1e6:.1f}" for side in ("before", "after"))
    return [
        r["pipeline"], r["operator"], r["kind"], _written(r["prefilter"]), f"{m['rows_in']:,}", _kept(r),
        f"{m['rows_out']:,}", f"{seconds(r, 'before'):.2f} s", f"{seconds(r, 'after'):.2f} s", f"{saved(r):.0f} %",
        read, "yes" if m["equal"] else "NO",
    ]  # fmt: skip


def _written(prefilter: str) -> str:
    """The pre-filter, or what else is written: ``limit(5)``."""
    found = re.match(r"write `(.*?)` for ", prefilter)
    return found[1] if found else prefilter


def _kept(r: Record) -> str:
    return "" if isnan(kept(r)) else f"{kept(r):.1f} %"


def _kind_rows(records: Sequence[Record]) -> list[list[str]]:
    return [
        [
            kind,
            str(len(found)),
            *(f"{value:.1f} %" for value in spread([saved(r) for r in found])),
            f"{median(ratio(r) for r in found):.1f}",
            f"{median([k for r in found if not isnan(k := kept(r))] or [float('nan')]):.1f} %",
        ]
        for kind, found in by_kind(records).items()
    ]


def table(records: Sequence[Record]) -> Table:
    """Every pipeline, for the terminal."""
    found = Table(title="Before and after the rewrite, medians of the timed runs")
    for head in _HEADS:
        found.add_column(head, justify="right" if head in _RIGHT else "left", overflow="fold", no_wrap=head in _RIGHT)
    for r in records:
        found.add_row(*(cell.replace("[", r"\[") for cell in _cells(r)))
    return found


def kinds_table(records: Sequence[Record]) -> Table:
    """Reduction of the run time by kind, for the terminal."""
    found = Table(title="Time saved, by kind")
    for head in _KIND_HEADS:
        found.add_column(head, justify="left" if head == "kind" else "right")
    for row in _kind_rows(records):
        found.add_row(*row)
    return found


def markdown(records: Sequence[Record], picture: str) -> str:
    """The whole report."""
    done = [r for r in records if "measured" in r]
    parts = [
        "# What the rewrites buy\n",
        "Written by `make bench NAME=spark` from `benchmarks/spark/results/`; do not edit by hand.\n",
        _summary(done),
        _machine(done),
        _DATA,
        f"![Share of rows kept and of time needed, by pipeline]({picture})\n",
        "## By kind\n\nReduction of the run time.\n\n" + _markdown(_KIND_HEADS, _kind_rows(records)),
        "## By pipeline\n\n" + _markdown(_HEADS, [[*_quoted(_cells(r))] for r in records]),
        _READING,
        _pushed(done),
        _differences(done),
    ]
    return "\n".join(p for p in parts if p)


def _summary(done: Sequence[Record]) -> str:
    least, mean, middle, most = spread([saved(r) for r in done])
    equal = sum(r["measured"]["equal"] for r in done)
    return (
        f"Of {len(done)} pipelines the rewrite saves {middle:.0f} % of the time at the median ({mean:.0f} % on "
        f"average, {least:.0f} % to {most:.0f} %); {equal} of {len(done)} give equal rows, all of them compared.\n"
    )


def _machine(done: Sequence[Record]) -> str:
    m, loads = done[-1]["machine"], [r["machine"]["load"][0] for r in done]
    revisions = sorted({r["machine"]["revision"] for r in done})
    spark = sorted({r["measured"]["spark"] for r in done})
    runs = sorted({r["about"]["runs"] for r in done})
    return (
        f"Machine: {m['cpu']}, {m['cores']} cores, {m['memory_gb']} GB, {m['system']}; Python {m['python']}, Spark "
        f"{', '.join(spark)} (`local[*]`, driver memory 2 GB, 4 shuffle partitions, Parquet's asynchronous reads off, "
        f"because Spark does not count their bytes, otherwise its defaults); revision {', '.join(revisions)}, "
        f"{m['date']}, load average before each pipeline {min(loads):.1f} to {max(loads):.1f}. Each pipeline has a "
        f"process of its own. Its first run on each side is the warm-up and writes its rows, which are compared as "
        f"bags; then {', '.join(map(str, runs))} timed runs of each side, by turns, which compute every row and write "
        f"none. A time is the median of them, from building the plan to the last row.\n"
    )


_DATA = """Data: generated Parquet, four files per table (`benchmarks/spark/data.py`, `benchmarks/demo/data.py`). Keys
are drawn half by Zipf's law and half uniformly (in the examples by Zipf's law), values from normal, log-normal, beta
and uniform distributions that suit their meaning, times rise from row to row, 0.5 to 30 % of a column are NULL. The
programs are those of the suite and of `examples/` as they stand, with their own constants; the rewrite is the tool's.
"""
_READING = """`kept`: rows of the input that pass the pre-filter. `out`: rows of the result. `saved`: one minus the time
after over the time before. `read`: bytes that Spark read from the files, before and after.

How to read this: the gain is bounded by what the pre-filter keeps, and by what happens before it. Rows of an RDD are
turned into Python objects before the first lambda sees them; there the pre-filter stands in front of `.rdd`, and most
of what it saves is this. A native aggregate is so cheap that the time of starting the query hides the gain. Shares of
rows are those of this data; on yours the gain is another: `headwater bench PIPELINE.py --kept PERCENT`.
"""


def _pushed(done: Sequence[Record]) -> str:
    found = [r for r in done if r["pipeline"] == PUSHED]
    if not found:
        return ""
    (r,) = found
    m = r["measured"]
    before, after = m["before"], m["after"]
    fewer = 100 * (1 - after["bytes_read"] / before["bytes_read"])
    return (
        f"## Down to the files: {PUSHED}\n\n"
        "The samples of this table lie in the order of time, and the function looks at two hours of a day. Before the "
        f"rewrite Spark cannot know that; it asks the files for\n\n{_conditions(before['pushed'])}\n"
        f"and afterwards for\n\n{_conditions(after['pushed'])}\n"
        "Parquet keeps the least and the greatest value of each row group, so that row groups outside of the two hours "
        f"are not read at all: {before['rows_read']:,} rows and {before['bytes_read'] / 1e6:.1f} MB before, "
        f"{after['rows_read']:,} rows and {after['bytes_read'] / 1e6:.1f} MB after ({fewer:.0f} % fewer bytes), by "
        f"Spark's own metrics; {saved(r):.0f} % of the time.\n"
    )


def _conditions(pushed: Sequence[str]) -> str:
    return "".join(f"    PushedFilters: [{condition}]\n" for condition in pushed) or "    PushedFilters: []\n"


def _differences(done: Sequence[Record]) -> str:
    unequal = [r for r in done if not r["measured"]["equal"]]
    if not unequal:
        return ""
    return "## Rows that differ\n\n" + "".join(
        f"- {r['pipeline']}: {'; '.join(r['measured']['differences'])}\n" for r in unequal
    )


def _quoted(cells: Sequence[str]) -> list[str]:
    return [f"`{cell}`" if i == 3 and cell and not cell.startswith("FAILED") else cell for i, cell in enumerate(cells)]


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---:" if head in _RIGHT or head in _KIND_HEADS[1:] else "---" for head in heads]
    body = [[cell.replace("|", r"\|").replace("\n", " ") for cell in row] for row in rows]
    return "".join("| " + " | ".join(row) + " |\n" for row in (list(heads), rule, *body))
