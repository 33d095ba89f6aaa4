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
from typing import TypeGuard, cast

from headwater.syntax.names.resolve import Names
from headwater.syntax.names.statement_notes import notes_of

LOCAL = frozenset({"createTempView", "createOrReplaceTempView"})
REGISTERS = LOCAL | {"createGlobalTempView", "createOrReplaceGlobalTempView", "registerTempTable"}
_READS = ("table", "sql")
_FOLLOWED = REGISTERS | {*_READS}
_REFUSED = frozenset("catalog newSession cloneSession registerDataFrameAsTable dropTempTable".split())
_OTHER_CODE = ("# MAGIC", "%sql", "%%")
"""Signs of cells of a notebook that hold SQL."""
_QUERY = re.compile(r"\s*(select|with|from|values|show|describe|desc|explain)\b", re.IGNORECASE)
VIEWS = "temporary views"
"""Where the memo of a ``Context`` has its ``Views``."""


@dataclass(frozen=True)
class Uses:
    """What a file does with one name of a view. ``registered``: the calls that register it, with the expressions of the
    name; ``queries``: the calls that may read it, with the constants of their texts; ``texts``: all strings that speak
    of it."""

    registered: tuple[tuple[ast.Call, ast.expr | None], ...]
    queries: tuple[tuple[ast.Call, tuple[ast.expr, ...]], ...]
    texts: tuple[ast.Constant, ...]


class Views:
    """The views of one file."""

    def __init__(self, names: Names) -> None:
        self._notes = notes = [notes_of(s) for s in names.ctx.tree.body]
        self._registered: dict[str, list[tuple[ast.Call, ast.expr | None]]] = {}
        self._queries: list[tuple[ast.Call, ast.expr | None]] = []
        closed = all(_REFUSED.isdisjoint(n.attributes) and _FOLLOWED.isdisjoint(n.uncalled) for n in notes)
        closed &= names.ctx.readable == names.ctx.source and not any(map(names.ctx.mentions, _OTHER_CODE))
        notes = [n for n in notes if not _FOLLOWED.isdisjoint(n.method_calls)]
        for call in (c for n in notes for method in REGISTERS for c in n.method_calls.get(method, ())):
            name = _name(call, names)
            closed &= name is not None
            if name is not None:
                self._registered.setdefault(name, []).append((call, _text(call, names)))
        for method, call in ((m, c) for n in notes for m in _READS for c in n.method_calls.get(m, ())):
            text = _text(call, names)
            self._queries.append((call, text))
            closed &= method == "table" or _is_query(text)
        self.closed = closed
        """Whether nothing else is done with views than what is looked at here."""

    @staticmethod
    def of(names: Names) -> Views:
        """The views of the file of ``names``."""
        memo = names.ctx.memo
        if VIEWS not in memo:
            memo[VIEWS] = Views(names)
        return cast("Views", memo[VIEWS])

    def uses(self, name: str) -> Uses:
        """The uses of the view ``name``."""
        word = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
        queries = (
            (call, tuple(_parts(text)) if text else ())
            for call, text in self._queries
            if text is None or not _is_text(text) or word.search(str(text.value))
        )
        plain = name.lower() if name.isascii() else ""  # to look for it in one case is quick
        every = (t for n in self._notes for t in n.texts)
        texts = (t for t in every if _may_hold(str(t.value), plain) and word.search(str(t.value)))
        return Uses(tuple(self._registered.get(name, ())), tuple(queries), tuple(texts))


def registered_names(names: Names) -> set[str | None]:
    """The names, in lower case, that the file may give a view with a method of a frame; None for any name."""
    notes = [n for n in map(notes_of, names.ctx.tree.body) if not REGISTERS.isdisjoint(n.attributes)]
    calls = [c for n in notes for method in REGISTERS for c in n.method_calls.get(method, ())]
    found: set[str | None] = {_name(c, names) for c in calls}
    return found | {None} if any(not REGISTERS.isdisjoint(n.uncalled) for n in notes) else found


def followed(node: ast.Call, body: Sequence[ast.stmt], names: Names) -> str | None:
    """The name, in lower case, of the view that ``node`` registers, if it can be followed; ``body``: the statements of
    the scope."""
    name = _name(node, names)
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if name is None or method not in LOCAL or names.reflective or not Views.of(names).closed:
        return None
    if not any(isinstance(s, ast.Expr) and s.value is node for s in body):
        return None
    return name if [call for call, _ in Views.of(names).uses(name).registered] == [node] else None


def others_read(name: str, read: set[int], names: Names) -> bool:
    """Whether the file may read the view ``name`` elsewhere than in the calls ``read``."""
    uses = Views.of(names).uses(name)
    own = {id(call) for call, _ in uses.registered}
    if any(id(call) not in read | own for call, _ in uses.queries):
        return True
    known = {id(part) for call, parts in uses.queries if id(call) in read for part in parts}
    known |= {id(text) for _, text in uses.registered}
    return any(id(t) not in known for t in uses.texts)


def _name(call: ast.Call, names: Names) -> str | None:
    match _text(call, names):
        case ast.Constant(value=str() as name) if name.isidentifier() and len(call.args) == 1 and not call.keywords:
            return name.lower()
    return None


def _text(call: ast.Call, names: Names) -> ast.expr | None:
    given = call.args[0] if call.args else None
    unchanged = isinstance(given, ast.Name) and given.id not in names.rebound
    return names.ctx.constant(given.id) or given if isinstance(given, ast.Name) and unchanged else given


def _may_hold(text: str, word: str) -> bool:
    """Whether ``word``, in lower case, may stand in ``text`` in some case."""
    return not text.isascii() or word in text.lower()


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
