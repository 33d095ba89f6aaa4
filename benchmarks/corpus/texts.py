"""The Python text of a corpus file, with the way back to the file's own lines."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path

_PYSPARK = re.compile(r"\bpyspark\b|\bspark\s*\.\s*(read|sql|table|createDataFrame)\b")
_MAGIC = re.compile(r"^\s*[%!?]")
_MARK = re.compile(r"(?m)^# COMMAND -+[ \t]*$")


@dataclass(frozen=True)
class Cell:
    """A code cell of an ``.ipynb``: its number among them (from 0) and the line of ``Text.text`` where it starts."""

    number: int
    start: int


@dataclass(frozen=True)
class Text:
    """``text`` holds every part of the file that parses; ``lost`` counts the cells that do not."""

    text: str
    cells: tuple[Cell, ...] = ()
    lost: int = 0

    @property
    def is_pyspark(self) -> bool:
        """Whether the file has to do with PySpark at all."""
        return bool(_PYSPARK.search(self.text))

    def place(self, line: int) -> str:
        """A line of ``text`` as a reader finds it: ``12``, or ``cell 3:2`` in a notebook."""
        here = [c for c in self.cells if c.start <= line]
        return f"cell {here[-1].number}:{line - here[-1].start + 1}" if here else str(line)

    def line_in_cell(self, cell: int, content: str) -> int | None:
        """The line of ``text`` in code cell ``cell`` that reads ``content``."""
        lines = self.text.splitlines()
        for at, nxt in zip(self.cells, (*self.cells[1:], Cell(-1, len(lines) + 1)), strict=True):
            if at.number == cell:
                return next((n for n in range(at.start, nxt.start) if lines[n - 1].strip() == content.strip()), None)
        return None


def load(path: Path) -> Text:
    """The text of ``path``; ValueError if there is none."""
    data = path.read_bytes().decode("utf-8-sig", "replace")
    if path.suffix != ".ipynb":
        return _script(data)
    try:
        cells = json.loads(data).get("cells", [])
        sources = [c.get("source", "") for c in cells if c.get("cell_type") == "code"]
    except (AttributeError, TypeError) as error:
        raise ValueError(f"not a notebook: {error}") from None
    return _joined(["".join(s) for s in sources])


def _script(data: str) -> Text:
    """As it is, else with the cells blanked that do not parse, so that every line keeps its number."""
    if parses(data):
        return Text(data)
    if not _MARK.search(data):
        raise ValueError("does not parse")
    parts = _MARK.split(data)
    lost = [not parses(_plain(part)) for part in parts]
    kept = ["\n" * part.count("\n") if bad else _plain(part) for part, bad in zip(parts, lost, strict=True)]
    return Text("".join(kept), lost=sum(lost))


def _plain(source: str) -> str:
    """``source`` with its magics blanked."""
    return "".join("\n" if _MAGIC.match(line) else line for line in source.splitlines(keepends=True))


def _joined(sources: list[str]) -> Text:
    lines: list[str] = []
    cells: list[Cell] = []
    lost = 0
    for number, source in enumerate(sources):
        kept = _plain(source + "\n")
        if not parses(kept):
            lost += 1
            continue
        cells.append(Cell(number, len(lines) + 1))
        lines += kept.splitlines()
    return Text("\n".join(lines) + "\n", tuple(cells), lost)


def parses(text: str) -> bool:
    """Whether ``text`` is Python."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
