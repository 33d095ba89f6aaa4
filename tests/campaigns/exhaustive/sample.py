"""The sample of programs that runs on Spark: drawn with a fixed seed, those with a rewrite before the others."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from tests.replay import campaign_session, without_pushdown

from .judge import Memory, Prover, rulings
from .on_spark import TABLES, Program, comparable, compare, raising, widened
from .programs import Plan, plans

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEED = 4
BATCH = 60
"""Programs per job: Spark's planner takes long over larger unions."""


def sample(count: int, prover: Prover) -> list[Program]:
    """``count`` programs: half of them of depth one; over each plan one rewrite, if one is found in a few draws, or
    else a filter that stays."""
    draw = random.Random(SEED)
    by_depth = [[p for p in plans(d) if comparable(p)] for d in (1, 2)]
    chosen = [draw.choice(by_depth[i % 2]) for i in range(count)]
    return [_program(draw, plan, prover) for plan in chosen]


def _program(draw: random.Random, plan: Plan, prover: Prover) -> Program:
    conditions = draw.sample(plan.predicates(), 3)
    found = ((c, ruling.rewritten) for c in conditions for ruling in rulings(plan, [c], prover))
    condition, rewritten = next((f for f in found if f[1]), (conditions[0], None))
    return Program(plan, condition, plan.module([condition]), rewritten)


def run(spark: SparkSession, programs: list[Program]) -> list[str]:
    """All differences on Spark, in words."""
    found: list[str] = []
    with without_pushdown(spark):
        for number, key in enumerate(TABLES):
            # The first table holds every small group; only what looks at all rows at once has to see the others.
            chosen = [p for p in programs if number == 0 or any("global" in o.name for o in p.plan.operators)]
            for table in ("t", "t3"):
                mine = [p for p in chosen if p.plan.table == table]
                for i in range(0, len(mine), BATCH):
                    part = mine[i : i + BATCH]
                    found += compare(spark, part, table, key if table == "t" else widened(key))
        found += raising(spark, [p for p in programs if p.plan.table == "t"], "t", TABLES[0])
    return found


def on_spark(count: int) -> list[str]:
    """The sample in a session of its own."""
    start = time.time()
    with campaign_session() as spark:
        programs = sample(count, Memory())
        differences = run(spark, programs)
    rewritten = sum(p.rewritten is not None for p in programs)
    print(f"{count} programs on Spark, {rewritten} of them with a rewrite, {time.time() - start:.0f} s")
    print(f"  {len(differences):7} differences")
    return differences
