"""``headwater/report``: the last scan as a page, or as another tool reads it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pygls import uris

from headwater.scan.documents import Scan, json_text
from headwater.scan.html import html_text
from headwater.scan.result import FileResult, placed

if TYPE_CHECKING:
    from .server import HeadwaterServer

METHOD = "headwater/report"


def register(server: HeadwaterServer) -> None:
    """Answer with ``{text}`` in the ``format`` that is asked for, ``html`` or ``json``; null if it is another one."""

    @server.feature(METHOD)
    def report(params: Any) -> dict[str, str] | None:
        render = {"html": html_text, "json": json_text}.get(str(getattr(params, "format", "html")))
        if render is None:
            return None
        scanned = server.scanned
        results = sorted(scanned.results.values(), key=lambda r: str(r["file"]["path"]))
        named = [_relative(result, list(server.folders)) for result in results]
        return {"text": render(Scan(named, scanned.seconds))}


def _relative(result: FileResult, folders: list[str]) -> FileResult:
    """The result under its path in the workspace, if that has one folder; else two files might have one name."""
    root = uris.to_fs_path(folders[0]) if len(folders) == 1 else None
    path = Path(result["file"]["path"])
    return placed(result, str(path.relative_to(root))) if root and path.is_relative_to(root) else result
