"""Every value behind a wall that a scope looks at: the call's own expression, and the variables that hold its result.

What a variable holds is followed to each place that reads it, whichever of its assignments reaches that place; where
that is not all that may read it, it is taken to be read whole.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from headwater_ir import demand as ir
from headwater_ir.span import Span

from .places import Places
from .reads import Frame, Kind, Taken, is_tested, number, taken

_MOST = 64
"""A value that is read at more places is taken to be read whole."""
_LEAVES = (ast.Return, ast.Continue)
_BESIDE_MASKS = (ir.Where, ir.Column, ir.ColumnBy, ir.Selected, ir.Size, ir.Empty)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


class Readers:
    """The readers of one wall. ``shared``: whether a variable of the scope may be read from elsewhere."""

    def __init__(
        self, places: Places, span: Callable[[ast.AST], Span], shared: Callable[[str], bool], frame: Frame
    ) -> None:
        self._places, self._span, self._shared, self._frame = places, span, shared, frame
        self._seen: set[int] = set()
        self._wall: ast.AST | None = None
        self._through: list[ast.AST] = []
        self._left = _MOST
        self._unsure: set[int] = set()

    def of(self, node: ast.expr, kind: Kind) -> tuple[ir.Reader, ...] | None:
        """The readers of ``node``, a value of ``kind``; None if there are too many."""
        self._wall = node
        try:
            return tuple(self._follow(node, kind, (), direct=True))
        except _TooManyError:
            return None

    def of_function(self, node: ast.Call, function: ast.Lambda | ast.FunctionDef) -> tuple[ir.Reader, ...] | None:
        """The readers of the rows that ``node`` hands one by one to ``function``; None if there are too many."""
        self._wall, name = node, function.args.args[0].arg
        reads = None if self._shared(name) else self._places.reads_in_function(function, name)
        if reads is None:
            return (ir.Reader((ir.Each(),), self._span(node), direct=False, certain=False),)
        try:
            return tuple(r for n in reads for r in self._follow(n, "row", (ir.Each(),), direct=False))
        except _TooManyError:
            return None

    def _follow(self, node: ast.expr, kind: Kind, steps: ir.Reading, *, direct: bool) -> Iterator[ir.Reader]:
        self._left -= 1
        if self._left < 0:
            raise _TooManyError
        outer = self._places.around(node)
        part = taken(node, kind, self._places.around, self._frame)
        if part is not None and not (_may_follow(steps, part.steps) and (not part.by_label or _are_places(steps))):
            part = None
        if part is not None:
            if not part.sure:
                self._unsure.add(id(part.by))
            yield from self._follow(part.by, part.kind, (*steps, *part.steps), direct=direct)
        elif kind in ("rows", "number") and is_tested(node, outer, self._frame):
            yield self._ends(node, (*steps, ir.Truth()), direct=direct)
        elif kind in ("rows", "iterator") and isinstance(outer, ast.comprehension) and outer.iter is node:
            yield from self._in_comprehension(node, outer, steps, direct=direct)
        elif kind in ("rows", "iterator") and isinstance(outer, (ast.For, ast.AsyncFor)) and outer.iter is node:
            self._through.append(outer)
            yield from self._variable(node, outer.target, "row", (*steps, ir.Each()), direct=direct)
        elif kind in ("flag", "column", "series"):  # nobody can take less of it
            yield self._ends(node, steps, direct=direct)
        elif isinstance(outer, ast.Assign) and outer.value is node and len(outer.targets) == 1:
            yield from self._variable(node, outer.targets[0], kind, steps, direct=direct)
        elif isinstance(outer, ast.AnnAssign) and outer.value is node:
            yield from self._variable(node, outer.target, kind, steps, direct=direct)
        else:
            yield self._ends(node, steps, direct=direct)

    def _variable(
        self, node: ast.expr, target: ast.expr, kind: Kind, steps: ir.Reading, *, direct: bool
    ) -> Iterator[ir.Reader]:
        reads = None
        origin = self._places.statement(target)
        known = isinstance(target, ast.Name) and id(target) not in self._seen and not self._shared(target.id)
        if isinstance(target, ast.Name) and known and origin is not None:
            reads = self._places.reads_of(target.id, origin)
        if reads is None or not isinstance(target, ast.Name):
            yield self._ends(node, steps, direct=direct)
            return
        self._seen.add(id(target))
        if not reads:
            yield self._ends(node, steps, direct=direct)
        for read in reads:
            yield from self._follow(read, kind, steps, direct=False)

    def _in_comprehension(
        self, node: ast.expr, generator: ast.comprehension, steps: ir.Reading, *, direct: bool
    ) -> Iterator[ir.Reader]:
        whole = self._places.around(generator)
        first = isinstance(whole, (*_COMPREHENSIONS, ast.DictComp)) and whole.generators[0] is generator
        reads = None
        if first and isinstance(generator.target, ast.Name) and not generator.is_async:
            assert whole is not None
            reads = self._places.reads_in(whole, generator.target.id)
        if reads is None:
            yield self._ends(node, steps, direct=direct)
            return
        picked = self._picked(whole, reads)
        if picked is not None:
            yield self._ends(picked.by, (*steps, *picked.steps), direct=direct)
            return
        if whole is not None:
            self._through.append(whole)
        if not reads:  # what it makes still shows how many rows there are
            yield self._ends(node, (*steps, ir.Size()), direct=False)
        for read in reads:
            yield from self._follow(read, "row", (*steps, ir.Each()), direct=False)

    def _picked(self, whole: ast.AST | None, reads: tuple[ast.Name, ...]) -> Taken | None:
        """``[row.column for row in rows][0]``: the part that it takes of the rows, the same as ``rows[0].column``."""
        match whole:
            case ast.ListComp(elt=element, generators=[ast.comprehension(ifs=[])]) if len(reads) == 1:
                part = taken(reads[0], "row", self._places.around, self._frame)
                at = self._places.around(whole)
                index = number(at.slice) if isinstance(at, ast.Subscript) and at.value is whole else None
                if part is None or part.by is not element or index is None or index < 0:
                    return None
                assert isinstance(at, ast.Subscript)
                return Taken(at, "column", (ir.Item(index), *part.steps)) if isinstance(at.ctx, ast.Load) else None
        return None

    def _ends(self, node: ast.expr, steps: ir.Reading, *, direct: bool) -> ir.Reader:
        certain = self._wall is not None and self._places.is_certain(node, self._wall, self._through)
        sure = certain and id(node) not in self._unsure
        return ir.Reader(steps, self._span(node), direct, self._role(node), sure)

    def _role(self, node: ast.expr) -> str:
        """The kind of statement that ``node`` decides on."""
        at: ast.AST = node
        for outer in self._places.outward(node):
            match outer:
                case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                    at = outer
                case ast.Assert(test=test) if test is at:
                    return "assert"
                case ast.While(test=test) if test is at:
                    return "while"
                case ast.If(test=test, body=body, orelse=[]) if test is at:
                    if any(isinstance(s, ast.Raise) for s in body):
                        return "raise"
                    return "assert" if isinstance(body[-1], _LEAVES) and self._places.raises_behind(outer) else ""
                case ast.If(test=test, orelse=[ast.Raise()]) if test is at:
                    return "assert"
                case _:
                    return ""
        return ""


def _may_follow(before: ir.Reading, steps: ir.Reading) -> bool:
    """Beside a mask nothing is counted from the front: how many rows it takes is not known."""
    whole = (*before, *steps)
    return all(isinstance(s, _BESIDE_MASKS) for s in whole) or not any(isinstance(s, ir.Where) for s in whole)


def _are_places(before: ir.Reading) -> bool:
    """Whether the labels of the rows behind ``before`` are their places."""
    return all(isinstance(s, (ir.Limited, ir.Column, ir.ColumnBy, ir.Selected)) for s in before)


class _TooManyError(Exception):
    """The value is read at too many places."""
