"""The statements of the top level of a text, kept from one version of the text to the next.

Only what an edit touches is parsed again. A statement that stands on lines of its own is parsed alike wherever it
stands, so one with the same lines as before *is* the same syntax tree, moved; the one before the edit is parsed once
more, for an ``else`` may have come to it. Of a class, only the method is parsed again that an edit stays inside of.
Whatever is not as plain as that is parsed whole.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from . import notebook
from .ast_walk import methods_of, walk
from .lines import split_lines
from .unreadable_code import stands_in

_OTHER_GRAMMAR = "barry_as_FLUFL"
"""https://peps.python.org/pep-0401/: an import that changes what the statements after it mean."""
_PLACED: WeakKeyDictionary[ast.stmt, list[ast.stmt]] = WeakKeyDictionary()
"""What stands in a statement, without itself and without the statements of a class."""


@dataclass(eq=False)
class Statement:
    """``node`` and the half-open range of zero-based lines that it stands on, decorators included."""

    node: ast.stmt
    first: int
    last: int

    def move(self, lines: int) -> None:
        """Note that it stands ``lines`` further down."""
        if lines:
            _move(self.node, lines)
            self.first += lines
            self.last += lines


def _move(node: ast.stmt, lines: int) -> None:
    body = node.body if isinstance(node, ast.ClassDef) else []  # whose parts another class may get
    for part in body:
        _move(part, lines)
    if node not in _PLACED:
        below = (n for n in walk(node, body) if n is not node and hasattr(n, "lineno"))
        _PLACED[node] = [*below]  # type: ignore[list-item]
    for placed in (node, *_PLACED[node]):
        placed.lineno += lines
        if placed.end_lineno is not None:
            placed.end_lineno += lines


@dataclass(frozen=True)
class Parsed:
    """One version of a text. ``statements`` is None where lines hold anything else beside them than others behind a
    semicolon."""

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
    made = on_own_lines(readable.tree.body, split_lines(readable.text))
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
    if statements is None or not plain or _OTHER_GRAMMAR in source:
        return None
    if notebook.runs_others(source) or notebook.has_indented_cell(source):
        return None
    most = min(len(old), len(lines))
    same = _common(old, lines, most)
    rest = _common(old[same:][::-1], lines[same:][::-1], most - same)
    together = _with_edited_method(statements, old, lines, same, rest) or _with_parsed(
        statements, old, lines, same, rest
    )
    if together is None:
        return None
    module = ast.Module([s.node for s in together], [])
    return Parsed(source, lines, notebook.Readable(source, module), together)


def _with_parsed(
    statements: list[Statement], old: list[str], lines: list[str], same: int, rest: int
) -> list[Statement] | None:
    """``statements`` after an edit that leaves the first ``same`` lines and the last ``rest``: those that it touches
    are parsed again. None if that is not plain to do."""
    head = sum(1 for s in statements if s.last <= same)
    tail = sum(1 for s in statements if s.first >= len(old) - rest)
    head = max(head - 1, 0)
    while 0 < head < len(statements) and _share_a_line(statements, head):
        head -= 1
    while tail and _share_a_line(statements, len(statements) - tail):
        tail -= 1
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
    made = on_own_lines(tree.body, lines)
    if made is None:
        return None
    dropped = statements[head : len(statements) - tail]
    known = _by_lines(dropped, old)
    made = [_known(s, known, lines) for s in made]
    _keep_methods(dropped, old, made, lines)
    for statement in kept[1]:
        statement.move(moved)
    return [*kept[0], *made, *kept[1]]


def _with_edited_method(
    statements: list[Statement], old: list[str], lines: list[str], same: int, rest: int
) -> list[Statement] | None:
    """As ``_with_parsed`` after an edit inside one method, of which the first line stays: it is parsed alone. Nothing
    that stands beside it in the class can come to belong to it, for a definition has no further clauses."""
    end, moved = len(old) - rest, len(lines) - len(old)
    at = next((i for i, s in enumerate(statements) if s.first < same and end <= s.last), None)
    owner = None if at is None else statements[at].node
    if at is None or not isinstance(owner, ast.ClassDef):
        return None
    method = next((m for m in _methods(owner, old) if m.first < same < m.last and end <= m.last), None)
    made = None if method is None else _parsed_alone(method, lines, method.last + moved)
    if method is None or made is None:
        return None
    place = owner.body.index(method.node)
    for statement in owner.body[place + 1 :]:
        if moved:
            _move(statement, moved)
    for below in statements[at + 1 :]:
        below.move(moved)
    body = [*owner.body[:place], made, *owner.body[place + 1 :]]
    anew = ast.copy_location(ast.ClassDef(**{**dict(ast.iter_fields(owner)), "body": body}), owner)
    anew.end_lineno, anew.end_col_offset = body[-1].end_lineno, owner.end_col_offset
    if body[-1] is made:
        anew.end_col_offset = made.end_col_offset
    last = anew.end_lineno or anew.lineno
    return [*statements[:at], Statement(anew, statements[at].first, last), *statements[at + 1 :]]


def _parsed_alone(method: Statement, lines: list[str], last: int) -> ast.stmt | None:
    """The method that stands up to the line ``last`` where ``method`` stood; None if there is anything else."""
    text = "".join(lines[method.first : last])
    if text.rstrip("\r\n").endswith("\\"):
        return None
    try:
        tree = notebook.tree_of("\n" * (method.first - 1) + "if 1:\n" + text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match tree.body:
        case [ast.If(body=[ast.FunctionDef() | ast.AsyncFunctionDef() as made], orelse=[])]:
            behind = lines[(made.end_lineno or 0) - 1].encode("utf-8", "surrogatepass")[made.end_col_offset or 0 :]
            if first_line(made) == method.first and (not behind.strip() or behind.strip().startswith(b"#")):
                return made
    return None


def _common(a: list[str], b: list[str], most: int) -> int:
    """How many lines, up to ``most``, ``a`` and ``b`` begin with alike."""
    least = 0
    while least < most:  # by halves: to compare slices is quick
        middle = (least + most + 1) // 2
        if a[least:middle] == b[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def on_own_lines(nodes: list[ast.stmt], lines: list[str]) -> list[Statement] | None:
    """The statements ``nodes`` of a text; None if a line holds parts of two without a semicolon between them."""
    found: list[Statement] = []
    goes_on = False  # whether the last one ends with a semicolon, and another may begin on its line
    for node in nodes:
        if stands_in(node):
            found.append(Statement(node, node.lineno - 1, node.lineno - 1))
            continue
        decorators, first = getattr(node, "decorator_list", []), first_line(node)
        last = node.end_lineno or node.lineno
        shares = bool(found) and found[-1].last > first
        head = goes_on if shares else lines[first].startswith("@") if decorators else node.col_offset == 0
        behind = lines[last - 1].encode("utf-8", "surrogatepass")[node.end_col_offset or 0 :].strip()
        goes_on = behind.startswith(b";")
        if not head or (behind and not goes_on and behind != b"\\" and not behind.startswith(b"#")):
            return None
        found.append(Statement(node, first, last))
    return found


def lines_begun(statements: Sequence[Statement]) -> list[int]:
    """The zero-based lines on which statements begin, without those on which others end as well."""
    return [s.first for i, s in enumerate(statements) if not i or not _share_a_line(statements, i)]


def _share_a_line(statements: Sequence[Statement], i: int) -> bool:
    """Whether the statement ``i`` begins on the line on which the one before it ends."""
    return i > 0 and statements[i - 1].last > statements[i].first


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
    """In a class that was parsed anew, the methods that were there before with the same text, at their places. Each
    stands in one class: none of a class that stands in the text as a whole again."""
    whole = {id(s.node) for s in made}
    known: dict[tuple[str, str], list[Statement]] = {}
    for before in (s.node for s in dropped if isinstance(s.node, ast.ClassDef) and id(s.node) not in whole):
        for method in _methods(before, old):
            known.setdefault((before.name, "".join(old[method.first : method.last])), []).append(method)
    before_it = {id(s.node) for s in dropped}
    for node in (s.node for s in made if isinstance(s.node, ast.ClassDef) and id(s.node) not in before_it):
        for method in _methods(node, lines):
            same = known.get((node.name, "".join(lines[method.first : method.last])))
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


def first_line(node: ast.stmt) -> int:
    """The zero-based line on which a statement begins, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)]) - 1


def _key(statement: Statement, lines: list[str]) -> str:
    if statement.first == statement.last:
        return "\0" + ast.dump(statement.node)
    text = "".join(lines[statement.first : statement.last])
    return f"{statement.node.col_offset}\0{text}" if statement.node.col_offset else text
