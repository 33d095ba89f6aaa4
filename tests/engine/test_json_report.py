"""The JSON is exactly what docs/report.schema.json and the product page say."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.files.service import FileReport
from headwater.engine.report.report import Report, SourceProblem
from headwater.rules.registry import RULES
from headwater.scan.json_report import document, render
from headwater_ir.codec import loads
from headwater_ir.verdict import Bounded, Certificate

from .pipelines import KEYS, PEAKS, TOP2

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text())


@pytest.fixture(scope="module")
def reports() -> list[FileReport]:
    broken = Report(error=SourceProblem("syntax error", 2, 4))
    bounded = analyse(PEAKS, Options(), lambda problem, seconds: Bounded(2))
    files = [FileReport(name, text, analyse(text)) for name, text in (("a.py", PEAKS), ("b.py", TOP2), ("k.py", KEYS))]
    return [*files, FileReport("c.py", "", broken), FileReport("d.py", PEAKS, bounded)]


def test_it_follows_the_schema(reports: list[FileReport], tmp_path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    text = render(reports, 0.4, tmp_path)
    jsonschema.validate(json.loads(text), SCHEMA, cls=jsonschema.Draft202012Validator)


def test_the_schema_has_every_rule() -> None:
    rule = SCHEMA["$defs"]["opportunity"]["properties"]
    assert rule["code"]["enum"] == [code for code, r in RULES.items() if r.opportunity]
    assert rule["name"]["enum"] == [r.name for r in RULES.values() if r.opportunity]


def test_fields_of_a_split(reports: list[FileReport], tmp_path: Path) -> None:
    found = document(reports, 0.4, tmp_path)
    assert found["summary"] == {
        "files": 5, "spark_files": 4, "filters": 4, "opportunities": 3, "verified": 2, "assumed": 0, "seconds": 0.4,
    }  # fmt: skip
    assert [f["error"] for f in found["files"]] == [None, None, None, "c.py:3:5: syntax error", None]
    assert found["files"][2]["skipped"][0]["reason"] == "Spark moves this filter itself"
    (split,) = found["files"][1]["opportunities"]
    last = TOP2.split("\n")[-2]
    assert split["code"] == "HW102"
    assert split["boundary"]["function"] == "top2"
    assert split["filter"]["range"]["start"] == {"line": 20, "character": 5}
    assert last[5:].startswith(split["filter"]["text"])
    assert split["prefilter"] == {
        "text": 'F.col("score") >= 90',
        "sql": "score >= 90",
        "range": {"start": {"line": 19, "character": 13}, "end": {"line": 19, "character": 13}},
    }
    assert split["residual"] == {"text": 'F.col("second").isNotNull()', "sql": "second IS NOT NULL"}
    assert split["invariant"]["atoms"] > 0
    assert {c["name"] for c in split["conditions"]} >= {"Init", "Sync", "Stutter", "Final", "Safe"}


def test_certificates_are_files_that_read_back(reports: list[FileReport], tmp_path: Path) -> None:
    found = document(reports, 0.4, tmp_path)
    path = Path(found["files"][0]["opportunities"][0]["certificate"])
    assert path == tmp_path / f"{found['files'][0]['opportunities'][0]['id']}.json"
    assert loads(path.read_text(), Certificate) == reports[0].report.opportunities[0].certificate
    assert found["files"][4]["opportunities"][0]["certificate"] is None


def test_no_place_for_certificates_is_no_error(reports: list[FileReport], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert document(reports, 0.4, tmp_path / "file")["files"][0]["opportunities"][0]["certificate"] is None
