"""The part of an analysed text that comes from other files: the definitions that the file imports.

They stand behind the text of the file itself, so that each of its characters keeps its place. In front of them is a
line that marks where they begin, then one comment for each file that they come from.
"""

from __future__ import annotations

import re
from typing import TypeVar

from .lines import split_lines

MARK = "# --- headwater: definitions of other files of the project ---\n"
PREFIX = "_linked_"
"""Begins the names under which these definitions import what they use: the file itself cannot use them."""
T = TypeVar("T")
_SOURCE = re.compile(r"^# `(?P<names>.+)` from (?P<file>.+)$")


def own_end(text: str) -> int:
    """Where the file itself ends."""
    at = text.rfind("\n" + MARK)
    return len(text) if at < 0 else at


def in_order(statements: list[T], lines: list[int], text: str) -> list[T]:
    """``statements``, which begin on these ``lines``, counted from 1, as they run: imports come first."""
    end = own_end(text)
    if end == len(text):
        return statements
    last = len(split_lines(text[:end]))
    own = sum(1 for line in lines if line <= last)
    return [*statements[own:], *statements[:own]]


def header(names: list[str], file: str) -> str:
    """The line that says which ``names`` come from ``file``."""
    return f"# `{', '.join(names)}` from {file}\n"


def sources(text: str) -> dict[str, str]:
    """Each name that the file imports from another one, with that file."""
    if own_end(text) == len(text):
        return {}
    found: dict[str, str] = {}
    for line in text[own_end(text) + 1 + len(MARK) :].splitlines():
        match = _SOURCE.match(line)
        if match is None:
            break
        found |= dict.fromkeys(match["names"].split(", "), match["file"])
    return found
