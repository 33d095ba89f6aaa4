"""What stays of the filters once the pre-filter is there: their own conjuncts, one filter in new words, or all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater_ir.array_sizes import array_of, in_sizes
from headwater_ir.asked import in_asked_columns
from headwater_ir.expr import TRUE, Col, Expr, Out, conjuncts, transform
from headwater_ir.plan import Filter
from headwater_ir.span import Span
from headwater_ir.struct_fields import in_field_columns
from headwater_ir.verdict import Kind, Solution

from .conjunction import Operand, column_operands, sql_operands, without
from .edit import Edit
from .removal import remove_filter
from .spell_sql import CannotSpell
from .tokens import CannotEdit

if TYPE_CHECKING:
    from .edits import Builder


def of(b: Builder, solution: Solution) -> tuple[Kind, list[Edit]]:
    """What the rewrite does to the filters, and the edits: a split whose residual cannot be written is a partial
    pushdown."""
    if (
        b.moved.stays
        or any(f.style == "driver" for f in b.moved.filters)
        or any(f.unread is not None for f in b.moved.filters)
    ):
        return "partial", []
    if solution.kind == "exact":
        return "exact", [
            remove_filter(b.bindings.context, b.tokens, f.call, with_comments=b.moves_whole) for f in b.moved.filters
        ]
    # A weaker filter of Python's would be written anew, in a function that may have other users: it stays.
    own_words = all(f.style != "python" for f in b.moved.filters)
    if solution.kind == "split" and not b.moved.renamed and own_words:
        try:
            return "split", _weakened(b, solution.residual)
        except (CannotSpell, CannotEdit):
            pass
    return "partial", []


def _weakened(b: Builder, residual: Expr) -> list[Edit]:
    """Each filter with the conjuncts of ``residual`` that are its own; one filter alone may also get new words."""
    wanted = [c for c in conjuncts(residual) if c != TRUE]
    own = [[c for c in wanted if c in conditions(b, f)] for f in b.moved.filters]
    if all(any(c in o for o in own) for c in wanted):
        try:
            found = [e for f, o in zip(b.moved.filters, own, strict=True) for e in _keep(b, f, o)]
            if found:
                return found
        except CannotEdit:
            pass
    if len(b.moved.filters) > 1:
        raise CannotEdit("the residual is spread over several filters")
    return [Edit(b.filter.condition, b.spelled(residual, b.filter.style))]


def _keep(b: Builder, filter_: Filter, kept: list[Expr]) -> list[Edit]:
    """The edits that leave only the conjuncts ``kept`` of one filter."""
    own = conditions(b, filter_)
    if not kept:
        return [remove_filter(b.bindings.context, b.tokens, filter_.call)]
    if all(c in kept for c in own):
        return []
    root = (
        column_operands(b.tokens, filter_.condition)
        if filter_.style == "column"
        else sql_operands(b.source, filter_.condition)
    )
    dropped = _assign(root, filter_, [c not in kept for c in own])
    text = without(b.tokens, root, lambda leaf: dropped[leaf])
    return [_minimal(b.source, Edit(root.span, text))]


def conditions(b: Builder, filter_: Filter) -> list[Expr]:
    """Its conjuncts as the fold problem has them: over outputs, and of arrays over their sizes."""
    names = {o.name for o in b.moved.problem.fold.outputs}
    arrays = frozenset(a for n in names if (a := array_of(n)) is not None)
    own = [in_sizes(c.condition, arrays) if arrays else c.condition for c in filter_.conjuncts]
    own = [in_asked_columns(in_field_columns(c, names), names) for c in own]
    return [transform(c, lambda n: Out(n.name) if isinstance(n, Col) else None) for c in own]


def _assign(root: Operand, filter_: Filter, dropped: list[bool]) -> dict[Operand, bool]:
    """Which operand of the text is which conjunct; ``CannotEdit`` unless it is one to one."""
    leaves = root.leaves()
    found: dict[Operand, bool] = {}
    for conjunct, gone in zip(filter_.conjuncts, dropped, strict=True):
        inside = [
            leaf for leaf in leaves if leaf.span.start <= conjunct.span.start and conjunct.span.end <= leaf.span.end
        ]
        if len(inside) != 1 or inside[0] in found:
            raise CannotEdit("the conjuncts are not written one by one")
        found[inside[0]] = gone
    if len(found) != len(leaves):
        raise CannotEdit("the condition has operands that are no conjuncts")
    return found


def _minimal(source: str, edit: Edit) -> Edit:
    """The same edit without the characters at its ends that do not change."""
    old, new = edit.span.text(source), edit.text
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Edit(Span(edit.span.start + head, edit.span.end - tail), new[head : len(new) - tail])
