"""The program of a seed."""

from __future__ import annotations

from collections.abc import Callable

from . import (
    aggregates,
    arrow,
    batches,
    broadcasts,
    cogroups,
    column_functions,
    columns,
    consumers,
    elements,
    group_rows,
    groups,
    linked,
    lists,
    results,
    settings,
    state,
    types,
)
from .program import Draw, Program

WRITERS: dict[str, Callable[[Draw], Program]] = {
    module.__name__.rpartition(".")[2]: module.write
    for module in (
        aggregates,
        arrow,
        batches,
        broadcasts,
        cogroups,
        column_functions,
        columns,
        consumers,
        elements,
        group_rows,
        groups,
        linked,
        lists,
        results,
        settings,
        state,
        types,
    )
}
_SHARES = (
    ("groups",) * 3
    + ("arrow",) * 3
    + ("state",) * 5
    + ("columns",) * 3
    + ("consumers",) * 3
    + ("settings",) * 2
    + ("types",) * 2
    + ("elements",) * 3
    + ("lists",) * 2
    + ("aggregates",) * 2
    + ("batches",) * 2
    + ("cogroups",) * 2
    + ("column_functions",) * 2
    + ("results",) * 2
    + ("broadcasts",) * 2
    + ("linked",) * 2
)
ON_SPARK = frozenset({"columns", "consumers", "settings", "types"})
"""Kinds whose meaning needs Spark: identities of columns, settings, functions and casts that the small Spark has
not."""


def program(seed: int, kind: str | None = None) -> Program:
    """Always the same one."""
    draw = Draw(f"program {seed} {kind}")
    return WRITERS[kind or _SHARES[seed % len(_SHARES)]](draw)
