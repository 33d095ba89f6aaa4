"""Which scan a pre-filter reaches. Spark carries it there through filters, sorts and columns that pass through."""

from __future__ import annotations

from headwater_ir.plan import Filter, Plan, Project, Scan, Sort


def scan_below(plan: Plan | None, columns: frozenset[str]) -> Scan | None:
    """The scan that a condition over ``columns`` reaches below ``plan``; None if something computes one of them or
    something else stands between."""
    while plan is not None:
        match plan:
            case Scan():
                return plan
            case Filter() | Sort():
                plan = plan.child
            case Project() if plan.keeps_others and not columns & {name for name, _ in plan.columns}:
                plan = plan.child
            case _:
                return None
    return None
