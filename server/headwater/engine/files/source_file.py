"""A source text and how it is stored."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from headwater.data_facts.model import Output
from headwater.engine.report.report import SourceProblem


class Unreadable(Exception):
    """The file is not a source text; ``problem`` is the line to show."""

    def __init__(self, problem: SourceProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True)
class SourceFile:
    """A text and how it was stored, so that it can be written back the same way."""

    text: str
    encoding: str
    bom: bool
    data: bytes

    @property
    def stored_as(self) -> str:
        """How it is stored, in words."""
        return self.encoding

    def outputs(self) -> tuple[Output, ...]:
        """What its cells have printed."""
        return ()

    def encode(self, text: str) -> bytes:
        """``text`` in this file's encoding; UnicodeEncodeError if it has no place there."""
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)
