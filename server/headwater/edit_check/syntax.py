"""Whether a text is another one but for the places that a rewrite may touch.

Law: two syntax trees are walked side by side. They may differ where a call of ``filter`` is added behind the receiver
of a boundary, in the condition of a filter of the proof (``frame[condition]`` is one) or by the whole call, in the
argument of an ``explode``, in a literal that holds SQL text, and by an import of ``pyspark.sql.functions``, or of
``Window``, under a name that the file does not use. What stands at these places is a matter of the plans (``confirm``);
everything else, consumers and other statements among it, is the same.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.bindings import bound_names
from headwater.syntax.source.unreadable_code import reads_what_is_hidden, stands_in
from headwater_ir.span import Span

_FILTERS = ("filter", "where")
_PLACES = frozenset({"lineno", "col_offset", "end_lineno", "end_col_offset", "type_comment", "kind", "ctx"})


_IMPORTED = ("functions", "Window")
"""What an import from ``pyspark.sql`` may add."""
_TYPE = 2
"""The place of the type among the arguments of ``join``."""
_NAMES = ("id", "arg", "name", "asname")
"""Fields of syntax trees that hold names."""


class Changed(Exception):
    """The texts differ elsewhere; the text says where."""


@dataclass(frozen=True)
class Places:
    """Where a text may change. ``ends``: offsets behind frames that a filter may be called on; ``filters``: calls of
    filters that may go away or get another condition; ``arguments``: values that may be filtered element by element;
    ``texts``: parts of SQL text; ``replaced``: expressions that may be others; ``gone``: statements that are not
    there; ``bare``: calls of methods of which only the receiver is left; ``statements``: those in front of which one
    more stands; ``joins``: calls of ``join`` whose type may be another one; ``moved``: statements, and the ones in
    front of which they stand instead."""

    ends: frozenset[int] = frozenset()
    filters: frozenset[Span] = frozenset()
    arguments: frozenset[Span] = frozenset()
    texts: tuple[Span, ...] = ()
    replaced: frozenset[Span] = frozenset()
    gone: frozenset[Span] = frozenset()
    bare: frozenset[Span] = frozenset()
    statements: frozenset[Span] = frozenset()
    joins: frozenset[Span] = frozenset()
    moved: frozenset[tuple[Span, Span]] = frozenset()


@dataclass
class Found:
    """What the second text has there. ``inserted``: the conditions of calls that were added; ``elements``: pairs of an
    argument, the function that filters its elements, and the condition; ``texts``: places in SQL text, and
    where what stands there now is; ``replaced``: expressions and what stands for them; ``imported``: the name of
    ``pyspark.sql.functions`` or ``Window``, if that is new; ``added``: by the statement behind it, a new one;
    ``joins``: calls of ``join`` and what stands for them."""

    inserted: list[tuple[int, ast.expr]] = field(default_factory=list)
    elements: list[tuple[Span, ast.expr, ast.Lambda]] = field(default_factory=list)
    replaced: list[tuple[ast.expr, ast.expr]] = field(default_factory=list)
    texts: list[tuple[Span, Span]] = field(default_factory=list)
    imported: list[str] = field(default_factory=list)
    added: dict[Span, ast.stmt] = field(default_factory=dict)
    joins: list[tuple[ast.Call, ast.Call]] = field(default_factory=list)

    def copy(self) -> Found:
        """What is found so far."""
        return Found(
            [*self.inserted], [*self.elements], [*self.replaced], [*self.texts], [*self.imported], {**self.added},
            [*self.joins],
        )  # fmt: skip


class _Mismatch(Exception):
    pass


class Comparison:
    """The trees of two texts, side by side."""

    def __init__(self, before: Context, after: Context, places: Places) -> None:
        self.before, self.after, self.places = before, after, places
        self.found = Found()
        self._ends = self._receivers()

    def check(self) -> Found:
        """What was changed; ``Changed`` if anything else was."""
        try:
            old, new = self.before.tree.body, self._without_import()
            new, old = self._without_added(old, new), self._kept(old)
            old = self._without_filters(old, new)
            if len(old) != len(new):
                raise Changed(f"{len(old)} statements are {len(new)}")
            for a, b in zip(old, new, strict=True):
                self._node(a, b)
        except _Mismatch as error:
            raise Changed(str(error)) from None
        hidden = [[h.span.text(c.source) for h in c.hidden] for c in (self.before, self.after)]
        if hidden[0] != hidden[1]:
            raise Changed("what is not Python has changed")
        return self.found

    def _receivers(self) -> dict[int, int]:
        """By identity the outermost expressions that end where a filter may be called, and these places."""
        found: dict[int, tuple[Span, ast.expr]] = {}
        for node in ast.walk(self.before.tree):
            if isinstance(node, ast.Attribute):
                end, of = _receiver_end(self.before, node), node.value
                spans = [(end, of)] if end is not None else []
            elif isinstance(node, ast.expr) and hasattr(node, "lineno"):
                spans = [(self.before.span(node).end, node)]
            else:
                continue
            for end, of in spans:
                if end in self.places.ends:
                    span = self.before.span(of)
                    if end not in found or span.start < found[end][0].start:
                        found[end] = span, of
        return {id(node): end for end, (_, node) in found.items()}

    def _node(self, a: Any, b: Any) -> None:
        end = self._ends.get(id(a))
        if end is None:
            return self._plain(a, b)
        added: list[ast.expr] = []
        while True:
            kept = self.found.copy()
            try:
                self._plain(a, b)
                self.found.inserted += [(end, c) for c in reversed(added)]
                return None
            except _Mismatch:
                self.found = kept
                condition = _condition(b)
                if condition is None:
                    raise
                added.append(condition)
                b = b.func.value

    def _plain(self, a: Any, b: Any) -> None:
        if isinstance(a, ast.Call) and self._is_filter(a):
            return self._filter(a, b)
        if isinstance(a, ast.Subscript) and self._ends_as_a_filter(a):
            return self._node(a.value, b.value if isinstance(b, ast.Subscript) else b)
        if isinstance(a, ast.expr) and hasattr(a, "lineno"):
            span = self.before.span(a)
            if span in self.places.bare and isinstance(a, ast.Call) and isinstance(a.func, ast.Attribute):
                return self._node(a.func.value, b)
            if span in self.places.joins and isinstance(a, ast.Call) and isinstance(b, ast.Call):
                return self._join(a, b)
            if span in self.places.replaced and isinstance(b, ast.expr):
                self.found.replaced.append((a, b))
                return None
            if span in self.places.arguments and isinstance(b, ast.Call) and len(b.args) == 2:
                kept = self.found.copy()
                try:
                    return self._same(a, b)
                except _Mismatch:
                    self.found = kept
                if not b.keywords and isinstance(b.args[1], ast.Lambda):
                    self._node(a, b.args[0])
                    self.found.elements.append((span, b.func, b.args[1]))
                    return None
            inside = [t for t in self.places.texts if span.start < t.start and t.end < span.end]
            if isinstance(a, (ast.Constant, ast.JoinedStr)) and inside and type(a) is type(b):
                return self._text(a, b, inside)
        return self._same(a, b)

    def _join(self, a: ast.Call, b: ast.Call) -> None:
        """The same call, with any type of join."""
        self._node(a.func, b.func)
        x, y = _without_type(a), _without_type(b)
        if [n for n, _ in x] != [n for n, _ in y] or max(len(a.args), len(b.args)) > _TYPE + 1:
            raise _Mismatch(self._said(a, b))
        for (_, one), (_, other) in zip(x, y, strict=True):
            self._node(one, other)
        self.found.joins.append((a, b))

    def _is_filter(self, call: ast.Call) -> bool:
        return self._ends_as_a_filter(call) and _condition(call) is not None

    def _ends_as_a_filter(self, node: ast.expr) -> bool:
        return any(f.end == self.before.span(node).end for f in self.places.filters)

    def _filter(self, a: ast.Call, b: Any) -> None:
        assert isinstance(a.func, ast.Attribute)
        kept = self.found.copy()
        if isinstance(b, ast.Call) and isinstance(b.func, ast.Attribute) and b.func.attr == a.func.attr:
            try:
                self._node(a.func.value, b.func.value)
                if _condition(b) is None or [k.arg for k in a.keywords] != [k.arg for k in b.keywords]:
                    raise _Mismatch(self._said(a, b))
                return
            except _Mismatch:
                self.found = kept
        self._node(a.func.value, b)

    def _same(self, a: Any, b: Any) -> None:
        if type(a) is not type(b):
            raise _Mismatch(self._said(a, b))
        if isinstance(a, ast.Call) and reads_what_is_hidden(a):
            b = self._without_new_names(b)
        if isinstance(a, ast.AST):
            for name in a._fields:
                if name not in _PLACES:
                    self._field(a, b, getattr(a, name, None), getattr(b, name, None))
        elif a != b or repr(a) != repr(b):
            raise _Mismatch(f"{a!r} is {b!r}")

    def _without_new_names(self, call: ast.Call) -> ast.Call:
        """What stands for code that cannot be read may read each variable in front of it, also one that is new."""
        new = bound_names([*self.found.added.values()]).union(self.found.imported)
        return ast.Call(call.func, [n for n in call.args if not isinstance(n, ast.Name) or n.id not in new], [])

    def _field(self, a: Any, b: Any, x: Any, y: Any) -> None:
        if not isinstance(x, list):
            return self._node(x, y)
        if x and isinstance(x[0], ast.stmt):
            y = self._without_added(x, y) if isinstance(y, list) else y
            x = self._kept(x)
            x = self._without_filters(x, y) if isinstance(y, list) else x
        if not isinstance(y, list) or len(x) != len(y):
            raise _Mismatch(self._said(a, b))
        for one, other in zip(x, y, strict=True):
            self._node(one, other)
        return None

    def _kept(self, block: list[ast.stmt]) -> list[ast.stmt]:
        """``block`` without the statements that are to go, and with those that are to move where they go."""
        if self.places.moved:
            block = self._moved(block)
        if not self.places.gone:
            return block
        return [s for s in block if not hasattr(s, "lineno") or self.before.span(s) not in self.places.gone]

    def _moved(self, block: list[ast.stmt]) -> list[ast.stmt]:
        """``block`` with the statements that are to move, within it, in front of an earlier one."""
        spans = [self.before.span(s) if hasattr(s, "lineno") else None for s in block]
        to = {spans.index(s): spans.index(at) for s, at in self.places.moved if s in spans and at in spans}
        return [block[i] for i in sorted(range(len(block)), key=lambda i: (to.get(i, i), i not in to, i))]

    def _without_filters(self, old: list[ast.stmt], new: list[Any]) -> list[ast.stmt]:
        """``old`` without assignments ``x = x.filter(…)`` that ``new`` does not have: nothing is left of them but
        ``x = x``."""
        if len(old) <= len(new) or not self.places.filters:
            return old
        kept: list[ast.stmt] = []
        for statement in old:
            name = _filtered_variable(statement)
            alone = name is not None and isinstance(statement, ast.Assign) and self._ends_as_a_filter(statement.value)
            at = new[len(kept)] if len(kept) < len(new) else None
            if not alone or (at is not None and _filtered_variable(at) == name):
                kept.append(statement)
        return kept

    def _without_added(self, old: list[ast.stmt], new: list[Any]) -> list[Any]:
        """``new`` without the statements that are added in front of some of ``old``."""
        if not self.places.statements:
            return new
        kept, at = list[Any](), 0
        for statement in self._kept(old):
            span = self.before.span(statement) if hasattr(statement, "lineno") else None
            if span is not None and span in self.places.statements:
                if at >= len(new) or not isinstance(new[at], ast.stmt):
                    raise _Mismatch(f"no statement stands in front of {self._said(statement, statement)}")
                self.found.added[span] = new[at]
                at += 1
            kept += new[at : at + 1]
            at += 1
        return [*kept, *new[at:]]

    def _said(self, a: Any, b: Any) -> str:
        said = []
        for node, context in ((a, self.before), (b, self.after)):
            text = context.text(node) if hasattr(node, "lineno") else type(node).__name__
            said.append(text if len(text) <= 80 else f"{text[:79]}…")
        return f"`{said[0]}` is `{said[1]}`"

    def _text(self, a: ast.expr, b: ast.expr, places: list[Span]) -> None:
        """A literal of which only what stands at ``places`` may be another text."""
        old, new, begin = self.before.text(a), self.after.text(b), self.before.span(a).start
        ends = [0, *(o - begin for p in sorted(places) for o in (p.start, p.end)), len(old)]
        kept = [old[i:j] for i, j in zip(ends[::2], ends[1::2], strict=True)]
        at = len(kept[0]) if new.startswith(kept[0]) and new.endswith(kept[-1]) else -1
        for place, part in zip(sorted(places), kept[1:], strict=True):
            end = len(new) - len(part) if part is kept[-1] else new.find(part, at)
            if at < 0 or end < at:
                raise _Mismatch(self._said(a, b))
            start = self.after.span(b).start
            self.found.texts.append((place, Span(start + at, start + end)))
            at = end + len(part)

    # --- imports

    def _without_import(self) -> list[ast.stmt]:
        """The statements of the second text, without an import that the first does not have."""
        old, new = self.before.tree.body, list(self.after.tree.body)
        again = "restartPython" in self.before.source  # what the head imports is gone then; all else changes behind it
        first = sum(map(self.before.is_linked, old))  # of other files, which no edit changes
        for i, statement in enumerate(new[first:], first):
            if not again and not _is_head(statement, i - first):
                break
            before = old[i] if i < len(old) else None
            if before is not None and _dumped(before) == _dumped(statement):
                continue
            if isinstance(statement, ast.ImportFrom) and statement.module == "pyspark.sql" and not statement.level:
                self._import(before, statement, new, i)
            break
        return new

    def _import(self, before: ast.stmt | None, statement: ast.ImportFrom, new: list[ast.stmt], i: int) -> None:
        theirs = _names(before) if isinstance(before, ast.ImportFrom) and before.module == "pyspark.sql" else []
        mine = _names(statement)
        added = [n for n in mine if n not in theirs]
        if len(added) != 1 or added[0][0] not in _IMPORTED:
            return
        name = added[0][1] or added[0][0]
        if any(name in (getattr(n, f, None) for f in _NAMES) for n in ast.walk(self.before.tree)):
            raise Changed(f"`{name}` has a meaning in the file already")
        self.found.imported.append(name)
        if mine == added:
            del new[i]
        elif [n for n in mine if n in theirs] == theirs:
            assert before is not None
            new[i] = before


def _filtered_variable(statement: Any) -> str | None:
    """The variable ``x`` of ``x = x.filter(…)``."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(value=ast.Name(id=of))) as call):
            return name if name == of and _condition(call) is not None else None
    return None


def _without_type(call: ast.Call) -> list[tuple[str | int | None, ast.expr]]:
    """The arguments of a call of ``join`` but for the type, each with its place or name."""
    placed: list[tuple[str | int | None, ast.expr]] = [*enumerate(call.args[:_TYPE])]
    return [*placed, *((k.arg, k.value) for k in call.keywords if k.arg != "how")]


def _is_head(statement: ast.stmt, i: int) -> bool:
    """Whether an import may go behind ``statement``: a docstring, an import, or a magic, which is read as ``_``."""
    match statement:
        case ast.Expr(value=ast.Constant()):
            return i == 0
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Name(id="_")):
            return True
    return stands_in(statement)


def _names(statement: ast.ImportFrom) -> list[tuple[str, str | None]]:
    return [(a.name, a.asname) for a in statement.names]


def _dumped(node: ast.AST) -> str:
    return ast.dump(node)


def _condition(node: Any) -> ast.expr | None:
    """The condition of a call of ``filter`` with nothing else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _FILTERS:
        return None
    if len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred):
        return node.args[0]
    if not node.args and len(node.keywords) == 1 and node.keywords[0].arg == "condition":
        return node.keywords[0].value
    return None


def _receiver_end(context: Context, function: ast.Attribute) -> int | None:
    """The offset behind ``receiver`` of ``receiver.name`` and the parentheses that it stands in; None where that is not
    plain."""
    value, whole = context.span(function.value), context.span(function)
    end, text = value.end, context.source
    i = end
    while i < whole.end and text[i] != ".":
        if text[i] == "#":
            while i < whole.end and text[i] not in "\r\n":
                i += 1
            continue
        if text[i] == ")":
            end = i + 1
        elif text[i] not in " \t\f\r\n\\":
            return None
        i += 1
    return end
