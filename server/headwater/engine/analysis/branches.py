"""A filter on a frame that others need every row of, in a branch of its own.

The text with the copy is read and proved like any other; what is found there is reported at the user's text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.engine.report.report import Opportunity
from headwater.rewrite.branch.making import Branch, NoBranch, branches
from headwater.rewrite.tokens import CannotEdit
from headwater.rules.registry import RULES
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater_ir.module import Module
from headwater_ir.plan import Filter

if TYPE_CHECKING:
    from headwater.operators.move import Moved


def moved_apart(
    context: Context, module: Module, filter_: Filter, read: Callable[[str], Module]
) -> Iterator[tuple[Branch, Module, Moved]]:
    """The boundaries that ``filter_`` reaches in a branch of its own, of the first branch in which it does, each with
    the text that it is a matter of. Nothing if there is no such branch."""
    from headwater.operators.move import Stopped, moves

    try:
        for branch in branches(context, module.spelling, filter_):
            apart = read(branch.text)
            top = next((f for f in apart.filters if f.call.end == branch.at), None)
            if top is None:
                return
            ends = moves(top)
            for end in ends:
                if not isinstance(end, Stopped) and branch.holds(end.place.span):
                    yield branch, apart, end
            if not all(isinstance(e, Stopped) and e.obstruction == "shared-subplan" for e in ends):
                return
    except (NoBranch, CannotEdit, Refusal):
        return


def in_users_text(branch: Branch, found: Opportunity) -> Opportunity | None:
    """``found`` in the text of ``branch`` as a finding in the user's text; None for what is not offered there."""
    if not RULES[found.code].own_branch:
        return None
    return replace(
        found,
        boundary_span=branch.origin(found.boundary_span),
        filter_span=branch.origin(found.filter_span),
        filter_text=branch.origin(found.filter_span).text(branch.source),
        prefilter_span=branch.place(found.prefilter_span),
        edits=branch.edits(found.edits),
        prefilter_edits=branch.edits(found.prefilter_edits),
    )
