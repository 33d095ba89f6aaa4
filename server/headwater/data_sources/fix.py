"""The filter handed back: ``yield f`` where ``pushFilters`` keeps one that ``read`` does not apply.

Law: what is handed back, Spark applies again, so the rows are those that pass if ``read`` returns no row too few. The
edited text is judged as the text before it was; where it still keeps what it does not apply, nothing is offered.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headwater.rewrite.edit import Edit, apply_edits
from headwater.validation.limits import NotEvaluated
from headwater_ir.span import Span

from .outside import POLICIES, Outer
from .reading import Readers
from .verdict import Verdict, judged


@dataclass(frozen=True)
class Fix:
    """``edits``; ``statements``: those in front of which one more stands afterwards; ``replaced``: the expression that
    is another one."""

    edits: tuple[Edit, ...]
    statements: tuple[Span, ...] = ()
    replaced: tuple[Span, ...] = ()


def fix_of(text: str, verdict: Verdict) -> Fix | None:
    """The edit that makes the reader of ``verdict`` right; None if none is known to."""
    if not verdict.superset:
        return None
    for fix in _candidates(text, verdict):
        after = apply_edits(text, fix.edits)
        try:
            ast.parse(after)
        except (SyntaxError, ValueError):
            continue
        name = verdict.reader.name
        if name in _kept_in(after) and all(v.reader.name != name for v in judged(after)):
            return fix
    return None


def _kept_in(text: str) -> list[str]:
    return [r.name for r in Readers(text).found()]


def _candidates(text: str, verdict: Verdict) -> Iterator[Fix]:
    node = verdict.reader.node
    places = _Places(text)
    returned = [n for n in _own(node) if isinstance(n, ast.Return) and n.value is not None]
    names = {r.value.id for r in returned if isinstance(r.value, ast.Name)}
    generator = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in _own(node))
    rest = next(iter(names)) if len(names) == 1 and len(returned) == 1 else None
    parameter = node.args.args[1].arg if len(node.args.args) == 2 else None
    if generator or (rest is not None and rest != parameter):
        firsts = _first_run(text, verdict)
        added = [(s, f"yield {v}" if generator else f"{rest}.append({v})") for s, v in firsts]
        if added:
            yield Fix(tuple(places.before(s, code) for s, code in added), tuple(places.span(s) for s, _ in added))
    if not generator and parameter is not None and len(returned) == 1:
        value = returned[0].value
        assert value is not None
        yield Fix((Edit(places.span(value), parameter),), (), (places.span(value),))


def _first_run(text: str, verdict: Verdict) -> list[tuple[ast.stmt, str]]:
    """The first statement, with the variable of the loop, of each innermost block that runs for a wrong filter."""
    readers = Readers(text)
    reader = next((r for r in readers.found() if r.name == verdict.reader.name), None)
    loops = [n for n in _own(verdict.reader.node) if isinstance(n, ast.For) and isinstance(n.target, ast.Name)]
    found = dict[tuple[int, int], tuple[ast.stmt, str]]()
    for wrong in verdict.wrong if reader is not None and len(loops) == 1 else ():
        variable = loops[0].target
        assert reader is not None
        assert isinstance(variable, ast.Name)
        mine = tuple(f for f in wrong.filters if f.name == wrong.kind)
        readers.world.executed.clear()
        try:
            readers.run(reader, mine, Outer(reader.columns, [], next(iter(POLICIES))))
        except NotEvaluated:
            continue
        at = _innermost(loops[0].body, readers.world.executed)
        if at is not None:
            found[at.lineno, at.col_offset] = at, variable.id
    return list(found.values())


def _innermost(block: Sequence[ast.stmt], executed: set[tuple[int, int]]) -> ast.stmt | None:
    """The first statement of the innermost block that ran."""
    if not block or (block[0].lineno, block[0].col_offset) not in executed:
        return None
    for s in reversed(block):
        for inside in _blocks(s):
            found = _innermost(inside, executed)
            if found is not None:
                return found
    return block[0]


def _blocks(s: ast.stmt) -> Iterator[list[ast.stmt]]:
    match s:
        case ast.If():
            yield from (s.body, s.orelse)
        case ast.Match():
            yield from (c.body for c in s.cases)
        case ast.Try():
            yield s.body


def _own(node: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions in it."""
    todo: list[ast.AST] = [*node.body]
    while todo:
        at = todo.pop(0)
        yield at
        if not isinstance(at, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            todo += ast.iter_child_nodes(at)


class _Places:
    """Places of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.splitlines(keepends=True)

    def offset(self, line: int, column: int) -> int:
        """The place of a line, counted from 1, and a column in bytes."""
        before = self.lines[line - 1].encode("utf-8", "surrogatepass")[:column].decode("utf-8", "surrogatepass")
        return sum(map(len, self.lines[: line - 1])) + len(before)

    def span(self, node: ast.stmt | ast.expr) -> Span:
        """The place of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return Span(self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset))

    def before(self, statement: ast.stmt, code: str) -> Edit:
        """A statement in front of another one."""
        start = self.span(statement).start
        line = self.lines[statement.lineno - 1]
        head = self.text[sum(map(len, self.lines[: statement.lineno - 1])) : start]
        end = "\r\n" if line.endswith("\r\n") else "\n"
        return Edit(Span(start, start), f"{code}; " if head.strip() else f"{code}{end}{head}")


def name_span(text: str, node: ast.FunctionDef) -> Span:
    """Where the name of a function stands."""
    start = _Places(text).offset(node.lineno, node.col_offset)
    at = text.index(node.name, start)
    return Span(at, at + len(node.name))


__all__ = ["Fix", "fix_of", "name_span"]
