"""Every Python function of which a fold is read, by a name that begins with its kind."""

from __future__ import annotations

from . import body_cases, cases, generator_cases, more_cases, row_cases, row_list_cases, series_cases
from .arrow import arrow_cases, compute_cases
from .harness import Case
from .udtf import udtf_cases

CASES: dict[str, Case] = {
    f"{kind}, {name}": case
    for kind, table in {
        "group": cases.CASES, "body": body_cases.BODIES, "group, more": more_cases.PANDAS, "series": series_cases.CASES,
        "row": row_cases.CASES, "arrow": arrow_cases.CASES, "arrow, more": more_cases.ARROW,
        "arrow, compute": compute_cases.COMPUTE, "udtf": udtf_cases.CASES,
        "rows of pandas": row_list_cases.PANDAS, "rows of arrow": row_list_cases.ARROW,
        "generators of pandas": generator_cases.PANDAS, "generators of arrow": generator_cases.ARROW,
    }.items()
    for name, case in table.items()
}  # fmt: skip
_GROUPS = (
    "top2 long", "top2 double", "top2 date", "top2 timestamp", "top2 infinite long", "trades", "events", "max guarded",
    "column max", "column max long", "column sum", "column mean", "mask combined", "builtin any", "first row string",
    "early return", "zipped", "masked", "sorted",
)  # fmt: skip
_BODIES = (
    "list max default", "list sorted end", "set flags", "top append", "top ascending pop", "heap push pop",
    "tuple argmax", "row kept", "dict state", "pooling", "mask tested", "generator max", "top of times",
    "unknown schema",
)  # fmt: skip
_ARROW = (
    "top2", "top2 not null", "batches", "early", "chosen", "arrays", "last", "last narrow", "last float", "last date",
    "sum of doubles", "int in double", "max default", "inferred double", "inferred long", "kept", "kept unguarded",
    "min, schema of the table", "pairs", "int key", "date key", "stamps", "first string", "infinity",
)  # fmt: skip
ON_SPARK = (
    *(f"group, {n}" for n in _GROUPS), *(f"body, {n}" for n in _BODIES), *(f"arrow, {n}" for n in _ARROW),
    *(f"series, {n}" for n in sorted(set(series_cases.CASES) - {"raises", "None compared", "max unknown"})),
    *(f"udtf, {n}" for n, c in udtf_cases.CASES.items() if not c.single),
)  # fmt: skip
"""Those that are run on Spark, too."""
