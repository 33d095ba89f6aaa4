"""A bounded part of the campaign, what was found once, and planted bugs that must be seen."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from headwater.engine.report.report import Report
from tests.mdtest.cases import Case, all_cases
from tests.mdtest.replay import given as given_rows
from tests.results import Failed
from tests.small_spark import result_of, run

from .campaign import table
from .examine import examined, kept, tried
from .planted import PATIENCE, PLANTED, bounds_moved
from .reading import misread, reading
from .regression import Regression, all_regressions, read
from .shrink import shrunk
from .tool import Answer, answer
from .write import SHAPES, Program, Recorded, programs, write

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

SEEDS = 48


@settings(
    max_examples=30, phases=[Phase.explicit, Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck)
)
@given(programs(), st.integers(0, 99))
def test_rewrites_of_drawn_programs_hold(program: Program, seed: int) -> None:
    *_, wrong = tried(answer(program, again=False), seed)
    assert wrong is None, wrong


def test_rewrites_of_numbered_programs_hold() -> None:
    """The first programs of the campaign, many of them rewritten."""
    records = [examined(seed, shrink=False) for seed in range(SEEDS)]
    assert not [r.wrong for r in records if r.wrong]
    rewritten = [r for r in records if r.original is not None]
    assert len(rewritten) > SEEDS / 5, table(records)
    assert sum(r.rows > 0 for r in rewritten) > len(rewritten) / 2, table(records)


def test_programs_are_python_and_repeat() -> None:
    written = [write(Recorded(seed=seed)) for seed in range(400)]
    for program in written:
        ast.parse(program.source)
    assert written == [write(Recorded(seed=seed)) for seed in range(400)]
    assert {p.shape for p in written} == set(SHAPES)
    assert len({p.source for p in written}) > 390


def test_folds_are_what_programs_do() -> None:
    """Whatever the front end understands, proved or not; and a fold that is misread is seen."""
    understood = seen = 0
    for seed in range(0, 300 * Recorded.SPELLINGS, Recorded.SPELLINGS):
        program = write(Recorded(seed=seed), plain=True)
        known = reading(program)
        if known is not None:
            understood += 1
            _, wrong = misread(program, known, seed, 4)
            assert wrong is None, wrong
            fold = replace(known.problem.fold, step=tuple(map(bounds_moved, known.problem.fold.step)))
            seen += misread(program, replace(known, problem=replace(known.problem, fold=fold)), seed, 4)[1] is not None
    assert understood > 180
    assert seen > 10


@pytest.mark.parametrize("path", all_regressions(), ids=lambda p: p.stem)
def test_what_was_wrong_once_is_right(path: Path) -> None:
    found, trial = read(path).replay()
    assert not trial.differences, f"{read(path).wrong}\n{found.text}"


def test_the_small_spark_sees_wrong_rewrites() -> None:
    """The naive pre-filters of the Markdown specifications change results here as they do on Spark, where they use
    nothing but the API that is generated. (What it cannot see is which frame a column ``df.x`` is of.)"""
    seen = [sees_each(case) for case in all_cases() if case.wrong and case.tables]
    assert seen.count(True) > 50
    assert seen.count(False) <= 2


def sees_each(case: Case) -> bool | None:
    """Whether each naive pre-filter changes the result; None if the case cannot be run here."""
    tables: dict[str, Any] = {name: [rows] for name, rows in given_rows(case).items()}
    ddl = {t.name: t.ddl for t in case.tables}
    original = run(case.source, ddl, tables)
    for wrong in case.wrong:
        name = wrong.table or case.tables[0].name
        those = result_of(f'result = spark.table("{name}").filter("""{wrong.condition}""")', ddl, tables)
        if isinstance(original, Failed) or isinstance(those, Failed):
            return None
        if run(case.source, ddl, {**tables, name: [those.rows()]}) == original:
            return False
    return True


def test_choices_shrink() -> None:
    assert shrunk([5, 3, 9, 1, 40, 2], lambda c: sum(c) >= 30) == [30]


def test_a_failure_is_shrunk_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.campaigns.fuzz.regression.FOLDER", tmp_path)
    planted = partial(answer, again=False, solver=PLANTED["the filter after the boundary is dropped"])
    failing = (s for s in range(PATIENCE) if examined(s, planted, shrink=False).wrong)
    choices = Recorded(seed=(seed := next(failing)))
    program = write(choices)
    kept(choices.taken, seed, planted, seconds=4.0)
    (path,) = tmp_path.glob("*.py")
    found = read(path)
    assert len(found.program.source) <= len(program.source)
    assert sum(map(len, found.parts)) < 6
    assert not found.replay()[1].differences, "without the planted bug it is right"


def test_a_regression_file_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.campaigns.fuzz.regression.FOLDER", tmp_path)
    program = Program.of("agg", 'result = spark.table("t").filter("x > 1")\n', "k string not null, x double unstated")
    regression = Regression("on {} [] became [1]", program, [[("a", 1.0), ("b", None)], [("c", float("inf"))]])
    assert read(regression.write()) == regression


@pytest.mark.spark
def test_rewrites_hold_on_spark(spark: SparkSession) -> None:
    """A program of each shape, and the small Spark agrees with the real one."""
    from .on_spark import Replay, replay, task

    seen, tasks = set[str](), []
    for seed in range(0, 400, Recorded.SPELLINGS):
        program = write(Recorded(seed=seed))
        if program.shape not in seen:
            answered = answer(program, again=False)
            if answered.proved:
                seen.add(program.shape)
                tasks.append(task(seed, answered))
    found = Replay()
    replay(spark, tasks, found)
    assert not found.wrong
    assert not found.disagreed
    assert found.rows, found.summary
    assert seen == set(SHAPES)


@pytest.mark.spark
def test_a_wrong_rewrite_is_seen_on_spark(spark: SparkSession) -> None:
    from .on_spark import Replay, Task, replay

    program = Program.of("agg", 'result = spark.table("t").filter("x > 1")\n', "k string, x double")
    wrong = Answer(program, 'result = spark.table("t").filter("x > 2")\n', (), Report(), "exact", "")
    found = Replay()
    replay(spark, [Task(0, wrong, [("a", 1.5), ("b", 3.0), (None, None)])], found)
    assert len(found.wrong) == 1
    assert found.agreed == 1
