"""The server: its state, and the features that are registered with it."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Sequence
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from headwater.engine.documents.session import OpenDocument, Session
from headwater.engine.report.version import version
from headwater.rewrite.edit import Edit

from . import code_actions, code_lens, configuration, diagnostics, fix, hover, proof, report, scan, sync
from .configuration import Configuration, of_file
from .costs import Costs
from .places import Places
from .protocol import Protocol
from .status import Status
from .sync import Documents

_NOTEBOOKS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(notebook="*", cells=[types.NotebookCellLanguage(language="python")])
    ],
    save=True,
)

ASSUMED = "assumed"
"""The annotation of changes that rest on assumptions."""


class HeadwaterServer(LanguageServer):
    """One client. ``session`` exists from ``initialized`` on."""

    session: Session

    def __init__(self) -> None:
        super().__init__(
            "headwater", version(), protocol_cls=Protocol, notebook_document_sync=_NOTEBOOKS, max_workers=1
        )
        self.configuration = Configuration()
        self.documents = Documents(self)
        self.status = Status(self)
        self.scanned = scan.Scanned()
        self.costs = Costs(self)
        self.folders: dict[str, None] = {}
        self._shown_in: dict[str, list[str]] = {}
        self.initial_settings: dict[str, Any] = {}
        _register_lifecycle(self)
        for feature in (sync, hover, code_actions, code_lens, configuration, proof, fix, scan, report):
            feature.register(self)

    @property
    def workers(self) -> int:
        """How many processes may prove at once: half of the cores, if the settings do not say less or more."""
        named = [self.configuration.of(f).settings.workers for f in ("", *self.folders)]
        return max((n for n in named if n), default=max(1, (os.cpu_count() or 2) // 2))

    @property
    def resolves_edits(self) -> bool:
        """Whether the client asks for the edit of a code action when it is chosen."""
        text = self.client_capabilities.text_document
        support = text.code_action.resolve_support if text and text.code_action else None
        return support is not None and "edit" in support.properties

    @property
    def _refreshes_lenses(self) -> bool:
        """Whether the client can be told that code lenses are others now: it asks by itself only after an edit."""
        workspace = self.client_capabilities.workspace
        return bool(workspace and workspace.code_lens and workspace.code_lens.refresh_support)

    def publish(self, opened: OpenDocument) -> None:
        """Show what is known of the current version; the only place that sends diagnostics."""
        places = self.documents.places(opened)
        severity = self.configuration.of(opened.uri).settings.severity
        versions = dict(places.cells.values()) or {places.uri: places.version}
        by_document = diagnostics.of_document(opened, places, severity)
        gone: dict[str, list[types.Diagnostic]] = {uri: [] for uri in self._shown_in.pop(opened.uri, ())}
        self._shown_in[opened.uri] = [uri for uri, found in by_document.items() if found]
        for uri, found in (gone | by_document).items():
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, found, version=versions.get(uri, places.version))
            )
        if self._refreshes_lenses and self.configuration.of(opened.uri).code_lens:
            self.workspace_code_lens_refresh(None)

    def workspace_edit(
        self, places: Places, edits: Iterable[Edit], assumptions: Sequence[str] = ()
    ) -> types.WorkspaceEdit:
        """The edits for exactly this version, where the client can be told. Edits that rest on ``assumptions`` are to
        be confirmed by the user, in a client that can ask."""
        workspace = self.client_capabilities.workspace
        can = workspace.workspace_edit if workspace else None
        versioned = bool(can and can.document_changes)
        asks = bool(assumptions and versioned and can and can.change_annotation_support)
        by_document: dict[tuple[str, int], list[types.TextEdit]] = {}
        for edit in edits:
            found = types.TextEdit(places.range(edit.span), edit.text)
            by_document.setdefault(places.document(edit.span), []).append(found)
        if not versioned:
            return types.WorkspaceEdit(changes={uri: found for (uri, _), found in by_document.items()})
        described = types.ChangeAnnotation("Rests on assumptions", True, "; ".join(assumptions))
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(uri, v),
                    [types.AnnotatedTextEdit(ASSUMED, e.range, e.new_text) if asks else e for e in found],
                )
                for (uri, v), found in by_document.items()
            ],
            change_annotations={ASSUMED: described} if asks else None,
        )


def _register_lifecycle(server: HeadwaterServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        folders = [f.uri for f in params.workspace_folders or ()] or ([params.root_uri] if params.root_uri else [])
        server.folders = dict.fromkeys(folders)
        options = params.initialization_options
        server.initial_settings = options if isinstance(options, dict) else {}
        for folder in ("", *server.folders):
            server.configuration.take(folder, server.initial_settings)
        server.session = Session(
            lambda uri: of_file(server.configuration.of(uri).options, uri),
            server.publish,
            server.status.update,
            server.workers,
        )

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        await configuration.load(server)
        await configuration.watch(server)
        server.session.again()
        gc.freeze()  # what the libraries hold stays: going over it takes longer than the answer to a keystroke

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.costs.close()
        server.session.shut_down()
