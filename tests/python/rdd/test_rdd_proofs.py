"""What is proved of folds of key-value RDDs, run in Python: with the pre-filter a chain yields what it yields without,
in values and their types, and raises nothing that it did not raise."""

from __future__ import annotations

import pytest

from headwater.operators.move import Moved
from headwater.semantics.interpreter import Env, holds
from headwater.synthesis.algorithm import Limits, solve
from headwater_ir.expr import Expr
from headwater_ir.verdict import Proved
from tests.results import Failed

from .rdd_cases import CHAINS
from .test_rdd import NAMES, Data, in_python, moved, tables

PREDICATES = (
    "kv[1] > 1", "kv[0] == 'a' and not kv[1] > 1", "kv[1] is not None and kv[1][0] > 1",
    "kv[1][0] >= 1 and kv[1][1] > 1", "kv[1][0] or kv[1][1]",
)  # fmt: skip
ONE_FOLD = [name for name in CHAINS if "map between" not in name]


def with_filter(chain: str, predicate: str | None) -> str:
    """``chain`` with another filter at its end, or none."""
    head = chain[: chain.rfind(".filter(")].rstrip()
    call = "" if predicate is None else f".filter(lambda kv: {predicate})"
    return head + call + ")" * (head.count("(") - head.count(")")) + "\n"


def kept(pre_filter: Expr, partitions: list[list[Data]]) -> list[list[Data]]:
    rows = [[(r, dict(zip(NAMES, r, strict=True))) for r in p] for p in partitions]
    return [[r for r, row in p if holds(pre_filter, Env(row=row))] for p in rows]


@pytest.mark.parametrize("name", ONE_FOLD)
def test_proved_pre_filters_change_nothing(name: str) -> None:
    for predicate in PREDICATES:
        chain = with_filter(CHAINS[name], predicate.replace("kv[1]", "kv") if name == "only the values" else predicate)
        found = moved(chain)
        verdict = solve(found.problem, Limits(3.0)) if isinstance(found, Moved) else None
        if not isinstance(verdict, Proved):
            continue
        after = with_filter(CHAINS[name], None) if verdict.solution.kind == "exact" else chain
        for partitions in tables(name + predicate, 60):
            expected = in_python(chain, partitions)
            if isinstance(expected, Failed):
                continue
            left = kept(verdict.solution.pre_filter, partitions)
            assert in_python(chain, left) == expected, (predicate, verdict.solution.pre_filter, partitions)
            assert in_python(after, left) == expected, (predicate, verdict.solution.pre_filter, partitions)
