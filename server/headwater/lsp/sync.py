"""Text and notebook synchronisation: every notification becomes a version of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from headwater.engine.documents.session import OpenDocument
from headwater.engine.documents.text_document import TextDocument, difference

from .documents import Notebook, changes_of
from .places import Places

if TYPE_CHECKING:
    from .server import HeadwaterServer


class Documents:
    """Which texts are open, and where in them something is."""

    def __init__(self, server: HeadwaterServer) -> None:
        self._server = server
        self._notebooks: dict[str, Notebook] = {}
        self._notebook_of: dict[str, str] = {}
        self._places: dict[str, Places] = {}

    def find(self, uri: str) -> tuple[OpenDocument, Places] | None:
        """The document of ``uri``, which may name a cell, and its places."""
        opened = self._server.session.documents.get(self._notebook_of.get(uri, uri))
        return None if opened is None else (opened, self.places(opened))

    def places(self, opened: OpenDocument) -> Places:
        """The places of the current version."""
        document = opened.document
        known = self._places.get(document.uri)
        if known is None or known.version != document.version:
            notebook = self._notebooks.get(document.uri)
            known = notebook.places() if notebook else Places.of(document.uri, document.version, document.text)
            self._places[document.uri] = known
        return known

    def open(self, item: types.TextDocumentItem) -> None:
        """A file was opened; cells come with their notebook."""
        if item.language_id == "python" and item.uri not in self._notebook_of:
            self._places.pop(item.uri, None)
            self._server.session.open(TextDocument(item.uri, item.version, item.text))

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """A file was edited."""
        uri = params.text_document.uri
        opened = self._server.session.documents.get(uri)
        if opened is not None:
            changes = changes_of(params.content_changes)
            document, edits = opened.document.changed(changes, params.text_document.version)
            self._server.session.change(uri, document, edits, self._prove(uri))

    def _prove(self, uri: str) -> bool:
        return self._server.configuration.of(uri).verify_on == "edit"

    def close(self, uri: str) -> None:
        """A file was closed."""
        self._server.session.close(uri)
        self._places.pop(uri, None)

    def open_notebook(self, params: types.DidOpenNotebookDocumentParams) -> None:
        """A notebook was opened."""
        notebook = Notebook.opened(params)
        self._take(notebook)
        self._server.session.open(notebook.program)

    def change_notebook(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Cells came, went or were edited."""
        uri = params.notebook_document.uri
        known, opened = self._notebooks.get(uri), self._server.session.documents.get(uri)
        if known is None or opened is None:
            return
        notebook = known.changed(params)
        self._take(notebook)
        program = notebook.program
        edit = difference(opened.document.text, program.text)
        self._server.session.change(uri, program, (edit,), self._prove(uri))

    def close_notebook(self, uri: str) -> None:
        """A notebook was closed."""
        self._server.session.close(uri)
        notebook = self._notebooks.pop(uri, None)
        for cell, _ in notebook.numbers.values() if notebook else ():
            self._notebook_of.pop(cell, None)
        self._places.pop(uri, None)

    def _take(self, notebook: Notebook) -> None:
        before = self._notebooks.get(notebook.uri)
        for cell, _ in before.numbers.values() if before else ():
            self._notebook_of.pop(cell, None)
        self._notebooks[notebook.uri] = notebook
        self._notebook_of.update((cell, notebook.uri) for cell, _ in notebook.numbers.values())


def register(server: HeadwaterServer) -> None:
    """Follow the editor."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.documents.open(params.text_document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.documents.change(params)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        verify_saved(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.documents.close(params.text_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_opened(params: types.DidOpenNotebookDocumentParams) -> None:
        server.documents.open_notebook(params)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_changed(params: types.DidChangeNotebookDocumentParams) -> None:
        server.documents.change_notebook(params)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def notebook_saved(params: types.DidSaveNotebookDocumentParams) -> None:
        verify_saved(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_closed(params: types.DidCloseNotebookDocumentParams) -> None:
        server.documents.close_notebook(params.notebook_document.uri)

    @server.feature("headwater/verify")
    def verify(params: Any) -> None:  # (pygls would take ``object`` for the type of the server)
        uri = getattr(params, "uri", None)
        if isinstance(uri, str) and (found := server.documents.find(uri)):
            server.session.verify(found[0].uri)

    def verify_saved(uri: str) -> None:
        if uri in server.session.documents:
            server.session.saved(uri)
            if server.configuration.of(uri).verify_on != "manual":
                server.session.verify(uri)
