"""The planted faults that every test run plants, each seen by its check; all of them by ``python -m tests.planted``."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import pytest

import tests.planted
from tests.planted import FAMILIES, Fault, registry, tables
from tests.planted.__main__ import outcome

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FAULTS = list(registry(*(name for name in FAMILIES if name != "tables")))


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.brief and not f.spark], ids=str)
def test_a_fault_is_seen(fault: Fault) -> None:
    assert outcome(fault) == "seen"


@pytest.mark.spark
@pytest.mark.parametrize("fault", [f for f in FAULTS if f.brief and f.spark], ids=str)
def test_a_fault_is_seen_on_spark(fault: Fault, spark: SparkSession) -> None:
    assert outcome(fault) == "seen"


def test_every_fault_can_be_planted_and_has_a_name_of_its_own() -> None:
    """Also those that no test run plants: their places move with the product."""
    for fault in FAULTS:
        with fault.plant():
            pass
    assert len({str(f) for f in FAULTS}) == len(FAULTS)


def test_every_table_is_reached() -> None:
    found = {m.__name__.rpartition(".")[2] for m in tables()}
    assert {"test_branch_world", "test_effects", "test_library_models", "test_spark_functions", "test_laws"} <= found
    assert {"test_builtin_laws", "test_compute"} <= found
    assert all(m.ENTRIES for m in tables())


def test_what_nothing_sees_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    blind = ModuleType("tests.tables.test_blind")
    exec("def seen(entry): return {'a': True, 'b': False}[entry]\nENTRIES = ('a', 'b', 'c')", vars(blind))
    monkeypatch.setattr(tests.planted, "tables", lambda: iter([blind]))
    monkeypatch.setattr(tests.planted.inspect, "getsource", lambda _: "")
    words = [outcome(fault).split(":")[0] for fault in tests.planted.faults()]
    assert words == ["seen", "not seen", "failed"]
    assert outcome(Fault("", "", lambda: True, clean=True)) == "seen without it"
