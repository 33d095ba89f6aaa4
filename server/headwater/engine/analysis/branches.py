"""A filter on a frame that others need every row of, in a branch of its own.

The text with the copy is read and proved like any other; what is found there is reported at the user's text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.engine.report.report import Opportunity
from headwater.rewrite.branch.making import Branch, NoBranch, branches
from headwater.rewrite.edit import apply_edits
from headwater.rewrite.tokens import CannotEdit
from headwater.rules.registry import RULES
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater_ir.module import Module
from headwater_ir.plan import Filter

if TYPE_CHECKING:
    from headwater.edit_check.confirm import Confirmer
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


def in_users_text(branch: Branch, found: Opportunity, by: Confirmer, module: Module) -> Opportunity | None:
    """``found`` in the text of ``branch``, of which the front end made ``module``, as a finding in the user's text;
    None for what is not offered there. ``WrongEdit`` if what is offered is not the branch that was proved."""
    from headwater.edit_check.confirm import WrongEdit
    from headwater.edit_check.copies import Copy, check_copy

    if not RULES[found.code].own_branch:
        return None
    respelled = frozenset(c.span for c in branch.changes if c.span != branch.read)
    check_copy(by, Copy(branch.text, branch.copied, branch.read, respelled), module)
    for edits in {found.edits, found.prefilter_edits} - {()}:
        if apply_edits(branch.source, branch.edits(edits)) != apply_edits(branch.text, edits):
            raise WrongEdit("the edits of the branch make another text of the user's")
    return replace(
        found,
        boundary_span=branch.origin(found.boundary_span),
        filter_span=branch.origin(found.filter_span),
        filter_text=branch.origin(found.filter_span).text(branch.source),
        prefilter_span=branch.place(found.prefilter_span),
        edits=branch.edits(found.edits),
        prefilter_edits=branch.edits(found.prefilter_edits),
        copy=branch.changes,
    )
