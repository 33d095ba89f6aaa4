"""Regular expressions that are made of plain texts, of which Python and Java say the same.

``choices``: a pattern is a choice of texts, each perhaps at the beginning or at the end of what is searched. It finds
something exactly where one of them is there. ``$`` is also in front of a newline at the end.

``beginnings``: a pattern of which each alternative begins with ``^`` finds something only in texts that begin with one
of the beginnings of its alternatives, from ``^`` on: plain characters, small sets of such (``[ab]``, ``[0-9]``) and
groups of alternatives. What may be left out or repeated (``ab?``) ends a beginning, as does all that is not named
here. Where nothing or ``.*`` follows, each text that begins so is found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST = 8
"""More beginnings hide what is asked."""
_CHARACTER = re.compile(r"[^\\^$.|?*+()\[\]{}]|\\[^\w\s]")
"""One that stands for itself in a pattern."""
_SET = re.compile(r"\[((?:[^\W_](?:-[^\W_])?)+)\]")
"""Letters and digits, and those from one to another."""
_QUANTIFIED = ("?", "*", "+", "{")
_GROUP = re.compile(r"\((?:\?:)?")
_REST = re.compile(r"(?:[^|()\[\]\\]|\\[^\w\s]|\\[dDsSwWbB])*")
"""What holds no choice, up to one or to where one may be."""


def plain(pattern: str) -> str:
    """What stands for itself at the beginning of a pattern, as it is written."""
    found = re.match(f"(?:{_CHARACTER.pattern})*", pattern)
    return found[0] if found else ""


def bare(characters: str) -> str:
    """Plain characters of a pattern, as they are in texts."""
    return re.sub(r"\\(.)", r"\1", characters)


@dataclass(frozen=True)
class Choice:
    """One of ``texts``: at the beginning if it ``begins`` so; ``ends``: ``$`` or ``\\Z`` stands behind it."""

    texts: tuple[str, ...]
    begins: bool
    ends: str


def choices(pattern: str, *, anywhere: bool, whole: bool) -> tuple[Choice, ...] | None:
    """The choices that ``pattern`` is made of, as Python reads it, none of them empty; None if it is something else.
    What it finds may stand ``anywhere``, or is the ``whole`` text."""
    found, at = list[Choice](), 0
    while True:
        begins = pattern[at : at + 1] == "^"
        if anywhere and not begins and pattern.startswith(".*", at):
            at += 2  # nothing need be in front of what is found
        one = _sequence(pattern, at + begins)
        rest = _ENDS.match(pattern, one.at)
        if rest is None or not all(one.texts) or (whole and rest[0] == ".*"):
            return None
        found.append(Choice(one.texts, begins, rest[1] or ""))
        if rest.end() == len(pattern):
            return tuple(found) if sum(len(c.texts) for c in found) <= MOST else None
        at = rest.end() + 1


_ENDS = re.compile(r"(?:\.\*|(\$|\\Z))?(?=\||\Z)")


@dataclass(frozen=True)
class _Begun:
    """Beginnings, where the pattern goes on, and whether nothing but these has been passed until there."""

    texts: tuple[str, ...]
    at: int
    whole: bool


def beginnings(pattern: str) -> tuple[tuple[str, ...], bool] | None:
    """The beginnings of what ``pattern`` finds, none of them empty, and whether it finds all that begins so; None if
    nothing is known of them."""
    texts, whole, at = list[str](), True, 0
    while pattern[at : at + 1] == "^":
        one = _sequence(pattern, at + 1)
        rest = _REST.match(pattern, one.at)
        end = len(pattern) if rest is None or "|" not in pattern[one.at :] else rest.end()
        if pattern[end : end + 1] not in ("", "|") or (one.whole and one.at != end):
            return None
        texts += one.texts
        whole &= one.whole or pattern[one.at : end] == ".*"
        if end == len(pattern):
            found = tuple(dict.fromkeys(texts))
            return (found, whole) if all(found) and len(found) <= MOST else None
        at = end + 1
    return None


def _sequence(pattern: str, at: int) -> _Begun:
    """The beginnings of one alternative, from ``at`` on: up to its end, or to what is not known."""
    texts: tuple[str, ...] = ("",)
    while pattern[at : at + 1] not in ("", "|", ")"):
        item = _item(pattern, at)
        often = item is not None and pattern.startswith(_QUANTIFIED, item.at)
        if item is None or len(texts) * len(item.texts) > MOST or (often and pattern[item.at] != "+"):
            return _Begun(texts, at, whole=False)
        texts, at = tuple(a + b for a in texts for b in item.texts), item.at
        if often:
            return _Begun(texts, at, whole=False)
    return _Begun(texts, at, whole=True)


def _item(pattern: str, at: int) -> _Begun | None:
    """A character, a set or a group."""
    one = _CHARACTER.match(pattern, at)
    if one is not None:
        return _Begun((bare(one[0]),), one.end(), whole=True)
    several = _SET.match(pattern, at)
    if several is not None:
        texts = _members(several[1])
        return None if texts is None else _Begun(texts, several.end(), whole=True)
    group = _GROUP.match(pattern, at)
    if group is None:
        return None
    texts, at = tuple[str, ...](), group.end()
    while True:
        one_of = _sequence(pattern, at)
        texts, at = texts + one_of.texts, one_of.at
        if not one_of.whole or at == len(pattern):
            return None
        if pattern[at] == ")":
            return _Begun(texts, at + 1, whole=True)
        at += 1


def _members(of: str) -> tuple[str, ...] | None:
    found = list[str]()
    for start, end in re.findall(r"(.)(?:-(.))?", of):
        if end and not (start.isascii() and end.isascii() and start <= end):
            return None
        found += map(chr, range(ord(start), ord(end or start) + 1))
    return tuple(dict.fromkeys(found)) if len(found) <= MOST else None


_FIRST_GROUP = re.compile(r"\^\((?:[^\\\[\](){}]|\\[^QEkpPx0-9]|\[\^?(?:[^\\\[\]&]|\\[^QEkpPx0-9])+\]|\{\d+,?\d*\})*\)")


def starts_with_group(pattern: str) -> bool:
    """Whether the first group of ``pattern``, if it finds something, is the beginning of the text."""
    found = _FIRST_GROUP.match(pattern)
    return found is not None and pattern[2:3] != "?" and not pattern.startswith(_QUANTIFIED, found.end())
