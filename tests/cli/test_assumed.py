"""Every command tells what is verified from what rests on assumptions, and names the assumptions."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.data_sources.specifications import specifications
from tests.engine.pipelines import FIXED_PEAKS, KEYS_ARE_THERE, PEAKS, VERIFIED_AND_ASSUMED
from tests.scan.test_sarif import SCHEMA as SARIF

from .conftest import Run

VERIFIED_ONLY = VERIFIED_AND_ASSUMED.replace(PEAKS, FIXED_PEAKS)
ASSUMING = f"assuming {KEYS_ARE_THERE}"
REPORT = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text())


@pytest.fixture
def path() -> Path:
    found = Path("both.py")
    found.write_text(VERIFIED_AND_ASSUMED)
    return found


def test_fix_applies_what_is_verified_and_says_why_the_rest_is_left(run: Run, path: Path) -> None:
    done = run("fix", ".")
    assert done.returncode == 1
    assert path.read_text() == VERIFIED_ONLY
    applied, left, assumption, hint, counts = done.stdout.splitlines()
    assert applied.startswith(
        "both.py: HW101 `amount >= 950000` can run before `agg`: exact pushdown, proved for every"
    )
    assert left.startswith("both.py:11:20: not applied: HW101 `amount >= 20` can run before `agg`")
    assert f"proved if {KEYS_ARE_THERE}" in left
    assert assumption.endswith(ASSUMING)
    assert "headwater fix --accept-assumptions" in hint
    assert counts == "1 file, 1 of them PySpark with 2 filters."
    assert run("fix", ".").stdout.splitlines() == done.stdout.splitlines()[1:]


def test_fix_with_accepted_assumptions_applies_all_and_prints_them(run: Run, path: Path) -> None:
    done = run("fix", "--accept-assumptions", ".")
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.read_text().count(f"{name}.filter(") for name in ("payments", "everything")] == [1, 1]
    assert "return highest\n" in path.read_text()
    assert [ASSUMING in line for line in done.stdout.splitlines()] == [False, False, True, False]


def test_a_patch_of_fix_names_the_assumptions_before_it(run: Run, path: Path) -> None:
    verified = run("fix", "--diff", ".")
    assert (verified.returncode, path.read_text()) == (1, VERIFIED_AND_ASSUMED)
    assert verified.stdout.startswith("--- a/both.py")
    assert "highest" not in "".join(line for line in verified.stdout.splitlines() if line[0] in "+-")
    assert ASSUMING in verified.stderr
    accepted = run("fix", "--diff", "--accept-assumptions", ".")
    assert accepted.stdout.startswith(f"# both.py:   {ASSUMING}\n--- a/both.py\n")
    assert "+    highest = everything.filter(" in accepted.stdout


def test_a_patch_without_changes_is_empty(run: Run, path: Path) -> None:
    path.write_text(VERIFIED_ONLY)
    done = run("fix", "--diff", ".")
    assert (done.returncode, done.stdout) == (1, "")
    assert ASSUMING in done.stderr


def test_scan_and_explain_name_the_assumption(run: Run, path: Path) -> None:
    text = run("scan", "--no-cache", ".").stdout
    assert f"assuming {KEYS_ARE_THERE}" in text
    assert "1 with a verified rewrite: run `headwater fix`" in text
    assert "1 rests on assumptions: `headwater fix --accept-assumptions`" in text
    told = run("explain", "both.py:11").stdout
    assert "Status      assumed: proved for the inputs of which the assumptions are true" in told
    assert ASSUMING in told
    assert (
        "Status      verified: proved for every input that the original program runs on"
        in run("explain", "both.py:5").stdout
    )


def test_json_sarif_and_html_keep_them_apart(run: Run, path: Path) -> None:
    for _ in "stored":  # the second run reads what the first one stored
        report = json.loads(run("scan", "--format", "json", ".").stdout)
        jsonschema.validate(report, REPORT, cls=jsonschema.Draft202012Validator)
        found = [(o["status"], o["assumptions"]) for o in report["files"][0]["opportunities"]]
        assert found == [("verified", []), ("assumed", [KEYS_ARE_THERE])]
        assert (report["summary"]["verified"], report["summary"]["assumed"]) == (1, 1)
    log = json.loads(run("scan", "--format", "sarif", ".").stdout)
    jsonschema.Draft4Validator(SARIF).validate(log)
    verified, assumed = log["runs"][0]["results"]
    assert [r["properties"]["status"] for r in (verified, assumed)] == ["verified", "assumed"]
    assert assumed["properties"]["assumptions"] == [KEYS_ARE_THERE]
    assert ASSUMING not in verified["fixes"][0]["description"]["text"]
    assert ASSUMING in assumed["fixes"][0]["description"]["text"]
    page = run("scan", "--format", "html", ".").stdout
    assert '<span class="status verified">verified</span>' in page
    assert '<span class="status assumed">assumed</span>' in page
    assert "<h3>Assumptions</h3><ul><li><code>keys</code> names at least one column" in page


def test_a_baseline_does_not_take_an_assumed_finding_for_a_verified_one(run: Run, path: Path) -> None:
    assert run("scan", "--update-baseline", "--baseline", "known.json", ".").returncode == 0
    assert run("scan", "--baseline", "known.json", ".").returncode == 0
    path.write_text(VERIFIED_AND_ASSUMED.replace("def by(keys)", "def by()").replace("*keys", '"account"'))
    new = json.loads(run("scan", "--baseline", "known.json", "--format", "json", ".").stdout)
    assert [o["status"] for o in new["files"][0]["opportunities"]] == ["verified"]


def test_no_fix_is_promised_of_a_data_source(run: Run, path: Path) -> None:
    """`headwater fix` leaves HW203 to people."""
    path.write_text(next(s for s in specifications() if "fix" in s.expected and "assumed" not in s.expected).source)
    said = run("scan", "--no-cache", ".").stdout
    assert "1 to decide on in the editor, for the job then has other rows" in " ".join(said.split())
    assert "`headwater fix`" not in said
    before = path.read_text()
    run("fix", ".")
    assert path.read_text() == before
