"""Statements that stand for code that cannot be read, so that what follows the code needs to know nothing of it."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable

from headwater_ir.span import Span

from .bindings import bound_names

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_ASSIGNMENT = re.compile(r"(?P<targets>[^=(#!<>]*?)(?:[-+*/%&|^@]|//|\*\*|<<|>>|:)?=(?!=)")
_BINDER = re.compile(r"\b(?:for|import|as|def|class|del|global)\b|:=")
HIDDEN = "<hidden>"
"""As a module or function name: no source can spell it."""


def with_stand_ins(tree: ast.Module, source: str, hidden: Iterable[tuple[Span, str]]) -> None:
    """Insert into ``tree`` what each part of ``source`` may do: ``bound = hidden(names, names)`` reads and binds some,
    ``from hidden import *`` binds anything. Inside a statement it may happen before it and after it."""
    for span, effect in hidden:
        if effect == "nothing":
            continue
        line = source.count("\n", 0, span.start) + 1
        place = next((i for i, s in enumerate(tree.body) if s.lineno > line), len(tree.body))
        text = re.sub(r"^# MAGIC\b", "", span.text(source), flags=re.MULTILINE)
        text = re.sub(r"%+[ \t]*\w+", "", text)  # the name of a magic is no variable
        read = bound_names(tree.body[:place]) if effect == "anything" else set(_IDENTIFIER.findall(text))
        bound = _bound(text) if effect == "names" else set()
        made = _statements(_variables(read), _variables(bound), effect == "anything", line)
        inside = place > 0 and (tree.body[place - 1].end_lineno or 0) > line
        tree.body[place:place] = made
        if inside:
            tree.body[place - 1 : place - 1] = made


def stands_in(statement: ast.stmt) -> bool:
    """Whether ``statement`` is one of those that stand for code that cannot be read."""
    match statement:
        case ast.ImportFrom(module=module):
            return module == HIDDEN
        case ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
            return reads_what_is_hidden(call)
    return False


def reads_what_is_hidden(call: ast.Call) -> bool:
    """Whether ``call`` stands for code that cannot be read; its arguments are the variables that the code may read."""
    return isinstance(call.func, ast.Name) and call.func.id == HIDDEN


def _variables(names: set[str]) -> list[str]:
    return sorted(n for n in names if n.isidentifier() and not keyword.iskeyword(n))


def _bound(text: str) -> set[str]:
    """Names that ``text``, which does not parse, looks as if it bound."""
    found: set[str] = set()
    for line in text.splitlines():
        if _BINDER.search(line):
            found.update(_IDENTIFIER.findall(line))
        elif assigned := _ASSIGNMENT.match(line):
            found.update(_IDENTIFIER.findall(assigned["targets"]))
    return found


def _statements(read: list[str], bound: list[str], anything: bool, line: int) -> list[ast.stmt]:
    call = ast.Call(ast.Name(HIDDEN, ast.Load()), [ast.Name(n, ast.Load()) for n in read for _ in range(2)], [])
    made: list[ast.stmt] = [ast.Expr(call)]
    if bound:
        made = [ast.Assign([ast.Tuple([ast.Name(n, ast.Store()) for n in bound], ast.Store())], call)]
    if anything:
        made.append(ast.ImportFrom(HIDDEN, [ast.alias("*")], 0))
    for statement in made:
        for node in ast.walk(statement):
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
    return made
