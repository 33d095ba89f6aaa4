"""Issue 20: every file of the product has one class, what is said to guard it does, and the page says so."""

from __future__ import annotations

import importlib
from collections import Counter

import pytest

from .page import CHECKERS, GOAL, PAGE, files, line_of, page, path_of, reached, size, without_numbers
from .table import TABLE

FILES = files()


def test_every_file_has_a_class_and_every_line_a_file() -> None:
    lines = {name: line_of(name) for name in FILES}
    assert [name for name, line in lines.items() if line is None] == []
    assert [line.path for line in TABLE if line not in lines.values()] == []
    assert [path for path, times in Counter(line.path for line in TABLE).items() if times > 1] == []


def test_a_file_that_no_line_names_is_seen() -> None:
    assert line_of("a_new_room/a_file.py") is None
    assert line_of("pyspark/a_new_room/a_file.py") is None


@pytest.mark.parametrize("line", TABLE, ids=lambda line: line.path)
def test_a_line_says_what_its_class_needs(line) -> None:  # type: ignore[no-untyped-def]
    assert (line.by is not None) == (line.of == "re-checked")
    assert bool(line.fault) == (line.of in ("core", "trusted", "re-checked"))
    assert not line.beside or line.of in ("core", "trusted")


@pytest.mark.parametrize("checker", CHECKERS)
def test_what_re_checks_shares_no_code_with_what_it_checks(checker: str) -> None:
    module, planted = CHECKERS[checker]  # type: ignore[index]
    needs = reached(module)
    mine = {name for name in FILES if (line := line_of(name)) is not None and line.by == checker}
    assert {name for name in mine if FILES[name] in needs and size(FILES[name])} == set()
    assert any(callable(getattr(importlib.import_module(planted), "faults", None)) for _ in mine)


@pytest.mark.parametrize("line", [line for line in TABLE if line.beside], ids=lambda line: line.path)
def test_the_tests_that_guard_a_file_are_there_and_reach_it(line) -> None:  # type: ignore[no-untyped-def]
    needs = {module: reached(module) for module in line.beside if path_of(module) is not None}
    assert {*needs} == {*line.beside}
    mine = [FILES[name] for name in FILES if line_of(name) == line and size(FILES[name]) > 1]
    assert [p for p in mine if not any(p in paths for paths in needs.values())] == []


def test_the_page_is_up_to_date() -> None:
    """The numbers of lines may differ by a tenth, or twenty lines."""
    (told, then), (made, now) = without_numbers(PAGE.read_text(encoding="utf-8")), without_numbers(page())
    assert told == made, "run python -m tests.trust"
    assert all(abs(a - b) <= max(20, b // 10) for a, b in zip(then, now, strict=True)), "run python -m tests.trust"


MOST, MOST_ALONE = 45_400, 2_000
"""Lines that no independent code looks at while the program runs (28,000 before the driver's own code was read,
29,500 before the turns of its loops were, 30,200 before the masks of its frames were, 31,100 before data sources were
judged, 33,200 before pyarrow was read in them, 33,900 before variables that name columns were, 34,300 before lookups
by `globals()` were, 34,600 before conditions were said as ranges, 34,950 before findings named data files, 35,200
before the places of values in columns were read, 35,500 before readers of caches, jobs in loops and in SQL text, what
functions of pandas read, and windows and joins by any name were followed, 37,600 before rows of the driver were
followed to everything that reads them, and Delta checkpoints and Iceberg metadata were read, 39,500 before jobs in the
branches of turns, and in nested loops, were, 40,500 before frames of several branches were, 41,000 before assignments
were moved in front of a pass, and whole-file questions on side effects were asked, 42,000 before ORC footers, manifests
of Iceberg and deletion vectors of Delta were read, and the effects of columns that are handed in, 42,700 before
version 2 of Delta's checkpoints was, and conditions and aggregates were taken together, 43,000 before schemas that a
program has printed were, 43,100 before what an edit cannot have changed was kept, 43,200 before constants that one
statement assigns to several names were read, and columns followed through several joins, 43,400 before the counts of
one version of a text were expected by name in the next, 43,600 before functions of other files, and those that make
columns, were, 44,700 before modules of the project, inherited methods, the order below a limit, CREATE TABLE in a text
and types of joined columns behind a cache were), and those of them that no test runs beside the real thing. Whoever
raises one says for what."""


def test_what_nothing_re_checks_does_not_grow() -> None:
    lines = [(line_of(name), size(path)) for name, path in FILES.items()]
    trusted = [(line, n) for line, n in lines if line is not None and line.of == "trusted"]
    assert sum(n for _, n in trusted) < MOST
    assert sum(n for line, n in trusted if not line.beside) < MOST_ALONE < GOAL
