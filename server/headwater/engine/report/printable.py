"""Texts of others, made safe to look at."""

from __future__ import annotations

import unicodedata

_CONTROLS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def printable(text: str) -> str:
    """``text`` on one line and without what a terminal obeys: control characters, changes of direction, line ends."""
    if text.isprintable():
        return text
    return "".join(c if c in " \t" or unicodedata.category(c) not in _CONTROLS else _escape(c) for c in text)


def _escape(char: str) -> str:
    return char if "\udc80" <= char <= "\udcff" else char.encode("unicode_escape").decode("ascii")
