"""What ``.gitignore`` files say of a path: nested ones, negations, and a repository's own ``info/exclude``.

https://git-scm.com/docs/gitignore. Patterns are matched by ``pathspec``. What the user's global configuration ignores
is not looked at: a scan gives the same result on every machine.
"""

from __future__ import annotations

import re
from pathlib import Path

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from .regular_file import read_regular

NAME = ".gitignore"
MAX_BYTES = 1_000_000
_Pattern = tuple["re.Pattern[str]", bool, bool]
_MANY_STARS = re.compile(r"\*(?:[^/*]+\*){3}|(?:\*\*.*){4}")
"""Patterns on which a matcher may try for ever. No repository needs them; without them more files are looked at."""


class Rules:
    """The rules that hold in one directory: its own and, below a repository's root, those of its parents."""

    def __init__(self, name: str, patterns: list[_Pattern], parent: Rules | None) -> None:
        self._name, self._patterns, self._parent = name, patterns, parent

    def ignores(self, entry: str, directory: bool) -> bool:
        """Whether ``entry`` of this directory is ignored. The last and innermost pattern that fits it decides."""
        path, rules = entry + "/" * directory, self
        while True:
            for regex, within, include in rules._patterns:
                if _fits(regex, within, path):
                    return include
            if rules._parent is None:
                return False
            path, rules = f"{rules._name}/{path}", rules._parent

    def below(self, directory: Path) -> Rules:
        """The rules in a subdirectory. A repository inside of a repository has its own only."""
        root = (directory / ".git").exists()
        return Rules(directory.name, _patterns(directory, root), None if root else self)


def _fits(regex: re.Pattern[str], within: bool, path: str) -> bool:
    """Whether a pattern is about ``path`` itself. Those of ``pathspec`` also fit what lies below a directory that they
    fit, which is wrong of a negation: git asks them of the directory, and then of what is in it. ``within``: like
    ``b/**``, it is about what is in b only."""
    for found in regex.finditer(path):
        if "ps_d" in regex.groupindex:
            if found["ps_d"] is None or found.end() == len(path):
                return True
        elif not regex.pattern.endswith("/") or (found.end() < len(path)) == within:
            return True
    return False


def rules_of(directory: Path) -> Rules:
    """The rules in any directory; those of its parents count as far up as its repository goes."""
    real = directory.resolve()
    chain = [real, *real.parents]
    root = next((i for i, d in enumerate(chain) if (d / ".git").exists()), 0)
    rules = Rules("", _patterns(chain[root], True), None)
    for inner in reversed(chain[:root]):
        rules = rules.below(inner)
    return rules


def _patterns(directory: Path, root: bool) -> list[_Pattern]:
    """The patterns of one directory, the last first."""
    lines = [*_lines(directory / ".git" / "info" / "exclude")] if root else []
    lines += _lines(directory / NAME)
    return [pattern for line in reversed(lines) for pattern in _pattern(line)]


def _lines(path: Path) -> list[str]:
    try:
        text = read_regular(path, MAX_BYTES).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return []
    return [line for line in text.splitlines() if not _MANY_STARS.search(line)]


def _pattern(line: str) -> list[_Pattern]:
    """The pattern on a line; none on a blank one, a comment, and one that is no pattern."""
    try:
        found = GitIgnoreSpecPattern(line)
    except (ValueError, re.error):
        return []
    return (
        []
        if found.include is None or found.regex is None
        else [(found.regex, line.rstrip().endswith("/**"), found.include)]
    )
