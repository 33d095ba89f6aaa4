"""Suppression comments are those of the whole text, though only the statements are tokenized that may hold one."""

from __future__ import annotations

import ast
import io
import tokenize
from random import Random

import pytest
from benchmarks.frontend.programs import file_of

from headwater.pyspark.reading.module import read_module
from headwater.syntax.source import suppress
from headwater.syntax.source.suppress import read_suppressions
from tests.pyspark.edits import EDITS

COMMENTS = ["# headwater: ignore", "# headwater: ignore[HW101]", "#headwater:ignore [hw1, HW2]", "# headwater: ignored"]
TRAPS = [
    "a = '''\n# headwater: ignore\n'''\n",
    "a = '''\n'''; b = (1,  # headwater: ignore\n2)\n",
    "a = '''\n'''; b = '''\n# headwater: ignore[HW101]\n'''; c = 1  # headwater: ignore\n",
    "x = 1 \\\n# headwater: ignore\ny = 2\n",
    "\\\n# headwater: ignore\n",
    "@f(\n# headwater: ignore\n)\n# headwater: ignore[HW2]\ndef g(): pass  # headwater: ignore-file\n",
    "if a:\n    '# headwater: ignore'\n    # headwater: ignore\nelse:\n  b\n# headwater: ignore[HW1]\n",
    "a = 1\r# headwater: ignore\rb = 2\n# headwater: ignore[HW3]\n",
    "a = 1\r\n# headwater: ignore\r\nb = 2  # headwater: ignore[HW3]\r\n",
    "\f# headwater: ignore\n\fa = 1  # headwater: ignore",
    "a = f'{1}# headwater: ignore' '' # headwater: ignore[HW9] # headwater: ignore[HW8]\n",
    "a = 'é' # \u2028 headwater: ignore\nb # headwater: ignore\u2028\n",
]


def parts(text: str) -> suppress.Suppressions:
    """What is found of a text of which the statements are known."""
    return read_suppressions(text, ast.parse(text).body)


def agrees(text: str) -> bool:
    """Whether the same is found of the whole text, or nothing is lost if that does not tokenize to its end."""
    found, of_whole = parts(text), read_suppressions(text)
    try:
        for _ in tokenize.generate_tokens(io.StringIO(text).readline):
            pass
    except (tokenize.TokenError, SyntaxError):
        return {*found[0]} >= {*of_whole[0]} and found[1] >= of_whole[1]
    return found == of_whole


@pytest.mark.parametrize("text", TRAPS)
def test_traps(text: str) -> None:
    assert agrees(text)


def test_what_only_tokenize_cannot_read_costs_nothing() -> None:
    text = "if a:\n    if b:\n        c\n  \\\n\nd  # headwater: ignore\n"
    assert read_suppressions(text) == ((), False)
    assert parts(text) == (((5, ()),), False)


def texts(seed: int) -> list[str]:
    """Python with comments, in strings as well, anywhere."""
    random, text, found = Random(seed), file_of(60, seed), []
    for _ in range(60):
        lines = text.splitlines(keepends=True)
        at = random.randrange(len(lines))
        more = random.choice(COMMENTS) if random.random() < 0.7 else random.choice(['"""', "(", ")", "\\"])
        lines[at] = lines[at].rstrip("\n") + random.choice(["  ", "\n"]) + more + "\n"
        edited = "".join(lines) if random.random() < 0.6 else random.choice(EDITS)(text, random)
        try:
            ast.parse(edited)
        except (SyntaxError, ValueError):
            continue
        text = edited
        found.append(text)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_random_texts(seed: int) -> None:
    for text in texts(seed):
        assert agrees(text)


def by_lines(source: str, places: list[int], body: list[ast.stmt] | None) -> list[tuple[int, str]]:
    """A text in pieces that are parts of tokens."""
    return [(0, source)] if body is None else [*enumerate(source.splitlines(keepends=True))]


def test_notices_a_planted_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suppress, "_pieces", by_lines)
    assert any(not agrees(text) for text in [*TRAPS, *texts(0)])


def test_only_what_may_hold_a_comment_is_tokenized(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import pyspark\n\ndef f():\n    headwater = 1\n\na = (\n1)  # headwater: ignore\nb = 2\n"
    taken: list[str] = []

    def noted(part: str) -> list[tuple[int, str]]:
        taken.append(part)
        return []

    monkeypatch.setattr(suppress, "_comments", noted)
    read_module(text)
    assert taken == ["a = (\n1)  # headwater: ignore\n"]
