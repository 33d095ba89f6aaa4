"""A notebook in an editor: cells come, go, move and are edited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from lsprotocol import types

from .editor import Editor


@dataclass
class Book:
    """A notebook that is open in ``editor``; ``cells`` are the uris of its cells in order."""

    editor: Editor
    name: str = "book.ipynb"
    version: int = 0
    cells: list[str] = field(default_factory=list)
    made: int = 0

    @property
    def uri(self) -> str:
        """The notebook's name."""
        return (self.editor.root / self.name).as_uri()

    def _new(self, text: str, language: str) -> tuple[types.NotebookCell, types.TextDocumentItem]:
        uri = f"{self.uri}#c{self.made}"
        self.made += 1
        self.editor.versions[uri] = 1
        kind = types.NotebookCellKind.Markup if language == "markdown" else types.NotebookCellKind.Code
        return types.NotebookCell(kind, uri), types.TextDocumentItem(uri, language, 1, text)

    def open(self, *cells: str | tuple[str, str]) -> Book:
        """Open it with these cells, each a text, or a text and its language."""
        made = [self._new(*(c if isinstance(c, tuple) else (c, "python"))) for c in cells]
        self.cells = [cell.document for cell, _ in made]
        self.version = 1
        book = types.NotebookDocument(self.uri, "jupyter-notebook", 1, [cell for cell, _ in made])
        opened = types.DidOpenNotebookDocumentParams(book, [item for _, item in made])
        self.editor.client.notebook_document_did_open(opened)
        return self

    def splice(self, start: int, deleted: int, *texts: str) -> None:
        """Take ``deleted`` cells away at ``start`` and put new ones there."""
        made = [self._new(text, "python") for text in texts]
        gone, self.cells[start : start + deleted] = (
            self.cells[start : start + deleted],
            [cell.document for cell, _ in made],
        )
        array = types.NotebookCellArrayChange(start, deleted, [cell for cell, _ in made])
        closed = [types.TextDocumentIdentifier(uri) for uri in gone]
        self._structure(array, [item for _, item in made], closed)

    def move(self, start: int, end: int) -> None:
        """Put the cell at ``start`` where the one at ``end`` is then, as VS Code does: nothing is opened or closed."""
        self.cells.insert(end, self.cells.pop(start))
        low, high = min(start, end), max(start, end)
        cells = [types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in self.cells[low : high + 1]]
        self._structure(types.NotebookCellArrayChange(low, len(cells), cells), [], [])

    def edit(self, number: int, text: str) -> None:
        """Replace the text of a cell."""
        uri = self.cells[number]
        self.editor.versions[uri] += 1
        content = types.NotebookDocumentCellContentChanges(
            types.VersionedTextDocumentIdentifier(self.editor.versions[uri], uri),
            [types.TextDocumentContentChangeWholeDocument(text)],
        )
        self._changed(types.NotebookDocumentCellChanges(text_content=[content]))

    def save(self) -> None:
        """Tell of a save."""
        named = types.NotebookDocumentIdentifier(self.uri)
        self.editor.client.notebook_document_did_save(types.DidSaveNotebookDocumentParams(named))

    def close(self) -> None:
        """Close it with its cells."""
        named = types.NotebookDocumentIdentifier(self.uri)
        cells = [types.TextDocumentIdentifier(uri) for uri in self.cells]
        self.editor.client.notebook_document_did_close(types.DidCloseNotebookDocumentParams(named, cells))

    def _structure(
        self,
        array: types.NotebookCellArrayChange,
        opened: list[types.TextDocumentItem],
        closed: list[types.TextDocumentIdentifier],
    ) -> None:
        structure = types.NotebookDocumentCellChangeStructure(array, opened, closed)
        self._changed(types.NotebookDocumentCellChanges(structure=structure))

    def _changed(self, cells: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        named = types.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        change = types.NotebookDocumentChangeEvent(cells=cells)
        self.editor.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(named, change))


def shown(e: Editor, uri: str) -> list[str]:
    """The codes that are shown in a document."""
    found = e.diagnostics.get(uri)
    return sorted(cast("str", d.code) for d in found.diagnostics) if found else []
