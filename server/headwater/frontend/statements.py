"""The statements of the top level of a text, kept from one version of the text to the next.

Only what an edit touches is parsed again. A statement that stands on lines of its own is parsed alike wherever it
stands, so one with the same lines as before *is* the same syntax tree, moved; the one before the edit is parsed once
more, for an ``else`` may have come to it. Whatever is not as plain as that is parsed whole.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from . import notebook
from .lines import split_lines
from .stand_ins import stands_in
from .syntax import walk

_OTHER_GRAMMAR = "barry_as_FLUFL"
"""https://peps.python.org/pep-0401/: an import that changes what the statements after it mean."""


@dataclass(eq=False)
class Statement:
    """``node`` and the half-open range of zero-based lines that it stands on, decorators included."""

    node: ast.stmt
    first: int
    last: int
    _placed: list[ast.expr] | None = field(default=None, repr=False)

    def move(self, lines: int) -> None:
        """Note that it stands ``lines`` further down."""
        if lines == 0:
            return
        if self._placed is None:
            self._placed = [n for n in walk(self.node) if hasattr(n, "lineno")]  # type: ignore[misc]
        for node in self._placed:
            node.lineno += lines
            if node.end_lineno is not None:
                node.end_lineno += lines
        self.first += lines
        self.last += lines


@dataclass(frozen=True)
class Parsed:
    """One version of a text. ``statements`` is None where they do not stand on lines of their own."""

    source: str
    lines: list[str]
    readable: notebook.Readable
    statements: list[Statement] | None


def parse(source: str, before: Parsed | None = None) -> Parsed:
    """``source``, with as much as possible of what was parsed ``before``, which is then used up. Errors: those of
    ``notebook.parse``; what was parsed before is then as it was."""
    lines = split_lines(source)
    return (before and _edited(before, source, lines)) or _whole(source, lines, before)


def _whole(source: str, lines: list[str], before: Parsed | None) -> Parsed:
    readable = notebook.parse(source)
    made = _on_own_lines(readable.tree.body, split_lines(readable.text))
    if made is None:
        return Parsed(source, lines, readable, None)
    if before is not None and before.statements is not None:
        known = _by_text(before.statements, before.readable.text)
        made = [_known(s, known, split_lines(readable.text)) for s in made]
        readable.tree.body[:] = [s.node for s in made]
    return Parsed(source, lines, readable, made)


def _edited(before: Parsed, source: str, lines: list[str]) -> Parsed | None:
    """``source`` if it differs from a plain text in some lines and is one itself; None if it is to be parsed whole."""
    old, statements = before.lines, before.statements
    plain = before.readable.text is before.source and not before.readable.hidden
    if statements is None or not plain or _OTHER_GRAMMAR in source or notebook.runs_others(source):
        return None
    same = _common(old, lines, min(len(old), len(lines)), lambda i: i)
    rest = _common(old, lines, min(len(old), len(lines)) - same, lambda i: -1 - i)
    head = sum(1 for s in statements if s.last <= same)
    tail = sum(1 for s in statements if s.first >= len(old) - rest)
    head = max(head - 1, 0)
    kept = statements[:head], statements[len(statements) - tail :] if tail else []
    start = kept[0][-1].last if kept[0] else 0
    moved = len(lines) - len(old)
    end = kept[1][0].first + moved if kept[1] else len(lines)
    text = "".join(lines[start:end])
    if text.rstrip("\r\n").endswith("\\"):
        return None
    try:
        tree = notebook.tree_of("\n" * start + text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    made = _on_own_lines(tree.body, lines)
    if made is None:
        return None
    dropped = statements[head : len(statements) - tail]
    known = _by_lines(dropped, old)
    made = [_known(s, known, lines) for s in made]
    _keep_methods(dropped, old, made, lines)
    for statement in kept[1]:
        statement.move(moved)
    together = [*kept[0], *made, *kept[1]]
    module = ast.Module([s.node for s in together], [])
    return Parsed(source, lines, notebook.Readable(source, module), together)


def _common(a: list[str], b: list[str], most: int, place: Callable[[int], int]) -> int:
    return next((i for i in range(most) if a[place(i)] != b[place(i)]), most)


def _on_own_lines(nodes: list[ast.stmt], lines: list[str]) -> list[Statement] | None:
    """The statements ``nodes`` of a text; None if some line holds parts of two."""
    found: list[Statement] = []
    for node in nodes:
        if stands_in(node):
            found.append(Statement(node, node.lineno - 1, node.lineno - 1))
            continue
        decorators, first = getattr(node, "decorator_list", []), first_line(node)
        last = node.end_lineno or node.lineno
        head = lines[first].startswith("@") if decorators else node.col_offset == 0
        behind = lines[last - 1].encode("utf-8", "surrogatepass")[node.end_col_offset or 0 :].strip()
        if not head or (behind and not behind.startswith(b"#")) or (found and found[-1].last > first):
            return None
        found.append(Statement(node, first, last))
    return found


def _by_text(statements: list[Statement], text: str) -> dict[str, list[Statement]]:
    return _by_lines(statements, split_lines(text))


def _by_lines(statements: list[Statement], lines: list[str]) -> dict[str, list[Statement]]:
    known: dict[str, list[Statement]] = {}
    for statement in reversed(statements):
        known.setdefault(_key(statement, lines), []).append(statement)
    return known


def _known(statement: Statement, known: dict[str, list[Statement]], lines: list[str]) -> Statement:
    """``statement``, or the one that was there before with the same text, at its place."""
    same = known.get(_key(statement, lines))
    if not same:
        return statement
    found = same.pop()
    found.move(statement.first - found.first)
    return found


def _keep_methods(dropped: list[Statement], old: list[str], made: list[Statement], lines: list[str]) -> None:
    """In a class that was parsed anew, the methods that were there before with the same text, at their places."""
    classes = {s.node.name: s.node for s in dropped if isinstance(s.node, ast.ClassDef)}
    for statement in made:
        node = statement.node
        before = classes.get(node.name) if isinstance(node, ast.ClassDef) else None
        if not isinstance(node, ast.ClassDef) or before is None or before is node:
            continue
        known: dict[str, list[Statement]] = {}
        for method in _methods(before, old):
            known.setdefault("".join(old[method.first : method.last]), []).append(method)
        for method in _methods(node, lines):
            same = known.get("".join(lines[method.first : method.last]))
            if same:
                found = same.pop(0)
                found.move(method.first - found.first)
                node.body[node.body.index(method.node)] = found.node


def _methods(node: ast.ClassDef, lines: list[str]) -> list[Statement]:
    """The methods of a class that stand on lines of their own."""
    found: list[Statement] = []
    for method in methods_of(node):
        first, last = first_line(method), method.end_lineno or method.lineno
        behind = lines[last - 1].encode("utf-8", "surrogatepass")[method.end_col_offset or 0 :].strip()
        begins = lines[first].lstrip(" \t").startswith(("def ", "async ", "@"))
        if begins and (not behind or behind.startswith(b"#")) and not (found and found[-1].last > first):
            found.append(Statement(method, first, last))
    return found


def methods_of(node: ast.stmt) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The methods in the body of ``node``, if it is a class."""
    body = node.body if isinstance(node, ast.ClassDef) else []
    return [s for s in body if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))]


def first_line(node: ast.stmt) -> int:
    """The zero-based line on which a statement begins, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)]) - 1


def _key(statement: Statement, lines: list[str]) -> str:
    if statement.first == statement.last:
        return "\0" + ast.dump(statement.node)
    return "".join(lines[statement.first : statement.last])


def placed(parsed: Parsed) -> Iterator[tuple[int, Statement]]:
    """Every statement with the offset where it begins."""
    at, line = 0, 0
    for statement in parsed.statements or ():
        at += sum(map(len, parsed.lines[line : statement.first]))
        line = statement.first
        yield at, statement
