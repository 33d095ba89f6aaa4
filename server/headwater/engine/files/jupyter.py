"""Jupyter notebooks (nbformat 4): the code cells of the JSON document ↔ one program text.

In the program each code cell stands below a mark that tells which cell it is, so that the text can be edited like any
other and be put back, cell by cell. What is not edited is written back byte for byte: where this writer would lay the
document out differently, nothing is written at all. https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from headwater.data_facts.cell_outputs import output_of
from headwater.data_facts.model import Output
from headwater.engine.report.positions import Lines, Position
from headwater.engine.report.report import SourceProblem

from .source_file import SourceFile, Unreadable

SUFFIX = ".ipynb"
MAX_BYTES = 50_000_000
"""Most of a notebook is output, images for the better part."""
_MARK = re.compile(r"^# %% headwater:cell (\d+)\n", re.MULTILINE)
_LAYOUTS: tuple[dict[str, Any], ...] = tuple(
    {"indent": indent, "ensure_ascii": ascii_only, "separators": separators}
    for indent in (1, 2, 4, None, "\t", 3, 0)
    for ascii_only in (False, True)
    for separators in (None, (",", ":"))
)


_LANGUAGES = {
    "sparksql": "sql", "spark-sql": "sql", "tsql": "sql", "c#": "csharp", "sparkscala": "scala", "sparkr": "r",
    "md": "markdown", "shellscript": "sh", "powershell": "sh",
}  # fmt: skip
"""What editors call languages, and the cell magic that IPython has for them."""
_PYTHON = frozenset("python python3 ipython pyspark py magicpython".split())
_DATABRICKS = "application/vnd.databricks.v1+"
_DATABRICKS_MAGIC = re.compile(r"\s*%(sql|scala|r|md|sh|fs|run)\b")
"""In Databricks a cell begins with one percent sign where its language is another than the notebook's."""


@dataclass(frozen=True)
class Notebook(SourceFile):
    """A notebook as its program text."""

    document: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def stored_as(self) -> str:
        return "JSON in an unusual layout"

    def outputs(self) -> tuple[Output, ...]:
        cells = enumerate(self.document.get("cells", ()))
        return tuple(output_of(number, cell) for number, cell in cells if cell.get("cell_type") == "code")

    def encode(self, text: str) -> bytes:
        """The document with the cells of the program ``text``; UnicodeEncodeError if it cannot be written back."""
        stored = self.data.decode("utf-8-sig")
        layout = next((x for x in map(_layout, _LAYOUTS) if x(self.document) == stored.rstrip("\n")), None)
        known, edited = dict(_cells_of(self.text)), dict(_cells_of(text))
        if layout is None or edited.keys() != known.keys():
            raise UnicodeEncodeError("ipynb", text, 0, 1, "the notebook would be laid out differently")
        cells = [
            {**cell, "source": _stored_like(cell["source"], edited[number])}
            if edited.get(number) != known.get(number)
            else cell
            for number, cell in enumerate(self.document["cells"])
        ]
        end = stored[len(stored.rstrip("\n")) :]
        return super().encode(layout({**self.document, "cells": cells}) + end)


def _layout(options: dict[str, Any]) -> Any:
    return lambda document: json.dumps(document, **options)


def _stored_like(before: str | list[str], text: str) -> str | list[str]:
    if _joined(before) == text:
        return before
    return text if isinstance(before, str) else [p for p in re.split(r"(?<=\n)", text) if p]


def decode_notebook(data: bytes) -> Notebook:
    """The program of a notebook, empty if it is in another language; ``Unreadable`` if ``data`` is no notebook."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(SourceProblem(f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}")) from None
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(SourceProblem(f"not JSON: {error.msg}", error.lineno - 1, error.colno - 1)) from None
    except (RecursionError, ValueError) as error:
        raise Unreadable(SourceProblem(f"not JSON: {error}")) from None
    cells = list(_code_cells(document))
    program = program_of(cells)
    if cells and not program:
        raise Unreadable(SourceProblem("a cell holds a mark of Headwater's own"))
    return Notebook(program, "utf-8", data.startswith(b"\xef\xbb\xbf"), data, document)


def program_of(cells: Sequence[tuple[int, str]]) -> str:
    """Numbered code cells as one text; empty if a cell holds a mark of ours, for then nobody could tell them apart."""
    program = "".join(f"# %% headwater:cell {number}\n{_readable(source)}\n" for number, source in cells)
    return program if len(_MARK.findall(program)) == len(cells) else ""


def _readable(source: str) -> str:
    """A cell with a null byte, which nothing can read, as one that is no Python either but costs no other cell."""
    return re.sub(r"[^\r\n]", ")", source) if "\0" in source else source


def _code_cells(document: Any) -> Iterator[tuple[int, str]]:
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise Unreadable(SourceProblem(f"not a notebook of format 4: {_format(document)}"))
    if not _is_python(document.get("metadata")):
        return
    for number, cell in enumerate(document["cells"]):
        if not isinstance(cell, dict):
            raise Unreadable(SourceProblem(f"cell {number + 1} of the notebook is no cell"))
        if cell.get("cell_type") == "code":
            source = cell.get("source")
            if not isinstance(source, str) and not (
                isinstance(source, list) and all(isinstance(part, str) for part in source)
            ):
                raise Unreadable(SourceProblem(f"cell {number + 1} of the notebook has no text"))
            yield number, _with_magic(_joined(source), _entry(cell, "metadata"), _entry(document, "metadata"))


def _with_magic(source: str, cell: dict[str, Any], notebook: dict[str, Any]) -> str:
    """A cell in another language as IPython would have it, below the magic of that language: so it is no Python, may do
    what its magic may, and is never edited."""
    language = _cell_language(cell)
    if language is not None and not source.lstrip().startswith("%%"):
        return f"%%{language}\n{source}"
    if any(key.startswith(_DATABRICKS) for key in notebook) and _DATABRICKS_MAGIC.match(source):
        return f"%{source.lstrip()}"
    return source


def _cell_language(metadata: dict[str, Any]) -> str | None:
    """The language of a cell by its metadata, as a magic; None if it is Python's, or nothing tells.

    VS Code writes ``vscode.languageId``, Synapse and Fabric ``microsoft.language``, Azure Data Studio ``language``,
    Polyglot Notebooks ``dotnet_interactive.language`` and ``polyglot_notebook.kernelName``.
    """
    places = (("vscode", "languageId"), ("microsoft", "language"), ("dotnet_interactive", "language"),
              ("polyglot_notebook", "kernelName"))  # fmt: skip
    named = [_entry(metadata, place).get(key) for place, key in places] + [metadata.get("language")]
    language = next((name.lower() for name in named if isinstance(name, str) and name), None)
    if language is None or language in _PYTHON:
        return None
    return _LANGUAGES.get(language, re.sub(r"\W", "", language) or "unknown")


def _entry(holder: dict[str, Any], key: str) -> dict[str, Any]:
    """The dictionary under ``key``, empty if there is none."""
    found = holder.get(key)
    return found if isinstance(found, dict) else {}


def _format(document: Any) -> str:
    number = document.get("nbformat") if isinstance(document, dict) else None
    return f"its format is {number}" if isinstance(number, int) else "it has no cells"


def _is_python(metadata: Any) -> bool:
    """Whether the notebook says that it is Python's, or says nothing."""
    known = metadata if isinstance(metadata, dict) else {}
    databricks = _entry(known, f"{_DATABRICKS}notebook").get("language")
    if isinstance(databricks, str):
        return databricks.lower() == "python"
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        told = known.get(name)
        language = told.get(key) if isinstance(told, dict) else None
        if isinstance(language, str):
            return "python" in language.lower() or language.lower() == "pyspark"  # so says sparkmagic's kernel
    return True


def _joined(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)


def _cells_of(program: str) -> Iterator[tuple[int, str]]:
    """The cells of a program with their numbers; what was put in front of the first belongs to it."""
    marks = list(_MARK.finditer(program))
    for i, mark in enumerate(marks):
        end = marks[i + 1].start() if i + 1 < len(marks) else len(program)
        before = program[: mark.start()] if i == 0 else ""
        yield int(mark[1]), before + program[mark.end() : end][:-1]


class CellLines(Lines):
    """The lines of a notebook's program; positions count in their cell."""

    def __init__(self, program: str) -> None:
        super().__init__(program)
        marks = list(_MARK.finditer(program))
        self._cells = [(mark.end(), int(mark[1])) for mark in marks]

    def _cell(self, offset: int) -> tuple[int, int] | None:
        """The line on which the cell starts that holds ``offset``, and its number."""
        index = bisect_right([start for start, _ in self._cells], offset) - 1
        if index < 0:
            return None
        start, number = self._cells[index]
        return self.line_of(start), number

    def position(self, offset: int) -> Position:
        at, cell = super().position(offset), self._cell(offset)
        return Position(at.line - cell[0], at.character, cell[1]) if cell else at

    def place(self, offset: int) -> str:
        at, cell = self.position(offset), self._cell(offset)
        said = f"{at.line + 1}:{self.column(offset) + 1}"
        return f"cell {cell[1] + 1}:{said}" if cell else said

    def program_line(self, cell: int, line: int) -> int | None:
        """The zero-based line of the program that is ``line`` of ``cell``, both zero-based; None if there is none."""
        for i, (start, number) in enumerate(self._cells):
            if number == cell:
                end = self.line_of(self._cells[i + 1][0]) - 1 if i + 1 < len(self._cells) else len(self) - 1
                found = self.line_of(start) + line
                return found if found < end else None
        return None

    def line_for_people(self, offset: int) -> str:
        at, cell = self.position(offset), self._cell(offset)
        return f"{at.line + 1}" + (f" of cell {cell[1] + 1}" if cell else "")


def lines_of(path: str, text: str) -> Lines:
    """The lines of a file's text, as its readers count them."""
    return CellLines(text) if path.endswith(SUFFIX) else Lines(text)
