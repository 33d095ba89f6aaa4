"""Functions beside the folds that are read off them: equal, or seen to differ, in every way that Spark calls one."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock
from zlib import crc32

import pytest
from benchmarks.synthesis.suite import files

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options
from headwater.operators.move import Moved
from headwater.pyspark.api import select
from headwater.validation import compare
from headwater.validation.compare import Difference, NotValidated, Validated, validate
from headwater.validation.limits import Meter
from headwater.validation.program import Program
from headwater_ir.expr import Arith, Lit, Slot
from headwater_ir.plan import GroupMap, RowUdf
from headwater_ir.problem import Fold
from headwater_ir.types import INT
from tests.campaigns.validation import boundaries, validations
from tests.python.all_cases import CASES
from tests.python.rdd.rdd_cases import CHAINS
from tests.python.rdd.test_rdd import moved

from .beside import validated

SHARE = 10
"""One in so many of what the campaign looks at."""
HEADER = 'spark = object()\nsales = spark.table("sales")\n'
UDF = """
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()
scores = spark.read.schema("player string, score long, team string").parquet("scores")


@F.udf("long")
def better(score):
    if score is None:
        return None
    return max(score, 10) if score < 1000 else 1000


result = scores.withColumn("points", better("score")).filter("points >= 500")
"""


@pytest.mark.parametrize("name", [n for n in CASES if crc32(n.encode()) % SHARE == 0])
def test_a_fold_is_what_its_function_does(name: str) -> None:
    assert not isinstance(validated(CASES[name]), Difference)


def of_chain(name: str, wrong_merge: bool = False) -> compare.Validation:
    found = moved(CHAINS[name])
    assert isinstance(found, Moved)
    assert isinstance(found.boundary, (GroupMap, RowUdf))
    fold = found.boundary.fold
    if wrong_merge:
        assert fold.merge is not None
        fold = replace(fold, merge=tuple(Slot(i, 1) for i, _ in enumerate(fold.merge)))
    types = {c.name: c.type for c in found.problem.fold.columns}
    return validate(Program(HEADER + CHAINS[name]), found.place.code, fold, types)


def test_chains_of_rdds() -> None:
    found = {name: of_chain(name) for name in CHAINS}
    assert not [n for n, v in found.items() if isinstance(v, Difference)]
    assert sum(isinstance(v, Validated) for v in found.values()) >= 0.9 * len(found)


@pytest.mark.parametrize("name", ["max from -inf", "max and count", "fold by key", "reduce to the larger"])
def test_a_merge_that_forgets_a_part_is_seen(name: str) -> None:
    assert isinstance(of_chain(name, wrong_merge=True), Difference)


def test_most_of_the_suite_is_evaluated() -> None:
    paths = [p for p in files() if crc32(p.stem.encode()) % SHARE == 0]
    found = [v for p in paths for v, _ in validations(p.read_text(encoding="utf-8"))]
    assert len(found) > 5
    assert sum(isinstance(v, Validated) for v in found) >= 0.9 * len(found)


def test_a_finding_says_that_its_function_was_evaluated() -> None:
    (found,) = analyse(UDF).opportunities
    assert found.validation == found.certificate.validation  # type: ignore[union-attr]
    assert found.validation.endswith(" groups")


def test_a_wrong_reading_is_an_internal_error_with_the_rows_and_no_edit() -> None:
    real = select.fold_of_call

    def wrong(*args: Any) -> Fold:
        fold = real(*args)
        (output,) = fold.outputs
        return replace(fold, outputs=(replace(output, value=Arith("+", output.value, Lit(5, INT), "python")),))

    with mock.patch.object(select, "fold_of_call", wrong):
        report = analyse(UDF)
    assert not report.opportunities
    (skipped,) = report.skipped
    assert skipped.reason.startswith("internal error: Misread: the reading of `better` is not what it does: of [{")
    assert "'score': " in skipped.reason
    assert "\n" not in skipped.reason


def test_the_quick_check_evaluates_nothing() -> None:
    with mock.patch.object(compare, "validate", side_effect=AssertionError):
        report = analyse(UDF, Options(bounded=True))
    assert [o.status for o in report.opportunities] == ["bounded"]
    assert not report.opportunities[0].validation


def test_what_is_not_evaluated_is_named() -> None:
    with mock.patch.object(compare, "Meter", return_value=Meter(20)):
        (found,) = analyse(UDF).opportunities
    assert found.validation == "not validated: it takes too many steps"
    assert found.edits  # what the proof says does not depend on it


def test_without_pandas_loops_over_rows_are_evaluated_all_the_same() -> None:
    case = CASES["group, top2 long"]
    with mock.patch("headwater.validation.installed._imported", side_effect=AssertionError):
        assert isinstance(validated(case), Validated)


def test_validation_imports_nothing_of_the_program(tmp_path: Path) -> None:
    """Modules of the user's that are called like a library, or like what it would import, are not taken for it."""
    for name in ("pandas", "numpy", "numexpr", "bottleneck", "pyarrow"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run')")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from headwater.validation.installed import modules"
    code += "; assert modules('pandas').keys() == {'pandas', 'numpy'}"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_boundaries_of_a_program() -> None:
    assert [m.place.function for m in boundaries(UDF)] == ["better"]
    assert isinstance(validate(Program(UDF), (), next(iter(boundaries(UDF))).boundary.fold, {}), NotValidated)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("value", "validation"),
    [
        ("len(set(pdf['b']))", "not validated: `set.empty` is taken for some function"),
        ("pdf['n'].rolling(1).max().iloc[0]", "groups"),
    ],
)
def test_a_filter_of_keys_is_compared_by_keys(value: str, validation: str) -> None:
    source = (
        f"import pandas as pd\n\n\ndef f(key, pdf):\n    return pd.DataFrame({{'k': [key[0]], 'm': [{value}]}})\n\n\n"
        "result = spark.table('t').groupBy('k').applyInPandas(f, 'k string, m double').filter(\"k >= 'a'\")\n"
    )
    report = analyse(source, Options(schemas={"t": "k string, b boolean not null, n double"}))
    assert not report.skipped
    assert [o.prefilter_sql for o in report.opportunities] == ["k >= 'a'"]
    assert validation in report.opportunities[0].validation
