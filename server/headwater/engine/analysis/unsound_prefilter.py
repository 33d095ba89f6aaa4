"""HW301: a filter marked ``# headwater: prefilter`` that changes what the filter after the boundary lets through.

Somebody wrote a pre-filter by hand, or changed the threshold after it was written. It is reported only with a witness:
a group of rows, run by the concrete interpreter with the pre-filter and without it, that ends in two results. What is
said is that such rows exist, so nothing is said where a row of the model may be none of the data's: where a type or a
driver variable is unknown, where more than filters stand below, or where the witness rests on what engine or scan may
choose. No witness is no proof, and silence.

The problem is that of the text without the marked filter: nothing that is true of the rows only because of it counts.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, replace

from headwater.engine.report.positions import Lines
from headwater.operators.columns import type_of_column
from headwater.operators.move import Moved, moves
from headwater_ir.expr import Col, Expr, IsNull, IsTrue, Not, Or, Scalar, columns_of
from headwater_ir.module import Module
from headwater_ir.plan import Cache, Filter, Plan, Scan, Shared, Sort
from headwater_ir.problem import Column, FoldProblem
from headwater_ir.span import Span

_MARK = re.compile(r"#\s*headwater:\s*prefilter(?![\w-])", re.IGNORECASE)
_VAGUE = frozenset({"any", "number"})


@dataclass(frozen=True)
class Marked:
    """A marked filter below a boundary that the filter ``top`` reaches."""

    top: Filter
    filter: Filter
    boundary: Span

    @property
    def condition(self) -> tuple[Expr, ...]:
        """Its conjuncts, over the rows of the boundary."""
        return tuple(c.condition for c in self.filter.conjuncts)


@dataclass(frozen=True)
class Unsound:
    """A marked filter that is not implied: ``rows`` of one group of which it drops those of ``dropped``."""

    moved: Moved
    rows: tuple[dict[str, Scalar], ...]
    dropped: tuple[int, ...]


def marked_lines(source: str) -> frozenset[int]:
    """The zero-based lines with the comment."""
    if not _MARK.search(source):
        return frozenset()
    found = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT and _MARK.search(token.string):
                found.add(token.start[0] - 1)
    except (tokenize.TokenError, SyntaxError):
        pass
    return frozenset(found)


def marked_below(module: Module, source: str) -> Iterator[Marked]:
    """Every marked filter that stands, perhaps with other filters, right below a boundary of ``module``."""
    marks = marked_lines(source)
    lines = Lines(source)
    for top in module.filters if marks else ():
        for moved in moves(top):
            if not isinstance(moved, Moved) or not _plain(moved):
                continue
            below = moved.boundary.child
            while isinstance(below, Filter):
                on = range(lines.line_of(below.call.start), lines.line_of(below.call.end) + 1)
                if marks & {*on} and below.conjuncts and below.unread is None and below.style in ("column", "sql"):
                    yield Marked(top, below, moved.place.span)
                below = below.child


def without(source: str, marked: Marked) -> str:
    """``source`` with blanks for the marked filter, line ends included, so that every other character keeps its
    offset."""
    start, end = marked.filter.call.start, marked.filter.call.end
    return source[:start] + " " * (end - start) + source[end:]


def refuted(marked: Marked, module: Module) -> Unsound | None:
    """The witness against a marked filter; ``module``: what the front end makes of the text without it."""
    for top in module.filters:
        for moved in moves(top) if top.call == marked.top.call else ():
            if isinstance(moved, Moved) and moved.place.span == marked.boundary and _plain(moved):
                return _witness(moved, marked.condition)
    return None


def in_words(found: Unsound, condition: tuple[Expr, ...]) -> str:
    """What tells against a marked filter, in a sentence."""
    read = sorted({name for c in condition for name in columns_of(c)})
    row = found.rows[found.dropped[0]]
    said = ", ".join(f"{name} = {_shown(row[name])}" for name in read)
    return f"dropping a row with {said} from a group of {len(found.rows)} changes what passes"


def _shown(value: Scalar) -> str:
    return "NULL" if value is None else repr(value) if not isinstance(value, float) or value == value else "NaN"


def _plain(moved: Moved) -> bool:
    """Whether the filters say P and nothing else, of rows of one boundary alone."""
    return moved.whole and not moved.stays and all(f.unread is None for f in moved.filters)


def _witness(moved: Moved, condition: tuple[Expr, ...]) -> Unsound | None:
    from headwater.semantics.interpreter import EvaluationError
    from headwater.synthesis.concrete import Laboratory

    problem = _of_real_rows(moved, condition)
    if problem is None:
        return None
    try:
        found = Laboratory(problem).difference(condition)
    except (EvaluationError, KeyError, ValueError, TypeError):
        return None
    return None if found is None or found.lossy else Unsound(moved, found.group.rows, found.dropped)


def _of_real_rows(moved: Moved, condition: tuple[Expr, ...]) -> FoldProblem | None:
    """The problem with every column that a filter reads, so that every row that its facts admit may be one of the
    data's; None if that cannot be said. A column that the boundary does not read is taken never to be NULL."""
    fold = moved.problem.fold
    conditions = _filters_below(moved.boundary.child)
    if fold.rows == "one" or fold.params or conditions is None:
        return None
    read = {name for c in (*conditions, *condition) for name in columns_of(c)} - {c.name for c in fold.columns}
    more = tuple(Column(name, type_of_column(moved.boundary.child, name)) for name in sorted(read))
    columns = (*fold.columns, *more)
    if any(c.ghost or c.type.name in _VAGUE for c in columns):
        return None
    present = tuple(Not(IsNull(Col(c.name))) for c in more)
    told = tuple(Or((IsTrue(c), Not(IsTrue(c)))) for c in condition)  # so that rows near its constants are tried
    facts = (*fold.facts, *conditions, *present, *told)
    return replace(moved.problem, fold=replace(fold, columns=columns, facts=facts))


def _filters_below(plan: Plan) -> list[Expr] | None:
    """What the filters between a boundary and the table below it say; None if they are not all that is there: a
    computed column is tied to others, and the rows of a join or a limit are not any rows."""
    found: list[Expr] = []
    while not isinstance(plan, Scan):
        if isinstance(plan, Filter) and plan.unread is None and plan.style in ("column", "sql"):
            found += [c.condition for c in plan.conjuncts]
        elif not isinstance(plan, (Cache, Shared, Sort)):
            return None
        plan = plan.child
    return found
