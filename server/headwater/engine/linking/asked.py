"""What is asked of a file and of its project while its imports are looked up, with the answers: as long as these are
the same, so is what is taken."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import cast

from .foreign import Foreign
from .modules import file_of, packages_of

_CALLED = re.compile(r"(?s)(?!.*(?:\bdef|\bclass|\.)\s*\w+\($).*\w\($")
"""The end of a text that calls what it names last, and does not define it."""
_WORD = re.compile(r"\w+")
_Question = tuple[str, str, Path]
Answers = dict[_Question, object]


class Asked:
    """The questions about a file with the text ``own``; ``read`` gives the text of another."""

    def __init__(self, own: str, read: Callable[[Path], str | None]) -> None:
        self._own, self._read = own, read
        self.answers: Answers = {}

    def mentions(self, name: str) -> bool:
        """Whether the word ``name`` stands anywhere in the file."""
        return bool(self._ask("mentions", name))

    def only_calls(self, name: str) -> bool:
        """Whether the file does no more with ``name`` than call it, and imports no names that it does not spell."""
        return bool(self._ask("only_calls", name))

    def file(self, module: str, importer: Path) -> Path | None:
        """As ``file_of``."""
        return cast("Path | None", self._ask("file", module, importer))

    def packages(self, path: Path) -> tuple[Path, ...]:
        """As ``packages_of``."""
        return cast("tuple[Path, ...]", self._ask("packages", "", path))

    def foreign(self, path: Path) -> Foreign | None:
        """The file ``path``, read."""
        return _foreign(path, cast("str | None", self._ask("text", "", path)))

    def still(self, answers: Answers) -> bool:
        """Whether what was asked of an earlier version has the same ``answers`` now."""
        return all(self._ask(*question) == answer for question, answer in answers.items())

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self._own))

    @property
    def files(self) -> set[Path]:
        """All files that were asked for."""
        return {path for kind, _, path in self.answers if kind == "text"}

    def _ask(self, kind: str, name: str, path: Path = Path()) -> object:
        question = (kind, name, path)
        if question not in self.answers:
            self.answers[question] = self._answer(kind, name, path)
        return self.answers[question]

    def _answer(self, kind: str, name: str, path: Path) -> object:
        if kind == "file":
            return file_of(name, path)
        if kind == "packages":
            return tuple(packages_of(path))
        if kind == "text":
            return self._read(path)
        if kind == "mentions":
            return name in self._words
        uses = re.finditer(rf"\b{name}\b", self._own) if name in self._words else ()
        return not re.search(r"\bimport\s*\*", self._own) and all(
            _CALLED.match(self._own[max(m.start() - 7, 0) : m.end() + 1]) for m in uses
        )


@lru_cache(maxsize=64)
def _foreign(path: Path, text: str | None) -> Foreign | None:
    return None if text is None else Foreign.of(path, text)
