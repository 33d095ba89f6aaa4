"""Temporary views that a file registers, as variables: which calls make one whose name means one frame from there on.

Closed world of the file: it registers the name once, in a statement of its own at the top of a body, and nothing in it
can replace or drop a view: no other way to register, no SQL text but queries, no catalog, no session beside the one, no
cell of a notebook in another language.
That no code outside the file does, nor reads the view, is an assumption (``operators.view``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from headwater.syntax.names.resolve import Names
from headwater.syntax.source import ast_walk

LOCAL = frozenset({"createTempView", "createOrReplaceTempView"})
REGISTERS = LOCAL | {"createGlobalTempView", "createOrReplaceGlobalTempView", "registerTempTable"}
_READS = ("table", "sql")
_REFUSED = frozenset("catalog newSession cloneSession registerDataFrameAsTable dropTempTable".split())
_OTHER_CODE = ("# MAGIC", "%sql", "%%")
"""Signs of cells of a notebook that hold SQL."""
_QUERY = re.compile(r"\s*(select|with|from|values|show|describe|desc|explain)\b", re.IGNORECASE)
_MEMO = "temporary views"


@dataclass(frozen=True)
class _Uses:
    """What a file does with views. ``registered``: the calls that register a name; ``queries``: the calls that read
    tables or SQL text, with the expression of the text; ``texts``: all texts; ``closed``: nothing else is done."""

    registered: dict[str, list[ast.Call]]
    queries: list[tuple[ast.Call, ast.expr | None]]
    texts: list[ast.Constant]
    closed: bool


def followed(node: ast.Call, body: Sequence[ast.stmt], names: Names) -> str | None:
    """The name, in lower case, of the view that ``node`` registers, if it can be followed; ``body``: the statements of
    the scope."""
    name = _name(node, names)
    if name is None or names.reflective or not any(isinstance(s, ast.Expr) and s.value is node for s in body):
        return None
    uses = _uses_of(names)
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return name if uses.closed and method in LOCAL and uses.registered.get(name) == [node] else None


def others_read(name: str, read: set[int], names: Names) -> bool:
    """Whether the file may read the view ``name`` elsewhere than in the calls ``read``."""
    uses, word = _uses_of(names), re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    own = {id(call) for call in uses.registered.get(name, [])}
    others = [text for call, text in uses.queries if id(call) not in read | own]
    if any(text is None or not _is_text(text) or word.search(str(text.value)) for text in others):
        return True
    known = {id(part) for call, text in uses.queries if text and id(call) in read for part in _parts(text)}
    known |= {id(_text(call, names)) for call in uses.registered.get(name, [])}
    return any(word.search(str(t.value)) and id(t) not in known for t in uses.texts)


def _uses_of(names: Names) -> _Uses:
    memo = names.ctx.memo
    if _MEMO not in memo:
        memo[_MEMO] = _look(names)
    found = memo[_MEMO]
    assert isinstance(found, _Uses)
    return found


def _look(names: Names) -> _Uses:
    registered: dict[str, list[ast.Call]] = {}
    queries: list[tuple[ast.Call, ast.expr | None]] = []
    nodes = list(ast_walk.walk(names.ctx.tree))
    attributes = [n for n in nodes if isinstance(n, ast.Attribute)]
    calls = [n for n in nodes if isinstance(n, ast.Call)]
    called = {id(c.func): c for c in calls}
    closed = not any(a.attr in _REFUSED for a in attributes) and names.ctx.readable == names.ctx.source
    closed &= not any(map(names.ctx.mentions, _OTHER_CODE))
    for attribute in (a for a in attributes if a.attr in REGISTERS):
        call = called.get(id(attribute))
        name = None if call is None else _name(call, names)
        closed &= name is not None
        if call is not None and name is not None:
            registered.setdefault(name, []).append(call)
    for attribute in (a for a in attributes if a.attr in _READS):
        call = called.get(id(attribute))
        if call is None:
            closed = False
            continue
        text = _text(call, names)
        queries.append((call, text))
        closed &= attribute.attr == "table" or _is_query(text)
    return _Uses(registered, queries, [n for n in nodes if _is_text(n)], closed)


def _name(call: ast.Call, names: Names) -> str | None:
    match _text(call, names):
        case ast.Constant(value=str() as name) if name.isidentifier() and len(call.args) == 1 and not call.keywords:
            return name.lower()
    return None


def _text(call: ast.Call, names: Names) -> ast.expr | None:
    given = call.args[0] if call.args else None
    unchanged = isinstance(given, ast.Name) and given.id not in names.rebound
    return names.ctx.constant(given.id) or given if isinstance(given, ast.Name) and unchanged else given


def _parts(text: ast.expr) -> Iterator[ast.expr]:
    """The constants that a SQL text is put together of."""
    match text:
        case ast.Constant():
            yield text
        case ast.JoinedStr(values=values):
            yield from (value for value in values if isinstance(value, ast.Constant))
        case ast.BinOp(left=left, right=right):
            yield from (*_parts(left), *_parts(right))
        case ast.Call(func=ast.Attribute(value=owner, attr="format"), args=args):
            yield from (part for part in (owner, *args) if isinstance(part, ast.Constant))


def _is_query(text: ast.expr | None) -> bool:
    """Whether a SQL text is one that replaces no view, as far as its first word shows."""
    match text:
        case (
            ast.JoinedStr(values=[first, *_])
            | ast.BinOp(left=first)
            | ast.Call(func=ast.Attribute(value=first, attr="format"))
        ):
            return _is_query(first)
    return isinstance(text, ast.Constant) and _QUERY.match(str(text.value)) is not None


def _is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
