"""Between offsets in our texts and the positions of the protocol, for files and for the cells of notebooks."""

from __future__ import annotations

from dataclasses import dataclass, field

from lsprotocol import types

from headwater.engine.files.jupyter import CellLines
from headwater.engine.report.positions import Lines, Position
from headwater_ir.span import Span


@dataclass(frozen=True)
class Places:
    """Where the offsets of one version of a text are. ``cells``: the documents of a notebook, by the number that its
    program text gives them."""

    uri: str
    version: int
    lines: Lines
    cells: dict[int, tuple[str, int]] = field(default_factory=dict)

    @staticmethod
    def of(uri: str, version: int, text: str, cells: dict[int, tuple[str, int]] | None = None) -> Places:
        """The places of a file, or of a notebook's program."""
        if cells is None:
            return Places(uri, version, Lines(text))
        return Places(uri, version, CellLines(text), cells)

    def range(self, span: Span) -> types.Range:
        """A span within its document."""
        start, end = self.lines.range(span)
        return types.Range(types.Position(start.line, start.character), types.Position(end.line, end.character))

    def document(self, span: Span) -> tuple[str, int]:
        """Uri and version of the document that holds ``span``."""
        cell = self.lines.position(span.start).cell
        return (self.uri, self.version) if cell is None else self.cells.get(cell, (self.uri, self.version))

    def location(self, span: Span) -> types.Location:
        """A span anywhere."""
        return types.Location(self.document(span)[0], self.range(span))

    def touches(self, span: Span, uri: str, asked: types.Range) -> bool:
        """Whether ``span`` is in the document ``uri`` and has a place in common with ``asked``."""
        if self.document(span)[0] != uri:
            return False
        mine = self.range(span)
        return not (_before(mine.end, asked.start) or _before(asked.end, mine.start))


def _before(a: types.Position, b: types.Position) -> bool:
    return (a.line, a.character) < (b.line, b.character)


def position(p: types.Position) -> Position:
    """The engine's position."""
    return Position(p.line, p.character)
