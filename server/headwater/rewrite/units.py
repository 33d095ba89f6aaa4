"""Whether a text is still Python after an edit, by the statements that the edit touches.

Of a text that parses, statements of the top level that stand on lines of their own parse alike without the others, and
the others without them; so the edited text parses if what the edit makes of the statements that it touches does.
"""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from headwater.syntax.source.top_level import lines_begun, on_own_lines
from headwater_ir.span import Span

from .edit import Edit, apply_edits

Starts = tuple[int, ...]
"""Where the lines begin on which statements of the top level begin, and none ends that begins above."""


def starts_of(tree: ast.Module, lines: list[str]) -> Starts | None:
    """Where the statements of ``tree``, which was read of ``lines``, begin; None if some line holds parts of two."""
    statements = on_own_lines(tree.body, lines)
    starts = [0, *accumulate(map(len, lines))]
    return None if statements is None else tuple(starts[line] for line in lines_begun(statements))


def still_parses(text: str, starts: Sequence[int], edits: Iterable[Edit]) -> bool:
    """Whether ``text``, which parses and has its statements at ``starts``, parses after ``edits``."""
    pieces: list[tuple[Span, list[Edit]]] = []
    for edit in sorted(set(edits), key=lambda e: e.span):
        piece = touched(text, starts, edit.span)
        if pieces and piece.start < pieces[-1][0].end:
            known, others = pieces.pop()
            pieces.append((Span(known.start, max(known.end, piece.end)), [*others, edit]))
        else:
            pieces.append((piece, [edit]))
    return all(_parses(text, piece, its) for piece, its in pieces)


def touched(text: str, starts: Sequence[int], place: Span) -> Span:
    """The statements that ``place`` touches, with what stands behind them, or in front of the first of all."""
    at = [0, *starts, len(text)]
    first, last = (bisect_right(at, o, hi=len(at) - 1) for o in (place.start, place.end))
    return Span(at[first - 1], at[last])


def _parses(text: str, piece: Span, edits: Iterable[Edit]) -> bool:
    moved = [Edit(Span(e.span.start - piece.start, e.span.end - piece.start), e.text) for e in edits]
    after = apply_edits(piece.text(text), moved)
    joined = after and (after[-1] not in "\r\n" or after.rstrip("\r\n").endswith("\\"))
    if piece.end < len(text) and joined:  # the next statement would not begin a line
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the compiler thinks of the user's string escapes
            ast.parse(after)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
