"""What is evaluated after a frame is defined and before a copy of its expression would be, whatever way the program
takes.

Law: statements of one scope run in their order, but for loops, whose bodies run again. So between two places of a block
run the statements between them, the heads of the branches that lead to the second place and what precedes it in these,
and all of a loop that holds the second place only; of the statement that holds the copy, what Python evaluates first.
Counterexample: ``best = …`` before a ``for`` with ``best.filter(…)`` above ``spark.conf.set(…)``: in the second round
the setting has changed.
Reference: The Python Language Reference, 6.16 *Evaluation order*.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from headwater.syntax.names.module_scope import Context

from .definitions import NoBranch, Place

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMMENT = re.compile(r"^[ \t]*#[ \t]*(?P<text>(?:%|!|\?|\+|MAGIC\b).*)$", re.MULTILINE)
_MARK = re.compile(r"%%(?:[ \t]+(?:\[(?:markdown|md|raw)\].*|[^\[=]*))?$|\+[^=]*$")
"""Comments that mark a cell of Python, or of text, and give it no other language."""


@dataclass
class Region:
    """``whole``: the statements of which everything may be evaluated in between; ``heads``: those of which the head is;
    ``parts``: expressions of the statement with the copy. All by identity."""

    whole: set[int] = field(default_factory=set)
    heads: set[int] = field(default_factory=set)
    parts: set[int] = field(default_factory=set)


def region_of(since: Place, until: Place, copied: ast.Name, parents: Mapping[ast.AST, ast.AST]) -> Region:
    """What may be evaluated after the statement ``since``, and before ``copied`` in the statement ``until``."""
    found = Region()
    block, start = since.levels[0]
    depth = next(d for d, (b, _) in enumerate(until.levels) if b is block)
    for level in reversed(range(depth + 1)):
        inner, at = until.levels[level]
        first = start + 1 if level == depth else 0
        found.whole |= {id(s) for s in inner[first:at]}
        match inner[at]:
            case ast.While() | ast.Try() | ast.Match() as statement:
                found.whole.add(id(statement))
            case ast.For() | ast.AsyncFor() as statement if level > 0:
                found.whole.add(id(statement))
            case statement if level > 0:
                found.heads.add(id(statement))
            case statement:
                found.parts |= set(_before(statement, copied, parents))
    return found


def _before(statement: ast.stmt, copied: ast.Name, parents: Mapping[ast.AST, ast.AST]) -> Iterator[int]:
    """The expressions of ``statement`` that are evaluated before ``copied``, and perhaps some more."""
    node: ast.AST = copied
    while node is not statement:
        around = parents[node]
        if not isinstance(around, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For)):
            for child in ast.iter_child_nodes(around):
                if child is node:
                    break
                yield from (id(n) for n in (child, *ast.iter_child_nodes(child)))
        node = around


def check_text(context: Context, start: int, end: int) -> None:
    """NoBranch if some of the text from ``start`` to ``end`` is code that is not read: a cell in another language, a
    magic, a command of the shell, also one that is written as a comment, as Databricks and Jupytext store them."""
    if any(h.span.start < end and start < h.span.end for h in context.hidden):
        raise NoBranch("code that cannot be read may run before the filter")
    for found in _COMMENT.finditer(context.source, context.source.rfind("\n", 0, start) + 1, end):
        if not _MARK.match(found["text"]):
            raise NoBranch("a cell that is not Python may run before the filter")


def outermost_loop(place: Place) -> ast.stmt | None:
    """The loop around ``place`` in its scope that holds all others; None if there is none. What stands in the head of a
    loop over items is evaluated before the loop."""
    around = [block[at] for block, at in place.levels]
    loops = [s for i, s in enumerate(around) if isinstance(s, ast.While) or (i and isinstance(s, _LOOPS))]
    return loops[-1] if loops else None
