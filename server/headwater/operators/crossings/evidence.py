"""What is certain of the frames above and below an operator: types of columns, formats of sources."""

from __future__ import annotations

from collections.abc import Iterable

from headwater.operators import columns
from headwater_ir.plan import Opaque, Plan, Scan
from headwater_ir.problem import Column
from headwater_ir.walks import below


def types(plan: Plan, names: Iterable[str]) -> tuple[Column, ...]:
    """The types of columns of ``plan``, ANY where nothing states them."""
    return tuple(Column(n, t) for n, t in columns.types_of_columns(plan, sorted(names)).items())


def sources(plan: Plan) -> tuple[str, ...] | None:
    """The formats of all sources of ``plan``; None if an operator without a model may bring in another."""
    found: list[str] = []
    for part in below(plan):
        if isinstance(part, Opaque):
            return None
        if isinstance(part, Scan):
            found.append(part.format)
    return tuple(sorted(set(found)))
