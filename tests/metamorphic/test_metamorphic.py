"""Every rewrite keeps what programs give, and the tool finds in the rewritten ones what it finds in the originals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from benchmarks.synthesis.annotations import expectations
from benchmarks.synthesis.suite import files

from .programs import programs
from .registry import FAMILIES, Rewrite, rewrites
from .running import compared
from .units import Unit, problems
from .verdicts import Found, found, weaker

REWRITES = {r.name: r for r in rewrites()}
PROGRAMS = {p.name: p for p in programs()}
EXCEPTIONS = {
    (e["program"], e["rewrite"]): e["reason"]
    for e in json.loads((Path(__file__).parent / "exceptions.json").read_text(encoding="utf-8"))
}
"""Formulations of these programs in which the tool finds less, with the reason; `make campaign NAME=metamorphic` has
those of the suite."""
PLACES = 1
"""Programs on which each rewrite is tried."""


def placed(rewrite: Rewrite) -> Iterator[tuple[Unit, str]]:
    """The first programs that have a place for the rewrite, rewritten; and those of its exceptions."""
    taken = 0
    for unit in PROGRAMS.values():
        excepted = (unit.name, rewrite.name) in EXCEPTIONS
        if taken >= PLACES and not excepted:
            continue
        text = rewrite.of(unit.text)
        if text is not None:
            taken += 1
            yield unit, text


@cache
def original(name: str) -> Found:
    return found(PROGRAMS[name])


@pytest.mark.parametrize("name", REWRITES)
def test_a_rewrite_keeps_the_rows(name: str) -> None:
    ran = 0
    for unit, text in placed(REWRITES[name]):
        tables, difference = compared(unit, text)
        assert not difference, f"{unit.name}: {difference}\n\n{text}"
        ran += tables
    assert ran, "no program has a place for it and runs"


@pytest.mark.parametrize("name", REWRITES)
def test_the_verdict_is_as_strong(name: str) -> None:
    """But for the listed exceptions, which must be needed."""
    for unit, text in placed(REWRITES[name]):
        lost = weaker(original(unit.name), found(unit, text))
        if (unit.name, name) in EXCEPTIONS:
            assert lost is not None, f"{unit.name}, {name}: the exception is needed no longer"
        else:
            assert lost is None, f"{unit.name}: {lost}\n\n{text}"


def test_every_program_has_a_finding() -> None:
    assert [name for name in PROGRAMS if not original(name).findings] == []


def test_exceptions_are_of_programs_and_rewrites() -> None:
    assert all(program in PROGRAMS and rewrite in REWRITES for program, rewrite in EXCEPTIONS)
    assert all(EXCEPTIONS.values())


def test_every_rewrite_states_its_law() -> None:
    assert {r.family for r in REWRITES.values()} == set(FAMILIES)
    assert [r.name for r in REWRITES.values() if not r.law] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("level > best", "level != best"),
        ("best = 0", "best = 16"),
        ("best = level", "best = level + 1"),
    ],
)
def test_another_meaning_is_seen(old: str, new: str) -> None:
    unit = PROGRAMS["peak"]
    assert old in unit.text
    assert compared(unit, unit.text.replace(old, new))[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("between(15, 30)", "between(14, 30)"),
        ("between(15, 30)", "between(15, 29) | True"),
        ("applyInPandas(peak", "applyInPandas(lambda key, pdf: unknown(pdf)"),
        ("level > best", "level > best + limit"),
    ],
)
def test_a_weaker_verdict_is_seen(old: str, new: str) -> None:
    unit = PROGRAMS["peak"]
    assert old in unit.text
    assert weaker(original("peak"), found(unit, unit.text.replace(old, new))) is not None


def test_every_problem_of_the_suite_is_a_program() -> None:
    assert sum(len(expectations(p.read_text(encoding="utf-8"), p.name)) for p in files()) >= 480
    (first, *_) = problems(Path("benchmarks/suite/games/agg_best_run.py"))
    assert first.text.count(".filter(") == 1
    assert "result = runs.groupBy('player').agg(best_score('score').alias('best')" in first.text
