"""A text, as the front end reads it, or one problem that says why it cannot."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from headwater.engine.report.positions import Lines, utf16_length
from headwater.engine.report.report import SourceProblem
from headwater_ir.module import Module

from .options import Options

if TYPE_CHECKING:
    from headwater.pyspark.frames.options import FrontendOptions

Reader = Callable[[str], Module]
"""A text in, what the front end makes of it out."""


class SourceFailure(Exception):
    """The text is not Python."""

    def __init__(self, problem: SourceProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def read(source: str, options: Options, reader: Reader | None = None) -> Module:
    """What the front end makes of ``source``; ``SourceFailure`` if it does not parse."""
    from headwater.pyspark.reading.module import SourceError, read_module

    if "\0" in source:
        raise SourceFailure(null_byte(source))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the compiler thinks of the user's string escapes
            return reader(source) if reader else read_module(source, frontend_options(options))
    except SourceError as error:
        raise SourceFailure(
            source_problem(source, f"syntax error: {error.message}", error.line0, error.character0)
        ) from None


def frontend_options(options: Options) -> FrontendOptions:
    """What the front end has to know of them."""
    from headwater.pyspark.frames.options import FrontendOptions

    return FrontendOptions(dict(options.schemas), options.assume_pure, options.targets, options.data)


def source_problem(source: str, message: str, line: int, column: int) -> SourceProblem:
    """A problem at a zero-based line and code-point column; places outside the text mean its nearest place."""
    lines = Lines(source)
    line = min(max(line, 0), len(lines) - 1)
    return SourceProblem(message, line, utf16_length(lines.line_text(line)[: max(column, 0)]))


def null_byte(source: str) -> SourceProblem:
    """Where the first NUL character stands; Python itself does not say."""
    place = Lines(source).position(source.index("\0"))
    return SourceProblem("the file holds a null byte", place.line, place.character)
