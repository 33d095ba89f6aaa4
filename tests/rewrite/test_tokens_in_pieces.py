"""The tokens of a text that is read statement by statement are those of the whole text."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.frontend.programs import file_of

from headwater.rewrite.tokens import CannotEdit, Tokens
from headwater.rewrite.units import starts_of
from headwater.syntax.source.lines import split_lines
from headwater.syntax.source.notebook import tree_of
from tests.mdtest.cases import all_cases
from tests.pyspark.edits import EDITS

ODD = (
    '# a\r\n"""b\r\n#c"""  # d\r\n@f\r\ndef g():\r\n    # e\r\n    x = f"{1}" \\\r\n        "y"\r\n'
    "\n\n  # z\nif a:\n\tb\n"
)


def of(source: str, starts: tuple[int, ...] = ()) -> object:
    """All that is known of the tokens."""
    try:
        found = Tokens(source, starts)
    except CannotEdit:
        return None
    return [*found.tokens], [*found.comments], [*found._f_strings]


@pytest.mark.parametrize("seed", range(4))
def test_after_edits_too(seed: int) -> None:
    chance, compared = Random(seed), 0
    for text in (*(c.source for c in all_cases()[seed::40]), file_of(80, seed), ODD):
        for _ in range(3):
            edited = chance.choice(EDITS)(text, chance)
            for source in (text, edited):
                try:
                    starts = starts_of(tree_of(source), split_lines(source))
                except (SyntaxError, ValueError):
                    continue
                if starts:
                    compared += 1
                    assert of(source, starts) == of(source), source
    assert compared > 50
