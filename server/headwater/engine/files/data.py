"""What is known of the data that a text reads, by files or by what it has printed, as options of its analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from headwater.data_facts.model import DataFacts, Output
from headwater.engine.analysis.options import Options

from .regular_file import open_regular
from .source_file import SourceFile


def with_data(text: str, options: Options) -> Options:
    """``options`` with what the data files say that ``text`` reads, where these may be looked at."""
    if options.data_root is None or options.bounded:
        return options
    from headwater.data_facts.reading import look

    found, _ = look(text, Path(options.data_root), open_regular)
    return replace(options, data_root=None, outputs=(), data=(*found, *said_facts(text, options.outputs)))


def said_facts(text: str, outputs: Sequence[Output] = ()) -> tuple[DataFacts, ...]:
    """What ``text`` says of the schemas of frames that it reads; ``outputs``: of its cells. What was printed of a
    frame stands before how its table was created."""
    from .printed import printed_facts
    from .table_ddl import ddl_facts

    return (*printed_facts(text, outputs), *ddl_facts(text))


def with_outputs(source: SourceFile, options: Options) -> Options:
    """``options`` for the text of ``source``, with what its cells have printed, where data may be looked at."""
    if options.data_root is None or options.bounded:
        return options
    return replace(options, outputs=source.outputs())


def why_no_data(text: str, options: Options) -> tuple[str, ...]:
    """A line for each place that ``text`` names and that holds something, of which nothing is taken."""
    if options.data_root is None:
        return ()
    from headwater.data_facts.reading import look

    return look(text, Path(options.data_root), open_regular)[1]


def names_data(content: bytes, options: Options) -> bool:
    """Whether a file that holds ``content`` names something in the workspace that may be data, so that its result
    depends on more than its text."""
    if options.data_root is None or options.bounded or b"spark" not in content.lower():
        return False
    from headwater.data_facts.places import places

    return bool(places(content.decode("utf-8", "replace"), Path(options.data_root).resolve()))
