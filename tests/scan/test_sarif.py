"""Issue 9: SARIF 2.1.0 as its schema says, with fixes that do what the edits do."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.report.positions import Lines, Position
from headwater.rewrite.edit import Edit, apply_edits
from headwater.scan.documents import Scan
from headwater.scan.sarif import sarif, sarif_text
from headwater_ir.span import Span

from .conftest import FILES

SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text())
"""From the npm package @microsoft/sarif-matcher-utils 1.0.0-beta.0 (MIT, Microsoft Corporation)."""


def check(log: dict[str, Any]) -> None:
    jsonschema.Draft4Validator(SCHEMA).validate(log)


def walk(value: Any) -> Any:
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(inner)


def test_it_follows_the_schema(scan: Scan) -> None:
    text = sarif_text(scan)
    log = json.loads(text)
    assert text.isascii()
    check(log)
    check(sarif(Scan([], 0.0)))
    (run,) = log["runs"]
    assert [r["ruleId"] for r in run["results"]] == ["HW101", "HW102", "HW302", "HW101", "HW190"]
    assert all(run["tool"]["driver"]["rules"][r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"])
    regions = [v for v in walk(log) if isinstance(v, dict) and "startColumn" in v]
    assert len(regions) > 10
    assert all("startLine" in r for r in regions)  # OASIS' later schema wants that of every region


@pytest.mark.parametrize(
    "spoil",
    [
        lambda run: run["results"][0].update(level="hint"),
        lambda run: run["results"][0]["locations"][0].update(line=1),
        lambda run: run["results"][0]["fixes"][0].pop("artifactChanges"),
        lambda run: run["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0),
        lambda run: run["tool"].pop("driver"),
        lambda run: run.update(columnKind="bytes"),
    ],
)
def test_the_schema_refuses_what_is_none(scan: Scan, spoil: Any) -> None:
    log = copy.deepcopy(sarif(scan))
    spoil(log["runs"][0])
    with pytest.raises(jsonschema.ValidationError):
        check(log)


def test_a_fix_is_the_rewrite(scan: Scan) -> None:
    fixed = 0
    for found in sarif(scan)["runs"][0]["results"]:
        path = unquote(found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        assert path in FILES
        for fix in found.get("fixes", ()):
            fixed += 1
            (change,) = fix["artifactChanges"]
            assert unquote(change["artifactLocation"]["uri"]) == path
            edits = [
                (_span(r["deletedRegion"], FILES[path]), r["insertedContent"]["text"]) for r in change["replacements"]
            ]
            result = apply_edits(FILES[path], [Edit(*e) for e in edits])
            compile(result, path, "exec")
            assert result != FILES[path]
            (same,) = (r for r in scan.results if r["file"]["path"] == path)
            added = [line[1:] for line in same["shown"][0]["diff"].split("\n") if line.startswith("+")]
            assert added
            assert all(line in result.split("\n") for line in added)
    assert fixed == 2  # not in the notebook


def _span(region: dict[str, int], text: str) -> Span:
    lines = Lines(text)
    ends = [Position(region[f"{end}Line"] - 1, region[f"{end}Column"] - 1) for end in ("start", "end")]
    return Span(*map(lines.offset, ends))


def test_a_notebook_has_no_regions(scan: Scan) -> None:
    (found,) = (r for r in sarif(scan)["runs"][0]["results"] if "note.ipynb" in json.dumps(r["locations"]))
    assert "region" not in found["locations"][0]["physicalLocation"]
    assert found["message"]["text"].endswith("(cell 2:5:7)")


def test_files_that_failed_are_notifications(scan: Scan) -> None:
    (said,) = sarif(scan)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert said["message"]["text"].startswith("broken.py:2:7: syntax error")
    assert said["locations"][0]["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 7}


def test_levels_follow_the_settings(scan: Scan) -> None:
    levels = {r["ruleId"]: r["level"] for r in sarif(scan)["runs"][0]["results"]}
    assert levels == {"HW101": "note", "HW102": "note", "HW302": "warning", "HW190": "note"}
    louder = replace(scan, options=Options(severity={"HW101": "error", "HW302": "hint"}))
    check(sarif(louder))
    levels = {r["ruleId"]: r["level"] for r in sarif(louder)["runs"][0]["results"]}
    assert (levels["HW101"], levels["HW302"]) == ("error", "note")


def test_fingerprints_stay_when_lines_move(scan: Scan) -> None:
    from headwater.scan.result import scan_content

    moved = scan_content("peaks.py", ("# one\n# two\n" + FILES["peaks.py"]).encode(), Options())
    before, after = (sarif(Scan([r], 0))["runs"][0]["results"][0] for r in (scan.results[0], moved))
    assert before["partialFingerprints"] == after["partialFingerprints"]
    assert before["locations"] != after["locations"]
