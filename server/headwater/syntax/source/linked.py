"""The part of an analysed text that comes from other files: the definitions that the file imports.

They stand behind the text of the file itself, so that each of its characters keeps its place. In front of them is a
line that marks where they begin, then one comment for each file that they come from. What the file reads of a module,
``rules.best``, is one name in the text, ``rules_best``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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


def header(names: Iterable[tuple[str, str]], file: str) -> str:
    """The line that says which names come from ``file``: each as the file itself spells it, and there."""
    shown = (here if here == there else f"{here} = {there}" for here, there in names)
    return f"# `{', '.join(shown)}` from {file}\n"


def sources(text: str) -> dict[str, str]:
    """Each name that the file imports from another one, as it stands in ``text``, with that file."""
    return {_plain(n): file for names, file in _headers(text) for n in names}


def own_names(text: str) -> dict[str, str]:
    """What those of these names are called in their own files that have another name there."""
    return {_plain(n): there for names, _ in _headers(text) for n, there in names.items() if n != there}


def dotted(text: str) -> dict[str, str]:
    """How the file itself spells those of these names that it reads of modules: ``rules_best``, ``rules.best``."""
    return {_plain(n): n for names, _ in _headers(text) for n in names if "." in n}


def _plain(name: str) -> str:
    return name.replace(".", "_")


def _headers(text: str) -> Iterator[tuple[dict[str, str], str]]:
    if own_end(text) == len(text):
        return
    for line in text[own_end(text) + 1 + len(MARK) :].splitlines():
        match = _SOURCE.match(line)
        if match is None:
            return
        pairs = (name.partition(" = ") for name in match["names"].split(", "))
        yield {here: there or here for here, _, there in pairs}, match["file"]
