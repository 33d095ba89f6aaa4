"""Whether an edited text parses, told from the statements that are touched, is what parsing all of it says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from headwater.engine.documents.on_demand import _starts
from headwater.rewrite.edit import Edit, Overlap, apply_edits
from headwater.rewrite.units import still_parses, touched
from headwater.syntax.source.notebook import tree_of
from headwater.syntax.source.top_level import parse
from headwater_ir.span import Span
from tests.lsp.programs import BEST
from tests.mdtest.cases import all_cases

TEXTS = [p.read_text(encoding="utf-8") for p in sorted((Path(__file__).parents[2] / "examples").glob("*.py"))]
TEXTS += [c.source for c in all_cases()[::31]]
TEXTS.append('@f\n# é😀\nclass A:\r\n    """a\n"""\n    x = 1 \\\n        + 2\n\n\nif x:\n    y\nelse:\n    z\r# end')
TEXTS.append('a = 1; b = (\n    2\n); c = 3; print(c)\nd = 4; \\\n\nif d: print(1); print(2)\ne = """\n"""; f = 5;\n')
PIECES = (
    "",
    "\n",
    "x",
    " ",
    "(",
    ")",
    '"""',
    "'",
    "\\\n",
    "\\",
    "#",
    "else:\n    pass\n",
    "import os\n",
    "    ",
    ":",
    "\r",
    ";",
    "; g = 1",
)


def parses(text: str) -> bool:
    try:
        tree_of(text)
    except (SyntaxError, ValueError):
        return False
    return True


def edit(chance: random.Random, text: str) -> Edit:
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice((0, 0, 1, 2, 20, 300)))
    return Edit(Span(start, end), chance.choice(PIECES))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_said_to_parse_does(seed: int) -> None:
    chance = random.Random(seed)
    said = {True: 0, False: 0}
    for text in TEXTS[seed::6]:
        starts = _starts(parse(text), text)
        if starts is None:
            continue
        for _ in range(60):
            edits = [edit(chance, text) for _ in range(chance.choice((1, 1, 2)))]
            try:
                after = apply_edits(text, edits)
            except Overlap:
                continue
            answer = still_parses(text, starts, edits)
            said[answer] += 1
            assert not answer or parses(after), (text, edits)
    assert min(said.values()) > 50, said


def test_an_edit_that_joins_statements_or_opens_a_text_is_seen() -> None:
    text = "a = 1\nb = 2\nc = '''\n'''\n"
    starts = _starts(parse(text), text)
    assert starts == (0, 6, 12)
    assert not still_parses(text, starts, [Edit(Span(5, 6), "")]), "two statements on one line"
    assert not still_parses(text, starts, [Edit(Span(6, 6), "'''")])
    assert not still_parses(text, starts, [Edit(Span(11, 11), " \\")])
    assert still_parses(text, starts, [Edit(Span(0, 6), "")])
    assert still_parses(text, starts, [Edit(Span(0, 1), "z"), Edit(Span(20, 20), "\n")])
    assert touched(text, starts, Span(5, 6)) == Span(0, 12)


def test_statements_on_one_line_have_one_start() -> None:
    for text, starts in (("a = 1; b = 2\n", (0,)), ("a = (\n1); b = 2\nc\n", (0, 16))):
        assert _starts(parse(text), text) == starts


def test_a_text_with_hidden_cells_has_no_starts() -> None:
    text = "# COMMAND ----------\n%sql x\n"
    assert _starts(parse(text), text) is None
    assert _starts(parse(BEST.format(1)), BEST.format(2)) is None, "starts are of one text"
