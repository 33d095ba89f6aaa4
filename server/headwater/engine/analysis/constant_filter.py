"""HW302: filters that no row passes, or that every row passes which reaches them."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING

from headwater.engine.report.report import Opportunity, Skipped
from headwater.syntax.source.ast_walk import names_in, walk
from headwater_ir.expr import FALSE, Not, conjoin
from headwater_ir.plan import Filter
from headwater_ir.verdict import Proved

from .judging import Judge, type_assumed

if TYPE_CHECKING:
    from headwater.operators.constant_filter import Claim

_SHOWS = ("print", "display", "show")
_MOST_SHOWN = 8
"""A contradiction between more conditions than these is not reduced: each one costs a proof."""


def constant_by_itself(judge: Judge, filter_: Filter) -> Opportunity | Skipped | None:
    """The finding that no row passes the filter, or that every row passes which reaches it, from conditions alone; or
    why that is meant so."""
    from . import findings

    if judge.memory.not_constant.get(filter_):
        return None
    claims = judge.memory.claims.get(filter_)
    if claims is None:
        claims = _claims(filter_)
        if not claims:
            judge.memory.not_constant.put(filter_, True)
        else:
            judge.memory.claims.put(filter_, claims)
    for claim in claims:
        start = judge.clock()
        if (verdict := _proved(judge, claim, start)) is None:
            continue
        claim, verdict = _least(judge, claim, verdict, start)
        if not judge.options.show_all and not claim.always and _is_a_check(judge, claim):
            judge.suppressions.unsettle(filter_.call)
            reason = "it is shown that the filter in front of it has removed these rows (--all reports it)"
            return Skipped(filter_.call, "no-prefilter", reason)
        if _is_of_tested_variable(judge, claim):
            judge.suppressions.unsettle(filter_.call)
            return Skipped(
                filter_.call, "no-prefilter", "the filter stands in a branch that tests a variable of its own"
            )
        if not judge.options.show_all and claim.always and _is_asked_again(claim):
            judge.suppressions.unsettle(filter_.call)
            reason = "it is the condition of a filter in front of it, which Spark asks once (--all reports it)"
            return Skipped(filter_.call, "no-prefilter", reason)
        return findings.constant(judge.place(claim.moved), verdict, judge.ms(start), claim)
    return None


def _claims(filter_: Filter) -> tuple[Claim, ...]:
    """What would have to hold of ``filter_`` to be constant, as far as it is worth asking."""
    from headwater.operators import constant_filter
    from headwater.synthesis.normal_form import drops_missing

    never, always = constant_filter.never(filter_), constant_filter.always(filter_)
    if always is not None and all(drops_missing(c.condition) for c in filter_.conjuncts):
        always = None
    return tuple(c for c in (never, always) if c is not None)


def never_passed_below(judge: Judge, filter_: Filter) -> Opportunity | None:
    """The finding that no row passes a filter on a frame that others read too: they need not agree on that."""
    from headwater.operators.always_false import asks_in_vain

    from . import findings

    if judge.memory.passed.get(filter_):
        return None
    start, moved = judge.clock(), asks_in_vain(filter_)
    if moved is None or not moved.whole:
        judge.memory.passed.put(filter_, True)
        return None
    place = judge.place(moved)
    verdict = judge.ask(place.moved.problem, start, judge.solve)
    if not isinstance(verdict, Proved) or verdict.solution.pre_filter != FALSE or type_assumed(moved):
        return None
    return findings.constant(place, verdict, judge.ms(start))


def _proved(judge: Judge, claim: Claim, start: float) -> Proved | None:
    """The proof of ``claim``, if there is one."""
    verdict = judge.ask(judge.assuming(claim.moved).problem, start, judge.solve)
    return verdict if isinstance(verdict, Proved) and verdict.solution.pre_filter == FALSE else None


def _is_a_check(judge: Judge, claim: Claim) -> bool:
    """Whether the program shows, or asserts, that a filter has removed what it asks for: such a filter is meant to pass
    no row."""
    from headwater.demand.nodes_around import nodes_around
    from headwater.synthesis.normal_form import push_not

    removed = push_not(Not(conjoin([c.condition for c in claim.top.conjuncts])))
    if not any(push_not(p.condition) == removed for p in claim.parts if not p.own):
        return False
    around = nodes_around(judge.context(), claim.top.call)
    match next((n for n in around if isinstance(n, ast.stmt)), None):
        case ast.Assert():
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name in _SHOWS
    return False


def _is_of_tested_variable(judge: Judge, claim: Claim) -> bool:
    """Whether the filter stands in a branch that is taken or not by what is in a variable that it reads: what the
    program says of that variable elsewhere is not what it holds where the filter is asked for."""
    from headwater.demand.nodes_around import nodes_around

    around = nodes_around(judge.context(), claim.top.call)
    given = (n for call in around[:1] if isinstance(call, ast.Call) for a in call.args for n in walk(a))
    used = [*given]
    of_objects = {id(n.value) for n in used if isinstance(n, (ast.Attribute, ast.Subscript))}
    own = {n.id for n in used if isinstance(n, ast.Name) and id(n) not in of_objects}
    for inner, outer in pairwise(around):
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return False
        if isinstance(outer, (ast.If, ast.IfExp, ast.While)) and inner is not outer.test and own & names_in(outer.test):
            return True
    return False


def _is_asked_again(claim: Claim) -> bool:
    """Whether a filter in front asks the very same: that is no mistake in a threshold, and costs nothing."""
    known = {p.condition for p in claim.parts if not p.own}
    return all(p.condition in known for p in claim.parts if p.own)


def _least(judge: Judge, claim: Claim, verdict: Proved, start: float) -> tuple[Claim, Proved]:
    """The claim from no more conditions than it needs, with its proof: these are shown."""
    parts = claim.parts if len(claim.parts) <= _MOST_SHOWN else ()
    for part in sorted(parts, key=lambda p: p.own):
        smaller = None if part.own and claim.always else claim.without(part)
        proof = None if smaller is None else _proved(judge, smaller, start)
        if smaller is not None and proof is not None:
            claim, verdict = smaller, proof
    return claim, verdict
