"""What an editor is told is what the command line says: quick checks, proofs and both after edits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options
from headwater.engine.documents.on_demand import check, fix_all, prove
from headwater.engine.report.report import Report
from tests.lsp.programs import BEST, NOTHING, TWO
from tests.mdtest.cases import Case, all_cases

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
CASES = all_cases()[::29]


def timeless(report: Report) -> Report:
    """Without the times, which differ between runs, and without what is made of them. The versions of Spark belong to
    findings: a text without a word that a rule looks for is not read, and has none."""
    return replace(
        report,
        spark=report.spark if report.opportunities else (),
        opportunities=tuple(
            replace(o, ms=0, conditions=tuple(replace(c, ms=0) for c in o.conditions), message=o.message.split(" (")[0])
            for o in report.opportunities
        ),
    )


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_examples(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    cold = timeless(analyse(text))
    assert cold.opportunities
    for _ in range(2):  # with nothing known, and with everything
        assert timeless(prove(text, Options(), tmp_path)) == cold
    assert timeless(check(path.name, text, Options(), tmp_path)) == cold, "what is proved is shown at once"


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_specifications(case: Case, tmp_path: Path) -> None:
    options = Options(schemas=case.schemas)
    text = case.source
    cold = timeless(analyse(text, options))
    assert timeless(prove(text, options, tmp_path)) == cold
    known = timeless(check("case.py", text, options, tmp_path))
    assert known.opportunities == cold.opportunities


def test_nothing_is_called_proved_that_is_not(tmp_path: Path) -> None:
    text = TWO.format(90, 10)
    before = check("a.py", text, Options(), tmp_path)
    assert [o.code for o in before.opportunities] == ["HW190", "HW190"]
    assert not any(o.edits or o.certificate for o in before.opportunities)
    prove(BEST.format(90), Options(), tmp_path)
    after = check("a.py", text, Options(), tmp_path)
    assert [o.code for o in after.opportunities] == ["HW101", "HW190"]
    assert [o.code for o in check("a.py", TWO.format(91, 10), Options(), tmp_path).opportunities] == ["HW190", "HW190"]
    assert check("a.py", NOTHING, Options(), tmp_path).opportunities == ()


FIRST = """\
df = spark.table("t")
first = df.collect()[0]
df.select("a").distinct().count()
"""


def test_the_quick_check_reads_no_edited_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(o.confirmed for o in prove(FIRST, Options(), tmp_path).opportunities)
    monkeypatch.setattr("headwater.engine.analysis.confirming.confirmer", None)
    found = check("a.py", FIRST, Options(), tmp_path).opportunities
    assert [(o.code, o.confirmed) for o in found] == [("HW402", False)]


MASK = """\
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
pdf = spark.read.schema("k string, x int").parquet("a").toPandas()
print(pdf[pdf["x"] > 10]["k"].tolist())
"""


def test_the_quick_check_says_nothing_new_of_a_mask_with_its_pre_filter(tmp_path: Path) -> None:
    assert [o.code for o in check("a.py", MASK, Options(), tmp_path / "none").opportunities] == ["HW190"]
    fixed = fix_all(MASK, Options(), tmp_path)
    assert fixed is not None
    assert fixed != MASK
    assert not check("a.py", fixed, Options(), tmp_path / "none").opportunities
    assert not prove(fixed, Options(), tmp_path).opportunities


def test_every_rewrite_at_once(tmp_path: Path) -> None:
    fixed = fix_all(TWO.format(90, 10), Options(), tmp_path)
    assert fixed is not None
    assert not analyse(fixed).opportunities
    assert fix_all("def f(:\n    filter", Options(), tmp_path) is None


@pytest.mark.parametrize(("comment", "shown"), [("ignore", 0), ("ignore[HW101]", 0), ("ignore[HW201]", 1)])
def test_who_ignores_what_is_proved_is_not_told_that_it_is_possible(comment: str, shown: int, tmp_path: Path) -> None:
    text = BEST.format(90).rstrip("\n") + f"  # headwater: {comment}\n"
    assert len(check("a.py", text, Options(), tmp_path).opportunities) == shown


def test_what_is_hidden_by_default_is_not_applied_with_all_the_rest() -> None:
    text = """\
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()
ids = spark.table("orders").select("id").distinct()
spark.table("customers").join(ids, "id").write.parquet("active")
"""
    assert [o.code for o in prove(text, Options(show_all=True), None).opportunities] == ["HW405"]
    assert fix_all(text, Options(show_all=True), None) == text
