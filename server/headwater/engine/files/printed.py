"""Schemas that ``printSchema()`` has printed, and of which call they are: saved outputs of a notebook's cells, and
comments around such a call.

Law: a tree is the schema of ``name = call(…)`` if the text prints ``name`` at its top level, nothing between the two
can bind the name, the call stands in the text once, and each tree belongs to one print. Of cells that were run in
another order than the one they stand in, a print is only taken where no other binding was run in between.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headwater.data_facts.model import PRINTED, ColumnFacts, DataFacts, Output
from headwater.data_facts.printed_tree import ROOT, columns_of
from headwater.syntax.names.statement_notes import notes_of
from headwater.syntax.source.bindings import bound_names
from headwater.syntax.source.notebook import parse
from headwater.syntax.source.unreadable_code import HIDDEN

_ASKS = "printSchema"
_CELL = re.compile(r"^# %% headwater:cell (\d+)\n", re.MULTILINE)


@dataclass(frozen=True)
class _Binding:
    """``call``: its text; ``cell``: where it stands."""

    call: str
    cell: int | None


@dataclass(frozen=True)
class _Print:
    """``line``, ``end``: of the statement, from one; ``of``: what the name was bound to; None if that is not known."""

    name: str
    line: int
    end: int
    cell: int | None
    of: _Binding | None

    @property
    def text(self) -> str:
        """The statement."""
        return f"{self.name}.{_ASKS}()"


def printed_facts(text: str, outputs: Sequence[Output] = ()) -> tuple[DataFacts, ...]:
    """What the prints of ``text`` say of the calls that make its frames; ``outputs``: of its cells, by number."""
    if f".{_ASKS}()" not in text or not (ROOT in text or any(o.text for o in outputs)):
        return ()
    cells = _Cells(text)
    try:
        tree = parse(text).tree
        if any(notes.unseen or notes.reflective for notes in map(notes_of, tree.body)):
            return ()  # what may bind any name
        prints, bound_in = _prints(tree, text, cells)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    known: dict[str, set[tuple[ColumnFacts, ...] | None]] = {}
    said: dict[str, DataFacts] = {}
    for asked, columns, source, day in (*_of_outputs(prints, cells, outputs), *_of_comments(prints, text)):
        if asked.of is None or (outputs and not _in_order(asked, asked.of, bound_in, outputs)):
            continue
        call = asked.of.call
        known.setdefault(call, set()).add(columns)
        where = f"the schema of `{asked.name}`, as printed in {source}, {day or 'on an unknown day'}"
        if columns is not None:
            said.setdefault(call, DataFacts(call, PRINTED, columns, (), None, where))
    return tuple(facts for call, facts in said.items() if len(known[call]) == 1)


class _Cells:
    """Which lines of a program are of which cell."""

    def __init__(self, text: str) -> None:
        marks = list(_CELL.finditer(text))
        self._starts = [text.count("\n", 0, m.start()) + 1 for m in marks]
        self._numbers = [int(m[1]) for m in marks]
        ends = [*(m.start() for m in marks[1:]), len(text)]
        self.texts = {int(m[1]): text[m.end() : end] for m, end in zip(marks, ends, strict=False)}

    def at(self, line: int) -> int | None:
        index = bisect_right(self._starts, line) - 1
        return self._numbers[index] if index >= 0 else None


def _prints(tree: ast.Module, text: str, cells: _Cells) -> tuple[list[_Print], dict[str, set[int | None]]]:
    """The prints at the top of ``tree``, and the cells in which each name may be bound."""
    bound: dict[str, _Binding] = {}
    prints: list[_Print] = []
    bound_in: dict[str, set[int | None]] = {}
    everywhere = {n for node in ast.walk(tree) if isinstance(node, (ast.Global, ast.Nonlocal)) for n in node.names}
    for statement in tree.body:
        cell = cells.at(statement.lineno)
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            if statement.module == HIDDEN:
                bound.clear()
            continue
        for name in bound_names([statement]):
            bound_in.setdefault(name, set()).add(cell)
            bound.pop(name, None)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if name not in everywhere:
                segment = ast.get_source_segment(text, call) or ""
                if segment and text.count(segment) == 1:
                    bound[name] = _Binding(segment, cell)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=asked), args=[], keywords=[])
            ) if asked == _ASKS:
                end = statement.end_lineno or statement.lineno
                prints.append(_Print(name, statement.lineno, end, cell, bound.get(name)))
    return prints, bound_in


_Read = tuple[_Print, "tuple[ColumnFacts, ...] | None", str, str]
"""A print, the columns of its tree, where that stands, and on which day it was printed."""


def _of_outputs(prints: Sequence[_Print], cells: _Cells, outputs: Sequence[Output]) -> Iterator[_Read]:
    for output in outputs:
        here = [p for p in prints if p.cell == output.cell]
        trees = list(_trees(output.text))
        if len(here) == len(trees) == cells.texts.get(output.cell, "").count(_ASKS):
            where, day = f"the output of cell {output.cell + 1}", f"on {output.day}" if output.day else ""
            yield from ((p, tree, where, day) for p, tree in zip(here, trees, strict=True))


def _trees(text: str) -> Iterator[tuple[ColumnFacts, ...] | None]:
    """The trees in what a cell printed, each up to an empty line or the end; None for one that is not understood."""
    lines = [line.strip() for line in text.split("\n")]
    for i, line in enumerate(lines):
        if line == ROOT:
            end = next((j for j in range(i + 1, len(lines)) if not lines[j]), len(lines))
            yield columns_of(lines[i + 1 : end])


def _of_comments(prints: Sequence[_Print], text: str) -> Iterator[_Read]:
    """The blocks of comments that are a tree, each directly below or above one print."""
    lines = [line.strip() for line in text.replace("\r\n", "\n").split("\n")]
    alone = [p for p in prints if p.end <= len(lines) and lines[p.line - 1].partition("#")[0].strip() == p.text]
    below, above = {p.end + 1: p for p in alone}, {p.line - 1: p for p in alone}
    for i, line in enumerate(lines if "\r" not in text.replace("\r\n", "") else (), 1):
        if not line.startswith("#") or line[1:].strip() != ROOT:
            continue
        end = i
        while end < len(lines) and lines[end].startswith("#") and lines[end][1:].strip().startswith("|"):
            end += 1
        near = [p for p in (below.get(i), above.get(end)) if p is not None]
        if len(near) == 1:
            yield near[0], columns_of([x[1:].strip() for x in lines[i:end]]), "a comment beside it", ""


def _in_order(asked: _Print, of: _Binding, bound_in: dict[str, set[int | None]], outputs: Sequence[Output]) -> bool:
    """Whether the cells were run in an order in which the print is of this binding, by the numbers that they got."""
    if asked.cell == of.cell and bound_in[asked.name] == {of.cell}:
        return True
    turns = {o.cell: o.turn for o in outputs}
    if not any(turns.values()):
        return True
    start, end = turns.get(of.cell or 0), turns.get(asked.cell or 0)
    if not start or not end or start > end:
        return False
    others = (turns.get(cell or 0) for cell in bound_in[asked.name] - {of.cell})
    return not any(turn and start < turn <= end for turn in others)
