"""All filters of one source text, each with its plan."""

from __future__ import annotations

from dataclasses import dataclass

from .assumptions import Assumption
from .demand import GroupExtreme, Job, KeptFrame, PlainJoin, Wall
from .parts import Schema, Spelling
from .plan import Filter
from .span import Span


@dataclass(frozen=True)
class Module:
    """What the front end found in one source text.

    ``filters``: every filter on a DataFrame, outermost of each chain first in source order, each with its whole plan
    below. ``ignored_lines``: zero-based line → codes suppressed there (empty tuple: all); ``ignore_file``: suppressed
    altogether. ``frames``: each frame variable's schema as believed, for ``headwater schema``: (name, line, schema,
    origin). ``readable``: the source text with blanks for what Python does not read in a notebook, offsets unchanged;
    None if that is nothing. ``hidden``: the cells among it that do not parse, and what an internal error kept from
    being read, with the reason. ``assumptions``: what its reading takes for granted. ``settings``: the keys of
    Spark's configuration that the text sets, each to one known value and no other. ``walls``: the calls that hand rows
    to the driver, in source order. ``kept``: the calls that keep the rows of a frame, likewise. ``jobs``: the
    expressions that compute a number or a row of a frame, likewise.
    ``extremes``: columns of a group's greatest or least value that only a filter reads. ``joins``: calls of ``join``
    whose condition compares columns. ``effects``: whether the text hands Spark a function that is seen to do more than
    compute its value. ``handed_in``: then, by where methods of frames are called, what these are given that may be
    columns of other code.
    """

    filters: tuple[Filter, ...]
    spelling: Spelling
    ignored_lines: tuple[tuple[int, tuple[str, ...]], ...] = ()
    ignore_file: bool = False
    frames: tuple[tuple[str, int, Schema, str], ...] = ()
    readable: str | None = None
    hidden: tuple[tuple[Span, str], ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    walls: tuple[Wall, ...] = ()
    kept: tuple[KeptFrame, ...] = ()
    jobs: tuple[Job, ...] = ()
    extremes: tuple[GroupExtreme, ...] = ()
    joins: tuple[PlainJoin, ...] = ()
    effects: bool = False
    handed_in: tuple[tuple[Span, str], ...] = ()
