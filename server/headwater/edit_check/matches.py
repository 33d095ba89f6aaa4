"""What becomes of the plans of a text where a join becomes a semi or anti join.

Law: the join has the same sides and the same condition, and the type that was proved; the filter that asked for rows
without a match is gone, and with it whatever stands for its condition. The call has the same arguments besides.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwater.syntax.names.module_scope import Context
from headwater_ir.change import Matched
from headwater_ir.demand import PlainJoin
from headwater_ir.module import Module
from headwater_ir.plan import Filter, Join, Plan

from .equality import Different, Equality
from .syntax import Found


@dataclass(frozen=True)
class Matches:
    """The joins that become others."""

    found: tuple[tuple[Matched, PlainJoin], ...] = ()

    @staticmethod
    def of(changes: Sequence[Matched], module: Module) -> Matches:
        """What ``changes`` make of joins of ``module``; ``LookupError`` if one is not there."""
        return Matches(tuple((c, _join(c, module)) for c in changes))

    def goes(self, plan: Plan) -> bool:
        """Whether ``plan`` is a filter that is gone afterwards."""
        return isinstance(plan, Filter) and any(
            j.test is not None and c.test is not None and plan.call == j.test.filter.call for c, j in self.found
        )

    def below(self, plan: Plan) -> Plan:
        """What stands for ``plan``: the join below it, if it is a filter that is gone."""
        for change, join in self.found:
            if change.test is not None and join.test is not None and isinstance(plan, Filter):
                if plan.call == join.test.filter.call:
                    return join.join
        return plan

    def changed(self, plan: Plan, made: Plan) -> Plan:
        """What stands for ``made``, which stood for ``plan`` of the first text."""
        for change, join in self.found:
            if isinstance(plan, Join) and isinstance(made, Join) and plan.span == join.join.span:
                made = replace(made, how=change.operator)
        return made


NONE = Matches()


def check(changes: Sequence[Matched], found: Found, before: Module, after: Module, old: Context, new: Context) -> None:
    """``Different`` unless each of ``changes`` is the same call with the type that was proved, and makes that join of
    the same frames."""
    calls = {old.span(a): b for a, b in found.joins}
    for change in changes:
        call = calls.get(change.call)
        if call is None or _type(call) != f"left_{change.operator}":
            raise Different("the type of the join is another one")
        was = _join(change, before)
        now = next((j for j in after.joins if j.call == new.span(call)), None)
        if now is None:
            raise Different("the join is not there")
        Equality(old.source, new.source, apart=True).check(replace(was.join, how=change.operator), now.join)


def _type(call: ast.Call) -> object:
    named = (k.value for k in call.keywords if k.arg == "how")
    how = call.args[2] if len(call.args) > 2 else next(named, None)
    return how.value if isinstance(how, ast.Constant) else None


def _join(change: Matched, module: Module) -> PlainJoin:
    for join in module.joins:
        test = None if join.test is None else (join.test.call, join.test.receiver)
        if (join.call, join.how) == (change.call, change.how) and change.test in (None, test and test[0]):
            if change.test is None or change.receiver == (test and test[1]):
                return join
    raise LookupError(f"no join at {change.call}")
