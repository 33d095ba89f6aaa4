"""A part of the mutation of the tables of facts; ``python -m tests.campaigns.tables`` flips every entry."""

from __future__ import annotations

from types import ModuleType

from .tables import flipped, tables


def test_every_table_is_reached() -> None:
    found = {m.__name__.rpartition(".")[2] for m in tables()}
    assert {"test_branch_world", "test_effects", "test_library_models", "test_spark_functions"} <= found
    assert all(m.ENTRIES for m in tables())


def test_some_flipped_entries_are_seen() -> None:
    model = next(m for m in tables() if m.__name__.endswith("library_models"))
    outcome = flipped(model, share=25)
    assert len(outcome.killed) >= 4
    assert (outcome.survived, outcome.failed) == ([], [])


def test_an_entry_that_nothing_sees_is_reported() -> None:
    blind = ModuleType("tests.tables.test_blind")
    vars(blind).update(ENTRIES=("a", "b", "c"), seen={"a": True, "b": False}.__getitem__)
    outcome = flipped(blind)
    assert (outcome.killed, outcome.survived, len(outcome.failed)) == (["a"], ["b"], 1)
