"""Open files and notebooks, as the editor sends them: text synchronisation of our own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lsprotocol import types

from headwater.engine.documents.text_document import Change, TextDocument
from headwater.engine.files.jupyter import program_of

from .places import Places, position


def changes_of(changes: Iterable[types.TextDocumentContentChangeEvent]) -> list[Change]:
    """The changes of one notification, in order."""
    return [_change(c) for c in changes]


def _change(change: types.TextDocumentContentChangeEvent) -> Change:
    if isinstance(change, types.TextDocumentContentChangePartial):
        return Change(position(change.range.start), position(change.range.end), change.text)
    return Change(None, None, change.text)


@dataclass(frozen=True)
class Notebook:
    """One version of a notebook: its cells in order, code in Python or not."""

    uri: str
    version: int
    cells: tuple[tuple[TextDocument, bool], ...]

    @staticmethod
    def opened(params: types.DidOpenNotebookDocumentParams) -> Notebook:
        """As it was opened."""
        texts = {c.uri: c for c in params.cell_text_documents}
        notebook = params.notebook_document
        cells = tuple(_cell(texts[c.document], c.kind) for c in notebook.cells if c.document in texts)
        return Notebook(notebook.uri, notebook.version, cells)

    def changed(self, params: types.DidChangeNotebookDocumentParams) -> Notebook:
        """The next version."""
        cells = list(self.cells)
        change = params.change.cells
        if change and change.structure:
            array = change.structure.array
            known = {document.uri: (document, python) for document, python in cells}
            for closed in change.structure.did_close or ():
                known.pop(closed.uri, None)
            kinds = {c.document: c.kind for c in array.cells or ()}
            for item in change.structure.did_open or ():
                known[item.uri] = _cell(item, kinds.get(item.uri, types.NotebookCellKind.Code))
            added = [known[c.document] for c in array.cells or () if c.document in known]
            cells[array.start : array.start + array.delete_count] = added
        for edit in (change.text_content or ()) if change else ():
            cells = [
                (document.changed(changes_of(edit.changes), edit.document.version)[0], python)
                if document.uri == edit.document.uri
                else (document, python)
                for document, python in cells
            ]
        for data in (change.data or ()) if change else ():
            cells = [
                (document, python and data.kind == types.NotebookCellKind.Code) if document.uri == data.document
                else (document, python)
                for document, python in cells
            ]  # fmt: skip
        return replace(self, version=params.notebook_document.version, cells=tuple(cells))

    @property
    def program(self) -> TextDocument:
        """The notebook as one program text."""
        code = [(number, document.text) for number, (document, python) in enumerate(self.cells) if python]
        return TextDocument(self.uri, self.version, program_of(code))

    @property
    def numbers(self) -> dict[int, tuple[str, int]]:
        """Uri and version of each cell, by its number in the program."""
        return {n: (document.uri, document.version) for n, (document, _) in enumerate(self.cells)}

    def places(self) -> Places:
        """Where the offsets of the program are."""
        return Places.of(self.uri, self.version, self.program.text, self.numbers)


def _cell(item: types.TextDocumentItem, kind: types.NotebookCellKind) -> tuple[TextDocument, bool]:
    python = kind == types.NotebookCellKind.Code and item.language_id == "python"
    return TextDocument(item.uri, item.version, item.text), python
