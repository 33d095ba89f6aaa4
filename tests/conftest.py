"""Shared by all tests: the Hypothesis profiles and one local Spark session."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from tests.replay import session
from tests.shares import every

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# "default" gives the same examples on every run; HYPOTHESIS_PROFILE=thorough looks for new ones.
settings.register_profile(
    "default", derandomize=True, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("default"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only tests on Spark are wanted, modules that have none are not imported: three of four."""
    if config.option.markexpr != "spark" or not collection_path.match("test_*.py"):
        return None
    return True if "mark.spark" not in collection_path.read_text(encoding="utf-8") else None


def pytest_collection_finish() -> None:
    """Leave the tests, tens of thousands of them, out of the collections of garbage: going through them again and again
    took half of the time of the tests that make many objects."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local session, ANSI mode as by default, few shuffle partitions. Tests that use it are marked ``spark``."""
    with session() as local:
        yield local


REPLAYS = (
    "tests/data_sources/test_sources.py::test_on_spark",
    "tests/mdtest/test_mdtest.py",
    "tests/mdtest/test_types.py::test_constant_filters",
    "tests/mdtest/test_types.py::test_verified_rewrites",
    "tests/suite/test_replay.py",
)
"""Files whose tests on Spark are too many for every run of ``make test``; ``make replay`` runs all of them."""
RECHECKS = (
    "tests/mdtest/test_mdtest.py::test_every_certificate_passes_both_solvers",
    "tests/mdtest/test_mdtest.py::test_applying_once_is_enough",
    "tests/event_log/test_demo.py::test_every_action_of_the_jvm",
    "tests/event_log/test_spark.py::test_every_call_stands_at_its_line",
    "tests/linking/test_split.py",
    "tests/suite/test_suite.py::test_every_certificate_passes_cvc5",
    "tests/suite/test_exhaustive.py::test_nothing_in_the_universes_is_better",
    "tests/python/test_random_programs.py",
    "tests/python/udtf/test_udtf.py::test_random_classes",
    "tests/python/arrow/test_random_arrow.py",
    "tests/python/pandas/test_laws.py::test_every_wrong_law_is_seen",
    "tests/python/test_builtin_laws.py::test_every_wrong_law_is_seen",
    "tests/planted/test_planted.py::test_a_fault_is_seen",
    "tests/campaigns/exhaustive/test_small.py",
    "tests/campaigns/fuzz/test_families.py::test_rewrites_of_numbered_programs_hold",
    "tests/campaigns/mutation/test_solutions.py",
)
"""Tests that look a second time at what another test has looked at, or at random programs, and take half of the time of
all: every thirty-second of them."""
REPEATS = (
    "tests/python/test_beside_functions.py::test_spark_agrees",
    "tests/python/arrow/test_arrow.py::test_errors_that_are_passed_over_are_in_every_larger_group",
    "tests/python/rdd/test_rdd_proofs.py::test_proved_pre_filters_change_nothing",
    "tests/python/udtf/test_udtf.py::test_proved_pre_filters_leave_real_classes_alone",
    "tests/conformance/test_catalyst_claims.py::test_what_is_said",
    "tests/pyspark/test_incremental.py::test_an_edit_elsewhere_and_taken_back",
    "tests/pyspark/test_incremental.py::test_notices_a_planted_bug",
    "tests/pyspark/test_incremental.py::test_a_line_more_is_read_in_parts",
    "tests/pyspark/test_segments.py::test_no_part_depends_on_the_whole_text",
    "tests/pyspark/test_settled.py::test_what_is_settled_has_not_changed",
    "tests/rewrite/test_branch_world.py::test_no_copy_",
    "tests/rewrite/test_imports.py::test_only_the_head_is_read",
    "tests/rewrite/test_names.py::test_after_edits_they_are_those_of_the_whole_text",
    "tests/rewrite/test_tokens_in_pieces.py::test_after_edits_too",
    "tests/synthesis/test_solutions_hold.py::test_random_solutions_hold",
    "tests/engine/test_fixed_point.py::test_fix_again_changes_nothing",
    "tests/engine/test_on_demand.py::test_specifications",
    "tests/metamorphic/",
    "tests/suite/test_suite.py::test_the_bounded_check_excludes_nothing_that_is_proved",
    "tests/tables/test_alone.py::test_made_of_its_row_alone",
    "tests/campaigns/test_adversarial.py::test_nothing_is_wrong",
    "tests/campaigns/fuzz/test_fuzz.py::test_rewrites",
    "tests/campaigns/fuzz/test_flow.py::test_formulations_are_python_repeat_and_hold",
)
"""Tests with one long comparison for each of many functions, faults or programs: every fourth of them."""
LONG_REPEATS = (
    "tests/python/test_beside_functions.py::test_fold_is_the_function",
    "tests/python/test_modelled_calls.py::test_no_reader_understands_what_no_model_covers",
    "tests/python/pandas/test_laws.py::test_law_is_what_pandas_does",
    "tests/suite/test_suite.py::test_expectations_are_met",
)
"""Those of them that would still take the longest of all: every twelfth."""


def pytest_configure(config: pytest.Config) -> None:
    """Who names tests wants them; the processes of xdist, which are always told names, inherit the answer."""
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        os.environ.setdefault("HEADWATER_REPLAY_SHARE", "1")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep every nth of the replays and rechecks, always the same, and all wrong results that shipped elsewhere."""
    out = [item for item in items if "wrong_results" not in item.nodeid and crc32(item.name.encode()) % _share(item)]
    if out:
        dropped = set(map(id, out))
        items[:] = [item for item in items if id(item) not in dropped]
        config.hook.pytest_deselected(items=out)


def _share(item: pytest.Item) -> int:
    """Of how many tests like this one a run takes one; with HEADWATER_REPLAY_SHARE=n as many of each kind."""
    return every(_own_share(item))


def _own_share(item: pytest.Item) -> int:
    if item.nodeid.startswith(REPLAYS) and item.get_closest_marker("spark"):
        return 32
    shares = {RECHECKS: 32, LONG_REPEATS: 12, REPEATS: 4}
    return next((share for tests, share in shares.items() if item.nodeid.startswith(tests)), 1)
