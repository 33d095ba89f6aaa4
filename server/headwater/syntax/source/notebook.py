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
from functools import lru_cache
from itertools import pairwise, zip_longest
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

_LANGUAGE = re.compile(r"\s*%python\s*")
"""It says that the cell is what it is anyway."""
_OPEN = "if 1:"
"""In its body Python takes statements that are indented."""
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
    """``text``: as long as the source, with the hidden parts blank and indented cells in blocks; ``tree``: the syntax
    tree, stand-ins included, without these blocks."""

    text: str
    tree: ast.Module
    hidden: tuple[Hidden, ...] = ()


def is_notebook(source: str) -> bool:
    """Whether ``source`` says that it consists of cells."""
    return source.startswith(_DATABRICKS_HEAD) or any(mark.search(source) for mark in _MARKS)


@lru_cache(maxsize=8)
def cells(source: str) -> tuple[Span, ...]:
    """The cells of ``source`` without the lines that part them; all of it where there are none."""
    marks = sorted({m.span() for mark in _MARKS for m in mark.finditer(source)})
    return tuple(Span(a, b) for (_, a), (b, _) in pairwise([(0, 0), *marks, (len(source), 0)]))


def parse(source: str) -> Readable:
    """``source`` as Python reads it. SyntaxError, ValueError, RecursionError, MemoryError are those of ``ast.parse``;
    but a notebook has no syntax errors, only hidden cells."""
    hidden = list(_databricks(source))
    text = source
    try:
        if source.startswith(_DATABRICKS_HEAD) and any(
            _indentation(split_lines(c.text(source))) for c in cells(source)
        ):
            raise IndentationError("a cell is indented")  # which is no part of a block in the one before
        tree = tree_of(source)
    except (SyntaxError, UnicodeEncodeError):
        if not is_notebook(source):
            raise
        text, more, indented = _blanked(source)
        tree = tree_of(text)
        tree.body = [inner for s in tree.body for inner in indented.get(s.lineno, [s])]
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


def has_indented_cell(source: str) -> bool:
    """Whether ``source`` is a notebook with a cell that Python would take for a part of the block in front of it."""
    databricks = source.startswith(_DATABRICKS_HEAD)
    return databricks and any(_indentation(split_lines(c.text(source))) for c in cells(source))


def runs_others(source: str) -> bool:
    """Whether code of other notebooks runs in ``source``, though all of it is Python."""
    return any(h.effect != "nothing" for h in _databricks(source))


def tree_of(text: str) -> ast.Module:
    """``ast.parse``, with nothing said on the user's strings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the compiler thinks of the user's string escapes
        return ast.parse(text)


# --- hiding


def _blanked(source: str) -> tuple[str, list[Hidden], dict[int, list[ast.stmt]]]:
    """``source`` without what Python does not read; that; and the statements of each indented cell, by the line in
    front of it, where a block is opened for them."""
    parts: list[str] = []
    hidden: list[Hidden] = []
    indented: dict[int, list[ast.stmt]] = {}
    end = 0
    for cell in cells(source):
        text, found, block = _blank_cell(cell.text(source), cell.start)
        mark = source[end : cell.start]
        if block is not None and len(mark) < len(_OPEN):
            text, found, block = _blank(text), [Hidden(cell, _broken(text), "the first cell is indented")], None
        if block is not None:
            mark, line = _OPEN.ljust(len(mark)), source.count("\n", 0, cell.start)
            indented[line + 1] = [ast.increment_lineno(s, line) for s in block]
        parts += [mark, text]
        hidden += found
        _bound(hidden)
        end = cell.end
    return "".join(parts), hidden, indented


def _indentation(lines: list[str]) -> str:
    """That of the first line of a cell, which is neither empty nor Databricks' title."""
    first = next((s for s in lines if s.strip() and not s.startswith("# DBTITLE")), "")
    return first[: len(first) - len(first.lstrip(" \t"))]


def _indented(lines: list[str]) -> list[ast.stmt] | None:
    """The statements of ``lines``, where they are a cell of which IPython takes away the indentation of its first line,
    in multi-line texts too; at their places in ``lines``."""
    indentation = _indentation(lines)
    try:
        block = tree_of(_OPEN + "".join(lines)).body
        alone = tree_of("".join(s.removeprefix(indentation) for s in lines)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    opened = block[0]
    if not indentation or len(block) > 1 or not isinstance(opened, ast.If) or opened.orelse:
        return None
    pairs = [*zip_longest(ast.walk(ast.Module(opened.body, [])), ast.walk(ast.Module(alone, [])))]
    if any(type(mine) is not type(other) for mine, other in pairs):
        return None
    for mine, other in pairs:
        if isinstance(mine, ast.Constant) and isinstance(other, ast.Constant):
            mine.value = other.value
    return opened.body


def _blank_cell(text: str, start: int) -> tuple[str, list[Hidden], list[ast.stmt] | None]:
    """One cell: as it is, else without its magics, else nothing of it; and its statements, where it is indented."""
    lines = split_lines(text)
    hidden: list[Hidden] = []
    whole = Span(start, start + len(text))
    at = _cell_magic(lines)
    if at is not None:
        name = _magic_name(lines[at])
        if name not in _PYTHON_CELLS:
            return _blank(text), [Hidden(whole, _EFFECTS.get(name, "anything"))], None
        hidden.append(_hide(lines, at, start, ""))
    while True:
        try:
            tree_of("".join(lines))
        except SyntaxError as error:
            at = (error.lineno or 1) - 1
            if at < len(lines) and (magic := _ASSIGNED.match(_bare(lines[at])) or _ASKED.match(_bare(lines[at]))):
                if len(hidden) == _MOST_IN_CELL:
                    why = f"more than {_MOST_IN_CELL} magics in one cell"
                    return _blank(text), [Hidden(whole, _broken(text), why)], None
                hidden.append(_hide(lines, at, start, magic["head"] + "_"))
                continue
            block = _indented(lines)
            if block is not None:
                return "".join(lines), hidden, block
            return _blank(text), [Hidden(whole, _broken(text), f"the cell does not parse: {error.msg}")], None
        except (ValueError, RecursionError, MemoryError) as error:
            return _blank(text), [Hidden(whole, _broken(text), f"the cell does not parse: {error}")], None
        return "".join(lines), hidden, None


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
    if _LANGUAGE.fullmatch(line):
        return "nothing"
    return _EFFECTS.get(_magic_name(line), "anything" if "%" in line else "reads")


def _magic_name(line: str) -> str:
    found = _NAME.search(line)
    return found[1] if found else ""


def _bare(line: str) -> str:
    return line.rstrip("\r\n")


def _blank(text: str) -> str:
    """As long, with the same line ends, and nothing in it."""
    return re.sub(r"[^\r\n]", " ", text)
