"""Notebooks as text: Databricks sources (``# COMMAND ----------``), Fabric's (``# CELL ****``), percent (``# %%``) and
nbconvert scripts.

A notebook is one program in the order of its cells. What Python does not read in it (magics, shell commands, cells
in another language or that do not parse) is blanked, so that every other character keeps its place, and *stands in* as
code that reads and binds whatever it names: a broken cell costs the other cells no more than that.

IPython's grammar: https://ipython.readthedocs.io/en/stable/interactive/magics.html; Databricks' source format:
https://docs.databricks.com/en/notebooks/notebook-export-import.html.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from headwater_ir.span import Span

from .lines import split_lines
from .unreadable_code import with_stand_ins

Effect = Literal["nothing", "reads", "names", "anything"]
"""What a hidden part may do to Python variables: read those that it names, read and bind those, or any."""

_MARKS = (
    re.compile(r"^# COMMAND -{5,}[ \t]*$", re.MULTILINE),
    re.compile(r"^#[ \t]?(?:%%|In[ \t]?\[[\d *]*\]).*$", re.MULTILINE),
    re.compile(r"^# (?:CELL|PARAMETERS CELL|MARKDOWN|METADATA) \*{2,}.*$", re.MULTILINE),
)
_DATABRICKS_HEAD = "# Databricks notebook source"
_DATABRICKS_MAGIC = re.compile(r"^# MAGIC[ \t]+%+[ \t]*(?P<name>\w+).*(?:\n# MAGIC\b.*)*", re.MULTILINE)
_ASSIGNED = re.compile(r"(?P<head>[ \t]*(?:[\w., ]+=[ \t]*)?)(?P<rest>[%!?].*)$")
_ASKED = re.compile(r"(?P<head>[ \t]*)(?P<rest>[\w.]+[ \t]*\?{1,2})[ \t]*$")
_NAME = re.compile(r"%%?[ \t]*(\w+)")
_EFFECTS: dict[str, Effect] = {
    **dict.fromkeys(
        """matplotlib pip conda sh fs md config load_ext autoreload reload_ext env set_env cd ls pwd bash script html
        javascript js latex svg writefile perl ruby markdown info logs cleanup configure""".split(),
        "nothing",
    ),
    **dict.fromkeys("sql who whos R r scala".split(), "reads"),
    **dict.fromkeys("time timeit prun".split(), "names"),
}
"""Of other magics nobody knows: ``%run`` and ``%load`` bring in code that is not here."""

_PYTHON_CELLS = frozenset("time timeit capture prun python python3 py pyspark".split())
"""Cell magics under which the cell is Python that runs here; what ``timeit`` binds stays in it, which is only less."""

_MOST_HIDDEN = 1000
_MOST_IN_CELL = 100
"""Nobody writes more; to hide one takes as long as to parse its cell."""


@dataclass(frozen=True)
class Hidden:
    """A part of the text that Python does not read. ``why``: what is wrong with it; None for what is no fault."""

    span: Span
    effect: Effect
    why: str | None = None


@dataclass(frozen=True)
class Readable:
    """``text``: as long as the source, with the hidden parts blank; ``tree``: its syntax tree, stand-ins included."""

    text: str
    tree: ast.Module
    hidden: tuple[Hidden, ...] = ()


def is_notebook(source: str) -> bool:
    """Whether ``source`` says that it consists of cells."""
    return source.startswith(_DATABRICKS_HEAD) or any(mark.search(source) for mark in _MARKS)


def cells(source: str) -> list[Span]:
    """The cells of ``source`` without the lines that part them; all of it where there are none."""
    marks = sorted({m.span() for mark in _MARKS for m in mark.finditer(source)})
    return [Span(a, b) for (_, a), (b, _) in pairwise([(0, 0), *marks, (len(source), 0)])]


def parse(source: str) -> Readable:
    """``source`` as Python reads it. SyntaxError, ValueError, RecursionError, MemoryError are those of ``ast.parse``;
    but a notebook has no syntax errors, only hidden cells."""
    hidden = list(_databricks(source))
    text = source
    try:
        tree = tree_of(source)
    except (SyntaxError, UnicodeEncodeError):
        if not is_notebook(source):
            raise
        text, more = _blanked(source)
        tree = tree_of(text)
        hidden = sorted([*hidden, *more], key=lambda h: h.span)
    with_stand_ins(tree, source, [(h.span, h.effect) for h in hidden])
    return Readable(text, tree, tuple(hidden))


def _databricks(source: str) -> Iterator[Hidden]:
    """Databricks writes a cell with a magic as comments; some of them run here all the same, ``%python`` is one."""
    for found in _DATABRICKS_MAGIC.finditer(source):
        name = found["name"]
        effect = "names" if name in _PYTHON_CELLS else _EFFECTS.get(name, "anything")
        if effect != "reads":  # another language: it sees tables, no variables
            yield Hidden(Span(*found.span()), effect)


def of_other_languages(source: str) -> Iterator[str]:
    """The cells of other languages that may read tables, which Databricks writes as comments."""
    for found in _DATABRICKS_MAGIC.finditer(source):
        if _EFFECTS.get(found["name"], "anything") != "nothing":
            yield found.group()


def runs_others(source: str) -> bool:
    """Whether code of other notebooks runs in ``source``, though all of it is Python."""
    return any(h.effect != "nothing" for h in _databricks(source))


def tree_of(text: str) -> ast.Module:
    """``ast.parse``, with nothing said on the user's strings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the compiler thinks of the user's string escapes
        return ast.parse(text)


# --- hiding


def _blanked(source: str) -> tuple[str, list[Hidden]]:
    parts: list[str] = []
    hidden: list[Hidden] = []
    end = 0
    for cell in cells(source):
        text, found = _blank_cell(cell.text(source), cell.start)
        parts += [source[end : cell.start], text]
        hidden += found
        _bound(hidden)
        end = cell.end
    return "".join(parts), hidden


def _blank_cell(text: str, start: int) -> tuple[str, list[Hidden]]:
    """One cell: as it is, else without its magics, else nothing of it."""
    lines = split_lines(text)
    hidden: list[Hidden] = []
    whole = Span(start, start + len(text))
    at = _cell_magic(lines)
    if at is not None:
        name = _magic_name(lines[at])
        if name not in _PYTHON_CELLS:
            return _blank(text), [Hidden(whole, _EFFECTS.get(name, "anything"))]
        hidden.append(_hide(lines, at, start, ""))
    while True:
        try:
            tree_of("".join(lines))
        except SyntaxError as error:
            at = (error.lineno or 1) - 1
            if at < len(lines) and (magic := _ASSIGNED.match(_bare(lines[at])) or _ASKED.match(_bare(lines[at]))):
                if len(hidden) == _MOST_IN_CELL:
                    return _blank(text), [Hidden(whole, _broken(text), f"more than {_MOST_IN_CELL} magics in one cell")]
                hidden.append(_hide(lines, at, start, magic["head"] + "_"))
                continue
            return _blank(text), [Hidden(whole, _broken(text), f"the cell does not parse: {error.msg}")]
        except (ValueError, RecursionError, MemoryError) as error:
            return _blank(text), [Hidden(whole, _broken(text), f"the cell does not parse: {error}")]
        return "".join(lines), hidden


def _bound(hidden: list[Hidden]) -> None:
    if len(hidden) > _MOST_HIDDEN:
        raise ValueError(f"more than {_MOST_HIDDEN:,} parts of the notebook are not Python")


def _broken(text: str) -> Effect:
    """What a cell that does not parse may do: what its text names, and what the magics in it do."""
    magics = (found["rest"] for line in split_lines(text) if (found := _ASSIGNED.match(_bare(line))))
    return "anything" if any(_effect(magic) == "anything" for magic in magics) else "names"


def _cell_magic(lines: list[str]) -> int | None:
    """The line of a ``%%magic``: the first that is neither empty nor a comment."""
    for number, line in enumerate(lines):
        if line.strip() and not line.startswith("#"):
            return number if line.startswith("%%") else None
    return None


def _hide(lines: list[str], at: int, start: int, stays: str) -> Hidden:
    """Blank the magic in line ``at`` and the lines that continue it; ``stays`` is left in the first."""
    begin = start + sum(map(len, lines[:at]))
    first, end = lines[at], at
    while _bare(lines[end]).endswith("\\") and end + 1 < len(lines):
        end += 1
    span = Span(begin, begin + sum(map(len, lines[at : end + 1])))
    for number in range(at, end + 1):
        kept = stays if number == at else ""
        lines[number] = kept + _blank(lines[number][len(kept) :])
    return Hidden(span, _effect(first))


def _effect(line: str) -> Effect:
    if line.lstrip().startswith("!"):
        return "reads"
    return _EFFECTS.get(_magic_name(line), "anything" if "%" in line else "reads")


def _magic_name(line: str) -> str:
    found = _NAME.search(line)
    return found[1] if found else ""


def _bare(line: str) -> str:
    return line.rstrip("\r\n")


def _blank(text: str) -> str:
    """As long, with the same line ends, and nothing in it."""
    return re.sub(r"[^\r\n]", " ", text)
