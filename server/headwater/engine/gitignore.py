"""What ``.gitignore`` files say of a path: nested ones, negations, and a repository's own ``info/exclude``.

https://git-scm.com/docs/gitignore. Patterns are matched by ``pathspec``. What the user's global configuration ignores
is not looked at: a scan gives the same result on every machine.
"""

from __future__ import annotations

import re
from pathlib import Path

from pathspec import GitIgnoreSpec

from .files import read_regular

NAME = ".gitignore"
MAX_BYTES = 1_000_000
_MANY_STARS = re.compile(r"\*(?:[^/*]+\*){3}|(?:\*\*.*){4}")
"""Patterns on which a matcher may try for ever. No repository needs them; without them more files are looked at."""


class Rules:
    """The rules that hold in one directory: its own and, below a repository's root, those of its parents."""

    def __init__(self, name: str, spec: GitIgnoreSpec | None, parent: Rules | None) -> None:
        self._name, self._spec, self._parent = name, spec, parent

    def ignores(self, entry: str, directory: bool) -> bool:
        """Whether ``entry`` of this directory is ignored. The innermost rule that speaks of it decides."""
        path, rules = entry + "/" * directory, self
        while True:
            said = rules._spec and rules._spec.check_file(path, separators=()).include
            if said is not None:
                return bool(said)
            if rules._parent is None:
                return False
            path, rules = f"{rules._name}/{path}", rules._parent

    def below(self, directory: Path) -> Rules:
        """The rules in a subdirectory. A repository inside of a repository has its own only."""
        root = (directory / ".git").exists()
        return Rules(directory.name, _spec(directory, root), None if root else self)


def rules_of(directory: Path) -> Rules:
    """The rules in any directory; those of its parents count as far up as its repository goes."""
    real = directory.resolve()
    chain = [real, *real.parents]
    root = next((i for i, d in enumerate(chain) if (d / ".git").exists()), 0)
    rules = Rules("", _spec(chain[root], True), None)
    for inner in reversed(chain[:root]):
        rules = rules.below(inner)
    return rules


def _spec(directory: Path, root: bool) -> GitIgnoreSpec | None:
    """The patterns of one directory, compiled; None if there are none."""
    lines = [*_lines(directory / ".git" / "info" / "exclude")] if root else []
    lines += _lines(directory / NAME)
    if not lines:
        return None
    try:
        return GitIgnoreSpec.from_lines(lines)
    except (ValueError, re.error):
        return GitIgnoreSpec.from_lines(filter(_is_pattern, lines))


def _lines(path: Path) -> list[str]:
    try:
        text = read_regular(path, MAX_BYTES).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return []
    return [line for line in text.splitlines() if not _MANY_STARS.search(line)]


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
