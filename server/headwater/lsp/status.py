"""``headwater/status``: what the server is at, for the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .server import HeadwaterServer

METHOD = "headwater/status"


class Status:
    """Tells the editor when what is under way changes, and says nothing twice."""

    def __init__(self, server: HeadwaterServer) -> None:
        self._server = server
        self._last: dict[str, Any] | None = None
        self._proving: set[str] = set()
        self._total = 0

    def update(self) -> None:
        """Look at the session once more."""
        documents = self._server.session.documents
        proving = {uri for uri, d in documents.items() if "prove" in (d.running, d.wanted)}
        if not proving:
            self._total = 0
        else:
            self._total += len(proving - self._proving)
        self._proving = proving
        checking = any(d.task is not None for d in documents.values())
        errors = {uri: d.error.message for uri, d in documents.items() if d.error}
        state = "proving" if proving else "checking" if checking else "error" if errors else "idle"
        said: dict[str, Any] = {"state": state, "message": self._words(state, errors)}
        if proving:
            said |= {"done": self._total - len(proving), "total": self._total}
        if said != self._last:
            self._last = said
            self._server.protocol.notify(METHOD, said)

    def _words(self, state: str, errors: dict[str, str]) -> str:
        if state == "proving":
            return f"proving {self._total - len(self._proving) + 1} of {self._total}"
        return next(iter(errors.values())) if state == "error" else state
