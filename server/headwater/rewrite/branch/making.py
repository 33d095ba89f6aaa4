"""The texts in which a filter has a branch of its own, and its rewrites as rewrites of the user's text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from headwater.pyspark.frames import call_spans
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.pyspark_symbols import FRAME_ATTRIBUTES
from headwater.syntax.names.resolve import Names
from headwater_ir.plan import Filter, Spelling
from headwater_ir.span import Span

from ..edit import Edit, apply_edits
from ..names import Bindings
from ..python_text import prevailing_quote, string_literal
from ..tokens import indent_of, line_end, line_start, newline_of
from .copyable import Copyable, kept, shuffles
from .definitions import Definition, NoBranch, Scopes
from .names import Holding
from .text import Piece, piece_of
from .world import Copied, World

MOST_STATEMENTS = 5
LINE_LENGTH = 120


@dataclass(frozen=True)
class Branch:
    """``text``: the source with a copy of the frame's expression where the filter reads the frame. ``name``: the
    variable that others read; ``at``: where the filter's call ends in ``text``; ``changes``: what was replaced."""

    source: str
    text: str
    name: str
    at: int
    changes: tuple[Edit, ...]
    copy: Piece
    read: Span

    @property
    def copied(self) -> Span:
        """Where the copy stands in ``text``."""
        start = self._forward(self.read.start)
        return Span(start, start + len(self.copy.text))

    def holds(self, span: Span) -> bool:
        """Whether ``span`` of ``text`` is part of the copy."""
        inside = self.copied
        return inside.start <= span.start and span.end <= inside.end

    def origin(self, span: Span) -> Span:
        """Where ``span`` of ``text`` stands in the source; of the copy, where that is copied from."""
        if self.holds(span):
            start = self.copied.start
            return self.copy.origin(Span(span.start - start, span.end - start))
        return Span(self._back(span.start), self._back(span.end))

    def place(self, span: Span) -> Span:
        """As ``origin``, but of the copy the variable that it takes the place of."""
        return Span(self.read.start, self.read.start) if self.holds(span) else self.origin(span)

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """``edits`` of ``text`` as edits of the source, with the copy itself."""
        starts = [self._forward(c.span.start) for c in self.changes]
        mine = [(Span(at, at + len(c.text)), None) for at, c in zip(starts, self.changes, strict=True)]
        both = sorted([*mine, *((e.span, e) for e in edits)], key=lambda both: both[0])
        groups: list[list[tuple[Span, Edit | None]]] = []
        for span, edit in both:
            if groups and span.start <= max(s.end for s, _ in groups[-1]):
                groups[-1].append((span, edit))
            else:
                groups.append([(span, edit)])
        return tuple(self._together(group) for group in groups)

    def _together(self, group: list[tuple[Span, Edit | None]]) -> Edit:
        whole = Span(group[0][0].start, max(s.end for s, _ in group))
        inner = [Edit(Span(e.span.start - whole.start, e.span.end - whole.start), e.text) for _, e in group if e]
        return Edit(Span(self._back(whole.start), self._back(whole.end)), apply_edits(whole.text(self.text), inner))

    def _forward(self, offset: int) -> int:
        return offset + sum(len(c.text) - (c.span.end - c.span.start) for c in self.changes if c.span.end <= offset)

    def _back(self, offset: int) -> int:
        shift = 0
        for change in self.changes:
            start = change.span.start + shift
            if offset <= start:
                break
            if offset < start + len(change.text):
                return change.span.start
            shift += len(change.text) - (change.span.end - change.span.start)
        return offset - shift


def branches(context: Context, spelling: Spelling, filter_: Filter) -> Iterator[Branch]:
    """The branches that ``filter_`` can be given, each with one more statement copied than the last; NoBranch with the
    reason where there are no more."""
    yield from _Maker(context, spelling, filter_).branches()


class _Maker:
    def __init__(self, context: Context, spelling: Spelling, filter_: Filter) -> None:
        self.context, self.names, self.spelling, self.filter = context, Names.of(context), spelling, filter_
        self.scopes, self.quote = Scopes.of(context), prevailing_quote(context.readable)
        self.tokens = self.scopes.tokens
        self.call = _call_at(self.scopes, filter_.call)
        self.read = _root(self.call)
        self.place = self.scopes.place_of(self.call)
        if self.names.reflective:
            raise NoBranch("the file reads or binds variables in ways that cannot be seen")

    def branches(self) -> Iterator[Branch]:
        variable, place, originals, pieces = self.read, self.place, list[str](), list[tuple[Span, Piece]]()
        definitions: list[Definition] = []
        read, frames = set[str](), set[str]()
        dots: tuple[int, ...] = ()
        for _ in range(MOST_STATEMENTS):
            definition = self.scopes.definition(variable.id, place)
            look = Copyable(Holding(self.scopes, self.names, definition.place, self.place))
            root = look.check(definition.value)
            kept_files = shuffles(definition.value) if self.filter.style == "python" else None
            if kept_files is not None:
                raise NoBranch(f"Spark keeps what `{kept_files}` has shuffled")
            originals.append(variable.id)
            definitions.append(definition)
            frames |= look.frames
            pieces.append((self.context.span(variable), piece_of(self.tokens, self.context.span(definition.value))))
            dots += tuple(_dots(self.context, definition.value))
            read |= {n.id for n in ast.walk(definition.value) if isinstance(n, ast.Name) and n is not root}
            held = kept(self.context, originals)
            if held is not None:
                raise NoBranch(f"`{held}` is cached")
            variable, place = root, definition.place
            branch = self._branch(originals, definitions, pieces, dots, variable, read, frames - {*originals})
            if branch is not None:
                yield branch
        raise NoBranch(f"more than {MOST_STATEMENTS} statements stand between")

    def _branch(
        self, originals: list[str], definitions: list[Definition], pieces: list[tuple[Span, Piece]],
        dots: tuple[int, ...], root: ast.Name, read: set[str], frames: set[str],
    ) -> Branch | None:  # fmt: skip
        """The branch that goes down to the last of ``definitions``; None if it would read another ``root``."""
        holding = Holding(self.scopes, self.names, definitions[-1].place, self.place)
        try:
            holding.check_frame(root.id)
        except NoBranch:
            return None
        if {*originals} & (read | {root.id}):
            raise NoBranch("the copy would read columns of the original, and have others of these names")
        respelled = [] if self.filter.style == "python" else list(self._respelled())
        copied = Copied(
            _rdds(originals, definitions, of_rdd=self.filter.style == "python"),
            [d.place.statement for d in definitions],
            definitions[-1].place,
            self.place,
            self.read,
            {n for _, owner in respelled for n in ast.walk(owner)},
            dict.fromkeys(frames, _starts_as_rdd(definitions, of_rdd=self.filter.style == "python")),
        )
        World(self.context, self.names, holding, copied).check()
        copy = pieces[-1][1]
        for (span, _), (_, outer) in zip(reversed(pieces[1:]), reversed(pieces[:-1]), strict=True):
            copy = outer.with_inside(span, copy)
        return self._made(copy, dots, [e for e, _ in respelled])

    def _made(self, copy: Piece, dots: tuple[int, ...], respelled: list[Edit]) -> Branch:
        source, span = self.context.source, self.context.span(self.read)
        line = Span(line_start(source, span.start), line_end(source, span.end))
        if line.end - line.start + len(copy.text) > LINE_LENGTH:
            copy = copy.broken(indent_of(source, span.start), newline_of(source), dots)
        changes = tuple(sorted([Edit(span, copy.text), *respelled], key=lambda e: e.span))
        branch = Branch(source, apply_edits(source, changes), self.read.id, 0, changes, copy, span)
        return replace(branch, at=branch._forward(self.filter.call.end))

    def _respelled(self) -> Iterator[tuple[Edit, ast.expr]]:
        """``counts.m`` in the filter's own condition as ``F.col("m")``: of the filter's rows they are one column."""
        assert isinstance(self.call.func, ast.Attribute)
        if self.call.func.value is not self.read:
            return
        function = self.spelling.col or (f"{self.spelling.functions}.col" if self.spelling.functions else None)
        if function is None or not Bindings.of(self.context).bound_at(
            function.partition(".")[0], self.filter.call.start
        ):
            return
        for node in (n for a in self.call.args for n in ast.walk(a)):
            match node:
                case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == self.read.id:
                    usable = name not in FRAME_ATTRIBUTES
                case ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=str(name))):
                    usable = owner == self.read.id
                case _:
                    continue
            if usable and not name.startswith("_"):
                yield Edit(self.context.span(node), f"{function}({string_literal(name, self.quote)})"), node


def _call_at(scopes: Scopes, span: Span) -> ast.Call:
    for node in scopes.calls.get(span.end, ()):
        if call_spans.call_span(scopes.context, node) == span:
            return node
    raise NoBranch("the filter is not found")


def _root(call: ast.Call) -> ast.Name:
    node: ast.expr = call
    while not isinstance(node, ast.Name):
        match node:
            case ast.Call(func=ast.Attribute(value=inner)) | ast.Attribute(value=inner, attr="rdd" | "na"):
                node = inner
            case _:
                raise NoBranch("the filter is not called on what is made of a variable")
    return node


def _dots(context: Context, node: ast.expr) -> Iterator[int]:
    while isinstance(node, (ast.Call, ast.Attribute)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield call_spans.dot_before(context, node.func)
        node = node.func if isinstance(node, ast.Call) else node.value


def _leaves_frames(definition: Definition) -> bool:
    """Whether the expression makes an RDD of a DataFrame."""
    return any(isinstance(n, ast.Attribute) and n.attr == "rdd" for n in ast.walk(definition.value))


def _starts_as_rdd(definitions: list[Definition], *, of_rdd: bool) -> bool:
    """Whether what the last of ``definitions`` starts from is an RDD; ``of_rdd``: what is made in the end is one."""
    return of_rdd and not any(map(_leaves_frames, definitions))


def _rdds(originals: list[str], definitions: list[Definition], *, of_rdd: bool) -> dict[str, bool]:
    """Whether each of the ``originals``, the last one first made, is an RDD."""
    return {name: of_rdd and not any(map(_leaves_frames, definitions[:i])) for i, name in enumerate(originals)}


__all__ = ["Branch", "NoBranch", "branches"]
