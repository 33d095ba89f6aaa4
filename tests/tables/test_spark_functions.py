"""The table of Spark's functions against the installed Spark: each function has an entry, each entry is measured."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import pytest

from headwater.syntax.names.pyspark_symbols import FUNCTION_NAMES, FUNCTIONS, SQL_ROW
from headwater.syntax.signatures import Signature
from tests.shares import share

from .spark_calls import CALLS
from .spark_measure import Measured, batches
from .sql_calls import SQL_CALLS

BY_HAND = {"column": "row", "text": "row"}
"""Kinds that Spark shows as another: columns, constants and SQL text are expressions like others."""
_AS_ROWS = ("row", "raises", "column", "text")
"""Kinds whose plans show a function of a row: they are looked at many at a time, and measured all the same."""
_WORST = "random foreign partition session generator window aggregate rows raises".split()
ENTRIES = sorted(name for name, f in FUNCTIONS.items() if f.kind not in ("row", "column", "text", "unmeasured"))
"""The functions that are refused as functions of their row."""
ASKED = dict(share(CALLS.items(), 4))
"""The functions that are measured."""


@lru_cache(maxsize=1)
def measured() -> Mapping[str, str]:
    """The kind of each function: the worst that any of its calls shows."""
    from pyspark.sql import SparkSession

    with_spark = Measured(SparkSession.builder.getOrCreate())
    return measured_kinds(with_spark, ASKED)


def measured_kinds(spark: Measured, calls: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """The kind of each of the functions that ``calls`` call."""
    texts = {f"{name} {i}": call for name, each in calls.items() for i, call in enumerate(each)}
    as_rows = {k: text for k, text in texts.items() if FUNCTIONS[k.split()[0]].kind in _AS_ROWS}
    kinds = {k: spark.kind(text) for k, text in texts.items() if k not in as_rows}
    for some in batches(as_rows.items(), 40):
        kinds |= spark.kinds(dict(some))
    for place, why in spark.differing({k: texts[k] for k, kind in kinds.items() if kind == "row"}).items():
        kinds[place] = "raises" if why.startswith("raises") else "random"
    found = {}
    for name, each in calls.items():
        own = [kinds[f"{name} {i}"] for i, _ in enumerate(each)]
        found[name] = next((k for k in _WORST if k in own), own[0])
    return found


def complaints(kinds: Mapping[str, str], expected: Mapping[str, str]) -> list[str]:
    """Which of the ``expected`` kinds are not those that were measured."""
    return [
        f"{name} is {kinds.get(name, 'not measured')}, and the table has {kind}"
        for name, kind in expected.items()
        if kinds.get(name) != BY_HAND.get(kind, kind) and kind != "unmeasured"
    ]


def table() -> dict[str, str]:
    return {name: f.kind for name, f in FUNCTIONS.items()}


def seen(entry: str) -> bool:
    """Whether the measurement shows that ``entry`` is no function of its row."""
    return bool(complaints(measured(), {entry: "row"}))


def test_every_function_of_the_installed_version_has_an_entry() -> None:
    functions: Any = pytest.importorskip("pyspark.sql.functions")
    public = {n for n in dir(functions) if not n.startswith("_") and _is_own(getattr(functions, n))}
    assert public - set(FUNCTIONS) == set()
    assert set(FUNCTIONS) - public == set()
    starred = {n for n in functions.__all__ if n in public}
    assert starred <= FUNCTION_NAMES
    assert {n for n, f in FUNCTIONS.items() if f.kind == "unmeasured"} == {"unwrap_udt"}
    assert set(FUNCTIONS) - {"unwrap_udt"} == set(CALLS)
    assert set(SQL_CALLS) == SQL_ROW


def _is_own(value: object) -> bool:
    return inspect.isfunction(value) and str(value.__module__).startswith(
        ("pyspark.sql.functions", "pyspark.sql.pandas")
    )


def test_every_declared_signature_is_the_real_one() -> None:
    functions: Any = pytest.importorskip("pyspark.sql.functions")
    for name, f in FUNCTIONS.items():
        real = [(p.name, p.kind.value) for p in inspect.signature(getattr(functions, name)).parameters.values()]
        kinds = {"positional": 0, "either": 1, "star": 2, "keyword": 3}
        assert [(p.name, kinds[p.kind]) for p in Signature.of(f.declaration).parameters] == real, name


@pytest.mark.spark
def test_every_entry_is_what_spark_shows(spark: Any) -> None:
    assert complaints(measured(), {name: kind for name, kind in table().items() if name in ASKED}) == []


@pytest.mark.spark
def test_every_flipped_entry_is_seen(spark: Any) -> None:
    assert len(ENTRIES) > 200
    assert [entry for entry in ENTRIES if entry in ASKED and not seen(entry)] == []


@pytest.mark.spark
def test_functions_of_sql_are_row_by_row(spark: Any) -> None:
    calls = {name: [f"F.expr({text!r})" for text in each] for name, each in share(SQL_CALLS.items(), 4)}
    kinds = Measured(spark)
    texts = {f"{name} {i}": call for name, each in calls.items() for i, call in enumerate(each)}
    shown = {k: kind for some in batches(texts.items(), 40) for k, kind in kinds.kinds(dict(some)).items()}
    assert {name: kind for name, kind in shown.items() if kind != "row"} == {}
