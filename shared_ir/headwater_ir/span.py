"""Places in a source text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Span:
    """Half-open range of code-point offsets into one source text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def text(self, source: str) -> str:
        """The text it covers."""
        return source[self.start : self.end]
