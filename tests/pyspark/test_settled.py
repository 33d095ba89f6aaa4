"""Questions that are not asked again after an edit have the answer that they had."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from random import Random

import pytest
from benchmarks.editor.files import module_code

from headwater.pyspark.reading import settled
from headwater.pyspark.reading.incremental import Document, _Version
from headwater.pyspark.reading.queries import Answer, Question
from headwater.syntax.source.top_level import parse

from .edits import EDITS
from .test_incremental import EXAMPLES, HELPERS, ON_ONE_LINE, histories
from .test_segments import OWN

MANY = int(os.environ.get("HEADWATER_EDITS", "1"))
TEXTS = [HELPERS, ON_ONE_LINE + HELPERS, *EXAMPLES]


def wrong(monkeypatch: pytest.MonkeyPatch, versions: Iterable[str]) -> tuple[list[Question], int]:
    """The questions that count as settled from one of ``versions`` to the next and have another answer, and how many
    more count as settled."""
    found, right = list[Question](), 0

    def changed(self: _Version, before: _Version, asked: dict[Question, Answer]) -> set[Question]:
        nonlocal right
        is_settled = settled.settled_since(before.names.ctx.tree.body, self.names.ctx.tree.body)
        other = {q for q, answer in asked.items() if self.answers.to(q) != answer}
        found.extend(q for q in other if is_settled(q))
        right += sum(map(is_settled, asked.keys() - other))
        return other

    monkeypatch.setattr(_Version, "_changed", changed)
    document = Document()
    for version in filter(parses, versions):
        document.read(version)
    return found, right


def edited(seed: int) -> Iterator[str]:
    """Versions of a text after random edits."""
    random = Random(seed)
    yield from histories(seed, TEXTS[seed % len(TEXTS)])
    text = module_code(60, seed)
    for _ in range(12):
        yield text
        changed = random.choice([*OWN, *EDITS])(text, random)
        text = changed if parses(changed) else text


OF_THE_WHOLE_FILE = (
    "import pyspark.sql.functions as G\nG.max = G.min\n",
    "exec(open('settings.py').read())\n",
    "from util import *\n",
    "class Other:\n    def set(self):\n        setattr(type(self), 'x', 1)\n",
)


def around_edits_of_the_whole_file() -> Iterator[str]:
    for line in OF_THE_WHOLE_FILE:
        yield from (HELPERS, line + HELPERS, HELPERS, HELPERS + line)


def parses(text: str) -> bool:
    try:
        parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


@pytest.mark.parametrize("seed", range(6 * MANY))
def test_what_is_settled_has_not_changed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found, right = wrong(monkeypatch, edited(seed))
    assert not found
    assert right > 50


def test_what_an_edit_says_of_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not wrong(monkeypatch, around_edits_of_the_whole_file())[0]


@pytest.mark.parametrize(("part", "left_out"), [("_apart", lambda a, b: ((), ())), ("_of_the_file", lambda notes: [])])
def test_notices_what_is_left_out(part: str, left_out: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settled, part, left_out)
    assert wrong(monkeypatch, around_edits_of_the_whole_file())[0]
