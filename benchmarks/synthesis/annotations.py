"""What a suite file says of its filters, in comments above each chain.

    # kind: split
    # G: score >= 90
    # R: second IS NOT NULL
    # projection: yes
    # why: two rows at 90 or more decide it;
    #      the second slot tells whether there were two.
    scores.groupBy("team").applyInPandas(top2, SCHEMA).filter(...)

``kind`` and ``why`` are required. ``kind`` is ``exact``, ``split``, ``partial``, ``none`` with the obstructions that
may be named, or ``never``. ``G`` and ``R`` are Spark SQL; only ``why`` may go on on the next comment line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from headwater_ir.verdict import Obstruction

Kind = Literal["exact", "split", "partial", "none", "never"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_KEYS = ("kind", "G", "R", "projection", "why")
_ENTRY = re.compile(r"\s*#\s*(\w+):\s*(.*?)\s*$")
_COMMENT = re.compile(r"\s*#\s?(.*?)\s*$")


class FormatError(ValueError):
    """A suite file is not in the format; the message starts with file and line."""


@dataclass(frozen=True)
class Expectation:
    """What a person decided about one filter, and why. ``prefilter`` and ``residual`` are SQL, None where not stated.

    ``line`` is that of ``kind:``, counted from 1; ``start`` and ``end`` are the first and last line of the statement.
    """

    kind: Kind
    obstructions: tuple[Obstruction, ...]
    prefilter: str | None
    residual: str | None
    projection: bool
    why: str
    line: int
    start: int
    end: int


def expectations(source: str, file: str) -> tuple[Expectation, ...]:
    """The annotations of ``source`` in order. FormatError for one that is malformed or stands above no statement."""
    try:
        statements = {s.lineno: s for s in _simple_statements(ast.parse(source))}
    except SyntaxError as error:
        raise FormatError(f"{file}:{error.lineno or 1}: {error.msg}") from None
    return tuple(_expectation(block, statements, file) for block in _blocks(source.splitlines(), file))


def _simple_statements(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not hasattr(node, "body"):
            yield node


@dataclass
class _Block:
    """Consecutive comment lines that begin with ``kind:``: key → (line, text), and the line below."""

    entries: dict[str, tuple[int, str]]
    below: int


def _blocks(lines: list[str], file: str) -> Iterator[_Block]:
    block: _Block | None = None
    last = ""
    for number, line in enumerate(lines, 1):
        comment = _COMMENT.fullmatch(line)
        found = _ENTRY.fullmatch(line)
        if comment is None:
            if block is not None:
                yield block
            block = None
            continue
        key = found[1] if found else ""
        if block is None and key not in _KEYS:
            continue
        place = f"{file}:{number}"
        if block is None:
            if key != "kind":
                raise FormatError(f"{place}: `{key}:` before `kind:`")
            block = _Block({}, number)
        block.below = number + 1
        if found and key in _KEYS:
            if key in block.entries:
                raise FormatError(f"{place}: `{key}:` is there twice")
            block.entries[key] = (number, found[2])
            last = key
        elif last == "why":
            start, text = block.entries["why"]
            block.entries["why"] = (start, f"{text} {comment[1].strip()}".strip())
        else:
            raise FormatError(f"{place}: neither a key ({', '.join(_KEYS)}) nor a continuation of `why:`")
    if block is not None:
        yield block


def _expectation(block: _Block, statements: dict[int, ast.stmt], file: str) -> Expectation:
    line, said = block.entries["kind"]
    place = f"{file}:{line}"
    kind, *words = said.split() or [""]
    if kind not in KINDS:
        raise FormatError(f"{place}: kind is one of {', '.join(KINDS)}, not `{kind}`")
    _check_obstructions(kind, words, place)
    if not block.entries.get("why", (0, ""))[1]:
        raise FormatError(f"{place}: without a `why:`")
    projection = block.entries.get("projection", (0, "no"))[1]
    if projection not in ("yes", "no"):
        raise FormatError(f"{place}: `projection:` is yes or no")
    if kind in ("none", "never") and {"G", "R"} & block.entries.keys():
        raise FormatError(f"{place}: `{kind}` has no G and no R")
    statement = statements.get(block.below)
    if statement is None:
        raise FormatError(f"{place}: no statement directly below")
    return Expectation(
        kind=kind,
        obstructions=tuple(words),  # type: ignore[arg-type]
        prefilter=block.entries.get("G", (0, None))[1],
        residual=block.entries.get("R", (0, None))[1],
        projection=projection == "yes",
        why=block.entries["why"][1],
        line=line,
        start=statement.lineno,
        end=statement.end_lineno or statement.lineno,
    )


def _check_obstructions(kind: str, words: list[str], place: str) -> None:
    known = get_args(Obstruction)
    if kind == "none" and not words:
        raise FormatError(f"{place}: `none` names no obstruction")
    if kind != "none" and words:
        raise FormatError(f"{place}: `{kind}` takes no obstruction")
    for word in words:
        if word not in known:
            raise FormatError(f"{place}: `{word}` is no obstruction; there are {', '.join(known)}")
