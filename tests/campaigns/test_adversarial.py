"""A part of the adversarial campaign: the same programs each time, and some of them on Spark."""

from __future__ import annotations

import ast
import builtins
import math
import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.results import Failed

from .adversarial import campaign
from .adversarial.campaign import Record, examined
from .adversarial.groups import ALL, DOMAINS, UNDERSTOOD
from .adversarial.judge import judged, result, standing
from .adversarial.limits import limited
from .adversarial.on_spark import judged as judged_on_spark
from .adversarial.program import Program
from .adversarial.tool import Answer
from .adversarial.write import ON_SPARK, WRITERS, program

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEEDS = range(3000, 3024)
KINDS = sorted(set(WRITERS) - ON_SPARK)


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_programs_parse_and_come_again(kind: str) -> None:
    for seed in SEEDS:
        ast.parse(program(seed, kind).source)
        assert program(seed, kind) == program(seed, kind)


def test_the_domains_are_those_of_the_installed_library() -> None:
    import inspect

    import pandas as pd

    known = {p for name in ALL for p in inspect.signature(getattr(pd.DataFrame, name)).parameters}
    assert set(UNDERSTOOD) <= set(ALL)
    assert len(known & set(DOMAINS)) > 60


def test_the_judge_sees_a_wrong_rewrite() -> None:
    source = (
        "from pyspark.sql import functions as F\n"
        'result = spark.table("t").groupBy("k").agg(F.count("*").alias("n")).filter("n > 0")\n'
    )
    made = Program("groups", source, {"t": "k string, v int"}, data=({"t": [("a", 1), ("a", 2)]},))
    wrong = Answer(made, source.replace('spark.table("t")', 'spark.table("t").filter("v > 1")'), "proved")
    assert judged(wrong, 0).verdict == "wrong"
    assert judged(Answer(made, source, "proved"), 0).verdict == "same"
    volatile = Program(
        "state",
        "import random\nresult = spark.table('t').rdd.map(lambda r: random.random())\n",
        made.tables,
        volatile=True,
        data=made.data,
    )
    assert judged(Answer(volatile, volatile.source + "\n", "proved"), 0).verdict == "wrong"


@pytest.mark.parametrize("kind", KINDS)
def test_some_programs_are_rewritten(kind: str) -> None:
    assert any(examined(seed, kind).text for seed in SEEDS)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_wrong(kind: str) -> None:
    found = [examined(seed, kind) for seed in SEEDS]
    assert [r for r in found if r.verdict in ("wrong", "error")] == []


@pytest.mark.spark
@pytest.mark.parametrize("kind", sorted(ON_SPARK))
def test_nothing_is_wrong_on_spark(kind: str, spark: SparkSession) -> None:
    found: list[Record] = [examined(seed, kind) for seed in SEEDS]
    rewritten = [r for r in found if r.text][:4]
    verdicts = []
    for r in rewritten:
        answer = Answer(program(r.seed, kind), r.text, r.outcome, assumptions=tuple(r.assumptions))
        verdicts.append((r.seed, judged_on_spark(spark, answer, r.seed)))
    assert [v for v in verdicts if v[1][0] == "wrong"] == []


def test_a_broken_assumption_is_told_from_one_that_holds() -> None:
    made = Program("types", "", {"t": "k string, x int"})
    rows = {"t": [[("a", 1)]]}
    found = [Answer(made, "", "assumed", assumptions=(f"`{c}` is {kind} (schema unknown)",)) for c, kind in
             (("x", "numeric"), ("k", "numeric"), ("y", "numeric"))]  # fmt: skip
    assert [standing(f, rows) for f in found] == ["hold", "violated", "unknown"]


def test_a_program_without_end_is_a_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> Record:
        while True:
            pass

    monkeypatch.setattr(campaign, "examined", endless)
    monkeypatch.setattr(campaign, "limited", lambda: limited(0.2))
    assert [r.verdict for r in campaign.chunk([3, 4], "groups")] == ["time-out", "time-out"]


def test_programs_leave_this_process_as_it_was() -> None:
    """Replaced functions, new names in modules, variables of the environment."""
    source = """
import builtins, math, os, sys
math.radians = lambda x: 0
builtins.kept = sys.kept = 1
os.environ["HEADWATER_KEPT"] = "1"
result = spark.table("t")
"""
    made = Program("state", source, {"t": "k string"})
    before = dict(vars(math)), set(vars(builtins)), set(vars(sys)), dict(os.environ)
    assert not isinstance(result(source, made, {"t": [[("a",)]]}), Failed)
    after = dict(vars(math)), set(vars(builtins)), set(vars(sys)), dict(os.environ)
    assert before == after
