"""Where filters come down to is carried through edits, and is then what it is of the filters as they stand now."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from benchmarks.frontend.edits import inside_function
from benchmarks.frontend.programs import file_of

from headwater.engine.analysis.digests import digest
from headwater.engine.analysis.identity_cache import ByIdentity
from headwater.engine.analysis.memory import Memory
from headwater.engine.analysis.options import Options
from headwater.engine.documents import on_demand
from headwater.operators import constant_filter as claims
from headwater.operators import move
from headwater.operators.always_false import asks_in_vain
from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import SourceError
from headwater_ir import codec
from headwater_ir.module import Module
from headwater_ir.plan import Filter
from tests.pyspark.edits import EDITS
from tests.pyspark.test_incremental import HELPERS


def all_of(module: Module) -> list[Filter]:
    """The filters that are looked at."""
    return [f for top in module.filters for f in (top, top.native) if f is not None]


def outdated(text: str, seed: int) -> tuple[int, int]:
    """How often what was carried through random edits is not what it would be, and how often it is."""
    random, document, memory, wrong, carried = Random(seed), Document(), Memory(), 0, 0
    for _ in range(8):
        found = list[Filter]()
        with suppress(SourceError):
            found = all_of(document.read(text))
        on_demand.carry(document, memory)
        for top in found:
            carried += memory.ends.get(top) is not None
            wrong += memory.moves(top) != move.moves(top)
            constant, in_vain = (claims.never(top) or claims.always(top)) is not None, asks_in_vain(top) is not None
            for known, asked in ((memory.not_constant, constant), (memory.passed, in_vain)):
                wrong += bool(known.get(top)) and asked
                if not asked:
                    known.put(top, True)
            made = tuple(c for c in (claims.never(top), claims.always(top)) if c is not None)
            wrong += memory.claims.get(top) not in (None, made)
            memory.claims.put(top, made)
        before, text = (
            text,
            (random.random() < 0.6 and inside_function(text, random)) or random.choice(EDITS)(text, random),
        )
        text = text if random.random() < 0.8 else f"\n{before}"
    return wrong, carried


def test_random_edits() -> None:
    found = [
        outdated(file_of(120, seed), seed) for seed in range(1, 6)
    ]  # one statement may keep all from being carried
    assert not any(wrong for wrong, _ in found)
    assert any(carried for _, carried in found)


def test_random_edits_of_helpers() -> None:
    wrong, carried = outdated(f"{HELPERS}\n", 0)
    assert not wrong
    assert carried


def test_notices_what_is_not_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    carry = Memory.carry
    monkeypatch.setattr(Memory, "carry", lambda self, old, new, move: carry(self, old, new, lambda end: end))
    assert outdated(f"{HELPERS}\n", 0)[0]


def test_an_edit_elsewhere_moves_no_filter_down_again(monkeypatch: pytest.MonkeyPatch) -> None:
    document, memory, asked = Document(), Memory(), list[Filter]()
    for top in all_of(document.read(HELPERS)):
        memory.moves(top)
    module = document.read(HELPERS.replace("LIMIT = 10", "# more\n\nLIMIT = 10").replace("m > 47", "m > 471"))
    on_demand.carry(document, memory)
    down = move.moves

    def noted(top: Filter) -> tuple[move.Moved | move.Stopped, ...]:
        asked.append(top)
        return down(top)

    monkeypatch.setattr(move, "moves", noted)
    for top in all_of(module):
        memory.moves(top)
    assert 0 < len(asked) < len(all_of(module))


PLAIN = """\
from pyspark.sql import functions as F


def first(spark):
    df = spark.read.schema("k string, x int").parquet("a")
    return df.filter("x > 5")


def second(spark):
    df = spark.read.schema("k string, x int").parquet("b").filter("x > 5")
    return df.filter("k = 'a'")
"""


def codes_after_edits(folder: Path) -> list[list[str]]:
    """What is reported of a text whose filters move, and become constant."""
    moved = PLAIN.replace("functions as F\n", "functions as F\n# more\n")
    versions = [PLAIN, moved, moved.replace("k = 'a'", "x < 3"), moved]
    options = Options()
    on_demand.prove(versions[2], options, folder)
    reports = [on_demand.check("edited", text, options, folder) for text in versions]
    return [[o.code for o in report.opportunities] for report in reports]


def test_a_filter_that_becomes_constant_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert codes_after_edits(tmp_path) == [[], [], ["HW302"], []]
    monkeypatch.setattr(ByIdentity, "get", lambda self, key: self._most == 8000 or None)
    assert codes_after_edits(tmp_path) != [[], [], ["HW302"], []]


def test_nothing_is_asked_of_a_filter_that_only_moves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_demand.check("moved", PLAIN, Options(), tmp_path)
    monkeypatch.setattr(claims, "never", None)
    report = on_demand.check("moved", f"# more\n{PLAIN}", Options(), tmp_path)
    assert not report.skipped


def test_a_problem_that_is_the_same_object_has_the_same_digest() -> None:
    problems = [m.problem for top in all_of(Document().read(HELPERS)) for m in move.moves(top) if hasattr(m, "problem")]
    assert problems
    for problem in (*problems, *problems):
        assert digest(problem) == codec.digest(problem)


def test_equal_objects_are_two_to_a_memory_of_identities() -> None:
    known = ByIdentity[object, str](2)
    one, other, third = [1], [1], [2]
    known.put(one, "one")
    assert known.get(one) == "one"
    assert known.get(other) is None
    known.put(other, "other")
    known.put(third, "third")
    assert known.get(one) is None
    assert known.get(third) == "third"
