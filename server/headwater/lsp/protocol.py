"""pygls with two changes: it keeps no texts, and ``shutdown`` ends requests that are under way without an error.

pygls splits lines with ``str.splitlines``, so that after a form feed or U+2028 its text differs from the editor's.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol, lsp_method

Call = Generator[Any, Any, None]


class Protocol(LanguageServerProtocol):
    """Documents are the server's own affair."""

    def _ours(self, method: str, params: object) -> Call:
        handler = self.fm.features.get(method)
        if handler is not None:
            yield handler, (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Call:
        """Hand on."""
        yield from self._ours(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Call:
        """Hand on."""
        yield from self._ours(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Call:
        """Hand on."""
        yield from self._ours(types.TEXT_DOCUMENT_DID_CLOSE, params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: types.DidOpenNotebookDocumentParams) -> Call:
        """Hand on."""
        yield from self._ours(types.NOTEBOOK_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(self, params: types.DidChangeNotebookDocumentParams) -> Call:
        """Hand on."""
        yield from self._ours(types.NOTEBOOK_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(self, params: types.DidCloseNotebookDocumentParams) -> Call:
        """Hand on."""
        yield from self._ours(types.NOTEBOOK_DOCUMENT_DID_CLOSE, params)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Call:
        """End what is under way. (pygls changes the dictionary of requests while it goes through it.)"""
        yield from self._ours(types.SHUTDOWN, None)
        for message, future in list(self._request_futures.items()):
            if message != self.msg_id and not future.done():
                future.cancel()
        self._shutdown = True
