"""A sample of the campaign, and that it sees what is planted."""

from __future__ import annotations

from typing import Any

import pytest

from headwater.pyspark.walls.readers import Readers

from .judge import judged
from .write import write


@pytest.mark.parametrize("first", range(0, 60, 12))
def test_programs_do_what_they_did(first: int) -> None:
    found = [judged(seed) for seed in range(first, first + 12)]
    assert [(j.program.seed, j.wrong) for j in found if j.wrong] == []
    assert any(j.text is not None for j in found)


@pytest.mark.parametrize("only", ["masks", "joins", "uses"])
def test_programs_of_other_parts(only: str) -> None:
    found = [judged(seed, only=only) for seed in range(12)]
    assert [(j.program.seed, j.wrong) for j in found if j.wrong] == []
    assert any(j.text is not None for j in found)


def test_a_program_depends_on_its_seed_alone() -> None:
    assert write(7) == write(7)
    assert len({write(seed).source for seed in range(50)}) > 45


def test_a_reader_that_is_passed_over_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    of = Readers.of

    def without_the_last(self: Readers, *given: Any) -> Any:
        found = of(self, *given)
        return found[:-1] if found is not None and len(found) > 1 else found

    monkeypatch.setattr(Readers, "of", without_the_last)
    assert any(judged(seed).wrong for seed in range(60))
