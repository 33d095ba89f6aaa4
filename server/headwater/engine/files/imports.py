"""What a file of a project imports from others, read from where they are stored or from an editor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from headwater.engine.analysis.options import Options, Place
from headwater.engine.linking.linked import Linked, imports_anything, link

from .discovery import Unreadable, decode_source, read_source
from .jupyter import SUFFIX as NOTEBOOK
from .jupyter import decode_notebook


def placed(path: Path, options: Options) -> Options:
    """``options`` for the text of the file ``path``, which may be relative."""
    return replace(options, place=Place(str(path.absolute())))


def together(text: str, options: Options) -> str:
    """``text`` with what it imports, if ``options`` say which file it is of."""
    return linked_with(text, options).text


def linked_with(text: str, options: Options) -> Linked:
    """As ``together``, with the files that were looked at."""
    if options.place is None:
        return Linked(text)
    opened = dict(options.place.opened)
    return link(
        text, Path(options.place.path), lambda file: opened[str(file)] if str(file) in opened else _stored(file)
    )


def _stored(path: Path) -> str | None:
    try:
        return read_source(path).text
    except Unreadable:
        return None


def together_content(path: Path, content: bytes, options: Options) -> bytes:
    """``content`` of the file ``path``, and what it imports: what the result of a scan depends on."""
    notebook = path.suffix == NOTEBOOK
    if b"spark" not in content.lower() or not (notebook or imports_anything(content.decode("latin-1"))):
        return content
    try:
        text = (decode_notebook if notebook else decode_source)(content).text
    except Unreadable:
        return content
    linked = together(text, placed(path, options))
    return content if linked == text else content + linked[len(text) :].encode("utf-8", "surrogatepass")
