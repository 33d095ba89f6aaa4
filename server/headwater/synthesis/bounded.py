"""The bounded check: may there be a non-trivial pre-filter at all? (MagicPush 4.1; 001 appendix B.)

Every single atom of ``U_G`` is the weakest filter that the search could return, so if concrete groups refute each of
them there is nothing to find. "Refuted" is therefore conclusive for the universe, and its counterexamples are real;
"bounded" only says that no group of up to ``ROWS`` rows spoke against it, and is never called proved.
"""

from __future__ import annotations

from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Bounded, Unsupported, Verdict

from ..semantics.values import UnsupportedTerm, fresh_context
from .concrete import Difference, Laboratory
from .normal_form import drops_missing
from .obstruction import explain
from .runs import LONGEST
from .universe import Analysis, prefilter_universe

ROWS = LONGEST


def bounded_check(problem: FoldProblem) -> Verdict:
    """``Bounded`` if some pre-filter may be sound, ``Refuted`` with a counterexample if none of the universe is."""
    fresh_context()
    if problem.fold.rows == "one":
        return Bounded(1)
    try:
        lab = Laboratory(problem)
        universe = prefilter_universe(Analysis.of(problem))
        candidates = [g for g in universe if not drops_missing(g) and not lab.always(g)]
    except (UnsupportedTerm, KeyError) as reason:
        return Unsupported("opaque", str(reason))
    if lab.passes_nothing():
        return Bounded(ROWS)
    last: Difference | None = None
    for g in candidates:
        difference = lab.difference((g,))
        if difference is None:
            return Bounded(ROWS)
        last = difference
    return explain(problem, last)
